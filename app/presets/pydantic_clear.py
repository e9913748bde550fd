"""pydantic-ai-harness's ClearToolResults: a placeholder in place of all results but those of the newest pairs.

*Counted thing.* `keep_pairs` counts calls with their result; excluded tools count. *Minimum.* Where all that would be cleared frees
less than `min_clear_tokens`, nothing is. In the harness it runs when the request is over a limit; here when asked, or over `max_tokens`
where given.

Source: pydantic-ai-harness 0.62.0, compaction/_clear_tool_results.py. Tokens are characters divided by 4.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, any_of, flag, names, null, said, whole
from app.presets._talk import Part, Style


def gate(case: Case) -> bool:
    limit = case.params["max_tokens"]
    return limit is None or case.total(case.messages) > limit


def select(case: Case) -> list[Part]:
    """Results that are cleared."""
    calls = {part.call_id for part in case.talk.calls}
    paired = [part for part in case.talk.results if part.call_id in calls]
    chosen = [
        part
        for part in paired[: max(0, len(paired) - case.params["keep_pairs"])]
        if case.talk.name_of(part) not in case.params["exclude_tools"]
    ]
    least = case.params["min_clear_tokens"]
    stub = len(case.params["placeholder"])
    freed = sum(counters.quarter(part.size) - counters.quarter(stub) for part in chosen)
    return chosen if least is None or freed >= least else []


def act(case: Case, chosen: list[Part]) -> None:
    ids = {part.call_id for part in chosen}
    for part in chosen:
        case.work.stub(part, case.params["placeholder"])
    for part in case.talk.parts:
        if case.params["clear_tool_inputs"] and part.is_call and part.call_id in ids:
            case.work.clear_input(part)


PRESET = Preset(
    name="pydantic-clear",
    summary="clears all but the newest results, or none where that frees too little, as the Pydantic AI harness does",
    family="stub-tool-results",
    imitates="pydantic-ai-harness 0.62.0, ClearToolResults",
    source="pydantic_ai_harness/compaction/_clear_tool_results.py",
    evidence="S",
    unit="calls with their result",
    minimum="min_clear_tokens: nothing is cleared where all of it frees less",
    style=Style.SPLIT,
    counter=counters.everything,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("max_tokens", None, "more than so many tokens start it; null: it runs when asked", any_of(null, whole())),
        Setting("keep_pairs", 3, "how many of the newest pairs stay", whole()),
        Setting("min_clear_tokens", None, "tokens that it must free; null: any", any_of(null, whole())),
        Setting("exclude_tools", [], "tools whose results are never cleared; they count", names),
        Setting("clear_tool_inputs", False, "whether the arguments of the calls are cleared too", flag),
        Setting("placeholder", "[tool result cleared]", "what stands in place of a result", said),
    ),
    takes="results",
)
