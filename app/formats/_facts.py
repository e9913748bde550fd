"""What a result's content says, for whoever puts other content in its place: texts, media, flags and marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from app.formats._flags import text_flags
from app.formats._media import of_anthropic, of_url
from app.formats._noted import content_marks
from app.model.block import Media
from app.model.edits import DELETE
from app.model.kinds import Flag


class Facts(NamedTuple):
    """`texts`: what is counted and shown; `flags`: CONTENT_*, those of a content that is one text, PART_EMPTY, MEDIA; `marks`: words of
    Mark that hold of it."""

    texts: tuple[str, ...]
    flags: int = 0
    media: tuple[Media, ...] = ()
    marks: frozenset[str] = frozenset()


_MEDIA: Final = frozenset({"image", "document", "image_url"})


def shape(content: Any) -> int:
    """The flags CONTENT_* of content."""
    if isinstance(content, str):
        return 0
    if isinstance(content, list):
        return Flag.CONTENT_LIST if content else Flag.CONTENT_LIST | Flag.CONTENT_NONE
    return Flag.CONTENT_NULL if content is None or content is DELETE else Flag.CONTENT_ODD


def facts_of(content: Any, texts_of: Callable[[Any], tuple[list[str], int]] | None = None) -> Facts:
    """Of content as Anthropic's and OpenAI's wires have it: a string, or a list of parts that have a type. `texts_of`: the texts of a
    result and its flags, as its wire counts them; None: those of its parts of text."""
    if isinstance(content, str):
        return Facts((content,), text_flags(content, odd=True))
    parts = content if isinstance(content, list) else ()
    texts: list[str] = []
    media: list[Media] = []
    flags = shape(content)
    for part in parts:
        if not isinstance(part, dict):
            continue
        text = part.get("text")
        if isinstance(text, str):
            texts.append(text)
            flags |= Flag.PART_EMPTY if not text or text.isspace() else 0
        elif str(part.get("type")) in _MEDIA:
            flags |= Flag.MEDIA
            held = part.get("image_url")
            media.append(of_url(held.get("url") if isinstance(held, dict) else held) if held is not None else of_anthropic(part))
    if texts_of is not None and isinstance(content, list):
        texts, more = texts_of(content)
        flags |= more
    return Facts(tuple(texts), flags, tuple(media), frozenset(content_marks(content)))
