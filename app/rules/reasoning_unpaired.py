"""A reasoning item without the item that it led to, or the other way round (OpenAI Responses).

While items carry the ids that the server gave them, it wants both together. A reasoning item with an id that is last, or is followed by a
message of the user, by an output, or by an item that lost its id, is refused; two live runs saw it taken where the request says
`store: false` and the reasoning is encrypted.

The other half cannot be seen: a call or message that keeps its id and lost its reasoning looks like one that never had any, and recorded
requests with status 200 hold 33 such calls and 5 such messages. It is a warning, for models that reason, one for each turn.

Evidence: continuedev/continue#8933; vercel/ai#7099, #8379, PR #10829; openai/openai-node#1567; pydantic/pydantic-ai@4fda389
(test_openai_responses_thinking_with_modified_history, 400); accepted with encrypted content: jin-bo/agentao#321. The other half:
0xPlaygrounds/rig#751; mastra-ai/mastra#8738, #9005; QwenLM/qwen-code PR #11684.

Repair: encrypted reasoning is sent by value, without its id; other reasoning goes, and the ids of what was emitted with it. For the
warning the ids go; the calls stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._items import chained, id_of, own_ids, stored, turn_after, without_ids
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningUnpaired(Rule):
    name = "reasoning-unpaired"
    summary = "a reasoning item without the item that it led to, or an item without its reasoning"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        own = own_ids(reading)
        if own is None:
            return []
        return [self.hit(reading, self._alone(reading, own)), self.hit(reading, self._bare(reading, own), severity="warning")]

    def _alone(self, reading: Reading, own: Ints) -> Ints:
        """Reasoning items whose follower is missing or has no id."""
        view, wire = reading.view, reading.wire
        thinks = view.kind[wire] == Kind.REASONING
        kept = (view.flags[wire] & Flag.SIGNED) != 0 if not stored(reading) else np.zeros(len(wire), bool)
        asked = np.flatnonzero(thinks & (own[wire] >= 0) & ~kept)
        others = np.flatnonzero(~thinks)
        index = np.searchsorted(others, asked)
        last = index == len(others)
        follower = wire[others[np.minimum(index, max(0, len(others) - 1))]] if len(others) else np.zeros(len(asked), np.int64)
        led = ((view.role[follower] == Role.ASSISTANT) | (view.role[follower] == Role.OTHER)) & (own[follower] >= 0)
        bad = np.where(last, reading.mode == "complete", ~led)
        return wire[asked[bad]]

    def _bare(self, reading: Reading, own: Ints) -> Ints:
        """The first item with an id of each turn of the assistant that has no reasoning."""
        view, wire = reading.view, reading.wire
        thinks = view.kind == Kind.REASONING
        family = reading.provider.family(reading.model)
        if family == "plain" or (family is None and not thinks[wire].any()) or not stored(reading) or chained(reading):
            return wire[:0]
        turn = reading.turn[wire]
        with_reasoning = np.zeros(reading.turns, bool)
        with_reasoning[turn[thinks[wire] | self._refers(reading)[wire]]] = True
        bare = (view.role[wire] == Role.ASSISTANT) & (own[wire] >= 0) & np.isin(view.kind[wire], (Kind.TOOL_CALL, Kind.TEXT))
        bare &= ~with_reasoning[turn]
        at = wire[bare]
        return at[np.unique(reading.turn[at], return_index=True)[1]]

    def _refers(self, reading: Reading) -> Ints:
        types = reading.view.transcript.table.types
        return np.isin(reading.view.type, [number for number, word in enumerate(types) if word == "item_reference"])

    def say(self, site: Site) -> Said:
        own = id_of(site.scene, site.position) or ""
        if site.kind != Kind.REASONING:
            message = f"This item keeps the id {own}, and no reasoning stands before it in its turn."
            reason = "Where there was some, it is refused; only the server knows. Without the id it is sent by value."
            words = {"type": self._type(site)}
            return Said(message, reason, (own, *site.ids), cause=f"item {own}", whole=True, variant="item", words=words)
        wire, at = site.reading.wire, int(site.scene.on_wire[site.position]) + 1
        while at < len(wire) and site.scene.view.kind[wire[at]] == Kind.REASONING:
            at += 1
        further = int(wire[at]) if at < len(wire) else None
        if further is None:
            reason = "It is the last item."
        elif site.scene.view.role[further] == Role.ASSISTANT:
            reason = f"What follows it has lost its id, at {site.scene.message_pointer(further)}."
        else:
            reason = f"What the model said or called next is not there; {site.scene.message_pointer(further)} follows."
        return Said("This reasoning item stands without the item that it led to.", reason, (own,), cause=f"item {own}", whole=True)

    def _type(self, site: Site) -> str:
        return site.scene.type(site.position) if site.kind == Kind.TOOL_CALL else "message"

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind != Kind.REASONING:
            turn = site.reading.of_turn(site.turn).tolist()
            return [site.change("Delete the server's ids of this turn", "exact", *without_ids(site, turn))]
        found = []
        if site.flags & Flag.SIGNED:
            found.append(site.change("Send it by value, without its id", "exact", Set(site.row, "message.id", DELETE)))
        edits = without_ids(site, turn_after(site, site.position))
        title = "Drop the reasoning and the ids of what came with it" if edits else "Drop the reasoning"
        found.append(site.change(title, "loses", Drop(_fixes.rows(site, [site.position])), *edits))
        return found


RULE = ReasoningUnpaired()
