"""What edits make of a transcript, as lines like those of a comparison: rows keep their ids, so that nothing has to be aligned."""

from __future__ import annotations

import numpy as np

from app.model.compared import Aspect, Common, Compared, What
from app.model.edits import Cap, Stub
from app.model.table import Ints
from app.model.transcript import Transcript
from app.pipeline.compare import One
from app.pipeline.compared_lines import Line, laid_out

_FIELDS = {"call_id": Aspect.ID, "name": Aspect.NAME, "input": Aspect.ARGUMENTS, "role": Aspect.ROLE, "block.is_error": Aspect.ERROR}


def before_after(before: One, after: One) -> Compared:
    """`after` was made of `before`'s transcript by edits."""
    one, other = before.transcript, after.transcript
    size = max(len(one.table), len(other.table))
    at_a, at_b = _positions(before.rows, size), _positions(after.rows, size)
    moved = other.moved - one.moved
    lines: list[Line] = []
    for row, a, b in zip(before.rows.tolist(), range(len(before.rows)), at_b[before.rows].tolist(), strict=True):
        what, bits = _became(one, other, row) if b >= 0 else (What.GONE, 0)
        if row in moved and b >= 0:
            what, bits = (What.MOVED if what == What.SAME else what), bits | Aspect.PLACE
        lines.append(Line(a, b, int(what), bits))
    lines += [Line(-1, b, int(What.ADDED)) for b, row in enumerate(after.rows.tolist()) if at_a[row] < 0]
    return laid_out(before, after, lines, _common(before, after, lines))


def _positions(rows: Ints, size: int) -> Ints:
    at = np.full(size, -1, np.int64)
    at[rows] = np.arange(len(rows))
    return at


def _became(one: Transcript, other: Transcript, row: int) -> tuple[What, int]:
    content = other.content_of(row)
    if content is not None and content is not one.content_of(row):
        what = What.STUBBED if isinstance(content, Stub) else What.CAPPED if isinstance(content, Cap) else What.REWRITTEN
        return what, Aspect.TEXT
    fields, old = other.fields.get(row, {}), one.fields.get(row, {})
    changed = [name for name, value in fields.items() if name not in old or old[name] is not value]
    if not changed:
        return What.SAME, 0
    bits = 0
    for name in changed:
        bits |= _FIELDS.get(name, Aspect.TEXT)
    return (What.REWRITTEN if bits == Aspect.TEXT else What.CHANGED), bits


def _common(before: One, after: One, lines: list[Line]) -> Common:
    """Blocks before the first change. Bytes are not counted here: what is written of a session is its program's matter."""
    blocks = next((line.a for line in lines if line.a >= 0 and (line.what != What.SAME or line.b != line.a)), len(before.rows))
    messages = before.view.message[before.view.start :][:blocks]
    tokens = int(before.own()[:blocks].sum())
    block = before.block(blocks) if blocks < len(before.rows) else None
    return Common(len(np.unique(messages[messages >= 0])), blocks, 0, tokens, (block.pointer if block is not None else None, None))
