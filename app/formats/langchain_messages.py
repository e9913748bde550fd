"""LangChain's and LangGraph's messages: a list, a state or a checkpoint that holds one (see `_langchain.py` for the three ways)."""

from __future__ import annotations

from app.formats._message_file import MessageFile


class LangChainMessages(MessageFile):
    name = "langchain-messages"
    summary = "LangChain, LangGraph: messages, or a state that holds them"
    wire = "langchain"
    why = "messages of type human, ai, tool, or constructors (lc)"


FORMAT = LangChainMessages()
