"""What is a fact in a text, what sets a constraint, and that no text makes the expressions slow."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.block import Block
from app.model.kinds import Kind, Role
from app.pipeline import cost_notes
from app.pipeline.constraints import clause, constraints, folded, persons
from app.pipeline.facts import (
    IDENTIFIER,
    NUMBER,
    PATH,
    fact,
    names_said,
    names_used,
    runs,
    words_of_call,
)


def facts(text: str) -> set[tuple[int, str]]:
    return {found for run in runs(text) if (found := fact(run)) is not None}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("in_9921, #W2378156; T-412!", {(IDENTIFIER, "in_9921"), (IDENTIFIER, "W2378156"), (IDENTIFIER, "T-412")}),
        ("f47ac10b-58cc-4372-a567-0e02b2c3d479", {(IDENTIFIER, "f47ac10b-58cc-4372-a567-0e02b2c3d479")}),
        ("ana@acme.example or +1-555-123-4567", {(IDENTIFIER, "ana@acme.example"), (IDENTIFIER, "1-555-123-4567")}),
        ("1,953.40 EUR is 1953.4", {(NUMBER, "1953.4")}),
        ("1,204,551 rows", {(NUMBER, "1204551")}),
        ("[7311,9004]", {(NUMBER, "7311"), (NUMBER, "9004")}),
        ("on 2026-03-31T10:11:12Z", {(NUMBER, "2026-03-31")}),
        ("./src/a.py:12 (src/a.py)", {(PATH, "src/a.py")}),
        ("see https://github.com/a/b?x=1", {(PATH, "github.com/a/b")}),
        (r"open C:\Users\ana\x.toml", {(PATH, r"C:\Users\ana\x.toml"), (PATH, "x.toml")}),
        ("foo.test.ts and Makefile", {(PATH, "foo.test.ts")}),
        ("and/or e.g. n/a text/html 10ms 3rd utf8 sha256 UTF-8 v1 2026 1000 4096 3.11 1/2 /dev/null 256-color node.js", set()),
        (r"{\"id\":\"in_9921\",\n\"path\":\"a/b/c\"}", {(IDENTIFIER, "in_9921"), (PATH, "a/b/c")}),
    ],
)
def test_facts_of_a_text(text: str, wanted: set[tuple[int, str]]) -> None:
    assert facts(text) == wanted


def test_arguments_are_read_as_json() -> None:
    assert words_of_call('{"cmd":"a\\nb","n":[7,{"x":true,"y":null,"z":"in_1234"}]}').split() == ["a", "b", "7", "in_1234"]
    assert words_of_call("no json").strip() == "no json"


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Never cc sales. The account is ACC-12.", ["never"]),
        ("email it to finance, do not cc sales", ["do not"]),
        ("- You must run the tests first", ["must"]),
        ("always answer in German; only change src/a.py", ["always", "only"]),
        ("I don't want any new dependencies", ["don't want"]),
        ("Use the standard library only.", ["only"]),
        ("please make sure that the tests pass", ["make sure"]),
        ("fix it without changing the API", ["without"]),
        ("use rgb values in the themes, no rgb indices!", ["no"]),
        ("no, that is not it! no problem! Don't they run it? The agent can never call it and only writes it back. 12: msg = 'must be'", []),
        ("assistant: you must go on\nsomething must have changed, it should always work when you don't use it", []),
        ("I never saw this. It must have been the cache. Don't worry about it. I can only see three of them.", []),
        ("Why must it always fail? The only thing left is the page. It always fails.", []),
        ("```\nnever do this\n```\n<system-reminder>you must not</system-reminder>\ngo on now", []),
    ],
)
def test_constraints(text: str, marks: list[str]) -> None:
    assert [mark for _, mark in constraints(text)] == marks


def test_a_long_constraint_is_cut_around_its_word() -> None:
    [(words, mark)] = constraints("word " * 120 + "you must never do it " + "word " * 80)
    assert mark == "must"
    shown = clause(words, mark, 160)
    assert len(shown) <= 162
    assert "must never" in shown
    assert shown[0] == shown[-1] == "…"
    assert clause("Never do it.", "never", 160) == "Never do it."


def test_what_is_pasted_is_looked_at_from_both_ends() -> None:
    text = "Never delete it.\n" + "x y\n" * 20_000 + "Always ask first."
    assert [mark for _, mark in constraints(text)] == ["never", "always"]
    assert len(persons(text)) < 25_000
    assert "b" not in persons("a <system-reminder>b</system-reminder> c <files> never")


def test_names() -> None:
    assert names_said("Hi, my name is Yusuf Rossi. Send it to Globex, then mend parse_row in LedgerBook") == {
        "Yusuf", "Rossi", "Globex", "parse_row", "LedgerBook",
    }  # fmt: skip
    assert names_said("The Theme is broken. Detected on Monday") == set()
    assert names_said("Ask Ana. " * 400) == set(), "what is pasted has no names"
    assert {"Yusuf", "parse_row"} <= names_used("for Yusuf: parse_row()")


def test_folded() -> None:
    assert folded("Never, EVER  cc_sales!") == folded("never ever cc sales") == "never ever cc sales"


HOSTILE = {
    "letters": "a", "dots": "a.", "dashes": "-", "blanks": " ", "lines": "\n", "slashes": "/a", "at": "a@", "numbers": "1,",
    "groups": "1,111",     "points": "1.", "snake": "a_", "camel": "aA", "capitals": "Aaa ",
    "fences": "```a", "tags": "<system-reminder>", "escapes": "\\n",
    "brackets": "[", "objects": '{"a":', "frames": 'File "', "frame": "at ((((\n", "places": "at :1:1:1\n", "imperatives": "don't ",
    "use": "use a ",     "never": "never, ", "drive": "c:\\a", "extension": "a.py.", "errors": "Error: ",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_line_of_a_megabyte_is_slow(name: str) -> None:
    """All of it in time that a quadratic expression would not keep by a factor of a thousand."""
    text = HOSTILE[name] * (250_000 // len(HOSTILE[name]))
    block = Block(0, Kind.TOOL_RESULT, "tool_result", Role.USER, (text,), error=True)
    start = time.process_time()
    for run in runs(text):
        fact(run)
    constraints(text)
    names_said(text)
    names_used(text)
    words_of_call(text)
    cost_notes.notes(block)
    assert time.process_time() - start < 5


@given(st.text(max_size=200))
@settings(max_examples=25, deadline=None)
def test_any_text_has_facts_of_a_sensible_form(text: str) -> None:
    for _, word in facts(text):
        assert 3 <= len(word) <= 200
        assert not any(c.isspace() for c in word)
    for words, mark in constraints(text):
        assert words
        assert mark
    cost_notes.notes(Block(0, Kind.TOOL_RESULT, "tool_result", Role.USER, (text,)))
