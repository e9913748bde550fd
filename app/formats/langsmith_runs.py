"""LangSmith: runs as its API and its exports give them, nested or flat. Each run of type `llm` is an LLM call.

Messages stand in `inputs` and `outputs` as LangChain dumps them, or as the wrapped client's. Large ones may be left out (`inputs_s3_urls`).
Sources: https://docs.langchain.com/langsmith/run-data-format, langchain-ai/langsmith-sdk python/langsmith/schemas.py (`Run`).
"""

from __future__ import annotations

from collections.abc import Iterator
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

_TYPES: Final = ("llm", "chain", "tool", "retriever", "embedding", "prompt", "parser")
_DEPTH: Final = 60


class LangSmith(CallLog):
    name = "langsmith-runs"
    summary = "LangSmith: runs, those of a model with what was sent and came back"
    native = False  # frameworks write down what they hand over, not what is sent

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        value = seen.value
        for key in ("runs", "data"):
            if isinstance(value, dict) and isinstance(value.get(key), list) and value[key]:
                value = value[key]
        records = list(seen.records) if seen.lines else value if isinstance(value, list) else [value]
        if records and 2 * sum(_is_run(record) for record in records) > len(records):
            return Confidence(self.name, 0.97, "run_type and inputs")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        runs = list[tuple[Node, int]]()
        for place, item in items_of(sheet, source, first_look):
            held = next((inner for key in ("runs", "data") if (inner := item.get(key)) is not None and isinstance(inner.value, list)), None)
            for node in held.elements() if held is not None and not _is_run(item.value) else [item]:
                for run in _with_children(node, 0):
                    known = isinstance(run.value, dict)
                    record = sheet.item(run, place, RecordKind.META if known else RecordKind.UNKNOWN, _time(run.value) if known else None)
                    runs += [(run, record)] if known else []
        calls = [pair for pair in runs if pair[0].value.get("run_type") == "llm"] or [pair for pair in runs if not _parent(pair[0].value)]
        seen = set[str]()
        for node, record in in_time(calls, lambda pair: _time(pair[0].value)):
            id = node.value.get("id")
            if isinstance(id, str) and id in seen:  # nested, and in the flat list once more
                continue
            seen.add(str(id))
            sheet.add(_call(node, record))
        return sheet.dump(complete=not first_look)


def _is_run(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return value.get("run_type") in _TYPES and bool({"inputs", "outputs", "dotted_order", "inputs_s3_urls"} & value.keys())


def _with_children(node: Node, depth: int) -> Iterator[Node]:
    """A run and those below it, without recursion into what is nested deeper than runs are."""
    yield node
    children = node.get("child_runs") if isinstance(node.value, dict) and depth < _DEPTH else None
    for child in children.elements() if children is not None else ():
        yield from _with_children(child, depth + 1)


def _parent(value: dict[str, Any]) -> bool:
    return isinstance(value.get("parent_run_id"), str)


def _time(value: dict[str, Any]) -> Any:
    held = value.get("start_time")
    return held / 1000 if isinstance(held, int) and not isinstance(held, bool) and held > 1e11 else held


def _call(node: Node, record: int) -> Call:
    value = node.value
    asked, told = sent(node.get("inputs")), came(node.get("outputs"))
    for path in (("extra", "invocation_params", "tools"), ("extra", "invocation_params", "functions")):
        tools = node.get(*path)
        if tools is not None and isinstance(tools.value, list) and tools.value and not asked.tools:
            asked.tools = list(tools.elements())
    usage = node.get("outputs", "llm_output", "token_usage") or node.get("outputs", "usage_metadata")
    told.usage = usage.value if usage is not None and isinstance(usage.value, dict) else told.usage or value
    call = Call(str(value.get("id") or f"run-{record}"), str(value.get("name") or "run"), _time(value), asked, told, record=record)
    for path in (
        ("extra", "metadata", "ls_model_name"),
        ("extra", "invocation_params", "model"),
        ("extra", "invocation_params", "model_name"),
    ):
        model = node.get(*path)
        if model is not None and isinstance(model.value, str) and call.model is None:
            call.model = model.value
    error = value.get("error")
    if isinstance(error, str) and error.strip():
        call.refusal = (None, error)
    elif told.error is not None:
        call.refusal = (None, told.error)
    return call


FORMAT = LangSmith()
