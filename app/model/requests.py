"""The requests that a log holds, each beside the one before it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Requested:
    """One request of a log. `transcript`: the conversation that it belongs to (index); `rows`: so many of its rows were sent; `record`:
    where it stands. Of its `messages`, `kept` stand in the one before (`before`: its number, -1 where there is none), `changed` stand in
    place of others, `added` are new; `cut` are those that only the one before had. `heads`: whether system text or tools are others.
    `first_byte`: where in the messages, as compact JSON, the first change stands (-1: nothing changed, what was there was added to)."""

    record: int
    transcript: int
    rows: int
    messages: int
    before: int = -1
    kept: int = 0
    changed: int = 0
    cut: int = 0
    added: int = 0
    heads: bool = False
    first_byte: int = -1
    refused: bool = False
    status: int | None = None

    @property
    def extends(self) -> bool:
        """Whether it carries all that the one before carried, as it was, and perhaps more: a provider's cache knows it again."""
        return self.before >= 0 and not (self.changed or self.cut or self.heads) and self.first_byte < 0
