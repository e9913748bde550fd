"""What was found, grouped by cause: a count, one sentence, where, what would mend it, and the two buttons Preview and Fix."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.model.edits import Change, Drop, Edit
from app.model.filter import Filter
from app.model.findings import Finding, Report
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, Hairline, in_menu, plain
from widgets.lines import Line, LineList
from widgets.verdict import summary
from widgets.visible import line
from widgets.words import abridged, counted, exchange_and_step, full

NEEDS = Changed.DUMP | Changed.TRANSCRIPT | Changed.FINDINGS | Changed.TARGET
FILTERED = NEEDS | Changed.FILTER
NOTHING = "The rules that were asked found nothing."
ORDER = {"error": 0, "warning": 1, "note": 2}
COLOUR = {"error": "error", "warning": "warning", "note": "note"}

Group = tuple[Finding, ...]


class FindingsPanel(QWidget):
    """Facts: `row_wanted(int)`, `preview_wanted(Change)`, `fix_wanted(Change)`, `shown_count(int)` for the tab."""

    row_wanted = Signal(int)
    preview_wanted = Signal(object)
    fix_wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findingsPanel")
        self.setAccessibleName("Findings")
        self._session = session
        self._report: Report | None = None
        self._sieve: Filter | None = None  # the filter that these findings went through
        self._groups: list[Group] = []
        self._open: set[str] = set()
        self.list = LineList("findingsPanel.list", "Findings by cause")
        self.list.current.connect(self._picked)
        self.list.folded.connect(self._fold)
        self.list.opened.connect(self._jump)
        self._summary = Elided()
        self._summary.setObjectName("findingsPanel.summary")
        self.other = button("Other place", "findingsPanel.other", "Go to the other place that this finding speaks of", "link")
        self.other.clicked.connect(self._beyond)
        self.preview = button("Preview", "findingsPanel.preview", "Preview the fix of this finding")
        self.preview.clicked.connect(lambda: self._act(self.preview_wanted))
        self.fix = button("Fix", "findingsPanel.fix", "Fix this finding")
        self.fix.clicked.connect(lambda: self._act(self.fix_wanted))
        self.ways = button("Other ways ▾", "findingsPanel.ways", "Other ways to fix this finding")
        self.ways.clicked.connect(self._open_ways)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 4, 10, 5)
        foot.setSpacing(6)
        foot.addWidget(self._summary, 1)
        for made in (self.other, self.ways, self.preview, self.fix):
            foot.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(Hairline())
        column.addLayout(foot)
        self.setFocusProxy(self.list)
        self.refresh(session.state, Changed.ALL)

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many findings there are, those that a report leaves out too."""
        return sum(self._report.counts.values()) if self._report else 0

    def refresh(self, state: State, changed: Changed) -> None:
        sieve = sieve_of(state)
        other = (sieve and sieve.mask) is not (self._sieve and self._sieve.mask)
        if changed & FILTERED and (state.report is not self._report or changed & Changed.TRANSCRIPT or other):
            self._report, self._sieve = state.report, sieve
            findings = state.report.findings if state.report else []
            self._groups = grouped(findings if sieve is None else through(findings, sieve, state))
            self._open &= {_key(group) for group in self._groups}
            self._fill()
        if changed & (NEEDS | Changed.SELECTION):
            self._follow(state.selected)
            self._offer()

    def retint(self) -> None:
        self._summary.look(theme.current().ink_soft)

    def _fill(self) -> None:
        value = self.list.line.value if self.list.line else None
        lines = []
        for group in self._groups:
            opened = _key(group) in self._open
            lines.append(self._head(group, opened))
            if opened and len(group) > 1:
                lines += [self._inside(finding) for finding in group]
        nothing = "No finding is in the filter." if self._report is not None and self._report.findings else NOTHING
        self.list.blank = "" if self._report is None else nothing
        self.list.put(lines, value)
        shown = sum(map(len, self._groups))
        listed = len(self._report.findings) if self._report is not None else 0
        of = f"{full(shown)} of {full(listed)} are in the filter · " if self._sieve is not None else ""
        self._summary.setText(of + words_of(self._report))
        self.retint()

    def _head(self, group: Group, opened: bool) -> Line:
        first = group[0]
        several = len(group) > 1
        return Line(
            title=line(abridged(first.message, first.ids), 300),
            detail=self._small(first) if not several else line(first.reason, 300) or "one cause",
            mark=first.rule,
            mark_colour=COLOUR[first.severity],
            right=f"× {full(len(group))}" if several else exchange_and_step(self._session.state, first.row),
            icon={"error": "error", "warning": "warning"}.get(first.severity, "note"),
            colour=COLOUR[first.severity],
            bold=first.severity == "error",
            fold=opened if several else None,
            value=group,
        )

    def _inside(self, finding: Finding) -> Line:
        return Line(
            title=line(abridged(finding.message, finding.ids), 300),
            detail=self._small(finding),
            mark=finding.rule,
            right=exchange_and_step(self._session.state, finding.row),
            level=2,
            value=finding,
        )

    def _small(self, finding: Finding) -> str:
        fix = f"{finding.fixes[0].title} ({finding.fixes[0].effect})" if finding.fixes else "no fix"
        return " · ".join(line(part, 200) for part in (finding.at, finding.reason.rstrip("."), fix) if part)

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _selected(self) -> Group:
        value = self.list.line.value if self.list.line else ()
        return (value,) if isinstance(value, Finding) else value

    def _picked(self, value: object) -> None:
        self._offer()
        group = self._selected()
        if group and self.list.hasFocus():
            self.row_wanted.emit(group[0].row)

    def _jump(self, value: object) -> None:
        group = self._selected()
        if group:
            self.row_wanted.emit(group[0].row)

    def _beyond(self) -> None:
        """To the other place; from there, where the finding stays in front, back to its own."""
        group = self._selected()
        if group and group[0].related >= 0:
            there = self._session.state.selected == group[0].related
            self.row_wanted.emit(group[0].row if there else group[0].related)

    def _fold(self, value: object) -> None:
        group = self._selected()
        self._open ^= {_key(group)}
        self._fill()

    def _follow(self, row: int) -> None:
        """The finding of the selected row, if it has one, is the selected entry."""
        group = self._selected()
        if row < 0 or any(row in (finding.row, finding.related) for finding in group):
            return
        found = next((g for g in self._groups if any(f.row == row for f in g)), None)
        if found is not None:
            inside = next(f for f in found if f.row == row)
            if not self.list.select_value(inside):
                self.list.select_value(found)

    def _offer(self) -> None:
        group = self._selected()
        fixes = group[0].fixes if group else ()
        whole = self._session.state.dump is not None and self._session.state.dump.complete
        for made in (self.preview, self.fix):
            made.setEnabled(bool(fixes) and whole)
        self.ways.setVisible(len(fixes) > 1)
        self.other.setVisible(bool(group) and group[0].related >= 0)
        self.other.setToolTip(plain((group and group[0].related_at) or self.other.accessibleName()))
        words = f"{fixes[0].title} ({fixes[0].effect})" if fixes else ""
        self.preview.setToolTip(plain(words or self.preview.accessibleName()))
        self.fix.setToolTip(plain(words or self.fix.accessibleName()))

    def _act(self, signal: object) -> None:
        group = self._selected()
        if group and group[0].fixes:
            signal.emit(together(group))  # type: ignore[attr-defined]

    def _open_ways(self) -> None:
        group = self._selected()
        if not group:
            return
        menu = QMenu(self)
        menu.setObjectName("findingsPanel.ways.menu")
        for index, fix in enumerate(group[0].fixes):
            action = menu.addAction(in_menu(f"{fix.title} ({fix.effect})"))
            action.setObjectName(f"findingsPanel.way_{index + 1}")
            action.triggered.connect(partial(self.preview_wanted.emit, fix))
        menu.popup(self.ways.mapToGlobal(self.ways.rect().bottomLeft()))


def grouped(findings: list[Finding]) -> list[Group]:
    """Findings of one severity and one cause together, errors first, else in the order of the transcript."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault((finding.severity, finding.cause or f"#{number}"), []).append(finding)
    return sorted((tuple(group) for group in groups.values()), key=lambda group: ORDER[group[0].severity])


def sieve_of(state: State) -> Filter | None:
    """The filter that hides what does not match; one that only marks leaves all findings."""
    known, view = state.filter, state.view
    fits = known is not None and known.mask is not None and view is not None and len(known.mask) == len(view)
    return known if fits and known is not None and known.way == "only" else None


def through(findings: list[Finding], sieve: Filter, state: State) -> list[Finding]:
    """The findings of blocks that match."""
    view, mask = state.view, sieve.mask
    if view is None or mask is None or not findings:
        return findings
    at = view.positions(np.asarray([finding.row for finding in findings], np.int64))
    kept = (at >= 0) & mask[at]
    return [finding for finding, on in zip(findings, kept.tolist(), strict=True) if on]


def together(group: Group) -> Change:
    """The first fixes of findings with one cause as one change; its effect is the worst of theirs."""
    fixes = [finding.fixes[0] for finding in group if finding.fixes]
    if len(fixes) == 1:
        return fixes[0]
    edits: list[Edit] = []
    dropped = [edit.rows for fix in fixes for edit in fix.edits if isinstance(edit, Drop)]
    if dropped:
        edits.append(Drop(np.unique(np.concatenate(dropped)).astype(np.int32)))
    for fix in fixes:
        edits += [edit for edit in fix.edits if not isinstance(edit, Drop) and edit not in edits]
    worst = max((fix.effect for fix in fixes), key=("exact", "adds", "loses").index)
    return Change(f"{fixes[0].title} ({counted(len(fixes), 'finding')})", fixes[0].origin, worst, tuple(edits), fixes[0].note)


def words_of(report: Report | None) -> str:
    """`3 errors, 1 warning`; what is left out is said."""
    if report is None:
        return ""
    numbers = summary(report)
    parts = [counted(n, word) for n, word in ((numbers.errors, "error"), (numbers.warnings, "warning"), (numbers.notes, "note")) if n]
    left = f", {full(report.left_out)} of them not listed" if report.left_out else ""
    return (", ".join(parts) or f"No findings, {counted(report.rules, 'rule')}") + left


def _key(group: Group) -> str:
    return f"{group[0].severity}:{group[0].cause or group[0].at}" if group else ""
