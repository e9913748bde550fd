"""How many of what a transcript holds. A branch counts only what it alone holds; its pairs are looked up along its whole path.

A call that the model no longer sees answers for no result behind the compaction: such a result is an orphan here as it is in the findings,
and the call has no result on its side of the wall.
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Kind
from app.model.table import RecordKind, Shown
from app.model.view import View


def counts(view: View) -> dict[str, int]:
    """The object `counts` of `check --json`. System text and tool definitions beside the messages, and the row of an empty message,
    are in none of them."""
    transcript, records = view.transcript, view.transcript.table.records
    own = transcript.own()
    ours = (records.owner == transcript.index) & (records.kind != RecordKind.HEAD)
    calls, results = view.calls & own, view.results & own
    partner = view.links.partner
    sent = np.arange(len(partner)) >= view.start
    partner = np.where((partner >= view.start) == sent, partner, -1)
    heads = np.unique(view.message[view.in_messages], return_index=True)[1]
    groups = view.groups
    return {
        "records": int(ours.sum()),
        "unparsed_records": int((ours & (records.shown == Shown.UNPARSED)).sum()),
        "messages": int(own[np.flatnonzero(view.in_messages)[heads]].sum()),
        "blocks": int((own & view.in_messages & (view.kind != Kind.EMPTY)).sum()),
        "exchanges": int(own[groups.first].sum()),
        "steps": int(own[groups.step_first].sum()),
        "tool_calls": int(calls.sum()),
        "tool_results": int(results.sum()),
        "server_tool_calls": int(((view.kind == Kind.TOOL_CALL) & view.server & own).sum()),
        "unanswered_calls": int((calls & (partner < 0)).sum()),
        "orphan_results": int((results & (partner < 0) & ~view.links.extra).sum()),
    }
