"""What Bedrock says of pairs, written down a second time: plain dicts, one message after the other, no columns. It shares no line with
the product and follows the table of which rule names which defect."""

from __future__ import annotations

from typing import Any

Found = set[tuple[str, str]]


class _Block:
    """A call or a result of the client, and where it stands."""

    def __init__(self, message: int, number: int, call_id: Any) -> None:
        self.message, self.number, self.call_id = message, number, call_id
        self.pointer = f"/messages/{message}/content/{number}"
        self.tied = self.named = False


def findings(request: dict[str, Any], mode: str = "complete") -> Found:
    """(rule, pointer) of the rules about pairs and roles."""
    found: Found = set()
    calls: list[_Block] = []
    results: list[_Block] = []
    roles = [message["role"] for message in request["messages"]]
    for number, message in enumerate(request["messages"]):
        for part, block in enumerate(message["content"] or []):
            for key, right, blocks in (("toolUse", "assistant", calls), ("toolResult", "user", results)):
                if key in block:
                    made = _Block(number, part, block[key].get("toolUseId"))
                    if message["role"] == right:
                        blocks.append(made)
                    else:
                        found.add(("block-role-mismatch", made.pointer))
    seen: set[tuple[int, Any]] = set()
    again = []
    for call in calls:
        if call.call_id is not None and (call.message, call.call_id) in seen:
            found.add(("tool-call-id-duplicate", call.pointer))
            again.append(call)
        seen.add((call.message, call.call_id))
    _in_place(calls, results, found)
    _elsewhere(calls, results, again, roles, found)
    _open(request, calls, again, results, mode, found)
    return found


def _in_place(calls: list[_Block], results: list[_Block], found: Found) -> None:
    """Results in the message behind the calls."""
    for result in results:
        here = [call for call in calls if call.message == result.message - 1 and call.call_id == result.call_id]
        free = next((call for call in here if not call.tied), None)
        if free is not None:
            free.tied = result.tied = True
            if result.call_id is None:
                found.add(("tool-result-id-missing", result.pointer))
                result.named = True
        elif result.call_id in (None, ""):
            found.add(("tool-result-id-missing", result.pointer))
            result.named = True
        elif here:
            found.add(("tool-result-duplicate", result.pointer))
            result.named = True


def _elsewhere(calls: list[_Block], results: list[_Block], again: list[_Block], roles: list[str], found: Found) -> None:
    """Results in a later message, further ones, and those of no call."""
    begun = {call.message for call in calls if call.tied}
    for result in sorted(results, key=lambda r: (r.message, r.number)):
        if result.tied or result.named:
            continue
        waits = [
            c for c in calls if not c.tied and c not in again and c.call_id == result.call_id and c.call_id and c.message < result.message
        ]
        if waits:
            call = waits[0]
            call.tied = True
            between = roles[call.message + 1 : result.message]
            split = call.message in begun and all(role == "user" for role in between)
            found.add(("tool-results-split-across-messages" if split else "tool-result-not-adjacent", result.pointer))
            result.named = True
            call.late = True  # type: ignore[attr-defined]
    for result in results:
        if result.tied or result.named:
            continue
        before = [call for call in calls if call.call_id == result.call_id and call.message < result.message]
        waiting = any(
            call.message == result.message - 1 and not call.tied and call not in again and call.call_id != result.call_id for call in calls
        )
        found.add(("tool-result-duplicate" if before and not waiting else "tool-result-orphan", result.pointer))


def _open(request: dict[str, Any], calls: list[_Block], again: list[_Block], results: list[_Block], mode: str, found: Found) -> None:
    last = len(request["messages"]) - 1
    tail = request["messages"][-1]["content"] or [] if request["messages"] else []
    unfinished = bool(tail) and request["messages"][-1]["role"] == "user" and all("toolResult" in block for block in tail)
    answered = {call.message for call in calls if call.tied and not getattr(call, "late", False)}
    partial: dict[int, str] = {}
    for call in calls:
        if call.tied or call in again:
            continue
        if mode == "prefix" and (call.message == last or (call.message == last - 1 and unfinished)):
            continue
        if call.message == last:
            found.add(("tool-call-trailing", call.pointer))
        elif call.message in answered:
            partial.setdefault(call.message, f"/messages/{call.message}")
        else:
            found.add(("tool-call-unanswered", call.pointer))
    found |= {("tool-call-partially-answered", pointer) for pointer in partial.values()}
