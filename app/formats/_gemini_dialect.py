"""What speaks for Gemini's way of writing a conversation: contents made of parts without a type, or candidates."""

from __future__ import annotations

from typing import Any, Final

from app.formats._gemini import BESIDE, DATA, SNAKE
from app.formats._gemini_frame import CHUNKS, WRAPPERS
from app.formats._gemini_stream import answers_in
from app.formats._peek import Peek

_OWN: Final = frozenset(DATA) | {SNAKE[key] for key in DATA} | BESIDE
_DEPTH: Final = 4


def evidence(seen: Peek) -> list[str]:
    """What speaks for it, in words; nothing where it is something else."""
    if seen.lines:
        return []
    if isinstance(seen.value, dict):
        return _of_object(seen.value, "", 0)
    if isinstance(seen.value, list):
        return _of_contents(seen.value, True)
    return []


def _of_object(value: dict[str, Any], path: str, depth: int) -> list[str]:
    """Of an object, and of those in it that services put around a request or an answer."""
    if isinstance(value.get("messages"), list) or "projectHash" in value or "history" in value:
        return []
    found: list[str] = []
    contents = value.get("contents")
    if isinstance(contents, dict):
        contents = [contents]
    if isinstance(contents, list) and (not contents or _of_contents(contents, False)):
        found.append(f"{path}contents")
        found += _of_contents(contents, False)[:1]
    candidates = value.get("candidates")
    if isinstance(candidates, list) and (not candidates or _is_candidate(candidates[0])):
        found.append(f"{path}candidates")
    for key in CHUNKS:
        if isinstance(value.get(key), list | str) and next(answers_in(value[key]), None) is not None:
            found.append(f"{path}{key} of an event stream")
    for key in WRAPPERS if depth < _DEPTH else ():
        inner = value.get(key)
        if isinstance(inner, dict):
            found += _of_object(inner, f"{path}{key}.", depth + 1)
    return found


def _is_candidate(value: Any) -> bool:
    return isinstance(value, dict) and bool({"content", "finishReason", "finish_reason"} & value.keys())


def _of_contents(contents: list[Any], alone: bool) -> list[str]:
    """Of a list of contents. `alone`: nothing but the list speaks for it, so that most of them must be made of parts."""
    objects = [content for content in contents if isinstance(content, dict)]
    with_parts = [content for content in objects if isinstance(content.get("parts"), list | dict)]
    if not with_parts or (alone and (2 * len(with_parts) < len(objects) or any("content" in content for content in objects))):
        return []
    parts = [part for content in with_parts for part in _parts(content) if isinstance(part, dict)]
    if any(isinstance(part.get(key), str) for part in parts for key in ("type", "part_kind")):
        return []  # typed parts: Vercel's UI messages, OpenTelemetry, Pydantic AI
    known = [part for part in parts if part and part.keys() <= _OWN]
    if alone and parts and not known:
        return []
    words = {"contents made of parts without a type": None}
    words |= {f"parts with {key}": None for part in parts for key in part if key in _OWN and key not in ("text", "thought")}
    return list(words)


def _parts(content: dict[str, Any]) -> list[Any]:
    parts = content["parts"]
    return parts if isinstance(parts, list) else [parts]
