"""python -m tests.fuzz [COUNT] [--seed N] [--only TEXT]: damages dumps at random and says what broke, with the seed that does it again.

It takes the bundled incident, the examples of the rules and, where the folder of real dumps is there (TI_SHARED), all of that.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT, SHARED
from tests.fuzz.damage import damage
from tests.fuzz.trial import Broken, trial

LARGEST = 400_000  # bytes; of longer files that many from the start, to the end of a line
SHOWN = 12  # kinds of failure


def seeds() -> list[tuple[str, bytes]]:
    """Names and bytes of the dumps that are damaged."""
    folders = [ROOT / "app" / "incident", ROOT / "app" / "rules" / "examples", SHARED / "samples", SHARED / "recorded"]
    files = [path for folder in folders if folder.is_dir() for path in sorted(folder.rglob("*")) if path.is_file()]
    return [(_name(path), _head(path)) for path in files if path.suffix not in (".tsv", ".md", ".py")]


def _name(path: Path) -> str:
    for folder in (ROOT, SHARED):
        if path.is_relative_to(folder):
            return str(path.relative_to(folder))
    return str(path)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    return data if len(data) <= LARGEST else data[: data.rfind(b"\n", 0, LARGEST) + 1] or data[:LARGEST]


def one(name: str, data: bytes, seed: int) -> tuple[str, str]:
    """One damage, tried: what was done, and the failure ("" where all held)."""
    broken, kind = damage(data, random.Random(f"{name} {seed}"))
    try:
        trial(broken, name)
    except Broken as error:
        return kind, str(error)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return kind, f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
    return kind, ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--only", default="")
    words = parser.parse_args()
    files = [(name, data) for name, data in seeds() if words.only in name]
    if not files:
        print("no file to damage")
        return 2
    kinds: Counter[str] = Counter()
    failures: dict[str, tuple[int, str]] = {}
    start = time.monotonic()
    print(f"seed {words.seed}, {len(files)} files", flush=True)
    for number in range(words.count):
        name, data = files[number % len(files)]
        kind, failure = one(name, data, words.seed + number)
        kinds[kind] += 1
        if failure:
            many, first = failures.get(failure, (0, f"--only {name} --seed {words.seed + number} 1"))
            failures[failure] = many + 1, first
            if not many:
                print(f"FAILED {failure}\n       again: python -m tests.fuzz {first}", flush=True)
    done = ", ".join(f"{many:,} {kind}" for kind, many in sorted(kinds.items()))
    broken = sum(many for many, _ in failures.values())
    print(f"{words.count:,} damaged dumps ({done}) in {time.monotonic() - start:.0f} s: {broken:,} broken, {len(failures)} kinds")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
