"""`check --error`, and the refusals that a dump records: what a provider said, and where it leads."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli_open import Opened, standard_input
from app.cli_words import count, table, wrapped
from app.model.errors import InspectorError
from app.model.explained import Candidate, Explained, Recalled
from app.model.view import View

if TYPE_CHECKING:
    from app.model.table import Table

LIMIT = 4_000_000  # bytes of a file that holds an error
ABSENT = 6  # rules that the words may mean and the transcript does not show: so many are named
SHOWN = 12  # places that are shown
REFUSALS = 6  # recorded refusals that are shown


def error_text(words: Namespace) -> str | None:
    """The text behind `--error`: itself, `@FILE` the content of a file, `-` standard input; read once, for all files that are checked.
    InspectorError where it cannot be read."""
    if words.error is not None and not hasattr(words, "error_text"):
        words.error_text = _read(words)
    text: str | None = getattr(words, "error_text", None)
    return text


def _read(words: Namespace) -> str:
    given: str = words.error
    if given == "-":
        if "-" in words.files:
            raise InspectorError("--error -: standard input is the dump already; give the text, or @FILE")
        return standard_input().decode("utf-8", "replace")
    if given.startswith("@") and len(given) > 1:
        return _content(given[1:])
    if not given.strip():
        raise InspectorError("--error: the text is empty; give what the provider said, @FILE, or - for standard input")
    return given


def _content(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(LIMIT).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise InspectorError(f"--error @{path}: {getattr(error, 'strerror', None) or error}; name a file that holds the error") from None


def explained(file: Opened, view: View, text: str) -> Explained:
    from app.pipeline.explain import explain

    return explain(text, view, file.provider, file.model_of(view.transcript), file.dump)


def recalled(file: Opened, view: View) -> tuple[Recalled, ...]:
    if not view.transcript.refusals:
        return ()
    from app.pipeline.recall import recall

    return recall(view, file.provider, file.model_of(view.transcript), file.dump)


# -- JSON -----------------------------------------------------------------------------------------------------------------------------


def candidates_object(found: Explained) -> list[dict[str, Any]]:
    """`error_candidates`, best first."""
    return [
        {"rule": one.rule, "at": one.at, "ids": one.ids, "meaning": one.meaning, "why": one.why, "judged": one.judged}
        for one in found.candidates
    ]  # fmt: skip


def error_object(found: Explained) -> dict[str, Any]:
    """What was read out of the text besides: the provider's sentence, its ids with their places, ids that are not in the transcript."""
    return {
        "words": found.words, "known": found.known, "about": found.elsewhere or None,
        "ids": [{"id": one.id, "at": one.at} for one in found.named], "unknown_ids": found.strange,
    }  # fmt: skip


def refusals_object(found: Sequence[Recalled], table_: Table) -> list[dict[str, Any]]:
    """`recorded_refusals`: each with its place in the file and what it comes to."""
    return [
        {
            "at": _place(one, table_), "times": one.times, "status": one.refusal.status, **error_object(one.explained),
            "as_it_was_sent": one.then, "error_candidates": candidates_object(one.explained),
        }
        for one in found
    ]  # fmt: skip


# -- text -----------------------------------------------------------------------------------------------------------------------------


def error_lines(found: Explained) -> list[str]:
    """What an error text comes to, in plain words."""
    lines = wrapped(f"The error: {found.words or 'no words'}", "    ", first="  ")
    if found.elsewhere:
        return [*lines, *wrapped(f"It is about something else than the transcript: {found.elsewhere}.", "    ", first="    ")]
    here = [one for one in found.candidates if one.at is not None]
    for one in here[:SHOWN]:
        lines += candidate_lines(one)
    if len(here) > SHOWN:
        lines.append(f"    and {count(len(here) - SHOWN, 'further place')}; all of them: --json")
    absent = [one.rule for one in found.candidates if one.at is None]
    if absent:
        named = ", ".join(absent[:ABSENT]) + (", …" if len(absent) > ABSENT else "")
        lines += wrapped(f"{'Its words may also mean' if here else 'Its words fit'} {named}; the transcript shows no such defect.", "    ")
    lines += _ids_lines(found, bool(here))
    if not found.candidates:
        lines += wrapped("No rule is known for these words, and nothing else speaks against the transcript.", "    ")
    return lines


def candidate_lines(one: Candidate) -> list[str]:
    ids = f"  {' '.join(one.ids[:6])}{' …' if len(one.ids) > 6 else ''}" if one.ids else ""
    lines = table([[one.rule, (one.at or "the whole") + ids]], indent="    ")
    return [*lines, *wrapped("; ".join(filter(None, (one.meaning, one.why))), "        ", first="      ")]


def _ids_lines(found: Explained, shown: bool) -> list[str]:
    lines: list[str] = []
    if found.named and not shown:
        where = ", ".join(f"{one.id} at {one.at}" for one in found.named[:4])
        lines += wrapped(f"It names {where}.", "    ")
    if found.strange:
        ids = ", ".join(found.strange[:4])
        lines += wrapped(f"It names {ids}, which is nowhere in this transcript: is it another one?", "    ")
    return lines


def refusal_facts(found: Sequence[Recalled], table_: Table) -> list[list[str]]:
    """The recorded refusals as facts of the head: where, how often, what they come to."""
    facts = []
    for one in found[:REFUSALS]:
        often = f" ({count(one.times, 'time')})" if one.times > 1 else ""
        facts.append(["refused", f"{_place(one, table_) or 'recorded'}{often}: {_comes_to(one)}"])
    if len(found) > REFUSALS:
        facts.append(["", f"and {count(len(found) - REFUSALS, 'further refusal')}; all of them: --json"])
    return facts


def _place(one: Recalled, table_: Table) -> str | None:
    """JSON pointer of the record that a refusal is; None where it stands in none."""
    return table_.pointer(one.refusal.record) if one.refusal.record >= 0 else None


def _comes_to(one: Recalled) -> str:
    found, status = one.explained, f"{one.refusal.status} " if one.refusal.status else ""
    if found.elsewhere:
        return f"{status}about {found.elsewhere}: {found.words[:160]}"
    best = found.best
    if best is not None:
        return f"{status}{best.rule} at {best.at or 'the whole'}{', as it was when it was sent; it is no longer so' if one.then else ''}"
    if found.known:
        return f"{status}the words of {found.candidates[0].rule}, which the transcript does not show: {found.words[:160]}"
    return f"{status}no rule explains it: {found.words[:240]}"
