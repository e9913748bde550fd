"""The one table of actions: id, menu, text, keys, tip, when it can be used. Menus, buttons, keys and their help are made from it.

An action's id is its objectName; what it does is found by id in `widgets/commands.py`. A key that a text field needs for itself
(a letter, a digit, Ctrl+C) stays the field's own while it has the focus: Qt asks the field first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup

from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.state import State
from widgets import theme, walk
from widgets.first_actions import INCIDENT, MENUS, OPEN, PASTE, QUIT, SEEK, Row
from widgets.icon import icon

__all__ = ["MENUS", "TABLE", "Actions", "Row"]


def opened(state: State) -> bool:
    return state.view is not None


def selected(state: State) -> bool:
    return state.view is not None and state.selected >= 0


def from_file(state: State) -> bool:
    return state.dump is not None and bool(state.path)


def whole(state: State) -> bool:
    """The file was read to its end; a first look cannot be changed or written."""
    return state.view is not None and state.dump is not None and state.dump.complete


def reportable(state: State) -> bool:
    return whole(state) and has_findings(state)


def can_repair_in_place(state: State) -> bool:
    """Changes are in force, and there is a file that they could be written over."""
    file = state.dump.source.path if state.dump is not None else None
    return whole(state) and file is not None and any(layer.changes for layer in state.history.active)


def has_findings(state: State) -> bool:
    return state.report is not None and bool(state.report.findings)


def can_mend(state: State) -> bool:
    """An error has a fix."""
    return whole(state) and state.report is not None and any(f.fixes for f in state.report.findings if f.severity == "error")


def can_mend_safely(state: State) -> bool:
    """An error has a fix that takes nothing away."""
    found = state.report.findings if whole(state) and state.report is not None else ()
    return any(fix.effect != "loses" for f in found if f.severity == "error" for fix in f.fixes)


def can_fix(state: State) -> bool:
    """The selected row has a finding that has a fix."""
    return whole(state) and state.report is not None and any(f.row == state.selected and f.fixes for f in state.report.findings)


def has_other(state: State) -> bool:
    """A finding of the selected row speaks of another place."""
    return walk.other(state) >= 0


def waits_for_result(state: State) -> bool:
    """The selected row is a call without a result, or stands for one by a made-up result."""
    view = state.view
    at = view.at(state.selected) if whole(state) and view is not None and state.selected >= 0 else -1
    if view is None or at < 0 or view.server[at]:
        return False
    partner = int(view.links.partner[at])
    made = view.transcript.made
    if view.kind[at] == Kind.TOOL_CALL:
        return partner < 0 or int(view.rows[partner]) in made
    return bool(view.kind[at] == Kind.TOOL_RESULT) and state.selected in made and partner >= 0


def previewing(state: State) -> bool:
    return state.preview is not None


def planned(state: State) -> bool:
    return whole(state) and state.plan is not None and state.plan.length > 0 and state.preview is None


def filtered(state: State) -> bool:
    return state.filter is not None


def clearable(state: State) -> bool:
    """Esc is the preview's own while there is one."""
    return state.filter is not None and state.preview is None


def has_id(state: State) -> bool:
    return bool(walk.call_id(state))


def budgeted(state: State) -> bool:
    return state.budget is not None


def ranked(state: State) -> bool:
    return bool(state.rankings)


def can_undo(state: State) -> bool:
    return state.history.can_undo


def can_redo(state: State) -> bool:
    return state.history.can_redo


def has_refusal(state: State) -> bool:
    return state.transcript is not None and bool(state.transcript.refusals)


@lru_cache(maxsize=2)
def _unparsed(dump: Dump) -> int:
    return dump.records["unparsed"]


def has_unparsed(state: State) -> bool:
    return state.dump is not None and _unparsed(state.dump) > 0


def can_cancel(state: State) -> bool:
    return state.progress is not None and state.progress.cancel


def can_halve(state: State) -> bool:
    return whole(state) and state.now > 1


def has_pins(state: State) -> bool:
    return bool(state.pins) and state.dump is not None and state.dump.source.path is not None


def has_requests(state: State) -> bool:
    """A log of calls, read to its end."""
    return state.dump is not None and state.dump.complete and bool(state.dump.requests)


def has_several(state: State) -> bool:
    return state.dump is not None and len(state.dump.transcripts) > 1


TABLE: tuple[Row, ...] = (
    OPEN,
    Row("file.open_as", "File", "Open &as…", "Ctrl+Shift+O", "Open a file as a format that you name"),
    SEEK,
    PASTE,
    INCIDENT,
    Row("file.reload", "File", "&Read again", "F5 Ctrl+R", "Read the file anew; changes are dropped", from_file, rule=True, icon="reload"),
    Row("file.follow", "File", "Fo&llow the file", "Ctrl+L", "Take in what is written to it while it is open", from_file, toggle=True),
    Row("file.cancel", "File", "S&top reading", "", "Give up what is being read or counted", can_cancel),
    Row("file.export", "File", "&Export…", "Ctrl+E Ctrl+S", "Write it to a new file, with the proof", whole, rule=True, icon="export"),
    Row("file.in_place", "File", "Repair &in place…", "", "Write the changes over the file, after a numbered backup", can_repair_in_place),
    Row("file.go_back", "File", "&Go back to a backup…", "", "Put back what a repair in place wrote over", from_file),
    Row("file.report", "File", "&Save a report…", "Ctrl+Shift+E", "Write findings and changes as a text to read", whole, icon="report"),
    Row("file.keep_pins", "File", "&Keep pins beside the dump", "", "Write them to NAME.inspector.json", has_pins),
    Row("file.bug_report", "File/Share", "Copy as a &bug report…", "Ctrl+Alt+M", "The smallest transcript that still fails",
        reportable),
    Row("file.shape", "File/Share", "Export the &shape only…", "", "The file with all contents filled, character for character", whole),
    Row("file.redact", "File/Share", "Export &redacted…", "", "The file without secrets and personal data, each looked at", whole),
    Row("edit.copy_summary", "File/Share", "&Copy summary for the review", "", "What was wrong, what was done, the proof", whole),
    Row("file.compare", "File", "&Compare with…", "Ctrl+Shift+D", "What went, changed and came in another dump", whole),
    QUIT,
    Row("edit.undo", "Edit", "&Undo", "Ctrl+Z", "Take back the last step", can_undo, icon="undo"),
    Row("edit.redo", "Edit", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Do the step again that was taken back", can_redo, icon="redo"),
    Row("finding.preview", "Edit", "Preview re&pair…", "Ctrl+P", "What mending all would change", can_mend, rule=True, icon="repair"),
    Row("finding.preview_safe", "Edit", "Preview what &loses nothing…", "Ctrl+Alt+P", "Only what removes nothing", can_mend_safely),
    Row("finding.fix", "Edit", "&Fix the finding here", "Ctrl+.", "Apply the least lossy fix of the selected finding", can_fix),
    Row("finding.real_result", "Edit", "U&se the real result…", "Ctrl+Shift+R", "Put in what the tool really answered", waits_for_result),
    Row("finding.fix_all", "Edit", "Fix &all errors", "Ctrl+Shift+A", "Apply the whole repair as one step", can_mend),
    Row("finding.apply", "Edit", "Appl&y the preview", "Enter Return", "Apply the repair that is shown", previewing),
    Row("finding.cancel", "Edit", "Leave the preview", "Esc", "Drop the repair that is shown", previewing),
    Row("edit.find", "Edit", "F&ilter or find…", "Ctrl+F /", "Find words, or filter: tool == read_file", opened, rule=True, icon="find"),
    Row("edit.find_next", "Edit", "&Next hit", "F3 Ctrl+G", "The next block that matches", opened, icon="next"),
    Row("edit.find_previous", "Edit", "Pre&vious hit", "Shift+F3 Ctrl+Shift+G", "The block that matches before", opened, icon="previous"),
    Row("edit.find_first", "Edit", "First hit", "Ctrl+F3", "The first block that matches: where an id was first seen", filtered),
    Row("edit.filter_only", "Edit", "Only &matches", "Ctrl+Shift+H", "Hide what does not match, or mark what does", filtered, toggle=True),
    Row("edit.find_id", "Edit", "All places of this i&d", "Ctrl+Shift+I", "Filter by the call id of the block", has_id),
    Row("edit.filter_clear", "Edit", "Cl&ear the filter", "Ctrl+Shift+X", "Esc does it too; a span of the chart goes first", clearable),
    Row("edit.find_block", "Edit", "Find in the bloc&k…", "Ctrl+Shift+F", "Find words within the block that is shown", selected),
    Row("edit.copy_text", "Edit", "&Copy the text", "Ctrl+C", "Copy the whole text of the block", selected, rule=True, icon="copy"),
    Row("edit.copy_json", "Edit", "Copy the &JSON", "Ctrl+Alt+C", "Copy the block as the file's JSON has it", selected),
    Row("edit.copy_line", "Edit", "Copy the line num&ber", "Ctrl+Alt+L", "Copy the file's name and the line: session.jsonl:398", selected),
    Row("edit.copy_pointer", "Edit", "Copy the poin&ter", "Ctrl+Shift+C", "Copy the block's JSON pointer in the file", selected),
    Row("go.palette", "Go", "Co&mmands and places…", "Ctrl+Shift+P Ctrl+K", "Any command by a few letters; any place: E31, r203, line 398"),
    Row("go.next_finding", "Go", "&Next finding", "F8", "The next finding: errors, then warnings, then notes", has_findings, rule=True),
    Row("go.previous_finding", "Go", "&Previous finding", "Shift+F8", "The finding before, in the same order", has_findings),
    Row("go.next_exchange", "Go", "Next &exchange", "Ctrl+Down ]", "The beginning of the next exchange", opened, rule=True),
    Row("go.previous_exchange", "Go", "Previous e&xchange", "Ctrl+Up [", "The beginning of this exchange, then of the one before", opened),
    Row("go.next_pair", "Go", "Next &call", "F9", "Select the next tool call; P goes on to its result", opened),
    Row("go.previous_pair", "Go", "Previous call", "Shift+F9", "Select the tool call before; P goes on to its result", opened),
    Row("go.partner", "Go", "To its result, or its c&all", "P", "From a call to its result, from a result to its call", selected),
    Row("go.other", "Go", "Other p&lace of the finding", "O", "To the other place that this finding speaks of, and back", has_other),
    Row("go.seen", "Go", "What the model &saw here", "S", "Grey what the request did not carry; Esc in the chart ends it", opened),
    Row("go.refusal", "Go", "Recorded &refusal", "", "Where the provider's own refusal stands in the dump", has_refusal, rule=True),
    Row("go.cache_lost", "Go", "Next lost cac&he", "Ctrl+Alt+K", "The next request that read less from the provider's cache", opened),
    Row("finding.error", "Go", "Paste the provider's err&or…", "Ctrl+Shift+V", "Find the place that a provider's error speaks of", whole),
    Row("go.unparsed", "Go", "Next &unparsed record", "", "A record that could not be read; it is kept", has_unparsed),
    Row("go.transcript", "Go", "Choose the &transcript…", "Ctrl+T", "Choose one of the transcripts of this dump", has_several, rule=True),
    Row("go.requests", "Go", "Re&quests of this log…", "Ctrl+Alt+Q", "What each request kept, changed and cut", has_requests),
    Row("view.level1", "View", "&Exchanges", "1", "Open the list to exchanges", opened),
    Row("view.level2", "View", "&Steps", "2", "Open the list to steps", opened),
    Row("view.level3", "View", "&Blocks", "3", "Open the list to blocks", opened),
    Row("view.combs", "View", "Si&zes of all strategies", "", "The chart's margin: every size that each can reach, or of one (R)", ranked),
    Row("view.before_after", "View", "Before and &after…", "Ctrl+D", "What changes and plan make of it", whole, rule=True),
    Row("view.as_is", "View", "As the f&ile is", "B", "Hold the key: list, block and verdict without plan and changes", opened),
    Row("view.mode_complete", "View", "Judge: could be sent &now", "", "An open call at the end is a finding", opened, "mode", rule=True),
    Row("view.mode_prefix", "View", "Judge: &well formed so far", "", "An open call at the end is pending, no finding", opened, "mode"),
    Row("view.focus_chart", "View/Go to", "&Chart", "Ctrl+1", "The sizes of all requests, and the budget", opened, rule=True),
    Row("view.focus_list", "View/Go to", "&List", "Ctrl+2", "Exchanges, steps and blocks", opened),
    Row("view.focus_plan", "View/Go to", "&Plan", "Ctrl+3", "The budget and what each strategy would do", opened),
    Row("view.focus_findings", "View/Go to", "&Findings", "Ctrl+4", "What was found, by cause", opened),
    Row("view.focus_changes", "View/Go to", "C&hanges", "Ctrl+5", "What was changed, with undo for each step", opened),
    Row("view.focus_replay", "View/Go to", "Repla&y", "Ctrl+8", "What each strategy would have cost over the whole session", opened),
    Row("view.focus_block", "View/Go to", "&Block", "Ctrl+6", "The selected block: what is wrong with it, and its text", opened),
    Row("view.focus_costs", "View/Go to", "C&osts", "Ctrl+7", "Which blocks and tools filled the requests", opened),
    Row("view.focus_next", "View/Go to", "&Next region", "F6", "The keyboard goes to the next part of the window", rule=True),
    Row("view.focus_previous", "View/Go to", "P&revious region", "Shift+F6", "The keyboard goes to the part of the window before"),
    Row("view.larger", "View", "Lar&ger text", "Ctrl++ Ctrl+=", "All text one pixel larger; kept for the next start", rule=True),
    Row("view.smaller", "View", "S&maller text", "Ctrl+-", "All text one pixel smaller; kept for the next start"),
    Row("view.normal_size", "View", "&Text as the desktop has it", "Ctrl+0", "The size of text that the desktop asks for"),
    Row("view.theme_system", "View/Theme", "As the des&ktop", "", "Light or dark, as the desktop says", group="theme"),
    Row("view.theme_light", "View/Theme", "&Light", "", "Dark words on white", group="theme"),
    Row("view.theme_dark", "View/Theme", "&Dark", "", "Light words on black", group="theme"),
    Row("view.contrast", "View/Theme", "&High contrast", "", "Words, signs and frames stand out more", rule=True, toggle=True),
    Row("plan.budget", "Plan", "Type a &budget", "Ctrl+B", "Go to the field of the budget", opened),
    Row("plan.half", "Plan", "Half of the &tokens", "Ctrl+H", "Set the budget to half of now", can_halve),
    Row("plan.reset", "Plan", "&No budget", "Ctrl+Shift+B", "Park the budget: nothing is dropped", budgeted),
    Row("plan.apply", "Plan", "&Apply the plan", "Ctrl+Return Ctrl+Enter", "Apply what the plan shows as one step", planned),
    *(
        Row(f"plan.strategy_{n}", "Plan", f"Strategy {n}", f"Alt+{n}", "Show what this strategy would do", ranked, "strategy", n == 1)
        for n in range(1, 8)
    ),
    Row("plan.lost", "Plan", "What is &lost", "Ctrl+Alt+D", "What the shown plan loses, each with its place", planned),
    Row("plan.imitate", "Plan", "I&mitate…", "Ctrl+M", "What a real system's compaction would do", ranked, rule=True),
    Row("plan.summary", "Plan", "S&ummary…", "Ctrl+Shift+U", "Write what stands in place of all before the seam", ranked),
    Row("plan.pin", "Plan", "P&in this exchange", "Ctrl+I", "No plan touches a pinned exchange", selected, icon="pin", rule=True),
    Row("plan.pin_step", "Plan", "Pin this st&ep", "Ctrl+Alt+S", "No plan touches this request and its results", selected),
    Row("plan.pin_block", "Plan", "Pin this bl&ock", "Ctrl+Alt+B", "No plan touches this block and its partner", selected),
    Row("plan.pin_tool", "Plan", "Pin all &results of this tool", "", "No plan touches what this tool gave", selected),
    Row("plan.protect", "Plan", "Protect &what matters", "Ctrl+Shift+M", "Pin a set that long sessions need; again: let it go", whole),
    Row("plan.pins", "Plan", "&Pins and protection…", "Ctrl+Shift+T", "What every plan leaves alone, entry by entry", opened),
    Row("help.pages", "Help", "&What this is", "F1", "Five short pages with pictures"),
    Row("help.rule", "Help", "What this &finding means", "Shift+F1", "The rule of the selected finding, in words", has_findings, rule=True),
    Row("help.keys", "Help", "&Keys", "Ctrl+F1 ?", "Every key of the window"),
    Row("help.about", "Help", "&About", "", "Version, and what this program does and does not do", rule=True),
)  # fmt: skip

class Actions(QObject):
    """The QActions of a window, by id. `refresh` enables what can be used; `checked` marks the one in force of a group."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = {row.id: row for row in TABLE}
        self._groups: dict[str, QActionGroup] = {}
        self._all = {row.id: self._make(row) for row in TABLE}
        self._can: dict[str, bool] = {}  # what Qt was told: it looks at shortcuts and groups even where nothing is new
        self._named: dict[int, str] = {}
        self.retint()

    def __getitem__(self, name: str) -> QAction:
        return self._all[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._all.values())

    def refresh(self, state: State) -> None:
        """Enables and disables by the table; a strategy's action bears its name."""
        names = list(state.rankings)
        for name, action in self._all.items():
            row = self._rows[name]
            number = int(name[-1]) if row.group == "strategy" else 0
            can = row.when(state) and number <= len(names)
            if can != self._can.get(name):
                self._can[name] = can
                action.setEnabled(can)
        self._check("mode", f"view.mode_{state.mode}")
        self._all["file.follow"].setChecked(state.following)
        self._all["edit.filter_only"].setChecked(state.filter is not None and state.filter.way == "only")
        for number, strategy in enumerate(names[:7], 1):
            action = self._all[f"plan.strategy_{number}"]
            if self._named.get(number) != strategy:
                self._named[number] = strategy
                action.setText(strategy)
            if strategy == state.shown:
                self._check("strategy", action.objectName())

    def check_theme(self, name: str) -> None:
        self._check("theme", f"view.theme_{name}")

    def retint(self) -> None:
        """Icons in the colours of the theme in force."""
        now = theme.current()
        for row in TABLE:
            if row.icon:
                self._all[row.id].setIcon(icon(row.icon, now.ink_soft, now.border))

    def _check(self, group: str, name: str) -> None:
        if name in self._all and not self._all[name].isChecked():
            self._all[name].setChecked(True)

    def _make(self, row: Row) -> QAction:
        action = row.action(self)
        action.setIconVisibleInMenu(False)
        action.setCheckable(row.toggle)
        if row.group:
            group = self._groups.setdefault(row.group, QActionGroup(self))
            action.setCheckable(True)
            action.setActionGroup(group)
        return action
