"""Runs every benchmark beside this file and prints its lines: ratios measured in one run against a floor or a peer.

    python -m tests.bench [NAME ...]

Exit status 1 where one falls short.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import tests.bench as here


def main(argv: list[str]) -> int:
    names = sorted(m.name for m in pkgutil.iter_modules(here.__path__) if m.name.startswith("bench_"))
    wanted = [n for n in names if not argv or n.removeprefix("bench_") in argv or n in argv]
    if not wanted:
        print(f"no such benchmark; there are {', '.join(n.removeprefix('bench_') for n in names)}", file=sys.stderr)
        return 2
    worst = 0
    for name in wanted:
        print(f"-- {name.removeprefix('bench_')}", flush=True)
        worst |= int(importlib.import_module(f"tests.bench.{name}").main([]) or 0)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
