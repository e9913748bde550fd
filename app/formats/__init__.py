"""Formats, found by looking: each module here defines FORMAT; names that begin with `_` are shared parts.

Seventy modules are a third of a short program's time, so each is imported when somebody asks for its format, and all of them by whoever
goes through all.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module

from app.formats._format import Format


def hidden_modules() -> list[str]:
    """Names of all format modules: what a freezer cannot see by itself."""
    return sorted(f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))


def _format_of(module: str) -> Format:
    format = getattr(import_module(module), "FORMAT", None)
    if not isinstance(format, Format):
        raise TypeError(f"{module} defines no FORMAT")
    return format


class Formats(Mapping[str, Format]):
    """Formats by name, in the order of their names."""

    def __init__(self) -> None:
        self._some: dict[str, Format] = {}
        self._all: dict[str, Format] = {}

    def __getitem__(self, name: str) -> Format:
        found = self._some.get(name)
        return self._one(name) if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._each())

    def __len__(self) -> int:
        return len(self._each())

    def _one(self, name: str) -> Format:
        """A format of the module that is called like it; else all are looked through."""
        module = f"{__name__}.{name.replace('-', '_')}"
        if not self._all and module in hidden_modules():
            found = _format_of(module)
            if found.name == name:
                self._some[name] = found
                return found
        return self._each()[name]

    def _each(self) -> dict[str, Format]:
        if not self._all:
            found: dict[str, Format] = {}
            for module in hidden_modules():
                format = _format_of(module)
                if format.name in found:
                    raise ValueError(f"{module}: there is a format {format.name} already")
                found[format.name] = format
            self._all = self._some = dict(sorted(found.items()))
        return self._all


FORMATS = Formats()
