"""Transcripts drawn as text, for tests that say in one line what they are about.

    draw("u:hi | a:looking,call 1,call 2 | u:result 1,result 2,go on")
    draw("u=hi | a:call 1 | t:result 1", wire="openai-chat")

Messages are parted by `|`, blocks by a comma. A message begins with its role (u user, a assistant, s system, d developer, t tool,
f function) and `:` (content is a list of blocks) or `=` (content is one string; on the OpenAI wire a lone text is a string anyway).

    call ID [NAME] [args=JSON]     a call; ID `-` is none, `""` is the empty string; the name is `look` unless given
    result ID [WORDS]              its result; `result! ID` is marked as an error, `result~ ID` has no content
    server ID [NAME], found ID     a call that the provider answers itself, and its result
    think, think?, redacted        reasoning with a signature, without one, encrypted
    image, none, null              an image; no block at all; content null
    empty, blank                   text "", text " \\n"
    anything else                  text

`draw` makes a request as the wire has it, and of this, by hand and independently of `app.formats`, the table that a format would
make. So rules and pipeline are tested without a parser, and a parser can be tested against this table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from app.model.block import Block
from app.model.ids import Ids
from app.model.kinds import Role
from app.model.table import ROW_COLUMNS, Records
from app.model.transcript import Transcript
from app.model.view import View
from tests.tables import PIXEL, Rows, read_anthropic, read_openai

LETTERS = {"u": "user", "a": "assistant", "s": "system", "d": "developer", "t": "tool", "f": "function"}
SIGNATURE = "c2lnbmF0dXJlLXNhbXBsZS1zaWduYXR1cmUtc2FtcGxl"


# -- a drawing becomes a request ---------------------------------------------------------------------------------------------


def request_of(drawing: str, wire: str = "anthropic", **members: Any) -> dict[str, Any]:
    """The request that a drawing stands for. `members`: further members, such as `model` or `thinking`."""
    messages: list[dict[str, Any]] = []
    for part in drawing.split("|"):
        if part.strip():
            messages += (_anthropic if wire == "anthropic" else _openai)(part.strip())
    return {**members, "messages": messages}


def _split(part: str) -> tuple[str, bool, list[str]]:
    letter, sign, rest = part[0], part[1:2], part[2:]
    assert letter in LETTERS, part
    assert sign in (":", "="), part
    blocks = [block.strip() for block in rest.split(",")] if sign == ":" else [rest.strip()]
    return LETTERS[letter], sign == "=", blocks


def _id(word: str) -> str | None:
    return None if word == "-" else "" if word == '""' else word


def _call(words: list[str]) -> tuple[str | None, str, Any]:
    args: Any = {"q": words[1]}
    rest = []
    for word in words[2:]:
        if word.startswith("args="):
            args = json.loads(word[5:])
        else:
            rest.append(word)
    return _id(words[1]), rest[0] if rest else "look", args


def _text(block: str) -> str:
    return {"empty": "", "blank": " \n"}.get(block, block)


def _anthropic(part: str) -> list[dict[str, Any]]:
    role, string, blocks = _split(part)
    if blocks == ["null"]:
        return [{"role": role, "content": None}]
    if string:
        return [{"role": role, "content": _text(blocks[0])}]
    return [{"role": role, "content": [] if blocks == ["none"] else [_anthropic_block(block) for block in blocks]}]


def _anthropic_block(block: str) -> dict[str, Any]:
    words = block.split()
    head = words[0] if words else ""
    if head in ("call", "server") and len(words) > 1:
        call_id, name, args = _call(words)
        made: dict[str, Any] = {"type": "tool_use" if head == "call" else "server_tool_use"}
        if call_id is not None:
            made["id"] = call_id
        return {**made, "name": name, "input": args}
    if head in ("result", "result!", "result~") and len(words) > 1:
        made = {"type": "tool_result"}
        if _id(words[1]) is not None:
            made["tool_use_id"] = _id(words[1])
        if head != "result~":
            made["content"] = " ".join(words[2:]) or "found"
        return {**made, **({"is_error": True} if head == "result!" else {})}
    if head == "found" and len(words) > 1:
        return {"type": "web_search_tool_result", "tool_use_id": _id(words[1]), "content": []}
    if block in ("think", "think?"):
        return {"type": "thinking", "thinking": "hm", "signature": SIGNATURE if block == "think" else ""}
    if block == "redacted":
        return {"type": "redacted_thinking", "data": SIGNATURE}
    if block == "image":
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
    return {"type": "text", "text": _text(block)}


def _openai(part: str) -> list[dict[str, Any]]:
    role, string, blocks = _split(part)
    if string:
        return [{"role": role, "content": _text(blocks[0])}]
    if blocks == ["null"] or blocks == ["none"]:
        return [{"role": role, "content": None if blocks == ["null"] else []}]
    messages: list[dict[str, Any]] = []
    texts: list[Any] = []
    calls: list[dict[str, Any]] = []
    message: dict[str, Any] = {"role": role, "content": None}
    for block in blocks:
        words = block.split()
        head = words[0] if words else ""
        if head == "call" and len(words) > 1:
            call_id, name, args = _call(words)
            function = {"name": name, "arguments": json.dumps(args) if not isinstance(args, str) else args}
            if role == "assistant" and call_id is None:
                message["function_call"] = function
            else:
                calls.append({"id": call_id, "type": "function", "function": function})
        elif head in ("result", "result~") and len(words) > 1:
            content = " ".join(words[2:]) or "found"
            made: dict[str, Any] = {"role": "function" if role == "function" else "tool"}
            if role == "function":
                made["name"] = "look"
            elif _id(words[1]) is not None:
                made["tool_call_id"] = _id(words[1])
            messages.append({**made, "content": None if head == "result~" else content})
        elif block in ("think", "think?"):
            message["reasoning_content"] = "hm"
        elif block == "image":
            texts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}})
        else:
            texts.append({"type": "text", "text": _text(block)})
    if len(texts) == 1 and texts[0]["type"] == "text":
        message["content"] = texts[0]["text"]
    elif texts:
        message["content"] = texts
    if calls:
        message["tool_calls"] = calls
    return messages if messages and not texts and not calls else [*messages, message]


# -- a request becomes a table -----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Drawn:
    """A request, the transcript that a format would make of it, and its blocks."""

    wire: str
    request: dict[str, Any]
    transcript: Transcript
    blocks: list[Block] = field(default_factory=list)

    @property
    def data(self) -> bytes:
        return json.dumps(self.request, ensure_ascii=False).encode("utf-8", "surrogatepass")

    @cached_property
    def view(self) -> View:
        from app.pipeline.view import make_view

        return make_view(self.transcript)

    def look(self, row: int) -> Block:
        """A block of the request; edits are laid over it as far as tests need them."""
        return looked(self.transcript, self.blocks, row)

    def row(self, pointer: str) -> int:
        """The row at a JSON pointer of the request."""
        return next(block.row for block in self.blocks if block.pointer == pointer)


def looked(transcript: Transcript, blocks: list[Block], row: int) -> Block:
    """A block with what edits have laid over it."""
    made = transcript.made.get(row)
    role = Role(int(transcript.table.role[row]))
    if made is not None:
        key = int(transcript.table.key[row])
        type_ = transcript.table.types[transcript.table.type[row]]
        return Block(row, made.kind, type_, role, (made.text,), None, transcript.table.ids.text(key), made.error)
    block = blocks[row]
    fields = transcript.fields.get(row, {})
    content = transcript.content_of(row)
    texts = block.texts if content is None else tuple(content.of(block.texts))
    for name in ("text", "content"):
        if isinstance(fields.get(name), str):
            texts = (fields[name],)
    call_id = fields.get("call_id", block.call_id)
    return Block(row, block.kind, block.type, role, texts, fields.get("name", block.name), call_id, block.error, block.media,
                 block.pointer, block.record, block.value)  # fmt: skip


def draw(drawing: str, wire: str = "anthropic", **members: Any) -> Drawn:
    """A drawing as a request and as the transcript that a format makes of it."""
    return drawn(request_of(drawing, wire, **members), wire)


def drawn(request: dict[str, Any], wire: str = "anthropic") -> Drawn:
    """A request as the transcript that a format makes of it."""
    rows = Rows(wire)
    (read_anthropic if wire == "anthropic" else read_openai)(request, rows)
    table = rows.table(request)
    model = request.get("model")
    transcript = Transcript(table, np.arange(len(table), dtype=np.int32), model=model if isinstance(model, str) else None)
    return Drawn(wire, request, transcript, rows.blocks)


# -- many ---------------------------------------------------------------------------------------------------------------------


def tiled(one: Drawn, times: int) -> Transcript:
    """A transcript that repeats a drawn one, each copy with messages and ids of its own: for measuring. It has no blocks to look at."""
    table = one.transcript.table
    rows = np.flatnonzero(table.message >= 0)
    count, messages, keys = len(rows), int(table.message.max()) + 1, len(table.ids)
    copy = np.repeat(np.arange(times, dtype=np.int64), count)
    columns = {name: np.tile(getattr(table, name)[rows], times) for name in ROW_COLUMNS}
    columns["message"] = (columns["message"] + copy * messages).astype(np.int32)
    columns["record"] = columns["message"].copy()
    columns["key"] = np.where(columns["key"] >= 0, columns["key"] + copy * keys, -1).astype(np.int32)
    total = messages * times
    records = Records(
        offset=np.zeros(total, np.int64), length=np.zeros(total, np.int64), place=np.arange(total, dtype=np.int32),
        kind=np.zeros(total, np.uint8), shown=np.zeros(total, np.uint8), time=np.full(total, np.nan), model=np.full(total, -1, np.int16),
        owner=np.zeros(total, np.int16),
    )  # fmt: skip
    ids = Ids.of(f"id_{n}" for n in range(keys * times))
    big = table.with_columns(**columns, records=records, pointers={}, ids=ids)
    return Transcript(big, np.arange(len(big), dtype=np.int32))
