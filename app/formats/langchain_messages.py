"""LangChain's and LangGraph's messages: a list, a state or a checkpoint that holds one (see `_langchain.py` for the three ways)."""

from __future__ import annotations

from app.formats._dialects import Dialect
from app.formats._message_log import MessageLog
from app.formats._message_moulds import LangChainMould
from app.model.kinds import Role

_MOULD = LangChainMould()


class LangChainMessages(MessageLog):
    name = "langchain-messages"
    summary = "LangChain, LangGraph: messages, or a state that holds them"
    dialect = Dialect(_MOULD, _MOULD.rewrite, Role.TOOL)
    wire = "langchain"
    why = "messages of type human, ai, tool, or constructors (lc)"


FORMAT = LangChainMessages()
