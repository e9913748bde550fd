"""Makes a virtual environment from one of the lock files and prints its interpreter, for the targets that need tools of their own.

    python packaging/environment.py pack|audit
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def interpreter(name: str) -> Path:
    """The interpreter of `build/env-NAME`, made anew when `packaging/lock/NAME.txt` has changed. Every package is checked by its digest."""
    lock, folder = ROOT / "packaging" / "lock" / f"{name}.txt", ROOT / "build" / f"env-{name}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    stamp, wanted = folder / "stamp", hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    print(f"setup: making {folder.relative_to(ROOT)}", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
    subprocess.run([str(python), "-m", "pip", *install], check=True, stdout=sys.stderr)
    stamp.write_text(wanted)
    return python


if __name__ == "__main__":
    try:
        print(interpreter(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"setup: {' '.join(map(str, error.cmd))} ended with status {error.returncode}")
