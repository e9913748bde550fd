"""The words that formats and providers are made of: what may stay in a dump whose contents are taken out.

A word of a wire ("tool_use", "assistant", "end_turn") and the phrases that programs put into a person's mouth ("<system-reminder>") are
public: the readers here compare with them. So they are taken from the readers themselves, from the constants of their code, and a format
that is added brings its own. What is not among them is content.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

_WORD: Final = re.compile(r"[A-Za-z_$@][A-Za-z0-9_$@./:+-]{0,63}")
_PACKAGES: Final = ("app.formats.", "app.providers.", "app.readers.", "app.rules.")
_ROLES: Final = ("user", "assistant", "system", "developer", "tool", "function", "model", "human", "gpt", "observation")
_DEPTH: Final = 4  # how deep containers of constants are looked into


@lru_cache(maxsize=1)
def words() -> frozenset[str]:
    """Single words: types, roles, reasons to stop, names of members."""
    return frozenset(text for text in _constants() if _WORD.fullmatch(text)) | frozenset(_ROLES)


@lru_cache(maxsize=1)
def phrases() -> tuple[str, ...]:
    """Beginnings of texts that programs write, the longest first."""
    found = {text for text in _constants() if 8 <= len(text) <= 200 and "\n" not in text and " " in text and not _WORD.fullmatch(text)}
    found |= {text for text in _constants() if 3 <= len(text) <= 60 and text[0] in "<[" and text.isprintable()}
    return tuple(sorted(found, key=len, reverse=True))


@lru_cache(maxsize=1)
def _constants() -> frozenset[str]:
    import app.formats
    import app.providers
    import app.readers
    import app.rules

    assert app.formats
    assert app.providers
    assert app.readers
    assert app.rules
    found: set[str] = set()
    for name, module in sorted(sys.modules.items()):
        if name.startswith(_PACKAGES):
            found.update(_of_module(module))
    return frozenset(found)


def _of_module(module: ModuleType) -> Iterator[str]:
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            yield from _of_value(value, module.__name__, _DEPTH)


def _of_value(value: Any, module: str, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, re.Pattern):
        yield from _of_pattern(value.pattern)
    elif depth and isinstance(value, dict):
        yield from _of_all((*value.keys(), *value.values()), module, depth)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        yield from _of_all(value, module, depth)
    elif isinstance(value, FunctionType) and value.__module__ == module:
        yield from _of_code(value.__code__)
    elif isinstance(value, type) and value.__module__ == module and depth:
        yield from _of_all(list(vars(value).values()), module, depth)
    elif isinstance(value, staticmethod | classmethod):
        yield from _of_value(value.__func__, module, depth)
    elif isinstance(value, property) and value.fget is not None:
        yield from _of_value(value.fget, module, depth)


def _of_all(values: Iterable[Any], module: str, depth: int) -> Iterator[str]:
    for value in values:
        yield from _of_value(value, module, depth - 1)


def _of_pattern(pattern: Any) -> Iterator[str]:
    """The plain words of a regular expression: names of tags are written in them."""
    if isinstance(pattern, str):
        yield from re.findall(r"[A-Za-z][A-Za-z0-9_-]{3,40}", pattern)


def _of_code(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from (text for text in constant if isinstance(text, str))
        elif isinstance(constant, CodeType):
            yield from _of_code(constant)
