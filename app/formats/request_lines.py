"""Requests, answers or both, one a line, in a list, or inside what logged them; and the files of batches.

A line is a request of any of the wires that have a list (`messages`, `contents`, `input`), by itself or in an entry of a batch: OpenAI's
`{custom_id, body}` and `{custom_id, response: {body}}`, Anthropic's `{custom_id, params}` and `{custom_id, result: {message | error}}`.
Requests that extend one another are one conversation. Sources: https://platform.openai.com/docs/guides/batch,
https://docs.claude.com/en/docs/build-with-claude/batch-processing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.formats._buried import buried
from app.formats._calls import Call, CallLog, CallSheet
from app.formats._error_body import refused
from app.formats._format import Progress
from app.formats._http import answered
from app.formats._late_answers import LateAnswers
from app.formats._nodes import Node
from app.formats._paths import DECODE
from app.formats._payload import Found, listed, sent
from app.formats._peek import Peek, peek
from app.formats._spans import items_of
from app.formats._which import is_message
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind

_LISTS: Final = ("messages", "contents", "input")
_SENT: Final = ("max_tokens", "max_completion_tokens", "max_output_tokens", "system", "stream", "temperature", "tool_choice",
                "anthropic_version", "generationConfig", "systemInstruction", "reasoning", "store", "model")  # fmt: skip
"""Members that a request has beside its list, and a row of a data set has not."""

LOOKED_AT: Final = 40  # records of a head
_LEVELS: Final = 3  # of a document, in which a list of requests is looked for
_CAME: Final = ("choices", "candidates", "output")


class RequestLines(CallLog):
    name = "request-lines"
    summary = "Requests or answers of any wire, one a line or inside what logged them; batches"
    provider = "anthropic"
    writable = True

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        if seen.lines or isinstance(seen.value, list):
            records = list(seen.records) if seen.lines else seen.value[:LOOKED_AT]
            if len(records) > 1 and 2 * sum(_is_own(record) for record in records) > len(records):
                return Confidence(self.name, 0.94, "a request or an answer in each line or row")
        elif isinstance(seen.value, dict):
            held = seen.value.get("requests")
            if isinstance(held, list) and held and all(_is_own(one) for one in held[:LOOKED_AT]):
                return Confidence(self.name, 0.94, "a batch of requests")
        return self._wrapped(seen, _wraps)

    def guess(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        return self._wrapped(peek(head, whole), lambda record: _wraps(record) or _buries(record))

    def _wrapped(self, seen: Peek, holds: Callable[[Any], bool]) -> Confidence | None:
        """How sure it is where requests stand inside of what is there."""
        records = seen.records if seen.lines else seen.value[:LOOKED_AT] if isinstance(seen.value, list) else [seen.value]
        wrapped = sum(holds(record) for record in records[:LOOKED_AT])
        if wrapped and (2 * wrapped >= len(records[:LOOKED_AT]) or seen.lines):
            return Confidence(self.name, 0.3, "a request inside what logged it")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source, writable=True)
        answers = LateAnswers(sheet)
        for place, node in items_of(sheet, source, first_look, _holding):
            known = _is_own(node.value) or _wraps(node.value) or _buries(node.value)
            record = sheet.item(node, place, RecordKind.META if known else RecordKind.UNKNOWN)
            if known:
                call = _call(node, record, place)
                sheet.add(call)
                answers.asked(node.value, record, call.refusal is not None or bool(call.came.messages))
            else:
                answers.take(node.value, record)
        return sheet.dump(complete=not first_look)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict):
        return False
    if isinstance(record.get("custom_id"), str):
        return any(isinstance(record.get(key), dict) for key in ("body", "params", "response", "result"))
    if any(isinstance(record.get(key), list) for key in _LISTS):
        return "contents" in record or any(key in record for key in _SENT)
    answer = record.get("type") == "message" and isinstance(record.get("content"), list)
    return answer or any(isinstance(record.get(key), list) for key in _CAME)


def _wraps(record: Any) -> bool:
    """Whether a request is found inside an object: under the names that logs give it, in strings too."""
    if not isinstance(record, dict) or is_message(record):
        return False
    return _named(sent(Node(b"", record, 0, 0, "", (DECODE,))))


def _holding(root: Node) -> Node | None:
    """The list in a document whose elements are requests or what logged them, the one that holds the most; none where the document is
    a request itself."""
    if isinstance(root.value, dict) and isinstance(held := root.value.get("requests"), list) and held:
        return root.get("requests")
    if not isinstance(root.value, dict) or _is_own(root.value) or _wraps(root.value):
        return None
    best: tuple[int, Node] | None = None
    waiting = [root]
    for _ in range(_LEVELS):
        inner = [node for one in waiting for _, node in one.members()]
        waiting = [node for node in inner if isinstance(node.value, dict)]
        for node in inner:
            known = sum(_is_own(one) or _wraps(one) for one in node.value) if isinstance(node.value, list) else 0
            if known and 2 * known >= len(node.value) and (best is None or known > best[0]):
                best = known, node
    return best[1] if best is not None else None


def _buries(record: Any) -> bool:
    """Whether there are messages anywhere inside an object."""
    return isinstance(record, dict) and not is_message(record) and buried(record) is not None


def _named(found: Found) -> bool:
    """Whether messages were found under names that logs give them."""
    return bool(found.messages) and not found.guess and any(is_message(said.node.value) for said in found.messages)


def _inside(node: Node, wire: str | None) -> Found:
    """What was sent, inside of whatever holds it."""
    found = sent(node, wire)
    way = None if _named(found) else buried(node.value)
    if way is None:
        return found
    steps = [node]
    for key in way:
        inner = steps[-1].decoded().get(key)
        if inner is None:
            return found
        steps.append(inner)
    if way and way[-1] in _LISTS:  # a request
        found = sent(steps[-2], wire)
        if _named(found):
            return found
    return Found(messages=listed(steps[-1].decoded(), wire))


def _call(node: Node, record: int, place: int) -> Call:
    value = node.value
    batch = isinstance(value.get("custom_id"), str)
    wrapped = not _is_own(value)
    request = (node.get("body") or node.get("params")) if batch else node if wrapped or any(key in value for key in _LISTS) else None
    response = _response(node) if batch else node if request is None else None
    if wrapped:
        response = node.get("response") or node.get("res") or node.get("output")
    wire = None if request is None else _wire_inside(value) if wrapped and not batch else _wire(request.value)
    call = Call(
        str(value["custom_id"]) if batch else f"line-{place + 1}", "", None, _inside(request, wire) if request is not None else Found(),
        answered(response, wire or _wire(response.value)) if response is not None else Found(), record=record,
    )  # fmt: skip
    if wrapped and (call.came.guess or call.came.error):
        call.came.messages = []  # words of a refusal, and no answer
    call.refusal = _refusal(call, value, batch, request is not None)
    return call


def _refusal(call: Call, value: dict[str, Any], batch: bool, asked: bool) -> tuple[int | None, str] | None:
    """What a record tells of a refusal. An answer that came says that there was none, whatever stands beside it."""
    told = None if batch or not asked or call.came.messages else refused(value)
    if told is not None:
        return told
    failed = _failed(value) if batch else call.came.error
    return (_status(value), failed) if failed else None


def _wire(value: Any) -> str | None:
    """The wire, where members beside the list tell it."""
    if not isinstance(value, dict):
        return None
    if "max_tokens" in value and ("system" in value or str(value.get("model", "")).startswith("claude")):
        return "anthropic"
    if value.get("type") == "message" and isinstance(value.get("content"), list):
        return "anthropic"
    return None


def _wire_inside(value: dict[str, Any]) -> str | None:
    """The wire of a request inside what logged it: told as by itself, unless it went over the wire of chats."""
    inner = next((one for one in value.values() if isinstance(one, dict) and isinstance(one.get("messages"), list)), None)
    if inner is None:
        return _wire(value)
    words = [one for one in value.values() if isinstance(one, str)]
    if any("chat/completions" in word or '"choices"' in word for word in words) or any(_has_choices(one) for one in value.values()):
        return None
    tools = inner.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and tool.get("type") == "function" for tool in tools):
        return None
    if any(isinstance(value.get(key), str) and value[key] not in ("", "anthropic") for key in ("provider", "custom_llm_provider")):
        return None
    return "anthropic" if any(word.startswith("https://api.anthropic.com/v1/messages") for word in words) else _wire(inner)


def _has_choices(value: Any) -> bool:
    """Whether an answer is one of chats, by itself or as the body of a response."""
    return isinstance(value, dict) and ("choices" in value or _has_choices(value.get("body")))


def _response(node: Node) -> Node | None:
    return node.get("response", "body") or node.get("result", "message")


def _failed(value: dict[str, Any]) -> str | None:
    """The words of an entry that failed."""
    result, response = value.get("result"), value.get("response")
    error: Any = value.get("error")
    if isinstance(result, dict) and result.get("type") == "errored":
        error = result.get("error")
    elif isinstance(response, dict) and isinstance(response.get("body"), dict) and "error" in response["body"]:
        error = response["body"]["error"]
    while isinstance(error, dict):
        error = error.get("message") if isinstance(error.get("message"), str) else error.get("error")
    return error if isinstance(error, str) and error else None


def _status(value: dict[str, Any]) -> int | None:
    response = value.get("response")
    status = response.get("status_code") if isinstance(response, dict) else None
    return status if isinstance(status, int) and not isinstance(status, bool) else None


FORMAT = RequestLines()
