"""Random requests of both wires, written in random styles: what formats are tried with. The same seed gives the same bytes."""

from __future__ import annotations

import json
import random
from typing import Any

TEXTS = [
    "hello",
    "",
    "  \n",
    "ends in a blank ",
    "naïve — ☃",
    'quote " and \\ back',
    "tab\there",
    '{"role": "user"}',
    '],"messages":[{"role":',
    "\u2028",
    "𝒳",
]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAHCAYAAADAp4fuAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="  # 5 by 7


def text(r: random.Random) -> str:
    return r.choice(TEXTS) if r.random() < 0.6 else "word " * r.randrange(1, 60)


def value(r: random.Random, depth: int = 0) -> Any:
    pick = r.random()
    if pick < 0.5 or depth > 3:
        return r.choice([text(r), 0, -1.5, 1e22, True, None, 12345678901234567])
    if pick < 0.75:
        return [value(r, depth + 1) for _ in range(r.randrange(4))]
    return {r.choice(["role", "content", "messages", "type", "k", "ü"]): value(r, depth + 1) for _ in range(r.randrange(4))}


class _Wire:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.number = 0
        self.open: list[str] = []

    def id(self) -> Any:
        self.number += 1
        new = self.r.choice(["call_{}", "toolu_{}", "a.b:{}", "odd {}", "x" * 60 + "{}", "ünï{}"]).format(self.number)
        self.open.append(new)
        return new

    def answered(self) -> Any:
        if self.open and self.r.random() < 0.9:
            return self.open.pop(0) if self.r.random() < 0.9 else self.open[0]
        return self.r.choice(["", "nobody", None])


class Anthropic(_Wire):
    def block(self, role: str) -> Any:
        r = self.r
        pick = r.random()
        marks = {"cache_control": {"type": "ephemeral"}} if r.random() < 0.1 else {}
        if pick < 0.3:
            return {"type": "text", "text": text(r), **marks}
        if pick < 0.5 and role == "assistant":
            return {
                "type": "tool_use",
                "id": self.id(),
                "name": r.choice(["Read", "", "näme"]),
                "input": r.choice([{"a": value(r)}, {}, "x", None]),
            }
        if pick < 0.6 and role == "assistant":
            return r.choice(
                [
                    {"type": "thinking", "thinking": text(r), "signature": r.choice(["", "c2ln"])},
                    {"type": "redacted_thinking", "data": "ZGF0YQ=="},
                    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": text(r)}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": [{"type": "web_search_result", "title": text(r), "url": "u", "encrypted_content": "zzz"}],
                    },
                    {
                        "type": "mcp_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "is_error": False,
                        "content": [{"type": "text", "text": text(r)}],
                    },
                ]
            )
        if pick < 0.85 and role == "user":
            made = {"type": "tool_result", "tool_use_id": self.answered(), **marks}
            content = self.content()
            if content is not None or r.random() < 0.5:
                made["content"] = content
            if r.random() < 0.3:
                made["is_error"] = r.choice([True, False])
            return made
        if pick < 0.95:
            return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
        return r.choice(["a string", 5, None, {"no": "type"}, {"type": "brand_new", "x": value(r)}, {"type": "text"}])

    def content(self) -> Any:
        r = self.r
        parts = [
            {"type": "text", "text": text(r)},
            {"type": "image", "source": {"type": "url", "url": "https://x.io"}},
            {"type": "search_result", "title": text(r), "source": "s", "content": [{"type": "text", "text": text(r)}]},
            "bare",
            {"type": "odd", "v": 1},
        ]
        return r.choice([text(r), text(r), None, [], [r.choice(parts) for _ in range(r.randrange(1, 4))]])

    def message(self) -> Any:
        r = self.r
        if r.random() < 0.03:
            return r.choice(["a string", 7, None, [1]])
        role = r.choice(["user", "assistant", "user", "assistant", "system", "odd"])
        pick = r.random()
        content: Any = text(r) if pick < 0.3 else [self.block(role) for _ in range(r.randrange(4))]
        if pick > 0.95:
            content = r.choice([None, {"a": value(r)}, 5, []])
        made = {"role": role, "content": content}
        if r.random() < 0.05:
            made["reasoning_content"] = "foreign"
        return made

    def request(self) -> dict[str, Any]:
        r = self.r
        made: dict[str, Any] = {"model": "claude-sonnet-4-5", "max_tokens": 10}
        if r.random() < 0.5:
            made["system"] = r.choice([text(r), [{"type": "text", "text": text(r)} for _ in range(r.randrange(1, 3))]])
        if r.random() < 0.5:
            made["tools"] = [{"name": f"t{i}", "input_schema": value(r)} for i in range(r.randrange(1, 3))]
        made["messages"] = [self.message() for _ in range(r.randrange(8))]
        if r.random() < 0.3:
            made["metadata"] = {"messages": [{"role": "user", "content": "not these"}], "v": value(r)}
        return made


class OpenAI(_Wire):
    def part(self) -> Any:
        r = self.r
        return r.choice(
            [
                {"type": "text", "text": text(r)},
                {"type": "text", "text": text(r)},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
                {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                {"type": "refusal", "refusal": text(r)},
                {"type": "thinking", "thinking": [{"type": "text", "text": text(r)}]},
                {"type": "brand_new"},
                "bare",
            ]
        )

    def call(self) -> Any:
        r = self.r
        arguments = r.choice([json.dumps({"a": value(r)}), "", "[1]", "{bad", {"a": 1}, None])
        if r.random() < 0.15:
            return {"id": self.id(), "type": "custom", "custom": {"name": "patch", "input": text(r)}}
        made = {"id": self.id(), "type": "function", "function": {"name": r.choice(["read", ""]), "arguments": arguments}}
        if r.random() < 0.1:
            del made["function"]["arguments"]
        return r.choice([made, made, made, made, made, made, made, "bare", {"id": None}])

    def message(self) -> Any:
        r = self.r
        role = r.choice(["user", "assistant", "assistant", "tool", "tool", "system", "developer", "function", "odd"])
        content: Any = r.choice([text(r), text(r), [self.part() for _ in range(r.randrange(4))], None])
        if r.random() < 0.03:
            content = r.choice([{"a": 1}, 5, False])
        made: dict[str, Any] = {"role": role, "content": content}
        if role == "tool":
            made["tool_call_id"] = self.answered()
        if role == "function":
            made["name"] = "read"
        if role == "assistant":
            if r.random() < 0.5:
                made["tool_calls"] = r.choice(
                    [[self.call() for _ in range(r.randrange(4))], None, {"odd": 1}] if r.random() < 0.2 else [[self.call()]]
                )
            if r.random() < 0.1:
                made["function_call"] = {"name": "read", "arguments": "{}"}
            if r.random() < 0.2:
                made[r.choice(["reasoning_content", "reasoning", "reasoning_signature"])] = text(r)
            if r.random() < 0.1:
                made["reasoning_details"] = [{"type": "reasoning.text", "text": text(r), "signature": "c2ln"}]
            if r.random() < 0.1:
                made["refusal"] = text(r)
        if r.random() < 0.1:
            made["name"] = "ann"
        return made

    def request(self) -> dict[str, Any]:
        r = self.r
        made: dict[str, Any] = {"model": "gpt-5", "messages": [self.message() for _ in range(r.randrange(8))]}
        if r.random() < 0.5:
            made["tools"] = [{"type": "function", "function": {"name": "read", "parameters": value(r)}}]
        if r.random() < 0.2:
            made["choices"] = [{"index": i, "message": self.message(), "finish_reason": "stop"} for i in range(r.randrange(3))]
        return made


def request(wire: str, seed: int) -> dict[str, Any]:
    """A request of `anthropic` or `openai-chat`."""
    r = random.Random(f"{wire}/{seed}")
    return (Anthropic(r) if wire == "anthropic" else OpenAI(r)).request()


def styled(made: Any, seed: int) -> bytes:
    """JSON bytes in one of the styles that dumps have, hand-wrapped ones too."""
    r = random.Random(seed)
    style = r.randrange(7)
    ascii_ = r.random() < 0.5
    if style < 4:
        out = json.dumps(made, ensure_ascii=ascii_, indent=[None, 2, 4, "\t"][style])
    elif style == 4:
        out = json.dumps(made, ensure_ascii=ascii_, separators=(",", ":"))
    elif style == 5:
        out = json.dumps(made, ensure_ascii=ascii_, indent=1).replace("\n", "\r\n")
    else:
        out = _hand_wrapped(made, r, ascii_)
    return out.encode()


def _hand_wrapped(made: Any, r: random.Random, ascii_: bool) -> str:
    def gap() -> str:
        return r.choice(["", "", " ", "\n", "\n  ", "\t", " \n "])

    def walk(item: Any) -> str:
        if isinstance(item, dict):
            inner = f"{gap()},{gap()}".join(f"{json.dumps(k, ensure_ascii=ascii_)}{gap()}:{gap()}{walk(v)}" for k, v in item.items())
            return f"{{{gap()}{inner}{gap()}}}"
        if isinstance(item, list):
            return f"[{gap()}{f'{gap()},{gap()}'.join(map(walk, item))}{gap()}]"
        return json.dumps(item, ensure_ascii=ascii_)

    return walk(made)
