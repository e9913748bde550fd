"""Claude Code's micro-compaction: a placeholder in place of old results of tools that read, run, search and write.

*Counted thing.* `keep` counts results of these tools. It runs when the session has been idle for an hour, so that the cache is cold
anyway. A result that is a placeholder already stays. Unofficial: by third-party accounts of the program; it claims no parity with
Claude Code.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset, stub_each
from app.presets._settings import Setting, any_of, names, null, said, whole
from app.presets._talk import Part, Style

TOOLS = ["Read", "Bash", "Grep", "Glob", "WebFetch", "WebSearch", "Edit", "Write", "MultiEdit", "NotebookEdit"]


def gate(case: Case) -> bool:
    idle = case.params["idle_minutes"]
    return idle is None or idle > case.params["ttl_minutes"]


def select(case: Case) -> list[Part]:
    wanted = {name.lower() for name in case.params["tools"]}
    own = [part for part in case.talk.results if case.talk.name_of(part).lower() in wanted]
    return [part for part in own[: max(0, len(own) - case.params["keep"])] if part.text != case.params["placeholder"]]


PRESET = Preset(
    name="claude-code-microcompact",
    summary="clears old results of reading, running and writing tools after a pause, as Claude Code is said to do",
    family="stub-tool-results",
    imitates="Claude Code, micro-compaction; unofficial",
    source="third-party accounts of the program",
    evidence="3",
    unit="results of the tools named",
    minimum="none; it waits until the cache is cold",
    style=Style.SPLIT,
    counter=counters.one,
    gate=gate,
    select=select,
    act=stub_each(lambda case, part: str(case.params["placeholder"])),
    settings=(
        Setting("keep", 5, "how many of the newest results of these tools stay", whole()),
        Setting("ttl_minutes", 60, "minutes without a request after which it runs", whole()),
        Setting("idle_minutes", None, "minutes since the last request; null: taken as long enough", any_of(null, whole())),
        Setting("tools", TOOLS, "tools whose results are cleared", names),
        Setting("placeholder", "[Old tool result content cleared]", "what stands in place of a result", said),
    ),
    takes="results",
)
