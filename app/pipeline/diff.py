"""What edits made of a transcript, and whether two transcripts hold the same."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from app.model.dump import Dump
from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.transcript import Transcript


@dataclass(frozen=True, eq=False)
class Diff:
    """Rows, each kind in its own array: of the order before (`dropped`), of the one after (the others)."""

    dropped: Ints
    made: Ints
    moved: Ints
    changed: Ints

    @property
    def empty(self) -> bool:
        return not any(map(len, (self.dropped, self.made, self.moved, self.changed)))


def diff(before: Transcript, after: Transcript) -> Diff:
    """What became of the rows of `before`, which `after` was made of."""
    size = max(len(before.table), len(after.table))
    was, stays = np.zeros(size, bool), np.zeros(size, bool)
    was[before.order] = True
    stays[after.order] = True
    touched = np.zeros(size, bool)
    if after.content is not None:
        touched[: len(after.content)] |= after.content >= 0
    touched[[*after.fields, *after.made]] = True
    moved = np.zeros(size, bool)
    moved[list(after.moved - before.moved)] = True
    rows = after.order
    return Diff(
        dropped=before.order[~stays[before.order]],
        made=rows[~was[rows]],
        moved=rows[was[rows] & moved[rows]],
        changed=rows[was[rows] & touched[rows]],
    )


def edited(transcript: Transcript, base: Transcript) -> bool:
    """Whether anything would be written that the file does not hold as it is."""
    return transcript is not base and (
        len(transcript.order) != len(base.order)
        or not np.array_equal(transcript.order, base.order)
        or bool(transcript.touched())
        or transcript.request != base.request
        or transcript.moved != base.moved  # it may stand where it stood, and in a message of its own
    )


class RunTogether(str):
    """A difference of which a person can do something: transcripts of one file can no longer be told apart."""


def difference(dump: Dump, transcripts: Sequence[Transcript], again: Dump, edited: Container[int] | None = None) -> str | None:
    """The first thing in which a file that was read again differs from the transcripts in memory, in words; None where nothing does.

    Compared along each order: kinds, roles, the bounds of messages, tool names, call ids, sizes, and the texts that edits put there.
    Blocks that no edit touched were copied byte for byte; their size is compared. `edited`: indexes of the transcripts that edits were
    made for, None: any; of the others what they alone hold is compared, for what they share with an edited one changes with it.
    """
    ours, theirs = _spoken(transcripts), [t for _, t in _spoken(again.transcripts)]
    if len(ours) != len(theirs):
        return RunTogether(f"{len(theirs)} transcripts in place of {len(ours)}")
    shares = np.zeros(len(dump.table), bool)
    for index, _ in ours:
        if edited is not None and index in edited:
            base = dump.transcripts[index].order
            shares[base[base < len(shares)]] = True
    for (index, one), other in zip(ours, theirs, strict=True):
        strict = edited is None or index in edited or not shares[one.order[one.order < len(shares)]].any()
        found = _transcript_difference(dump, one, again, other) if strict else _own_difference(one, other, shares)
        if found is not None:
            return f"transcript {one.id}: {found}"
    return None


def _own_difference(one: Transcript, other: Transcript, shares: Ints) -> str | None:
    """Whether a branch still ends in what it alone holds; a message of its own may have parts among what it shares."""
    own = one.order[one.order < len(shares)]
    own = own[~shares[own]]
    names = ("kind", "role", "size")
    mine = np.stack([getattr(one.table, name)[own].astype(np.int64) for name in names])
    theirs = np.stack([getattr(other.table, name)[other.order].astype(np.int64) for name in names])
    count = mine.shape[1]
    if count <= theirs.shape[1] and np.array_equal(mine, theirs[:, theirs.shape[1] - count :]):
        return None
    left, found = mine.T[::-1].tolist(), iter(theirs.T[::-1].tolist())
    if all(any(row == there for there in found) for row in left):
        return None
    return RunTogether("what it alone holds no longer stands at its end")


def _spoken(transcripts: Sequence[Transcript]) -> list[tuple[int, Transcript]]:
    """Those that hold anything, with their index: a response whose blocks are all gone is still a message, an empty one."""
    return [(i, t) for i, t in enumerate(transcripts) if (t.table.kind[_compared(t)] != Kind.EMPTY).any()]


def _transcript_difference(dump: Dump, one: Transcript, again: Dump, other: Transcript) -> str | None:
    a, b = _compared(one), _compared(other)
    if len(a) != len(b):
        return f"{len(b)} blocks in place of {len(a)}"
    if one.start != other.start:
        return f"{other.start} blocks are no longer sent in place of {one.start}"
    for name in ("kind", "role", "size"):
        mine, theirs = getattr(one.table, name)[a], getattr(other.table, name)[b]
        wrong = np.flatnonzero(mine != theirs)
        if len(wrong):
            at = int(wrong[0])
            return f"block {at} has {name} {_word(name, int(theirs[at]))} in place of {_word(name, int(mine[at]))}"
    for name, mine, theirs in (
        ("message", _dense(one.table.message[a]), _dense(other.table.message[b])),
        ("call id", _dense(one.table.key[a]), _dense(other.table.key[b])),
    ):
        wrong = np.flatnonzero(mine != theirs)
        if len(wrong):
            return f"block {int(wrong[0])} stands in another {name}" if name == "message" else f"block {int(wrong[0])} has another {name}"
    return _words_difference(dump, one, a, again, other, b)


def _words_difference(dump: Dump, one: Transcript, a: Ints, again: Dump, other: Transcript, b: Ints) -> str | None:
    """Ids by their texts, and the blocks that edits touched by what they hold."""
    from app.pipeline.look import block

    keys, first = np.unique(one.table.key[a], return_index=True)
    for key, at in zip(keys.tolist(), first.tolist(), strict=True):
        if one.table.ids.text(key) != other.table.ids.text(int(other.table.key[b[at]])):
            return f"block {at} has another call id"
    touched = np.zeros(len(one.table), bool)
    touched[list(one.touched())] = True
    for at in np.flatnonzero(touched[a]).tolist():
        mine, theirs = block(dump, one, int(a[at])), block(again, other, int(b[at]))
        if "".join(mine.texts) != "".join(theirs.texts):
            return f"block {at} holds another text"
        if mine.name != theirs.name and mine.kind == Kind.TOOL_CALL:
            return f"block {at} has another tool name"
    return None


def _compared(transcript: Transcript) -> Ints:
    """The rows that are compared: not system text and tool definitions where an edit set them in the request itself."""
    rows = transcript.order
    return rows[(transcript.table.kind[rows] != Kind.SYSTEM) & (transcript.table.kind[rows] != Kind.TOOLS)]


def _dense(numbers: Ints) -> Ints:
    """The numbers in the order of their first coming; -1 stays."""
    found, first, back = np.unique(numbers, return_index=True, return_inverse=True)
    rank = np.empty(len(found), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(found))
    dense = rank[back]
    dense[numbers < 0] = -1
    return dense


def _word(name: str, value: int) -> str:
    if name == "kind":
        return Kind(value).word
    return Role(value).name.lower() if name == "role" else str(value)
