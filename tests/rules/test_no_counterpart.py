"""Judged for a provider that reads another wire: what has no counterpart there is named, and can be taken out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.findings import Report
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.check import check
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS

SEARCH = [
    {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01", "content": []},
]
THOUGHT = {"type": "thinking", "thinking": "well", "signature": "c2ln"}


def opened(*blocks: dict[str, Any]) -> tuple[Source, Transcript]:
    answer = {"role": "assistant", "content": [*blocks, {"type": "text", "text": "so"}]}
    messages = [{"role": "user", "content": "q"}, answer, {"role": "user", "content": "thanks"}]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}
    dump = FORMATS["anthropic-messages"].parse(Source.of(json.dumps(body).encode()))
    return dump.source, dump.transcripts[0]


def judged(source: Source, transcript: Transcript, provider: str) -> Report:
    return check(make_view(transcript, source=source), PROVIDERS[provider], None, "complete", source)


@pytest.mark.parametrize("provider", sorted(PROVIDERS.keys() - {"anthropic", "deepseek"}))
def test_what_another_wire_has_no_words_for(provider: str) -> None:
    source, transcript = opened(THOUGHT, *SEARCH)
    found = [(f.at, f.severity) for f in judged(source, transcript, provider).findings if f.rule == "no-counterpart"]
    assert found == [("/messages/1/content/0", "warning"), ("/messages/1/content/1", "warning")]


def test_its_own_provider_has_words_for_all() -> None:
    assert judged(*opened(THOUGHT, *SEARCH), "anthropic").counts.get("no-counterpart", 0) == 0


def test_a_result_alone_is_named_by_itself() -> None:
    found = [f for f in judged(*opened(SEARCH[1]), "openai-chat").findings if f.rule == "no-counterpart"]
    assert [f.at for f in found] == ["/messages/1/content/0"]


def test_it_is_taken_out_where_that_is_asked_for() -> None:
    source, transcript = opened(THOUGHT, *SEARCH)
    layer, after = repair(transcript, source, PROVIDERS["openai-chat"], None, "complete", "all", ("no-counterpart",))
    assert [change.title for change in layer.changes] == ["Drop the reasoning", "Drop the call of the provider's own tool"]
    assert after.order.tolist() == [0, 4, 5]
    assert judged(source, after, "openai-chat").counts == {}


def test_the_report_says_that_it_is_judged_as_if() -> None:
    said = judged(*opened(), "openai-chat").not_judged[0]
    assert said == "the dump is anthropic-messages: it is judged as if each of its blocks were written in the wire of OpenAI Chat"
    assert judged(*opened(), "anthropic").not_judged == PROVIDERS["anthropic"].not_judged
