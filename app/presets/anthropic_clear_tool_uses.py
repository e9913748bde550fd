"""Anthropic's context editing `clear_tool_uses_20250919`: puts a placeholder in place of the oldest results, and where asked clears the
inputs of their calls.

*Counted thing.* `keep` counts clearable tool uses: those of excluded tools and those whose result is 1 to 46 bytes of text do not count
(unless the inputs of their tool are cleared too); a call without a result counts. The trigger is strict: a count equal to it does
nothing. *Minimum.* `clear_at_least` closes batches: oldest first, a batch is cleared when it frees at least so many tokens, and the
unfinished last batch stays. *Never*: the last result of the transcript, even at `keep` 0.

Source: docs.claude.com, context editing; litellm 1.110.2, `apply_clear_tool_uses_20250919`, which says that the rule of 46 bytes was
measured on the API in October 2026. The API's own placeholder is not documented; the text here is litellm's. Tokens are characters
divided by 4.
"""

from __future__ import annotations

from typing import Any

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, amount, any_of, flag, names, null, said
from app.presets._talk import Part, Style

PLACEHOLDER = "[Cleared by context management]"
TINY = 46


def _covered(case: Case, name: str) -> bool:
    """Whether the inputs of a tool's calls are cleared."""
    asked = case.params["clear_tool_inputs"]
    return asked if isinstance(asked, bool) else name in (asked or ())


def _is_tiny(result: Part) -> bool:
    if "tiny" not in result.seen:
        result.seen["tiny"] = _has_few_bytes(result)
    return bool(result.seen["tiny"])


def _has_few_bytes(result: Part) -> bool:
    block = result.block
    inner = block.value.get("content") if isinstance(block.value, dict) else None
    if block.media or (isinstance(inner, list) and any(not isinstance(one, dict) or one.get("type", "text") != "text" for one in inner)):
        return False
    return 0 < sum(len(text.encode("utf-8", "surrogatepass")) for text in block.texts) <= TINY


def _answers(case: Case) -> dict[str, Part]:
    found: dict[str, Part] | None = case.talk.seen.get("answers")
    if found is None:
        found = case.talk.seen["answers"] = {part.call_id: part for part in case.talk.results if part.call_id is not None}
    return found


def _clearable(case: Case) -> list[Part]:
    """Calls that count for `keep`, oldest first."""
    found: list[Part] | None = case.talk.seen.get("clearable")
    if found is None:
        found = case.talk.seen["clearable"] = _looked(case)
    return found


def _looked(case: Case) -> list[Part]:
    excluded = set(case.params["exclude_tools"] or ())
    answers = _answers(case)
    return [
        part
        for part in case.talk.calls
        if part.call_id is not None
        and part.name not in excluded
        and (_covered(case, part.name) or part.call_id not in answers or not _is_tiny(answers[part.call_id]))
    ]


def gate(case: Case) -> bool:
    trigger, count = case.params["trigger"], len(_clearable(case))
    if count <= case.params["keep"]["value"]:
        return False
    if trigger["type"] == "tool_uses":
        return count > int(trigger["value"])
    head = sum(counters.parts([part]) for part in case.talk.head)
    return case.total(case.messages) + head > int(trigger["value"])


def select(case: Case) -> list[str]:
    """Ids of the uses that are cleared."""
    clearable, answers = _clearable(case), _answers(case)
    last = case.talk.results[-1].call_id if case.talk.results else None
    upto = len(clearable) - case.params["keep"]["value"]
    candidates = [part for part in clearable[:upto] if part.call_id in answers and part.call_id != last]
    least = case.params["clear_at_least"]
    if least is None or not least["value"]:
        return [str(part.call_id) for part in candidates]
    calls = {part.call_id: part for part in case.talk.calls}
    done = total = 0
    for index, part in enumerate(candidates):
        total += _freed(case, answers[str(part.call_id)], calls[part.call_id], part.name)
        if total >= least["value"]:
            done, total = index + 1, 0
    return [str(part.call_id) for part in candidates[:done]]


def _freed(case: Case, result: Part, call: Part, name: str) -> int:
    before, after = result.size, len(case.params["placeholder"])
    if _covered(case, name):
        before, after = before + call.size, after + len(call.name) + len("{}")
    return max(0, counters.quarter(before) - counters.quarter(after))


def act(case: Case, chosen: list[str]) -> None:
    ids = set(chosen)
    for part in case.talk.parts:
        if part.call_id in ids and part.is_result:
            case.work.stub(part, case.params["placeholder"])
        elif part.call_id in ids and part.is_call and _covered(case, part.name):
            case.work.clear_input(part)


_UNCLEARED: Any = any_of(null, amount("input_tokens"))

PRESET = Preset(
    name="anthropic-clear-tool-uses",
    summary="clears old tool results in batches, as Anthropic's API does",
    family="stub-tool-results",
    imitates="Anthropic API, clear_tool_uses_20250919, by litellm 1.110.2 apply_clear_tool_uses_20250919",
    source="docs.claude.com, context editing; litellm/llms/anthropic/messages/context_management/editors/clear_tool_uses.py",
    evidence="V 600 cases",
    unit="clearable tool uses",
    minimum="clear_at_least: whole batches of at least so many tokens are cleared, the unfinished last batch stays",
    style=Style.TURNS,
    counter=counters.everything,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("trigger", {"type": "input_tokens", "value": 100_000}, "more than so many input tokens, or clearable uses", amount("input_tokens", "tool_uses")),  # noqa: E501
        Setting("keep", {"type": "tool_uses", "value": 3}, "how many of the newest clearable uses stay", amount("tool_uses")),
        Setting("clear_at_least", None, "tokens that a batch must free", _UNCLEARED),
        Setting("exclude_tools", None, "tools whose uses are never cleared and do not count", any_of(null, names)),
        Setting("clear_tool_inputs", False, "whether inputs are cleared too: true, false, or of these tools", any_of(flag, null, names)),
        Setting("placeholder", PLACEHOLDER, "what stands in place of a result", said),
    ),
    takes="results",
)  # fmt: skip
