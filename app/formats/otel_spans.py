"""Spans of OpenTelemetry as an SDK or a backend writes them out: a span, a list of spans, or one a line.

Attributes are an object, or OTLP's list; some tools write nothing but them.
"""

from __future__ import annotations

from app.formats._nodes import Node
from app.formats._peek import peek
from app.formats._span_log import SpanLog, is_span
from app.formats._traces import Span
from app.model.dump import Confidence


class OtelSpans(SpanLog):
    name = "otel-spans"
    summary = "OpenTelemetry: spans of LLM calls (GenAI, OpenInference, OpenLLMetry)"
    vercel = False

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        value = seen.value
        records = list(seen.records) if seen.lines else value if isinstance(value, list) else [value]
        for key in ("spans", "data", "traces"):
            if not seen.lines and isinstance(value, dict) and isinstance(value.get(key), list) and "attributes" not in value:
                records = value[key]
        spans = [record for record in records if is_span(record)]
        if not spans or 2 * len(spans) <= len(records):
            return None
        sdk = sum(_is_ai_sdk(span) for span in spans)
        if (2 * sdk >= len(spans)) != self.vercel:
            return None
        return Confidence(self.name, 0.95, "spans with ai.operationId" if self.vercel else "spans: name, attributes, gen_ai or llm keys")


def _is_ai_sdk(span: dict[str, object]) -> bool:
    held = Span(Node(b"", span, 0, 0, "", ("",)))
    return isinstance(held.flat.get("ai.operationId"), str) or str(held.flat.get("operation.name")).startswith("ai.")


FORMAT = OtelSpans()
