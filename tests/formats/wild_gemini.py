"""Random documents of Gemini's wire: requests, answers, both, bare lists, and what services put around them. The same seed gives the
same document."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.formats.wild import PIXEL, text, value

SHAPES = ("request", "wrapped", "answer", "wrapped answer", "both", "logged", "list", "one content", "chunks")


class Gemini:
    def __init__(self, seed: int) -> None:
        self.r = random.Random(f"gemini/{seed}")
        self.number = 0
        self.snake = self.r.random() < 0.3

    def key(self, camel: str, snake: str) -> str:
        return snake if self.snake else camel

    def signature(self) -> dict[str, Any]:
        r = self.r
        if r.random() < 0.6:
            return {}
        return {self.key("thoughtSignature", "thought_signature"): r.choice(["c2ln", "c2lnbg==", "", "no base64!", "YWI=YWI=", "gAAAAAbc"])}

    def ids(self) -> dict[str, Any]:
        self.number += 1
        pick = self.r.random()
        return {} if pick < 0.4 else {"id": self.r.choice([f"id{self.number}", f"id{max(1, self.number - 1)}", "", "ünï"])}

    def part(self, model: bool) -> Any:
        r, pick = self.r, self.r.random()
        if pick < 0.3:
            return {"text": text(r), **self.signature()}
        if pick < 0.5 and model:
            made = {**self.ids(), "name": r.choice(["read", "look", "näme"])}
            if r.random() < 0.9:
                made["args"] = r.choice([{"a": value(r)}, {}, {}, "x", None])
            return {self.key("functionCall", "function_call"): made, **self.signature()}
        if pick < 0.7:
            response = r.choice([{"output": text(r)}, {"result": value(r)}, {}, {"error": text(r)}, {"a": 1, "b": [2]}, "x", [1], None])
            made = {**self.ids(), "name": r.choice(["read", "look", ""]), "response": response}
            if r.random() < 0.2:
                made["parts"] = [{"inlineData": {"mimeType": "image/png", "data": PIXEL}}]
            if r.random() < 0.2:
                del made["name"]
            return {self.key("functionResponse", "function_response"): made}
        if pick < 0.76:
            return {"text": text(r), "thought": True, **self.signature()}
        if pick < 0.82:
            return {self.key("inlineData", "inline_data"): {self.key("mimeType", "mime_type"): "image/png", "data": PIXEL}}
        return r.choice(
            [
                {"fileData": {"fileUri": "gs://x/y.pdf", "mimeType": "application/pdf"}},
                {"executableCode": {"language": "PYTHON", "code": text(r)}},
                {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": text(r)}},
                {"toolCall": {"toolType": "GOOGLE_SEARCH", "args": {"q": text(r)}, "id": "s1"}, "thoughtSignature": "c2ln"},
                {"toolResponse": {"toolType": "GOOGLE_SEARCH", "response": {"x": 1}, "id": "s1"}},
                {}, {"text": None, "functionCall": {"name": "read", "args": {}}}, {"thoughtSignature": "c2ln"}, {"brandNew": value(r)},
                {"functionCall": "odd"}, "bare", 5, None, {"text": 7},
            ]
        )  # fmt: skip

    def content(self) -> Any:
        r = self.r
        if r.random() < 0.03:
            return r.choice(["a string", 7, None, [1]])
        role = r.choice(["user", "model", "user", "model", "user", "model", "function", "assistant", "system", None])
        parts: Any = [self.part(role in ("model", "assistant")) for _ in range(r.randrange(4))]
        pick = r.random()
        if pick < 0.06:
            parts = r.choice([None, {"text": text(r)}, "odd", []])
        made = {"role": role, "parts": parts} if r.random() < 0.7 else {"parts": parts, "role": role}
        if role is None and r.random() < 0.5:
            del made["role"]
        if pick > 0.97:
            del made["parts"]
        return made

    def request(self) -> dict[str, Any]:
        r = self.r
        made: dict[str, Any] = {}
        if r.random() < 0.5:
            texts = [{"text": text(r)} for _ in range(r.randrange(1, 3))]
            instruction = r.choice([{"parts": texts}, {"role": "system", "parts": texts}, {"parts": texts[0]}, text(r)])
            made[self.key("systemInstruction", "system_instruction")] = instruction
        if r.random() < 0.5:
            functions = [{"name": f"t{i}", "parameters": value(r)} for i in range(r.randrange(1, 3))]
            tool = {self.key("functionDeclarations", "function_declarations"): functions}
            made["tools"] = r.choice([[tool], [tool, {"googleSearch": {}}], [{"urlContext": {}}, {**tool, "codeExecution": {}}], tool])
        made["contents"] = [self.content() for _ in range(r.randrange(8))]
        if r.random() < 0.3:
            made["generationConfig"] = {"contents": [{"role": "user", "parts": []}], "v": value(r)}
        return made

    def answer(self) -> dict[str, Any]:
        r = self.r
        candidates: list[Any] = []
        for number in range(r.randrange(1, 3)):
            content: Any = {"parts": [self.part(True) for _ in range(r.randrange(1, 3))], "role": "model"}
            if r.random() < 0.2:
                del content["role"]
            candidates.append({"content": content, "finishReason": "STOP", "index": number})
        if r.random() < 0.1:
            candidates.append({"finishReason": "SAFETY"})
        return {"candidates": candidates, "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 3}, "modelVersion": "gemini-x"}

    def document(self) -> tuple[str, Any]:
        r = self.r
        shape = r.choice(SHAPES)
        if shape == "request":
            return shape, {**({"model": "gemini-2.5-flash"} if r.random() < 0.5 else {}), **self.request()}
        if shape == "wrapped":
            return shape, {"model": "gemini-3-pro", "project": "p", "request": self.request(), "userAgent": "x"}
        if shape == "answer":
            return shape, self.answer()
        if shape == "wrapped answer":
            return shape, {"response": self.answer(), "traceId": "t"}
        if shape == "both":
            return shape, {**self.request(), **self.answer()}
        if shape == "logged":
            made = {"at": 1, "request": {"url": "u", "body": self.request()}, "response": {"status": 200, "body": self.answer()}}
            return shape, made if r.random() < 0.5 else dict(reversed(made.items()))
        if shape == "list":
            return shape, [self.content() for _ in range(r.randrange(1, 8))]
        if shape == "one content":
            return shape, {**self.request(), "contents": {"role": "user", "parts": [self.part(False)]}}
        events = [{"candidates": [{"content": {"parts": [self.part(True)], "role": "model"}}]} for _ in range(r.randrange(1, 4))]
        stream = "".join(f"data: {json.dumps({'response': event})}\r\n\r\n" for event in events)
        cut = r.randrange(len(stream))
        return shape, {"request": self.request(), "chunks": [stream[:cut], stream[cut:]]}


def document(seed: int) -> tuple[str, Any]:
    """The shape of a document and its value."""
    return Gemini(seed).document()
