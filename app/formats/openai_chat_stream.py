"""A recorded event stream of OpenAI Chat Completions: an answer in pieces (see `_stream_log.py`)."""

from __future__ import annotations

from app.formats._stream_log import StreamLog


class OpenAIChatStream(StreamLog):
    name = "openai-chat-stream"
    summary = "OpenAI Chat Completions: a recorded event stream"
    provider = "openai-chat"
    kind = "chat"
    words = "chat.completion.chunk"


FORMAT = OpenAIChatStream()
