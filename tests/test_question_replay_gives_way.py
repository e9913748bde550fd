"""A long replay gives way to other questions, and ends when nobody waits for it any more."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import pytest

from app import jobs
from app.asked import Asked
from app.model.replay import Replay, Run, Setup
from app.pipeline.names import FAMILIES
from app.presets import PRESETS
from tests.bench.bench_replay import session_of, with_tools, without

SPECS = (*FAMILIES, *sorted(PRESETS))
SETUP = Setup.of(200_000, 16_000)
STEP = 0.25  # s of CPU that a step may take on a machine that others work on; on an idle one it is less than half


class Waiting:
    """Stands for the helper process: what was said, and whether anybody still waits."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.on = True
        self.asked = Asked(self.said.append, lambda job: self.on)
        self.progress = self.asked.progress

    def parts(self) -> list[Any]:
        return [one.answer for one in self.said if isinstance(one, jobs.Answered)]


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    monkeypatch.setattr("app.questions.replay.session_of", lambda desk: session_of(with_tools(300, 6)))
    return Waiting()


def test_a_cancel_ends_a_replay_at_its_next_step(waiting: Waiting, request: pytest.FixtureRequest) -> None:
    gc.enable()
    request.addfinalizer(gc.disable)
    waiting.asked.begin(waiting, jobs.Ask(1, 1, "replay", (Setup.of(60_000, 4_000), SPECS), 1))  # type: ignore[arg-type]
    while not any(isinstance(part, Run) for part in waiting.parts()):
        waiting.asked.step()
    assert isinstance(waiting.parts()[0], Replay)
    assert waiting.asked.going
    waiting.asked.step()
    count = len(waiting.said)
    waiting.on = False
    waiting.asked.step()
    assert not waiting.asked.going
    assert len(waiting.said) == count
    assert gc.isenabled()


@pytest.mark.parametrize("body", [lambda: with_tools(2_000, 40), lambda: without(10_000)], ids=["2,000 requests", "10,000 exchanges"])
def test_no_step_of_a_long_replay_is_long(body: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    from app.questions import replay

    session = session_of(body())
    monkeypatch.setattr(replay, "session_of", lambda desk: session)
    steps: list[float] = []
    specs = ("summarize-prefix", "agents-trimmer", "anthropic-clear-tool-uses", "agent-framework-truncation", "openai-compact")
    run = replay.answer(Waiting(), SETUP, specs)  # type: ignore[arg-type]
    while True:
        start = time.process_time()
        over = next(run, self_ended := object()) is self_ended
        steps.append(time.process_time() - start)
        if over:
            break
    assert len(steps) > 40
    assert max(steps) < STEP
