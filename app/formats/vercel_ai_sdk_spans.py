"""Spans of the Vercel AI SDK's telemetry: each `doGenerate` and `doStream` is an LLM call, what is around it a copy.

Source: https://ai-sdk.dev/docs/ai-sdk-core/telemetry, and recorded spans.
"""

from __future__ import annotations

from app.formats.otel_spans import OtelSpans


class VercelSpans(OtelSpans):
    name = "vercel-ai-sdk-spans"
    summary = "Vercel AI SDK: spans of its telemetry"
    vercel = True


FORMAT = VercelSpans()
