"""Images that a limit refuses: their count, their places in a result, and the note that takes their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.model.block import Block, Media
from app.model.edits import Change, Drop, Insert, Made, Set
from app.model.kinds import Kind, Mark, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._scene import Site

COUNTS = f"{Mark.IMAGES}."


def count(reading: Reading) -> int:
    """How many images would be sent, those in results too."""
    view = reading.view
    types = view.transcript.table.types
    total = 0
    if "image" in types:
        total += int(((view.kind == Kind.MEDIA) & (view.type == types.index("image")) & reading.sent).sum())
    for word in view.transcript.table.marks:
        if word.startswith(COUNTS):
            total += int(word.removeprefix(COUNTS)) * int((view.marked(word) & reading.sent).sum())
    return total


def images_of(block: Block | None) -> list[tuple[int, Media, dict[str, Any]]]:
    """The images of a block: number in the content of a result (-1: the block is the image), what it is, and its value."""
    value = block.value if block is not None else None
    if block is None or not isinstance(value, dict):
        return []
    if block.kind == Kind.MEDIA:
        return [(-1, block.media[0], value)] if block.media else []
    content = value.get("content")
    parts = [
        (number, part)
        for number, part in enumerate(content if isinstance(content, list) else ())
        if isinstance(part, dict) and part.get("type") in ("image", "document")
    ]
    pairs = zip(parts, block.media, strict=False)
    return [(number, media, part) for (number, part), media in pairs if part["type"] == "image"]


def in_words(site: Site, wrong: Callable[[Media, dict[str, Any]], bool]) -> list[Change]:
    """A note takes the place of each image that is wrong."""
    found = [(number, media) for number, media, value in images_of(site.block) if wrong(media, value)]
    if not found:
        return [_fixes.drop(site, "Drop the block", [site.position])] if site.kind == Kind.MEDIA else []
    title = "Put a note in place of the image" if len(found) == 1 else "Put notes in place of the images"
    if found[0][0] < 0:
        made = Made(Kind.TEXT, Role(int(site.scene.view.role[site.position])), note(found[0][1]))
        return [site.change(title, "loses", Insert(_fixes.beside(site), made), Drop(np.asarray([site.row], np.int32)))]
    assert site.block is not None
    content = list(site.block.value["content"])
    for number, media in found:
        content[number] = {"type": "text", "text": note(media)}
    return [site.change(title, "loses", Set(site.row, "content", content))]


def note(media: Media) -> str:
    """What is said in place of an image."""
    size = f"{media.width} x {media.height} pixels" if media.width and media.height else f"{media.bytes:,} bytes"
    return f"[image taken out: {size}]"
