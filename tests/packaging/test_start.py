"""What a start waits for: the window is painted before anything is imported that only a file needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

LATE = ("app.formats", "app.presets", "app.pipeline.load", "app.pipeline.count", "app.pipeline.look", "app.rules", "app.matching",
        "pyqtgraph", "tiktoken", "sqlite3", "app.model.parts", "asyncio", "ssl")  # fmt: skip
LOOK = """
import os, sys
from app.main import create_app
app, window = create_app([])
window.show()
app.processEvents()
print(" ".join(name for name in sys.argv[1:] if name in sys.modules))
window.session.close()
os._exit(0)
"""

FIRST = ("numpy", "app.session", "app.worker", "app.jobs", "app.model.state", "app.model.kinds", "widgets.main_window", "widgets.actions",
         "dataclasses", "importlib.resources")  # fmt: skip
LOOK_FIRST = """
import os, sys
from app import __main__, main_start
def painted(start):
    print(" ".join(name for name in sys.argv[1:] if name in sys.modules))
    os._exit(0)
main_start.Start.painted = painted
__main__.main([])
"""
MADE = """
import enum, os
made, make = [], enum.EnumType.__new__
def kept(kind, name, *more, **words):
    made.append(name)
    return make(kind, name, *more, **words)
enum.EnumType.__new__ = kept
from app import __main__, main_start
def painted(start):
    before = [name for name in made if name in ("AlignmentFlag", "CursorShape", "PenStyle", "ColorScheme")]
    from PySide6.QtCore import Qt
    print(len(before), "PenStyle" in made)  # the second: what is looked for would have been found
    os._exit(0)
main_start.Start.painted = painted
__main__.main([])
"""


def test_nothing_is_imported_before_the_first_window_but_what_it_shows(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-u", "-c", LOOK_FIRST, *FIRST]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\n"


def test_the_enumerations_of_qt_are_not_made_before_the_first_window_is_painted(tmp_path: Path) -> None:
    """They take an eighth of a bare window's start: widgets/inks.py."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "settings.ini").write_text("[General]\nrecent=README.md\nopen_file=README.md\n")
    kept = str(tmp_path / "kept")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "TRANSCRIPT_INSPECTOR_SETTINGS": kept}
    command = [sys.executable, "-u", "-c", MADE]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 True\n"


def test_nothing_that_only_a_file_needs_is_imported_before_the_first_paint(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-u", "-c", LOOK, *LATE], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
