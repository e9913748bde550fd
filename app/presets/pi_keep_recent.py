"""pi's compaction: a summary in place of all but the newest messages.

*Counted thing.* Tokens, by UTF-16 units divided by 4, message by message from the newest back, until `keepRecentTokens` are reached.
*Snap.* The cut goes forward to the next message that is no result. *Known fault.* Where the walk stops at a result at the very end, no
such message follows, the cut is the first message, and nothing is compacted although the end is over the limit. A cut that is no user
message splits a turn; pi then summarises the beginning of that turn by itself.

Source: @mariozechner/pi-coding-agent 0.73.1, core/compaction/compaction.js, `findCutPoint`, `estimateTokens`. pi fires when the request
has more than the model's window less 16,384 tokens; here it fires when asked.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, whole
from app.presets._talk import Style

LEAD = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
CLOSE = "\n</summary>"


def select(case: Case) -> int:
    """Index of the message at which enough is kept; -1 where all of them are not enough."""
    kept = 0
    for message in reversed(case.messages):
        kept += case.counter(message)
        if kept >= case.params["keepRecentTokens"]:
            return message.index
    return -1


def snap(case: Case, cut: int) -> int:
    points = [message.index for message in case.messages if not message.results]
    if not points:
        return 0
    return next((point for point in points if point >= cut >= 0), points[0])


def act(case: Case, cut: int) -> None:
    if cut <= 0:
        return
    case.work.drop_messages(case.messages[:cut])
    case.work.put(case.messages[cut], Role.USER, f"{LEAD}{case.params['summary']}{CLOSE}")


PRESET = Preset(
    name="pi-keep-recent",
    summary="puts one summary in place of all but the newest tokens, as pi does",
    family="summarize-prefix",
    imitates="@mariozechner/pi-coding-agent 0.73.1, findCutPoint",
    source="dist/core/compaction/compaction.js; badlogic/pi-mono",
    evidence="V 400 cases",
    unit="tokens of messages",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.units,
    select=select,
    snap=snap,
    act=act,
    settings=(Setting("keepRecentTokens", 20_000, "tokens of the newest messages that stay at least", whole()), SUMMARY),
    leaves=("parts-turns",),
)
