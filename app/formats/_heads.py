"""System texts and tool definitions beside the messages, with edits: dropped, shortened, or with another member."""

from __future__ import annotations

import numpy as np

from app.formats._anthropic_write import edited_block, edited_text
from app.formats._context import Context
from app.formats._requests import Layout
from app.formats._scan import scan_array, scan_object
from app.formats._splice import Item, rewrite_array
from app.formats._style import style_of
from app.model.kinds import Kind


def edited_heads(context: Context, layout: Layout) -> dict[str, bytes | None]:
    """New values of the top-level members that hold them, by key; None: taken away. Members that stay as they are are left out."""
    base = context.base
    heads = np.arange(layout.first)
    if not len(heads):
        return {}
    rows = np.searchsorted(base.record, heads)
    live = set(np.intersect1d(context.edited.order, rows).tolist())
    groups: dict[tuple[str, ...], list[int]] = {}
    for record in heads.tolist():
        path = tuple(base.pointer(record).split("/")[1:])
        groups.setdefault(path[:-1] or path, []).append(record)
    values: dict[str, bytes | None] = {}
    for path, records in groups.items():
        states = {record: _state(context, int(rows[record]), live) for record in records}
        if any(state != "same" for state in states.values()):
            values[path[0]] = _member(context, layout, path, states, {record: int(rows[record]) for record in records})
    return values


def _state(context: Context, row: int, live: set[int]) -> str:
    if row not in live:
        return "dropped"
    return "edited" if context.fields(row) or context.content(row) is not None else "same"


def _member(context: Context, layout: Layout, path: tuple[str, ...], states: dict[int, str], rows: dict[int, int]) -> bytes | None:
    """The top-level member that holds the elements at `path`; None: taken away, with all that stands around a list that is empty now."""
    first = next(iter(states))
    if context.base.pointer(first) == f"/{path[0]}":
        if states[first] == "dropped":
            return None
        return edited_text(context.record(first)[0], context.fields(rows[first]), context.content(rows[first]), context.style)
    if all(state == "dropped" for state in states.values()):
        return None
    start, end = next((start, end) for name, _, start, end in reversed(layout.members) if name == path[0])
    data = context.source.read(start, end - start)
    at, behind = 0, len(data)
    for key in path[1:]:
        member = scan_object(data, at).get(key)
        assert member is not None
        at, behind = member.start, member.end
    array = scan_array(data, at)
    items: list[Item] = []
    for number, (record, state) in enumerate(states.items()):
        if state == "same":
            items.append(number)
        elif state == "edited":
            row = rows[record]
            held, block = context.record(record)
            style = context.style_of(held, block) if block is not None else context.style
            kind = Kind(int(context.base.kind[row]))
            if block is None:
                items.append((number, edited_text(held, context.fields(row), context.content(row), style)))
            else:
                items.append((number, edited_block(held, kind, context.fields(row), context.content(row), style)))
    return data[:at] + rewrite_array(data, array, items, style_of(data, array, context.style)) + data[behind:]
