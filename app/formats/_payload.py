"""What was said in a payload that a log keeps of an LLM call, whichever framework put it there: messages with their wire, and beside them
system texts, tools, model, usage and errors.

Payloads are looked at by their keys, the most telling first; strings of JSON are decoded on the way. What is none of this is one text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.formats._growing import Said, grown, placed
from app.formats._nodes import Node
from app.formats._streams import STREAM, answers, kind_of
from app.formats._vercel import answer_pieces
from app.formats._which import blocks_of_one, is_message, wire_of

_LISTS: Final = (
    "messages",
    "contents",
    "input",
    "prompts",
    "message_history",
    "history",
    "chat_history",
    "all_messages",
    "coreMessages",
    "prompt",
)
_WRAPPERS: Final = (
    "request", "req", "llm_request", "body", "kwargs", "payload", "params", "inputs", "data", "value", "requestBody", "inputBodyJson",
    "args",
)  # fmt: skip
_ANSWERS: Final = ("response", "output", "outputs", "llm_response", "body", "payload", "data", "value", "result", "return_value", "kwargs")
_TEXTS: Final = ("text", "content", "query", "question", "input", "prompt", "user_prompt", "message")
_ANSWER_TEXTS: Final = ("text", "content", "completion", "output", "answer", "result", "response", "output_text", "generation")
_DEPTH: Final = 8


@dataclass
class Found:
    """`error`: status (None: not told) and words of a provider's refusal. `previous`: the id of the answer that this call goes on from."""

    messages: list[Said] = field(default_factory=list)
    system: list[Node] = field(default_factory=list)
    tools: list[Node] = field(default_factory=list)
    model: str | None = None
    usage: dict[str, Any] | None = None
    error: str | None = None
    id: str | None = None
    previous: str | None = None
    guess: bool = False  # nothing but a text was found

    def say(self, messages: list[Said]) -> None:
        """Adds messages; where they are the first, what is known of them goes on being known."""
        if self.messages:
            self.messages += placed(messages)
        else:
            self.messages = messages


# -- what was sent ----------------------------------------------------------------------------------------------------------------


def sent(node: Node | None, hint: str | None = None) -> Found:
    """What was sent. `hint`: the wire where a list of plain messages does not tell it."""
    found = Found()
    if node is not None and node.value is not None:
        _sent(node.decoded(), found, hint, 0)
    return found


def _sent(node: Node, found: Found, hint: str | None, depth: int) -> None:
    value = node.value
    if isinstance(value, list):
        found.say(listed(node, hint))
    elif not isinstance(value, dict):
        _text(node, found, "said-user")
    elif is_message(value):
        found.messages.append(Said(node, wire_of([value], hint)))
    elif depth < _DEPTH and not _of_request(node, value, found, hint, depth):
        _plain(node, value, found, "said-user", _TEXTS)


def _of_request(node: Node, value: dict[str, Any], found: Found, hint: str | None, depth: int) -> bool:
    """Whether an object is a request, or holds one."""
    _beside(node, value, found)
    hint = _hint(value, hint)
    for key in _LISTS:
        held = node.get(key)
        inner = held.decoded() if held is not None else None
        if inner is None or not inner.value:
            continue
        if isinstance(inner.value, list) and (key != "prompt" or any(isinstance(item, dict) for item in inner.value)):
            found.say(listed(inner, "gemini" if key == "contents" else "responses" if key == "input" and hint is None else hint))
        elif key == "prompt" and isinstance(inner.value, dict):
            _sent(inner, found, hint, depth + 1)
        elif isinstance(inner.value, dict) and is_message(inner.value):
            found.messages.append(Said(inner, wire_of([inner.value], hint)))
        elif isinstance(inner.value, str) and key in ("contents", "input", "prompt"):
            _text(inner, found, "said-user")
        elif isinstance(inner.value, dict) and isinstance(inner.value.get("messages"), list):
            _sent(inner, found, hint, depth + 1)
        if found.messages:
            _more(node, key, found)
            return True
    for key in _WRAPPERS:
        held = node.get(key)
        inner = held.decoded() if held is not None else None
        if inner is not None and key == "args" and isinstance(inner.value, list):
            inner = next((item for item in inner.elements() if isinstance(item.value, dict)), None)
        if inner is not None and isinstance(inner.value, dict) and inner.value and not is_message(inner.value):
            inside = Found()
            if _of_request(inner, inner.value, inside, hint, depth + 1) if depth < _DEPTH else False:
                _merge(found, inside)
                return True
    return any(value.get(key) == [] for key in ("messages", "contents", "input"))  # a request that says nothing


def _more(node: Node, key: str, found: Found) -> None:
    """What is said beside a history: the prompt that follows it."""
    if key in ("message_history", "history", "chat_history"):
        for name in ("user_prompt", "prompt", "question", "query", "input", "message"):
            held = node.get(name)
            if held is not None and isinstance(held.value, str):
                _text(held, found, "said-user")
                return


def _beside(node: Node, value: dict[str, Any], found: Found) -> None:
    """System texts, tools, the model, and what it goes on from."""
    for path in (("system",), ("instructions",), ("systemInstruction",), ("system_instruction",), ("config", "system_instruction"),
                 ("config", "systemInstruction")):  # fmt: skip
        held = node.get(*path)
        if held is not None and held.value and not found.system:
            found.system = list(held.elements()) if isinstance(held.value, list) else [held]
    for path in (("tools",), ("functions",), ("toolConfig", "tools"), ("config", "tools")):
        held = node.get(*path)
        if held is not None and isinstance(held.value, list) and held.value and not found.tools:
            found.tools = list(held.elements())
    for key in ("model", "modelId", "model_name", "modelVersion"):
        if isinstance(value.get(key), str) and value[key] and found.model is None:
            found.model = value[key]
    inner = value.get("model")
    if found.model is None and isinstance(inner, dict) and isinstance(inner.get("modelId"), str):
        found.model = inner["modelId"]
    if isinstance(value.get("previous_response_id"), str):
        found.previous = value["previous_response_id"]


def _hint(value: dict[str, Any], hint: str | None) -> str | None:
    """The wire of a request whose messages do not tell it."""
    if "anthropic_version" in value:
        return "anthropic"
    if "inferenceConfig" in value or "toolConfig" in value:
        return "bedrock"
    tools = value.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools):
        return "anthropic"
    if hint is None and "system" in value and "messages" in value and "max_tokens" in value:
        return "anthropic"
    return hint


# -- what came back -----------------------------------------------------------------------------------------------------------------


def came(node: Node | None, hint: str | None = None) -> Found:
    """What came back. `hint`: as for `sent`."""
    found = Found()
    if node is not None and node.value is not None:
        _came(node.decoded(), found, hint, 0)
    return found


def _came(node: Node, found: Found, hint: str | None, depth: int) -> None:
    value = node.value
    if isinstance(value, list):
        if value and kind_of(value[0]) is not None:
            for answer in streamed(node):
                _came(answer, found, hint, depth + 1)
        elif value and isinstance(value[0], dict) and isinstance(value[0].get("message"), dict) and not is_message(value[0]):
            _choices(node, found, hint)
        elif (whole := blocks_of_one(value)) is not None:
            found.messages.append(Said(node, whole if whole == "ai-calls" else f"{whole}-assistant"))
        else:
            found.say(listed(node, hint, answer=True))
    elif not isinstance(value, dict):
        _text(node, found, "said-assistant")
    elif depth < _DEPTH and not _of_answer(node, value, found, hint, depth):
        _plain(node, value, found, "said-assistant", _ANSWER_TEXTS)


def _of_answer(node: Node, value: dict[str, Any], found: Found, hint: str | None, depth: int) -> bool:
    """Whether an object is an answer, or holds one."""
    _noted(value, found)
    if isinstance(value.get("choices"), list):
        said = [choice for choice in value["choices"] if not (isinstance(choice, dict) and choice.get("message", choice) is None)]
        return _choices(node.get("choices"), found, hint) or bool(found.error) or (bool(value["choices"]) and not said)
    if isinstance(value.get("candidates"), list):
        return _candidates(node.get("candidates"), found) or bool(found.usage)
    output = value.get("output")
    if value.get("object") == "response" or (isinstance(output, list) and output and isinstance(output[0], dict) and "type" in output[0]):
        held = node.get("output")
        found.say(listed(held, "responses", answer=True) if held is not None else [])
        return True
    if value.get("type") == "message" and isinstance(value.get("content"), list) and "role" in value:
        wire = "anthropic" if "stop_reason" in value or hint == "anthropic" else wire_of([value], hint or "anthropic")
        found.messages.append(Said(node, "anthropic-answer" if wire == "anthropic" else wire))
        return True
    if is_message(value):
        found.messages.append(Said(node, wire_of([value], hint, answer=True)))
        return True
    return _inside(node, value, found, hint, depth)


def _inside(node: Node, value: dict[str, Any], found: Found, hint: str | None, depth: int) -> bool:
    """An answer inside of what a framework gives back."""
    bedrock = node.get("output", "message")
    if bedrock is not None and isinstance(bedrock.value, dict) and is_message(bedrock.value):
        found.messages.append(Said(bedrock, wire_of([bedrock.value], "bedrock", answer=True)))
        return True
    replied = node.get("response", "messages")
    for held in (replied, node.get("messages")):
        if held is not None and isinstance(held.value, list) and held.value:
            found.say(listed(held, hint, answer=True))
            return True
    generations = node.get("generations")
    if generations is not None and isinstance(generations.value, list):
        return _generations(generations, found, hint)
    for key in ("message", "content"):
        held = node.get(key)
        if held is not None and isinstance(held.value, dict) and is_message(held.value):
            found.messages.append(Said(held, wire_of([held.value], hint, answer=True)))
            return True
    if {"toolCalls", "finishReason", "reasoningText", "object"} & value.keys() and answer_pieces(value):
        found.messages.append(Said(node, "ai-answer"))
        return True
    for key in _ANSWERS:
        held = node.get(key)
        inner = held.decoded() if held is not None else None
        if inner is not None and isinstance(inner.value, dict | list) and inner.value:
            inside = Found()
            _came(inner, inside, hint, depth + 1)
            if inside.messages and not inside.guess:
                _merge(found, inside)
                return True
    return False


def _choices(node: Node | None, found: Found, hint: str | None) -> bool:
    """The message of each choice."""
    for choice in node.elements() if node is not None else ():
        message = choice.get("message")
        if message is not None and isinstance(message.value, dict):
            wire = wire_of([message.value], hint, answer=True)
            found.messages.append(Said(message, "chat-answer" if wire in ("chat", "said-assistant") else wire))
        elif choice.value and isinstance(choice.value, dict) and isinstance(choice.value.get("text"), str):
            text = choice.get("text")
            assert text is not None
            found.messages.append(Said(text, "said-assistant"))
    return bool(found.messages)


def _candidates(node: Node | None, found: Found) -> bool:
    for candidate in node.elements() if node is not None else ():
        content = candidate.get("content")
        if content is not None and isinstance(content.value, dict) and content.value.get("parts"):
            found.messages.append(Said(content, "gemini-answer"))
    return bool(found.messages)


def _generations(node: Node, found: Found, hint: str | None) -> bool:
    """LangChain's result of a model: lists of `{text, message}`, one for each prompt."""
    for batch in node.elements():
        for generation in batch.elements() if isinstance(batch.value, list) else [batch]:
            message, text = generation.get("message"), generation.get("text")
            if message is not None and isinstance(message.value, dict):
                found.messages.append(Said(message, wire_of([message.value], hint, answer=True)))
                _noted_usage(message.value, found)
            elif text is not None and isinstance(text.value, str):
                found.messages.append(Said(text, "said-assistant"))
            return bool(found.messages)
    return False


def _noted(value: dict[str, Any], found: Found) -> None:
    """Id, model, usage and error of an answer."""
    _noted_usage(value, found)
    for key in ("model", "modelVersion", "model_version", "modelId"):
        if isinstance(value.get(key), str) and found.model is None:
            found.model = value[key]
    if isinstance(value.get("id"), str) and found.id is None:
        found.id = value["id"]
    if found.error is None:
        found.error = error_text(value.get("error"))


def _noted_usage(value: dict[str, Any], found: Found) -> None:
    for key in ("usage", "usageMetadata", "usage_metadata", "token_usage"):
        held = value.get(key)
        if isinstance(held, dict) and held and found.usage is None:
            found.usage = held


def error_text(error: Any, depth: int = 0) -> str | None:
    """The words of an error: a text, or `{message}`; None where there is none."""
    if isinstance(error, dict):
        key = next((key for key in ("message", "error", "Message", "detail") if error.get(key)), None)
        return error_text(error[key], depth + 1) if key is not None and depth < _DEPTH else None
    return error if isinstance(error, str) and error.strip() else None


# -- both ---------------------------------------------------------------------------------------------------------------------------


def listed(node: Node, hint: str | None = None, answer: bool = False, depth: int = 0) -> list[Said]:
    """The elements of a list as messages. A list of lists holds a batch: the first of it is taken."""
    known = grown(node, hint, answer)
    if known is not None:
        return known
    items = [item.decoded() if isinstance(item.value, str) and item.value.lstrip()[:1] == "{" else item for item in node.elements()]
    if items and depth < _DEPTH and all(isinstance(item.value, list) for item in items):
        return listed(items[0], hint, answer, depth + 1)
    objects = [item.value for item in items if isinstance(item.value, dict)]
    wire = wire_of(objects, hint, answer)
    other = "said-assistant" if answer else "said-user"
    return [Said(item, wire if isinstance(item.value, dict) else other) for item in items if item.value is not None]


def streamed(node: Node) -> Iterator[Node]:
    """The answers of a stream that stands in a node, each as a node of its own."""
    for number, answer in enumerate(answers(node.value)):
        yield node.inside(answer, STREAM, number)


def _text(node: Node, found: Found, wire: str) -> None:
    if node.value is not None and node.value != "":
        found.messages.append(Said(node, wire))
        found.guess = True


def _plain(node: Node, value: dict[str, Any], found: Found, wire: str, keys: tuple[str, ...]) -> None:
    """An object that is none of this: the text that it holds, or all of it."""
    if not value or found.error is not None:
        return
    for key in keys:
        held = node.get(key)
        if held is not None and isinstance(held.value, str) and held.value:
            _text(held, found, wire)
            return
    _text(node, found, wire)


def _merge(found: Found, inside: Found) -> None:
    found.say(inside.messages)
    found.system = found.system or inside.system
    found.tools = found.tools or inside.tools
    found.model = inside.model or found.model
    found.usage = found.usage or inside.usage
    found.error = found.error or inside.error
    found.id = inside.id or found.id
    found.previous = found.previous or inside.previous
