"""OTLP as JSON: resources, scopes, spans. A file of one, a list of them, or one a line.

Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, and recorded traces.
"""

from __future__ import annotations

from typing import Any

from app.formats._peek import peek
from app.formats._span_log import SpanLog
from app.model.dump import Confidence


class OtlpJson(SpanLog):
    name = "otlp-json"
    summary = "OTLP JSON: traces with spans of LLM calls"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = list(seen.records) if seen.lines else seen.value if isinstance(seen.value, list) else [seen.value]
        if records and 2 * sum(_is_own(record) for record in records) > len(records):
            return Confidence(self.name, 0.97, "resourceSpans")
        return None


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    batches = record.get("batches")
    first = batches[0] if isinstance(batches, list) and batches else None
    return bool({"resourceSpans", "resource_spans"} & record.keys()) or (isinstance(first, dict) and "resource" in first)


FORMAT = OtlpJson()
