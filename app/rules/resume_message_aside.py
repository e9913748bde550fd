"""Messages that stand beside the way back from the last one: they are not read when the session is resumed.

Two records hang on one, and neither is a prompt that somebody typed anew. Claude Code takes the way on which the last message lies and
leaves the other. Parallel calls of one message and their results hang like that as well; those it puts back, and they are no finding. An
answer that was broken off and asked for again may stand beside the way and be meant to.

Evidence: anthropics/claude-code#35024 (records of hooks that fork the chain, four fifths of a session not read), #48270.

Repair: the messages are put on the way: the first hangs on the record before it in the file, and the record behind the last hangs on
that. Where both ways are interleaved nothing is offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.reader import Resumed
from app.rules._reader import ReaderRule, line, relinked, resumed, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeMessageAside(ReaderRule):
    name = "resume-message-aside"
    summary = "a resume would not read these messages: they hang beside the way to the last one"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return resumed.asides[:, 0].tolist()

    def say(self, site: Site) -> Said:
        first, last, count, _, _ = _aside(site)
        if count == 1:
            one = f"The message of {_lines(site, first, last)}"
            return told(site, f"{one} stands beside the way that a resume takes: it would not be read.")
        many = f"{count:,} messages ({_lines(site, first, last)})"
        return told(site, f"{many} stand beside the way that a resume takes: they would not be read.")

    def fixes(self, site: Site) -> Iterable[Change]:
        first, last, _, above, then = _aside(site)
        if above < 0:
            return
        hangs = site.scene.table.extra["parents"][first] == above
        before, behind = () if hangs else relinked(site, first, above), relinked(site, then, last)
        if behind and (before or hangs):
            yield site.change(f"Put {_lines(site, first, last)} on the way", "exact", *before, *behind)


def _lines(site: Site, first: int, last: int) -> str:
    return f"line {line(site, first)}" if first == last else f"lines {line(site, first)} to {line(site, last)}"


def _aside(site: Site) -> tuple[int, int, int, int, int]:
    asides = resumed(site).asides
    first, last, count, above, then = asides[np.searchsorted(asides[:, 0], site.detail)].tolist()
    return first, last, count, above, then


RULE = ResumeMessageAside()
