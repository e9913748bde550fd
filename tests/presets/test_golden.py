"""Every preset that has cases of the real package reproduces each of them (golden/README.md says how they were made)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.model.block import Block
from app.model.kinds import Kind, Role
from app.presets import PRESETS, Message, Part, Talk
from tests.presets.imitating import imitate, written

GOLDEN = Path(__file__).parent / "golden"
OTHER_WIRES = {
    "anthropic-clear-tool-uses": "anthropic", "pydantic-ai-repair": "anthropic", "agents-trimmer": "openai-responses",
    "strands-sliding-window": "bedrock", "gemini-compress": "gemini",
}  # fmt: skip
ELSEWHERE = ("pi-keep-recent", "vercel-prune")
NAMES = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_all_files_have_a_preset() -> None:
    assert len(NAMES) == 17
    assert set(NAMES) <= set(PRESETS)
    assert sum(len(cases(name)) for name in NAMES) == 340


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ELSEWHERE])
def test_a_preset_does_what_its_package_did(name: str) -> None:
    wrong = []
    for case in cases(name):
        found = imitate(written(case["input"]), name, case["params"], OTHER_WIRES.get(name, "openai-chat"))
        if found.plan.after != found.tokens:
            wrong.append((case["case"], f"promised {found.plan.after}, has {found.tokens}"))
        out = json.loads(found.data)
        given = case["input"]["messages"] if isinstance(case["input"], dict) else case["input"]
        out = out["messages"] if isinstance(out, dict) else out
        if "output" in case:
            good = out == case["output"]
        else:
            tail = [given[index] for index in case["kept"] if index is not None]
            good = out[len(out) - len(tail) :] == tail
        if not good:
            wrong.append((case["case"], out))
    assert wrong == []


def test_a_report_of_what_was_cleared_is_the_api_s() -> None:
    """`applied` of a case: how many uses were cleared, and the tokens that went."""
    for case in cases("anthropic-clear-tool-uses"):
        found = imitate(written(case["input"]), case["preset"], case["params"], "anthropic")
        cleared = int(found.plan.replaced[found.view.results].sum())
        assert cleared == (case["applied"]["cleared_tool_uses"] if case["applied"] else 0), case["case"]


def test_pi_s_cut() -> None:
    for case in cases("pi-keep-recent"):
        lines = [{"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/"}]
        for index, message in enumerate(case["input"]):
            parent = f"e{index - 1}" if index else None
            time = "2026-01-01T00:00:01.000Z"
            lines.append({"type": "message", "id": f"e{index}", "parentId": parent, "timestamp": time, "message": message})
        data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
        found = imitate(data, case["preset"], case["params"], "anthropic")
        assert found.dump.format == "pi"
        gone = set(found.view.transcript.table.record[found.view.rows[found.plan.dropped]].tolist())
        assert len(gone) == case["cut"], case["case"]
        assert [index for index in range(len(case["input"])) if index + 1 not in gone] == case["kept"]


# -- AI SDK: a wire that is no format of ours, so that its preset is run on the messages themselves -----------------------------------


def test_ai_sdk_s_pruning() -> None:
    for case in cases("vercel-prune"):
        given = case["input"]
        preset = PRESETS["vercel-prune"]
        work = preset.run(_talk(given), preset.read(case["params"]))
        out = []
        position = 0
        for message in given:
            content = message["content"]
            if isinstance(content, list):
                stays = [part for index, part in enumerate(content) if position + index not in work.dropped]
                position += len(content)
                if stays or any(put.kind == Kind.EMPTY and put.before == position - len(content) for put in work.puts):
                    out.append({**message, "content": stays})
            else:
                position += 1
                out.append(message)
        assert out == case["output"], case["case"]


_KINDS = {"text": Kind.TEXT, "reasoning": Kind.REASONING, "tool-call": Kind.TOOL_CALL, "tool-result": Kind.TOOL_RESULT}


def _talk(messages: list[dict[str, Any]]) -> Talk:
    made: list[Message] = []
    position = 0
    for message in messages:
        content = message["content"]
        parts = []
        for value in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            kind = _KINDS.get(value["type"], Kind.OTHER)
            block = Block(row=position, kind=kind, type=value["type"], role=Role[message["role"].upper()], value=value)
            parts.append(
                Part(
                    position, kind, 0, lambda block=block: block, value.get("toolName", ""), value.get("toolCallId"), value["type"],
                    listed=isinstance(content, list),
                )
            )  # fmt: skip
            position += 1
        made.append(Message(Role[message["role"].upper()], parts))
    return Talk(made)
