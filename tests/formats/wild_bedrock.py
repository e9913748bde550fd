"""Random requests and answers of Bedrock's Converse: what its format is tried with. The same seed gives the same document."""

from __future__ import annotations

import random
from typing import Any

from tests.formats.wild import PIXEL, text, value


class Converse:
    def __init__(self, r: random.Random) -> None:
        self.r, self.number = r, 0
        self.open: list[Any] = []

    def document(self) -> dict[str, Any]:
        r = self.r
        made: dict[str, Any] = {"modelId": "us.anthropic.claude-sonnet-4-5-20250929-v1:0"} if r.random() < 0.7 else {}
        if r.random() < 0.5:
            made["system"] = [r.choice([{"text": text(r)}, {"cachePoint": {"type": "default"}}]) for _ in range(r.randrange(3))]
        made["messages"] = [self.message() for _ in range(r.randrange(8))]
        if r.random() < 0.5:
            tools = [{"toolSpec": {"name": f"t{i}", "inputSchema": {"json": value(r)}}} for i in range(r.randrange(1, 3))]
            made["toolConfig"] = {**({"toolChoice": {"auto": {}}} if r.random() < 0.5 else {}), "tools": tools}
        if r.random() < 0.3:
            made["output"] = {"message": {"role": "assistant", "content": [self.block("assistant") for _ in range(r.randrange(1, 3))]}}
            made["stopReason"] = "end_turn"
            made["usage"] = {"inputTokens": 7, "outputTokens": 2, "cacheReadInputTokens": 1}
        if r.random() < 0.3:
            made["additionalModelRequestFields"] = {"messages": [{"role": "user", "content": "not these"}], "v": value(r)}
        return made

    def message(self) -> Any:
        r = self.r
        if r.random() < 0.03:
            return r.choice(["a string", 7, None, [1]])
        role = r.choice(["user", "assistant", "user", "assistant", "odd"])
        pick = r.random()
        content: Any = [self.block(role) for _ in range(r.randrange(4))]
        if pick > 0.93:
            content = r.choice([None, {"a": value(r)}, 5, [], text(r)])
        return {"role": role, "content": content}

    def block(self, role: str) -> Any:
        r, pick = self.r, self.r.random()
        if pick < 0.3:
            return {"text": text(r)}
        if pick < 0.5 and role == "assistant":
            self.number += 1
            new = r.choice(["tooluse_{}", "a.b:{}", "odd {}", "x" * 70 + "{}", "ünï{}"]).format(self.number)
            self.open.append(new)
            call = {"toolUseId": new, "name": r.choice(["look", "", "näme"]), "input": r.choice([{"a": value(r)}, {}, {"": 1}, "x", None])}
            return {"toolUse": {**call, **({"type": r.choice(["tool_use", "server_tool_use"])} if r.random() < 0.2 else {})}}
        if pick < 0.6 and role == "assistant":
            thought = r.choice([{"text": text(r), "signature": "c2ln"}, {"text": text(r)}])
            return {"reasoningContent": r.choice([{"reasoningText": thought}, {"redactedContent": "ZGF0YQ=="}, {}])}
        if pick < 0.8:
            return {"toolResult": self.result()}
        if pick < 0.9:
            return r.choice([
                {"image": {"format": "png", "source": {"bytes": PIXEL}}},
                {"document": {"name": "d", "format": r.choice(["pdf", "txt"]), "source": {"bytes": "aGk="}}},
                {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://a/b"}}}},
            ])  # fmt: skip
        return r.choice([
            {"guardContent": {"text": {"text": text(r), "qualifiers": ["query"]}}},
            {"citationsContent": {"content": [{"text": text(r)}, {"text": "b"}], "citations": [{"title": "t"}]}},
            {"cachePoint": {"type": "default"}}, {"brandNew": {"x": value(r)}}, {"text": 5}, "a string", None, {},
        ])  # fmt: skip

    def result(self) -> dict[str, Any]:
        r = self.r
        known = self.open and r.random() < 0.9
        made: dict[str, Any] = {"toolUseId": self.open.pop(0) if known else r.choice(["", "nobody", None])}
        parts = [
            {"text": text(r)}, {"json": {"a": value(r)}}, {"json": [1, "é"]}, {"image": {"format": "png", "source": {"bytes": PIXEL}}},
            {"document": {"name": "d", "format": "csv", "source": {"text": "a,b"}}}, {"odd": 1}, "bare",
        ]  # fmt: skip
        made["content"] = r.choice([[r.choice(parts) for _ in range(r.randrange(4))], [{"text": text(r)}], [], None, "a string"])
        if r.random() < 0.3:
            made["status"] = r.choice(["success", "error"])
        return made


def document(seed: int) -> dict[str, Any]:
    return Converse(random.Random(seed)).document()
