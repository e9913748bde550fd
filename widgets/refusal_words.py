"""What the verdict strip says of the refusals that a dump records. No Qt."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.model.explained import Recalled
from app.model.findings import Finding, Report
from app.model.kinds import Role
from app.model.state import State
from app.model.transcript import Refusal
from widgets.visible import line
from widgets.words import counted, full, spelled

Lines = Callable[[int], "int | None"]  # record to its line in the file, None for a document
ADVICE = "Paste the whole request, or save a report."


def unanswered(state: State) -> Refusal | None:
    """The last recorded refusal behind which no model answered any more; None where the conversation went on."""
    view, transcript = state.view, state.transcript
    if view is None or transcript is None or not transcript.refusals:
        return None
    last = transcript.refusals[-1]
    answers = np.flatnonzero(view.role == Role.ASSISTANT)
    position = view.at(last.after)
    return last if not len(answers) or position >= int(answers[-1]) else None


def recalled(state: State, refusal: Refusal) -> Recalled | None:
    """What a refusal comes to; None where it was not looked at."""
    return next((one for one in state.recalled if refusal.record in one.records), None)


def answered_for(state: State, refusal: Refusal) -> bool:
    """Whether a refusal is no reproach any more: it is about something else, or what it speaks of is mended."""
    one = recalled(state, refusal)
    return one is not None and (bool(one.explained.elsewhere) or one.then or (one.explained.known and bool(state.history.active)))


def words(state: State, refusal: Refusal, line_of: Lines) -> str:
    """What is said of the refusal of the last request, where no finding says why."""
    one = recalled(state, refusal)
    where = place(refusal, line_of)
    said = " ".join(filter(None, (str(refusal.status or ""), line(refusal.text, 240), f"({where})." if where else "")))
    if one is None:
        return f"{said} {ADVICE}"
    if one.explained.known:
        return f"{said} Those are the words of {one.explained.candidates[0].rule}, and no such defect is here."
    return f"The file records a refusal that no rule explains: {said}"


def alone(refusal: Refusal) -> tuple[str, str]:
    """What is said of a refusal where nothing of what it refused is there, and what is to be done."""
    words = " ".join(filter(None, (str(refusal.status or ""), line(refusal.text, 200))))
    return "A provider's refusal, and nothing of what it refused.", f"Open the refused request and paste this error there: {words}"


def puzzle(state: State, line_of: Lines) -> str:
    """The last recorded refusal that no rule explains, as a sentence; "" where there is none."""
    puzzling = [one for one in state.recalled if one.puzzling]
    if not puzzling:
        return ""
    one = puzzling[-1]
    where = place(one.refusal, line_of)
    more = f", and {counted(len(puzzling) - 1, 'other')}" if len(puzzling) > 1 else ""
    return f"The file records a refusal that no rule explains{f' ({where})' if where else ''}{more}: {line(one.explained.words, 160)}"


def held(state: State, line_of: Lines) -> str:
    """That the dump holds the very refusal that its defect leads to, where and how often, with a blank before it; "" where it does not."""
    shown = list(state.transcript.refusals) if state.transcript else []
    if state.recalled:
        shown = [one.refusal for one in state.recalled if one.stands is not None for _ in range(one.times)]
    if not shown:
        return ""
    times = spelled(len(shown), "time") if len(shown) > 1 else ""
    inside = ", ".join(word for word in (place(shown[0], line_of), times) if word)
    return f" The dump holds the refusal itself{f' ({inside})' if inside else ''}."


def named(state: State, report: Report) -> Finding | None:
    """The finding that the dump's own refusal speaks of, where it is still one; of several the last."""
    stands = [one.stands for one in state.recalled if one.stands is not None]
    for there in reversed(stands):
        for finding in report.findings:
            if finding.row == there.row and finding.rule == there.rule and finding.severity == "error":
                return finding
    return None


def recorded(state: State, line_of: Lines) -> str:
    """What is said of recorded refusals beside a transcript that nothing speaks against, with a blank behind it."""
    refused = state.transcript.refusals if state.transcript else ()
    if not refused:
        return ""
    puzzling = puzzle(state, line_of)
    if puzzling:
        return f"{puzzling} "
    last = unanswered(state)
    if last is None:
        return f"The dump records {spelled(len(refused), 'refusal')}, later taken. "
    one = recalled(state, last)
    if one is None:
        return ""
    if one.explained.elsewhere:
        return f"The last request was refused for another reason: {one.explained.elsewhere}. "
    return f"The last request was refused for {one.explained.candidates[0].rule}, which is mended. "


def place(refusal: Refusal, line_of: Lines) -> str:
    number = line_of(refusal.record)
    return f"line {full(number)}" if number is not None else ""
