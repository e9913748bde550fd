"""The outline of a document that holds one long list of messages: its top-level members with their places, and the list walked
element by element. Nothing else of the document is decoded. Where several members may be that list, the one that comes first among the
names that are given is taken; the others are members like any other.

A key that stands twice counts as JSON readers take it: the last one. Look-alikes inside strings or deeper objects cannot be taken
for the list, since members are found by walking the top level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.formats._elements import Add, Elements
from app.formats._json import BOM
from app.formats._scan import Malformed, Member, Object, Torn
from app.formats._window import Window
from app.model.source import Source


@dataclass
class ListSpan:
    """The list of messages: from its bracket to behind the closing one (`end` -1: the file ends or fails inside it)."""

    start: int
    end: int
    member: int  # its index in the outline's members; -1: the list is the document


@dataclass
class Outline:
    """`root` spans the document (its `end` is -1 where it is not closed). `rest`: where what was not understood begins, -1 nowhere;
    `rest_in`: it begins inside an element of the list. `notes`: what was odd, in words. `key`: the name under which the list stands."""

    root: Object
    span: ListSpan | None = None
    rest: int = -1
    rest_in: bool = False
    notes: list[str] = field(default_factory=list)
    key: str = ""

    def member(self, key: str) -> Member | None:
        return self.root.get(key)

    def keys(self) -> list[str]:
        return [member.key for member in self.root.members]


def outline(
    source: Source, key: str | Sequence[str], add: Add, restart: Callable[[], None], progress: Callable[[float], None] | None = None,
    root: int = -1,
) -> Outline:  # fmt: skip
    """Walks a document whose root is an object with a list `key`, or that list itself. `add` is told of each element;
    `restart`: forget all that was told, the list stands a second time. `root`: where the object begins that is taken for the root, in a
    document that puts others around it. Malformed, Torn where not even the root can be read."""
    keys = (key,) if isinstance(key, str) else tuple(key)
    window = Window(source, progress)
    start = root if root >= 0 else window.space(len(BOM) if window.data.startswith(BOM) else 0)
    first = window.byte(start)
    if first == 91:
        found = Outline(Object(start, -1, []))
        _walk_list(window, found, start, -1, add)
        end = found.span.end if found.span else -1
        found.root = Object(start, end, [])
    elif first == 123:
        found = _walk_object(window, start, keys, add, restart)
    elif first < 0:
        raise Torn
    else:
        raise Malformed(start)
    found.key = found.key or keys[0]
    if found.root.end >= 0 and root < 0:
        behind = window.space(found.root.end)
        if behind < source.size:
            found.rest = behind
            found.notes.append(f"something stands behind the end of the document, from byte {behind} on; it is kept as it is")
    return found


def _walk_object(window: Window, start: int, keys: Sequence[str], add: Add, restart: Callable[[], None]) -> Outline:
    found = Outline(Object(start, -1, []))
    members = found.root.members
    at = window.space(start + 1)
    if window.byte(at) == 125:
        found.root = Object(start, at + 1, members)
        return found
    while True:
        try:
            name, key_end, value = window.key(at)
            if window.byte(value) == 91 and _is_list(found, keys, name):
                if found.span is not None:
                    restart()
                    if name == found.key:
                        found.notes.append(f'the key "{name}" stands twice; the last one is read, as JSON readers do')
                found.key = name
                end = _walk_list(window, found, value, len(members), add)
                members.append(Member(name, at, key_end, value, end))
                if end < 0:
                    return found
            else:
                end = window.value_end(value)
                if name == found.key and found.span is not None:
                    restart()
                    found.span = None
                    found.notes.append(f'the key "{name}" stands twice; the last one is read, as JSON readers do')
                members.append(Member(name, at, key_end, value, end))
        except (Torn, Malformed):
            found.rest = at
            return found
        at = window.space(end)
        byte = window.byte(at)
        if byte == 125:
            found.root = Object(start, at + 1, members)
            return found
        if byte != 44:
            found.rest = at
            return found
        at = window.space(at + 1)


def _is_list(found: Outline, keys: Sequence[str], name: str) -> bool:
    """Whether a member that holds a list is the one that is looked for: it comes before, or again under, the name of the one found."""
    if name not in keys:
        return False
    return found.span is None or keys.index(name) <= keys.index(found.key)


def _walk_list(window: Window, found: Outline, start: int, member: int, add: Add) -> int:
    elements = Elements(window, add)
    elements.walk(start)
    found.span = ListSpan(start, elements.end, member)
    if elements.end < 0:
        found.rest, found.rest_in = elements.torn, elements.torn_in
    return elements.end
