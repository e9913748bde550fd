"""What the changes of a report lost: as plain values, and as lines of Markdown."""

from __future__ import annotations

from typing import Any, Final

from app.model.dump import Dump
from app.model.lost import KIND_WORDS, Lost, LostItem, sentence
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import look
from app.pipeline.fact_index import read
from app.pipeline.lost import lost
from app.pipeline.markdown import line, span
from app.pipeline.report_rows import Looks

LISTED: Final = 60  # in Markdown; JSON has all that are known by name


def told(dump: Dump, view: View, after: Transcript, looks: Looks) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Of a transcript as opened (`view`) and with all its changes."""
    reading = read(dump, view)
    while True:
        try:
            next(reading)
        except StopIteration as done:
            index = done.value
            break
    found = lost(index, view, after, lambda transcript, row: look.block(dump, transcript, row))
    return _values(found, looks), tuple(_lines(found, looks))


def _at(row: int, looks: Looks) -> str:
    block = looks.block(row)
    return (block.pointer or "") if block is not None else ""


def _values(found: Lost, looks: Looks) -> dict[str, Any]:
    return {
        "total": found.total,
        "counts": dict(found.counts),
        "words": sentence(found),
        "items": [
            {"kind": one.kind, "words": one.words, "stated_at": _at(one.stated, looks), "stated_by": one.by,
             "used_at": [_at(row, looks) for row in one.used], "uses": one.uses, "why": one.why}
            for one in found.items
        ],
        "left_out": found.left_out,
        "superseded": {"results": found.superseded_count, "tokens": found.superseded_tokens},
    }  # fmt: skip


def _lines(found: Lost, looks: Looks) -> list[str]:
    lines = [f"Lost: {sentence(found)}.", ""] if found.total else ["Nothing of what went is used in what stays.", ""]
    lines += [_item(one, looks) for one in found.items[:LISTED]]
    if found.total > LISTED:
        lines.append(f"- … and {found.total - LISTED:,} more; a report as JSON lists what is known by name")
    if found.superseded_count:
        many = f"{found.superseded_count:,} result{'s' if found.superseded_count != 1 else ''}"
        lines.append(f"- No loss: {many} ({found.superseded_tokens:,} tokens) of calls that were made again later")
    return lines


def _item(one: LostItem, looks: Looks) -> str:
    place = _at(one.stated, looks)
    return f"- {KIND_WORDS[one.kind][0]} {span(one.words, 200)}{f' stated at {span(place)}' if place else ''}: {line(one.why)}"
