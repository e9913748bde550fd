"""Pins by name, what protects itself, and pins beside a dump."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.pins import PROTECTION_NAMES, Pins
from app.model.source import Source
from app.model.view import View
from app.pipeline import counted
from app.pipeline.blocks import Blocks
from app.pipeline.load import load as load_dump
from app.pipeline.names import provider_named
from app.pipeline.pin_file import load, path_of, save
from app.pipeline.pins import UnknownPinError, lay, read, results_of
from app.pipeline.plan import make
from app.pipeline.protect import protections, words_of


def use(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number:02d}", "name": name, "input": arguments}


def result(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number:02d}", "content": text, **more}


LONG = "row of a ledger, paid\n" * 8
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "Mend the ledger. You must not touch invoices.py."},
    {"role": "assistant", "content": [use(1, "Read", file_path="ledger.py")]},
    {"role": "user", "content": [result(1, LONG)]},
    {"role": "assistant", "content": [use(2, "Read", file_path="ledger.py"), use(3, "Read", file_path="other.py")]},
    {"role": "user", "content": [result(2, LONG + "2"), result(3, LONG + "3")]},
    {"role": "assistant", "content": [use(4, "Edit", file_path="ledger.py", old_string="a", new_string="b")]},
    {"role": "user", "content": [result(4, "ok")]},
    {"role": "assistant", "content": "done"},
    {"role": "user", "content": "and now the totals"},
    {"role": "assistant", "content": [use(5, "ExitPlanMode", plan="first the sums"), use(6, "Bash", command="sum")]},
    {"role": "user", "content": [result(5, LONG + "5"), result(6, "Traceback (most recent call last):\n" + LONG)]},
    {"role": "assistant", "content": [use(7, "Bash", command="sum -v")]},
    {"role": "user", "content": [result(7, LONG + "7", is_error=True)]},
    {"role": "assistant", "content": "the totals are there"},
    {"role": "user", "content": "thanks"},
    {"role": "assistant", "content": [use(8, "Bash", command="ls")]},
    {"role": "user", "content": [result(8, LONG + "8")]},
    {"role": "assistant", "content": "bye"},
]
BODY = {"model": "claude-sonnet-4-5", "system": "Keep the books.", "messages": MESSAGES}


def opened(data: bytes | Path = b"") -> tuple[Dump, View, Blocks]:
    source = Source.open(str(data)) if isinstance(data, Path) else Source.of(data or json.dumps(BODY).encode(), "dump.json")
    dump = load_dump(source)
    view, _ = counted(dump, dump.transcripts[0], provider_named("anthropic"), "chars/4")
    return dump, view, Blocks(dump, dump.transcripts[0])


def places(view: View, look: Blocks, mask: Any) -> list[str]:
    return [(look(int(row)).pointer or "").removeprefix("/messages/").replace("/content", "") for row in view.rows[np.flatnonzero(mask)]]


@pytest.mark.parametrize(
    ("word", "held"),
    [
        ("/messages/2/content/0", ["1/0", "2/0"]), ("/messages/4", ["3/0", "3/1", "4/0", "4/1"]),
        ("/messages/1/content/0/input/file_path", ["1/0", "2/0"]), ("r2", ["3/0", "3/1", "4/0", "4/1"]),
        ("E3", ["14", "15/0", "16/0", "17"]), ("e3", ["14", "15/0", "16/0", "17"]), ("first-prompt", ["0"]),
        ("tool:Edit", ["5/0", "6/0"]), ("tool:Read", ["1/0", "2/0", "3/0", "3/1", "4/0", "4/1"]),
    ],
)  # fmt: skip
def test_a_pin_by_name_holds_rows_and_their_partners(word: str, held: list[str]) -> None:
    _, view, look = opened()
    lay(view, read(view, [word], look), look)
    assert places(view, look, view.pins) == held


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("E9", "there is no such exchange; they go up to E3 and r9"), ("r10", "there is no such step; they go up to E3 and r9"),
        ("tool:Grep", "no result of such a tool; tools that are called: Read, Edit, ExitPlanMode, Bash"),
        ("/messages/99", "nothing stands there in this transcript"), ("x", "write a JSON pointer like /2/content/0, E31, r203"),
    ],
)  # fmt: skip
def test_a_pin_that_is_not_there_is_one_line(word: str, said: str) -> None:
    _, view, look = opened()
    with pytest.raises(UnknownPinError) as error:
        read(view, [word], look)
    assert said in str(error.value)
    assert str(error.value).startswith(f"--pin {word}: ")


def test_each_protection_finds_its_rows() -> None:
    _, view, look = opened()
    found = {name: places(view, look, mask) for name, mask in protections(view, look).items()}
    assert found == {
        "system": ["/system"], "first-prompt": ["0"], "last-prompt": ["14"], "last-result": ["16/0"], "memory-tools": ["9/0", "10/0"],
        "errors": ["10/1", "12/0"], "small": ["6/0"], "edited-files": ["3/0", "4/0"], "constraints": ["0"],
    }  # fmt: skip
    assert list(found) == list(PROTECTION_NAMES)


def test_names_of_tools_are_taken_word_by_word() -> None:
    assert words_of("ExitPlanMode") == words_of("exit_plan_mode") == ["exit", "plan", "mode"]
    assert "ask" not in words_of("Task")
    assert words_of("AskUserQuestion")[0] == "ask"
    assert words_of("HTTPRead2") == ["http", "read", "2"]


def test_small_is_counted_in_bytes() -> None:
    texts = ["é" * 23, "é" * 24, "x" * 46, "x" * 47, ""]
    calls = [use(n, "look") for n in range(len(texts))]
    body = {"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": calls},
                         {"role": "user", "content": [result(n, text) for n, text in enumerate(texts)]}]}  # fmt: skip
    _, view, look = opened(json.dumps(body).encode())
    assert places(view, look, protections(view, look, ["small"])["small"]) == ["2/0", "2/2", "2/4"]


@pytest.mark.parametrize("strategy", ["evict-exchanges", "evict-steps", "stub-tool-results:keep_last=0", "summarize-prefix"])
def test_strategies_leave_a_pinned_step_alone(strategy: str) -> None:
    dump, view, look = opened()
    lay(view, read(view, ["r2"], look), look)
    _, plan = make(dump, view, strategy, None, provider_named("anthropic"), "chars/4")
    changed = places(view, look, plan.dropped | plan.replaced)
    assert not set(changed) & {"3/0", "3/1", "4/0", "4/1"}
    assert changed
    if strategy == "evict-exchanges":
        assert "8" in changed  # the exchange without a pin goes
        assert "0" not in changed  # the one with a pin stays whole


def test_a_preset_leaves_the_step_and_the_prompt_around_a_pin() -> None:
    dump, view, look = opened()
    free = make(dump, view, "sk-truncate:target_count=3", None, provider_named("anthropic"), "chars/4")[1]
    lay(view, read(view, ["/messages/4/content/1"], look), look)
    spared = make(dump, view, "sk-truncate:target_count=3", None, provider_named("anthropic"), "chars/4")[1]
    back = places(view, look, free.dropped & ~spared.dropped)
    assert back == ["0", "3/0", "3/1", "4/0", "4/1"]


def test_results_bear_the_name_of_their_call() -> None:
    _, view, look = opened()
    assert places(view, look, results_of(view, frozenset(["Bash"]))) == ["10/1", "12/0", "16/0"]


# -- beside the dump ------------------------------------------------------------------------------------------------------------------


def kept(tmp_path: Path) -> tuple[Path, Pins]:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(BODY, indent=1))
    dump, view, look = opened(path)
    pins = read(view, ["E2", "r2", "/messages/6/content/0", "tool:Bash", "first-prompt"], look, ["errors"])
    assert save(dump, {0: pins}, lambda transcript: look) == path_of(path) == tmp_path / "dump.json.inspector.json"
    return path, pins


def test_pins_beside_a_dump_come_back_as_they_were(tmp_path: Path) -> None:
    path, pins = kept(tmp_path)
    dump, _, look = opened(path)
    aside = load(path_of(path), dump, lambda transcript: look)
    assert dict(aside.pins) == {"main": pins}
    assert (aside.missing, aside.count) == (0, 6)
    told = json.loads(path_of(path).read_text())
    assert (told["program"], told["kind"], told["version"]) == ("transcript-inspector", "pins", 1)
    assert told["transcripts"]["main"]["blocks"] == [{"at": "/messages/6/content/0", "holds": "tool result", "size": 2}]


def test_what_is_not_there_any_more_is_left_out_and_counted(tmp_path: Path) -> None:
    path, _ = kept(tmp_path)
    body = json.loads(path.read_text())
    body["messages"][6]["content"][0]["content"] = "not ok at all"
    path.write_text(json.dumps(body))
    dump, _, look = opened(path)
    aside = load(path_of(path), dump, lambda transcript: look)
    assert aside.missing == 1
    assert aside.pins["main"].blocks == frozenset()
    assert len(aside.pins["main"].exchanges) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "it is no JSON"), (b'{"a": 1}', "it was not written by Transcript Inspector"), (b"[]", "it was not written by"),
        (b'{"program": "transcript-inspector", "kind": "pins", "version": 9}', "its version is 9, and 1 is known here"),
        (b'{"program": "transcript-inspector", "kind": "pins", "version": 1, "transcripts": []}', "it names no transcripts"),
        (b'{"program": "transcript-inspector", "kind": "pins", "version": 1, "transcripts": {"main": {"tools": [1]}}}', "no list of texts"),
    ],
)
def test_a_broken_or_foreign_file_is_one_line_and_stays(tmp_path: Path, data: bytes, said: str) -> None:
    path, pins = kept(tmp_path)
    path_of(path).write_bytes(data)
    dump, _, look = opened(path)
    with pytest.raises(InspectorError) as error:
        load(path_of(path), dump, lambda transcript: look)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    if b"transcripts" not in data or b"[]" in data:
        with pytest.raises(InspectorError):
            save(dump, {0: pins}, lambda transcript: look)
        assert path_of(path).read_bytes() == data


def test_pasted_bytes_have_no_place_beside_them() -> None:
    dump, view, look = opened()
    with pytest.raises(InspectorError) as error:
        save(dump, {0: read(view, ["E1"], look)}, lambda transcript: look)
    assert "there is no place beside it" in str(error.value)
