"""Inspect's logs as they are written by default (`.eval`): a zip archive with a member for each sample and epoch.

The text that stands for the archive is that of its samples, one behind the other. Edits go into the members that they touch; all other
members, and the order of all, stay as they are. A run that crashed has left no header, and perhaps its journal alone.
Source: UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_recorders/eval.py (`header.json`, `_journal/start.json`, `samples/ID_epoch_N.json`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from app.formats._attached import seen
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._inspect import InspectWire
from app.formats._inspect_samples import add_sample, task_of
from app.formats._json import NotJson, loads
from app.formats._log_write import LogWriter
from app.formats._logs import Log, Sheet
from app.formats._nodes import document_in
from app.formats._writing import Writing
from app.formats._zip import MAGIC, Archive, cut
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source, StandIn
from app.model.table import Table
from app.model.transcript import Transcript

_SAMPLE: Final = re.compile(r"samples/.*\.json", re.S)
_TOLD: Final = ("header.json", "_journal/start.json")


class InspectEval(Log):
    name = "inspect-eval"
    summary = "Inspect: a log as a zip archive (.eval)"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(InspectWire(), InspectWire().rewrite, Role.TOOL)

    def value(self, table: Table, source: Source, record: int) -> Any:
        return seen(super().value(table, source, record), table, source, record)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        if not head.startswith(MAGIC):
            return None
        if b"_journal/" in head or (b"header.json" in head and b"samples/" in head):
            return Confidence(self.name, 0.98, "a zip archive with _journal or samples in it")
        first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
        return Confidence(self.name, 0.95, "a zip archive with samples in it") if first.startswith(b"samples/") else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        if first_look and source.size < source.stamp.size:
            raise UnreadableError(f"{source.name}: an archive is read from its end")
        archive = Archive(source.file())
        held = [(number, m) for number, m in enumerate(archive.members) if _SAMPLE.fullmatch(m.name)]
        if not held and not any(m.name.startswith("_journal/") or m.name in _TOLD for m in archive.members):
            raise UnreadableError(f"{source.name}: a zip archive, and no log of Inspect: it has no samples and no journal")
        task, model = task_of(_told(archive))
        texts = [archive.unpacked(member) for _, member in held]
        source.stand(StandIn(b"\n".join(texts)))
        sheet = Sheet(self.name, self.dialect, source)
        at, bounds = 0, list[tuple[int, int]]()
        for number, ((_, member), text) in enumerate(zip(held, texts, strict=True)):
            bounds.append((at, at + len(text)))
            node = document_in(source, *bounds[-1], f"/{member.name.replace('~', '~0').replace('/', '~1')}")
            if isinstance(node.value, dict):
                add_sample(sheet, node, number, task, model)
            at += len(text) + 1
            if progress is not None:
                progress(number / len(held))
        dump = sheet.dump(complete=not first_look)
        dump.table.extra |= {"members": [number for number, _ in held], "bounds": bounds}
        return dump

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        inner = LogWriter(dump, transcripts, self.dialect).plan()
        extra = dump.table.extra
        changed: dict[int, bytes] = {}
        if inner.size != dump.source.size or len(inner.pieces) > 1:
            for number, bound, data in zip(extra["members"], extra["bounds"], cut(inner, extra["bounds"]), strict=True):
                if data != dump.source.read(bound[0], bound[1] - bound[0]):
                    changed[number] = data
        return Archive(dump.source.file()).written(changed, inner.tally)


def _told(archive: Archive) -> Any:
    """What the archive says of the run."""
    for name in _TOLD:
        for member in archive.members:
            if member.name == name:
                try:
                    return loads(archive.unpacked(member))
                except (NotJson, UnreadableError):
                    continue
    return None


FORMAT = InspectEval()
