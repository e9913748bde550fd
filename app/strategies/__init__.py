"""Strategies, found by looking: each module here defines STRATEGY; names that begin with `_` are shared parts."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import MappingProxyType

from app.strategies._strategy import Ask, Param, Strategy, counted

__all__ = ["STRATEGIES", "Ask", "Param", "Strategy", "counted", "hidden_modules"]


def hidden_modules() -> list[str]:
    """Names of all strategy modules: what a freezer cannot see by itself."""
    return sorted(f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))


def _discover() -> dict[str, Strategy]:
    found: dict[str, Strategy] = {}
    for module in hidden_modules():
        strategy = getattr(import_module(module), "STRATEGY", None)
        if not isinstance(strategy, Strategy):
            raise TypeError(f"{module} defines no STRATEGY")
        if strategy.name in found:
            raise ValueError(f"{module}: there is a strategy {strategy.name} already")
        found[strategy.name] = strategy
    return dict(sorted(found.items(), key=lambda item: (item[1].place, item[0])))


STRATEGIES = MappingProxyType(_discover())
"""By name, in the order in which lists show them."""
