"""A short run of the fuzzer, and that it sees what it is to see."""

from __future__ import annotations

import random

import pytest

from app.formats import FORMATS
from tests.fuzz import trial as trials
from tests.fuzz.__main__ import one, seeds
from tests.fuzz.damage import damage

COUNT = 150


def test_random_damage_breaks_nothing() -> None:
    """`make fuzz` runs it at length."""
    files = seeds()
    base = random.Random(20260301).randrange(1 << 30)
    failed = []
    for number in range(COUNT):
        name, data = files[number * 7919 % len(files)]
        _, failure = one(name, data[:60_000] if data.count(b"\n") > 1 else data, base + number)
        if failure:
            failed.append(f"{name}, seed {base + number}: {failure}")
    assert failed == []


def test_the_same_seed_does_the_same() -> None:
    name, data = seeds()[0]
    assert {damage(data, random.Random(f"{name} {5}"))[0] for _ in range(2)} == {damage(data, random.Random(f"{name} {5}"))[0]}
    assert len({damage(data, random.Random(n))[0] for n in range(40)}) > 30


def test_what_is_lost_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    format = FORMATS["anthropic-messages"]

    class Forgetful:
        def chunks(self) -> list[bytes]:
            return [b"{}"]

    monkeypatch.setattr(format, "write_plan", lambda dump, transcripts: Forgetful())
    with pytest.raises(trials.Broken, match="not written back as it came"):
        trials.trial(b'{"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}', "a.json")


def test_what_is_no_dump_is_refused_in_one_line() -> None:
    assert trials.trial(b"\x00\x01\x02", "a.json") == ""
