"""Dumps inside something else: they open as what they are, and an export puts them back into the same."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.edits import Change, drop
from app.model.errors import InspectorError, UnreadableError
from app.model.source import Source
from app.pipeline import masked
from app.pipeline.apply import apply
from app.pipeline.export import export
from app.pipeline.load import load
from app.pipeline.unwrap import unwrap
from app.providers import PROVIDERS

MESSAGES = [{"role": "user", "content": "hé"}, {"role": "assistant", "content": "yes"}, {"role": "user", "content": "on \U0001f600"}]
ROW = {"messages": [*MESSAGES, {"role": "tool", "tool_call_id": "c", "content": "x"}]}
REQUEST = json.dumps({"model": "gpt-5", "messages": MESSAGES}, indent=2, ensure_ascii=False).encode()
LINES = (json.dumps(ROW) + "\n").encode() * 2
OPENAI = PROVIDERS["openai-chat"]


def named_gzip(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile("session.jsonl", "wb", 9, out, 1_700_000_000) as file:
        file.write(data)
    return out.getvalue()


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr(zipfile.ZipInfo("logs/", (2025, 1, 2, 3, 4, 6)), b"")
        held.writestr(zipfile.ZipInfo("logs/session.json", (2025, 1, 2, 3, 4, 6)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unzipped(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        assert held.testzip() is None
        return held.read("logs/session.json")


def wide(encoding: str, mark: bytes = b"") -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    return lambda data: mark + data.decode().encode(encoding), lambda data: data.removeprefix(mark).decode(encoding).encode()


WRAPS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "gzip": (named_gzip, gzip.decompress),
    "zstd": (lambda data: zstandard.ZstdCompressor().compress(data), lambda data: zstandard.ZstdDecompressor().decompress(data)),
    "zip": (zipped, unzipped),
    "utf-16": wide("utf-16-le", b"\xff\xfe"),
    "utf-16-be": wide("utf-16-be"),
    "utf-32": wide("utf-32-le", b"\xff\xfe\0\0"),
    "xz": (lzma.compress, lzma.decompress),
    "bzip2": (bz2.compress, bz2.decompress),
    "words": (lambda data: b"We sent:\n```json\n" + data + b"\n```\nand got [1]", lambda data: data[17:-16]),
    "mark": (lambda data: b"\xef\xbb\xbf" + data, lambda data: data.removeprefix(b"\xef\xbb\xbf")),
    "string": (lambda data: b" " + json.dumps(data.decode()).encode() + b"\n", lambda data: json.loads(data).encode()),
    "string in gzip": (
        lambda data: gzip.compress(json.dumps(data.decode()).encode()),
        lambda data: json.loads(gzip.decompress(data)).encode(),
    ),
}
INSIDE = {"request": REQUEST, "lines": LINES}


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("inside", INSIDE)
def test_it_opens_as_what_it_is_and_is_put_back(wrap: str, inside: str, tmp_path: Path) -> None:
    close, open_ = WRAPS[wrap]
    data = INSIDE[inside]
    if wrap.startswith("string") and inside == "lines":
        data = json.dumps([ROW] * 2).encode()
    path, out = tmp_path / "dump", tmp_path / "out"
    path.write_bytes(close(data))
    plain = load(Source.of(data, "plain"))
    dump = load(Source.open(path))
    assert dump.format == plain.format
    assert [t.order.tolist() for t in dump.transcripts] == [t.order.tolist() for t in plain.transcripts]
    export(dump, dump.transcripts, out, OPENAI, None, "prefix", allow_broken=True)
    assert out.read_bytes() == path.read_bytes()
    change = Change("x", "rule:x", "loses", (drop(1),))
    edited = [apply(dump.transcripts[0], [change], OPENAI).transcript, *dump.transcripts[1:]]
    export(dump, edited, out, OPENAI, None, "prefix", allow_broken=True)
    wanted = json.loads(data) if data[:1] != b"{" or inside == "request" else [json.loads(line) for line in data.splitlines()]
    del (wanted["messages"] if inside == "request" else wanted[0]["messages"])[1]
    found = open_(out.read_bytes())
    whole = inside == "request" or wrap.startswith("string")
    assert (json.loads(found) if whole else [json.loads(line) for line in found.splitlines()]) == wanted


def test_a_header_of_gzip_stays(tmp_path: Path) -> None:
    path, out = tmp_path / "dump", tmp_path / "out"
    path.write_bytes(named_gzip(REQUEST))
    dump = load(Source.open(path))
    edited = apply(dump.transcripts[0], [Change("x", "rule:x", "loses", (drop(1),))], OPENAI).transcript
    export(dump, [edited], out, OPENAI, None, "prefix", allow_broken=True)
    assert out.read_bytes()[:24] == path.read_bytes()[:24]
    assert b"session.jsonl" in out.read_bytes()[:24]
    assert any("gzip" in why for why in dump.whys)


def test_members_of_gzip_that_follow_each_other_are_one_text() -> None:
    dump = load(Source.of(gzip.compress(LINES) + gzip.compress(LINES), "x"))
    assert len(dump.transcripts) == 4


def test_an_archive_of_several_files_names_them() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as held:
        held.writestr("a.json", REQUEST)
        held.writestr("b.json", REQUEST)
    with pytest.raises(UnreadableError, match=r"2 files \(a.json, b.json\)"):
        load(Source.of(out.getvalue(), "x"))


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 400), byte=st.integers(0, 255), name=st.sampled_from(["gzip", "zstd", "zip", "utf-16", "string"]))
def test_damage_is_refused_in_one_line_or_opened(at: int, byte: int, name: str) -> None:
    data = WRAPS[name][0](REQUEST)
    at %= len(data)
    for broken in (data[:at] + bytes([byte]) + data[at + 1 :], data[:at]):
        try:
            load(Source.of(broken, "x"))
        except InspectorError as error:
            if "\n" in str(error):
                raise


def test_what_is_cut_off_for_a_first_look_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(gzip.compress(REQUEST))
    with pytest.raises(UnreadableError, match="read whole"):
        unwrap(Source.open(path, limit=20))


RECORDS = [
    {
        "type": "user" if n % 2 == 0 else "assistant", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "s",
        "isSidechain": False, "timestamp": "2026-01-01T00:00:00Z",
        "message": {"role": "user" if n % 2 == 0 else "assistant", "content": f"line\n{n} }} {{"},
    }
    for n in range(5)
]  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_documents_over_many_lines_are_records(end: str, tmp_path: Path) -> None:
    """What `jq .` makes of a session log."""
    path, out = tmp_path / "dump", tmp_path / "out"
    texts = [json.dumps(record, indent=2).replace("\n", end[:2] if end == "\r\n" else "\n") for record in RECORDS]
    path.write_bytes("".join(text + end for text in texts).encode())
    dump = load(Source.open(path))
    assert dump.format == "claude-code"
    assert len(dump.transcripts[0].order) == 5
    assert "taken out of documents over many lines; it is put back into the same" in dump.whys
    export(dump, dump.transcripts, out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert out.read_bytes() == path.read_bytes()
    change = Change("x", "rule:x", "loses", (drop(4),))
    edited = [apply(dump.transcripts[0], [change], PROVIDERS["anthropic"]).transcript]
    export(dump, edited, out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert out.read_bytes().rstrip() == "".join(text + end for text in texts[:4]).encode().rstrip()


def test_bodies_behind_the_words_of_a_log(tmp_path: Path) -> None:
    path, out = tmp_path / "log", tmp_path / "out"
    request = {"model": "claude-sonnet-4-5", "max_tokens": 9}
    lines = [f'10:00:0{n} INFO "hé" {json.dumps({**request, "messages": MESSAGES[:n]})} done' for n in (1, 3)]
    path.write_text("starting\n" + "\n".join(lines) + "\n", "utf-8")
    dump = load(Source.open(path))
    assert (dump.format, [len(t.order) for t in dump.transcripts]) == ("request-lines", [3])
    export(dump, dump.transcripts, out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("text", ["Dear all, {nothing} here [1].", "x = {'a': 1}", 'see {"error": {"type": "invalid_request_error"}}'])
def test_words_without_a_dump_are_said_to_be_no_json(text: str) -> None:
    source = Source.of(text.encode(), "note.txt")
    with pytest.raises(UnreadableError, match=r"^note\.txt: not JSON: byte 0 is "):
        load(source)
    assert source.stand_in is None
    assert source.size == len(text)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet='{}[]":, \n\ra1\\é', max_size=80), st.booleans())
def test_no_byte_moves(text: str, folded: bool) -> None:
    data = text.encode()
    found = masked.unfolded(data) if folded else masked.dug_out(data)
    if found is not None:
        assert len(found) == len(data)
        assert all(ours == theirs or ours in b" " for ours, theirs in zip(found, data, strict=True))
