"""AutoGen's HeadAndTailChatCompletionContext: the first and the newest messages, and a line that says how many were skipped.

*Counted thing.* Messages; the results of a batch are one. A message with calls at the end of the head and results at the start of the
tail are taken out as well, and are not among the number that the line says.

Source: autogen-core 0.7.5, model_context/_head_and_tail_chat_completion_context.py, `get_messages`. It has no defaults for its sizes.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style


def gate(case: Case) -> bool:
    return len(case.messages) > int(case.params["head_size"]) + int(case.params["tail_size"])


def select(case: Case) -> tuple[list[Message], list[Message]]:
    return case.messages[: case.params["head_size"]], case.messages[-case.params["tail_size"] :]


def snap(case: Case, ends: tuple[list[Message], list[Message]]) -> tuple[list[Message], list[Message]]:
    head, tail = ends
    return head[:-1] if head[-1].calls else head, tail[1:] if tail[0].results else tail


def act(case: Case, ends: tuple[list[Message], list[Message]]) -> None:
    head, tail = ends
    skipped = len(case.messages) - case.params["head_size"] - case.params["tail_size"]
    case.work.keep_only(case.messages, [*head, *tail])
    case.work.put(tail[0] if tail else None, Role.USER, f"Skipped {skipped} messages.")


PRESET = Preset(
    name="autogen-head-and-tail",
    summary="keeps the first and the newest messages and says how many it skipped, as AutoGen does",
    family="evict-steps",
    imitates="autogen-core 0.7.5, HeadAndTailChatCompletionContext.get_messages",
    source="autogen_core/model_context/_head_and_tail_chat_completion_context.py",
    evidence="V 400 cases",
    unit="messages; a batch of results is one",
    minimum="none: what is more than head and tail goes",
    style=Style.JOINED,
    counter=counters.one,
    gate=gate,
    select=select,
    snap=snap,
    act=act,
    settings=(
        Setting("head_size", 4, "how many of the first messages stay", whole(1)),
        Setting("tail_size", 20, "how many of the newest messages stay", whole(1)),
    ),
    leaves=("parts-turns",),
)
