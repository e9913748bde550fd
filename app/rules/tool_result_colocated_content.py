"""Something beside a result that the model's family does not take in one message (Bedrock).

Llama, Mistral and Writer take results alone; Claude takes text, images and PDF beside them, but no video and no document of plain text;
Nova takes all of it. Where the family is not known nothing is said. Llama and Mistral refuse text beside calls in one message of the
assistant as well, by reports only: a warning.

Evidence: langchain-ai/langchain-aws#141; pydantic/pydantic-ai#6081, providers/bedrock.py and recorded requests (PDF beside a result on
Claude = 200). Text beside calls: quarkiverse/quarkus-langchain4j#1983; langchain-aws, its standard tests on Mistral Large.

Repair: a message of the assistant (“.”) between the results and the rest; without one Bedrock would join the two again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.model.edits import After, Change, Edit, Insert, Made, Move
from app.model.findings import Hit, Severity
from app.model.kinds import Kind, Mark, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._scene import Site

ALONE: Final = frozenset({"llama", "mistral", "writer"})
CALLS_ALONE: Final = frozenset({"llama", "mistral"})
BRIDGE: Final = "."
"""What says nothing; a single space would be an empty text."""


class ToolResultColocatedContent(Rule):
    name = "tool-result-colocated-content"
    summary = "something beside a result that the model does not take in one message"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, family = reading.view, reading.provider.family(reading.model)
        others = reading.sent & ~view.results & ~view.calls & (view.kind != Kind.EMPTY)
        if family == "claude":
            wrong = (view.kind == Kind.MEDIA) & (view.marked(Mark.VIDEO) | view.marked(Mark.TEXT_DOCUMENT))
            return [self._beside(reading, others & wrong, view.results)]
        if family not in ALONE:
            return []
        hits = [self._beside(reading, others, view.results)]
        if family in CALLS_ALONE:
            words = others & (view.kind != Kind.REASONING)
            hits.append(self._beside(reading, words, view.calls & (view.role == Role.ASSISTANT), "warning"))
        return hits

    def _beside(self, reading: Reading, others: Ints, of: Ints, severity: Severity | None = None) -> Hit:
        """The first block of each message that stands beside one of those."""
        holds = np.zeros(int(reading.wire_message.max(initial=-1)) + 1, bool)
        holds[reading.wire_message[of & reading.sent]] = True
        found = np.flatnonzero(others)
        found = found[holds[reading.wire_message[found]]]
        first = found[np.unique(reading.wire_message[found], return_index=True)[1]]
        return self.hit(reading, first, severity=severity)

    def say(self, site: Site) -> Said:
        if site.severity == "warning":
            message = "Text stands beside calls in one message, which this model's family is reported to refuse."
            return Said(message, cause="calls alone", variant="call")
        media = {Mark.VIDEO: "a video", Mark.TEXT_DOCUMENT: "a document of plain text"}
        marked = (what for mark, what in media.items() if site.scene.view.marked(mark)[site.position])
        word = next(marked, site.kind.word)
        message = f"{word[0].upper()}{word[1:]} stands beside a result in one message, which this model's family does not take."
        return Said(message, cause="results alone")

    def fixes(self, site: Site) -> Sequence[Change]:
        view = site.scene.view
        message = site.scene.message_of(site.position)
        if site.severity == "warning":
            return self._before_calls(site, message)
        results = message[view.results[message]].tolist()
        rest = [at for at in message.tolist() if not view.results[at] and view.kind[at] != Kind.EMPTY]
        edits = _parted(site, int(results[-1]), rest, Role.ASSISTANT)
        return [site.change("Put a message of the assistant (“.”) between the results and the rest", "adds", *edits)]

    def _before_calls(self, site: Site, message: Ints) -> list[Change]:
        """The words stay in a message of their own in front of the calls, with one of the user between."""
        view = site.scene.view
        texts = [at for at in message.tolist() if not view.calls[at]]
        calls = [at for at in message.tolist() if view.calls[at]]
        edits = _parted(site, texts[-1], calls, Role.USER)
        return [site.change("Put a message of the user (“.”) between the text and the calls", "adds", *edits)]


def _parted(site: Site, last: int, rest: Sequence[int], role: Role) -> list[Edit]:
    """Edits that put the blocks `rest` into a message behind that of `last`, with a bridge of a role between."""
    anchor = site.row_of(last)
    edits: list[Edit] = [Insert(After(anchor), Made(Kind.TEXT, role, BRIDGE))]
    for number, at in enumerate(rest):
        edits.append(Move(site.row_of(at), After(anchor, join=number > 0)))
        anchor = site.row_of(at)
    return edits


RULE = ToolResultColocatedContent()
