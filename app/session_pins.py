"""What a person pins: rows that no plan touches. They are kept by the rows that hold them, and beside the dump only when asked."""

from __future__ import annotations

from typing import Any

from app.model.errors import InspectorError
from app.model.pins import Aside, Pins, Unit
from app.model.state import Changed
from app.session_filter import Filters


class Pinning(Filters):
    """`set_pins` and what is made of it. What pins come to is found by the helper process, with the next analysis."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.answered.connect(self._take_aside)

    @property
    def pins(self) -> Pins:
        """The pins of the chosen transcript."""
        return self._pins.get(self.state.chosen, Pins())

    def set_pins(self, pins: Pins) -> None:
        if self.state.view is None or pins == self.pins:
            return
        self._pins[self.state.chosen] = pins
        self._set(Changed.PLAN, pins=pins, checked={})
        self._analyse()

    def pin(self, exchange: int, on: bool = True) -> None:
        """Pins an exchange. A pin is held by a row, so that it stays with it whatever an edit does to the numbers of exchanges."""
        view = self.state.view
        if view is None or not 0 <= exchange < view.groups.exchanges:
            return
        held = self.pins.exchanges & set(view.rows[view.groups.exchange == exchange].tolist())
        row = next(iter(held), int(view.rows[view.groups.first[exchange]]))
        pinned = self.state.pinned | {exchange} if on else self.state.pinned - {exchange}
        self.state = self.state.with_(pinned=frozenset(pinned))
        self.set_pins(self.pins.with_row("exchange", row, on))

    def pin_row(self, unit: Unit, row: int, on: bool = True) -> None:
        """Pins the exchange or the step in which a row stands, or the row alone."""
        view = self.state.view
        at = view.at(row) if view is not None else -1
        if view is None or at < 0:
            return
        if unit == "exchange":
            self.pin(int(view.groups.exchange[at]), on)
            return
        if unit == "step":
            step = int(view.groups.step[at])
            if step < 0:
                return
            held = self.pins.steps & set(view.rows[view.groups.step == step].tolist())
            row = next(iter(held), int(view.rows[view.groups.step_first[step]]))
        self.set_pins(self.pins.with_row(unit, row, on))

    def pin_lists(self) -> dict[int, Pins]:
        """The pins of each transcript by index, where some are set."""
        return {index: pins for index, pins in self._pins.items() if pins}

    def take_pins(self, lists: dict[int, Pins]) -> None:
        """Pins by index of the transcript, beside those that are set."""
        if lists:
            self._pins |= {index: pins.united(self._pins.get(index, Pins())) for index, pins in lists.items()}
            self._set(Changed.PLAN, pins=self.pins, checked={})
            self._analyse()

    # -- beside the dump ----------------------------------------------------------------------------------------------------------

    def keep_pins(self) -> str:
        """Writes all pins beside the dump; where, or "" where that failed: `failed` says why."""
        from app.pipeline.blocks import Blocks
        from app.pipeline.pin_file import save

        dump = self.state.dump
        if dump is None:
            return ""
        try:
            path = save(dump, self._pins, lambda transcript: Blocks(dump, transcript))
        except InspectorError as error:
            self.failed.emit(str(error))
            return ""
        self._set(Changed.PLAN, aside=None)
        return str(path)

    def use_aside(self, on: bool = True) -> None:
        """Takes the pins that were found beside the dump, or leaves them."""
        aside, dump = self.state.aside, self.state.dump
        self._set(Changed.PLAN, aside=None)
        if not on or aside is None or dump is None:
            return
        for index, transcript in enumerate(dump.transcripts):
            if transcript.id in aside.pins:
                self._pins[index] = aside.pins[transcript.id]
        self._set(Changed.PLAN, pins=self.pins, checked={})
        self._analyse()

    def look_aside(self) -> None:
        """Whether pins lie beside the dump that was opened; the answer is part of the state."""
        from app.pipeline.pin_file import path_of

        dump = self.state.dump
        if dump is not None and dump.source.path is not None:
            path = path_of(dump.source.path)
            if path.is_file():
                self.ask("pins-aside", str(path))

    def _take_aside(self, answer: Any) -> None:
        if answer.about != "pins-aside":
            return
        if answer.error:
            self.failed.emit(answer.error)
        elif isinstance(answer.answer, Aside) and (answer.answer.count or answer.answer.missing):
            self._set(Changed.PLAN, aside=answer.answer)
