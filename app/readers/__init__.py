"""Readers by the format whose dumps they read. One module a reader: it defines READER; modules that begin with `_` are shared parts."""

from __future__ import annotations

import importlib
import pkgutil

from app.model.reader import Reader


def hidden_modules() -> list[str]:
    """Names of the modules that are imported by being found, for whoever freezes the program."""
    return [f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_")]


def _discover() -> dict[str, Reader]:
    readers: dict[str, Reader] = {}
    for module in hidden_modules():
        reader = getattr(importlib.import_module(module), "READER", None)
        if not isinstance(reader, Reader):
            raise TypeError(f"{module} defines no READER")
        if reader.format in readers:
            raise TypeError(f"{module}: there is a reader of {reader.format!r} already")
        readers[reader.format] = reader
    return readers


READERS = _discover()
