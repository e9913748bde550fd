"""OpenClaw's session pruning: when the cache is cold, old results keep their head and tail; where that is not enough, a placeholder.

*Counted thing.* Characters of the context against four times the window in tokens. Below `softTrimRatio` nothing is done. Then every
prunable result over `maxChars` keeps its head and tail; if the context is still at `hardClearRatio` or above, results are replaced,
oldest first, until it is below. *Minimum.* Nothing is replaced where the prunable results have fewer than `minPrunableToolChars`
characters together. *Never*: what stands before the first user message, and from the third assistant message from the end on.

Before openclaw PR #137021 a pruned request was not remembered: the next one was sent whole, and missed the cache once more. Source:
OpenClaw, agents context pruning (pruner.ts). Images in a result go with its text.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, any_of, names, null, said, share, whole
from app.presets._talk import Message, Part, Style
from app.presets._texts import head_and_tail

IMAGE = 8_000  # characters that an image counts for


def _size(part: Part) -> int:
    return part.size + (IMAGE * len(part.block.media) if part.is_result else 0)


@counters.once
def _sizes(message: Message) -> int:
    return sum(map(_size, message.parts))


def _total(case: Case) -> int:
    return sum(map(_sizes, case.messages))


def _ratio(case: Case, characters: int) -> float:
    return characters / (4 * case.params["contextWindow"])


def gate(case: Case) -> bool:
    idle = case.params["idle_minutes"]
    cold = idle is None or idle >= case.params["ttl_minutes"]
    return bool(cold and _ratio(case, _total(case)) >= case.params["softTrimRatio"])


def select(case: Case) -> list[Part]:
    """Prunable results, oldest first."""
    answers = [message.index for message in case.messages if message.role == Role.ASSISTANT]
    prompts = [message.index for message in case.messages if message.is_prompt]
    keep = case.params["keepLastAssistants"]
    if len(answers) < keep or not prompts:
        return []
    end = answers[-keep] if keep else len(case.messages)
    deny = set(case.params["deny"])
    return [part for m in case.messages[prompts[0] : end] for part in m.results if case.talk.name_of(part) not in deny]


def act(case: Case, chosen: list[Part]) -> None:
    params, total = case.params, _total(case)
    sizes = {part.position: _size(part) for part in chosen}
    head, tail = params["headChars"], params["tailChars"]
    for part in chosen:
        text = "\n".join(part.texts)
        if len(text) > params["maxChars"] and head + tail < len(text):
            note = f"\n\n[Tool result trimmed: kept first {head} chars and last {tail} chars of {len(text)} chars.]"
            short = head_and_tail(text, head, tail, "\n...\n") + note
            case.work.cut(part, short)
            total += len(short) - sizes[part.position]
            sizes[part.position] = len(short)
    if _ratio(case, total) < params["hardClearRatio"] or sum(sizes.values()) < params["minPrunableToolChars"]:
        return
    for part in chosen:
        if _ratio(case, total) < params["hardClearRatio"]:
            return
        case.work.stub(part, params["placeholder"])
        total += len(params["placeholder"]) - sizes[part.position]


PRESET = Preset(
    name="openclaw-ttl-prune",
    summary="cuts, then clears old results once the cache is cold, as OpenClaw does",
    family="stub-tool-results",
    imitates="OpenClaw, cache-ttl context pruning",
    source="openclaw/openclaw agents context pruning; openclaw#137021",
    evidence="S",
    unit="characters, against four times the window",
    minimum="minPrunableToolChars: results are cleared only where the prunable ones have so many characters together",
    style=Style.SPLIT,
    counter=counters.everything,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("ttl_minutes", 5, "minutes after which the cache is cold", whole()),
        Setting("idle_minutes", None, "minutes since the last request; null: taken as long enough", any_of(null, whole())),
        Setting("contextWindow", 200_000, "the model's window in tokens", whole(1)),
        Setting("keepLastAssistants", 3, "what follows this assistant message from the end stays", whole()),
        Setting("softTrimRatio", 0.3, "share of the window from which on long results are cut", share()),
        Setting("hardClearRatio", 0.5, "share of the window down to which results are cleared", share()),
        Setting("minPrunableToolChars", 50_000, "characters of prunable results below which none is cleared", whole()),
        Setting("maxChars", 4_000, "characters up to which a result is not cut", whole()),
        Setting("headChars", 1_500, "characters of a cut result's head", whole()),
        Setting("tailChars", 1_500, "characters of a cut result's tail", whole()),
        Setting("deny", [], "tools whose results are left alone", names),
        Setting("placeholder", "[Old tool result content cleared]", "what stands in place of a result", said),
    ),
    takes="results",
)
