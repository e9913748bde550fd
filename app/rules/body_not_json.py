"""A request that is not JSON from one end to the other: cut off, or damaged on the way.

What could be read of it is shown and judged as far as it goes; the rest is kept as it is. No provider reads such a body, so nothing that
holds of its messages makes it one that could be sent. A session log is another matter: a line of it that cannot be read is left out of what
its program sends. Words that are no JSON but that Python reads and writes, NaN and Infinity, make a body that is none as well.

Evidence: anthropics/claude-code#6902 (the body of Anthropic's 400); ChatGPTNextWeb/NextChat#4064, microsoft/graphrag#2286 (OpenAI's);
RFC 8259, section 6 (numbers: no NaN, no Infinity).

Repair: none here; the messages that are whole can be taken from the file by hand, or the dump made again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.model.table import RecordKind
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class BodyNotJson(Rule):
    name = "body-not-json"
    summary = "a request that ends early or is damaged, so that it is not JSON"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, table = reading.view, reading.view.transcript.table
        if "layout" not in table.extra:
            return []
        bare = table.marks.get(Mark.NOT_JSON, np.empty(0, np.int32))
        whole = bool((table.records.kind == RecordKind.UNPARSED).any()) or bool((bare < 0).any())
        found = [Hit(np.full(1, -1, np.int32), np.full(1, -1, np.int64), self.severity)] if whole else []
        return [*found, self.hit(reading, np.flatnonzero(view.marked(Mark.NOT_JSON)))] if len(bare) else found

    def say(self, site: Site) -> Said:
        if site.position >= 0:
            return Said("NaN or Infinity stands in this message, bare: that is no JSON.", cause="not JSON", whole=True)
        if not (site.scene.table.records.kind == RecordKind.UNPARSED).any():
            return Said("NaN or Infinity stands beside the messages, bare: that is no JSON.", cause="not JSON")
        return Said("The file ends early or is damaged: it is not JSON as a whole, and a part of it could not be read.", cause="not JSON")


RULE = BodyNotJson()
