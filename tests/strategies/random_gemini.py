"""Random requests of Gemini's wire, clean and damaged, for laws that must hold of every plan. The same seed gives the same request."""

from __future__ import annotations

import random
from typing import Any

from tests.strategies.random_requests import PIXEL, words

Content = dict[str, Any]


def request(seed: int, exchanges: int = 4, damages: int = 0) -> dict[str, Any]:
    """A request of so many exchanges after so many accidents."""
    return _Gemini(random.Random(f"{seed}/gemini")).request(exchanges, damages)


class _Gemini:
    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.number = 0
        self.with_ids = r.choice([0.0, 0.5, 1.0])
        self.snake = r.random() < 0.3

    def request(self, exchanges: int, damages: int) -> dict[str, Any]:
        r = self.r
        body: dict[str, Any] = {"model": r.choice(["gemini-3-pro-preview", "gemini-2.5-flash"])}
        if r.random() < 0.5:
            body["systemInstruction"] = {"parts": [{"text": words(r, 20)}]}
        if r.random() < 0.5:
            body["tools"] = [{"functionDeclarations": [{"name": "read"}, {"name": "post"}]}]
        contents: list[Content] = []
        if r.random() < 0.2:
            contents.append({"role": "model", "parts": [{"text": words(r, 8)}]})
        for _ in range(exchanges):
            contents += self.exchange()
        if r.random() < 0.5:
            contents.append({"role": "user", "parts": [{"text": words(r, 8)}]})
        for _ in range(damages):
            self.damage(contents)
        return {**body, "contents": contents}

    def exchange(self) -> list[Content]:
        r = self.r
        prompt: list[Any] = [{"text": words(r, 30)}]
        if r.random() < 0.1:
            prompt.append({"inlineData": {"mimeType": "image/png", "data": PIXEL}})
        found: list[Content] = [{"role": "user", "parts": prompt}]
        for _ in range(r.randint(0, 4)):
            found += self.step()
            if r.random() < 0.1:
                found.append({"role": "user", "parts": [{"text": "note: " + words(r, 5)}]})
        if r.random() < 0.7:
            found.append({"role": "model", "parts": [{"text": words(r, 40)}]})
        return found

    def step(self) -> list[Content]:
        r = self.r
        calls = [self.call(number == 0) for number in range(r.choice([1, 1, 2, 3]))]
        results = [self.result(call) for call in calls]
        spoken: list[Any] = [{"text": words(r, 12), "thought": True}] if r.random() < 0.3 else []
        spoken += [{"text": words(r, 10)}] if r.random() < 0.3 else []
        if len(calls) > 1 and r.random() < 0.15:  # one response in two contents
            calls[1]["thoughtSignature"] = "c2ln"
            models = [{"role": "model", "parts": [*spoken, calls[0]]}, {"role": "model", "parts": calls[1:]}]
        else:
            models = [{"role": "model", "parts": [*spoken, *calls]}]
        if r.random() < 0.1:
            results.append({"text": words(r, 6)})
        return [*models, {"role": "user", "parts": results}]

    def call(self, first: bool) -> dict[str, Any]:
        r = self.r
        self.number += 1
        inner: dict[str, Any] = {"name": r.choice(["read", "post"]), "args": {"q": words(r, 6)}}
        if r.random() < self.with_ids:
            inner["id"] = f"id_{self.number}"
        made = {"function_call" if self.snake else "functionCall": inner}
        if first:
            made["thought_signature" if self.snake else "thoughtSignature"] = "c2ln"
        return made

    def result(self, call: dict[str, Any]) -> dict[str, Any]:
        r = self.r
        asked = call["function_call" if self.snake else "functionCall"]
        rows = {"rows": [words(r, 30)], "n": 1}
        response = r.choice([{"output": words(r, 120)}, {"result": words(r, 400)}, rows, {"error": words(r, 9)}])
        inner: dict[str, Any] = {"name": asked["name"], "response": response}
        if "id" in asked and r.random() < 0.9:
            inner["id"] = asked["id"]
        return {"function_response" if self.snake else "functionResponse": inner}

    def damage(self, contents: list[Content]) -> None:
        """One accident."""
        r = self.r
        if not contents:
            return
        at = r.randrange(len(contents))
        parts = contents[at]["parts"]
        accident = r.choice(["drop", "drop part", "double", "double part", "swap", "move", "cut", "empty", "role"])
        if accident == "drop" and len(contents) > 1:
            del contents[at]
        elif accident == "drop part" and parts:
            del parts[r.randrange(len(parts))]
        elif accident == "double":
            contents.insert(at, {**contents[at], "parts": list(parts)})
        elif accident == "double part" and parts:
            parts.append(r.choice(parts))
        elif accident == "swap" and at:
            contents[at - 1], contents[at] = contents[at], contents[at - 1]
        elif accident == "move":
            contents.insert(r.randrange(len(contents)), contents.pop(at))
        elif accident == "cut" and len(parts) > 1:
            contents[at : at + 1] = [{**contents[at], "parts": parts[:1]}, {**contents[at], "parts": parts[1:]}]
        elif accident == "empty":
            parts.insert(r.randrange(len(parts) + 1), {})
        else:
            contents[at]["role"] = r.choice(["function", "user", "model"])
