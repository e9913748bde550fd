"""`plan --lost`: what each plan loses, in the words of app/model/lost.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.cli_words import Output, count, wrapped
from app.model.dump import Dump
from app.model.lost import KIND_WORDS, Lost, LostItem, sentence
from app.model.transcript import Transcript
from app.model.view import View

SHOWN = 12  # items of a strategy in text


def reader(dump: Dump, view: View) -> Callable[[str, int | None, Transcript], Lost]:
    """Reads the transcript once; the function then says what a plan that came to another transcript loses."""
    from app.pipeline import look
    from app.pipeline.fact_index import read
    from app.pipeline.lost import lost

    reading = read(dump, view)
    while True:
        try:
            next(reading)
        except StopIteration as stop:
            index = stop.value
            break
    return lambda name, budget, after: lost(index, view, after, lambda transcript, row: look.block(dump, transcript, row), name, budget)


def object_of(dump: Dump, transcript: Transcript, found: Lost) -> dict[str, Any]:
    """As JSON: places are pointers into the file, null for what a change made."""
    from app.pipeline.look import block

    known: dict[int, str | None] = {}

    def at(row: int) -> str | None:
        if row not in known:
            known[row] = block(dump, transcript, row).pointer
        return known[row]

    def one(item: LostItem) -> dict[str, Any]:
        return {
            "kind": item.kind, "words": item.words, "stated_at": at(item.stated), "stated_by": item.by,
            "used_at": [at(row) for row in item.used], "uses": item.uses, "why": item.why,
        }  # fmt: skip

    return {
        "total": found.total, "counts": found.counts, "items": [one(item) for item in found.items], "left_out": found.left_out,
        "superseded": {"results": found.superseded_count, "tokens": found.superseded_tokens},
    }  # fmt: skip


def show(view: View, found: list[Lost], out: Output) -> None:
    """In words, under the table."""
    for lost in found:
        out.text()
        free = f"; {count(lost.superseded_count, 'result')} superseded, which costs nothing" if lost.superseded_count else ""
        out.text(f"  {lost.strategy} loses {sentence(lost)}{free}")
        for item in lost.items[:SHOWN]:
            said = f"{KIND_WORDS[item.kind][0]} {_place(view, item.stated)}: {item.words} ({item.why})"
            for line in wrapped(said, "        ", first="    "):
                out.text(line)
        if lost.total > SHOWN:
            out.text(f"    … {lost.total - SHOWN:,} more{'' if lost.left_out else '; --json has them all'}")


def _place(view: View, row: int) -> str:
    groups, at = view.groups, view.at(row)
    exchange, step = int(groups.exchange[at]), int(groups.step[at])
    return groups.step_label(step) if step >= 0 else groups.label(exchange) if exchange >= 0 else "-"
