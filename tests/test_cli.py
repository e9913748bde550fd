"""The command line, to the letter of its contract: exit statuses, shapes, one line for an error and never a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli, headless

INCIDENT = headless.INCIDENT
ORPHAN = {
    "model": "claude-sonnet-4-5", "max_tokens": 100,
    "messages": [
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_01A", "name": "read", "input": {"path": "a"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_01A", "content": "text of a"},
            {"type": "tool_result", "tool_use_id": "toolu_01B", "content": "text of b"},
        ]},
        {"role": "assistant", "content": "Done."},
    ],
}  # fmt: skip
CLEAN = {
    **ORPHAN,
    "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}, {"role": "user", "content": "Go"}],
}

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
def orphan(tmp_path: Path) -> Path:
    return dump(tmp_path / "orphan.json", ORPHAN)


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return dump(tmp_path / "clean.json", CLEAN)


def dump(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=1))
    return path


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


# -- check ------------------------------------------------------------------------------------------------------------------


def test_check_gives_one_object_a_transcript(call: Call, orphan: Path) -> None:
    status, out, err = call("check", orphan, "--json")
    assert (status, err) == (1, "")
    (found,) = objects(out)
    assert {key: found[key] for key in ("path", "format", "transcript", "provider", "model", "verdict", "findings_left_out")} == {
        "path": str(orphan), "format": "anthropic-messages", "transcript": "main", "provider": "anthropic", "model": "claude-sonnet-4-5",
        "verdict": "reject", "findings_left_out": 0,
    }  # fmt: skip
    assert found["counts"] == {
        "records": 4, "unparsed_records": 0, "messages": 4, "blocks": 5, "exchanges": 1, "steps": 2, "tool_calls": 1, "tool_results": 2,
        "server_tool_calls": 0, "unanswered_calls": 0, "orphan_results": 1,
    }  # fmt: skip
    assert found["finding_counts"] == {"tool-result-orphan": 1}
    assert "tokens" not in found
    (finding,) = found["findings"]
    assert (finding["rule"], finding["severity"], finding["at"]) == ("tool-result-orphan", "error", "/messages/2/content/1")
    assert finding["provider_at"] == "messages.2.content.1"
    assert finding["ids"] == ["toolu_01B"]
    assert all(finding[key] for key in ("message", "provider_error"))
    assert {fix["effect"] for fix in finding["fixes"]} <= {"exact", "adds", "loses"}
    assert finding["fixes"]


def test_check_counts_tokens_where_a_counter_is_named(call: Call, clean: Path) -> None:
    status, out, _ = call("check", clean, "--json", "--counter", "chars/4")
    assert status == 0
    (found,) = objects(out)
    # "Hello" 2, "Hi." 1, "Go" 1, and 3 a message
    assert found["tokens"] == {"total": 13, "not_sent": 0, "counter": "chars/4", "calibration": None}
    assert found["verdict"] == "accept"


def test_check_asks_what_it_is_told_to(call: Call, tmp_path: Path) -> None:
    trailing = dump(tmp_path / "trailing.json", {**ORPHAN, "messages": ORPHAN["messages"][:2]})  # type: ignore[index]
    status, out, _ = call("check", trailing, "--json")
    assert (status, objects(out)[0]["finding_counts"]) == (1, {"tool-call-trailing": 1})
    status, out, _ = call("check", trailing, "--json", "--prefix", "--model", "claude-3-opus")
    found = objects(out)[0]
    assert (status, found["verdict"], found["pending_calls"], found["model"]) == (0, "accept", 1, "claude-3-opus")
    status, out, _ = call("check", trailing, "--json", "--as", "openai-chat")
    assert objects(out)[0]["provider"] == "openai-chat"


def test_check_goes_on_behind_a_file_that_cannot_be_read(call: Call, orphan: Path, clean: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.json").write_bytes(b"\x00\x01nothing")
    status, out, err = call("check", clean, tmp_path / "absent.json", tmp_path / "torn.json", orphan, "--json")
    assert status == 2
    assert [found["path"] for found in objects(out)] == [str(clean), str(orphan)]
    lines = err.splitlines()
    assert len(lines) == 2
    assert "absent.json" in lines[0]
    assert "torn.json" in lines[1]


def test_check_reads_standard_input(call: Call) -> None:
    status, out, _ = call("check", "-", "--json", stdin=json.dumps(CLEAN).encode())
    assert (status, objects(out)[0]["path"]) == (0, "-")


def test_check_in_words(call: Call, orphan: Path, clean: Path) -> None:
    status, out, _ = call("check", orphan)
    assert status == 1
    assert "WOULD BE REFUSED by anthropic (claude-sonnet-4-5): 1 error" in out
    assert "tool-result-orphan" in out
    assert "/messages/2/content/1" in out
    assert "1 call, 2 results (1 without a call)" in out
    status, out, _ = call("check", clean)
    assert status == 0
    assert "No reason for anthropic (claude-sonnet-4-5) to refuse was found." in out
    assert not re.search(r"\bvalid\b|safe to send", out)


def test_hostile_text_cannot_act_on_a_terminal(call: Call, tmp_path: Path) -> None:
    messages = [*ORPHAN["messages"][:2], {"role": "user", "content": [  # type: ignore[index]
        {"type": "tool_result", "tool_use_id": "\x1b[2J\ud83d\u202e", "content": "x"}]}]  # fmt: skip
    hostile = dump(tmp_path / "hostile.json", {**ORPHAN, "messages": messages})
    status, out, err = call("check", hostile)
    assert status == 1
    assert "\x1b" not in out + err
    assert "␛[2J<U+D83D><U+202E>" in out
    _, out, _ = call("check", hostile, "--json")
    assert "\x1b[2J\ud83d\u202e" in [i for finding in objects(out)[0]["findings"] for i in finding["ids"]]


# -- plan -------------------------------------------------------------------------------------------------------------------


def test_plan_puts_the_seven_families_side_by_side(call: Call) -> None:
    status, out, err = call("plan", INCIDENT, "--budget", 20000, "--json")
    assert (status, err) == (0, "")
    rows = objects(out)
    assert [row["strategy"] for row in rows] == [
        "evict-exchanges", "evict-steps", "stub-tool-results", "cap-tool-results", "summarize-prefix", "drop-reasoning",
        "drop-oldest-messages",
    ]  # fmt: skip
    for row in rows:
        assert row["path"] == str(INCIDENT)
        assert row["counter"] == "o200k_base"
        assert row["deficit"] == row["tokens_before"] - 20000
        assert row["freed"] == row["tokens_before"] - row["tokens_after"]
        assert row["overshoot"] == pytest.approx(row["freed"] / row["deficit"], abs=1e-4)
        assert row["reached"] == (row["tokens_after"] <= 20000)
        assert set(row["exchanges"]) == {"kept", "dropped"}
        assert set(row["blocks"]) == {"dropped", "replaced"}
        assert set(row["cache"]) == {"first_changed_at", "prefix_tokens_kept"}
        assert row["verdict"] in ("accept", "reject")
    assert len({row["tokens_before"] for row in rows}) == 1
    assert rows[2]["params"] == {"keep_last": 2, "text": "[tool result removed to save context; call the tool again if you need it]"}
    assert any(row["reached"] and row["new_findings"] == 0 for row in rows)


def test_plan_without_a_budget_does_everything(call: Call) -> None:
    status, out, _ = call("plan", INCIDENT, "--strategy", "stub-tool-results:keep_last=1+evict-exchanges", "--json")
    (row,) = objects(out)
    assert status == 0
    assert (row["budget"], row["deficit"], row["overshoot"], row["reached"]) == (None, None, None, True)
    assert row["strategy"] == "stub-tool-results+evict-exchanges"
    assert row["params"]["stub-tool-results"]["keep_last"] == 1


def test_plan_in_words_and_by_policy(call: Call, tmp_path: Path) -> None:
    policy = dump(tmp_path / "policy.json", {"strategy": "cap-tool-results", "params": {"max_chars": 400}})
    status, out, _ = call("plan", INCIDENT, "--budget", 20000, "--policy", policy)
    assert status == 0
    assert "cap-tool-results" in out
    assert "budget 20,000" in out
    assert "evict-exchanges" not in out


# -- export -----------------------------------------------------------------------------------------------------------------


def test_export_without_an_edit_is_the_same_bytes(call: Call, clean: Path, tmp_path: Path) -> None:
    status, out, err = call("export", clean, "-o", tmp_path / "out.json")
    assert (status, err) == (0, "")
    assert (tmp_path / "out.json").read_bytes() == clean.read_bytes()
    assert "Read again after writing" in " ".join(out.split())


def test_export_is_refused_while_errors_would_remain(call: Call, orphan: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    status, out, err = call("export", orphan, "-o", target)
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert "1 error would remain (tool-result-orphan at /messages/2/content/1)" in err
    assert not target.exists()
    status, _, _ = call("export", orphan, "-o", target, "--allow-broken")
    assert status == 0
    assert target.read_bytes() == orphan.read_bytes()


def test_export_mends_and_a_second_repair_changes_nothing(call: Call, orphan: Path, tmp_path: Path) -> None:
    status, _, err = call("export", orphan, "-o", tmp_path / "safe.json", "--fix", "safe")
    assert (status, len(err.splitlines())) == (1, 1)  # dropping the orphan loses it
    status, _, err = call("export", orphan, "-o", tmp_path / "out.json", "--fix", "all", "--report", tmp_path / "report.md")
    assert (status, err) == (0, "")
    (found,) = objects(call("check", tmp_path / "out.json", "--json")[1])
    assert (found["verdict"], found["counts"]["tool_results"]) == ("accept", 1)
    call("export", tmp_path / "out.json", "-o", tmp_path / "again.json", "--fix", "all")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "out.json").read_bytes()
    report = (tmp_path / "report.md").read_text()
    assert "### Findings before the changes" in report
    assert "tool-result-orphan" in report
    assert "removes recorded content" in report
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.json", "orphan.json", "out.json", "report.md"]


def test_a_report_is_written_when_the_export_is_refused(call: Call, orphan: Path, tmp_path: Path) -> None:
    status, _, err = call("export", orphan, "-o", tmp_path / "out.json", "--report", tmp_path / "report.md")
    assert (status, len(err.splitlines())) == (1, 1)
    assert "would be refused (1 error)" in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("spec", ["evict-exchanges", "summarize-prefix", "cap-tool-results:max_chars=400+evict-steps", "stub-tool-results"])
def test_export_counts_what_the_plan_promised(call: Call, tmp_path: Path, spec: str) -> None:
    mended = tmp_path / "mended.json"
    assert call("export", INCIDENT, "-o", mended, "--fix", "all")[0] == 0
    total = objects(call("check", mended, "--json", "--counter", "o200k_base")[1])[0]["tokens"]["total"]
    budget = total * 2 // 3
    (row,) = objects(call("plan", mended, "--budget", budget, "--strategy", spec, "--json")[1])
    status, _, err = call("export", INCIDENT, "-o", tmp_path / "out.json", "--fix", "all", "--strategy", spec, "--budget", budget)
    assert status == 0
    assert (err == "") == row["reached"]
    (found,) = objects(call("check", tmp_path / "out.json", "--json", "--counter", "o200k_base")[1])
    assert found["tokens"]["total"] == row["tokens_after"]
    assert found["verdict"] == row["verdict"] == "accept"


def test_a_strategy_that_runs_dry_is_written_and_says_so(call: Call, clean: Path, tmp_path: Path) -> None:
    status, _, err = call("export", clean, "-o", tmp_path / "out.json", "--strategy", "stub-tool-results", "--budget", 5)
    assert status == 0
    assert len(err.splitlines()) == 1
    assert "stub-tool-results runs dry at" in err
    assert (tmp_path / "out.json").read_bytes() == clean.read_bytes()


@pytest.mark.parametrize(
    "spec", ["evict-exchanges", "evict-steps", "summarize-prefix", "drop-oldest-messages", "drop-reasoning+evict-steps"]
)
def test_a_strategy_that_takes_all_needs_a_budget(call: Call, tmp_path: Path, spec: str) -> None:
    status, _, err = call("export", INCIDENT, "-o", tmp_path / "out.json", "--strategy", spec)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "--budget" in err
    assert not (tmp_path / "out.json").exists()


def test_the_source_is_never_written_over(call: Call, orphan: Path, tmp_path: Path) -> None:
    before = orphan.read_bytes()
    (tmp_path / "link").symlink_to(orphan)
    for target in (orphan, tmp_path / "link"):
        status, _, err = call("export", orphan, "-o", target, "--fix", "all")
        assert (status, len(err.splitlines())) == (2, 1)
        assert "never written over" in err
    assert orphan.read_bytes() == before
    status, _, err = call("export", orphan, "-o", tmp_path / "x", "--report", orphan, "--fix", "all")
    assert (status, "never written over" in err) == (2, True)


def test_a_picture_is_not_written_over_the_dump(orphan: Path) -> None:
    before = orphan.read_bytes()
    assert cli.main(["snapshot", str(orphan), "-o", str(orphan)], snapshot=lambda words: 0) == 2
    assert cli.main(["snapshot", str(orphan), "-o", str(orphan) + ".png"], snapshot=lambda words: 0) == 0
    assert orphan.read_bytes() == before


# -- words that are off -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a verb"),
        (["check"], "FILE"),
        (["frobnicate", "x"], "frobnicate"),
        (["check", "x", "--nope"], "--nope"),
        (["check", "x", "--as", "nobody"], "anthropic"),
        (["check", "x", "--counter", "words"], "o200k_base"),
        (["check", "x", "--complete", "--prefix"], "not allowed with"),
        (["plan", "{incident}", "--budget", "many"], "'many' is no number of tokens"),
        (["plan", "{incident}", "--strategy", "burn-all"], "burn-all"),
        (["plan", "{incident}", "--strategy", "evict-steps:depth=3"], "depth"),
        (["plan", "{incident}", "--policy", "{incident}"], "strategy"),
        (["plan", "{incident}", "--transcript", "other"], "there is main"),
        (["export", "{incident}"], "-o"),
        (["export", "{incident}", "-o", "x", "--fix-rule", "no-such"], "no-such"),
        (["export", "{incident}", "-o", "x", "--budget", "5"], "--strategy"),
        (["export", "{incident}", "-o", "no/such/folder/x", "--allow-broken"], "make it first"),
        (["list", "colours"], "colours"),
        (["snapshot", "x", "-o", "y.png", "--size", "wide"], "'wide' is no size"),
    ],
)
def test_words_that_are_off_are_one_line_and_status_2(call: Call, words: list[str], said: str) -> None:
    status, out, err = call(*(word.format(incident=INCIDENT) for word in words))
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize("what", cli.LISTS)
def test_list_names_everything_with_its_meaning(call: Call, what: str) -> None:
    status, out, _ = call("list", what, "--json")
    rows = objects(out)
    assert status == 0
    assert rows
    assert all(row["name"] and row["summary"] for row in rows)
    assert all(("breaks_pairs" in row) == (what == "strategies") for row in rows)
    assert [line.split()[0] for line in call("list", what)[1].splitlines()] == [row["name"] for row in rows]


def test_help_and_version_are_no_errors(call: Call) -> None:
    assert call("--help")[0] == 0
    assert "check" in call("check", "--help")[1]
    assert call("--version")[1].startswith("transcript-inspector ")


# -- whatever goes wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (RuntimeError("two\nlines"), 2, "failed unexpectedly (RuntimeError: two lines); please report this"),
        (MemoryError(), 2, "not enough memory"),
        (RecursionError("deep"), 2, "please report"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_an_unexpected_error_is_one_line(
    call: Call, clean: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("app.cli_check.opened", fail)
    got, out, err = call("check", clean)
    assert (got, out) == (status, "")
    assert len(err.splitlines()) == 1
    assert said in err


def shell(
    *words: object, stdin: bytes | None = None, stdout: int | None = subprocess.PIPE, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, **more.pop("env", {})}
    command = [sys.executable, *more.pop("python", ["-m", "app"]), *map(str, words)]
    return subprocess.run(command, input=stdin, stdout=stdout, stderr=subprocess.PIPE, env=env, check=False, timeout=120, **more)


def test_a_reader_that_goes_away_is_no_error(orphan: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = shell("check", *[orphan] * 3, stdout=write)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_terminal_without_unicode_is_no_error(tmp_path: Path) -> None:
    odd = dump(tmp_path / "日本.json", {**ORPHAN, "model": "model-日本-❤"})
    done = shell("check", odd, env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"model-\\u65e5" in done.stdout


def test_the_command_line_answers_where_qt_is_not_installed(tmp_path: Path, clean: Path) -> None:
    block = textwrap.dedent(
        """
        import sys
        class NoQt:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
                    raise ModuleNotFoundError("No module named " + repr(name), name=name)
        sys.meta_path.insert(0, NoQt())
        from app.__main__ import main
        sys.exit(main())
        """
    )

    def bare(*words: object) -> subprocess.CompletedProcess[bytes]:
        return shell(*words, python=["-c", block], env={"QT_QPA_PLATFORM": "offscreen"})

    assert bare("check", clean, "--json", "--counter", "o200k_base").returncode == 0
    assert len(bare("plan", INCIDENT, "--budget", 9000, "--json").stdout.splitlines()) == 7
    assert bare("export", INCIDENT, "-o", tmp_path / "out.json", "--fix", "all").returncode == 0
    assert bare("list", "rules").returncode == 0
    for words in (["snapshot", clean, "-o", tmp_path / "x.png"], [clean]):
        done = bare(*words)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert b"needs Qt" in done.stderr


def test_a_check_loads_no_vocabulary_no_strategy_and_no_window(clean: Path) -> None:
    code = "import sys; from app.__main__ import main; main(); print(*sys.modules, file=sys.stderr)"
    loaded = shell("check", clean, python=["-c", code]).stderr.decode().split()
    heavy = ("tiktoken", "PySide6", "pyqtgraph", "multiprocessing", "app.strategies", "app.tokens", "app.session", "unittest", "http")
    assert [name for name in loaded if name.startswith(heavy)] == []


def test_a_verb_that_is_misspelt_is_no_file() -> None:
    done = shell("chek", "x")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"did you mean check?" in done.stderr


def test_export_as_another_wire(orphan: Path, tmp_path: Path, call: Call) -> None:
    """Fixes come first; what would be refused is not written; what has no counterpart is said."""
    out = tmp_path / "chat.json"
    status, said, error = call("export", orphan, "-o", out, "--to", "openai-chat")
    assert (status, out.exists()) == (1, False)
    assert "tool-result-orphan" in error
    status, said, error = call("export", orphan, "-o", out, "--to", "openai-chat", "--fix", "all")
    assert (status, error) == (0, "")
    assert [message["role"] for message in json.loads(out.read_text())["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert "tools declared by their names" in said
    status, _, error = call("export", orphan, "-o", out, "--to", "cobol")
    assert (status, error.count("\n")) == (2, 1)
    assert "there are anthropic-messages, openai-chat, openai-responses, gemini" in error


def test_check_says_both_counts_of_records_and_export_how_far_over(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    messages: list[dict[str, str]] = []
    log = tmp_path / "log.jsonl"
    with log.open("w") as file:
        for number in range(3):
            messages.append({"role": "user", "content": f"question {number}"})
            file.write(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 10, "system": "be brief", "messages": messages}) + "\n")
            messages.append({"role": "assistant", "content": f"answer {number}"})
    assert cli.main(["check", str(log)]) == 0
    said = " ".join(capfdbinary.readouterr()[0].decode().split())
    assert "5 messages, 5 blocks and 1 of system text and tools" in said
    assert "records 5; the file holds 8 = 5 shown + 3 hidden" in said
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 10, "messages": messages[:5]}))
    out = tmp_path / "out.json"
    assert cli.main(["export", str(dump), "-o", str(out), "--strategy", "evict-exchanges", "--budget", "1", "--counter", "chars/4"]) == 0
    said = capfdbinary.readouterr()[0].decode()
    assert re.search(r"over the budget by ([0-9,]+) tokens: ([0-9,]+) are left, the budget is 1", said)
