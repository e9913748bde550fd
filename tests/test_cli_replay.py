"""`replay` on the command line."""

import json

import pytest

from app.cli import main
from tests.pipeline.test_replay import steps

SMALL = ("--window", "500", "--room", "0", "--trigger", "400", "--target", "250", "--counter", "chars/4")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "steps.json"
    file.write_text(json.dumps(steps(5)))
    return str(file)


def called(capsys, *words):
    status = main(list(words))
    out = capsys.readouterr()
    return status, out.out, out.err


def test_a_table_of_the_strategies(path, capsys):
    status, out, err = called(capsys, "replay", path, *SMALL)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "  6 requests, the last is the one to be sent; 1,743 tokens sent without compaction (chars/4)"
    assert lines[2] == "  window 500, 0 of it for the answer; over 400 down to 250"
    evict = next(line for line in lines if line.startswith("  evict-steps"))
    assert evict.split()[1:5] == ["110", "%", "1,299", "1"]
    assert "ends at request" not in evict
    assert any(line.startswith("  none") and "request 6: over the window" in line for line in lines)


def test_one_strategy_lists_its_compactions(path, capsys):
    _, out, _ = called(capsys, "replay", path, *SMALL, "--trigger", "80%", "--strategy", "evict-steps")
    assert "4 dropped" in out
    assert "before request" in out


def test_json_has_a_line_a_strategy(path, capsys):
    ratios = ("--read-ratio", "0.5", "--write-ratio", "1")
    _, out, _ = called(capsys, "replay", path, *SMALL, "--strategy", "evict-steps", *ratios, "--json")
    plain, evict = map(json.loads, out.splitlines())
    assert plain["strategy"] == "none"
    assert evict["prices"] == {"read": 0.5, "write": 1.0, "output": 5.0, "source": "set by you"}
    assert (evict["tokens_sent"], evict["cache_read"], evict["cost"]) == (1299, 620, 989)
    assert evict["compactions"][0] | {"prefix_kept": 13, "new_errors": 0} == evict["compactions"][0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--window", "many"], "--window: 'many' is no number of tokens"),
        (["--window", "500", "--room", "500"], "a window of 500 leaves nothing beside 500 tokens for the answer"),
        (["--window", "500", "--trigger", "150%"], "a trigger of 657 lies over the 438 tokens that fit; it would never be reached in time"),
        (["--window", "500", "--read-ratio", "-1"], "--read-ratio: '-1' is no price from 0 to 100 of fresh input"),
        (["--window", "500", "--strategy", "evict-stepz"], "no strategy is called"),
    ],
)
def test_what_is_off_is_one_line(path, capsys, words, said):
    status, out, err = called(capsys, "replay", path, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_the_window_is_known_by_the_model(path, capsys, tmp_path):
    _, out, _ = called(capsys, "replay", path)
    assert "window 200,000, 16,000 of it" in out
    said = " ".join(out.split())
    assert "tokens, the trigger is 165,600: no strategy has anything to do" in said
    assert "evict-steps" not in out
    other = tmp_path / "other.json"
    other.write_text(json.dumps(steps(2) | {"model": "of-our-own"}))
    status, _, err = called(capsys, "replay", str(other))
    assert status == 2
    assert "the window of of-our-own is not known; give it with --window" in err
