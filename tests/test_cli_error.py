"""`check --error`: the shape of its contract, its words; the refusals that a dump records; and a format that is named."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli
from tests.builders import request_of
from tests.matching.wrapped import body

MISSING = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Runs one call; exit status, standard output, standard error."""

    def run(*words: object, stdin: bytes | None = None) -> tuple[int, str, str]:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return run


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.json"
    request = {"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:call toolu_1,call toolu_2 | u:go on")}
    path.write_text(json.dumps(request))
    return path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A Claude Code session that holds three refusals: one with a reason in it, one about a limit, one that nobody knows."""
    texts = (MISSING, None, "The moon is full.")
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "q"}},
        {"type": "assistant", "message": {"role": "assistant", "model": "claude-sonnet-4-5", "content": [
            {"type": "tool_use", "id": "toolu_2", "name": "look", "input": {}}]}},
    ]  # fmt: skip
    for text in texts:
        words = "API Error: Repeated 529 Overloaded errors" if text is None else f"API Error: 400 {body(text)}"
        records.append({"type": "user", "message": {"role": "user", "content": f"go on, {text}"}})
        content = [{"type": "text", "text": words}]
        records.append({"type": "assistant", "isApiErrorMessage": True, "message": {"role": "assistant", "content": content}})
    lines = []
    for number, record in enumerate(records):
        base = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "s", "version": "2.0", "cwd": "/"}
        lines.append(json.dumps({**base, "timestamp": f"2026-01-01T00:00:{number:02}Z", **record}))
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def only(out: str) -> dict[str, Any]:
    (found,) = [json.loads(line) for line in out.splitlines()]
    return dict(found)


def test_candidates_come_best_first_and_only_when_asked_for(call: Call, broken: Path) -> None:
    status, out, err = call("check", broken, "--json", "--error", MISSING)
    found = only(out)
    assert (status, err) == (1, "")
    best, *rest = found["error_candidates"]
    assert {key: best[key] for key in ("rule", "at", "ids")} == {
        "rule": "tool-call-unanswered", "at": "/messages/1/content/1", "ids": ["toolu_2"],
    }  # fmt: skip
    assert {(one["rule"], one["at"]) for one in rest} == {
        (rule, None)
        for rule in ("tool-call-partially-answered", "tool-result-not-first", "tool-call-trailing", "tool-result-not-adjacent",
                     "content-after-tool-call")
    }  # fmt: skip
    assert found["error"] == {
        "words": MISSING, "known": True, "about": None, "ids": [{"id": "toolu_2", "at": "/messages/1/content/1"}], "unknown_ids": [],
    }  # fmt: skip
    without = only(call("check", broken, "--json")[1])
    assert not {"error_candidates", "error", "recorded_refusals"} & set(without)


def test_an_error_in_words(call: Call, broken: Path) -> None:
    status, out, err = call("check", broken, "--error", body(MISSING))
    words = " ".join(out.split())
    assert (status, err) == (1, "")
    assert f"The error: {MISSING}" in words
    assert "tool-call-unanswered /messages/1/content/1 toolu_2 a call that nothing answers; it names this id" in words
    assert "Its words may also mean tool-call-partially-answered" in words
    assert "the transcript shows no such defect." in words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rate limit reached for gpt-4o", "It is about something else than the transcript: a rate or usage limit."),
        ("`tool_use` ids must be unique", "Its words fit tool-call-id-duplicate; the transcript shows no such defect."),
        ("Previous response with id 'resp_abc1' not found.", "It names resp_abc1, which is nowhere in this transcript: is it another one?"),
        ("No user query found in messages.", "Its words fit no-user-message; the transcript shows no such defect."),
        ("what is this", "its words are not known here; this would be refused"),
        ("`tool_use` ids must be unique: toolu_2", "not its words, but it names this id"),
    ],
)
def test_what_an_error_comes_to_otherwise(call: Call, broken: Path, text: str, said: str) -> None:
    assert said in " ".join(call("check", broken, "--error", text)[1].split())


def test_nothing_that_an_error_holds_can_act_on_a_terminal(call: Call, broken: Path) -> None:
    out = call("check", broken, "--error", "\x1b]0;gotcha\x07 \x1b[31mred\x1b[0m \u202e tool_use ids must be unique")[1]
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_the_text_comes_from_a_file_or_from_standard_input(call: Call, broken: Path, tmp_path: Path) -> None:
    (tmp_path / "error.txt").write_text(body(MISSING))
    by_file = only(call("check", broken, "--json", "--error", f"@{tmp_path / 'error.txt'}")[1])
    by_stdin = [
        json.loads(line) for line in call("check", broken, broken, "--json", "--error", "-", stdin=MISSING.encode())[1].splitlines()
    ]
    assert len(by_stdin) == 2
    for found in (by_file, *by_stdin):
        assert found["error_candidates"][0]["ids"] == ["toolu_2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--error", "@nowhere.txt"], "--error @nowhere.txt: No such file or directory"),
        (["--error", "  "], "--error: the text is empty"),
        (["-", "--error", "-"], "standard input is the dump already"),
        (["--format", "nope"], "there is no format nope; there are aider, anthropic-messages"),
    ],
)
def test_what_is_off_is_one_line_and_status_2(call: Call, broken: Path, words: list[str], said: str) -> None:
    files = [] if "-" in words[:1] else [broken]
    status, out, err = call("check", *files, *words, stdin=b"{}")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert said in err


def test_a_file_is_opened_as_the_format_that_is_named(call: Call, broken: Path, tmp_path: Path) -> None:
    found = only(call("check", broken, "--json", "--format", "openai-chat")[1])
    assert (found["format"], found["provider"]) == ("openai-chat", "openai-chat")
    status, _, err = call("export", broken, "-o", tmp_path / "out.json", "--format", "openai-chat", "--allow-broken")
    assert (status, err) == (0, "")
    assert (tmp_path / "out.json").read_bytes() == broken.read_bytes()
    assert call("plan", broken, "--format", "openai-chat", "--json")[0] == 0


# -- recorded refusals ----------------------------------------------------------------------------------------------------------------


def test_what_a_dump_records_is_looked_at_without_being_asked(call: Call, session: Path) -> None:
    found = only(call("check", session, "--json")[1])
    first, second, third = found["recorded_refusals"]
    assert (first["at"], first["status"], first["times"], first["as_it_was_sent"]) == ("/3", 400, 1, False)
    assert (first["error_candidates"][0]["rule"], first["error_candidates"][0]["at"]) == ("tool-call-unanswered", "/1/message/content/0")
    assert (second["at"], second["about"], second["error_candidates"]) == ("/5", "an overloaded server", [])
    assert (third["words"], third["known"], third["about"]) == ("The moon is full.", False, None)


def test_recorded_refusals_stand_in_the_report(call: Call, session: Path, tmp_path: Path) -> None:
    status, _, _ = call("export", session, "-o", tmp_path / "out.jsonl", "--report", tmp_path / "r.md", "--allow-broken")
    text = (tmp_path / "r.md").read_text()
    assert status == 0
    assert "### Refusals that the dump records" in text
    assert "`tool-call-unanswered` at `/1/message/content/0`: it names this id" in text
    assert "About something else than the transcript: an overloaded server" in text
    assert "- 400 `The moon is full.` at `/7`\n  - No rule explains it" in text


def test_recorded_refusals_in_words(call: Call, session: Path) -> None:
    words = " ".join(call("check", session)[1].split())
    assert "refused /3: 400 tool-call-unanswered at /1/message/content/0" in words
    assert "refused /5: about an overloaded server" in words
    assert "refused /7: 400 no rule explains it: The moon is full." in words
