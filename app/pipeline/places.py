"""Where a place is, as the rows stand when it is used: the turn that answers is looked up then, not when the edit was made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.model.edits import After, Before, End, HeadOf, Place
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.pipeline.draft import Draft
from app.pipeline.line import BEFORE, BEHIND, Line


@dataclass(frozen=True)
class Spot:
    """A place found: behind or before `anchor` (-1: at the very end, or in a gap where the anchor is gone). `join`: part of the
    anchor's message. `role`: of a message that is made there, None: the block's own."""

    anchor: int
    behind: bool
    join: bool = False
    role: Role | None = None
    gap: int = -1
    side: int = BEHIND


class Places:
    """Finds places along a line and puts rows there."""

    def __init__(self, draft: Draft, line: Line, provider: Provider, kept: Ints) -> None:
        """`kept`: mask over the order before the edits, the rows of `line`."""
        self._draft = draft
        self._line = line
        self._provider = provider
        self._kept = kept
        self._ends: dict[int, int] = {}  # row of a turn to the turn's last row
        self._leads: dict[int, int] = {}  # last row of a turn to the last result that leads the answer
        self.emptied: set[int] = set()  # rows of empty messages that got a block

    def find(self, place: Place) -> Spot:
        if isinstance(place, End):
            return Spot(-1, True)
        if isinstance(place, HeadOf):
            return self._head_of(place.row)
        if not self._line.has(place.row):
            return self._gone(place)
        behind = isinstance(place, After)
        anchor = place.row if place.join else self._edge(place.row, behind)
        return Spot(anchor, behind, place.join)

    def put(self, row: int, spot: Spot) -> None:
        if spot.anchor < 0:
            if spot.gap < 0:
                self._line.put_last(row)
            else:
                self._line.put_into(row, spot.gap, spot.side)
        elif spot.behind:
            self._line.put_behind(row, spot.anchor)
        else:
            self._line.put_before(row, spot.anchor)
        if spot.join:
            self._joined(spot.anchor)

    def _joined(self, anchor: int) -> None:
        """A message gets a further block: an empty one is empty no more, and content that was a string is written as a list."""
        kind = self._draft.get("kind", anchor)
        if kind == Kind.EMPTY:
            self.emptied.add(anchor)
        elif kind == Kind.TEXT:
            self._draft.flag(anchor, 0, Flag.CONTENT_LIST)

    def _edge(self, row: int, behind: bool) -> int:
        """The outermost row of the message that `row` stands in: a message of its own never stands inside another."""
        message = self._draft.get("message", row)
        if message < 0:
            return row
        step = self._line.next if behind else self._line.previous
        further = step(row)
        while further >= 0 and self._draft.get("message", further) == message:
            row, further = further, step(further)
        return row

    def _gone(self, place: Before | After) -> Spot:
        """The place of a row that the same change takes away: the gap that it leaves."""
        order = self._draft.transcript.order
        found = np.flatnonzero(order == place.row)
        position = int(found[0]) if len(found) else len(order)
        gap = int(np.count_nonzero(self._kept[:position]))
        return Spot(-1, False, gap=gap, side=BEFORE if position >= self._draft.transcript.start else BEHIND)

    # -- the head of the turn that answers --------------------------------------------------------------------------------------

    def _head_of(self, call: int) -> Spot:
        if not self._line.has(call):
            return self._gone(After(call))
        spot = self._answering(call)
        if self._draft.table.inside and self._home(spot.anchor) != self._home(call):
            end = self._home_end(call)
            return Spot(end, True, self._draft.table.joins and self._draft.get("kind", end) == Kind.TOOL_RESULT, self._role)
        return spot

    def _answering(self, call: int) -> Spot:
        """The place where the turn that answers a call begins, by what the provider takes for it."""
        end = self._turn_end(call)
        lead = self._lead(end)
        role = self._role
        if self._provider.pairing in ("contiguous-run", "anywhere"):
            return Spot(lead if lead >= 0 else end, True, role=role)
        joins = self._draft.table.joins
        if lead >= 0 and not joins and self._inside(lead):
            return Spot(self._edge(lead, False), False, role=role)  # a message of its own never stands inside another
        if lead >= 0:
            return Spot(lead, True, joins, role)
        answer = self._line.next(end)
        if self._provider.pairing == "count" and joins and not self._holds_results(answer):
            return Spot(end, True, role=role)  # a content of its own: the prompt behind it stays one
        if answer >= 0 and answer != self._wall and self._draft.get("role", answer) in (role, self._provider.answers):
            return Spot(answer, False, joins, role)
        return Spot(end, True, role=role)

    def _home(self, row: int) -> int:
        """The record that a row stands in, or was made to stand in; -1 where there is none."""
        record, made = self._draft.table.record, self._draft.made.get(row)
        home = row if made is None else made.call if made.kind == Kind.TOOL_RESULT else -1
        return int(record[home]) if 0 <= home < len(record) else -1

    def _home_end(self, call: int) -> int:
        """The last row in a stretch that stands in the record of a call."""
        row, home = call, self._home(call)
        while home >= 0 and (further := self._line.next(row)) >= 0 and self._home(further) == home:
            row = further
        return row

    def _holds_results(self, row: int) -> bool:
        """Whether the message that begins with a row has a result in it, or nothing at all."""
        if row < 0 or self._draft.get("kind", row) == Kind.EMPTY:
            return row >= 0
        message = self._draft.get("message", row)
        while row >= 0 and self._draft.get("message", row) == message:
            if self._draft.get("kind", row) == Kind.TOOL_RESULT:
                return True
            row = self._line.next(row)
        return False

    def _inside(self, row: int) -> bool:
        """Whether the message of a row goes on behind it."""
        further = self._line.next(row)
        return further >= 0 and self._draft.get("message", further) == self._draft.get("message", row)

    def _turn_end(self, call: int) -> int:
        """Last row of the joined turn in which a call stands."""
        get = self._draft.get
        message = get("message", call)
        row = self._ends.get(call, call)
        passed = [call]
        further = self._line.next(row)
        while further >= 0 and (get("message", further) == message or self._joined_to(call, further)):
            row = self._ends.get(further, further)
            passed.append(further)
            further = self._line.next(row)
        self._ends.update(dict.fromkeys(passed, row))
        return row

    def _joined_to(self, call: int, further: int) -> bool:
        """Whether a row of a later message belongs to the turn in which a call stands."""
        get, provider = self._draft.get, self._provider
        if self._draft.table.item is not None and provider.calls_alone:
            return get("kind", further) == Kind.TOOL_CALL and not get("flags", further) & Flag.SERVER
        role = get("role", call)
        joins = role in provider.joins or (self._draft.table.item is not None and role == Role.ASSISTANT)
        return joins and get("role", further) == role

    def _lead(self, end: int) -> int:
        """The last of the results that lead the answer to the turn that ends in a row; -1 where none do."""
        get = self._draft.get
        lead = self._leads.get(end, -1)
        row = self._line.next(lead if lead >= 0 else end)
        while row >= 0 and get("kind", row) == Kind.TOOL_RESULT and not get("flags", row) & Flag.SERVER and self._answers(get("role", row)):
            if lead >= 0 and self._one_message and get("message", row) != get("message", lead):
                break
            lead = row
            row = self._line.next(row)
        if lead >= 0:
            self._leads[end] = lead
        return lead

    @cached_property
    def _wall(self) -> int:
        """The first row that the model sees, where it does not see all: a turn in front of it is not answered there. -1: none."""
        transcript = self._draft.transcript
        return int(transcript.order[transcript.start]) if 0 < transcript.start < len(transcript.order) else -1

    @cached_property
    def _one_message(self) -> bool:
        """Whether the results must stand in one message, and the dump's wire has messages of several results."""
        provider = self._provider
        return provider.pairing in ("next-message", "count") and provider.answers not in provider.joins and self._draft.table.joins

    def _answers(self, role: int) -> bool:
        return role in (self._provider.answers, self._role, Role.TOOL, Role.FUNCTION)

    @cached_property
    def _role(self) -> Role:
        """Role of a message that holds results: what the dump's own wire has, whoever judges it."""
        table = self._draft.table
        if table.answers is not None:
            return table.answers
        roles = np.unique(table.role[table.kind == Kind.TOOL_RESULT])
        return next((role for role in (Role.TOOL, Role.USER) if role in roles), self._provider.answers)
