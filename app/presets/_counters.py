"""What the imitated systems count, in their own measure. A message's figure is rounded up, then figures are added; no system of these
counts ids. Source of each: the package named in the module of the preset that uses it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import orjson

from app.model.kinds import Kind
from app.presets._talk import Message, Part

_JAVASCRIPT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_SAID = frozenset({Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.OTHER})


def once(counter: Callable[[Message], int]) -> Callable[[Message], int]:
    """A counter that looks at a message once: what is in it does not change."""
    name = f"{counter.__module__}.{counter.__name__}"

    @wraps(counter)
    def count(message: Message) -> int:
        try:
            return message.sizes[name]
        except KeyError:
            found = message.sizes[name] = counter(message)
            return found

    return count


def quarter(characters: int) -> int:
    """Characters divided by 4, rounded up."""
    return -(-characters // 4)


@once
def chat(message: Message) -> int:
    """chars/4 of content and of the names and arguments of calls; reasoning is not counted."""
    return quarter(sum(map(counted, message.parts)))


def counted(part: Part) -> int:
    """Characters of a part that Chat Completions' systems count."""
    return part.size if part.kind in _SAID else 0


def chat_and_three(message: Message) -> int:
    return chat(message) + 3


@once
def everything(message: Message) -> int:
    """chars/4 of all blocks of a message joined, reasoning too."""
    return quarter(sum(part.size for part in message.parts))


def parts(parts: list[Part]) -> int:
    return quarter(sum(part.size for part in parts))


def one(_: Message) -> int:
    """Messages are counted."""
    return 1


def utf16(text: str) -> int:
    """Length in UTF-16 units, as JavaScript has it."""
    return len(text) + sum(1 for letter in text if ord(letter) > 0xFFFF) if not text.isascii() else len(text)


@once
def units(message: Message) -> int:
    """UTF-16 units/4 of texts, reasoning, names and arguments; an image in a result is 4,800 units (pi: compaction.js `estimateTokens`)."""
    total = 0
    for part in message.parts:
        if part.kind in (Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT):
            total += sum(map(utf16, part.texts)) + (utf16(part.name) if part.kind == Kind.TOOL_CALL else 0)
        if part.is_result:
            total += 4800 * len(part.block.media)
    return quarter(total)


@once
def json_units(message: Message) -> int:
    """Length of a content as compact JSON in UTF-16 units, as JavaScript's JSON.stringify gives it."""
    value = message.raw() if message.raw is not None else None
    if not isinstance(value, dict) or "parts" not in value:
        value = {"role": message.role.name.lower(), "parts": [part.block.value for part in message.parts]}
    return utf16(compact(value))


def compact(value: Any) -> str:
    """Compact JSON as JavaScript writes it: letters unescaped, whole numbers without a fraction."""
    plain = _plain(value)
    try:
        return orjson.dumps(plain).decode()
    except (TypeError, ValueError, RecursionError):  # lone surrogates, numbers over 64 bits, great depth
        return _JAVASCRIPT.encode(plain)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value.is_integer() and abs(value) < 1e21 else value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def response_tokens(name: str, response: Any) -> int:
    """Gemini CLI's estimate of a function's response: a quarter of its name and of its JSON (@google/gemini-cli-core 0.61.0,
    utils/tokenCalculation.js `estimateFunctionResponseTokens`)."""
    return (utf16(name) + utf16(compact(response))) // 4
