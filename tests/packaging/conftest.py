"""The scripts in `packaging/` are no package: they are found by their folder, for as long as a test runs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Protocol

import pytest

from tests.conftest import ROOT

FOLDER = ROOT / "packaging"


class Script(Protocol):
    def __call__(self, name: str) -> ModuleType: ...


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """Imports one of the scripts by its name."""
    monkeypatch.syspath_prepend(str(FOLDER))
    names = {path.stem for path in FOLDER.glob("*.py")}
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)
