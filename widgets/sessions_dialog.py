"""Find my sessions: what common agents keep on this machine, newest first, with title and verdict filled in while one looks."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.sighting import Sighting
from app.model.state import Changed, State
from widgets import theme
from widgets.chooser import Chooser, Column
from widgets.transcript_dialog import verdict_of
from widgets.visible import line
from widgets.words import counted, full, short

NOBODY = "No session was found where Claude Code, Codex, Gemini CLI, Qwen Code, pi, opencode, Goose, Continue, Cline or Roo keep theirs."


def _verdict(one: Sighting) -> tuple[str, str]:
    if one.why:
        return line(one.why, 60), "soft"
    return verdict_of(one.errors, one.warnings) if one.seen else verdict_of(None)


def _when(one: Sighting) -> str:
    return datetime.fromtimestamp(one.written).strftime("%Y-%m-%d %H:%M")


def project(one: Sighting) -> str:
    """The last part of the project's folder. Claude Code names a session's folder by the project's path, with a dash for each sign that is
    no letter or digit; other programs keep all sessions together, by day: then it is the folder of the file."""
    parts = one.path.replace("\\", "/").split("/")
    folder = parts[-2] if len(parts) > 1 else ""
    if one.program == "Claude Code" and folder.startswith("-"):
        home = "-".join(["", *Path.home().parts[1:], ""])
        folder = folder.removeprefix(home) if folder.startswith(home) else folder.lstrip("-")
    return line(folder, 80)


def _title(one: Sighting) -> str:
    name = one.path.replace("\\", "/").rsplit("/", 1)[-1]
    return line(one.title, 160) or line(name, 160)


COLUMNS = (
    Column("Written", "when it was last written", _when, lambda one: one.written, "2026-08-28 08:08"),
    Column("Program", "whose session it is", lambda one: one.program, lambda one: one.program, "Claude Code", down=False),
    Column("Project", "the folder that it worked in, or that its file lies in", project, lambda one: project(one).lower(),
           "transcript-inspector", down=False, tip=lambda one: line(one.path, 400)),
    Column("Session", "its title, or what a person said first", _title, lambda one: _title(one).lower(), down=False),
    Column("Size", "bytes of the file", lambda one: f"{short(one.size)}B", lambda one: one.size, "888.8kB", True),
    Column("Requests", "answers of the model in the conversation that would be opened",
           lambda one: full(one.requests) if one.requests >= 0 else "", lambda one: one.requests if one.requests >= 0 else None,
           "Requests", True),
    Column("Verdict", "what was found in the conversation that would be opened", lambda one: _verdict(one)[0],
           lambda one: (one.errors, one.warnings) if one.errors >= 0 else None, "▲ 888 warnings", tone=lambda one: _verdict(one)[1]),
)  # fmt: skip


class SessionsDialog(Chooser):
    """Fact: `opened(path)`; the others are those of a chooser."""

    opened = Signal(str)

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        super().__init__("sessionsDialog", "Find my sessions", "sessions", COLUMNS, parent)
        self._state = State()
        self._paths: list[str] = []
        self.resize(theme.measure(1120, 560))
        self.chosen.connect(lambda index: self.opened.emit(self._paths[index]))
        self.refresh(state, Changed.ALL | Changed.SIGHTED)

    def refresh(self, state: State, changed: Changed) -> None:
        """More was found, or is known."""
        if not changed & Changed.SIGHTED:
            return
        self._state = state
        paths = [one.path for one in state.sighted]
        same = paths == self._paths
        self._paths = paths
        titled = [f"{one.program} {one.path} {one.title}" for one in state.sighted]
        self.put(state.sighted, None if same and not self.rows.words else titled)
        if same:
            self.rows.retell(titled)

    def summary(self) -> str:
        """`412 sessions; 37 still to be looked into`."""
        many, left = len(self._state.sighted), self._state.unseen
        if left < 0:
            return f"{counted(many, 'session')} so far; still being looked for" if many else "Being looked for…"
        if not many:
            return NOBODY
        said = counted(many, "session")
        if self.rows.rowCount() != many:
            said = f"{full(self.rows.rowCount())} of {said}"
        return said + (f"; {full(left)} still to be looked into" if left else "")
