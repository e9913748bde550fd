"""The licence texts of everything that is in a bundle, and the report that lists them.

    python packaging/licences.py OUT.md            the report, from the environment that this runs in
    (bundle.py)                                    the folder `licences/` of a bundle

Python's packages bring their texts in their metadata; Qt's wheels bring none, so LGPL and GPL stand in `packaging/licences/`; the system's
libraries bring theirs where Debian keeps them.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import parts

sys.path.append(str(parts.ROOT))

from app.model.parts import OWN_LICENCE, PARTS, PYTHON_LICENCE

KEPT = Path(__file__).resolve().parent / "licences"
QT = ("PySide6-Essentials", "shiboken6")
HEAD = """# Licences

Everything that the program is made of. `make licences` writes this page from what is installed; texts: the folder `licences` of a bundle.

| part | version | licence | what for |
| --- | --- | --- | --- |
"""


def texts(package: str) -> list[tuple[str, bytes]]:
    """The licence texts of a Python package, each with a name for its file. LookupError where it brings none and none is kept here."""
    if package in QT:
        return [(path.name, path.read_bytes()) for path in sorted(KEPT.glob("Qt-*.txt"))]
    found = list(_own(distribution(package)))
    if not found:
        raise LookupError(f"{package} brings no licence text; put one into {KEPT}")
    return found


def _own(package: Distribution) -> Iterator[tuple[str, bytes]]:
    for file in package.files or ():
        if ".dist-info/licenses/" in file.as_posix():
            name = file.as_posix().partition(".dist-info/licenses/")[2].replace("/", "-")
            yield name, Path(str(file.locate())).read_bytes()


@functools.cache
def debian_package(library: str) -> str | None:
    """The Debian package that a file of the system belongs to; None elsewhere."""
    if shutil.which("dpkg") is None:
        return None
    for path in dict.fromkeys((library, str(Path(library).resolve()), str(Path(library).resolve()).removeprefix("/usr"))):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0].split(":")[0]
    return None


def system_libraries(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Debian packages whose libraries are in a bundle, each with those. `sources`: path inside, path outside."""
    found: dict[str, list[str]] = {}
    for inside, outside in sources:
        if outside.startswith(("/usr/lib/", "/lib/")):
            found.setdefault(debian_package(outside) or "unknown", []).append(inside)
    return found


def collect(folder: Path, sources: Iterable[tuple[str, str]]) -> None:
    """Writes `folder`: own licence and notices, one folder for each part, and the report."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copyfile(parts.ROOT / "LICENSE", folder / "transcript-inspector.txt")
    shutil.copyfile(parts.ROOT / "app" / "tokens" / "LICENSE.tiktoken", folder / "vocabularies.txt")
    shutil.copyfile(_python(), folder / "Python.txt")
    shutil.copyfile(KEPT / "PyInstaller.txt", folder / "PyInstaller.txt")
    for part in PARTS:
        for name, text in texts(part.package):
            place = folder / part.package / name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(text)
    for package in system_libraries(sources):
        notice = Path("/usr/share/doc") / package / "copyright"
        if not notice.exists():
            raise LookupError(f"{package}: no copyright file under /usr/share/doc; it was left out when this machine was made")
        (folder / "system").mkdir(exist_ok=True)
        shutil.copyfile(notice, folder / "system" / f"{package}.txt")
    (folder / "README.md").write_text(report(sources), "utf-8")


def _python() -> Path:
    """The licence of the interpreter: beside its library, or where Debian keeps it."""
    library = Path(functools.__file__).parent
    places = (library / "LICENSE.txt", Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
              Path(sys.base_prefix) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE")  # fmt: skip
    return next(place for place in places if place.exists())


def report(sources: Iterable[tuple[str, str]] = ()) -> str:
    """The page: one row a part; the system's libraries of a bundle, where there is one."""
    rows = [("Transcript Inspector", parts.VERSION, OWN_LICENCE, "the program")]
    rows.append(("Python", sys.version.split()[0], PYTHON_LICENCE, "runs it"))
    rows += [(part.title, distribution(part.package).version, part.licence, part.wherefore) for part in PARTS]
    rows.append(("tiktoken's vocabularies", "o200k_base, cl100k_base", "MIT", "counting tokens"))
    rows.append(("PyInstaller's starter", "", "GPL-2.0-or-later WITH Bootloader-exception", "starts a bundle, of whatever licence"))
    page = HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    found = system_libraries(sources)
    if found:
        page += "\nLibraries of the system on which the bundle was made:\n\n"
        page += "".join(f"- {package}: {', '.join(sorted(files))}\n" for package, files in sorted(found.items()))
    return page


if __name__ == "__main__":
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(report(), "utf-8")
    print(f"{out}: {len(PARTS)} libraries")
