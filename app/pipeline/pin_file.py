"""Pins kept beside a dump, in `NAME.inspector.json`: written when a person asks for it, and never otherwise.

```
{"program": "transcript-inspector", "kind": "pins", "version": 1, "file": "dump.jsonl",
 "transcripts": {"main": {"exchanges": [{"at": "/0/message/content", "holds": "text", "size": 52}], "steps": [], "blocks": [],
                          "tools": ["Read"], "first_prompt": true, "protect": ["errors"]}}}
```
A place is a JSON pointer in the dump with the kind and the number of characters of what stands there: where another thing stands, the pin
is left out and counted. A file of this name that is not ours is neither read nor written over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import orjson

from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.pins import PROTECTION_NAMES, Aside, Pins, Unit
from app.model.transcript import Transcript
from app.pipeline import atomic
from app.pipeline.pointed import pointed

SUFFIX: Final = ".inspector.json"
PROGRAM, KIND, VERSION = "transcript-inspector", "pins", 1
MOST: Final = 8 << 20  # bytes; a file of pins is never as large
_UNITS: Final[tuple[tuple[str, Unit], ...]] = (("exchanges", "exchange"), ("steps", "step"), ("blocks", "block"))

Looks = Callable[[Transcript], Callable[[int], Block]]


def path_of(dump: str | os.PathLike[str]) -> Path:
    """Where pins of a dump are kept."""
    path = Path(dump)
    return path.with_name(path.name + SUFFIX)


# -- writing --------------------------------------------------------------------------------------------------------------------------


def save(dump: Dump, pins: Mapping[int, Pins], looks: Looks) -> Path:
    """Writes the pins of each transcript (by index) beside the dump, whole or not at all. InspectorError where it cannot be."""
    if dump.source.path is None:
        raise InspectorError(f"{dump.source.name}: it was not read from a file; there is no place beside it")
    path = path_of(dump.source.path)
    if path.exists():
        _read(path)  # what is not ours is not written over
    transcripts = {dump.transcripts[index].id: _told(dump.transcripts[index], one, looks) for index, one in pins.items() if one}
    value = {"program": PROGRAM, "kind": KIND, "version": VERSION, "file": dump.source.path.name, "transcripts": transcripts}
    atomic.write(atomic.target_of(path, dump.source), [orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"])
    return path


def _told(transcript: Transcript, pins: Pins, looks: Looks) -> dict[str, Any]:
    look = looks(transcript)
    said: dict[str, Any] = {}
    for name, _ in _UNITS:
        said[name] = [place for row in sorted(getattr(pins, name)) if (place := _place(transcript, row, look)) is not None]
    return said | {
        "tools": sorted(pins.tools), "first_prompt": pins.prompt, "protect": [name for name in PROTECTION_NAMES if name in pins.protected],
    }  # fmt: skip


def _place(transcript: Transcript, row: int, look: Callable[[int], Block]) -> dict[str, Any] | None:
    """None for a row that is not in the file."""
    table = transcript.table
    if row >= len(table) or int(table.record[row]) < 0:
        return None
    block = look(row)
    return {"at": block.pointer or table.pointer(int(table.record[row])), "holds": block.kind.word, "size": int(table.size[row])}


# -- reading --------------------------------------------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str], dump: Dump, looks: Looks) -> Aside:
    """The pins in a file as rows of a dump. InspectorError, one line, where it is broken, foreign, or of a later version."""
    path = Path(path)
    found: dict[str, Pins] = {}
    missing = 0
    by_id = {transcript.id: transcript for transcript in dump.transcripts}
    for name, told in _read(path)["transcripts"].items():
        if name not in by_id:
            missing += sum(len(told.get(key, ())) for key, _ in _UNITS)
            continue
        found[name], gone = _pins(told, by_id[name], looks(by_id[name]), path)
        missing += gone
    return Aside(str(path), found, missing)


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST:
            raise _broken(path, "it is too large to hold pins")
        value = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InspectorError(f"{path}: {error.strerror or error}; the pins in it were not read") from None
    except orjson.JSONDecodeError as error:
        raise _broken(path, f"it is no JSON ({error})") from None
    if not isinstance(value, dict) or value.get("program") != PROGRAM or value.get("kind") != KIND:
        raise _broken(path, "it was not written by Transcript Inspector")
    if value.get("version") != VERSION:
        raise _broken(path, f"its version is {str(value.get('version'))[:20]}, and {VERSION} is known here")
    told = value.get("transcripts")
    if not isinstance(told, dict) or not all(isinstance(one, dict) for one in told.values()):
        raise _broken(path, "it names no transcripts")
    return value


def _broken(path: Path, why: str) -> InspectorError:
    return InspectorError(f"{path}: {why}; the pins in it were not read, and nothing is written over it")


def _pins(told: dict[str, Any], transcript: Transcript, look: Callable[[int], Block], path: Path) -> tuple[Pins, int]:
    pins, missing = Pins(), 0
    for name, unit in _UNITS:
        places = told.get(name, [])
        if not isinstance(places, list):
            raise _broken(path, f"“{name}” is no list")
        for place in places:
            row = _row(place, transcript, look)
            if row is None:
                missing += 1
            else:
                pins = pins.with_row(unit, row, True)
    return replace(
        pins, tools=frozenset(_texts(told.get("tools"), path, "tools")), prompt=told.get("first_prompt") is True,
        protected=frozenset(_texts(told.get("protect"), path, "protect")) & frozenset(PROTECTION_NAMES),
    ), missing  # fmt: skip


def _texts(value: Any, path: Path, name: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _broken(path, f"“{name}” is no list of texts")
    return value


def _row(place: Any, transcript: Transcript, look: Callable[[int], Block]) -> int | None:
    """The row at a place, where what stands there is what was pinned."""
    if not isinstance(place, dict) or not isinstance(place.get("at"), str):
        return None
    for row in pointed(transcript, place["at"], look):
        same = place.get("holds") in (None, look(row).kind.word) and place.get("size") in (None, int(transcript.table.size[row]))
        if same:
            return row
    return None
