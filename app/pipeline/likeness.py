"""What a text became: a few words in its place, a part of it, or another one; and whether two texts are one and the same thing at all."""

from __future__ import annotations

import re
from typing import Final

from app.model.align import common_ends, common_start
from app.model.block import Block
from app.model.compared import What
from app.model.kinds import Kind

STUB: Final = 400  # characters of the longest text that counts as a few words in place of a result
LOOK: Final = 6_000  # characters of a text that are looked at for its words
_WORD: Final = re.compile(r"\w+")


def became(one: Block, other: Block) -> What:
    """STUBBED, CAPPED or REWRITTEN."""
    before, after = "".join(one.texts), "".join(other.texts)
    head, tail = common_ends(before, after)
    if len(after) < len(before) and head + tail >= max(16, len(after) * 2 // 5):
        return What.CAPPED
    if one.kind == Kind.TOOL_RESULT and len(after) <= STUB and (len(after) < len(before) or (one.media and not other.media)):
        return What.STUBBED
    return What.REWRITTEN


def alike(one: str, other: str) -> bool:
    """Whether one text may be what became of the other: by its beginning, or two words in five."""
    if one == other or not one or not other:
        return one == other
    shorter = min(len(one), len(other))
    if common_start(one[:LOOK], other[:LOOK]) >= max(8, min(shorter, LOOK) // 4):
        return True
    words = [set(_WORD.findall(text[:LOOK].casefold())) for text in (one, other)]
    both = len(words[0] & words[1])
    return both * 5 >= 2 * max(1, min(map(len, words))) and both >= 2
