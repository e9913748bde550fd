"""Pydantic AI's messages, as `ModelMessagesTypeAdapter` and `all_messages_json` write them: requests and responses made of parts."""

from __future__ import annotations

from app.formats._message_file import MessageFile
from app.formats._nodes import Node
from app.formats._payload import Found


class PydanticAiMessages(MessageFile):
    name = "pydantic-ai-messages"
    summary = "Pydantic AI: messages"
    wire = "pydantic"
    why = "messages of kind request and response, with parts"

    def beside(self, nodes: list[Node], found: Found) -> None:
        """Instructions stand with each request; the last ones are those that are sent."""
        for node in reversed(nodes):
            value = node.value if isinstance(node.value, dict) else {}
            if isinstance(value.get("model_name"), str) and found.model is None:
                found.model = value["model_name"]
            held = node.get("instructions") if isinstance(value.get("instructions"), str) and value["instructions"] else None
            if held is not None and not found.system:
                found.system = [held]


FORMAT = PydanticAiMessages()
