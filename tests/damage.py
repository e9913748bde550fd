"""Random requests that nobody refuses, and single damages to them: a block or a message dropped, doubled, swapped, moved or retyped.

All is drawn from a `random.Random`, so that a seed gives the same request again.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

Messages = list[dict[str, Any]]

SIGNATURE = "c2lnbmF0dXJl"
PIXEL = "iVBORw0KGgo="
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
TOOLS = ("look", "send_mail", "delete_row")
TYPES = (
    "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "server_tool_use", "web_search_tool_result", "image", "input_text",
    "image_url", "hologram", "compaction",
)  # fmt: skip
PART_TYPES = ("text", "image_url", "input_text", "image", "tool_use", "hologram", "input_audio")
ROLES = ("user", "assistant", "system", "tool", "developer", "human", None)
OPENAI_ROLES = ("user", "assistant", "system", "developer", "tool", "human", None)
ACTS = ("drop", "duplicate", "swap", "move", "retype")


# -- requests that nobody refuses -------------------------------------------------------------------------------------------------------


def request(rng: Random, wire: str) -> dict[str, Any]:
    return _Anthropic(rng).request() if wire == "anthropic" else _OpenAI(rng).request()


class _Anthropic:
    def __init__(self, rng: Random) -> None:
        self.rng, self.number = rng, 0
        self.model = rng.choice(["claude-sonnet-4-5", "claude-sonnet-4-5", "claude-opus-4-6", "claude-sonnet-5", None])
        self.thinks = rng.random() < 0.4
        self.marks = rng.choice([0, 0, 0, 2, 4])

    def request(self) -> dict[str, Any]:
        rng = self.rng
        messages: Messages = []
        for _ in range(rng.randint(1, 3)):
            messages += self.prompt()
            for _ in range(rng.randint(0, 3)):
                messages += self.step()
            messages.append(self.said([*self.thoughts(), self.text("done")]))
        newer = self.model in ("claude-opus-4-6", "claude-sonnet-5")
        if newer or rng.random() < 0.7 or not self.thinks:
            messages += self.prompt()
            if rng.random() < 0.3:
                messages += self.step(last=True)
        made: dict[str, Any] = {"max_tokens": 64, "messages": messages, "tools": [{"name": name} for name in TOOLS] + [SEARCH]}
        if self.model is not None:
            made["model"] = self.model
        if self.thinks:
            made["thinking"] = {"type": "enabled", "budget_tokens": 1024}
        return made

    def text(self, words: str) -> dict[str, Any]:
        self.number += 1
        block: dict[str, Any] = {"type": "text", "text": f"{words} {self.number}"}
        if self.marks and self.rng.random() < 0.3:
            self.marks -= 1
            block["cache_control"] = {"type": "ephemeral"}
        return block

    def prompt(self) -> Messages:
        rng = self.rng
        if rng.random() < 0.4:
            self.number += 1
            return [{"role": "user", "content": f"question {self.number}"}]
        blocks = [self.text("question")]
        if rng.random() < 0.3:
            blocks.append({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}})
        return [{"role": "user", "content": blocks}]

    def thoughts(self) -> list[dict[str, Any]]:
        if not self.thinks:
            return []
        found = [{"type": "thinking", "thinking": "hm", "signature": SIGNATURE}]
        return found + ([{"type": "redacted_thinking", "data": "x"}] if self.rng.random() < 0.2 else [])

    def said(self, blocks: list[dict[str, Any]]) -> dict[str, Any]:
        return {"role": "assistant", "content": blocks}

    def step(self, last: bool = False) -> Messages:
        rng = self.rng
        blocks = self.thoughts()
        if rng.random() < 0.5:
            blocks.append(self.text("looking"))
        if rng.random() < 0.25:
            blocks += self.search(answered=not last or rng.random() < 0.5)
        ids = []
        for _ in range(rng.randint(1, 3)):
            self.number += 1
            ids.append(f"toolu_{self.number}")
            blocks.append({"type": "tool_use", "id": ids[-1], "name": rng.choice(TOOLS), "input": {"q": rng.randint(0, 3)}})
        results = [self.result(call_id) for call_id in rng.sample(ids, len(ids))]
        served = any(block["type"] == "server_tool_use" for block in blocks) and not any(b["type"].endswith("_tool_result") for b in blocks)
        more = [self.text("by the way")] if rng.random() < 0.2 and not served else []
        if rng.random() < 0.6:
            return [self.said(blocks), {"role": "user", "content": results + more}]
        return [self.said(blocks), *({"role": "user", "content": [block]} for block in results + more)]

    def search(self, answered: bool) -> list[dict[str, Any]]:
        self.number += 1
        call = {"type": "server_tool_use", "id": f"srvtoolu_{self.number}", "name": "web_search", "input": {"query": "x"}}
        return [call] + ([{"type": "web_search_tool_result", "tool_use_id": call["id"], "content": []}] if answered else [])

    def result(self, call_id: str) -> dict[str, Any]:
        rng = self.rng
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id}
        self.number += 1
        kind = rng.random()
        if kind < 0.5:
            block["content"] = f"found {self.number}"
        elif kind < 0.8:
            block["content"] = [{"type": "text", "text": f"found {self.number}"}]
        elif kind < 0.9:
            image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
            block["content"] = [{"type": "text", "text": "shot"}, image]
        if "image" not in str(block.get("content")) and rng.random() < 0.2:
            block["is_error"] = True
        return block


class _OpenAI:
    def __init__(self, rng: Random) -> None:
        self.rng, self.number = rng, 0

    def request(self) -> dict[str, Any]:
        rng = self.rng
        messages: Messages = [{"role": rng.choice(["system", "developer"]), "content": "be brief"}] if rng.random() < 0.5 else []
        for _ in range(rng.randint(1, 3)):
            messages.append(self.prompt())
            for _ in range(rng.randint(0, 3)):
                messages += self.step()
            if rng.random() < 0.8:
                messages.append({"role": "assistant", "content": f"done {self.count()}"})
        if rng.random() < 0.5:
            messages.append(self.prompt())
        made: dict[str, Any] = {"messages": messages}
        if rng.random() < 0.7:
            made["model"] = rng.choice(["gpt-5-mini", "gpt-4.1", "gpt-4o-audio-preview"])
        return made

    def count(self) -> int:
        self.number += 1
        return self.number

    def prompt(self) -> dict[str, Any]:
        if self.rng.random() < 0.6:
            return {"role": "user", "content": f"question {self.count()}"}
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
        parts = [{"type": "text", "text": f"question {self.count()}"}, image]
        return {"role": "user", "content": parts if self.rng.random() < 0.5 else parts[:1]}

    def step(self) -> Messages:
        rng = self.rng
        ids = [f"call_{self.count()}" for _ in range(rng.randint(1, 3))]
        calls = [
            {"id": i, "type": "function", "function": {"name": rng.choice(TOOLS), "arguments": f'{{"q": {rng.randint(0, 3)}}}'}}
            for i in ids
        ]
        said: dict[str, Any] = {"role": "assistant", "content": rng.choice([None, "", "looking"]), "tool_calls": calls}
        if rng.random() < 0.1:
            said["reasoning_content"] = "hm"
        return [said, *({"role": "tool", "tool_call_id": i, "content": f"found {self.count()}"} for i in rng.sample(ids, len(ids)))]


# -- single damages -----------------------------------------------------------------------------------------------------------------------


def damaged(rng: Random, made: dict[str, Any], wire: str) -> tuple[dict[str, Any], str]:
    """A copy with one damage, and that damage in words."""
    made = copy.deepcopy(made)
    messages: Messages = made["messages"]
    act = rng.choice(ACTS)
    places = _places(messages, wire)
    if rng.random() < 0.3 or not places:
        at = rng.randrange(len(messages))
        return made, f"{act} message {at}: {_on_list(rng, messages, at, act, wire)}"
    number, key, index = rng.choice(places)
    held = messages[number][key]
    words = f"{act} {number}/{key}/{index}"
    if act == "retype":
        return made, f"{words}: {_retype(rng, held[index], key, wire)}"
    if act == "move":
        block = held.pop(index)
        to, other, _ = rng.choice([place for place in places if place[1] == key])
        target = messages[to][other]
        target.insert(rng.randint(0, len(target)), block)
        _tidy(messages[number], key)
        return made, f"{words} to {to}"
    told = _on_list(rng, held, index, act, wire)
    _tidy(messages[number], key)
    return made, f"{words}: {told}"


def _places(messages: Messages, wire: str) -> list[tuple[int, str, int]]:
    """Blocks: message, the list that holds it, and where."""
    keys = ("content",) if wire == "anthropic" else ("content", "tool_calls")
    return [
        (number, key, index)
        for number, message in enumerate(messages)
        for key in keys
        for index in range(len(message[key]) if isinstance(message.get(key), list) else 0)
    ]


def _on_list(rng: Random, held: list[Any], at: int, act: str, wire: str) -> str:
    other = rng.randrange(len(held))
    if act == "drop":
        del held[at]
    elif act == "duplicate":
        held.insert(at, copy.deepcopy(held[at]))
    elif act == "swap":
        held[at], held[other] = held[other], held[at]
    elif act == "move":
        held.insert(other, held.pop(at))
    else:
        role = rng.choice(ROLES if wire == "anthropic" else OPENAI_ROLES)
        held[at]["role"] = role
        if role is None:
            del held[at]["role"]
        return f"role {role}"
    return f"{other}"


def _retype(rng: Random, block: Any, key: str, wire: str) -> str:
    if key == "tool_calls":
        word = rng.choice(["function", "custom"])
    else:
        word = rng.choice(TYPES if wire == "anthropic" else PART_TYPES)
    block["type"] = word
    return word


def _tidy(message: dict[str, Any], key: str) -> None:
    """A list of calls that is empty is often left out."""
    if key == "tool_calls" and not message[key]:
        del message[key]
