"""Redaction: secrets and personal data taken out of a dump, reviewed by a person, and the result proved to be judged the same.

Everything is searched: texts, arguments, results, keys, and the members that no format knows (paths, user names, environment). Each thing
that is found is listed once, wherever it stands; what is not ticked off gets a mark of equal length, the same thing everywhere the same
mark, and all other bytes stay. It fails closed: what cannot be searched (a line that cannot be read, encoded data such as images,
signatures and encrypted reasoning) is listed too and goes unless it is allowed by hand; where a thing that was to go can still be found in
what was made, or the result would be judged otherwise, nothing is written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from app.model.dump import Dump
from app.model.errors import RefusedError, UnreadableError
from app.model.evidence import Redacted, Searched, Sensitive
from app.model.findings import Mode
from app.model.provider import Provider
from app.pipeline.archived import documents, is_json, put_back, require_plain_names
from app.pipeline.filler import Filler
from app.pipeline.json_strings import Where, decoded, encoded, rewritten, spans
from app.pipeline.redact_limits import plain, require_whole, rest
from app.pipeline.redact_places import Beside, in_lines, inner, parts, secret_number, stretches
from app.pipeline.sensitive import AGAIN, BY_KEY, OWN, PATTERNS, UNREAD, USER, Finder, Pattern, luhn, secret_value, users
from app.pipeline.shape import blotted, reread, unlike
from app.pipeline.unescaped import fold, plainly, template

Progress = Callable[[float], None]
PLACES = 6  # pointers kept of each thing
LEAST_AGAIN = 6  # characters from which on what was found once is looked for everywhere
_ESCAPED = frozenset('"\\') | {chr(code) for code in range(32)}


@dataclass(eq=False)
class Thing:
    """One thing that was found, and where."""

    number: int
    text: str
    pattern: Pattern
    mark: str
    count: int = 0
    places: list[str] = field(default_factory=list)


class Things:
    """What was found so far, by text, each with a mark of its own."""

    def __init__(self) -> None:
        self.by_text: dict[str, Thing] = {}
        self._marks: set[str] = set()
        self._filler = Filler(b"redaction")
        self._counts: dict[str, int] = {}

    def take(self, text: str, pattern: Pattern, place: str) -> Thing:
        thing = self.by_text.get(text)
        if thing is None:
            thing = self.by_text[text] = Thing(len(self.by_text), text, pattern, self._mark(text, pattern))
        thing.count += 1
        if len(thing.places) < PLACES:
            thing.places.append(place)
        return thing

    def _mark(self, text: str, pattern: Pattern) -> str:
        """As long as the text, told from all others; what JSON has to escape stays, so that it is written as long too."""
        if pattern.label == "DATA":
            return self._filler.base64(text)
        if pattern is UNREAD:
            return blotted(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
        number = self._counts[pattern.label] = self._counts.get(pattern.label, 0) + 1
        kept = template(text)
        room = kept.count(None)
        mark = next((m for m in _marks(pattern.label, number, room) if m not in self._marks), "X" * room)
        self._marks.add(mark)
        letters = iter(mark)
        return "".join(next(letters) if c is None else c for c in kept)


def _marks(label: str, number: int, room: int) -> Iterator[str]:
    for word in (f"REDACTED_{label}_{number}", f"{label}_{number}", f"{label[0]}{number}"):
        if len(word) <= room:
            yield word.ljust(room, "_")
    for further in range(number, number + 36**min(room, 3)):
        digits, text = further, ""
        while digits:
            digits, last = divmod(digits, 36)
            text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[last] + text
        if len(text) <= room:
            yield text.rjust(room, "X")


class Search:
    """A visitor that changes nothing and notes what is found. `line`: pointer of the document that is visited."""

    def __init__(self, finder: Finder, things: Things) -> None:
        self._finder, self._things, self._beside = finder, things, Beside()
        self.line = ""
        self.strings = 0
        self.alone: dict[str, Pattern] = {}  # what only the name beside it tells, and is to be looked for by itself

    def text(self, raw: bytes, where: Where) -> bytes | None:
        text = decoded(raw)
        self.strings += 1
        for hit in self._finder.hits(text, self._beside.key(text, where)):
            self._things.take(text[hit.start : hit.end], hit.pattern, self.line + where.pointer())
        if self._beside.before and secret_value(self._beside.before, text):
            self.alone[self._beside.before] = BY_KEY["secret"]
        elif text[:1] in ("[", "{", " ", "\n"):
            self.alone.update(dict.fromkeys(inner(text), BY_KEY["secret"]))
        return None

    def key(self, raw: bytes, where: Where) -> bytes | None:
        text = decoded(raw)
        for hit in self._finder.hits(text):
            self._things.take(text[hit.start : hit.end], hit.pattern, self.line + where.pointer())
        return None

    def number(self, raw: bytes, where: Where) -> bytes | None:
        if len(raw) >= 13 and raw.isdigit() and raw[:1] in b"3456" and luhn(raw.decode()):
            self._things.take(raw.decode(), _CARD, self.line + where.pointer())
        elif where.key is not None and secret_number(raw, where.key):
            self._things.take(raw.decode(), BY_KEY["secret"], self.line + where.pointer())
        return None

    def plain(self, text: str, first: int) -> None:
        """Lines of a file that is no JSON at all; `first`: the number of the first one."""
        self.strings += text.count("\n") + 1
        for start, end, pattern in in_lines(text, self._finder.hits(text)):
            self._things.take(text[start:end], pattern, f"/{first + text.count(chr(10), 0, start)}")


_CARD = next(pattern for pattern in PATTERNS if pattern.label == "CARD")


class Taking:
    """A visitor that puts marks in place of things. `going`: text to mark, of those that go."""

    def __init__(self, finder: Finder, going: dict[str, str]) -> None:
        self._finder, self._going, self._beside = finder, going, Beside()
        self.places = 0

    def text(self, raw: bytes, where: Where) -> bytes | None:
        return self._marked(raw, self._beside.key(decoded(raw), where))

    def key(self, raw: bytes, where: Where) -> bytes | None:
        return self._marked(raw, "")

    def number(self, raw: bytes, where: Where) -> bytes | None:
        if raw.decode() in self._going and (len(raw) >= 13 or (where.key is not None and secret_number(raw, where.key))):
            self.places += 1
            return b"9" * len(raw)
        return None

    def _marked(self, raw: bytes, key: str) -> bytes | None:
        text = decoded(raw)
        hits = [hit for hit in self._finder.hits(text, key) if text[hit.start : hit.end] in self._going]
        if not hits:
            return None
        at, parts, done = spans(raw), list[bytes](), 0
        for hit in hits:
            self.places += 1
            parts.append(raw[done : at[hit.start]])
            mark = self._going[text[hit.start : hit.end]]
            for offset, character in enumerate(mark):
                here = hit.start + offset
                parts.append(raw[at[here] : at[here + 1]] if character in _ESCAPED else character.encode())
            done = at[hit.end]
        return b"".join([*parts, raw[done:]])

    def plain(self, text: str) -> str:
        parts, done = list[str](), 0
        for start, end, _ in in_lines(text, self._finder.hits(text)):
            mark = self._going.get(text[start:end])
            if mark is not None:
                self.places += 1
                parts += [text[done:start], mark]
                done = end
        return "".join([*parts, text[done:]])


@dataclass(eq=False)
class Found:
    """A search that is over: what `redacted` goes on from. `lines`: texts of lines that cannot be read."""

    things: Things
    finder: Finder
    strings: int
    own: tuple[str, ...]

    def listed(self) -> Searched:
        """For a review: shortened, so that the list itself gives little away."""
        return Searched(
            tuple(
                Sensitive(
                    t.number, t.pattern.kind, t.pattern.name, t.pattern.name if t.pattern.find.pattern else "by where it stands",
                    shortened(t.text), t.mark[:60], t.count, tuple(t.places),
                )
                for t in self.things.by_text.values()
            ),
            self.strings, len(PATTERNS), self.own,
            tuple(word for word in self.own if not any(fold(word) in fold(plainly(text)) for text in self.things.by_text)),
        )  # fmt: skip


def shortened(text: str, most: int = 16) -> str:
    """The first and the last characters of a thing, and how long it is."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat if len(flat) <= 6 else flat[:3] + "…" + flat[-2:]
    return f"{flat[:4]}…{flat[-3:]} ({len(text):,} characters)"


def search(dump: Dump, own: Sequence[str] = (), progress: Progress | None = None) -> Found:
    """Everything that would be taken out. `own`: words of one's own, found wherever they stand as whole words, case aside."""
    require_whole(dump)
    all_pieces = list(documents(dump))
    text_only = plain(dump)
    words = dict.fromkeys(users([piece for piece, _ in all_pieces]), USER) | {word: OWN for word in own if word.strip()}
    for turn in range(3):  # what was found once is looked for everywhere
        finder, things = Finder(words), Things()
        visitor = Search(finder, things)
        many = len(all_pieces) > 1
        for text, first, done in stretches(dump.source) if text_only else ():
            if progress is not None:
                progress((turn + done) / 3)
            visitor.plain(text, first)
        for number, (piece, done) in enumerate(all_pieces if not text_only else ()):
            if progress is not None:
                progress((turn + done) / 3)
            visitor.line = f"/{number}" if many else ""
            if is_json(piece):
                rewritten(piece, visitor)
            else:
                things.take(_line_text(piece), UNREAD, visitor.line)
        more = _elsewhere(all_pieces, things, words, visitor.alone)
        if not more:
            break
        words |= more
    return Found(things, finder, visitor.strings, tuple(own))


def _line_text(piece: bytes) -> str:
    return piece.decode("utf-8", "surrogateescape")


def _elsewhere(
    all_pieces: Sequence[tuple[bytes, float]], things: Things, words: dict[str, Pattern], alone: dict[str, Pattern]
) -> dict[str, Pattern]:  # fmt: skip
    """Things that stand in the file more often than they were found: they are looked for by themselves from now on. So are the secrets
    that a header or a cookie is made of, and those that only the name beside them tells (`alone`)."""
    known = {word.lower() for word in words}
    named = {text: pattern for text, pattern in alone.items() if text not in things.by_text and _findable(text, known)}
    wanted: dict[str, tuple[int, Pattern]] = {}
    for thing in things.by_text.values():
        if thing.pattern.kind not in ("secret", "personal"):
            continue
        if _findable(thing.text, known):
            wanted[thing.text] = thing.count, thing.pattern
        for part in parts(thing.text) if thing.pattern.kind == "secret" else ():
            if part not in wanted and _findable(part, known):
                wanted[part] = thing.count, thing.pattern
    if len(wanted) > 2000:
        wanted = {}
    whole = b"\n".join(piece for piece, _ in all_pieces) if wanted else b""
    found = named | {
        text: pattern for text, (count, pattern) in wanted.items()
        if whole.count(text.encode("utf-8", "surrogatepass")) > count or (pattern.kind == "secret" and encoded(text)[1:-1].decode() != text)
    }  # fmt: skip
    return {text: Pattern(p.name, p.kind, p.label, AGAIN.find, ()) for text, p in found.items()}


def _findable(text: str, known: Collection[str]) -> bool:
    return LEAST_AGAIN <= len(text) <= 200 and text.lower() not in known


def redacted(dump: Dump, found: Found, keep: Collection[int], provider: Provider, model: str | None, mode: Mode,
             progress: Progress | None = None) -> tuple[bytes, int]:  # fmt: skip
    """The bytes without what was found, but for the things numbered in `keep`; and how many places were changed.

    RefusedError where a thing that goes can still be found, or where the result would be judged otherwise.
    """
    going = {t.text: t.mark for t in found.things.by_text.values() if t.number not in keep}
    visitor, out, blots = Taking(found.finder, going), list[bytes](), 0
    text_only = plain(dump)
    for text, _, done in stretches(dump.source) if text_only else ():
        if progress is not None:
            progress(done)
        out.append(visitor.plain(text).encode("utf-8", "surrogateescape"))
    for piece, done in documents(dump) if not text_only else ():
        if progress is not None:
            progress(done)
        if is_json(piece):
            out.append(rewritten(piece, visitor))
        else:
            gone = _line_text(piece) in going
            blots += gone
            out.append(blotted(piece) if gone else piece)
    data, plainly_read = put_back(dump, out), b"".join(out)
    require_plain_names(dump, list(going))
    _require_gone(dump, plainly_read, (text for text, thing in found.things.by_text.items() if text in going and thing.pattern is not USER))
    _require_no_word(dump, plainly_read, found, going)
    try:
        differs = unlike(dump, reread(dump, data), provider, model, mode)
    except UnreadableError as error:
        differs = str(error)
    if differs is not None:
        what = "this damaged file" if _damaged(found) else "this file"
        raise RefusedError(f"{dump.source.name}: {what} cannot be redacted: it would be judged otherwise ({differs})")
    return data, visitor.places + blots


def _require_no_word(dump: Dump, data: bytes, found: Found, going: dict[str, str]) -> None:
    """Fails closed: an own word of which nothing is to stay, however it is escaped in what was made."""
    kept = [fold(plainly(text)) for text in found.things.by_text if text not in going]
    words = {word: fold(word) for word in found.own if word.strip() and not any(fold(word) in one for one in kept)}
    if not words:
        return
    left = fold(plainly(data.decode("utf-8", "replace")))
    for word, wanted in words.items():
        if wanted in left:
            raise RefusedError(f"{dump.source.name}: not written: {shortened(word)} would still stand in it, where it cannot be marked")


def _damaged(found: Found) -> bool:
    return any(thing.pattern is UNREAD for thing in found.things.by_text.values())


def _require_gone(dump: Dump, data: bytes, going: Iterable[str]) -> None:
    """Fails closed: a thing that could still be read in what was made, in whatever it is wrapped there."""
    for text in going:
        if len(text) < LEAST_AGAIN or not text.isascii() or text.isdigit() or text.encode() not in data:
            continue
        if not text.isalpha() or re.search(rb"(?<![A-Za-z0-9\\])" + text.encode() + rb"(?![A-Za-z0-9])", data):
            raise RefusedError(
                f"{dump.source.name}: {shortened(text)} would still stand in it, inside of something longer; add that as a word of your own"
            )


def export_redacted(dump: Dump, path: str | os.PathLike[str], own: Sequence[str], keep: Collection[int], provider: Provider,
                    model: str | None, mode: Mode, found: Found | None = None, progress: Progress | None = None) -> Redacted:  # fmt: skip
    """Writes a dump without what was found in it. `keep`: numbers of what stays, as `search` with the same words gave them. As `export`:
    never over the source, whole or not at all; what came packed is written unpacked."""
    from app.pipeline import atomic
    from app.pipeline.export import reports

    target = atomic.place_for(path, dump.source)
    dump.source.require_unchanged()
    found = found or search(dump, own, progress)
    data, places = redacted(dump, found, keep, provider, model, mode, progress)
    dump.source.require_unchanged()
    atomic.write(target, [data])
    things = list(found.things.by_text.values())
    left = [t for t in things if t.number in keep]
    findings = sum(sum(report.counts.values()) for report in reports(dump, dump.transcripts, provider, model, mode))
    gone = len(things) - len(left)
    said = (
        f"{os.fspath(path)}: {dump.source.name} ({dump.format}) with {gone:,} thing{'' if gone == 1 else 's'} taken out at {places:,} "
        f"place{'' if places == 1 else 's'}, each replaced by a mark of as many characters; {len(PATTERNS)} patterns and "
        f"{len(found.own)} own word{'' if len(found.own) == 1 else 's'} over {found.strings:,} texts. "
        + (f"Left in by hand: {', '.join(sorted({t.pattern.name for t in left}))} ({len(left):,}). " if left else "")
        + f"{rest(dump)} Read again: {findings:,} finding{'' if findings == 1 else 's'}, the same as before. "
        "What no pattern knows is still in it: look it through."
    )
    return Redacted(os.fspath(path), places, gone, len(left), findings, said, tuple(sorted({t.pattern.name for t in left})))
