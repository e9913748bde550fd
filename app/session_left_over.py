"""The files in which edits and pins outlive a crash: what stands in them, and whether they are of the bytes that are open.

`NAME.json` is of the run that writes it. What a crash has left is put under `NAME.left-1.json`, `NAME.left-2.json`, ... (the lowest is the
oldest) and stays there until a person has answered, whatever happens meanwhile. Where the bytes of the dump are other ones it stays for
KEPT days, and is offered again when the old bytes are back, whenever they were written.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zlib import crc32

from app.model.dump import Dump
from app.model.edits import History
from app.model.pins import PROTECTION_NAMES, Pins
from app.model.source import Source

FORMAT = 1
EDGE = 1 << 16  # bytes at both ends of a dump that are compared
WHOLE = 64 << 20  # bytes of a dump that are summed up whole; a larger one is told by its time too
MOST = 64 << 20  # bytes of a journal that is read
KEPT = 30  # days for what was left for other bytes
ROWS = ("exchanges", "steps", "blocks")
_LEFT = re.compile(r"\.left-(\d{1,9})\.json$")


@dataclass(frozen=True)
class Found:
    """What a file holds; `sums` tell the bytes that it is of."""

    file: Path
    sums: list[Any]
    lists: Mapping[str, History]  # by transcript id, as all here
    pins: Mapping[str, Pins]


def name_of(folder: Path, path: str) -> Path:
    """The file of a dump in the run that goes on."""
    return folder / f"{blake2b(str(Path(path).absolute()).encode('utf-8', 'surrogateescape'), digest_size=12).hexdigest()}.json"


def left(target: Path) -> list[Path]:
    """What crashes have left for the dump of `target`, the oldest first."""
    numbered = [(int(match[1]), file) for file in target.parent.glob(f"{target.stem}.left-*.json") if (match := _LEFT.search(file.name))]
    return [file for _, file in sorted(numbered)]


def set_aside(target: Path) -> None:
    """What is under the name of the run that goes on is of one that crashed: it gets a name under which nothing is written again."""
    if target.exists():
        there = left(target)
        number = int(_LEFT.search(there[-1].name)[1]) + 1 if there else 1  # type: ignore[index]
        target.rename(target.with_name(f"{target.stem}.left-{number}.json"))


def write(target: Path, source: Source, path: str, lists: Mapping[str, History], pins: Mapping[str, Pins]) -> None:
    """Writes all of it or nothing. InspectorError and OSError where it cannot."""
    from app.pipeline import atomic
    from app.pipeline.edit_list import written

    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    value = {
        "format": FORMAT, "path": path, "sums": [*sums(source), whole(source)],
        "transcripts": {name: written(history) for name, history in lists.items()},
        "pins": {name: _plain(one) for name, one in pins.items()},
    }  # fmt: skip
    atomic.write(target, [json.dumps(value).encode()], lambda temporary: temporary.chmod(0o600))  # it may hold what a tool answered


def read(file: Path) -> Found | None:
    """None where there is nothing, or nothing that can be read."""
    from app.pipeline.edit_list import read as read_list

    try:
        if file.stat().st_size > MOST:
            return None
        value = json.loads(file.read_bytes())
        if value["format"] != FORMAT or not isinstance(value["sums"], list):
            return None
        lists = {name: history for name, one in value["transcripts"].items() if (history := read_list(one)) is not None}
        pins = {name: found for name, one in value.get("pins", {}).items() if (found := _pins_of(one))}
        return Found(file, value["sums"], lists, pins) if lists or pins else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def is_old(file: Path) -> bool:
    """Whether it has lain longer than what is of other bytes is kept."""
    with suppress(OSError):
        return time.time() - file.stat().st_mtime > KEPT * 86_400
    return False


def by_index(lists: Mapping[str, History], dump: Dump) -> dict[int, History]:
    """The lists by index of their transcript, as far as these are there and have the rows that are spoken of."""
    from app.pipeline.edit_list import highest

    return {
        index: lists[one.id]
        for index, one in enumerate(dump.transcripts)
        if one.id in lists and lists[one.id].layers and highest(lists[one.id]) < len(dump.table)
    }


def pins_by_index(pins: Mapping[str, Pins], dump: Dump) -> dict[int, Pins]:
    """The same for pins; one that hangs on a row that is not there holds nothing."""
    most, found = len(dump.table), {}
    for index, one in enumerate(dump.transcripts):
        if one.id in pins:
            held = pins[one.id]
            rows = {unit: frozenset(row for row in getattr(held, unit) if row < most) for unit in ROWS}
            if kept := Pins(**rows, tools=held.tools, prompt=held.prompt, protected=held.protected):
                found[index] = kept
    return found


# -- the bytes ----------------------------------------------------------------------------------------------------------------------


def sums(source: Source) -> list[Any]:
    """What tells the bytes of a dump: how many, when they were written, checksums of both ends."""
    file, size = source.file(), source.stamp.size
    edge = min(EDGE, size)
    return [size, source.stamp.mtime_ns, crc32(file.read(0, edge)), crc32(file.read(size - edge, edge))]


def whole(source: Source) -> str:
    """A checksum of all bytes; "" of a dump that is too large for one."""
    if source.stamp.size > WHOLE:
        return ""
    summed = blake2b(digest_size=16)
    for chunk in source.file().chunks():
        summed.update(chunk)
    return summed.hexdigest()


def same(kept: list[Any], source: Source) -> bool:
    """Whether the bytes are those that were summed up: by time and both ends, or, written at another time, by all of them."""
    now = sums(source)
    if kept[:4] == now:
        return True
    apart = [*kept[:1], *kept[2:4]] != [now[0], *now[2:]]
    return not apart and len(kept) > 4 and bool(kept[4]) and kept[4] == whole(source)


# -- pins as plain values -----------------------------------------------------------------------------------------------------------


def _plain(pins: Pins) -> dict[str, Any]:
    rows = {unit: sorted(int(row) for row in getattr(pins, unit)) for unit in ROWS}
    return {**rows, "tools": sorted(pins.tools), "prompt": pins.prompt, "protected": sorted(pins.protected)}


def _pins_of(value: dict[str, Any]) -> Pins:
    rows = {unit: frozenset(row for row in value.get(unit, []) if type(row) is int and row >= 0) for unit in ROWS}
    tools = frozenset(name for name in value.get("tools", []) if isinstance(name, str))
    protected = frozenset(value.get("protected", [])) & frozenset(PROTECTION_NAMES)
    return Pins(**rows, tools=tools, prompt=value.get("prompt") is True, protected=protected)
