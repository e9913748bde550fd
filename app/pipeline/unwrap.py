"""Files that hold a dump inside something else: compressed (gzip, Zstandard, xz, bzip2), alone in a zip archive, in UTF-16 or UTF-32, as
one JSON string, with words around it, or as documents over many lines, one after another. The text that stands for such a file is what is
in it; an export puts it back into the same.

Sources: RFC 1952 (gzip: members may follow one another), RFC 8878 (Zstandard: so may frames).
"""

from __future__ import annotations

import bz2
import json
import lzma
import struct
import zlib
from typing import Final

from app.formats import FORMATS, _zstd
from app.formats._json import BOM, NotJson, loads
from app.formats._style import Style, escapes
from app.formats._writing import Writing
from app.formats._zip import MAGIC as ZIP
from app.formats._zip import Archive
from app.model.errors import InspectorError, UnreadableError
from app.model.source import Source, StandIn, Wrap
from app.pipeline import masked

GZIP: Final = b"\x1f\x8b\x08"
XZ: Final = b"\xfd7zXZ\x00"
BZIP2: Final = b"BZh"
_DEEPEST: Final = 4
_MOST: Final = 1 << 31  # bytes that a file may have unpacked
_WIDE: Final = (
    (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
_HEAD: Final = 1 << 16
_FOLDED: Final = 1 << 23  # bytes in which a document over many lines is expected to end


def unwrap(source: Source) -> None:
    """Where a file holds its dump inside something else, what is in it stands for it from now on. UnreadableError, one line, where that
    cannot be got out."""
    kind = "" if source.stand_in is not None else _kind(source.read(0, _HEAD), source.name)
    if not kind or (kind == "folded" and not _is_folded(source)):
        return
    if source.size < source.stamp.size:
        raise UnreadableError(f"{source.name}: it must be read whole before anything of it can be seen")
    data, wraps = source.all(), list[Wrap]()
    for _ in range(_DEEPEST):
        kind = _kind(data[:_HEAD], source.name)
        found = _opened(source, data, kind, outermost=not wraps) if kind else None
        if found is None:
            break
        data, wrap = found
        wraps.append(wrap)
    if wraps:
        source.stand(StandIn(data, wraps=tuple(wraps)))


def _is_folded(source: Source) -> bool:
    """Whether a document ends soon and another one begins: most files that begin like one over many lines are just that."""
    return source.size <= masked.MOST and masked.SEAM.search(source.read(0, _FOLDED)) is not None


def dig(source: Source) -> bool:
    """Whether there is JSON in a text that is none: it stands for the file from now on. Nothing is dug out of what is read in part."""
    if source.size < source.stamp.size or (source.stand_in is not None and any(wrap.plain for wrap in source.stand_in.wraps)):
        return False
    data = source.all()
    found = masked.dug_out(data)
    if found is None:
        return False
    wraps = source.stand_in.wraps if source.stand_in is not None else ()
    source.stand(StandIn(found, wraps=(*wraps, Wrap("masked", "what stands around it", plain=data))))
    return True


def rewrap(source: Source, writing: Writing) -> Writing:
    """What is written, put back into what the file had its dump in; a file without edits is copied."""
    wraps = source.stand_in.wraps if source.stand_in is not None else ()
    if not wraps:
        return writing
    file = source.file()
    out = Writing(file, writing.tally)
    out.aside = writing.aside
    if writing.pieces == ((0, source.size),):
        out.copy(0, file.size)
        return out
    plain = wraps[-1].plain
    if plain:  # no byte has moved: what is copied is copied as it stands there
        wraps = wraps[:-1]
        if not wraps:
            for piece in writing.pieces:
                out.put(piece) if isinstance(piece, bytes) else out.copy(*piece)
            return out
        data = b"".join(piece if isinstance(piece, bytes) else plain[piece[0] : sum(piece)] for piece in writing.pieces)
    else:
        data = b"".join(writing.chunks())
    for wrap in reversed(wraps):
        if wrap.kind == "zip":
            return Archive(file).written({wrap.number: data}, writing.tally)
        data = _closed(data, wrap)
    out.put(data)
    return out


def said(source: Source) -> str:
    """What a file has its dump in, for a person; "" where it has it in nothing."""
    wraps = source.stand_in.wraps if source.stand_in is not None else ()
    return ", ".join(wrap.detail or wrap.kind for wrap in wraps)


def _kind(head: bytes, name: str) -> str:
    """What a file is that begins like this; "" where it is what it is."""
    if head.startswith(GZIP):
        return "gzip"
    if head.startswith(_zstd.MAGIC):
        return "zstd"
    if head.startswith(XZ):
        return "xz"
    if head.startswith(BZIP2) and head[4:10] == b"1AY&SY":
        return "bzip2"
    if head.startswith(ZIP):
        return "" if any(format.sniff(head, name, False) for format in FORMATS.values()) else "zip"
    if _encoding(head):
        return "text"
    if masked.may_be_folded(head):
        return "folded"
    return "string" if head.removeprefix(BOM).lstrip(b" \t\r\n")[:1] == b'"' else ""


def _encoding(head: bytes) -> str:
    """UTF-16 or UTF-32, by its byte order mark or by the zeros that ASCII has there; "" where it is neither."""
    for mark, encoding in _WIDE:
        if head.startswith(mark):
            return encoding
    first = head[:64]
    for size, place, encoding in ((4, 0, "utf-32-le"), (4, 3, "utf-32-be"), (2, 0, "utf-16-le"), (2, 1, "utf-16-be")):
        units = [first[n : n + size] for n in range(0, len(first) - size + 1, size)]
        plain = [unit for unit in units if unit[place] and not unit.replace(unit[place : place + 1], b"", 1).strip(b"\0")]
        if len(units) > 1 and len(plain) * 4 >= len(units) * 3:
            return encoding
    return ""


def _opened(source: Source, data: bytes, kind: str, outermost: bool) -> tuple[bytes, Wrap] | None:
    """What is in it, and how it is put back; None where it is not what it seemed to be."""
    if kind == "gzip":
        return _gunzipped(source, data), Wrap(kind, before=data[: _gzip_header(data)])
    if kind == "zstd":
        return _unzstd(source, data), Wrap(kind)
    if kind in ("xz", "bzip2"):
        return _unpacked(source, data, kind), Wrap(kind)
    if kind == "folded":
        lines = masked.unfolded(data)
        return None if lines is None else (lines, Wrap("masked", "documents over many lines", plain=data))
    if kind == "zip":
        if not outermost:
            raise UnreadableError(f"{source.name}: an archive inside of something else; unpack it first")
        return _unzipped(source)
    if kind == "text":
        encoding = _encoding(data[:_HEAD])
        mark = next((m for m, e in _WIDE if e == encoding and data.startswith(m)), b"")
        try:
            text = data[len(mark) :].decode(encoding, "surrogatepass")
        except UnicodeDecodeError as error:
            where = f"byte {error.start + len(mark)}"
            raise UnreadableError(f"{source.name}: it is no {encoding.upper()} text from {where} on; save it again") from None
        return text.encode("utf-8", "surrogatepass"), Wrap(kind, encoding.upper(), before=mark)
    return _unquoted(data)


def _gunzipped(source: Source, data: bytes) -> bytes:
    out: list[bytes] = []
    size = 0
    while data.startswith(GZIP[:2]):
        unpack = zlib.decompressobj(31)
        try:
            out.append(unpack.decompress(data, _MOST - size + 1))
        except zlib.error as error:
            raise UnreadableError(f"{source.name}: it is damaged and cannot be unpacked ({error})") from None
        size += len(out[-1])
        if size > _MOST:
            raise UnreadableError(f"{source.name}: unpacked it has more than 2 GB")
        if not unpack.eof:
            raise UnreadableError(f"{source.name}: it is cut off and cannot be unpacked (gzip)")
        data = unpack.unused_data
    return b"".join(out)


def _gzip_header(data: bytes) -> int:
    """The length of the header of a gzip member (RFC 1952, 2.3)."""
    at, flags = 10, data[3]
    if flags & 4:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for bit in (8, 16):
        if flags & bit:
            at = data.find(b"\0", at) + 1
    return at + (2 if flags & 2 else 0)


def _unzstd(source: Source, data: bytes) -> bytes:
    out = _zstd.unpacked(data, _MOST, source.name)
    if len(out) > _MOST:
        raise UnreadableError(f"{source.name}: unpacked it has more than 2 GB")
    return out


def _unpacked(source: Source, data: bytes, kind: str) -> bytes:
    """xz and bzip2: streams may follow one another."""
    out: list[bytes] = []
    size = 0
    while data.rstrip(b"\0"):
        unpack = lzma.LZMADecompressor() if kind == "xz" else bz2.BZ2Decompressor()
        try:
            out.append(unpack.decompress(data, _MOST - size + 1))
        except (lzma.LZMAError, OSError, EOFError) as error:
            raise UnreadableError(f"{source.name}: it is damaged and cannot be unpacked ({error})") from None
        size += len(out[-1])
        if size > _MOST:
            raise UnreadableError(f"{source.name}: unpacked it has more than 2 GB")
        if not unpack.eof:
            raise UnreadableError(f"{source.name}: it is cut off and cannot be unpacked ({kind})")
        data = unpack.unused_data
    return b"".join(out)


def _unzipped(source: Source) -> tuple[bytes, Wrap]:
    archive = Archive(source)
    files = [(n, m) for n, m in enumerate(archive.members) if not m.name.endswith("/") and not m.name.startswith("__MACOSX/")]
    if len(files) != 1:
        names = ", ".join(member.name for _, member in files[:4]) or "none"
        raise UnreadableError(f"{source.name}: a zip archive of {len(files)} files ({names}); unpack it and open one of them")
    number, member = files[0]
    return archive.unpacked(member), Wrap("zip", f"zip, {member.name}", number=number)


def _unquoted(data: bytes) -> tuple[bytes, Wrap] | None:
    """A document that is one JSON string with a document in it."""
    body = data.removeprefix(BOM)
    inner = body.strip(b" \t\r\n")
    try:
        text = loads(inner)
    except NotJson:
        return None
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    start = data.index(inner)
    return text.encode("utf-8", "surrogatepass"), Wrap(
        "string", "a JSON string", before=data[:start], after=data[start + len(inner) :], ascii=escapes(inner) is True
    )


def _closed(data: bytes, wrap: Wrap) -> bytes:
    """The same content in one of these."""
    if wrap.kind == "gzip":
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
        tail = struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)
        return _gzip_start(wrap.before) + squeeze.compress(data) + squeeze.flush() + tail
    if wrap.kind == "zstd":
        return _zstd.packed(data)
    if wrap.kind == "xz":
        return lzma.compress(data)
    if wrap.kind == "bzip2":
        return bz2.compress(data)
    text = data.decode("utf-8", "surrogatepass")
    if wrap.kind == "text":
        return wrap.before + text.encode(wrap.detail.lower(), "surrogatepass")
    if wrap.kind == "string":
        return wrap.before + (json.dumps(text).encode() if wrap.ascii else Style().text(text)) + wrap.after
    raise InspectorError(f"there is no way to put a dump into {wrap.kind}")


def _gzip_start(header: bytes) -> bytes:
    """A header as it came, but for the checksum of it, which is left out."""
    if len(header) > 12 and header[3] & 2:
        header = header[:3] + bytes([header[3] & ~2]) + header[4:-2]
    return header
