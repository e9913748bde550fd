"""An error text as people have it when they paste it: in the body of the answer, in a router's, in a traceback, in a log, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Wrap = Callable[[str], str]

# (provider, rule, text) of public reports; a text stands for each rule that it was reported for
REPORTED: list[tuple[str, str, str]] = [
    tuple(row) for row in json.loads(Path(__file__).with_name("reported_texts.json").read_text("utf-8"))
]


def body(text: str, **error: Any) -> str:
    return json.dumps(
        {"type": "error", "error": {"type": "invalid_request_error", "message": text, **error}, "request_id": "req_011CSVr7aBmV"}
    )


def escaped(text: str, times: int = 1) -> str:
    for _ in range(times):
        text = json.dumps(text)[1:-1]
    return text


def _openrouter(text: str) -> str:
    raw = json.dumps({"error": {"message": text, "type": "invalid_request_error"}})
    inside = {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw, "provider_name": "OpenAI"}}
    return json.dumps({"error": inside, "user_id": "org_2x"})


def _traceback(text: str) -> str:
    frames = 'Traceback (most recent call last):\n  File "/app/agent.py", line 1, in ask\n    raise self._make_status_error(err.response)\n'
    error = {"error": {"message": text, "type": "invalid_request_error", "param": None}}
    return f"{frames}openai.BadRequestError: Error code: 400 - {error!r}"


WHOLE: dict[str, Wrap] = {
    "bare": lambda text: text,
    "body": body,
    "body with a place": lambda text: json.dumps(json.loads(body(text, param="messages.[6].role", code=None)), indent=2),
    "openrouter": _openrouter,
    "litellm": lambda text: f"litellm.BadRequestError: AnthropicException - {body(text)}No fallback model group found for original "
    "model_group=claude. Fallbacks=[{'a': ['b']}] LiteLLM Retried: 1 times, LiteLLM Max Retries: 2",
    "traceback": _traceback,
    "bedrock": lambda text: "botocore.errorfactory.ValidationException: An error occurred (ValidationException) when calling the Converse "
    f"operation: {text}",
    "google": lambda text: json.dumps([{"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT", "details": []}}]),
    "log": lambda text: f'2026-01-28 07:31:34,220 ERROR [io.ktor] (executor-1) status=400 body="{escaped(text)}" (Request ID: 45c9c3bb)',
    "escaped twice": lambda text: '{"error":"Error: 400 ' + escaped(body(text), 2) + '\\n    at new K5 (unknown:1:28)"}',
    "claude code": lambda text: f"API Error: 400 {body(text)}",
    "no quotes": lambda text: re.sub(r"[`'\"]", "", text),
    "other quotes": lambda text: text.replace("'", "’").replace("`", '"'),
    "capitals": str.upper,
    "terminal": lambda text: "\x1b[31m" + "\n    ".join(text[at : at + 60] for at in range(0, len(text), 60)) + "\x1b[0m",
    "numbers masked": lambda text: re.sub(r"\d+", "N", text),
    "html": lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;").replace('"', "&quot;"),
}  # fmt: skip

CUT: dict[str, Wrap] = {
    "the end is missing": lambda text: text[: len(text) * 7 // 10],
    "the end is points": lambda text: text[: len(text) * 7 // 10] + "...",
    "the beginning is points": lambda text: "…" + text[len(text) * 3 // 10 :],
    "the middle is points": lambda text: text[: len(text) * 4 // 10] + " … " + text[len(text) * 6 // 10 :],
}  # fmt: skip
