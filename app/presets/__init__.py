"""Presets, found by looking: what a real system's compaction does, as data. Each module here defines PRESET; names that begin with `_` are
shared parts (`_preset.py` says what a preset is)."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import MappingProxyType

from app.presets._preset import Preset
from app.presets._talk import Message, Part, Style, Talk
from app.presets._work import Put, Work

__all__ = ["PRESETS", "Message", "Part", "Preset", "Put", "Style", "Talk", "Work", "hidden_modules"]


def hidden_modules() -> list[str]:
    """Names of all preset modules: what a freezer cannot see by itself."""
    return sorted(f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))


def _discover() -> dict[str, Preset]:
    found: dict[str, Preset] = {}
    for module in hidden_modules():
        preset = getattr(import_module(module), "PRESET", None)
        if not isinstance(preset, Preset):
            raise TypeError(f"{module} defines no PRESET")
        if preset.name in found:
            raise ValueError(f"{module}: there is a preset {preset.name} already")
        found[preset.name] = preset
    return dict(sorted(found.items()))


PRESETS = MappingProxyType(_discover())
"""By name, in alphabetical order."""
