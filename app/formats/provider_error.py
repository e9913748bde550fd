"""The body of a provider's refusal, by itself: what somebody saved of a request that failed. It holds nothing of what was refused.

Anthropic: `{type: "error", error: {type, message}}` (https://docs.claude.com/en/api/errors). OpenAI and hosts like it: `{error: {message,
type, param, code}}` (https://platform.openai.com/docs/guides/error-codes). Google: `{error: {code, message, status}}`, in a list where the
answer was to be streamed (https://google.aip.dev/193). Mistral: `{object: "error", message}`. AWS: `{message}`, with `__type` or alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from app.formats._format import Progress
from app.formats._json import compact
from app.formats._payload import error_text
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
_OF_ERROR: Final = frozenset({"type", "code", "param", "status", "details", "metadata"})


class ProviderError(AnyRecords):
    name = "provider-error"
    summary = "A provider's refusal by itself, the body of an answer that failed"
    provider = "openai-chat"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        told = None if seen.lines or seen.cut or not whole else _told(seen.value)
        return Confidence(self.name, 0.97, "nothing but an error, as a provider answers a request that it refuses") if told else None

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        return [Piece(Kind.OTHER, "error", Role.OTHER, "", (compact(value),), value=value)]

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        dump = super().parse(source, progress, first_look)
        told = _told(peek(source.read(0, source.size), True).value)
        if told is None or not dump.transcripts:
            return dump
        one = dump.transcripts[0]
        after = int(one.order[-1]) if len(one.order) else -1
        title, (status, words, provider) = "a provider's refusal", told
        dump.transcripts[0] = replace(one, title=title, refusals=(Refusal(0, after, status, words),))
        dump.table.wire = provider
        dump.whys.append("what was refused is not in this file: open the request, and give it this one (Paste the provider's error, or "
                         "check REQUEST --error @THIS)")  # fmt: skip
        return dump


def _told(value: Any) -> tuple[int | None, str, str] | None:
    """Status (None: not told), words and provider ("": it is not told) of a body that is an error and nothing else."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    if not isinstance(value, dict) or not value.keys() <= _BESIDE:
        return None
    error, words = value.get("error"), error_text(value)
    if words is None:
        return None
    if isinstance(error, dict) and isinstance(error.get("message"), str) and (value.get("type") == "error" or _OF_ERROR & error.keys()):
        google = isinstance(error.get("status"), str)
        return _status(error, value), error["message"], "anthropic" if value.get("type") == "error" else "gemini" if google else ""
    if isinstance(value.get("message"), str) and (value.get("object") == "error" or "__type" in value or value.keys() == {"message"}):
        return _status(value), value["message"], "mistral" if value.get("object") == "error" else "bedrock"
    return None


def _status(*held: dict[str, Any]) -> int | None:
    """An HTTP status that a body tells."""
    found = [value.get(key) for value in held for key in ("code", "status", "statusCode", "status_code", "raw_status_code")]
    return next((value for value in found if isinstance(value, int) and not isinstance(value, bool) and 400 <= value < 600), None)


FORMAT = ProviderError()
