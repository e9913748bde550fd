"""Zip archives as logs are kept in them: members read one by one, changed ones written anew, all others copied byte for byte.

Members are stored, deflated or compressed with Zstandard (method 93), which Python's own module reads from 3.14 on only.
Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (its end).
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.formats import _zstd
from app.formats._writing import Tally, Writing
from app.model.errors import InspectorError, UnreadableError
from app.model.source import Source

MAGIC: Final = b"PK\x03\x04"
STORED, DEFLATED, ZSTD = 0, 8, 93
_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END: Final = struct.Struct("<4sHHHHIIH")
_WIDE: Final = 0xFFFFFFFF
_MOST: Final = 1 << 31  # bytes that one member may have unpacked


@dataclass(frozen=True)
class Member:
    """`start`: of its header in the file; `data`: where its compressed data begins, `size` how much of that there is; `method`: how it is
    compressed; `unpacked`: how much it is then; `entry`: its place in the directory."""

    name: str
    start: int
    data: int
    size: int
    method: int
    unpacked: int
    entry: int


class Archive:
    """A zip file. UnreadableError where it is none that can be read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        data = source.read(0, source.size)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as held:
                infos, directory, self.comment = held.infolist(), held.start_dir, held.comment
            self.directory = directory
            self.end = data.rfind(b"PK\x05\x06")
            entry = directory
            members: list[Member] = []
            for info in infos:
                name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
                at = info.header_offset + _LOCAL.size + name + extra
                members.append(Member(info.filename, info.header_offset, at, info.compress_size, info.compress_type, info.file_size, entry))
                entry += _CENTRAL.size + sum(struct.unpack_from("<HHH", data, entry + 28))
        except (zipfile.BadZipFile, struct.error, ValueError, OverflowError, NotImplementedError, UnicodeDecodeError) as error:
            raise UnreadableError(f"{source.name}: it is damaged or cut off, and no zip archive that can be read ({error})") from None
        starts = [*sorted(member.start for member in members), directory]
        self._behind = dict(pairwise(starts))  # by start of a member: where the next one begins
        self.members = members
        self.encrypted = any(info.flag_bits & 1 for info in infos)

    def unpacked(self, member: Member) -> bytes:
        """What a member holds."""
        data = self.source.read(member.data, member.size)
        why = ""
        try:
            if self.encrypted or member.unpacked > _MOST:
                why = "it is encrypted" if self.encrypted else "it is too large"
            elif member.method == STORED:
                return data
            elif member.method == DEFLATED:
                return zlib.decompressobj(-15).decompress(data, _MOST)
            elif member.method == ZSTD:
                return _zstd.unpacked(data, _MOST, f"{self.source.name}: {member.name} in it")
            else:
                why = f"it is compressed by method {member.method}"
        except zlib.error as error:
            why = str(error)
        raise UnreadableError(f"{self.source.name}: {member.name} in it cannot be unpacked ({why})")

    def written(self, changed: dict[int, bytes], tally: Tally) -> Writing:
        """The archive with other content in some members, by their numbers."""
        writing = Writing(self.source, tally)
        if not changed:
            writing.copy(0, self.source.size)
            return writing
        moved: dict[int, tuple[int, bytes]] = {}
        at = 0
        first = min((member.start for member in self.members), default=self.directory)
        writing.copy(0, first)
        at += first
        for number, member in sorted(enumerate(self.members), key=lambda pair: pair[1].start):
            if number in changed:
                header, packed, crc = self._packed(member, changed[number])
                writing.put(header + packed)
                moved[number] = at, struct.pack("<III", crc, len(packed), len(changed[number]))
                at += len(header) + len(packed)
            else:
                length = self._behind[member.start] - member.start
                writing.copy(member.start, length)
                moved[number] = at, b""
                at += length
        self._directory(writing, moved, at)
        return writing

    def _packed(self, member: Member, content: bytes) -> tuple[bytes, bytes, int]:
        """A member anew: its header, its data, the checksum of its content."""
        fields = list(_LOCAL.unpack(self.source.read(member.start, _LOCAL.size)))
        name = self.source.read(member.start + _LOCAL.size, fields[9])
        crc = zlib.crc32(content)
        if member.method == STORED:
            packed = content
        elif member.method == DEFLATED:
            squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
            packed = squeeze.compress(content) + squeeze.flush()
        else:
            packed = _zstd.packed(content)
        fields[2] &= ~8  # sizes stand in the header, none follow the data
        fields[6:9] = [crc, len(packed), len(content)]
        fields[10] = 0
        return _LOCAL.pack(*fields) + name, packed, crc

    def _directory(self, writing: Writing, moved: dict[int, tuple[int, bytes]], at: int) -> None:
        begin, size = at, 0
        for number, member in enumerate(self.members):
            fields = list(_CENTRAL.unpack(self.source.read(member.entry, _CENTRAL.size)))
            if _WIDE in (fields[8], fields[9], fields[16]) or moved[number][0] >= _WIDE:
                raise InspectorError(f"{self.source.name}: an archive of more than 4 GB is not written here")
            tail = self.source.read(member.entry + _CENTRAL.size, fields[10] + fields[11] + fields[12])
            fields[16], sizes = moved[number]
            if sizes:
                fields[3] &= ~8
                fields[7:10] = struct.unpack("<III", sizes)
            writing.put(_CENTRAL.pack(*fields) + tail)
            size += _CENTRAL.size + len(tail)
        end = list(_END.unpack(self.source.read(self.end, _END.size)))
        if _WIDE in (end[5], end[6]):
            raise InspectorError(f"{self.source.name}: an archive of more than 4 GB is not written here")
        end[5], end[6] = size, begin
        writing.put(_END.pack(*end))
        writing.copy(self.end + _END.size, self.source.size - self.end - _END.size)


def cut(writing: Writing, bounds: Sequence[tuple[int, int]]) -> list[bytes]:
    """What is written, in as many pieces as the stretches of the source that `bounds` names: each ends where the source's does. What was
    made stands in the stretch in which the copying before it ended."""
    out: list[list[bytes]] = [[] for _ in bounds]
    number = 0
    for piece in writing.pieces:
        if isinstance(piece, bytes):
            out[number].append(piece)
            continue
        start, end = piece[0], piece[0] + piece[1]
        for index, (first, last) in enumerate(bounds):
            low, high = max(start, first), min(end, last)
            if low < high:
                out[index].append(writing.source.read(low, high - low))
                number = index
    return [b"".join(parts) for parts in out]
