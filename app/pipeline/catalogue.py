"""All that can be named where a strategy is named: the strategies, and the presets, each as a strategy that is done whole."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from app.model.errors import InspectorError
from app.pipeline.imitate import imitated
from app.presets import PRESETS
from app.strategies import STRATEGIES, Strategy


@cache
def catalogue() -> Mapping[str, Strategy]:
    """By name: the strategies in the order of lists, then the presets."""
    twice = STRATEGIES.keys() & PRESETS.keys()
    if twice:
        raise ValueError(f"strategy and preset of one name: {', '.join(sorted(twice))}")
    return MappingProxyType({**STRATEGIES, **{name: imitated(preset) for name, preset in PRESETS.items()}})


def strategy_named(name: str) -> Strategy:
    """Raises InspectorError where there is none of that name."""
    found = catalogue().get(name)
    if found is None:
        near = get_close_matches(name, catalogue(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InspectorError(f"no strategy is called {name!r}; there are {', '.join(catalogue())}{hint}")
    return found
