"""Random requests, clean and damaged, for laws that must hold of every plan. The same seed gives the same request."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.strategies.random_responses import Responses

WIRES = ("anthropic", "openai-chat", "openai-responses")
SIGNATURE = "c2lnbmF0dXJlLXNhbXBsZS1zaWduYXR1cmUtc2FtcGxl"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="
WORDS = [
    "invoice", "total", "overdue", "customer", "ledger", "post", "retry", "請求書", "the", "of", "for", "again:", "\n",
    '{"a":', "1}", "naïve", "—", "https://x.io/a?b=c", "0.125",
]  # fmt: skip

Message = dict[str, Any]


def words(r: random.Random, most: int) -> str:
    return " ".join(r.choice(WORDS) for _ in range(r.randint(1, most))).strip() or "x"


def request(seed: int, wire: str, exchanges: int = 4, damages: int = 0) -> dict[str, Any]:
    """A request of so many exchanges after so many accidents."""
    r = random.Random(f"{seed}/{wire}")
    make = {"anthropic": _Anthropic, "openai-chat": _OpenAI}[wire](r) if wire != "openai-responses" else _responses(r)
    body = make.request(exchanges)
    messages = body["messages" if "messages" in body else "input"]
    for _ in range(damages):
        make.damage(messages)
    return body


def _responses(r: random.Random) -> Responses:
    return Responses(r, words, lambda items: _Wire(r)._accident(items))


class _Wire:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.number = 0
        self.thinks = r.random() < 0.4
        self.signed = r.random() < 0.7

    def id(self) -> str:
        self.number += 1
        return f"call_{self.number:03d}"

    def chance(self, share: float) -> bool:
        return self.r.random() < share

    def request(self, exchanges: int) -> dict[str, Any]:
        raise NotImplementedError

    def damage(self, messages: list[Message]) -> None:
        raise NotImplementedError

    def _accident(self, messages: list[Message]) -> None:
        """What befalls whole messages."""
        r = self.r
        if not messages:
            return
        act, at = r.choice(["drop", "copy", "move", "swap", "note", "head", "tail"]), r.randrange(len(messages))
        if act == "drop":
            del messages[at]
        elif act == "copy":
            messages.insert(r.randint(0, len(messages)), json.loads(json.dumps(messages[at])))
        elif act == "move":
            messages.insert(r.randint(0, len(messages) - 1), messages.pop(at))
        elif act == "swap" and at + 1 < len(messages):
            messages[at], messages[at + 1] = messages[at + 1], messages[at]
        elif act == "note":
            messages.insert(at, {"role": r.choice(["user", "user", "assistant", "system"]), "content": words(r, 5)})
        elif act == "head":
            del messages[: r.randint(0, min(3, len(messages) - 1))]
        elif act == "tail":
            del messages[len(messages) - r.randint(0, min(3, len(messages) - 1)) :]


class _Anthropic(_Wire):
    def request(self, exchanges: int) -> dict[str, Any]:
        r = self.r
        messages: list[Message] = [{"role": "assistant", "content": "Hello, what may I do?"}] if self.chance(0.2) else []
        for number in range(exchanges):
            messages.append(self._prompt())
            for _ in range(r.choice([0, 1, 1, 2, 4])):
                messages += self._step()
            if number + 1 < exchanges or self.chance(0.6):
                messages.append({"role": "assistant", "content": self._thought([{"type": "text", "text": words(r, 20)}])})
        if self.chance(0.4):
            messages.append(self._prompt())
        body: dict[str, Any] = {"model": "claude-sonnet-4-5", "messages": messages}
        if self.chance(0.5):
            body["system"] = words(r, 20) if self.chance(0.5) else [{"type": "text", "text": words(r, 9)} for _ in range(2)]
        if self.chance(0.5):
            body["tools"] = [{"name": "look", "description": words(r, 9), "input_schema": {"type": "object"}}]
        if self.thinks and self.signed and self.chance(0.5):
            body["thinking"] = {"type": "enabled", "budget_tokens": 2000}
        return body

    def _prompt(self) -> Message:
        text = words(self.r, 12)
        if self.chance(0.5):
            return {"role": "user", "content": text}
        blocks: list[Message] = [{"type": "text", "text": text}]
        if self.chance(0.2):
            blocks.append({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}})
        return {"role": "user", "content": blocks}

    def _thought(self, blocks: list[Message]) -> list[Message]:
        if not self.thinks or self.chance(0.2):
            return blocks
        if self.chance(0.1):
            return [{"type": "redacted_thinking", "data": SIGNATURE}, *blocks]
        return [{"type": "thinking", "thinking": words(self.r, 30), "signature": SIGNATURE if self.signed else ""}, *blocks]

    def _step(self) -> list[Message]:
        r = self.r
        ids = [self.id() for _ in range(r.choice([1, 1, 2, 3]))]
        text = [{"type": "text", "text": words(r, 8)}] if self.chance(0.5) else []
        calls = [{"type": "tool_use", "id": i, "name": r.choice(["look", "read_file"]), "input": {"q": words(r, 6)}} for i in ids]
        spoken: list[Message] = [{"role": "assistant", "content": self._thought(text + calls)}]
        if self.chance(0.1):
            spoken = [{"role": "assistant", "content": block} for block in ([b] for b in spoken[0]["content"])]
        r.shuffle(ids)
        results = [self._result(i) for i in ids]
        if self.chance(0.2):
            answers: list[Message] = [{"role": "user", "content": [result]} for result in results]
        else:
            answers = [{"role": "user", "content": results + ([{"type": "text", "text": words(r, 4)}] if self.chance(0.15) else [])}]
        if self.chance(0.15):
            answers.append({"role": "system", "content": words(r, 6)})
        return spoken + answers

    def _result(self, call: str) -> Message:
        r = self.r
        result: Message = {"type": "tool_result", "tool_use_id": call}
        shape = r.choice(["string", "string", "string", "list", "parts", "none", "image", "long"])
        if shape == "string":
            result["content"] = words(r, 60)
        elif shape == "long":
            result["content"] = "\n".join(words(r, 12) for _ in range(40))
        elif shape == "list":
            result["content"] = [{"type": "text", "text": words(r, 40)}]
        elif shape == "parts":
            result["content"] = [{"type": "text", "text": words(r, 90)} for _ in range(3)]
        elif shape == "image":
            image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
            result["content"] = [{"type": "text", "text": words(r, 90)}, image]
        if self.chance(0.1) and shape != "image":
            result["is_error"] = True
        return result

    def damage(self, messages: list[Message]) -> None:
        r = self.r
        lists = [m["content"] for m in messages if isinstance(m.get("content"), list) and m["content"]]
        if not lists or self.chance(0.4):
            self._accident(messages)
            return
        here, there = r.choice(lists), r.choice(lists)
        act, at = r.choice(["drop", "copy", "move", "rename", "reuse", "text", "empty"]), r.randrange(len(here))
        if act == "drop" and len(here) > 1:
            del here[at]
        elif act == "copy":
            there.insert(r.randint(0, len(there)), json.loads(json.dumps(here[at])))
        elif act == "move" and len(here) > 1:
            there.insert(r.randint(0, len(there)), here.pop(at))
        elif act in ("rename", "reuse"):
            for key in ("id", "tool_use_id"):
                if key in here[at]:
                    here[at][key] = "call_001" if act == "reuse" else "call_xyz"
        elif act == "text":
            here.insert(at, {"type": "text", "text": words(r, 3)})
        elif act == "empty":
            here.insert(at, {"type": "text", "text": r.choice(["", " "])})


class _OpenAI(_Wire):
    def request(self, exchanges: int) -> dict[str, Any]:
        r = self.r
        messages: list[Message] = []
        if self.chance(0.7):
            messages.append({"role": r.choice(["system", "developer"]), "content": words(r, 20)})
        if self.chance(0.2):
            messages.append({"role": "assistant", "content": "Hello"})
        for number in range(exchanges):
            messages.append(self._prompt())
            for _ in range(r.choice([0, 1, 1, 2, 4])):
                messages += self._step()
            if number + 1 < exchanges or self.chance(0.6):
                messages.append(self._thought({"role": "assistant", "content": words(r, 20)}))
        if self.chance(0.4):
            messages.append(self._prompt())
        body: dict[str, Any] = {"model": "gpt-4.1", "messages": messages}
        if self.chance(0.5):
            function = {"name": "look", "description": words(r, 9), "parameters": {"type": "object"}}
            body["tools"] = [{"type": "function", "function": function}]
        return body

    def _prompt(self) -> Message:
        text = words(self.r, 12)
        message: Message = {"role": "user", "content": text if self.chance(0.7) else [{"type": "text", "text": text}]}
        return {**message, "name": "ann"} if self.chance(0.2) else message

    def _thought(self, message: Message) -> Message:
        return {**message, "reasoning_content": words(self.r, 30)} if self.thinks and self.chance(0.8) else message

    def _step(self) -> list[Message]:
        r = self.r
        ids = [self.id() for _ in range(r.choice([1, 1, 2, 3]))]
        calls = [
            {"id": i, "type": "function", "function": {"name": "look", "arguments": json.dumps({"q": words(r, 6)}, ensure_ascii=False)}}
            for i in ids
        ]
        content = r.choice([None, "", words(r, 8)])
        spoken = self._thought({"role": "assistant", "content": content, "tool_calls": calls})
        r.shuffle(ids)
        answers: list[Message] = []
        for i in ids:
            text = r.choice([words(r, 60), "\n".join(words(r, 12) for _ in range(40)), ""])
            answers.append({"role": "tool", "tool_call_id": i, "content": text if self.chance(0.8) else [{"type": "text", "text": text}]})
        if self.chance(0.15):
            answers.append({"role": r.choice(["system", "developer"]), "content": words(r, 6)})
        return [spoken, *answers]

    def damage(self, messages: list[Message]) -> None:
        r = self.r
        tools = [m for m in messages if m.get("role") == "tool"]
        speaks = [m for m in messages if m.get("tool_calls")]
        act = r.choice(["message", "message", "rename", "reuse", "call", "copy"])
        if act in ("rename", "reuse") and tools:
            r.choice(tools)["tool_call_id"] = "call_001" if act == "reuse" else "call_xyz"
        elif act == "call" and speaks:
            message = r.choice(speaks)
            del message["tool_calls"][r.randrange(len(message["tool_calls"]))]
            if not message["tool_calls"]:
                del message["tool_calls"]
        elif act == "copy" and speaks:
            message = r.choice(speaks)
            message["tool_calls"].append(json.loads(json.dumps(r.choice(r.choice(speaks)["tool_calls"]))))
        else:
            self._accident(messages)


def session(seed: int, exchanges: int = 4, damages: int = 0) -> bytes:
    """The same as a Claude Code session: a line a message, an assistant's message a line for each block, all under one `message.id`.
    Every third is compacted once, somewhere."""
    r = random.Random(f"{seed}/session")
    messages = [m for m in request(seed, "anthropic", exchanges, damages)["messages"] if m["role"] in ("user", "assistant")]
    wall = r.randrange(len(messages) + 1) if seed % 3 == 0 else -1
    lines: list[Message] = []
    for number, message in enumerate(messages):
        if number == wall:
            _compact(lines)
        content = message["content"]
        if message["role"] == "user":
            _add(lines, "user", {"role": "user", "content": content})
            continue
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in blocks:
            spoken = {"id": f"msg_{number:03d}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [block]}
            _add(lines, "assistant", {**spoken, "usage": {"input_tokens": 100 * number, "output_tokens": 5}})
    return b"".join(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for line in lines)


def _add(lines: list[Message], kind: str, message: Message | None, **members: Any) -> None:
    number = len(lines)
    line: Message = {
        "parentUuid": f"u{number - 1:04d}" if number else None, "isSidechain": False, "userType": "external", "cwd": "/w",
        "sessionId": "11111111-2222-4333-8444-555555555555", "version": "2.0.14", "type": kind, "uuid": f"u{number:04d}",
        "timestamp": f"2026-03-01T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z", **members,
    }  # fmt: skip
    lines.append(line if message is None else {**line, "message": message})


def _compact(lines: list[Message]) -> None:
    """A boundary, which has no parent, and the summary behind it."""
    before = lines[-1]["uuid"] if lines else None
    told = {"subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 900}}
    _add(lines, "system", None, **told, parentUuid=None, logicalParentUuid=before)
    text = "This session is being continued from a previous conversation. Summary: invoices were posted twice."
    _add(lines, "user", {"role": "user", "content": text}, isCompactSummary=True, isVisibleInTranscriptOnly=True)
