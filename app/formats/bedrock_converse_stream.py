"""A recorded event stream of Bedrock Converse: an answer in pieces (see `_stream_log.py`)."""

from __future__ import annotations

from app.formats._stream_log import StreamLog


class BedrockStream(StreamLog):
    name = "bedrock-converse-stream"
    summary = "Bedrock Converse: a recorded event stream"
    provider = "bedrock"
    kind = "bedrock"
    words = "messageStart, contentBlockDelta"


FORMAT = BedrockStream()
