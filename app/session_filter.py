"""The filter of a session: one expression, and the mask that list, chart, findings and totals speak of.

What a block's words decide is asked of the helper process; the answers are kept by row, so that an edit or another condition has only
those blocks read that nobody has looked at. All else is computed here, in one pass over the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app import jobs
from app.model.dump import Dump
from app.model.filter import Completion, Filter, FilterError, Node, Or, Problem, Range, Test, Way, conjuncts, joined
from app.model.state import Changed, State
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View
from app.session_questions import Questions

TEXTS = "filter-texts"
_REST = Changed.DUMP | Changed.TRANSCRIPT


class Filters(Questions):
    """`filter` puts an expression in force; `Changed.FILTER` tells that it, or what it holds for, is another."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._words = _Words()
        self._scope: Any = None
        self.answered.connect(self._texts_found)
        self.heard.connect(self._texts_heard)

    # -- what a person does -----------------------------------------------------------------------------------------------------------

    def filter(self, text: str, way: Way | None = None) -> Problem | None:
        """Puts an expression in force, "" none. Where it cannot be read nothing changes, and the answer says what is wrong."""
        from app.pipeline.filter_read import read

        try:
            tree = read(text)
        except FilterError as error:
            return error.problem
        self._put(text, tree, way)
        return None

    def filter_by(self, tree: Node | None, way: Way | None = None) -> None:
        """The same by its tree, which is printed."""
        from app.pipeline.filter_show import show

        self._put(show(tree), tree, way)

    def narrow(self, names: tuple[str, ...], test: Node | None) -> None:
        """Puts a condition in place of those by these names which must hold; None takes them away."""
        known = self.state.filter
        rest = tuple(part for part in conjuncts(known.tree if known else None) if not _named(part, names))
        way = known.chosen if known is not None else None
        self.filter_by(joined((*rest, test) if test is not None else rest), way)

    def filter_span(self, low: int, high: int | None) -> None:
        """Requests by number as opened, both included; None: up to now."""
        self.narrow(("span",), Test("span", "==", Range(low, high)))

    def filter_way(self, way: Way) -> None:
        """Whether what does not match is hidden or dimmed."""
        known = self.state.filter
        if known is not None and known.way != way:
            self._set(Changed.FILTER, filter=Filter(known.text, known.tree, known.mask, known.tokens, way, known.looked, known.shown))

    def _drop_search(self) -> None:
        """A filter that still waits for blocks to be looked through is given up."""
        if self.state.filter is not None and self.state.filter.mask is None:
            self.filter("")

    def problem_of(self, text: str) -> Problem | None:
        """What is wrong with an expression; None where it can be read."""
        from app.pipeline.filter_read import read

        try:
            read(text)
        except FilterError as error:
            return error.problem
        return None

    def complete_filter(self, text: str, at: int) -> Completion:
        """What could stand at a place of an expression."""
        from app.pipeline.filter_complete import complete

        view = self.state.view
        return complete(text, at, self._scoped(view)) if view is not None else Completion(at, at, ())

    # -- keeping it true --------------------------------------------------------------------------------------------------------------

    def _put(self, text: str, tree: Node | None, way: Way | None) -> None:
        self.ask_no_more(TEXTS)
        if tree is None:
            if self.state.filter is not None:
                self._set(Changed.FILTER, filter=None)
            return
        self.state = self.state.with_(filter=Filter(text, tree, chosen=way))
        self._set(Changed.FILTER, filter=self._made())

    def _set(self, what: Changed, **changes: Any) -> None:
        """As ever, and where what is new bears on the filter, with its new mask."""
        self.state = self.state.with_(**changes)
        if self.state.filter is not None and self.state.view is not None and self._bears(what):
            self.state = self.state.with_(filter=self._made())
            what |= Changed.FILTER
        self.changed.emit(self.state, what)

    def _bears(self, what: Changed) -> bool:
        from app.pipeline.filter_mask import uses

        known = self.state.filter
        assert known is not None
        if what & (_REST | Changed.TOKENS):  # the tokens of what matches are said
            return True
        if what & (Changed.FINDINGS | Changed.TARGET) and uses(known.tree, "finding", "rule", "severity"):
            return True
        return bool(what & (Changed.PLAN | Changed.RANKINGS)) and uses(known.tree, "plan", "pinned")

    def _scoped(self, view: View) -> Any:
        """What conditions are asked of; its columns are kept while nothing of it is new."""
        from app.pipeline.filter_columns import Scope

        state = self.state
        plan = state.plan if state.budget is not None else None
        asked = (view, state.report, plan, state.pinned, state.tokens)
        if self._scope is None or any(old is not new for old, new in zip(self._scope[0], asked, strict=True)):
            self._scope = asked, Scope(view, state.report, plan, state.pinned)
        return self._scope[1]

    def _made(self) -> Filter:
        """The filter in force for the rows as they stand; asks for what only the blocks' words can tell."""
        from app.pipeline.filter_mask import bounds, mask, on_texts

        state, known = self.state, self.state.filter
        assert known is not None
        view = state.view
        if view is None or state.dump is None:
            return Filter(known.text, known.tree, chosen=known.chosen)
        scope, leaves = self._scoped(view), on_texts(known.tree)
        if leaves:
            self._words.follow(state.dump, view.transcript)
            sure, may = bounds(known.tree, scope)
            rows = self._words.unknown(leaves, view.rows[may & ~sure])
            if len(rows):
                self.ask(TEXTS, tuple(leaves), rows)
                return Filter(known.text, known.tree, chosen=known.chosen, looked=0.0)
        found = mask(known.tree, scope, {leaf: self._words.hits(leaf)[view.rows] for leaf in leaves})
        same = known.mask is not None and np.array_equal(found, known.mask)
        tokens = int(view.tokens[found].sum(dtype=np.int64)) if view.tokens is not None else 0
        if same:  # whoever shows it need not begin anew
            return Filter(known.text, known.tree, known.mask, tokens, known.chosen, None, known.shown)
        return Filter(known.text, known.tree, found, tokens, known.chosen, None, np.flatnonzero(found))

    def _texts_found(self, answer: jobs.Answered) -> None:
        if answer.about != TEXTS or not answer.done or self.state.filter is None:
            return
        if answer.error:
            self._set(Changed.FILTER, filter=None)
            self.failed.emit(answer.error)
            return
        leaves, rows = answer.what
        self._words.learn(leaves, rows, answer.answer)
        self._set(Changed.FILTER, filter=self._made())

    def _texts_heard(self, heard: jobs.Heard) -> None:
        known = self.state.filter
        if heard.about == TEXTS and known is not None and known.looked is not None:
            self._set(Changed.FILTER, filter=Filter(known.text, known.tree, chosen=known.chosen, looked=heard.fraction))

    def _kept_filter(self, path: str) -> Filter | None:
        """The expression in force, for the same file read anew."""
        state: State = self.state
        known = state.filter if state.path == path else None
        return Filter(known.text, known.tree, chosen=known.chosen) if known is not None else None


def _named(part: Node, names: tuple[str, ...]) -> bool:
    """Whether a part is a condition by one of some names, or several of which any may hold."""
    if isinstance(part, Test):
        return part.name in names
    return isinstance(part, Or) and all(_named(inner, names) for inner in part.parts)


class _Words:
    """What is known of the words of blocks: for each condition which rows were looked at, and which of them it holds for."""

    def __init__(self) -> None:
        self._dump: Dump | None = None
        self._transcript: Transcript | None = None
        self._known: dict[Test, tuple[Ints, Ints]] = {}

    def follow(self, dump: Dump, transcript: Transcript) -> None:
        """Forgets what another dump held, and what edits altered or took back."""
        if dump is not self._dump:
            self._known.clear()
        elif transcript is not self._transcript and self._transcript is not None:
            touched = np.fromiter(self._transcript.touched() | transcript.touched(), np.int64)
            for seen, _ in self._known.values():
                seen[touched[touched < len(seen)]] = False
        self._dump, self._transcript = dump, transcript

    def _of(self, test: Test, size: int) -> tuple[Ints, Ints]:
        seen, hit = self._known.get(test, (np.zeros(0, bool), np.zeros(0, bool)))
        if len(seen) < size:
            seen, hit = (np.append(old, np.zeros(size - len(old), bool)) for old in (seen, hit))
            self._known[test] = seen, hit
        return seen, hit

    def _size(self) -> int:
        return len(self._transcript.table) if self._transcript is not None else 0

    def unknown(self, leaves: list[Test], rows: Ints) -> Ints:
        """Of some rows those at which nobody has looked yet."""
        for old in [test for test in self._known if test not in leaves][: max(0, len(self._known) - 8)]:
            del self._known[old]
        known = np.ones(len(rows), bool)
        for leaf in leaves:
            known &= self._of(leaf, self._size())[0][rows]
        return rows[~known]

    def hits(self, test: Test) -> Ints:
        seen, hit = self._of(test, self._size())
        return seen & hit

    def learn(self, leaves: tuple[Test, ...], rows: Ints, found: tuple[Ints, ...]) -> None:
        for leaf, hits in zip(leaves, found, strict=True):
            seen, hit = self._of(leaf, self._size())
            seen[rows], hit[rows] = True, False
            hit[hits] = True
