"""Export as another wire format: a request that replays a transcript against another API, or against its own when the dump is a log.

Nothing of it is said to be the same: what has no counterpart is listed, and what was written is read again and judged for its provider.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from app.model.dump import Dump
from app.model.errors import InspectorError, RemainingError
from app.model.findings import Report
from app.model.source import Source
from app.model.state import Written
from app.model.transcript import Transcript
from app.pipeline import atomic
from app.pipeline.load import load
from app.pipeline.names import format_named, judge_of, provider_named
from app.pipeline.pieces import Body, pieces_of
from app.pipeline.view import make_view
from app.pipeline.wires import WIRES


def translate(dump: Dump, transcript: Transcript, path: str | os.PathLike[str], wire: str, allow_broken: bool = False) -> Written:
    """Writes what `transcript` would send as a request of `wire` (a name in WIRES). RemainingError where its provider would refuse it and
    `allow_broken` is not given; RefusedError, InspectorError as `export` has them."""
    if wire not in WIRES:
        raise InspectorError(f"{wire}: nothing is written as this; there are {', '.join(WIRES)}")
    target = atomic.target_of(path, dump.source)
    dump.source.require_unchanged()
    body = pieces_of(dump, make_view(transcript, source=dump.source))
    if not body.pieces:
        raise InspectorError(f"{dump.source.name}: transcript {transcript.id} has nothing that could be sent")
    provider = provider_named(format_named(wire).provider)
    if body.model is not None and provider_named(judge_of(dump.table)).name != provider.name:
        body.notes[f"the model {body.model} is another provider's: name one of the target's before it is sent"] += 1
        body.model = None
    made = WIRES[wire](body)
    proof: list[Report] = []

    def prove(temporary: Path) -> None:
        from app.pipeline import inspected

        source = Source.open(temporary)
        try:
            again = load(source, wire)
            proof.append(inspected(again, again.transcripts[0], provider, again.transcripts[0].model, "complete")[1])
        finally:
            source.close()
        broken = [finding for finding in proof[0].findings if finding.severity == "error"]
        if broken and not allow_broken:
            first = "; ".join(f"{finding.rule} at {finding.at or 'the whole'}" for finding in broken[:3])
            many = f"{len(broken):,} error{'s' if len(broken) > 1 else ''}"
            raise RemainingError(f"{os.fspath(path)}: not written: {many} would remain ({first})")

    text = json.dumps(made, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n"
    atomic.write(target, [text], prove)
    return _written(dump, transcript, os.fspath(path), wire, body, made, proof[0], provider.name)


def _written(
    dump: Dump, transcript: Transcript, path: str, wire: str, body: Body, made: dict[str, object], report: Report, provider: str
) -> Written:
    listed = next(value for key in ("messages", "input", "contents") if isinstance(value := made.get(key), list))
    errors = sum(finding.severity == "error" for finding in report.findings)
    judged = "no reason to refuse was found" if not errors else f"{errors:,} reasons to refuse remain"
    notes = [(None, f"{what} ({many:,})") for what, many in body.notes.items()]
    if "model" not in made and wire != "gemini" and not any(what.startswith("the model ") for what in body.notes):
        notes.append((None, "no model is named: the dump names none; put one in before it is sent"))
    item = "item" if wire == "openai-responses" else "message"
    return Written(
        path=path, records=len(listed), same=0, inserted=len(listed), relinked=0, dropped=0, changed=0, verdict=report.verdict,
        summary=f"{path}: what transcript {transcript.id} of {dump.source.name} ({dump.format}) would send, as {wire}: "
        f"{_many(len(listed), item)}, {_many(len(body.tools), 'tool')}. Read again after writing; judged for "
        f"{provider} by {report.rules} rules, {judged}.",
        notes=tuple(notes),
    )  # fmt: skip


def _many(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
