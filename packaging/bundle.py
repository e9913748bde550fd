"""Makes the bundle: a folder with the program, its interpreter and all it needs, which runs where it is put (`make bundle`).

    python packaging/bundle.py [--bare]      in an environment made from packaging/lock/pack.txt

`--bare` makes a second bundle of an empty window, for the benchmark that compares the two.

Ends with a trial of what it made, offline where the system allows that: every verb that a person would miss first.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import licences
import parts
import pictures
import trim

SPEC = Path(__file__).with_name("transcript-inspector.spec")
BARE = Path(__file__).with_name("bare.spec")
PROGRAM = parts.BUNDLE / (parts.PROGRAM + (".exe" if os.name == "nt" else ""))
WORDLESS = ("XDG_RUNTIME_DIR", "PYTHONPATH", "QT_PLUGIN_PATH")  # what a stranger's machine does not have
LISTS = {"formats": "formats", "rules": "rules", "strategies": "strategies", "providers": "providers"}


def main() -> int:
    pictures.write(parts.BUILD / "icons")
    freeze(SPEC)
    saved = trim.strip(parts.BUNDLE)
    sources = collected()
    stop_if_missing()
    licences.collect(parts.BUNDLE / "licences", sources)
    trial()
    if "--bare" in sys.argv[1:]:
        freeze(BARE)
        trim.strip(parts.BUNDLE.with_name("bare"))
    print(f"bundle: {parts.BUNDLE.relative_to(parts.ROOT)}, {megabytes(parts.BUNDLE):.0f} MB ({saved / 1e6:.0f} MB of symbols taken out)")
    return 0


def freeze(spec: Path) -> None:
    """Runs PyInstaller; what it says goes to build/bundle.log."""
    parts.BUILD.mkdir(exist_ok=True)
    log = parts.BUILD / "bundle.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", str(parts.BUNDLE.parent),
               "--workpath", str(parts.BUILD / "freezer"), str(spec)]  # fmt: skip
    with log.open("wb") as out:
        done = subprocess.run(command, cwd=parts.ROOT, stdout=out, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        last = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
        sys.exit(f"bundle: PyInstaller ended with status {done.returncode} ({' '.join(last)}); see {log}")


def collected() -> list[tuple[str, str]]:
    """What the freezer took, as (path inside, path outside)."""
    lines = (parts.BUILD / "bundle-sources.tsv").read_text("utf-8").splitlines()
    return [(inside, outside) for inside, _, outside in (line.partition("\t") for line in lines)]


def stop_if_missing() -> None:
    """Ends with one line where a library that the window needs was not on this machine, so that it is not in the bundle either."""
    if sys.platform != "linux":
        return
    from PyInstaller.depend.bindepend import get_imports

    missing = {name for path in parts.BUNDLE.rglob("*.so*") for name, place in get_imports(str(path)) if place is None}
    inside = {path.name for path in parts.BUNDLE.rglob("*.so*")}
    if missing - inside:
        sys.exit(
            f"bundle: libraries are missing on this machine: {', '.join(sorted(missing - inside))}; "
            "apt-get install libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libwayland-cursor0"
        )


def trial() -> None:
    """Runs the bundle as a stranger would: no environment, another folder, no network."""
    home = tempfile.mkdtemp(prefix="bundle-trial-")
    try:
        environment = {name: value for name, value in os.environ.items() if name not in WORDLESS}
        environment |= {"HOME": home, "QT_QPA_PLATFORM": "offscreen"}

        def run(*words: str, status: int = 0) -> str:
            command = [*offline(), str(PROGRAM), *words]
            done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != status:
                sys.exit(f"bundle: {' '.join(words)} gave status {done.returncode}, not {status}: {done.stderr.strip()[-2000:]}")
            return done.stdout

        said = run("--version").split()
        assert said == [parts.PROGRAM, parts.VERSION], said
        for what in LISTS:
            names = {json.loads(line)["name"] for line in run("list", what, "--json").splitlines()}
            missing = {module.rsplit(".", 1)[1].replace("_", "-") for module in found_at_run_time(what)} - names
            if missing and what == "rules":
                sys.exit(f"bundle: there is no {', '.join(sorted(missing))} among the {what}")
            if len(names) < len(found_at_run_time(what)):
                sys.exit(f"bundle: {len(names)} {what}, and {len(found_at_run_time(what))} modules of them")
        incident = str(next(parts.BUNDLE.rglob("invoice-agent-0412.json")))
        told = json.loads(run("check", incident, "--counter", "o200k_base", "--json", status=1))
        assert told["tokens"]["total"] > 1000, told["tokens"]
        run("export", incident, "-o", f"{home}/mended.json", "--fix", "all")
        run("check", f"{home}/mended.json")
        run("snapshot", incident, "-o", f"{home}/window.png", "--budget", "12000")  # the helper process, the chart, all dialogs' modules
        assert Path(home, "window.png").stat().st_size > 50_000
        shutil.copyfile(Path(home, "window.png"), parts.BUILD / "bundle-window.png")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def found_at_run_time(what: str) -> list[str]:
    """The modules of ours of that kind, as the folder has them."""
    return [name for name in parts.modules() if name.startswith(f"app.{what}.") and not name.rsplit(".", 1)[1].startswith("_")]


def offline() -> list[str]:
    """What to put before a command so that it has no network; nothing where the system does not allow it."""
    words = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
        return words
    return []


def megabytes(folder: Path) -> float:
    """What the files of a folder take, links not followed."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


if __name__ == "__main__":
    sys.exit(main())
