"""Names of tools where they are declared: what a provider refuses of them, and how a name is changed wherever it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Edit, Set
from app.model.kinds import Kind
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Said
from app.rules._scene import Site

DECLARED = "tool-name-format/declaration"
"""Providers that are strict in this look at the names that are declared, and not at those in the conversation."""


def badly_named(reading: Reading) -> Ints:
    """Positions of the declarations whose name does not match."""
    view, fits = reading.view, re.compile(reading.provider.name_pattern or "")
    bad = [number for number, name in enumerate(view.transcript.table.names) if not fits.fullmatch(name)]
    return np.flatnonzero((view.kind == Kind.TOOLS) & np.isin(view.name, bad))


def said(site: Site) -> Said:
    """A badly named declaration in words."""
    name = site.scene.name(site.position)
    place = site.scene.pointer(site.position).lstrip("/").replace("functionDeclarations", "function_declarations")
    at = re.sub(r"/(\d+)", r"[\1]", place).replace("/", ".")
    message = f"The name of this tool, `{name[:80]}`, is one that {site.reading.provider.title} refuses."
    return Said(message, cause=f"name {name[:80]}", words={"at": at})


def renamed(site: Site) -> Sequence[Change]:
    """The tool gets a name that fits, and so do the calls and results that name it."""
    view, names = site.scene.view, site.scene.table.names
    number = int(view.name[site.position])
    fits, taken = re.compile(site.reading.provider.name_pattern or ""), set(names)
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", names[number])
    new = plain[:64] if fits.fullmatch(plain[:64]) else f"_{plain}"[:64]
    count = 2
    while new in taken or not fits.fullmatch(new):
        new, count = f"{plain[:56]}_{count}" if fits.fullmatch(plain[:56]) else f"_tool_{count}", count + 1
    edits: list[Edit] = [Set(site.row_of(int(at)), "name", new) for at in np.flatnonzero(view.name == number)]
    return [site.change("Give the tool a name that fits, in calls and results too", "exact", *edits)]
