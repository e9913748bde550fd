"""A text of another dialect becomes a block of text where it stands: a list stays a list, and a cache mark stays on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.asked import asked, mended

MARK = {"cache_control": {"type": "ephemeral"}}


def request(wire: str, *blocks: Any) -> dict[str, Any]:
    more = {"max_tokens": 9, "model": "claude-sonnet-4-5"} if wire == "anthropic" else {"model": "gpt-4o"}
    return {**more, "messages": [{"role": "user", "content": list(blocks)}]}


RULE = {"anthropic": "block-type-unknown", "openai-chat": "content-part-unsupported"}


@pytest.mark.parametrize("wire", RULE)
@pytest.mark.parametrize("word", ["input_text", "output_text", "summary_text"])
def test_a_lone_block_keeps_its_list_and_its_mark(wire: str, word: str) -> None:
    made = mended(request(wire, {"type": word, "text": "hi é", **MARK}), wire)
    assert made.request["messages"][0]["content"] == [{"type": "text", "text": "hi é", **MARK}]
    assert made.effects == ["exact"]
    assert made.after.errors() == []


@pytest.mark.parametrize("wire", RULE)
def test_beside_others_it_stays_where_it_is(wire: str) -> None:
    text = {"type": "text", "text": "a"}
    made = mended(request(wire, text, {"type": "input_text", "text": "b"}, {"type": "input_text", "text": "c"}), wire)
    assert [block["text"] for block in made.request["messages"][0]["content"]] == ["a", "b", "c"]


@pytest.mark.parametrize("wire", RULE)
@pytest.mark.parametrize(("notes", "effect"), [([], "exact"), ([{"type": "url_citation", "url": "x"}], "loses")])
def test_members_that_a_text_does_not_have_go(wire: str, notes: list[Any], effect: str) -> None:
    made = mended(request(wire, {"type": "output_text", "text": "hi", "annotations": notes, "logprobs": []}), wire)
    assert made.request["messages"][0]["content"] == [{"type": "text", "text": "hi"}]
    assert made.effects == [effect]


def test_a_text_that_is_no_block_is_put_in_anew() -> None:
    made = mended(request("anthropic", "hi", {"type": "text", "text": "b"}))
    assert [block["text"] for block in made.request["messages"][0]["content"]] == ["hi", "b"]


def test_an_empty_one_is_no_text() -> None:
    found = asked(request("anthropic", {"type": "input_text", "text": " "}))
    assert [fix.title for fix in found.one("block-type-unknown").fixes] == ["Drop the block"]
