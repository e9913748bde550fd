"""Redaction: recall and precision over a table of our own (tests/redaction), and what it costs on text full of escapes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.pipeline.sensitive import USER, Finder
from app.pipeline.unescaped import unescaped
from tests.bench.measuring import cpu, line, note
from tests.redaction.measure import measure

ROUNDS = 3
SECONDS = 0.5  # of CPU for a megabyte


def main(argv: list[str]) -> int:
    made = measure()
    print(f"            {made.wanted.total()} things that must go, in 9 kinds; {made.lookalikes} texts that only look like it", flush=True)
    short = line("recall of redaction", made.recall, 1.0, least=True) | line("precision", made.precision, 1.0, least=True)
    source = Path(__file__).resolve().parent.parent.parent / "app" / "pipeline"
    code = "\n".join(path.read_text("utf-8") for path in sorted(source.glob("re*.py")))[:300_000]
    texts = {"code": code, "a string within a string": json.dumps(json.dumps({"text": code}))}
    for what, text in texts.items():
        taken = min(cpu(lambda text=text: Finder({"maria": USER}).hits(text)) for _ in range(ROUNDS)) / len(text) * 1e6  # type: ignore[misc]
        floor = min(cpu(lambda text=text: unescaped(text)) for _ in range(ROUNDS)) / len(text) * 1e6  # type: ignore[misc]
        short |= line(f"seconds a megabyte, {what}", taken, SECONDS)
        note("of which undoing the escapes", floor)
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
