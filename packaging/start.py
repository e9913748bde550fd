"""Where the frozen program starts; `--helper` makes the same file the helper process (app/worker.py)."""

import gc
import os
import sys

from app.__main__ import main


def measured() -> None:
    """The first window is built by app.main_start alone; whoever measures is told of its first paint."""
    import first_paint

    import app.main_start

    shown = app.main_start.FirstWindow.show

    def show(window: app.main_start.FirstWindow) -> None:
        first_paint.watch(window)
        shown(window)

    app.main_start.FirstWindow.show = show  # type: ignore[method-assign]


if __name__ == "__main__":
    if os.environ.get("TRANSCRIPT_INSPECTOR_FIRST_PAINT") and sys.argv[1:2] != ["--helper"]:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as app.__main__ does, before anything is imported
        gc.disable()  # as app.__main__ does
        measured()
    sys.exit(main())
