"""A recorded event stream of OpenAI Responses: an answer in pieces (see `_stream_log.py`)."""

from __future__ import annotations

from app.formats._stream_log import StreamLog


class OpenAIResponsesStream(StreamLog):
    name = "openai-responses-stream"
    summary = "OpenAI Responses: a recorded event stream"
    provider = "openai-responses"
    kind = "responses"
    words = "response.*"


FORMAT = OpenAIResponsesStream()
