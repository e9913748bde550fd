"""Filters put on made states, as a session would."""

from __future__ import annotations

import numpy as np

from app.model.filter import Filter, Way
from app.model.state import State
from app.pipeline.filter_columns import Scope
from app.pipeline.filter_mask import mask
from app.pipeline.filter_read import read


def filtered(state: State, text: str, way: Way | None = None) -> State:
    """The state with an expression in force; texts are not looked through."""
    assert state.view is not None
    tree = read(text)
    if tree is None:
        return state.with_(filter=None)
    found = mask(tree, Scope(state.view, state.report, state.plan if state.budget is not None else None, state.pinned))
    tokens = int(state.view.tokens[found].sum()) if state.view.tokens is not None else 0
    return state.with_(filter=Filter(text, tree, found, tokens, way, None, np.flatnonzero(found)))
