"""What two providers say of single blocks and of the whole request, written down a second time: plain values, one after the other.

It shares no line with the product and is slow on purpose; pairs of calls and results are `tests/slow_checker.py`. `blocks(request, wire,
model, mode)` gives the set of (rule, pointer) of errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.slow_chat import chat
from tests.slow_request import declared, is_request, marks, members, unknown_references

Found = set[tuple[str, str]]

KNOWN = {"container_upload", "search_result", "tool_addition", "compaction", "fallback", "tool_reference", "mid_conv_system"}
FOREIGN = {
    "input_text", "output_text", "summary_text", "reasoning_text", "image_url", "input_image", "input_file", "input_audio", "file",
    "refusal", "tool_call", "tool-call", "tool-result", "function_call", "function_call_output", "toolCall", "toolUse", "toolResult",
    "functionCall", "functionResponse", "reasoning",
}  # fmt: skip
STRANGE = {"tool_calls", "tool_call_id", "function_call", "reasoning_content", "refusal", "parsed_output"}
ROLES = {"user", "assistant", "system"}


def blocks(request: dict[str, Any], wire: str, model: str | None = None, mode: str = "complete") -> Found:
    if wire == "anthropic":
        return _Anthropic(request, model if model is not None else request.get("model"), mode).run()
    return chat(request, model if model is not None else request.get("model"), mode)


@dataclass
class _Part:
    """A block where it stands; a message without blocks has one whose kind is `empty`."""

    kind: str
    pointer: str
    message: int
    value: Any = None
    id: Any = None
    shape: str = "list"  # of the message's content: list, text, null, none, odd


@dataclass
class _Turn:
    role: str
    parts: list[_Part] = field(default_factory=list)

    def of(self, *kinds: str) -> list[_Part]:
        return [part for part in self.parts if part.kind in kinds]

    def solid(self) -> list[_Part]:
        return [part for part in self.parts if part.kind != "empty"]


def _newer(model: str | None) -> bool:
    """Whether a model takes no beginning of an answer: Claude 4.6 and newer."""
    found = re.search(r"claude-[a-z]+-(\d+)(?:[-.](\d{1,2}))?(?!\d)", model or "")
    return found is not None and (int(found[1]), int(found[2] or 0)) >= (4, 6)


def _kind(block: Any) -> str:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return "odd"
    word = block["type"]
    if word == "text":
        return "text" if isinstance(block.get("text"), str) else "odd"
    if word == "thinking":
        return "thinking" if isinstance(block.get("thinking"), str) else "odd"
    named = {
        "redacted_thinking": "redacted", "tool_use": "call", "server_tool_use": "served", "mcp_tool_use": "served",
        "tool_result": "result", "image": "media", "document": "media",
    }  # fmt: skip
    return named.get(word, "found" if word.endswith("_tool_result") else "other")


class _Anthropic:
    def __init__(self, request: dict[str, Any], model: str | None, mode: str) -> None:
        self.request, self.mode = request, mode
        self.newer = _newer(model)
        self.found: Found = set()
        self.turns: list[_Turn] = []
        for number, message in enumerate(request["messages"]):
            self._message(number, message)
        self.open: list[tuple[int, _Part]] = []  # served calls without a result in their turn, and their turn
        self.partner: dict[int, _Part] = {}

    def say(self, rule: str, pointer: str) -> None:
        self.found.add((rule, pointer))

    def _message(self, number: int, message: Any) -> None:
        base = f"/messages/{number}"
        role = message.get("role")
        if role not in ROLES:
            self.say("role-invalid", base)
        spoken = {"tool": "user", "function": "user", "developer": "system"}.get(role, role) if isinstance(role, str) else None
        if not (spoken in ("user", "assistant") and self.turns and self.turns[-1].role == spoken):
            self.turns.append(_Turn(spoken if spoken in ROLES else f"other {number}"))
        turn, content = self.turns[-1], message.get("content")
        strange = sorted((STRANGE | {"id"}) & message.keys())
        if strange:
            self.say("unknown-field", f"{base}/{strange[0]}")
        if isinstance(content, str):
            turn.parts.append(_Part("text", f"{base}/content", number, {"text": content}, shape="text"))
        elif not isinstance(content, list) or not content:
            shape = "null" if content is None else "none" if content == [] else "odd"
            pointer = base if shape != "odd" else f"{base}/content"
            turn.parts.append(_Part("empty", pointer, number, shape=shape))
        else:
            for index, block in enumerate(content):
                kind = _kind(block)
                call_id = block.get("tool_use_id" if kind in ("result", "found") else "id") if isinstance(block, dict) else None
                turn.parts.append(_Part(kind, f"{base}/content/{index}", number, block, call_id))
                if not strange:
                    self._members(block, kind, f"{base}/content/{index}")

    def _members(self, block: Any, kind: str, pointer: str) -> None:
        """Members of another dialect in a block of a kind that is looked through for them."""
        more = {"text": {"index", "id"}, "call": {"index", "text"}, "served": {"index", "text"}, "result": {"index"}, "found": {"index"}}
        if kind in more:
            strange = sorted((STRANGE | more[kind]) & block.keys())
            if strange:
                self.say("unknown-field", f"{pointer}/{strange[0]}")

    def run(self) -> Found:
        for number, turn in enumerate(self.turns):
            self._serve(number, turn)
        for number, turn in enumerate(self.turns):
            for part in turn.parts:
                self._block(part)
            self._turn(number, turn)
        self._ends()
        parts = [part for turn in self.turns for part in turn.parts]
        self.found |= marks(self.request, [(part.pointer, part.value) for part in parts if part.shape == "list"])
        self.found |= members(self.request)
        if is_request(self.request):
            self._declared()
        return self.found

    # -- tools of the provider ------------------------------------------------------------------------------------------------------

    def _serve(self, number: int, turn: _Turn) -> None:
        if turn.role != "assistant":
            return
        calls, results = turn.of("served"), turn.of("found")
        late = [part for part in results if id(part) not in self.partner]
        for key in {_key(call.id) for call in calls}:
            pairs = zip([c for c in calls if _key(c.id) == key], [r for r in late if _key(r.id) == key], strict=False)
            for call, result in list(pairs):
                if turn.parts.index(result) > turn.parts.index(call):
                    self.partner[id(call)], self.partner[id(result)] = result, call
        waits = number + 1 < len(self.turns) and bool(self._answers(number + 1))
        ahead = self.turns[number + 2] if number + 2 < len(self.turns) and waits else _Turn("")
        if ahead.role == "assistant":
            self._ahead(turn, ahead)
        for call in calls:
            if id(call) not in self.partner:
                self.open.append((number, call))

    def _ahead(self, turn: _Turn, ahead: _Turn) -> None:
        """What a call gave may stand in the turn behind the client's results, unless a call of that turn itself takes it."""
        taken: set[int] = set()
        for key in {_key(call.id) for call in ahead.of("served")}:
            own = zip(
                [c for c in ahead.of("served") if _key(c.id) == key], [r for r in ahead.of("found") if _key(r.id) == key], strict=False
            )
            taken |= {id(result) for call, result in own if ahead.parts.index(result) > ahead.parts.index(call)}
        for call in turn.of("served"):
            if id(call) in self.partner:
                continue
            for result in ahead.of("found"):
                if id(result) not in taken and id(result) not in self.partner and _key(result.id) == _key(call.id):
                    self.partner[id(call)], self.partner[id(result)] = result, call
                    break

    def _answers(self, number: int) -> list[_Part]:
        """The client's results of a turn."""
        return self.turns[number].of("result") if self.turns[number].role == "user" else []

    def _turn_of_served(self, number: int, turn: _Turn) -> None:
        if turn.role == "assistant":
            for part in turn.of("found"):
                if id(part) not in self.partner:
                    self.say("tool-result-orphan", part.pointer)
        behind = [part for later in self.turns[number + 1 :] for part in later.solid()]
        only_results = all(part.kind == "result" for part in behind)
        mixed = number == len(self.turns) - 2 and bool(self._answers(number + 1))
        for at, call in self.open:
            if at == number and not only_results and not mixed:
                self.say("tool-call-unanswered", call.pointer)
        if number and self._answers(number):
            last = [call for call in self.turns[number - 1].of("served") if self._still_open(number - 1, call)]
            others = [part for part in turn.solid() if part.kind != "result"]
            if last and others:
                self.say("text-after-tool-result-with-open-server-tool", others[0].pointer)

    def _still_open(self, number: int, call: _Part) -> bool:
        result = self.partner.get(id(call))
        return result is None or result not in self.turns[number].parts

    # -- blocks ----------------------------------------------------------------------------------------------------------------------

    def _block(self, part: _Part) -> None:
        value, pointer = part.value, part.pointer
        marked = isinstance(value, dict) and value.get("cache_control") is not None
        if part.kind == "odd" or (part.kind == "other" and value["type"] in FOREIGN):
            self.say("block-type-unknown", pointer)
        elif part.kind == "other" and value["type"] == "compaction" and value.get("content") == "":
            self.say("compaction-content-empty", pointer)
        elif part.kind == "text":
            text = value["text"]
            if not text.strip() and (text or part.shape == "list"):
                self.say("text-empty", pointer)
            if marked and not text:
                self.say("cache-on-empty-text", pointer)
            if re.search("[\ud800-\udfff]", text):
                self.say("text-lone-surrogate", pointer)
        elif part.kind == "thinking":
            if not value.get("signature"):
                self.say("reasoning-signature-missing" if value["thinking"] else "reasoning-empty", pointer)
        elif part.kind == "call":
            self._call(part)
        elif part.kind == "served":
            self._served_id(part)
        elif part.kind == "result":
            self._result(part)
        if part.kind in ("thinking", "redacted") and marked:
            self.say("cache-on-thinking", pointer)

    def _call(self, part: _Part) -> None:
        value, name = part.value, part.value.get("name")
        if not (isinstance(part.id, str) and re.fullmatch(r"[A-Za-z0-9_-]+", part.id)):
            self.say("id-format", part.pointer)
        if not (isinstance(name, str) and 1 <= len(name) <= 200):
            self.say("tool-name-format", part.pointer)
        if not isinstance(value.get("input"), dict):
            self.say("tool-args-invalid", part.pointer)

    def _served_id(self, part: _Part) -> None:
        if part.value["type"] != "server_tool_use":
            return
        if not (isinstance(part.id, str) and re.fullmatch(r"srvtoolu_[A-Za-z0-9_]+", part.id)):
            self.say("id-format", part.pointer)
            if id(part) in self.partner:
                self.say("id-format", self.partner[id(part)].pointer)

    def _result(self, part: _Part) -> None:
        value = part.value
        if part.id is not None and not (isinstance(part.id, str) and re.fullmatch(r"[A-Za-z0-9_-]*", part.id)):
            self.say("id-format", part.pointer)
        content = value.get("content")
        listed = [inner for inner in content if isinstance(inner, dict)] if isinstance(content, list) else []
        if value.get("is_error") is True and any(inner.get("type") in ("image", "document") for inner in listed):
            self.say("tool-result-error-non-text", part.pointer)
        for index, inner in enumerate(content if isinstance(content, list) else []):
            if isinstance(inner, dict) and inner.get("type") == "text" and isinstance(inner.get("text"), str) and not inner["text"].strip():
                self.say("text-empty", f"{part.pointer}/content/{index}")
                break

    # -- turns -----------------------------------------------------------------------------------------------------------------------

    def _turn(self, number: int, turn: _Turn) -> None:
        self._turn_of_served(number, turn)
        spoken = [part for part in turn.parts if not self._nothing(part)]
        for part in turn.parts:
            users = turn.role == "user" and self.request["messages"][part.message].get("role") == "user"
            if users and self._nothing(part) and not (part.shape == "none" and spoken):
                self.say("message-content-empty-user", f"/messages/{part.message}")
            if turn.role == "assistant" and part.kind == "empty" and part.shape in ("null", "odd"):
                self.say("message-content-empty-assistant", f"/messages/{part.message}")
        if turn.role == "assistant":
            self._after_calls(turn)
        if turn.role == "system":
            self._system(number, turn)

    def _nothing(self, part: _Part) -> bool:
        return part.kind == "empty" or (part.kind == "text" and part.shape == "text" and not part.value["text"])

    def _after_calls(self, turn: _Turn) -> None:
        calls = turn.of("call")
        if not calls:
            return
        thinks = bool(turn.of("thinking", "redacted"))
        for part in turn.parts[turn.parts.index(calls[0]) + 1 :]:
            finished = part.kind == "found" or (part.kind == "served" and id(part) in self.partner)
            fallback = part.kind == "other" and part.value["type"] == "fallback"
            said = part.kind == "text" and bool(part.value["text"].strip())
            if part.kind in ("thinking", "redacted") or finished or fallback or (said and thinks):
                self.say("content-after-tool-call", part.pointer)
                return

    def _system(self, number: int, turn: _Turn) -> None:
        first = number
        while first and self.turns[first - 1].role == "system":
            first -= 1
        last = number
        while last + 1 < len(self.turns) and self.turns[last + 1].role == "system":
            last += 1
        if number == 0:
            self.say("system-message-first", f"/messages/{turn.parts[0].message}")
        if number == first and first:
            before = self.turns[first - 1]
            if before.role != "user" and before.parts[-1].kind != "found":
                self.say("system-message-position", f"/messages/{turn.parts[0].message}")
        if number == last and first and last + 1 < len(self.turns) and self.turns[last + 1].role != "assistant":
            self.say("system-message-position-next", f"/messages/{turn.parts[0].message}")

    def _ends(self) -> None:
        thinking = self.request.get("thinking") or {}
        assistants = [turn for turn in self.turns if turn.role == "assistant"]
        for before, part in zip(assistants[-1].parts, assistants[-1].parts[1:], strict=False) if assistants else ():
            if before.kind == part.kind == "thinking":
                self.say("reasoning-modified", part.pointer)
        last = self.turns[-1] if self.turns else _Turn("")
        if len(self.turns) > 1 and last.role == "user" and thinking.get("type") == "enabled":
            asked = self.turns[-2]
            first = asked.parts[0]
            if asked.role == "assistant" and asked.of("call") and last.of("result") and first.kind not in ("thinking", "redacted"):
                self.say("reasoning-missing", f"/messages/{first.message}")
        if not self.turns and self.mode == "complete":
            self.say("messages-empty", "/messages")
        if last.role == "assistant" and self.mode == "complete":
            self._prefill(last, thinking)

    def _prefill(self, last: _Turn, thinking: Any) -> None:
        end = last.parts[-1]
        if self.newer:
            unanswered = any(part.kind == "call" and part.message == part.message for part in last.parts)
            pausing = any(at == len(self.turns) - 1 for at, _ in self.open)
            if not (unanswered and self._trailing(last)) and not pausing:
                self.say("prefill-unsupported", f"/messages/{end.message}")
            return
        if end.kind in ("thinking", "redacted"):
            self.say("reasoning-last-block", end.pointer)
        if end.kind == "text" and end.value["text"].strip() and end.value["text"][-1].isspace():
            self.say("prefill-trailing-whitespace", end.pointer)
        off = is_request(self.request) and thinking.get("type") not in ("enabled", "adaptive")
        thoughts = last.of("thinking", "redacted")
        if off and thoughts:
            self.say("reasoning-while-disabled", thoughts[0].pointer)

    def _trailing(self, last: _Turn) -> bool:
        """Whether a call of the last turn waits: one that does not repeat an id of its turn."""
        seen: list[Any] = []
        for part in last.of("call"):
            if part.id is None or part.id not in seen:
                return True
            seen.append(part.id)
        return False

    def _declared(self) -> None:
        """What needs a tool that the request has to declare."""
        for number, call in self.open:
            quiet = all(part.kind == "result" for later in self.turns[number + 1 :] for part in later.solid())
            mixed = number == len(self.turns) - 2 and bool(self._answers(number + 1))
            if isinstance(call.value.get("name"), str) and (quiet or mixed) and not declared(self.request, call.value):
                self.say("server-tool-not-declared", call.pointer)
        for turn in self.turns:
            for part in turn.of("result"):
                if unknown_references(self.request, part.value.get("content")):
                    self.say("tool-reference-unknown", part.pointer)


def _key(value: Any) -> Any:
    return value if isinstance(value, str) or value is None else repr(value)
