"""Thinking in the last message of the assistant, though the request does not think (Anthropic).

Where the conversation ends with the assistant it is an error. Reports of agents that never end a request so (tailcallhq/forgecode#1195,
microsoft/vscode#282326) suggest that the turn before the last results counts as well: there it is a warning. A request without `thinking`
does not think, up to Claude 4.5; what newer models take is not known.

Evidence: tailcallhq/forgecode#1853, #1195; microsoft/vscode#282326; microsoft/vscode-copilot-chat PR #2516.

Repair: a user message "Continue." behind it; else the thinking goes. The request may think instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change, End, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._request import request_of, thinks
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningWhileDisabled(Rule):
    name = "reasoning-while-disabled"
    summary = "thinking in the last message of the assistant, though the request does not think"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, last = reading.view, reading.turns - 1
        if last < 0 or not _off(reading):
            return []
        ends = reading.turn_role[last] == Role.ASSISTANT
        if ends and (reading.mode == "prefix" or reading.provider.refuses_prefill(reading.model)):
            return []  # `prefill-unsupported` says it
        if not ends and not view.results[reading.of_turn(last)].any():
            return []
        turn = reading.of_turn(last if ends else last - 1)
        thoughts = turn[view.kind[turn] == Kind.REASONING][: 1 if ends or reading.turn_role[last - 1] == Role.ASSISTANT else 0]
        return [self.hit(reading, thoughts, severity="error" if ends else "warning")]

    def say(self, site: Site) -> Said:
        disputed = " (whether that is refused before results is disputed)" if site.severity == "warning" else ""
        return Said(f"The request does not think, and its last turn of the assistant holds thinking{disputed}.", cause="last message")

    def fixes(self, site: Site) -> Sequence[Change]:
        view = site.scene.view
        turn = site.reading.of_turn(site.turn)
        thoughts = turn[view.kind[turn] == Kind.REASONING].tolist()
        away = _fixes.drop(site, "Drop the thinking", thoughts)
        if site.severity == "warning":
            return [away]
        more = site.change("Insert a message of the user: “Continue.”", "adds", Insert(End(), Made(Kind.TEXT, Role.USER, "Continue.")))
        return [more, away]


def _off(reading: Reading) -> bool:
    """Whether the request does not think."""
    request = request_of(reading)
    if request is None or thinks(request):
        return False
    return request.get("thinking") is not None or not reading.provider.refuses_prefill(reading.model)


RULE = ReasoningWhileDisabled()
