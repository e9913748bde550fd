"""Two sessions of 100,000 blocks compared: the second with other call ids, a tenth of its results stubbed and a stretch cut out."""

from __future__ import annotations

import json
import random
from typing import Any

from app.model.source import Source
from app.pipeline.compare import One, compared, opened
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from tests.bench.measuring import cpu, line, note

STEPS = 25_000
SECONDS = 12


def main(argv: list[str]) -> int:
    first, second = _one(_messages("t")), _one(_messages("u", stub=0.1, without=range(4_000, 9_000)))
    found: list[Any] = []
    spent = cpu(lambda: found.append(compared(first, second)))
    note("blocks a side", len(first.rows))
    note("differences", found[0].differences)
    same = cpu(lambda: compared(first, first))
    note("the same session with itself", same, " s of CPU")
    return line("two sessions of 100,000 blocks compared", spent, SECONDS, " s of CPU")


def _messages(prefix: str, stub: float = 0.0, without: range = range(0)) -> list[dict[str, Any]]:
    draw = random.Random(5)
    out: list[dict[str, Any]] = []
    for n in range(STEPS):
        text = f"line {n} of the file " * draw.randrange(4, 60)
        text = "[old result cleared]" if draw.random() < stub else text
        if n not in without:
            out += [
                {"role": "user", "content": f"question number {n}"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": f"{prefix}{n}", "name": "read", "input": {"n": n}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"{prefix}{n}", "content": text}]},
                {"role": "assistant", "content": f"answer number {n}"},
            ]
    return out


def _one(messages: list[dict[str, Any]]) -> One:
    dump = load(Source.of(json.dumps({"model": "m", "max_tokens": 9, "messages": messages}).encode(), "a.json"), "anthropic-messages")
    return opened(dump, 0, provider_named(judge_of(dump.table)), "a.json")


if __name__ == "__main__":
    raise SystemExit(main([]))
