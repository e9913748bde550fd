"""Filter expressions: what they mean, where they go wrong, and that what is printed reads the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.filter import And, FilterError, Node, Not, Or, Pattern, Problem, Range, Test, conjuncts, joined
from app.model.filter_names import NAMES
from app.pipeline.filter_read import DEEPEST, number, read
from app.pipeline.filter_show import show

TOOL = Test("tool", "==", "read_file")
BIG = Test("tokens", ">", 4000)
FOUND = Test("finding")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", None),
        ("   ", None),
        ("tool == read_file && tokens > 4000 && finding", And((TOOL, BIG, FOUND))),
        ("tool==read_file&&tokens>4k&&finding", And((TOOL, BIG, FOUND))),
        ("TOOL == read_file", TOOL),
        ("tool == read_file || tokens > 4,000 && finding", Or((TOOL, And((BIG, FOUND))))),
        ("(tool == read_file || tokens > 4_000) && !finding", And((Or((TOOL, BIG)), Not(FOUND)))),
        ("!!finding", Not(Not(FOUND))),
        ("!tool == read_file", Not(TOOL)),
        ("overdue invoices", Test("text", "~", "overdue invoices")),
        ("/etc/passwd", Test("text", "~", "/etc/passwd")),
        ('"a && b"', Test("text", "~", "a && b")),
        ('"say \\"no\\" \\\\"', Test("text", "~", 'say "no" \\')),
        ("overdue && finding", And((Test("text", "~", "overdue"), FOUND))),
        ("finding nemo", Test("text", "~", "finding nemo")),
        ("line", Test("text", "~", "line")),
        ("text ~ /in_\\d+\\/x/", Test("text", "~", Pattern("in_\\d+/x"))),
        ('text ~ "/a/"', Test("text", "~", "/a/")),
        ("kind == tool_use", Test("kind", "==", "call")),
        ('kind == "tool result"', Test("kind", "==", "result")),
        ("kind ~ tool", Test("kind", "~", "tool")),
        ("exchange == E31", Test("exchange", "==", 31)),
        ("exchange >= e31", Test("exchange", ">=", 31)),
        ("request == 203", Test("request", "==", 203)),
        ("span == r105..r140", Test("span", "==", Range(105, 140))),
        ("span == r140..105", Test("span", "==", Range(105, 140))),
        ("span == r105..now", Test("span", "==", Range(105, None))),
        ("span == r105", Test("span", "==", Range(105, 105))),
        ("tokens == 100..2k", Test("tokens", "==", Range(100, 2000))),
        ("tokens < 1.5k", Test("tokens", "<", 1500)),
        ("plan == Dropped", Test("plan", "==", "dropped")),
        ("id == toolu_01A", Test("id", "==", "toolu_01A")),
        ("partner == none", Test("partner", "==", "none")),
    ],
)  # fmt: skip
def test_meaning(text: str, tree: Node | None) -> None:
    assert read(text) == tree
    assert read(show(tree)) == tree


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("tol == read_file", Problem(0, 3, 'there is no name "tol"', "tool")),
        ("tool = read_file", Problem(5, 1, '"=" alone means nothing', '==, or quotes around what is looked for: "a = b"')),
        ("tool ==", Problem(7, 1, "the value is missing", "the name of a tool")),
        ("tool == && finding", Problem(8, 2, "the value is missing", "the name of a tool")),
        ("kind == cal", Problem(8, 3, 'there is no kind "cal"', f"one of {', '.join(NAMES['kind'].values)}")),
        ("tokens > many", Problem(9, 4, '"many" is no number', "a number, as 4000 or 4k")),
        ("tokens ~ 4", Problem(7, 1, "tokens cannot be asked with ~", "one of ==  !=  >  <  >=  <=")),
        ("tokens > 1..2", Problem(9, 4, "a range can only be compared with == and !=", "a number, as 4000 or 4k")),
        ("pinned == yes", Problem(7, 2, "pinned stands alone", "&&, || or the end")),
        ("(finding", Problem(0, 1, "this group is not closed", ")")),
        ("finding)", Problem(7, 1, "this cannot stand here", "&&, || or the end")),
        ("finding &&", Problem(10, 1, "the expression ends here", "a condition, words to look for, ! or (")),
        ("tool == x y == z", Problem(10, 1, "this cannot stand here", "&&, || or the end")),
        ('text ~ "open', Problem(7, 5, "this quote is not closed", 'a closing "')),
        ('"quoted" == 3', Problem(0, 8, "words in quotes are no name", f"one of {', '.join(NAMES)}")),
        ('""', Problem(0, 2, "there are no words between these quotes", "words to look for")),
        ("text ~ /(/", Problem(7, 3, "this pattern cannot be read: missing ), unterminated subpattern at position 0",
                               "a regular expression between two /")),
        ("text ~ /(a+)+b/", Problem(7, 8, "a repeat within a repeat can take for ever", "a regular expression between two /")),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_place(text: str, problem: Problem) -> None:
    with pytest.raises(FilterError) as caught:
        read(text)
    assert caught.value.problem == problem


def test_depth_and_length_have_an_end() -> None:
    assert read("(" * DEEPEST + "finding" + ")" * DEEPEST) == FOUND
    for text in ("(" * 5000, "!" * 3000 + "finding", "a" * 4001):
        with pytest.raises(FilterError):
            read(text)


def test_numbers() -> None:
    assert [number(word) for word in ("0", "4k", "1.5m", "4,000", "12_000", "2.25k")] == [0, 4000, 1_500_000, 4000, 12_000, 2250]
    assert [number(word) for word in ("", "k", "1.5.2", "-3", "٣", "1e9", "9" * 40)] == [None] * 7
    assert number("r105", "r") == number("R105", "r") == 105


def test_parts_are_joined_flat() -> None:
    assert joined(()) is None
    assert joined((TOOL,)) == TOOL
    assert joined((And((TOOL, BIG)), FOUND)) == And((TOOL, BIG, FOUND))
    assert conjuncts(And((TOOL, BIG))) == (TOOL, BIG)
    assert conjuncts(Or((TOOL, BIG))) == (Or((TOOL, BIG)),)


LETTERS = st.sampled_from("abkmrE019_-.,:/\\\"'!=&|~<>() \t\n{}[]*+?#é漢\u202e\x00😀")
WORDS = st.text(LETTERS, min_size=1, max_size=12)
PATTERNS = st.sampled_from(["a", "in_\\d+", "a/b", "\\\\/", "^x$", "[a-z]{2,3}", "(a|b)"]).map(Pattern)
NUMBERS = st.integers(0, 10**9)


@st.composite
def conditions(draw: st.DrawFn) -> Test:
    name = draw(st.sampled_from(list(NAMES.values())))
    if name.alone and (not name.operators or draw(st.booleans())):
        return Test(name.name)
    op = draw(st.sampled_from(name.operators))
    if name.name == "span" or (name.sort == "number" and op in ("==", "!=") and draw(st.booleans())):
        low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
        return Test(name.name, op, Range(low, None if name.unit == "r" and draw(st.booleans()) else high))
    if name.sort == "number":
        return Test(name.name, op, draw(NUMBERS))
    if op == "~":
        return Test(name.name, op, draw(WORDS | PATTERNS))
    return Test(name.name, op, draw(st.sampled_from(name.values) if name.values else WORDS))


def groups(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(parts.map(Not), several.map(And), several.map(Or))


@given(st.recursive(conditions(), groups, max_leaves=12))
def test_what_is_printed_reads_the_same(tree: Node) -> None:
    assert read(show(tree)) == tree


SIGNS = ["==", "!=", ">", "~", "&&", "||", "!", "(", ")", '"', "/", "\\", " ", "4k", "r1..r2", "call", "x", "..", "="]
PIECES = st.sampled_from([*NAMES, *SIGNS])


@given(st.lists(PIECES | st.text(LETTERS, max_size=4), max_size=14).map("".join))
def test_any_text_is_read_or_told_why_not(text: str) -> None:
    try:
        tree = read(text)
    except FilterError as error:
        problem = error.problem
        assert 0 <= problem.start <= len(text)
        assert problem.length >= 1
        assert problem.said
    else:
        assert read(show(tree)) == tree
