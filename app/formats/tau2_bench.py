"""tau2-bench: `{timestamp, info, tasks, simulations}`, one simulation by itself, or one of speech (`ticks`).

Messages resemble OpenAI's: a call is `{id, name, arguments, requestor}` with an object for arguments, a message of role `tool` names its
call in `id`, several results may stand in one message (`tool_messages`). The user calls tools too (`requestor`): the agent never sees
that, so it is a conversation of its own. In a simulation of speech what is said and called stands in the chunks of each tick.
Source: sierra-research/tau2-bench src/tau2/data_model/message.py and simulation.py, and recorded runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from app.formats._chat_mould import ChatMould
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import About, Conversation, Log, Sheet
from app.formats._mould import Places, Spots
from app.formats._nodes import Node, document
from app.formats._openai import usage_of
from app.formats._paths import Path
from app.formats._peek import peek
from app.formats._pieces import Piece
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.edits import DELETE, Made
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript

CHUNKS: Final = ("user_chunk", "agent_chunk")
RESULTS: Final = ("user_tool_results", "agent_tool_results")


class Tau2Wire(ChatMould):
    """Messages of tau2-bench."""

    emptied: ClassVar[Mapping[str, Any]] = {"tool_calls": None, "content": "", "tool_messages": DELETE}
    call_name: ClassVar[Path] = ("name",)
    call_args: ClassVar[Path] = ("arguments",)
    result_id: ClassVar[Path] = ("id",)
    result_error: ClassVar[Path] = ("error",)

    def role(self, message: dict[str, Any]) -> Role:
        return Role.ASSISTANT if message.get("role") == "user" and _of_user(message) else super().role(message)

    def results(self, message: dict[str, Any], role: Role) -> Sequence[Piece]:
        inner = message.get("tool_messages")
        if not isinstance(inner, list) or not inner:
            return super().results(message, role)
        return [
            self.result(one, role, f"/tool_messages/{number}", one.get("content"), one.get("id"))
            for number, one in enumerate(entry if isinstance(entry, dict) else {} for entry in inner)
        ]

    def result_spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if not piece.path:
            return super().result_spots(message, piece)
        at: Path = ("tool_messages", int(piece.path.rsplit("/", 1)[1]))
        content: Places = ((*at, "content"),)
        return Spots((at,), (content,) if piece.texts else (), content, ((*at, "id"),), ((*at, "name"),), (), ((*at, "error"),))

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        if made.kind != Kind.TOOL_RESULT:
            return {"role": role, "content": made.text, "tool_calls": None}
        message = {"id": call_id} if call_id is not None else {}
        calls = like.get("tool_calls")
        asked = [call.get("requestor") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
        return message | {"role": role, "content": made.text, "requestor": asked[0] if asked else "assistant", "error": made.error}


class Tau2Bench(Log):
    name = "tau2-bench"
    summary = "tau2-bench: the simulations of a run, or one of them"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(Tau2Wire(), Tau2Wire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        info = value.get("info")
        if "simulations" in value or (isinstance(info, dict) and {"user_info", "agent_info"} <= info.keys()):
            return Confidence(self.name, 0.97, "simulations, or info of a user and an agent")
        if "task_id" in value and ("ticks" in value or ("messages" in value and ("reward_info" in value or "termination_reason" in value))):
            return Confidence(self.name, 0.97, "task_id beside ticks or messages")
        messages = value.get("messages")
        first = messages[0] if isinstance(messages, list) and messages else None
        if isinstance(first, dict) and "turn_idx" in first and "role" in first:
            return Confidence(self.name, 0.9, "turn_idx on messages")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        root = document(source)
        if "messages" in root.value or "ticks" in root.value:
            _simulation(sheet, root, 0)
        held = root.get("simulations")
        for number, node in enumerate(held.elements() if held is not None else ()):
            if isinstance(node.value, dict):
                _simulation(sheet, node, number)
            if progress is not None:
                progress(min(1.0, node.end / max(1, source.size)))
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        for transcript in transcripts:
            if transcript.subagent and any(made.kind != Kind.TOOL_RESULT for made in transcript.made.values()):
                where = f"{dump.source.name}: {transcript.title}"
                raise InspectorError(f"{where}: calls and results stand there, and no text can be put beside them")
        return super().write_plan(dump, transcripts)


def _simulation(sheet: Sheet, node: Node, number: int) -> None:
    told = node.value
    id = told.get("id")
    task, trial, ended = (told.get(key) for key in ("task_id", "trial", "termination_reason"))
    words = [f"task {task}" if task is not None else "", f"trial {trial}" if trial is not None else "", ended]
    owner = sheet.conversation(
        id if isinstance(id, str) and id else str(number), title=", ".join(word for word in words if isinstance(word, str) and word)
    )
    messages = node.get("messages")
    user: Conversation | None = None
    if messages is not None and isinstance(messages.value, list) and any(map(_of_user, messages.value)):
        user = sheet.conversation(f"{owner.id}-user", title=f"{owner.title}, what the user called", subagent=True)
    sheet.lane_of.update({sheet.conversations.index(user): len(sheet.lanes)} if user is not None else {})
    sheet.listed(owner, messages, about=lambda message: _about(message, user))
    ticks = node.get("ticks")
    for place, tick in enumerate(ticks.elements() if ticks is not None else ()):
        said = [child for key in CHUNKS if (child := tick.get(key)) is not None and _says(child.value)]
        held = [child for key in RESULTS if (child := tick.get(key)) is not None and child.value and isinstance(child.value, list)]
        for child in said:
            sheet.alone(owner, child)
        for child in held:
            sheet.listed(owner, child)
        if not said and not held:
            sheet.pointers[sheet.columns.record_count] = tick.pointer
            sheet.other(tick.start, tick.length, place, RecordKind.META, owner=sheet.conversations.index(owner))


def _of_user(message: Any) -> bool:
    """Whether a message holds calls that the user made, or their results: the agent is sent none of these."""
    if not isinstance(message, dict):
        return False
    if message.get("role") == "user":
        return bool(message.get("tool_calls")) and not message.get("content")
    inner = message.get("tool_messages")
    told = inner[0] if isinstance(inner, list) and inner else message
    return message.get("role") == "tool" and isinstance(told, dict) and told.get("requestor") == "user"


def _says(chunk: Any) -> bool:
    return isinstance(chunk, dict) and bool(chunk.get("content") or chunk.get("tool_calls"))


def _about(message: dict[str, Any], user: Conversation | None) -> About:
    mine = message.get("role") == "assistant"  # the user is simulated by a model as well
    owner = user if user is not None and _of_user(message) else None
    return About(time=message.get("timestamp"), usage=usage_of(message.get("usage")) if mine else None, owner=owner)


FORMAT = Tau2Bench()
