"""Where the frozen program starts; `--helper` makes the same file the helper process (app/worker.py)."""

import sys

from app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
