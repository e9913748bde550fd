"""Something stands behind a client's call in a turn of the assistant (Anthropic).

Behind the first `tool_use` of a joined assistant turn nothing but further calls may stand: no reasoning, no finished pair of a provider's
tool, no `fallback` block; and no text where the turn has reasoning. Text alone, in a turn without reasoning, is disputed: three reports
of a 400 (can1357/oh-my-pi#544, BerriAI/litellm#22946, openclaw/openclaw#27890) against the control runs of stacklok/mecatl#1465, which
were accepted. So that is a warning. One finding a turn, at the first such block, also where it came in as a second assistant message.

Evidence: stacklok/mecatl#1465 (a live comparison: [thinking, tool_use, text] 400, [thinking, text, tool_use] 200); can1357/oh-my-pi#4781,
#1163 (captured requests); vercel/ai#13013; anthropics/anthropic-sdk-typescript#841.

Repair: text moves in front of the first call, behind the reasoning (the one move inside a signed turn that a live comparison saw
accepted); where a second reasoning block follows in a message of its own, the results of the first calls move between the two messages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Before, Change, Edit, Move
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.pairs import one_of
from app.model.provider import Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Scene, Site


class ContentAfterToolCall(Rule):
    name = "content-after-tool-call"
    summary = "something other than a call behind a call in the assistant's turn"

    def check(self, reading: Reading) -> Sequence[Hit]:
        refused, disputed = _behind(reading)
        turn = reading.turn
        at = _first_of_turn(reading, refused)
        doubtful = _first_of_turn(reading, disputed)
        doubtful = doubtful[~np.isin(turn[doubtful], turn[at])]
        return [self.hit(reading, at), self.hit(reading, doubtful, severity="warning")]

    def say(self, site: Site) -> Said:
        disputed = site.severity == "warning"
        what = "provider's tool" if site.scene.view.server[site.position] else site.kind.word
        message = f"This {what} block stands behind a call in its turn"
        message += " (reports disagree on whether that is refused)." if disputed else "; only further calls may."
        calls = _calls_before(site.scene, site.position)
        reason = f"The first call of the turn is at {site.scene.pointer(calls[0])}." if calls else ""
        ids = site.ids if site.scene.view.server[site.position] else ()
        place = site.reading.provider.places["message"]
        words = {
            "ids": ", ".join(site.scene.call_id(at) or "" for at in calls),
            "answer": place.format(turn=site.turn + 1, message=site.turn + 1),
        }
        return Said(message, reason, ids, f"turn {site.turn}", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        scene, reading = site.scene, site.reading
        refused, disputed = _behind(reading)
        turn = reading.of_turn(site.turn)
        wrong = [int(at) for at in turn[(refused | disputed)[turn]]]
        reasons = bool((scene.view.kind[turn] == Kind.REASONING).any())
        fixed = [at for at in wrong if scene.view.kind[at] == Kind.REASONING or (reasons and scene.view.kind[at] != Kind.TEXT)]
        calls = _calls_before(scene, site.position)
        if not calls:
            return []
        found: list[Change] = []
        if not fixed:
            edits: list[Edit] = [Move(site.row_of(at), Before(site.row_of(calls[0]), join=True)) for at in wrong]
            found.append(site.change("Move it in front of the first call", "exact", *edits))
        else:
            split = self._split(site, fixed[0])
            found += [split] if split is not None else []
        away = list(fixed or wrong)
        away += [int(reading.partner[at]) for at in away if reading.partner[at] >= 0]
        return [*found, _fixes.drop(site, "Drop what stands behind the call", away)]

    def _split(self, site: Site, block: int) -> Change | None:
        """The results of the calls before a message go in front of it, where every one of them is there and in a message before."""
        scene, reading = site.scene, site.reading
        calls = _calls_before(scene, block)
        head = scene.message_of(block)[0]
        results = [int(reading.partner[call]) for call in calls]
        if any(reading.wire_message[call] == reading.wire_message[head] for call in calls) or min(results) < 0:
            return None
        edits = (Move(site.row_of(result), Before(site.row_of(int(head)))) for result in results)
        return site.change("Move the results of the first calls between the two messages", "exact", *edits)


def _behind(reading: Reading) -> tuple[Ints, Ints]:
    """Masks over positions: what is refused behind a call of its turn, and text of which that is disputed."""
    view = reading.view
    key = ("content-after-tool-call", reading.provider.name)
    if key in view.readings:
        return view.readings[key]
    wire, turn = reading.wire, reading.turn[reading.wire]
    kind, server = view.kind[wire], view.server[wire]
    assistant = reading.turn_role[turn] == Role.ASSISTANT
    calls = np.flatnonzero(view.calls[wire] & assistant)
    first = np.full(reading.turns, len(wire), np.int64)
    first[turn[calls[::-1]]] = calls[::-1]
    behind = assistant & (np.arange(len(wire)) > first[turn])
    reasons = np.zeros(reading.turns, bool)
    reasons[turn[kind == Kind.REASONING]] = True
    finished = server & ((kind == Kind.TOOL_RESULT) | (reading.partner[wire] >= 0))
    types = view.transcript.table.types
    fallback = one_of(view.type[wire], [i for i, word in enumerate(types) if word == "fallback"])
    text = (kind == Kind.TEXT) & ((view.flags[wire] & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK)) == 0)
    refused, disputed = np.zeros(len(view), bool), np.zeros(len(view), bool)
    refused[wire] = behind & ((kind == Kind.REASONING) | finished | fallback | (text & reasons[turn]))
    disputed[wire] = behind & text & ~reasons[turn]
    view.readings[key] = refused, disputed
    return refused, disputed


def _first_of_turn(reading: Reading, mask: Ints) -> Ints:
    """The first position of each turn that is in a mask, in the order of the wire."""
    found = reading.wire[mask[reading.wire]]
    return found[np.unique(reading.turn[found], return_index=True)[1]]


def _calls_before(scene: Scene, position: int) -> list[int]:
    """The client's calls that stand before a block in its turn."""
    turn = scene.reading.of_turn(int(scene.reading.turn[position]))
    index = int(np.flatnonzero(turn == position)[0])
    return [int(at) for at in turn[:index] if scene.view.calls[at]]


RULE = ContentAfterToolCall()
