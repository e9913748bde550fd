"""The columns of costs: of blocks, and of tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.model.costs import BlockCost, ToolCost
from app.model.kinds import Kind
from widgets import theme
from widgets.chooser import Column
from widgets.visible import line
from widgets.words import full, short

_SIGNS = {kind.word: theme.KIND_GLYPHS[kind] for kind in Kind} | {"prompt": theme.USER_GLYPH}
_SHORT = {
    "oversized": "oversized", "uncapped-list": "uncapped", "stack-trace": "stack trace", "silent-cut": "silent cut",
    "asked-again": "repeated",
}  # fmt: skip


def _share(one: BlockCost | ToolCost) -> str:
    return f"{one.share:.1%}" if one.share >= 0.001 else ""


def _what(one: BlockCost) -> str:
    word = line(one.tool, 60) if one.tool else "" if one.kind in ("prompt", "text") else one.kind
    return " ".join(part for part in (_SIGNS.get(one.kind, ""), word, line(one.head, 120)) if part)


TOOLS = (
    Column("Tool", "the tool that was called", lambda one: line(one.tool, 80), lambda one: one.tool.lower(), down=False),
    Column("Calls", "how often it was called", lambda one: full(one.calls), lambda one: one.calls, "88,888", True),
    Column("Tokens", "of its calls and their results, once", lambda one: full(one.tokens), lambda one: one.tokens, "8,888,888", True),
    Column("Carried", "tokens times the requests that carried them", lambda one: short(one.carried), lambda one: one.carried, "888.8k",
           True),
    Column("Share", "of all that was carried", _share, lambda one: one.share, "88.8%", True),
    Column("Notes", "how many of its results something is to be said of", lambda one: full(one.notes) if one.notes else "",
           lambda one: one.notes, "888", True, tone=lambda one: "warn"),
)  # fmt: skip


def _note(one: BlockCost) -> str:
    return _SHORT[one.notes[0].kind] + ("…" if len(one.notes) > 1 else "") if one.notes else ""


def block_columns(place: Callable[[BlockCost], str], order: Callable[[BlockCost], int]) -> Sequence[Column]:
    """`place`: where a block stands, in words; `order`: in the order of the transcript."""
    return (
        Column("What", "kind, tool, and what was asked or said", _what, _what, down=False),
        Column("Where", "its step, or its exchange", place, order, "r8,888", down=False),
        Column("Tokens", "of the block, once", lambda one: full(one.tokens), lambda one: one.tokens, "88,888", True),
        Column("Req.", "how many requests carried it", lambda one: full(one.requests), lambda one: one.requests, "888", True),
        Column("Carried", "tokens times requests: what it cost so far", lambda one: short(one.carried), lambda one: one.carried,
               "888.8k", True),
        Column("Share", "of all that was carried", _share, lambda one: one.share, "88.8%", True),
        Column("Note", "what is to be said of its size", _note,
               lambda one: (len(one.notes), one.carried) if one.notes else None, "stack trace", tone=lambda one: "warn"),
    )  # fmt: skip
