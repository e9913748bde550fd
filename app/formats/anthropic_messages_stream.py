"""A recorded event stream of Anthropic Messages: an answer in pieces (see `_stream_log.py`)."""

from __future__ import annotations

from app.formats._stream_log import StreamLog


class AnthropicStream(StreamLog):
    name = "anthropic-messages-stream"
    summary = "Anthropic Messages: a recorded event stream"
    provider = "anthropic"
    kind = "anthropic"
    words = "message_start, content_block_delta"


FORMAT = AnthropicStream()
