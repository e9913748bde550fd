"""Counts, sums and calibration."""

import numpy as np
import pytest

from app.model.edits import After, Cap, Change, Insert, Made, Replace, Set, Stub
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.table import Usages
from app.model.tokens import Tokens
from app.pipeline.apply import apply
from app.pipeline.calibrate import _steady
from app.pipeline.count import after_edits, batches, calibrate, estimate, exact, fill, recorded, totals
from app.pipeline.names import provider_named
from app.pipeline.view import make_view
from app.tokens import COUNTERS, counter
from tests.builders import draw, request_of
from tests.strategies.laws import opened, read, recounted
from tests.strategies.random_requests import WIRES, request

ANTHROPIC = provider_named("anthropic")
TALK = "u:hello there | a:think,looking,call 1 get,call 2 | u:result 1 some words here,result 2,image | a:done"


# -- rows -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COUNTERS)
def test_exact_counts_are_those_of_each_block(name):
    one = opened(request_of(TALK, system="be brief", tools=[{"name": "get", "input_schema": {}}]), "anthropic", name)
    texts = {"hello there": 1, "be brief": 1}
    reader = counter(name)
    for row, tokens in enumerate(exact(one.dump, one.view.rows, ANTHROPIC, name).tolist()):
        from app.pipeline import look

        block = look.block(one.dump, one.transcript, row)
        assert tokens == reader.block(block, ANTHROPIC)
        texts.pop(block.text, None)
    assert not texts


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("seed", range(6))
def test_the_estimate_by_characters_is_the_count_where_no_media_is(wire, seed):
    one = opened(request(seed, wire), wire, "chars/4")
    guess = estimate(one.dump.table, one.provider, "chars/4")
    counted = exact(one.dump, one.view.rows, one.provider, "chars/4")
    assert (guess.own[guess.exact] == counted[guess.exact]).all()
    assert guess.exact.sum() >= len(guess.own) - 20


def test_the_estimate_of_real_dumps_is_of_the_right_size(shared):
    """These are small and odd ones (one is a single text over and over); their kinds' figures come from many more."""
    errors = []
    for folder, wire in (("anthropic_messages", "anthropic"), ("openai_chat", "openai-chat")):
        for path in sorted((shared / "samples" / folder).glob("*.json")):
            try:
                one = read(path.read_bytes(), wire, "o200k_base")
            except InspectorError:
                continue
            true, guess = int(one.view.tokens.sum()), estimate(one.dump.table, one.provider, "o200k_base")
            assert not guess.exact[one.view.kind != Kind.EMPTY].any()
            if true >= 300:
                errors.append(abs(int(guess.own[one.view.rows].sum()) / true - 1))
    assert len(errors) >= 5
    assert np.median(errors) < 0.35
    assert max(errors) < 0.6


def test_batches_come_newest_first_and_keep_a_record_together():
    table = draw("u:a,b,c | a:d,e | u:f | a:g,h,i,j | u:k").transcript.table
    found = [batch.tolist() for batch in batches(table, np.arange(len(table)), 3)]
    assert [row for batch in found[::-1] for row in batch] == list(range(len(table)))
    assert all(len({int(table.record[row]) for row in batch} & {int(table.record[row]) for row in other}) == 0
               for i, batch in enumerate(found) for other in found[:i])  # fmt: skip
    assert found[0][-1] == len(table) - 1


def test_filling_counts_what_is_not_exact_and_leaves_the_rest():
    one = opened(request_of(TALK), "anthropic", "chars/4")
    tokens = estimate(one.dump.table, ANTHROPIC, "o200k_base")
    tokens.own[0], tokens.exact[0] = 777, True
    fill(one.dump, tokens, ANTHROPIC)
    assert tokens.exact.all()
    assert tokens.own[0] == 777
    assert (tokens.own[1:] == exact(one.dump, one.view.rows[1:], ANTHROPIC, "o200k_base")).all()


# -- sums -----------------------------------------------------------------------------------------------------------------------


def test_overhead_is_one_for_each_stored_message_and_one_for_a_name():
    one = opened(
        {"messages": [{"role": "user", "content": "abcd", "name": "ann"}, {"role": "assistant", "content": "abcd"}]}, "openai-chat"
    )
    assert totals(one.view, Tokens("chars/4", one.view.tokens, np.ones(2, bool)), one.provider).total == 1 + 3 + 1 + 1 + 3


def test_steps_and_exchanges_contain_the_overhead_of_their_messages():
    drawn = draw("u:abcd | a:call 1 | u:result 1 | a:abcd | u:abcd")
    tokens = Tokens("chars/4", np.full(len(drawn.transcript.table), 10, np.int32), np.ones(5, bool))
    sums = totals(make_view(drawn.transcript, tokens, ANTHROPIC), tokens, ANTHROPIC)
    assert sums.total == 5 * 13
    assert sums.by_step.tolist() == [26, 13]
    assert sums.by_exchange.tolist() == [52, 13]
    assert (sums.not_sent, sums.exact, sums.counter) == (0, True, "chars/4")


def test_what_the_model_no_longer_sees_is_not_sent():
    drawn = draw("u:abcd | a:abcd | u:abcd | a:abcd")
    tokens = Tokens("chars/4", np.full(4, 10, np.int32), np.array([False, True, True, True]))
    view = make_view(drawn.transcript.with_(start=2), tokens, ANTHROPIC)
    sums = totals(view, tokens, ANTHROPIC)
    assert (sums.total, sums.not_sent, sums.exact) == (26, 26, True)
    assert sums.by_exchange.tolist() == [26, 26]


def test_parts_of_a_split_message_have_one_overhead():
    drawn = draw("u:abcd | a:abcd | u:abcd | a:abcd")
    drawn.transcript.table.message[:] = [0, 1, 2, 1]
    tokens = Tokens("chars/4", np.full(4, 10, np.int32), np.ones(4, bool))
    assert totals(make_view(drawn.transcript, tokens, ANTHROPIC), tokens, ANTHROPIC).total == 40 + 9
    view = make_view(drawn.transcript.with_(start=3), tokens, ANTHROPIC)
    sums = totals(view, tokens, ANTHROPIC)
    assert (sums.total, sums.not_sent) == (13, 36)


def test_empty_and_unparsed_rows_do_no_harm():
    one = opened({"messages": [{"role": "user", "content": "abcd"}, {"role": "assistant", "content": []}]}, "anthropic")
    tokens = Tokens("chars/4", one.view.tokens, np.ones(len(one.view), bool))
    assert totals(one.view, tokens, one.provider).total == 1 + 3 + 0 + 3
    empty = opened({"messages": []}, "anthropic")
    assert totals(empty.view, Tokens("chars/4", empty.view.tokens, np.ones(0, bool)), empty.provider).total == 0


# -- after edits -----------------------------------------------------------------------------------------------------------------


def test_rows_that_edits_change_or_make_are_counted_anew():
    one = opened(request_of("u:hi | a:call 1,call 2,call 3 | u:result 1,result 2,result 3 " + "w " * 200), "anthropic")
    results = one.view.rows[one.view.results]
    edits = (
        Replace(results[:1], Stub("gone")), Replace(results[2:], Cap(200)), Set(int(results[1]), "content", "another text"),
        Insert(After(0), Made(Kind.TEXT, Role.USER, "a new message")),
    )  # fmt: skip
    after = apply(one.transcript, [Change("t", "test", "loses", edits)], one.provider).transcript
    base = Tokens("chars/4", one.view.tokens, np.ones(len(one.view), bool))
    tokens = after_edits(one.dump, base, after, one.provider)
    assert tokens.own[results].tolist() == [1, 3, 50]
    assert tokens.own[-1] == -(-len("a new message") // 4)
    assert base.own[results[0]] != tokens.own[results[0]]
    assert totals(make_view(after, tokens, one.provider), tokens, one.provider).total == recounted(one, after)


def test_without_edits_counts_stay_as_they_are():
    one = opened(request_of(TALK), "anthropic")
    base = Tokens("chars/4", one.view.tokens, np.zeros(len(one.view), bool))
    same = after_edits(one.dump, base, one.transcript, one.provider)
    assert (same.own == base.own).all()
    assert not same.exact.any()


@pytest.mark.parametrize("wire", WIRES)
def test_lone_surrogates_are_counted_and_survive(wire):
    made = request_of("u:cut \ud83d here | a:ok", "anthropic" if wire == "anthropic" else "openai-chat")
    if wire == "openai-responses":
        made = {"input": made["messages"]}
    one = opened(made, wire, "o200k_base")
    assert one.view.tokens[0] == counter("o200k_base").count("cut \ufffd here")
    assert read(one.dump.source.all(), wire, "o200k_base").view.tokens.tolist() == one.view.tokens.tolist()


# -- calibration -----------------------------------------------------------------------------------------------------------------


def recorded_run(steps: int, inputs, size: int = 100):
    """A run of so many steps, 10 x size tokens a step, whose requests recorded these inputs (None: none)."""
    drawn = draw("u:go | " + " | ".join(f"a:call {n} | u:result {n}" for n in range(steps)))
    table = drawn.transcript.table
    told = [(2 * n + 1, value) for n, value in enumerate(inputs) if value is not None]
    usages = Usages(
        np.asarray([m for m, _ in told], np.int32), np.asarray([v for _, v in told], np.int64), np.zeros(len(told), np.int64),
        np.zeros(len(told), np.int64), np.full(len(told), 7, np.int64),
    )  # fmt: skip
    transcript = drawn.transcript.with_(table=table.with_columns(usages=usages))
    tokens = Tokens("chars/4", np.full(len(table), size, np.int32), np.ones(len(table), bool))
    return make_view(transcript, tokens, ANTHROPIC), tokens


def sent_before(step: int, size: int = 100) -> int:
    return size + 3 + step * 2 * (size + 3)


def fitted(view, tokens):
    return calibrate(view, tokens, ANTHROPIC, recorded(view))


def test_recorded_usage_stands_by_step():
    view, _ = recorded_run(4, [500, None, 900, 1100])
    found = recorded(view)
    assert found.input.tolist() == [500, -1, 900, 1100]
    assert found.output.tolist() == [7, -1, 7, 7]


def test_no_usage_no_calibration():
    assert fitted(*recorded_run(3, [None, None, None])) is None


def test_factor_and_offset_are_found():
    view, tokens = recorded_run(8, [round(18_000 + 1.2 * sent_before(n)) for n in range(8)])
    found = fitted(view, tokens)
    assert found.factor == pytest.approx(1.2, abs=0.01)
    assert found.offset == pytest.approx(18_000, abs=5)
    assert found.requests == 8
    assert found.low <= found.factor <= found.high


def test_the_median_is_not_led_astray_by_one_request():
    inputs = [18_000 + sent_before(n) + (5_000 if n >= 5 else 0) for n in range(12)]
    found = fitted(*recorded_run(12, inputs))
    assert found.factor == pytest.approx(1.0, abs=0.001)
    assert found.offset == 18_000


def test_a_compaction_is_left_out():
    inputs = [60_000 + sent_before(n) for n in range(6)] + [9_000 + sent_before(n) for n in range(6)]
    found = fitted(*recorded_run(12, inputs))
    assert found.factor == pytest.approx(1.0)
    assert found.requests == 11  # the pair across it does not count


def test_a_request_on_the_side_is_not_a_compaction():
    inputs = [60_000 + sent_before(n) for n in range(10)]
    inputs[4] = 900
    found = fitted(*recorded_run(10, inputs))
    assert found.factor == pytest.approx(1.0)
    assert (found.offset, found.requests) == (60_000, 9)


def test_one_request_tells_only_the_offset():
    found = fitted(*recorded_run(1, [sent_before(0) + 900]))
    assert (found.factor, found.offset, found.requests) == (1.0, 900, 1)


def test_less_recorded_than_counted_is_no_negative_layer():
    assert fitted(*recorded_run(1, [5])).offset == 0


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([100, 200, 300], [0, 1, 2]),
        ([90_000, 95_000, 20_000, 25_000, 30_000, 35_000], [0, 1, 2, 3, 4, 5]),  # it lasts
        ([90_000, 95_000, 1_000, 96_000], [0, 1, 3]),
        ([90_000, 95_000, 1_000, 2_000, 97_000], [0, 1, 4]),
        ([9_000, 2_000, 9_500], [0, 1, 2]),  # under 8,000
        ([100_000, 90_000, 110_000], [0, 1, 2]),  # under a quarter
    ],
)
def test_which_requests_are_of_one_conversation(told, kept):
    assert _steady(np.asarray(told)).tolist() == kept
