"""How a document is laid out around its messages: learnt from its top level and from the list, for what an export adds."""

from __future__ import annotations

from dataclasses import replace

from app.formats._context import Context
from app.formats._requests import Layout
from app.formats._style import Style, line_level
from app.model.dump import Dump
from app.model.source import Source
from app.model.transcript import Transcript

_LOOK_BACK = 1 << 12


def context_of(dump: Dump, edited: Transcript, layout: Layout) -> Context:
    """How messages are written: learnt from the first of them and from what stands around the list."""
    source, records = dump.source, dump.table.records
    frame = top_level_style(source, layout)
    start = layout.messages[0]
    if start < 0 or not layout.count:
        level = frame.unit * (2 if layout.member >= 0 or start < 0 else 1)
        example = (int(records.offset[layout.lasts[0][0]]), int(records.length[layout.lasts[0][0]])) if layout.lasts else None
        return Context(dump, edited, example, level, frame)
    first = int(records.offset[layout.first])
    lead = source.read(start, first - start)
    level = ""
    if b"\n" in lead or b"\r" in lead:
        back = max(0, start - _LOOK_BACK)
        outer = line_level(source.read(back, start - back), start - back)
        level = line_level(lead, len(lead))
        newline = "\r\n" if b"\r\n" in lead else "\n" if b"\n" in lead else "\r"
        unit = level[len(outer) :] if level.startswith(outer) and len(level) > len(outer) else frame.unit
        frame = replace(frame, unit=unit, newline=newline)
    return Context(dump, edited, (first, int(records.length[layout.first])), level, frame)


def top_level_style(source: Source, layout: Layout) -> Style:
    """The style of a document's own members."""
    if not layout.members:
        return Style()
    _, key_start, start, _ = layout.members[0]
    opening = layout.root[0] + 1
    lead, key = source.read(opening, key_start - opening), source.read(key_start, start - key_start)
    colon = key[key.rfind(b'"') + 1 :]
    plain = ": " if b"\n" in colon or b"\r" in colon else colon.decode("ascii", "replace")
    if b"\n" in lead or b"\r" in lead:
        newline = "\r\n" if b"\r\n" in lead else "\n" if b"\n" in lead else "\r"
        return Style(plain, ", ", line_level(lead, len(lead)), newline)
    return Style(plain, "," if plain == ":" else ", ")
