"""Where in a document the contents stand, and the answers beside them: services and loggers put objects around both.

Code Assist sends `{model, project, request: {contents}}` and answers `{response: {candidates}}`; a logged exchange holds both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from app.formats._json import BOM
from app.formats._scan import Malformed, Member, Torn, scan_object
from app.formats._window import Window
from app.model.source import Source

WRAPPERS: Final = ("request", "response", "body", "payload", "data")
CHUNKS: Final = ("chunks", "response", "responses")
"""Where the pieces of a stream stand, as a list or as text."""
_DEPTH: Final = 4
_LIST, _OBJECT = 91, 123


@dataclass
class Wrapped:
    """An object around the contents, or beside them: where it begins, its pointer in tokens, and the members that were walked."""

    start: int
    path: tuple[str, ...]
    members: list[Member] = field(default_factory=list)


@dataclass
class Frame:
    """`root`: where the object begins that holds the contents, or is to hold them; `path`: its pointer in tokens. `around`: the objects
    around it, the outermost first."""

    root: int
    path: tuple[str, ...]
    around: list[Wrapped] = field(default_factory=list)


def frame_of(source: Source) -> Frame | None:
    """The frame of a document; None where it is no object (a bare list), or where nothing of Gemini's is found in it: then it is read
    from its top."""
    window = Window(source)
    try:
        start = window.space(len(BOM) if window.data.startswith(BOM) else 0)
        found = (_find(window, start, (), wanted) for wanted in ("contents", "candidates", *CHUNKS))
        return next((frame for frame in found if frame is not None), None)
    except (Torn, Malformed):
        return None


def _find(window: Window, start: int, path: tuple[str, ...], wanted: str) -> Frame | None:
    """The first object with a member `wanted` that holds a list, from `start` on and down through wrappers."""
    if window.byte(start) != _OBJECT:
        return None
    at = window.space(start + 1)
    try:
        while window.byte(at) not in (-1, 125):
            key, _, value = window.key(at)
            if key == wanted and (window.byte(value) == _LIST or (wanted == "contents" and window.byte(value) == _OBJECT)):
                return Frame(start, path)
            if key in WRAPPERS and len(path) < _DEPTH:
                found = _find(window, value, (*path, key), wanted)
                if found is not None:
                    found.around.insert(0, Wrapped(start, path))
                    return found
            at = window.space(window.value_end(value))
            if window.byte(at) != 44:
                break
            at = window.space(at + 1)
    except (Torn, Malformed):  # a file that is cut off: what stands in it was looked for in what there is
        pass
    return None


def members_around(source: Source, frame: Frame, inner_end: int) -> tuple[list[Wrapped], int]:
    """The objects around the root with all their members, and where one of them is cut off or damaged (-1: nowhere). `inner_end`:
    where the root ends."""
    window = Window(source)
    inside, torn = frame.root, -1
    found: list[Wrapped] = []
    for outer in reversed(frame.around):
        whole = Wrapped(outer.start, outer.path)
        found.append(whole)
        at = window.space(outer.start + 1)
        try:
            while True:
                key, key_end, value = window.key(at)
                end = inner_end if value == inside else window.value_end(value)
                if end < 0:
                    return found, torn
                whole.members.append(Member(key, at, key_end, value, end))
                at = window.space(end)
                if window.byte(at) == 125:
                    break
                if window.byte(at) != 44:
                    raise Malformed(at) if window.byte(at) >= 0 else Torn
                at = window.space(at + 1)
        except (Torn, Malformed):
            return found, at
        inside, inner_end = outer.start, at + 1
    return found, torn


def inside(source: Source, start: int, end: int, path: tuple[str, ...]) -> list[Wrapped]:
    """An object of the file with its members, and those of the wrappers in it."""
    data = source.read(start, end - start)
    try:
        found = scan_object(data)
    except (Torn, Malformed):
        return []
    members = [Member(m.key, m.key_start + start, m.key_end + start, m.start + start, m.end + start) for m in found.members]
    wrapped = [Wrapped(start, path, members)]
    for member in members:
        if member.key in WRAPPERS and data[member.start - start] == _OBJECT and len(path) < _DEPTH:
            wrapped += inside(source, member.start, member.end, (*path, member.key))
    return wrapped
