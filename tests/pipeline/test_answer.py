"""The real result of a call: which calls wait for one, where the dump holds it, and what the change makes."""

from __future__ import annotations

import json

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, HeadOf, Insert, drop
from app.model.open_call import OpenCall
from app.model.source import Source
from app.model.view import View
from app.pipeline.answer import ORIGIN, open_call, real_result
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.claude_sessions import Session, call, result_block, text_block

ANTHROPIC = PROVIDERS["anthropic"]


def opened(data: bytes, name: str = "claude-code") -> tuple[Dump, View]:
    dump = FORMATS[name].parse(Source.of(data))
    return dump, make_view(dump.transcripts[dump.opened], source=dump.source)


def request(*messages: dict[str, object]) -> bytes:
    return json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": list(messages)}).encode()


def asks(*ids: str) -> dict[str, object]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": i, "name": "read", "input": {}} for i in ids]}


def test_a_call_that_nothing_answers_waits() -> None:
    answered = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
    dump, view = opened(request({"role": "user", "content": "go"}, asks("a", "b"), answered), "anthropic-messages")
    assert open_call(dump, view, 1) is None
    assert open_call(dump, view, 0) is None
    assert open_call(dump, view, 2) == OpenCall(call=2, placeholder=-1, name="read", id="b")


def test_the_change_puts_it_in_front_of_what_follows() -> None:
    dump, view = opened(request({"role": "user", "content": "go"}, asks("a"), {"role": "user", "content": "well?"}), "anthropic-messages")
    waits = open_call(dump, view, 1)
    assert waits is not None
    change = real_result(waits, "41 rows", False, "typed by hand", ANTHROPIC)
    assert (change.title, change.origin, change.effect) == ("Put in the real result of read (typed by hand)", ORIGIN, "adds")
    (edit,) = change.edits
    assert isinstance(edit, Insert)
    assert edit.place == HeadOf(1)
    after = apply(view.transcript, [change], ANTHROPIC).transcript
    assert check(make_view(after, source=dump.source), ANTHROPIC, None, "complete", dump.source).verdict == "accept"


def test_a_made_up_result_stands_for_it_until_then() -> None:
    dump, view = opened(request({"role": "user", "content": "go"}, asks("a"), {"role": "user", "content": "well?"}), "anthropic-messages")
    _, after = repair(view.transcript, dump.source, ANTHROPIC, None, "complete", "all")
    view = make_view(after, source=dump.source)
    made = next(iter(after.made))
    waits = open_call(dump, view, made)
    assert waits == OpenCall(call=1, placeholder=made, name="read", id="a")
    assert open_call(dump, view, 1) == waits
    real = apply(after, [real_result(waits, "41 rows", False, "typed by hand", ANTHROPIC)], ANTHROPIC).transcript
    assert made not in real.order
    (new,) = (row for row in real.made if row in real.order)
    assert (real.made[new].text, real.made[new].error, real.made[new].call) == ("41 rows", False, 1)


def test_what_another_branch_recorded_is_found() -> None:
    s = Session()
    s.say("go")
    fork = s.answer(text_block("which one?"))
    s.say("this one")
    s.answer(call("c1"))
    s.result(result_block("c1", "the real words"))
    s.say("that one", parent=fork)
    s.answer(call("c1"))
    s.say("hello?")
    s.answer(text_block("later"))
    dump, view = opened(s.data())
    row = next(int(r) for r in view.rows if view.transcript.table.key[r] == 0)
    waits = open_call(dump, view, row)
    assert waits is not None
    (found,) = waits.elsewhere
    assert FORMATS["claude-code"].block(dump.transcripts[dump.opened], found.row, dump.source).text == "the real words"
    assert found.where.startswith("in ")


def test_what_a_change_took_out_is_found() -> None:
    s = Session()
    s.say("go")
    s.answer(call("c1"))
    s.result(result_block("c1", "the real words"))
    s.answer(text_block("done"))
    dump, view = opened(s.data())
    after = apply(view.transcript, [Change("out", "person", "loses", (drop(2),))], ANTHROPIC).transcript
    waits = open_call(dump, make_view(after, source=dump.source), 1)
    assert waits is not None
    assert [(found.row, found.where) for found in waits.elsewhere] == [(2, "taken out by a change")]
