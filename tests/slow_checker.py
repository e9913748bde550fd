"""What two providers say of pairs, written down a second time: plain dicts, one message after the other, no columns.

It shares no line with the product and is slow on purpose. `findings(request, wire, mode)` gives the set of (rule, pointer) for the
rules about pairs, places and roles; single blocks and the request are `tests/slow_blocks.py`. It follows the table of which rule names
which defect.
"""

from __future__ import annotations

from typing import Any

Found = set[tuple[str, str]]


def findings(request: dict[str, Any], wire: str, mode: str = "complete") -> Found:
    return _Checker(request, wire, mode).run()


class _Block:
    """One call, result or anything else, where it stands."""

    def __init__(self, what: str, pointer: str, message: str, role: str, call_id: Any = None) -> None:
        self.what, self.pointer, self.message, self.role, self.call_id = what, pointer, message, role, call_id
        self.answer: _Block | None = None
        self.used = False


class _Turn:
    def __init__(self, role: str) -> None:
        self.role = role
        self.blocks: list[_Block] = []


KNOWN = ("user", "assistant", "system", "developer", "tool")


def _word(message: dict[str, Any]) -> str:
    role = message.get("role")
    return role if isinstance(role, str) else "none"


class _Checker:
    def __init__(self, request: dict[str, Any], wire: str, mode: str) -> None:
        self.openai = wire != "anthropic"
        self.mode = mode
        self.found: Found = set()
        self.turns: list[_Turn] = []
        for number, message in enumerate(request["messages"]):
            (self._openai if self.openai else self._anthropic)(message, f"/messages/{number}")

    # -- turns ----------------------------------------------------------------------------------------------------------------

    def _turn(self, role: str, joins: bool) -> _Turn:
        if not (joins and self.turns and self.turns[-1].role == role):
            self.turns.append(_Turn(role))
        return self.turns[-1]

    def _anthropic(self, message: dict[str, Any], base: str) -> None:
        role = {"tool": "user", "function": "user", "developer": "system"}.get(_word(message), _word(message))
        turn = self._turn(role, role in ("user", "assistant"))
        content = message.get("content")
        if isinstance(content, str):
            turn.blocks.append(_Block("text", f"{base}/content", base, role))
        for number, block in enumerate(content if isinstance(content, list) else []):
            kinds = {"tool_use": "call", "tool_result": "result"}
            word = block.get("type") if isinstance(block, dict) else None
            what = kinds.get(word, "text") if isinstance(word, str) else "text"
            call_id = (block.get("id") if what == "call" else block.get("tool_use_id")) if isinstance(block, dict) else None
            turn.blocks.append(_Block(what, f"{base}/content/{number}", base, role, call_id))

    def _openai(self, message: dict[str, Any], base: str) -> None:
        role = _word(message)
        if role == "tool":
            self._turn("tool", True).blocks.append(_Block("result", base, base, role, message.get("tool_call_id")))
            return
        turn = self._turn(role, False)
        if message.get("content"):
            turn.blocks.append(_Block("text", base, base, role))
        for number, call in enumerate(message.get("tool_calls") or []):
            turn.blocks.append(_Block("call", f"{base}/tool_calls/{number}", base, role, call.get("id")))

    # -- pairs ----------------------------------------------------------------------------------------------------------------

    def run(self) -> Found:
        self._roles()
        for number, turn in enumerate(self.turns):
            if turn.role == "assistant":
                answers = self.turns[number + 1] if number + 1 < len(self.turns) else _Turn("")
                self._pair(turn, answers if answers.role == ("tool" if self.openai else "user") else _Turn(""))
        self._late()
        for number, turn in enumerate(self.turns):
            self._stray_results(number, turn)
        for number, turn in enumerate(self.turns):
            self._open_calls(number, turn)
        return self.found

    def _say(self, rule: str, pointer: str) -> None:
        self.found.add((rule, pointer))

    def _of(self, turn: _Turn, what: str) -> list[_Block]:
        return [block for block in turn.blocks if block.what == what]

    def _roles(self) -> None:
        for turn in self.turns:
            for block in turn.blocks:
                wrong = (block.what == "call" and turn.role != "assistant") or (
                    block.what == "result" and turn.role != ("tool" if self.openai else "user")
                )
                if wrong:
                    if turn.role in KNOWN:  # else the role itself is what is wrong
                        self._say("block-role-mismatch", block.pointer)
                    block.what = "other"

    def _pair(self, turn: _Turn, answers: _Turn) -> None:
        """Results of the turn that answers go to the calls of their id, in order."""
        seen = set()
        for call in self._of(turn, "call"):
            if call.call_id is not None and call.call_id in seen:
                self._say("tool-call-id-duplicate", call.pointer)
                call.used = True
            seen.add(call.call_id)
        leading = True
        for block in answers.blocks:
            if block.what != "result":
                leading = False
                continue
            calls = [call for call in self._of(turn, "call") if call.call_id == block.call_id]
            free = next((call for call in calls if call.answer is None), None)
            if free is not None:
                free.answer, block.answer = block, free
                if block.call_id is None or (self.openai and block.call_id == ""):
                    self._say("tool-result-id-missing", block.pointer)
                elif not leading:
                    self._say("tool-result-not-first", block.pointer)
                    block.used = True
            elif block.call_id in (None, ""):
                self._say("tool-result-id-missing", block.pointer)
                block.used = True
            elif calls:
                self._say("tool-result-duplicate", block.pointer)
                block.used = True

    def _late(self) -> None:
        """A result behind the turn that should hold it goes to the oldest open call of its id."""
        waiting: list[_Block] = []
        for turn in self.turns:
            for block in turn.blocks:
                if block.call_id in (None, ""):
                    continue
                if block.what == "call" and block.answer is None and not block.used:
                    waiting.append(block)
                elif block.what == "result" and block.answer is None and not block.used:
                    call = next((call for call in waiting if call.call_id == block.call_id), None)
                    if call is not None:
                        waiting.remove(call)
                        call.answer, block.answer = block, call
                        block.used = True
                        self._say("tool-result-not-adjacent", block.pointer)

    def _stray_results(self, number: int, turn: _Turn) -> None:
        for block in self._of(turn, "result"):
            if block.answer is not None or block.used:
                continue
            if block.call_id in (None, ""):
                self._say("tool-result-id-missing", block.pointer)
                continue
            calls = [b for t in self.turns[:number] for b in t.blocks if b.what == "call" and b.call_id == block.call_id]
            before = self.turns[number - 1] if number else _Turn("")
            waits = before.role == "assistant" and any(c.answer is None and not c.used for c in self._of(before, "call"))
            if calls and waits:
                self._say("tool-result-id-mismatch" if self.openai else "tool-result-orphan", block.pointer)
            else:
                self._say("tool-result-duplicate" if calls else "tool-result-orphan", block.pointer)

    def _open_calls(self, number: int, turn: _Turn) -> None:
        missing = [call for call in self._of(turn, "call") if call.answer is None and not call.used]
        last = number == len(self.turns) - 1
        behind = self.turns[number + 1].blocks if number == len(self.turns) - 2 else []
        unfinished = bool(behind) and all(b.what == "result" for b in behind)
        if self.mode == "prefix" and (last or unfinished):
            return
        answered = [c for c in self._of(turn, "call") if c.answer is not None and not c.answer.used]
        for call in missing:
            if last:
                self._say("tool-call-trailing", call.pointer)
            elif answered:
                self._say("tool-call-partially-answered", call.message)
            else:
                self._say("tool-call-unanswered", call.pointer)
