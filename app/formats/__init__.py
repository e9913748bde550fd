"""Formats, found by looking: each module here defines FORMAT; names that begin with `_` are shared parts."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import MappingProxyType

from app.formats._format import Format


def hidden_modules() -> list[str]:
    """Names of all format modules: what a freezer cannot see by itself."""
    return sorted(f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))


def _discover() -> dict[str, Format]:
    found: dict[str, Format] = {}
    for module in hidden_modules():
        format = getattr(import_module(module), "FORMAT", None)
        if not isinstance(format, Format):
            raise TypeError(f"{module} defines no FORMAT")
        if format.name in found:
            raise ValueError(f"{module}: there is a format {format.name} already")
        found[format.name] = format
    return dict(sorted(found.items()))


FORMATS = MappingProxyType(_discover())
