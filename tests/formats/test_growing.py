"""Requests that extend one another are read by what they add, and come out as if each had been read by itself."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.formats import _growing, _met
from app.formats._json import NotJson, loads_odd
from app.formats._which import Look, wire_of
from app.model.dump import Dump
from app.model.source import Source
from app.pipeline.load import load
from tests.bench.make_requests import cumulative


def _message(rng: random.Random, number: int) -> dict[str, Any]:
    text = "".join(rng.choice('ab]}{[,"\\ é') for _ in range(rng.randrange(120)))
    made: list[dict[str, Any]] = [
        {"role": "user", "content": f"{number} {text}"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": text}, {"type": "tool_use", "id": f"t{number}", "name": "f", "input": {"a": [1, {}]}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": text}]},
        {"role": "assistant", "content": text or "x"},
    ]
    return rng.choice(made)


def _log(rng: random.Random, style: dict[str, Any]) -> bytes:
    """Requests that extend, shorten, rewrite, mark and repeat one another, and damaged lines between them."""
    sent: list[dict[str, Any]] = []
    lines = []
    for number in range(60):
        act = rng.random()
        if act < 0.1 and sent:
            sent = sent[: rng.randrange(len(sent))]
        elif act < 0.15 and sent:
            sent[rng.randrange(len(sent))] = _message(rng, number)
        sent = sent + [_message(rng, number) for _ in range(rng.randrange(1, 4))]
        listed = [*sent[:-1], {**sent[-1], "cache_control": {"type": "ephemeral"}}] if act > 0.8 else sent
        body: dict[str, Any] = {"model": "claude-x", "max_tokens": 9, "messages": listed}
        if act > 0.9:
            body = {"custom_id": f"c{number}", "params": body}
        lines.append(json.dumps(body, **style).encode())
        if rng.random() < 0.08:
            lines.append(lines[-1][: rng.randrange(len(lines[-1]))])
    return b"\n".join(lines)


def _told(dump: Dump) -> list[Any]:
    table = dump.table
    columns = [
        getattr(table, name).tolist() for name in ("record", "part", "message", "kind", "type", "role", "name", "size", "flags", "key")
    ]
    records = [getattr(table.records, name).tolist() for name in ("offset", "length", "place", "kind", "shown", "model", "owner")]
    talks = [(t.id, t.title, t.order.tolist(), t.forks_from, t.shared_records, t.refusals) for t in dump.transcripts]
    return [columns, records, talks, table.pointers, dump.requests, dump.opened]


@pytest.mark.parametrize("seed", range(6))
def test_a_log_is_read_as_if_each_request_stood_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    styles: list[dict[str, Any]] = [{}, {"separators": (",", ":")}, {"ensure_ascii": False}]
    data = _log(rng, styles[seed % 3])
    monkeypatch.setattr(_met, "WORTH", 64)
    found = load(Source.of(data), "request-lines")
    assert len(found.requests) > 50
    monkeypatch.setattr(_growing, "LEAST", 1 << 30)  # nothing is remembered
    assert _told(found) == _told(load(Source.of(data), "request-lines"))


def test_what_a_record_says_is_what_its_line_says() -> None:
    data = _log(random.Random(5), {})
    dump = load(Source.of(data), "request-lines")
    for record in np.flatnonzero(dump.table.records.kind == 0).tolist():
        offset, length = int(dump.table.records.offset[record]), int(dump.table.records.length[record])
        line, _, rest = dump.table.pointer(record)[1:].partition("/")
        value: Any = json.loads(data.splitlines()[int(line)])
        for key in rest.split("/"):
            value = value[int(key) if key.isdigit() else key]
        assert json.loads(data[offset : offset + length]) == value


def test_lines_are_decoded_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the bytes of an earlier list stand in a text, in another member, twice, or in what is no JSON."""
    monkeypatch.setattr(_met, "WORTH", 16)
    _met.forget()
    first = json.dumps({"messages": [{"role": "user", "content": f"{n}"} for n in range(8)]}, separators=(",", ":")).encode()
    load(Source.of(first + b"\n" + first), "request-lines")
    met = _met.Met(first[len(b'{"messages":') : -2])
    at = 1
    for number in range(8):
        value = {"role": "user", "content": f"{number}"}
        length = len(json.dumps(value, separators=(",", ":")))
        met.add(value, at, at + length)
        at += length + 1
    _met.remember(met, None)
    known = met.data
    for text in (
        b'{"a":' + known + b"]}", b'{"messages":' + known + b',{"x":1}],"b":2}', b'{"a":' + known + b'],"a":' + known + b",7]}",
        b'{"a":"' + known + b'"}', b'{"a":' + known + b"}", b'{"a":' + known + b"]", known + b"]", b'{"a":[' + known + b"]]}",
        b'{"a":' + json.dumps(known.decode()).encode() + b"}", b'{"a":' + known + b',]}', b'{"a":' + known + b'x]}',
    ):  # fmt: skip
        try:
            wanted = loads_odd(text)
        except NotJson:
            with pytest.raises(NotJson):
                _met.decoded(text)
        else:
            assert _met.decoded(text) == wanted
    _met.forget()


def test_a_look_that_goes_on_tells_what_a_whole_one_tells() -> None:
    rng = random.Random(3)
    for _ in range(40):
        messages = [_message(rng, n) for n in range(12)]
        look = Look()
        for message in messages[:6]:
            look.add(message)
        copied = look.copy()
        for message in messages[6:]:
            copied.add(message)
        assert copied.wire(None, False) == wire_of(messages)
        assert look.wire("anthropic", True) == wire_of(messages[:6], "anthropic", True)


def test_a_log_as_long_as_the_square_costs_no_square(tmp_path: Path) -> None:
    """Of 150 requests with 22,000 messages in all, each message is decoded, placed and keyed once."""
    path = cumulative(tmp_path / "log.jsonl", 150, "chat")
    dump = load(Source.open(path))
    assert [len(dump.table), len(dump.transcripts), len(dump.requests)] == [299, 1, 150]
    assert all(request.kept == request.messages - request.added and not request.changed for request in dump.requests[1:])
