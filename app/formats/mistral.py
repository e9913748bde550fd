"""Mistral's chat wire: OpenAI's Chat Completions with a few members of its own.

`prefix` marks the beginning of an answer, arguments may be an object, content may hold `{"type": "thinking", "thinking": [...]}`,
`document_url` and images by their URL alone. All else is read and written as in `openai_chat.py`. Source: mistralai/mistral-common,
protocol/instruct, and recorded requests.
"""

from __future__ import annotations

from app.formats._dialect import evidence, words
from app.formats._peek import peek
from app.formats.openai_chat import OpenAIChat
from app.model.dump import Confidence


class Mistral(OpenAIChat):
    name = "mistral"
    summary = "Mistral chat: a request, a response or a list of messages"
    provider = "mistral"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = evidence(peek(head, whole))
        if found is None or not found.mistral or (found.anthropic and not found.openai):
            return None
        score = min(0.98, 0.85 + 0.05 * len(found.mistral)) - 0.15 * len(found.anthropic)
        return Confidence(self.name, max(0.2, score), words(found.mistral))


FORMAT = Mistral()
