"""What the row of a step says: its one call with what came of it, or its tools by name and count."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.model.kinds import KIND_WORDS, Kind
from app.model.table import Ints
from app.model.view import View
from widgets.block_heads import UNREAD, BlockHeads, Head
from widgets.exchange_facts import Facts, Pip
from widgets.exchange_tree import Entity
from widgets.row_look import Look, Piece
from widgets.visible import line
from widgets.words import full

_BACK = 8  # how many calls back a repeated one is looked for


class StepWords:
    """Words of steps, and what the words of blocks need as well: heads, weights, places."""

    def __init__(self, facts: Facts, heads: BlockHeads) -> None:
        self.facts, self.heads = facts, heads
        self._table = facts.view.transcript.table

    @property
    def _view(self) -> View:
        return self.facts.view  # a new one where counts came in

    def head(self, position: int) -> Head:
        return self.heads.head(int(self._view.rows[position]))

    def _step(self, entity: Entity) -> Look:
        facts, view = self.facts, self._view
        first, end = facts.span(entity)
        step = int(facts.tree.child_step[entity.child])
        begun = first <= int(view.groups.step_first[step]) < end
        calls = first + np.flatnonzero(view.kind[first:end] == Kind.TOOL_CALL)
        if len(calls) == 1:
            pieces, side = self._one_call(int(calls[0])), self._again(int(calls[0]))
        else:
            pieces, side = self._many(calls, first, end), ""
        model = int(facts.models[entity.child])
        if model >= 0:
            side = f"now {line(self._table.models[model], 40)}"
        name = view.groups.step_label(step)
        return Look(
            name if begun else f"… {name}", pieces=pieces, side=side, pips=facts.pips(first, end),
            tokens=facts.tokens(first, end), counted=facts.counted, guessed=facts.guessed(first, end), found=facts.found(first, end),
            unsent=end <= view.start,
        )  # fmt: skip

    def _one_call(self, at: int) -> tuple[Piece, ...]:
        """A step with one call is read on its line: what was called, with what, and what came of it."""
        head = self.head(at)
        pieces = [Piece(self._name(at, head), "ui"), Piece(f" {head.gist}" if head.gist else "", "mono", "ink_soft", True)]
        pip, partner = self.facts.pip[at], int(self.facts.partner[at])
        if pip == Pip.MISSING:
            return (*pieces, Piece("  → no result", "ui", self._weight(at)))
        answer = self.head(partner)
        where = f" in {self._place(partner, at)}" if pip == Pip.ELSEWHERE else ""
        if answer.error:
            return (*pieces, Piece(f"  → error{where}: ", "ui", "warning"), Piece(answer.text, "mono", "ink_soft"))
        if answer.lines > 1:
            return (*pieces, Piece(f"  → {full(answer.lines)} lines{where}", "ui", "ink_soft"))
        what = answer.media if answer.media and not answer.text else answer.text or ("nothing" if not answer.unread else "")
        return (*pieces, Piece(f"  →{where} ", "ui", "ink_soft"), Piece(what, "mono", "ink_soft"))

    def _name(self, at: int, head: Head) -> str:
        """A call's tool; before its block has been read the name that the table has, if any."""
        name = int(self._view.name[at])
        known = head.name or (line(self._table.names[name], 80) if name >= 0 else "")
        return known or ("…" if head.unread else "(no name)")

    def _many(self, calls: Ints, first: int, end: int) -> tuple[Piece, ...]:
        """Tools by name and count, then what was said."""
        view, pieces = self._view, []
        if len(calls):
            pieces.append(Piece(", ".join(self._tools(calls)), "ui"))
        else:
            results = first + np.flatnonzero(view.kind[first:end] == Kind.TOOL_RESULT)
            if len(results):
                pieces += self._results(results)
        kinds = view.kind[first:end]
        said = np.flatnonzero(kinds == Kind.TEXT)
        if not len(said) and not pieces:
            said = np.arange(1)
        if len(said):
            head = self.head(first + int(said[0]))
            kind = int(kinds[said[0]])
            if pieces:
                pieces.append(Piece(f"   {head.text}", "ui", "ink_soft"))
            elif kind == Kind.EMPTY:
                pieces.append(Piece("(no content)", "ui", "ink_soft"))
            elif kind != Kind.TEXT:
                pieces.append(Piece(f"{KIND_WORDS[Kind(kind)]}  ", "ui", "ink_soft"))
                pieces.append(Piece(head.text, "ui", "ink_soft"))
            else:
                pieces.append(Piece(head.text, "ui") if head.text or head is UNREAD else Piece("(empty)", "ui", "ink_soft"))
        return tuple(pieces)

    def _tools(self, calls: Ints) -> list[str]:
        """`get_invoice ×3`, in the order in which they first stand."""
        names = Counter(self._view.name[calls].tolist())
        words = []
        for name, times in list(names.items())[:12]:
            word = (line(self._table.names[name], 60) if name >= 0 else "") or "(no name)"
            words.append(f"{word} ×{times:,}" if times > 1 else word)
        return words

    def _results(self, results: Ints) -> list[Piece]:
        """Results without a call of their step beside them: late ones, or ones whose call is gone."""
        partner = self.facts.partner[results]
        if (partner >= 0).all():
            return [Piece(f"late: {', '.join(self._tools(partner))}", "ui")]
        named = self._view.name[results]
        if (named >= 0).all():
            return [Piece(", ".join(self._tools(results)), "ui"), Piece("   without a call", "ui", "error")]
        if len(results) > 1:
            return [Piece(f"{len(results):,} results without a call", "ui", "error")]
        head = self.head(int(results[0]))
        return [Piece("result without a call  ", "ui", "error"), Piece(head.text, "mono", "ink_soft")]

    def _weight(self, at: int) -> str:
        """Red where a finding stands on it, else amber: an open call at the end is no error in a log."""
        return "error" if self.facts.found(at, at + 1).errors else "warning"

    def _place(self, partner: int, at: int) -> str:
        """Where a partner stands: its request, or its exchange where that is another one."""
        groups, child = self._view.groups, self.facts.tree.child_of(partner)
        exchange = int(groups.exchange[partner])
        if exchange != groups.exchange[at] and exchange >= 0:
            return groups.label(exchange)
        step = int(self.facts.tree.child_step[child])
        return groups.step_label(step) if step >= 0 else "this exchange"

    def _again(self, at: int) -> str:
        """Whether the same call, with the same arguments, was made before: as was found, or a few calls before."""
        view, calls = self._view, self.facts.pip_at
        found = self.facts.repeats.get(at)
        if found is not None and view.groups.step[found] >= 0:
            label = view.groups.step_label(int(view.groups.step[found]))
            far = view.groups.exchange[found] != view.groups.exchange[at]
            return f"again, as in {view.groups.label(int(view.groups.exchange[found]))} · {label}" if far else f"again, as in {label}"
        here = int(calls.searchsorted(at))
        for before in calls[max(0, here - _BACK) : here][::-1].tolist():
            if view.size[before] == view.size[at] and view.name[before] == view.name[at] and view.kind[before] == Kind.TOOL_CALL:
                mine, other = self.head(at), self.head(before)
                if not mine.unread and mine.digest == other.digest and mine.name == other.name:
                    return f"again, as in {view.groups.step_label(int(view.groups.step[before]))}"
        return ""
