"""What is lost: precision and recall on the hand-made transcripts of tests/losing_cases.py, and what reading a transcript costs.

Reading is CPU over a bare pass of one regular expression (a word with a digit in it) over the same texts.
"""

from __future__ import annotations

import re
import sys

from tests.bench.bench_counting import dump_of, texts_of
from tests.bench.measuring import line, note, paired
from tests.losing import index_of, scores
from tests.losing_cases import CASES

PRECISION, RECALL = 0.95, 0.9
READING = 3.0
_BARE = re.compile(r"\w*\d\w*")


def main(argv: list[str]) -> int:
    precision, recall, off = scores(CASES)
    short = line(f"what is lost, precision on {len(CASES)} transcripts", precision, PRECISION, least=True)
    short |= line(f"what is lost, recall on {len(CASES)} transcripts", recall, RECALL, least=True)
    for one in off:
        print(f"            {one}")
    from app.pipeline.view import make_view

    dump = dump_of(5, 6700)
    view = make_view(dump.transcripts[dump.opened], source=dump.source)
    texts = texts_of(dump, view.rows)
    ratio = paired(lambda: index_of(dump, view), lambda: [set(_BARE.findall(text)) for text in texts], 3)
    short |= line("reading who says what, CPU over a bare pass", ratio, READING, " x")
    note("reading who says what", sum(map(len, texts)) / 1e6, " million characters")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
