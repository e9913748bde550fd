"""A recorded event stream of Gemini's: the chunks of streamGenerateContent, as a list, as events or as lines (see `_stream_log.py`).

Gemini CLI's recorded answers for its own tests are lines of `{method, response}`, each with the chunks of one request.
Source: google-gemini/gemini-cli packages/core/src/core/fakeContentGenerator.ts.
"""

from __future__ import annotations

from typing import Any

from app.formats._calls import Call, CallSheet
from app.formats._nodes import Node
from app.formats._payload import came
from app.formats._peek import peek
from app.formats._stream_log import StreamLog
from app.formats._streams import STREAM, answers
from app.model.dump import Confidence


class GeminiStream(StreamLog):
    name = "gemini-stream"
    summary = "Gemini: a recorded event stream"
    provider = "gemini"
    kind = "gemini"
    words = "candidates"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        records = [record for record in peek(head, whole).records if isinstance(record, dict)]
        if records and 2 * sum(map(_is_recorded, records)) > len(records):
            return Confidence(self.name, 0.95, "lines of method and response with candidates")
        return super().sniff(head, name, whole)

    def calls(self, sheet: CallSheet, root: Node) -> None:
        recorded = isinstance(root.value, list) and any(_is_recorded(item) for item in root.value)
        if not recorded:
            super().calls(sheet, root)
            return
        for place, item in enumerate(root.value):
            response = item.get("response") if isinstance(item, dict) else None
            path = (place, "response")
            for number, answer in enumerate(answers(response) if isinstance(response, list) else [response] if _is_recorded(item) else []):
                inner = (*path, STREAM, number) if isinstance(response, list) else path
                told = came(root.inside(answer, *inner))
                sheet.add(Call(f"answer-{place + 1}", "answer", came=told, model=told.model))


def _is_recorded(item: Any) -> bool:
    """A line of Gemini CLI's recordings; other methods than those that generate count nothing."""
    response = item.get("response") if isinstance(item, dict) else None
    chunk = response[0] if isinstance(response, list) and response else response
    return isinstance(item, dict) and isinstance(item.get("method"), str) and isinstance(chunk, dict) and "candidates" in chunk


FORMAT = GeminiStream()
