"""Protect: the rows of each entry of the list that is offered as a set (PROTECTIONS), found by what stands in them.

Columns narrow down what is decoded, and of a very long session the newest MOST rows are: what is protected is found anew with every
analysis. An error is what the wire marks as one, or a short result that begins as an error does. Reads and edits of files are known by
their tools' names and by the path in their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from app.formats._json import loads
from app.model.block import Block
from app.model.errors import InspectorError
from app.model.kinds import Flag, Kind, Role
from app.model.pins import PROTECTION_NAMES
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.constraints import constraints

Look = Callable[[int], Block]

SMALL: Final = 47  # bytes of UTF-8
MOST: Final = 20_000  # rows that one entry looks into
ERROR_MOST: Final = 2_000  # characters of a result that is looked at for the words of an error
_ERROR: Final = re.compile(
    r"\s*[\[<({]?\s*(?:error\b|traceback \(most recent|fatal:|fatal error|exception:|failed:|command failed|exit code:? [1-9]|"
    r"permission denied)", re.I,
)  # fmt: skip
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
KEPT_TOOLS: Final = frozenset({"skill", "skills", "ask", "plan", "plans", "planning", "memory", "memories", "remember", "recall"})
READS: Final = frozenset({"read", "view", "cat", "open", "show"})
EDITS: Final = frozenset({"edit", "write", "patch", "replace", "create", "insert", "append", "update", "apply"})
_PATHS: Final = ("file_path", "path", "filename", "filePath", "file", "absolute_path", "notebook_path", "target_file", "relative_path")
_COMMANDS: Final = {"view": False, "create": True, "str_replace": True, "insert": True, "undo_edit": True}

_KNOWN: WeakKeyDictionary[Transcript, dict[str, Ints]] = WeakKeyDictionary()


def protections(view: View, look: Look, names: Iterable[str] = PROTECTION_NAMES) -> dict[str, Ints]:
    """For each entry a mask over positions, of the sent part alone; not to be written to: it is kept as long as the transcript is. `look`
    decodes a row."""
    names = list(names)
    finders: dict[str, Callable[[View, Look], Ints]] = {
        "system": lambda view, look: (view.role == Role.SYSTEM) | (view.role == Role.DEVELOPER) | (view.kind == Kind.SYSTEM),
        "first-prompt": lambda view, look: first_prompt(view),
        "last-prompt": lambda view, look: _last_prompt(view),
        "last-result": lambda view, look: _last_result(view),
        "memory-tools": _memory_tools,
        "errors": _errors,
        "small": _small,
        "edited-files": _edited_files,
        "constraints": _constraints,
    }
    known = _KNOWN.setdefault(view.transcript, {})
    for name in names:
        if name not in known:
            mask = finders[name](view, look)
            mask[: view.start] = False
            known[name] = mask
    return {name: known[name] for name in names}


def first_prompt(view: View) -> Ints:
    """Mask: the message with which the first real exchange of what is sent begins."""
    groups = view.groups
    firsts = groups.first[int(groups.zero) :]
    firsts = firsts[firsts >= view.start]
    return view.message == view.message[firsts[0]] if len(firsts) and view.message[firsts[0]] >= 0 else np.zeros(len(view), bool)


def _last_prompt(view: View) -> Ints:
    groups = view.groups
    if groups.live < 0 or (groups.zero and groups.live == 0):
        return np.zeros(len(view), bool)
    return view.message == view.message[groups.first[groups.live]]


def _last_result(view: View) -> Ints:
    found = np.zeros(len(view), bool)
    results = np.flatnonzero(view.kind == Kind.TOOL_RESULT)
    if len(results):
        found[results[-1]] = True
    return found


def words_of(name: str) -> list[str]:
    """`ExitPlanMode`, `exit_plan_mode` and `exit-plan-mode` are the same three words."""
    return [word.lower() for word in _WORD.findall(name)]


def _named(view: View, wanted: frozenset[str]) -> Ints:
    """Mask: calls of tools whose name has one of these words."""
    names = view.transcript.table.names
    good = np.asarray([bool(wanted & set(words_of(name))) for name in names] + [False])
    return (view.kind == Kind.TOOL_CALL) & good[view.name]


def _memory_tools(view: View, look: Look) -> Ints:
    return _with_partners(view, _named(view, KEPT_TOOLS))


def _with_partners(view: View, calls: Ints) -> Ints:
    ends = view.links.partner[calls]
    found = calls.copy()
    found[ends[ends >= 0]] = True
    return found


def _errors(view: View, look: Look) -> Ints:
    results = view.kind == Kind.TOOL_RESULT
    found = results & ((view.flags & Flag.ERROR) != 0)
    open_ones = np.flatnonzero(results & ~found & (view.size > 0) & (view.size <= ERROR_MOST))
    for position in _newest(view, open_ones):
        found[position] = bool(_ERROR.match(_text(view, look, position)))
    return found


def _small(view: View, look: Look) -> Ints:
    results = (view.kind == Kind.TOOL_RESULT) & ((view.flags & Flag.MEDIA) == 0)
    found = results & (view.size * 4 < SMALL)  # no character has more than four bytes
    found |= results & (view.size < SMALL)  # as if each had one, where nobody looks
    for position in _newest(view, np.flatnonzero(found & (view.size * 4 >= SMALL))):
        found[position] = len(_text(view, look, position).encode("utf-8", "surrogatepass")) < SMALL
    return found


def _constraints(view: View, look: Look) -> Ints:
    """Prompts that set a rule: those that app/pipeline/lost.py calls lost when they go."""
    typed = (view.role == Role.USER) & (view.kind == Kind.TEXT) & (view.groups.step < 0)
    typed &= ((view.flags & Flag.INJECTED) == 0) | ((view.flags & Flag.PROMPT) != 0)
    found = np.zeros(len(view), bool)
    for position in _newest(view, np.flatnonzero(typed)):
        found[position] = bool(constraints(_text(view, look, position)))
    return found


def _edited_files(view: View, look: Look) -> Ints:
    """The last read of each file before an edit of it, with its call."""
    found = np.zeros(len(view), bool)
    last_read: dict[str, int] = {}
    calls = np.flatnonzero(_named(view, READS | EDITS))
    for position in _newest(view, calls):
        edits, path = _touches(view, look, position)
        if not path:
            continue
        if not edits:
            last_read[path] = position
        elif path in last_read:
            found[last_read[path]] = True
    return _with_partners(view, found)


def _touches(view: View, look: Look, position: int) -> tuple[bool, str]:
    """Whether a call edits, and the path that it names; "" where it names none."""
    arguments = arguments_of(_text(view, look, position))
    path = next((arguments[key] for key in _PATHS if isinstance(arguments.get(key), str)), "")
    command = _COMMANDS.get(str(arguments.get("command", "")))
    words = set(words_of(view.transcript.table.names[view.name[position]]))
    return (command if command is not None else bool(words & EDITS) and not words & READS), path


def arguments_of(text: str) -> dict[str, Any]:
    """Arguments of a call as an object; nothing where they are none."""
    try:
        value = loads(text.encode("utf-8", "surrogatepass"))
    except (ValueError, InspectorError):
        return {}
    return value if isinstance(value, dict) else {}


def _newest(view: View, positions: Ints) -> list[int]:
    """Of these the newest that are sent, in their order."""
    found: list[int] = positions[positions >= view.start][-MOST:].tolist()
    return found


def _text(view: View, look: Look, position: int) -> str:
    return look(int(view.rows[position])).text
