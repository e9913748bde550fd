"""Captured HTTP: which requests went to a model, what was asked, what came back, and what was refused.

A request is told by its path, or by a body that holds messages beside a model. Bodies may be JSON, JSON in a string, or the text or bytes
of an event stream. Headers are never shown: they hold keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from app.formats._calls import Call
from app.formats._json import compact
from app.formats._nodes import Node
from app.formats._payload import Found, came, error_text, sent, streamed

_PATHS: Final = (
    ("anthropic", re.compile(r"/v1/messages/?$|/messages$|:rawPredict$|:streamRawPredict$")),
    ("chat", re.compile(r"/chat/completions/?$|/api/chat/?$|/v1/completions/?$|/chat-messages$")),
    ("responses", re.compile(r"/responses/?$")),
    ("gemini", re.compile(r":(?:stream)?generateContent$|:generateMessage$")),
    ("bedrock", re.compile(r"/model/[^/]+/converse(?:-stream)?$")),
    ("anthropic", re.compile(r"/model/[^/]*(?:anthropic|claude)[^/]*/invoke(?:-with-response-stream)?$")),
    ("chat", re.compile(r"/model/[^/]+/invoke(?:-with-response-stream)?$")),
)  # fmt: skip
_MODEL: Final = re.compile(r"/models?/([^/:]+(?::\d+)?)[:/]|/deployments/([^/]+)/")
_COUNTING: Final = re.compile(r"count_tokens|:countTokens|/embeddings|/input_tokens|/moderations|/batches")
_KEYS: Final = frozenset({"authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "set-cookie", "proxy-authorization",
                          "x-amz-security-token", "openai-organization"})  # fmt: skip


@dataclass
class Exchange:
    """A captured request with its answer. `body`, `response`: None where they were not recorded."""

    url: str
    method: str
    body: Node | None
    response: Node | None
    status: int | None
    time: Any
    record: int
    number: int


def wire_of_url(url: str, body: Any) -> str | None:
    """The wire of a request to a model's API; None of any other request."""
    path = unquote(url.split("?", 1)[0].split("#", 1)[0])
    if _COUNTING.search(path):
        return None
    for wire, pattern in _PATHS:
        if pattern.search(path):
            return wire
    if isinstance(body, dict) and "model" in body:
        if isinstance(body.get("messages"), list):
            return "anthropic" if "anthropic" in url else "chat"
        if isinstance(body.get("input"), list) and {"instructions", "tools", "stream"} & body.keys():
            return "responses"
    if isinstance(body, dict) and isinstance(body.get("contents"), list):
        return "gemini"
    return None


def call_of(exchange: Exchange) -> Call | None:
    """The LLM call that an exchange is; None where it is none."""
    if exchange.method.upper() not in ("POST", ""):
        return None
    body = exchange.body.decoded() if exchange.body is not None else None
    wire = wire_of_url(exchange.url, body.value if body is not None else None)
    if wire is None:
        return None
    asked = sent(body, wire) if body is not None and isinstance(body.value, dict) else Found()
    refused = exchange.status is not None and exchange.status >= 400
    told = Found() if refused or exchange.response is None else answered(exchange.response, wire)
    if not asked.messages and not told.messages and not refused:
        return None
    found = _MODEL.search(unquote(exchange.url))
    call = Call(f"request-{exchange.number + 1}", _title(exchange.url), exchange.time, asked, told, record=exchange.record)
    call.model = asked.model or told.model or (found[1] or found[2] if found else None)
    if refused:
        words = refusal_text(exchange.response.value) if exchange.response is not None else ""
        call.refusal = (exchange.status, words or f"HTTP status {exchange.status}")
    elif told.error is not None:
        call.refusal = (exchange.status, told.error)
    return call


def answered(node: Node, wire: str | None) -> Found:
    """What a captured body says: a document, or an event stream in whichever way it was kept."""
    inner = node.decoded()
    if isinstance(inner.value, dict):
        return came(inner, wire)
    found = Found()
    if isinstance(inner.value, str | list) and inner.value:
        for answer in streamed(inner):
            part = came(answer, wire)
            found.say(part.messages)
            found.usage, found.model = part.usage or found.usage, part.model or found.model
            found.error, found.id = part.error or found.error, part.id or found.id
    return found


def refusal_text(body: Any) -> str:
    """The words of a refusal: the body as it came, where it is a text or holds one."""
    if isinstance(body, str):
        return body
    text = error_text(body.get("error", body)) if isinstance(body, dict) else None
    if text is not None:
        return text
    return compact(body) if body else ""


def has_keys(headers: Any) -> bool:
    """Whether headers hold what should be no one's to read: a list of `{name, value}`, a flat list, or an object."""
    if isinstance(headers, dict):
        names = list(headers)
    elif isinstance(headers, list):
        names = [item.get("name") if isinstance(item, dict) else item for item in headers]
    else:
        names = []
    return any(isinstance(name, str) and name.lower() in _KEYS for name in names)


def _title(url: str) -> str:
    """Host and path of a URL, without what stands behind the question mark: that may be a key."""
    bare = url.split("?", 1)[0].split("://", 1)[-1]
    return bare if len(bare) <= 80 else bare[:77] + "..."
