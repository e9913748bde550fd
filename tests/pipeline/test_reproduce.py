"""Recorded requests that something compacted: what did it is found, with its cut."""

import copy
import json

import pytest

from app.cli import main
from app.model.source import Source
from app.pipeline import count
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from app.pipeline.reproduce import finished, pairs, reproduced
from tests.pipeline.test_replay import steps

STUB = "[tool result removed to save context; call the tool again if you need it]"
FIRST = steps(8)["messages"]
CALL = {"type": "tool_use", "id": "n1", "name": "look", "input": {}}
NEW = [
    {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "n1", "content": "new"}]},
]


def stubbed(many: int, text: str) -> list[dict]:
    messages = copy.deepcopy(FIRST)
    for number in range(many):
        messages[2 + 2 * number]["content"][0]["content"] = text
    return messages


def log(*requests: list[dict]) -> bytes:
    return b"\n".join(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": one}).encode() for one in requests)


def found(*requests: list[dict]):
    dump = load(Source.of(log(*requests), "log.jsonl"))
    provider = provider_named(judge_of(dump.table))
    own = count.estimate(dump.table, provider, "chars/4").own
    return [finished(reproduced(dump, pair, provider, own)) for pair in pairs(dump)]


@pytest.mark.parametrize(
    ("second", "by", "counts"),
    [
        ([FIRST[0], *FIRST[5:]], "evict-steps after 2 of 8 actions", (4, 0, 0)),
        (FIRST[4:], "drop-oldest-messages after 4 of 18 actions", (4, 0, 0)),
        (stubbed(5, STUB), "stub-tool-results after 5 of 7 actions", (0, 5, 0)),
        (stubbed(6, "[Cleared by context management]"), "anthropic-clear-tool-uses with trigger=0, keep=2", (0, 6, 0)),
    ],
)
def test_what_reproduces_a_request_is_named_with_its_cut(second, by, counts):
    (one,) = found(FIRST, second + NEW)
    assert one.by[:1] == (by,)
    assert (one.dropped, one.replaced, one.added) == counts
    assert one.row >= 0
    assert f"{by} reproduces it" in one.words


def test_where_nothing_does_that_the_nearest_is_named():
    (one,) = found(FIRST, [FIRST[0], *FIRST[1:3], *FIRST[5:], *NEW])
    assert one.by == ()
    assert "nothing here reproduces it; nearest is evict-steps, which treats 2 blocks otherwise" in one.words


def test_requests_that_go_on_or_have_nothing_in_common_are_no_pair():
    assert found(FIRST, FIRST + NEW) == []
    assert found(FIRST, [{"role": "user", "content": "else"}]) == []


def test_the_command_line_says_it(tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    path.write_bytes(log(FIRST, [FIRST[0], *FIRST[5:], *NEW]))
    assert main(["replay", str(path), "--reproduce"]) == 0
    assert "evict-steps after 2 of 8 actions reproduces it" in " ".join(capsys.readouterr().out.split())
    assert main(["replay", str(path), "--reproduce", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dropped"] == 4
