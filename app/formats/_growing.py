"""Messages that begin with all those of an earlier list, as the requests of one conversation do.

A log of 2,000 such requests holds each message a thousand times. Which of them a list begins with is told by its bytes (`_met.py`); nothing
of these is placed or told anew: what was found out when they were met first is held beside the list. Only what a list adds is looked at, so
that a log costs what its bytes cost to compare.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from app.formats import _met
from app.formats._fast_spans import elements_behind
from app.formats._met import Met
from app.formats._nodes import Node

LEAST: Final = 6  # elements of a list that is worth it


class Said(NamedTuple):
    """A message: where it stands, and the word of its wire (see `_wires.py`)."""

    node: Node
    wire: str


class Grown(list[Said]):
    """The messages of a list. The nodes of the first `shared` of them hold values and no places: `node(number)` does."""

    def __init__(self, messages: list[Said], met: Met, holder: Node, shared: int) -> None:
        super().__init__(messages)
        self.met, self.shared, self._holder = met, shared, holder

    def node(self, number: int) -> Node:
        if number >= self.shared:
            return self[number].node
        met = self.met
        return self._holder.element(met.values[number], met.starts[number], met.ends[number], number)


def grown(node: Node, hint: str | None, answer: bool) -> Grown | None:
    """The messages of a list of objects; None where it is to be read without this."""
    values, held = node.value, node.raw()
    if held is None or len(values) < LEAST:
        return None
    data, start, end = held
    before, count = _met.begins(data, start, end)
    if not all(isinstance(value, dict) for value in values[count:]):
        return None
    spans = elements_behind(data, start + before.ends[count - 1], end) if before is not None else node.spans()
    if count + len(spans) != len(values):
        return None
    whole = data[start : spans[-1][1]] if spans else data[start : start + before.ends[count - 1]] if before is not None else b""
    met = before.begun(count, whole) if before is not None else Met(whole)
    for value, (begin, stop) in zip(values[count:], spans, strict=True):
        met.add(value, begin - start, stop - start)
    _met.remember(met, before if before is not None and count == len(before.values) else None)
    wire = met.look.wire(hint, answer)
    if wire != met.wire:
        count, met.wire, met.said = 0, wire, []
        met.forget()
    messages: list[Said] = met.said[:]
    for number in range(len(messages), len(values)):
        value = met.values[number]
        messages.append(Said(node.element(value, met.starts[number], met.ends[number], number), wire))
        met.said.append(Said(Node(b"", value, 0, 0, ""), wire))  # without the bytes of this list, which would be held for as long
    return Grown(messages, met, node, count)


def node_at(messages: list[Said], number: int) -> Node:
    """The node of a message, where it stands in this list."""
    return messages.node(number) if isinstance(messages, Grown) else messages[number].node


def placed(messages: list[Said]) -> list[Said]:
    """Messages with nodes that all have their places."""
    if not isinstance(messages, Grown):
        return messages
    return [Said(messages.node(number), said.wire) for number, said in enumerate(messages)]
