"""The wheel holds what the program needs beside its code: icons, vocabularies, the incident, the notices."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.conftest import ROOT

LOOK = """
import sys
sys.path.insert(0, sys.argv[1])
import app, icons
from importlib.resources import files
assert app.__file__.startswith(sys.argv[1]), app.__file__
from app.tokens import counter
print(counter("o200k_base").count("three little words"), counter("cl100k_base").count("three little words"))
print(len([f for f in files("icons").iterdir() if f.name.endswith(".svg")]))
print(len(files("app").joinpath("incident", "invoice-agent-0412.json").read_bytes()))
from app.main import incident
"""


def test_the_wheel_is_whole(tmp_path: Path) -> None:
    source = tmp_path / "source"
    keep = ("app", "widgets", "icons", "packaging", "pyproject.toml", "README.md", "LICENSE")
    source.mkdir()
    for name in keep:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *offline, "-w", str(tmp_path), str(source)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as z:
        names = z.namelist()
        z.extractall(tmp_path / "site")
    assert not any(n.startswith(("tests/", "packaging/")) for n in names)
    assert "app/tokens/LICENSE.tiktoken" in names
    assert {"widgets/help/1-what-this-is.md", "widgets/help/window-dark.png"} <= set(names)
    assert any(n.endswith("licenses/LICENSE") for n in names)
    env = {**os.environ, "PYTHONPATH": "", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(tmp_path / "site")], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    counted, pictures, incident = done.stdout.split("\n")[:3]
    assert counted == "3 3"
    assert int(pictures) == len(list((ROOT / "icons").glob("*.svg")))
    assert int(incident) == (ROOT / "app/incident/invoice-agent-0412.json").stat().st_size
