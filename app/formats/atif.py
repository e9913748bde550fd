"""ATIF, Harbor's trajectories: `{schema_version: "ATIF-v1.N", session_id, agent, steps, final_metrics, ...}`.

Readers of the format refuse members that they do not know: an edited file gains none. What a trajectory refers to in other files (that of a
subagent, the one that goes on) is not read; subagents that stand in the same file are.
Source: laude-institute/harbor src/harbor/models/trajectories/trajectory.py, docs/rfcs/0001-trajectory-format.md; versions 1.0 to 1.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.formats._atif import WIRE, AtifWriter
from app.formats._columns import tokens_of
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import About, Log, Sheet
from app.formats._nodes import Node, document
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.transcript import Transcript


class Atif(Log):
    name = "atif"
    summary = "ATIF: a trajectory of Harbor"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(WIRE, WIRE.rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        if str(value.get("schema_version")).startswith("ATIF"):
            return Confidence(self.name, 0.98, "schema_version")
        steps = value.get("steps")
        first = steps[0] if isinstance(steps, list) and steps else None
        if isinstance(first, dict) and {"step_id", "source", "message"} <= first.keys():
            return Confidence(self.name, 0.92, "steps with step_id, source and message")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        root = document(source)
        if root.get("steps") is None:
            raise UnreadableError(f"{source.name}: it has no steps")
        _trajectory(sheet, root, "main", False)
        inner = root.get("subagent_trajectories")
        for number, node in enumerate(inner.elements() if inner is not None else ()):
            if isinstance(node.value, dict):
                _trajectory(sheet, node, f"subagent-{number}", True)
        beyond = follow(root.value, ("continued_trajectory_ref",))
        if isinstance(beyond, str) and beyond:
            sheet.whys.append(f"it goes on in another file, {beyond}")
        return sheet.dump(complete=not first_look, inside=True)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return AtifWriter(dump, transcripts, self.dialect).plan()


def _trajectory(sheet: Sheet, node: Node, id: str, subagent: bool) -> None:
    name, model = follow(node.value, ("agent", "name")), follow(node.value, ("agent", "model_name"))
    title = name if isinstance(name, str) else ""
    owner = sheet.conversation(id, title=title, model=model if isinstance(model, str) else None, subagent=subagent)
    sheet.listed(owner, node.get("steps"), about=_about)


def _about(step: dict[str, Any]) -> About:
    metrics = step.get("metrics")
    usage = None
    if isinstance(metrics, dict) and tokens_of(metrics, "prompt_tokens", "completion_tokens"):
        total = tokens_of(metrics, "prompt_tokens")
        read = min(total, tokens_of(metrics, "cached_tokens"))
        usage = {"fresh": total - read, "cache_read": read, "cache_write": 0, "output": tokens_of(metrics, "completion_tokens")}
    return About(time=step.get("timestamp"), model=step.get("model_name"), usage=usage)


FORMAT = Atif()
