"""Makes the Debian package out of the bundle (`make deb`, after `make bundle`).

    python packaging/deb.py

The package leaves out what Debian has: libraries that the freezer took from the system become dependencies, as `dpkg-shlibdeps` names them
for every library that stays. The caches of menu, icons and types are rebuilt by the triggers of their own packages, so there are no
maintainer scripts. Needs dpkg-dev; lintian and appstreamcli are called where they are there.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import licences
import manual
import parts
from bundle import collected, megabytes

HERE = Path(__file__).resolve().parent / "linux"
ROOT = parts.BUILD / "deb" / "root"
LIB = Path("usr/lib") / parts.PROGRAM
DOC = Path("usr/share/doc") / parts.PROGRAM
# Opened by name at run time, so that no list of needed libraries has them: D-Bus (QtDBus), and fonts, without which there is no window.
ASKED_FOR = ("libdbus-1-3", "fontconfig-config")
LEVEL = os.environ.get("DEB_LEVEL", "6")  # of compression; 0 while one tries things out
MAINTAINER = os.environ.get("DEB_MAINTAINER", "The Transcript Inspector authors <authors@transcript-inspector.example>")
DESCRIPTION = """\
 viewer and repairer of agents' transcripts
 Opens a dump of an agent's session, says what a provider would refuse and
 why, with what every block costs in tokens, shows what each way to compact
 would keep, and exports a transcript that works again.
 .
 It opens requests and answers of six providers, the sessions of common coding
 agents, logs and traces. Files are opened read-only, and the program never
 uses the network."""
OVERRIDES = """\
# The package is made of a frozen bundle: interpreter, Qt and libraries of Python at the versions that the program was tested with. Debian
# does not have these versions, and some not at all.
{package}: embedded-library *
# Libraries of a bundle find one another by a path that starts at themselves.
{package}: custom-library-search-path *
# The wheels' own: auditwheel's copies cannot be stripped without harm.
{package}: unstripped-binary-or-object *numpy.libs/*
# Modules of the interpreter that call nothing but the interpreter, which loads them; and ICU's data, which is no code.
{package}: library-not-linked-against-libc *lib-dynload/*
{package}: shared-library-lacks-prerequisites *
# The starter is PyInstaller's, as its wheel has it.
{package}: hardening-no-pie *
"""


def main() -> int:
    os.environ.setdefault("SOURCE_DATE_EPOCH", date_of_source())
    shutil.rmtree(parts.BUILD / "deb", ignore_errors=True)
    program()
    desktop()
    documents()
    out = package()
    print(f"deb: {out.relative_to(parts.ROOT)}, {out.stat().st_size / 1e6:.0f} MB, {megabytes(ROOT):.0f} MB installed")
    return judged(out)


def date_of_source() -> str:
    """Seconds of the last commit, so that the same source makes the same package; now, where there is no repository."""
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=parts.ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or str(int(time.time()))


def day() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))


def program() -> None:
    """The bundle without what the system has."""
    shutil.copytree(parts.BUNDLE, ROOT / LIB, symlinks=True)
    for inside, outside in collected():
        taken = ROOT / LIB / "_internal" / inside
        if "/" not in inside and taken.is_file() and not taken.is_symlink() and from_debian(outside):
            taken.unlink()
    shutil.rmtree(ROOT / LIB / "licences" / "system", ignore_errors=True)
    shutil.move(ROOT / LIB / "licences", ROOT / LIB.parent / "licences")
    (ROOT / DOC).mkdir(parents=True)
    shutil.move(ROOT / LIB.parent / "licences", ROOT / DOC / "licences")
    (ROOT / LIB / "licences").symlink_to(os.path.relpath(DOC / "licences", LIB))
    (ROOT / "usr/bin").mkdir()
    (ROOT / "usr/bin" / parts.PROGRAM).symlink_to(f"../lib/{parts.PROGRAM}/{parts.PROGRAM}")
    for path in ROOT.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == ROOT / LIB / parts.PROGRAM else 0o644)


def from_debian(library: str) -> bool:
    return library.startswith(("/usr/lib/", "/lib/")) and licences.debian_package(library) is not None


def desktop() -> None:
    """Menu entry, icons, types, AppStream metadata."""
    share = ROOT / "usr/share"
    for name, place in (("transcript-inspector.desktop", f"applications/{parts.ID}.desktop"), ("mime.xml", f"mime/packages/{parts.ID}.xml"),
                        ("metainfo.xml", f"metainfo/{parts.ID}.metainfo.xml")):  # fmt: skip
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(filled((HERE / name).read_text("utf-8")), "utf-8")
    shutil.copytree(parts.BUILD / "icons" / "hicolor", share / "icons" / "hicolor")


def filled(text: str) -> str:
    return text.replace("@ID@", parts.ID).replace("@VERSION@", parts.VERSION).replace("@DATE@", day())


def documents() -> None:
    """Man page, copyright, changelog, lintian's overrides."""
    pages = ROOT / "usr/share/man/man1"
    pages.mkdir(parents=True)
    packed(pages / f"{parts.PROGRAM}.1.gz", manual.page(day()).encode())
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    news = f"{parts.PROGRAM} ({parts.VERSION}) unstable; urgency=medium\n\n  * Made from the bundle. What is new: CHANGELOG.md.gz.\n"
    packed(ROOT / DOC / "changelog.gz", f"{news}\n -- {MAINTAINER}  {stamp}\n".encode())
    packed(ROOT / DOC / "CHANGELOG.md.gz", (parts.ROOT / "CHANGELOG.md").read_bytes())
    own = (parts.ROOT / "LICENSE").read_text("utf-8")
    body = "".join(f" {line}\n" if line.strip() else " .\n" for line in own.strip().splitlines())
    (ROOT / DOC / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Transcript Inspector\n\n"
        f"Files: *\nCopyright: {copyright_line(own)}\nLicense: Expat\n"
        f"Comment: The libraries in /{LIB} are under their own licences. All texts and a list of\n"
        f" them are in /{DOC}/licences. LGPL and GPL: /usr/share/common-licenses.\n\nLicense: Expat\n{body}", "utf-8",
    )  # fmt: skip
    overrides = ROOT / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    (overrides / parts.PROGRAM).write_text(OVERRIDES.format(package=parts.PROGRAM), "utf-8")


def copyright_line(licence: str) -> str:
    found = re.search(r"Copyright (?:\(c\) )?(.+)", licence)
    return found.group(1) if found else "The Transcript Inspector authors"


def packed(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def package() -> Path:
    """Control file and digests, then the package."""
    control = ROOT / "DEBIAN"
    control.mkdir()
    files = sorted(path for path in ROOT.rglob("*") if path.is_file() and not path.is_symlink() and control not in path.parents)
    (control / "md5sums").write_text("".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}\n" for path in files))
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    (control / "control").write_text(
        f"Package: {parts.PROGRAM}\nVersion: {parts.VERSION}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n"
        f"Installed-Size: {round(megabytes(ROOT) * 1e6 / 1024)}\nDepends: {', '.join(needed())}\nRecommends: shared-mime-info, xdg-utils\n"
        f"Section: devel\nPriority: optional\nDescription:{DESCRIPTION}\n", "utf-8",
    )  # fmt: skip
    out = parts.ROOT / "dist" / f"{parts.PROGRAM}_{parts.VERSION}_{architecture}.deb"
    out.parent.mkdir(exist_ok=True)
    build = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{LEVEL}", "--build", str(ROOT), str(out)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return out


def needed() -> list[str]:
    """Packages that the libraries of the bundle need, with the least version of each."""
    work = parts.BUILD / "deb" / "shlibdeps"
    (work / "debian").mkdir(parents=True)
    (work / "debian" / "control").write_text(f"Source: {parts.PROGRAM}\n\nPackage: {parts.PROGRAM}\nArchitecture: any\n")
    inside = ROOT / LIB / "_internal"
    binaries = [ROOT / LIB / parts.PROGRAM, *sorted(path for path in inside.rglob("*.so*") if not path.is_symlink())]
    folders = sorted({str(path.parent) for path in binaries})
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *(f"-l{folder}" for folder in folders), *(f"-e{path}" for path in binaries)]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    (parts.BUILD / "deb" / "shlibdeps.log").write_text(done.stderr, "utf-8")
    if done.returncode:
        sys.exit(f"deb: dpkg-shlibdeps: {done.stderr.strip().splitlines()[-1]}")
    found = done.stdout.strip().partition("=")[2].split(", ")
    names = {word.split()[0] for word in found}
    return sorted([*found, *(name for name in ASKED_FOR if name not in names)])


def judged(out: Path) -> int:
    """What the desktop's and Debian's own checkers say; their errors are ours."""
    share = ROOT / "usr/share"
    checks = (
        ("desktop-file-validate", [str(share / "applications" / f"{parts.ID}.desktop")]),
        ("appstreamcli", ["validate", "--no-net", str(share / "metainfo" / f"{parts.ID}.metainfo.xml")]),
        ("lintian", ["--fail-on", "error", "--allow-root", "--tag-display-limit", "0", str(out)]),
    )
    status = 0
    for name, words in checks:
        if shutil.which(name) is None:
            print(f"deb: {name} is not here, so not asked")
            continue
        done = subprocess.run([name, *words], capture_output=True, text=True, check=False)
        said = (done.stdout + done.stderr).strip()
        print(f"deb: {name}: {'passes' if not done.returncode else 'FAILS'}" + (f"\n{said}" if said else ""))
        status = status or done.returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
