"""What `make run` does where there is no display: the same job without the window.

Prints the findings of a dump and what each strategy would do at half of its tokens; writes the repaired dump and a picture of the window.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from app import cli
from app.cli_words import Output, note

INCIDENT = Path(__file__).parent / "incident" / "invoice-agent-0412.json"
FOLDER = Path("build", "run")


def main(argv: Sequence[str] | None = None) -> int:
    """`argv`: a dump, or nothing for the bundled incident. The status is that of what was to be written."""
    words = list(sys.argv[1:] if argv is None else argv)
    dump = words[0] if words else os.path.relpath(INCIDENT)
    repaired, picture = FOLDER / "repaired.json", FOLDER / "window.png"
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        note(f"{FOLDER}: {error.strerror or error}; make the folder or run this elsewhere")
        return 2
    _say(f"No display, so no window: here is {dump} on the command line.", "", f"$ {cli.PROG} check {dump} --counter o200k_base")
    if cli.main(["check", dump, "--counter", "o200k_base"]) == 2:
        return 2
    budget = _half(dump)
    if budget:
        _say("", f"$ {cli.PROG} plan {dump} --budget {budget}")
        cli.main(["plan", dump, "--budget", str(budget)])
    _say("", f"$ {cli.PROG} export {dump} --fix all -o {repaired}")
    status = cli.main(["export", dump, "--fix", "all", "-o", str(repaired)])
    _say("", f"$ {cli.PROG} snapshot {dump} -o {picture}" + (f" --budget {budget}" if budget else ""))
    return max(status, _snapshot(dump, picture, budget))


def _half(dump: str) -> int:
    """Half of the tokens of the transcript that a window would open; 0 where there is none."""
    from app.formats import FORMATS
    from app.pipeline import count, counted, opened
    from app.pipeline.names import provider_named

    found = opened(dump)
    if not found.transcripts:
        return 0
    provider = provider_named(FORMATS[found.format].provider)
    view, tokens = counted(found, found.transcripts[found.opened], provider, "o200k_base")
    return count.totals(view, tokens, provider).total // 2


def _snapshot(dump: str, picture: Path, budget: int) -> int:
    """The picture is taken in a process of its own: where a library of Qt's is missing, Qt ends the process."""
    asked = ["snapshot", dump, "-o", str(picture), *(["--budget", str(budget)] if budget else [])]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    status = subprocess.run([sys.executable, "-m", "app", *asked], env=environment, check=False).returncode
    if status < 0:
        note(f"{picture}: not written: Qt could not start without a display; a system library that it needs may be missing")
        return 2
    return status


def _say(*lines: str) -> None:
    out = Output()
    for line in lines:
        out.text(line)


if __name__ == "__main__":
    sys.exit(main())
