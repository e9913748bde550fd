"""One block as it is when somebody looks at it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.model.kinds import Kind, Role


@dataclass(frozen=True)
class Media:
    """An image or document in a block: size in pixels where its head tells, else None; `bytes` of the decoded data."""

    mime: str
    width: int | None = None
    height: int | None = None
    bytes: int = 0


@dataclass(frozen=True)
class Block:
    """A decoded block.

    `texts` are the strings that are counted and shown, in order: of a text or reasoning block one; of a call its arguments
    (as recorded when a string, else compact JSON); of a result its text parts. `value` is the wire's own value.
    `pointer` is the JSON pointer in the file; None for a block that an edit made.
    """

    row: int
    kind: Kind
    type: str
    role: Role
    texts: tuple[str, ...] = ()
    name: str | None = None
    call_id: str | None = None
    error: bool = False
    media: tuple[Media, ...] = ()
    pointer: str | None = None
    record: int = -1
    value: Any = field(default=None, compare=False)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)
