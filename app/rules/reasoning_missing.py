"""The open tool loop does not begin with reasoning, though the model thinks (Anthropic, Claude on Bedrock); a message without the reasoning
that must be sent back with it (DeepSeek).

Anthropic: with `thinking: {type: enabled}` the last assistant turn before the results must start with its thinking block. (Adaptive
thinking has not been seen to ask for it.) On Bedrock the same stands in `additionalModelRequestFields`.

DeepSeek: in thinking mode a message that calls must carry `reasoning_content`: the calls behind the last prompt on the models of 2025, all
messages of an exchange that calls on V4, where reports have the error for messages without calls too (a warning: the documentation says
that those are ignored). The mode is told by the request, by the model's name, or by reasoning in the dump. An empty field is taken. On
its endpoint of OpenAI's Responses one report has a second call refused that has no reasoning item of its own; since reasoning between two
calls is refused as well, it is a warning there, without a repair. As many reasoning items as calls, all in front of them, are recorded with
status 200 (pydantic/pydantic-ai@4fda389).

Evidence: Kilo-Org/kilocode#5219; anomalyco/opencode#3077; deepset-ai/haystack-core-integrations#2146; mastra-ai/mastra#7799. DeepSeek:
abhigyanpatwari/GitNexus#43; continuedev/continue#11285; hotovo/aider-desk#529; V4: earendil-works/pi#3636, openclaw/openclaw#73417;
its guide on the thinking mode; Responses: rikkahub/rikkahub#1690;
deepseek-ai/awesome-deepseek-integration#740.

Repair: the original block where somebody has it; else thinking is switched off for this request (Anthropic: a signature is never made
up), or the field is put there empty (DeepSeek).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.edits import DELETE, Change, Set, SetRequest
from app.model.findings import Hit
from app.model.kinds import Kind, Mark, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._scene import Site

PLACES = ("/thinking", "/additionalModelRequestFields/thinking")


class ReasoningMissing(Rule):
    name = "reasoning-missing"
    summary = "reasoning is not sent back, though the model thinks"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if f"{self.name}/message" in reading.provider.strict:
            return self._of_messages(reading)
        if f"{self.name}/item" in reading.provider.strict:
            return self._of_items(reading)
        view, last = reading.view, reading.turns - 1
        thinking = any(_mode(reading, place) == "enabled" for place in PLACES)
        if not thinking or not reading.native or last < 1 or reading.turn_role[last] != Role.USER:
            return []
        calls = reading.of_turn(last - 1)
        loop = view.calls[calls].any() and view.results[reading.of_turn(last)].any()
        missing = bool(loop) and reading.turn_role[last - 1] == Role.ASSISTANT and view.kind[calls[0]] != Kind.REASONING
        return [self.hit(reading, calls[: 1 if missing else 0])]

    def _of_messages(self, reading: Reading) -> Sequence[Hit]:
        """Messages of the assistant that do not carry their reasoning (DeepSeek)."""
        view, family = reading.view, reading.provider.family(reading.model)
        if not _thinks(reading, family):
            return []
        sent = reading.sent
        told = _told(reading)
        lacks = sent & (view.role == Role.ASSISTANT) & ~np.isin(view.message, view.message[told & sent])
        calling = sent & view.calls
        exchange = view.groups.exchange
        if family == "v4":
            wrong = lacks & np.isin(exchange, exchange[calling])
            disputed = lacks & ~wrong
        else:
            wrong = lacks & np.isin(view.message, view.message[calling]) & (exchange == view.groups.live)
            disputed = np.zeros(len(view), bool)
        return [self.hit(reading, _firsts(reading, wrong)), self.hit(reading, _firsts(reading, disputed), severity="warning")]

    def _of_items(self, reading: Reading) -> Sequence[Hit]:
        """Calls of a run beyond as many as there are reasoning items in front of it (DeepSeek's Responses). Two of them and then two calls
        are recorded with status 200, and so are calls without any."""
        view, wire = reading.view, reading.wire
        if not len(wire):
            return []
        call, thinks = view.calls[wire], view.kind[wire] == Kind.REASONING
        places = np.arange(len(wire))
        begins = call & ~np.concatenate([[False], call[:-1]])
        first = np.maximum.accumulate(np.where(begins, places, 0))  # the first call of the run that a call stands in
        before = np.concatenate([[0], np.cumsum(thinks)])
        other = np.concatenate([[0], np.maximum.accumulate(np.where(thinks, 0, places + 1))])  # behind the last item that is no reasoning
        given = before[first] - before[other[first]]
        return [self.hit(reading, wire[call & (given > 0) & (places - first >= given)])]

    def say(self, site: Site) -> Said:
        if f"{self.name}/item" in site.reading.provider.strict:
            message = "This call has no reasoning item of its own (one report has it refused; yet nothing may stand between two calls)."
            return Said(message, ids=site.ids, cause="reasoning")
        if f"{self.name}/message" in site.reading.provider.strict:
            return self._say_of_message(site)
        message = "Thinking is enabled, and the turn whose results stand last does not begin with a thinking block."
        return Said(message, cause="reasoning", whole=True, words={"type": site.scene.type(site.position)})

    def _say_of_message(self, site: Site) -> Said:
        disputed = " (reports have it refused; the documentation says that it is ignored)" if site.severity == "warning" else ""
        passed = site.reading.provider.family(site.reading.model) == "v4"
        words = {"index": str(int(site.reading.wire_message[site.position]))}
        message = f"The model thinks, and this message of the assistant does not carry its reasoning{disputed}."
        return Said(message, cause="reasoning", whole=True, variant="passed" if passed else "", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        if f"{self.name}/message" in site.reading.provider.strict:
            return [site.change("Send its reasoning as an empty text", "adds", Set(site.row, Mark.REASONING, ""))]
        if f"{self.name}/item" in site.reading.provider.strict:
            return []
        place = next(place for place in PLACES if _mode(site.reading, place) == "enabled")
        return [site.change("Send this request with thinking disabled", "loses", SetRequest(place, DELETE))]


def _mode(reading: Reading, pointer: str) -> str | None:
    """What a request says of thinking at a place; None where it says nothing."""
    held: Any = reading.view.transcript.table.request
    for key in pointer.split("/")[1:]:
        held = held.get(key) if isinstance(held, dict) else None
    mode = held.get("type") if isinstance(held, dict) else None
    return mode if isinstance(mode, str) else None


def _thinks(reading: Reading, family: str | None) -> bool:
    """Whether DeepSeek would think: as the request says, else as the model does by itself, else as it did in the dump."""
    said = _mode(reading, "/thinking")
    if said is not None:
        return said != "disabled"
    return family is not None or bool((reading.sent & _told(reading)).any())


def _told(reading: Reading) -> Ints:
    """Mask: rows that show that their message has the field, with a text or empty."""
    view = reading.view
    words = [number for number, word in enumerate(view.transcript.table.types) if word == "reasoning_content"]
    return np.asarray(((view.kind == Kind.REASONING) & np.isin(view.type, words)) | view.marked(Mark.REASONING))


def _firsts(reading: Reading, mask: Ints) -> Ints:
    """The first row of each message of a mask."""
    found = np.flatnonzero(mask)
    return found[np.unique(reading.wire_message[found], return_index=True)[1]]


RULE = ReasoningMissing()
