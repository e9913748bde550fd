"""SWE-agent's trajectories: `{environment, trajectory, history, info}`. The history is the conversation.

Its messages resemble OpenAI's: a message of role `tool` names its calls in a list, `tool_call_ids`; `thought` and `action` repeat what
the text says; `is_demo` marks messages of a demonstration. Each step of the `trajectory` repeats what the history holds, and often the
whole prompt (`query`, `messages`): it stays as it is, whatever is edited. Where there is no history, the prompt of the last step is read.
Older runs, and those with a parser for text, have no calls.
Source: SWE-agent/SWE-agent sweagent/types.py (`HistoryItem`, `TrajectoryStep`), and recorded runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from app.formats._chat_mould import RESULT_ROLES, ChatMould
from app.formats._context import Context
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._json import loads
from app.formats._logs import Log, Sheet
from app.formats._mould import Edits, Spots, parted
from app.formats._nodes import Node, document
from app.formats._openai import role_of
from app.formats._paths import Path, follow
from app.formats._peek import peek
from app.formats._pieces import Piece
from app.formats._runs import Run, untouched
from app.formats._style import Style
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript

_STEP = frozenset({"action", "observation"})


class SweWire(ChatMould):
    """Items of a history."""

    args_text: ClassVar[bool] = True
    result_id: ClassVar[Path] = ("tool_call_ids", 0)

    def said(self, message: dict[str, Any], role: Role) -> Iterator[Piece]:
        for piece in super().said(message, role):
            if message.get("is_demo") is True:
                piece.flags |= Flag.INJECTED
            yield piece

    def results(self, message: dict[str, Any], role: Role) -> Sequence[Piece]:
        """A result for each id; an observation of several calls is one text, that of the first."""
        found = list(super().results(message, role))
        more = message["tool_call_ids"][1:] if _is_shared(message) else ()
        first = found[0]
        return [first, *(replace(first, texts=("",), flags=0, id=id, path=f"/tool_call_ids/{n}", media=()) for n, id in enumerate(more, 1))]

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        spots = super().spots(message, piece)
        if piece.kind == Kind.TEXT and message.get("thought") == message.get("content") and isinstance(message.get("thought"), str):
            return replace(spots, texts=((("content",), ("thought",)),))
        return spots

    def rewrite(self, context: Context, run: Run) -> list[bytes]:
        """The messages of a run. An observation of several calls becomes one for each of them."""
        out: list[bytes] = []
        for record, rows in parted(context, run.rows):
            if record < 0:
                out.append(self.made(context, rows[0]))
                continue
            data, members = context.record(record)
            value = loads(data)
            if members is None or not isinstance(value, dict) or not _is_shared(value) or role_of(value.get("role")) not in RESULT_ROLES:
                out.append(self.kept(context, record, rows, own=record == run.record and not out))
                continue
            for row in rows:
                out.append(self._single(context, data, context.style_of(data, members), value, row))
        return out

    def _single(self, context: Context, data: bytes, style: Style, value: dict[str, Any], row: int) -> bytes:
        """The result of one of several calls as a message of its own."""
        part = int(context.base.part[row])
        edits = Edits(data, style)
        edits.set((("tool_call_ids",),), [value["tool_call_ids"][part]])
        if part:
            edits.set((("content",),), "")
        alone = loads(edits.data)
        self.lay(edits, alone, self.pieces(alone)[0], context.fields(row), context.content(row))
        for key, held in context.message_fields((row,)):
            edits.set(((key,),), held)
        return edits.data


def _is_shared(message: dict[str, Any]) -> bool:
    """Whether a message answers several calls."""
    ids = message.get("tool_call_ids")
    return isinstance(ids, list) and len(ids) > 1


class SweAgent(Log):
    name = "swe-agent"
    summary = "SWE-agent: the trajectory of one run"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(SweWire(), SweWire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        steps, history = value.get("trajectory"), value.get("history")
        step = steps[0] if isinstance(steps, list) and steps else None
        if isinstance(steps, list) and (isinstance(history, list) or "environment" in value):
            return Confidence(self.name, 0.97, "trajectory beside history or environment")
        if isinstance(step, dict) and step.keys() >= _STEP:
            return Confidence(self.name, 0.93, "a trajectory of actions and observations")
        item = history[0] if isinstance(history, list) and history else None
        if isinstance(item, dict) and {"role", "content"} <= item.keys() and {"agent", "message_type", "is_demo"} & item.keys():
            return Confidence(self.name, 0.93, "a history of role, content and agent")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        root = document(source)
        history = root.get("history")
        if history is None or not isinstance(history.value, list):
            history = _last_prompt(root)
        if history is None:
            raise UnreadableError(f"{source.name}: it has no history, the list of messages of a run")
        status = follow(root.value, ("info", "exit_status"))
        environment = root.value.get("environment")
        title = ", ".join(word for word in (environment, status) if isinstance(word, str) and word)
        owner = sheet.conversation("main", title=title, model=_model(root.value))
        sheet.listed(owner, history)
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        writing = super().write_plan(dump, transcripts)
        changed = any(not untouched(base, edited) for base, edited in zip(dump.transcripts, transcripts, strict=True))
        if changed and b'"trajectory"' in dump.source.read(0, dump.source.size):
            writing.tally.notes.append(("/trajectory", "the steps of the trajectory repeat the history as it was, and stay so"))
        return writing


def _last_prompt(root: Node) -> Node | None:
    """What the last step was asked with: the conversation of a run whose history was not kept."""
    steps = root.get("trajectory")
    if steps is None or not isinstance(steps.value, list) or not steps.value:
        return None
    last = steps.get(len(steps.value) - 1)
    held = [last.get(key) for key in ("query", "messages")] if last is not None else []
    return next((node for node in held if node is not None and isinstance(node.value, list) and node.value), None)


def _model(value: dict[str, Any]) -> str | None:
    for path in (("replay_config", "agent", "model", "name"), ("info", "model"), ("info", "model_name")):
        found = follow(value, path)
        if isinstance(found, str) and found not in ("replay", "instant_empty_submit", ""):
            return found
    return None


FORMAT = SweAgent()
