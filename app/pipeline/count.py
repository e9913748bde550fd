"""Count: an estimate at once from the columns, exact counts in batches, and the sums that the window and the command line state.

A message's overhead stands on none of its blocks; steps, exchanges and totals contain it. It is one for each *stored* message (parts
of one split message together), never for a joined turn, so that sums are additive.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Stub, Words
from app.model.kinds import Flag, Kind
from app.model.provider import Provider
from app.model.table import Ints, Table
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import Totals, View
from app.pipeline.calibrate import calibrate, recorded
from app.pipeline.weigh import weigh
from app.tokens import counter as make_counter

__all__ = ["after_edits", "batches", "calibrate", "estimate", "exact", "fill", "recorded", "totals"]

# Characters a token by kind, measured with o200k_base on 3.5 million characters of recorded and sampled dumps (cl100k_base differs by
# under 2 %). Their total comes out 0.3 % high; of single dumps half are within 8 % and nine in ten within 35 %. A dump full of logs,
# base64 and other alphabets is estimated 25 % low, one of nothing but English prose 50 % high: columns do not tell them apart.
CHARACTERS: Final = {
    Kind.TEXT: 3.8, Kind.REASONING: 4.0, Kind.TOOL_CALL: 4.0, Kind.TOOL_RESULT: 3.5, Kind.SYSTEM: 4.6, Kind.TOOLS: 4.4, Kind.OTHER: 3.8,
}  # fmt: skip

BATCH: Final = 2_000
TOGETHER: Final = 256  # blocks decoded, then counted: taking turns drives the vocabulary out of the processor's cache (10 to 15 % of CPU)


def estimate(table: Table, provider: Provider, counter: str = "o200k_base") -> Tokens:
    """Tokens of every row from its kind and size alone. For `chars/4` this is the count itself, but for rows with media."""
    ratio = np.full(256, 4.0)
    if counter != "chars/4":
        for kind, characters in CHARACTERS.items():
            ratio[kind] = characters
    own = np.ceil(table.size / ratio[table.kind]).astype(np.int32)
    own[table.kind == Kind.TOOL_CALL] += provider.overhead.call
    media = (table.kind == Kind.MEDIA) | ((table.flags & Flag.MEDIA) != 0)
    own[media] += provider.image_tokens(None, None)
    known = (table.kind == Kind.EMPTY) | (~media if counter == "chars/4" else False)
    return Tokens(counter, own, np.broadcast_to(known, len(own)).copy())


def batches(table: Table, rows: Ints, size: int = BATCH) -> Iterator[Ints]:
    """The rows in pieces of about `size`, the last ones first; the rows of one record stay together, so that it is parsed once."""
    rows = np.sort(rows)
    record = table.record[rows]
    end = len(rows)
    while end > 0:
        start = max(0, end - size)
        if start:
            start = int(np.searchsorted(record[:end], record[start], side="left"))
        yield rows[start:end]
        end = start


def exact(dump: Dump, rows: Ints, provider: Provider, counter: str) -> Ints:
    """Exact tokens of rows of the dump as it was opened, aligned with `rows`. Needs rows that the dump holds, none that an edit made."""
    one = make_counter(counter)
    each = FORMATS[dump.format].each_block(dump.table, dump.source, rows.tolist())
    own: list[int] = []
    while blocks := list(islice(each, TOGETHER)):
        own += [one.block(block, provider) for block in blocks]
    return np.asarray(own, np.int32)


def fill(dump: Dump, tokens: Tokens, provider: Provider, rows: Ints | None = None) -> Tokens:
    """Counts in place, newest rows first, what is not exact yet: of `rows`, else of all that a transcript of the dump lists."""
    if rows is None:
        rows = np.unique(np.concatenate([t.order for t in dump.transcripts])) if dump.transcripts else np.empty(0, np.int32)
    for batch in batches(dump.table, rows[~tokens.exact[rows]]):
        tokens.own[batch] = exact(dump, batch, provider, tokens.counter)
        tokens.exact[batch] = True
    return tokens


def after_edits(dump: Dump, tokens: Tokens, transcript: Transcript, provider: Provider) -> Tokens:
    """Tokens for an edited transcript: the rows that edits made or changed are counted anew, all others keep what they have."""
    fresh = tokens.grown([0] * (len(transcript.table) - len(tokens.own)))
    touched = np.fromiter(transcript.touched(), np.int64)
    if not len(touched):
        return fresh
    reader, one = FORMATS[dump.format], make_counter(tokens.counter)
    alike = _one_text(transcript, touched)
    for number in np.unique(alike[alike >= 0]).tolist():
        fresh.own[touched[alike == number]] = one.texts(transcript.contents[number].of(()))
    for row in np.sort(touched[alike < 0]).tolist():
        fresh.own[row] = one.block(reader.block(transcript, row, dump.source), provider)
    fresh.exact[touched] = True
    return fresh


def _one_text(transcript: Transcript, rows: Ints) -> Ints:
    """For rows of results that hold nothing but a text that many share: its number among the contents; -1 for all others."""
    found = np.full(len(rows), -1, np.int64)
    if transcript.content is None:
        return found
    plain = [number for number, content in enumerate(transcript.contents) if isinstance(content, Stub | Words)]
    known = (rows < len(transcript.content)) & (transcript.table.kind[rows] == Kind.TOOL_RESULT)
    known[known] = np.isin(transcript.content[rows[known]], plain)
    special = [*transcript.made, *transcript.fields]
    known &= ~np.isin(rows, special)
    found[known] = transcript.content[rows[known]]
    return found


def totals(view: View, tokens: Tokens, provider: Provider) -> Totals:
    """What the next request would carry and what it would not; each step and exchange with the overhead of the messages that begin in it.

    A message that has any row in the sent part is sent. By step and by exchange all rows count, sent or not.
    """
    own = tokens.own[view.rows].astype(np.int64)
    if view.message_overhead is None:
        weigh(view, tokens, provider)
    overhead = view.message_overhead
    assert overhead is not None
    message, start = view.message, view.start
    first = _first_of(message, len(overhead))
    sent = np.zeros(len(overhead), bool)
    sent[message[start:][message[start:] >= 0]] = True
    live = first < len(view)
    carried = own.copy()
    carried[first[live]] += overhead[live]
    return Totals(
        total=int(own[start:].sum() + overhead[sent].sum()),
        not_sent=int(own[:start].sum() + overhead[live & ~sent].sum()),
        counter=tokens.counter,
        exact=bool(tokens.exact[view.transcript.sent].all()),
        by_step=_by(view.groups.step, carried, view.groups.steps),
        by_exchange=_by(view.groups.exchange, carried, view.groups.exchanges),
    )


def _first_of(message: Ints, count: int) -> Ints:
    """First position of each dense message; as many positions as there are where a message has none."""
    first = np.full(count, len(message), np.int64)
    inside = np.flatnonzero(message >= 0)[::-1]
    first[message[inside]] = inside  # the last write wins: the smallest position
    return first


def _by(group: Ints, values: Ints, count: int) -> Ints:
    inside = group >= 0
    return np.bincount(group[inside], weights=values[inside], minlength=count).astype(np.int64)
