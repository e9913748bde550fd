"""The body of a provider's refusal, by itself: what somebody saved of a request that failed. It holds nothing of what was refused.

The shapes of such bodies are those of `_error_body.py`; a file may hold several, one a line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from app.formats._error_body import body_of
from app.formats._format import Progress
from app.formats._json import compact
from app.formats._peek import peek
from app.formats._pieces import Piece
from app.formats.records import AnyRecords
from app.model.dump import Confidence, Dump
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Refusal

_BESIDE: Final = frozenset({"type", "error", "request_id", "requestId", "message", "code", "status", "statusCode", "status_code", "object",
                            "param", "__type", "detail", "raw_status_code", "provider", "user_id", "success"})  # fmt: skip
"""All that stands in such a body beside the error."""


class ProviderError(AnyRecords):
    name = "provider-error"
    summary = "A provider's refusal by itself, the body of an answer that failed"
    provider = "openai-chat"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        why = "nothing but an error, as a provider answers a request that it refuses"
        return Confidence(self.name, 0.97, why) if _is_own(head, whole) else None

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        return [Piece(Kind.OTHER, "error", Role.OTHER, "", (compact(value),), value=value)]

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        dump = super().parse(source, progress, first_look)
        if not dump.transcripts:
            return dump
        one, records = dump.transcripts[0], dump.table.record
        row_of = {int(records[row]): row for row in one.order.tolist()}
        told = [(record, body_of(node[3])) for record, node in enumerate(self.nodes(source, first_look))]
        found = [(record, body) for record, body in told if body is not None]
        if not found:
            return dump
        refusals = tuple(Refusal(record, row_of.get(record, -1), body.status, body.words) for record, body in found)
        title = "a provider's refusal" if len(found) == 1 else f"{len(found)} refusals of providers"
        dump.transcripts[0] = replace(one, title=title, refusals=refusals)
        dump.table.wire = found[0][1].provider
        dump.whys.append("what was refused is not in this file: open the request, and give it this one (Paste the provider's error, or "
                         "check REQUEST --error @THIS)")  # fmt: skip
        return dump


def _is_own(head: bytes, whole: bool) -> bool:
    """Whether a file is an error and nothing else, by itself or alone in a list, or such errors one a line."""
    seen = peek(head, whole)
    if seen.lines:
        return bool(seen.records) and all(map(_is_body, seen.records)) and any(one.keys() != {"message"} for one in seen.records)
    return whole and not seen.cut and _is_body(seen.value[0] if isinstance(seen.value, list) and len(seen.value) == 1 else seen.value)


def _is_body(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() <= _BESIDE and body_of(value) is not None


FORMAT = ProviderError()
