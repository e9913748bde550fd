"""Logs of LiteLLM's: a file for each call (`log_completions`, as OpenHands writes them), or its standard logging payloads.

`raw_messages` and `raw_response` are the same once more in the other form: with calls as text, or as structure. `messages` is what was
sent. Sources: OpenHands/software-agent-sdk openhands/sdk/llm/utils/telemetry.py, BerriAI/litellm litellm/types/utils.py
(`StandardLoggingPayload`), and recorded logs.
"""

from __future__ import annotations

from typing import Any

from app.formats._calls import Call, CallLog, CallSheet
from app.formats._format import Progress
from app.formats._http import answered
from app.formats._nodes import Node
from app.formats._payload import Found, error_text, sent
from app.formats._peek import peek
from app.formats._spans import in_time, items_of
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind

_LOG = frozenset({"kwargs", "latency_sec", "raw_messages", "raw_response"})
_PAYLOAD = frozenset({"call_type", "response_cost", "model_group", "litellm_call_id", "litellm_params", "model_map_information"})


class LiteLLMLog(CallLog):
    name = "litellm-log"
    summary = "LiteLLM: logged calls"
    writable = True

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = list(seen.records) if seen.lines else seen.value if isinstance(seen.value, list) else [seen.value]
        if not records or 2 * sum(_is_own(record) for record in records) <= len(records):
            return None
        keys = sorted((_LOG | _PAYLOAD) & next(record for record in records if _is_own(record)).keys())
        return Confidence(self.name, 0.99, f"messages beside {', '.join(keys[:3])}")

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source, writable=True)
        found = list[tuple[Node, int]]()
        for place, node in items_of(sheet, source, first_look):
            known = isinstance(node.value, dict)
            record = sheet.item(node, place, RecordKind.META if known else RecordKind.UNKNOWN, _time(node.value) if known else None)
            if known:
                found.append((node, record))
        for node, record in in_time(found, lambda pair: _time(pair[0].value)):
            sheet.add(_call(node, record))
        return sheet.dump(complete=not first_look)


def _is_own(record: Any) -> bool:
    if not isinstance(record, dict) or "messages" not in record:
        return False
    return not _LOG.isdisjoint(record) or ("response" in record and len(_PAYLOAD & record.keys()) > 1)


def _time(value: dict[str, Any]) -> Any:
    return next((value[key] for key in ("startTime", "start_time", "timestamp") if value.get(key) is not None), None)


def _call(node: Node, record: int) -> Call:
    value = node.value
    response = node.get("response")
    asked = sent(node, "chat")
    told = answered(response, "chat") if response is not None and isinstance(response.value, dict | str) else Found()
    told.usage = told.usage or value
    id = next((value[key] for key in ("litellm_call_id", "id") if isinstance(value.get(key), str)), told.id or "main")
    call = Call(id, str(value.get("call_type") or "completion"), _time(value), asked, told, record=record)
    kwargs = value.get("kwargs")
    held = value.get("model") or (kwargs.get("model") if isinstance(kwargs, dict) else None)
    call.model = held if isinstance(held, str) else None
    error = _error(value)
    if error is not None:
        call.refusal = error
    elif told.error is not None:
        call.refusal = (None, told.error)
    return call


def _error(value: dict[str, Any]) -> tuple[int | None, str] | None:
    """What was refused: `error_str`, or `error_information` with its code."""
    info = value.get("error_information")
    info = info if isinstance(info, dict) else {}
    text = error_text(value.get("error_str")) or error_text(info.get("error_message")) or error_text(value.get("exception"))
    text = text or error_text(value.get("error"))
    if text is None:
        return None
    code = info.get("error_code")
    return (int(code) if isinstance(code, int | str) and str(code).isdecimal() and len(str(code)) == 3 else None), text


FORMAT = LiteLLMLog()
