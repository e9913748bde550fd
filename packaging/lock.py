"""Writes the lock files: every package that is ever installed for this project, at one version, with its digests (`make lock`).

    python packaging/lock.py            in an environment made from packaging/lock/audit.txt, for its `uv`
    python packaging/lock.py --newer    takes the newest versions that pyproject.toml allows

Without `--newer` what is locked stays as it is, and only what pyproject.toml newly asks for is looked up. The locks hold for every system
and for every Python that pyproject.toml allows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "packaging" / "lock"
LOCKS = {
    "bench": ["--extra", "test", "--extra", "lint", "--extra", "bench", "pyproject.toml"],  # first: the others take its versions
    "dev": ["--extra", "test", "--extra", "lint", "pyproject.toml"],
    "run": ["pyproject.toml"],
    "headless": ["--group", "headless"],
    "pack": ["--group", "pack", "pyproject.toml"],
    "audit": ["--group", "audit"],
}
HEAD = "# Made by `make lock` from pyproject.toml; every file is checked by its digest (pip install --require-hashes -r).\n"


def main(words: list[str]) -> int:
    LOCK.mkdir(exist_ok=True)
    for name, wanted in LOCKS.items():
        out = LOCK / f"{name}.txt"
        command = [uv(), "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-annotate", "--no-header",
                   "--python-version", "3.11", *wanted]  # fmt: skip
        if name != "bench":
            command += ["-c", str(LOCK / "bench.txt")]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "lock.txt"
            if out.exists() and "--newer" not in words:
                made.write_bytes(out.read_bytes())
            subprocess.run([*command, "--output-file", str(made)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            out.write_text(HEAD + "".join(line for line in made.read_text("utf-8").splitlines(keepends=True) if line != HEAD), "utf-8")
        print(f"{out.relative_to(ROOT)}: {sum('==' in line for line in out.read_text('utf-8').splitlines())} packages")
    return 0


def uv() -> str:
    """The resolver beside this interpreter, or on the path."""
    beside = Path(sys.executable).with_name("uv" + (".exe" if os.name == "nt" else ""))
    return str(beside) if beside.exists() else "uv"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
