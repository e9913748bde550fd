"""Chooses between the window, the command line and the helper process; the only module that knows all three, and imports one.

Qt is imported for the window only, so that the command line answers where it is not installed.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

VERBS = ("check", "plan", "costs", "replay", "export", "compare", "list", "snapshot", "report-bug")


def main(argv: Sequence[str] | None = None) -> int:
    """The program: `argv` without its own name."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: no matrix is multiplied here, and idle threads cost 0.1 s
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--helper"]:
        from app.helper import main as helper

        return int(helper())
    if words and (words[0] in VERBS or words[0] in ("-h", "--help", "--version")):
        from app import heap
        from app.cli import main as cli

        heap.keep()
        return cli(words, _snapshot)
    return _window(words)


def _snapshot(words: Namespace) -> int:
    """Takes a picture of the window, offscreen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from app.main import snapshot
    except ImportError as error:
        from app.model.errors import InspectorError

        needs = f"a picture needs Qt ({error}); install PySide6-Essentials, or use check, plan or export"
        raise InspectorError(f"{words.file}: {needs}") from None
    return int(snapshot(words))


def _window(words: list[str]) -> int:
    problem = _cannot_open(words)
    if problem is not None:
        from app.cli_words import note

        note(problem)
        return 2
    gc.disable()  # nothing that a start makes is garbage; app/main_collector.py looks for it when the window is there
    try:
        from app.main import main as window
    except ImportError as error:
        from app.cli_words import note

        note(f"transcript-inspector: the window needs Qt ({error}); install PySide6-Essentials, or use check, plan or export")
        return 2
    return int(window(words))


def _cannot_open(words: list[str]) -> str | None:
    """Why no window can be opened, in one line; None where nothing speaks against it."""
    odd = [word for word in words if word.startswith("-") and word not in ("-", "--incident")]
    if odd:
        return f"transcript-inspector: {odd[0]} is no option here; see transcript-inspector --help"
    first = next((word for word in words if not word.startswith("-")), "")
    if first and not Path(first).exists():
        from difflib import get_close_matches

        near = get_close_matches(first, VERBS, 1)
        hint = f"did you mean {near[0]}?" if near else "name a file, or see transcript-inspector --help"
        return f"transcript-inspector: there is no file {first}; {hint}"
    shown = sys.platform in ("darwin", "win32") or any(os.environ.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    if not shown:
        return "transcript-inspector: there is no display for the window; use check, plan, export or snapshot, which need none"
    return None


if __name__ == "__main__":
    sys.exit(main())
