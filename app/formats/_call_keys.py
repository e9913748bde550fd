"""What of a message tells whether it was said before: roles, texts, calls and results, whichever way they are written down.

Reasoning is left out, since providers take it from what is sent again, and so are cache marks and ids of messages.
"""

from __future__ import annotations

from typing import Any

from app.formats._growing import Said
from app.formats._json import NotJson, compact, compact_hashed, loads
from app.formats._wires import NEEDS_OBJECT, WIRES
from app.model.block import Block
from app.model.kinds import Kind, Role

Key = tuple[Any, ...]
_ROLES = {Role.DEVELOPER: Role.SYSTEM, Role.FUNCTION: Role.TOOL}


def key_of(said: Said, known: dict[tuple[str, int, int], Key]) -> Key:
    """A message by what it says; () of one that says nothing (reasoning alone). `known`: keys of messages that were met, since each is
    met once more in every later call."""
    size, number = compact_hashed(said.node.value)
    found = known.get((said.wire, size, number))
    if found is None:
        found = known[said.wire, size, number] = _key_of(said)
    return found


def _key_of(said: Said) -> Key:
    wire = said.wire
    if wire in NEEDS_OBJECT and not isinstance(said.node.value, dict):
        wire = "said-user"
    return tuple(key for block in WIRES[wire].message_blocks(said.node.value, 0, 0, "") if (key := block_key(block)) is not None)


def block_key(block: Block) -> Key | None:
    """A block by what it says; None of one that says nothing."""
    kind = block.kind
    if kind in (Kind.REASONING, Kind.EMPTY):
        return None
    texts = tuple(text.strip() for text in block.texts)
    if kind == Kind.TOOL_CALL:
        return (int(kind), block.call_id, block.name, tuple(map(_arguments, texts)))
    if kind == Kind.TOOL_RESULT:
        return (int(kind), block.call_id, "".join(texts))
    if kind == Kind.TEXT and not any(texts):
        return None
    return (int(kind), int(_ROLES.get(block.role, block.role)), "".join(texts), len(block.media))


def _arguments(text: str) -> str:
    """Arguments by what they hold: an answer and its copy differ in white space and in the order of keys."""
    try:
        value = loads(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return text
    return compact(dict(sorted(value.items()))) if isinstance(value, dict) else compact(value)


def same_answer(came: list[Key], following: list[Key]) -> int | None:
    """How many of the messages that follow are the copy of what came back; None where that was left out. What came back may be nothing."""
    wanted = [key for key in came if key]
    if not wanted:
        return 0
    count = _exact(wanted, following)
    return count if count is not None else _alike(wanted, following)


def fits(came: list[Key], following: list[Key]) -> int:
    """How well what follows goes on from what came back: 2 word for word, 1 by its calls or its text, 0 not at all."""
    wanted = [key for key in came if key]
    if not wanted or _exact(wanted, following) is not None:
        return 2
    return int(_alike(wanted, following) is not None)


def unnamed(came: list[Key]) -> bool:
    """Whether what came back holds calls without an id."""
    return any(not call[1] for call in _calls(came))


def _exact(wanted: list[Key], following: list[Key]) -> int | None:
    at = 0
    for number, key in enumerate(following):
        if not key:
            continue
        if key != wanted[at]:
            return None
        at += 1
        if at == len(wanted):
            return number + 1
    return None


def _alike(wanted: list[Key], following: list[Key]) -> int | None:
    """By the calls alone, or by the text alone: frameworks write down an answer in other words than they send it again."""
    calls, text = _calls(wanted), _text(wanted)
    seen: list[Key] = []
    said = ""
    for number, key in enumerate(following):
        if any(block[0] == Kind.TOOL_RESULT or (block[0] != Kind.TOOL_CALL and block[1] != Role.ASSISTANT) for block in key):
            return None
        seen += _calls([key])
        said += _text([key])
        if calls and len(seen) >= len(calls):
            return number + 1 if _same_calls(calls, seen) else None
        if not calls and text and said == text:
            return number + 1
    return None


def _same_calls(one: list[Key], other: list[Key]) -> bool:
    if all(call[1] for call in one) and {call[1] for call in one} == {call[1] for call in other}:
        return True
    return [call[2:] for call in one] == [call[2:] for call in other]


def _calls(keys: list[Key]) -> list[Key]:
    return [block for key in keys for block in key if block[0] == Kind.TOOL_CALL]


def _text(keys: list[Key]) -> str:
    return "".join("".join(str(block[2]).split()) for key in keys for block in key if block[0] == Kind.TEXT)
