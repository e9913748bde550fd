"""What a preset has decided, by position: a handful of primitive operations, which become edits (pipeline/imitate.py)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.model.kinds import Kind, Role
from app.presets._talk import Message, Part


@dataclass(frozen=True)
class Put:
    """A message that the preset makes (kind EMPTY: without content), in front of a position, or behind another, or behind all (both -1).

    A result answers the call at `call`, and with both -1 stands at the head of the turn that answers. With `join` it is part of the message
    that it stands beside, where the wire has messages of several results, with `together` of the one that the put before it has made."""

    before: int
    role: Role
    text: str
    kind: Kind = Kind.TEXT
    call: int = -1
    behind: int = -1
    join: bool = False
    together: bool = False


@dataclass(eq=False)
class Work:
    """`dropped`: positions. `texts`: position to the one text that takes its place (`stubs`: of these, the ones that stand for what was
    there and say so). `contents`: position to the wire's own content of a result. `inputs`: position of a call to its new input.
    `joins`: position, and the one behind which it stands from now on, in that one's message (-1 - position: in front of it).
    `first`: positions that move to the front."""

    dropped: set[int] = field(default_factory=set)
    texts: dict[int, str] = field(default_factory=dict)
    stubs: set[int] = field(default_factory=set)
    contents: dict[int, Any] = field(default_factory=dict)
    inputs: dict[int, Any] = field(default_factory=dict)
    puts: list[Put] = field(default_factory=list)
    joins: list[tuple[int, int]] = field(default_factory=list)
    first: list[int] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.dropped or self.texts or self.contents or self.inputs or self.puts or self.joins or self.first)

    # -- drop ---------------------------------------------------------------------------------------------------------------------

    def drop(self, parts: Iterable[Part]) -> None:
        self.dropped.update([part.position for part in parts])

    def drop_messages(self, messages: Iterable[Message]) -> None:
        self.dropped.update([part.position for message in messages for part in message.parts])

    def keep_only(self, messages: Iterable[Message], kept: Iterable[Message]) -> None:
        """Drops all of `messages` but `kept`."""
        stay = set(map(id, kept))
        self.drop_messages([message for message in messages if id(message) not in stay])

    # -- replace ------------------------------------------------------------------------------------------------------------------

    def stub(self, part: Part, text: str) -> None:
        """A short text in place of all content; the shape (string or list) stays."""
        self.texts[part.position] = text
        self.stubs.add(part.position)

    def cut(self, part: Part, text: str) -> None:
        """A part of its text in place of the whole."""
        self.texts[part.position] = text

    def content(self, part: Part, value: Any) -> None:
        """Content of a result in another shape."""
        self.contents[part.position] = value

    def clear_input(self, call: Part, value: Any = None) -> None:
        self.inputs[call.position] = {} if value is None else value

    # -- put ----------------------------------------------------------------------------------------------------------------------

    def put(self, before: Message | None, role: Role, text: str) -> None:
        """A message in front of another one; None: behind all."""
        at = next((part.position for part in before.parts), -1) if before is not None else -1
        self.puts.append(Put(at, role, text))

    def answer(self, call: Part, text: str, before: int = -1, behind: int = -1, join: bool = False, together: bool = False) -> None:
        """A result that nobody gave."""
        self.puts.append(Put(before, Role.TOOL, text, Kind.TOOL_RESULT, call.position, behind, join, together))
