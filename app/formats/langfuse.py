"""Langfuse: a trace with its observations, or observations alone. Each GENERATION with none below it is an LLM call.

Inputs and outputs are what the framework handed over, often JSON in a string, some of it twice. What the trace, spans, tools and agents
keep of the same is a copy. An observation of level ERROR has the provider's words in `statusMessage`.
Source: https://langfuse.com/docs/observability/data-model, langfuse/langfuse packages/shared, and recorded traces.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._format import Progress
from app.formats._nodes import Node
from app.formats._payload import came, sent
from app.formats._peek import peek
from app.formats._spans import in_time, items_of
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind

_TYPES: Final = (
    "GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EMBEDDING", "EVALUATOR", "GUARDRAIL",
)  # fmt: skip


class Langfuse(CallLog):
    name = "langfuse"
    summary = "Langfuse: traces with their observations"
    native = False  # frameworks write down what they hand over, not what is sent

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        value = seen.value
        if isinstance(value, dict) and "trace" in value and "observations" in value:
            return Confidence(self.name, 0.97, "trace and observations")
        if isinstance(value, dict) and isinstance(value.get("data"), list) and value["data"]:
            value = value["data"]
        records = list(seen.records) if seen.lines else value if isinstance(value, list) else [value]
        if records and 2 * sum(_is_trace(record) or _is_observation(record) for record in records) > len(records):
            return Confidence(self.name, 0.95, "observations of a trace")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        found = list[tuple[Node, int]]()
        for place, node in items_of(sheet, source, first_look, inside="data"):
            held = node.get("observations")
            inner = held if held is not None and isinstance(held.value, list) else node.get("trace", "observations")
            if inner is None or not isinstance(inner.value, list):
                known = _is_observation(node.value)
                record = sheet.item(node, place, RecordKind.META if known else RecordKind.UNKNOWN, _get(node, "startTime", "start_time"))
                found += [(node, record)] if known else []
                continue
            for number, observation in enumerate(inner.elements()):
                known = isinstance(observation.value, dict)
                time = _get(observation, "startTime", "start_time") if known else None
                record = sheet.item(observation, number, RecordKind.META if known else RecordKind.UNKNOWN, time)
                found += [(observation, record)] if known else []
        around = _around([node.value for node, _ in found])
        calls = [(node, record) for node, record in found if _is_generation(node.value) and str(node.value.get("id")) not in around]
        for node, record in in_time(calls, lambda pair: _get(pair[0], "startTime", "start_time")):
            sheet.add(_call(node, record))
        return sheet.dump(complete=not first_look)


def _is_observation(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("type") not in _TYPES:
        return False
    return bool({"traceId", "trace_id", "parentObservationId", "parent_observation_id"} & value.keys())


def _is_trace(value: Any) -> bool:
    held = value.get("observations") if isinstance(value, dict) else None
    return isinstance(held, list) and bool(held) and (_is_observation(held[0]) or "trace" in value or "sessionId" in value)


def _is_generation(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "GENERATION"


def _get(node: Node, *keys: str) -> Any:
    value = node.value
    return next((value[key] for key in keys if value.get(key) is not None), None) if isinstance(value, dict) else None


def _around(observations: list[dict[str, Any]]) -> set[str]:
    """Ids of the observations that have a generation somewhere below them."""
    parent = {o["id"]: o.get("parentObservationId", o.get("parent_observation_id")) for o in observations if isinstance(o.get("id"), str)}
    found = set[str]()
    for observation in observations:
        at = parent.get(observation.get("id")) if _is_generation(observation) and isinstance(observation.get("id"), str) else None
        while isinstance(at, str) and at not in found:
            found.add(at)
            at = parent.get(at)
    return found


def _call(node: Node, record: int) -> Call:
    value = node.value
    model = value.get("model") or value.get("providedModelName") or value.get("provided_model_name")
    told = came(node.get("output"))
    usage = _get(node, "usageDetails", "usage_details", "usage")
    told.usage = usage if isinstance(usage, dict) else told.usage
    id, name = str(value.get("id") or f"observation-{record}"), str(value.get("name") or "generation")
    call = Call(id, name, _get(node, "startTime", "start_time"), sent(node.get("input")), told, record=record)
    call.model = model if isinstance(model, str) else None
    message = _get(node, "statusMessage", "status_message")
    if value.get("level") == "ERROR":
        call.refusal = (None, message if isinstance(message, str) and message else told.error or "an error without words")
    elif told.error is not None:
        call.refusal = (None, told.error)
    return call


FORMAT = Langfuse()
