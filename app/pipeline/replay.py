"""Replay: a session walked request by request under a strategy, compacted whenever a request would be larger than the trigger.

Between two compactions nothing but appending happens, so that the next trigger is one bisection in running sums; a strategy is asked only
where it is due, and only of what the request carries then. What it decides is really applied, as edits over the same table.

The provider's cache is taken to hold the request before, whole: of the next one it gives what both have in common from the front, message
by message, and all behind that is written. Time between requests, the least size of a cached prefix and places of cache marks are not
looked at (strategies.md 5.2 measures the same; its shape is what tests hold this to).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from app.model.errors import InspectorError
from app.model.replay import Replay, Run, Setup
from app.pipeline.replay_session import Session
from app.pipeline.replay_talk import prepared
from app.pipeline.replay_walk import Walk
from app.pipeline.spec import Spec, read_spec

__all__ = ["Session", "at_targets", "none", "replay", "replayed", "whole"]


# -- all of it ------------------------------------------------------------------------------------------------------------------------


def none(session: Session, setup: Setup) -> Run:
    """Every request as it was, whatever the window."""
    requests = session.requests
    sent = requests.sizes + setup.beside
    read = np.zeros(len(sent), np.int64)
    for k in range(1, len(sent)):
        read[k] = requests.head_tokens + setup.beside if requests.segment(k) else sent[k - 1]
    over = np.flatnonzero(sent > setup.limit)
    first = int(over[0]) if len(over) else -1
    return Run("none", "none", sent, read, (), first, "window" if first >= 0 else "", checked=True)


def replayed(session: Session, setup: Setup, specs: Sequence[str | Spec], verify: bool = False) -> Iterator[Run | None]:
    """The strategies one by one; None in between, so that whoever asked can do something else."""
    for spec in specs:
        walk = replay(session, setup, spec, verify)
        while True:
            try:
                next(walk)
            except StopIteration as done:
                yield done.value
                break
            yield None


def whole(
    session: Session, setup: Setup, specs: Sequence[str | Spec], verify: bool = False, progress: Callable[[float], None] | None = None
) -> Replay:
    """A replay of all strategies that were asked for, at once."""
    runs = []
    for run in replayed(session, setup, specs, verify):
        runs += [run] if run is not None else []
        if progress is not None:
            progress(len(runs) / max(1, len(specs)))
    return Replay(setup, session.requests.columns, none(session, setup), tuple(runs), session.requests.walls, session.unsent)


def replay(session: Session, setup: Setup, spec: str | Spec, verify: bool = False) -> Generator[None, None, Run]:
    """One strategy. A generator: it pauses behind each compaction and gives the run at its end."""
    links = read_spec(spec)
    with _resting():
        if setup.kept and len(links) == 1:
            yield from prepared(session, links[0][0])
        walk = Walk(session, setup, links, verify)
        try:
            yield from walk.kept() if setup.kept else walk.anew()
        except InspectorError as error:
            walk.failed = str(error)
        run = walk.run()
        del walk  # what it made goes before the collector looks at it
        return run


@contextmanager
def _resting() -> Iterator[None]:
    """The collector of garbage rests: a walk makes things by the thousand, which stay or die at once. Those that stay are old from then on:
    to look through the young ones took a tenth of a replay (frozen and unfrozen at once, they all stand in the oldest generation)."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


# -- other targets ----------------------------------------------------------------------------------------------------------------------


def at_targets(setup: Setup, shares: Sequence[float] = (0.95, 0.8, 0.65, 0.5, 0.35, 0.2)) -> list[Setup]:
    """The same with other targets, as shares of the trigger: what less and more overshoot cost."""
    return [replace(setup, target=int(setup.trigger * share)) for share in shares]
