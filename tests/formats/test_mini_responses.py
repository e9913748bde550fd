"""mini-swe-agent over the Responses API: what a response called must be answered before another one follows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.names import provider_named
from app.pipeline.view import make_view


def response(*calls: str) -> dict[str, Any]:
    items = [{"type": "function_call", "id": f"fc_{c}", "call_id": c, "name": "bash", "arguments": "{}"} for c in calls]
    return {"id": "resp_" + calls[0], "object": "response", "output": items}


def output(call: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call, "output": "x"}


@pytest.mark.parametrize(("said", "errors", "pending"), [
    ([response("a"), response("b")], ["tool-call-unanswered"], 1),
    ([response("a"), response("b"), output("b")], ["tool-call-unanswered"], 0),
    ([response("a", "c"), output("a"), response("b")], ["tool-call-partially-answered"], 1),
    ([response("a"), output("a"), response("b", "c")], [], 2),
    ([response("a", "b"), output("b"), output("a")], [], 0),
    ([response("a"), output("a"), {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{}"}, response("c")], [], 2),
])  # fmt: skip
def test_a_call_without_an_output_before_the_next_response(said: list[Any], errors: list[str], pending: int) -> None:
    messages = [{"role": "user", "content": "go"}, *said]
    document = {"trajectory_format": "mini-swe-agent-1.1", "info": {"mini_version": "2.0.0"}, "messages": messages}
    dump = load(Source.of(json.dumps(document).encode(), "a.traj.json"))
    report = check(make_view(dump.transcripts[0]), provider_named("openai-responses"), None, mode="prefix")
    found = [finding.rule for finding in report.findings if finding.severity == "error"]
    assert (dump.format, found, report.pending) == ("mini-swe-agent", errors, pending)
