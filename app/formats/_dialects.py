"""The message dialects, for formats that keep messages of a wire inside envelopes of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.formats import _anthropic_messages, _openai_messages, _responses_write
from app.formats._context import Context
from app.formats._requests import Requests
from app.formats._runs import Run
from app.formats.anthropic_messages import FORMAT as _ANTHROPIC
from app.formats.openai_chat import FORMAT as _OPENAI
from app.formats.openai_responses import FORMAT as _RESPONSES


@dataclass(frozen=True)
class Dialect:
    """`wire` makes the rows of a message (`add_message`) and decodes the same rows (`message_blocks`); `rewrite` writes it anew."""

    wire: Requests
    rewrite: Callable[[Context, Run], list[bytes]]


ANTHROPIC: Final = Dialect(_ANTHROPIC, _anthropic_messages.rewrite)
OPENAI: Final = Dialect(_OPENAI, _openai_messages.rewrite)
RESPONSES: Final = Dialect(_RESPONSES, _responses_write.rewrite)
