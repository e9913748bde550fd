"""What OpenAI's Responses says of calls, outputs, items' ids and reasoning, written down a second time: plain dicts, one item after the
other. It shares no line with the product and is slow on purpose. `findings(request, mode)` gives the set of (severity, rule, pointer).
"""

from __future__ import annotations

from typing import Any

CALLS = {"function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call", "tool_search_call"}
OUTPUTS = {word + "_output" for word in CALLS - {"tool_search_call"}} | {"tool_search_output"}
PREFIX = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc", "web_search_call": "ws"}
Found = set[tuple[str, str, str]]


def findings(request: dict[str, Any], mode: str = "complete") -> Found:
    return _Checker(request, mode).run()


class _Checker:
    def __init__(self, request: dict[str, Any], mode: str) -> None:
        self.items: list[dict[str, Any]] = request["input"]
        self.mode = mode
        self.chained = bool(request.get("previous_response_id") or request.get("conversation"))
        self.stateless = request.get("store") is False
        self.found: Found = set()

    def say(self, severity: str, rule: str, number: int) -> None:
        self.found.add((severity, rule, f"/input/{number}"))

    def run(self) -> Found:
        self.pairs()
        self.own_ids()
        self.reasoning()
        return self.found

    # -- what an item is ------------------------------------------------------------------------------------------------------

    def kind(self, number: int) -> str:
        item = self.items[number]
        word = item.get("type", "message")
        if word in CALLS | OUTPUTS and item.get("execution") == "server":
            return "hosted"
        if word.startswith("tool_search") and item.get("call_id") is None:
            return "hosted"
        return "call" if word in CALLS else "output" if word in OUTPUTS else str(word)

    def is_user(self, number: int) -> bool:
        return self.kind(number) == "message" and self.items[number]["role"] == "user"

    def batches(self) -> list[int]:
        """For each item the number of outputs and user messages up to it."""
        count, found = 0, []
        for number, item in enumerate(self.items):
            client = item.get("type") in OUTPUTS and item.get("execution") != "server"
            count += client or self.is_user(number)
            found.append(count)
        return found

    # -- pairs ----------------------------------------------------------------------------------------------------------------

    def pairs(self) -> None:
        batch = self.batches()
        calls = [n for n in range(len(self.items)) if self.kind(n) == "call"]
        outputs = [n for n in range(len(self.items)) if self.kind(n) == "output"]
        answer: dict[int, int] = {}
        for call_id in {self.items[n].get("call_id") for n in calls} - {None}:
            mine = [n for n in calls if self.items[n].get("call_id") == call_id]
            answer.update(zip(mine, [n for n in outputs if self.items[n].get("call_id") == call_id], strict=False))
        taken = set(answer.values())
        for call, output in answer.items():
            if output < call:
                self.say("warning", "tool-result-orphan", output)
        doubled = self.doubled(calls, batch, answer)
        references = [
            n for n, item in enumerate(self.items) if item.get("type") == "item_reference" and item["id"][:3] not in ("rs_", "msg")
        ]
        for number in outputs:
            if number not in taken:
                self.stray(number, calls, references)
        open_calls = [n for n in calls if n not in answer and n not in doubled]
        said = [n for n in range(len(self.items)) if self.items[n].get("type") not in OUTPUTS or self.items[n].get("execution") == "server"]
        for call in open_calls:
            self.open_call(call, batch, answer, batch[said[-1]])

    def doubled(self, calls: list[int], batch: list[int], answer: dict[int, int]) -> set[int]:
        doubled: set[int] = set()
        for place, call in enumerate(calls):
            item = self.items[call]
            before = [n for n in calls[:place] if self.items[n].get("call_id") == item.get("call_id") is not None]
            copy = item.get("id") is not None and any(self.items[n].get("id") == item["id"] for n in calls[:place])
            if any(batch[n] == batch[call] for n in before) or (copy and before and call not in answer):
                doubled.add(call)
                if not (item.get("id") is not None and any(other.get("id") == item["id"] for other in self.items[:call])):
                    self.say("error", "tool-call-id-duplicate", call)
            elif [n for n in before if n not in doubled]:
                self.say("warning", "tool-call-id-duplicate", call)
        return doubled

    def stray(self, number: int, calls: list[int], references: list[int]) -> None:
        call_id = self.items[number].get("call_id")
        if call_id is None or call_id == "":
            self.say("error", "tool-result-id-missing", number)
        elif any(self.items[n].get("call_id") == call_id for n in calls):
            self.say("warning", "tool-result-duplicate", number)
        elif not self.chained:
            before = [n for n in references if n < number]
            if before:
                references.remove(before[0])
            self.say("warning" if before else "error", "tool-result-orphan", number)

    def open_call(self, call: int, batch: list[int], answer: dict[int, int], end: int) -> None:
        if self.mode == "prefix" and batch[call] >= end:
            return
        if self.chained:
            self.say("warning", "tool-call-unanswered", call)
        elif batch[call] == batch[-1]:
            self.say("error", "tool-call-trailing", call)
        elif any(batch[n] == batch[call] for n in answer):
            self.say("error", "tool-call-partially-answered", call)
        else:
            self.say("error", "tool-call-unanswered", call)

    # -- ids ------------------------------------------------------------------------------------------------------------------

    def own_ids(self) -> None:
        seen: set[str] = set()
        for number, item in enumerate(self.items):
            own = item.get("id")
            if own is None:
                continue
            if own in seen:
                self.say("error", "item-id-duplicate", number)
            seen.add(own)
            prefix = PREFIX.get(item.get("type", "message"))
            if len(own) > 64 or (prefix is not None and not own.startswith(prefix)):
                self.say("error", "id-format", number)
            if item.get("type") == "item_reference" and self.stateless and not self.chained:
                self.say("error", "item-not-persisted", number)
        for number, item in enumerate(self.items):
            if self.kind(number) in ("call", "output"):
                if item.get("call_id") is None and self.kind(number) == "call":
                    self.say("error", "id-format", number)
                bad = item.get("call_id") == "" and ("error", "tool-result-id-missing", f"/input/{number}") not in self.found
                if bad or len(item.get("call_id") or "") > 64:
                    self.say("error", "id-format", number)

    # -- reasoning --------------------------------------------------------------------------------------------------------------

    def reasoning(self) -> None:
        for number, item in enumerate(self.items):
            if item.get("type") != "reasoning" or item.get("id") is None:
                continue
            if self.stateless and not self.chained and not item.get("encrypted_content"):
                self.say("error", "item-not-persisted", number)
            if self.stateless and item.get("encrypted_content"):
                continue
            behind = next((n for n in range(number + 1, len(self.items)) if self.items[n].get("type") != "reasoning"), None)
            if behind is None:
                if self.mode == "complete":
                    self.say("error", "reasoning-unpaired", number)
                continue
            follower = self.items[behind]
            given = self.kind(behind) not in ("message", "output") or follower.get("role") == "assistant"
            if not given or follower.get("id") is None:
                self.say("error", "reasoning-unpaired", number)
