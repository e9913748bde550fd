"""What holds for every test of a widget."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from widgets import theme


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    """No test leaves its theme to the next one."""
    yield
    app = QApplication.instance()
    if isinstance(app, QApplication) and theme.current().dark:
        theme.apply(app, "light")
