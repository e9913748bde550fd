"""Messages of the Vercel AI SDK as they are sent to a model (ModelMessage; CoreMessage before version 5): see `_vercel.py`."""

from __future__ import annotations

from app.formats._dialects import Dialect
from app.formats._message_log import MessageLog
from app.formats._message_moulds import ModelMould
from app.model.kinds import Role

_MOULD = ModelMould()


class VercelModelMessages(MessageLog):
    name = "vercel-model-messages"
    summary = "Vercel AI SDK: messages as they are sent (ModelMessage)"
    dialect = Dialect(_MOULD, _MOULD.rewrite, Role.TOOL)
    wire = "model-message"
    why = "blocks tool-call, tool-result"


FORMAT = VercelModelMessages()
