"""What rows say: numbers, outcomes, words, pips, chips, figures, and the sentence that is read aloud."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.block import Block, Media
from app.model.findings import Report
from app.model.kinds import Flag, Kind, Role
from app.model.state import State
from app.model.table import Table
from app.model.transcript import Wall
from tests.widgets.states import (
    FakeSession,
    Message,
    Part,
    bot,
    broken_state,
    call,
    make_state,
    one_prompt_state,
    result,
    row_of,
    small_state,
    user,
)
from widgets.block_heads import BlockHeads
from widgets.exchange_facts import Facts, Outcome, Pip
from widgets.exchange_layout import Layout
from widgets.exchange_tree import EXCHANGE, STEP, Entity, Tree
from widgets.row_look import Look
from widgets.row_marks import Marks
from widgets.row_sentences import sentence
from widgets.row_words import RowWords


class Rows:
    """The rows of a state at a level, as words."""

    def __init__(self, state: State, level: int = 3) -> None:
        assert state.view is not None
        self.state, self.view = state, state.view
        self.facts = Facts(Tree(state.view), state)
        self.heads = BlockHeads(FakeSession(state))
        self.words = RowWords(self.facts, self.heads)
        self.layout = Layout(self.facts.tree)
        self.layout.set_level(level)

    def at(self, id: str) -> Look:
        return self.words.look(self.layout.entity(self.layout.row_of(self.view.at(row_of(self.state, id)))))

    def top(self, top: int) -> Look:
        return self.words.look(self.layout.entity(self.layout.row_of_top(top)))

    def step(self, number: int) -> Look:
        first = int(self.view.groups.step_first[number - 1])
        child = self.facts.tree.child_of(first)
        return self.words.look(
            self.layout.entity(self.layout.row_of(first) - 1 if self.layout.open_child[child] else self.layout.row_of(first))
        )

    def said(self, entity: Entity) -> str:
        return sentence(
            entity, self.words.look(entity), Marks(self.state, self.facts).of(entity), self.layout, int(self.view.kind[entity.position])
        )


def text(look: Look) -> str:
    return "".join(piece.text for piece in look.pieces)


def test_an_exchange_says_its_number_outcome_words_requests_and_calls() -> None:
    rows = Rows(broken_state())
    look = rows.top(31)
    assert (look.number, look.outcome, look.word, text(look), look.requests) == (
        "E31", Outcome.BROKEN, "broken", "which of my invoices are overdue?", "3 req",
    )  # fmt: skip
    assert look.pips is not None
    assert look.pips.shown == (Pip.ORPHAN, Pip.ORPHAN, Pip.ANSWERED, Pip.ANSWERED, Pip.MISSING)
    assert look.found == (3, 0, 0)
    assert look.pieces[0].font == "bold"


def test_outcomes() -> None:
    rows = Rows(broken_state())
    assert [rows.facts.outcome(top) for top in (0, 1, 31, 33, 38)] == [
        Outcome.NONE, Outcome.ANSWERED, Outcome.BROKEN, Outcome.REFUSED, Outcome.OPEN,
    ]  # fmt: skip
    assert (rows.top(33).word, rows.top(33).word_sign) == ("400 ×4", "refused")
    assert (rows.top(38).word, rows.top(1).word) == ("open", "")


def test_interrupted_and_begun_by_a_compaction() -> None:
    stop = Part(Kind.TEXT, "[Request interrupted by user]", flags=Flag.INJECTED)
    note = Part(Kind.TEXT, "[Something else]", flags=Flag.INJECTED)
    summary = Part(Kind.TEXT, "This session is being continued.", flags=Flag.INJECTED | Flag.SUMMARY)
    state = make_state([user("go on"), bot("I begin."), user(stop), user("go on"), bot("I begin."), user(note)])
    rows = Rows(state)
    assert (rows.top(0).outcome, rows.top(0).word, rows.top(1).outcome) == (Outcome.INTERRUPTED, "stopped", Outcome.ANSWERED)
    state = make_state([user("one"), bot("two"), Message(Role.USER, (summary,)), bot("three")], walls=(Wall(2, 2, 185_000, 60_000),))
    assert state.view is not None
    state.view.flags[2] = Flag.SUMMARY  # a summary starts an exchange though nobody typed it
    state.view.groups.exchange[2:] = 1
    state.view.groups.first = np.array([0, 2], np.int32)
    rows = Rows(state)
    assert (rows.top(1).outcome, text(rows.top(1))) == (Outcome.WALL, "summary This session is being continued.")
    assert list(rows.facts.walls) == [2]


def test_a_hole_is_never_among_the_pips_left_out() -> None:
    rows = Rows(broken_state())
    pips = rows.top(37).pips
    assert pips is not None
    assert (pips.shown[0], pips.shown[1:], pips.more) == (Pip.MISSING, (Pip.ANSWERED,) * 5, 19)
    assert pips.counts[Pip.ANSWERED] == 24


def test_a_call_that_holds_its_own_result_is_answered() -> None:
    search = replace(call("", "web_search"), id=None, flags=Flag.SERVER | Flag.ANSWERED)
    rows = Rows(make_state([user("q"), bot(search, "found")]))
    pips = rows.top(0).pips
    assert pips is not None
    assert pips.shown == (Pip.ANSWERED,)


def test_late_and_doubled_results() -> None:
    state = make_state([
        user("one"), bot(call("a", "read"), call("b", "read")), user(result("a", "x")), bot("more"), user("two"),
        user(result("b", "late"), result("a", "again")), bot("end"),
    ])  # fmt: skip
    rows = Rows(state)
    assert [int(p) for p in rows.facts.pip if p] == [Pip.ANSWERED, Pip.ELSEWHERE, Pip.SURPLUS]
    assert (rows.at("b").chip.number, rows.at("b").chip.word) == (2, "in E2")  # type: ignore[union-attr]
    late = rows.words.look(rows.layout.entity(rows.layout.row_of(6)))
    assert (late.chip.number, late.chip.word) == (2, "of E1")  # type: ignore[union-attr]
    continued = [rows.words.look(rows.layout.entity(r)) for r in range(rows.layout.rows)]
    assert [look.number for look in continued if look.number.startswith("…")] == ["… r1"]
    assert [text(look) for look in continued if look.number.startswith("…")] == ["late: read"]


def test_a_step_with_one_call_is_read_on_its_line() -> None:
    rows = Rows(small_state(), 2)
    assert text(rows.step(1)) == "read_file data/ledger.json  → 1,204 lines"
    assert text(rows.step(3)) == "search_invoices, get_customer   I ask for the open ones."
    assert text(rows.step(4)) == "run_query select * from invoice where due < now()  → error: syntax error near 'where'"
    assert text(rows.step(5)) == "Acme has not paid two invoices: in_9921 and in_9930."
    rows = Rows(broken_state(), 2)
    assert text(rows.step(rows.view.groups.steps)) == "close_ticket T-412  → no result"
    assert text(rows.at("toolu_01A")) == "2 results without a call"
    assert text(rows.at("z3")).startswith("read_file ×20")


def test_blocks_say_kind_text_chip_and_tokens() -> None:
    rows = Rows(broken_state())
    orphan = rows.at("toolu_01A")
    assert (orphan.word, orphan.chip.number, orphan.chip.word, orphan.chip.colour) == ("result", 1, "no call", "error")  # type: ignore[union-attr]
    assert text(orphan).startswith('toolu_01A  [{"id":"in_9921"')
    assert (rows.at("t3").chip.number, rows.at("t3").chip.word) == (3, "no result")  # type: ignore[union-attr]
    assert rows.at("end").chip.colour == "warning"  # type: ignore[union-attr]  # open at the end: no finding stands on it
    assert text(rows.at("t2")) == 'get_invoice  {"id":"in_9930"}'
    assert rows.at("t2").tokens == 7
    small = Rows(small_state())
    looks = [small.words.look(small.layout.entity(r)) for r in range(small.layout.rows)]
    assert [look.word for look in looks[:10]] == ["", "system", "tool", "", "", "reasoning", "text", "tool call", "result", ""]
    assert text(looks[0]) == "system text and 1 tool definition"


def test_a_repeated_call_says_so() -> None:
    state = make_state([user("go"), *[m for n in range(3) for m in (bot(call(f"c{n}", "read", path="a" if n != 1 else "b")),
                        user(result(f"c{n}", "x")))]])  # fmt: skip
    rows = Rows(state, 2)
    assert [rows.step(n).side for n in (1, 2, 3)] == ["", "", "again, as in r1"]


def test_another_model_says_so() -> None:
    rows = Rows(broken_state(), 2)
    assert [s for n in range(1, rows.view.groups.steps + 1) if (s := rows.step(n).side).startswith("now")] == []
    state = make_state(
        [user("go"), bot("one", model="opus"), user("on"), bot("two", model="haiku"), user("on"), bot("three", model="haiku")]
    )
    rows = Rows(state, 2)
    assert [rows.step(n).side for n in (1, 2, 3)] == ["", "now haiku", ""]


def test_what_the_model_no_longer_sees() -> None:
    state = make_state([user("one"), bot("two"), user("three"), bot("four")], start=2)
    rows = Rows(state)
    assert [rows.top(n).unsent for n in (0, 1)] == [True, False]


def test_the_dearest_tool_stands_beside_the_words() -> None:
    rows = Rows(broken_state())
    assert (rows.top(35).side, rows.top(38).side) == ("search_mail", "")


def test_tokens_add_up_with_the_overhead_of_messages() -> None:
    state = small_state()
    rows = Rows(state)
    assert sum(rows.top(top).tokens for top in range(rows.facts.tree.tops)) == state.now
    assert rows.facts.tokens(0, 0) == 0


def test_estimates_are_told_from_counts() -> None:
    state = small_state()
    assert state.tokens is not None
    state.tokens.exact[3] = False
    rows = Rows(state)
    assert [rows.top(top).guessed for top in range(4)] == [False, True, False, False]


def test_bars_are_to_the_scale_of_exchanges_or_of_steps() -> None:
    assert Rows(broken_state()).facts.scales[EXCHANGE] == 17_044
    one = Rows(one_prompt_state(20))
    assert one.facts.scales[STEP] == max(one.step(n).tokens for n in range(1, 22))
    assert one.facts.scales[EXCHANGE] == one.top(0).tokens


def test_sentences() -> None:
    rows = Rows(broken_state(), 1)
    assert rows.said(rows.layout.entity(31)) == (
        "Exchange E31, broken, which of my invoices are overdue?, 3 requests, 1 call without a result, 2 results without a call, "
        "4,623 tokens, 3 errors, kept, closed"
    )  # fmt: skip
    assert (
        rows.said(rows.layout.entity(33))
        == "Exchange E33, refused, 400 times 4, email it to finance, do not cc sales, 13 tokens, 1 warning, kept"
    )
    rows = Rows(broken_state(), 3)
    position = rows.view.at(row_of(rows.state, "toolu_01B"))
    assert rows.said(rows.layout.entity(rows.layout.row_of(position))) == (
        'Tool result 2 no call, toolu_01B {"name":"Acme Ltd","tier":"gold"}, 9 tokens, 1 error, kept'
    )
    assert rows.said(rows.layout.entity(rows.layout.row_of(position) - 2)).startswith("Request r106, 2 results without a call, 2 results")


class _Failing:
    def block(self, row: int) -> Block:
        raise OSError("the file has shrunk")


def test_what_cannot_be_read_is_said_in_the_row() -> None:
    rows = Rows(small_state())
    rows.words = RowWords(rows.facts, BlockHeads(_Failing()))
    looks = [rows.words.look(rows.layout.entity(r)) for r in range(rows.layout.rows)]
    assert text(looks[3]) == "cannot be read: the file has shrunk"


def test_images_say_their_type_and_size() -> None:
    state = make_state([user(Part(Kind.MEDIA)), bot(call("a", "shot")), user(result("a", ""))])
    media = (Media("image/png", 1024, 768, 9000), Media("image/png"))
    read = state.view.transcript.table.extra["blocks"] if state.view else None
    assert read is not None
    state.view.transcript.table.extra["blocks"] = lambda row: replace(read(row), media=media if row != 1 else ())  # type: ignore[union-attr]
    rows = Rows(state, 2)
    assert text(rows.top(0)) == "image/png 1,024×768 and 1 more"
    assert text(rows.step(1)) == "shot  → image/png 1,024×768 and 1 more"


def test_hidden_characters_are_spelled_out_and_long_texts_cut() -> None:
    hostile = "a\x00b\u202ec\ud800d <b>bold</b>\n" + "x" * 100_000
    rows = Rows(make_state([user(hostile), bot("ok")]))
    said = text(rows.top(0))
    assert said.startswith("a‹NUL›b‹U+202E›c‹U+D800›d <b>bold</b> x")
    assert len(said) <= 300


def test_heads_that_there_is_no_time_for_are_put_off_and_not_kept() -> None:
    rows = Rows(small_state())
    rows.heads.begin(0.0)
    first = rows.top(1)
    assert rows.heads.starved
    assert text(first) == ""
    rows.heads.end()
    rows.heads.begin(None)
    assert text(rows.top(1)) == "what is in the ledger of March?"


def test_a_report_on_rows_that_went_is_left_out() -> None:
    state = small_state()
    report = Report("anthropic", None, "complete", "reject", {}, [], 0, 1, error_rows=np.array([5, 99], np.int32))
    rows = Rows(state.with_(report=report))
    assert rows.facts.errors.tolist() == [5]


def test_an_exchange_zero_says_what_it_is() -> None:
    state = make_state([bot("Hello, how can I help?"), user("so"), bot("so")])
    rows = Rows(state)
    assert (rows.top(0).number, text(rows.top(0))) == ("E0", "before the first prompt  Hello, how can I help?")
    assert rows.top(1).number == "E1"


def test_the_table_is_not_asked_for_rows_that_are_not_looked_at() -> None:
    state = broken_state()
    session = FakeSession(state)
    assert state.view is not None
    facts = Facts(Tree(state.view), state)
    words = RowWords(facts, BlockHeads(session))
    words.look(Layout(facts.tree).entity(5))
    words.look(Layout(facts.tree).entity(5))
    assert session.reads == 1
    assert isinstance(state.view.transcript.table, Table)


def test_a_call_that_has_not_been_read_yet_is_not_said_to_have_no_name() -> None:
    rows = Rows(small_state())
    rows.heads.begin(0.0)
    unread = {id: text(rows.at(id)) for id in ("c1", "c2")}
    assert {id: words.split()[0] for id, words in unread.items()} == {"c1": "read_file", "c2": "search_invoices"}
    assert text(rows.step(1)).split()[0] == "read_file"
    rows.view.name[:] = -1
    assert text(rows.at("c1")).split() == ["…"]
    assert text(rows.step(1)).split()[0] == "…"
