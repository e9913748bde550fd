"""Why a partner is missing, or where it is, when the dump tells. Sentences for `Finding.reason`."""

from __future__ import annotations

from app.model.kinds import Kind, Mark, Role
from app.rules._scene import Scene, Site

INTERRUPTED = "[Request interrupted"


def missing_result(site: Site, call: int) -> str:
    """Why nothing answers the call at a position."""
    scene = site.scene
    if call in scene.homes:
        return f"A result under its id stands before it, at {scene.pointer(scene.homes[call])}."
    other = scene.renames(int(scene.reading.turn[call])).get(call)
    if other is not None:
        named = scene.call_id(other)
        under = f"under another id ({named})" if named else "without an id"
        return f"One result waits {under} in the turn that should answer, at {scene.pointer(other)}."
    found = _elsewhere(scene, call, Kind.TOOL_RESULT) or _stopped(scene, call) or _interrupted(scene, call)
    return found or _end(scene, call) or _refused(scene, call)


def missing_call(site: Site, result: int) -> str:
    """Why the call of a result is not where it should be."""
    scene, reading = site.scene, site.reading
    if result in scene.homes:
        return f"Its call stands behind it, at {scene.pointer(scene.homes[result])}."
    partner = int(scene.view.links.partner[result])
    if 0 <= partner < scene.view.start:
        return f"Its call stands before the compaction, at {scene.pointer(partner)}; the model no longer sees it."
    turn = int(reading.turn[result])
    other = scene.renames(turn - 1).get(result)
    if other is not None:
        return f"The call before it waits under another id ({scene.call_id(other)})."
    found = _elsewhere(scene, result, Kind.TOOL_CALL)
    if not found and not any(int(reading.turn_role[t]) in (Role.ASSISTANT, Role.USER) for t in range(min(turn, 3))):
        return "Nothing stands before it: what came before was cut away."
    return found


def _elsewhere(scene: Scene, position: int, kind: Kind) -> str:
    row = scene.absent(int(scene.view.key[position]), kind)
    if row < 0:
        return ""
    what = "Its result" if kind == Kind.TOOL_RESULT else "Its call"
    record = int(scene.table.record[row])
    branch = scene.kin(row)
    if branch is not None:
        return f"{what} stands on another branch ({branch.id}), at {scene.pointer_of(row)}."
    if record >= 0 and int(scene.table.records.owner[record]) == scene.transcript.index:
        return f"{what} is in the file, at {scene.pointer_of(row)}, and not in this transcript: it was left out or taken away."
    return ""


def _stopped(scene: Scene, call: int) -> str:
    """Whether the dump says of the turn itself that it was stopped."""
    prefix = f"{Mark.STOPPED}."
    for word in scene.table.marks:
        if word.startswith(prefix) and scene.view.bears(word, call):
            why = word.removeprefix(prefix)
            how = {"aborted": "was aborted", "error": "ended in an error"}.get(why, f"was stopped ({why})")
            return f"Its turn {how} before a result came."
    return ""


def _interrupted(scene: Scene, call: int) -> str:
    """Whether the turn behind a call says that a person stopped it."""
    behind = scene.reading.of_turn(int(scene.reading.turn[call]) + 1)[:8]
    for position in behind.tolist():
        block = scene.block(position) if scene.view.kind[position] == Kind.TEXT else None
        if block is not None and block.text.startswith(INTERRUPTED):
            return f"The run was stopped: “{block.text[:60]}” stands behind it, at {scene.pointer(position)}."
    return ""


def _end(scene: Scene, call: int) -> str:
    if int(scene.reading.turn[call]) < scene.reading.turns - 1:
        return ""
    record = int(scene.table.record[scene.view.rows[call]])
    if record in scene.table.pointers:
        return "The dump holds the response only; what answered it was sent later."
    return "It stands in the last message: the run ended, or the dump was written, before a result came."


def _refused(scene: Scene, call: int) -> str:
    if not scene.transcript.refusals:
        return ""
    turn = int(scene.reading.turn[call])
    found = min((number for at in (turn, turn + 1) if (number := scene.refused_in.get(at)) is not None), default=None)
    if found is None:
        return ""
    status = scene.transcript.refusals[found].status
    return f"The dump records that the provider refused what followed{f' with status {status}' if status else ''}."
