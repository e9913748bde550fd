"""Bedrock's model invocation log, as CloudWatch and S3 keep it: one record for each call, with its request and its answer.

A record is `{schemaType: "ModelInvocationLog", operation, modelId, input: {inputBodyJson}, output: {outputBodyJson}}`; one a line, in a
list, or by itself. The body of a streamed answer is the list of its events.
Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html.
"""

from __future__ import annotations

from typing import Any

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._format import Progress
from app.formats._http import answered
from app.formats._nodes import Node
from app.formats._payload import Found, sent
from app.formats._peek import peek
from app.formats._spans import in_time, items_of
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind


class BedrockInvocationLog(CallLog):
    name = "bedrock-invocation-log"
    summary = "Bedrock: a model invocation log (CloudWatch, S3)"
    provider = "bedrock"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = list(seen.records) if seen.lines else seen.value if isinstance(seen.value, list) else [seen.value]
        if records and 2 * sum(_is_own(record) for record in records) > len(records):
            return Confidence(self.name, 0.97, "schemaType ModelInvocationLog, or modelId with inputBodyJson")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        found = list[tuple[Node, int]]()
        for place, node in items_of(sheet, source, first_look):
            if _is_own(node.value):
                found.append((node, sheet.item(node, place, time=node.value.get("timestamp"))))
            else:
                sheet.item(node, place, RecordKind.UNKNOWN)
        for node, record in in_time(found, lambda pair: pair[0].value.get("timestamp")):
            sheet.add(_call(node, record))
        return sheet.dump(complete=not first_look)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    body = record.get("input")
    return record.get("schemaType") == "ModelInvocationLog" or ("modelId" in record and isinstance(body, dict) and "inputBodyJson" in body)


def _call(node: Node, record: int) -> Call:
    value = node.value
    operation = str(value.get("operation", ""))
    model = value.get("modelId") if isinstance(value.get("modelId"), str) else None
    wire = "bedrock" if operation.startswith("Converse") else "anthropic" if model is not None and "anthropic" in model else None
    response = node.get("output", "outputBodyJson")
    told = answered(response, wire) if response is not None else Found()
    call = Call(
        str(value.get("requestId", f"record-{record}")), f"{operation} {model or ''}".strip(), value.get("timestamp"),
        sent(node.get("input", "inputBodyJson"), wire), told, record=record, model=model,
    )  # fmt: skip
    failed = value.get("errorCode")
    if isinstance(failed, str) and failed:
        call.refusal = (None, str(value.get("errorMessage") or told.error or failed))
    elif told.error is not None:
        call.refusal = (None, told.error)
    return call


FORMAT = BedrockInvocationLog()
