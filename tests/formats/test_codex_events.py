"""What events of a Codex rollout tell of the messages around them."""

from __future__ import annotations

from app.formats import FORMATS
from app.model.source import Source
from tests.formats.logs import damaged, unchanged
from tests.formats.test_codex import META, SESSION, call, data, line, output, said

TOKENS = {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 9, "reasoning_output_tokens": 4, "total_tokens": 109}
COST = line("event_msg", {"type": "token_count", "info": {"last_token_usage": TOKENS, "total_token_usage": TOKENS}})


def test_what_a_request_cost_is_said_of_what_it_gave() -> None:
    dump = unchanged("codex", data([*SESSION[:6], COST, SESSION[6], SESSION[7], COST]))
    usages = dump.table.usages
    assert (usages.message.tolist(), usages.input.tolist(), usages.cache_read.tolist(), usages.output.tolist()) == (
        [2, 4], [100, 100], [60, 60], [9, 9],
    )  # fmt: skip


def test_calls_of_a_turn_that_was_stopped() -> None:
    aborted = line("event_msg", {"type": "turn_aborted", "reason": "interrupted"})
    items = [line("response_item", item) for item in (said("user", "go"), call("c1"), call("c2"), output("c1", "x"))]
    dump = unchanged("codex", data([META, *items, aborted]))
    assert {word: rows.tolist() for word, rows in dump.table.marks.items()} == {"stopped.interrupted": [2]}


def test_a_refusal_and_a_name() -> None:
    error = line("event_msg", {"type": "error", "message": "unexpected status 400 Bad Request: no such tool"})
    note = line("event_msg", {"type": "error", "message": "the sandbox was denied"})
    named = line("event_msg", {"type": "thread_name_updated", "thread_name": "A walk"})
    dump = unchanged("codex", data([*SESSION[:3], error, note, named]))
    (transcript,) = dump.transcripts
    assert transcript.title == "A walk"
    assert [(r.record, r.after, r.status) for r in transcript.refusals] == [(3, 0, 400)]
    assert dump.records == {"shown": 2, "hidden": 4, "unparsed": 0}


def test_what_is_kept_and_never_sent() -> None:
    ghost = line("response_item", {"type": "ghost_snapshot", "ghost_commit": {"id": "x"}})
    twice = line("response_item", {**said("assistant", "on"), "id": "msg_1"})
    dump = unchanged("codex", data([*SESSION[:3], ghost, twice, twice]))
    assert len(dump.table) == 3
    assert dump.table.item is not None
    assert set(dump.table.item.tolist()) == {-1}


def test_a_fork_and_a_subagent() -> None:
    spawned = line("session_meta", {"id": "s-2", "forked_from_id": "s-1", "source": {"subagent": "review"}})
    (transcript,) = FORMATS["codex"].parse(Source.of(data([spawned, META, *SESSION[1:3]]))).transcripts
    assert (transcript.id, transcript.subagent) == ("s-2", True)
    assert "s-1" in transcript.why


def test_damage_is_said_in_one_line_or_opened() -> None:
    error = line("event_msg", {"type": "error", "message": "status 500"})
    damaged("codex", data([*SESSION, COST, error, line("event_msg", {"type": "turn_aborted", "reason": "x"})]), 100)
