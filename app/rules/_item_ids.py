"""The own ids of items by their form: how they must begin, and how long they may be (OpenAI Responses). Part of `id-format`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit, Severity
from app.model.ids import Ids
from app.model.items import ID_MAX, PREFIXES, SEEN_PREFIXES
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._items import heads, id_of, own_ids, without_ids, words
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
    """For each item 2 where its id is refused, 1 where that is not sure, else 0."""
    table, view = reading.view.transcript.table, reading.view
    heads_of = _Heads(table.item_ids)
    weights = np.zeros(len(at), np.int8)
    parts = np.isin(view.kind[at], (Kind.TEXT, Kind.MEDIA, Kind.EMPTY)) | ((view.flags[at] & Flag.CONTENT_LIST) != 0)
    whole = ~parts | np.isin(view.kind[at], (Kind.TOOL_RESULT, Kind.TOOL_CALL, Kind.REASONING))
    for word, prefix in (*PREFIXES.items(), *SEEN_PREFIXES.items()):
        mine = np.flatnonzero(~whole if word == "message" else whole & np.isin(view.type[at], words(reading, word)))
        wrong = mine[~heads_of.begin(own[mine], prefix)]
        if word in PREFIXES:
            weights[wrong] = 2
        else:
            foreign = np.zeros(len(wrong), bool)
            for other in OTHERS:
                foreign |= heads_of.begin(own[wrong], other)
            weights[wrong] = np.where(foreign, 2, 1)
    weights[heads_of.longer(own, ID_MAX)] = 2
    weights[np.isin(view.type[at], words(reading, "item_reference"))] = 0
    return weights


class _Heads:
    """The beginnings of ids, looked at all at once."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids
        self.data = np.frombuffer(ids.blob, np.uint8)
        self.start = np.concatenate([[0], ids.ends[:-1]]).astype(np.int64) if len(ids) else np.empty(0, np.int64)
        self.length = ids.ends - self.start

    def begin(self, numbers: Ints, prefix: str) -> Ints:
        """Mask: ids that begin with a prefix (ASCII)."""
        fits = np.asarray(self.length[numbers] >= len(prefix))
        for place, byte in enumerate(prefix.encode()):
            fits[fits] = self.data[self.start[numbers[fits]] + place] == byte
        return fits

    def longer(self, numbers: Ints, most: int) -> Ints:
        """Mask: ids of more characters."""
        long = np.asarray(self.length[numbers] > most)
        long[long] = [len(self.ids.text(int(number)) or "") > most for number in numbers[long]]
        return long


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
