"""The fixes that several rules offer, least lossy first: move what is there, rename it, state what is not there, take away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np

from app.model.edits import DELETE, After, Before, Change, Drop, Edit, HeadOf, Insert, Made, Move, Place, Set
from app.model.items import NO_TEXT
from app.model.kinds import Kind, Role
from app.model.provider import Provider
from app.rules._items import bound_reasoning
from app.rules._scene import Scene, Site

NO_RESULT = "[no result recorded; the call may have run]"  # it never says that nothing happened
EMPTY = "(empty)"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NINE = 9  # letters and digits of an id where a provider wants just so many (Mistral)


def fresh_id(provider: Provider, old: str, salt: object = "") -> str:
    """A call id in the provider's alphabet, the same for the same `old` and `salt`: injective, so that pairs stay pairs."""
    made = sha256(f"{salt}:{old}".encode("utf-8", "surrogatepass"))
    if provider.id_pattern is None:
        return provider.id_prefix + made.hexdigest()[:24]
    number, digits = int.from_bytes(made.digest()[:16], "big"), ""
    while len(digits) < NINE:
        number, digit = divmod(number, len(BASE62))
        digits += BASE62[digit]
    return digits


def rows(site: Site, positions: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.asarray(sorted({site.row_of(position) for position in positions}), np.int32)


def beside(site: Site) -> Place:
    """Where a block goes that takes the place of the site's: in its message while others stay there."""
    message = site.scene.message_of(site.position).tolist()
    index = message.index(site.position)
    if index:
        return After(site.row_of(message[index - 1]), join=True)
    if len(message) > 1:
        return Before(site.row_of(message[1]), join=True)
    return After(site.row)


def as_text(site: Site, text: str, title: str) -> Change:
    """Makes a block of text out of a text of another dialect: it stays where it is, in a list, and keeps its cache mark; members that
    such a block does not have go. What is no object is put in anew."""
    value = site.block.value if site.block is not None else None
    if not isinstance(value, dict):
        made = Made(Kind.TEXT, Role(int(site.scene.view.role[site.position])), text)
        return site.change(title, "exact", Insert(beside(site), made), Drop(rows(site, [site.position])))
    beyond = [key for key in value if key not in ("type", "text", "cache_control")]
    edits = [Set(site.row, "block.type", "text"), Set(site.row, "text", text), *(Set(site.row, f"block.{key}", DELETE) for key in beyond)]
    return site.change(title, "loses" if any(value[key] for key in beyond) else "exact", *edits)


def drop(site: Site, title: str, positions: Sequence[int]) -> Change:
    return site.change(title, "loses", Drop(rows(site, positions)))


def move_home(site: Site, result: int, call: int) -> Change:
    return site.change("Move the result to the head of the turn that answers its call", "exact", _homeward(site, result, call))


def _homeward(site: Site, result: int, call: int) -> Move:
    return Move(site.row_of(result), HeadOf(site.row_of(call)))


def renamed(site: Site, call: int, result: int) -> tuple[Edit, ...]:
    """Edits that give a result the id of its call, and both a new one where the call has none."""
    found = site.scene.call_id(call)
    if found:
        return (Set(site.row_of(result), "call_id", found),)
    new = fresh_id(site.reading.provider, "", site.row_of(call))
    return (Set(site.row_of(call), "call_id", new), Set(site.row_of(result), "call_id", new))


def rename(site: Site, call: int, result: int) -> Change:
    return site.change("Give the result the id of the call that waits for it", "exact", *renamed(site, call, result))


def real_result(site: Site, call: int) -> tuple[Edit, ...]:
    """Edits that bring a recorded result to an open call; none where the transcript holds none for it."""
    scene = site.scene
    if call in scene.homes:
        return (_homeward(site, scene.homes[call], call),)
    other = scene.renames(int(scene.reading.turn[call])).get(call)
    return () if other is None else renamed(site, call, other)


def for_open_calls(site: Site, calls: Sequence[int]) -> Iterator[Change]:
    """Fixes of calls that nothing answers: a recorded result first, a made-up one next, dropping last."""
    many = len(calls) > 1
    real = [edit for call in calls for edit in real_result(site, call)]
    if real:
        moved = isinstance(real[0], Move)
        title = "Move the result that stands before its call" if moved else "Give the result that waits the id of its call"
        yield site.change(title, "exact", *real)
    title = f"Insert {'results that say' if many else 'a result that says'} that none was recorded"
    if not any(site.scene.type(call) in NO_TEXT for call in calls):  # the result of such a call is a picture
        inserts = (Insert(HeadOf(site.row_of(call)), made_result(site, call)) for call in calls)
        yield site.change(title, "adds", *inserts, note=NO_RESULT)
    yield drop(site, "Drop the calls" if many else "Drop the call", with_calls(site.scene, calls))


def made_result(site: Site, call: int) -> Made:
    return Made(Kind.TOOL_RESULT, site.reading.provider.answers, NO_RESULT, call=site.row_of(call), error=takes_error_marks(site))


def takes_error_marks(site: Site) -> bool:
    """Whether the model takes results that say of themselves that they are errors."""
    return not site.reading.provider.judging("tool-result-status-unsupported", site.reading.model)


def with_calls(scene: Scene, calls: Sequence[int]) -> list[int]:
    """What leaves together with calls: what answers them wherever it stands, and reasoning that nothing else in its message needs."""
    partner = scene.reading.partner
    gone = set(calls)
    for call in calls:
        tied = int(scene.view.links.partner[call])
        gone |= {int(partner[call])} if partner[call] >= 0 else set()
        gone |= {tied} if tied >= scene.view.start and partner[tied] < 0 else set()  # no other call is answered by it
    for call in calls:
        message = scene.message_of(call).tolist()
        if all(at in gone or scene.view.kind[at] == Kind.REASONING for at in message):
            gone |= set(message)
    return sorted(gone | bound_reasoning(scene, gone))


def for_stray_result(site: Site) -> Iterator[Change]:
    """Fixes of a result that answers nothing: home to a call that stands behind it, the id of the one that waits, else away."""
    scene, result = site.scene, site.position
    call = scene.renames(site.turn - 1).get(result)
    if result in scene.homes:
        yield move_home(site, result, scene.homes[result])
    elif call is not None:
        yield rename(site, call, result)
    yield drop(site, "Drop the result", [result])
