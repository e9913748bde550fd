"""What the strip says of each state: exact texts, and never that a transcript is good."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.model.edits import Layer
from app.model.state import Preview, Progress, State
from app.model.tokens import Recorded
from app.model.transcript import Refusal
from tests.widgets.desk import TITLES, change, found, history, report
from tests.widgets.states import broken_state, row_of, small_state
from widgets.verdict import Verdict, summary, verdict


def say(state: State, line_of: Any = lambda record: record + 1) -> Verdict:
    said = verdict(state, TITLES, line_of)
    assert said is not None
    assert "valid" not in f"{said.title} {said.detail}".lower()
    assert "safe to send" not in f"{said.title} {said.detail}".lower()
    return said


def clean(**more: Any) -> State:
    good = report(**more)
    return small_state().with_(report=good, other=good)


def refused(state: State, *refusals: Refusal) -> State:
    assert state.transcript is not None
    assert state.view is not None
    transcript = state.transcript.with_(refusals=refusals)
    state.view.transcript = transcript
    return state.with_(transcript=transcript)


def test_nothing_open_says_nothing() -> None:
    assert verdict(State(), TITLES) is None


def test_reading() -> None:
    said = say(State(path="/home/me/dump.jsonl", progress=Progress("reading", 0.38)))
    assert said.title == "Reading dump.jsonl, 38 %"
    assert said.actions == ("file.cancel",)
    assert said.progress == 0.38
    assert say(State(path="", progress=Progress("judging", None))).title == "Judging the clipboard"


def test_reading_with_rows_there() -> None:
    state = small_state()
    assert state.dump is not None
    state.dump.complete = False
    said = say(state.with_(path="a.json", progress=Progress("reading", 0.5)))
    assert (said.title, said.detail) == ("Reading a.json, 50 %", "What is here can be looked at already.")


def test_reading_that_was_stopped() -> None:
    state = small_state()
    assert state.dump is not None
    said = say(state.with_(path="a.json", report=None))
    assert said.title == "Reading a.json was stopped; nothing was judged."
    state.dump.complete = False
    said = say(state.with_(path="a.json"))
    assert said.title == "Reading a.json was stopped; nothing was judged. Only the head of the file is here."
    assert said.actions == ("file.reload",)


def test_a_hostile_name_stays_a_name() -> None:
    assert say(State(path="/x/<b>\u202e.json", progress=Progress("reading", None))).title == "Reading <b>‹U+202E›.json"


def test_would_refuse() -> None:
    state = broken_state()
    state = refused(
        state.with_(other=state.report), Refusal(411, 5, 400, "messages.0: unexpected"), *[Refusal(412 + n, 5, 400, "") for n in range(3)]
    )
    said = say(state)
    assert said.title == "Anthropic would refuse this: 4 errors, three causes. The dump holds the refusal itself (line 412, four times)."
    assert said.detail == "First: no tool call with this id stands before it (E31 · r106)"
    assert said.actions == ("go.next_finding",)  # none of these errors has a fix
    assert said.row == row_of(state, "toolu_01A")
    assert said.tone == "error"


def test_would_refuse_without_a_recorded_refusal() -> None:
    bad = report("reject", [found(cause="m3"), found(row=1, cause="m3")])
    said = say(small_state().with_(report=bad, other=bad))
    assert said.title == "Anthropic would refuse this: 2 errors, one cause."


def test_one_error() -> None:
    bad = report("reject", [found()])
    assert say(small_state().with_(report=bad, other=bad)).title == "Anthropic would refuse this: 1 error, one cause."


def test_a_refusal_in_a_document_has_no_line() -> None:
    bad = report("reject", [found()])
    state = refused(small_state().with_(report=bad, other=bad), Refusal(3, 2, 400, "x"))
    assert say(state, lambda record: None).title == "Anthropic would refuse this: 1 error, one cause. The dump holds the refusal itself."


def test_other_ways_are_the_fixes_of_the_first_finding() -> None:
    bad = report("reject", [found(fixes=(change("Use the real call", "exact"), change("Drop the result")))])
    assert say(small_state().with_(report=bad, other=bad)).ways == ("Use the real call (exact)", "Drop the result (loses)")


def test_no_reason_found() -> None:
    said = say(clean(not_judged=("signatures can't be checked offline", "reasoning rules are not judged")))
    assert said.title == "No reason found why Anthropic would refuse this: 61 rules."
    assert said.detail == "Not judged: signatures can't be checked offline; reasoning rules are not judged."
    assert said.tone == "green"


def test_no_reason_found_with_warnings() -> None:
    said = say(clean(findings=[found(severity="warning"), found(row=1, severity="warning"), found(severity="note", rule="n")]))
    assert said.title == "No reason found why Anthropic would refuse this: 61 rules, 2 warnings and 1 note."
    assert said.tone == "warning"


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_over_the_models_window_is_not_green(exact: bool) -> None:
    state = clean()
    assert state.totals is not None
    long = state.with_(model="claude-sonnet-4-5", totals=replace(state.totals, total=5_519_000, exact=exact), recorded=None)
    said = say(long)
    assert said.title == "No reason found why Anthropic would refuse this, but for its length: 61 rules."
    assert said.detail == f"{'' if exact else 'About '}5.5M tokens are 28 × the 200.0k that the model's name tells."
    assert said.tone == "warning"
    assert say(long.with_(model="somebody's own")).tone == "green"
    one = np.array([400_000])
    assert say(long.with_(recorded=Recorded(one, one, one), totals=replace(state.totals, total=390_000))).tone == "green", "it was taken so"


def test_refused_when_sent_though_nothing_is_known() -> None:
    state = clean()
    assert state.view is not None
    last = int(state.view.rows[-1])
    said = say(refused(state, Refusal(7, last, 400, "prompt is\ntoo long")))
    assert said.title == "This was refused when it was sent, though nothing is known to be wrong with it."
    assert said.detail == "400 prompt is too long (line 8). Paste the whole request, or save a report."
    assert said.actions == ("go.refusal", "finding.error", "file.report")


def test_a_refusal_behind_which_the_model_answered_is_told_and_no_more() -> None:
    said = say(refused(clean(), Refusal(7, 3, 529, "overloaded")))
    assert said.title == "No reason found why Anthropic would refuse this: 61 rules."
    assert said.detail == "The dump records one refusal, later taken."


def test_an_open_call_at_the_end_of_a_log() -> None:
    strict = report("reject", [found("tool-call-trailing", message="call c9 has no result yet")])
    log = report(mode="prefix", pending=1)
    said = say(small_state().with_(report=log, other=strict, mode="prefix"))
    assert said.title == "Open call at the end: fine as a log, refused if sent now."
    assert said.detail == "Anthropic would wait for what the tool said. call c9 has no result yet"
    assert (said.tone, said.icon, said.actions) == ("warning", "open-call", ("view.mode_complete",))


def test_open_calls_at_the_end_of_a_request() -> None:
    strict = report("reject", [found("tool-call-trailing", fixes=(change(),))] * 3)
    said = say(small_state().with_(report=strict, other=report(mode="prefix", pending=3)))
    assert said.title == "3 open calls at the end: fine as a log, refused if sent now."
    assert (said.tone, said.primary) == ("error", "finding.preview")


def test_a_request_that_is_no_open_call_is_not_called_one() -> None:
    strict = report("reject", [found("messages-empty", message="There are no messages")])
    said = say(small_state().with_(report=strict, other=report(mode="prefix")))
    assert said.title == "Anthropic would refuse this if it were sent now: 1 error, one cause."
    assert (said.tone, said.actions, said.primary) == ("error", ("go.next_finding",), "")
    said = say(small_state().with_(report=report(mode="prefix"), other=strict, mode="prefix"))
    assert said.title == "Anthropic would refuse this if it were sent now: 1 error, one cause."
    assert said.detail == "Nothing is wrong with it as a log. First: There are no messages"
    assert (said.tone, said.actions) == ("warning", ("view.mode_complete",))


def test_an_open_call_beside_another_error_is_not_all_that_is_said() -> None:
    strict = report("reject", [found("tool-call-trailing"), found("text-trailing-space", fixes=(change(),))])
    said = say(small_state().with_(report=strict, other=report(mode="prefix", pending=1)))
    assert said.title == "Anthropic would refuse this if it were sent now: 2 errors, two causes."
    assert said.actions == ("go.next_finding", "finding.preview")
    assert said.primary == "finding.preview"


def test_no_repair_is_offered_where_nothing_mends() -> None:
    bad = report("reject", [found()])
    assert say(small_state().with_(report=bad, other=bad)).actions == ("go.next_finding",)
    bad = report("reject", [found(), found(fixes=(change(),))])
    assert say(small_state().with_(report=bad, other=bad)).actions == ("go.next_finding", "finding.preview")
    warned = report("reject", [found(), found(severity="warning", fixes=(change(),))])
    assert say(small_state().with_(report=warned, other=warned)).primary == ""


def test_causes_of_what_is_not_listed_are_not_counted() -> None:
    cut = report("reject", [found()] * 3, counts={"tool-result-orphan": 6_000}, left_out=5_997)
    said = say(small_state().with_(report=cut, other=cut))
    assert said.title == "Anthropic would refuse this: 6,000 errors, at least three causes."


def test_the_program_that_owns_the_file_would_not_read_it_all() -> None:
    words = "Claude Code reads only 301 of 5,783 records"
    reader = found("reader-parent-chain", severity="warning", message=words, reason="A parent is missing.")
    said = say(clean(findings=[reader]))
    assert said.title == "Anthropic would take it, but Claude Code reads only 301 of 5,783 records"
    assert said.detail == "A parent is missing."


def test_after_changes() -> None:
    state = clean().with_(history=history((change(), change())))
    assert say(state).title == "After 2 changes: no reason found why Anthropic would refuse this: 61 rules."
    bad = report("reject", [found()])
    worse = state.with_(report=bad, other=bad, history=history((change(),)))
    assert say(worse).title == "After 1 change: Anthropic would refuse this: 1 error, one cause."
    assert say(state.with_(history=history((change(),), cursor=0))).title == "No reason found why Anthropic would refuse this: 61 rules."


def test_a_preview() -> None:
    bad = report("reject", [found()])
    layer = Layer("Repair", ((change(effect="adds"), change(effect="loses"), change(effect="loses")),))
    empty: frozenset[int] = frozenset()
    state = small_state().with_(report=bad, other=bad, preview=Preview(layer, (), empty, empty, empty, report()))
    said = say(state)
    assert said.title == "After 3 changes: no reason found why Anthropic would refuse this: 61 rules."
    assert said.detail == "Drop the result (adds), 2 × Drop the result (loses). Nothing is applied yet."
    assert said.actions == ("finding.apply", "finding.cancel")
    assert said.tone == "green"
    for tokens, words in ((21, ", +21 tokens in all"), (-1, ", −1 token in all")):
        costly = say(state.with_(preview=Preview(layer, (), empty, empty, empty, report(), tokens)))
        assert costly.detail == f"Drop the result (adds), 2 × Drop the result (loses){words}. Nothing is applied yet."


def test_a_preview_that_does_not_mend_all() -> None:
    bad = report("reject", [found(), found(row=1)])
    empty: frozenset[int] = frozenset()
    layer = Layer("R", ((change(),),))
    after = report("reject", [found()])
    state = small_state().with_(report=bad, other=bad, preview=Preview(layer, (), empty, empty, empty, after))
    said = say(state)
    assert said.title == "After 1 change: Anthropic would refuse this: 1 error, one cause."
    assert said.tone == "warning"


def test_another_provider_is_named() -> None:
    assert say(clean().with_(provider="openai-chat")).title == "No reason found why OpenAI Chat would refuse this: 61 rules."
    assert say(clean().with_(provider="acme")).title.startswith("No reason found why acme ")


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_numbers_are_complete_although_the_list_is_cut(severity: str) -> None:
    cut = report("reject", [found(severity=severity)] * 3, counts={"tool-result-orphan": 12_345}, left_out=12_342)
    numbers = summary(cut)
    assert (numbers.errors, numbers.warnings) == ((12_345, 0) if severity == "error" else (0, 12_345))


def test_a_rule_of_two_severities_counts_what_is_listed() -> None:
    mixed = report("reject", [found(), found(severity="warning")], counts={"tool-result-orphan": 50})
    assert (summary(mixed).errors, summary(mixed).warnings) == (1, 1)


def test_a_refusal_by_itself_is_called_one() -> None:
    from app.formats import FORMATS
    from app.model.source import Source
    from app.pipeline.names import provider_named
    from app.pipeline.view import make_view

    dump = FORMATS["provider-error"].parse(Source.of(b'{"error":{"message":"no such model","type":"x","code":400}}', "e.json"))
    view = make_view(dump.transcripts[0], None, provider_named("openai-chat"))
    said = say(clean().with_(dump=dump, transcript=dump.transcripts[0], view=view))
    assert said.title == "A provider's refusal, and nothing of what it refused."
    assert said.detail == "Open the refused request and paste this error there: 400 no such model"
