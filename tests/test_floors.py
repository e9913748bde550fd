"""Who may import whom (app/README.md): every import statement is read, and one that points upward fails."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIRST = ("formats", "providers", "readers", "rules", "strategies", "presets", "tokens", "matching")
QT = ("PySide6", "shiboken6", "pyqtgraph")

FLOORS = {
    "app.version": 0, "app.heap": 0, "app.shared": 0, "app.model": 0,
    **{f"app.{name}": 1 for name in FIRST},
    "app.pipeline": 2,
    "app.cli": 3, "app.headless": 3, "app.jobs": 3, "app.helper": 4, "app.rounds": 4, "app.worker": 4, "app.settings": 4, "app.session": 5,
    "app.desk": 4, "app.asked": 4, "app.questions": 4, "icons": 0, "widgets": 6, "app.main": 7, "app.__main__": 8,
}  # fmt: skip
WITH_QT = {"app.session", "app.settings", "app.worker", "app.main", "widgets", "icons"}


def modules() -> list[Path]:
    return sorted(itertools.chain.from_iterable((ROOT / top).rglob("*.py") for top in ("app", "widgets", "icons")))


def name_of(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def area(module: str) -> str | None:
    """The entry of FLOORS that a module belongs to; `app.cli_plan` belongs to `app.cli`."""
    parts = module.split(".")
    if parts[0] != "app":
        return parts[0] if parts[0] in FLOORS else None
    if len(parts) == 1:
        return None
    for entry in FLOORS:
        if f"app.{parts[1]}" == entry:
            return entry
    return f"app.{parts[1].split('_')[0]}"


def imports(path: Path) -> list[tuple[int, str]]:
    """Every module that is named in an import, inside functions too; `from app import x` names app.x."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            top = node.module or ""
            found += (
                [(node.lineno, f"{top}.{alias.name}") for alias in node.names] if top in ("app", "app.pipeline") else [(node.lineno, top)]
            )
    return found


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_import_points_upward(path: Path) -> None:
    module = name_of(path)
    mine = area(module)
    if module == "app":
        return
    assert mine in FLOORS, f"{module} stands on no floor; enter it in FLOORS and in app/README.md"
    for line, other in imports(path):
        theirs = area(other)
        where = f"{path.relative_to(ROOT)}:{line} imports {other}"
        if other.split(".")[0] in QT:
            assert mine in WITH_QT, f"{where}: no Qt on this floor"
            continue
        if theirs is None or theirs == mine:
            continue
        assert FLOORS.get(theirs, 99) <= FLOORS[mine], f"{where}: an arrow upward"
        if mine in {f"app.{name}" for name in FIRST}:
            assert theirs not in {f"app.{name}" for name in FIRST}, f"{where}: formats, providers, rules, strategies, tokens, matching"
        if mine == "widgets":
            assert theirs in ("app.model", "app.session", "app.settings", "icons", "app.version"), f"{where}: widgets see the session only"
        if theirs == "widgets":
            assert mine == "app.main", f"{where}: only app.main puts widgets together"


def test_only_the_chart_draws_with_pyqtgraph() -> None:
    users = {name_of(path) for path in modules() if any(other.split(".")[0] == "pyqtgraph" for _, other in imports(path))}
    assert all("chart" in user for user in users), users


def test_a_word_that_says_nothing_names_no_module() -> None:
    words = {"utils", "util", "helpers", "common", "base", "manager", "misc"}
    assert [name_of(path) for path in modules() if path.stem.strip("_") in words] == []
