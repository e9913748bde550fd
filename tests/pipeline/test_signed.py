"""Signed reasoning behind the first change of a plan or a repair."""

import pytest

from app.model.edits import DELETE, After, Before, Change, Insert, Made, Move, Replace, Set, SetRequest, Stub, drop
from app.model.kinds import Kind, Role
from app.pipeline.apply import apply
from app.pipeline.names import provider_named
from app.pipeline.plan import commit
from app.pipeline.signed import doubt, first_difference
from app.providers._models import claude_binds
from tests.builders import draw
from tests.strategies.laws import opened

ANTHROPIC = provider_named("anthropic")
TALK = "u:one | a:think,call 1 | u:result 1 found | a:think,so | u:two | a:think?,done"


def after(drawn, *edits):
    return apply(drawn.transcript, [Change("t", "test", "loses", edits)], ANTHROPIC).transcript


def rows(drawn, kind):
    table = drawn.transcript.table
    return [row for row in drawn.transcript.order.tolist() if table.kind[row] == kind]


def test_reasoning_behind_a_changed_result_is_doubtful_and_that_before_it_is_not():
    drawn = draw(TALK)
    (result,) = rows(drawn, Kind.TOOL_RESULT)
    found = doubt(drawn.transcript, after(drawn, Replace(drawn.transcript.order[[result]], Stub("gone"))), ANTHROPIC, "claude-opus-5-1")
    assert (found.blocks, found.row) == (1, rows(drawn, Kind.REASONING)[1])
    assert found.words.startswith("a signed block of reasoning stands behind the first change: Claude 5.1 and newer")


def test_nothing_changed_or_nothing_signed_behind_it_is_no_doubt():
    drawn = draw(TALK)
    last = rows(drawn, Kind.TEXT)[-1]
    assert first_difference(drawn.transcript, drawn.transcript) == -1
    assert doubt(drawn.transcript, drawn.transcript, ANTHROPIC, None) is None
    assert doubt(drawn.transcript, after(drawn, drop(last)), ANTHROPIC, None) is None
    assert doubt(drawn.transcript, after(drawn, Set(last, "text", "other")), ANTHROPIC, None) is None


@pytest.mark.parametrize(
    ("edits", "first", "blocks"),
    [
        (lambda d: [drop(d.transcript.order[0])], 0, 2),
        (lambda d: [Set(int(d.transcript.order[0]), "text", "other")], 0, 2),
        (lambda d: [Insert(Before(int(d.transcript.order[0])), Made(Kind.TEXT, Role.USER, "first"))], 0, 2),
        (lambda d: [drop(rows(d, Kind.REASONING)[0])], 1, 1),  # the chain is broken for what follows
        (lambda d: [Move(int(d.transcript.order[0]), After(int(d.transcript.order[3])))], 0, 2),
        (lambda d: [SetRequest("/tools/0", DELETE)], 0, 2),
    ],
)
def test_where_the_first_change_is(edits, first, blocks):
    drawn = draw(TALK)
    changed = after(drawn, *edits(drawn))
    assert first_difference(drawn.transcript, changed) == first
    assert doubt(drawn.transcript, changed, ANTHROPIC, None).blocks == blocks


def test_a_member_that_is_not_sent_changes_nothing():
    drawn = draw(TALK)
    assert first_difference(drawn.transcript, after(drawn, SetRequest("/17/parentUuid", "x"))) == -1


def test_ciphertext_alone_counts_as_signed():
    drawn = draw("u:one | a:redacted,call 1 | u:result 1 | a:so")
    assert doubt(drawn.transcript, after(drawn, drop(int(drawn.transcript.order[0]))), ANTHROPIC, None).blocks == 1


def test_what_was_changed_before_is_no_change_now():
    drawn = draw(TALK)
    (result,) = rows(drawn, Kind.TOOL_RESULT)
    once = after(drawn, Replace(drawn.transcript.order[[result]], Stub("gone")), Set(0, "text", "other"))
    assert first_difference(once, once.with_(index=1)) == -1


@pytest.mark.parametrize(
    ("model", "bound", "alone"),
    [
        ("claude-opus-5-1-20260901", True, False), ("claude-fable-5-1", True, False), ("claude-opus-5-20260901", False, True),
        ("claude-sonnet-4-5-20250929", False, True), ("claude-3-7-sonnet-20250219", False, True), (None, True, True),
    ],
)  # fmt: skip
def test_what_a_signature_covers_depends_on_the_model(model, bound, alone):
    words = claude_binds(model)
    assert ("bind a signature to all" in words, "its own block alone" in words) == (bound, alone)


@pytest.mark.parametrize(
    ("provider", "model", "words"),
    [
        ("openai-responses", "gpt-5.6", "OpenAI drops reasoning"), ("gemini", "gemini-3-pro", "has not been reported"),
        ("bedrock", "us.anthropic.claude-opus-5-1-v1:0", "bind a signature"), ("bedrock", "amazon.nova-pro-v1:0", ""),
        ("mistral", None, ""), ("openai-chat", None, ""),
    ],
)  # fmt: skip
def test_each_provider_says_what_is_known(provider, model, words):
    said = provider_named(provider).binds(model)
    assert words in said
    assert bool(said) == bool(words)


def test_a_plan_that_is_checked_warns_and_finds_no_error():
    signed = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    request = {"model": "claude-opus-5-1", "messages": [
        {"role": "user", "content": "one"}, {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "word " * 80}]},
        {"role": "assistant", "content": [signed, {"type": "text", "text": "so"}]}, {"role": "user", "content": "two"},
    ]}  # fmt: skip
    one = opened(request, "anthropic")
    checked, _ = commit(one.dump, one.view, "stub-tool-results:keep_last=0", None, one.provider, None, "complete", one.counter)
    assert (checked.verdict, checked.new_findings, checked.doubt.blocks) == ("accept", 0, 1)
    assert one.dump.table.kind[checked.doubt.row] == Kind.REASONING
    checked, _ = commit(one.dump, one.view, "drop-reasoning", None, one.provider, None, "complete", one.counter)
    assert checked.doubt is None
