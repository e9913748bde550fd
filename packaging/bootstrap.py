"""Makes the virtual environment in .venv from the lock files, and says in one line what is missing on the machine.

Runs under any Python 3 without packages: an old one must be able to read this far and say so. A half-made .venv (no stamp)
is made again; a changed lock file or pyproject.toml installs anew. Every package is checked by its digest.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "stamp")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = os.path.join(BIN, "python")
EXTRAS = ["test", "lint"]
FREE = "unlocked"  # in the stamp: the locked versions were not to be had
UNKNOWN = "No matching distribution found"

# What the loader names, and the package that has it.
LIBRARIES = {
    "libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libxkbcommon.so.0": "libxkbcommon0", "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1", "libglib-2.0.so.0": "libglib2.0-0", "libfreetype.so.6": "libfreetype6",
    "libX11.so.6": "libx11-6", "libxcb-cursor.so.0": "libxcb-cursor0", "libOpenGL.so.0": "libopengl0",
}  # fmt: skip

LOOK = """
import os
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from PySide6 import QtGui, QtSvg, QtWidgets
app = QtWidgets.QApplication([])
raise SystemExit(0 if QtGui.QFontDatabase.families() else "no fonts")
"""


def stop(line):
    sys.stderr.write("setup: " + line + "\n")
    sys.exit(2)


def run(*command):
    """Runs quietly; (exit status, what it printed)."""
    done = subprocess.run(list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def check_python():
    if sys.version_info < (3, 11):
        stop("Python %d.%d is too old, 3.11 or later is needed: apt-get install python3.11 python3.11-venv, then make PYTHON=python3.11 ..."
             % sys.version_info[:2])
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop("the venv module is missing: apt-get install python3-venv")


def lock(extras):
    """The smallest lock file that has all of these."""
    return os.path.join(ROOT, "packaging", "lock", ("bench" if "bench" in extras else "dev") + ".txt")


def wanted():
    told = hashlib.sha256(sys.version.encode())
    for path in [os.path.join(ROOT, "pyproject.toml"), lock([]), lock(["bench"])]:
        with open(path, "rb") as f:
            told.update(f.read())
    return told.hexdigest()


def stamps():
    try:
        with open(STAMP) as f:
            return f.read().split()
    except OSError:
        return []


def healthy():
    return os.path.exists(VENV_PYTHON) and run(VENV_PYTHON, "-c", "import sys")[0] == 0


def make(extras):
    """Whether what was installed is what is locked."""
    if not stamps() or not healthy():
        shutil.rmtree(VENV, ignore_errors=True)
        print("setup: making .venv", flush=True)
        status, said = run(sys.executable, "-m", "venv", VENV)
        if status:
            shutil.rmtree(VENV, ignore_errors=True)
            stop("python -m venv failed (%s): apt-get install python3-venv" % (said.strip().splitlines() or ["no words"])[-1])
    print("setup: installing the dependencies", flush=True)
    if os.path.exists(STAMP):
        os.remove(STAMP)
    locked = True
    install = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    status, said = run(*(install + ["--require-hashes", "-r", lock(extras)]))
    if status and UNKNOWN in said:  # the index has not these versions; a digest that is another is refused all the same
        print("setup: the index has not all of the locked versions; taking what pyproject.toml allows", flush=True)
        status, said = run(*(install + ["-e", ".[%s]" % ",".join(extras)]))
        locked = False
    elif not status:  # the program itself, in place; setuptools is in the lock
        status, said = run(*(install + ["--no-deps", "--no-build-isolation", "-e", "."]))
    if status:
        errors = [line for line in said.splitlines() if "ERROR" in line] or said.strip().splitlines() or ["no words"]
        stop("pip could not install the dependencies (%s): check the network or the package index, then run again" % errors[-1].strip())
    return locked


def check_qt():
    """One line for a missing Qt library or for no font at all."""
    status, said = run(VENV_PYTHON, "-c", LOOK)
    if not status:
        return
    for library, package in LIBRARIES.items():
        if library in said:
            stop("Qt needs %s, which is missing: apt-get install %s" % (library, package))
    if "no fonts" in said:
        stop("no font is installed, the window would be empty: apt-get install fonts-dejavu-core")
    stop("Qt does not start (%s)" % (said.strip().splitlines() or ["no words"])[-1])


def main():
    check_python()
    extras = EXTRAS + [a for flag, a in zip(sys.argv[1:], sys.argv[2:]) if flag == "--extra"]
    done = stamps()
    if done and done[0] == wanted() and set(extras) <= set(done[1:]) and healthy():
        return
    if done and done[0] == wanted():
        extras = sorted((set(extras) | set(done[1:])) - {FREE})
    locked = make(extras)
    check_qt()
    with open(STAMP, "w") as f:
        f.write(" ".join([wanted()] + extras + ([] if locked else [FREE])))


if __name__ == "__main__":
    main()
