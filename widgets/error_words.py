"""What a provider's error comes to, in words: one sentence, and an entry for each candidate."""

from __future__ import annotations

from app.model.explained import Candidate, Explained
from app.model.state import State
from widgets.lines import Line
from widgets.visible import line
from widgets.words import abridged, counted, exchange_and_step

EMPTY = "Paste what the provider answered: its words, the JSON body, a log line, a traceback."
ASKING = "Looking…"


def headline(found: Explained) -> tuple[str, str]:
    """Tone (error, warning, note) and sentence."""
    here = [one for one in found.candidates if one.at is not None]
    if found.elsewhere:
        return "note", f"It is about something else than the transcript: {found.elsewhere}."
    if here and found.known:
        first = f"{_sentence(here[0].meaning or here[0].rule)}; {here[0].why.replace('it names', 'the text names')}."
        return "error", first if len(here) == 1 else f"{counted(len(here), 'place')} come into question, the likeliest first. {first}"
    if here:
        return "warning", "No rule is known for these words; this is what would be refused here."
    if found.candidates:
        meaning = found.candidates[0].meaning or found.candidates[0].rule
        return "warning", f"Its words fit, but the transcript shows no such defect: {meaning}."
    return "warning", "No rule is known for these words, and nothing else speaks against the transcript."


def aside(found: Explained, text: str = "") -> str:
    """What else is to be said: ids that are not here, or that are and have no defect, else the provider's sentence where it was wrapped
    in `text`; "" for nothing."""
    here = any(one.at is not None for one in found.candidates)
    if found.strange:
        ids = ", ".join(line(id_, 60) for id_ in found.strange[:3])
        return f"{ids} {'is' if len(found.strange) == 1 else 'are'} nowhere in this transcript: is it another one?"
    if found.named and not here:
        return "What it names stands in the transcript, and nothing is known to be wrong there."
    return f"It says: {line(found.words, 300)}" if found.known and found.words and found.words not in " ".join(text.split()) else ""


def entries(found: Explained, state: State) -> list[Line]:
    """An entry a candidate, best first; those that the transcript does not show are faint and lead nowhere, but to the ids named."""
    lines = [_entry(one, state, found.known) for one in found.candidates]
    if not any(one.at is not None for one in found.candidates):
        for named in found.named:
            lines.append(
                Line(line(named.id, 80), "an id that it names", exchange_and_step(state, named.row), icon="next", mark=named.at,
                     value=(named.row, ""))
            )  # fmt: skip
    return lines


def _entry(one: Candidate, state: State, known: bool) -> Line:
    if one.at is None:
        return Line(one.rule, one.meaning, "not here", icon="note", colour="ink_faint", dim=True, value=(-1, one.rule))
    ids = ", ".join(abridged(id_, (id_,)) for id_ in one.ids[:3]) + (", …" if len(one.ids) > 3 else "")
    said = " · ".join(filter(None, (one.why if known else "", one.meaning)))
    where = exchange_and_step(state, one.row) if one.row >= 0 else "the whole"
    return Line(
        one.rule, said, where, icon="error", colour="error", mark=" ".join(filter(None, (one.at, ids))), bold=True,
        value=(one.row, one.rule),
    )  # fmt: skip


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
