"""Braintrust: spans as they are logged or exported. Each of type `llm`, and each bare `{input, output}`, is an LLM call.

Input and output are what the wrapped client or framework handed over. Tools and instructions may stand in `metadata`.
Source: https://www.braintrust.dev/docs (span schema), and recorded spans.
"""

from __future__ import annotations

from typing import Any

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._format import Progress
from app.formats._nodes import Node
from app.formats._payload import came, error_text, sent
from app.formats._peek import peek
from app.formats._spans import in_time, items_of
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind

_SPAN = frozenset({"span_attributes", "_pagination_key", "root_span_id", "span_parents", "_xact_id"})


class Braintrust(CallLog):
    name = "braintrust-spans"
    summary = "Braintrust: spans with input and output"
    native = False  # frameworks write down what they hand over, not what is sent

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        value = seen.value
        for key in ("events", "rows", "spans", "data"):
            if isinstance(value, dict) and isinstance(value.get(key), list) and _is_span(next(iter(value[key]), None)):
                return Confidence(self.name, 0.95, f"{key} with span_attributes")
        records = list(seen.records) if seen.lines else value if isinstance(value, list) else [value]
        if records and 2 * sum(_is_span(record) for record in records) > len(records):
            return Confidence(self.name, 0.96, "span_attributes, span_id")
        if isinstance(value, list) and not seen.lines and value and 2 * sum(_is_bare(record) for record in value) > len(value):
            return Confidence(self.name, 0.9, "a list of input and output")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        found = list[tuple[Node, int]]()
        for place, node in items_of(sheet, source, first_look):
            inner = next((held for key in ("events", "rows", "spans", "data") if (held := node.get(key)) is not None), None)
            rows = inner.elements() if inner is not None and isinstance(inner.value, list) and not _is_span(node.value) else [node]
            for number, row in enumerate(rows):
                known = isinstance(row.value, dict)
                record = sheet.item(row, place + number, RecordKind.META if known else RecordKind.UNKNOWN, _time(row.value))
                if known and _is_call(row.value):
                    found.append((row, record))
        for node, record in in_time(found, lambda pair: _time(pair[0].value)):
            sheet.add(_call(node, record))
        return sheet.dump(complete=not first_look)


def _is_span(value: Any) -> bool:
    return isinstance(value, dict) and not _SPAN.isdisjoint(value)


def _is_bare(value: Any) -> bool:
    """An `{input, output}` with nothing of another kind of record beside it."""
    return isinstance(value, dict) and "input" in value and not {"role", "call_id", "type", "name", "attributes"} & value.keys()


def _is_call(value: dict[str, Any]) -> bool:
    attributes = value.get("span_attributes")
    if isinstance(attributes, dict):
        return attributes.get("type") == "llm"
    return "input" in value and not _is_span(value)


def _time(value: Any) -> Any:
    metrics = value.get("metrics") if isinstance(value, dict) else None
    start = metrics.get("start") if isinstance(metrics, dict) else None
    return start if start is not None else value.get("created") if isinstance(value, dict) else None


def _call(node: Node, record: int) -> Call:
    value = node.value
    attributes, metrics = value.get("span_attributes"), value.get("metrics")
    name = attributes.get("name") if isinstance(attributes, dict) else None
    asked, told = sent(node.get("input")), came(node.get("output"))
    metadata = node.get("metadata")
    metadata = metadata.decoded() if metadata is not None else None
    if metadata is not None:
        for held, key in ((asked.tools, "tools"), (asked.system, "instructions"), (asked.system, "system")):
            _beside(held, metadata, key)
        model = metadata.value.get("model") if isinstance(metadata.value, dict) else None
        asked.model = asked.model or (model if isinstance(model, str) else None)
    if isinstance(metrics, dict):
        told.usage = metrics
    id = next((value[key] for key in ("span_id", "id") if isinstance(value.get(key), str)), f"row-{record}")
    call = Call(id, name if isinstance(name, str) else "call", _time(value), asked, told, record=record)
    text = error_text(value.get("error"))
    if text is not None or told.error is not None:
        call.refusal = (None, text or told.error or "")
    return call


def _beside(held: list[Node], metadata: Node, key: str) -> None:
    """Tools or instructions out of the metadata, where the input has none."""
    found = metadata.get(key) or metadata.get("invocation_params", key)
    if held or found is None or not found.value or not isinstance(found.value, str | list):
        return
    held += list(found.elements()) if isinstance(found.value, list) else [found]


FORMAT = Braintrust()
