"""The transcripts of a dump as rows of a chooser: what each says, in which order, and which of them a filter leaves.

No Qt; every text is asserted in a test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.model.survey import Surveyed
from app.model.transcript import Transcript
from widgets.visible import line
from widgets.words import counted, full, short

NUMBER, NAME, EXCHANGES, REQUESTS, TOKENS, VERDICT, RECORDED = range(7)
TITLES = ("#", "Transcript", "Exchanges", "Requests", "Tokens", "Verdict", "Recorded")
MEANINGS = (
    "its place in the dump",
    "its id and what the dump says of it",
    "real user messages, each with all that follows",
    "answers of the model",
    "tokens of its request, estimated",
    "what was found under the question in front, as the dump has it",
    "refusals that the dump records",
)
FIGURES = (NUMBER, EXCHANGES, REQUESTS, TOKENS)
_LONG = 120


def name_of(one: Transcript) -> str:
    """Its id, and beside it a title or why it is apart from others."""
    about = " — ".join(line(word, _LONG) for word in (one.title, one.why) if word)
    return line(one.id, 60) + (f"  {about}" if about else "")


def verdict_of(known: Surveyed | None) -> tuple[str, str]:
    """Words and a tone: bad, warn, good, or soft where nobody has looked yet."""
    if known is None:
        return "…", "soft"
    if known.errors:
        return f"✕ {counted(known.errors, 'error')}", "bad"
    if known.warnings:
        return f"▲ {counted(known.warnings, 'warning')}", "warn"
    return "no reason found", "good"


def cell(column: int, index: int, one: Transcript, known: Surveyed | None, chosen: bool) -> str:
    """The words of one cell. `chosen`: it is the one that is open."""
    if column == NUMBER:
        return full(index + 1)
    if column == NAME:
        return ("● " if chosen else "") + name_of(one)
    if column == RECORDED:
        return f"refused ×{full(len(one.refusals))}" if one.refusals else ""
    if column == VERDICT:
        return verdict_of(known)[0]
    if known is None:
        return ""
    return {EXCHANGES: full(known.exchanges), REQUESTS: full(known.requests), TOKENS: f"≈{short(known.tokens)}"}[column]


def order(
    transcripts: Sequence[Transcript], found: Mapping[int, Surveyed], column: int, down: bool, words: str, texts: Sequence[str]
) -> list[int]:
    """Indices of the transcripts that hold all `words`, by a column; equal ones as the dump has them, unknown ones last.

    `texts`: the name of each in lower case.
    """
    asked = words.lower().split()
    kept = [index for index in range(len(transcripts)) if all(word in texts[index] for word in asked)]
    if column == NUMBER:
        return kept[::-1] if down else kept
    if column == NAME:
        return sorted(kept, key=lambda index: texts[index], reverse=down)
    if column == RECORDED:
        return sorted(kept, key=lambda index: -len(transcripts[index].refusals) if down else len(transcripts[index].refusals))
    sign = -1 if down else 1

    def rank(index: int) -> tuple[bool, int, int]:
        known = found.get(index)
        if known is None:
            return True, 0, 0
        if column == VERDICT:
            return False, sign * known.errors, sign * known.warnings
        figure = {EXCHANGES: known.exchanges, REQUESTS: known.requests, TOKENS: known.tokens}[column]
        return False, sign * figure, 0

    return sorted(kept, key=rank)


def summary(many: int, shown: int, found: Mapping[int, Surveyed], left: int) -> str:
    """`1,204 transcripts, 37 of them with errors; 400 still to be looked at`."""
    bad = sum(1 for known in found.values() if known.errors)
    said = counted(many, "transcript")
    if shown != many:
        said = f"{full(shown)} of {said}"
    told = f"{full(bad)} with errors" if bad else "none with errors so far" if left else "none with errors"
    return f"{said}, {told}" + (f"; {full(left)} still to be looked at" if left else "")
