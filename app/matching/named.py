"""Ids and places that an error text names. An index is a hint: providers count joined messages, some from 1, some the turn behind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST_ID: Final = 300

_PLACE = re.compile(
    r"\b(?:messages?|contents|input|turns)(?:\.\[|\[|\.)(\d{1,7})\]?"
    r"(?:\.member)?(?:\.?(?:content|parts|tool_calls)(?:\.\[|\[|\.)(\d{1,7})\]?)?",
    re.I,
)
_INDEX = re.compile(r"\bmessage (?:at )?index (\d{1,7})\b|\bin the (\d{1,7})\. content block\b|\bposition (\d{1,7})\b", re.I)
_QUOTED = re.compile(r"`([^`]{1,300})`|'([^']{1,300})'|\"([^\"]{1,300})\"")
_BARE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_\-.:|/+=*]*(?:\.\.\.|…)?|<[a-z_ ]{2,20}>")
_ID = re.compile(
    r"(?:toolu|srvtoolu|tooluse|call|fc|ctc|rs|msg|item|resp|functions|chatcmpl-tool)[_\-.](?=[\w\-.:|]*[0-9A-Z*])[\w\-.:|*]{3,}"
)
_TOOL = re.compile(r"`([\w.:\-]+)` tool use with id|function call `([^`]+)`|[Ff]unction name was (\S+) but|Tool reference '([^']+)'")


@dataclass(frozen=True)
class Spot:
    """A place by its numbers: the message, and the block, part or call in it where one is named. `first`: counted from 1."""

    message: int
    block: int | None = None
    first: int = 0


@dataclass(frozen=True)
class Token:
    """A word that may be an id. `cut`: it was cut off, so only its beginning is known."""

    text: str
    cut: bool = False


def spots(text: str) -> tuple[Spot, ...]:
    """The places of a text in its order, each once."""
    found: dict[Spot, None] = {}
    for match in _PLACE.finditer(text):
        member = 1 if ".member" in match[0] else 0
        found[Spot(int(match[1]), int(match[2]) if match[2] else None, member)] = None
    for match in _INDEX.finditer(text):
        found[Spot(int(next(filter(None, match.groups()))))] = None
    return tuple(found)


def tokens(text: str) -> tuple[Token, ...]:
    """What may be an id: quoted words and bare ones, without the points that end a sentence. Which of them is one, a transcript knows."""
    found: dict[Token, None] = {}
    for match in _QUOTED.finditer(text):
        inside = next((group for group in match.groups() if group), "")
        if " " not in inside.strip():
            found[_token(inside, False)] = None
    for match in _BARE.finditer(text):
        found[_token(match[0], match.end() == len(text))] = None
    return tuple(token for token in found if 0 < len(token.text) <= LONGEST_ID)


def _token(word: str, last: bool) -> Token:
    cut = word.endswith(("...", "…", "***", "**"))
    text = word.rstrip(".…*:") if cut else word.rstrip(".:")
    return Token(text, cut or (last and bool(_ID.fullmatch(text))))


def looks_like_id(text: str) -> bool:
    """Whether a word is built like the ids of calls and items that providers make."""
    return bool(_ID.fullmatch(text))


def tools(text: str) -> tuple[str, ...]:
    """Names of tools, where the text says that they are; without the prefix that Gemini's clients set before them."""
    found: dict[str, None] = {}
    for match in _TOOL.finditer(text):
        name = next((group for group in match.groups() if group), "")
        found[name.rsplit(":", 1)[-1]] = None
    return tuple(found)
