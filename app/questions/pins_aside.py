"""The pins that are kept beside a dump, as rows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.pins import Aside

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk, path: str) -> Aside:
    from app.pipeline.blocks import Blocks
    from app.pipeline.pin_file import load

    assert desk.dump is not None
    dump = desk.dump
    return load(path, dump, lambda transcript: Blocks(dump, transcript))
