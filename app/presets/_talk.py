"""A conversation as a preset sees it: messages of parts, in the units of the system that it imitates, whatever wire the dump has.

`pipeline/talk.py` makes it of a view. System text and tool definitions beside the list are `head`, which only counts: the systems get
them apart from the messages as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from app.model.block import Block
from app.model.kinds import Kind, Role


class Style(Enum):
    """What is one message."""

    SPLIT = "split"  # each result is a message of its own (Chat Completions, LangChain)
    JOINED = "joined"  # a run of results is one message (AutoGen, Agent Framework, AI SDK)
    TURNS = "turns"  # results stand in user messages (Anthropic, Bedrock, Gemini)


@dataclass(eq=False)
class Part:
    """One block. `position`: where its row stands in the view; `size`: the characters that are counted of it; `look` decodes it.
    `call_id` is None where the wire gives none."""

    position: int
    kind: Kind
    size: int
    look: Callable[[], Block]
    name: str = ""
    call_id: str | None = None
    type: str = ""
    server: bool = False
    listed: bool = False  # its content, or its message's, is a list
    error: bool = False
    signed: bool = False
    own_message: int = -1  # number of the message that it stands in on the wire
    row: int = -1  # in the table
    flags: int = 0  # of the row
    is_call: bool = field(init=False)  # these two: of the client's tools
    is_result: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_call = self.kind == Kind.TOOL_CALL and not self.server
        self.is_result = self.kind == Kind.TOOL_RESULT and not self.server

    @cached_property
    def block(self) -> Block:
        return self.look()

    @cached_property
    def seen(self) -> dict[str, Any]:
        """What a preset has found out of the block and would have to look for again."""
        return {}

    @property
    def texts(self) -> tuple[str, ...]:
        return self.block.texts

    @property
    def text(self) -> str:
        return "".join(self.block.texts)


@dataclass(eq=False)
class Message:
    """`role`: TOOL for results in the styles that give them messages of their own. `raw` gives the message as its record has it, where it
    is a record of its own. `time`: seconds since 1970, None where the dump has none."""

    role: Role
    parts: list[Part]
    index: int = -1
    raw: Callable[[], Any] | None = None
    time: float | None = None
    summary: bool = False
    injected: bool = False  # no person typed it
    sizes: dict[str, int] = field(default_factory=dict)  # what counters have found, by their names
    calls: list[Part] = field(init=False)
    results: list[Part] = field(init=False)
    is_prompt: bool = field(init=False)  # a user's message without results

    def __post_init__(self) -> None:
        self.calls = [part for part in self.parts if part.is_call]
        self.results = [part for part in self.parts if part.is_result]
        self.is_prompt = self.role == Role.USER and not self.results

    @property
    def is_system(self) -> bool:
        return self.role in (Role.SYSTEM, Role.DEVELOPER)

    @cached_property
    def call_ids(self) -> set[str]:
        return {part.call_id for part in self.calls if part.call_id}

    @cached_property
    def result_ids(self) -> set[str]:
        return {part.call_id for part in self.results if part.call_id}

    @cached_property
    def content(self) -> Any:
        """The text content as Chat Completions has it: a string, a list, or None where the message holds calls alone."""
        texts = [part for part in self.parts if part.kind in (Kind.TEXT, Kind.TOOL_RESULT)]
        if any(part.listed for part in texts) or len(texts) > 1:
            return [{"type": "text", "text": part.text} for part in texts]
        if texts:
            return texts[0].text
        value = self.raw() if self.raw is not None else None
        return value.get("content") if isinstance(value, dict) else None


@dataclass(eq=False)
class Talk:
    """`head`: system text and tool definitions beside the list. `names` finds a call's name by id, the last one of an id. `joins`: on the
    dump's own wire a message may hold several results, and neighbours of one role may be one message. `known`: the names are given and
    the messages are numbered. `sizes`: what the preset's counter has found of the first messages; a case adds the others."""

    messages: list[Message]
    head: Sequence[Part] = ()
    names: dict[str, str] = field(default_factory=dict)
    joins: bool = True
    known: bool = False
    sizes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.known:
            return
        for index, message in enumerate(self.messages):
            message.index = index
        self.names = self.names or {part.call_id: part.name for part in self.calls if part.call_id}

    def __len__(self) -> int:
        return len(self.messages)

    @cached_property
    def seen(self) -> dict[str, Any]:
        """What a preset has found out of it and would have to look for again."""
        return {}

    @property
    def parts(self) -> Iterable[Part]:
        return (part for message in self.messages for part in message.parts)

    @cached_property
    def results(self) -> list[Part]:
        """The results that the client gave, oldest first."""
        return [part for message in self.messages for part in message.results]

    @cached_property
    def calls(self) -> list[Part]:
        """The calls of the client's tools, oldest first."""
        return [part for message in self.messages for part in message.calls]

    def name_of(self, result: Part) -> str:
        """The tool that a result is of: as it says itself, else by its call."""
        return result.name or (self.names.get(result.call_id, "") if result.call_id else "")
