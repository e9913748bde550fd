"""The man page, made from the command line's own parser, so that it says what the program takes.

    python packaging/manual.py OUT
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.cli import PROG, parser
from app.version import VERSION

OPENING = "opens an agent's session, says what a provider would refuse, exports it repaired or compacted"


def page(date: str) -> str:
    """The page in the man macros; `date` as 2026-11-30."""
    return "\n".join(_lines(date)) + "\n"


def _lines(date: str) -> Iterator[str]:
    top = parser()
    verbs = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    yield f'.TH {_plain(PROG.upper())} 1 "{date}" "{PROG} {VERSION}" "User Commands"'
    yield from (".SH NAME", rf"{_plain(PROG)} \- {_plain(OPENING)}", ".SH SYNOPSIS")
    yield rf".B {_plain(PROG)}" + "\n[\\fIFILE\\fR]"
    for name, verb in verbs.choices.items():
        yield from (".br", rf".B {_plain(PROG)} {name}", _usage(verb))
    yield from (".SH DESCRIPTION", _plain(" ".join((top.description or "").split())))
    yield from (".PP", _plain("No verb needs a display."), ".SH OPTIONS")
    for action in top._actions:
        if action.option_strings:
            yield from _option(action)
    for name, verb in verbs.choices.items():
        yield from (f".SH {_plain(name.upper())}", _plain(verb.description or ""))
        for action in verb._actions:
            if not isinstance(action, argparse._HelpAction):
                yield from _option(action)
    yield ".SH EXIT STATUS"
    for status in (top.epilog or "").removeprefix("Exit status:").strip().rstrip(".").split(", "):
        number, _, meaning = status.partition(" ")
        yield from (".TP", rf"\fB{number}\fR", _plain(meaning))
    yield from (".SH ENVIRONMENT", ".TP", r"\fBTRANSCRIPT_INSPECTOR_DEBUG\fR", "Set: an unexpected error shows its traceback.")
    yield from (".SH EXAMPLES", ".nf", *map(_plain, EXAMPLES), ".fi")


EXAMPLES = (
    f"{PROG} session.jsonl",
    f"{PROG} check session.jsonl --error @error.txt",
    f"{PROG} plan request.json --budget 60000",
    f"{PROG} export request.json -o mended.json --fix safe",
)


def _usage(verb: argparse.ArgumentParser) -> str:
    words = verb.format_usage().split(" ", 3)[-1]
    return _plain(" ".join(words.split()).removeprefix("[-h] "))


def _option(action: argparse.Action) -> Iterator[str]:
    names = ", ".join(rf"\fB{_plain(name)}\fR" for name in action.option_strings)
    value = "" if action.nargs == 0 else _value(action)
    yield from (".TP", " ".join(filter(None, (names, rf"\fI{_plain(value)}\fR" if value else ""))))
    told = (action.help or "").replace("%(prog)s", PROG)
    default = action.default if action.option_strings and action.default not in (None, False, [], argparse.SUPPRESS) else None
    yield _plain(" ".join(filter(None, (told, f"Default: {default}." if default is not None and "default" not in told else "")))) or r"\&"


def _value(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else None
    choices = "|".join(map(str, action.choices)) if action.choices else None
    return metavar or choices or action.dest.upper()


def _plain(text: str) -> str:
    """Text with nothing in it that roff reads as an instruction."""
    text = text.replace("\\", r"\(rs").replace("-", r"\-").replace("…", "...")
    return "\n".join(r"\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


if __name__ == "__main__":
    when = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    Path(sys.argv[1]).write_text(page(when), "utf-8")
