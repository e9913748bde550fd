"""Messages of the Vercel AI SDK: those that are sent to a model (ModelMessage), those of its user interface (UIMessage), and the answer as
its telemetry records it.

A tool part of a UIMessage is a call with its result; `step-start` parts divide what was said in one request from what was said in the next.
Source: vercel/ai packages/ai/src/prompt/*.ts, packages/ai/src/ui/ui-messages.ts and convert-to-model-messages.ts; of version 4
`toolInvocations` and `args`, `result`.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._json import NotJson, loads
from app.formats._piece_wires import call, content_pieces, part_piece, result, role_of, said, thought
from app.formats._pieces import Piece, empty, other
from app.model.kinds import Kind, Mark, Role

UI_PARTS: Final = frozenset({"step-start", "dynamic-tool", "source-url", "source-document", "tool-invocation", "source"})
MODEL_BLOCKS: Final = frozenset({"tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "redacted-reasoning"})
_RESULTS: Final = ("output-available", "output-error", "output-denied", "result")


# -- messages as they are sent ------------------------------------------------------------------------------------------------


def model_pieces(message: Any) -> list[Piece]:
    if not isinstance(message, dict):
        return [other(message, "(no message)", Role.OTHER, "")]
    role, content = role_of(message.get("role")), message.get("content")
    if not isinstance(content, list):
        return content_pieces(content, role, "/content") or [empty(content, role, "/content")]
    return [_block(block, role, f"/content/{number}") for number, block in enumerate(content)] or [empty(content, role, "/content")]


def _block(block: Any, role: Role, path: str) -> Piece:
    word = block.get("type") if isinstance(block, dict) else None
    if word == "tool-call":
        args = block.get("input", block.get("args"))
        return call(word, path, block.get("toolName"), block.get("toolCallId"), args, block, server=block.get("providerExecuted") is True)
    if word == "tool-result":
        content, error = output_of(block)
        answered = role != Role.ASSISTANT
        return result(word, role, path, block.get("toolCallId"), content, block, block.get("toolName"), error, server=not answered)
    return part_piece(block, role, path)


def output_of(block: dict[str, Any]) -> tuple[Any, bool]:
    """What a tool gave, and whether that is an error: `{type, value}` since version 5, `result` and `isError` before."""
    output = block.get("output")
    if isinstance(output, dict) and isinstance(output.get("type"), str) and output.keys() <= {"type", "value", "reason", "providerOptions"}:
        denied = output["type"] == "execution-denied"
        return output.get("reason") if denied else output.get("value"), denied or output["type"].startswith("error")
    content = block.get("experimental_content") or block.get("result", output)
    return content, block.get("isError") is True


# -- messages of the user interface ---------------------------------------------------------------------------------------------


def ui_pieces(message: Any) -> list[Piece]:
    if not isinstance(message, dict):
        return [other(message, "(no message)", Role.OTHER, "")]
    role = role_of(message.get("role"))
    parts = message.get("parts")
    invoked = message.get("toolInvocations")
    if not isinstance(parts, list):
        found = content_pieces(message.get("content"), role, "/content")
        found = [] if message.get("content") == "" and invoked else found
        steps = _Steps(role, found)
        for number, entry in enumerate(invoked if isinstance(invoked, list) else ()):
            steps.tool(entry, f"/toolInvocations/{number}")
        return steps.done() or [empty(message.get("content"), role, "/content")]
    steps = _Steps(role)
    for number, part in enumerate(parts):
        steps.part(part, f"/parts/{number}")
    return steps.done() or [empty(parts, role, "/parts")]


class _Steps:
    """The parts of one message, laid out as the messages that are made of them: what the model said in a step, then its results."""

    def __init__(self, role: Role, begun: list[Piece] | None = None) -> None:
        self._role, self._turn = role, 0
        self._out: list[Piece] = begun or []
        self._results: list[Piece] = []

    def part(self, part: Any, path: str) -> None:
        word = part.get("type") if isinstance(part, dict) else None
        if word == "step-start":
            self._close()
        elif word == "tool-invocation":
            self.tool(part.get("toolInvocation"), f"{path}/toolInvocation")
        elif isinstance(word, str) and (word.startswith("tool-") or word == "dynamic-tool") and "toolCallId" in part:
            self.tool(part, path, part.get("toolName", word.removeprefix("tool-")))
        else:
            thinks = word == "reasoning"
            self._say(thought(part.get("text", part.get("reasoning")), path, part) if thinks else part_piece(part, self._role, path))

    def tool(self, entry: Any, path: str, name: Any = None) -> None:
        if not isinstance(entry, dict):
            self._say(other(entry, "tool-invocation", self._role, path))
            return
        id, state = entry.get("toolCallId"), entry.get("state")
        named, server = entry.get("toolName", name), entry.get("providerExecuted") is True
        made = call("tool-call", path, named, id, entry.get("input", entry.get("args", entry.get("rawInput"))), entry, server=server)
        answered = state in _RESULTS or (state is None and ("result" in entry or "output" in entry))
        if isinstance(state, str) and not answered:
            made.marks = (f"{Mark.STOPPED}.{state}",)
        self._say(made)
        if answered:
            denied, failed = state == "output-denied", state == "output-error"
            approval = entry.get("approval")
            reason = approval.get("reason") if isinstance(approval, dict) else None
            content = entry.get("errorText") if failed else reason if denied else entry.get("output", entry.get("result"))
            self._results.append(result("tool-result", Role.TOOL, path, id, content, entry, named, failed or denied, server=server))

    def _say(self, piece: Piece) -> None:
        if self._results and piece.kind != Kind.TOOL_CALL:  # calls of one step stand together
            self._close()
        piece.turn = self._turn
        self._out.append(piece)

    def _close(self) -> None:
        """The end of a step: its results follow, and what is said next is said in another message."""
        for piece in self._results:
            self._turn += 1
            piece.turn = self._turn
        self._out += self._results
        self._turn += 1 if self._results else 0
        self._results = []

    def done(self) -> list[Piece]:
        self._close()
        return self._out


# -- the answer as the telemetry has it ---------------------------------------------------------------------------------------------


def answer_pieces(attributes: Any) -> list[Piece]:
    """What came back, from the attributes of a span (`ai.response.*`) or from the object that `generateText` returns."""
    if not isinstance(attributes, dict):
        return [other(attributes, "(no answer)", Role.ASSISTANT, "")]
    found = list[Piece]()
    reasoning = _first(attributes, "ai.response.reasoning", "reasoningText", "reasoning")
    if isinstance(reasoning, list):
        found += [part_piece(part, Role.ASSISTANT, "") for part in reasoning]
    elif isinstance(reasoning, str) and reasoning:
        found.append(thought(reasoning, "", reasoning))
    text = _first(attributes, "ai.response.text", "ai.result.text", "text")
    if isinstance(text, str) and text:
        found.append(said(Role.ASSISTANT, text))
    elif text is None:
        held = _first(attributes, "ai.response.object", "ai.result.object", "object")
        if held is not None:
            found.append(said(Role.ASSISTANT, held))
    entries = decoded(_first(attributes, "ai.response.toolCalls", "ai.result.toolCalls", "toolCalls"))
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            args = entry.get("input", entry.get("args"))
            server = entry.get("providerExecuted") is True
            found.append(call("tool-call", "", entry.get("toolName"), entry.get("toolCallId"), args, entry, server=server))
    return found


def calls_pieces(calls: Any) -> list[Piece]:
    """An answer of which only the list of its calls was kept."""
    return answer_pieces({"toolCalls": calls})


def _first(held: dict[str, Any], *keys: str) -> Any:
    return next((held[key] for key in keys if held.get(key) is not None), None)


def decoded(value: Any) -> Any:
    """What a string of JSON holds; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return loads(value.encode("utf-8", "surrogatepass"))
    except NotJson:
        return value
