"""Edits drawn at random for a transcript of a real file: what a person, a repair or a strategy might do, and what none would."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from app.model.edits import After, Before, Cap, Change, Drop, Edit, End, HeadOf, Insert, Made, Move, Place, Replace, Set, Stub, Words
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.transcript import Transcript
from app.pipeline.apply import apply

TEXTS = st.sampled_from(["plain", "naïve ✓ 日本", 'quo"te \\ back', "line\nend", "</tag> \x7f"])
INPUTS = st.sampled_from([{}, {"path": "é", "n": 1.5}, {"deep": [1, {"x": None}]}])


def rows_of(transcript: Transcript, *kinds: Kind) -> list[int]:
    table, rows = transcript.table, transcript.order
    client = (table.flags[rows] & Flag.SERVER) == 0
    return rows[client & np.isin(table.kind[rows], kinds)].tolist()


@st.composite
def an_edit(draw: st.DrawFn, transcript: Transcript, provider: Provider) -> Edit | None:
    """One edit that addresses live rows; None where there is none to address."""
    rows = rows_of(transcript, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.REASONING, Kind.MEDIA, Kind.EMPTY)
    calls, results = rows_of(transcript, Kind.TOOL_CALL), rows_of(transcript, Kind.TOOL_RESULT)
    texts = rows_of(transcript, Kind.TEXT)
    if not rows:
        return None
    row = draw(st.sampled_from(rows))
    place: Place = draw(st.sampled_from([Before(row), After(row), End()]))
    choices: list[Edit] = [
        Drop(np.asarray(draw(st.lists(st.sampled_from(rows), min_size=1, max_size=4, unique=True)), np.int32)),
        Insert(place, Made(Kind.TEXT, draw(st.sampled_from([Role.USER, Role.ASSISTANT])), draw(TEXTS))),
    ]
    if results:
        result = draw(st.sampled_from(results))
        content = draw(st.sampled_from([Stub("[gone]"), Cap(200), Words("other words")]))
        choices += [Replace(np.asarray([result], np.int32), content), Set(result, "content", draw(TEXTS))]
        choices += [Set(result, "block.is_error", True)] if provider.name == "anthropic" else []
    if calls:
        call = draw(st.sampled_from(calls))
        choices += [Insert(HeadOf(call), Made(Kind.TOOL_RESULT, provider.answers, "[no result recorded]", call, True))]
        choices += [Set(call, "input", draw(INPUTS)), Set(call, "name", "another"), Set(call, "call_id", "call_9")]
        choices += [Move(result, HeadOf(call))] if results else []
    if texts:
        text = draw(st.sampled_from(texts))
        choices += [Set(text, "text", draw(TEXTS))] + ([Move(text, place)] if place != Before(text) and place != After(text) else [])
    return draw(st.sampled_from(choices))


@st.composite
def edited(draw: st.DrawFn, transcript: Transcript, provider: Provider) -> Transcript:
    """A transcript with up to five edits, one after the other."""
    for _ in range(draw(st.integers(0, 5))):
        edit = draw(an_edit(transcript, provider))
        if edit is not None:
            transcript = apply(transcript, [Change("drawn", "test", "loses", (edit,))], provider).transcript
    return transcript
