"""An answer of Gemini's that came in pieces: a list of chunks, each an answer of its own or a part of the text of an event stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.formats._gemini import BESIDE, signature_of
from app.formats._json import NotJson, loads


def answers_in(value: Any) -> Iterator[dict[str, Any]]:
    """The answers that the chunks hold, in order. Text is put together before it is cut into events: a chunk may end inside one."""
    text: list[str] = []
    for chunk in value if isinstance(value, list) else [value]:
        if isinstance(chunk, str):
            text.append(chunk)
        elif isinstance(chunk, dict):
            answer = unwrapped(chunk)
            if answer is not None:
                yield answer
                continue
            text += [held for held in chunk.values() if isinstance(held, str) and "data:" in held][:1]
    for line in "".join(text).splitlines():
        if not line.startswith("data:"):
            continue
        try:
            event = loads(line[5:].strip().encode("utf-8", "surrogatepass"))
        except NotJson:
            continue
        answer = unwrapped(event)
        if answer is not None:
            yield answer


def unwrapped(value: Any) -> dict[str, Any] | None:
    """An answer, taken out of the object that some services put around it."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("candidates"), list) or "usageMetadata" in value:
        return value
    return unwrapped(value["response"]) if isinstance(value.get("response"), dict) else None


def stream_parts(value: Any) -> list[Any]:
    """The parts of the answer: texts of one kind that follow each other are one."""
    parts: list[Any] = []
    texts: list[str] = []  # of the last part: joined once, for a text written anew with each piece costs the square of them
    for answer in answers_in(value):
        candidates = answer.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        content = first.get("content") if isinstance(first, dict) else None
        held = content.get("parts") if isinstance(content, dict) else None
        for part in held if isinstance(held, list) else ():
            if parts and _goes_on(parts[-1], part):
                parts[-1] = {**parts[-1], **part}
                texts.append(part["text"])
                continue
            _settle(parts, texts)
            parts.append(part)
            texts = [part["text"]] if _is_text(part) else []
    _settle(parts, texts)
    return parts


def _settle(parts: list[Any], texts: list[str]) -> None:
    """The last part with all of its text."""
    if len(texts) > 1:
        parts[-1] = {**parts[-1], "text": "".join(texts)}


def _goes_on(before: Any, part: Any) -> bool:
    """Whether a part is more of the text before it."""
    if not (_is_text(before) and _is_text(part)) or signature_of(before) is not None:
        return False
    return (before.get("thought") is True) == (part.get("thought") is True)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str) and part.keys() <= BESIDE
