"""Random requests of OpenAI's Responses, clean and damaged: reasoning in front of what it led to, with the server's ids or without."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Item = dict[str, Any]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="


class Responses:
    """`words(most)` gives so many words at most; `accident` does something to whole items."""

    def __init__(self, r: random.Random, words: Callable[[random.Random, int], str], accident: Callable[[list[Item]], None]) -> None:
        self.r, self.words, self.accident = r, words, accident
        self.number = 0
        self.ids = r.random() < 0.6
        self.thinks = r.random() < 0.6
        self.sealed = r.random() < 0.6
        self.stored = (self.thinks and not self.sealed) or r.random() < 0.5

    def chance(self, share: float) -> bool:
        return self.r.random() < share

    def own(self, prefix: str) -> Item:
        self.number += 1
        return {"id": f"{prefix}_{self.number:03d}"} if self.ids else {}

    def request(self, exchanges: int) -> Item:
        r = self.r
        items: list[Item] = []
        if self.chance(0.3):
            items.append({"role": r.choice(["system", "developer"]), "content": self.words(r, 20)})
        if self.chance(0.2):
            items.append({"type": "compaction", **self.own("cmp"), "encrypted_content": "gAAAAA"})
        for number in range(exchanges):
            items.append(self._prompt())
            for _ in range(r.choice([0, 1, 1, 2, 4])):
                items += self._step()
            if number + 1 < exchanges or self.chance(0.6):
                items += self._thought()
                items.append(self._said())
        if self.chance(0.4):
            items.append(self._prompt())
        body: Item = {"model": r.choice(["gpt-5", "gpt-4.1"]), "store": self.stored, "input": items}
        if self.chance(0.5):
            body["instructions"] = self.words(r, 20)
        if self.chance(0.5):
            body["tools"] = [{"type": "function", "name": "look", "description": self.words(r, 9), "parameters": {}}]
        return body

    def _prompt(self) -> Item:
        text = self.words(self.r, 12)
        return {"role": "user", "content": text if self.chance(0.5) else [{"type": "input_text", "text": text}]}

    def _said(self) -> Item:
        text = {"type": "output_text", "text": self.words(self.r, 20), "annotations": []}
        return {"type": "message", "role": "assistant", **self.own("msg"), "content": [text]}

    def _thought(self) -> list[Item]:
        if not self.thinks or self.chance(0.2):
            return []
        item: Item = {"type": "reasoning", **self.own("rs"), "summary": [{"type": "summary_text", "text": self.words(self.r, 30)}]}
        return [{**item, "encrypted_content": "gAAAAAc2VhbGVk"} if self.sealed else item]

    def _step(self) -> list[Item]:
        r = self.r
        calls: list[Item] = []
        outputs: list[Item] = []
        for _ in range(r.choice([1, 1, 2, 3])):
            self.number += 1
            call_id, word = f"call_{self.number:03d}", r.choice(["function_call", "function_call", "custom_tool_call", "shell_call"])
            arguments = json.dumps({"q": self.words(r, 6)}, ensure_ascii=False)
            call: Item = {"type": word, **self.own({"function_call": "fc", "custom_tool_call": "ctc"}.get(word, "sh")), "call_id": call_id}
            if word == "shell_call":
                calls.append({**call, "action": {"commands": [self.words(r, 5)]}})
            else:
                calls.append({**call, "name": "look", "arguments" if word == "function_call" else "input": arguments})
            outputs.append({"type": f"{word}_output", "call_id": call_id, "output": self._output(word)})
        spoken = [self._said()] if self.chance(0.2) else []
        hosted: list[Item] = []
        if self.chance(0.15):
            hosted.append({"type": "web_search_call", "id": f"ws_{self.number:03d}", "action": {"query": self.words(r, 4)}})
        head = [*self._thought(), *hosted, *spoken]
        if self.chance(0.3):
            return [*head, *(item for pair in zip(calls, outputs, strict=True) for item in pair)]
        r.shuffle(outputs)
        note = [{"role": "developer", "content": self.words(r, 6)}] if self.chance(0.1) else []
        return [*head, *calls, *outputs, *note]

    def _output(self, word: str) -> Any:
        r = self.r
        text = r.choice([self.words(r, 60), "\n".join(self.words(r, 12) for _ in range(40)), ""])
        if word == "shell_call":
            return [{"stdout": text, "stderr": self.words(r, 3), "outcome": {"type": "exit", "exit_code": 0}}]
        parts = [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}]
        return text if self.chance(0.7) else parts[: r.choice([1, 2])]

    def damage(self, items: list[Item]) -> None:
        r = self.r
        outputs = [item for item in items if str(item.get("type")).endswith("_output")]
        named = [item for item in items if "id" in item]
        act = r.choice(["item", "item", "rename", "reuse", "no id", "same id"])
        if act in ("rename", "reuse") and outputs:
            r.choice(outputs)["call_id"] = "call_003" if act == "reuse" else "call_xyz"
        elif act == "no id" and named:
            del r.choice(named)["id"]
        elif act == "same id" and named:
            r.choice(named)["id"] = r.choice(named)["id"]
        else:
            self.accident(items)
