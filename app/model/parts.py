"""What the program is made of: libraries with their versions and licences, the two vocabularies with their digests.

Versions are those that are really there, read from the metadata beside each library; a frozen program carries it too.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from app.model.digests import DIGESTS
from app.model.passages import Passage
from app.version import VERSION


@dataclass(frozen=True)
class Part:
    """A library. `package`: its name among Python's packages; `licence`: an SPDX expression; `wherefore`: what it does here."""

    package: str
    title: str
    licence: str
    wherefore: str


PARTS: Final = (
    Part("PySide6-Essentials", "Qt for Python", "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", "the window"),
    Part("shiboken6", "Shiboken", "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", "Qt in Python"),
    Part("pyqtgraph", "pyqtgraph", "MIT", "the chart"),
    Part("numpy", "NumPy", "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", "columns"),
    Part("orjson", "orjson", "MPL-2.0 AND (Apache-2.0 OR MIT)", "JSON"),
    Part("tiktoken", "tiktoken", "MIT", "counting tokens"),
    Part("regex", "regex", "Apache-2.0 AND CNRI-Python", "tiktoken needs it"),
    Part("zstandard", "python-zstandard", "BSD-3-Clause", "compressed files"),
)
PYTHON_LICENCE: Final = "PSF-2.0"
OWN_LICENCE: Final = "MIT"


def version_of(package: str) -> str | None:
    """The version of a library that is there; None where it is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def licence_folder() -> Path | None:
    """Where a frozen program keeps the licence texts of all its parts; None where it runs from source or a wheel."""
    folder = Path(sys.executable).resolve().parent / "licences"
    return folder if getattr(sys, "frozen", False) and folder.is_dir() else None


def page(about: str, qt: str) -> list[Passage]:
    """The page that a person reads, and copies into a report. `qt`: the version of Qt that runs."""
    own = [
        ("Transcript Inspector", VERSION, OWN_LICENCE),
        ("Python", platform.python_version(), PYTHON_LICENCE),
        ("Qt", qt, "LGPL-3.0-only"),
    ]
    libraries = [(part.title, version_of(part.package) or "not here", part.licence) for part in PARTS]
    folder = licence_folder()
    found = [
        Passage("title", f"Transcript Inspector {VERSION}"),
        Passage("text", about),
        Passage("heading", "What it is made of"),
        Passage("code", "\n".join(f"{title:<21} {version:<12} {licence}" for title, version, licence in own + libraries)),
        Passage("heading", "Vocabularies"),
        Passage("text", "tiktoken's, under its MIT licence. SHA-256 of the unpacked files:"),
        Passage("code", "\n".join(f"{name:<12} {digest}" for name, digest in DIGESTS.items())),
    ]
    return found if folder is None else [*found, Passage("small", f"The texts of all licences: {folder}")]
