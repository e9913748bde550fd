"""Claude Code's export from the web: one document, `{loglines: [...]}`, whose elements are records like those of the session log.

They may have neither ids nor parents. Source: simonw/claude-code-transcripts (which reads what the web API gives).
"""

from __future__ import annotations

from app.formats._claude_events import EventLog, Events
from app.formats._format import Progress
from app.formats._logs import ARRAY, Lane, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source


class ClaudeCodeWeb(EventLog):
    name = "claude-code-web"
    summary = "Claude Code: a session exported from the web, one document"
    lines = False

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if isinstance(value, dict) and isinstance(value.get("loglines"), list):
            return Confidence(self.name, 0.97, "loglines")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        node = root.get("loglines")
        if node is None or not isinstance(node.value, list):
            raise UnreadableError(f"{source.name}: it has no list of loglines")
        sheet = Sheet(self.name, self.dialect, source)
        events = Events(sheet)
        for place, item in enumerate(node.elements()):
            events.enter(place, item.start, item.length, item.value, True, item.pointer)
        sheet.lane_of[0] = 0
        sheet.lanes.append(Lane(ARRAY, node.start, node.end, 0, sheet.columns.record_count))
        dump = events.dump(not first_look)
        title = root.value.get("title", root.value.get("summary"))
        if isinstance(title, str):
            dump.transcripts[0] = dump.transcripts[0].with_(title=title)
        return dump


FORMAT = ClaudeCodeWeb()
