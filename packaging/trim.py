"""What is taken out of a bundle after the freezer has looked at everything: libraries that only left-out files needed, and symbols."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

Entry = tuple[str, str, str]  # path inside the bundle, path outside, kind

MAGIC = b"\x7fELF"
# Made by auditwheel with sections that `strip` moves, so that the loader refuses the file afterwards; they bring no symbols worth the risk.
NOT_STRIPPED = (".libs/",)


def reached(binaries: Iterable[Entry]) -> list[Entry]:
    """Without the system's libraries (those at the top of the bundle) that nothing which stayed needs. Linux only; elsewhere all stay."""
    entries = list(binaries)
    if sys.platform != "linux":
        return entries
    from PyInstaller.depend.bindepend import get_imports

    top = {entry[0]: entry for entry in entries if "/" not in entry[0] and not entry[0].startswith("libpython")}
    found: dict[str, Entry] = {}
    left = [entry for entry in entries if entry[0] not in top]
    kept = list(left)
    while left:
        for name, _ in get_imports(left.pop()[1]):
            if name in top and name not in found:
                found[name] = top[name]
                left.append(top[name])
    return [entry for entry in entries if entry in kept or entry[0] in found]


def strip(folder: Path) -> int:
    """Takes the symbols out of all libraries that have some; bytes saved. Nothing is done where there is no `strip` (Linux only)."""
    if sys.platform != "linux" or shutil.which("strip") is None:
        return 0
    saved = 0
    for path in sorted(folder.rglob("*.so*")):
        if path.is_symlink() or any(part in path.as_posix() for part in NOT_STRIPPED):
            continue
        with path.open("rb") as file:
            if file.read(4) != MAGIC:
                continue
        before = path.stat().st_size
        subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", str(path)], check=True, capture_output=True)
        path.chmod(0o644)
        saved += before - path.stat().st_size
    return saved
