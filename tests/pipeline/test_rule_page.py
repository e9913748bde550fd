"""The pages of the rules: every rule has an example that has its defect and no other, and the docs say what the program does."""

from __future__ import annotations

import pytest

from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.rule_page import LABELS, TOO_LONG, UNKNOWN, Example, example, rule_page
from app.pipeline.rule_text import as_passages, as_text, whole_page
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.rules import RULES
from tests.conftest import ROOT

WITH = {
    "block-role-mismatch": {"tool-call-unanswered"},  # a result there answers nothing
    "cache-on-empty-text": {"text-empty"},
    "effect-unanswered": {"tool-call-unanswered"},  # a note on it
    "resume-call-aborted": {"tool-call-unanswered"},
    "tool-result-id-mismatch": {"tool-call-unanswered"},
    "tool-result-id-missing": {"tool-call-unanswered"},
}
"""What is a finding as well wherever a rule finds something."""


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_tells_what_it_is_and_shows_it(name: str) -> None:
    page = rule_page(name)
    assert page is not None
    assert page.text, "what it is, and what the provider does"
    assert page.evidence, "a source"
    assert page.repair, "what mends it, or that nothing does"
    assert page.examples or name in TOO_LONG, f"app/rules/examples/{name}.PROVIDER.json is missing"
    for one in page.examples:
        assert {also.split(":")[0] for also in one.also} == WITH.get(name, set()), "this defect and no other"
        assert bool(one.fix) is bool(one.mended)
        if one.mended:
            assert one.mended != one.broken
            assert left(name, one) == [], "mended"


def left(name: str, one: Example) -> list[str]:
    """Rules of the errors that are left in a mended example, and the rule itself where it still finds something."""
    dump = load(Source.of(one.mended.encode("utf-8", "surrogatepass"), "x.json"))
    transcript = dump.transcripts[dump.opened]
    report = check(make_view(transcript, source=dump.source), PROVIDERS[one.provider], transcript.model, "complete", dump.source)
    return [finding.rule for finding in report.findings if finding.severity == "error" or finding.rule == name]


def test_every_example_is_of_a_rule() -> None:
    names = {path.name.split(".")[0] for path in (ROOT / "app" / "rules" / "examples").iterdir()}
    assert names <= set(RULES)


def test_the_page_of_a_rule_shows_the_break_and_the_repair() -> None:
    page = rule_page("tool-call-unanswered")
    assert page is not None
    text = " ".join(as_text(page).split())
    assert text.startswith("tool-call-unanswered (error) A call that nothing answers. Every call needs exactly one result")
    assert "EXAMPLE, ANTHROPIC error: The call of `get_invoice` (toolu_01) has no result." in text
    assert "Mended: Insert a result that says that none was recorded." in text
    assert "Kilo-Org/kilocode#5163" in text.rsplit("EVIDENCE", 1)[1]
    assert not any(label in page.text + page.repair for label in LABELS)


def test_a_provider_speaks_as_in_its_example_and_else_with_gaps() -> None:
    page = rule_page("tool-call-unanswered")
    assert page is not None
    words = {judge.title: judge.words[0] for judge in page.judges}
    assert words["OpenAI Responses"] == "No tool output found for function call call_01."
    assert words["Mistral"] == "Not the same number of function calls and responses"
    other = rule_page("tool-result-not-first")
    assert other is not None
    by_title = {judge.title: judge for judge in other.judges}
    assert by_title["Bedrock"].only_for == ("claude",)
    assert f"{UNKNOWN}: `tool_use` ids were found" in by_title["Bedrock"].words[0]
    assert (by_title["Gemini"].severity, by_title["Gemini"].words) == ("warning", ())
    assert "DeepSeek (wire of Anthropic)" in by_title


def test_no_text_is_left_with_a_gap_to_fill() -> None:
    for name in RULES:
        page = rule_page(name)
        assert page is not None
        for text in (*(words for judge in page.judges for words in judge.words), *(one.provider_error for one in page.examples)):
            assert not any(gap in text for gap in ("{at}", "{id}", "{ids}", "{name}", "{message}", "{turn}")), (name, text)


def test_the_passages_say_what_the_text_says() -> None:
    page = rule_page("text-empty")
    assert page is not None
    passages = as_passages(page)
    assert [passage.style for passage in passages[:4]] == ["title", "text", "text", "heading"]
    assert [passage.text for passage in passages if passage.style == "code"] == [page.examples[0].broken, page.examples[0].mended]


def test_who_asks_about_a_provider_reads_of_it_first() -> None:
    page = rule_page("tool-call-unanswered")
    assert page is not None
    headings = [passage.text for passage in as_passages(page, "gemini") if passage.style == "heading"]
    assert headings[:3] == ["Repair", "Example, Gemini", "Example, Anthropic"]
    applied = as_passages(page, "gemini")
    start = next(number for number, passage in enumerate(applied) if passage.text == "Applied by")
    assert applied[start + 1].text == "Gemini: error"


def test_an_example_without_the_defect_is_refused() -> None:
    with pytest.raises(ValueError, match="does not have the defect"):
        example("text-empty", "anthropic", b'{"max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}')


def test_there_is_no_page_of_what_is_no_rule() -> None:
    assert rule_page("no-such-rule") is None


def test_the_docs_are_those_of_this_program() -> None:
    assert (ROOT / "docs" / "rules.md").read_text("utf-8", "surrogatepass") == whole_page(), "run make docs"
