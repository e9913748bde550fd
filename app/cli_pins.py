"""`--pin`, `--protect` and `--pins`: what `plan` and `export` leave alone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from app.model.errors import InspectorError

if TYPE_CHECKING:
    from app.model.dump import Dump
    from app.model.pins import Pins
    from app.model.transcript import Transcript
    from app.model.view import View


def add(verb: ArgumentParser) -> None:
    """The words of a verb that plans."""
    verb.add_argument("--pin", action="append", default=[], metavar="WHAT", help="leave this alone: a JSON pointer like /2/content/0, "
                      "E31, r203, tool:NAME (all its results) or first-prompt")  # fmt: skip
    verb.add_argument("--protect", action="store_true", help="pin what long sessions are worse without: system messages, first and last "
                      "prompt, fresh, small and failed results, plans and memory, files edited later, demands")  # fmt: skip
    verb.add_argument("--unprotect", action="append", default=[], metavar="ENTRY", help="leave one entry of --protect out")
    verb.add_argument("--pins", metavar="FILE", help="pins that were kept beside a dump (NAME.inspector.json)")


def wanted(words: Namespace) -> bool:
    return bool(words.pin or words.protect or words.unprotect or words.pins)


def read(dump: Dump, base: Transcript, words: Namespace) -> Pins:
    """The pins that a call names, as rows of the transcript as opened. InspectorError, one line, where one is not there."""
    from app.model.pins import PROTECTION_NAMES, Pins
    from app.pipeline import pins
    from app.pipeline.blocks import Blocks
    from app.pipeline.view import make_view

    if not wanted(words):
        return Pins()
    for name in words.unprotect:
        if name not in PROTECTION_NAMES:
            raise InspectorError(f"--unprotect {name}: there is no such entry; there are {', '.join(PROTECTION_NAMES)}")
    if words.unprotect and not words.protect:
        raise InspectorError(f"--unprotect {words.unprotect[0]}: it leaves an entry of --protect out; give --protect too")
    on = [name for name in PROTECTION_NAMES if words.protect and name not in words.unprotect]
    try:
        found = pins.read(make_view(base, source=dump.source), words.pin, Blocks(dump, base), on)
    except pins.UnknownPinError as error:
        raise InspectorError(f"{words.file}: {error}") from None
    return _with_file(dump, base, words.pins, found) if words.pins is not None else found


def _with_file(dump: Dump, base: Transcript, path: str, pins: Pins) -> Pins:
    from app.cli_words import note
    from app.pipeline.blocks import Blocks
    from app.pipeline.pin_file import load

    aside = load(path, dump, lambda transcript: Blocks(dump, transcript))
    if aside.missing:
        note(f"{path}: {aside.missing:,} of its pins are left out: what they hold is not in this dump any more")
    return pins.united(aside.pins[base.id]) if base.id in aside.pins else pins


def lay(view: View, dump: Dump, pins: Pins) -> dict[str, Any]:
    """Lays pins over a view; what they come to, for JSON."""
    from app.model.pins import PROTECTION_NAMES
    from app.pipeline import pins as laying
    from app.pipeline.blocks import Blocks

    held = laying.lay(view, pins, Blocks(dump, view.transcript))
    counts = {name: held.counts[name] for name in PROTECTION_NAMES if name in held.counts}
    return {"rows": int(view.pins.sum()), "exchanges": len(held.exchanges), "protected": counts}


def words_of(told: dict[str, Any]) -> str:
    """One line for people: "41 rows are pinned, partners included; protected: errors 3, small 12"."""
    counts = ", ".join(f"{name} {number:,}" for name, number in told["protected"].items() if number)
    head = f"{told['rows']:,} row{' is' if told['rows'] == 1 else 's are'} pinned, partners included"
    return head + (f"; protected: {counts}" if counts else "")
