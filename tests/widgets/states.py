"""States for tests of widgets, made without any pipeline.

`small_state()` is a clean session, `broken_state()` the incident of the pictures, `one_prompt_state(steps)` a run with a single prompt,
`huge_state(blocks)` what a list must carry. A row's content lies in `table.extra["blocks"]`, a function from row to Block, which
`FakeSession.block` reads.
"""

from __future__ import annotations

from collections.abc import Callable

from app.model.kinds import Kind, Role
from app.model.state import Ghost, State
from tests.widgets.fake_session import FakeSession
from tests.widgets.huge import huge_state
from tests.widgets.making import Message, Part, bot, call, make_state, result, think, user
from tests.widgets.planning import evict_exchanges, finding, planned, stub_results, with_findings

__all__ = [
    "FakeSession", "Message", "Part", "bot", "broken_state", "call", "evict_exchanges", "finding", "ghost_of", "huge_state", "make_state",
    "one_prompt_state", "planned", "result", "row_of", "small_state", "stub_results", "think", "user", "with_findings",
]  # fmt: skip

# fmt: off


def small_messages() -> list[Message]:
    long = "\n".join(f'  "line {n}": "{"x" * 30}",' for n in range(1204))
    return [
        Message(Role.SYSTEM, (Part(Kind.SYSTEM, "You are an agent that keeps invoices. " * 20),)),
        Message(Role.SYSTEM, (Part(Kind.TOOLS, '{"name":"read_file","input_schema":{"type":"object"}}', "read_file"),)),
        user("what is in the ledger of March?"),
        bot(
            think("The ledger lies in data/. I read it first."), "I look into the ledger.", call("c1", "read_file", path="data/ledger.json")
        ),
        user(result("c1", long)),
        bot("The ledger of March holds 1,204 lines, all of them booked."),
        user("and who has not paid?"),
        bot("I ask for the open ones.", call("c2", "search_invoices", state="open"), call("c3", "get_customer", id="cus_8812f")),
        user(result("c2", '[{"id":"in_9921"},{"id":"in_9930"}]'), result("c3", '{"name":"Acme Ltd","tier":"gold"}')),
        bot(call("c4", "run_query", sql="select * from invoice where due < now()")),
        user(result("c4", "syntax error near 'where'", error=True)),
        bot("Acme has not paid two invoices: in_9921 and in_9930."),
        user("draft a reminder"),
        bot("Dear Acme, two invoices of yours are overdue."),
    ]


def small_state() -> State:
    """A clean session: system text and a tool, three exchanges, an error that the model got over."""
    return make_state(small_messages())


def broken_messages() -> list[Message]:
    """The incident of the pictures: E31 begins with results whose call was cut away."""
    out = [Message(Role.SYSTEM, (Part(Kind.SYSTEM, "You are the invoice agent. " * 120),))]
    words = ("why was in_9877 charged twice?", "send acme the corrected statement", "which plan is Globex on?", "list what is due in May",
             "did the refund of in_9612 go out?")  # fmt: skip
    for n in range(30):
        key = f"toolu_f{n}"
        out += [user(words[n % 5] if n < 28 else words[n - 28])]
        for m in range(1 + n * 7 % 4):
            out += [bot(call(f"{key}_{m}", "search_invoices", query=f"status:open page:{m}")),
                    user(result(f"{key}_{m}", f"page {m}\n" * (40 + 90 * (n % 6))))]  # fmt: skip
        out += [bot("Done: it was charged once; the second line is a reversal.")]
    out += [
        user("which of my invoices are overdue?"),
        user(
            result("toolu_01A", '[{"id":"in_9921","amount":1240,"due":"2026-03-31"},' * 300),
            result("toolu_01B", '{"name":"Acme Ltd","tier":"gold"}'),
        ),
        bot(
            "Let me open the three that are past due.",
            call("t1", "get_invoice", id="in_9921"),
            call("t2", "get_invoice", id="in_9930"),
            call("t3", "get_invoice", id="in_9877"),
        ),
        user(result("t2", "in_9930\n2 pages, 41 rows " * 60), result("t1", "in_9921\n2 pages, 38 rows " * 55)),
        bot("Two invoices are overdue: in_9921 and in_9930."),
        user("and the total in euro?"),
        bot(call("u1", "convert", amount=2120, to="EUR")),
        user(result("u1", "1,953.40 EUR")),
        bot("1,953.40 euro."),
        user("email it to finance, do not cc sales"),
        user("draft a reminder for each of them"),
        bot(*[call(f"v{n}", "draft_email", to=f"c{n}@acme.example", subject="Reminder") for n in range(4)], model="claude-haiku-4-5"),
        user(*[result(f"v{n}", f"draft {n} saved") for n in range(4)]),
        bot("Four drafts are saved."),
        user("what did we promise Acme in March?"),
        *[m for n in range(9) for m in (bot(call(f"w{n}", "search_mail", query=f"acme march {n}")), user(result(f"w{n}", "mail " * 1500)))],
        bot("A discount of 5 % on the next order."),
        user("put that in the CRM"),
        bot(call("x1", "crm_note", text="5 % on the next order")),
        user(result("x1", "saved")),
        bot("It is there."),
        user("any other customer with the same clause?"),
        *[m for n in range(5) for m in (bot(call(f"y{n}", "search_contracts", page=n)), user(result(f"y{n}", "clause " * 1400)))],
        bot(*[call(f"z{n}", "read_file", path=f"contracts/{n:03}.txt") for n in range(20)]),
        user(*[result(f"z{n}", "no such clause") for n in range(20) if n != 13]),
        bot("Globex has it as well."),
        user("thanks, close the ticket"),
        bot(call("end", "close_ticket", id="T-412")),
    ]
    return out


# fmt: on


def broken_state() -> State:
    """The incident with its findings; nothing is planned yet."""
    state = make_state(broken_messages(), refusals={32: (400, 4, "messages.0.content.0: unexpected `tool_use_id` found")})
    row = _rows(state)
    return with_findings(state, [
        finding(state, "tool-result-orphan", row("toolu_01A"), "no tool call with this id stands before it", cause="E31"),
        finding(state, "tool-result-orphan", row("toolu_01B"), "no tool call with this id stands before it", cause="E31"),
        finding(state, "tool-call-partially-answered", row("t3"), "the call of get_invoice has no result", cause="t3"),
        finding(state, "tool-call-partially-answered", row("z13"), "the call of read_file has no result", cause="z13"),
        finding(state, "prompt-repeated", int(state.view.groups.first[32]) if state.view else 0, "sent four times", "warning"),
    ])  # fmt: skip


def ghost_of(state: State, id: str) -> Ghost:
    """The result that a repair would put behind the results which lead the answer to a call."""
    assert state.view is not None
    at = state.view.at(_rows(state)(id))
    step, end = int(state.view.groups.step[at]), len(state.view)
    position = next((p for p in range(at + 1, end) if state.view.groups.step[p] != step), end)
    return Ghost(position, Kind.TOOL_RESULT, "[no result recorded; the call may have run]", 21, at)


def _rows(state: State) -> Callable[[str], int]:
    """Call id to the first row that has it."""
    assert state.dump is not None
    blocks = state.dump.table.extra["blocks"]
    found: dict[str, int] = {}
    for row in range(len(state.dump.table)):
        found.setdefault(blocks(row).call_id or "", row)
    return found.__getitem__


def row_of(state: State, id: str) -> int:
    """The first row that has a call id."""
    return _rows(state)(id)


def one_prompt_state(steps: int = 150) -> State:
    """A single prompt and a long run of requests, one call each."""
    messages = [user("fix the failing test in tests/test_parser.py and tell me what was wrong")]
    for n in range(steps):
        command = f"sed -n {n * 40},{n * 40 + 39}p src/parser.py"
        messages.append(bot(f"Step {n}: I look at the next file.", call(f"c{n}", "bash", command=command)))
        messages.append(user(result(f"c{n}", "line of code\n" * (3 + n * 37 % 211))))
    return make_state([*messages, bot("The parser dropped the last token. It is mended.")])
