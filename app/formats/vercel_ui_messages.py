"""Messages of the Vercel AI SDK's user interface (UIMessage), as chats are stored: a list, or a chat that holds one (see `_vercel.py`)."""

from __future__ import annotations

from app.formats._message_file import MessageFile


class VercelUiMessages(MessageFile):
    name = "vercel-ui-messages"
    summary = "Vercel AI SDK: messages of its user interface (UIMessage)"
    wire = "ui-message"
    why = "messages of parts: text, tool-*, step-start"


FORMAT = VercelUiMessages()
