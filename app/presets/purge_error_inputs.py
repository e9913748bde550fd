"""DCP's purge of failed calls: a fixed text in place of every text among their arguments, some turns later.

*Counted thing.* User messages since the failed call. The error itself stays. Source: npm @tarquinen/opencode-dcp 3.1.14 (purgeErrors).
"""

from __future__ import annotations

import json
from typing import Any

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, names, said, whole
from app.presets._talk import Part, Style


def select(case: Case) -> list[Part]:
    """Calls whose result is an error, before the last user messages."""
    turns = case.params["turns"]
    prompts = [message.index for message in case.messages if message.is_prompt]
    end = prompts[-turns] if turns and len(prompts) >= turns else 0 if turns else len(case.messages)
    failed = {part.call_id for part in case.talk.results if part.error and part.call_id is not None}
    protected = set(case.params["protectedTools"])
    return [part for m in case.messages[:end] for part in m.calls if part.call_id in failed and part.name not in protected]


def act(case: Case, chosen: list[Part]) -> None:
    for part in chosen:
        try:
            value = json.loads(part.text)
        except (ValueError, RecursionError):
            continue
        purged = _purged(value, case.params["text"])
        if isinstance(value, dict) and purged != value:
            case.work.clear_input(part, purged)


def _purged(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: text if isinstance(inner, str) else inner for key, inner in value.items()}
    return value


PRESET = Preset(
    name="purge-error-inputs",
    summary="clears the texts among the arguments of failed calls some turns later, as the DCP plugin does",
    family="stub-tool-results",
    imitates="@tarquinen/opencode-dcp 3.1.14, purgeErrors",
    source="Tarquinen/opencode-dynamic-context-pruning",
    evidence="S",
    unit="user messages since the failed call",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=act,
    settings=(
        Setting("turns", 4, "user messages after which the arguments go", whole()),
        Setting("protectedTools", [], "tools that are left alone", names),
        Setting("text", "[input removed due to failed tool call]", "what stands in place of a text", said),
    ),
    takes="parts",
)
