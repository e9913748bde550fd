"""What a frozen program consists of: modules, data, and what of the libraries stays out. Plain Python: tests read it without a freezer.

A freezer sees what is imported by name. Formats, providers, rules and their like are found at run time (`hidden_modules` in each of those
packages), and the window's dialogs are imported when they are asked for: so every module of ours is named, by looking at the folders.
"""

from __future__ import annotations

import fnmatch
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "transcript-inspector"
TITLE = "Transcript Inspector"
ICON = ROOT / "icons" / "app.svg"
BUILD = ROOT / "build"
BUNDLE = BUILD / "bundle" / PROGRAM
INCIDENT = "app/incident/invoice-agent-0412.json"
PACKAGES = ("app", "widgets", "icons")
DATA = ("*.svg", "*.gz", "incident/*", "examples/*.json", "examples/*.jsonl", "LICENSE.tiktoken")

# Imported by a library somewhere, never by anything that this program does.
EXCLUDED = (
    "PIL", "IPython", "OpenGL", "asyncio", "cupy", "doctest", "ensurepip", "h5py", "jupyter_rfb", "lib2to3", "matplotlib", "numba",
    "pandas",
    "pip", "pydoc_data", "requests", "scipy", "setuptools", "tkinter", "turtle", "unittest",
    "urllib3", "charset_normalizer",
    "certifi", "idna", "wheel", "xmlrpc", "ftplib", "smtplib", "ssl", "numpy.random", "numpy.fft", "numpy.polynomial",
    "numpy.f2py", "numpy.distutils",
    "numpy.testing", "numpy.tests", "numpy._pyinstaller", "numpy.ctypeslib.tests", "numpy.polynomial.tests",
    "pyqtgraph.opengl", "pyqtgraph.examples", "pyqtgraph.console", "pyqtgraph.jupyter", "pyqtgraph.flowchart",
    "PySide6.QtNetwork", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "PySide6.QtPrintSupport", "PySide6.QtQml", "PySide6.QtQuick",
    "PySide6.QtSql", "PySide6.QtSvgWidgets", "PySide6.QtTest", "PySide6.QtUiTools", "PySide6.QtXml", "PySide6.QtDBus",
    "zstandard.backend_cffi", "zstandard._cffi", "cffi",
)  # fmt: skip

# Files that the freezer's hooks bring along by the folder; matched against the path inside the bundle.
LEFT_OUT = (
    "*/translations/*",  # this program speaks English
    "*Qt6Network*", "*Qt6Pdf*", "*Qt6Qml*", "*Qt6Quick*", "*Qt6VirtualKeyboard*", "*Qt6EglFs*", "*Qt6EglFS*", "*Qt6Test*", "*Qt6OpenGL*",
    "*/plugins/tls/*", "*/plugins/networkinformation/*", "*/plugins/generic/*", "*/plugins/egldeviceintegrations/*",
    "*/plugins/xcbglintegrations/*", "*/plugins/platforminputcontexts/*virtualkeyboard*", "*/plugins/wayland-graphics-integration-*/*",
    "*/plugins/platforms/*eglfs*", "*/plugins/platforms/*linuxfb*", "*/plugins/platforms/*vnc*", "*/plugins/platforms/*vkkhrdisplay*",
    "*/plugins/platforms/*minimal*", "*/plugins/platformthemes/*gtk3*",
    "*/plugins/imageformats/*",  # no picture of a dump is ever drawn; our icons are drawn by QtSvg itself
    "*/plugins/iconengines/*", "*opengl32sw*", "*d3dcompiler*",
    "*zstandard/_cffi*", "pyqtgraph/icons/*", "pyqtgraph/colors/maps/*",
    "*.pyi", "*/tests/*",
    # parts of Python that nothing here imports
    "*_codecs_jp*", "*_codecs_cn*", "*_codecs_hk*", "*_codecs_kr*", "*_codecs_tw*", "*_codecs_iso2022*", "*_multibytecodec*", "*_ssl*",
    "*libssl*", "*_hashlib*", "*libcrypto*",  # Python has the digests itself
     "*_curses*", "*libncurses*", "*readline*", "*libtinfo*", "*_tkinter*", "*_asyncio*", "*_test*", "*_xxsubinterp*", "*resource.c*",
)  # fmt: skip

# Of Linux: what the desktop must bring itself, since it belongs to its display, fonts and drivers, or must be one with them.
FROM_THE_DESKTOP = ("libGL.so*", "libEGL.so*", "libGLX.so*", "libGLdispatch.so*", "libOpenGL.so*", "libX11*.so*", "libxcb.so*",
                    "libfontconfig.so*", "libfreetype.so*", "libglib-2.0.so*", "libgthread-2.0.so*", "libdbus-1.so*", "libwayland-*.so*",
                    "libdrm.so*", "libexpat.so*", "libpng16.so*", "libbrotli*.so*", "libpcre2*.so*", "libbsd.so*", "libmd.so*",
                    "libXau.so*", "libXdmcp.so*", "libstdc++.so*", "libgcc_s.so*", "libcap.so*", "libsystemd.so*", "libgcrypt.so*",
                    "libgpg-error.so*", "liblz4.so*", "libgtk-3*", "libgdk*")  # fmt: skip


def modules() -> list[str]:
    """Every module of ours, by name."""
    found = []
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            words = path.relative_to(ROOT).with_suffix("").parts
            found.append(".".join(words[:-1] if words[-1] == "__init__" else words))
    return sorted(found)


def data() -> list[tuple[str, str]]:
    """Files of ours that are not code, each with the folder inside the bundle that it goes to."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            inside = path.relative_to(ROOT).as_posix()
            if path.is_file() and path.suffix not in (".py", ".pyc") and any(fnmatch.fnmatch(inside, f"*/{wanted}") for wanted in DATA):
                found.append((str(path), path.relative_to(ROOT).parent.as_posix()))
    return found


def is_wanted(inside: str, platform: str = sys.platform) -> bool:
    """Whether a file that the freezer collected belongs into the bundle; `inside` is its path there."""
    path = inside.replace("\\", "/")
    if ".dist-info/" in path:
        return path.endswith("/METADATA")  # app/model/parts.py reads the version; licence texts are collected apart
    if any(fnmatch.fnmatchcase(path, pattern) for pattern in LEFT_OUT):
        return False
    return not (platform == "linux" and any(fnmatch.fnmatchcase(path.rsplit("/", 1)[-1], name) for name in FROM_THE_DESKTOP))


def _constant(name: str) -> str:
    """A name and its value, read from the one place that has it."""
    text = (ROOT / "app" / "version.py").read_text("utf-8")
    found = re.search(rf'^{name} = "([^"]+)"$', text, re.MULTILINE)
    assert found is not None
    return found.group(1)


VERSION = _constant("VERSION")
ID = _constant("DESKTOP_ID")

PROPERTIES = {
    "CFBundleShortVersionString": VERSION,
    "NSHighResolutionCapable": True,
    "NSRequiresAquaSystemAppearance": False,
    "CFBundleDocumentTypes": [
        {"CFBundleTypeName": "JSON lines", "CFBundleTypeRole": "Viewer", "LSHandlerRank": "Default",
         "CFBundleTypeExtensions": ["jsonl", "ndjson", "traj", "eval"]},
        {"CFBundleTypeName": "JSON", "CFBundleTypeRole": "Viewer", "LSHandlerRank": "Alternate", "CFBundleTypeExtensions": ["json"]},
    ],
}  # fmt: skip
"""What a Mac reads of the application: it may open JSON, and takes it from nobody."""
