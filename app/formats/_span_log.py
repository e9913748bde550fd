"""Files of spans: what OpenTelemetry's formats have in common. Every span is a record; those in which a model was called are LLM calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.formats._calls import CallLog, CallSheet
from app.formats._format import Progress
from app.formats._nodes import Node
from app.formats._spans import in_time, items_of
from app.formats._traces import Span, call_of
from app.model.dump import Dump
from app.model.source import Source
from app.model.table import RecordKind

_SPAN = frozenset(
    {"spanContext", "traceId", "trace_id", "span_id", "spanId", "context", "parentSpanId", "parent_id", "startTime", "start_time", "kind"}
)  # fmt: skip
_LISTS = ("spans", "data", "traces", "events")


class SpanLog(CallLog):
    """Base of the formats of spans."""

    native = False  # instrumentations write down what they were handed, not what is sent

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        found = list[tuple[Span, int]]()
        for place, item in items_of(sheet, source, first_look):
            for node in spans_in(item):
                if not isinstance(node.value, dict):
                    sheet.item(node, place, RecordKind.UNKNOWN)
                    continue
                span = Span(node)
                record = sheet.item(node, place, time=span.time())
                if span.is_call():
                    found.append((span, record))
        for span, record in in_time(found, lambda pair: pair[0].time()):
            sheet.add(call_of(span, record))
        return sheet.dump(complete=not first_look)


def spans_in(node: Node, depth: int = 0) -> Iterator[Node]:
    """The spans in an item: those of OTLP's resources and scopes, those of a list, or the item itself."""
    value = node.value
    if not isinstance(value, dict) or depth > 4:
        yield node
        return
    for outer in ("resourceSpans", "resource_spans", "batches"):
        held = node.get(outer)
        for resource in held.elements() if held is not None else ():
            for scope in _scopes(resource):
                spans = scope.get("spans")
                yield from spans.elements() if spans is not None else ()
        if held is not None:
            return
    for key in _LISTS:
        held = node.get(key)
        if held is not None and "attributes" not in value and isinstance(held.value, list) and any(map(is_span, held.value)):
            for inner in held.elements():
                yield from spans_in(inner, depth + 1)
            return
    yield node


def _scopes(resource: Node) -> Iterator[Node]:
    for key in ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
        held = resource.get(key)
        yield from held.elements() if held is not None else ()


def is_span(value: Any) -> bool:
    """Whether an object is a span, or the attributes of one by themselves."""
    if not isinstance(value, dict):
        return False
    if any(key.startswith(("gen_ai.", "openinference.", "llm.", "ai.")) for key in value):
        return True
    if not {"name", "attributes"} <= value.keys():
        return False
    return not _SPAN.isdisjoint(value)
