"""Answers built from the events of a stream, one class a wire."""

from __future__ import annotations

from typing import Any, Final, Protocol

from app.formats._gemini_stream import stream_parts
from app.formats._json import NotJson, compact, loads


class Building(Protocol):
    """An answer while its events come in."""

    def begins(self, event: dict[str, Any]) -> bool:
        """Whether an event of its kind begins another answer."""
        ...

    def add(self, event: dict[str, Any]) -> None: ...

    def done(self) -> dict[str, Any]: ...


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any, other: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else other


class _Texts:
    """Texts that come in pieces, joined once: a text that is written anew with each piece costs the square of them."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[int, str], tuple[dict[str, Any], list[str]]] = {}

    def add(self, held: dict[str, Any], key: str, piece: str) -> None:
        """A piece of a member, which stands where the first of it comes; what is no text there gives way."""
        found = self._pieces.get((id(held), key))
        if found is None:
            before = held.get(key)
            held[key] = before if isinstance(before, str) else ""
            found = self._pieces[id(held), key] = held, [held[key]]
        found[1].append(piece)

    def settle(self) -> None:
        for (_, key), (held, pieces) in self._pieces.items():
            held[key] = "".join(pieces)
        self._pieces.clear()

    def put(self, held: dict[str, Any], key: str, value: Any) -> None:
        """Something else in place of the pieces so far."""
        self._pieces.pop((id(held), key), None)
        held[key] = value


_SAID: Final = ("text", "thinking", "signature", "data")


class Anthropic:
    """`message_start` to `message_stop`."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, list[str]] = {}
        self._texts = _Texts()
        self._error: Any = None

    def begins(self, event: dict[str, Any]) -> bool:
        return event.get("type") == "message_start" and bool(self._message or self._blocks)

    def add(self, event: dict[str, Any]) -> None:
        word = event.get("type")
        index = _number(event.get("index"), len(self._blocks) - 1)
        if word == "message_start":
            self._message = dict(_dict(event.get("message")))
        elif word == "content_block_start":
            self._blocks[_number(event.get("index"), len(self._blocks))] = dict(_dict(event.get("content_block")))
        elif word == "content_block_delta":
            self._delta(index, _dict(event.get("delta")))
        elif word == "message_delta":
            self._message.update(_dict(event.get("delta")))
            self._message["usage"] = {**_dict(self._message.get("usage")), **_dict(event.get("usage"))}
        elif word == "error":
            self._error = event.get("error")

    def _delta(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        for key in _SAID:
            text = delta.get(key)
            if isinstance(text, str):
                self._texts.add(block, key, text)
        if isinstance(delta.get("partial_json"), str):
            self._inputs.setdefault(index, []).append(delta["partial_json"])
        if isinstance(delta.get("citation"), dict):
            held = block.get("citations")
            block["citations"] = [*(held if isinstance(held, list) else []), delta["citation"]]
        if delta.get("type") == "compaction_delta" and isinstance(delta.get("content"), str):
            block["content"] = (block["content"] if isinstance(block.get("content"), str) else "") + delta["content"]

    def done(self) -> dict[str, Any]:
        self._texts.settle()
        for index, pieces in self._inputs.items():
            text = "".join(pieces)
            if text:
                self._blocks[index]["input"] = _object_or_text(text)
        content = [self._blocks[index] for index in sorted(self._blocks)]
        out = {"type": "message", "role": "assistant", **self._message, "content": content}
        return {**out, "error": self._error} if self._error is not None else out


def _object_or_text(text: str) -> Any:
    """Arguments as they came together; a text that was cut off stays one, so that it can be seen."""
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return text


class Chat:
    """Chunks of one `id`."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._messages: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, list[dict[str, Any]]] = {}
        self._slots: dict[tuple[int, int], int] = {}
        self._ends: dict[int, Any] = {}
        self._texts = _Texts()
        self._error: Any = None

    def begins(self, event: dict[str, Any]) -> bool:
        old, new = self._head.get("id"), event.get("id")
        return isinstance(old, str) and isinstance(new, str) and bool(old and new) and old != new

    def add(self, event: dict[str, Any]) -> None:
        for key in ("id", "model", "created", "usage", "system_fingerprint"):
            if event.get(key):
                self._head[key] = event[key]
        if event.get("error") is not None:
            self._error = event["error"]
        choices = event.get("choices")
        for place, choice in enumerate(choices if isinstance(choices, list) else ()):
            held = _dict(choice)
            index = _number(held.get("index"), place)
            self._delta(index, _dict(held.get("delta")))
            if held.get("finish_reason") is not None:
                self._ends[index] = held["finish_reason"]

    def _delta(self, index: int, delta: dict[str, Any]) -> None:
        message = self._messages.setdefault(index, {"role": "assistant", "content": None})
        if isinstance(delta.get("role"), str) and delta["role"]:
            message["role"] = delta["role"]
        for key in ("content", "refusal", "reasoning_content", "reasoning"):
            if isinstance(delta.get(key), str) and (delta[key] or message.get(key) is None):
                self._texts.add(message, key, delta[key])
        if isinstance(delta.get("reasoning_details"), list) and delta["reasoning_details"]:
            message["reasoning_details"] = [*message.get("reasoning_details", []), *delta["reasoning_details"]]
        legacy = delta.get("function_call")
        if isinstance(legacy, dict):
            self._append(message.setdefault("function_call", {}), legacy)
        entries = delta.get("tool_calls")
        for place, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict):
                self._call(index, _number(entry.get("index"), place), entry)

    def _call(self, choice: int, slot: int, entry: dict[str, Any]) -> None:
        """A piece of a call. A further id in a slot is a further call: some hosts number all of them 0."""
        calls = self._calls.setdefault(choice, [])
        at = self._slots.get((choice, slot))
        id = entry.get("id")
        if at is None or (id and calls[at].get("id") and calls[at]["id"] != id):
            at = self._slots[choice, slot] = len(calls)
            calls.append({"id": None, "type": "function"})
        call = calls[at]
        if id:
            call["id"] = id
        if isinstance(entry.get("type"), str) and entry["type"]:
            call["type"] = entry["type"]
        for key in ("function", "custom"):
            if isinstance(entry.get(key), dict):
                self._append(call.setdefault(key, {}), entry[key])

    def _append(self, held: dict[str, Any], piece: dict[str, Any]) -> None:
        """A piece of a function: its name comes whole, its arguments grow."""
        if isinstance(piece.get("name"), str) and piece["name"]:
            held["name"] = piece["name"]
        for key in ("arguments", "input"):
            if isinstance(piece.get(key), str):
                self._texts.add(held, key, piece[key])
            elif piece.get(key) is not None:
                self._texts.put(held, key, compact(piece[key]))

    def done(self) -> dict[str, Any]:
        self._texts.settle()
        choices = []
        for index in sorted(self._messages):
            message = self._messages[index]
            calls = self._calls.get(index)
            if message.get("refusal") == "":
                message.pop("refusal")
            if calls:
                message["tool_calls"] = calls
                message["content"] = message["content"] or None
            choices.append({"index": index, "message": message, "finish_reason": self._ends.get(index)})
        out = {"object": "chat.completion", **self._head, "choices": choices}
        return {**out, "error": self._error} if self._error is not None else out


class Responses:
    """`response.created` to `response.completed`."""

    def __init__(self) -> None:
        self._own: dict[int, Any] = {}
        self._response: dict[str, Any] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._texts = _Texts()
        self._error: Any = None

    def begins(self, event: dict[str, Any]) -> bool:
        return event.get("type") == "response.created" and bool(self._response or self._items)

    def add(self, event: dict[str, Any]) -> None:
        word = event.get("type")
        if isinstance(event.get("response"), dict):
            self._response = event["response"]
        index = _number(event.get("output_index"), len(self._items) - 1)
        if word == "response.output_item.added" and isinstance(event.get("item"), dict):
            self._items[_number(event.get("output_index"), len(self._items))] = dict(event["item"])
        elif word == "response.output_item.done" and isinstance(event.get("item"), dict):
            self._items[_number(event.get("output_index"), max(0, len(self._items) - 1))] = event["item"]
        elif word in ("error", "response.error"):
            self._error = event.get("error", {key: event[key] for key in ("code", "message", "param") if key in event})
        elif isinstance(event.get("delta"), str) and isinstance(word, str):
            self._delta(index, word, event)

    def _delta(self, index: int, word: str, event: dict[str, Any]) -> None:
        """What a stream that was cut off has said of an item that is not done."""
        item = self._items.setdefault(index, {"type": "message", "role": "assistant", "content": []})
        delta = event["delta"]
        if word in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            key = "input" if "custom" in word else "arguments"
            self._texts.add(item, key, delta)
        elif word in ("response.output_text.delta", "response.refusal.delta"):
            kind = "refusal" if "refusal" in word else "output_text"
            content = item["content"] = self._mine(item.get("content"), list)
            place = _number(event.get("content_index"), 0)
            if place < len(content) and isinstance(content[place], dict):
                key = "refusal" if kind == "refusal" else "text"
                content[place] = self._mine(content[place], dict)
                self._texts.add(content[place], key, delta)
            else:
                content.append({"type": kind, "refusal" if kind == "refusal" else "text": delta})

    def _mine(self, value: Any, kind: type[Any]) -> Any:
        """A copy of what an event holds, made once; empty where it holds none."""
        if id(value) in self._own:
            return value
        made = kind(value) if isinstance(value, kind) else kind()
        self._own[id(made)] = made
        return made

    def done(self) -> dict[str, Any]:
        self._texts.settle()
        output = [self._items[index] for index in sorted(self._items)] or self._response.get("output")
        out = {"object": "response", **self._response, "output": output if isinstance(output, list) else []}
        return {**out, "error": self._error} if self._error is not None else out


class Gemini:
    """Chunks of one `responseId`; those without belong together."""

    def __init__(self) -> None:
        self._chunks: list[dict[str, Any]] = []

    def begins(self, event: dict[str, Any]) -> bool:
        old = self._chunks[-1].get("responseId") if self._chunks else None
        new = event.get("responseId")
        return isinstance(old, str) and isinstance(new, str) and old != new

    def add(self, event: dict[str, Any]) -> None:
        self._chunks.append(event)

    def done(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for chunk in self._chunks:
            out |= {key: value for key, value in chunk.items() if key != "candidates"}
        parts = stream_parts(self._chunks)
        lists = [chunk.get("candidates") for chunk in self._chunks]
        firsts = [_dict(held[0]) for held in lists if isinstance(held, list) and held]
        end = next((first["finishReason"] for first in reversed(firsts) if "finishReason" in first), None)
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": end}
        return {**out, "candidates": [candidate] if parts else []}


class Bedrock:
    """`messageStart` to `metadata`."""

    def __init__(self) -> None:
        self._role = "assistant"
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, list[str]] = {}
        self._texts = _Texts()
        self._rest: dict[str, Any] = {}

    def begins(self, event: dict[str, Any]) -> bool:
        return "messageStart" in event and bool(self._blocks)

    def add(self, event: dict[str, Any]) -> None:
        for word, held in event.items():
            value = _dict(held)
            index = _number(value.get("contentBlockIndex"), 0)
            if word == "messageStart" and isinstance(value.get("role"), str):
                self._role = value["role"]
            elif word == "contentBlockStart":
                self._blocks[index] = {key: dict(_dict(start)) for key, start in _dict(value.get("start")).items()}
            elif word == "contentBlockDelta":
                self._delta(index, _dict(value.get("delta")))
            elif word == "messageStop":
                self._rest["stopReason"] = value.get("stopReason")
            elif word == "metadata":
                self._rest |= {key: value[key] for key in ("usage", "metrics") if key in value}
            elif word == "error" and held is not None:
                self._rest["error"] = held

    def _delta(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks.setdefault(index, {})
        if isinstance(delta.get("text"), str):
            self._texts.add(block, "text", delta["text"])
        used = delta.get("toolUse")
        if isinstance(used, dict) and isinstance(used.get("input"), str):
            self._inputs.setdefault(index, []).append(used["input"])
        thought = delta.get("reasoningContent")
        if isinstance(thought, dict):
            held = block.setdefault("reasoningContent", {})
            if "redactedContent" in thought:
                held["redactedContent"] = thought["redactedContent"]
            inner = held.setdefault("reasoningText", {}) if "text" in thought or "signature" in thought else {}
            for key in ("text", "signature"):
                if isinstance(thought.get(key), str):
                    self._texts.add(inner, key, thought[key])

    def done(self) -> dict[str, Any]:
        self._texts.settle()
        for index, pieces in self._inputs.items():
            text = "".join(pieces)
            used = self._blocks[index].setdefault("toolUse", {})
            used["input"] = _object_or_text(text) if text else {}
        content = [self._blocks[index] for index in sorted(self._blocks)]
        for block in content:
            if "toolUse" in block:
                block["toolUse"].setdefault("input", {})
        return {"output": {"message": {"role": self._role, "content": content}}, **self._rest}


class Ollama:
    """Lines up to `done: true`."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {"role": "assistant", "content": ""}
        self._texts = _Texts()
        self._last: dict[str, Any] = {}

    def begins(self, event: dict[str, Any]) -> bool:
        return self._last.get("done") is True

    def add(self, event: dict[str, Any]) -> None:
        self._last = event
        message = _dict(event.get("message"))
        if isinstance(message.get("content"), str):
            self._texts.add(self._message, "content", message["content"])
        if isinstance(message.get("thinking"), str):
            self._texts.add(self._message, "reasoning", message["thinking"])
        if isinstance(message.get("tool_calls"), list):
            self._message["tool_calls"] = [*self._message.get("tool_calls", []), *message["tool_calls"]]

    def done(self) -> dict[str, Any]:
        self._texts.settle()
        return {**self._last, "choices": [{"index": 0, "message": self._message}]}
