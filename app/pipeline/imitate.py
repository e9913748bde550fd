"""A preset as a strategy: it is run on a view as a whole, and what it decided becomes actions for the plan and edits for the transcript.

It goes by its own gates, never by the budget, and does all that it does in one action. What a person pinned it leaves alone, and the
partners of what is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

import numpy as np

from app.formats import FORMATS
from app.formats._facts import facts_of
from app.formats._json import compact
from app.model.block import Block
from app.model.edits import After, Before, Content, Drop, Edit, End, HeadOf, Insert, Made, Move, Place, Replace, Set, Stub, Words
from app.model.kinds import Kind, Role
from app.model.plan import NEVER, Actions
from app.model.table import Ints
from app.model.view import View
from app.pipeline.spared import without_pinned
from app.pipeline.talk import talk_of
from app.presets import Preset, Put, Work
from app.strategies import Ask, Strategy, counted
from app.strategies._savings import last_of_messages, never, saved
from app.strategies._system import JUDGED_BY, with_neighbours

MOST_TEXTS: Final = 30_000  # different texts that a column of contents can number; further ones are edits of their own
UNITS: Final = {"results": "results", "messages": "messages", "parts": "blocks"}


class Imitated(Strategy):
    """A preset where strategies are asked for. Made by `imitated`."""

    preset: ClassVar[Preset]
    gated: ClassVar[bool] = True
    place: ClassVar[int] = 100

    def actions(self, ask: Ask) -> Actions:
        work = self._work(ask)
        if not work:
            return Actions(np.empty(0, np.int64), never(len(ask.view)), never(len(ask.view)))
        view = ask.view
        drop_at, replace_at = never(len(view)), never(len(view))
        content = np.full(len(view), -1, np.int16)
        drop_at[sorted(work.dropped)] = 0
        contents = _contents(work)
        numbers = {one: number for number, one in enumerate(contents)}
        for position, one in _shown(work):
            if one in numbers and position not in work.dropped:
                replace_at[position], content[position] = 0, numbers[one]
        freed = _freed(ask, work, drop_at)
        return Actions(np.asarray([freed], np.int64), replace_at, drop_at, contents, content, approximate=ask.rough)

    def _work(self, ask: Ask) -> Work:
        key = ("imitated", self.name, ask.provider.name, repr(sorted(ask.params.items())))
        if key not in ask.view.readings:
            if ask.block is None:
                raise ValueError("a preset is ranked with the blocks at hand")
            talk = talk_of(ask.view, self.preset.style, ask.block, ask.raw)
            done = without_nothing(ask.view, ask.block, without_pinned(ask, self.preset.run(talk, ask.params), not self.breaks_pairs))
            if not self.breaks_pairs:
                _with_notes(ask, done)
            ask.view.readings[key] = done
        work: Work = ask.view.readings[key]
        return work

    def edits(self, ask: Ask, actions: Actions) -> tuple[Edit, ...] | None:
        return tuple(edits_of(ask.view, self._work(ask)))

    # -- words --------------------------------------------------------------------------------------------------------------------

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        view = ask.view
        sent = view.in_messages.copy()
        sent[: view.start] = False
        touched = (actions.drop_at < NEVER) | (actions.replace_at < NEVER)
        if self.preset.takes == "messages":
            here = view.message[sent]
            units = len(np.unique(here))
            kept = units - len(np.unique(view.message[sent & touched]))
        else:
            mine = sent & view.results if self.preset.takes == "results" else sent
            units, kept = int(mine.sum()), int((mine & ~touched).sum())
        return np.asarray([units, kept][: len(actions.saved) + 1], np.int32), units

    def act(self, length: int, gone: int) -> str:
        if not length:
            return "does nothing here"
        verb = {"results": "shorten", "messages": "drop", "parts": "change"}[self.preset.takes]
        return f"{verb} {counted(gone, self.unit[:-1], self.unit)}" if gone else "mend"

    def read_params(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return self.preset.read(given)


def imitated(preset: Preset) -> Imitated:
    """The preset as a strategy."""
    members = {
        "preset": preset, "name": preset.name, "summary": preset.summary, "unit": UNITS[preset.takes],
        "breaks_pairs": preset.breaks_pairs, "__doc__": preset.summary,
    }  # fmt: skip
    return type("Imitated", (Imitated,), members)()


def without_nothing(view: View, look: Callable[[int], Block], work: Work) -> Work:
    """Without edits that put the same in place of what is there: a second run changes nothing."""
    for position in [at for at, text in work.texts.items() if view.size[at] == len(text)]:
        block = look(int(view.rows[position]))
        if "".join(block.texts) == work.texts[position] and len(block.texts) <= 1 and not block.media:
            del work.texts[position]
    for position in list(work.inputs):
        if look(int(view.rows[position])).texts == (compact(work.inputs[position]),):
            del work.inputs[position]
    return work


def _with_notes(ask: Ask, work: Work) -> None:
    """System messages in the list leave with what they stood beside, where the provider would then refuse their place (see _system.py)."""
    view = ask.view
    if JUDGED_BY not in ask.provider.judges or not (work.dropped or work.puts):
        return
    drop_at = never(len(view))
    drop_at[sorted(work.dropped)] = 0
    noted = with_neighbours(view, ask.provider, ask.guard, drop_at)
    work.dropped |= set(np.flatnonzero(noted < NEVER).tolist())
    for put in work.puts:
        if put.kind != Kind.TEXT or put.role != Role.USER:
            continue
        at = (put.before if put.before >= 0 else len(view)) - 1
        while at >= view.start and (at in work.dropped or ask.guard.system[at]):
            if ask.guard.system[at] and not ask.guard.pinned[at]:
                work.dropped.add(at)
            at -= 1


# -- what takes the place of what -----------------------------------------------------------------------------------------------------


def _content(work: Work, position: int) -> Content:
    text = work.texts[position]
    return Stub(text) if position in work.stubs else Words(text)


def _shown(work: Work) -> Iterator[tuple[int, Content]]:
    """What stands at each position that gets another content, as it is painted."""
    for position in sorted(work.texts):
        yield position, _content(work, position)
    for position, value in sorted(work.contents.items()):
        yield position, Words("\n".join(facts_of(value).texts))
    for position, value in sorted(work.inputs.items()):
        yield position, Words(compact(value))


def _contents(work: Work) -> tuple[Content, ...]:
    return tuple(dict.fromkeys(one for _, one in _shown(work)))[:MOST_TEXTS]


# -- edits --------------------------------------------------------------------------------------------------------------------------


def edits_of(view: View, work: Work) -> Iterator[Edit]:
    """What a preset decided, as edits of the view that it saw."""
    rows = view.rows
    if work.dropped:
        yield Drop(rows[sorted(work.dropped)])
    alike: dict[Content, list[int]] = {}
    for position in sorted(work.texts.keys() - work.dropped):
        alike.setdefault(_content(work, position), []).append(position)
    for number, (one, positions) in enumerate(alike.items()):
        if number < MOST_TEXTS:
            yield Replace(rows[positions], one)
            continue
        for position in positions:
            field = "content" if view.kind[position] == Kind.TOOL_RESULT else "text"
            yield Set(int(rows[position]), field, work.texts[position])
    for position, value in sorted(work.contents.items()):
        yield Set(int(rows[position]), "content", value)
    for position, value in sorted(work.inputs.items()):
        yield Set(int(rows[position]), "input", value)
    for position, behind in work.joins:
        place = After(int(rows[behind]), True) if behind >= 0 else Before(int(rows[-1 - behind]), True)
        yield Move(int(rows[position]), place)
    for position in work.first:
        yield Move(int(rows[position]), Before(int(rows[view.start + int(np.argmax(view.in_messages[view.start :]))])))
    for put in work.puts:
        role = _role_of_results(view) if put.call >= 0 else put.role
        made = Made(put.kind, role, put.text, int(rows[put.call]) if put.call >= 0 else -1)
        yield Insert(_place(view, put), made, put.together and view.transcript.table.joins)


def _role_of_results(view: View) -> Role:
    """Role of a message of results: what the dump's own wire has."""
    table = view.transcript.table
    if table.answers is not None:
        return table.answers
    found = table.role[table.kind == Kind.TOOL_RESULT]
    return Role(int(found[0])) if len(found) else Role.USER if table.joins else Role.TOOL


def _place(view: View, put: Put) -> Place:
    join = put.join and view.transcript.table.joins
    if put.call >= 0 and put.behind < 0 and put.before < 0:
        return HeadOf(int(view.rows[put.call]))
    if put.behind >= 0:
        return After(int(view.rows[put.behind]), join)
    return Before(int(view.rows[put.before]), join) if put.before >= 0 else End()


# -- tokens -------------------------------------------------------------------------------------------------------------------------


def _freed(ask: Ask, work: Work, drop_at: Ints) -> int:
    """Tokens that all of it frees."""
    view, provider, tokens = ask.view, ask.provider, ask.tokens
    left = 0
    for position, text in work.texts.items():
        if position not in work.dropped:
            left += _texts(ask, [text]) - int(tokens[position])
    for position, value in work.contents.items():
        if position not in work.dropped:
            format = FORMATS.get(view.transcript.table.format)
            found = format.facts(value) if format is not None else facts_of(value)
            left += _texts(ask, list(found.texts)) - int(tokens[position])
            left += sum(provider.image_tokens(media.width, media.height) for media in found.media)
    for position, value in work.inputs.items():
        if position not in work.dropped:
            name = view.transcript.table.names[view.name[position]] if view.name[position] >= 0 else ""
            left += _texts(ask, [name, compact(value)]) + provider.overhead.call - int(tokens[position])
    for put in work.puts:
        left += _texts(ask, [put.text]) if put.text else 0
        left += provider.overhead.message if _makes_message(view, put, work, Role.ASSISTANT in provider.joins) else 0
    moved = drop_at.copy()
    moved[[position for position, _ in work.joins]] = 0
    gone = last_of_messages(ask, moved) == 0
    gone &= last_of_messages(ask, drop_at) != 0
    return int(saved(ask, 1, drop_at)[0]) + int(ask.overhead[gone].sum()) - left


def _makes_message(view: View, put: Put, work: Work, joins: bool) -> bool:
    """Whether what is put stands in a message of its own. `joins`: the provider joins neighbouring messages of the assistant."""
    if put.call < 0 or not view.transcript.table.joins:
        return True
    if put.before >= 0 or put.behind >= 0:
        return not (put.join or put.together)
    message = view.message[put.call]  # the head of the turn that answers
    later = np.flatnonzero((view.message > message) & view.in_messages)
    stays = [at for at in later.tolist() if at not in work.dropped]
    turn = {int(message)}  # with the messages that the provider joins to it
    while stays and view.role[stays[0]] == Role.ASSISTANT and (joins or int(view.message[stays[0]]) in turn):
        turn.add(int(view.message[stays.pop(0)]))
    if stays and view.role[stays[0]] == Role.USER:
        return False
    before = work.puts[: next(number for number, other in enumerate(work.puts) if other is put)]
    return not any(other.call >= 0 and int(view.message[other.call]) in turn for other in before)


def _texts(ask: Ask, texts: list[str]) -> int:
    if getattr(ask.count, "by_characters", False):
        return -(-sum(map(len, texts)) // 4)
    return sum(ask.count(text) for text in texts if text)
