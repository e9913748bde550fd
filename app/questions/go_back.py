"""A backup put in the open file's place, after a backup of what stands there (app/pipeline/backups.py)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.backups import WentBack


def answer(desk: Desk, number: int) -> WentBack:
    """It is one act that nothing interrupts."""
    from contextlib import suppress
    from dataclasses import replace

    from app.model.errors import InspectorError
    from app.pipeline.backups import go_back
    from app.pipeline.in_place import place, require_quiet, resume_command

    assert desk.dump is not None
    target = place(desk.dump)
    require_quiet(target, time.time(), open_only=True)  # who wrote a moment ago may have been this program
    done = go_back(target, number)
    with suppress(InspectorError, OSError):  # the file that was open is another one now
        done = replace(done, resume=resume_command(desk.dump, target))
    return done
