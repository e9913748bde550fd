"""What the window reads of a session: blocks, bytes, places and words. Nothing here asks the helper process or changes anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QObject

from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.open_call import OpenCall
from app.model.passages import Passage
from app.model.preset import PresetFact
from app.model.state import State
from app.model.table import RecordKind
from app.model.transcript import Transcript
from app.pipeline.names import format_named, format_summaries, provider_titles

ERROR_MOST = 40_000  # characters of a text that is taken for an error without being asked
_LIST = re.compile(r'"(?:messages|contents|input|parentUuid)"\s*:\s*[\[{"n]')


class Reads(QObject):
    """Answers at once, from the state and the open file."""

    state: State

    def block(self, row: int) -> Block:
        """A block as the edits left it, decoded now. InspectorError where the file no longer holds it."""
        from app.pipeline import look

        dump, transcript = self._open()
        return look.block(dump, transcript, row)

    def raw(self, row: int) -> bytes:
        """The bytes of the record that a row stands in; empty for a row that an edit made."""
        from app.pipeline import look

        dump, transcript = self._open()
        record = int(transcript.table.record[row])
        return look.raw(dump, dump.table, record) if record >= 0 else b""

    def raw_record(self, record: int) -> bytes:
        from app.pipeline import look

        dump = self._open()[0]
        return look.raw(dump, dump.table, record)

    def original(self, row: int) -> Block | None:
        """A block as the file has it; None for a row that an edit made."""
        from app.pipeline import look

        dump, transcript = self._open()
        if row >= len(dump.table):
            return None
        return look.block(dump, self.state.base or transcript, row)

    def pointer(self, row: int) -> str:
        """JSON pointer of a row in the file; "" for a row that an edit made."""
        transcript = self._open()[1]
        if int(transcript.table.record[row]) < 0:
            return ""
        return self.block(row).pointer or transcript.table.pointer(int(transcript.table.record[row]))

    def line(self, row: int) -> int | None:
        """The line of a JSONL file in which a row stands, from 1; None for a document."""
        return self.line_of(int(self._open()[1].table.record[row]))

    def line_of(self, record: int) -> int | None:
        """The line of a JSONL file that a record is, from 1; None for a document, or where there is no such record."""
        dump, _ = self._open()
        if record < 0 or not getattr(format_named(dump.format), "lines", dump.format == "claude-code"):
            return None
        return int(dump.table.records.place[record]) + 1

    def open_call(self, row: int) -> OpenCall | None:
        """The call of a row that waits for its real result; None where it waits for none."""
        from app.pipeline import answer

        dump, view = self.state.dump, self.state.view
        return answer.open_call(dump, view, row) if dump is not None and dump.complete and view is not None else None

    def recorded(self, row: int) -> Block:
        """A block of the dump, though it be in no transcript that is shown."""
        from app.pipeline import look

        dump, transcript = self._open()
        return look.block(dump, self.state.base or transcript, row)

    def titles(self) -> dict[str, str]:
        """Providers that can judge: name to what people call them."""
        return provider_titles()

    def rule_help(self, rule: str) -> tuple[Passage, ...]:
        """What a rule looks for, why, an example of it, and on which evidence; nothing for an unknown one."""
        from app.pipeline.rule_text import rule_help  # it checks and mends its examples with all that there is

        return rule_help(rule, self.state.provider)

    def wires(self) -> dict[str, str]:
        """Wires that what would be sent can be written in: name to meaning. The dump's own format is "": absent where it is only read and
        something was changed."""
        from app.pipeline.wires import WIRES

        dump, changed = self.state.dump, bool(self.state.history.active)
        meanings = format_summaries()
        own = {"": f"{dump.format}, the whole dump as it came in"} if dump and (format_named(dump.format).writable or not changed) else {}
        return {**own, **{name: f"{name}: what this transcript would send" for name in WIRES if name in meanings}}

    def formats(self) -> dict[str, str]:
        """Formats that a file can be opened as: name to one line of meaning."""
        return format_summaries()

    def presets(self) -> tuple[PresetFact, ...]:
        """Presets that can be imitated, by name."""
        from app.presets import PRESETS

        return tuple(
            PresetFact(
                one.name, one.summary, one.family, one.imitates, one.source, one.grade, one.unit, one.minimum, one.breaks_pairs,
                tuple((setting.name, setting.default, setting.help) for setting in one.settings), one.leaves_words,
            )
            for one in PRESETS.values()
        )  # fmt: skip

    def preset_params(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter of a preset, those given as texts read. InspectorError, one clear line, where one will not do."""
        from app.pipeline.catalogue import strategy_named

        return strategy_named(name).read_params(given)

    def is_error(self, text: str) -> bool:
        """Whether a text is what a provider said, and no dump: some of its words are known, and it holds no list of messages."""
        from app.matching import hear

        return len(text) <= ERROR_MOST and not _LIST.search(text) and bool(hear(text).meant)

    def unparsed(self) -> list[int]:
        """Records that could not be read, in the order of the file."""
        dump, _ = self._open()
        return np.flatnonzero(dump.table.records.kind == RecordKind.UNPARSED).tolist()

    def _open(self) -> tuple[Dump, Transcript]:
        dump, transcript = self.state.dump, self.state.transcript
        if dump is None or transcript is None:
            raise InspectorError("no file is open")
        return dump, transcript
