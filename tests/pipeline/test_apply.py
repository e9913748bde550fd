"""The laws of edits: rows not positions, all or nothing, first wins, order kept, columns true to what would be exported."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.edits import (
    CAP_NOTE,
    DELETE,
    After,
    Before,
    Cap,
    Change,
    Drop,
    Edit,
    End,
    HeadOf,
    Insert,
    Layer,
    Made,
    Move,
    Replace,
    Set,
    SetRequest,
    Stub,
    Words,
    drop,
)  # fmt: skip
from app.model.ids import Ids
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Role
from app.model.provider import Overhead, Provider
from app.model.table import RECORD_TYPES, ROW_COLUMNS, ROW_TYPES, Records, Table
from app.model.transcript import Refusal, Transcript, Wall
from app.model.view import Groups, Links, View
from app.pipeline.apply import apply, apply_layers, close_under_partners

U, A, TOOL, S = Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM
TEXT, CALL, RESULT, EMPTY, REASONING = Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.EMPTY, Kind.REASONING


def provider(wire: str = "anthropic") -> Provider:
    joins, pairing, answers = (frozenset({U, A}), "leading-run", U) if wire == "anthropic" else (frozenset(), "contiguous-run", TOOL)
    return Provider(wire, wire, "", pairing, joins, answers, Overhead(), lambda w, h: 0, {}, frozenset())  # type: ignore[arg-type]


def transcript(*rows: tuple, start: int = 0, **table: object) -> Transcript:
    """Rows as (message, role, kind, call id or None, flags)."""
    ids: dict[str, int] = {}
    columns: dict[str, list[int]] = {name: [] for name in ROW_COLUMNS}
    for message, role, kind, call, *rest in rows:
        key = -1 if call is None else ids.setdefault(call, len(ids))
        values = {"record": message, "part": 0, "message": message, "kind": kind, "type": 0, "role": role, "name": -1, "size": 500,
                  "flags": rest[0] if rest else 0, "key": key}  # fmt: skip
        for name in ROW_COLUMNS:
            columns[name].append(int(values[name]))
    count = max((row[0] for row in rows), default=-1) + 1
    records = Records(**{name: np.zeros(count, dtype) for name, dtype in RECORD_TYPES.items()})
    arrays = {name: np.asarray(values, ROW_TYPES[name]) for name, values in columns.items()}
    made = Table("test", **arrays, records=records, types=["text"], ids=Ids.of(ids), **table)  # type: ignore[arg-type]
    return Transcript(made, np.arange(len(rows), dtype=np.int32), start)


def change(*edits: Edit, title: str = "a change") -> Change:
    return Change(title, "rule:test", "loses", edits)


def result(call: int, role: Role = U) -> Made:
    return Made(RESULT, role, "[no result recorded; the call may have run]", call, True)


def order(t: Transcript) -> list[int]:
    return t.order.tolist()


def messages(t: Transcript) -> list[list[int]]:
    """Rows of each message, as they stand."""
    return [[row for row, _ in run] for _, run in groupby(((r, int(t.table.message[r])) for r in order(t)), key=lambda pair: pair[1])]


# -- laws over any transcript and any edits -----------------------------------------------------------------------------------


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    rows = []
    for message in range(draw(st.integers(1, 8))):
        role = draw(st.sampled_from([U, A]))
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.sampled_from([TEXT, CALL] if role == A else [TEXT, RESULT]))
            rows.append((message, role, kind, None if kind == TEXT else draw(st.sampled_from("abc"))))
    return transcript(*rows, start=draw(st.integers(0, len(rows))))


def edits(size: int) -> st.SearchStrategy[Edit]:
    row = st.integers(-1, size + 1)
    place = st.one_of(st.builds(Before, row, st.booleans()), st.builds(After, row, st.booleans()), st.builds(HeadOf, row), st.just(End()))
    rows = st.lists(row, min_size=1, max_size=3, unique=True).map(lambda found: np.asarray(found, np.int32))
    return st.one_of(
        st.builds(Drop, rows), st.builds(Move, row, place), st.builds(Replace, rows, st.sampled_from([Stub("s"), Cap(200), Words("w")])),
        st.builds(Set, row, st.sampled_from(["call_id", "content", "role", "input", "message.name"]), st.sampled_from(["user", "x.y", ""])),
        st.builds(Insert, place, st.builds(Made, st.just(TEXT), st.sampled_from([U, A]), st.text(max_size=3))),
        st.builds(lambda at, call: Insert(at, result(call)), place, st.integers(0, size)),
    )  # fmt: skip


@st.composite
def cases(draw: st.DrawFn) -> tuple[Transcript, list[Change]]:
    found = draw(transcripts())
    group = st.lists(edits(len(found.table)), min_size=1, max_size=3).map(lambda some: change(*some))
    return found, draw(st.lists(group, max_size=4))


def columns(t: Transcript) -> dict[str, bytes]:
    return {name: getattr(t.table, name).tobytes() for name in ROW_COLUMNS} | {"order": t.order.tobytes()}


@given(cases())
def test_any_edits_keep_the_laws(case: tuple[Transcript, list[Change]]) -> None:
    before, changes = case
    copy = columns(before)
    applied = apply(before, changes, provider())
    after = applied.transcript
    assert columns(before) == copy
    skipped = {id(c) for c, _ in applied.skipped}
    assert len(skipped) == len(applied.skipped)
    taken = [c for c in changes if id(c) not in skipped]
    every = [edit for c in taken for edit in c.edits]
    dropped = {int(r) for edit in every if isinstance(edit, Drop) for r in edit.rows}
    inserts = [edit for edit in every if isinstance(edit, Insert)]
    assert len(set(order(after))) == len(after.order)
    assert set(after.made) == set(range(len(before.table), len(after.table)))
    assert [after.made[row].text for row in sorted(after.made)] == [edit.made.text for edit in inserts]
    gone = set(order(before)) - set(order(after))
    assert dropped <= gone
    assert all(before.table.kind[row] == EMPTY for row in gone - dropped)
    still = [row for row in order(before) if row not in dropped and row not in after.moved]
    assert [row for row in order(after) if row in set(still)] == still
    assert 0 <= after.start <= len(after.order)
    unsent = set(after.order[: after.start].tolist())
    assert {row for row in still if row in unsent} == {row for row in before.order[: before.start].tolist() if row in set(still)}
    if not taken:
        assert after is before


@given(cases())
def test_changes_that_do_not_meet_may_be_made_one_after_the_other(case: tuple[Transcript, list[Change]]) -> None:
    before, changes = case
    drops = [c for c in changes if all(isinstance(edit, Drop | Replace | Set) for edit in c.edits)]
    together = apply(before, drops, provider())
    skipped = {id(c) for c, _ in together.skipped}
    alone = before
    for one in drops:
        if id(one) not in skipped:
            step = apply(alone, [one], provider())
            assert not step.skipped
            alone = step.transcript
    assert order(alone) == order(together.transcript)
    for name in ("kind", "role", "size", "flags"):
        assert getattr(alone.table, name).tolist() == getattr(together.transcript.table, name).tolist()
    assert alone.fields == together.transcript.fields


# -- which changes are made ---------------------------------------------------------------------------------------------------


def two_turns() -> Transcript:
    return transcript((0, U, TEXT, None), (1, A, TEXT, None), (1, A, CALL, "a"), (1, A, CALL, "b"), (2, U, RESULT, "a"), (2, U, TEXT, None))


def test_the_first_of_two_changes_wins_and_the_later_is_skipped_whole() -> None:
    first, later = change(drop(1), title="first"), change(drop(5), Set(1, "text", "x"), title="later")
    applied = apply(two_turns(), [first, later], provider())
    assert order(applied.transcript) == [0, 2, 3, 4, 5]
    assert applied.skipped == ((later, "“first” touches row 1 already"),)


def test_a_change_that_names_a_row_that_is_not_there_is_skipped_whole() -> None:
    without = apply(two_turns(), [change(drop(5))], provider()).transcript
    late = change(drop(0), Insert(After(5), Made(TEXT, U, "x")))
    applied = apply(without, [late], provider())
    assert applied.transcript is without
    assert applied.skipped == ((late, "row 5 is no longer there"),)
    assert apply(without, [change(drop(77))], provider()).skipped[0][1] == "row 77 is no longer there"


def test_a_call_that_a_made_result_answers_stays() -> None:
    answer, away = change(Insert(HeadOf(3), result(3)), title="answer"), change(drop(3))
    applied = apply(two_turns(), [answer, away], provider())
    assert applied.skipped == ((away, "“answer” needs row 3, which this would take away"),)
    other = apply(two_turns(), [change(drop(3), title="away"), answer], provider())
    assert other.skipped == ((answer, "“away” takes row 3 away, beside which this stands"),)


def test_signed_reasoning_is_never_altered() -> None:
    signed = transcript((0, A, REASONING, None, Flag.SIGNED), (0, A, TEXT, None))
    altered = change(Set(0, "text", "other"))
    assert apply(signed, [altered], provider()).skipped[0][1] == "row 0 is signed reasoning, which is kept whole or dropped whole"
    assert apply(signed, [change(Replace(np.asarray([1, 0]), Words("x")))], provider()).transcript is signed
    assert order(apply(signed, [change(drop(0))], provider()).transcript) == [1]


def test_members_of_a_request_are_set_once() -> None:
    before = two_turns()
    table = before.table.with_columns(request={"max_tokens": 5, "thinking": {}})
    one, two = change(SetRequest("/max_tokens", 9), SetRequest("/thinking", DELETE)), change(SetRequest("/thinking/type", "x"))
    applied = apply(before.with_(table=table), [one, two], provider())
    assert applied.transcript.table.request == {"max_tokens": 9}
    assert applied.transcript.request == {"/max_tokens": 9, "/thinking": DELETE}
    assert [c for c, _ in applied.skipped] == [two]
    assert table.request == {"max_tokens": 5, "thinking": {}}


# -- places -------------------------------------------------------------------------------------------------------------------


def test_a_made_result_joins_the_results_that_lead_the_answer() -> None:
    after = apply(two_turns(), [change(Insert(HeadOf(3), result(3)))], provider()).transcript
    assert messages(after) == [[0], [1, 2, 3], [4, 6, 5]]
    assert (after.table.key[6], after.table.role[6], after.table.kind[6]) == (after.table.key[3], U, RESULT)
    assert after.table.flags[6] & Flag.ERROR
    assert after.made[6].call == 3


def test_results_made_for_one_turn_stand_in_the_order_of_their_changes() -> None:
    open_calls = transcript((0, A, CALL, "a"), (1, A, CALL, "b"), (2, U, TEXT, None), (3, U, TEXT, None))
    after = apply(open_calls, [change(Insert(HeadOf(0), result(0))), change(Insert(HeadOf(1), result(1)))], provider()).transcript
    assert messages(after) == [[0], [1], [4, 5, 2], [3]]
    assert after.table.flags[2] & Flag.CONTENT_LIST


def test_a_turn_that_answers_is_made_where_there_is_none() -> None:
    trailing = transcript((0, U, TEXT, None), (1, A, CALL, "a"), (1, A, CALL, "b"))
    after = apply(trailing, [change(Insert(HeadOf(1), result(1))), change(Insert(HeadOf(2), result(2)))], provider()).transcript
    assert messages(after) == [[0], [1, 2], [3, 4]]
    before_system = transcript((0, A, CALL, "a"), (1, S, TEXT, None), (2, U, TEXT, None))
    after = apply(before_system, [change(Insert(HeadOf(0), result(0)))], provider()).transcript
    assert messages(after) == [[0], [3], [1], [2]]


def test_a_log_that_holds_one_message_a_record_gets_a_record_of_its_own() -> None:
    before = transcript((0, A, CALL, "a"), (0, A, CALL, "b"), (1, U, RESULT, "b"), (2, U, TEXT, None), joins=False)
    after = apply(before, [change(Insert(HeadOf(0), result(0)))], provider()).transcript
    assert messages(after) == [[0, 1], [2], [4], [3]]
    assert len({int(m) for m in after.table.message[after.order]}) == 4


def test_openai_answers_stand_behind_the_run_each_in_a_message_of_its_own() -> None:
    before = transcript((0, A, TEXT, None), (0, A, CALL, "a"), (0, A, CALL, "b"), (1, TOOL, RESULT, "b"), (2, U, TEXT, None))
    after = apply(before, [change(Insert(HeadOf(1), result(1, TOOL)))], provider("openai")).transcript
    assert messages(after) == [[0, 1, 2], [3], [5], [4]]
    assert after.table.role[5] == TOOL


def test_an_empty_message_that_gets_a_block_is_empty_no_more() -> None:
    before = transcript((0, A, CALL, "a"), (1, U, EMPTY, None, Flag.CONTENT_NONE))
    after = apply(before, [change(Insert(HeadOf(0), result(0)))], provider()).transcript
    assert messages(after) == [[0], [2]]
    assert after.table.message[2] == 1


def test_a_late_result_moves_home() -> None:
    before = transcript((0, A, CALL, "a"), (1, U, TEXT, None), (1, U, TEXT, None), (2, U, RESULT, "a"))
    after = apply(before, [change(Move(3, HeadOf(0)))], provider()).transcript
    assert messages(after) == [[0], [3, 1, 2]]
    assert after.moved == {3}


def test_a_message_that_moves_whole_keeps_its_number_and_a_part_gets_one() -> None:
    before = transcript((0, A, CALL, "a"), (1, S, TEXT, None), (2, TOOL, RESULT, "a"), (3, U, TEXT, None))
    whole = apply(before, [change(Move(2, HeadOf(0)))], provider("openai")).transcript
    assert (order(whole), int(whole.table.message[2])) == ([0, 2, 1, 3], 2)
    wrong = transcript((0, A, CALL, "a"), (0, A, RESULT, "a"), (1, A, TEXT, None))
    part = apply(wrong, [change(Move(1, HeadOf(0)))], provider()).transcript
    assert (order(part), int(part.table.role[1])) == ([0, 2, 1], U)
    assert part.table.message[1] not in (0, 1)


def test_a_message_of_its_own_never_stands_inside_another() -> None:
    before = two_turns()
    behind = apply(before, [change(Insert(After(2), Made(TEXT, U, "x")))], provider()).transcript
    assert order(behind) == [0, 1, 2, 3, 6, 4, 5]
    front = apply(before, [change(Insert(Before(3), Made(TEXT, U, "x")))], provider()).transcript
    assert order(front) == [0, 6, 1, 2, 3, 4, 5]
    inside = apply(before, [change(Insert(Before(3, join=True), Made(TEXT, U, "x")))], provider()).transcript
    assert messages(inside) == [[0], [1, 2, 6, 3], [4, 5]]
    assert inside.table.role[6] == A


def test_inserts_at_one_place_keep_their_order() -> None:
    pair = (Insert(Before(4), Made(TEXT, U, "one")), Insert(Before(4), Made(TEXT, A, "two")))
    after = apply(two_turns(), [change(drop(0, 1, 2, 3), *pair)], provider()).transcript
    assert order(after) == [6, 7, 4, 5]
    last = apply(two_turns(), [change(Insert(End(), Made(TEXT, A, "x")), Insert(After(5), Made(TEXT, U, "y")))], provider()).transcript
    assert order(last) == [0, 1, 2, 3, 4, 5, 7, 6]


def test_what_stands_beside_a_row_that_its_own_change_takes_away_stands_in_the_gap() -> None:
    after = apply(two_turns(), [change(drop(0), Insert(After(0), Made(TEXT, U, "instead")))], provider()).transcript
    assert order(after) == [6, 1, 2, 3, 4, 5]


def test_what_is_no_longer_sent_stays_so() -> None:
    before = two_turns().with_(start=1)
    after = apply(before, [change(drop(0)), change(Insert(Before(1), Made(TEXT, U, "sent")))], provider()).transcript
    assert (order(after), after.start) == ([6, 1, 2, 3, 4, 5], 0)
    kept = apply(before, [change(Insert(Before(1), Made(TEXT, U, "sent")), Insert(After(0), Made(TEXT, U, "not")))], provider()).transcript
    assert (order(kept), kept.start) == ([0, 7, 6, 1, 2, 3, 4, 5], 2)


# -- columns ------------------------------------------------------------------------------------------------------------------


def args_of(t: Transcript, row: int) -> Args:
    return Args((int(t.table.flags[row]) & Flag.ARGS) >> ARGS_SHIFT)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        (False, {"a": 1}, Args.OBJECT),
        (True, {"a": 1}, Args.STRING),
        (True, [1], Args.STRING_OTHER),
        (False, None, Args.NULL),
        (False, "{", Args.BROKEN),
        (False, [1], Args.OTHER),
    ],
)
def test_arguments_are_classed_as_the_wire_will_hold_them(text: bool, value: object, expected: Args) -> None:
    before = transcript((0, A, CALL, "a"), args_text=text)
    after = apply(before, [change(Set(0, "input", value))], provider()).transcript
    assert args_of(after, 0) == expected
    assert after.fields == {0: {"input": value}}
    assert before.fields == {}


def test_a_call_id_gets_the_number_of_equal_ids() -> None:
    before = transcript((0, A, CALL, "a"), (1, U, RESULT, "b", Flag.ID_DOTTED), (2, U, RESULT, None, Flag.ID_ABSENT))
    edits = [change(Set(1, "call_id", "a")), change(Set(2, "call_id", "new:1"))]
    after = apply(before, edits, provider()).transcript
    assert after.table.key.tolist() == [0, 0, 2]
    assert after.table.flags[1] == 0
    assert after.table.flags[2] == Flag.ID_DOTTED
    assert [after.table.ids.text(k) for k in range(3)] == ["a", "b", "new:1"]
    again = apply(after, [change(Set(0, "call_id", "new:1"))], provider()).transcript
    assert again.table.key.tolist() == [2, 0, 2]
    gone = apply(after, [change(Set(0, "call_id", DELETE))], provider()).transcript
    assert (gone.table.key[0], gone.table.flags[0]) == (-1, Flag.ID_ABSENT)


def test_a_stub_takes_the_place_of_all_content_and_keeps_its_shape() -> None:
    flags = Flag.MEDIA | Flag.PART_EMPTY | Flag.CONTENT_LIST | Flag.ERROR | Flag.TEXT_TRAILING
    before = transcript((0, U, RESULT, "a", flags), (1, U, RESULT, "b"))
    after = apply(before, [change(Replace(np.asarray([0, 1], np.int32), Stub("gone")))], provider()).transcript
    assert after.table.flags.tolist() == [Flag.CONTENT_LIST | Flag.ERROR, 0]
    assert after.table.size.tolist() == [4, 4]
    assert after.content_of(0) is after.content_of(1)
    assert before.content is None
    assert before.table.size.tolist() == [500, 500]


def test_a_cap_counts_from_what_the_file_has() -> None:
    before = transcript((0, U, RESULT, "a"), (1, U, RESULT, "b"))
    before.table.size[:] = [9000, 400]
    rows = np.asarray([0, 1], np.int32)
    once = apply(before, [change(Replace(rows, Cap(1000)))], provider()).transcript
    assert once.table.size.tolist() == [1000, 400]
    assert once.content_of(1) is None
    twice = apply(once, [change(Replace(rows, Cap(500)))], provider()).transcript
    text = "".join(Cap(500).of(["Q" * 9000]))
    assert (twice.table.size[0], twice.content_of(0)) == (len(text), Cap(500))
    assert text.endswith(CAP_NOTE.format(missing=9000 - text.count("Q")))
    stubbed = apply(once, [change(Replace(rows[:1], Stub("gone")))], provider()).transcript
    capped = apply(stubbed, [change(Replace(rows, Cap(200)))], provider()).transcript
    assert capped.content_of(0) == Stub("gone")
    assert capped.table.size.tolist() == [4, 200]


def test_a_row_has_one_text_of_its_edits() -> None:
    before = transcript((0, U, RESULT, "a"), (1, U, TEXT, None))
    said = apply(before, [change(Set(0, "content", "words " * 100))], provider()).transcript
    capped = apply(said, [change(Replace(np.asarray([0], np.int32), Cap(200)))], provider()).transcript
    assert capped.content_of(0) is None
    assert len(capped.fields[0]["content"]) == capped.table.size[0] == 200
    stubbed = apply(before, [change(Replace(np.asarray([0], np.int32), Stub("s")))], provider()).transcript
    again = apply(stubbed, [change(Set(0, "content", ""))], provider()).transcript
    assert again.content_of(0) is None
    assert (again.table.size[0], again.table.flags[0]) == (0, Flag.TEXT_EMPTY)
    made = apply(before, [change(Insert(HeadOf(0), Made(TEXT, U, "made " * 100)))], provider()).transcript
    shorter = apply(made, [change(Replace(np.asarray([2], np.int32), Stub("s")))], provider()).transcript
    assert (shorter.made[2].text, shorter.table.size[2]) == ("s", 1)
    assert made.made[2].text == "made " * 100


def test_content_of_an_empty_message_makes_a_text_of_it() -> None:
    before = transcript((0, U, EMPTY, None, Flag.CONTENT_NULL))
    after = apply(before, [change(Set(0, "content", "(empty) "))], provider()).transcript
    assert (after.table.kind[0], after.table.flags[0], after.table.size[0]) == (TEXT, Flag.TEXT_TRAILING, 8)
    back = apply(after, [change(Set(0, "content", None))], provider()).transcript
    assert (back.table.kind[0], back.table.flags[0]) == (EMPTY, Flag.CONTENT_NULL)


def test_what_is_set_of_a_message_stands_on_each_of_its_rows() -> None:
    before = two_turns()
    after = apply(before, [change(Set(2, "role", "user"), Set(2, "message.name", "x"))], provider()).transcript
    assert after.table.role[1:4].tolist() == [U, U, U]
    assert all(after.table.flags[row] & Flag.NAMED for row in (1, 2, 3))
    assert set(after.fields) == {1, 2, 3}
    without = apply(after, [change(Set(1, "message.name", DELETE))], provider()).transcript
    assert not any(without.table.flags[row] & Flag.NAMED for row in (1, 2, 3))


def test_refusals_and_walls_lean_on_what_stays() -> None:
    before = two_turns().with_(refusals=(Refusal(0, 5, 400, "x"), Refusal(0, 0, 400, "y")), walls=(Wall(2, 0), Wall(5, 0)))
    after = apply(before, [change(drop(0, 2, 5))], provider()).transcript
    assert [r.after for r in after.refusals] == [4, -1]
    assert [w.row for w in after.walls] == [3]


# -- layers and partners ------------------------------------------------------------------------------------------------------


def test_rows_that_a_pass_made_have_the_next_ids_so_that_later_ones_can_name_them() -> None:
    first = Layer("one", ((change(Insert(HeadOf(3), result(3))),), (change(Set(6, "content", "other")),)))
    applied = apply_layers(two_turns(), [first, Layer("two", ((change(drop(6)), change(drop(6))),))], provider())
    assert order(applied.transcript) == [0, 1, 2, 3, 4, 5]
    assert applied.transcript.made[6].text == "other"
    assert len(applied.skipped) == 1


def view_of(t: Transcript, partner: list[int], extra: list[int]) -> View:
    none = np.empty(0, np.int32)
    mask = np.zeros(len(t.order), bool)
    mask[extra] = True
    groups = Groups(none, none, none, False, none, none, none, none)
    return View(t, groups, Links(np.asarray(partner, np.int32), mask))


def test_a_call_leaves_with_its_result_and_every_further_one() -> None:
    t = transcript((0, A, CALL, "a"), (1, U, RESULT, "a"), (2, U, RESULT, "a"), (3, A, CALL, "a"), (4, U, RESULT, "a"), (5, U, RESULT, "a"))
    view = view_of(t, [1, 0, -1, 4, 3, -1], [2, 5])

    def closed(*positions: int) -> list[int]:
        mask = np.zeros(6, bool)
        mask[list(positions)] = True
        return np.flatnonzero(close_under_partners(view, mask)).tolist()

    assert closed(0) == [0, 1, 2]
    assert closed(1) == [0, 1, 2]
    assert closed(4) == [3, 4, 5]
    assert closed(2) == [2]
    assert closed() == []


def test_a_row_that_one_change_moves_twice_stands_where_it_was_put_first() -> None:
    before = transcript(*((n, A if n % 2 else U, TEXT, None) for n in range(4)))
    applied = apply(before, [change(Move(2, End()), Move(2, After(2)), Move(2, Before(0)))], provider())
    assert not applied.skipped
    assert order(applied.transcript) == [0, 1, 3, 2]
