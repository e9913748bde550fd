"""A session replayed under every strategy and preset: 2,000 requests with tools, and 10,000 exchanges without.

Steps are as long as in real sessions (623 tokens, the mean of a sampled one), the window has 200,000 tokens and 16,000 of them for the
answer. Seconds are CPU of this process. Beside them: how much faster one strategy walks than laying out every request anew.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from app.model.replay import Setup
from app.model.source import Source
from app.pipeline import counted
from app.pipeline.load import load
from app.pipeline.names import FAMILIES, provider_named
from app.pipeline.replay import Session, none, replayed
from app.presets import PRESETS
from app.tokens import counter
from tests.bench.measuring import cpu, line, note
from tests.pipeline.naive_replay import sent_and_read

SECONDS = 2.0
TIMES = 20.0
COUNTER = "chars/4"


def with_tools(requests: int, exchanges: int) -> dict[str, Any]:
    r = random.Random(1)
    messages: list[dict[str, Any]] = []
    for number in range(requests):
        if number % (requests // exchanges) == 0:
            messages.append({"role": "user", "content": "what of invoice 9,921? " * 8})
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": r.choice(["read", "bash", "grep"]), "input": {"q": f"in_{number}" * 5}}
        messages.append({"role": "assistant", "content": [{"type": "text", "text": "looking at it " * 8}, call]})
        found = "row of a list " * max(1, int(r.expovariate(1 / 140)))
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": found}]})
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "system": "be brief " * 200, "messages": messages}


def without(exchanges: int) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for number in range(exchanges):
        messages.append({"role": "user", "content": f"question {number} " * 10})
        messages.append({"role": "assistant", "content": f"answer {number} " * 30})
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}


def session_of(body: dict[str, Any]) -> Session:
    dump, provider = load(Source.of(json.dumps(body).encode(), "bench.json")), provider_named("anthropic")
    view, _ = counted(dump, dump.transcripts[0], provider, COUNTER)
    return Session(dump, view, provider, "claude-sonnet-4-5", COUNTER, counter(COUNTER).count)


def main(argv: list[str]) -> int:
    setup, short = Setup.of(200_000, 16_000), 0
    for what, body in (("2,000 requests with tools", with_tools(2_000, 40)), ("10,000 exchanges", without(10_000))):
        session = session_of(body)
        note(f"{what}: tokens sent without compaction, millions", none(session, setup).total / 1e6)
        families = cpu(lambda s=session: list(replayed(s, setup, FAMILIES)))
        presets = cpu(lambda s=session: list(replayed(s, setup, sorted(PRESETS))))
        note(f"{what}: the seven families", families, " s")
        short |= line(f"{what}: all strategies and {len(PRESETS)} presets", families + presets, SECONDS, " s")
    small = session_of(with_tools(300, 6))
    tight = Setup.of(60_000, 4_000)
    walked = cpu(lambda: list(replayed(small, tight, ["evict-steps"])))
    laid = cpu(lambda: sent_and_read(small, tight, "evict-steps"))
    return short | line("evict-steps over 300 requests, times faster than laying out each of them", laid / walked, TIMES, " x", least=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
