"""What an error text says by itself: the rules that it may mean, the ids and places that it names, the provider's sentence in it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.matching import MEANINGS, WORDINGS, hear, meaning
from app.matching.named import Spot, Token, spots, tokens
from app.matching.plain import plain, status
from app.rules import RULES
from tests.matching.wrapped import CUT, REPORTED, WHOLE, Wrap, body

MISSING = "messages.33: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A, toolu_01B."


def rules_of(text: str) -> list[str]:
    return [meant.rule for meant in hear(text).meant]


@pytest.mark.parametrize("wrap", WHOLE.values(), ids=WHOLE)
def test_every_reported_text_leads_to_its_rule_however_it_is_wrapped(wrap: Wrap) -> None:
    missed = [(rule, text) for _, rule, text in REPORTED if rule not in rules_of(wrap(text))]
    assert missed == []


@pytest.mark.parametrize("wrap", CUT.values(), ids=CUT)
def test_a_text_that_was_cut_leads_to_its_rule_95_times_of_100(wrap: Wrap) -> None:
    missed = [text for _, rule, text in REPORTED if rule not in rules_of(wrap(text))]
    assert len(missed) <= 0.05 * len(REPORTED), missed


def test_few_rules_are_offered() -> None:
    many = {text: rules_of(text) for _, _, text in REPORTED if len(rules_of(text)) > 9}
    assert many == {}


@pytest.mark.parametrize(
    "text",
    [
        "Hello, please look at the messages that the user wrote and the tool result of the last call.",
        "Traceback (most recent call last):\n  File \"x.py\", line 3\n    messages.append(m)\nNameError: name 'messages' is not defined",
        "Request contains an invalid argument.", "400 Bad Request", "", "x", "{}", "[1, 2, 3]", "\\", "{" * 500, "…", "模型不存在",
        "Could not process image", "Input should be 'user' or 'assistant'",
        "Invalid schema for function 'foo': In context=(), 'required' is required to be supplied",
    ],
)  # fmt: skip
def test_what_is_no_error_of_a_transcript_leads_to_no_rule(text: str) -> None:
    heard = hear(text)
    assert heard.meant == ()
    assert heard.elsewhere == ""


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.", "a rate or usage limit"),
        ('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "an overloaded server"),
        ("prompt is too long: 208310 tokens > 200000 maximum", "the context window: more tokens than the model takes"),
        ("This model's maximum context length is 128000 tokens. Please reduce the length of the messages.",
         "the context window: more tokens than the model takes"),
        ("Credit balance is too low", "credit or billing"), ("Invalid API key · Please run /login", "the key or the account"),
        ("API Error: Connection error.", "the network"), ("Internal server error", "an error inside the provider's server"),
        ("The model `gpt-9` does not exist or you do not have access to it.", "the model's name, or access to it"),
        ("max_tokens: 32000 > 8192, which is the maximum allowed", "a setting of the request"),
    ],
)  # fmt: skip
def test_what_is_about_something_else_is_said(text: str, about: str) -> None:
    heard = hear(text)
    assert (heard.meant, heard.elsewhere) == ((), about)


def test_a_status_says_what_it_is_about_where_the_words_do_not() -> None:
    assert hear("no idea", 429).elsewhere == "a rate or usage limit"
    assert hear(MISSING, 429).elsewhere == ""  # its words are known: they go first


def test_the_words_of_a_router_are_not_those_of_the_provider() -> None:
    assert rules_of("Provider returned error") == ["provider-error-wrapped"]
    wrapped = WHOLE["openrouter"]("messages.1.content.1: `tool_use` ids must be unique")
    assert rules_of(wrapped) == ["tool-call-id-duplicate"]


# -- names ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("messages.33: `tool_use` ids", (Spot(33),)),
        ("messages.6.content.2: each", (Spot(6, 2),)),
        ("messages.7.content.0.tool_result.content.0: Input tag", (Spot(7, 0),)),
        ("Invalid 'messages[4].tool_calls[1].id': string", (Spot(4, 1),)),
        ("'param': 'messages.[6].role'", (Spot(6),)),
        ("in messages[7] and messages[8].", (Spot(7), Spot(8))),
        ("Invalid 'input[61].id': 'call_1'", (Spot(61),)),
        ("GenerateContentRequest.contents[2].parts[1].data: required", (Spot(2, 1),)),
        ("Value at 'messages.2.member.content.1.member.toolUse.name' failed", (Spot(2, 1, 1),)),
        ("toolResult blocks at messages.2.content for", (Spot(2),)),
        ("at message index 2. For", (Spot(2),)),
        ("in the 5. content block is missing", (Spot(5),)),
        ("response messages: message[532].role", (Spot(532),)),
        ("messages: text content blocks must be non-empty", ()),
    ],
)
def test_places(text: str, found: tuple[Spot, ...]) -> None:
    assert spots(text) == found


def test_ids_are_read_out_of_quotes_lists_and_sentences() -> None:
    found = tokens("after: toolu_01A, toolu_01B. Found 'call_x.1', `srv:2|3` and call_abc...")
    assert {Token("toolu_01A"), Token("toolu_01B"), Token("call_x.1"), Token("srv:2|3"), Token("call_abc", cut=True)} <= set(found)


def test_an_id_at_which_the_text_ends_may_be_cut() -> None:
    assert Token("toolu_01KKMx", cut=True) in tokens("immediately after: toolu_01KKMx")


# -- words ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["body", "openrouter", "litellm", "traceback", "claude code", "escaped twice", "log"])
def test_the_sentence_is_found_in_its_wrapping(name: str) -> None:
    text = "messages.1.content.1: `tool_use` ids must be unique"
    assert hear(WHOLE[name](text)).words == text


def test_the_place_before_a_sentence_belongs_to_it() -> None:
    assert hear(MISSING).words == MISSING
    assert hear("ERROR messages.2: `tool_use` ids were found without `tool_result`").words.startswith("messages.2: `tool_use`")


def test_escapes_of_any_depth() -> None:
    assert plain(r"{\\\"a\\\": \"it\\u0060s\\n ok\"}") == '{"a": "it`s ok"}'
    assert plain("\x1b[31mred\x1b[0m  and “curly”\u200b") == 'red and "curly"'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Error code: 400 - {}", 400),
        ("status=429 body", 429),
        ("HTTP/1.1 413 Too large", 413),
        ("API Error: 529 {}", 529),
        ("400 tokens", None),
    ],
)
def test_status(text: str, code: int | None) -> None:
    assert status(text) == code


def test_a_log_that_holds_the_whole_request_is_quick_and_names_what_stands_beside_the_words() -> None:
    request = json.dumps(
        {"messages": [{"role": "tool", "tool_call_id": f"call_{n}", "content": "messages and tool calls"} for n in range(3000)]}
    )
    text = (
        request + " ERROR " + body("Invalid parameter: 'tool_call_id' of 'call_7' not found in 'tool_calls' of previous message.") + request
    )
    began = time.process_time()
    heard = hear(text)
    assert heard.meant[0].rule == "tool-result-id-mismatch"
    assert Token("call_7") in heard.tokens
    assert len(heard.tokens) < 200
    assert time.process_time() - began < 2


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_heard(text: str) -> None:
    heard = hear(text)
    assert len(heard.words) <= 600


# -- the table ------------------------------------------------------------------------------------------------------------------------


def test_every_rule_that_a_wording_names_has_a_meaning() -> None:
    rules = {rule for wording in WORDINGS for rule in wording.rules}
    assert sorted(rule for rule in rules if rule not in RULES and not meaning(rule)) == []


def test_a_meaning_is_kept_only_where_no_rule_has_its_own() -> None:
    """A rule that comes to be judged takes its line out of the table."""
    assert set(MEANINGS) <= {rule for wording in WORDINGS for rule in wording.rules}
    assert set(MEANINGS) & set(RULES) == set()


def test_every_wording_says_where_it_was_seen() -> None:
    assert all(wording.source and wording.texts and wording.rules for wording in WORDINGS)
