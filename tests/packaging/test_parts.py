"""What a bundle holds: every module that is found at run time, the files beside the code, and nothing that was left out by mistake."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.conftest import ROOT
from tests.packaging.conftest import Script

FOUND_AT_RUN_TIME = ("formats", "presets", "providers", "questions", "readers", "rules", "strategies")
ALLOWED = """
import importlib.abc, sys
sys.path.insert(0, sys.argv[1])
import parts
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in parts.EXCLUDED or name.startswith(tuple(f"{left}." for left in parts.EXCLUDED)):
            raise ModuleNotFoundError(f"{name} is not in a bundle", name=name)
sys.meta_path.insert(0, Nothing())
import no_opengl
for name in parts.modules():
    if name != "app.__main__" and not name.startswith("packaging"):
        importlib.import_module(name)
import tiktoken, zstandard
from app.tokens import counter
print(counter("cl100k_base").count("three little words"))
"""


@pytest.mark.parametrize("kind", FOUND_AT_RUN_TIME)
def test_every_module_that_is_found_at_run_time_is_named(script: Script, kind: str) -> None:
    named = set(script("parts").modules())
    package = importlib.import_module(f"app.{kind}")
    hidden = package.get_hidden_modules() if kind == "questions" else package.hidden_modules()
    assert hidden
    assert set(hidden) <= named


def test_all_that_discover_are_known() -> None:
    """A package that looks for its modules by itself must be one of those above."""
    looking = {path.parent.name for path in (ROOT / "app").rglob("__init__.py") if "iter_modules" in path.read_text("utf-8")}
    assert looking == set(FOUND_AT_RUN_TIME)


def test_every_module_of_ours_is_named(script: Script) -> None:
    named = script("parts").modules()
    assert {"app", "app.__main__", "app.helper", "app.main", "widgets.budget_chart", "icons"} <= set(named)
    assert not [name for name in named if name.startswith(("tests", "packaging"))]


def test_the_files_beside_the_code_go_along(script: Script) -> None:
    inside = {f"{folder}/{path.rsplit('/', 1)[1]}" for path, folder in script("parts").data()}
    assert {"app/incident/invoice-agent-0412.json", "app/tokens/o200k_base.tiktoken.gz", "app/tokens/cl100k_base.tiktoken.gz",
            "app/tokens/LICENSE.tiktoken", "icons/app.svg"} <= inside  # fmt: skip
    examples = (path.name for path in (ROOT / "app/rules/examples").iterdir() if path.suffix in (".json", ".jsonl"))
    assert {f"app/rules/examples/{name}" for name in examples} <= inside
    assert {f"icons/{path.name}" for path in (ROOT / "icons").glob("*.svg")} <= inside
    assert not [name for name in inside if name.endswith((".py", ".pyc"))]


STAYS = ("PySide6/Qt/lib/libQt6Gui.so.6", "PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/plugins/platforms/libqoffscreen.so",
         "PySide6/Qt/plugins/platforms/libqwayland.so", "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
         "PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", "libxcb-cursor.so.0", "numpy-2.4.6.dist-info/METADATA",
         "PySide6/plugins/platforms/qwindows.dll", "PySide6/Qt/plugins/platforms/libqcocoa.dylib")  # fmt: skip
GOES = ("PySide6/Qt/translations/qt_de.qm", "PySide6/Qt/lib/libQt6Network.so.6", "PySide6/Qt/plugins/platforms/libqvnc.so",
        "libX11.so.6",        "PySide6/Qt/plugins/platformthemes/libqgtk3.so", "libcrypto.so.3",
        "numpy-2.4.6.dist-info/RECORD", "libGL.so.1", "libfontconfig.so.1",
        "PySide6\\opengl32sw.dll", "PySide6\\translations\\qtbase_de.qm")  # fmt: skip


@pytest.mark.parametrize(("names", "wanted"), [(STAYS, True), (GOES, False)], ids=["stays", "goes"])
def test_what_the_freezer_collects_by_the_folder(script: Script, names: Sequence[str], wanted: bool) -> None:
    parts = script("parts")
    assert [name for name in names if parts.is_wanted(name, "linux") is not wanted] == []


def test_a_mac_brings_no_desktop_libraries_and_keeps_its_own(script: Script) -> None:
    assert script("parts").is_wanted("libX11.so.6", "darwin")


def test_the_program_needs_nothing_that_is_left_out() -> None:
    """Imports every module of ours where the excluded ones cannot be had."""
    import os
    import subprocess

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", ALLOWED, str(ROOT / "packaging")]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["3"]


def test_version_and_name_are_those_of_the_program(script: Script) -> None:
    from app.version import DESKTOP_ID, VERSION

    parts = script("parts")
    assert (parts.VERSION, parts.ID) == (VERSION, DESKTOP_ID)
    assert (ROOT / parts.INCIDENT).exists()


def test_the_recipe_is_python(script: Script) -> None:
    text = (ROOT / "packaging" / "transcript-inspector.spec").read_text("utf-8")
    compile(text, "spec", "exec")
    assert "hiddenimports=parts.modules()" in text
    assert "parts.data()" in text


def test_the_list_of_parts_needs_no_library() -> None:
    """The bill of materials is made in an environment that has none of them."""
    code = "import sys; sys.modules.update(dict.fromkeys(('numpy', 'PySide6', 'orjson', 'tiktoken'))); import app.model.parts"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
