"""What was kept of the open file before it was written over (app/pipeline/backups.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.backups import Backups


def answer(desk: Desk) -> Backups:
    """RefusedError where the dump is no single file that could be written over."""
    from app.model.backups import Backups
    from app.pipeline.backups import listed
    from app.pipeline.in_place import place

    assert desk.dump is not None
    target = place(desk.dump)
    return Backups(str(target), listed(target))
