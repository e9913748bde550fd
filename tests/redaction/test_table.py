"""The table: what must go goes, and nothing goes that only looks like it."""

from __future__ import annotations

import json

import pytest

from app.pipeline.names import provider_named
from app.pipeline.redact import redacted, search
from app.pipeline.sensitive import Finder
from tests.evidence import dump_of
from tests.redaction import lookalikes, truths
from tests.redaction.measure import measure

ANTHROPIC = provider_named("anthropic")


def test_all_of_the_table() -> None:
    made = measure()
    assert len(truths.rows()) >= 150
    assert made.lookalikes >= 100
    assert made.missed == []
    assert made.wrong == []


def test_all_of_it_at_once_in_one_file_judged_the_same() -> None:
    texts = [text for kind, text, _ in truths.rows() if kind != "home"]
    messages = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
    dump = dump_of({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages})
    made, _ = redacted(dump, search(dump), (), ANTHROPIC, None, "complete")  # raises where it is judged otherwise
    after = [message["content"] for message in json.loads(made)["messages"]]
    assert [len(text) for text in after] == [len(text) for text in texts]
    wanted = [one for kind, _, all_of in truths.rows() if kind != "home" for one in all_of]
    assert not [one for one, text in zip(texts, after, strict=True) for word in wanted if len(word) > 7 and word in text and word in one]


@pytest.mark.parametrize("headers", [
    [{"name": "Authorization", "value": "plainwordtoken"}, {"name": "Accept", "value": "*/*"}],
    ["Accept", "*/*", "authorization", "plainwordtoken"],
    [{"key": "DB_PASSWORD", "value": "plainwordtoken"}],
    {"X-Api-Key": ["plainwordtoken"]}, {"dbPassword": "plainwordtoken"}, {"cookie": "a=1; s=plainwordtoken"},
])  # fmt: skip
def test_a_value_goes_by_what_stands_beside_it(headers: object) -> None:
    call = {"type": "tool_use", "id": "toolu_01ABCdef", "name": "fetch", "input": {"headers": headers}}
    dump = dump_of({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "assistant", "content": [call]}]})
    made, places = redacted(dump, search(dump), (), ANTHROPIC, None, "complete")
    assert b"plainwordtoken" not in made
    assert places == 1
    assert b"toolu_01ABCdef" in made


def test_a_number_that_is_a_password_goes() -> None:
    call = {"type": "tool_use", "id": "toolu_01ABCdef", "name": "login", "input": {"password": 48213377, "port": 48213377, "limit": 5000}}
    dump = dump_of({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "assistant", "content": [call]}]})
    made, places = redacted(dump, search(dump), (), ANTHROPIC, None, "complete")
    assert json.loads(made)["messages"][0]["content"][0]["input"] == {"password": 99999999, "port": 48213377, "limit": 5000}
    assert places == 1


def test_lines_of_a_log_are_searched_together() -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    secret = "abc123def456ghi", "jkl789mno"
    text = (f"# aider chat started at 2025-01-01 10:00:00\n\n#### use {token[:24]}\n#### {token[24:]} please\n\n"
            f"> Authorization: Bearer {secret[0]}\n> {secret[1]}\n\nDone.\n\n#### next\n\nYes.\n")  # fmt: skip
    dump = dump_of(text.encode(), "x.md")
    made, places = redacted(dump, search(dump), (), ANTHROPIC, None, "prefix")
    after = made.decode()
    assert not [one for one in (token[:24], token[24:], *secret) if one in after]
    assert places == 4
    assert [line[:2] for line in after.split("\n") if line[:1] in "#>"] == [line[:2] for line in text.split("\n") if line[:1] in "#>"]


def test_lookalikes_stay_under_the_keys_of_formats() -> None:
    for key in ("id", "tool_use_id", "call_id", "parentUuid", "text", "content", "name", "type", "model", "signature_id"):
        assert [text for kind, text in lookalikes.rows() if kind == "id" and Finder({}).hits(text, key)] == []
