"""What the viewer shows of a block: its text in words, what a change makes of it. Strings in, strings out; no Qt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from app.model.block import Block
from app.model.edits import Cap, Drop, Move, Replace, Set, Stub
from app.model.kinds import Kind
from app.model.state import State
from widgets.visible import Span

Tag = Literal["same", "gone", "new", "said"]


@dataclass(frozen=True)
class Shown:
    """A short text for the screen; `spans` are words that were made up for hidden characters. Of a difference: `tags` line by line, and
    `words`: where in it (start, length) words went or came."""

    text: str
    spans: tuple[Span, ...] = ()
    tags: tuple[tuple[Tag, str], ...] = ()
    words: tuple[tuple[int, int, Tag], ...] = ()


def text_of(block: Block) -> str:
    """A block as a person reads it: a call with its name, a result's parts one below the other, media by their size."""
    parts = list(block.texts)
    if block.kind == Kind.TOOL_CALL and block.name:
        parts.insert(0, block.name)
    for media in block.media:
        size = f" {media.width} × {media.height}" if media.width and media.height else ""
        parts.append(f"[{media.mime}{size}, {media.bytes:,} bytes]" if media.bytes else f"[{media.mime or 'media'}, not in the dump]")
    return parts[0] if len(parts) == 1 else "\n".join(parts)


# -- what a change makes of a block -----------------------------------------------------------------------------------------------


def changed_texts(state: State, block: Block) -> tuple[str, list[str] | None] | None:
    """What the preview, else the plan shown, would make of a block: in words, and its texts (None: it goes). None: it stays as it is."""
    found = _by_preview(state, block)
    return found if found is not None or state.preview is not None else _by_plan(state, block)


def _by_preview(state: State, block: Block) -> tuple[str, list[str] | None] | None:
    for change in state.preview.layer.changes if state.preview is not None else ():
        for edit in change.edits:
            if isinstance(edit, Drop) and block.row in edit.rows:
                return f"previewed: {change.title}", None
            if isinstance(edit, Replace) and block.row in edit.rows:
                return f"previewed: {change.title}", edit.content.of(block.texts)
            if isinstance(edit, Set) and edit.row == block.row:
                value = edit.value if isinstance(edit.value, str) else json.dumps(edit.value, ensure_ascii=False, default=str)
                texts = [value] if edit.field in ("text", "content", "input") else [*block.texts, f"{edit.field}: {value}"]
                return f"previewed: {change.title}", texts
            if isinstance(edit, Move) and edit.row == block.row:
                return f"previewed: {change.title}; the block moves, its words stay", list(block.texts)
    return None


def _by_plan(state: State, block: Block) -> tuple[str, list[str] | None] | None:
    position = state.view.at(block.row) if state.view is not None else -1
    if state.plan is None or position < 0 or position >= len(state.plan.ranking.actions.drop_at):
        return None
    what = state.plan.state(position)
    if what == "dropped":
        return f"planned by {state.shown}", None
    if what == "kept":
        return None
    actions = state.plan.ranking.actions
    assert actions.content is not None
    content = actions.contents[int(actions.content[position])]
    word = "stub" if isinstance(content, Stub) else "cap" if isinstance(content, Cap) else "words"
    return f"planned by {state.shown}: {word}", content.of(block.texts)
