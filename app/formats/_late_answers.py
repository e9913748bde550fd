"""Logs that note a request on one line and how it was answered on a later one: which request a refusal belongs to."""

from __future__ import annotations

from typing import Any, Final

from app.formats._calls import CallSheet
from app.formats._error_body import refused

_IDS: Final = ("request_id", "requestId", "req_id", "reqId", "call_id", "callId", "trace_id", "traceId", "span_id", "spanId",
               "correlation_id", "correlationId")  # fmt: skip
_ANSWERS: Final = ("response", "res", "output", "response_body", "error")


class LateAnswers:
    """`asked` for each request, `take` for each record that holds none."""

    def __init__(self, sheet: CallSheet) -> None:
        self._sheet = sheet
        self._last: tuple[int, dict[str, Any]] | None = None  # the request that was not answered yet, and its ids
        self._named: dict[tuple[str, Any], int] = {}

    def asked(self, value: dict[str, Any], record: int, answered: bool) -> None:
        """A record that holds a call. `answered`: what became of it stands there too."""
        ids = _ids(value)
        self._last = None if answered else (record, ids)
        if not answered:
            self._named.update(((key, told), record) for key, told in ids.items())

    def take(self, value: Any, record: int) -> None:
        """A record that holds no request: where it is the refusal of one, that one was refused."""
        if not isinstance(value, dict):
            return
        told = refused(value, body=True)
        ids = _ids(value)
        found = next((self._named.pop(one) for one in ids.items() if one in self._named), None)
        if found is None and self._last is not None and not ids.keys() & self._last[1].keys():
            found = self._last[0]
        if found is None:
            return
        if told is not None:
            self._sheet.refuse(found, record, *told)
        if self._last is not None and self._last[0] == found and (told is not None or any(value.get(key) for key in _ANSWERS)):
            self._last = None


def _ids(value: dict[str, Any]) -> dict[str, Any]:
    return {key: value[key] for key in _IDS if isinstance(value.get(key), str | int) and value[key] != ""}
