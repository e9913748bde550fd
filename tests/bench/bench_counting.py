"""Exact counting of a dump, decoding included, against a bare loop of `encode_ordinary` over the same texts; and the estimate beside it.

At 6.7 KB a record decoding is a few percent of it. At 0.8 KB a record holds some 170 characters that are counted, and a bare pass of
orjson over the records is most of what their tokens cost: that ratio is noted and has no limit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.source import Source
from app.pipeline.count import estimate, exact
from app.pipeline.load import load
from app.pipeline.names import provider_named
from app.tokens import counter
from app.tokens.vocabulary import encoding
from tests.bench import make_dumps
from tests.bench.measuring import FOLDER, cpu, line, note, paired

LIMIT = 1.15
COUNTER = "o200k_base"
SIZES = {"6.7 KB a record": (5, 6700, True), "0.8 KB a record": (2, 800, False)}


def dump_of(megabytes: int, record: int) -> Dump:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"count-{megabytes}-{record}.jsonl"
    if not path.exists():
        unfinished = Path(f"{path}.part")
        make_dumps.cc(unfinished, megabytes, record, seed=5)
        unfinished.rename(path)
    return load(Source.open(path))


def texts_of(dump: Dump, rows: np.ndarray) -> list[str]:
    """All that is counted of these rows."""
    found: list[str] = []
    for block in FORMATS[dump.format].each_block(dump.table, dump.source, rows.tolist()):
        if block.kind == Kind.TOOL_CALL and block.name:
            found.append(block.name)
        found += block.texts
    return found


def bare(texts: list[str]) -> int:
    encode = encoding(COUNTER).encode_ordinary
    return sum(len(encode(text)) for text in texts)


def main(argv: list[str]) -> int:
    provider, short = provider_named("anthropic"), 0
    counter(COUNTER)  # loaded beforehand, for both
    for name, (megabytes, record, limited) in SIZES.items():
        dump = dump_of(megabytes, record)
        rows = np.unique(np.concatenate([t.order for t in dump.transcripts]))
        texts = texts_of(dump, rows)
        ratio = paired(lambda d=dump, r=rows: exact(d, r, provider, COUNTER), lambda t=texts: bare(t))
        if limited:
            short |= line(f"exact counting, {name}, CPU over encode_ordinary", ratio, LIMIT, " x")
        else:
            note(f"exact counting, {name}, CPU over encode_ordinary", ratio, " x")
        own, guess = exact(dump, rows, provider, COUNTER), estimate(dump.table, provider, COUNTER)
        calls = int((dump.table.kind[rows] == Kind.TOOL_CALL).sum()) * provider.overhead.call
        media = (dump.table.kind[rows] == Kind.MEDIA).any()
        assert media or int(own.sum()) - calls == bare(texts), "both must have counted the same"
        note(f"estimate, {name}, off by", 100 * (float(guess.own[rows].sum()) / float(own.sum()) - 1), " %")
        note(f"estimate, {name}, blocks", float(len(rows)))
        note(f"estimate, {name}", 1000 * cpu(lambda d=dump: estimate(d.table, provider, COUNTER)), " ms")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
