"""Which format a file is, by its content. The name and its ending are never trusted; what was seen is said."""

from __future__ import annotations

from app.formats import FORMATS
from app.formats._json import BOM, NotJson, loads, shown
from app.formats._peek import peek
from app.model.dump import Confidence
from app.model.errors import UnreadableError
from app.model.source import Source
from app.pipeline.unwrap import dig, unwrap

HEADS = (1 << 16, 1 << 20, 1 << 23, 1 << 26)  # bytes that are looked at, further ones only where the ones before do not tell
GUESS = 1 << 23  # where the formats tie, no more than this is looked at
SURE = 0.6  # a score under this is a guess: more of the file is looked at, where there is more
NAME_IT = "name a format to open it as (--format NAME, or Open as… in the window)"
FIRST = ("claude-code",)  # where one of these says that it is alone, no other is asked, nor imported
LAST = 0.05  # a score up to this is the last resort, where nothing else fits
CONTAINED = 0.9  # from this score on, what is no bare request is opened, whatever else it resembles
NEAR = 0.25  # formats whose score is no further away are rivals

_JSON = tuple(b'{["')
MAGIC = (
    (b"PK\x03\x04", "a zip archive (an Inspect log?)"),
    (b"SQLite format 3\x00", "a SQLite database (opencode, Goose, Cursor?)"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)


def detect(source: Source, hint: str | None = None) -> list[Confidence]:
    """Formats that fit, best first, never empty. `hint` is a format's name ("open as..."): it decides alone.

    UnreadableError, one line that says what the file looks like, where no format here opens it.
    """
    if hint is not None and hint not in FORMATS:
        raise UnreadableError(f"{source.name}: there is no format {hint}; there are {', '.join(FORMATS)}")
    unwrap(source)
    if hint is not None:
        head = source.read(0, HEADS[0])
        _require_text(source, head)
        body, whole = head.removeprefix(BOM), len(head) >= source.size
        if peek(body, whole).first not in _JSON and FORMATS[hint].sniff(body, source.name, whole) is None:
            dig(source)
        return [Confidence(hint, 1.0, "opened as asked")]
    try:
        return _detected(source)
    finally:
        peek.cache_clear()  # heads can be large, and nobody asks for them again


def _detected(source: Source) -> list[Confidence]:
    found: list[Confidence] = []
    for number, size in enumerate(HEADS):
        if found and size > GUESS:
            break
        head = source.read(0, min(size, source.size))
        whole = len(head) >= source.size
        if number == 0:
            _require_text(source, head)
        ranked = _ranked(source, head, whole)
        found = [one for one in ranked if one.score > LAST]
        if whole or (found and found[0].score >= SURE and not _close(found)):
            break
    if found or ranked:
        return found or ranked
    reason = _unknown(source, head, whole)
    stood, size = source.stand_in, source.size
    if peek(head.removeprefix(BOM), whole).first not in _JSON and dig(source):
        inside = [one for one in _detected(source) if one.score > LAST]
        if inside:
            return inside
        source.stand_in, source.size = stood, size
    raise UnreadableError(reason)


def _ranked(source: Source, head: bytes, whole: bool) -> list[Confidence]:
    body = head.removeprefix(BOM)
    for first in FIRST:
        sure = FORMATS[first].sniff(body, source.name, whole)
        if sure is not None and sure.score >= CONTAINED and FORMATS[first].alone(body, whole):
            return [sure]
    from app.formats._later import recognise
    from app.formats._requests import Requests

    sniffed = [c for format in FORMATS.values() if (c := format.sniff(body, source.name, whole)) is not None]
    if not any(c.score > LAST for c in sniffed):
        sniffed += [c for format in FORMATS.values() if (c := format.guess(body, source.name, whole)) is not None]
    contained = any(c.score >= CONTAINED and not isinstance(FORMATS[c.format], Requests) for c in sniffed)
    later = None if contained else recognise(peek(body, whole))
    if later is not None:
        raise UnreadableError(
            f"{source.name}: this looks like {later.title} ({later.why}), which cannot be opened yet; "
            f"export its messages as an Anthropic or OpenAI Chat request, or {NAME_IT}"
        )
    return sorted(sniffed, key=lambda c: -c.score)


def _close(found: list[Confidence]) -> bool:
    return len(found) > 1 and found[0].score - found[1].score < NEAR


def rivals(found: list[Confidence]) -> list[Confidence]:
    """The formats that fit nearly as well as the best one."""
    return [c for c in found[1:] if found[0].score - c.score < NEAR]


def _require_text(source: Source, head: bytes) -> None:
    """Raises for what is no UTF-8 text at all, and no file that a format reads as it is."""
    if not head:
        raise UnreadableError(f"{source.name}: the file is empty; nothing to open")
    for magic, what in MAGIC:
        if head.startswith(magic):
            if any(format.sniff(head, source.name, len(head) >= source.size) for format in FORMATS.values()):
                return  # one that reads such files knows it
            raise UnreadableError(f"{source.name}: this is {what}; it cannot be opened yet, name a file of JSON or JSON Lines")
    if not head.removeprefix(BOM).strip():
        raise UnreadableError(f"{source.name}: the file holds nothing but white space; nothing to open")


def _unknown(source: Source, head: bytes, whole: bool) -> str:
    body = head.removeprefix(BOM)
    seen = peek(body, whole)
    if seen.first == 34:
        return f"{source.name}: this is one JSON string, and what is in it is no dump"
    if seen.first not in (123, 91) and whole and (bare := _bare(body)):
        return f"{source.name}: this is JSON, but nothing more than {bare}; a dump is an object, a list, or lines of them"
    if seen.first not in (123, 91):
        at = len(body) - len(body.lstrip())
        return f"{source.name}: not JSON: byte {at} is {_character(body[at : at + 4])}; a dump of JSON or JSON Lines is expected"
    if seen.lines:
        keys = sorted({key for record in seen.records if isinstance(record, dict) for key in record})
        return f"{source.name}: JSON Lines of an unknown kind (keys: {shown(keys)}); {NAME_IT}"
    if whole:
        try:
            loads(body)
        except NotJson as error:
            where = f" at byte {error.pos}" if error.pos >= 0 else ""
            return f"{source.name}: not JSON that can be decoded: {error}{where}; save it again, or {NAME_IT}"
    if isinstance(seen.value, dict):
        return f"{source.name}: a JSON object of an unknown kind (keys: {shown(list(seen.value))}); {NAME_IT}"
    if isinstance(seen.value, list):
        what = "an empty list" if not seen.value and not seen.cut else "a JSON list that holds no messages"
        return f"{source.name}: {what}; nothing to open"
    return f"{source.name}: JSON of an unknown kind; {NAME_IT}"


def _bare(body: bytes) -> str:
    """What a document is that is a number or a word of JSON; "" where it is neither."""
    try:
        value = loads(body)
    except NotJson:
        return ""
    if value is None or isinstance(value, bool):
        return "the word " + body.strip().decode("ascii", "replace")
    return "a number" if isinstance(value, int | float) else ""


def _character(head: bytes) -> str:
    """The first character of some bytes, as a person would name it."""
    text = head.decode("utf-8", "ignore")[:1]
    return f"'{text}'" if text.isprintable() and text else f"0x{head[:1].hex()}"
