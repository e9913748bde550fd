"""Every broken case that lies in the project: each repair is looked at, painted, applied and painted again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from pytestqt.qtbot import QtBot

from app.model.edits import Layer
from app.model.state import Changed, State
from app.pipeline import count, ghosts, look
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.names import provider_named
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from tests.widgets.test_exchange_whole_path import opened, sentences, shown
from widgets.exchange_view import ExchangeView

CASES = sorted((Path(__file__).resolve().parent.parent / "cases").glob("*/*.json"))


def painted(view: ExchangeView, states: list[tuple[State, Changed]]) -> None:
    """Shows states one after the other and paints each at every level."""
    for state, changed in states:
        view.refresh(state, changed)
        for level in (1, 2, 3):
            view.set_level(level)
            view.viewport().grab()
            for row in range(view.rows.rowCount()):
                assert view._painter.look(view.rows.entity(row)) is not None
            assert all(sentences(view))


def after(state: State, layer: Layer) -> State:
    """The state once a layer has been applied."""
    assert state.dump is not None
    assert state.view is not None
    assert state.tokens is not None
    provider = provider_named(state.provider)
    transcript = state.view.transcript
    for step in layer.passes:
        transcript = apply(transcript, step, provider).transcript
    own = count.after_edits(state.dump, state.tokens, transcript, provider)
    view = make_view(transcript, own, provider, frozenset(), state.dump.source)
    return state.with_(transcript=transcript, view=view, tokens=own, preview=None,
                       report=check(view, provider, None, "complete", state.dump.source))  # fmt: skip


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem[:3]}")
def test_every_repair_of_a_case_is_painted(qtbot: QtBot, tmp_path: Path, path: Path) -> None:
    case: dict[str, Any] = orjson.loads(path.read_bytes())
    file = tmp_path / path.name
    file.write_bytes(orjson.dumps(case["request"]))
    state, reads = opened(file, case["provider"])
    view = shown(qtbot, state, reads)
    assert state.view is not None
    assert state.dump is not None
    assert state.tokens is not None
    assert state.report is not None
    provider = provider_named(state.provider)
    layers = [repair(state.view.transcript, state.dump.source, provider, None, "complete", level)[0] for level in ("safe", "all")]
    layers += [Layer(fix.title, ((fix,),)) for finding in state.report.findings for fix in finding.fixes]
    for layer in layers:
        if not layer.changes:
            continue
        done = after(state, layer)
        assert done.view is not None
        assert done.tokens is not None
        assert done.report is not None
        preview = ghosts.preview(state.view, done.view.transcript, layer, done.report, done.tokens.own)
        reads.block = lambda row, at=state: look.block(at.dump, at.transcript, row)  # type: ignore[misc]
        painted(view, [(state, Changed.ALL), (state.with_(preview=preview), Changed.PREVIEW)])
        reads.block = lambda row, at=done: look.block(at.dump, at.transcript, row)  # type: ignore[misc]
        painted(view, [(done, Changed.TRANSCRIPT | Changed.FINDINGS | Changed.TOKENS | Changed.PREVIEW)])
