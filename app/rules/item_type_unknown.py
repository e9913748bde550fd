"""An item of a type that the API does not list, or a message of a role that it does not have (OpenAI Responses).

Records of an agent's own log (`context_compaction`, `ghost_snapshot`), blocks of another wire, messages of the role `tool`: each makes the
whole request refused. The list is the one that the API itself gave in 2026-05, with what its specification added since.

Evidence: router-for-me/CLIProxyAPI#3414; openai/openai-openapi@f85dbe2.

Repair: the item goes; a message of an unknown role becomes one of the user.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.items import TYPES
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.model.table import RecordKind
from app.rules import _fixes
from app.rules._items import heads, own_ids, words
from app.rules._rule import Rule, Said
from app.rules._scene import Site

ROLES = (Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.DEVELOPER)


class ItemTypeUnknown(Rule):
    name = "item-type-unknown"
    summary = "an item of a type that the API does not list"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if own_ids(reading) is None:
            return []
        first = heads(reading) & self._whole(reading)
        unknown = first & (view.kind == Kind.OTHER) & ~np.isin(view.type, words(reading, *TYPES))
        message = heads(reading) & ~self._whole(reading)
        role = message & ~np.isin(view.role, ROLES) & np.isin(view.kind, (Kind.TEXT, Kind.MEDIA, Kind.EMPTY, Kind.OTHER))
        return [self.hit(reading, np.flatnonzero(unknown)), self.hit(reading, np.flatnonzero(role))]

    def _whole(self, reading: Reading) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Mask: rows that are an item each, and no part of a message. What could not be decoded is judged by nobody here."""
        view, records = reading.view, reading.view.transcript.table.records
        record = view.transcript.table.record[view.rows]
        unread = (record >= 0) & (records.kind[np.maximum(record, 0)] == RecordKind.UNPARSED) if len(records) else np.zeros(len(view), bool)
        listed = (view.flags & Flag.CONTENT_LIST) != 0
        return np.asarray((view.kind == Kind.OTHER) & ~listed & ~unread)

    def say(self, site: Site) -> Said:
        if site.kind == Kind.OTHER and self._whole(site.reading)[site.position]:
            word = site.scene.type(site.position)
            return Said(f"The API knows no item of type {word}.", cause=f"type {word}", whole=True, words={"type": word})
        word = Role(int(site.scene.view.role[site.position])).name.lower()
        return Said("This message has a role that the API does not know.", cause="role", whole=True, variant="role", words={"type": word})

    def fixes(self, site: Site) -> Sequence[Change]:
        message = site.scene.message_of(site.position).tolist()
        away = _fixes.drop(site, "Drop the item", message)
        if site.kind == Kind.OTHER and self._whole(site.reading)[site.position]:
            return [away]
        return [site.change("Make it a message of the user", "adds", Set(site.row, "role", "user")), away]


RULE = ItemTypeUnknown()
