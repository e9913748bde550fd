"""A view as a preset sees it: its sent messages, in the units of the system that is imitated, whatever wire the dump has."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from app.model.block import Block
from app.model.kinds import Flag, Kind, Role
from app.model.view import View
from app.presets import Message, Part, Style, Talk

Look = Callable[[int], Block]
Raw = Callable[[int], Any]

_KINDS: Final = tuple(Kind)
_ROLES: Final = tuple(Role)
SOME: Final = 4_000  # messages that are made between two pauses

_TIED: Final = frozenset({int(Kind.TOOL_CALL), int(Kind.TOOL_RESULT)})
_NEVER: Final = float("nan")
_SUMMARY: Final = int(Flag.SUMMARY)
_INJECTED: Final = int(Flag.INJECTED)
_TYPED: Final = int(Flag.INJECTED | Flag.PROMPT | Flag.SUMMARY)  # of these an injected block bears the first alone


@dataclass(eq=False)
class _Run:
    """Neighbouring parts of one message on the wire."""

    role: Role
    parts: list[Part]
    record: int

    @property
    def is_result(self) -> bool:
        return bool(self.parts) and all(part.is_result for part in self.parts)


Runs = tuple[list[Part], list[_Run]]


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts made before, for whoever makes talks of nearly the same rows again and again. `marks`: by row, a number for what an edit put
    in place of its content; none for those as they were."""

    known: dict[tuple[int, int], Part]
    marks: Mapping[int, int]


PARTS: Final = "parts"
"""Where a view's readings hold its Parts; none for a view that is looked at once."""


def talk_of(view: View, style: Style, look: Look, raw: Raw | None = None) -> Talk:
    """The sent part of a view. `look` decodes a row; `raw` gives the record of a row as the file has it."""
    making = laid_out(view, runs_of(view, look), style, raw)
    while True:
        try:
            next(making)
        except StopIteration as made:
            talk: Talk = made.value
            return talk


def runs_of(view: View, look: Look) -> Runs:
    """What talks of every style are made of."""
    head, runs = _runs(view, look)
    if view.transcript.table.item is not None:  # on a wire of items, what an assistant says and calls in one answer is one message
        runs = _united(runs, lambda a, b: a.role == b.role == Role.ASSISTANT and not a.is_result and not b.is_result)
    return head, runs


def laid_out(
    view: View, found: Runs, style: Style, raw: Raw | None = None, made: dict[tuple[Role, int, int], Message] | None = None
) -> Generator[None, None, Talk]:
    """A talk in one style; it pauses on the way. Its parts are those of `found`. `made`: messages that other styles have made of them, by
    role, first row and number of parts."""
    head, runs = found
    times = view.transcript.table.records.time.tolist()
    messages: list[Message] = []
    styled = _styled(runs, style)
    known = made if made is not None else {}
    for at in range(0, len(styled), SOME):
        for run in styled[at : at + SOME]:
            key = run.role, run.parts[0].row, len(run.parts)
            message = known.get(key)
            if message is None:
                message = known[key] = _message(run, raw, times)
            messages.append(message)
        yield
    return Talk(messages, head, joins=view.transcript.table.joins and view.transcript.table.item is None)


def _runs(view: View, look: Look) -> tuple[list[Part], list[_Run]]:
    table, start = view.transcript.table, view.start
    head: list[Part] = []
    runs: list[_Run] = []
    before = -1
    rows = view.rows[start:]
    columns = zip(
        range(start, len(view)), rows.tolist(), view.kind[start:].tolist(), view.role[start:].tolist(), view.flags[start:].tolist(),
        view.name[start:].tolist(), view.size[start:].tolist(), view.message[start:].tolist(), view.type[start:].tolist(),
        table.record[rows].tolist(), strict=True,
    )  # fmt: skip
    names, types = table.names, table.types
    store: Parts | None = view.readings.get(PARTS)
    known: dict[tuple[int, int], Part] = store.known if store is not None else {}
    marks: Mapping[int, int] = store.marks if store is not None else {}
    for position, row, kind, role, flags, name, size, message, type_, record in columns:
        key = (row, marks.get(row, 0))
        old = known.get(key)
        if old is not None:
            part = _again(old, position, message)
        else:
            part = Part(
                position=position, kind=_KINDS[kind], size=size, look=partial(look, row), name=names[name] if name >= 0 else "",
                type=types[type_] if type_ >= 0 else "", server=bool(flags & Flag.SERVER), listed=bool(flags & Flag.CONTENT_LIST),
                error=bool(flags & Flag.ERROR), signed=bool(flags & Flag.SIGNED), own_message=message,
                row=row, flags=flags,
            )  # fmt: skip
            if store is not None:
                known[key] = part
        if kind in _TIED and (part.call_id is None or flags & Flag.ID_ABSENT):
            part.call_id = _call_id(view, position, kind)
        if message < 0:
            head.append(part)
        elif message == before:
            runs[-1].parts.append(part)
        else:
            runs.append(_Run(_ROLES[role], [part], record))
        before = message
    return head, runs


def _again(old: Part, position: int, message: int) -> Part:
    """A part made before, where it stands now. What was decoded of it comes along."""
    part = object.__new__(Part)
    part.__dict__.update(old.__dict__)
    part.position, part.own_message = position, message
    return part


def _call_id(view: View, position: int, kind: int) -> str | None:
    """A call's id. Where one of a pair has none, it is that of the other; where neither has, one made of where they stand."""
    if kind not in _TIED:
        return None
    partner = int(view.links.partner[position])
    for at in (position, partner):
        if at >= 0 and view.key[at] >= 0 and not int(view.flags[at]) & Flag.ID_ABSENT:
            return view.transcript.table.ids.text(int(view.key[at]))
    return f"\0{min(position, partner)}" if partner >= 0 else None


def _united(runs: list[_Run], joins: Callable[[_Run, _Run], bool]) -> list[_Run]:
    out: list[_Run] = []
    for run in runs:
        if out and joins(out[-1], run):
            out[-1] = _Run(out[-1].role, [*out[-1].parts, *run.parts], out[-1].record)
        else:
            out.append(run)
    return out


def _styled(runs: list[_Run], style: Style) -> list[_Run]:
    def results(a: _Run, b: _Run) -> bool:
        return a.is_result and b.is_result and a.role == b.role == Role.TOOL

    if style is Style.TURNS:
        alone = [_Run(Role.TOOL, run.parts, run.record) if run.is_result and run.role != Role.USER else run for run in runs]
        return [_Run(Role.USER, run.parts, run.record) if run.role == Role.TOOL else run for run in _united(alone, results)]
    split = [piece for run in runs for piece in _split(run)]
    return split if style is Style.SPLIT else _united(split, results)


def _split(run: _Run) -> list[_Run]:
    """Each result by itself, and what stands between them."""
    if not any(part.is_result for part in run.parts):
        return [run]
    out: list[_Run] = []
    for part in run.parts:
        if part.is_result:
            out.append(_Run(Role.TOOL, [part], run.record))
        elif out and not out[-1].is_result:
            out[-1].parts.append(part)
        else:
            out.append(_Run(run.role, [part], run.record))
    return out


def _message(run: _Run, raw: Raw | None, times: list[float]) -> Message:
    """`times`: of the records."""
    time = times[run.record] if run.record >= 0 else _NEVER
    summary, injected = marked(run.parts)
    return Message(
        role=run.role,
        parts=run.parts,
        raw=partial(raw, run.parts[0].row) if raw is not None and run.record >= 0 else None,
        time=None if time != time else time,
        summary=summary,
        injected=injected,
    )


def marked(parts: list[Part]) -> tuple[bool, bool]:
    """Whether a message of these is a summary, and whether no person typed it."""
    summary, injected = 0, True
    for part in parts:
        summary |= part.flags & _SUMMARY
        injected = injected and part.flags & _TYPED == _INJECTED
    return bool(summary), injected
