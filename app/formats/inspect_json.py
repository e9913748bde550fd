"""Inspect's logs as one JSON document: `{version, status, eval, plan, results, stats, error, samples}`; or one sample by itself.

Source: UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_log.py (`EvalLog`), and recorded logs of versions 1 and 2.
"""

from __future__ import annotations

from typing import Any

from app.formats._attached import seen
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._inspect import InspectWire
from app.formats._inspect_samples import add_sample, task_of
from app.formats._logs import Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import Table

_SAMPLE = frozenset({"id", "epoch", "input", "target", "messages"})


class InspectJson(Log):
    name = "inspect-json"
    summary = "Inspect: a log as one JSON document"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(InspectWire(), InspectWire().rewrite, Role.TOOL)

    def value(self, table: Table, source: Source, record: int) -> Any:
        return seen(super().value(table, source, record), table, source, record)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        told = value.get("eval")
        if isinstance(told, dict) and ("run_id" in told or "task_id" in told) and "task" in told:
            return Confidence(self.name, 0.98, "eval with task and run_id")
        if value.keys() >= _SAMPLE:
            return Confidence(self.name, 0.95, "a sample: id, epoch, input, target and messages")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        root = document(source)
        task, model = task_of(root.value)
        samples = root.get("samples")
        if samples is None and _is_sample(root.value):
            add_sample(sheet, root, 0, task, model)
        for number, node in enumerate(samples.elements() if samples is not None else ()):
            if isinstance(node.value, dict):
                add_sample(sheet, node, number, task, model)
            if progress is not None:
                progress(min(1.0, node.end / max(1, source.size)))
        return sheet.dump(complete=not first_look)


def _is_sample(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() >= _SAMPLE


FORMAT = InspectJson()
