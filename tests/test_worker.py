"""The helper process as its own: jobs go in, answers come out, and its death is said once."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import helper, jobs
from app.model.dump import Dump
from app.model.kinds import Kind
from app.worker import Died, Shared, Worker, read, write
from tests.conftest import ROOT

INCIDENT = ROOT / "app" / "incident" / "invoice-agent-0412.json"


class Asked:
    """A worker whose answers wait in a queue."""

    def __init__(self) -> None:
        self.answers: queue.Queue[Any] = queue.Queue()
        self.worker = Worker(self.answers.put)

    def until(self, kind: type, seconds: float = 60) -> Any:
        while True:
            answer = self.answers.get(timeout=seconds)
            if isinstance(answer, kind):
                return answer


@pytest.fixture
def asked() -> Iterator[Asked]:
    one = Asked()
    yield one
    one.worker.stop()


def load(generation: int = 1, path: Path = INCIDENT) -> jobs.Load:
    return jobs.Load(generation, str(path), str(path))


def test_a_dump_comes_back_as_columns(asked: Asked) -> None:
    asked.worker.send(load())
    answer = asked.until(jobs.Loaded)
    assert answer.dump.format == "anthropic-messages"
    assert answer.stamp.size == INCIDENT.stat().st_size
    assert len(answer.dump.transcripts) == 1


def test_what_cannot_be_read_is_one_line(asked: Asked, tmp_path: Path) -> None:
    asked.worker.send(load(path=tmp_path / "nothing.json"))
    answer = asked.until(jobs.Failed)
    assert answer.job == "Load"
    assert "nothing.json" in answer.line
    assert "\n" not in answer.line


def test_a_helper_that_dies_says_so_and_the_next_job_starts_another(asked: Asked) -> None:
    asked.worker.send(load())
    asked.until(jobs.Loaded)
    first = asked.worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert asked.until(Died).why == "signal 9"
    asked.worker.send(load(2))
    assert asked.until(jobs.Loaded).generation == 2
    assert asked.worker.pid != first


def test_a_large_dump_lies_in_memory_that_both_hold(asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"word {n}"} for n in range(30_000)]
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "messages": messages}))
    asked.worker.send(load(path=path))
    dump = asked.until(jobs.Loaded).dump
    assert isinstance(dump, Dump)
    assert len(dump.table) == 30_000
    assert (dump.transcripts[0].order == np.arange(30_000)).all()
    if sys.platform == "linux":
        assert not dump.table.message.flags.owndata


def test_a_stopped_helper_says_nothing(asked: Asked) -> None:
    asked.worker.send(load())
    asked.until(jobs.Loaded)
    asked.worker.stop()
    assert asked.worker.pid is None
    with pytest.raises(queue.Empty):
        asked.until(Died, 0.3)


def test_a_shared_table_travels_by_name(asked: Asked) -> None:
    """An answer that names the table of the dump holds the very object, and costs no bytes for it."""
    asked.worker.send(load())
    dump = asked.until(jobs.Loaded).dump
    table = dump.table
    ours, theirs = Shared(), Shared()
    ours.hold(dump)
    theirs.hold(dump)
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as out, os.fdopen(reader, "rb") as back:
        write(out, {"table": table, "kind": table.kind, "order": dump.transcripts[0].order, "other": np.arange(3)}, ours)
        got = read(back, theirs)
    assert got["table"] is table
    assert got["kind"] is table.kind
    assert got["order"] is dump.transcripts[0].order
    assert got["other"].tolist() == [0, 1, 2]


def test_superseded_jobs_are_left_out() -> None:
    one, two = load(1), load(2)
    explain = jobs.Explain(1, 1, "x")
    commits = [jobs.Commit(2, 1, name, (), budget) for budget in (10, 20) for name in ("evict-steps", "drop-reasoning")]
    save = [jobs.Save(2, "a", {}, "anthropic", None, "complete", False), jobs.Save(2, "b", {}, "anthropic", None, "complete", False)]
    assert helper.newest([one, explain, two, *commits, *save]) == [two, *commits[2:], *save]


def test_transcripts_are_looked_at_for_the_chooser(asked: Asked, tmp_path: Path) -> None:
    """In the order that was asked for, in several answers at most, and no more once it is no longer wanted."""
    records = [
        {"type": "user", "uuid": f"{s}-{n}", "parentUuid": f"{s}-{n - 1}" if n else None, "sessionId": s, "isSidechain": False,
         "timestamp": "2026-03-01T12:00:00.000Z", "message": {"role": "user", "content": "hello"}}
        if n % 2 == 0 else
        {"type": "assistant", "uuid": f"{s}-{n}", "parentUuid": f"{s}-{n - 1}", "sessionId": s, "isSidechain": False,
         "timestamp": "2026-03-01T12:00:01.000Z",
         "message": {"role": "assistant", "id": f"m{s}{n}", "model": "claude-sonnet-4-5", "content": [
             {"type": "tool_use", "id": f"toolu_{s}{n}", "name": "read", "input": {}} if s == "b" else {"type": "text", "text": "hi"}]}}
        for s in "abc" for n in range(4)
    ]  # fmt: skip
    path = tmp_path / "three.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    asked.worker.send(load(path=path))
    dump = asked.until(jobs.Loaded).dump
    assert len(dump.transcripts) == 3
    asked.worker.send(jobs.Survey(1, "anthropic", "complete", "chars/4", (2, 0, 1)))
    got: list[Any] = []
    while not got or got[-1].left:
        got.append(asked.until(jobs.Noticed))
    seen = [one for answer in got for one in answer.found]
    assert [one.index for one in seen] == [2, 0, 1]
    calls = [bool((dump.table.kind[dump.transcripts[one.index].order] == Kind.TOOL_CALL).any()) for one in seen]
    assert sorted(calls) == [False, False, True]
    assert [(one.exchanges, one.requests, one.errors > 0) for one in seen] == [(2, 2, called) for called in calls]
    asked.worker.send(jobs.Survey(1, "anthropic", "complete", "chars/4", on=False))
    asked.worker.send(jobs.Survey(1, "anthropic", "complete", "chars/4", (0, 9)))
    assert [one.index for one in asked.until(jobs.Noticed).found] == [0]  # what the dump has not is not looked at
