"""Which strategy, or preset, turns one recorded request into the next one, where that does not simply go on from it.

A log of calls holds requests whole. Where one leaves out or shortens what the one before held, something compacted it: rows of both are
compared by kind, role, call id and content, and every strategy is asked what it would have done with the first and what came after it.
A strategy with a budget has done it where some number of its actions takes just the rows that went; a preset, with its own defaults, where
it decides just that. The words of a summary are whoever's; that one was put in, and where, is compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.formats import FORMATS
from app.model.block import Block
from app.model.dump import Dump
from app.model.edits import Content, Insert
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.provider import Provider
from app.model.replay import walls_of
from app.model.reproduce import Reproduced
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.blocks import Blocks
from app.pipeline.catalogue import catalogue
from app.pipeline.imitate import Imitated
from app.pipeline.rank import Arranged, arrange
from app.pipeline.view import make_view
from app.presets import PRESETS

MOST: Final = 5_000  # rows of a request that is looked at
PAIRS: Final = 20  # pairs that are looked at
ALIKE: Final = 2  # rows that two requests must share to be neighbours
EARLIER: Final = 6  # conversations before one, among which the one is looked for that it was made from


@dataclass(frozen=True, eq=False)
class Pair:
    """Rows of two requests, in order; `before` with the answer to it, `after` with what came behind it."""

    transcript: Transcript
    names: tuple[str, str]
    before: Ints
    after: Ints


@dataclass(frozen=True, eq=False)
class _Change:
    """Of the first request and what was appended to it: masks of rows that went and that have other texts in the second one (by position
    the new ones), and how many rows of the second one are new."""

    context: Ints
    dropped: Ints
    texts: dict[int, str]
    added: int
    row: int


def pairs(dump: Dump) -> list[Pair]:
    """Neighbouring requests of which the second does not extend the first: over a recorded compaction, and from one conversation of a log
    to a later one that shares rows with it."""
    found: list[Pair] = []
    views = {}
    for index, transcript in enumerate(dump.transcripts[:200]):
        if len(transcript.order) > MOST:
            continue
        view = views[index] = make_view(transcript)
        found += _over_walls(view)
        if transcript.subagent:
            continue
        earlier = [i for i in range(index - 1, -1, -1) if i in views and not dump.transcripts[i].subagent][:EARLIER]
        if earlier:
            keys = _Keys(dump)
            shared = {i: _common(keys.of(views[i]), keys.of(view)) for i in earlier}
            best = max(earlier, key=lambda i: shared[i])
            pair = _between(views[best], view, keys) if shared[best] >= ALIKE else None
            found += [pair] if pair is not None else []
    return found[:PAIRS]


def _over_walls(view: View) -> list[Pair]:
    walls, groups = walls_of(view).tolist(), view.groups
    found = []
    for begin, at in zip([0, *walls], walls, strict=False):
        later = groups.step_first[groups.step_first >= at]
        end = int(later[0]) if len(later) else len(view)
        names = (f"all before the compaction at {_place(view, at)}", f"the request behind it ({_place(view, end - 1)})")
        found.append(Pair(view.transcript, names, view.rows[begin:at], view.rows[at:end]))
    return found


def _between(before: View, after: View, keys: _Keys) -> Pair | None:
    """The last request of a conversation with its answer, and the first of another that holds something else."""
    known = set(keys.of(before))
    mine = [key not in known for key in keys.of(after)]
    first = mine.index(True) if True in mine else -1
    a, b = list(keys.of(before)), list(keys.of(after))
    if first < 0 or b[: len(a)] == a:
        return None
    names = (f"the last request of {before.transcript.id}", f"the first of {after.transcript.id}")
    return Pair(after.transcript, names, before.rows, after.rows)


def _place(view: View, at: int) -> str:
    exchange = int(view.groups.exchange[at])
    return view.groups.label(exchange) if exchange >= 0 else "the head"


class _Keys:
    """Rows as what they say: kind, role, call id, content."""

    def __init__(self, dump: Dump) -> None:
        self._dump = dump
        self._known: dict[int, tuple[Any, ...]] = {}
        self._look: dict[int, Blocks] = {}

    def of(self, view: View) -> list[tuple[Any, ...]]:
        return self.rows(view.transcript, view.rows)

    def rows(self, transcript: Transcript, rows: Ints) -> list[tuple[Any, ...]]:
        look = Blocks(self._dump, transcript)
        return [self._key(transcript, row, look) for row in rows.tolist()]

    def _key(self, transcript: Transcript, row: int, look: Blocks) -> tuple[Any, ...]:
        found = self._known.get(row)
        if found is None:
            table, block = transcript.table, look(row)
            held = hash((block.texts, len(block.media)))
            found = self._known[row] = int(table.kind[row]), int(table.role[row]), int(table.key[row]), held
        return found


def _common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many rows of the second the first has as well, what is a system's aside; none where less than two calls and
    results are among them and it is less than half: two sessions may begin with the same words."""
    known = set(a)
    both = [key for key in b if key in known and key[0] not in (Kind.SYSTEM, Kind.TOOLS) and key[1] not in (Role.SYSTEM, Role.DEVELOPER)]
    return len(both) if sum(key[2] >= 0 for key in both) >= 2 or 2 * len(both) > len(b) else 0


# -- what changed --------------------------------------------------------------------------------------------------------------------


def _changed(pair: Pair, keys: _Keys, look: Blocks) -> _Change:
    a, b = keys.rows(pair.transcript, pair.before), keys.rows(pair.transcript, pair.after)
    places: dict[Any, list[int]] = {}
    for at, key in enumerate(a):
        places.setdefault(key, []).append(at)
        if key[2] >= 0:
            places.setdefault(key[:3], []).append(at)
    match, at = [-1] * len(b), 0
    texts: dict[int, str] = {}
    for number, key in enumerate(b):
        for wanted in (key, key[:3] if key[2] >= 0 else None):
            here = places.get(wanted, []) if wanted is not None else []
            index = bisect_left(here, at)
            if index < len(here):
                match[number], at = here[index], here[index] + 1
                if wanted is not key:
                    texts[match[number]] = "".join(look(int(pair.after[number])).texts)
                break
    last = max((number for number, found in enumerate(match) if found >= 0), default=-1)
    kept = {found for found in match if found >= 0}
    tail = _tail(pair, last)
    dropped = np.asarray([position not in kept for position in range(len(a))] + [False] * len(tail), bool)
    added = sum(found < 0 for found in match[: last + 1]) if last >= 0 else len(b)
    differs = np.flatnonzero(dropped)
    first = min([*differs[:1].tolist(), *texts], default=-1)
    row = int(pair.before[first]) if first >= 0 else -1
    return _Change(np.concatenate([pair.before, tail]), dropped, texts, added, row)


def _tail(pair: Pair, last: int) -> Ints:
    """What was said between the two requests: behind the last row that both have, the answer to the first and what answers that."""
    rest = pair.after[last + 1 :] if last >= 0 else pair.after[:0]
    asked = (pair.transcript.table.role[rest] != Role.ASSISTANT).tolist()
    end = asked.index(True) if True in asked else 0
    while end < len(rest) and asked[end]:
        end += 1
    return rest[:end]


# -- what does that -------------------------------------------------------------------------------------------------------------------


def finished(walk: Generator[None, None, Reproduced]) -> Reproduced:
    """Walked to its end, for whoever has nothing else to do."""
    while True:
        try:
            next(walk)
        except StopIteration as done:
            found: Reproduced = done.value
            return found


def reproduced(dump: Dump, pair: Pair, provider: Provider, own: Ints) -> Generator[None, None, Reproduced]:
    """What turns one request of a pair into the other. `own`: tokens along the table. Pauses behind each strategy."""
    keys, look = _Keys(dump), Blocks(dump, pair.transcript)
    change = _changed(pair, keys, look)
    transcript = pair.transcript.with_(order=change.context.astype(np.int32), start=0, walls=(), refusals=())
    view = make_view(transcript, Tokens("chars/4", own, np.ones(len(own), bool)), provider)
    reader = FORMATS[dump.format]

    def raw(row: int) -> Any:
        return reader.value(transcript.table, dump.source, int(transcript.table.record[row]))

    by: list[str] = []
    near: tuple[int, str] = (len(change.context) + 1, "")
    left = _left(view, change)
    for name in catalogue():
        for params in _tries(name, left):
            try:
                arranged = arrange(view, [(name, params)], provider, None, look, raw)
            except (InspectorError, ValueError):
                continue
            off, words = _off(arranged, change, look)
            if not off and words:
                given = f" with {', '.join(f'{key}={value}' for key, value in params.items())}" if params else ""
                by.append(f"{words}{given}")
                break
            if words and off < near[0]:
                near = off, f"{name}, which treats {off:,} block{'s' if off > 1 else ''} otherwise"
            yield
    some = int(change.dropped.sum())
    done = near[1] if some + len(change.texts) else ""
    return Reproduced(*pair.names, change.row, some, len(change.texts), change.added, tuple(by), "" if by else done)


def _left(view: View, change: _Change) -> int:
    """How many of the newest results nothing was done to."""
    results = np.flatnonzero(view.results)
    touched = [number for number, at in enumerate(results.tolist()) if change.dropped[at] or at in change.texts]
    return len(results) - 1 - touched[-1] if touched else len(results)


def _tries(name: str, left: int) -> Iterator[dict[str, Any]]:
    """Parameters to try: its own; for a preset also without its trigger, and with as many newest results kept as were."""
    yield {}
    if name in PRESETS:
        known = {setting.name for setting in PRESETS[name].settings}
        gates: dict[str, Any] = {key: 0 for key in ("trigger", "compact_threshold") if key in known}
        if gates:
            yield gates
        for key in ("keep", "keep_pairs", "n", "keep_last"):
            if key in known:
                yield {**gates, key: left}
                yield {**gates, key: max(0, left - 1)}


def _off(arranged: Arranged, change: _Change, look: Blocks) -> tuple[int, str]:
    """How many blocks a strategy treats otherwise at its best cut, and that cut in words; "" where it does nothing at all."""
    ranking = arranged.ranking
    actions, count = ranking.actions, len(ranking.actions.saved)
    if not count:
        return len(change.context), ""
    if ranking.gated:
        length = count
    else:
        taken = np.flatnonzero(change.dropped)
        at = actions.drop_at[taken] if len(taken) else actions.replace_at[list(change.texts)]
        at = at[at < count]
        length = int(at.max()) + 1 if len(at) else 0
    dropped = actions.drop_at < length
    off = int((dropped != change.dropped).sum())
    replaced = set(np.flatnonzero((actions.replace_at < length) & ~dropped).tolist())
    off += len(replaced ^ set(change.texts))
    for position in replaced & set(change.texts):
        content = actions.content_at(position, length)
        off += content is not None and _text(content, look(int(change.context[position]))) != change.texts[position]
    puts = _puts(arranged, length)
    off += (puts > 0) != (change.added > 0)
    if not length:
        return off, ""
    cut = "" if ranking.gated else f" after {length:,} of {count:,} actions"
    return off, f"{ranking.strategy}{cut}"


def _puts(arranged: Arranged, length: int) -> int:
    """How many messages a strategy puts in."""
    link = arranged.links[0]
    if isinstance(link.strategy, Imitated):
        return sum(isinstance(edit, Insert) for edit in link.strategy.edits(link.ask, link.actions) or ())
    return 2 if link.actions.closing is not None and length else 0


def _text(content: Content, block: Block) -> str:
    return "".join(content.of(block.texts))
