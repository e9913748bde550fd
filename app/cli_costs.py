"""`costs`: which blocks and tools filled the requests of a transcript, the dearest first, and what is to be said of the large ones."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from app.cli_open import Opened, opened
from app.cli_progress import progress
from app.cli_words import Output, count, table
from app.model.carry import last_said
from app.model.costs import NOTE_WORDS, BlockCost, Costs, ToolCost
from app.model.errors import InspectorError
from app.model.transcript import Transcript
from app.model.view import View

HEAD = 48  # characters of a block's words


def run(words: Namespace, out: Output) -> int:
    """Counts exactly, and says what was carried."""
    from app.pipeline import counted
    from app.pipeline.costs import costs

    file = opened(words.file, words)
    if not file.dump.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; nothing was carried")
    transcript = file.dump.transcripts[file.chosen]
    view, _ = counted(file.dump, transcript, file.provider, words.counter)
    made = costs(file.dump, view, words.counter, True, words.top, progress(f"counting {words.file}") or (lambda fraction: None))
    while True:
        try:
            next(made)
        except StopIteration as stop:
            found: Costs = stop.value
            break
    if words.json:
        out.json(_object(file, transcript, found))
    else:
        _print(file, transcript, view, found, out)
    return 0


def _object(file: Opened, transcript: Transcript, found: Costs) -> dict[str, Any]:
    from app.pipeline.look import block

    def one(cost: BlockCost) -> dict[str, Any]:
        notes = [{"note": note.kind, "message": note.words} for note in cost.notes]
        at = block(file.dump, transcript, cost.row).pointer
        return {
            "at": at, "kind": cost.kind, "tool": cost.tool or None, "tokens": cost.tokens, "requests": cost.requests,
            "carried": cost.carried, "share": round(cost.share, 6), "notes": notes,
        }  # fmt: skip

    def tool(cost: ToolCost) -> dict[str, Any]:
        return {
            "tool": cost.tool, "calls": cost.calls, "tokens": cost.tokens, "carried": cost.carried, "share": round(cost.share, 6),
            "notes": cost.notes,
        }  # fmt: skip

    return {
        "path": file.path, "transcript": transcript.id, "counter": found.counter, "requests": found.requests,
        "last_to_be_sent": found.unsent, "carried": found.carried, "overhead": found.overhead, "blocks_total": found.count,
        "note_counts": found.notes, "blocks": [one(cost) for cost in found.blocks], "tools": [tool(cost) for cost in found.tools],
    }  # fmt: skip


# -- text -------------------------------------------------------------------------------------------------------------------


def _print(file: Opened, transcript: Transcript, view: View, found: Costs, out: Output) -> None:
    several = f", transcript {transcript.id}" if len(file.dump.transcripts) > 1 else ""
    out.text(table([[f"{file.path}{several}"]], indent="")[0])
    requests = count(found.requests, "request") + last_said(found.requests, found.unsent)
    blocks = count(found.count, "block")
    out.text(f"  {found.carried:,} tokens carried by {requests} ({found.counter}); {blocks}, {found.tokens:,} tokens once")
    out.text()
    head = ["what", "where", "tokens", "requests", "carried", "share", "words", "notes"]
    rows = [
        [f"{cost.kind} {cost.tool}".strip(), _place(view, cost.row), f"{cost.tokens:,}", f"{cost.requests:,}", f"{cost.carried:,}",
         f"{cost.share:.1%}", cost.head[:HEAD], ", ".join(NOTE_WORDS[note.kind] for note in cost.notes)]
        for cost in found.blocks
    ]  # fmt: skip
    for line in table([head, *rows], right=(2, 3, 4, 5)):
        out.text(line)
    if found.tools:
        out.text()
        rows = [[one.tool, f"{one.calls:,}", f"{one.tokens:,}", f"{one.carried:,}", f"{one.share:.1%}"] for one in found.tools]
        for line in table([["tool", "calls", "tokens", "carried", "share"], *rows], right=(1, 2, 3, 4)):
            out.text(line)
    noted = [(cost, note) for cost in found.blocks for note in cost.notes]
    if noted:
        out.text()
    for cost, note in noted:
        out.text(table([[f"{_place(view, cost.row)}: {note.words}"]])[0])


def _place(view: View, row: int) -> str:
    groups, at = view.groups, view.at(row)
    exchange, step = int(groups.exchange[at]), int(groups.step[at])
    parts = [groups.label(exchange)] if exchange >= 0 else []
    return " · ".join([*parts, groups.step_label(step)] if step >= 0 else parts) or "-"
