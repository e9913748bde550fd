"""A session for the window's own panels: the fake one with the reads that they need, and changes to show."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal

from app.model.block import Block
from app.model.edits import Change, Effect, History, Layer, drop
from app.model.filter import Completion, FilterError, Problem
from app.model.findings import Finding, Report
from app.model.passages import Passage
from app.model.state import State
from app.pipeline.filter_columns import Scope
from app.pipeline.filter_complete import complete
from app.pipeline.filter_read import read
from tests.widgets.fake_session import FakeSession

TITLES = {"anthropic": "Anthropic", "openai-chat": "OpenAI Chat"}


class DeskSession(FakeSession):
    """`originals`: blocks as the file has them, by row; `records`: bytes of unparsed records, by record; `lines`: record to line."""

    told = Signal(object)
    answered = Signal(object)
    heard = Signal(object)
    coming = Signal(object, object)
    tried = ""

    def __init__(self, state: State | None = None) -> None:
        super().__init__(state)
        self.originals: dict[int, Block] = {}
        self.records: dict[int, bytes] = {}
        self.lines: dict[int, int] = {}
        self.raws = 0
        self.asked: list[tuple[Any, ...]] = []  # questions that wait for an answer

    def ask(self, about: str, *what: Any) -> None:
        self.asked.append((about, *what))

    def ask_no_more(self, about: str) -> None:
        self.asked = [one for one in self.asked if one[0] != about]

    def asking(self, about: str) -> bool:
        return any(one[0] == about for one in self.asked)

    def problem_of(self, text: str) -> Problem | None:
        try:
            read(text)
        except FilterError as error:
            return error.problem
        return None

    def complete_filter(self, text: str, at: int) -> Completion:
        view = self.state.view
        return complete(text, at, Scope(view, self.state.report)) if view is not None else Completion(at, at, ())

    def titles(self) -> dict[str, str]:
        return TITLES

    def line_of(self, record: int) -> int | None:
        return self.lines.get(record)

    def original(self, row: int) -> Block | None:
        return self.originals.get(row, self.block(row))

    def raw(self, row: int) -> bytes:
        self.raws += 1
        return super().raw(row)

    def raw_record(self, record: int) -> bytes:
        return self.records[record]

    def unparsed(self) -> list[int]:
        return sorted(self.records)

    def formats(self) -> dict[str, str]:
        return {"anthropic-messages": "Anthropic Messages", "openai-chat": "OpenAI Chat Completions"}

    def is_error(self, text: str) -> bool:
        return "tool_use" in text

    def rule_help(self, rule: str) -> tuple[Passage, ...]:
        return (Passage("text", f"What {rule} means."),)

    def names(self) -> list[str]:
        """Names of what was asked."""
        return [name for name, _ in self.asked]


def change(title: str = "Drop the result", effect: Effect = "loses", *rows: int, tokens: int = 0) -> Change:
    return Change(title, "rule:tool-result-orphan", effect, (drop(*rows),) if rows else (), tokens=tokens)


def history(*layers: tuple[Change, ...], cursor: int | None = None) -> History:
    made = tuple(Layer(f"Step {n}", (changes,)) for n, changes in enumerate(layers, 1))
    return History(made, len(made) if cursor is None else cursor)


def report(verdict: str = "accept", findings: list[Finding] | None = None, **more: Any) -> Report:
    found = findings or []
    counts: dict[str, int] = {}
    for finding in found:
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
    values: dict[str, Any] = {"left_out": 0, "rules": 61, "mode": "complete", "counts": counts, **more}
    return Report("anthropic", None, findings=found, verdict=verdict, **values)  # type: ignore[arg-type]


def found(rule: str = "tool-result-orphan", row: int = 0, message: str = "result toolu_01A has no call", **more: Any) -> Finding:
    values: dict[str, Any] = {"severity": "error", "provider_error": None, "reason": "", **more}
    return Finding(rule, row=row, at=f"/messages/{row}", provider_at=None, ids=(), message=message, **values)
