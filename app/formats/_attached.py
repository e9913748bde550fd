"""Long texts that Inspect keeps once for a sample and names by their hash: `attachment://HASH`, found in the sample's `attachments`.

They are put in where a message is looked at and counted; in the file the names stay, but for a text that is edited.
Source: UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_condense.py (`ATTACHMENT_PROTOCOL`, `resolve_sample_attachments`).
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

from app.formats._json import NotJson, loads
from app.formats._logs import Sheet
from app.formats._nodes import Node
from app.model.source import Source
from app.model.table import Table

MARK: Final = "attachment://"
_KEY: Final = "attached"
_DEEPEST: Final = 100
_last: WeakKeyDictionary[Source, tuple[tuple[int, int], Any]] = WeakKeyDictionary()
"""The attachments that were decoded last, for each file: many messages of one sample are looked at one after another."""


def note(sheet: Sheet, owner: int, sample: Node) -> dict[str, Any]:
    """The attachments of a sample, and where they stand for whoever decodes a message again; none where no message names one."""
    held = sample.get("attachments")
    if held is None or not isinstance(held.value, dict) or held.path or not _names(sample.value.get("messages")):
        return {}
    sheet.more.setdefault(_KEY, {})[owner] = held.start, held.length
    return dict(held.value)


def resolved(value: Any, texts: dict[str, Any], depth: int = 0) -> Any:
    """A value with the texts in place of their names; one that is not known stays a name."""
    if isinstance(value, str):
        text = texts.get(value[len(MARK) :]) if value.startswith(MARK) else None
        return text if isinstance(text, str) else value
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [resolved(item, texts, depth + 1) for item in value]
    return {key: resolved(item, texts, depth + 1) for key, item in value.items()} if isinstance(value, dict) else value


def seen(value: Any, table: Table, source: Source, record: int) -> Any:
    """A message of the file as it is looked at."""
    place = table.extra.get(_KEY, {}).get(int(table.records.owner[record]))
    if place is None or isinstance(value, bytes) or not _names(value):
        return value
    if _last.get(source, (None,))[0] != place:
        try:
            _last[source] = place, loads(source.read(*place))
        except NotJson:
            return value
    texts = _last[source][1]
    return resolved(value, texts) if isinstance(texts, dict) else value


def _names(value: Any, depth: int = 0) -> bool:
    if isinstance(value, str):
        return value.startswith(MARK)
    if depth > _DEEPEST or not isinstance(value, list | dict):
        return False
    return any(_names(item, depth + 1) for item in (value if isinstance(value, list) else value.values()))
