"""`plan`: what each strategy would do at a budget, side by side."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.cli_open import Opened, opened
from app.cli_words import Output, count, note, table
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.plan import Checked
from app.model.transcript import Transcript
from app.model.view import Totals, View

Spec = list[tuple[str, dict[str, Any]]]


def policy(path: str) -> Spec:
    """The strategy that a policy file names: JSON `{"strategy": name, "params": {…}}`."""
    try:
        value = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InspectorError(f"{path}: {error.strerror or error}; name a policy file that can be read") from None
    except (ValueError, RecursionError):
        value = None
    params = value.get("params", {}) if isinstance(value, dict) else None
    if not isinstance(params, dict) or not isinstance(value.get("strategy"), str):
        raise InspectorError(f'{path}: no policy; it must be JSON like {{"strategy": "stub-tool-results", "params": {{"keep_last": 3}}}}')
    return [(value["strategy"], params)]


def specs(words: Namespace) -> list[Spec]:
    """What to plan: the strategies that were named, the policy, or the seven families."""
    from app.pipeline.names import FAMILIES
    from app.pipeline.rank import parse_spec

    named = [words.strategy] if isinstance(words.strategy, str) else words.strategy or []
    found = [parse_spec(text) for text in named]
    if words.policy is not None:
        found.append(policy(words.policy))
    return found or [parse_spec(name) for name in FAMILIES]


def run(words: Namespace, out: Output) -> int:
    from app.pipeline import count as counting
    from app.pipeline import counted
    from app.pipeline.plan import commit

    wanted = specs(words)
    file = opened(words.file, words)
    if not file.dump.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to plan")
    transcript = file.dump.transcripts[file.chosen]
    view, tokens = counted(file.dump, transcript, file.provider, words.counter)
    totals = counting.totals(view, tokens, file.provider)
    rows = []
    for spec in wanted:
        model = file.model_of(transcript)
        checked, after = commit(file.dump, view, spec, words.budget, file.provider, model, file.mode, words.counter)
        row = as_object(file, view, after, spec, checked, totals, words)
        if words.json:
            out.json(row)
        rows.append(row)
    if not words.json:
        _print(file, transcript, rows, totals, words, out)
    return 0


def name_of(spec: Spec) -> str:
    return "+".join(name for name, _ in spec)


def as_object(
    file: Opened, view: View, after: Transcript, spec: Spec, checked: Checked, totals: Totals, words: Namespace
) -> dict[str, Any]:
    """The object of `plan --json`."""
    budget: int | None = words.budget
    before, left = totals.total, checked.tokens_after
    deficit = None if budget is None else max(0, before - budget)
    kept, exchanges, dropped, replaced = _fates(view, after)
    return {
        "path": file.path, "transcript": view.transcript.id, "strategy": name_of(spec), "params": _params(spec), "budget": budget,
        "counter": words.counter, "tokens_before": before, "tokens_after": left, "reached": budget is None or left <= budget,
        "deficit": deficit, "freed": before - left, "overshoot": round((before - left) / deficit, 4) if deficit else None,
        "exchanges": {"kept": kept, "dropped": exchanges - kept}, "blocks": {"dropped": dropped, "replaced": replaced},
        "cache": {"first_changed_at": checked.first_changed, "prefix_tokens_kept": checked.prefix_tokens},
        "verdict": checked.verdict, "new_findings": checked.new_findings,
    }  # fmt: skip


def _params(spec: Spec) -> dict[str, Any]:
    """Every parameter, defaults too; those of a chain by the name of each strategy in it."""
    from app.strategies import STRATEGIES

    read = [(name, STRATEGIES[name].read_params(params)) for name, params in spec]
    return read[0][1] if len(read) == 1 else dict(read)


def _fates(view: View, after: Transcript) -> tuple[int, int, int, int]:
    """Of what is sent: exchanges of which something stays, exchanges, blocks dropped, blocks stubbed or cut.
    A system message stays where its exchange goes; it does not keep the exchange."""
    before = view.transcript
    stays = np.zeros(len(after.table), bool)
    stays[after.order] = True
    sent = np.zeros(len(view), bool)
    sent[view.start :] = True
    there = stays[view.rows]
    spoken = sent & view.in_messages & (view.role != Role.SYSTEM) & (view.role != Role.DEVELOPER)
    exchange = view.groups.exchange
    whole = np.unique(exchange[spoken & (exchange >= 0)])
    kept = np.unique(exchange[spoken & there & (exchange >= 0)])
    dropped = int(np.count_nonzero(sent & ~there & (view.kind != Kind.EMPTY)))
    return len(kept), len(whole), dropped, len(_replaced(before, after))


def _replaced(before: Transcript, after: Transcript) -> list[int]:
    """Rows that stay and whose text something else takes the place of."""
    if after.content is None:
        return []
    rows = after.order[after.order < len(after.content)]
    rows = rows[after.content[rows] >= 0]
    return [row for row in rows.tolist() if before.content_of(row) != after.content_of(row)]


# -- text -------------------------------------------------------------------------------------------------------------------


def _print(file: Opened, transcript: Transcript, rows: Sequence[dict[str, Any]], totals: Totals, words: Namespace, out: Output) -> None:
    several = f", transcript {transcript.id}" if len(file.dump.transcripts) > 1 else ""
    out.text(table([[f"{file.path}{several}"]], indent="")[0])
    now = f"{totals.total:,} tokens in the next request ({words.counter})"
    if words.budget is None:
        out.text(f"  {now}; no budget: everything that a strategy would do")
    else:
        deficit = max(0, totals.total - words.budget)
        out.text(f"  {now}, budget {words.budget:,}: " + (f"{deficit:,} too many" if deficit else "it fits, nothing needs to be done"))
    out.text()
    head = ["strategy", "fits", "after", "freed", "÷ deficit", "exchanges", "blocks", "cache kept", "checked"]
    for line in table([head, *(_cells(row) for row in rows)], right=(2, 3, 4, 7)):
        out.text(line)


def _cells(row: dict[str, Any]) -> list[str]:
    exchanges, blocks = row["exchanges"], row["blocks"]
    done = [f"{blocks['dropped']:,} dropped"] if blocks["dropped"] else []
    done += [f"{blocks['replaced']:,} shortened"] if blocks["replaced"] else []
    new = row["new_findings"]
    verdict = "would be refused" if row["verdict"] == "reject" else "no reason to refuse found"
    return [
        row["strategy"], "-" if row["budget"] is None else "yes" if row["reached"] else "NO", f"{row['tokens_after']:,}",
        f"{row['freed']:,}", "-" if row["overshoot"] is None else f"{row['overshoot']:.2f}",
        f"{exchanges['kept']:,} of {exchanges['kept'] + exchanges['dropped']:,} kept", ", ".join(done) or "none touched",
        f"{row['cache']['prefix_tokens_kept']:,}", verdict + (f", {count(new, 'new error')}" if new else ""),
    ]  # fmt: skip


def warn_if_dry(path: str, spec: Spec, budget: int | None, left: int) -> None:
    """A strategy that runs dry above the budget is written all the same, and says so."""
    if budget is not None and left > budget:
        note(f"{path}: {name_of(spec)} runs dry at {left:,} tokens, {left - budget:,} above the budget of {budget:,}; chain another (a+b)")
