"""Where the cache was lost, by recorded usage, and why."""

import json

import numpy as np
import pytest

from app.model.cache_loss import UNKNOWN, cache_losses
from app.model.source import Source
from app.model.tokens import Recorded
from app.pipeline.load import load
from app.pipeline.view import make_view
from tests.pipeline.test_replay import steps


def losses(read, sent, gap=0.0, models=None):
    dump = load(Source.of(json.dumps(steps(len(read))).encode(), "steps.json"))
    view = make_view(dump.transcripts[0])
    records, table = dump.table.records, dump.table
    records.time[:] = np.arange(len(records)) * gap
    if models is not None:
        table.models[:] = ["a", "b"]
        records.model[:] = 0
        records.model[table.record[view.rows[view.groups.step_first[models]]]] = 1
    columns = [np.asarray(column, np.int64) for column in (sent, read, [0] * len(read), [0] * len(read))]
    return cache_losses(view, Recorded(*columns))


def test_less_read_although_no_less_was_sent_is_a_loss():
    (one,) = losses([0, 10_000, 2_000, 12_000], [10_000, 12_000, 13_000, 14_000])
    assert (one.step, one.before, one.read_before, one.read, one.cause) == (2, 1, 10_000, 2_000, UNKNOWN)
    assert one.words.startswith("the cache was lost: 2,000 tokens read from it, 10,000 at the request before; ")


@pytest.mark.parametrize(
    ("read", "sent"),
    [
        ([0, 10_000, 8_500], [10_000, 12_000, 13_000]),  # less than 2,000
        ([0, 100_000, 96_000], [100_000, 101_000, 102_000]),  # less than a twentieth
        ([0, 10_000, 2_000], [10_000, 12_000, 3_000]),  # less was sent as well
        ([0, 10_000, -1], [10_000, 12_000, -1]),
    ],
)
def test_what_is_no_loss(read, sent):
    assert losses(read, sent) == []


def test_the_cause_is_what_stands_between():
    assert losses([0, 9_000, 0], [9_000, 9_500, 9_900], gap=240.0)[0].cause == (
        "8 minutes since the request before: longer than a cache of 5 minutes is kept"
    )
    assert "2 hours since" in losses([0, 9_000, 0], [9_000, 9_500, 9_900], gap=3_700.0)[0].cause
    assert losses([0, 9_000, 0], [9_000, 9_500, 9_900], models=2)[0].cause == "another model: a, then b"
