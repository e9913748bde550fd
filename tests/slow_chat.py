"""What OpenAI Chat says of single messages and parts, written down a second time (see `tests/slow_blocks.py`)."""

from __future__ import annotations

import re
from typing import Any

Found = set[tuple[str, str]]

FOREIGN_PARTS = {
    "input_text", "output_text", "summary_text", "reasoning_text", "image", "document", "input_image", "input_file", "tool_use",
    "tool_result", "server_tool_use", "tool-call", "tool-result", "tool_call", "toolCall", "toolUse", "toolResult", "function_call",
    "function_call_output", "functionCall", "functionResponse", "redacted_thinking",
}  # fmt: skip
ROLES = {"user", "assistant", "system", "developer", "tool", "function"}


def chat(request: dict[str, Any], model: str | None, mode: str) -> Found:
    found: Found = set()
    if not request["messages"] and mode == "complete":
        found.add(("messages-empty", "/messages"))
    for number, message in enumerate(request["messages"]):
        _message(found, message, f"/messages/{number}", model)
    return found


def _message(found: Found, message: dict[str, Any], base: str, model: str | None) -> None:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls")
    if not isinstance(role, str) or role not in ROLES:
        found.add(("role-invalid", base))
    if re.fullmatch(r"(.*/)?o1-(mini|preview)(-\d{4}-\d{2}-\d{2})?", model or "") and role in ("system", "developer"):
        found.add(("system-role-unsupported", base))
    if calls == []:
        found.add(("tool-calls-empty-array", base))
    if role == "tool":
        if content is None or not isinstance(content, str | list):
            found.add(("tool-result-content-type", base))
        call_id = message.get("tool_call_id")
        if isinstance(call_id, str) and len(call_id) > 64:
            found.add(("id-format", base))
        return
    refused = isinstance(message.get("refusal"), str) and message["refusal"] != ""
    called = bool(calls) or message.get("function_call") is not None
    nothing = content == [] and role != "assistant" and not called and not refused
    if nothing or (content is not None and not isinstance(content, str | list)):
        found.add(("content-type-invalid", base))
    elif content in (None, []) and role == "assistant" and not called and not refused and not message.get("reasoning_content"):
        found.add(("assistant-empty", base))
    for index, part in enumerate(content if isinstance(content, list) else []):
        _part(found, part, role, f"{base}/content/{index}", model)
    for index, call in enumerate(calls if isinstance(calls, list) else []):
        _call(found, call, f"{base}/tool_calls/{index}")


def _part(found: Found, part: Any, role: Any, pointer: str, model: str | None) -> None:
    word = part.get("type") if isinstance(part, dict) else None
    if word in FOREIGN_PARTS:
        found.add(("content-part-unsupported", pointer))
    if word == "input_audio" and re.fullmatch(r"(gpt|o[134]|chatgpt)-(?!.*(audio|realtime)).*|o[13]", model or ""):
        found.add(("content-part-unsupported", pointer))
    if word == "image_url" and role == "assistant":
        found.add(("image-in-assistant-message", pointer))


def _call(found: Found, call: Any, pointer: str) -> None:
    if not isinstance(call, dict):
        return
    inner = call.get("custom") if call.get("type") == "custom" else call.get("function")
    inner = inner if isinstance(inner, dict) else {}
    key = "input" if call.get("type") == "custom" else "arguments"
    if call.get("id") is None or (isinstance(call["id"], str) and len(call["id"]) > 64):
        found.add(("id-format", pointer))
    if not (isinstance(inner.get("name"), str) and re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", inner["name"])):
        found.add(("tool-name-format", pointer))
    if not isinstance(inner.get(key), str):
        found.add(("tool-args-invalid", pointer))
