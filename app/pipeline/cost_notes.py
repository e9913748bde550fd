"""Results that cost more than what they say: oversized, uncapped lists, stack traces, cuts that nobody is told of.

After "Tool Results Fill Every Later Turn: Truncate Before You Append" (a tool result is input on every later request; a count question
wants a number; a page of 20 rows with `total` and `has_more`; at most 8,000 characters, and a note that says what was cut; an error is one
sentence, not a stack). The figures are that article's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import orjson

from app.model.block import Block
from app.model.costs import Note

MAX_CHARS: Final = 8_000
PAGE: Final = 20
LISTED: Final = 200  # lines of a listing
LEAST: Final = 1_000  # characters of a result that is looked into
TRACE: Final = 500  # characters of a stack trace
PARSED: Final = 8_000_000  # characters that are parsed for a list in them

_PAGING: Final = frozenset(
    ("total", "count", "totalcount", "hasmore", "more", "next", "nextpage", "nexttoken", "nextcursor", "nextpagetoken", "cursor", "page",
     "pagesize", "offset", "limit", "istruncated", "truncated", "numresults", "totalresults", "totalpages", "incompleteresults")
)  # fmt: skip
_FRAMES: Final = re.compile(
    r'^[ \t]{0,40}(?:File "[^"\n]{1,300}", line \d|at [^\n]{1,300}:\d{1,9}\)?$|\d{1,4}: {1,9}[\w:<>]{3,200}$|goroutine \d{1,9} \[|'
    r"from [^\n]{1,300}:\d{1,9}:in )",
    re.MULTILINE,
)
_TRACES: Final = re.compile(
    r"Traceback \(most recent call last\)|stack backtrace|Exception in thread|panicked at|goroutine \d{1,9} \[|Error: |Exception: "
)
_SAID: Final = re.compile(
    r"truncat|omitted|\d+ more\b|more (?:lines|characters|rows|results|items|files|bytes)|\[cut|…|\.\.\.\s*$|clipped|too long|elided|"
    r"remaining|abridged|use (?:offset|head|tail|view_range)|has_more|showing",
    re.IGNORECASE,
)


def notes(block: Block) -> list[Note]:
    """What is to be said of a result."""
    text = block.text
    if len(text) < min(LEAST, TRACE):
        return []
    found = [note for note in (_trace(block, text), _list(text), _cut(text)) if note is not None]
    if len(text) > MAX_CHARS:
        found.append(Note("oversized", f"{len(text):,} characters, where {MAX_CHARS:,} and a note of what is missing would do"))
    return found


def _trace(block: Block, text: str) -> Note | None:
    if len(text) < TRACE or not (block.error or _TRACES.search(text)):
        return None
    lines, frames = text.count("\n") + 1, len(_FRAMES.findall(text))
    if frames < 4 or (not block.error and frames * 2 < 0.4 * lines):
        return None
    return Note("stack-trace", f"a stack trace of {lines:,} lines, {len(text):,} characters: one line that says what was wrong would do")


# -- lists --------------------------------------------------------------------------------------------------------------------


def _list(text: str) -> Note | None:
    if len(text) < LEAST:
        return None
    head = text[:64].lstrip()[:1]
    if head and head in "[{" and len(text) <= PARSED:
        try:
            return _rows(orjson.loads(text))
        except (orjson.JSONDecodeError, RecursionError):
            return None
    return _lines(text)


def _rows(value: Any) -> Note | None:
    """A list of more than a page in a result of JSON, and no word of how many there are."""
    keys: set[str] = set()
    longest = 0
    for one in _within(value, keys, 3):
        longest = max(longest, len(one))
    if longest <= PAGE or keys & _PAGING:
        return None
    return Note("uncapped-list", f"a list of {longest:,} rows, with no total and no further page: {PAGE} rows and `has_more` would do")


def _within(value: Any, keys: set[str], depth: int) -> Iterable[list[Any]]:
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and depth:
        keys.update(re.sub(r"[^a-z]", "", str(key).lower()) for key in list(value)[:200])
        for one in list(value.values())[:200]:
            yield from _within(one, keys, depth - 1)


def _lines(text: str) -> Note | None:
    """A listing in plain text: many short lines of one word, or of a place and what stands there."""
    count = text.count("\n") + 1
    if count < LISTED or len(text) > 120 * count or _SAID.search(text[-400:]):
        return None
    sample = text[: 120 * LISTED].split("\n")[1:LISTED]
    listed = sum(1 for line in sample if line.strip() and (" " not in line.strip() or re.match(r"\S{2,200}:\d+:", line)))
    if listed < 0.8 * len(sample):
        return None
    words = f"a listing of {count:,} lines, and no word of how many there are: the first {PAGE} and their number would do"
    return Note("uncapped-list", words)


# -- cuts ---------------------------------------------------------------------------------------------------------------------


def _cut(text: str) -> Note | None:
    """A text that ends in the middle, and does not say so."""
    size = len(text)
    if size < LEAST or says_cut(text):
        return None
    if text[:64].lstrip()[:2] in ('{"', "[{", '["', "[[", "{\n", "[\n") and _unfinished(text):
        return Note("silent-cut", f"JSON that ends in the middle after {size:,} characters, and nothing says so")
    if is_round(size) and text[-1:].isalnum():
        return Note("silent-cut", f"ends in the middle after exactly {size:,} characters, and nothing says so")
    return None


def says_cut(text: str) -> bool:
    """Whether a text says at one of its ends that something is missing."""
    return bool(_SAID.search(text[-400:]) or _SAID.search(text[:300]))


def is_round(size: int) -> bool:
    return size >= 2_000 and (size % 1_000 == 0 or size & (size - 1) == 0)


def _unfinished(text: str) -> bool:
    if len(text) > PARSED or text.rstrip()[-1:] in ("}", "]"):
        return False
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return error.pos >= len(text) - 2
    return False
