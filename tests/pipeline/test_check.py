"""A report: what is in it, how findings are put into words, and what it costs."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.model.dump import Dump
from app.model.findings import Finding, Mode, Report
from app.model.source import Source
from app.model.transcript import Refusal, Transcript
from app.pipeline.check import SHOWN, check
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.builders import draw, tiled

ANTHROPIC, OPENAI = PROVIDERS["anthropic"], PROVIDERS["openai-chat"]


def opened(drawing: str, wire: str = "anthropic", **members: object) -> Dump:
    return load(Source.of(draw(drawing, wire, **members).data, "x.json"), "anthropic-messages" if wire == "anthropic" else "openai-chat")


def report(drawing: str, wire: str = "anthropic", mode: Mode = "complete", **members: object) -> Report:
    dump = opened(drawing, wire, **members)
    return check(make_view(dump.transcripts[0]), PROVIDERS[wire], None, mode, dump)


def only(drawing: str, wire: str = "anthropic") -> Finding:
    (finding,) = [f for f in report(drawing, wire).findings if f.severity == "error"]
    return finding


def test_a_report_says_what_was_judged() -> None:
    found = report("u:q | a:call 1 | u:go | a:call 2", mode="prefix", model="claude-sonnet-4-5")
    assert (found.provider, found.model, found.mode, found.verdict) == ("anthropic", "claude-sonnet-4-5", "prefix", "reject")
    assert (found.counts, found.pending, found.left_out, found.errors) == ({"tool-call-unanswered": 1}, 1, 0, 1)
    assert found.rules == len(ANTHROPIC.judges)
    assert found.not_judged == ANTHROPIC.not_judged
    assert found.error_rows.tolist() == [1]
    assert found.warning_rows.tolist() == []


def test_warnings_do_not_refuse() -> None:
    found = report("a:hello | u:q")
    assert (found.verdict, found.errors, found.warning_rows.tolist()) == ("accept", 0, [0])


def test_errors_come_first_then_the_order_of_the_transcript() -> None:
    found = report("a:hello,empty | u:q,empty | a:call 1,text | u:result 1,text")
    assert [(f.severity, f.rule, f.at) for f in found.findings] == [
        ("error", "text-empty", "/messages/0/content/1"),
        ("error", "text-empty", "/messages/1/content/1"),
        ("warning", "first-message-not-user", "/messages/0"),
        ("warning", "content-after-tool-call", "/messages/2/content/1"),
        ("warning", "text-after-tool-result", "/messages/3/content/1"),
    ]


def test_places_and_words_are_the_providers_own() -> None:
    found = only("u:q | u:more | a:text | a:call 1 | u:text | u:result 1")
    assert found.rule == "tool-result-not-first"
    assert found.at == "/messages/5/content/0"
    assert found.provider_at == "messages.2.content.1"
    assert found.provider_error is not None
    assert found.provider_error.startswith("messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: 1.")
    unanswered = only("u:q | a:text,call 1 | u:go")
    assert (unanswered.provider_at, unanswered.ids) == ("messages.1.content.1", ("1",))
    orphan = only("u:result 7 | a:ok | u:q")
    assert orphan.provider_error == (
        "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: 7. Each `tool_result` block must have a "
        "corresponding `tool_use` block in the previous message."
    )


def test_places_and_words_of_openai_chat() -> None:
    found = only("u=q | a:text,call 1,call 2 | t:result 1 | u=go", "openai-chat")
    assert (found.rule, found.at, found.provider_at, found.ids) == ("tool-call-partially-answered", "/messages/1", "messages[1]", ("2",))
    assert found.provider_error is not None
    assert found.provider_error.endswith("The following tool_call_ids did not have response messages: 2")
    long = "x" * 70
    call, result = report(f"u=q | a:call {long} | t:result {long}", "openai-chat").findings
    assert call.provider_at == "messages[1].tool_calls[0]"
    assert call.provider_error is not None
    assert call.provider_error.startswith("Invalid 'messages[1].tool_calls[0].id': string too long.")
    assert "length 70" in call.provider_error
    assert (result.at, result.provider_at) == ("/messages/2", "messages[2]")


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("u:q | a:call 1", "It stands in the last message: the run ended, or the dump was written, before a result came."),
        ("u:q | a:call 1 | u:[Request interrupted by user for tool use]",
         "The run was stopped: “[Request interrupted by user for tool use]” stands behind it, at /messages/2/content/0."),
        ("u:q | a:call 1 | u:no | a:ok | u:result 1", "Its call stands at /messages/1/content/0; /messages/2/content/0 came between."),
        ("u:q | a:call 1 | u:text,result 1", "What stands before it is at /messages/2/content/0."),
        ("u:q | a:call 1 | u:result 1 | u:result 1", "The first one stands at /messages/2/content/0."),
        ("u:result 1 | a:ok | u:q", "Nothing stands before it: what came before was cut away."),
        ("u:q | a:ok | u:more | a:ok | u:result 1", ""),
    ],
)  # fmt: skip
def test_reasons(drawing: str, reason: str) -> None:
    assert only(drawing).reason == reason


def test_both_sides_of_a_pair_say_where_the_other_is() -> None:
    result, call = report("u:result 1 | a:call 1 | u:go").findings[:2]
    assert result.reason == "Its call stands behind it, at /messages/1/content/0."
    assert call.reason == "A result under its id stands before it, at /messages/0/content/0."
    call, result = report("u:q | a:call 1 | u:result 9").findings
    assert call.reason == "One result waits under another id (9) in the turn that should answer, at /messages/2/content/0."
    assert result.reason == "The call before it waits under another id (1)."
    assert call.cause == result.cause


def test_one_cut_is_one_cause() -> None:
    found = report("u:result 1,result 2 | a:ok | u:q | a:call 3,call 4 | u:go").findings
    causes = [finding.cause for finding in found if finding.severity == "error"]
    assert causes[0] == causes[1] != causes[2] == causes[3]


def test_a_response_alone_says_so() -> None:
    data = (
        b'{"type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"1","name":"x","input":{}}]}'
    )
    dump = load(Source.of(data, "x.json"))
    (finding,) = [f for f in check(make_view(dump.transcripts[0]), ANTHROPIC, None, "complete", dump).findings if f.severity == "error"]
    assert (finding.rule, finding.at) == ("tool-call-trailing", "/content/0")
    assert finding.reason == "The dump holds the response only; what answered it was sent later."


def test_a_refusal_that_the_dump_records_is_a_reason() -> None:
    dump = opened("u:q | a:call 1 | u:go")
    transcript = dump.transcripts[0].with_(refusals=(Refusal(2, 2, 400, "no"),))
    (finding,) = check(make_view(transcript), ANTHROPIC, None, "complete", dump).findings
    assert finding.reason == "The dump records that the provider refused what followed with status 400."


def test_a_call_before_the_compaction_is_no_longer_seen() -> None:
    dump = opened("u:q | a:call 1 | u:result 1 | a:ok | u:more")
    (finding,) = check(make_view(dump.transcripts[0].with_(start=2)), ANTHROPIC, None, "complete", dump).findings
    assert (finding.rule, finding.at) == ("tool-result-orphan", "/messages/2/content/0")
    assert finding.reason == "Its call stands before the compaction, at /messages/1/content/0; the model no longer sees it."


def branched() -> tuple[Dump, Transcript]:
    """A conversation whose result stands on the branch that was left."""
    dump = opened("u:q | a:call 1 | u:result 1 | u:else")
    main = dump.transcripts[0]
    records = main.table.records
    records.owner[3] = 1
    old = main.with_(order=np.asarray([0, 1, 2], np.int32), id="old")
    branch = main.with_(order=np.asarray([0, 1, 3], np.int32), id="new", index=1, forks_from="old")
    return replace(dump, transcripts=[old, branch]), branch


def test_a_partner_on_another_branch_is_found() -> None:
    dump, branch = branched()
    (finding,) = check(make_view(branch), ANTHROPIC, None, "complete", dump).findings
    assert finding.rule == "tool-call-unanswered"
    assert finding.reason == "Its result stands on another branch (old), at /messages/2/content/0."
    (blind,) = check(make_view(branch), ANTHROPIC, None, "complete", dump.source).findings
    assert blind.reason == ""


def test_what_was_taken_away_is_found() -> None:
    dump = opened("u:q | a:call 1 | u:result 1 | a:ok | u:more")
    transcript = dump.transcripts[0].with_(order=np.asarray([0, 1, 3, 4], np.int32))
    finding, _ = check(make_view(transcript), ANTHROPIC, None, "complete", dump).findings
    assert (
        finding.reason == "Its result is in the file, at /messages/2/content/0, and not in this transcript: it was left out or taken away."
    )


def test_without_a_source_findings_still_have_places_and_ids() -> None:
    found = check(make_view(draw("u:q | a:call 1 | u:go").transcript), ANTHROPIC, None, "complete")
    assert [(f.rule, f.at, f.ids) for f in found.findings] == [("tool-call-unanswered", "/messages/1", ("1",))]


def test_a_thousand_findings_are_shown_and_all_are_counted() -> None:
    view = make_view(tiled(draw("u:q,result 9 | a:call 1 | u:go"), SHOWN + 7))
    found = check(view, ANTHROPIC, None, "complete")
    assert found.counts["tool-call-unanswered"] == found.counts["tool-result-orphan"] == SHOWN + 7
    assert (len(found.findings), found.left_out) == (2 * SHOWN, 14)
    assert len(found.error_rows) == 2 * (SHOWN + 7)
    whole = check(view, ANTHROPIC, None, "complete", all_findings=True)
    assert (len(whole.findings), whole.left_out) == (2 * (SHOWN + 7), 0)
    assert [f.row for f in found.findings] == sorted(f.row for f in found.findings)


def test_the_other_mode_and_another_provider_share_a_view() -> None:
    view = make_view(opened("u:q | a:call 1,empty").transcripts[0])
    complete, prefix = (check(view, ANTHROPIC, None, mode) for mode in ("complete", "prefix"))
    assert complete.counts == {"text-empty": 1, "tool-call-trailing": 1}
    assert prefix.counts == {"text-empty": 1}
    assert check(view, OPENAI, None, "complete").counts == {"tool-call-trailing": 1}


@pytest.mark.parametrize(
    "drawing", ["u:q | a:call 1,text | u:result 1", "u:empty,result 9 | a:think?,call 1,text,call 2 | u:blank,result 1"]
)
def test_many_blocks_are_judged_at_once(drawing: str) -> None:
    """A loop over blocks needs many seconds for this; the bound is wide, since other programs may run."""
    one = draw(drawing)
    view = make_view(tiled(one, 200_000 // len(one.blocks)))
    began = time.process_time()
    check(view, ANTHROPIC, None, "complete")
    assert time.process_time() - began < 2.5


def _whole(make: Callable[[], object], known: dict[str, object] | None = None) -> dict[str, object]:
    """A word that a text has a place for and nobody gives is an error here; the product leaves it out."""
    return defaultdict(make) if known is None else known


def test_no_likely_words_have_a_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.pipeline.check.defaultdict", _whole)
    modes: tuple[Mode, ...] = ("complete", "prefix")
    said: set[str] = set()
    odd = {"model": "m", "messages": [{"role": "user"}, {"role": "user", "content": 7}, {"role": 5, "content": "x"}, 4, None, "x"]}
    bodies = [json.loads(path.read_text())["request"] for path in sorted((Path(__file__).parent.parent / "cases").rglob("*.json"))]
    for body in [*bodies, odd]:
        dump = load(Source.of(json.dumps(body).encode(), "x.json"))
        for transcript in dump.transcripts:
            view = make_view(transcript)
            for provider in PROVIDERS.values():
                for mode in modes:
                    said |= {f"{provider.name} {f.rule}" for f in check(view, provider, None, mode, dump).findings if f.provider_error}
    assert len(said) > 80
