"""What panels ask of the open dump: one module a question, found by its name. Asking changes nothing.

`app/questions/carry.py` answers `session.ask("carry", ...)` by its function `answer(desk, *what)`, which runs in the helper process.
It returns the answer (a value of app/model), or is a generator where that takes more than a blink: between two `yield`s whatever else was
asked is done first, a yielded value that is not None is sent at once as a part, and what is returned is the answer. Inside, `desk.wanted()`
says whether anybody still waits, and `desk.progress(fraction)` tells how far it is. InspectorError becomes one line for the person.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any


def get_hidden_modules() -> list[str]:
    """The modules that are only imported by name: a freezer must be told of them."""
    return sorted(f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))


def question(about: str) -> Callable[..., Any]:
    """The function that answers; KeyError for a question that there is not."""
    name = f"{__name__}.{about.replace('-', '_')}"
    if name not in get_hidden_modules():
        raise KeyError(about)
    answer: Callable[..., Any] = importlib.import_module(name).answer
    return answer
