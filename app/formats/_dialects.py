"""The message dialects, for formats that keep messages of a wire inside envelopes of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from app.formats import _anthropic_messages, _gemini_contents, _openai_messages, _responses_write
from app.formats._columns import Columns
from app.formats._context import Context
from app.formats._runs import Run
from app.formats.anthropic_messages import FORMAT as _ANTHROPIC
from app.formats.gemini import FORMAT as _GEMINI
from app.formats.openai_chat import FORMAT as _OPENAI
from app.formats.openai_responses import FORMAT as _RESPONSES
from app.model.block import Block
from app.model.kinds import Kind, Role


class Wire(Protocol):
    """How a message becomes rows. `joins`, `args_text`: see Table."""

    joins: ClassVar[bool]
    args_text: ClassVar[bool]

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int | None:
        """Adds the rows of a message; how many messages it stands for (None: one)."""
        ...

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        """The same message for whoever looks at it."""
        ...

    def made_type(self, kind: Kind, role: Role) -> str:
        """The wire's word for a block that an edit made."""
        ...


@dataclass(frozen=True)
class Dialect:
    """`wire` makes the rows of a message and decodes the same rows; `rewrite` writes it anew. `answers`: the role of the messages that hold
    results, where it is not told by those of a file."""

    wire: Wire
    rewrite: Callable[[Context, Run], list[bytes]]
    answers: Role | None = None


ANTHROPIC: Final = Dialect(_ANTHROPIC, _anthropic_messages.rewrite)
OPENAI: Final = Dialect(_OPENAI, _openai_messages.rewrite)
RESPONSES: Final = Dialect(_RESPONSES, _responses_write.rewrite)
GEMINI: Final = Dialect(_GEMINI, _gemini_contents.rewrite, Role.USER)
