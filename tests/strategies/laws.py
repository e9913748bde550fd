"""One transcript, every strategy, every budget: what a plan promises against what comes out when it is written and read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.findings import Report
from app.model.plan import Plan
from app.model.provider import Provider
from app.model.source import Source
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import counted
from app.pipeline.count import totals
from app.pipeline.load import load
from app.pipeline.names import provider_named
from app.pipeline.rank import Arranged

HINTS = {"anthropic": "anthropic-messages", "bedrock": "bedrock-converse", "deepseek": "openai-chat"}


@dataclass
class Opened:
    dump: Dump
    view: View
    provider: Provider
    counter: str
    wire: str

    @property
    def transcript(self) -> Transcript:
        return self.dump.transcripts[0]


def opened(request: dict[str, Any], wire: str, counter: str = "chars/4", pinned: frozenset[int] = frozenset()) -> Opened:
    """A request as a file that was opened and counted."""
    return read(json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass"), wire, counter, pinned)


def read(data: bytes, wire: str, counter: str = "chars/4", pinned: frozenset[int] = frozenset()) -> Opened:
    dump = load(Source.of(data, "dump.json"), HINTS.get(wire, wire))
    provider = provider_named("anthropic" if wire == "claude-code" else wire)
    view, _ = counted(dump, dump.transcripts[0], provider, counter)
    view.pinned = pinned
    return Opened(dump, view, provider, counter, wire)


def written(one: Opened, after: Transcript) -> bytes:
    return b"".join(FORMATS[one.dump.format].write(one.dump, [after]))


def recounted(one: Opened, after: Transcript) -> int:
    """Tokens of a transcript when it is written, read again and counted."""
    again = read(written(one, after), one.wire, one.counter)
    _, tokens = counted(again.dump, again.transcript, again.provider, one.counter)
    return totals(again.view, tokens, again.provider).total


def budgets(arranged: Arranged, most: int = 6) -> list[int | None]:
    """Each rung and one token less, some of them, and no budget."""
    rungs = arranged.ranking.rungs
    picked = rungs[np.unique(np.linspace(0, len(rungs) - 1, most).astype(int))].tolist()
    return [None, 0, *picked, *(rung - 1 for rung in picked)]


def untouched(one: Opened, plan: Plan) -> bool:
    """The last real prompt, the newest step, pinned exchanges, what is not sent, system text and tools: none is dropped or replaced."""
    view, groups = one.view, one.view.groups
    changed = plan.dropped | plan.replaced
    kept = ~view.in_messages
    kept[: view.start] = True
    kept |= np.isin(groups.exchange, list(view.pinned))
    if groups.steps:
        kept |= groups.step == groups.steps - 1
    if groups.live >= 0 and not (groups.zero and groups.live == 0):
        kept |= view.message == view.message[groups.first[groups.live]]
    return not (changed & kept).any()


def pairs_whole(one: Opened, plan: Plan) -> bool:
    """A call and its result leave together wherever they stand."""
    partner, start = one.view.links.partner, one.view.start
    ends = np.flatnonzero(partner >= 0)
    ends = ends[(ends >= start) & (partner[ends] >= start)]
    return bool((plan.dropped[ends] == plan.dropped[partner[ends]]).all())


def error_set(report: Report) -> set[tuple[str, int]]:
    return {(f.rule, f.row) for f in report.findings if f.severity == "error"}
