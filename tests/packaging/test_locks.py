"""The lock files hold what pyproject.toml asks for, at one version each, with digests."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LOCK = ROOT / "packaging" / "lock"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)", re.MULTILINE)
LOCKS = ("audit", "bench", "dev", "headless", "pack", "run")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def pins(name: str) -> dict[str, str]:
    return {canonicalize_name(package): version for package, version in PINNED.findall((LOCK / f"{name}.txt").read_text("utf-8"))}


def asked(name: str) -> list[str]:
    told = project()
    extras, groups = told["project"]["optional-dependencies"], told["dependency-groups"]
    run = told["project"]["dependencies"]
    return {
        "run": run, "headless": groups["headless"], "pack": run + groups["pack"], "audit": groups["audit"],
        "dev": run + extras["test"] + extras["lint"], "bench": run + extras["test"] + extras["lint"] + extras["bench"],
    }[name]  # fmt: skip


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_what_is_asked_for(name: str) -> None:
    found = pins(name)
    for line in asked(name):
        wanted = Requirement(line)
        assert wanted.specifier.contains(found[canonicalize_name(wanted.name)]), f"{line}: make lock"


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_digests(name: str) -> None:
    text = (LOCK / f"{name}.txt").read_text("utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    assert len(entries) == len(pins(name))
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text, "a lock names packages, not places"


def test_one_version_of_each_everywhere() -> None:
    seen: dict[str, set[str]] = {}
    for name in ("bench", "dev", "run", "headless", "pack"):
        for package, version in pins(name).items():
            seen.setdefault(package, set()).add(version)
    assert {package: versions for package, versions in seen.items() if len(versions) > 1} == {}


def test_there_is_no_other_lock() -> None:
    assert sorted(path.stem for path in LOCK.iterdir()) == list(LOCKS)


def test_headless_is_all_but_the_window() -> None:
    told = project()
    window = {"pyside6-essentials", "pyqtgraph"}
    without = [line for line in told["project"]["dependencies"] if canonicalize_name(Requirement(line).name) not in window]
    assert sorted(told["dependency-groups"]["headless"]) == sorted(without)
    assert not {"pyside6-essentials", "shiboken6", "pyqtgraph"} & set(pins("headless"))


def test_what_is_installed_is_what_is_locked() -> None:
    """The environment that this runs in was made from the lock, where the index had what is locked."""
    stamp = ROOT / ".venv" / "stamp"
    if stamp.exists() and "unlocked" in stamp.read_text().split():
        pytest.skip("the locked versions were not to be had")
    wrong = {}
    for package, version in pins("run").items():
        try:
            found = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system
        if found != version:
            wrong[package] = (found, version)
    assert wrong == {}


def test_the_newest_lock_installs_the_tests_own_tools() -> None:
    assert {"pytest", "pytest-qt", "pytest-xdist", "hypothesis", "setuptools", "ruff", "mypy"} <= set(pins("dev"))
    assert Path(LOCK / "dev.txt").stat().st_size > 10_000
