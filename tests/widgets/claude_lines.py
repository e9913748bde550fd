"""A session of Claude Code as lines of a file."""

from __future__ import annotations

import json


def claude_lines(exchanges: int) -> str:
    """Exchanges of a prompt, three calls with their results, an answer."""
    out, parent = [], None

    def add(kind: str, content: object, number: int) -> None:
        nonlocal parent
        message: dict[str, object] = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{number}", "type": "message", "model": "claude-sonnet-4-5"}
        uuid = f"00000000-0000-4000-8000-{number:012}"
        out.append({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "isSidechain": False, "cwd": "/w",
                    "version": "1.0.0", "timestamp": "2026-01-01T00:00:00.000Z", "message": message})  # fmt: skip
        parent = uuid

    for n in range(exchanges):
        add("user", f"question {n} " + "x" * 300, n * 10)
        for call in range(3):
            one = f"toolu_{n}_{call}"
            add("assistant", [{"type": "tool_use", "id": one, "name": "read", "input": {"n": call}}], n * 10 + 1 + 2 * call)
            add("user", [{"type": "tool_result", "tool_use_id": one, "content": "y" * 2000}], n * 10 + 2 + 2 * call)
        add("assistant", [{"type": "text", "text": f"answer {n}"}], n * 10 + 8)
    return "".join(json.dumps(one) + "\n" for one in out)
