"""Builds the sdist and, out of it, the wheel; installs the wheel in empty environments and uses it there (`make dist`).

    python packaging/try_wheel.py        in an environment made from packaging/lock/audit.txt

Two environments: one from `packaging/lock/run.txt`, as everybody has it, with a picture of the window; one from
`packaging/lock/headless.txt`, where Qt is not installed. Both run in an empty folder, so that nothing of the source tree is found.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import parts

DIST = parts.ROOT / "dist"
FAULTY = "tool-result-orphan"


def main() -> int:
    for old in (*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")):
        old.unlink()
    shutil.rmtree(parts.BUILD / "lib", ignore_errors=True)  # setuptools takes what lies there along, were it gone from the source or not
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(DIST), str(parts.ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"dist: the build ended with status {done.returncode}: {done.stderr.strip()[-3000:]}")
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    for made in (sdist, wheel):
        print(f"dist: {made.relative_to(parts.ROOT)}, {made.stat().st_size / 1e6:.1f} MB")
    used(wheel, "run")
    used(wheel, "headless")
    return 0


def used(wheel: Path, lock: str) -> None:
    """Installs and tries every verb; ends with one line where something is not as it should be."""
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"QT_QPA_PLATFORM": "offscreen"}
        python, program = Path(folder, "env/bin/python"), Path(folder, "env/bin", parts.PROGRAM)
        subprocess.run([sys.executable, "-m", "venv", f"{folder}/env"], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--require-hashes", "-r", str(parts.ROOT / "packaging" / "lock" / f"{lock}.txt")], check=True)
        subprocess.run([*install, "--no-deps", str(wheel)], check=True)

        def run(*words: str, status: int = 0) -> str:
            done = subprocess.run([str(program), *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != status:
                sys.exit(f"dist: {lock}: {' '.join(words)} gave status {done.returncode}, not {status}: {done.stderr.strip()[-2000:]}")
            return done.stdout + done.stderr

        assert run("--version").split()[1] == parts.VERSION
        incident = str(next(Path(folder).glob(f"env/lib/*/site-packages/{parts.INCIDENT}")))
        told = json.loads(run("check", incident, "--counter", "o200k_base", "--json", status=1))
        assert FAULTY in told["finding_counts"], told["finding_counts"]
        run("plan", incident, "--budget", str(told["tokens"]["total"] // 2))
        run("export", incident, "-o", "mended.json", "--fix", "all")
        run("check", "mended.json")
        assert "EXAMPLE" in run("list", "rules", FAULTY)
        if lock == "run":
            run("snapshot", incident, "-o", "window.png")
            assert Path(folder, "window.png").stat().st_size > 50_000
        else:
            assert "needs Qt" in run("snapshot", incident, "-o", "window.png", status=2)
            assert "needs Qt" in run(incident, status=2)
        print(f"dist: the wheel works with {lock}.txt alone")


if __name__ == "__main__":
    sys.exit(main())
