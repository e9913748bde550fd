"""Row by row what a change did: where, what stood there, what became of it, its tokens, the digest of what was taken.

A body is the block's value as the wire has it, as compact JSON; its digest is the SHA-256 of that. Equal bodies have equal digests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.formats._json import compact
from app.model.block import Block
from app.model.edits import DELETE, Change, Drop, Edit, Insert, Layer, Move, Replace, Set
from app.model.table import Ints
from app.model.view import View
from app.pipeline.blocks import Blocks
from app.pipeline.catalogue import catalogue
from app.pipeline.spec import parse_spec

VERBS = {"Stub": "stubbed", "Cap": "cut", "Words": "replaced"}


@dataclass(frozen=True)
class Done:
    """What happened to one row. `at`: JSON pointer as the file came in, "" for what an edit had made. `place`: `E3 r5`."""

    row: int
    what: str
    at: str
    was: str
    place: str
    tokens: int | None = None
    tokens_after: int | None = None
    detail: str = ""
    digest: str = ""

    def told(self) -> dict[str, Any]:
        """As JSON: what is not known is left out."""
        said = {
            "at": self.at or None, "what": self.what, "was": self.was, "place": self.place or None, "detail": self.detail or None,
            "tokens_before": self.tokens, "tokens_after": self.tokens_after, "sha256": self.digest or None,
        }  # fmt: skip
        return {key: value for key, value in said.items() if value is not None}


@dataclass(eq=False)
class Looks:
    """What a report looks things up in: the transcript as opened and its counts, by row; counts after all changes."""

    view: View
    blocks: Blocks
    own: Ints | None = None
    own_after: Ints | None = None

    def block(self, row: int) -> Block | None:
        """As the file has it; None for a row that an edit made."""
        table = self.view.transcript.table
        return self.blocks(row) if row < len(table) and int(table.record[row]) >= 0 else None

    def place(self, row: int) -> str:
        at = self.view.at(row)
        if at < 0:
            return ""
        groups = self.view.groups
        exchange, step = int(groups.exchange[at]), int(groups.step[at])
        return " ".join([groups.label(exchange)] * (exchange >= 0) + [groups.step_label(step)] * (step >= 0))

    def tool(self, row: int, block: Block) -> str:
        """The name of a call, or of the call that a result answers."""
        if block.name:
            return block.name
        at = self.view.at(row)
        partner = int(self.view.links.partner[at]) if at >= 0 else -1
        number = int(self.view.name[partner]) if partner >= 0 else -1
        return self.view.transcript.table.names[number] if number >= 0 else ""

    def tokens(self, row: int, after: bool = False) -> int | None:
        own = self.own_after if after else self.own
        return int(own[row]) if own is not None and row < len(own) else None


def body_of(block: Block) -> Any:
    """What a block's removal takes away, as the wire has it."""
    return block.value if block.value is not None else list(block.texts)


def digest_of(block: Block) -> str:
    return hashlib.sha256(compact(body_of(block)).encode("utf-8", "surrogatepass")).hexdigest()


def rows_of(change: Change, looks: Looks) -> Iterator[Done]:
    """What a change did, edit by edit, rows in their order."""
    for edit in change.edits:
        yield from _edit(edit, looks)


def _edit(edit: Edit, looks: Looks) -> Iterator[Done]:
    if isinstance(edit, Drop):
        for row in np.asarray(edit.rows).tolist():
            yield _row(row, "dropped", looks, gone=True)
    elif isinstance(edit, Replace):
        name = type(edit.content).__name__
        for row in np.asarray(edit.rows).tolist():
            yield _row(row, VERBS[name], looks, stays=True, gone=True)
    elif isinstance(edit, Set):
        lost = edit.field in ("content", "text", "input")
        what = "taken away" if edit.value is DELETE else "set"
        yield _row(edit.row, "replaced" if lost else what, looks, stays=True, gone=lost, detail="" if lost else edit.field)
    elif isinstance(edit, Move):
        yield _row(edit.row, "moved", looks, stays=True)
    elif isinstance(edit, Insert):
        yield Done(-1, "put in", "", edit.made.kind.word, "", detail=edit.made.text)


def _row(row: int, what: str, looks: Looks, stays: bool = False, gone: bool = False, detail: str = "") -> Done:
    """`stays`: the row is still there; `gone`: (a part of) its body is not."""
    block = looks.block(row)
    if block is None:
        return Done(row, what, "", "what an earlier change had made", "", detail=detail)
    table = looks.view.transcript.table
    return Done(
        row=row,
        what=what,
        at=block.pointer or table.pointer(int(table.record[row])),
        was=f"{block.kind.word} {looks.tool(row, block)}".rstrip(),
        place=looks.place(row),
        tokens=looks.tokens(row),
        tokens_after=looks.tokens(row, True) if stays else 0 if looks.own is not None else None,
        detail=detail,
        digest=digest_of(block) if gone else "",
    )


# -- why ------------------------------------------------------------------------------------------------------------------------------


def links_of(change: Change) -> list[tuple[str, dict[str, Any]]]:
    """The strategies of a plan with every parameter; nothing for a change of another origin."""
    head, _, spec = change.origin.partition(":")
    return parse_spec(spec) if head == "strategy" else []


def why(change: Change) -> str:
    """Why a change did what it did, in a sentence: what its strategy does, or the rule that it mends."""
    links = links_of(change)
    if links:
        return "; then ".join(f"{name} {catalogue()[name].summary}" for name, _ in links)
    head, _, name = change.origin.partition(":")
    return f"it mends what the rule {name} found" if head == "rule" else change.origin


def plans_in(layers: tuple[Layer, ...]) -> list[Change]:
    return [change for layer in layers for change in layer.changes if change.origin.startswith("strategy:")]
