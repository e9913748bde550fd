"""Google's generateContent: a request (`contents`), an answer (`candidates`), both together, or a bare list of contents.

What services and loggers put around them is looked through: Code Assist's `{model, project, request}` and `{response}`, a logged exchange,
the chunks of an event stream. Source: the reference of the API (https://ai.google.dev/api/generate-content), and recorded requests. Not to
be confused with the sessions of Gemini CLI, which are logs of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.formats._columns import Columns, tokens_of
from app.formats._facts import Facts
from app.formats._flags import text_flags
from app.formats._gemini import piece, response_texts
from app.formats._gemini_blocks import blocks_of, content_blocks
from app.formats._gemini_dialect import evidence
from app.formats._gemini_document import GeminiWriter
from app.formats._gemini_frame import CHUNKS, WRAPPERS, Frame, Wrapped, frame_of, inside, members_around
from app.formats._gemini_heads import add_heads, system_text, system_type, tool_name, tool_text, tool_type
from app.formats._gemini_rows import add_content, add_pieces
from app.formats._gemini_stream import answers_in, stream_parts
from app.formats._json import NotJson, compact, loads_odd
from app.formats._outline import ListSpan
from app.formats._peek import peek
from app.formats._requests import Reading, Requests
from app.formats._scan import Member, scan_object
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.edits import DELETE
from app.model.kinds import Kind, Mark, Role
from app.model.source import Source
from app.model.table import Table
from app.model.transcript import Transcript


class GeminiReading(Reading):
    """What is known of a document while it is read. `frame`: where the request is in it; `streams`: records of answers that came in
    chunks; `candidates`: spans of the lists of them."""

    frame: Frame | None = None

    def __init__(self, format: str, source: Source) -> None:
        super().__init__(format, source)
        self.streams: list[int] = []
        self.candidates: list[tuple[int, int]] = []


class Gemini(Requests):
    name = "gemini"
    summary = "Gemini generateContent: a request, an answer, both, or a list of contents"
    provider = "gemini"
    list_keys = ("contents",)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        found = evidence(peek(head, whole))
        return Confidence(self.name, min(0.98, 0.85 + 0.05 * len(found)), ", ".join(found[:4])) if found else None

    def reading(self, source: Source) -> Reading:
        return GeminiReading(self.name, source)

    def root(self, reading: Reading) -> int:
        assert isinstance(reading, GeminiReading)
        reading.frame = frame_of(reading.source)
        if reading.frame is None:
            return -1
        reading.path = reading.frame.path
        return reading.frame.root if reading.frame.path else -1

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        add_content(columns, record, message, value, odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return content_blocks(_answered(value) if pointer.endswith("/content") else value, first, record, pointer)

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        if record in table.extra["streams"]:
            return blocks_of(Role.ASSISTANT, [piece(part, "") for part in stream_parts(value)], first, record, table.pointer(record))
        return super().blocks(table, record, value, first)

    def facts(self, content: Any) -> Facts:
        if isinstance(content, str):
            return Facts((content,), text_flags(content, odd=True))
        texts, flags = response_texts(None if content is DELETE else content)
        odd = content is not None and content is not DELETE and not isinstance(content, dict)
        return Facts(tuple(texts), flags, marks=frozenset({Mark.JSON_ODD}) if odd else frozenset())

    def edited(self, block: Block, transcript: Transcript) -> Block:
        block = super().edited(block, transcript)
        name = transcript.fields.get(block.row, {}).get("name")
        if block.kind == Kind.TOOLS and isinstance(block.value, dict) and isinstance(name, str):
            value = {**block.value, "name": name}
            return replace(block, value=value, texts=(compact(value),))
        return block

    # -- beside the list ------------------------------------------------------------------------------------------------------

    def settle_list(self, reading: Reading) -> None:
        """One content in place of the list is read as a list of one."""
        member = reading.outline.member("contents")
        value = reading.value(member) if reading.outline.span is None else None
        if member is None or not isinstance(value, dict):
            return
        record = reading.columns.record(offset=member.start, length=member.end - member.start, place=0)
        reading.pointers[record] = "".join(f"/{token}" for token in reading.path) + "/contents"
        add_content(reading.columns, record, 0, value, True)
        reading.messages = 1
        reading.single = True
        reading.outline.span = ListSpan(member.start, member.end, reading.outline.root.members.index(member))

    def add_heads(self, reading: Reading) -> None:
        assert isinstance(reading, GeminiReading)
        add_heads(reading, "".join(f"/{token}" for token in reading.path))

    def add_lasts(self, reading: Reading) -> None:
        """The answers, in the order in which they stand in the document."""
        assert isinstance(reading, GeminiReading)
        model: Any = reading.model
        for wrapped in self._objects(reading):
            base = "".join(f"/{token}" for token in wrapped.path)
            members = {member.key: member for member in wrapped.members}
            model = model or reading.value(members.get("model"))
            version = reading.value(members.get("modelVersion"))
            before = reading.messages
            if "candidates" in members:
                _add_candidates(reading, members["candidates"], base, version)
            for key in CHUNKS:
                if key in members and reading.source.read(members[key].start, 1) in (b"[", b'"'):
                    version = _add_chunks(reading, members[key], base) or version
            model = model or version
            usage = reading.value(members.get("usageMetadata", members.get("usage_metadata")))
            if isinstance(usage, dict) and reading.messages > before:
                _add_usage(reading.columns, before, usage)
        reading.model = model if isinstance(model, str) and model else None

    def _objects(self, reading: GeminiReading) -> list[Wrapped]:
        """The request itself, the objects around it, and the wrappers in all of these."""
        outline, source = reading.outline, reading.source
        found = [Wrapped(outline.root.start, reading.path, outline.root.members)]
        if reading.frame is not None:
            around, torn = members_around(source, reading.frame, outline.root.end)
            found += around
            if torn >= 0:
                outline.rest = torn
        seen = {wrapped.start for wrapped in found}
        for wrapped in list(found):
            for member in wrapped.members:
                if member.start not in seen and member.end > 0 and member.key in WRAPPERS:
                    inner = inside(source, member.start, member.end, (*wrapped.path, member.key))
                    found += [one for one in inner if one.start not in seen]
                    seen |= {one.start for one in inner}
        return found

    def more(self, reading: Reading) -> dict[str, Any]:
        return {"results_named": True}

    def extra(self, reading: Reading, heads: int) -> dict[str, Any]:
        assert isinstance(reading, GeminiReading)
        return {"streams": tuple(record + heads for record in reading.streams), "candidates": tuple(reading.candidates)}

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return GeminiWriter(dump, transcripts[0]).plan()

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        if kind == Kind.TOOLS:
            tokens = pointer.split("/")
            word, name, text = tool_type(tokens), tool_name(value, tokens), tool_text(value, tokens)
            return Block(first, kind, word, Role.SYSTEM, (text,), name, pointer=pointer, record=record, value=value)
        return Block(first, kind, system_type(value), Role.SYSTEM, (system_text(value),), pointer=pointer, record=record, value=value)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "functionResponse" if kind == Kind.TOOL_RESULT else "text"


def _answered(content: dict[str, Any]) -> dict[str, Any]:
    """The content of a candidate, which is the model's also where it does not say so."""
    return content if content.get("role") is not None else {**content, "role": "model"}


def _add_candidates(reading: GeminiReading, member: Member, base: str, version: Any) -> None:
    """The content of each candidate; one that has none (it was refused, or cut off) is no message."""
    spans = reading.elements(member)
    if spans or reading.value(member) == []:
        reading.candidates.append((member.start, member.end))
    for place, (offset, length) in enumerate(spans):
        data = reading.source.read(offset, length)
        try:
            candidate, odd = loads_odd(data)
        except NotJson:
            continue
        content = candidate.get("content") if isinstance(candidate, dict) else None
        if not isinstance(content, dict):
            continue
        found = scan_object(data).get("content")
        assert found is not None
        pointer = f"{base}/candidates/{place}/content"
        record = reading.last(offset + found.start, found.end - found.start, pointer, version, (offset, offset + length))
        add_content(reading.columns, record, reading.messages, _answered(content), odd)
        reading.messages += 1


def _add_chunks(reading: GeminiReading, member: Member, base: str) -> Any:
    """The answer that the chunks of an event stream make together; the model that it names comes back."""
    value = reading.value(member)
    parts = stream_parts(value)
    if not parts:
        return None
    answers = list(answers_in(value))
    version = next((answer["modelVersion"] for answer in answers if "modelVersion" in answer), None)
    record = reading.last(member.start, member.end - member.start, f"{base}/{member.key}", version, (member.start, member.end))
    reading.streams.append(record)
    add_pieces(reading.columns, record, reading.messages, Role.ASSISTANT, [piece(part, "") for part in parts], True)
    usages = [answer["usageMetadata"] for answer in answers if isinstance(answer.get("usageMetadata"), dict)]
    if usages:
        _add_usage(reading.columns, reading.messages, usages[-1])
    reading.messages += 1
    return version


def _add_usage(columns: Columns, message: int, usage: dict[str, Any]) -> None:
    total = tokens_of(usage, "promptTokenCount", "prompt_token_count")
    read = min(total, tokens_of(usage, "cachedContentTokenCount", "cached_content_token_count"))
    output = tokens_of(usage, "candidatesTokenCount", "candidates_token_count")
    output += tokens_of(usage, "thoughtsTokenCount", "thoughts_token_count")
    columns.usage(message, fresh=total - read, cache_read=read, cache_write=0, output=output)


FORMAT = Gemini()
