"""What a filter comes to on the chart: counts by bin, the span in columns, and the span chosen by hand."""

from __future__ import annotations

import numpy as np
import pytest

from app.model.filter import Range
from app.model.state import Changed, State
from tests.widgets.filters import filtered
from tests.widgets.states import broken_state
from widgets.chart_hits import Hits, Span, described, span_of
from widgets.chart_model import ChartModel


def model_of(state: State, width: int) -> ChartModel:
    model = ChartModel()
    model.resize(width)
    model.refresh(state, Changed.ALL)
    return model


@pytest.mark.parametrize("width", [900, 20])
def test_every_match_is_counted_once(width: int) -> None:
    state = filtered(broken_state(), "kind == call || finding")
    model, hits = model_of(state, width), Hits()
    found = hits.by_bin(model)
    assert found is not None
    assert state.filter is not None
    assert int(found.sum()) == state.filter.matches
    assert model.bins is not None
    assert len(found) == len(model.bins)
    assert hits.by_bin(model) is found  # kept while nothing is new
    model.refresh(state.with_(filter=None), Changed.FILTER)
    assert hits.by_bin(model) is None


def test_a_request_tells_its_own() -> None:
    state = filtered(broken_state(), "span == r7")
    model = model_of(state, 900)
    assert state.filter is not None
    found = Hits().by_bin(model)
    assert found is not None
    assert np.flatnonzero(found).tolist() == [6]
    assert described(model, 6) == ["1 block matches the filter"]
    assert described(model, 7) == ["0 blocks match the filter"]
    assert span_of(state.filter) == Range(7, 7)
    assert span_of(filtered(state, "kind == call").filter) is None


def test_a_span_is_said_by_numbers_of_requests() -> None:
    model = model_of(broken_state(), 900)
    at = model.bins
    assert at is not None
    span, said = Span(model), []
    span.chosen.connect(lambda low, high: said.append((low, high)))
    span.drag(at.x(4.5), at.x(2.2), False)
    assert span.going == (2, 4)
    assert said == []
    span.drag(at.x(4.5), at.x(2.2), True)
    assert said == [(3, 5)]
    assert span.going is None
    span.drag(at.x(4.5), at.x(at.columns), True)
    assert said[-1] == (5, 0)  # up to now
    assert span.extend(6, 1) == 7
    assert said[-1] == (7, 8)
    assert span.extend(7, -1) == 6
    assert said[-1] == (7, 7)
    span.let_go()
    assert span.extend(2, -1) == 1
    assert said[-1] == (2, 3)
