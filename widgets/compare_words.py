"""What a comparison says of itself, in sentences. No Qt."""

from __future__ import annotations

from app.model.compared import Compared, Side
from widgets.visible import line
from widgets.words import counted, full, short

NOTHING = "Nothing is changed: there is no plan, no preview and no change in force."


def before_after(found: Compared) -> tuple[str, str]:
    """A sentence on the whole, and one on what became of it."""
    first, second = found.sides
    if found.same:
        return NOTHING, ""
    freed = first.tokens - second.tokens
    told = f"{'frees' if freed >= 0 else 'adds'} {full(abs(freed))} tokens"
    head = (f"Before {counted(first.tokens, 'token')} in {counted(first.blocks, 'block')}, "
            f"after {full(second.tokens)} in {full(second.blocks)}: {told} (blocks alone, without the overhead of messages)")  # fmt: skip
    common = f"the first {counted(found.common.blocks, 'block')} stay as they are (≈{short(found.common.tokens)} tokens)"
    return head, f"{_counts(found)} · {common}"


def compared(found: Compared) -> tuple[str, str]:
    """The same of two dumps."""
    if found.same:
        renamed = f"; {counted(found.renamed, 'call id')} renamed throughout" if found.renamed else ""
        return "Both would send the same" + renamed, ""
    head = f"{counted(found.differences, 'difference')}: {_counts(found)}"
    if found.renamed:
        head += f" · {counted(found.renamed, 'call id')} renamed throughout (no difference)"
    common = found.common
    places = [place or "its end" for place in common.places]
    where = f"at {places[0]}" if places[0] == places[1] else f"at {places[0]} and {places[1]}"
    if not common.blocks:
        return head, f"They part at once, {where}"
    return head, (
        f"Both begin with {counted(common.messages, 'message')}, {counted(common.blocks, 'block')}, {counted(common.bytes, 'byte')}, "
        f"≈{short(common.tokens)} tokens; they part {where}"
    )


def _counts(found: Compared) -> str:
    return ", ".join(f"{full(count)} {word}" for word, count in found.counts.items() if word != "same")


def side(one: Side) -> str:
    """`session.jsonl, main: claude-code, 512 blocks, ≈147.1k tokens`."""
    name = line(one.name.replace("\\", "/").rsplit("/", 1)[-1], 60)
    which = "" if one.transcript == "main" else f", {line(one.transcript, 40)}"
    tokens = f"{'' if one.exact else '≈'}{short(one.tokens)} tokens"
    return f"{name}{which}: {one.format}, {counted(one.messages, 'message')}, {counted(one.blocks, 'block')}, {tokens}"
