"""The headless twin of the window: `check`, `plan`, `replay`, `export`, `list`; `snapshot` is handed on to the window.

Exit status: 0 clean or done, 1 findings of severity error or an export refused since they would remain, 2 a file cannot be read or the
call's words are off. An error is one line on standard error that says which file, where and what to do; never a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from app import cli_evidence, cli_pins, cli_replay_words
from app.cli_words import Output, fill_streams, note
from app.model.errors import InspectorError, RemainingError
from app.model.tokens import COUNTERS
from app.version import VERSION

VERBS = ("check", "plan", "costs", "replay", "export", "compare", "list", "snapshot", "report-bug")
LISTS = ("formats", "rules", "strategies", "providers", "counters")
PROG = "transcript-inspector"
DEBUG = "TRANSCRIPT_INSPECTOR_DEBUG"  # set: an unexpected error shows its traceback
INTERRUPTED = 130


class Usage(Exception):
    """The call's words are off."""


class Parser(argparse.ArgumentParser):
    """Says what is off in one line and leaves the exit to `main`."""

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{self.prog}: {message}; see {self.prog} --help")


def parser() -> Parser:
    """The grammar of the command line."""
    top = Parser(
        prog=PROG, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Opens a dump of an agent's session, says what a provider would refuse and why, shows what each compaction\n"
        "strategy would keep, and exports a transcript that works again. Files alone open the window.",
        epilog="Exit status: 0 clean or done, 1 errors found or left, or two dumps differ, 2 unreadable file or wrong words.",
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"{PROG} {VERSION}")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", parser_class=Parser)
    shared = Parser(add_help=False)
    shared.add_argument("--transcript", metavar="ID", help="one transcript of the file")
    shared.add_argument("--as", dest="provider", metavar="PROVIDER", help="whose rules judge; default: what the format implies")
    shared.add_argument("--model", metavar="NAME", help="default: what the dump says")
    shared.add_argument("--format", metavar="NAME", help="open the file as this format; default: what its content shows")
    mode = shared.add_mutually_exclusive_group()
    mode.add_argument("--complete", dest="mode", action="store_const", const="complete", help="ask: could it be sent now?")
    mode.add_argument("--prefix", dest="mode", action="store_const", const="prefix", help="ask: is it well formed so far?")

    def verb(name: str, what: str, *parents: Parser) -> Parser:
        return verbs.add_parser(name, help=what, description=what[0].upper() + what[1:] + ".", parents=parents, allow_abbrev=False)

    check = verb("check", "one verdict for each transcript in each file", shared)
    check.add_argument("files", nargs="+", metavar="FILE", help="a dump; - is standard input")
    check.add_argument("--error", metavar="TEXT", help="a provider's error: which rule, and where; @FILE reads it from there, - from stdin")
    check.add_argument("--counter", choices=COUNTERS, help="count tokens too")
    check.add_argument("--all-findings", action="store_true", help="not only the first 1,000 of a rule")
    check.add_argument("--json", action="store_true", help="one JSON object a transcript")

    plan = verb("plan", "what each strategy would do at a budget, side by side", shared)
    plan.add_argument("file", metavar="FILE")
    plan.add_argument("--budget", type=_budget, metavar="N", help="tokens that the next request may have")
    plan.add_argument("--strategy", action="append", default=[], metavar="SPEC", help="name or name:key=value,…; + joins a chain")
    plan.add_argument("--policy", metavar="FILE", help='JSON {"strategy": name, "params": {…}}')
    plan.add_argument("--save-policy", metavar="OUT", help="write the one strategy named, with what its parameters mean, as a policy file")
    plan.add_argument("--counter", choices=COUNTERS, default=COUNTERS[0])
    plan.add_argument("--lost", action="store_true", help="say what each plan loses: constraints, and facts that are used in what stays")
    plan.add_argument("--json", action="store_true", help="one JSON object a strategy")
    cli_pins.add(plan)

    costs = verb("costs", "what each block and tool cost in all requests that carried it, the dearest first", shared)
    costs.add_argument("file", metavar="FILE")
    costs.add_argument("--top", type=_budget, metavar="N", default=20, help="how many blocks are listed")
    costs.add_argument("--counter", choices=COUNTERS, default=COUNTERS[0])
    costs.add_argument("--json", action="store_true", help="one JSON object")

    cli_replay_words.add(verbs, shared)

    export = verb("export", "write the repaired or compacted transcript in the format that came in", shared)
    export.add_argument("file", metavar="FILE")
    export.add_argument("-o", dest="out", metavar="OUT", help="the file to write; never the source")
    export.add_argument("--fix", choices=("safe", "all"), help="mend errors: safe loses nothing, all may lose, least first")
    export.add_argument("--fix-rule", action="append", default=[], metavar="RULE", help="mend this rule's findings, warnings too")
    export.add_argument("--strategy", metavar="SPEC", help="compact by this strategy, after the fixes")
    export.add_argument("--policy", metavar="FILE", help='the strategy as JSON {"strategy": name, "params": {…}}')
    budget = "tokens that the next request may have; where the strategy misses them, the file is written and the line says by how much"
    export.add_argument("--budget", type=_budget, metavar="N", help=budget)
    export.add_argument("--counter", choices=COUNTERS, default=COUNTERS[0])
    export.add_argument("--allow-broken", action="store_true", help="write although errors remain")
    export.add_argument("--to", dest="wire", metavar="WIRE", help="write what one transcript would send as another wire: "
                        "anthropic-messages, openai-chat, openai-responses or gemini")  # fmt: skip
    export.add_argument("--report", metavar="OUT", help="write a report of findings and changes: OUT.md to read, OUT.json for programs")
    export.add_argument("--removed", metavar="OUT.jsonl", help="keep what the changes remove, by digest; the report names the digests")

    cli_pins.add(export)
    cli_evidence.export_options(export)
    cli_evidence.report_options(verb("report-bug", "the smallest transcript that still fails, its contents replaced by fillers", shared))

    compare = verb("compare", "two dumps: what went, what changed, what was added, where they part")
    compare.add_argument("file", metavar="A")
    compare.add_argument("other", metavar="B")
    compare.add_argument("--transcript", metavar="ID", help="one transcript of A; default: the one that a window would open")
    compare.add_argument("--other-transcript", metavar="ID", help="one transcript of B")
    compare.add_argument("--format", metavar="NAME", help="open both as this format; default: what their content shows")
    compare.add_argument("--json", action="store_true", help="one JSON object on both, then one a difference")

    lists = verb("list", "what there is, with its one-line meaning")
    lists.add_argument("what", choices=LISTS, metavar="|".join(LISTS))
    lists.add_argument("name", nargs="?", help="of one rule: all that is known of it, with an example broken and mended")
    lists.add_argument("--json", action="store_true")

    snapshot = verb("snapshot", "a picture of the window, offscreen", shared)
    snapshot.add_argument("file", metavar="FILE")
    snapshot.add_argument("-o", dest="out", metavar="OUT.png", required=True)
    snapshot.add_argument("--size", type=_size, metavar="WxH", default=None)
    snapshot.add_argument("--scale", type=_scale, metavar="S", default=1.0)
    snapshot.add_argument("--theme", choices=("light", "dark"), default="light")
    snapshot.add_argument("--budget", type=_budget, metavar="N")
    snapshot.add_argument("--strategy", metavar="SPEC")
    return top


def _budget(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens")
    return number


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 1 <= int(part) <= 16_384 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no size like 1440x900")
    return int(parts[0]), int(parts[1])


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 8:
        raise argparse.ArgumentTypeError(f"{text!r} is no scale from 0.1 to 8")
    return scale


# -- running ----------------------------------------------------------------------------------------------------------------


Snapshot = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None, snapshot: Snapshot | None = None) -> int:
    """Runs one call; the exit status comes back. `snapshot`: who takes the picture, the one thing here that needs the window."""
    fill_streams()
    try:
        words = parser().parse_args(argv)
        if words.verb is None:
            raise Usage(f"{PROG}: name a verb ({', '.join(VERBS)}) or a file; see {PROG} --help")
        if words.verb == "export" and (words.out is None) != words.in_place:
            missing = "the following arguments are required: -o" if words.out is None else "--in-place and -o do not go together"
            raise Usage(f"{PROG} export: {missing}; see {PROG} export --help")
    except Usage as error:
        note(str(error))
        return 2
    except SystemExit as error:  # --help and --version
        return error.code if isinstance(error.code, int) else 0
    except BrokenPipeError:
        return 0
    return run(words, snapshot)


def run(words: argparse.Namespace, snapshot: Snapshot | None = None) -> int:
    """Runs words that were parsed."""
    out = Output()
    try:
        if words.verb == "check":
            return max(_guarded(words.verb, path, lambda path=path: _check(path, words, out)) for path in words.files)  # type: ignore[misc]
        subject = words.what if words.verb == "list" else words.file
        return _guarded(words.verb, subject, lambda: _one(words, out, snapshot))
    except KeyboardInterrupt:
        note("interrupted; nothing was left half written")
        return INTERRUPTED


def _check(path: str, words: argparse.Namespace, out: Output) -> int:
    from app import cli_check

    return cli_check.run(path, words, out)


def _one(words: argparse.Namespace, out: Output, snapshot: Snapshot | None) -> int:
    if words.verb == "plan":
        from app import cli_plan

        return cli_plan.run(words, out)
    if words.verb == "costs":
        from app import cli_costs

        return cli_costs.run(words, out)
    if words.verb == "replay":
        from app import cli_replay

        return cli_replay.run(words, out)
    if words.verb == "export":
        from app import cli_export

        return cli_export.run(words, out)
    if words.verb == "report-bug":
        return cli_evidence.run_report(words, out)
    if words.verb == "compare":
        from app import cli_compare

        return cli_compare.run(words, out)
    if words.verb == "list":
        from app import cli_list

        return cli_list.run(words, out)
    if snapshot is None:
        raise InspectorError(f"{words.file}: no picture can be taken from here; call {PROG} snapshot")
    _require_other_target(words)
    return snapshot(words)


def _require_other_target(words: argparse.Namespace) -> None:
    """A picture is not written over the dump either."""
    from app.model.source import Source
    from app.pipeline import atomic

    atomic.target_of(words.out, Source.open(words.file) if words.file != "-" else None)


def _guarded(verb: str, subject: str, act: Callable[[], int]) -> int:
    """Whatever goes wrong with one file becomes one line and a status."""
    try:
        return act()
    except RemainingError as error:
        note(str(error))
        return 1
    except InspectorError as error:
        note(str(error))
        return 2
    except MemoryError:
        note(f"{subject}: there is not enough memory for this file; close other programs and try again")
        return 2
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a native library's panic is no Exception
        if os.environ.get(DEBUG):
            raise
        said = " ".join(str(error).split())[:200]
        note(f"{subject}: {verb} failed unexpectedly ({type(error).__name__}: {said}); please report this, with {DEBUG}=1 for the details")
        return 2


if __name__ == "__main__":
    sys.exit(main())
