"""One strategy of a replay, each compaction really checked, and the same at other targets: `ask("replay-one", setup, spec)`.

Parts: the checked `Run`, with its columns along rows; then one `Sweep` after the other. The answer is the pair of the run and all sweeps.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from app.model.replay import Replay, Run, Setup, Sweep
from app.questions.replay import session_of

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk, setup: Setup, spec: str) -> Generator[Run | Sweep | None, None, tuple[Run, tuple[Sweep, ...]]]:
    from app.pipeline.catalogue import strategy_named
    from app.pipeline.replay import at_targets, none, replay
    from app.pipeline.spec import read_spec

    session = session_of(desk)
    run = yield from replay(session, setup, spec, verify=True)
    yield run
    sweeps: list[Sweep] = []
    if any(strategy_named(name).gated for name, _ in read_spec(spec)):
        return run, ()  # it goes by its own limits: there is no target
    for other in at_targets(setup):
        one = yield from replay(session, other, spec)
        known = Replay(other, session.requests.columns, none(session, other))
        sweeps.append(Sweep(other.target, known.share(one), len(one.compactions), one.gap, one.length == len(known.columns)))
        desk.progress(len(sweeps) / 6)
        yield sweeps[-1]
    return run, tuple(sweeps)
