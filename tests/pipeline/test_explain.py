"""The provider's words lead to the place: by the id that they name, by the place as a hint, by the wording; and what the dump records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.model.dump import Dump
from app.model.explained import Candidate, Explained
from app.model.source import Source
from app.pipeline.explain import WHYS, explain, wordings
from app.pipeline.load import load
from app.pipeline.recall import recall
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.rules import RULES
from tests.builders import request_of
from tests.matching.broken import BROKEN, JUDGES, broken, data_of, has_broken
from tests.matching.wrapped import REPORTED, WHOLE, body

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*/*.json"))
MISSING = "messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must"


def dump_of(request: dict[str, Any], format: str = "anthropic-messages") -> Dump:
    return load(Source.of(data_of(request), "x.json"), format)


def asked(text: str, request: dict[str, Any], provider: str = "anthropic", format: str = "anthropic-messages") -> Explained:
    dump = dump_of(request, format)
    return explain(text, make_view(dump.transcripts[0]), PROVIDERS[provider], None, dump)


def drawn(text: str, drawing: str, wire: str = "anthropic") -> Explained:
    return asked(text, request_of(drawing, wire), wire, "anthropic-messages" if wire == "anthropic" else wire)


def places(explained: Explained, rule: str) -> list[str | None]:
    return [candidate.at for candidate in explained.candidates if candidate.rule == rule]


# -- every text, on a transcript that has the defect ----------------------------------------------------------------------------------

SAID = [(JUDGES.get(provider, provider), rule, text) for provider, rule, text in REPORTED]
JUDGED = [row for row in SAID if row[0] in PROVIDERS and row[1] in PROVIDERS[row[0]].judges]
ROWS = [row for row in JUDGED if has_broken(row[0], row[1])]


def judged(text: str, provider: str, rule: str) -> Explained:
    dump = broken(provider, rule)
    return explain(text, make_view(dump.transcripts[dump.opened]), PROVIDERS[provider], None, dump)


def test_hardly_a_text_of_a_rule_that_is_judged_is_without_a_transcript() -> None:
    assert len(JUDGED) > 0.8 * len(REPORTED)
    assert {row[:2] for row in JUDGED if not has_broken(*row[:2])} <= {("anthropic", "image-too-large")}


@pytest.mark.parametrize(("provider", "rule", "text"), ROWS, ids=lambda word: word if len(word) < 45 else "")
def test_a_reported_text_finds_its_rule_on_a_transcript_that_has_the_defect(provider: str, rule: str, text: str) -> None:
    explained = judged(text, provider, rule)
    assert [at for at in places(explained, rule) if at is not None]
    assert explained.best is not None
    assert explained.known


@pytest.mark.parametrize(("provider", "rule", "text"), ROWS, ids=lambda word: word if len(word) < 45 else "")
def test_it_stands_first_where_it_names_the_id(provider: str, rule: str, text: str) -> None:
    if rule not in BROKEN[provider][1]:
        return
    blamed = {"anthropic": "toolu_1", "bedrock": "tooluse_1", "mistral": "abcdefgh1"}.get(provider, "call_1")
    blamed = "srvtoolu_1" if "srvtoolu" in text or "web_search" in text else blamed
    named = re.sub(r"\b(?:toolu|srvtoolu|tooluse|call)_[\w.]+|\{ids?\}|<[a-z ]+>", blamed, text)
    explained = judged(WHOLE["openrouter"](named), provider, rule)
    assert explained.candidates[0].at is not None
    assert rule in [candidate.rule for candidate in explained.candidates if candidate.at is not None]


def test_a_text_of_a_rule_that_is_not_judged_names_it_without_a_place() -> None:
    missed = []
    for provider, rule, text in REPORTED:
        explained = drawn(text, "u:q | a:ok | u:x")
        if (rule, None) not in [(c.rule, c.at) for c in explained.candidates]:
            missed.append((provider, rule, text))
        assert all(c.judged == (c.rule in RULES) and c.meaning for c in explained.candidates)
    assert missed == []


def test_what_our_providers_would_say_leads_to_the_rule() -> None:
    from app.matching import hear

    said = [(provider.name, key, text) for provider in PROVIDERS.values() for key, text in provider.words.items() if text]
    missed = [row for row in said if row[1].partition("/")[0] not in [m.rule for m in hear(row[2], None, wordings()).meant]]
    assert missed == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_text_of_a_thread_leads_to_its_finding(path: Path) -> None:
    case = json.loads(path.read_text())
    if case["verdict"] == "accept" or not case.get("provider_error"):
        return
    dump = load(Source.of(data_of(case["request"]), path.name))
    view = make_view(dump.transcripts[0])
    rules = {rule for want in case["findings"] for rule in (want["rule"], *want.get("alt_rules", ()))}
    ids = [id_ for want in case["findings"] for id_ in want.get("ids", ())]
    for text in (case["provider_error"], case["provider_error"].replace("<id>", ids[0] if ids else "<id>")):
        explained = explain(text, view, PROVIDERS[case["provider"]], None, dump)
        assert explained.best is not None
        assert explained.best.rule in rules


# -- which of several -----------------------------------------------------------------------------------------------------------------

TWO = "u:q | a:call toolu_1 | u:go on | a:call toolu_2 | u:go on | a:ok | u:x"


def test_the_id_goes_before_the_place() -> None:
    explained = drawn(MISSING.format(n=2, ids="toolu_2"), TWO)
    assert explained.best == Candidate(
        "tool-call-unanswered", "/messages/3/content/0", ("toolu_2",), explained.best.row if explained.best else -1,
        RULES["tool-call-unanswered"].summary, "it names this id",
    )  # fmt: skip
    assert places(explained, "tool-call-unanswered") == ["/messages/3/content/0"]
    assert [named.id for named in explained.named] == ["toolu_2"]


@pytest.mark.parametrize(("n", "at"), [(1, 1), (2, 1), (3, 3), (4, 3)])
def test_without_an_id_the_place_decides_the_turn_behind_it_too(n: int, at: int) -> None:
    explained = drawn(MISSING.format(n=n, ids="N"), TWO)
    assert places(explained, "tool-call-unanswered")[0] == f"/messages/{at}/content/0"
    assert explained.candidates[0].why == "it names this place"


def test_a_place_is_counted_on_the_joined_messages() -> None:
    drawing = "u:q | u:more | u:more | a:call toolu_1 | u:go on | a:ok | u:x | a:call toolu_2 | u:go on"
    assert places(drawn(MISSING.format(n=1, ids="N"), drawing), "tool-call-unanswered")[0] == "/messages/3/content/0"


def test_a_place_of_the_list_as_it_was_sent_counts_as_well() -> None:
    drawing = "u:q | u:more | u:more | a:call toolu_1 | u:go on | a:ok | u:x | a:ok | u:x | a:call toolu_2 | u:go on"
    assert places(drawn(MISSING.format(n=9, ids="N"), drawing), "tool-call-unanswered")[0] == "/messages/9/content/0"


def test_one_text_of_several_rules_is_decided_by_the_transcript() -> None:
    text = MISSING.format(n=2, ids="toolu_1")
    for drawing, rule in (
        ("u:q | a:call toolu_1 | u:wait,result toolu_1", "tool-result-not-first"),
        ("u:q | a:call toolu_1 | u:wait | a:ok | u:result toolu_1", "tool-result-not-adjacent"),
        ("u:q | a:call toolu_1", "tool-call-trailing"),
        ("u:q | a:call toolu_1,call toolu_2 | u:result toolu_2", "tool-call-partially-answered"),
    ):
        explained = drawn(text, drawing)
        assert explained.best is not None
        assert (explained.best.rule, explained.best.why) == (rule, WHYS[0])
        assert {c.rule for c in explained.candidates} >= {"tool-call-unanswered", "content-after-tool-call", rule}
        assert all(c.at is None for c in explained.candidates if c.rule != rule)


def test_all_ids_of_a_text_are_found() -> None:
    explained = drawn(MISSING.format(n=2, ids="toolu_1, toolu_3"), "u:q | a:call toolu_1,call toolu_2,call toolu_3 | u:go on")
    assert places(explained, "tool-call-unanswered") == ["/messages/1/content/0", "/messages/1/content/2"]


def test_an_id_that_was_cut_off_is_found_by_its_beginning() -> None:
    explained = drawn(MISSING.format(n=9, ids="toolu_0123...")[:130], "u:q | a:call toolu_0123456 | u:x | a:call toolu_99 | u:x")
    assert explained.best is not None
    assert explained.best.ids == ("toolu_0123456",)


def test_an_id_that_is_not_there_is_said() -> None:
    explained = drawn(MISSING.format(n=2, ids="toolu_01KKMxh6V7"), TWO)
    assert explained.strange == ("toolu_01KKMxh6V7",)
    assert explained.best is not None  # the words fit all the same


def test_an_id_without_a_defect_is_shown_where_it_stands() -> None:
    explained = drawn(MISSING.format(n=2, ids="toolu_1"), "u:q | a:call toolu_1 | u:result toolu_1 | a:ok | u:x")
    assert explained.best is None
    assert [(named.id, named.at) for named in explained.named] == [("toolu_1", "/messages/1/content/0")]
    assert explained.candidates[0] == Candidate(
        "tool-call-unanswered", None, ("toolu_1",), -1, RULES["tool-call-unanswered"].summary, WHYS[5]
    )  # fmt: skip


def test_another_defect_at_the_id_is_offered_before_what_the_transcript_does_not_show() -> None:
    explained = drawn("messages.1.content.0: `tool_use` ids must be unique: toolu_1", "u:q | a:call toolu_1 | u:x")
    assert [(c.rule, c.at) for c in explained.candidates] == [
        ("tool-call-unanswered", "/messages/1/content/0"), ("tool-call-id-duplicate", None),
    ]  # fmt: skip


def test_words_that_are_not_known_offer_what_would_be_refused() -> None:
    explained = drawn("Something about your request is odd.", TWO)
    assert not explained.known
    assert [c.why for c in explained.candidates] == [WHYS[6]] * 2
    assert drawn("Rate limit reached", TWO).candidates == ()
    assert drawn("Something about your request is odd.", "u:q").candidates == ()


def test_an_error_is_about_what_was_sent_although_the_log_is_well_formed_so_far() -> None:
    explained = drawn(MISSING.format(n=2, ids="toolu_1"), "u:q | a:call toolu_1")
    assert explained.best is not None
    assert explained.best.rule == "tool-call-trailing"


def test_the_words_of_another_provider_are_looked_for_by_its_rules() -> None:
    """A router sent a Chat request to Anthropic: an empty text is none of OpenAI's rules."""
    explained = drawn(WHOLE["litellm"]("messages: text content blocks must be non-empty"), "u:q,empty | a:ok | u:x", "openai-chat")
    assert [at for at in places(explained, "text-empty") if at] == ["/messages/0/content/1"]


def test_beyond_the_first_thousand_findings_an_id_is_found() -> None:
    request = request_of("u:q" + "".join(f" | a:call toolu_{n:05} | u:go on" for n in range(1500)))
    explained = asked(MISSING.format(n=1, ids="toolu_01400"), request)
    assert explained.best is not None
    assert explained.best.at == "/messages/2801/content/0"


# -- recorded refusals ----------------------------------------------------------------------------------------------------------------


def session(*records: dict[str, Any]) -> Dump:
    """A Claude Code session: each record hangs on the one before."""
    lines = []
    for number, record in enumerate(records):
        base = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "s", "version": "2.0", "cwd": "/"}
        lines.append(json.dumps({**base, "timestamp": f"2026-01-01T00:00:{number:02}Z", **record}))
    return load(Source.of("\n".join(lines).encode(), "s.jsonl"), "claude-code")


def said(role: str, *blocks: Any, **members: Any) -> dict[str, Any]:
    content = blocks[0] if len(blocks) == 1 and isinstance(blocks[0], str) else list(blocks)
    return {"type": role, "message": {"role": role, "content": content, "model": "claude-sonnet-4-5"}, **members}


def refused(text: str) -> dict[str, Any]:
    return said("assistant", {"type": "text", "text": text}, isApiErrorMessage=True)


def call(id_: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": "look", "input": {}}


def result(id_: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id_, "content": "found"}


def recalled(dump: Dump) -> Any:
    view = make_view(dump.transcripts[dump.opened], source=dump.source)
    return recall(view, PROVIDERS["anthropic"], None, dump)


BROKEN_START = (said("user", "q"), said("assistant", call("toolu_1")), said("user", "go on"))
ERROR = "API Error: 400 " + body(MISSING.format(n=2, ids="toolu_1"))


def test_a_recorded_refusal_is_brought_to_its_place() -> None:
    (one,) = recalled(session(*BROKEN_START, refused(ERROR)))
    assert (one.times, one.then, one.refusal.status) == (1, False, 400)
    assert one.explained.best is not None
    assert (one.explained.best.rule, one.explained.best.at) == ("tool-call-unanswered", "/1/message/content/0")


def test_a_refusal_that_is_repeated_is_one() -> None:
    again = said("user", "go on")
    (one,) = recalled(session(*BROKEN_START, refused(ERROR), again, refused(ERROR), again, refused(ERROR)))
    assert one.times == 3
    assert len(one.records) == 3


def test_the_program_has_words_of_its_own() -> None:
    text = "API Error: 400 due to tool use concurrency issues. Run /rewind to recover the conversation."
    (one,) = recalled(session(*BROKEN_START, refused(text)))
    assert one.explained.best is not None
    assert one.explained.best.rule == "tool-call-unanswered"


def test_what_was_mended_since_is_seen_as_it_was_sent() -> None:
    """The prompt was refused between the call and its result; the result came later, and the model went on."""
    dump = session(
        said("user", "q"), said("assistant", call("toolu_1")), refused(ERROR), said("user", result("toolu_1")), said("assistant", "ok")
    )
    (one,) = recalled(dump)
    assert one.then
    assert one.explained.best is not None
    assert one.explained.best.rule == "tool-call-trailing"


def test_what_no_rule_explains_and_what_is_about_something_else_are_told_apart() -> None:
    dump = session(
        said("user", "q"), refused("API Error: 400 " + body("The moon is full.")), said("user", "q"),
        refused("API Error: Repeated 529 Overloaded errors"), said("user", "q"), refused("Prompt is too long"),
    )  # fmt: skip
    found = recalled(dump)
    assert [one.explained.elsewhere for one in found] == [
        "", "an overloaded server", "the context window: more tokens than the model takes",
    ]  # fmt: skip
    assert [one.explained.words for one in found if one.puzzling] == ["The moon is full."]


def test_a_dump_without_refusals_recalls_nothing() -> None:
    dump = dump_of(request_of(TWO))
    assert recall(make_view(dump.transcripts[0]), PROVIDERS["anthropic"], None, dump) == ()
