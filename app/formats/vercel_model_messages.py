"""Messages of the Vercel AI SDK as they are sent to a model (ModelMessage; CoreMessage before version 5): see `_vercel.py`."""

from __future__ import annotations

from app.formats._message_file import MessageFile


class VercelModelMessages(MessageFile):
    name = "vercel-model-messages"
    summary = "Vercel AI SDK: messages as they are sent (ModelMessage)"
    wire = "model-message"
    why = "blocks tool-call, tool-result"


FORMAT = VercelModelMessages()
