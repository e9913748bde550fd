"""Requests and sessions with things in them that must not leave the room, for the tests of shape, redaction and bug reports."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from app.model.dump import Dump
from app.model.source import Source
from app.pipeline.load import load

KEY = "sk-ant-api03-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8" * 2
MAIL = "maria.keller@acme-bank.example"
SECRETS = (KEY, MAIL, "hunter2-Passw0rd", "maria", "+49 30 1234567")


def request() -> dict[str, Any]:
    """An Anthropic request with an orphan result, and secrets in a text, arguments, a result, a key, and a member that no format knows."""
    return {
        "model": "claude-sonnet-4-5", "max_tokens": 64, "metadata": {"user_id": "u", "contact": MAIL},
        "system": "Work in /home/maria/books.",
        "messages": [
            {"role": "user", "content": f"Write to {MAIL}, call +49 30 1234567.\n\"Now\" is 12."},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "toolu_01ABCdef", "name": "read_file", "input": {
                    "path": "/home/maria/.env", "limit": 1.50, "api_key": KEY, "odd key of maria/": {"password": "hunter2-Passw0rd"},
                }},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_01ABCdef", "content": f"ANTHROPIC_API_KEY={KEY}\nok\té"},
                {"type": "tool_result", "tool_use_id": "toolu_01Zzz999", "content": '{"rows": [{"id": 17, "note": "l\\n\\"q\\""}]}'},
            ]},
            {"role": "assistant", "content": "Done. "},
        ],
    }  # fmt: skip


def quiet_file(folder: Path) -> Path:
    """The request in a file to which nobody wrote a moment ago."""
    path = folder / "dump.json"
    path.write_text(json.dumps(request(), indent=1))
    os.utime(path, (time.time() - 60,) * 2)
    return path


def session() -> bytes:
    """A Claude Code session of three exchanges, the second without a result, and a line that is no JSON."""
    lines: list[str] = []
    parent: str | None = None

    def line(kind: str, message: dict[str, Any], **more: Any) -> None:
        nonlocal parent
        number = len(lines) + 1
        uuid = f"4f1c0000-0000-4000-8000-{number:012d}"
        lines.append(json.dumps({
            "parentUuid": parent, "isSidechain": False, "cwd": "/home/maria/books", "sessionId": "4f1c0000-0000-4000-8000-00000000abcd",
            "version": "1.0.88", "type": kind, "uuid": uuid, "timestamp": f"2026-01-02T03:04:{number:02d}.000Z", "message": message, **more,
        }, ensure_ascii=False))  # fmt: skip
        parent = uuid

    for number in range(3):
        line("user", {"role": "user", "content": f"Please ask {MAIL} about invoice {number}"})
        call = {"type": "tool_use", "id": f"toolu_01A{number}bcdefgh", "name": "Bash", "input": {"command": f"cat {number}.txt"}}
        usage = {"input_tokens": 120, "output_tokens": 8}
        line("assistant", {"id": f"msg_01{number}xyz", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                           "content": [call], "usage": usage})  # fmt: skip
        if number != 1:
            result = {"type": "tool_result", "tool_use_id": call["id"], "content": f"row {number} of maria\n" * 3}
            line("user", {"role": "user", "content": [result]}, toolUseResult={"stdout": "row"})
            line("assistant", {"id": f"msg_02{number}xyz", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                               "content": [{"type": "text", "text": "It is paid."}], "usage": usage})  # fmt: skip
    return ("\n".join(lines) + f"\nnot json, {MAIL}\n").encode()


def dump_of(value: Any, name: str = "dump.json") -> Dump:
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
    return load(Source.of(data, name))
