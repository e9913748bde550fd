"""A session that holds a state and writes down what it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from PySide6.QtCore import QObject, Signal

from app.model.block import Block
from app.model.state import Changed, State


class FakeSession(QObject):
    """What panels see of a session: a state, and reads. Intents are written down in `asked` as (name, arguments)."""

    changed = Signal(object, object)
    failed = Signal(str)

    def __init__(self, state: State | None = None) -> None:
        super().__init__()
        self.state = state or State()
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.reads = 0

    def put(self, state: State, changed: Changed = Changed.ALL) -> None:
        """Another state, told to all who listen."""
        self.state = state
        self.changed.emit(state, changed)

    def block(self, row: int) -> Block:
        self.reads += 1
        assert self.state.dump is not None
        found: Block = self.state.dump.table.extra["blocks"](row)
        return found

    def raw(self, row: int) -> bytes:
        block = self.block(row)
        return orjson.dumps({"role": block.role.name.lower(), "content": [{"type": block.type, "text": block.text}]})

    def pointer(self, row: int) -> str:
        return self.block(row).pointer or ""

    def wires(self) -> dict[str, str]:
        return {"": "its own format", "openai-chat": "openai-chat: what this transcript would send", "gemini": "gemini: likewise"}

    def line(self, row: int) -> int | None:
        return None

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments: self.asked.append((name, arguments))
