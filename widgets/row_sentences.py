"""A row as one sentence, for whoever hears the list read."""

from __future__ import annotations

from app.model.kinds import KIND_WORDS, Kind
from widgets.exchange_facts import Pip
from widgets.exchange_layout import Layout
from widgets.exchange_tree import BLOCK, GHOST, STEP, Entity
from widgets.row_look import SAID, Look
from widgets.row_marks import Mark
from widgets.words import counted

_PIPS = ((Pip.MISSING, "without a result"), (Pip.ELSEWHERE, "with its result elsewhere"), (Pip.ORPHAN, "result without a call"),
         (Pip.SURPLUS, "further result"))  # fmt: skip


def sentence(entity: Entity, look: Look, mark: Mark, layout: Layout, kind: int) -> str:
    """For example `Exchange E31, broken, which of my invoices are overdue?, 3 requests, 11,930 tokens, 2 errors, kept, closed`."""
    words = " ".join("".join(piece.text for piece in look.pieces).split())
    if entity.kind == GHOST:
        return _joined(f"To be inserted: {KIND_WORDS[Kind(kind)]}", words, counted(look.tokens, "token"))
    figures = counted(look.tokens, "token") + (", estimated" if look.guessed else "") if look.counted else ""
    found = [counted(count, word) for count, word in zip(look.found, ("error", "warning", "note"), strict=True) if count]
    became = mark.word or "kept"
    unseen = "not seen by the model" if look.unsent else ""
    rest = (figures, *found, unseen, became)
    if entity.kind == BLOCK:
        chip = f" {look.chip.number} {look.chip.word}".rstrip() if look.chip else ""
        return _joined(KIND_WORDS[Kind(kind)].capitalize() + chip, "user" if look.word == "user" else "", words, *rest)
    wrong = [_wrong(pip, word, look.pips.counts[pip]) for pip, word in _PIPS if look.pips and look.pips.counts[pip]]
    if entity.kind == STEP:
        opened = "open" if layout.open_child[entity.child] else "closed"
        return _joined(f"Request {look.number.replace('… ', 'continued ')}", words, *wrong, *rest, look.side, opened)
    opened = ("open" if layout.open_top[entity.top] else "closed") if layout.has_children(entity.top) else ""
    name = "Beside the messages" if look.number == "–" else f"Exchange {look.number}"
    said = SAID.get(look.outcome, "")
    if look.word_sign == "refused":
        said = f"refused, {look.word.replace('refused', '').strip()}".rstrip(", ").replace("×", "times ")
    asked = look.requests.replace(" req", " request" if look.requests == "1 req" else " requests")
    return _joined(name, said, words, asked, *wrong, *rest, opened)


def _wrong(pip: Pip, words: str, count: int) -> str:
    """`2 calls without a result`, `1 result without a call`."""
    if pip < Pip.ORPHAN:
        return counted(count, f"call {words}", f"calls {words}")
    return counted(count, words, words.replace("result", "results", 1))


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
