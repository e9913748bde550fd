"""What a screen reader hears of the running program, through AT-SPI: a virtual screen, a session bus, the bus of accessibility.

Skipped where one of these is not installed (Debian: xvfb, dbus, at-spi2-core, python3-gi, gir1.2-atspi-2.0).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
PATIENCE = 90
RUN = """
{launcher} --launch-immediately & bus=$!
{python} -m app --incident & window=$!
{reader} {listen} transcript-inspector {patience}; heard=$?
kill $window $bus
exit $heard
"""


def reader() -> str | None:
    """A Python that can listen."""
    script = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    for python in ("/usr/bin/python3", sys.executable):
        if Path(python).exists() and subprocess.run([python, "-c", script], capture_output=True).returncode == 0:
            return python
    return None


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    launcher = next((path for path in LAUNCHERS if Path(path).exists()), None)
    python = reader()
    missing = [name for name in ("Xvfb", "dbus-run-session") if shutil.which(name) is None]
    if missing or launcher is None or python is None:
        pytest.skip("a screen reader cannot be tried here: " + ", ".join([*missing, *(["AT-SPI"] if not (launcher and python) else [])]))
    told, tell = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1500x950x24", "-nolisten", "tcp"], pass_fds=(tell,), stderr=subprocess.DEVNULL
    )
    os.close(tell)
    try:
        with os.fdopen(told) as line:
            display = f":{line.readline().strip()}"
        folder = str(tmp_path_factory.mktemp("reader"))
        env = {name: value for name, value in os.environ.items() if not name.startswith("QT_")} | {
            "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": str(ROOT),
            "TRANSCRIPT_INSPECTOR_SETTINGS": folder, "HOME": folder, "XDG_RUNTIME_DIR": folder,
        }  # fmt: skip
        listen = ROOT / "tests/reach/listen.py"
        run = RUN.format(launcher=launcher, python=sys.executable, reader=python, listen=listen, patience=PATIENCE)
        done = subprocess.run(["dbus-run-session", "--", "sh", "-c", run], cwd=ROOT, env=env, capture_output=True, text=True)
        if "Could not load the Qt platform plugin" in done.stderr:
            pytest.skip("Qt's own plugin for X does not load here: a library of X is not installed")
        assert done.returncode == 0, done.stderr[-3000:]
        assert "Segmentation" not in done.stderr
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return found
    finally:
        screen.terminate()
        screen.wait()


def named(heard: dict[str, Any], role: str) -> dict[str, dict[str, Any]]:
    return {thing["name"]: thing for thing in heard["seen"] if thing["role"] == role}


def test_the_verdict_is_said_and_the_window_bears_the_file(heard: dict[str, Any]) -> None:
    assert "Anthropic would refuse this: 2 errors, one cause." in named(heard, "label")
    assert "invoice-agent-0412.json — Transcript Inspector" in named(heard, "frame")


def test_the_chart_is_a_slider_with_a_sentence(heard: dict[str, Any]) -> None:
    slider = named(heard, "slider")["Budget"]
    low, now, high = slider["value"]
    assert (low, now, high) == (0, high, high)
    assert slider["description"].startswith(f"budget parked at now, {int(now):,} tokens, nothing is dropped. ")


def test_the_slider_is_set_through_the_bus(heard: dict[str, Any]) -> None:
    slid = heard["slid"]
    assert slid["value"][1] == 20_000
    assert slid["description"].startswith("budget 20,000 tokens, after ")
    assert ", fits, drops 9 exchanges" in slid["description"]


def test_a_button_is_pressed_through_the_bus(heard: dict[str, Any]) -> None:
    assert heard["pressed"]["name"].startswith("After 2 changes: no reason found why Anthropic would refuse this")


def test_rows_of_the_list_are_sentences_and_one_is_selected(heard: dict[str, Any]) -> None:
    inside = ["table:Exchanges, steps and blocks"]
    cells = [thing for thing in heard["seen"] if thing["path"][-1:] == inside and thing["role"] == "table cell"]
    words = [cell["name"] for cell in cells]
    assert any(word.startswith("Exchange E0, broken, ") for word in words)
    assert any(word.startswith("Request r2, get_invoice ×3") for word in words)
    chosen = [cell["name"] for cell in cells if "selected" in cell["states"]]
    assert len(chosen) == 1
    assert chosen[0].startswith("Tool result 1 no call, ")


def test_findings_are_said_with_their_rule(heard: dict[str, Any]) -> None:
    cells = [thing["name"] for thing in heard["seen"] if thing["role"] == "table cell"]
    assert any("tool-result-orphan" in word and "answers a call that is not there" in word for word in cells)


def test_whatever_can_be_pressed_or_typed_into_has_a_name_and_no_markup_is_read(heard: dict[str, Any]) -> None:
    roles = {"push button", "check box", "text", "spin button", "combo box", "slider", "table", "page tab list"}
    parts = [thing for thing in heard["seen"] if thing["role"] in roles and not thing["path"][-1].startswith("combo")]
    assert len(parts) > 20
    assert [thing for thing in parts if not thing["name"]] == []
    assert [thing["name"] or thing["description"] for thing in heard["seen"] if "<span" in thing["description"] + thing["name"]] == []
