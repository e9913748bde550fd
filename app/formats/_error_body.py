"""The body of a provider's refusal: what it says, whose it is, and where it stands in the record of a call.

Anthropic: `{type: "error", error: {type, message}}` (https://docs.claude.com/en/api/errors). OpenAI and hosts like it: `{error: {message,
type, param, code}}` (https://platform.openai.com/docs/guides/error-codes). Google: `{error: {code, message, status}}`, in a list where the
answer was to be streamed (https://google.aip.dev/193). Mistral: `{object: "error", message}`, the message a text or `{detail: [...]}`.
AWS: `{message}`, with `__type` or alone. FastAPI and what is built on it: `{detail: [{loc, msg, type}]}`
(https://fastapi.tiangolo.com/tutorial/handling-errors/). OpenRouter keeps the body of the host that refused in `error.metadata.raw`
(https://openrouter.ai/docs/api-reference/errors).
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from app.formats._json import NotJson, compact, loads

_OF_ERROR: Final = frozenset({"type", "code", "param", "status", "details", "metadata"})
_STATUS: Final = ("status", "status_code", "statusCode", "http_status", "httpStatus", "response_status", "responseStatus",
                  "raw_status_code", "http_status_code", "response_code", "code")  # fmt: skip
_HOLDERS: Final = (
    "error", "err", "exception", "response", "res", "resp", "reply", "output", "result", "response_body", "responseBody", "body", "data",
    "payload", "outcome", "http", "http_response", "raw_response", "api_response", "response_text", "response_json", "error_body",
    "errorBody", "error_response", "string", "cause",
)  # fmt: skip
"""Members of a record in which the body of an error may stand; never the request."""
_WORDS: Final = ("text", "content", "raw", "value", "message", "detail")
"""Members that hold such a body only where a status says so: what a model said may look like one."""
_SAID: Final = ("output", "result", "reply")  # as texts they are the model's
_NAMED: Final = re.compile(r"Error code: ([45]\d\d)\b")  # as the SDKs of OpenAI and Anthropic print it
_TELLING: Final = ("error", "message", "detail")
_DEPTH: Final = 6
_MOST: Final = 1 << 20  # characters of a string that is looked into


class Told(NamedTuple):
    """`status`: None where it is not told; `provider`: "" where it is not told."""

    status: int | None
    words: str
    provider: str = ""


def body_of(value: Any, depth: int = 0) -> Told | None:
    """What the body of an error says; None of what is none, by its own shape."""
    value = _object(value)
    if not isinstance(value, dict) or depth > _DEPTH:
        return None
    error, message = value.get("error"), value.get("message")
    if isinstance(error, dict) and isinstance(error.get("message"), str) and (value.get("type") == "error" or _OF_ERROR & error.keys()):
        whose = "anthropic" if value.get("type") == "error" else "gemini" if isinstance(error.get("status"), str) else ""
        return _inner(error, Told(status_of(error, value), error["message"], whose), depth)
    if "role" in value:  # a message
        return None
    if value.get("object") == "error" or "__type" in value or value.keys() == {"message"}:
        words = message if isinstance(message, str) else _details(message.get("detail")) if isinstance(message, dict) else None
        return Told(status_of(value), words, "mistral" if value.get("object") == "error" else "bedrock") if words else None
    details = _details(value.get("detail"))
    return Told(status_of(value), details) if details else None


def refused(record: dict[str, Any], body: bool = False) -> tuple[int | None, str] | None:
    """Status and words of the refusal that the record of a call holds, wherever in it; None where it holds none. `body`: only the body
    of an error, or a status, says so."""
    status = _told_status(record, 0)
    found = _body_in(record, status is not None, 0) or (None if body else _error_in(record))
    if found is not None:
        return status or found.status, found.words
    return None if status is None else (status, _words_in(record) or f"HTTP status {status}")


def status_of(*held: dict[str, Any]) -> int | None:
    """An HTTP status of a refusal, as a number or in a text."""
    for value in held:
        for key in _STATUS:
            told = value.get(key)
            told = int(told) if isinstance(told, str) and len(told) == 3 and told.isdecimal() else told
            if isinstance(told, int) and not isinstance(told, bool) and 400 <= told < 600:
                return told
    return None


def _told_status(value: Any, depth: int) -> int | None:
    """The status that a record tells, the outermost."""
    if not isinstance(value, dict) or depth > _DEPTH or (depth and _is_answer(value)):
        return None
    told = status_of(value)
    inner = (_told_status(value[key], depth + 1) for key in _HOLDERS if isinstance(value.get(key), dict))
    return told if told is not None else next((one for one in inner if one is not None), None)


def _body_in(record: dict[str, Any], failed: bool, depth: int) -> Told | None:
    """The first body of an error in a record. `failed`: a status says that there is one."""
    for key in (*_HOLDERS, *_WORDS) if failed else _HOLDERS:
        held = record.get(key)
        held = _object(held) if held and (failed or key not in _SAID or not isinstance(held, str)) else None
        if not isinstance(held, dict) or _is_answer(held):
            continue
        found = body_of({"error": held}) if key == "error" else None
        found = body_of(held) or found
        if found is None and depth < _DEPTH:
            found = _body_in(held, failed, depth + 1)
        if found is not None:
            return found
    return None


def _error_in(record: dict[str, Any]) -> Told | None:
    """What a record calls an error, in words of its own: a text, or an object with a message."""
    for key in ("error", "err", "exception"):
        held = record.get(key)
        status = status_of(held) if isinstance(held, dict) else None
        held = held.get("message") if isinstance(held, dict) else held
        if isinstance(held, str) and held.strip():
            named = _NAMED.match(held)
            return Told(status or (int(named[1]) if named else None), held)
    return None


def _words_in(record: dict[str, Any], depth: int = 0) -> str:
    """What else is said of a refusal whose status is known."""
    for key in (*_HOLDERS, *_WORDS):
        held = record.get(key)
        if isinstance(held, str) and held.strip():
            return held
        words = _words_in(held, depth + 1) if isinstance(held, dict) and depth < _DEPTH and not _is_answer(held) else ""
        if words:
            return words
    return ""


def _is_answer(value: dict[str, Any]) -> bool:
    """Whether an object is what a model answered, or what was sent to it."""
    if value.get("error"):
        return False
    return "role" in value or any(isinstance(value.get(key), list) for key in ("choices", "candidates", "messages", "contents"))


def _object(value: Any) -> Any:
    """An object, one alone in a list, or the JSON of one in a string."""
    if isinstance(value, str) and len(value) <= _MOST and value.lstrip()[:1] in ("{", "[") and any(word in value for word in _TELLING):
        try:
            value = loads(value.encode("utf-8", "surrogatepass"))
        except NotJson:
            return value
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _inner(error: dict[str, Any], told: Told, depth: int) -> Told:
    """The words of the host behind the one that answered, where they are told too."""
    metadata = error.get("metadata")
    for held in (metadata.get("raw") if isinstance(metadata, dict) else None, error["message"]):
        inner = body_of(held, depth + 1) if held else None
        if inner is not None:
            return Told(inner.status or told.status, inner.words, inner.provider or told.provider)
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return told._replace(words=raw) if isinstance(raw, str) and raw.strip() else told


def _details(held: Any) -> str | None:
    """The words of `[{loc, msg, type}]`, each with its place."""
    if not isinstance(held, list) or not held:
        return None
    if not all(isinstance(one, dict) and isinstance(one.get("msg"), str) for one in held):
        return None
    return "; ".join(f"{_place(one.get('loc'))}{one['msg']}" for one in held)


def _place(loc: Any) -> str:
    parts = [part if isinstance(part, str) else compact(part) for part in loc] if isinstance(loc, list) else []
    return f"{'.'.join(parts)}: " if parts else ""
