"""Spans of OpenTelemetry, by whichever convention they tell of LLM calls: GenAI's, OpenInference's, OpenLLMetry's, the Vercel AI SDK's.

Of one span the richest telling counts; agents, tools, chains and HTTP are copies. Sources: open-telemetry/semantic-conventions docs/gen-ai,
Arize-ai/openinference spec/semantic_conventions.md, traceloop/openllmetry semconv_ai, vercel/ai packages/ai/src/telemetry.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._attributes import flat
from app.formats._calls import Call
from app.formats._deep import attributes as rebuilt_at
from app.formats._growing import Said
from app.formats._nodes import Node
from app.formats._payload import Found, came, sent
from app.formats._vercel import answer_pieces
from app.formats._which import blocks_of_one

_OPERATIONS: Final = frozenset({"chat", "text_completion", "generate_content", "completion", "message", "responses"})
_WHOLE: Final = ("gen_ai.event.content", "gen_ai.prompt", "gen_ai.completion")
_FAILED: Final = frozenset({"2", "STATUS_CODE_ERROR", "ERROR", "Error", "error"})
_MODELS: Final = (
    "gen_ai.response.model", "ai.response.model", "gen_ai.request.model", "ai.model.id", "llm.model_name", "llm.response.model",
)  # fmt: skip
_ROLES: Final = {"gen_ai.system.message": "said-system", "gen_ai.user.message": "said-user", "gen_ai.assistant.message": "said-assistant"}


class Span:
    """A span: its node, and its attributes as a node and by key."""

    def __init__(self, node: Node) -> None:
        self.node = node
        value: dict[str, Any] = node.value
        held = node.get("attributes")
        self.attributes = held if held is not None and isinstance(held.value, list | dict) else node
        self.flat = flat(self.attributes.value)
        self._places: dict[str, Node] | None = None
        self.value = value

    def attribute(self, key: str) -> Node | None:
        """An attribute as a node, a string as it stands in the file."""
        if isinstance(self.attributes.value, dict):
            return self.attributes.get(key)
        if key not in self.flat:
            return None
        if self._places is None:
            entries = (entry for entry in self.attributes.elements() if isinstance(entry.value, dict))
            self._places = {str(entry.value.get("key")): entry for entry in entries}
        place = self._places.get(key)
        text = place.get("value", "stringValue") if place is not None else None
        if text is not None:
            return text
        held = self.flat[key]
        return rebuilt_at(self.attributes).inside(held, key)

    def text(self, *keys: str) -> str | None:
        return next((self.flat[key] for key in keys if isinstance(self.flat.get(key), str) and self.flat[key]), None)

    # -- what it is ---------------------------------------------------------------------------------------------------------------

    def id(self) -> str | None:
        for held in (self.value, self.value.get("spanContext"), self.value.get("context"), self.value.get("span_context")):
            for key in ("spanId", "span_id", "id"):
                if isinstance(held, dict) and isinstance(held.get(key), str) and held[key]:
                    return str(held[key])
        return None

    def time(self) -> Any:
        value = self.value
        for key in ("startTimeUnixNano", "start_time_unix_nano"):
            held = value.get(key)
            if isinstance(held, int | str) and str(held).isdecimal() and len(str(held)) < 25:
                return int(held) / 1e9
        for key in ("startTime", "start_time"):
            held = value.get(key)
            if isinstance(held, list) and len(held) == 2 and all(isinstance(part, int | float) for part in held):
                return held[0] + held[1] / 1e9
            if isinstance(held, int | float) and not isinstance(held, bool):
                return held / 1e9 if held > 1e16 else held / 1e6 if held > 1e14 else held / 1e3 if held > 1e11 else held
            if isinstance(held, str):
                return held
        return None

    def is_ai_sdk(self) -> bool:
        """Whether it is a span of the Vercel AI SDK in which a model was called."""
        operation = self.text("ai.operationId") or self.value.get("name")
        return isinstance(operation, str) and operation.endswith((".doGenerate", ".doStream")) and operation.startswith("ai.")

    def is_call(self) -> bool:
        if self.is_ai_sdk():
            return True
        if (self.text("ai.operationId") or "").startswith("ai."):
            return False
        kind = self.text("openinference.span.kind")
        if kind is not None:
            return kind.upper() == "LLM"
        operation = self.text("gen_ai.operation.name")
        if operation is not None:
            return operation in _OPERATIONS
        if self.text("llm.request.type") in ("chat", "completion"):
            return True
        told = any(key.startswith(("gen_ai.prompt", "gen_ai.completion")) for key in self.flat)
        return told and self.text("gen_ai.request.model") is not None

    def failure(self) -> str | None:
        """The words of what went wrong."""
        status = self.value.get("status")
        code = status.get("code", status.get("status_code")) if isinstance(status, dict) else status
        failed = str(code) in _FAILED
        said = status.get("message", status.get("description")) if isinstance(status, dict) else None
        for event in _events(self.node) if failed else ():
            held = flat(event.value.get("attributes"))
            text = held.get("exception.message")
            if event.value.get("name") == "exception" and isinstance(text, str) and text:
                return text
        if not failed and self.text("error.type") is None:
            return None
        if isinstance(said, str) and said:
            return said
        return self.text("error.message", "exception.message", "error.type") or "an error without words"


def call_of(span: Span, record: int) -> Call:
    """The LLM call that a span tells of."""
    asked, told = Found(), Found()
    for tell in (_ai_sdk, _gen_ai, _openinference, _openllmetry, _by_events, _by_values):
        tell(span, asked, told)
        if asked.messages or told.messages:
            break
    _beside(span, asked)
    told.usage = span.flat
    name = span.value.get("name")
    title = name if isinstance(name, str) else span.text("gen_ai.operation.name") or "call"
    call = Call(span.id() or f"span-{record}", title, span.time(), asked, told, record=record)
    call.model = span.text(*_MODELS)
    text = span.failure()
    if text is not None or told.error is not None:
        call.refusal = (_status(span), text or told.error or "")
    return call


def _status(span: Span) -> int | None:
    for key in ("http.response.status_code", "http.status_code", "error.type"):
        held = str(span.flat.get(key))
        if held.isascii() and held.isdecimal() and len(held) == 3 and held >= "400":
            return int(held)
    return None


def _beside(span: Span, asked: Found) -> None:
    """System texts and tools that are attributes of their own."""
    system = span.attribute("gen_ai.system_instructions")
    if system is not None and not asked.system:
        texts = system.decoded()
        asked.system = list(texts.elements()) if isinstance(texts.value, list) else [texts]
    for key in ("gen_ai.tool.definitions", "gen_ai.request.tools", "ai.prompt.tools", "gen_ai.agent.tools"):
        held = span.attribute(key)
        inner = held.decoded() if held is not None else None
        if inner is not None and isinstance(inner.value, list) and not asked.tools:
            asked.tools = list(inner.elements())
    if not asked.tools and any(key.startswith("llm.tools.") for key in span.flat):
        rebuilt = rebuilt_at(span.attributes, "llm.tools.")
        asked.tools = [schema if (schema := tool.get("tool", "json_schema")) is not None else tool for tool in rebuilt.elements()]


# -- the conventions ------------------------------------------------------------------------------------------------------------


def _ai_sdk(span: Span, asked: Found, told: Found) -> None:
    if not span.is_ai_sdk():
        return
    prompt = span.attribute("ai.prompt.messages") or span.attribute("ai.prompt")
    if prompt is not None:
        _take(asked, sent(prompt, "model-message"))
    if answer_pieces(span.flat):
        told.messages.append(Said(rebuilt_at(span.attributes), "ai-answer"))


def _gen_ai(span: Span, asked: Found, told: Found) -> None:
    """GenAI's conventions: messages as JSON."""
    for keys, found, answer in (
        (("gen_ai.input.messages", "gen_ai.prompt"), asked, False),
        (("gen_ai.output.messages", "gen_ai.completion"), told, True),
    ):
        held = next((node for key in keys if (node := span.attribute(key)) is not None and node.value not in (None, "")), None)
        if held is not None:
            _take(found, came(held) if answer else sent(held))


def _openinference(span: Span, asked: Found, told: Found) -> None:
    for prefix, found in (("llm.input_messages.", asked), ("llm.output_messages.", told)):
        _flattened(span, prefix, found, "openinference")
    for prefix, key, found in (("llm.prompts.", "prompt", asked), ("llm.choices.", "completion", told)):
        if not asked.messages and any(name.startswith(prefix) for name in span.flat):
            texts = [node.get(key, "text") or node for node in rebuilt_at(span.attributes, prefix).elements()]
            found.messages += [Said(node, "said-user" if found is asked else "said-assistant") for node in texts]


def _openllmetry(span: Span, asked: Found, told: Found) -> None:
    for prefix, found in (("gen_ai.prompt.", asked), ("gen_ai.completion.", told), ("llm.prompts.", asked), ("llm.completions.", told)):
        _flattened(span, prefix, found, "openllmetry")


def _flattened(span: Span, prefix: str, found: Found, wire: str) -> None:
    if any(key.startswith(prefix) for key in span.flat):
        found.messages += [Said(node, wire) for node in rebuilt_at(span.attributes, prefix).elements() if isinstance(node.value, dict)]


def _by_events(span: Span, asked: Found, told: Found) -> None:
    """Messages as events of the span, each with its content in attributes."""
    for event in _events(span.node):
        name, held = event.value.get("name"), event.get("attributes")
        if not isinstance(name, str) or held is None or not name.startswith("gen_ai."):
            continue
        values = flat(held.value)
        whole = next((key for key in _WHOLE if isinstance(values.get(key), str)), None)
        flat_node = rebuilt_at(held)
        answer = name in ("gen_ai.choice", "gen_ai.content.completion")
        found = told if answer else asked
        if whole is not None:
            inner = flat_node.inside(values[whole], whole).decoded()
            _take(found, came(inner) if answer else sent(inner))
        elif (content := _content(flat_node, values, answer or name == "gen_ai.assistant.message")) is not None:
            found.messages.append(content)
        elif name in _ROLES and isinstance(values.get("content"), str):
            found.messages.append(Said(flat_node.inside(values["content"], "content"), _ROLES[name]))
        elif name in _ROLES or name in ("gen_ai.tool.message", "gen_ai.choice"):
            found.messages.append(Said(flat_node, "event"))


def _content(node: Node, values: dict[str, Any], answer: bool) -> Said | None:
    """The blocks of a message as JSON in an attribute of an event."""
    for key in ("content", "message"):
        held = node.inside(values[key], key).decoded() if isinstance(values.get(key), str) else None
        whole = blocks_of_one(held.value) if held is not None and isinstance(held.value, list) else None
        if held is not None and whole in ("blocks", "bedrock"):
            return Said(held, f"{whole}-{'assistant' if answer else 'user'}")
    return None


def _by_values(span: Span, asked: Found, told: Found) -> None:
    """OpenInference's whole input and output; and where attributes lie flat, what stands under these names."""
    for keys, found, answer in ((("input.value", "input"), asked, False), (("output.value", "output"), told, True)):
        held = next((node for key in keys if (node := span.attribute(key)) is not None and node.value not in (None, "")), None)
        if held is not None:
            _take(found, came(held) if answer else sent(held))


def _take(found: Found, more: Found) -> None:
    found.say(more.messages)
    found.system, found.tools = found.system or more.system, found.tools or more.tools
    found.error, found.id, found.previous = found.error or more.error, found.id or more.id, found.previous or more.previous


def _events(node: Node) -> list[Node]:
    held = node.get("events")
    return [event for event in held.elements() if isinstance(event.value, dict)] if held is not None else []
