"""The own ids of items by their form: how they must begin, and how long they may be (OpenAI Responses). Part of `id-format`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit, Severity
from app.model.items import ID_MAX, PREFIXES, SEEN_PREFIXES
from app.model.kinds import Kind
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._items import heads, id_of, own_ids, without_ids
from app.rules._rule import Rule, Said
from app.rules._scene import Site

ITEM = 1  # detail of a finding about an item's own id
OTHERS = ("fc_", "ctc_", "ws_", "rs_", "msg_", "call_", "toolu_", "item_")
"""How ids begin that are surely of another type, or of another provider."""


def hits(rule: Rule, reading: Reading) -> Iterable[Hit]:
    """Items whose own id has the wrong beginning, or is too long."""
    own = own_ids(reading)
    if own is None:
        return
    at = np.flatnonzero(heads(reading) & (own >= 0))
    if not len(at):
        return
    weights = _judged(reading, at, own[at])
    for weight, severity in ((2, "error"), (1, "warning")):
        found = at[weights == weight]
        if len(found):
            named: Severity = "error" if severity == "error" else "warning"
            yield rule.hit(reading, found, np.full(len(found), ITEM), severity=named)


def _judged(reading: Reading, at: Ints, own: Ints) -> Ints:
    """For each item 2 where its id is refused, 1 where that is not sure, else 0. Each pair of a type and an id is looked at once."""
    table = reading.view.transcript.table
    word = _types(reading, at)
    width = len(table.item_ids) + 1
    found, back = np.unique(word.astype(np.int64) * width + own, return_inverse=True)
    words = (*table.types, "message")
    weights = [_weight(words[code // width], table.item_ids.text(code % width) or "") for code in found.tolist()]
    return np.asarray(weights, np.int8)[back]


def _types(reading: Reading, at: Ints) -> Ints:
    """The type of each item; parts of a message stand for the type behind the last one."""
    view = reading.view
    whole = np.isin(view.kind[at], (Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.REASONING)) | (view.kind[at] == Kind.OTHER)
    return np.where(whole, view.type[at], len(view.transcript.table.types))


def _weight(word: str, own: str) -> int:
    if word == "item_reference":
        return 0
    if len(own) > ID_MAX:
        return 2
    if word in PREFIXES:
        return 0 if own.startswith(PREFIXES[word]) else 2
    if word in SEEN_PREFIXES and not own.startswith(SEEN_PREFIXES[word]):
        return 2 if own.startswith(OTHERS) else 1
    return 0


def say(site: Site) -> Said:
    own = id_of(site.scene, site.position) or ""
    word = site.scene.type(site.position) if site.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.REASONING, Kind.OTHER) else "message"
    if len(own) > ID_MAX:
        message = f"The id of this item has {len(own)} characters; {ID_MAX} are the most that are taken."
        reason = "It is not what pairs: that is `call_id`."
        return Said(message, reason, (own,), f"item {own}", True, variant="item-long", words=_length(own))
    prefix = PREFIXES.get(word) or SEEN_PREFIXES.get(word, "")
    message = f"The id of this {word} begins otherwise than such ids do (`{prefix}`): {own[:80]}."
    reason = "It is the id of the call, which stands in `call_id` as well." if own and own == site.id else "It is not what pairs."
    return Said(message, reason, (own,), f"item {own}", True, variant="item", words={"prefix": prefix, **_length(own)})


def _length(own: str) -> dict[str, str]:
    return {"length": str(len(own))}


def fixes(site: Site) -> Sequence[Change]:
    return [site.change("Delete the item's own id", "exact", *without_ids(site, [site.position]))]
