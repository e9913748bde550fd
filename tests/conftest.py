"""What holds for every test: offscreen, no network, a settings folder of its own, no unexpected Qt line."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYTHONHASHSEED", "0")

# A gate gives one answer for one tree: there the examples follow from the test's text. Everywhere else each run tries new ones.
settings.register_profile("gate", derandomize=True, print_blob=True)
if os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(os.environ["HYPOTHESIS_PROFILE"])

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TI_SHARED", ROOT.parent / "shared"))


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only local sockets may be made; anything else fails the test that asks for it."""
    made = socket.socket

    class Refusing(made):  # type: ignore[misc, valid-type]
        def connect(self, address: object) -> None:
            if self.family != getattr(socket, "AF_UNIX", None):
                raise RuntimeError(f"the network was asked for: {address!r}")
            super().connect(address)

    monkeypatch.setattr(socket, "socket", Refusing)
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: (_ for _ in ()).throw(RuntimeError("the network was asked for")))


@pytest.fixture(autouse=True)
def fresh_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of one test are seen by no other, and never by the person who runs the tests."""
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.setenv("TRANSCRIPT_INSPECTOR_SETTINGS", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


# A widget that is let go on another thread than its own takes the process with it, and Python looks for rings on whatever thread makes an
# object: the helper's answers and the test runner's own messages are read on such. As in the window (app/main_collector.py), one does it.
gc.disable()
_ended = 0


@pytest.fixture(autouse=True)
def rings() -> Iterator[None]:
    global _ended
    yield
    _ended += 1
    gc.collect(2 if _ended % 50 == 0 else 1)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture
def shared() -> Path:
    """The folder of real dumps that may not be copied into the project; the test is skipped where it is absent."""
    if not (SHARED / "samples").is_dir():
        pytest.skip("no folder of real dumps beside the project (TI_SHARED names another place)")
    return SHARED
