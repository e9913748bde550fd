"""Rules that look at messages and their parts: roles, images, foreign parts, what is no JSON."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import pytest

from tests.rules.asked import asked, mended
from tests.rules.test_request_rules import MODEL, OK, USER, assistant, call, request, result, text, user

# -- images -----------------------------------------------------------------------------------------------------------------------------


def png(width: int, height: int, length: int = 0) -> str:
    """The base64 of the head of a picture, and as many characters in all as are asked for."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height) + b"\x08\x02\x00\x00\x00"
    return (base64.b64encode(head).decode().rstrip("=") + "A" * 4096)[: max(length, 64)].ljust(length, "A")


def image(width: int = 10, height: int = 10, length: int = 0) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png(width, height, length)}}


FEW, MANY = [image()] * 19, [image()] * 20


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([image(2001, 10), *FEW], ""),
        ([image(2001, 10), *MANY], "e /messages/0/content/0"),
        ([image(2000, 2000), *MANY], ""),
        ([*MANY, image(10, 2500)], "e /messages/0/content/20"),
        ([image(8001, 10)], "e /messages/0/content/0"),
        ([image(8000, 10)], ""),
    ],
)
def test_images_have_so_many_pixels_at_most(blocks: list[Any], expected: str) -> None:
    made = request(user(*blocks, text("look")))
    found = asked(made)
    assert found.places("image-too-many-pixels") == expected
    if expected:
        assert "image dimensions exceed max allowed size" in str(found.one("image-too-many-pixels").provider_error)
        after = mended(made)
        assert after.after.report.verdict == "accept"
        assert after.effects == ["loses"]
        notes = [block for block in after.request["messages"][0]["content"] if block.get("text", "").startswith("[image taken out: ")]
        assert len(notes) == 1


def test_images_in_results_count_and_are_measured() -> None:
    shots = [image(), image(2400, 1200), image()]
    made = request(USER, assistant(call()), user(result(content=[text("shots"), *shots]), *[image()] * 18))
    found = asked(made)
    assert found.places("image-too-many-pixels") == "e /messages/2/content/0/content/2"
    assert "2,400 x 1,200" in found.one("image-too-many-pixels").message
    after = mended(made)
    content = after.request["messages"][2]["content"][0]["content"]
    assert content == [text("shots"), shots[0], text("[image taken out: 2400 x 1200 pixels]"), shots[2]]
    assert after.after.report.verdict == "accept"
    fewer = request(USER, assistant(call()), user(result(content=shots), *[image()] * 17))
    assert asked(fewer).places("image-too-many-pixels") == ""


def test_images_have_so_much_data_at_most() -> None:
    made = request(user(image(length=5_242_881), image(length=5_242_880)))
    found = asked(made)
    assert found.places("image-too-large") == "e /messages/0/content/0"
    assert "5242881 bytes > 5242880 bytes" in str(found.one("image-too-large").provider_error)
    assert mended(made).after.report.verdict == "accept"


# -- roles ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "expected", "role", "effect"),
    [
        ({"role": "tool", "content": "x"}, "e /messages/1", "user", "exact"),
        ({"role": "developer", "content": "x"}, "e /messages/1", "user", "adds"),
        ({"role": "human", "content": "x"}, "e /messages/1", "user", "exact"),
        ({"role": "AI", "content": "x"}, "e /messages/1", "assistant", "exact"),
        ({"content": "x"}, "e /messages/1", "user", "adds"),
        ({"role": None, "content": [text()]}, "e /messages/1", "user", "adds"),
        ({"role": 1, "content": [call()]}, "e /messages/1", "assistant", "adds"),
        ({"role": "human", "content": [call()]}, "e /messages/1", "assistant", "adds"),
        ({"role": "system", "content": "x"}, "", "", ""),
    ],
)
def test_anthropic_knows_these_roles(message: dict[str, Any], expected: str, role: str, effect: str) -> None:
    made = request(USER, message, OK, USER)
    found = asked(made)
    assert found.places("role-invalid") == expected
    if expected:
        assert found.one("role-invalid").fixes[0].effect == effect
        after = mended(made)
        assert after.request["messages"][1]["role"] == role
        assert after.after.report.verdict == "accept"
        assert after.request["messages"][1]["content"] != []


def test_what_anthropic_says_of_roles() -> None:
    found = asked(request({"role": "tool", "content": "x"}, {"content": "x"}))
    words = [finding.provider_error for finding in found.report.findings if finding.rule == "role-invalid"]
    assert words == [
        'messages: Unexpected role "tool". Allowed roles are "user" or "assistant".',
        "messages.1.role: Field required",
    ]


CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("message", "expected", "role"),
    [
        ({"role": "human", "content": "x"}, "e /messages/1", "user"),
        ({"role": 1, "content": None, "tool_calls": [CALL]}, "e /messages/1", "assistant"),
        ({"role": "bot", "content": "ok", "tool_calls": [CALL]}, "e /messages/1", "assistant"),
        ({"content": "x"}, "e /messages/1", "user"),
        ({"role": "developer", "content": "x"}, "", ""),
    ],
)
def test_openai_knows_these_roles(message: dict[str, Any], expected: str, role: str) -> None:
    made = {"model": "gpt-5", "messages": [USER, message, USER]}
    found = asked(made, "openai-chat")
    assert found.places("role-invalid") == expected
    if expected:
        assert found.errors() == ["role-invalid"]
        after = mended(made, "openai-chat")
        assert after.request["messages"][1]["role"] == role
        assert after.after.report.verdict == "accept"


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_what_is_no_message(wire: str) -> None:
    made = {"model": "m", "messages": [USER, "and now?", OK, USER]}
    found = asked(made, wire)
    assert found.places("role-invalid") == "e /messages/1"
    assert "a string" in found.one("role-invalid").message
    assert mended(made, wire).request["messages"] == [USER, OK, USER]


@pytest.mark.parametrize(
    ("model", "expected"),
    [("o1-mini", "e /messages/0 e /messages/2"), ("openai/o1-preview-2024-09-12", "e /messages/0 e /messages/2"), ("o1", ""), (None, "")],
)
def test_models_that_take_no_system_message(model: str | None, expected: str) -> None:
    messages = [{"role": "system", "content": "be brief"}, USER, {"role": "developer", "content": "now"}]
    made = {"messages": messages, **({"model": model} if model else {})}
    found = asked(made, "openai-chat")
    assert found.places("system-role-unsupported") == expected
    if expected:
        assert "does not support 'system' with this model" in str(found.one("system-role-unsupported").provider_error)
        assert {message["role"] for message in mended(made, "openai-chat").request["messages"]} == {"user"}


# -- parts ------------------------------------------------------------------------------------------------------------------------------

AUDIO = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}
PARTS = [
    (text(), None, "", None),
    ({"type": "input_text", "text": "hi"}, None, "e /messages/0/content/1", text("hi")),
    ({"type": "image", "source": {"type": "url", "url": "x"}}, None, "e /messages/0/content/1", text("[image taken out]")),
    ({"type": "tool_result", "content": "x"}, None, "e /messages/0/content/1", text('{"type": "tool_result", "content": "x"}')),
    ({"type": "hologram", "of": 1}, None, "w /messages/0/content/1", None),
    (AUDIO, "gpt-5-mini", "e /messages/0/content/1", text("[input_audio taken out]")),
    (AUDIO, "gpt-4o-audio-preview", "", None),
    (AUDIO, None, "", None),
    (AUDIO, "qwen-omni", "", None),
]


@pytest.mark.parametrize(("part", "model", "expected", "instead"), PARTS)
def test_parts_that_openai_does_not_take(part: Any, model: str | None, expected: str, instead: Any) -> None:
    made = {"messages": [{"role": "user", "content": [text("see"), part]}], **({"model": model} if model else {})}
    assert asked(made, "openai-chat").places("content-part-unsupported") == expected
    if instead is not None:
        after = mended(made, "openai-chat")
        assert after.request["messages"][0]["content"] == [text("see"), instead]
        assert after.after.report.verdict == "accept"


@pytest.mark.parametrize(
    ("block", "expected", "words"),
    [
        ("plain", "e /messages/0/content/1", "messages.0.content.1: Input should be an object"),
        ({"text": "x"}, "e /messages/0/content/1", "messages.0.content.1.type: Field required"),
        ({"type": "text"}, "e /messages/0/content/1", "messages.0.content.1.text.text: Field required"),
        ({"type": "hologram"}, "w /messages/0/content/1", None),
    ],
)
def test_blocks_that_anthropic_does_not_take(block: Any, expected: str, words: str | None) -> None:
    made = request(user(text(), block))
    found = asked(made)
    assert found.places("block-type-unknown") == expected
    if words is not None:
        assert found.one("block-type-unknown").provider_error == words
        assert mended(made).after.report.verdict == "accept"


def test_a_message_that_could_not_be_decoded_has_no_unknown_type() -> None:
    data = json.dumps(request(USER, OK, USER)).encode().replace(b'"ok"', b'"o\xff\xfek"')
    found = asked(data)
    assert found.places("body-not-json") == "e /messages"
    assert found.places("block-type-unknown") == ""
    assert found.places("role-invalid") == ""


@pytest.mark.parametrize("content", [{}, 0, {"a": 1}, 7])
@pytest.mark.parametrize("calls", [True, False])
def test_content_that_is_neither_text_nor_parts(content: Any, calls: bool) -> None:
    said = {"role": "assistant", "content": content, **({"tool_calls": [CALL]} if calls else {})}
    made = {"messages": [USER, said, *([{"role": "tool", "tool_call_id": "call_1", "content": "x"}] if calls else []), USER]}
    assert asked(made, "openai-chat").places("content-type-invalid") == "e /messages/1"
    after = mended(made, "openai-chat")
    assert after.after.report.verdict == "accept"
    assert after.request["messages"][1]["content"] == (json.dumps(content) if content else None if calls else "")


def test_null_of_a_user_is_disputed() -> None:
    found = asked({"messages": [{"role": "user", "content": None}]}, "openai-chat")
    assert found.places("content-type-invalid") == "w /messages/0"


def test_an_empty_list_beside_what_the_user_says_is_taken() -> None:
    assert asked(request(USER, {"role": "user", "content": []})).places("message-content-empty-user") == "w /messages/1"
    assert asked(request({"role": "user", "content": []})).places("message-content-empty-user") == "e /messages/0"
    assert asked(request(USER, OK, {"role": "user", "content": []})).places("message-content-empty-user") == "e /messages/2"
    assert asked(request(USER, {"role": "user", "content": ""})).places("message-content-empty-user") == "e /messages/1"


# -- what is no JSON --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_that_are_no_json(wire: str, word: str) -> None:
    inside = f'{{"messages": [{{"role": "user", "content": "NaN"}}, {{"role": "user", "content": "x", "score": {word}}}]}}'
    assert asked(inside.encode(), wire).places("body-not-json") == "e /messages/1"
    beside = f'{{"temperature": {word}, "messages": [{{"role": "user", "content": "NaN"}}]}}'
    assert asked(beside.encode(), wire).places("body-not-json") == "e /messages"
    whole = '{"temperature": 1, "messages": [{"role": "user", "content": "NaN \\ud800"}]}'
    assert asked(whole.encode(), wire).places("body-not-json") == ""


# -- how much ---------------------------------------------------------------------------------------------------------------------------


def test_so_many_messages_at_most() -> None:
    from app.pipeline.check import check
    from app.pipeline.view import make_view
    from app.providers import PROVIDERS
    from tests.builders import draw, tiled

    one = draw("u:q | a:ok")
    for times, expected in ((50_000, {}), (50_001, {"messages-too-many": 1})):
        view = make_view(tiled(one, times))
        report = check(view, PROVIDERS["anthropic"], MODEL, "complete")
        assert report.counts == expected
        if expected:
            assert view.rows.tolist().index(report.findings[0].row) == 100_000
