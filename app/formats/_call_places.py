"""Where the calls of a log stand in its file: what its writer needs, kept while it is read."""

from __future__ import annotations

from typing import NamedTuple

from app.formats._growing import Said, node_at
from app.formats._nodes import Node

Held = tuple[str, tuple[str | int, ...]]
"""A place: JSON pointer in the file, and the path from there."""


class Kept(NamedTuple):
    """Where a call stands that was read, for whoever writes it: `line` (index), `record` of its item, so many `rows` of the line were sent;
    `held`: the list of its messages, as JSON pointer in the file and path from there; records of what `came` back."""

    line: int
    record: int
    rows: int
    wire: str
    held: Held | None
    came: tuple[int, ...]


def list_of(sent: list[Said]) -> Held | None:
    """The list whose elements messages are; None where they are those of several, or there are none."""
    holders = {_holder(node_at(sent, number)) for number in (0, len(sent) - 1)} if sent else set()
    return holders.pop() if len(holders) == 1 else None


def _holder(node: Node) -> Held:
    """What a message stands in; the message itself where that is no list, as a prompt that is a text."""
    if node.path:
        return node.pointer, node.path[:-1] if isinstance(node.path[-1], int) else node.path
    holder, _, last = node.pointer.rpartition("/")
    return (holder if last.isdecimal() else node.pointer), ()
