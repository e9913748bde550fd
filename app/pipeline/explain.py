"""From a provider's words to the place: what an error text may mean, and which of it the transcript shows.

The id that a text names goes before everything, the place is a hint (providers count joined messages, and often name the turn behind),
the wording says which rules come into question. Several rules share one text; what the transcript shows decides among them. An error is
about a request that was sent, so the question is always whether this could be sent now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from app.matching import WORDINGS, Heard, Wording, hear, meaning
from app.matching.hear import Meant
from app.matching.named import Spot, Token, looks_like_id, spots
from app.model.dump import Dump
from app.model.explained import Candidate, Explained, Named
from app.model.findings import Finding, Hit, Report
from app.model.ids import Ids
from app.model.provider import Provider, Reading
from app.model.source import Source
from app.model.table import Ints
from app.model.view import View
from app.pipeline.check import check, hits, scene_of, worded
from app.pipeline.names import rule_summary
from app.pipeline.read import read
from app.providers import PROVIDERS

AT_ID, AT_PLACE, SHOWN, ASIDE, OTHER, NONE, UNKNOWN = range(7)  # how much speaks for a candidate, the most first
WHYS = {
    AT_ID: "it names this id", AT_PLACE: "it names this place", SHOWN: "its words fit, and this is in the transcript",
    ASIDE: "its words fit; what it names stands elsewhere", OTHER: "not its words, but it names this id",
    NONE: "its words fit; the transcript shows no such defect", UNKNOWN: "its words are not known here; this would be refused",
}  # fmt: skip
CLOSE = 0.5  # from here on a place counts as the one that was named
EACH = 5  # places of one rule that are offered where nothing picks one; where an id or a place does, all up to MOST
MOST = 40
TOKENS = 400  # words of a text that are looked up as ids
STRANGE = 20  # ids that are named and not there, kept to be said
BEGINNING = 6  # characters that an id must have that was cut off
WEIGHTS = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class _Seen:
    """A finding with what speaks for it."""

    finding: Finding
    tier: int
    closeness: float
    meant: Meant | None
    place: int  # its position in the transcript

    @property
    def order(self) -> tuple[int, int, float, float, int, int]:
        score, usual = (self.meant.score, self.meant.order) if self.meant else (0.0, 99)
        return self.tier, WEIGHTS[self.finding.severity], -self.closeness, -round(score, 3), usual, self.place


def explain(
    text: str, view: View, provider: Provider, model: str | None, source: Source | Dump | None = None, status: int | None = None
) -> Explained:
    """What an error text comes to on a transcript that is judged for `provider`. `source`: what the blocks are read from; `status`: the
    HTTP status where it is known beside the text."""
    heard = hear(text, status, wordings())
    case = _Case(heard, view, provider, model, source)
    found = sorted(case.seen(), key=lambda seen: seen.order)
    by_id = any(seen.tier in (AT_ID, OTHER) for seen in found)
    candidates = [_candidate(seen) for seen in _few(found)]
    shown = {candidate.rule for candidate in candidates}
    ids = tuple(named.id for named in case.named) or case.strange
    absent = [_absent(meant, ids) for meant in heard.meant if meant.rule not in shown]
    before = [c for c in candidates if c.why != WHYS[OTHER]]
    others = [c for c in candidates if c.why == WHYS[OTHER]]
    candidates = [*before, *others, *absent]
    if not candidates and not heard.elsewhere:
        candidates = list(case.unknown())
    return Explained(
        words=heard.words, candidates=tuple(candidates), known=bool(heard.meant) or by_id, elsewhere=heard.elsewhere,
        named=case.named, strange=case.strange,
    )  # fmt: skip


@lru_cache(maxsize=1)
def wordings() -> tuple[Wording, ...]:
    """All that an error text is compared with: the table of app/matching, and what each provider's module says that it would say."""
    said: dict[tuple[str, str], dict[str, None]] = {}
    for provider in PROVIDERS.values():
        for key, text in provider.words.items():
            if text:
                said.setdefault((provider.name, text), {})[key.partition("/")[0]] = None
    own = (Wording(name, tuple(rules), (text,), f"app/providers, {name}") for (name, text), rules in said.items())
    return (*WORDINGS, *own)


def _few(found: Sequence[_Seen]) -> Iterator[_Seen]:
    """Of each rule what an id or a place picks; where nothing does, the first few."""
    picked = {seen.finding.rule for seen in found if seen.tier <= AT_PLACE}
    by_id = {seen.finding.rule for seen in found if seen.tier == AT_ID}
    count: dict[str, int] = {}
    for seen in found:
        rule = seen.finding.rule
        if (seen.tier > AT_ID and rule in by_id) or (seen.tier > AT_PLACE and rule in picked):
            continue
        count[rule] = count.get(rule, 0) + 1
        if count[rule] <= (MOST if seen.tier <= AT_PLACE else EACH):
            yield seen


def _candidate(seen: _Seen) -> Candidate:
    finding = seen.finding
    return Candidate(finding.rule, finding.at, finding.ids, finding.row, rule_summary(finding.rule), WHYS[seen.tier])


def _absent(meant: Meant, ids: tuple[str, ...]) -> Candidate:
    summary = rule_summary(meant.rule)
    return Candidate(meant.rule, None, ids, -1, summary or meaning(meant.rule), WHYS[NONE], bool(summary))


class _Case:
    """One text before one transcript."""

    def __init__(self, heard: Heard, view: View, provider: Provider, model: str | None, source: Source | Dump | None) -> None:
        self.heard, self.view, self.provider, self.model, self.source = heard, view, provider, model, source
        self.reading, self.report = self._judged(provider)
        positions, self.named, self.strange = self._ids()
        self._rows_named = self.view.rows[positions]
        self._ids_named = {named.id for named in self.named}
        self._tools = {view.transcript.table.names.index(name) for name in heard.tools if name in view.transcript.table.names}

    def _judged(self, provider: Provider) -> tuple[Reading, Report]:
        """What the provider would say if it were sent now; made once for all texts about one view."""
        key = ("sent now", provider.name, self.model, self.source is not None)
        if key not in self.view.readings:
            self.view.readings[key] = check(self.view, provider, self.model, "complete", self.source)
        report: Report = self.view.readings[key]
        return read(self.view, provider, report.model, "complete"), report

    # -- ids ------------------------------------------------------------------------------------------------------------------------

    def _ids(self) -> tuple[Ints, tuple[Named, ...], tuple[str, ...]]:
        """Positions of the blocks whose id the text names; all ids that it names and the transcript has; those that it has not."""
        table, scene = self.view.transcript.table, scene_of(self.reading, self.source)
        kinds = [(table.ids, self.view.key)]
        if table.item is not None:  # items have ids of their own
            kinds.append((table.item_ids, table.item[self.view.rows]))
        at: list[Ints] = []
        named: dict[str, Named] = {}
        strange: dict[str, None] = {}
        for token in sorted(self.heard.tokens, key=lambda token: not looks_like_id(token.text))[:TOKENS]:
            there = list(_called(token, kinds))
            for id_, positions in there:
                at.append(positions)
                row = int(self.view.rows[positions[0]])
                named.setdefault(id_, Named(id_, row, scene.pointer_of(row)))
            if not there and looks_like_id(token.text) and not token.cut and len(strange) < STRANGE:
                strange[token.text] = None
        return np.concatenate(at) if at else np.empty(0, np.int64), tuple(named.values()), tuple(strange)

    # -- findings -------------------------------------------------------------------------------------------------------------------

    def seen(self) -> Iterator[_Seen]:
        """The findings that the words, an id or a place of the text may be about."""
        meant = {m.rule: m for m in self.heard.meant}
        told = set()
        for finding in self._findings(self.reading, self.report):
            fits, at_id = meant.get(finding.rule), self._at_id(finding)
            if fits is None and not at_id:
                continue
            told.add(finding.rule)
            yield self._weighed(self.reading, finding, fits, at_id)
        for name in dict.fromkeys(m.provider for m in self.heard.meant if m.rule not in told):
            if name in PROVIDERS and name != self.provider.name:  # the words are another provider's: a router stood between
                yield from self._by(PROVIDERS[name], meant, told)

    def _by(self, provider: Provider, meant: dict[str, Meant], told: set[str]) -> Iterator[_Seen]:
        reading, report = self._judged(provider)
        for finding in self._findings(reading, report):
            fits = meant.get(finding.rule)
            if fits is not None and finding.rule not in told:
                yield self._weighed(reading, finding, fits, self._at_id(finding))

    def _findings(self, reading: Reading, report: Report) -> Iterator[Finding]:
        yield from report.findings
        if report.left_out and len(self._rows_named):
            shown = {(finding.rule, finding.row) for finding in report.findings}
            for rule, hit in hits(reading):
                which = np.flatnonzero(np.isin(hit.rows, self._rows_named))[:MOST]
                which = np.asarray([i for i in which.tolist() if (rule.name, int(hit.rows[i])) not in shown], np.int64)
                if len(which):
                    yield from worded(reading, self.source, rule, Hit(hit.rows[which], hit.details[which], hit.severity))

    def _at_id(self, finding: Finding) -> bool:
        return bool(self._ids_named.intersection(finding.ids)) or bool((self._rows_named == finding.row).any())

    def _weighed(self, reading: Reading, finding: Finding, meant: Meant | None, at_id: bool) -> _Seen:
        position = self.view.at(finding.row)
        near = max((_closeness(spot, place) for spot in self.heard.spots for place in _places(reading, finding, position)), default=0.0)
        if position >= 0 and int(self.view.name[position]) in self._tools:
            near += 0.05  # between two that are as near
        named = bool(self.named or self.heard.spots)
        tier = AT_PLACE if near >= CLOSE else ASIDE if named else SHOWN
        if at_id:
            tier = AT_ID if meant else OTHER
        return _Seen(finding, tier, near, meant, position)

    def unknown(self) -> Iterator[Candidate]:
        """What would be refused, a place for each of the first causes, where the words of the text lead nowhere."""
        causes: set[str] = set()
        for finding in self.report.findings:
            cause = finding.cause or f"{finding.rule} {finding.row}"
            if finding.severity == "error" and cause not in causes and len(causes) < EACH:
                causes.add(cause)
                yield _candidate(_Seen(finding, UNKNOWN, 0.0, None, self.view.at(finding.row)))


# -- ids and places --------------------------------------------------------------------------------------------------------------


def _called(token: Token, kinds: Sequence[tuple[Ids, Ints]]) -> Iterator[tuple[str, Ints]]:
    """Ids of a transcript that a word is, or whose beginning it is, and the positions at which they stand."""
    for ids, column in kinds:
        numbers = [ids.number(token.text)]
        if numbers[0] < 0 and token.cut and len(token.text) >= BEGINNING:
            numbers = ids.beginning(token.text)
        for number in numbers:
            positions = np.flatnonzero(column == number) if number >= 0 else column[:0]
            if len(positions):
                yield ids.text(number) or "", positions


def _places(reading: Reading, finding: Finding, position: int) -> Iterator[Spot]:
    """Where a finding is, as its provider counts it and as the list of messages would."""
    if finding.provider_at:
        yield from spots(finding.provider_at)
    if position < 0 or reading.wire_message[position] < 0:
        return
    last = finding.at.rsplit("/", 1)[-1]
    block = int(last) if last.isdecimal() and finding.at.count("/") > 2 else None
    yield Spot(int(reading.wire_message[position]), block)
    yield Spot(int(reading.turn[position]), block)


def _closeness(said: Spot, is_at: Spot) -> float:
    """From 0 to 1. A text often names the turn behind, the one that should have answered; a place counted from 1 is one too far."""
    said = replace(said, message=said.message - said.first, block=None if said.block is None else said.block - said.first, first=0)
    apart = abs(said.message - is_at.message)
    if apart > 1:
        return 0.3 / apart
    near = 0.8 if not apart else 0.6 if said.message > is_at.message else 0.5
    if said.block is None or is_at.block is None:
        return near
    blocks = abs(said.block - is_at.block)
    return near + 0.2 if not blocks and not apart else near - min(0.1, 0.02 * blocks)
