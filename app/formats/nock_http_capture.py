"""What nock recorded: a list of requests with their answers. Those that went to a model's API are LLM calls, in the order of the file.

A body is JSON, a text (server-sent events), or a list of texts in hex where it was binary or compressed.
Source: https://github.com/nock/nock#recording, and recorded fixtures.
"""

from __future__ import annotations

from app.formats._calls import CallLog, CallSheet
from app.formats._format import Progress
from app.formats._http import Exchange, call_of, has_keys
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.source import Source
from app.model.table import RecordKind


class Nock(CallLog):
    name = "nock-http-capture"
    summary = "nock: recorded HTTP requests, those that went to a model"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, dict) and {"scope", "method", "path"} <= first.keys():
            return Confidence(self.name, 0.97, "scope, method and path")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = CallSheet(self.name, source)
        root = document(source)
        keyed = 0
        for place, entry in enumerate([root] if isinstance(root.value, dict) else root.elements()):
            value = entry.value
            if not isinstance(value, dict):
                sheet.item(entry, place, RecordKind.UNKNOWN)
                continue
            record = sheet.item(entry, place)
            keyed += has_keys(value.get("rawHeaders")) or has_keys(value.get("reqheaders"))
            status = value.get("status")
            call = call_of(
                Exchange(
                    url=f"{value.get('scope', '')}{value.get('path', '')}", method=str(value.get("method", "")), body=entry.get("body"),
                    response=entry.get("response"), status=status if isinstance(status, int) else None, time=None, record=record,
                    number=place,
                )
            )  # fmt: skip
            if call is not None:
                sheet.add(call)
        if keyed:
            sheet.whys.append(f"headers of {keyed:,} requests hold keys or cookies: they are not shown, and an export copies them")
        return sheet.dump(complete=not first_look)


FORMAT = Nock()
