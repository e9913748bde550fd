"""What a plan loses: on transcripts whose truth is known, by law on random ones, and as the command line says it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import cli
from app.model.lost import sentence
from app.model.pins import Pins
from app.model.transcript import Transcript
from app.pipeline import look
from app.pipeline.apply import apply
from app.pipeline.catalogue import catalogue
from app.pipeline.lost import lost
from app.pipeline.pins import lay
from app.pipeline.plan import make
from tests.bench.bench_lost import PRECISION, RECALL
from tests.conftest import SHARED
from tests.losing import Case, body, found_in, index_of, opened, scores, told
from tests.losing_cases import CASES, LONG
from tests.strategies.laws import Opened, read
from tests.strategies.laws import opened as opened_request
from tests.strategies.random_requests import request, session


def test_precision_and_recall_on_known_truth() -> None:
    precision, recall, off = scores(CASES)
    assert precision >= PRECISION, off
    assert recall >= RECALL, off


def case(name: str) -> Case:
    return next(one for one in CASES if one.name == name)


def test_what_is_said_of_an_item() -> None:
    found = found_in(case("account number"))
    rule, number = found.items
    assert (rule.kind, rule.words, rule.by, rule.used) == ("constraint", "Never send me letters.", "person", ())
    assert rule.why == "“never”: the person sets a rule here, and nothing that stays repeats it"
    assert (number.kind, number.words, number.by, number.uses) == ("identifier", "ACC-20417", "person", 1)
    assert number.why == "the person states it in what goes; a call that stays uses it"
    _, view, _ = opened(body(case("account number").script))
    assert view.at(number.stated) == 0
    assert view.at(number.used[0]) == 5
    assert sentence(found) == "1 constraint, 1 identifier"


def test_a_file_is_lost_with_the_result_that_brought_it() -> None:
    found = found_in(case("a file that is edited later"))
    [item] = found.items
    assert item.why == "a call worked on it in what goes; a call that stays uses it"
    script = case("a file that is edited later").script
    stubbed = found_in(Case("", script, (), stubbed=(1,)))
    assert told(stubbed) == {"path src/billing/ledger.py"}
    _, view, _ = opened(body(script))
    assert view.at(stubbed.items[0].stated) == 3 - 1, "the result that goes, and not the call that stays"


def test_what_was_superseded_costs_nothing_and_is_said() -> None:
    found = found_in(case("restated by a later search"))
    assert (found.total, found.superseded_count) == (0, 1)
    assert found.superseded[0].same
    changed = case("restated by a later search").script.replace("r: in_9921 in_9930\na: in", "r: in_9921\na: in")
    [one] = found_in(Case("", changed, (), goes=(1,))).superseded
    assert not one.same


def test_calls_that_ask_how_things_stand_are_not_calls_to_repeat() -> None:
    script = case("a call that is made again and again").script
    assert found_in(Case("", script.replace("1.0842", "1.0911", 1), (), goes=(1, 2))).counts == {}


def test_nothing_goes_nothing_is_lost() -> None:
    assert all(found_in(Case("", one.script, ())).total == 0 for one in CASES[:6])


# -- laws ---------------------------------------------------------------------------------------------------------------------

IDS = ["in_9921", "ACC-20417", "src/billing/ledger.py", "48213", "d41d8cd98f00b204", "W2378156"]
RULES = ["Never cc sales.", "You must ask first.", "Answer only in German, always answer so.", "do not touch the tests"]


def random_script(seed: int, exchanges: int) -> str:
    r = random.Random(seed)
    lines = []
    for _ in range(exchanges):
        words = [r.choice(["please look at", "and", "what of"]), *r.sample(IDS, r.choice([0, 0, 1, 2]))]
        lines.append(f"u: {' '.join(words)}. {r.choice(['', '', *RULES])}")
        for _ in range(r.randint(0, 3)):
            lines.append(f"c: {r.choice(['look', 'post'])} {json.dumps({'q': r.choice([*IDS, 'nothing'])})}")
            lines.append(f"r: {' '.join(r.choices([*IDS, LONG, 'ok', 'found'], k=r.randint(1, 3)))}")
        lines.append(f"a: done {' '.join(r.sample(IDS, r.choice([0, 0, 1])))}")
    return "\n".join(lines)


def planned(one: Opened, spec: str, budget: int) -> Transcript:
    arranged, plan = make(one.dump, one.view, spec, budget, one.provider, one.counter)
    return apply(one.view.transcript, [arranged.change(plan)], one.provider).transcript


@pytest.mark.parametrize("spec", ["evict-exchanges", "evict-steps", "stub-tool-results"])
@given(seed=st.integers(0, 10_000), exchanges=st.integers(2, 8), share=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@settings(max_examples=25, deadline=None)
def test_a_larger_budget_loses_less(spec: str, seed: int, exchanges: int, share: tuple[float, float]) -> None:
    """A ranked strategy at a larger budget takes a subset of the actions. So whatever it loses there, it loses at the smaller one too,
    unless what used it goes as well, or stays after something that states it anew; and of constraints all, whatever else."""
    one = read(body(random_script(seed, exchanges)), "anthropic")
    index = index_of(one.dump, one.view)
    total = int(one.view.tokens.sum())
    small, large = sorted(int(total * part) for part in share)
    tight, loose = planned(one, spec, small), planned(one, spec, large)
    assert set(tight.order.tolist()) <= set(loose.order.tolist())
    found = [lost(index, one.view, after, lambda t, row: look.block(one.dump, t, row)) for after in (tight, loose)]
    less, more = found[1], found[0]
    rules = [{item.words for item in each.items if item.kind == "constraint"} for each in (less, more)]
    assert rules[0] <= rules[1]
    kept = set(tight.order.tolist())
    still = told(more)
    for item in less.items:
        if item.kind in ("constraint", "call") or f"{item.kind} {item.words}" in still:
            continue
        assert item.used[0] not in kept or tight.touched() - loose.touched(), (item, sentence(more))
    for each, after in zip(found, (tight, loose), strict=True):
        stays = set(after.order.tolist()) - after.touched()
        for item in each.items:
            assert item.stated not in stays or item.kind == "path"
            assert set(item.used) <= set(after.order.tolist()) or item.kind == "call"
            assert item.why
        assert each.counts == {kind: n for kind in each.counts if (n := sum(item.kind == kind for item in each.items))}
        assert each.left_out == 0


@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_preset_does(seed: int) -> None:
    """Each strategy and preset on a session with compactions, and on one with damages: an answer, and places that are there."""
    for one in (read(session(seed, 5), "claude-code"), opened_request(request(seed, "openai-chat", 5, 2), "openai-chat")):
        index = index_of(one.dump, one.view)
        for name in catalogue():
            after = planned(one, name, int(one.view.tokens.sum()) // 3)
            found = lost(index, one.view, after, lambda t, row, o=one: look.block(o.dump, t, row), name)
            rows = set(one.view.rows.tolist())
            assert {item.stated for item in found.items} <= rows
            assert {row for item in found.items for row in item.used} <= rows
            assert found.total == len(found.items)


@given(seed=st.integers(0, 10_000), share=st.floats(0, 1))
@settings(max_examples=10, deadline=None)
def test_what_protects_demands_keeps_them_from_being_lost(seed: int, share: float) -> None:
    one = read(body(random_script(seed, 6)), "anthropic")
    lay(one.view, Pins(protected=frozenset({"constraints"})), lambda row: look.block(one.dump, one.view.transcript, row))
    after = planned(one, "evict-exchanges", int(int(one.view.tokens.sum()) * share))
    found = lost(index_of(one.dump, one.view), one.view, after, lambda t, row: look.block(one.dump, t, row))
    assert "constraint" not in found.counts


def test_one_answer_for_one_transcript() -> None:
    one = read(body(random_script(7, 8)), "anthropic")
    after = planned(one, "evict-exchanges", 40)
    answers = [
        lost(index_of(one.dump, one.view), one.view, after, lambda t, row: look.block(one.dump, t, row)) for _ in range(2)
    ]
    assert answers[0] == answers[1]


def test_what_was_not_sent_before_is_not_lost() -> None:
    _, view, index = opened(body(case("account number").script))
    assert set(index.position.tolist()) <= set(range(len(view)))
    assert (np.diff(index.fact) >= 0).all()


# -- the command line ---------------------------------------------------------------------------------------------------------


def test_plan_lost(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(body(case("found by a search").script))
    words = ["plan", str(path), "--budget", "60", "--strategy", "evict-exchanges", "--counter", "chars/4"]
    assert cli.main([*words, "--json"]) == 0
    assert "lost" not in json.loads(capfdbinary.readouterr()[0])
    assert cli.main([*words, "--lost", "--json"]) == 0
    told = json.loads(capfdbinary.readouterr()[0])["lost"]
    assert told["counts"] == {"constraint": 1, "identifier": 2, "number": 2}
    assert (told["total"], told["left_out"], told["superseded"]) == (5, 0, {"results": 0, "tokens": 0})
    first = told["items"][0]
    assert first["stated_at"] == "/messages/4/content/0"
    assert first["kind"] == "constraint"
    assert told["items"][1]["used_at"] == ["/messages/7/content/0"]
    assert cli.main([*words, "--lost"]) == 0
    out = capfdbinary.readouterr()[0].decode()
    assert "evict-exchanges loses 1 constraint, 2 identifiers, 2 numbers" in out
    assert "identifier r1: in_9921 (a result states it in what goes; a call that stays uses it" in out


def test_real_sessions_lose_what_was_looked_up(shared: Path) -> None:
    """What was found by reading these sessions by hand."""
    wanted = {
        "pi/badlogic__pi-mono__large-session.jsonl": ("evict-exchanges", "packages/coding-agent/src/theme/theme.ts"),
        "mini_swe_agent/SWE-agent__mini-swe-agent__sqlfluff__sqlfluff-1733.traj.json": ("stub-tool-results", "src/sqlfluff/rules/L003.py"),
        "openai_chat/nilenso__context-viewer__ask_github_gc.json": ("stub-tool-results", "app/models/person.ts"),
    }
    from app.model.source import Source
    from app.pipeline import counted
    from app.pipeline.load import load
    from app.pipeline.names import judge_of, provider_named

    for name, (spec, word) in wanted.items():
        dump = load(Source.open(str(SHARED / "samples" / name)))
        provider = provider_named(judge_of(dump.table))
        view, _ = counted(dump, dump.transcripts[dump.opened], provider, "chars/4")
        after = planned(Opened(dump, view, provider, "chars/4", ""), spec, int(view.tokens[view.start :].sum()) // 2)
        found = lost(index_of(dump, view), view, after, lambda t, row, d=dump: look.block(d, t, row))
        assert word in {item.words for item in found.items}, sentence(found)
        assert found.total < 80, "people are not drowned"
