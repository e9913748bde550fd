"""A message whose role the wire does not have, or none (Anthropic, OpenAI Chat, Gemini).

Anthropic has `user` and `assistant` (and `system` behind the first message), OpenAI Chat six; other words and no role are refused, and so
is an element of the list that is no message at all. Gemini's contents are the `user`'s or the `model`'s; `assistant`, `system`, `tool` and
`function` come from other wires (or from the first years of this one). A content without a role is taken for the user's by AI Studio and
refused by Vertex: a warning.

Evidence: measured on 2026-08-31 (text-index id 61383321887: Anthropic "Unexpected role", "messages.0.role: Field required"; OpenAI
"Invalid value: 'bogus'", and "invalid_type" for what is no object); ServiceNow/TapeAgents#66 (OpenAI, none); liquidos-ai/AutoAgents PR #72.
Gemini: recorded texts (they list "user, model"); Vertex wants one where AI Studio defaults it (two reports).

Repair: the role is spelled as this wire does; results and what a system message said become the user's, who calls is the assistant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Effect, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Mark, Role
from app.model.provider import Reading
from app.model.table import Ints, RecordKind
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

RENAMED = frozenset({Role.ASSISTANT, Role.USER, Role.TOOL, Role.FUNCTION})
"""Roles of which only the name is another one here."""
SYNONYMS = {
    "human": "user", "ai": "assistant", "bot": "assistant", "model": "assistant", "gpt": "assistant", "claude": "assistant",
    "user": "user", "assistant": "assistant",
}  # fmt: skip
SAID = f"{Mark.ROLE_SAID}."
FOREIGN, ABSENT, ELEMENT = 0, 1, 2
KINDS = {FOREIGN: "", ABSENT: "absent", ELEMENT: "element"}


class RoleInvalid(Rule):
    name = "role-invalid"
    summary = "a message whose role the wire does not have"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not reading.native:
            return []
        foreign, absent = (_first(reading, reading.view.marked(word)) for word in (Mark.ROLE, Mark.ROLE_ABSENT))
        hits = [self._hit(reading, foreign, FOREIGN), self._hit(reading, absent, ABSENT)]
        if f"{self.name}/element" in reading.provider.strict:
            hits.append(self._hit(reading, _elements(reading), ELEMENT))
        return hits

    def _hit(self, reading: Reading, positions: Ints, kind: int) -> Hit:
        warns = kind == ABSENT and f"{self.name}/absent" not in reading.provider.strict
        return self.hit(reading, positions, np.full(len(positions), kind), severity="warning" if warns else None)

    def say(self, site: Site) -> Said:
        known = _known(site)
        if site.severity == "warning":
            return Said("This message says no role (AI Studio takes the user's, Vertex refuses it).", cause="role", whole=True)
        if site.detail == ELEMENT:
            got = site.scene.type(site.position).strip("()")
            got = f"a{'n' if got[:1] in 'aeio' else ''} {got}" if got != "null" else got
            return Said(
                f"This element of the list is {got} and no message.", cause="role", whole=True, variant="element", words={"got": got}
            )
        if site.detail == ABSENT:
            return Said("This message says no role.", cause="role", whole=True, variant="absent")
        role = Role(int(site.scene.view.role[site.position]))
        said = _word(site)
        word = f"`{said[:60]}`" if said else "of another wire" if role in (Role.ASSISTANT, Role.OTHER) else f"`{role.name.lower()}`"
        words = {"role": said or role.name.lower()}
        return Said(f"The role of this message is {word}; only {known} are known here.", cause="role", whole=True, words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        message = site.scene.message_of(site.position)
        if site.detail == ELEMENT:
            return [_fixes.drop(site, "Drop it", message.tolist())]
        role = Role(int(site.scene.view.role[site.position]))
        calls = bool(site.scene.view.calls[message].any())
        named = SYNONYMS.get(_word(site).lower()) if not calls or role != Role.OTHER else None
        new = named or ("assistant" if role == Role.ASSISTANT or (role == Role.OTHER and calls) else "user")
        gemini = f"{self.name}/absent" not in site.reading.provider.strict
        words = "model" if new == "assistant" and gemini else new
        effect: Effect = "exact" if role in RENAMED or named else "adds"
        return [site.change(f"Make it a message of the {words}", effect, Set(site.row, "role", new))]


def _first(reading: Reading, marked: Ints) -> Ints:
    """The first marked row of each message that would be sent."""
    found = np.flatnonzero(marked & reading.sent)
    return found[np.unique(reading.wire_message[found], return_index=True)[1]]


def _elements(reading: Reading) -> Ints:
    """Elements of the list that are no objects. What could not be decoded is told elsewhere."""
    view, table = reading.view, reading.view.transcript.table
    if "layout" not in table.extra or not (table.records.kind == RecordKind.UNKNOWN).any():
        return np.empty(0, np.int64)
    record = table.record[view.rows]
    unknown = (record >= 0) & (table.records.kind[np.maximum(record, 0)] == RecordKind.UNKNOWN)
    return np.flatnonzero(unknown & ((view.flags & Flag.TYPE_ODD) != 0) & reading.sent)


def _word(site: Site) -> str:
    """The word that stands in the place of the role; "" where it is not known."""
    view = site.scene.view
    for word in view.transcript.table.marks:
        if word.startswith(SAID) and view.bears(word, site.position):
            return word.removeprefix(SAID)
    return ""


def _known(site: Site) -> str:
    """The roles that are known, in words."""
    names = {"anthropic": "`user` and `assistant`", "gemini": "`user` and `model`"}
    return names.get(site.reading.provider.name, "`system`, `developer`, `user`, `assistant` and `tool`")


RULE = RoleInvalid()
