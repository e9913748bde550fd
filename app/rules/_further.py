"""Fixes of results that are too many: one that says what another says goes, several real ones become one, else they go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from app.model.block import Block
from app.model.edits import Change, Drop, Edit, Replace, Set, Words
from app.model.kinds import Flag
from app.rules import _fixes
from app.rules._scene import Site

SAME = "Drop what says the same"
MARKED = frozenset({"tool_result", "functionResponse", "toolResult"})
"""Words of the wires whose results are marked as errors in a member that an edit may set."""


def put_together(site: Site, groups: Mapping[int, Sequence[int]]) -> Change | None:
    """`groups`: the result that a provider takes for a call, and the further ones for it (positions). The further ones go; where one of
    them is real, its text stays in the first. None where a block can't be looked at, or holds media."""
    edits: list[Edit] = []
    placeholder = False
    for first, group in groups.items():
        blocks = [site.scene.block(at) for at in (first, *group)]
        known = [block for block in blocks if block is not None]
        if len(known) < len(blocks) or any(block.media for block in known):
            return None
        real = list(dict.fromkeys(block.text for block in known if not _placeholder(block)))
        if len(real) > 1 or (real and real[0] != known[0].text):
            placeholder = placeholder or len(real) == 1
            error = any(block.error for block in known if not _placeholder(block)) and _fixes.takes_error_marks(site)
            edits += _put(known[0], "\n\n".join(real), error)
    title = "Put the results together in the first" if edits else SAME
    title = "Put the real result in place of the placeholder" if placeholder else title
    return site.change(title, "exact", *edits, Drop(_fixes.rows(site, sorted(at for group in groups.values() for at in group))))


def for_further_results(site: Site, extra: Sequence[int]) -> Iterator[Change]:
    """Fixes of results that are too many in their turn, by what they double: a result of the same id, else of the same tool."""
    reading, view = site.reading, site.scene.view
    turn = reading.of_turn(int(reading.turn[extra[0]]))
    taken = [int(at) for at in turn if view.results[at] and reading.partner[at] >= 0]
    groups: dict[int, list[int]] = {}
    for at in extra:
        named = view.key[at] >= 0 and not view.flags[at] & Flag.ID_EMPTY
        column = view.key if named else view.name
        first = next((other for other in reversed(taken) if column[other] == column[at] and column[at] >= 0), None)
        if first is None:
            groups.clear()
            break
        groups.setdefault(first, []).append(at)
    made = put_together(site, groups) if groups else None
    if made is not None:
        yield made
    if made is None or made.title != SAME:
        yield _fixes.drop(site, f"Drop the further result{'' if len(extra) == 1 else 's'}", extra)


def _placeholder(block: Block) -> bool:
    return block.text.strip() in ("", _fixes.NO_RESULT)


def _put(block: Block, text: str, error: bool) -> list[Edit]:
    edits: list[Edit] = [Replace(np.asarray([block.row], np.int32), Words(text))]
    if block.error != error and block.type in MARKED:
        edits.append(Set(block.row, "block.is_error", error))
    return edits
