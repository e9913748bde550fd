"""Attributes of spans: as OTLP writes them (a list of keys and typed values), flat, and rebuilt where lists were flattened into keys.

OpenInference flattens messages (`llm.input_messages.0.message.role`), OpenLLMetry prompts (`gen_ai.prompt.0.content`).
Sources: open-telemetry/opentelemetry-proto common.proto (AnyValue), Arize-ai/openinference spec/semantic_conventions.md.
"""

from __future__ import annotations

from typing import Any, Final

_VALUES: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue", "string_value", "bool_value", "double_value", "bytes_value")
_INTEGERS: Final = ("intValue", "int_value")
_DEPTH: Final = 12


def flat(attributes: Any) -> dict[str, Any]:
    """Attributes by key, whichever way they are written; empty of what are none."""
    if isinstance(attributes, dict):
        return attributes
    found: dict[str, Any] = {}
    for entry in attributes if isinstance(attributes, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("key"), str):
            found[entry["key"]] = any_value(entry.get("value"))
    return found


def any_value(value: Any, depth: int = 0) -> Any:
    """A typed value of OTLP's as JSON; what is none comes back as it is."""
    if not isinstance(value, dict) or depth > _DEPTH:
        return value
    for key in _VALUES:
        if key in value:
            return value[key]
    for key in _INTEGERS:
        if key in value:
            return _integer(value[key])
    for key in ("arrayValue", "array_value"):
        held = value.get(key)
        if isinstance(held, dict):
            values = held.get("values")
            return [any_value(item, depth + 1) for item in values] if isinstance(values, list) else []
    for key in ("kvlistValue", "kvlist_value"):
        held = value.get(key)
        if isinstance(held, dict):
            values = held.get("values")
            pairs = [item for item in values if isinstance(item, dict)] if isinstance(values, list) else []
            return {str(item.get("key")): any_value(item.get("value"), depth + 1) for item in pairs}
    return value or None


def _integer(value: Any) -> Any:
    """OTLP writes an integer of 64 bits as a string."""
    if isinstance(value, str) and len(value) < 30:
        try:
            return int(value)
        except ValueError:
            return value
    return value


def rebuilt(attributes: dict[str, Any], prefix: str) -> Any:
    """What was flattened under a prefix, `llm.input_messages.` say: an object, or a list where its keys are numbers; None: nothing."""
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if not key.startswith(prefix):
            continue
        at, tokens = tree, key[len(prefix) :].split(".")
        if len(tokens) > _DEPTH:
            continue
        for token in tokens[:-1]:
            inner = at.get(token)
            if not isinstance(inner, _Branch):
                inner = at[token] = _Branch()
            at = inner
        if not isinstance(at.get(tokens[-1]), _Branch):
            at[tokens[-1]] = value
    return _listed(tree) if tree else None


class _Branch(dict[str, Any]):
    """An object that was made here, and not one that stood in a value."""


def _listed(tree: dict[str, Any]) -> Any:
    """Objects whose keys are all numbers as lists, in the order of the numbers."""
    done = {key: _listed(value) if isinstance(value, _Branch) else value for key, value in tree.items()}
    if done and all(key.isascii() and key.isdigit() and len(key) < 8 for key in done):
        return [done[key] for key in sorted(done, key=int)]
    return done


# -- messages that were flattened ---------------------------------------------------------------------------------------------


def openinference(held: Any) -> dict[str, Any]:
    """A message of OpenInference's as one of OpenAI's Chat Completions."""
    held = held if isinstance(held, dict) else {}
    inner = held.get("message")
    message = inner if isinstance(inner, dict) else held
    out: dict[str, Any] = {"role": message.get("role"), "content": message.get("content")}
    contents = message.get("contents")
    if isinstance(contents, list) and contents:
        out["content"] = [_content(part) for part in contents]
    calls = message.get("tool_calls")
    entries = [entry.get("tool_call", entry) for entry in calls if isinstance(entry, dict)] if isinstance(calls, list) else []
    made = [_call(entry) for entry in entries if isinstance(entry, dict)]
    if made:
        out["tool_calls"] = made
    elif message.get("function_call_name") is not None:
        out["function_call"] = {"name": message["function_call_name"], "arguments": message.get("function_call_arguments_json", "{}")}
    for key in ("tool_call_id", "name"):
        if message.get(key) is not None:
            out[key] = message[key]
    return out


def _call(entry: dict[str, Any]) -> dict[str, Any]:
    function = entry.get("function")
    function = function if isinstance(function, dict) else entry
    return {
        "id": entry.get("id"), "type": "function",
        "function": {"name": function.get("name"), "arguments": function.get("arguments")},
    }  # fmt: skip


def _content(part: Any) -> Any:
    inner = part.get("message_content") if isinstance(part, dict) else None
    if not isinstance(inner, dict):
        return part
    if inner.get("type") == "image":
        image = inner.get("image")
        held = image.get("image") if isinstance(image, dict) else None
        return {"type": "image_url", "image_url": {"url": held.get("url") if isinstance(held, dict) else None}}
    return inner


def openllmetry(held: Any) -> dict[str, Any]:
    """A message of OpenLLMetry's (`gen_ai.prompt.N`): calls have their name and arguments beside their id."""
    message = held if isinstance(held, dict) else {}
    out: dict[str, Any] = {"role": message.get("role"), "content": message.get("content")}
    calls = message.get("tool_calls")
    made = [_call(entry) for entry in calls if isinstance(entry, dict)] if isinstance(calls, list) else []
    if made:
        out["tool_calls"] = made
    if message.get("tool_call_id") is not None:
        out["tool_call_id"] = message["tool_call_id"]
    return out


def event(held: Any) -> dict[str, Any]:
    """A message that stands in an event of a span (`gen_ai.user.message`, `gen_ai.choice`); `role` is told by the event's name."""
    found = held if isinstance(held, dict) else {}
    inner = found.get("message")
    message = inner if isinstance(inner, dict) else found
    out = {key: value for key, value in message.items() if "." not in key}
    if out.get("role") == "tool" and "tool_call_id" not in out and "id" in out:
        out["tool_call_id"] = out.pop("id")  # the event's id is that of the call
    return out
