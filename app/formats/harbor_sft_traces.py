"""Harbor's traces for fine-tuning: a list (or lines) of `{conversations: [{role, content}], agent, model, task, trial_name, ...}`.

A row is an episode of a trial. Source: laude-institute/harbor src/harbor/utils/traces_utils.py, and recorded exports.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._dialects import OPENAI
from app.formats._format import Progress
from app.formats._logs import Log, Sheet
from app.formats._peek import peek
from app.formats._rows import Row, each_row, rows_in
from app.model.dump import Confidence, Dump
from app.model.source import Source

_KEYS: Final = frozenset({"agent", "model", "model_provider", "date", "task", "episode", "run_id", "trial_name"})


class HarborTraces(Log):
    name = "harbor-sft-traces"
    summary = "Harbor: traces for fine-tuning, one row an episode"
    provider = "openai-chat"
    mode = "prefix"
    dialect = OPENAI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        rows = rows_in(peek(head, whole))
        told = sum(_is_row(row) for row in rows)
        return Confidence(self.name, 0.97, "conversations beside agent, task and trial_name") if rows and 2 * told > len(rows) else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        each_row(sheet, _lists, progress, first_look, title=_title)
        return sheet.dump(complete=not first_look)


def _is_row(row: dict[str, Any]) -> bool:
    turns = row.get("conversations")
    first = turns[0] if isinstance(turns, list) and turns else {}
    return isinstance(turns, list) and len(_KEYS & row.keys()) > 2 and isinstance(first, dict) and "from" not in first


def _title(row: dict[str, Any]) -> str:
    return ", ".join(row[key] for key in ("task", "trial_name", "episode") if isinstance(row.get(key), str) and row[key])


def _lists(row: dict[str, Any]) -> list[Row]:
    return [Row((("conversations",),))] if isinstance(row.get("conversations"), list) else []


FORMAT = HarborTraces()
