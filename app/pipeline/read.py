"""A transcript as one provider reads it: joined turns, places as it counts them, pairs and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.findings import Mode
from app.model.provider import Defect, Provider, Reading
from app.model.table import Ints, Table
from app.model.view import View
from app.pipeline.names import on_wire
from app.pipeline.resume import resumed
from app.providers._pairing import pair
from app.providers._wire import Wire, wire_of


def read(view: View, provider: Provider, model: str | None, mode: Mode) -> Reading:
    """The reading is made once for a view and a provider; the other mode and another model share its arrays."""
    provider = on_wire(provider, view.transcript.table)
    key = provider.name
    if key not in view.readings:
        view.readings[key] = _read(view, provider)
    base, pending = view.readings[key]
    if mode == "prefix" and len(pending):
        defect = base.defect.copy()
        defect[pending] = Defect.NONE
        return replace(base, model=model, mode=mode, defect=defect, pending=len(pending))
    return replace(base, model=model, mode=mode)


def _read(view: View, provider: Provider) -> tuple[Reading, Ints]:
    wire = wire_of(view, provider)
    native = _native(view.transcript.table, provider)
    paired = pair(wire, provider, native)
    blocks = _blocks(wire, provider)
    partner = np.where(paired.partner >= 0, wire.at[np.maximum(paired.partner, 0)], -1) if len(wire) else paired.partner
    reading = Reading(
        view=view,
        provider=provider,
        model=None,
        mode="complete",
        turn=_along(view, wire.at, wire.turn, -1),
        wire_message=_along(view, wire.at, wire.message, -1),
        wire_block=_along(view, wire.at, blocks, -1),
        defect=_along(view, wire.at, paired.defect, 0, np.uint8),
        partner=_along(view, wire.at, partner, -1),
        wire=wire.at.astype(np.int32),
        turn_start=wire.turn_start,
        turn_role=wire.turn_role,
        native=native,
        resumed=resumed(view),
    )
    return reading, wire.at[paired.pending]


def _blocks(wire: Wire, provider: Provider) -> Ints:
    """The number of each block as the provider counts."""
    if provider.pairing == "contiguous-run":
        return wire.block_by_kind()
    return wire.block_in_message() if provider.pairing in ("anywhere", "count", "next-message") else wire.block()


def _along(view: View, at: Ints, values: Ints, other: int, dtype: type = np.int32) -> Ints:
    column: Ints = np.full(len(view), other, dtype)
    column[at] = values
    return column


def _native(table: Table, provider: Provider) -> bool:
    """Whether a dump's wire is one that the provider reads; an unknown format is taken for it."""
    from app.formats import FORMATS

    known = FORMATS.get(table.format)
    own = table.wire if table.wire is not None else known.provider if known is not None else ""
    return known is None or (known.native and own in (provider.name, *provider.wires))
