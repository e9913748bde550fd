"""Sessions on this machine: found in their places, looked into, never followed out of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.model.sighting import Sighting
from app.pipeline import whereabouts
from app.pipeline.whereabouts import look_into, places, sightings
from tests.builders import request_of
from tests.test_session_follow import CALL, RESULT, record


def put(path: Path, text: str, written: float = 1_700_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (written, written))
    return path


def test_each_program_has_its_place(tmp_path: Path) -> None:
    wanted = {
        put(tmp_path / ".claude/projects/-home-me/a.jsonl", record(0, "hi")): "Claude Code",
        put(tmp_path / ".claude/projects/-home-me/a/subagents/agent-1.jsonl", record(0, "hi")): "Claude Code",
        put(tmp_path / ".codex/sessions/2026/03/01/rollout-x.jsonl", "{}"): "Codex",
        put(tmp_path / ".codex/archived_sessions/rollout-y.jsonl", "{}"): "Codex",
        put(tmp_path / ".gemini/tmp/ab12/chats/session-1.json", "{}"): "Gemini CLI",
        put(tmp_path / ".pi/agent/sessions/--home--/s.jsonl", "{}"): "pi",
        put(tmp_path / ".local/share/opencode/storage/session/p/ses_1.json", "{}"): "opencode",
        put(tmp_path / ".local/share/goose/sessions/g.jsonl", "{}"): "Goose",
        put(tmp_path / ".continue/sessions/c.json", "{}"): "Continue",
        put(tmp_path / ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json", "[]"): "Cline",
        put(tmp_path / ".config/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/tasks/2/api_conversation_history.json", "[]"):
            "Roo Code",
    }  # fmt: skip
    for other in (".claude/settings.json", ".codex/history.jsonl", ".gemini/tmp/ab12/logs.json", ".continue/sessions/sessions.json",
                  ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/task_metadata.json"):  # fmt: skip
        put(tmp_path / other, "{}")
    put(tmp_path / ".claude/projects/-home-me/empty.jsonl", "")
    found = {Path(one.path): one.program for one in sightings(tmp_path, {}, "linux")}
    assert found == wanted


def test_the_environment_moves_them(tmp_path: Path) -> None:
    put(tmp_path / "c/projects/p/a.jsonl", record(0, "hi"))
    put(tmp_path / "x/sessions/2026/rollout-1.jsonl", "{}")
    put(tmp_path / "d/goose/sessions/g.jsonl", "{}")
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "CODEX_HOME": str(tmp_path / "x"), "XDG_DATA_HOME": str(tmp_path / "d")}
    assert [one.program for one in sightings(tmp_path / "home", environment, "linux")] == ["Claude Code", "Codex", "Goose"]


@pytest.mark.parametrize(
    ("platform", "inside"), [("darwin", "Library/Application Support"), ("win32", "AppData/Roaming"), ("linux", ".config")]
)
def test_editors_keep_theirs_where_the_system_says(tmp_path: Path, platform: str, inside: str) -> None:
    folders = [folder for program, folder, _ in places(tmp_path, {}, platform) if program == "Cline"]
    assert folders[0] == tmp_path / inside / "Code" / "User" / "globalStorage" / "saoudrizwan.claude-dev" / "tasks"


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside/a.jsonl", record(0, "hi"))
    (tmp_path / ".claude/projects").mkdir(parents=True)
    (tmp_path / ".claude/projects/linked").symlink_to(outside.parent)
    (tmp_path / ".claude/projects/b.jsonl").symlink_to(outside)
    assert list(sightings(tmp_path, {}, "linux")) == []


def seen(path: Path) -> Sighting:
    return look_into(Sighting(str(path), "Claude Code", path.stat().st_size, 1.0))


def test_a_look_tells_title_and_verdict(tmp_path: Path) -> None:
    broken = put(tmp_path / "a.jsonl", record(0, "read\n  a, please") + record(1, CALL, "assistant") + record(2, "go on"))
    told = seen(broken)
    assert (told.title, told.format, told.transcripts, told.requests, told.errors) == ("read a, please", "claude-code", 1, 1, 1)
    whole = put(tmp_path / "b.jsonl", record(0, "q") + record(1, CALL, "assistant") + record(2, RESULT) + record(3, "a", "assistant"))
    assert (seen(whole).errors, seen(whole).requests, seen(whole).seen) == (0, 2, True)


def test_what_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = put(tmp_path / "a.jsonl", "\x00\x01 no dump")
    assert seen(odd).why
    assert str(odd) not in seen(odd).why
    assert seen(odd).seen
    gone = Sighting(str(tmp_path / "gone.jsonl"), "Codex", 10, 1.0)
    assert "No such file" in look_into(gone).why
    monkeypatch.setattr(whereabouts, "MOST", 5)
    assert seen(odd).why == "too large to be looked into here"


def test_a_look_can_be_put_off(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", json.dumps({"model": "claude-x", "max_tokens": 9, **request_of("u:q | a:hi")}))

    class Off(Exception):
        pass

    def off(_: float) -> None:
        raise Off

    log = put(tmp_path / "b.jsonl", record(0, "q") * 3)
    with pytest.raises(Off):
        look_into(Sighting(str(log), "Codex", 100, 1.0), off)
    assert seen(path).requests == 1
