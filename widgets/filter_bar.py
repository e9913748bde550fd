"""The line below the bar while something is filtered or looked for: a chip for each common condition, what matches, what is wrong.

Each chip prints its condition into the field. `37 of 1,204 blocks, 81.2k tokens` is what list, chart and findings speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.model.filter import Problem, Range, Test, conjuncts
from app.model.filter_names import KINDS, PLANS
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.actions import Actions
from widgets.buttons import ActionButton, Choice, PickList, button
from widgets.labels import Elided, paper
from widgets.visible import line
from widgets.words import counted, exchange_and_step, full, short

HEIGHT = 32
SIZES = (100, 1_000, 4_000, 10_000, 50_000)
NEEDS = Changed.FILTER | Changed.DUMP | Changed.TRANSCRIPT | Changed.TOKENS
_SHOWN = 30  # tools or rules in a menu


class FilterBar(QWidget):
    """Facts: `narrowed(names, test)` put this condition in place of those by these names, None: none."""

    narrowed = Signal(object, object)

    def __init__(self, session: Session, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterBar")
        self.setAccessibleName("Filter")
        self._session = session
        self._wrong = False
        self.kind = self._chip("kind", "Kind", self._kinds)
        self.tool = self._chip("tool", "Tool", self._tools)
        self.finding = self._chip("finding", "Finding", self._findings)
        self.tokens = self._chip("tokens", "Tokens", self._sizes)
        self.plan = self._chip("plan", "Plan", self._plans)
        self.pinned = self._flag("pinned", "Pinned", Test("pinned"), "Blocks of pinned exchanges")
        self.partner = self._flag("partner", "No partner", Test("partner", "==", "none"), "Calls without a result, results without a call")
        self.span = button("", "filterBar.span", "Span of the chart", "chip")
        self.span.setToolTip("Requests chosen on the chart; click to let go of them")
        self.span.clicked.connect(lambda: self.narrowed.emit(("span",), None))
        self.said = Elided()
        self.said.setObjectName("filterBar.said")
        self.said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.first = button("", "filterBar.first", "Go to the first block that matches (Ctrl+F3)", "link")
        self.way = ActionButton(actions["edit.filter_only"], "Only matches", "chip")
        self.way.setCheckable(True)
        self.clear = ActionButton(actions["edit.filter_clear"], "Clear", "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(5)
        self.chips: tuple[QPushButton, ...] = (
            self.kind, self.tool, self.finding, self.tokens, self.plan, self.pinned, self.partner, self.span,
        )  # fmt: skip
        for chip in self.chips:
            row.addWidget(chip)
        row.addWidget(self.said, 1)
        row.addWidget(self.first)
        row.addSpacing(6)
        row.addWidget(self.way)
        row.addWidget(self.clear)
        self.retint()
        self.refresh(session.state, Changed.ALL)

    def _chip(self, name: str, words: str, choices: Callable[[], Sequence[Choice]]) -> PickList:
        made = PickList(f"filterBar.{name}", f"Filter by {words.lower()}", choices)
        made.setProperty("chip", "true")
        made.say(words)
        return made

    def _flag(self, name: str, words: str, test: Test, tip: str) -> QPushButton:
        made = button(words, f"filterBar.{name}", f"Filter: {words}", "chip")
        made.setToolTip(tip)
        made.setCheckable(True)
        made.clicked.connect(lambda: self.narrowed.emit((name,), None if self._has(test) else test))
        return made

    # -- what it says -----------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        if changed & NEEDS and not (self._wrong and not changed & Changed.FILTER):
            self._wrong = False
            self._say(state)
        if changed & (Changed.FILTER | Changed.DUMP):
            self._show_chips()

    def _say(self, state: State) -> None:
        self.said.setText(totals(state))
        where = first_place(state)
        self.first.setText(f"first: {where}")
        self.first.setVisible(bool(where))
        self.said.look(theme.current().ink_soft if state.filter is None else theme.current().ink)
        self.way.setChecked(state.filter is not None and state.filter.way == "only")

    def tell(self, problem: Problem | None, text: str, entered: bool = False) -> None:
        """What is wrong with what is typed; at its end that is only what comes next."""
        self._wrong = problem is not None
        if problem is None:
            self._say(self._session.state)
            return
        self.first.hide()
        unfinished = problem.start >= len(text.rstrip()) and not entered
        look = theme.current()
        self.said.setText(f"next: {problem.expected}" if unfinished and problem.expected else problem.words)
        self.said.look(look.ink_soft if unfinished else look.error)

    def retint(self) -> None:
        self.setFixedHeight(theme.scaled(HEIGHT))
        paper(self, theme.current().paper_alt)
        self._say(self._session.state)

    def _show_chips(self) -> None:
        """Each chip says its condition where that is in force."""
        for chip, names, words in (
            (self.kind, ("kind",), "Kind"), (self.tool, ("tool",), "Tool"), (self.finding, ("finding", "rule", "severity"), "Finding"),
            (self.tokens, ("tokens",), "Tokens"), (self.plan, ("plan", "changed"), "Plan"),
        ):  # fmt: skip
            test = self._test(*names)
            chip.say(chip_words(test) if test is not None else words, "in force; choose it again to let go of it" if test else "")
            _press(chip, test is not None)
        for flag, on in ((self.pinned, self._has(Test("pinned"))), (self.partner, self._has(Test("partner", "==", "none")))):
            flag.setChecked(on)
        span = self._test("span")
        self.span.setVisible(span is not None)
        if span is not None:
            self.span.setText(f"{chip_words(span)}  ×")
            self.span.setAccessibleName(f"Span of the chart, {chip_words(span)}; lets go of it")
            _press(self.span, True)

    def _test(self, *names: str) -> Test | None:
        known = self._session.state.filter
        found = [part for part in conjuncts(known.tree if known else None) if isinstance(part, Test) and part.name in names]
        return found[0] if found else None

    def _has(self, test: Test) -> bool:
        known = self._session.state.filter
        return test in conjuncts(known.tree if known else None)

    # -- choices ----------------------------------------------------------------------------------------------------------------------

    def _choice(self, words: str, test: Test, names: tuple[str, ...], rule: bool = False) -> Choice:
        on = self._has(test)
        return Choice(line(words, 70), partial(self.narrowed.emit, names, None if on else test), on, rule)

    def _kinds(self) -> Sequence[Choice]:
        return [self._choice(word, Test("kind", "==", word), ("kind",)) for word in KINDS]

    def _values(self, name: str) -> list[tuple[str, str]]:
        asked = f"{name} == "
        found = self._session.complete_filter(asked, len(asked))
        return list(found.choices[:_SHOWN]) if found is not None else []

    def _tools(self) -> Sequence[Choice]:
        used = [(_bare(word), meaning) for word, meaning in self._values("tool")]
        found = [self._choice(f"{word}   {meaning}", Test("tool", "==", word), ("tool",)) for word, meaning in used]
        return found or [Choice("No tools were used", lambda: None, enabled=False)]

    def _findings(self) -> Sequence[Choice]:
        names = ("finding", "rule", "severity")
        out = [self._choice("any finding", Test("finding"), names)]
        out += [self._choice(f"{word}s", Test("severity", "==", word), names) for word in ("error", "warning", "note")]
        rules = [self._choice(f"{rule}   {count}", Test("rule", "==", rule), names) for rule, count in self._values("rule")]
        return [*out, *(Choice(one.text, one.pick, one.checked, number == 0) for number, one in enumerate(rules))]

    def _sizes(self) -> Sequence[Choice]:
        return [self._choice(f"more than {full(size)}", Test("tokens", ">", size), ("tokens",)) for size in SIZES]

    def _plans(self) -> Sequence[Choice]:
        names = ("plan", "changed")
        out = [self._choice("touched by the plan", Test("plan"), names)]
        out += [self._choice(f"{word} by it", Test("plan", "==", word), names) for word in PLANS[1:]]
        out.append(self._choice("kept", Test("plan", "==", "kept"), names))
        return [*out, self._choice("changed by edits", Test("changed"), names, True)]


def totals(state: State) -> str:
    """`37 of 1,204 blocks, 81.2k tokens`."""
    known, view = state.filter, state.view
    if known is None or view is None:
        return "Words to find, or a condition: tool == read_file && tokens > 4000"
    if known.mask is None:
        return f"looking through the words of blocks, {round(100 * known.looked)} %" if known.looked is not None else "…"
    return f"{full(known.matches)} of {counted(len(view), 'block')}, {short(known.tokens)} tokens"


def first_place(state: State) -> str:
    """Where the first block that matches stands: `E2 · r6`; "" where none does."""
    known, view = state.filter, state.view
    if known is None or known.mask is None or known.shown is None or not len(known.shown) or view is None:
        return ""
    return exchange_and_step(state, int(view.rows[known.shown[0]])) or "before the first exchange"


def chip_words(test: Test) -> str:
    """A condition on its chip: `call`, `read_file`, `> 4,000`."""
    if not test.op:
        return {"finding": "any finding", "plan": "touched", "changed": "changed"}.get(test.name, test.name)
    value = test.value
    if isinstance(value, Range):
        low = "" if value.low is None else f"r{value.low}"
        return f"{low}–{'now' if value.high is None else f'r{value.high}'}"
    words = full(value) if isinstance(value, int) else line(str(getattr(value, "text", value)), 24)
    return words if test.op == "==" else f"{test.op} {words}"


def _bare(word: str) -> str:
    """A value as it is, from how it is typed."""
    if not word.startswith('"'):
        return word
    return word[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _press(chip: QPushButton, on: bool) -> None:
    """A chip in force looks pressed."""
    if bool(chip.property("held")) != on:
        chip.setProperty("held", on)
        chip.style().unpolish(chip)
        chip.style().polish(chip)
