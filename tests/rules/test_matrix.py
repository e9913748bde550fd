"""Every row of the evidence is a rule of its provider, or stands among those that are none, with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.model.provider import Provider
from app.providers import PROVIDERS
from app.rules import RULES
from app.rules._matrix import MATCHED_ONLY, NO_RULE, SERVED, reason

UNFINISHED: frozenset[str] = frozenset()
"""Providers whose rules are still being written: a row that is missing there is expected."""


def provider_of(name: str) -> Provider:
    served = SERVED[name]
    return PROVIDERS[served.provider].reads(served.wire)


def rows(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "rules" / "rules.json").read_text())
    return found


def test_every_provider_of_the_evidence_has_its_place(shared: Path) -> None:
    names = {row["provider"] for row in rows(shared)}
    assert names == SERVED.keys() | MATCHED_ONLY.keys()
    assert not SERVED.keys() & MATCHED_ONLY.keys()
    assert {served.provider for served in SERVED.values()} == set(PROVIDERS)


@pytest.mark.parametrize("name", sorted(SERVED))
def test_no_row_is_forgotten(shared: Path, name: str) -> None:
    wanted = {row["id"] for row in rows(shared) if row["provider"] == name and row["severity"] != "ok"}
    assert wanted
    forgotten = {rule for rule in wanted if rule not in provider_of(name).judges and reason(name, rule) is None}
    if forgotten and name in UNFINISHED:
        pytest.xfail(f"still to come: {sorted(forgotten)}")
    assert not forgotten


def test_what_is_no_rule_is_a_row_and_has_a_reason(shared: Path) -> None:
    known = {(row["provider"], row["id"]) for row in rows(shared)}
    for name, why in NO_RULE.items():
        for rule, words in why.items():
            assert (name, rule) in known
            assert len(words) > 10
            assert rule not in provider_of(name).judges


@pytest.mark.parametrize("name", sorted(SERVED))
def test_what_is_recorded_as_taken_is_no_error(shared: Path, name: str) -> None:
    provider = provider_of(name)
    told = {row["id"] for row in rows(shared) if row["provider"] == name and row["severity"] != "ok"}
    for row in rows(shared):
        if row["provider"] == name and row["severity"] == "ok" and row["id"] in provider.judges and row["id"] not in told:
            assert provider.severities.get(row["id"], RULES[row["id"]].severity) != "error", row["id"]
