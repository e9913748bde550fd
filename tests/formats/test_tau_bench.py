"""tau-bench results: one transcript a run, each list edited where it stands."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, drop
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.detect import detect
from app.providers import PROVIDERS
from tests.formats.logs import round_trip, unchanged

FORMAT = FORMATS["tau-bench"]


def run(task: int, *messages: dict[str, Any], trial: int = 0) -> dict[str, Any]:
    return {"task_id": task, "reward": 1.0, "info": {"n": 2.5e-05}, "traj": list(messages), "trial": trial}


def asked(id: str) -> dict[str, Any]:
    called = [{"id": id, "type": "function", "function": {"name": "find", "arguments": "{}"}}]
    return {"role": "assistant", "content": None, "tool_calls": called}


def answered(id: str, text: str = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "name": "find", "content": text}


RUNS = [
    run(0, {"role": "system", "content": "be kind"}, {"role": "user", "content": "hi"}, asked("c1"), answered("c1")),
    run(0, {"role": "user", "content": "again"}, asked("c1"), answered("c1"), trial=1),
    run(3),
]


def test_a_run_is_a_transcript() -> None:
    dump = unchanged("tau-bench", json.dumps(RUNS, indent=2).encode())
    assert [t.id for t in dump.transcripts] == ["0-0", "0-1", "3-0"]
    assert [len(t.order) for t in dump.transcripts] == [4, 3, 0]
    assert FORMAT.block(dump.transcripts[1], int(dump.transcripts[1].order[2]), dump.source).pointer == "/1/traj/2"
    best = detect(Source.of(json.dumps(RUNS).encode(), "x"))[0]
    assert best.format == "tau-bench"


def test_a_dropped_pair_leaves_all_other_bytes() -> None:
    text = json.dumps(RUNS, indent=2).encode()
    dump = FORMAT.parse(Source.of(text))
    rows = dump.transcripts[1].order.tolist()
    after = apply(dump.transcripts[1], [Change("x", "rule:x", "loses", (drop(*rows[1:]),))], PROVIDERS["openai-chat"]).transcript
    out = b"".join(FORMAT.write_plan(dump, [dump.transcripts[0], after, dump.transcripts[2]]).chunks())
    kept = json.loads(text)
    del kept[1]["traj"][1:]
    assert out == json.dumps(kept, indent=2).encode()


def random_runs(seed: int) -> bytes:
    r = random.Random(seed)
    runs = []
    for task in range(r.randrange(1, 4)):
        messages: list[dict[str, Any]] = []
        for number in range(r.randrange(0, 5)):
            if r.random() < 0.5:
                messages.append({"role": r.choice(["user", "assistant", "system"]), "content": r.choice(["é", "go", '"q"\u2028'])})
            else:
                id = r.choice(["same", f"c{number}"])
                messages += [asked(id), *([answered(id, "out é")] if r.random() < 0.9 else [])]
        runs.append(run(task, *messages, trial=r.randrange(2)))
    return json.dumps(runs, indent=r.choice([None, 1, "\t"]), ensure_ascii=r.random() < 0.5).encode()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    text = random_runs(seed)
    unchanged("tau-bench", text)
    round_trip("tau-bench", text, seed)
