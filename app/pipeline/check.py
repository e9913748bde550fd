"""What a provider would refuse: every rule that judges, over columns; words and fixes for the findings that are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.model.dump import Dump
from app.model.findings import Finding, Hit, Mode, Report, Severity
from app.model.kinds import Kind
from app.model.provider import Provider, Reading
from app.model.source import Source
from app.model.table import Ints
from app.model.view import View
from app.pipeline.blocks import Blocks
from app.pipeline.read import read
from app.rules import RULES
from app.rules._rule import Rule, Said
from app.rules._scene import Scene, Site

SHOWN = 1000  # findings of a rule that are put into words
WEIGHTS: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}
EMPTY, CALL = int(Kind.EMPTY), int(Kind.TOOL_CALL)


def check(
    view: View, provider: Provider, model: str | None, mode: Mode, source: Source | Dump | None = None, all_findings: bool = False
) -> Report:
    """Judges what would be sent of a transcript.

    `model`: None takes what the dump says. `source`: what the blocks are read from, for places, ids and the fixes that need words; a
    Dump also tells where a missing partner stands on another branch. Counts are complete; the first 1,000 findings of a rule are put
    into words unless `all_findings`. The other mode costs little: what does not depend on it is kept with the view.
    """
    reading = read(view, provider, model if model is not None else view.transcript.model, mode)
    provider = reading.provider
    rules = judged(provider, reading.model)
    found = list(hits(reading, rules))
    scene = scene_of(reading, source)
    findings: list[tuple[int, int, Finding]] = []
    kept = view.readings.setdefault(("findings", provider.name, reading.model, all_findings, source is not None), {})
    shown = list(_shown(found, None if all_findings else SHOWN))
    for number, (rule, hit) in enumerate(shown):
        if rule.by_mode:
            findings += _findings(scene, rule, hit)
            continue
        key = rule.name, hit.severity, sum(1 for before, _ in shown[:number] if before is rule)
        if key not in kept:
            kept[key] = list(_findings(scene, rule, hit))
        findings += kept[key]
    findings.sort(key=lambda entry: entry[:2])
    counts: dict[str, int] = defaultdict(int)
    by_rule: dict[str, list[tuple[Rule, Hit]]] = defaultdict(list)
    for rule, hit in found:
        counts[rule.name] += len(hit.rows)
        by_rule[rule.name].append((rule, hit))
    return Report(
        provider=provider.name, model=reading.model, mode=mode,
        verdict="reject" if any(hit.severity == "error" and len(hit.rows) for _, hit in found) else "accept",
        counts={name: count for name, count in sorted(counts.items()) if count},
        findings=[finding for _, _, finding in findings], left_out=sum(counts.values()) - len(findings),
        rules=sum(not rule.everywhere for rule in rules),
        not_judged=(*_as_if(reading), *provider.not_judged), pending=reading.pending,
        error_rows=_rows(found, "error"), warning_rows=_rows(found, "warning"),
        errors_of={name: _rows(by_rule[name], "error", every=True) for name in counts},
    )  # fmt: skip


def _as_if(reading: Reading) -> Iterator[str]:
    """What is said where a dump is judged for another provider than the one whose wire it is in."""
    if not reading.native:
        name = reading.view.transcript.table.format
        yield f"the dump is {name}: it is judged as if each of its blocks were written in the wire of {reading.provider.title}"


def judged(provider: Provider, model: str | None = None) -> list[Rule]:
    """The rules that judge for a provider and a model, by name."""
    names = {name for name in provider.judges if provider.judging(name, model)} | {rule.name for rule in RULES.values() if rule.everywhere}
    return [RULES[name] for name in sorted(names)]


def hits(reading: Reading, rules: Sequence[Rule] | None = None) -> Iterator[tuple[Rule, Hit]]:
    """What each rule finds; `rules`: those that judge, where they are at hand. Rules that do not depend on the mode are asked once for a
    view, a provider and a model."""
    kept = reading.view.readings.setdefault(("hits", reading.provider.name, reading.model), {})
    present = reading.view.flags_present
    for rule in judged(reading.provider, reading.model) if rules is None else rules:
        if rule.any_of and not rule.any_of & present:
            continue
        if rule.by_mode:
            found = rule.check(reading)
        else:
            if rule.name not in kept:
                kept[rule.name] = rule.check(reading)
            found = kept[rule.name]
        for hit in found:
            yield rule, hit
    yield from _of_reader(reading)


def _of_reader(reading: Reading) -> Iterator[tuple[Rule, Hit]]:
    """What would go wrong if the program that owns the dump went on with it. Asked once for a view."""
    if reading.resumed is None:
        return
    kept = reading.view.readings.setdefault("hits of the reader", {})
    for name in sorted(reading.resumed.reader.judges):
        rule = RULES[name]
        if rule.any_of and not rule.any_of & reading.view.flags_present:
            continue
        if name not in kept:
            kept[name] = rule.check(reading)
        for hit in kept[name]:
            yield rule, hit


def scene_of(reading: Reading, source: Source | Dump | None) -> Scene:
    """What rules look at for words and fixes."""
    transcript = reading.view.transcript
    blocks = None if source is None else Blocks(source, transcript)
    return Scene(reading, blocks, source.transcripts if isinstance(source, Dump) else (), None if blocks is None else blocks.value)


def sites(scene: Scene, rule: Rule, hit: Hit) -> Iterator[Site]:
    """The places of a hit, one by one."""
    for row, detail in zip(hit.rows.tolist(), hit.details.tolist(), strict=True):
        yield Site(scene, rule.name, scene.view.at(row), detail, hit.severity)


def worded(reading: Reading, source: Source | Dump | None, rule: Rule, hit: Hit) -> list[Finding]:
    """The findings of a hit in words, in its order: for who picked some that the thousand of a report left out."""
    return [finding for _, _, finding in _findings(scene_of(reading, source), rule, hit)]


def _shown(found: Sequence[tuple[Rule, Hit]], limit: int | None) -> Iterator[tuple[Rule, Hit]]:
    """The hits cut to `limit` a rule, errors first."""
    left: dict[str, int] = {}
    for rule, hit in sorted(found, key=lambda pair: WEIGHTS[pair[1].severity]):
        room = left.get(rule.name, limit if limit is not None else len(hit.rows))
        part = len(hit.rows) if limit is None else min(room, len(hit.rows))
        left[rule.name] = room - part
        if part:
            yield rule, Hit(hit.rows[:part], hit.details[:part], hit.severity)


def _rows(found: Sequence[tuple[Rule, Hit]], severity: Severity, every: bool = False) -> Ints:
    """The row of each finding of a severity; a row stands there as often as it has findings. `every`: -1 too, for those without one."""
    rows = [hit.rows[(hit.rows >= 0) | every] for _, hit in found if hit.severity == severity and len(hit.rows)]
    return np.concatenate(rows) if rows else np.empty(0, np.int32)


# -- words ----------------------------------------------------------------------------------------------------------------------


def _findings(scene: Scene, rule: Rule, hit: Hit) -> Iterator[tuple[int, int, Finding]]:
    for site in sites(scene, rule, hit):
        said = rule.say(site)
        place = _provider_place(site, said)
        related = rule.related(site)
        beside = scene.view.at(related) if related != site.row else -1
        finding = Finding(
            rule=rule.name, severity=hit.severity, row=site.row, at=_at(site, said), provider_at=place.at, ids=said.ids,
            message=said.message, provider_error=_provider_words(site, said, place), reason=said.reason,
            fixes=tuple(rule.fixes(site)), cause=said.cause, detail=site.detail, related=related if beside >= 0 else -1,
            related_at=scene.pointer(beside) if beside >= 0 else "",
        )  # fmt: skip
        yield WEIGHTS[hit.severity], site.position, finding


def _at(site: Site, said: Said) -> str:
    if said.pointer:
        return said.pointer
    if site.position < 0:
        return site.scene.table.pointer_prefix.rstrip("/")
    if said.whole:
        return site.scene.message_pointer(site.position)
    return site.scene.pointer(site.position) + said.inner


@dataclass(frozen=True)
class _Place:
    """A place as the provider writes it: the finding's own, its block's, and its message's (or turn's)."""

    at: str | None
    block: str
    message: str


def _provider_place(site: Site, said: Said) -> _Place:
    places, reading, at = site.reading.provider.places, site.reading, site.position
    if at < 0 or reading.turn[at] < 0 or not places:
        return _Place(None, "", "")
    numbers = {"turn": int(reading.turn[at]), "message": int(reading.wire_message[at]), "block": int(reading.wire_block[at])}
    message = places["message"].format(**numbers)
    kind = int(site.scene.view.kind[at])
    block = message if kind == EMPTY else places["call" if kind == CALL else "block"].format(**numbers)
    return _Place(message if said.whole else block, block, message)


def _provider_words(site: Site, said: Said, place: _Place) -> str | None:
    """The provider's text as reported, filled in; None where none is known."""
    words = site.reading.provider.words
    text = words.get(f"{site.rule}/{said.variant}") if said.variant else None
    if text is None:
        text = words.get(site.rule)
    if text is None:
        return None
    known = {
        "at": place.block,
        "turn": place.message,
        "message": place.message,
        "id": said.ids[0] if said.ids else "",
        "ids": ", ".join(said.ids),
    }
    return text.format_map(defaultdict(str, known | said.words))
