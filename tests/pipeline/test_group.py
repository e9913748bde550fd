"""Where exchanges and steps begin."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.formats import FORMATS
from app.model.edits import Before, Change, Insert, Made, drop
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Refusal, Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.group import group, numbered
from app.pipeline.link import link
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.builders import Drawn, draw


def grouped(drawing: str, wire: str = "anthropic") -> tuple[str, str]:
    """The exchange and the step of each row, by their words: E1, r1, "-" for none."""
    one = draw(drawing, wire)
    groups = group(one.transcript, link(one.transcript))
    exchanges = [groups.label(e) if e >= 0 else "-" for e in groups.exchange.tolist()]
    steps = [f"r{s + 1}" if s >= 0 else "-" for s in groups.step.tolist()]
    return " ".join(exchanges), " ".join(steps)


@pytest.mark.parametrize(
    ("drawing", "exchanges", "steps"),
    [
        ("u:hi | a:call 1 | u:result 1 | a:done", "E1 E1 E1 E1", "- r1 r1 r2"),
        ("u:hi | a:call 1 | u:result 1,and more | a:done", "E1 E1 E1 E1 E1", "- r1 r1 r1 r2"),
        ("u:hi | u:there | a:yes", "E1 E2 E2", "- - r1"),
        ("a:hello | u:hi | a:yes", "E0 E1 E1", "r1 - r2"),
        ("u:result 1,result 2 | a:so | u:hi", "E0 E0 E0 E1", "r1 r1 r2 -"),
        ("u:result 1,text | a:so", "E0 E0 E0", "r1 r1 r2"),
        ("u:hi | a:one | a:two | u:again | a:three", "E1 E1 E1 E2 E2", "- r1 r1 - r2"),
        ("u:hi | a:call 1 | u:wait | a:ok | u:result 1", "E1 E1 E2 E2 E2", "- r1 - r2 r1"),
        ("u:hi | a:call 1 | u:<system-reminder>x | u:result 1 | a:ok", "E1 E1 E1 E1 E1", "- r1 - r1 r2"),
        ("u:<system-reminder>x | u:hi", "E0 E1", "- -"),
        ("s:note | u:hi | s:note | a:yes", "- E1 E1 E1", "- - - r1"),
        ("u:hi | a:call 1 | u:result 1 | u:result 7 | a:so", "E1 E1 E1 E1 E1", "- r1 r1 r1 r2"),
        ("u:hi | u:result 7 | u:result 8 | a:so", "E1 E1 E1 E1", "- r1 r1 r2"),
        ("u:hi | a:one | u:hi | u:result 7 | a:two", "E1 E1 E2 E2 E2", "- r1 - r2 r3"),
        ("u:hi | a:none", "E1 E1", "- r1"),
    ],
)
def test_anthropic(drawing: str, exchanges: str, steps: str) -> None:
    assert grouped(drawing) == (exchanges, steps)


@pytest.mark.parametrize(
    ("drawing", "exchanges", "steps"),
    [
        ("s=be brief | u=hi | a:call 1,call 2 | t:result 1 | t:result 2 | a=ok", "- E1 E1 E1 E1 E1 E1", "- - r1 r1 r1 r1 r2"),
        ("s=be brief | t:result 1 | a=ok | u=hi", "- E0 E0 E1", "- r1 r2 -"),
        ("d=be brief | a=hello | s=more | u=hi", "- E0 - E1", "- r1 - -"),
        ("u=go | a:call - | f:result - | a=ok", "E1 E1 E1 E1", "- r1 r1 r2"),
    ],
)
def test_openai(drawing: str, exchanges: str, steps: str) -> None:
    assert grouped(drawing, "openai-chat") == (exchanges, steps)


def flagged(one: Drawn, row: int, flag: int) -> Transcript:
    flags = one.transcript.table.flags.copy()
    flags[row] |= flag
    return one.transcript.with_(table=one.transcript.table.with_columns(flags=flags))


def test_a_summary_and_a_slash_command_start_an_exchange() -> None:
    one = draw("u:hi | a:yes | u:<system-reminder>x | a:ok")
    for flag, expected in ((0, [0, 0, 0, 0]), (Flag.PROMPT, [0, 0, 1, 1]), (Flag.SUMMARY, [0, 0, 1, 1])):
        transcript = flagged(one, 2, flag)
        assert group(transcript, link(transcript)).exchange.tolist() == expected


def test_parts_of_a_message_that_lie_apart_are_one_step() -> None:
    one = draw("u:hi | a:call 1 | u:result 1 | a:call 2 | u:result 2 | a:ok")
    message = one.transcript.table.message.copy()
    message[3] = message[1]
    transcript = one.transcript.with_(table=one.transcript.table.with_columns(message=message))
    assert group(transcript, link(transcript)).step.tolist() == [-1, 0, 0, 0, 0, 1]


def test_closed_is_answered_and_not_the_newest() -> None:
    one = draw("u:hi | a:call 1 | u:result 1 | a:call 2,call 3 | u:result 2 | a:call 4 | u:result 4")
    groups = group(one.transcript, link(one.transcript))
    assert groups.closed.tolist() == [True, False, False]
    assert groups.step_first.tolist() == [1, 3, 6]
    assert groups.live == 0


def refused(drawing: str, *rows: int) -> Transcript:
    return draw(drawing).transcript.with_(refusals=tuple(Refusal(0, row, 400, "no") for row in rows))


def test_the_same_words_after_a_refusal_are_one_exchange() -> None:
    transcript = refused("u:again | u:again | u:again | a:yes | u:again", 0, 1, 3)
    groups = group(transcript, link(transcript))
    assert groups.exchange.tolist() == [0, 0, 0, 0, 1]
    assert groups.refused.tolist() == [2, 0]


def test_other_words_or_no_refusal_start_another() -> None:
    assert group(refused("u:again | u:another", 0), link(draw("u:again | u:another").transcript)).exchanges == 2
    assert group(refused("u:again | u:again"), link(draw("u:again | u:again").transcript)).exchanges == 2


def test_words_are_compared_where_columns_agree() -> None:
    one = draw("u:try 1 | u:try 2 | a:yes")
    transcript = one.transcript.with_(refusals=(Refusal(0, 0, 529, "overloaded"),))
    assert group(transcript, link(transcript), one.look).exchanges == 2
    assert group(transcript, link(transcript)).exchanges == 1  # as many characters, and nobody looked


def test_counts() -> None:
    one = draw("u:hi | a:text,call 1,call 2,server s | u:result 1,result 9,result 1 | a:none", system="be brief", tools=[{"name": "look"}])
    assert counts(make_view(one.transcript)) == {
        "records": 4, "unparsed_records": 0, "messages": 4, "blocks": 8, "exchanges": 1, "steps": 2, "tool_calls": 2, "tool_results": 3,
        "server_tool_calls": 1, "unanswered_calls": 1, "orphan_results": 1,
    }  # fmt: skip


def test_a_branch_counts_what_only_it_holds() -> None:
    one = draw("u:hi | a:call 1 | u:result 1 | u:else | a:call 2 | u:result 9")
    records = one.transcript.table.records
    records.owner[3:] = 1
    branch = one.transcript.with_(index=1)
    found = counts(make_view(branch))
    assert (found["records"], found["messages"], found["exchanges"], found["steps"]) == (3, 3, 1, 1)
    assert (found["tool_calls"], found["tool_results"], found["unanswered_calls"], found["orphan_results"]) == (1, 1, 1, 1)


def test_nothing_at_all() -> None:
    view = make_view(draw("").transcript)
    assert (view.groups.exchanges, view.groups.steps, view.groups.live) == (0, 0, -1)
    assert set(counts(view).values()) == {0}


def test_tokens_are_gathered_along_the_order() -> None:
    from app.model.tokens import Tokens

    transcript = draw("u:hi | a:yes").transcript.with_(order=np.asarray([1, 0], np.int32))
    view = make_view(transcript, Tokens("chars/4", np.asarray([7, 9], np.int32), np.ones(2, bool)))
    assert view.tokens is not None
    assert view.tokens.tolist() == [9, 7]


def test_after_edits_numbers_are_those_of_the_dump_as_opened() -> None:
    messages = [message for k in range(4) for message in ({"role": "user", "content": f"q{k}"}, {"role": "assistant", "content": f"a{k}"})]
    dump = FORMATS["anthropic-messages"].parse(Source.of(json.dumps({"messages": messages}).encode()))
    base = make_view(dump.transcripts[0])
    edits = (drop(2, 3, 4, 5), Insert(Before(6), Made(Kind.TEXT, Role.USER, "a summary")))
    after = make_view(apply(dump.transcripts[0], [Change("cut", "person", "loses", edits)], PROVIDERS["anthropic"]).transcript)
    groups = numbered(after.groups, after.rows, base.groups, base.rows)
    assert [groups.label(e) for e in range(groups.exchanges)] == ["E1", "new", "E4"]
    assert [groups.step_label(s) for s in range(groups.steps)] == ["r1", "r4"]
    assert groups.longest == ("E9", "r9")
    assert numbered(base.groups, base.rows, base.groups, base.rows).label(3) == base.groups.label(3) == "E4"
