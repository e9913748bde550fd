"""Repairs a transcript: the least lossy fix of each finding, applied and checked again, until none is left.

In each pass only the least lossy kind of fix is applied, for a recorded result that is moved home, or gets its id, may answer what else
would get a made-up result, and that is better than dropping; of one kind, pairs come first, since other rules look at what stands around
them. A second repair changes nothing: it finds nothing that may be mended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

from app.model.dump import Dump
from app.model.edits import EFFECTS, Change, Effect, Layer
from app.model.findings import Mode
from app.model.provider import Provider, Reading
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.check import hits, scene_of, sites
from app.pipeline.read import read
from app.pipeline.view import make_view
from app.rules import RULES
from app.rules._rule import PairRule

Level = Literal["none", "safe", "all"]
ALLOWED: dict[Level, tuple[Effect, ...]] = {"none": (), "safe": ("exact", "adds"), "all": EFFECTS}
PASSES_MAX = 200
TRIES_MAX = 3  # another fix may have undone what one did
Key = tuple[str, int, str]  # rule, row, title of the fix
Tried = Counter[Key]


def repair(
    transcript: Transcript, source: Source | Dump | None, provider: Provider, model: str | None, mode: Mode, level: Level,
    rules: Sequence[str] = (),
) -> tuple[Layer, Transcript]:  # fmt: skip
    """Mends findings of severity error, each with its least lossy fix that `level` allows: *safe* is exact and adds, *all* may lose.

    `rules`: names of rules whose findings are mended whatever their severity; with level *none* only these, by any fix. Gives the
    passes that were made, as one layer, and the transcript after them; the same transcript where nothing was to be done.
    """
    passes: list[tuple[Change, ...]] = []
    tried: Tried = Counter()
    while len(passes) < PASSES_MAX:
        made, after = _one_pass(transcript, source, provider, model, mode, level, frozenset(rules), tried)
        if not made:
            break
        passes.append(made)
        transcript = after
    return Layer(_title(passes), tuple(passes)), transcript


def _title(passes: Sequence[tuple[Change, ...]]) -> str:
    count = sum(map(len, passes))
    return f"Repair: {count:,} change{'' if count == 1 else 's'}"


def _one_pass(
    transcript: Transcript, source: Source | Dump | None, provider: Provider, model: str | None, mode: Mode, level: Level,
    rules: frozenset[str], tried: Tried,
) -> tuple[tuple[Change, ...], Transcript]:  # fmt: skip
    """The changes of one pass, and the transcript after them; no changes where nothing is left to be done."""
    view = make_view(transcript)
    reading = read(view, provider, model if model is not None else transcript.model, mode)
    wanted = list(_wanted(reading, source, level, rules, tried))
    for effect, pairs in product(EFFECTS, (True, False)):
        chosen = [(key, change) for key, change in wanted if change.effect == effect and isinstance(RULES[key[0]], PairRule) == pairs]
        if not chosen:
            continue
        changes = list({id(change): change for _, change in chosen}.values())  # findings may share the one that mends them all
        applied = apply(transcript, changes, provider)
        skipped = {id(change) for change, _ in applied.skipped}
        made = tuple(change for change in changes if id(change) not in skipped)
        tried.update(key for key, change in chosen if not made or id(change) not in skipped)
        if made:
            return made, applied.transcript
        return _one_pass(transcript, source, provider, model, mode, level, rules, tried)
    return (), transcript


def _wanted(
    reading: Reading, source: Source | Dump | None, level: Level, rules: frozenset[str], tried: Tried
) -> Iterator[tuple[Key, Change]]:
    """For each finding that may be mended its least lossy fix that has not been tried on it."""
    scene = scene_of(reading, source)
    for rule, hit in hits(reading):
        named = rule.name in rules
        allowed = EFFECTS if named and level == "none" else ALLOWED[level]
        if not allowed or not (named or hit.severity == "error"):
            continue
        for site in sites(scene, rule, hit):
            for change in rule.fixes(site):
                key = (rule.name, site.row, change.title)
                if change.effect in allowed and tried[key] < TRIES_MAX:
                    yield key, change
                    break
