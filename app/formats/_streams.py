"""Recorded event streams of providers: the events, and the answers that they make together.

An answer comes back as the document that the same request would have given without streaming. Sources: anthropic-sdk-python
src/anthropic/lib/streaming/_messages.py (accumulate_event), openai-python src/openai/lib/streaming, the reference of Gemini's
streamGenerateContent and of Bedrock's ConverseStream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from app.formats._assemble import Anthropic, Bedrock, Building, Chat, Gemini, Ollama, Responses
from app.formats._frames import bytes_of, events_of, inner_event, is_frames, unzipped
from app.formats._json import NotJson, loads

STREAM: Final = "\0stream"
"""On a path: what stands here is a stream; what follows is the number of an answer that it holds, and leads into that."""

KINDS: Final[dict[str, type[Building]]] = {
    "anthropic": Anthropic, "chat": Chat, "responses": Responses, "gemini": Gemini, "bedrock": Bedrock, "ollama": Ollama,
}  # fmt: skip
_BEDROCK: Final = frozenset({"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"})
_ANTHROPIC: Final = frozenset(
    {"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}
)  # fmt: skip


def answers(value: Any) -> list[dict[str, Any]]:
    """The answers in a stream: a text of events, a list of events or of texts, bytes in hex or base64; or the one document that a text
    holds. Empty where there is none."""
    if isinstance(value, str):
        whole = _document(value)
        if whole is not None:
            return [whole]
    return assembled(list(events(value)))


def events(value: Any) -> Iterator[Any]:
    """The events of a stream, however it was written down."""
    if isinstance(value, str):
        yield from _of_text(value)
    elif isinstance(value, list):
        texts = [item for item in value if isinstance(item, str)]
        if texts and len(texts) == len(value):
            yield from _of_text("".join(texts))
        else:
            for item in value:
                yield unpacked(item)
    elif isinstance(value, dict):
        yield unpacked(value)


def unpacked(item: Any) -> Any:
    """An event, taken out of what loggers put around it: `{event, data}`, `{chunk: {bytes}}`, `{response}`."""
    if not isinstance(item, dict):
        return item
    if isinstance(item.get("chunk"), dict) and len(item) == 1:
        inner = inner_event(item["chunk"])
        return item if inner is None else inner
    held = item.get("data")
    if "event" in item and held is not None and not isinstance(item.get("type"), str):
        if isinstance(held, str):
            try:
                return loads(held.encode("utf-8", "surrogatepass"))
            except NotJson:
                return item
        return held
    inner = item.get("response")
    if isinstance(inner, dict) and isinstance(inner.get("candidates"), list):
        return inner
    return item


def kind_of(event: Any) -> str | None:
    """Whose event it is."""
    if not isinstance(event, dict):
        return None
    word = event.get("type")
    if isinstance(word, str):
        if word in _ANTHROPIC:
            return "anthropic"
        if word.startswith("response."):
            return "responses"
    if event.get("object") == "chat.completion.chunk" or _has_delta(event):
        return "chat"
    if isinstance(event.get("candidates"), list) or ("usageMetadata" in event and word is None):
        return "gemini"
    if not _BEDROCK.isdisjoint(event):
        return "bedrock"
    if isinstance(event.get("message"), dict) and isinstance(event.get("done"), bool):
        return "ollama"
    return None


def _has_delta(event: dict[str, Any]) -> bool:
    choices = event.get("choices")
    return isinstance(choices, list) and bool(choices) and isinstance(choices[0], dict) and "delta" in choices[0]


def assembled(found: Sequence[Any]) -> list[dict[str, Any]]:
    """The answers that events make, in order; of an error alone, what it says."""
    done: list[dict[str, Any]] = []
    current: Building | None = None
    for event in found:
        kind = kind_of(event)
        if kind is not None and (current is None or not isinstance(current, KINDS[kind]) or current.begins(event)):
            if current is not None:
                done.append(current.done())
            current = KINDS[kind]()
        if current is not None and isinstance(event, dict):
            current.add(event)
        elif isinstance(event, dict) and "error" in event:
            done.append(event)
    if current is not None:
        done.append(current.done())
    return done


def _of_text(text: str) -> Iterator[Any]:
    head = text.lstrip("\ufeff \t\r\n")[:64]
    if head.startswith(("data:", "event:", "id:", "retry:", ":")):
        yield from _of_lines(text)
    elif head.startswith(("{", "[")):
        for line in text.splitlines():
            value = _json(line)
            if value is not None:
                yield unpacked(value)
    elif head:
        data = bytes_of(text)
        if data is None:
            return
        if is_frames(data):
            yield from events_of(data)
        else:
            inner = unzipped(data).decode("utf-8", "replace")
            if not inner.lstrip()[:1].isalnum() or inner.lstrip().startswith(("data:", "event:", "id:", "retry:")):
                whole = _json(inner)
                yield from [whole] if whole is not None else _of_text(inner)


def _of_lines(text: str) -> Iterator[Any]:
    """Server-sent events: the data of one may stand on several lines (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""
    data: list[str] = []
    for line in [*text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if line.startswith("data:"):
            part = line[5:].removeprefix(" ")
            if data and _json("\n".join(data)) is not None:  # some recorders leave out the blank line between two events
                yield unpacked(_json("\n".join(data)))
                data = []
            data.append(part)
        elif not line.strip() and data:
            value = _json("\n".join(data))
            if value is not None:
                yield unpacked(value)
            data = []


def _document(text: str) -> dict[str, Any] | None:
    """The one object that a text holds, where it is no event of a stream."""
    head = text.lstrip("\ufeff \t\r\n")
    value = _json(head) if head.startswith("{") else None
    if value is None and head and not head.startswith(("data:", "event:", "id:", "retry:", ":", "[", "{")):
        data = bytes_of(text)
        value = _json(data.decode("utf-8", "replace")) if data is not None and data.lstrip()[:1] == b"{" else None
    return value if isinstance(value, dict) and kind_of(value) in (None, "gemini") else None


def _json(text: str) -> Any:
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return None
