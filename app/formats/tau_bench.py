"""tau-bench results: an array of runs, each with its conversation in `traj`, in OpenAI's Chat wire.

Source: sierra-research/tau-bench run.py (`EnvRunResult`: task_id, reward, info, traj, trial), and recorded runs.
"""

from __future__ import annotations

from app.formats._dialects import OPENAI
from app.formats._format import Progress
from app.formats._logs import Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.source import Source


class TauBench(Log):
    name = "tau-bench"
    summary = "tau-bench: an array of runs"
    provider = "openai-chat"
    mode = "prefix"
    lines = False
    dialect = OPENAI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        first = seen.value[0] if isinstance(seen.value, list) and seen.value else None
        if isinstance(first, dict) and {"traj", "task_id"} <= first.keys():
            return Confidence(self.name, 0.97, "runs with task_id and traj")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        for number, run in enumerate(document(source).elements()):
            task, trial = run.get("task_id"), run.get("trial")
            id = f"{task.value if task else number}-{trial.value if trial else 0}"
            owner = sheet.conversation(id, title=f"task {task.value if task else number}, trial {trial.value if trial else 0}")
            sheet.listed(owner, run.get("traj"))
        return sheet.dump(complete=not first_look)


FORMAT = TauBench()
