"""Redaction of secrets whose name stands beside them as data, and of a value wherever it stands once it was told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.pipeline.names import provider_named
from app.pipeline.redact import redacted, search
from tests.evidence import dump_of

S = "zQ1x7Kp9mW3vR5tY8uB2nL6"
OPENAI = provider_named("openai-chat")

BESIDE: dict[str, Any] = {
    "cookies": {"cookies": [{"name": "session", "path": "/", "value": S}]},
    "cookies by name": {"cookies": {"sid": S}},
    "attribute": [{"key": "http.request.header.x-api-key", "value": {"stringValue": S}}],
    "attribute of a session": [{"key": "session.cookie", "value": {"stringValue": S}}],
    "short names": [{"k": "llm.api_key", "v": S}],
    "more between": {"name": "SECRET_KEY", "type": "plain", "value": S},
    "value first": {"value": S, "name": "DB_PASSWORD"},
    "header": {"header": "x-api-key", "value": S},
    "flat": ["x-litellm-key", S],
    "member": {"headers": {"x-litellm-key": S}, "api_key_used": S},
    "token": {"name": "token", "value": S},
}


def chat(result: str, beside: Any = None) -> bytes:
    call = {"id": "call_1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": result},
    ]  # fmt: skip
    return json.dumps({"model": "gpt-4o", "messages": messages, "metadata": {"held": beside}}).encode()


def left(data: bytes) -> bytes:
    dump = dump_of(data, "a.json")
    return redacted(dump, search(dump), (), OPENAI, None, "complete")[0]


@pytest.mark.parametrize("which", sorted(BESIDE))
def test_a_secret_goes_by_the_name_beside_it(which: str) -> None:
    assert S.encode() not in left(chat("done", BESIDE[which]))


@pytest.mark.parametrize("which", sorted(BESIDE))
def test_so_it_does_in_json_within_a_string(which: str) -> None:
    assert S.encode() not in left(chat(json.dumps({"env": BESIDE[which]})))
    assert S.encode() not in left(chat(json.dumps({"out": json.dumps({"env": BESIDE[which]}, separators=(",", ":"))})))


@pytest.mark.parametrize("said", ["api key is " + S, "the access token is: " + S + ".", "token\n  " + S, "secret:\n" + S])
def test_a_key_that_is_told(said: str) -> None:
    assert S.encode() not in left(chat(said))


def test_what_goes_in_one_place_goes_everywhere() -> None:
    headers = [{"name": "Cookie", "value": f"sid={S}; b=1"}, {"name": "Authorization", "value": f"Bearer {S[::-1]}"}]
    made = left(chat(f"I saw {S} and {S[::-1]}x", headers))
    assert S.encode() not in made
    assert S[::-1].encode() not in made


PLAIN: list[Any] = [
    [{"name": "Bash", "value": "ls -la /tmp/a1B2"}], {"name": "path", "value": "a1B2c3D4e5F6g7H8i9"},
    {"cookies": [{"name": "lang", "value": "en"}]},
]  # fmt: skip


@pytest.mark.parametrize("plain", PLAIN)
def test_other_pairs_stay(plain: Any) -> None:
    data = chat("the token is optional\nthe key is under the mat", plain)
    assert left(data) == data
