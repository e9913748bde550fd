"""What the viewer shows of a block: its text, its JSON, its bytes, what a change makes of it. Strings in, strings out; no Qt.

Nothing here is slow on a block of 12 MB: texts are cut before they are looked at, values before they are laid out, and a diff looks at
a bounded number of lines.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from app.model.block import Block
from app.model.edits import Cap, Drop, Move, Replace, Set, Stub
from app.model.kinds import Kind
from app.model.state import State
from widgets.visible import Span, marked

FIRST = 20_000  # characters shown at first
MORE = 100_000  # and with every further click
PARAGRAPH = 2_000  # longer lines are broken for the screen: laying out one of a megabyte takes seconds
DIFF_LINES = 3_000  # compared; more are left out and said so
TURN = "↩"

Tag = Literal["same", "gone", "new", "said"]


@dataclass(frozen=True)
class Shown:
    """Text for the screen; `spans` are words that were made up for hidden characters; `left` is how many characters are not shown."""

    text: str
    spans: tuple[Span, ...] = ()
    left: int = 0
    tags: tuple[tuple[Tag, str], ...] = ()  # of a diff: line by line


def cut(text: str, limit: int) -> Shown:
    """The first `limit` characters, hidden ones spelled out, long lines broken."""
    words, spans = marked(text[:limit])
    words, spans = _broken(words, spans)
    return Shown(words, tuple(spans), max(0, len(text) - limit))


def _broken(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    if len(text) <= PARAGRAPH or max(map(len, text.split("\n"))) <= PARAGRAPH:
        return text, spans
    out: list[str] = []
    turns: list[int] = []  # where a break went in, in the old text
    start = 0
    for line in text.split("\n"):
        for at in range(PARAGRAPH, len(line), PARAGRAPH):
            turns.append(start + at)
        out.append(f"{TURN}\n".join(line[at : at + PARAGRAPH] for at in range(0, len(line) or 1, PARAGRAPH)))
        start += len(line) + 1
    shifted: list[Span] = []
    gone = 0
    ends = [*turns, len(text) + 1]
    for begin, length in spans:
        while ends[gone] <= begin:
            gone += 1
        shifted.append((begin + gone * (len(TURN) + 1), length))
    shifted += [(turn + number * (len(TURN) + 1), len(TURN)) for number, turn in enumerate(turns)]
    return "\n".join(out), sorted(shifted)


def text_of(block: Block) -> str:
    """A block as a person reads it: a call with its name, a result's parts one below the other, media by their size."""
    parts = list(block.texts)
    if block.kind == Kind.TOOL_CALL and block.name:
        parts.insert(0, block.name)
    for media in block.media:
        size = f" {media.width} × {media.height}" if media.width and media.height else ""
        parts.append(f"[{media.mime}{size}, {media.bytes:,} bytes]")
    return parts[0] if len(parts) == 1 else "\n".join(parts)


def json_of(value: Any, limit: int) -> Shown:
    """A value laid out over lines. Where it is long, strings and lists in it are cut first, and the note says how much is missing."""
    room = _Room(limit)
    words = json.dumps(room.cut(value, 0), ensure_ascii=False, indent=2, default=str)
    shown = cut(words, limit * 2)
    return Shown(shown.text, shown.spans, shown.left + room.missing)


class _Room:
    """Copies a value until so many characters are used up."""

    def __init__(self, room: int) -> None:
        self.room, self.missing = room, 0

    def cut(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            kept = value[: max(0, self.room)]
            self.room -= len(kept) + 2
            if len(kept) < len(value):
                self.missing += len(value) - len(kept)
                return f"{kept}… {len(value) - len(kept):,} more characters"
            return value
        if depth > 60 and isinstance(value, dict | list):
            return "… deeper levels are shown under Raw"
        if isinstance(value, dict):
            return self._object(value, depth)
        if isinstance(value, list):
            return self._list(value, depth)
        self.room -= 4
        return value

    def _object(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, item in value.items():
            if self.room <= 0:
                self.missing += 1
                out["…"] = f"{len(value) - len(out):,} more members"
                break
            out[str(key)[:1_000]] = self.cut(item, depth + 1)
            self.room -= len(str(key)[:1_000]) + 6
        return out

    def _list(self, value: list[Any], depth: int) -> list[Any]:
        out: list[Any] = []
        for item in value:
            if self.room <= 0:
                self.missing += 1
                out.append(f"… {len(value) - len(out):,} more items")
                break
            out.append(self.cut(item, depth + 1))
            self.room -= 4
        return out


def raw_of(data: bytes, limit: int) -> Shown:
    """The bytes of a record as they stand in the file; what is no UTF-8 is shown as `\\xNN`."""
    head = data[:limit]
    if len(head) < len(data):
        while head and head[-1] & 0xC0 == 0x80:  # not through a character
            head = head[:-1]
        head = head[:-1] if head and head[-1] >= 0xC0 else head
    shown = cut(head.decode("utf-8", "backslashreplace"), limit)
    return Shown(shown.text, shown.spans, len(data) - len(head))


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


def diff_of(before: Iterable[str], after: Iterable[str] | None, title: str) -> Shown:
    """Line by line: what goes, what comes. Runs that are the same are shortened to three lines at either side."""
    tags: list[tuple[Tag, str]] = [("said", title)]
    old = "\n".join(before)[: FIRST * 10].split("\n")
    if after is None:
        tags += [("gone", line) for line in old[:DIFF_LINES]]
        return _tagged(tags, len(old) - DIFF_LINES)
    new = "\n".join(after)[: FIRST * 10].split("\n")
    left = max(len(old), len(new)) - DIFF_LINES
    for group in difflib.SequenceMatcher(None, old[:DIFF_LINES], new[:DIFF_LINES], autojunk=True).get_grouped_opcodes(3):
        tags.append(("said", f"lines {group[0][1] + 1} to {group[-1][2]}"))
        for kind, i, j, k, m in group:
            if kind == "equal":
                tags += [("same", line) for line in old[i:j]]
                continue
            tags += [("gone", line) for line in old[i:j]]
            tags += [("new", line) for line in new[k:m]]
    if len(tags) == 1:
        tags.append(("said", "The words are the same."))
    return _tagged(tags, left)


def _tagged(tags: list[tuple[Tag, str]], left: int) -> Shown:
    if left > 0:
        tags.append(("said", f"… {left:,} more lines are not compared"))
    signs = {"same": "  ", "gone": "− ", "new": "+ ", "said": "  "}
    shown = tuple((tag, signs[tag] + marked(line[:PARAGRAPH])[0]) for tag, line in tags)
    return Shown("\n".join(line for _, line in shown), tags=shown)
