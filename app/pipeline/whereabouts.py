"""Where common agents keep their sessions on this machine, and a look into one. Read-only; links are not followed.

The places: Claude Code, Codex, Gemini CLI, Continue and Goose as the descriptions of their formats have them; opencode's storage by its
own layout (`storage/session/<project>/<session>.json` under XDG_DATA_HOME); pi: `~/.pi/agent/sessions` (badlogic/pi-mono, packages/
coding-agent); Cline and Roo: the `tasks` of their extension in an editor's `globalStorage` (cline/cline, `src/core/storage/disk.ts`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from app.model.errors import InspectorError
from app.model.kinds import Flag, Kind, Role
from app.model.sighting import Sighting
from app.model.source import Source
from app.model.view import View
from app.pipeline import load, look
from app.pipeline.check import check
from app.pipeline.names import format_named, judge_of, provider_named
from app.pipeline.view import make_view

MOST = 64 << 20  # bytes; what is larger is not looked into
DEEPEST = 7  # folders below a place
TITLE = 160  # characters
EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
EXTENSIONS = {"Cline": "saoudrizwan.claude-dev", "Roo Code": "rooveterinaryinc.roo-cline"}


def places(home: Path, environment: Mapping[str, str], platform: str = sys.platform) -> list[tuple[str, Path, str]]:
    """Program, folder and the pattern of a session's file name."""
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    found = [
        ("Claude Code", Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects", "*.jsonl"),
        ("Codex", Path(environment.get("CODEX_HOME") or home / ".codex") / "sessions", "rollout-*.jsonl*"),
        ("Codex", Path(environment.get("CODEX_HOME") or home / ".codex") / "archived_sessions", "rollout-*.jsonl*"),
        ("Gemini CLI", home / ".gemini" / "tmp", "session-*.json*"),
        ("Qwen Code", home / ".qwen", "*.jsonl"),
        ("pi", home / ".pi" / "agent" / "sessions", "*.jsonl"),
        ("opencode", data / "opencode" / "storage" / "session", "ses_*.json"),
        ("Goose", data / "goose" / "sessions", "*.jsonl"),
        ("Continue", home / ".continue" / "sessions", "*.json"),
    ]
    for editor in EDITORS:
        for program, extension in EXTENSIONS.items():
            storage = _settings(home, environment, platform) / editor / "User" / "globalStorage" / extension / "tasks"
            found.append((program, storage, "api_conversation_history.json"))
    return found


def _settings(home: Path, environment: Mapping[str, str], platform: str) -> Path:
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def sightings(home: Path, environment: Mapping[str, str], platform: str = sys.platform) -> Iterator[Sighting]:
    """Every session file in the places, as they come; what cannot be listed is passed over."""
    for program, folder, pattern in places(home, environment, platform):
        for entry in _files(folder, DEEPEST):
            if fnmatchcase(entry.name, pattern) and entry.name != "sessions.json":
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                if status.st_size:
                    yield Sighting(entry.path, program, status.st_size, status.st_mtime)


def _files(folder: Path | str, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_file(follow_symlinks=False):
            yield entry
        elif depth and entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path, depth - 1)


def look_into(found: Sighting, progress: Callable[[float], None] | None = None) -> Sighting:
    """The same with what a look into it tells, of the transcript that would be opened. `progress` may raise."""
    if found.size > MOST:
        return replace(found, why="too large to be looked into here")
    try:
        source = Source.open(found.path)
        try:
            dump = load.load(source, None, progress)
            if not dump.transcripts:
                return replace(found, format=dump.format, why="no conversation in it")
            transcript = dump.transcripts[dump.opened]
            provider = provider_named(judge_of(dump.table))
            view = make_view(transcript, None, provider, frozenset(), source)
            report = check(view, provider, transcript.model, dump.mode or format_named(dump.format).mode, source)
            severities = [finding.severity for finding in report.findings]
            title = transcript.title or _first_words(view, lambda row: look.block(dump, transcript, row).text)
            return replace(
                found, title=" ".join(title.split())[:TITLE], format=dump.format, transcripts=len(dump.transcripts),
                requests=view.groups.steps, errors=severities.count("error"), warnings=severities.count("warning"),
            )  # fmt: skip
        finally:
            source.close()
    except InspectorError as error:
        return replace(found, why=str(error).removeprefix(f"{found.path}: "))


def _first_words(view: View, text: Callable[[int], str]) -> str:
    """What a person said first."""
    spoken = (view.kind == Kind.TEXT) & (view.role == Role.USER) & ((view.flags & (Flag.INJECTED | Flag.SUMMARY)) == 0)
    at = int(spoken.argmax()) if spoken.any() else -1
    return text(int(view.rows[at])) if at >= 0 else ""
