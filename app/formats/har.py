"""HTTP archives (HAR 1.2, also Polly's): the requests in them that went to a model's API are LLM calls, in order of time.

Headers are not shown, since they hold keys. Source: http://www.softwareishard.com/blog/har-12-spec/, and recorded archives.
"""

from __future__ import annotations

from typing import Any

from app.formats._calls import CallLog, CallSheet
from app.formats._format import Progress
from app.formats._http import Exchange, call_of, has_keys
from app.formats._nodes import Node, document
from app.formats._peek import peek
from app.formats._spans import in_time
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind


class Har(CallLog):
    name = "har"
    summary = "HTTP archive (HAR): the requests in it that went to a model"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        log = value.get("log") if isinstance(value, dict) else None
        if isinstance(log, dict) and ("entries" in log or "_recordingName" in log or ("version" in log and "creator" in log)):
            return Confidence(self.name, 0.97, "log with entries")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        entries = document(source).get("log", "entries")
        found, keyed = list[Exchange](), 0
        for place, entry in enumerate(entries.elements() if entries is not None else ()):
            exchange = _exchange(sheet, entry, place)
            if exchange is None:
                continue
            found.append(exchange)
            keyed += any(has_keys(held.value) for side in ("request", "response") if (held := entry.get(side, "headers")) is not None)
        for exchange in in_time(found, lambda exchange: exchange.time):
            call = call_of(exchange)
            if call is not None:
                sheet.add(call)
        if keyed:
            sheet.whys.append(f"headers of {keyed:,} entries hold keys or cookies: they are not shown, and an export copies them")
        return sheet.dump(complete=not first_look)


def _exchange(sheet: CallSheet, entry: Node, place: int) -> Exchange | None:
    value = entry.value
    if not isinstance(value, dict):
        sheet.item(entry, place, RecordKind.UNKNOWN)
        return None
    time = value.get("startedDateTime")
    record = sheet.item(entry, place, time=time)
    request, response = value.get("request"), value.get("response")
    if not isinstance(request, dict):
        return None
    status: Any = response.get("status") if isinstance(response, dict) else None
    return Exchange(
        url=str(request.get("url", "")), method=str(request.get("method", "")), body=entry.get("request", "postData", "text"),
        response=entry.get("response", "content", "text"), status=status if isinstance(status, int) and status > 0 else None, time=time,
        record=record, number=place,
    )  # fmt: skip


FORMAT = Har()
