"""Where the frozen program starts; `--helper` makes the same file the helper process (app/worker.py)."""

import gc
import os
import sys

from app.__main__ import main


def measured() -> None:
    """The window is built by app.main alone; whoever measures is told of its first paint."""
    import first_paint

    import app.main

    built = app.main._application

    def application() -> object:
        made = built()
        first_paint.watch()
        return made

    app.main._application = application


if __name__ == "__main__":
    if os.environ.get("TRANSCRIPT_INSPECTOR_FIRST_PAINT") and sys.argv[1:2] != ["--helper"]:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as app.__main__ does, before anything is imported
        gc.disable()  # as app.__main__ does
        measured()
    sys.exit(main())
