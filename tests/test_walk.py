"""Every walk of `walks.py` in a process of its own, as the program is: one start, one window, and its end."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

WALKS = re.findall(r"^def (test_\w+)", (ROOT / "tests" / "walks.py").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", WALKS)
def test_walk(name: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/walks.py::{name}"]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=300)
    if " skipped in " in done.stdout and done.returncode == 0:
        pytest.skip("no folder of real dumps beside the project (TI_SHARED names another place)")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
