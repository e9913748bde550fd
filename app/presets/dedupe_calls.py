"""DCP's deduplication: of calls that repeat each other the newest keeps its output, the others get a fixed text.

*Counted thing.* Repeated calls: the same tool and the same arguments, keys in any order, those that are null left out. *Guard.* A
second look at a file that was edited meanwhile is not the same content: the older output is superseded, and only the newer one stays.
Other ranges are other arguments. Tools that change something, and those named as protected, are left alone.

Source: npm @tarquinen/opencode-dcp 3.1.14 (deduplication).
"""

from __future__ import annotations

import json
from typing import Any

from app.presets import _counters as counters
from app.presets._preset import Case, Preset, stub_each
from app.presets._settings import Setting, names, said
from app.presets._talk import Part, Style

PROTECTED = ["task", "todowrite", "todoread", "write", "edit", "batch", "skill", "question"]


def _signature(call: Part) -> str | None:
    text = call.text
    try:
        value = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return f"{call.name}\0{text}"
    return f"{call.name}\0{json.dumps(_plain(value), sort_keys=True, ensure_ascii=False)}"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if inner is not None}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def select(case: Case) -> list[Part]:
    """Outputs that a later call has again."""
    protected = {name.lower() for name in case.params["protectedTools"]}
    results = {part.call_id: part for part in case.talk.results}
    newest: dict[str | None, Part] = {}
    chosen: list[Part] = []
    for part in case.talk.parts:
        if not part.is_call or part.name.lower() in protected or part.call_id not in results:
            continue
        signature = _signature(part)
        if signature in newest and newest[signature].call_id != part.call_id:
            older = results[newest[signature].call_id]
            if older.text != case.params["text"]:
                chosen.append(older)
        newest[signature] = part
    return chosen


PRESET = Preset(
    name="dedupe-calls",
    summary="clears the outputs of calls that are repeated later, as the DCP plugin does",
    family="stub-tool-results",
    imitates="@tarquinen/opencode-dcp 3.1.14, deduplication",
    source="Tarquinen/opencode-dynamic-context-pruning",
    evidence="S",
    unit="repeated calls",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=stub_each(lambda case, part: str(case.params["text"])),
    settings=(
        Setting("protectedTools", PROTECTED, "tools that are left alone", names),
        Setting("text", "[Output removed to save context - information superseded or no longer needed]", "what stands there", said),
    ),
    takes="results",
)
