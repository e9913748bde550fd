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


def test_nothing_is_imported_before_the_first_window_but_what_it_shows(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-u", "-c", LOOK_FIRST, *FIRST]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\n"


def test_nothing_that_only_a_file_needs_is_imported_before_the_first_paint(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-u", "-c", LOOK, *LATE], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
