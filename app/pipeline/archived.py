"""What a dump is made of where it is more than one text: the members of an archive (Inspect's `.eval`), each a document by itself, and
the archive that is made of them again.

It is written anew from its first byte to its last: nothing of the old one's dates, comments or gaps is in it. For a shape the members of
samples are numbered, since the old names hold the ids of a data set.
Source: PKWARE APPNOTE.TXT 6.3.10, by way of Python's zipfile; UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_recorders/eval.py (names).
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, Final

from app.formats._json import NotJson, loads
from app.formats._zip import MAGIC, Archive
from app.model.dump import Dump
from app.model.errors import InspectorError, RefusedError
from app.model.source import Source

ARCHIVE: Final = "inspect-eval"  # the one format of such dumps
_SAMPLE: Final = re.compile(r"samples/.*?(_epoch_\d+)?\.json", re.S)
_HEADERS: Final = ("header.json", "_journal/start.json")


def archived(dump: Dump) -> bool:
    """Whether a dump is an archive."""
    return dump.format == ARCHIVE


def pieces(source: Source) -> Iterator[tuple[bytes, float]]:
    """A file as one document, or line by line, ends included; and how much of it that was."""
    data = source.all()
    lines = data.splitlines(keepends=True) if b"\n" in data.strip() and not _whole(data) else [data]
    if len(lines) > 1 and any(b"\r" in line.rstrip(b"\r\n") or b"\x0b" in line or b"\x0c" in line for line in lines):
        lines = [line + b"\n" for line in data.split(b"\n")]  # only these end a line of JSON Lines
        lines[-1] = lines[-1][:-1]
    done = 0
    for line in lines:
        done += len(line)
        yield line, done / max(1, len(data))


def _whole(data: bytes) -> bool:
    """Whether a file is one document. Lines are tried by the first of them: a document has an open bracket there."""
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    return not is_json(first) and is_json(data)


def is_json(data: bytes) -> bool:
    """Whether a line or a document is JSON; white space alone is nothing that could be wrong."""
    body = data.removeprefix(b"\xef\xbb\xbf").strip()
    if not body:
        return True
    try:
        loads(body)
    except NotJson:
        return False
    return True


def documents(dump: Dump) -> Iterator[tuple[bytes, float]]:
    """The texts of a dump, each a document or a line, and how much of it that was."""
    if not archived(dump):
        yield from pieces(dump.source)
        return
    archive = Archive(dump.source.file())
    for number, member in enumerate(archive.members, 1):
        yield archive.unpacked(member), number / len(archive.members)


def put_back(dump: Dump, texts: Sequence[bytes], rename: bool = False) -> bytes:
    """The file made of what its documents became. `rename`: members of samples are numbered."""
    if not archived(dump):
        return b"".join(texts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for number, (member, text) in enumerate(zip(Archive(dump.source.file()).members, texts, strict=True)):
            found = _SAMPLE.fullmatch(member.name) if rename else None
            name = member.name if found is None else f"samples/{number}{found[1] or ''}.json"
            made.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def require_plain_names(dump: Dump, words: Sequence[str]) -> None:
    """RefusedError where something that goes is in the name of a member."""
    names = "\n".join(member.name for member in Archive(dump.source.file()).members) if archived(dump) else ""
    if any(word in names for word in words):
        raise RefusedError(f"{dump.source.name}: not written: something that was to go is in the name of a member of the archive")


def as_document(data: bytes, name: str) -> bytes:
    """An archive of Inspect as its one JSON document: the header with the samples in it. What is no archive stays as it is."""
    if not data.startswith(MAGIC):
        return data
    archive = Archive(Source.of(data, name))
    header: dict[str, Any] = {}
    samples: list[Any] = []
    for member in archive.members:
        sample = _SAMPLE.fullmatch(member.name) is not None
        if not sample and member.name not in _HEADERS:
            continue
        text = archive.unpacked(member)
        if not is_json(text):
            raise RefusedError(f"{name}: {member.name} in it cannot be read; nothing was made of it")
        value = _loaded(text)
        if sample:
            samples.append(value)
        elif isinstance(value, dict):
            header = header | value if member.name == _HEADERS[0] else value | header
    return json.dumps({**header, "samples": samples}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def whole(dump: Dump) -> bytes:
    """The bytes by which a dump is opened."""
    return (dump.source.file() if archived(dump) else dump.source).all()


def opens_as(data: bytes, name: str) -> str:
    """The format as which whoever knows nothing of these bytes opens them, "" where they open as none."""
    from app.pipeline.detect import detect

    try:
        return detect(Source.of(data, name))[0].format
    except InspectorError:
        return ""


def _loaded(text: bytes) -> Any:
    try:
        return loads(text)
    except NotJson:
        return None
