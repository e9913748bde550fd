"""What is lost by a plan: no model, nothing but what stands where before and after.

A **fact** (identifier, number, path, name) is lost where
- it is stated in what goes, and nowhere in what stays before the first place that stays and says it (a summary stands before all), and
- that first place is the model's own: a call, an answer, reasoning. What the person or a result says there states it anew; or
- it is a short prompt that asks for an identifier or a path of which only a result told, and no result that stays tells of it again: the
  prompt repeats the name, and not what was known about it.
It is not lost where it is *restated* at once: a result of the same step that stays says it too, or, for a path, the call's result or its
own arguments are long (the file was read again, or written whole). What the person states is lost all the same: a call repeats the words
and not what they were for. A name counts only where the person says it. A call whose own result goes uses nothing: what it was for went
with that. What stands in more than half of the steps is no fact; it is what the session is about.

A **constraint** (a sentence of the person's with must, never, do not, always, only, ...) is lost when it goes, used later or not, unless
the person, the system text or a summary says the same in what stays.

A **call to repeat** is one that the session made more than once, for the same answer, and of which no result stays: it would be made
again. Where the same call's later result stays, the earlier one was *superseded*, and losing it costs nothing.

"A transcript that has lost the exchange in which the user stated the account number" is accepted by every provider; this is what
tells it from one that has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from app.model.block import Block
from app.model.edits import Stub, Words
from app.model.kinds import Flag, Kind
from app.model.lost import KINDS, MOST, WORDS, Lost, LostItem, LostKind, Superseded
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.constraints import clause, folded
from app.pipeline.fact_index import ASKED, MODEL, OTHER, PERSON, RESULT, FactIndex
from app.pipeline.facts import KIND_NAMES, NAME, PATH, words_of_call

Look = Callable[[Transcript, int], Block]

COMMON: Final = 0.5  # of the steps: what stands in more of them is what the session is about ...
FEW: Final = 6  # ... where there are at least so many
SPOKEN: Final = 1_500  # characters of a prompt that is typed: what is pasted is full of names, and says what they are
READ_ANEW: Final = 400  # characters of a result that speaks of the path it was asked for
WRITTEN: Final = 2_000  # characters of arguments that hold a file
USES_LISTED: Final = 8
FREE_LISTED: Final = 200  # superseded results that are listed
_BY: Final[dict[int, Literal["person", "result", "model", "other"]]] = {PERSON: "person", RESULT: "result", MODEL: "model"}
_SAYS: Final = {"person": "the person states it", "result": "a result states it", "model": "the model stated it", "other": "it is stated"}


def lost(index: FactIndex, view: View, after: Transcript, look: Look, strategy: str = "", budget: int | None = None) -> Lost:
    """What stands in `view` and is lost in `after`, the same transcript with a plan's change laid over it. `look` decodes a row of a
    transcript as its edits left it."""
    return _Losing(index, view, after, look).told(strategy, budget)


@dataclass(eq=False)
class _Losing:
    index: FactIndex
    view: View
    after: Transcript
    look: Look

    def told(self, strategy: str, budget: int | None) -> Lost:
        found = [*self._constraints(), *self._facts(), *self._calls()]
        found.sort(key=lambda one: (KINDS.index(one[1].kind) if one[1].kind == "constraint" else 1, -one[0], self.view.at(one[1].stated)))
        counts = Counter[str](item.kind for _, item in found)
        free = self._superseded
        return Lost(
            strategy, budget, tuple(item for _, item in found[:MOST]), dict(counts), tuple(free[:FREE_LISTED]), len(free),
            sum(one.tokens for one in free),
        )  # fmt: skip

    # -- what goes and what stays -------------------------------------------------------------------------------------------------

    @cached_property
    def live(self) -> Ints:
        """Mask over positions: the row is still there."""
        mask = np.zeros(max(len(self.after.table), len(self.view.transcript.table)), bool)
        mask[self.after.order] = True
        return mask[self.view.rows]

    @cached_property
    def changed(self) -> list[int]:
        """Positions of rows that stay with another text."""
        before, after = self.view.transcript, self.after
        rows = {row for row in after.touched() if self.view.at(row) >= 0}
        out = [self.view.at(row) for row in rows if _laid(before, row) != _laid(after, row)]
        return sorted(at for at in out if self.live[at])

    @cached_property
    def whole(self) -> Ints:
        """Mask over positions: the row stays as it was."""
        mask = self.live.copy()
        mask[self.changed] = False
        return mask

    @cached_property
    def said(self) -> Ints:
        """Mask over the index's occurrences: it still stands there."""
        index = self.index
        mask = self.whole[index.position].copy()
        for at in self.changed:
            if len(index.at(at)):
                mask[index.left(at, self._text_after(at))] = True
        return mask & ~self.spent[index.position]

    def _text_after(self, position: int) -> str:
        """What a row that stays says now."""
        content = self.after.content_of(self.row(position))
        if isinstance(content, Stub | Words):
            return content.text
        block = self.look(self.after, self.row(position))
        return words_of_call(block.text) if block.kind == Kind.TOOL_CALL else block.text

    @cached_property
    def spent(self) -> Ints:
        """Mask over positions: calls whose result goes or is not whole any more. Nothing rests on one of them: what it brought is gone."""
        view = self.view
        partner = view.links.partner
        return (view.kind == Kind.TOOL_CALL) & (partner >= 0) & ~self.whole[partner]

    @cached_property
    def made(self) -> str:
        """What the plan itself says: summaries."""
        new = [row for row in self.after.made if row not in self.view.transcript.made]
        return "\n".join(self.look(self.after, row).text for row in new)

    def row(self, position: int) -> int:
        return int(self.view.rows[position])

    # -- constraints --------------------------------------------------------------------------------------------------------------

    def _constraints(self) -> list[tuple[float, LostItem]]:
        kept = "\n".join({one.folded: None for one in self.index.constraints if self.whole[one.position]})
        kept += "\n" + folded(self.made)
        out: dict[str, tuple[float, LostItem]] = {}
        for one in self.index.constraints:
            gone = one.position >= self.view.start and self.index.who[one.position] == PERSON and not self.whole[one.position]
            if gone and one.folded not in kept:
                why = f"“{one.mark}”: the person sets a rule here, and nothing that stays repeats it"
                words = clause(one.words, one.mark, WORDS)
                out.setdefault(one.folded, (0.0, LostItem("constraint", words, self.row(one.position), "person", (), 0, why)))
        return list(out.values())

    # -- facts --------------------------------------------------------------------------------------------------------------------

    def _facts(self) -> list[tuple[float, LostItem]]:
        index = self.index
        if not len(index.fact):
            return []
        starts = np.flatnonzero(np.concatenate([[True], np.diff(index.fact) != 0]))
        ends = np.append(starts[1:], len(index.fact))
        spots = np.arange(len(index.fact))
        far = len(index.fact)
        first_kept = np.minimum.reduceat(np.where(self.said, spots, far), starts)
        candidates = (~self.said[starts]) & (first_kept < far)
        candidates[candidates] = np.isin(index.who[index.position[first_kept[candidates]]], (MODEL, PERSON))
        stated = index.numbers(self.made) if self.made else set()
        out: list[tuple[float, LostItem]] = []
        for at in np.flatnonzero(candidates).tolist():
            number = int(index.fact[starts[at]])
            if number in stated or self._common(int(starts[at]), int(ends[at])):
                continue
            found = self._fact(number, int(starts[at]), int(first_kept[at]), int(ends[at]))
            if found is not None:
                out.append(found)
        return out

    def _common(self, start: int, end: int) -> bool:
        steps = self.view.groups.steps - self._unsent_steps
        if steps < FEW or end - start <= COMMON * steps:
            return False
        step = self.view.groups.step[self.index.position[start:end]]
        return len(np.unique(step[step >= 0])) > COMMON * steps

    @cached_property
    def _unsent_steps(self) -> int:
        return int(np.searchsorted(self.view.groups.step_first, self.view.start))

    def _fact(self, number: int, start: int, first: int, end: int) -> tuple[float, LostItem] | None:
        index, view = self.index, self.view
        kind, use = int(index.kind[number]), int(index.position[first])
        source, best = self._source(kind, index.position[start:first])
        if kind == NAME and best != PERSON:
            return None  # a name is the person's, or it is a word
        asked = bool(index.who[use] == PERSON)
        if asked and not self._asks(kind, source, best, first, end):
            return None
        if not asked and best != PERSON and self._restated(kind, start, end, use):
            return None
        kept = index.position[first:end][self.said[first:end]]
        uses = kept[(index.who[kept] == MODEL) | (asked & (index.who[kept] == PERSON))]
        called = uses[view.kind[uses] == Kind.TOOL_CALL]
        by = _BY.get(best, "other")
        words = index.words[number]
        worked = kind == PATH and view.kind[source] in (Kind.TOOL_CALL, Kind.TOOL_RESULT) and best == MODEL
        why = self._why("a call worked on it" if worked else _SAYS[by], use, len(uses))
        weight = (4.0 if best == PERSON else 0.0) + (3.0 if len(called) else 0.0) + (2.0, 1.0, 1.5, 1.0)[kind] + float(np.log2(len(uses)))
        rows = tuple(self.row(int(at)) for at in uses[:USES_LISTED])
        name: LostKind = KIND_NAMES[kind]
        return weight, LostItem(name, _short(words), self.row(source), by, rows, len(uses), why)

    def _source(self, kind: int, gone: Ints) -> tuple[int, int]:
        """The position that states a fact, of those that go, and who speaks there. Of a path the newest call counts, which brought its
        content; where that call stays, it is its result that goes."""
        index, view = self.index, self.view
        speakers = index.who[gone]
        calls = gone[(view.kind[gone] == Kind.TOOL_CALL)]
        if kind == PATH and len(calls) and not (speakers == PERSON).any():
            best, source = MODEL, int(calls[-1])
        else:
            best = next((who for who in (PERSON, RESULT, OTHER, MODEL) if (speakers == who).any()), MODEL)
            source = int(gone[np.argmax(speakers == best)])
        return (int(view.links.partner[source]) if self.spent[source] and self.live[source] else source), best

    def _why(self, says: str, use: int, uses: int) -> str:
        kind = self.view.kind[use]
        if self.index.who[use] == PERSON:
            more = f"; {uses - 1:,} more that stay use it" if uses > 1 else ""
            return f"{says} in what goes; a prompt that stays asks for it{more}"
        place = "a call" if kind == Kind.TOOL_CALL else "reasoning" if kind == Kind.REASONING else "an answer"
        more = f", and so do {uses - 1:,} more" if uses > 2 else ", and so does one more" if uses == 2 else ""
        return f"{says} in what goes; {place} that stays uses it{more}"

    def _asks(self, kind: int, source: int, best: int, first: int, end: int) -> bool:
        """Whether a prompt, the first that stays and says it, asks for what only a result told and no result tells again."""
        index, view = self.index, self.view
        told = best == RESULT or (kind == PATH and view.kind[source] in (Kind.TOOL_CALL, Kind.TOOL_RESULT))
        if kind not in ASKED or not told or view.size[index.position[first]] > SPOKEN:
            return False
        kept = index.position[first:end][self.said[first:end]]
        if (index.who[kept] == RESULT).any():
            return False
        calls = kept[view.kind[kept] == Kind.TOOL_CALL]
        return kind != PATH or not any(self._anew(int(at)) for at in calls)

    def _restated(self, kind: int, start: int, end: int, use: int) -> bool:
        """Whether what stays says it anew where it is used first."""
        index, view = self.index, self.view
        positions = index.position[start:end]
        step = view.groups.step[use]
        echoes = self.said[start:end] & (index.who[positions] == RESULT) & (view.groups.step[positions] == step) & (step >= 0)
        if kind != PATH:
            return bool(echoes.any())
        if view.kind[use] != Kind.TOOL_CALL:
            return False
        return self._anew(use)

    def _anew(self, call: int) -> bool:
        """Whether a call holds the file that it names, or its result does."""
        view = self.view
        if view.size[call] >= WRITTEN:
            return True
        result = int(view.links.partner[call])
        return result >= 0 and bool(self.whole[result]) and view.size[result] >= READ_ANEW and not view.flags[result] & Flag.ERROR

    # -- calls --------------------------------------------------------------------------------------------------------------------

    @cached_property
    def _again(self) -> dict[int, list[int]]:
        """Positions of the results of equal calls, where there are several."""
        same = self.index.same
        many = np.flatnonzero(np.bincount(same, minlength=1)[same] > 1).tolist() if len(same) else []
        out: dict[int, list[int]] = {}
        for at in many:
            result = int(self.view.links.partner[self.index.calls[at]])
            if result >= self.view.start:
                out.setdefault(int(self.index.same[at]), []).append(result)
        return {number: results for number, results in out.items() if len(results) > 1}

    def _calls(self) -> list[tuple[float, LostItem]]:
        out = []
        for results in self._again.values():
            if self.whole[results].any() or len(np.unique(self.index.said[results])) == len(results):
                continue  # one stays; or each said something else: it is asked how things stand, and will be whatever is kept
            last = results[-1]
            call = int(self.view.links.partner[last])
            words = self.look(self.view.transcript, self.row(call))
            why = f"made {len(results):,} times in this session, and none of its results stays: it would be made again"
            shown = _short(f"{words.name or 'call'} {' '.join(words.text.split())}")
            rows = tuple(self.row(at) for at in results[:-1][-USES_LISTED:])
            out.append((1.0 + float(np.log2(len(results))), LostItem("call", shown, self.row(last), "result", rows, len(rows), why)))
        return out

    @cached_property
    def _superseded(self) -> list[Superseded]:
        tokens = self.view.tokens
        out = []
        for results in self._again.values():
            kept = [at for at in results if self.whole[at]]
            for at in results:
                if kept and at < kept[-1] and not self.whole[at]:
                    same = bool(self.index.said[at] == self.index.said[kept[-1]])
                    out.append(Superseded(self.row(at), self.row(kept[-1]), int(tokens[at]) if tokens is not None else 0, same))
        return sorted(out, key=lambda one: (-one.tokens, self.view.at(one.row)))


def _laid(transcript: Transcript, row: int) -> tuple[Any, Any, Any]:
    return transcript.content_of(row), transcript.fields.get(row), transcript.made.get(row)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WORDS else f"{text[: WORDS - 1]}…"
