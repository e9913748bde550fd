"""A request as the table that a format makes of it, by hand and independently of `app.formats`: the conventions of the house, slowly."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from app.model.block import Block, Media
from app.model.ids import Ids
from app.model.kinds import ARGS_SHIFT, ROLES, Args, Flag, Kind, Role
from app.model.table import RECORD_TYPES, ROW_COLUMNS, ROW_TYPES, RecordKind, Records, Table

PIXEL = "iVBORw0KGgo="
INJECTED = ("<system-reminder>", "<environment_context>", "<user_instructions>", "# AGENTS.md")


class Rows:
    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.columns: dict[str, list[int]] = {name: [] for name in ROW_COLUMNS}
        self.records: dict[str, list[Any]] = {name: [] for name in RECORD_TYPES}
        self.pointers: dict[int, str] = {}
        self.words: dict[str, dict[str, int]] = {"type": {}, "name": {}, "key": {}}
        self.blocks: list[Block] = []
        self._messages = 0

    def record(self, kind: RecordKind, pointer: str | None = None) -> None:
        number = len(self.records["kind"])
        place = self._messages if kind == RecordKind.MESSAGE else number
        if kind == RecordKind.MESSAGE:
            self._messages += 1
        values = {"offset": 0, "length": 0, "place": place, "kind": int(kind), "shown": int(kind == RecordKind.HEAD),
                  "time": float("nan"), "model": -1, "owner": 0}  # fmt: skip
        for name, value in values.items():
            self.records[name].append(value)
        if pointer is not None:
            self.pointers[number] = pointer
        self._part = 0

    def _word(self, what: str, word: str | None) -> int:
        known = self.words[what]
        return -1 if word is None else known.setdefault(word, len(known))

    def row(self, kind: Kind, type_: str, role: Role, pointer: str, *, flags: int = 0, size: int = 0, name: Any = None, id_: Any = None,
            texts: tuple[str, ...] = (), error: bool = False, media: bool = False, value: Any = None) -> None:  # fmt: skip
        head = kind in (Kind.SYSTEM, Kind.TOOLS)
        call_id = id_ if isinstance(id_, str) else None
        values = {
            "record": len(self.records["kind"]) - 1, "part": self._part, "message": -1 if head else self._messages - 1, "kind": int(kind),
            "type": self._word("type", type_), "role": int(role), "name": self._word("name", name if isinstance(name, str) else None),
            "size": size, "flags": flags, "key": self._word("key", call_id),
        }  # fmt: skip
        self._part += 1
        for column, number in values.items():
            self.columns[column].append(number)
        self.blocks.append(
            Block(len(self.blocks), kind, type_, role, texts, name if isinstance(name, str) else None, call_id, error,
                  (Media("image/png"),) if media else (), pointer, values["record"], value)
        )  # fmt: skip

    def table(self, request: dict[str, Any]) -> Table:
        columns: dict[str, Any] = {name: np.asarray(self.columns[name]).astype(ROW_TYPES[name]) for name in ROW_COLUMNS}
        records = Records(**{name: np.asarray(self.records[name], RECORD_TYPES[name]) for name in RECORD_TYPES})
        small = {key: value for key, value in request.items() if key not in ("messages", "system", "tools")}
        return Table(
            format="anthropic-messages" if self.wire == "anthropic" else "openai-chat", **columns, records=records,
            types=list(self.words["type"]), names=list(self.words["name"]), ids=Ids.of(self.words["key"]), pointer_prefix="/messages/",
            pointers=self.pointers, request=small, args_text=self.wire != "anthropic",
        )  # fmt: skip


def text_flags(text: str) -> int:
    flags = Flag.TEXT_EMPTY if not text else Flag.TEXT_BLANK if not text.strip() else 0
    flags |= Flag.TEXT_TRAILING if text and text[-1].isspace() else 0
    flags |= Flag.SURROGATE if any("\ud800" <= c <= "\udfff" for c in text) else 0
    return flags | (Flag.INJECTED if text.startswith(INJECTED) else 0)


def id_flags(value: Any) -> int:
    if not isinstance(value, str):
        return Flag.ID_ABSENT
    if not value:
        return Flag.ID_EMPTY
    odd = {c for c in value if not (c.isascii() and (c.isalnum() or c in "_-"))}
    flags = 0 if not odd else Flag.ID_DOTTED if odd <= set(".:") else Flag.ID_ODD
    return flags | (Flag.ID_OVER_40 if len(value) > 40 else 0) | (Flag.ID_OVER_64 if len(value) > 64 else 0)


def args_flags(value: Any, present: bool) -> int:
    kind = Args.OTHER
    if not present:
        kind = Args.NONE
    elif value is None:
        kind = Args.NULL
    elif isinstance(value, dict):
        kind = Args.OBJECT
    elif isinstance(value, str):
        try:
            kind = Args.STRING if isinstance(json.loads(value), dict) else Args.STRING_OTHER
        except ValueError:
            kind = Args.BROKEN
    return int(kind) << ARGS_SHIFT


def content_flags(content: Any) -> int:
    if content is None:
        return Flag.CONTENT_NULL
    if isinstance(content, list):
        return Flag.CONTENT_LIST | (0 if content else Flag.CONTENT_NONE)
    return 0 if isinstance(content, str) else Flag.CONTENT_ODD


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read_head(request: dict[str, Any], rows: Rows) -> None:
    system = request.get("system")
    parts = [("/system", {"type": "text", "text": system})] if isinstance(system, str) else []
    parts = [(f"/system/{i}", part) for i, part in enumerate(system)] if isinstance(system, list) else parts
    for pointer, part in parts:
        rows.record(RecordKind.HEAD, pointer)
        text = str(part.get("text", ""))
        flags = text_flags(text) | (Flag.CACHE if part.get("cache_control") else 0)
        rows.row(Kind.SYSTEM, "text", Role.SYSTEM, pointer, flags=flags, size=len(text), texts=(text,), value=part)
    for i, tool in enumerate(request.get("tools") or []):
        rows.record(RecordKind.HEAD, f"/tools/{i}")
        flags = Flag.CACHE if isinstance(tool, dict) and tool.get("cache_control") else 0
        rows.row(Kind.TOOLS, "tool", Role.SYSTEM, f"/tools/{i}", flags=flags, size=len(_compact(tool)), value=tool)


def _texts_of(content: Any) -> tuple[str, ...]:
    if isinstance(content, str):
        return (content,)
    return tuple(str(p.get("text", "")) for p in content if isinstance(p, dict) and "text" in p) if isinstance(content, list) else ()


def _result_flags(content: Any) -> int:
    flags = content_flags(content)
    parts = content if isinstance(content, list) else []
    texts = _texts_of(content)
    if any(isinstance(p, dict) and p.get("type") in ("image", "image_url", "document", "file") for p in parts):
        flags |= Flag.MEDIA
    if isinstance(content, list) and any(not text.strip() for text in texts):
        flags |= Flag.PART_EMPTY
    return flags | (text_flags(content) if isinstance(content, str) else 0)


def read_anthropic(request: dict[str, Any], rows: Rows) -> None:
    _read_head(request, rows)
    for i, message in enumerate(request["messages"]):
        rows.record(RecordKind.MESSAGE)
        role = ROLES.get(message.get("role"), Role.OTHER)
        content, base = message.get("content"), f"/messages/{i}"
        shape = content_flags(content)
        if isinstance(content, str):
            rows.row(
                Kind.TEXT, "text", role, f"{base}/content", flags=text_flags(content), size=len(content), texts=(content,), value=content
            )
        elif not isinstance(content, list) or not content:
            rows.row(Kind.EMPTY, "empty", role, base, flags=shape)
        else:
            for n, block in enumerate(content):
                _anthropic_row(rows, role, f"{base}/content/{n}", block, shape)


def _anthropic_row(rows: Rows, role: Role, pointer: str, block: dict[str, Any], shape: int) -> None:
    type_ = block.get("type", "")
    flags = shape | (Flag.CACHE if block.get("cache_control") else 0)
    if type_ == "text":
        text = block["text"]
        rows.row(Kind.TEXT, type_, role, pointer, flags=flags | text_flags(text), size=len(text), texts=(text,), value=block)
    elif type_ in ("tool_use", "server_tool_use", "mcp_tool_use"):
        args = _compact(block.get("input")) if not isinstance(block.get("input"), str) else block["input"]
        flags |= id_flags(block.get("id")) | args_flags(block.get("input"), "input" in block)
        flags |= 0 if type_ == "tool_use" else Flag.SERVER
        rows.row(Kind.TOOL_CALL, type_, role, pointer, flags=flags, size=len(args) + len(block.get("name") or ""), name=block.get("name"),
                 id_=block.get("id"), texts=(args,), value=block)  # fmt: skip
    elif type_.endswith("tool_result"):
        server = type_ != "tool_result"
        content = block.get("content")
        flags = (
            (flags & ~(Flag.CONTENT_LIST | Flag.CONTENT_NONE))
            | (0 if server else _result_flags(content))
            | id_flags(block.get("tool_use_id"))
        )
        flags |= (Flag.SERVER if server else 0) | (Flag.ERROR if block.get("is_error") is True else 0)
        texts = _texts_of(content)
        rows.row(Kind.TOOL_RESULT, type_, role, pointer, flags=flags, size=sum(map(len, texts)), id_=block.get("tool_use_id"), texts=texts,
                 error=block.get("is_error") is True, media=bool(flags & Flag.MEDIA), value=block)  # fmt: skip
    elif type_ in ("thinking", "redacted_thinking"):
        text = block.get("thinking", "")
        flags |= (Flag.SIGNED if block.get("signature") else 0) | (Flag.REDACTED if type_ != "thinking" else 0)
        rows.row(Kind.REASONING, type_, role, pointer, flags=flags, size=len(text), texts=(text,) if text else (), value=block)
    elif type_ in ("image", "document"):
        rows.row(Kind.MEDIA, type_, role, pointer, flags=flags, media=True, value=block)
    else:
        rows.row(Kind.OTHER, type_, role, pointer, flags=flags, size=len(_compact(block)), value=block)


def read_openai(request: dict[str, Any], rows: Rows) -> None:
    _read_head({"tools": request.get("tools")}, rows)
    for i, message in enumerate(request["messages"]):
        rows.record(RecordKind.MESSAGE)
        _openai_rows(rows, message, f"/messages/{i}")


def _openai_rows(rows: Rows, message: dict[str, Any], base: str) -> None:
    role = ROLES.get(message.get("role"), Role.OTHER)
    content, calls = message.get("content"), message.get("tool_calls")
    shape = content_flags(content) | (Flag.NAMED if message.get("name") else 0) | (Flag.CALLS_NONE if calls == [] else 0)
    if role in (Role.TOOL, Role.FUNCTION):
        texts = _texts_of(content)
        flags = shape | _result_flags(content) | id_flags(message.get("tool_call_id"))
        rows.row(Kind.TOOL_RESULT, message["role"], role, base, flags=flags, size=sum(map(len, texts)), name=message.get("name"),
                 id_=message.get("tool_call_id"), texts=texts, media=bool(flags & Flag.MEDIA), value=message)  # fmt: skip
        return
    entries = calls if isinstance(calls, list) else []
    legacy = message.get("function_call")
    if isinstance(content, list):
        for n, part in enumerate(content):
            media = part.get("type") in ("image_url", "file", "input_audio")
            text = str(part.get("text", part.get("refusal", "")))
            flags = shape | (0 if media else text_flags(text))
            kind = Kind.MEDIA if media else Kind.TEXT if part.get("type") in ("text", "refusal") else Kind.OTHER
            rows.row(
                kind, part.get("type", ""), role, f"{base}/content/{n}", flags=flags, size=len(text), texts=(text,), media=media, value=part
            )
    elif isinstance(content, str) and (content or not (entries or legacy)):
        rows.row(
            Kind.TEXT,
            "text",
            role,
            f"{base}/content",
            flags=shape | text_flags(content),
            size=len(content),
            texts=(content,),
            value=content,
        )
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str):
            text = message[key]
            rows.row(Kind.REASONING, key, role, f"{base}/{key}", flags=shape, size=len(text), texts=(text,), value=text)
    if isinstance(message.get("refusal"), str):
        text = message["refusal"]
        rows.row(Kind.TEXT, "refusal", role, f"{base}/refusal", flags=shape | text_flags(text), size=len(text), texts=(text,), value=text)
    for n, call in enumerate(entries):
        inner = call.get("function") or call.get("custom") or {}
        args, present = inner.get("arguments", inner.get("input")), "arguments" in inner or "input" in inner
        flags = shape | id_flags(call.get("id")) | args_flags(args, present)
        text = args if isinstance(args, str) else _compact(args)
        rows.row(Kind.TOOL_CALL, call.get("type", "function"), role, f"{base}/tool_calls/{n}", flags=flags, name=inner.get("name"),
                 size=len(text) + len(inner.get("name") or ""), id_=call.get("id"), texts=(text,), value=call)  # fmt: skip
    if isinstance(legacy, dict):
        flags = shape | Flag.ID_ABSENT | args_flags(legacy.get("arguments"), "arguments" in legacy)
        rows.row(Kind.TOOL_CALL, "function_call", role, f"{base}/function_call", flags=flags, name=legacy.get("name"),
                 texts=(str(legacy.get("arguments")),), value=legacy)  # fmt: skip
    if (
        not rows.blocks
        or rows.blocks[-1].record != len(rows.records["kind"]) - 1
        or (not entries and not legacy and not content and content != "")
    ):
        rows.row(Kind.EMPTY, "empty", role, base, flags=shape)
