"""Signed reasoning behind the first change: what a plan or a repair leaves untouched, and a provider may doubt all the same.

Newer Claude models bind a signature to all that stands before its block. That a request was changed only shows beside the one that it
was made from, so no rule can find it: it is said of a change, as a warning, and never counts among the findings.
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag, Kind
from app.model.plan import Doubt
from app.model.provider import Provider
from app.model.table import Ints
from app.model.transcript import Transcript

BESIDE = ("/tools", "/system", "/instructions", "/systemInstruction", "/system_instruction", "/toolConfig")
SIGNED_KINDS = (Kind.REASONING, Kind.TOOL_CALL, Kind.TEXT, Kind.MEDIA)


def doubt(base: Transcript, after: Transcript, provider: Provider, model: str | None) -> Doubt | None:
    """The signed reasoning of `after` behind the first thing in which it differs from `base`, of which it was made; None where there is
    none. What the provider is known to make of that is said in its words."""
    first = first_difference(base, after)
    if first < 0:
        return None
    rows = after.sent[first:]
    table = after.table
    kind, flags = table.kind[rows], table.flags[rows]
    signed = ((flags & Flag.SIGNED) != 0) & np.isin(kind, SIGNED_KINDS)
    signed |= (kind == Kind.REASONING) & ((flags & Flag.REDACTED) != 0)
    found = rows[signed]
    if not len(found):
        return None
    return Doubt(len(found), int(found[0]), provider.binds(model or base.model))


def first_difference(base: Transcript, after: Transcript) -> int:
    """The first index in what is sent of `after` at which it is not what is sent of `base`; -1 where they are the same."""
    if any(_beside(pointer) and base.request.get(pointer, base) != value for pointer, value in after.request.items()):
        return 0
    old, new = base.sent, after.sent
    many = min(len(old), len(new))
    differs = old[:many] != new[:many]
    differs |= _laid_anew(base, after)[new[:many]]
    if differs.any():
        return int(np.argmax(differs))
    return many if len(old) != len(new) else -1


def _beside(pointer: str) -> bool:
    return any(pointer == member or pointer.startswith(member + "/") for member in BESIDE)


def _laid_anew(base: Transcript, after: Transcript) -> Ints:
    """Mask over the rows of `after`: content or fields are others than those of `base`."""
    found = np.zeros(len(after.table), bool)
    if after.content is not None:
        laid = np.flatnonzero(after.content >= 0)
        if base.content is None:
            found[laid] = True
        else:
            known = laid[laid < len(base.content)]
            found[laid] = True
            same = [row for row in known.tolist() if base.content_of(row) == after.content_of(row)]
            found[same] = False
    for row, fields in after.fields.items():
        found[row] |= base.fields.get(row) != fields
    return found
