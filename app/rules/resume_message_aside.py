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

from app.model.edits import Change
from app.model.reader import Aside, Resumed
from app.rules._reader import ReaderRule, line, relinked, resumed, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeMessageAside(ReaderRule):
    name = "resume-message-aside"
    summary = "a resume would not read these messages: they hang beside the way to the last one"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [one.first for one in resumed.asides]

    def say(self, site: Site) -> Said:
        aside = _aside(site)
        if aside.messages == 1:
            return told(site, f"The message of {_lines(site, aside)} stands beside the way that a resume takes: it would not be read.")
        many = f"{aside.messages:,} messages ({_lines(site, aside)})"
        return told(site, f"{many} stand beside the way that a resume takes: they would not be read.")

    def fixes(self, site: Site) -> Iterable[Change]:
        aside = _aside(site)
        parents = site.scene.table.extra["parents"]
        first = () if parents[aside.first] == aside.above else relinked(site, aside.first, aside.above)
        then = relinked(site, aside.then, aside.last)
        if aside.above >= 0 and then and (first or parents[aside.first] == aside.above):
            yield site.change(f"Put {_lines(site, aside)} on the way", "exact", *first, *then)


def _lines(site: Site, aside: Aside) -> str:
    first, last = line(site, aside.first), line(site, aside.last)
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _aside(site: Site) -> Aside:
    return next(one for one in resumed(site).asides if one.first == site.detail)


RULE = ResumeMessageAside()
