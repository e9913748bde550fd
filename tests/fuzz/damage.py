"""Random damage to a dump: cut, bytes flipped, lines joined or doubled, values of other types. The same seed does the same."""

from __future__ import annotations

import json
import random
from typing import Any

import orjson

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 1.5, 2**63, "", " ", "x",
    "\ud83d", "user", "assistant", "tool", "[trimmed]", [], {}, [1], [None], [[]], ["x"],
    {"type": "text"}, {"type": ["text"]}, {"a": {"b": {}}}, {"id": 1}, "2026-03-01T12:00:00Z",
)  # fmt: skip
KEYS = ("type", "role", "content", "id", "messages", "text", "input", "arguments", "parts", "uuid", "timestamp", "usage", "model")
MOST = 60  # nodes that one looks at for a place to change


def damage(data: bytes, r: random.Random) -> tuple[bytes, str]:
    """The damaged bytes, and one word for what was done."""
    kind = r.choices(("cut", "flip", "join", "double", "type", "type", "type", "key"), k=1)[0]
    if kind == "cut":
        return data[: r.randrange(len(data) + 1)], kind
    if kind == "flip":
        flipped = bytearray(data)
        for _ in range(r.choice((1, 1, 3, 20))):
            if flipped:
                flipped[r.randrange(len(flipped))] = r.choice((0, 10, 32, 34, 44, 58, 91, 92, 93, 123, 125, 128, 255, r.randrange(256)))
        return bytes(flipped), kind
    lines = data.splitlines(keepends=True)
    if kind == "join" and len(lines) > 1:
        at = r.randrange(len(lines) - 1)
        lines[at] = lines[at].rstrip(b"\r\n") + r.choice((b"", b" ", b"\x00"))
        return b"".join(lines), kind
    if kind == "double" and lines:
        lines.insert(r.randrange(len(lines) + 1), lines[r.randrange(len(lines))])
        return b"".join(lines), kind
    return _retyped(data, lines, r, kind == "key"), "type" if kind != "key" else kind


def _retyped(data: bytes, lines: list[bytes], r: random.Random, keys: bool) -> bytes:
    """One value of a line, or of the whole where it is one document, made into another."""
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError:
        whole = None
    if whole is not None:
        return _dumps(_changed(whole, r, keys))
    if not lines:
        return data
    at = r.randrange(len(lines))
    try:
        lines[at] = _dumps(_changed(orjson.loads(lines[at]), r, keys)) + b"\n"
    except orjson.JSONDecodeError:
        lines[at] = orjson.dumps(r.choice(VALUES[:8])) + b"\n"
    return b"".join(lines)


def _dumps(value: Any) -> bytes:
    """With escapes: a value may be half a character."""
    return json.dumps(value, separators=(",", ":")).encode()


def _changed(value: Any, r: random.Random, keys: bool) -> Any:
    """The value with one of its nodes changed."""
    holder: dict[str, Any] = {"": value}
    spot: tuple[Any, Any] = (holder, "")
    for _ in range(r.randrange(MOST)):
        node = spot[0][spot[1]]
        if isinstance(node, dict) and node:
            spot = (node, r.choice(list(node)))
        elif isinstance(node, list) and node:
            spot = (node, r.choice((r.randrange(len(node)), 0, len(node) - 1)))
        else:
            break
        if r.random() < 0.15:
            break
    parent, name = spot
    if keys and isinstance(parent, dict) and parent is not holder:
        held = parent.pop(name)
        if r.random() < 0.5:
            parent[r.choice(KEYS)] = held
    elif isinstance(parent, list) and len(parent) > 1 and r.random() < 0.3:
        other = r.randrange(len(parent))
        parent[name], parent[other] = parent[other], parent[name]
    else:
        parent[name] = r.choice(VALUES)
    return holder[""]
