"""Presets on the command line: they are listed, planned, exported, taken away as a policy, and what is off is one line."""

import json
from pathlib import Path

import pytest

from app.cli import main
from app.pipeline.policy import described
from app.pipeline.spec import parse_policy, read_spec
from app.presets import PRESETS
from tests.presets.small import SMALL

CHAT = [
    {"role": "user", "content": "look at both"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a"}'}},
        {"id": "c2", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"b"}'}},
    ]},
    {"role": "tool", "tool_call_id": "c1", "content": "alpha " * 40},
    {"role": "tool", "tool_call_id": "c2", "content": "beta " * 40},
    {"role": "assistant", "content": "both are long"},
    {"role": "user", "content": "thank you"},
]  # fmt: skip


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"model": "gpt-5", "messages": CHAT}))
    return path


def test_they_are_listed_behind_the_strategies_with_what_is_known_of_them(capsys):
    assert main(["list", "strategies", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows][7:] == sorted(PRESETS)
    clear = next(row for row in rows if row["name"] == "anthropic-clear-tool-uses")
    assert clear["breaks_pairs"] is False
    assert clear["family"] == "stub-tool-results"
    assert clear["counts"] == "clearable tool uses"
    assert "checked against the shipped code" in clear["evidence"]
    assert {row["name"] for row in rows if row["breaks_pairs"]} >= {
        "drop-oldest-messages", "naive-last-n", "autogen-middle-pop", "litellm-trim", "langmem-cut", "cline-half",
    }  # fmt: skip


def test_a_plan_of_a_preset_is_done_whole_whatever_the_budget(dump, capsys):
    spec = "langchain-clear-tool-uses:trigger=1,keep=1"
    for budget in ([], ["--budget", "1000000"], ["--budget", "10"]):
        assert main(["plan", str(dump), "--strategy", spec, "--counter", "chars/4", "--json", *budget]) == 0
        row = json.loads(capsys.readouterr().out)
        assert row["strategy"] == "langchain-clear-tool-uses"
        assert row["params"] == {
            "trigger": 1, "keep": 1, "clear_at_least": 0, "clear_tool_inputs": False, "exclude_tools": [], "placeholder": "[cleared]",
        }  # fmt: skip
        assert row["blocks"] == {"dropped": 0, "replaced": 1}
        assert row["freed"] == 57
        assert row["keeps"] == "1 of 2 results"
        assert row["verdict"] == "accept"


def test_what_is_planned_is_what_is_exported(dump, tmp_path, capsys):
    out = tmp_path / "out.json"
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"strategy": "langchain-summarize", "params": {"keep": {"messages": 3}}}))
    assert main(["plan", str(dump), "--policy", str(policy), "--counter", "chars/4", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert main(["export", str(dump), "-o", str(out), "--policy", str(policy), "--counter", "chars/4"]) == 0
    messages = json.loads(out.read_text())["messages"]
    assert messages[0]["content"].startswith("Here is a summary of the conversation to date:")
    assert messages[1:] == CHAT[1:]
    capsys.readouterr()
    assert main(["check", str(out), "--counter", "chars/4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tokens"]["total"] == planned["tokens_after"]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_policy_says_what_it_is_and_reads_back(name):
    spec = read_spec([(name, SMALL[name])])
    policy = described(spec)
    assert parse_policy(json.dumps(policy).encode(), "policy.json") == spec
    assert set(policy["about"]["params"]) == set(policy["params"])
    assert all(policy["about"]["params"].values())
    assert policy["about"]["counts"] == PRESETS[name].unit
    assert policy["about"]["evidence"] == PRESETS[name].grade


@pytest.mark.parametrize("name", ["anthropic-clear-tool-uses", "langmem-cut", "vercel-prune"])
def test_a_policy_that_was_taken_away_plans_the_same(name, dump, tmp_path, capsys):
    given, saved = tmp_path / "given.json", tmp_path / "saved.json"
    given.write_text(json.dumps({"strategy": name, "params": SMALL[name]}))
    words = ["plan", str(dump), "--counter", "chars/4", "--json"]
    assert main([*words, "--policy", str(given), "--save-policy", str(saved)]) == 0
    first = json.loads(capsys.readouterr().out)
    policy = json.loads(saved.read_text())
    assert policy["strategy"] == name
    assert policy["params"] == first["params"]
    assert main([*words, "--policy", str(saved)]) == 0
    assert json.loads(capsys.readouterr().out) == first


def test_a_family_and_a_chain_are_taken_away_too(dump, tmp_path, capsys):
    saved = tmp_path / "saved.json"
    words = ["plan", str(dump), "--counter", "chars/4", "--json", "--budget", "100"]
    for spec in ("stub-tool-results:keep_last=0", "cap-tool-results:max_chars=200+evict-steps"):
        assert main([*words, "--strategy", spec, "--save-policy", str(saved)]) == 0
        first = capsys.readouterr().out
        assert main([*words, "--policy", str(saved)]) == 0
        assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--strategy", "langchain-clear"], "no strategy is called 'langchain-clear'"),
        (["--strategy", "sk-truncate:keep=3"], "sk-truncate: there is no parameter 'keep'; it takes target_count, threshold_count"),
        (["--strategy", "sk-truncate:target_count=no"], "sk-truncate: target_count must be a whole number of at least 1, not 'no'"),
        (["--strategy", "sk-truncate+evict-steps"], "sk-truncate imitates a whole pass and joins no chain"),
        (["--save-policy", "x.json"], "x.json: a policy is of one strategy"),
    ],
)
def test_what_is_off_is_one_line(words, said, dump, capsys):
    assert main(["plan", str(dump), *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"trigger": {"type": "words", "value": 3}}, "anthropic-clear-tool-uses: trigger must be a number, or"),
        ({"keep": {"type": "tool_uses", "value": -1}}, "anthropic-clear-tool-uses: keep must be a number, or"),
        ({"exclude_tools": [1]}, "anthropic-clear-tool-uses: exclude_tools must be null or a list of names"),
        ({"placeholder": " "}, "anthropic-clear-tool-uses: placeholder must be a text that is not blank"),
    ],
)
def test_a_policy_that_is_off_is_one_line(params, said, dump, tmp_path, capsys):
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"strategy": "anthropic-clear-tool-uses", "params": params}))
    assert main(["export", str(dump), "-o", str(tmp_path / "out.json"), "--policy", str(policy)]) == 2
    error = capsys.readouterr().err
    assert f"{policy}: {said}" in error
    assert error.count("\n") == 1


def test_the_policy_never_takes_the_dump_s_place(dump, capsys):
    before = dump.read_bytes()
    assert main(["plan", str(dump), "--strategy", "sk-truncate", "--save-policy", str(dump)]) == 2
    assert dump.read_bytes() == before
