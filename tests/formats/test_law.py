"""The law of every format that is written: an edit of each kind, exported and opened again, is what was in memory, and records that it did
not touch keep their bytes, whatever the file was wrapped in. A format that is written and has no dump here fails."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, HeadOf, Insert, Made, Replace, Stub, drop
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.state import Written
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.export import export
from app.pipeline.link import link
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from tests.formats import (
    claude_sessions,
    test_agent_files,
    test_benchmarks,
    test_call_write,
    test_claude_events,
    test_cline,
    test_codex,
    test_datasets,
    test_framework_messages,
    test_gemini_cli,
    test_goose,
    test_opencode,
    test_openhands,
    test_pi,
    test_qwen_code,
    test_tau_bench,
)  # fmt: skip


def dumped(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **style).encode()


def blocks(*messages: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in messages]


ANTHROPIC = {"model": "claude-x", "max_tokens": 9, "messages": blocks(
    ("user", "gö"), ("assistant", [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]),
    ("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "out", "n": 1.50}]), ("assistant", "so"), ("user", "more"),
)}  # fmt: skip
CHAT_CALL = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CHAT = [{"role": "user", "content": "gö"}, {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]},
        {"role": "tool", "tool_call_id": "abcdefghi", "name": "f", "content": "out"}, {"role": "assistant", "content": "so"}]  # fmt: skip
RESPONSES = {"model": "gpt-5", "input": [{"role": "user", "content": "gö"}, {"type": "function_call", "call_id": "c", "name": "f",
             "arguments": "{}"}, {"type": "function_call_output", "call_id": "c", "output": "out"}]}  # fmt: skip
GEMINI = {"contents": [
    {"role": "user", "parts": [{"text": "gö"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"q": 1}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "out"}}}]},
]}  # fmt: skip
BEDROCK = {"modelId": "m", "inferenceConfig": {}, "messages": blocks(
    ("user", [{"text": "gö"}]), ("assistant", [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]),
    ("user", [{"toolResult": {"toolUseId": "t1", "content": [{"text": "out"}]}}]),
)}  # fmt: skip
HERMES = {"session_id": "s", "model": "m", "platform": "cli", "session_start": "x", "message_count": 4, "messages": CHAT}


def first(files: dict[str, list[bytes]]) -> dict[str, bytes]:
    return {name: found[0] for name, found in files.items()}


DUMPS: dict[str, bytes] = {
    "anthropic-messages": dumped(ANTHROPIC, indent=2), "openai-chat": dumped({"model": "gpt-5", "messages": CHAT}, indent="\t"),
    "mistral": dumped({"model": "mistral-small", "messages": CHAT}, separators=(",", ":")), "openai-responses": dumped(RESPONSES, indent=1),
    "gemini": dumped(GEMINI, ensure_ascii=False), "bedrock-converse": dumped(BEDROCK, indent=4), "other-hermes": dumped(HERMES, indent=2),
    **first(test_agent_files.FILES), **first(test_benchmarks.FILES), **first(test_datasets.FILES), **first(test_openhands.FILES),
    "claude-code": claude_sessions.random_session(4, branches=False, walls=False, odd=False),
    "claude-code-web": test_claude_events.web(test_claude_events.random_records(random.Random(5), test_claude_events.record), indent=1),
    "claude-stream-json": test_claude_events.lines(
        [test_claude_events.INIT, *test_claude_events.random_records(random.Random(5), test_claude_events.event)]
    ),
    "cline-roo-api-history": test_cline.dumped(test_cline.TASK, indent=2), "cline-sdk-session": test_cline.dumped(test_cline.SESSION),
    "codex": test_codex.data(test_codex.SESSION), "gemini-cli": test_gemini_cli.document(),
    "goose": test_goose.lines(test_goose.HEADER, *test_goose.SAID), "opencode": test_opencode.document(indent=2),
    "pi": test_pi.random_session(6), "qwen-code": test_qwen_code.random_session(6), "tau-bench": dumped(test_tau_bench.RUNS),
    "langchain-messages": dumped(test_framework_messages.random_langchain(random.Random(9)), indent=2),
    "vercel-model-messages": dumped(test_framework_messages.random_model_messages(random.Random(9)), indent=2),
    "request-lines": test_call_write.LOGS["with answers"][1], "litellm-log": test_call_write.LOGS["litellm"][1],
}  # fmt: skip
WRITTEN = [name for name, format in FORMATS.items() if format.writable]


def test_every_format_that_is_written_has_a_dump_here() -> None:
    assert sorted(set(WRITTEN) - set(DUMPS)) == []


# -- the edits ----------------------------------------------------------------------------------------------------------------


def pair_of(transcript: Transcript) -> tuple[int, int] | None:
    """The last call that has a result."""
    links, order, table = link(transcript), transcript.order.tolist(), transcript.table
    for position in range(len(order) - 1, -1, -1):
        row = order[position]
        if table.kind[row] == Kind.TOOL_CALL and links.partner[position] >= 0 and not table.flags[row] & Flag.SERVER:
            return row, order[int(links.partner[position])]
    return None


def steps_of(transcript: Transcript) -> dict[str, list[Edit]]:
    """Edits by kind, each list one after another."""
    pair = pair_of(transcript)
    spoken = [row for row in transcript.order.tolist() if transcript.table.kind[row] == Kind.TEXT]
    if pair is None:
        return {"drop": [drop(spoken[-1])], "stub": [Replace(np.asarray(spoken[-1:], np.int32), Stub("gone ü"))]}
    call, result = pair
    return {
        "drop": [drop(call, result)], "stub": [Replace(np.asarray([result], np.int32), Stub("gone ü"))],
        "insert": [drop(result), Insert(HeadOf(call), Made(Kind.TOOL_RESULT, Role.USER, "[no result]", call))],
    }  # fmt: skip


def edited(dump: Dump, edits: list[Edit]) -> list[Transcript]:
    after = dump.transcripts[0]
    for edit in edits:
        after = apply(after, [Change("an edit", "rule:none", "loses", (edit,))], provider_named(judge_of(dump.table))).transcript
    return [after, *dump.transcripts[1:]]


def exported(data: bytes, name: str, kind: str, path: Path) -> tuple[Dump, Written]:
    """One edit, exported: `export` reads what it wrote and compares it with what is in memory."""
    dump = load(Source.of(data, "dump"), name)
    transcripts = edited(dump, steps_of(dump.transcripts[0])[kind])
    done = export(dump, transcripts, path, provider_named(judge_of(dump.table)), None, "prefix", allow_broken=True)
    return dump, done


@pytest.mark.parametrize("name", WRITTEN)
def test_an_edit_of_each_kind_comes_back_and_all_else_keeps_its_bytes(name: str, tmp_path: Path) -> None:
    data = DUMPS[name]
    for kind in steps_of(load(Source.of(data, "dump"), name).transcripts[0]):
        dump, done = exported(data, name, kind, tmp_path / kind)
        out = (tmp_path / kind).read_bytes()
        if name == "inspect-eval":
            out = b"\n".join(zipfile.ZipFile(io.BytesIO(out)).read(held) for held in zipfile.ZipFile(io.BytesIO(out)).namelist())
        records, kept = dump.table.records, 0
        spans = set(zip(records.offset.tolist(), records.length.tolist(), strict=True))
        for offset, length in spans:
            kept += dump.source.read(offset, length) in out
        assert len(spans) - kept <= done.changed + done.relinked + done.dropped, kind
        assert done.same > 0 or len(spans) < 4


# -- what a file is wrapped in ------------------------------------------------------------------------------------------------


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("a/dump.json", data)
    return out.getvalue()


def unzipped(data: bytes) -> bytes:
    return zipfile.ZipFile(io.BytesIO(data)).read("a/dump.json")


def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


Way = Callable[[bytes], bytes]
WRAPS: dict[str, tuple[Way, Way]] = {
    "gzip": (gzip.compress, gzip.decompress),
    "zstd": (zstandard.ZstdCompressor().compress, lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)),
    "xz": (lzma.compress, lzma.decompress), "bzip2": (bz2.compress, bz2.decompress), "zip": (zipped, unzipped),
    "UTF-16": (lambda data: text(data).encode("utf-16", "surrogatepass"), lambda data: data.decode("utf-16", "surrogatepass").encode()),
    "a string": (lambda data: json.dumps(text(data)).encode(), lambda data: str(json.loads(data)).encode()),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "inspect-eval"])
def test_what_a_file_is_wrapped_in_is_wrapped_again(name: str, tmp_path: Path) -> None:
    """Three of the ways for each format, so that each way meets many."""
    data, names = DUMPS[name], list(WRAPS)
    kind = next(iter(steps_of(load(Source.of(data, "dump"), name).transcripts[0])))
    exported(data, name, kind, tmp_path / "plain")
    for number in range(3):
        wrap = names[(sum(name.encode()) + number) % len(names)]
        close, open_ = WRAPS[wrap]
        exported(close(data), name, kind, tmp_path / wrap)
        assert open_((tmp_path / wrap).read_bytes()) == (tmp_path / "plain").read_bytes(), wrap


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "inspect-eval"])
def test_line_ends_a_mark_and_a_missing_end_stay(name: str, tmp_path: Path) -> None:
    """CRLF, a byte order mark and no end of the last line: the same edit gives the same but for them."""
    plain = DUMPS[name].replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    kind = next(iter(steps_of(load(Source.of(plain, "dump"), name).transcripts[0])))
    exported(plain, name, kind, tmp_path / "plain")
    odd = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")[:-2]
    exported(odd, name, kind, tmp_path / "odd")
    out, want = (tmp_path / "odd").read_bytes(), (tmp_path / "plain").read_bytes()
    assert out.startswith(b"\xef\xbb\xbf")
    assert out[3:].replace(b"\r\n", b"\n").rstrip(b"\n") == want.rstrip(b"\n")
    assert not out.endswith(b"\n")
