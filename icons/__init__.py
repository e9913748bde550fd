"""The product's own icons: SVG files in one colour, `currentColor`, which the theme replaces. `app.svg` alone has colours of its own."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def svg(name: str) -> str:
    """The text of an icon, by its file's name without the ending. Raises FileNotFoundError for one that is not here."""
    return (HERE / f"{name}.svg").read_text("utf-8")


def names() -> list[str]:
    """All icons, sorted."""
    return sorted(entry.name.removesuffix(".svg") for entry in HERE.iterdir() if entry.name.endswith(".svg"))
