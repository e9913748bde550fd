"""What every format that keeps messages in envelopes promises when it is written: a law, for the tests of each."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from app.formats import FORMATS
from app.formats._scan import value_end
from app.model.dump import Dump
from app.model.edits import Change, Edit, Insert, Move, SetRequest
from app.model.errors import UnreadableError
from app.model.kinds import Kind
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.shared_rows import agreed
from app.providers import PROVIDERS
from tests.formats.edits import State, _edit, state


def round_trip(
    name: str, data: bytes, seed: int, most: int = 3, takes: Callable[[Transcript, Edit], bool] = lambda transcript, edit: True,
    inside: bool = False, leaf: bool = False,
) -> tuple[Dump, Dump, list[Edit], Any]:  # fmt: skip
    """Some random edits of one conversation, exported and opened again: what was in memory comes back, and so does every other one.
    The dump, the one that was read again, the edits and what was written are given back, for what the format asserts beside it.
    `takes`: edits that the format has no words for are left out. `inside`: results stand in their calls, in the order of those. `leaf`:
    the last record of the file says which line of talk goes on, so that another one may once that is gone."""
    format = FORMATS[name]
    dump = format.parse(Source.of(data))
    transcripts, done = list(dump.transcripts), list[Edit]()
    if transcripts:
        r = random.Random(seed)
        index = r.randrange(len(transcripts))
        edited = transcripts[index]
        for _ in range(r.randrange(1, most + 1)):
            edit = _edit(edited, r)
            if edit is None or isinstance(edit, SetRequest) or (isinstance(edit, Move) and edited.walls) or not takes(edited, edit):
                continue
            edited = apply(edited, [Change("an edit", "rule:none", "loses", (edit,))], PROVIDERS[format.provider]).transcript
            done.append(edit)
        transcripts[index] = edited
        transcripts = agreed(dump, transcripts)
        last = int(dump.transcripts[dump.opened].order[-1]) if len(dump.transcripts[dump.opened].order) else -1
        lost = leaf and last not in transcripts[dump.opened].order
    else:
        index, lost = 0, False
    writing = format.write_plan(dump, transcripts)
    again = format.parse(Source.of(b"".join(writing.chunks())))
    if lost and (len(transcripts) > 1 or (dump.table.records.kind == RecordKind.BOUNDARY).any()):
        return dump, again, done, writing
    only = any(transcript.forks_from for transcript in dump.transcripts) and any(isinstance(edit, Insert | Move) for edit in done)
    whole = [t for t in transcripts if t.own().any() and not _begins(t, transcripts)]
    wanted = [_state(dump, transcript, inside) for transcript in whole]
    found = [_state(again, transcript, inside) for transcript in again.transcripts if len(transcript.order)]
    if only:  # a made or moved row in what branches share is in the file for all of them
        start, rows = _state(dump, transcripts[index], inside)
        assert any(start in (at, len(rows)) and rows == held[: len(rows)] for at, held in [*found, (0, [])]), done
    elif any(transcript.forks_from for transcript in dump.transcripts):
        may = [_state(dump, transcript, inside) for transcript in transcripts]
        assert all(one in found for one in wanted), done
        assert all(one in may for one in found), done
    else:
        assert found == wanted, done
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values()), done
    return dump, again, done, writing


def _begins(one: Transcript, transcripts: Sequence[Transcript]) -> bool:
    """Whether a branch is nothing but the beginning of another one, now that the rest of it is gone."""
    order = one.order.tolist()
    return any(len(t.order) > len(order) and t.order[: len(order)].tolist() == order for t in transcripts if t is not one)


def _state(dump: Dump, transcript: Transcript, inside: bool) -> tuple[int, State]:
    found = state(dump, transcript)
    if inside:
        runs = [(key, list(rows)) for key, rows in groupby(found, lambda row: row[0] == Kind.TOOL_RESULT)]
        found = [row for key, rows in runs for row in (sorted(rows, key=str) if key else rows)]
    return transcript.start, found


def unchanged(name: str, data: bytes) -> Dump:
    """Without an edit the file comes back byte for byte."""
    format = FORMATS[name]
    dump = format.parse(Source.of(data))
    writing = format.write_plan(dump, dump.transcripts)
    assert b"".join(writing.chunks()) == data
    assert writing.tally.same == sum(dump.records.values())
    return dump


def damaged(name: str, data: bytes, times: int, seed: int = 0) -> None:
    """Whatever is cut off, turned over or swapped in a file, it opens or is refused with one line, and is copied as it stands."""
    format = FORMATS[name]
    r = random.Random(seed)
    swaps = [b"null", b"1e999", b"NaN", b"{}", b"[]", b'""', b"-1", b'{"type":[]}', b"true", b'"\\ud800"', b"99999999999999999999"]
    values = [m.span() for m in re.finditer(rb'"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null|\[\]|\{\}|\{"|\[\{', data)]
    for _ in range(times):
        pick = r.randrange(4)
        if pick == 0:
            broken = data[: r.randrange(len(data))]
        elif pick == 1:
            at = r.randrange(len(data))
            broken = data[:at] + bytes([r.randrange(256)]) + data[at + 1 :]
        else:
            start, end = r.choice(values)
            if data[start : start + 1] in b"{[":
                end = value_end(data, start)
            broken = data[:start] + r.choice(swaps) + data[end:]
        source = Source.of(broken)
        try:
            dump = format.parse(source, None)
        except UnreadableError as error:
            if "\n" in str(error):
                raise
            continue
        for transcript in dump.transcripts:
            state(dump, transcript)
        assert b"".join(format.write_plan(dump, dump.transcripts).chunks()) == broken
