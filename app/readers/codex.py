"""Codex: what it makes of a rollout when it resumes.

Read from its source, openai/codex codex-rs/rollout/src/recorder.rs (`load_rollout_items`, `get_rollout_history`, at 05eb6e5),
codex-rs/core/src/codex/rollout_reconstruction.rs (023ceda) and codex-rs/core/src/context_manager/normalize.rs (0803cc5):

- The first `session_meta` says which session it is, by an id that is a UUID; without one it resumes nothing ("failed to parse thread ID
  from rollout file").
- A line that is no JSON is passed over, and so is a record that is not what Codex writes: without a timestamp, an item without its type.
  What it says next is appended, on the same line where the last one has no end.
- A `compacted` record puts its `replacement_history` in place of all that stands before it; one without begins anew with the person's
  messages and its summary.
- `thread_rolled_back` takes turns back (that is how the format reads it).
- A call without an output is answered "aborted" each time a request is made, and an output without a call is left out.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.edits import DELETE
from app.model.kinds import Flag, Kind
from app.model.reader import Reader, Resumed
from app.model.table import Ints, RecordKind
from app.model.transcript import Transcript

ANSWERED: Final = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
LEFT_OUT: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")


def resume(reader: Reader, transcript: Transcript) -> Resumed:
    """What would be read of a transcript. Of turns that were taken back nothing would be."""
    table, facts = transcript.table, transcript.table.extra
    if "header" not in facts or not len(table.records):
        return Resumed(reader)
    records = table.records
    gone, given = _edited(transcript)
    torn = np.flatnonzero((records.kind == RecordKind.UNPARSED) & ~np.isin(records.place, gone))
    if transcript.forks_from is not None:
        return Resumed(reader)
    sent = np.unique(table.record[transcript.sent])
    mine = set(np.unique(table.record[transcript.order]).tolist())
    unread = {record: wrong for record, wrong in facts["unread"].items() if record in mine and int(records.place[record]) not in given}
    aborted, left_out = _unpaired(transcript)
    return Resumed(
        reader, reached=len(sent[sent >= 0]), messages=len(sent[sent >= 0]), unreadable=torn, headless=-1 if facts["header"] else 0,
        unread=unread, aborted=aborted, left_out=left_out, replaced=transcript.walls[-1].record if transcript.walls else -1,
    )  # fmt: skip


def _edited(transcript: Transcript) -> tuple[list[int], set[int]]:
    """Lines that an edit takes out, and lines to which one gives their timestamp."""
    gone: list[int] = []
    given: set[int] = set()
    for pointer, value in transcript.request.items():
        line, _, key = pointer.removeprefix("/").partition("/")
        if line.isdecimal() and len(line) < 10:
            if not key and value is DELETE:
                gone.append(int(line))
            elif key == "timestamp":
                given.add(int(line))
    return gone, given


def _unpaired(transcript: Transcript) -> tuple[Ints, Ints]:
    """Rows of calls that no output names, and of outputs that name no call, among what is sent. Codex looks at ids alone."""
    table, rows = transcript.table, transcript.sent
    kind, key, word = table.kind[rows], table.key[rows], table.type[rows]
    server = (table.flags[rows] & Flag.SERVER) != 0
    answered = np.isin(word, [table.types.index(name) for name in ANSWERED if name in table.types])
    calls = (kind == Kind.TOOL_CALL) & ~server & answered
    results = (kind == Kind.TOOL_RESULT) & ~server
    named = np.isin(word, [table.types.index(name) for name in LEFT_OUT if name in table.types])
    every_call = key[(kind == Kind.TOOL_CALL) & ~server]
    aborted = rows[calls & (key >= 0) & ~np.isin(key, key[results])]
    left_out = rows[results & named & (key >= 0) & ~np.isin(key, every_call)]
    return aborted.astype(np.int64), left_out.astype(np.int64)


WORDS: Final = {
    "resume-line-unreadable": "Codex passes over such a line when it resumes.",
    "resume-record-unread": "Codex passes over such a record when it resumes, and says nothing.",
    "resume-header-missing": "Codex says “failed to parse thread ID from rollout file”.",
    "resume-call-aborted": "Codex does so with every call that has no output.",
    "resume-history-replaced": "Codex puts it in place of all that stands before it.",
}

READER = Reader(
    name="codex",
    title="Codex",
    format="codex",
    judges=frozenset(WORDS),
    resume=resume,
    words=WORDS,
)
