"""opencode's prune: a placeholder in place of results beyond the newest 40,000 tokens of results.

*Counted thing.* Tokens of results, from the newest back; results after the second user message from the end do not count and stay. It
stops at a summary and at a result that was pruned before. *Minimum.* `PRUNE_MINIMUM`: nothing is done unless more than so many tokens
would go. A session of one prompt is never pruned. Off by default in opencode, since it costs the cache (anomalyco/opencode#24108,
#32515).

Source: opencode, session/compaction.ts (`prune`), mid 2026. Tokens are characters divided by 4, to the nearest.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset, stub_each
from app.presets._settings import Setting, names, said, whole
from app.presets._talk import Part, Style


def tokens(part: Part) -> int:
    return (part.size + 2) // 4


def select(case: Case) -> list[Part]:
    params, turns, total, gone = case.params, 0, 0, 0
    chosen: list[Part] = []
    for message in reversed(case.messages):
        if message.is_prompt:
            turns += 1
        if turns < 2:
            continue
        if message.summary and message.role == Role.ASSISTANT:
            break
        for part in reversed(message.results):
            if case.talk.name_of(part) in params["protected_tools"]:
                continue
            if part.text == params["placeholder"]:
                return _enough(case, chosen, gone)
            total += tokens(part)
            if total > params["PRUNE_PROTECT"]:
                gone += tokens(part)
                chosen.append(part)
    return _enough(case, chosen, gone)


def _enough(case: Case, chosen: list[Part], gone: int) -> list[Part]:
    return chosen if gone > case.params["PRUNE_MINIMUM"] else []


PRESET = Preset(
    name="opencode-prune",
    summary="clears results beyond the newest 40,000 tokens of them, as opencode does",
    family="stub-tool-results",
    imitates="opencode, session prune",
    source="anomalyco/opencode packages/opencode/src/session/compaction.ts; #32515",
    evidence="S",
    unit="tokens of results",
    minimum="PRUNE_MINIMUM: nothing is cleared unless more than so many tokens go",
    style=Style.SPLIT,
    counter=counters.everything,
    select=select,
    act=stub_each(lambda case, part: str(case.params["placeholder"])),
    settings=(
        Setting("PRUNE_PROTECT", 40_000, "tokens of the newest results that stay", whole()),
        Setting("PRUNE_MINIMUM", 20_000, "tokens that must go", whole()),
        Setting("protected_tools", ["skill"], "tools whose results never go", names),
        Setting("placeholder", "[Old tool result content cleared]", "what stands in place of a result", said),
    ),
    takes="results",
)
