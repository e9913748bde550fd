"""Transcripts of our own whose lost facts are known: what goes, and all that is lost by it, written down by hand.

One line a block: `u:` the person, `a:` the model, `c:` a call (name and JSON), `r:` the result of the call before it, `s:` system text.
Each `u:` begins an exchange. `goes`: exchanges, by number, that go whole; `stubbed`: those whose results go and nothing else; `capped`:
those whose results keep 200 characters; `summary`: text that stands for what goes. `lost`: kind and words of all that is lost, a
constraint by its first words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.model.dump import Dump
from app.model.edits import Before, Cap, Change, Drop, Edit, Insert, Made, Replace, Stub
from app.model.kinds import Kind, Role
from app.model.lost import Lost
from app.model.source import Source
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import look
from app.pipeline.apply import apply
from app.pipeline.fact_index import FactIndex, read
from app.pipeline.load import load
from app.pipeline.lost import lost
from app.pipeline.names import provider_named
from app.pipeline.view import make_view


@dataclass(frozen=True)
class Case:
    name: str
    script: str
    lost: tuple[str, ...]
    goes: tuple[int, ...] = ()
    stubbed: tuple[int, ...] = ()
    capped: tuple[int, ...] = ()
    summary: str = ""


def body(script: str) -> bytes:
    """The script as a request of Anthropic's wire."""
    system: list[str] = []
    messages: list[dict[str, Any]] = []
    calls = 0

    def add(role: str, block: dict[str, Any]) -> None:
        if messages and messages[-1]["role"] == role and (role == "assistant" or block["type"] == "tool_result"):
            messages[-1]["content"].append(block)
        else:
            messages.append({"role": role, "content": [block]})

    for line in script.strip().splitlines():
        mark, _, words = line.strip().partition(": ")
        words = words.replace("\\n", "\n")
        if mark == "s":
            system.append(words)
        elif mark == "c":
            name, _, args = words.partition(" ")
            calls += 1
            add("assistant", {"type": "tool_use", "id": f"toolu_{calls}", "name": name, "input": json.loads(args or "{}")})
        elif mark == "r":
            add("user", {"type": "tool_result", "tool_use_id": f"toolu_{calls}", "content": words})
        else:
            add("user" if mark == "u" else "assistant", {"type": "text", "text": words})
    made: dict[str, Any] = {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": messages}
    return json.dumps({**made, "system": "\n".join(system)} if system else made).encode()


def index_of(dump: Dump, view: View) -> FactIndex:
    reading = read(dump, view)
    while True:
        try:
            next(reading)
        except StopIteration as stop:
            return stop.value


def opened(data: bytes) -> tuple[Dump, View, FactIndex]:
    dump = load(Source.of(data, "made.json"))
    view = make_view(dump.transcripts[0], source=dump.source)
    return dump, view, index_of(dump, view)


def losses(dump: Dump, view: View, index: FactIndex, after: Transcript) -> Lost:
    return lost(index, view, after, lambda transcript, row: look.block(dump, transcript, row))


def change_of(case: Case, view: View) -> Change:
    def rows(exchanges: Iterable[int], results: bool) -> Any:
        wanted = np.isin(view.groups.exchange, [number - (0 if view.groups.zero else 1) for number in exchanges])
        return view.rows[wanted & (view.kind == Kind.TOOL_RESULT)] if results else view.rows[wanted]

    gone = rows(case.goes, False)
    edits: list[Edit] = [Drop(gone)] if len(gone) else []
    edits += [Replace(rows(case.stubbed, True), Stub("[removed]"))] if case.stubbed else []
    edits += [Replace(rows(case.capped, True), Cap(200))] if case.capped else []
    if case.summary:
        first = int(next(row for row in view.rows.tolist() if row not in set(gone.tolist()) and view.in_messages[view.at(row)]))
        edits += [Insert(Before(first), Made(Kind.TEXT, Role.USER, case.summary))]
    return Change("made by hand", "strategy:none", "loses", tuple(edits))


def found_in(case: Case) -> Lost:
    dump, view, index = opened(body(case.script))
    return losses(dump, view, index, apply(view.transcript, [change_of(case, view)], provider_named("anthropic")).transcript)


def told(found: Lost) -> set[str]:
    return {f"{item.kind} {item.words}" for item in found.items}


def _is(one: str, want: str) -> bool:
    return one == want or (want.startswith("constraint") and one.startswith(want))


def scores(cases: Iterable[Case]) -> tuple[float, float, list[str]]:
    """Precision and recall over all cases, and what was missed (`-`) or made up (`+`)."""
    right = said = true = 0
    off: list[str] = []
    for case in cases:
        found = told(found_in(case))
        hits = {want for want in case.lost if any(_is(one, want) for one in found)}
        good = {one for one in found if any(_is(one, want) for want in case.lost)}
        right, said, true = right + len(hits), said + len(found), true + len(case.lost)
        off += [f"{case.name} - {want}" for want in sorted(set(case.lost) - hits)]
        off += [f"{case.name} + {one}" for one in sorted(found - good)]
    return right / max(1, said), right / max(1, true), off
