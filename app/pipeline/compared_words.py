"""A line of a comparison in words, when somebody looks at it."""

from __future__ import annotations

from app.model.block import Block
from app.model.compared import Aspect, Compared, What, Words
from app.model.kinds import Kind, Role
from app.pipeline.compare import One

HEAD = 300  # characters of a text that a line shows


def words(found: Compared, first: One, second: One, line: int) -> Words:
    """What a line says of its block. ChangedError where a file is no longer what was read."""
    one, other = sides(found, first, second, line)
    block = one or other
    assert block is not None
    after = _head(other)
    if other is not None and found.what[line] == What.CAPPED:  # it begins as it did: what it ends with tells what was done
        after = f"{(after or '')[:80]} … {' '.join(other.text[-600:].split())[-200:]}"
    return Words(
        name_of(block), _head(one), after,
        (one.pointer if one is not None else None, other.pointer if other is not None else None), block.call_id,
        _linked(one, other) if found.aspect[line] & Aspect.ID else None,
    )  # fmt: skip


def _linked(one: Block | None, other: Block | None) -> tuple[str | None, str | None] | None:
    ids = (one.call_id if one is not None else None), (other.call_id if other is not None else None)
    return ids if ids[0] != ids[1] else None


def sides(found: Compared, first: One, second: One, line: int) -> tuple[Block | None, Block | None]:
    a, b = int(found.a[line]), int(found.b[line])
    return first.block(a) if a >= 0 else None, second.block(b) if b >= 0 else None


def name_of(block: Block) -> str:
    """`prompt`, `text`, `call read_file`, `result toolu_01A`."""
    if block.kind == Kind.TOOL_CALL:
        return f"call {block.name or ''}".strip()
    if block.kind == Kind.TOOL_RESULT:
        return f"result {block.call_id or ''}".strip()
    if block.kind == Kind.TEXT and block.role == Role.USER:
        return "prompt"
    return f"tool {block.name}" if block.kind == Kind.TOOLS and block.name else block.kind.word


def _head(block: Block | None) -> str | None:
    if block is None:
        return None
    text = next((text for text in block.texts if text and not text.isspace()), "")
    media = "".join(f" [{one.mime}]" for one in block.media[:3])
    return " ".join(text[: 4 * HEAD].split())[:HEAD] + media
