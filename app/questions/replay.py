"""The session request by request under strategies: `ask("replay", setup, (spec, ...))`.

Parts: a `Replay` without strategies, then one `Run` a strategy; the answer is the `Replay` of all. What each compaction leaves is not
checked here, and the runs bear no columns along rows: see replay_one.py.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from app.model.errors import InspectorError
from app.model.replay import Replay, Run, Setup

if TYPE_CHECKING:
    from app.desk import Desk
    from app.pipeline.replay import Session


def session_of(desk: Desk) -> Session:
    """What is open, to be replayed."""
    from app.pipeline.names import provider_named
    from app.pipeline.replay import Session
    from app.tokens import counter

    dump, view, spec = desk.dump, desk.view, desk.spec
    if dump is None or view is None or view.tokens is None:
        raise InspectorError("nothing is counted yet")
    return Session(dump, view, provider_named(spec.provider), spec.model, spec.counter, counter(spec.counter).count)


def answer(desk: Desk, setup: Setup, specs: tuple[str, ...]) -> Generator[Run | Replay | None, None, Replay]:
    from app.pipeline.replay import none, replayed

    session = session_of(desk)
    if not len(session.requests):
        raise InspectorError("nothing was sent in this transcript: a replay needs a request")
    plain = none(session, setup)
    yield Replay(setup, session.requests.columns, plain, (), session.requests.walls, session.unsent)
    runs: list[Run] = []
    for run in replayed(session, setup, specs):
        if run is not None:
            runs.append(replace(run, left=None, changed=None))
            desk.progress(len(runs) / max(1, len(specs)))
        yield runs[-1] if run is not None else None
    return Replay(setup, session.requests.columns, plain, tuple(runs), session.requests.walls, session.unsent)
