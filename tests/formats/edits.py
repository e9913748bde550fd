"""Random edits for round trips, and what of a transcript must come back when it is exported and opened again."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import After, Before, Cap, Change, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, SetRequest, Stub, Words, drop
from app.model.kinds import Flag, Kind, Role
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.providers import PROVIDERS

State = list[tuple[Any, ...]]


def state(dump: Dump, transcript: Transcript) -> State:
    """Kind, role, texts, name of a call, call id and error mark of each row in order."""
    format = FORMATS[dump.format]
    blocks = (format.block(transcript, int(row), dump.source) for row in transcript.order)
    return [(b.kind, b.role, b.texts, b.name if b.kind == Kind.TOOL_CALL else None, b.call_id, b.error) for b in blocks]


def edited(dump: Dump, seed: int, most: int = 5) -> tuple[Transcript, list[Edit]]:
    """The transcript of a dump after some random edits, and the edits."""
    r = random.Random(seed)
    transcript, done = dump.transcripts[0], []
    provider = PROVIDERS[FORMATS[dump.format].provider]
    for _ in range(r.randrange(1, most + 1)):
        edit = _edit(transcript, r)
        if edit is not None:
            transcript = apply(transcript, [Change("an edit", "rule:none", "loses", (edit,))], provider).transcript
            done.append(edit)
    return transcript, done


def _edit(transcript: Transcript, r: random.Random) -> Edit | None:
    table = transcript.table
    live = [row for row in transcript.order.tolist() if table.message[row] >= 0]
    if not live:
        return None
    row = r.choice(live)
    kind, server = table.kind[row], bool(table.flags[row] & Flag.SERVER)
    plain = table.role[row] in (Role.USER, Role.ASSISTANT)
    calls = [c for c in live if table.kind[c] == Kind.TOOL_CALL and not table.flags[c] & Flag.SERVER]
    pick = r.randrange(10)
    if pick < 2 and len(live) > 1:
        return drop(*r.sample(live, min(len(live) - 1, r.randrange(1, 4))))
    if pick < 4 and kind == Kind.TOOL_RESULT and not server:
        return Replace(np.asarray([row], np.int32), r.choice([Stub("stub é"), Words('w"ords\n'), Cap(200), Cap(250)]))
    if pick < 4 and kind == Kind.TEXT:
        return Replace(np.asarray([row], np.int32), Words("other ü text"))
    if pick == 4 and calls:
        call = r.choice(calls)
        return Insert(HeadOf(call), Made(Kind.TOOL_RESULT, Role.USER, "[no result]", call, table.joins and r.random() < 0.5))
    if pick == 5:
        place = r.choice([Before(row), After(row), End()])
        return Insert(place, Made(Kind.TEXT, r.choice([Role.USER, Role.ASSISTANT]), "made \u2028 text"))
    if pick == 6 and kind == Kind.TOOL_RESULT and not server:
        home = [call for call in calls if table.key[call] == table.key[row]]
        return Move(row, HeadOf(home[0])) if home else None
    if pick == 7 and kind == Kind.TOOL_CALL and not server:
        return r.choice([Set(row, "call_id", "new_id"), Set(row, "name", "n_ä"), Set(row, "input", {"a": [1, "é"]})])
    if pick == 7 and kind == Kind.TOOL_RESULT and not server:
        return r.choice([Set(row, "call_id", "zz"), Set(row, "content", "(nothing)")])
    if pick == 8 and kind == Kind.TEXT and plain:
        return r.choice([Set(row, "text", "set text"), Move(row, r.choice([Before, After])(r.choice(live)))])
    if pick == 9 and r.random() < 0.5:
        return SetRequest("/max_tokens", r.choice([5, {"a": 1}]))
    heads = [h for h in transcript.order.tolist() if table.kind[h] in (Kind.SYSTEM, Kind.TOOLS)]
    return drop(r.choice(heads)) if pick == 9 and heads else None
