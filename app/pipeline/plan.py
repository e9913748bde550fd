"""Plan: a strategy at a budget, really applied, counted and checked, and the figures that are told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.formats import FORMATS
from app.model.block import Block
from app.model.dump import Dump
from app.model.findings import Mode, Report
from app.model.kinds import Kind
from app.model.plan import Checked, Plan
from app.model.provider import Provider
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.count import after_edits, totals
from app.pipeline.rank import Arranged, arrange, keeps_words
from app.pipeline.signed import doubt
from app.pipeline.spec import Spec
from app.pipeline.view import make_view
from app.rules import RULES
from app.rules._rule import PairRule
from app.tokens import counter as make_counter


def make(dump: Dump, view: View, spec: str | Spec, budget: int | None, provider: Provider, counter: str) -> tuple[Arranged, Plan]:
    """A plan with exact figures for a counted view of a transcript of this dump."""
    reader, transcript = FORMATS[dump.format], view.transcript

    def block(row: int) -> Block:
        return reader.block(transcript, row, dump.source)

    def raw(row: int) -> Any:
        return reader.value(transcript.table, dump.source, int(transcript.table.record[row]))

    return arrange(view, spec, provider, make_counter(counter), block, raw).settle(budget)


def commit(
    dump: Dump, view: View, spec: str | Spec, budget: int | None, provider: Provider, model: str | None, mode: Mode, counter: str
) -> tuple[Checked, Transcript]:
    """Plans, really applies, counts and checks. What is not counted yet keeps its estimate, before and after alike.

    Gives the change with what a fresh check says of the result, and the result.
    """
    arranged, plan = make(dump, view, spec, budget, provider, counter)
    return judged(dump, arranged, plan, model, mode, counter)


def judged(
    dump: Dump, arranged: Arranged, plan: Plan, model: str | None, mode: Mode, counter: str, before: Report | None = None
) -> tuple[Checked, Transcript]:
    """A settled plan, applied and judged. `before`: a report on the view, where one is at hand."""
    view, provider = arranged.view, arranged.provider
    change = arranged.change(plan)
    after = apply(view.transcript, [change], provider).transcript
    tokens = after_edits(dump, _tokens(view, counter), after, provider)
    result = make_view(after, tokens, provider, source=dump.source)
    report = check(result, provider, model, mode, dump.source)
    if before is None:
        before = check(view, provider, model, mode, dump.source)
    checked = Checked(
        change=change,
        closing=arranged.closing(plan),
        tokens_after=totals(result, tokens, provider).total,
        verdict=report.verdict,
        new_findings=new_errors(before, report),
        prefix_tokens=prefix_tokens(view, plan.first),
        first_changed=first_changed(view, plan, lambda row: FORMATS[dump.format].block(view.transcript, row, dump.source)),
        doubt=doubt(view.transcript, after, provider, model),
    )
    return checked, after


def new_errors(before: Report, after: Report) -> int:
    """Findings of severity error that were not there before: the same rule at the same row is the same finding. A call or a result
    that has lost its partner is the same, by whichever name: that is told by what stands around it. What is wrong with an end of the
    list is the same, whichever message stands there now."""
    count = 0
    none = np.empty(0, np.int32)
    pairs = [rows for rule, rows in before.errors_of.items() if isinstance(RULES[rule], PairRule)]
    unpaired = np.concatenate([none, *pairs])
    for rule, rows in after.errors_of.items():
        old = unpaired if isinstance(RULES[rule], PairRule) else before.errors_of.get(rule, none)
        count += max(0, len(rows) - len(old)) if RULES[rule].of_an_end else int((~np.isin(rows, old)).sum())
    return count


def prefix_tokens(view: View, first: int) -> int:
    """Tokens of what a provider's cache can keep: tools, system text, then the messages before the one in which position `first` stands
    (-1: nothing changes, all of them)."""
    assert view.tokens is not None
    assert view.message_overhead is not None
    beside = ~view.in_messages
    beside[: view.start] = False
    sent = view.in_messages.copy()
    sent[: view.start] = False
    if first >= 0:
        sent[first:] = False
        cut = np.unique(view.message[first:])  # parts of a split message that lie before it change with it
        sent &= ~np.isin(view.message, cut)
    whole = np.unique(view.message[sent])
    return int(view.tokens[beside | sent].sum(dtype=np.int64) + view.message_overhead[whole].sum(dtype=np.int64))


def first_changed(view: View, plan: Plan, block: Callable[[int], Block]) -> str | None:
    """JSON pointer, in the file as it came in, of the first thing that a plan changes: a message where it goes whole, else a block."""
    if plan.first < 0:
        return None
    dropped = plan.dropped
    changed = np.flatnonzero(dropped | plan.replaced)
    record = view.transcript.table.record[view.rows]
    for position in changed.tolist():
        if record[position] < 0:
            continue  # an earlier edit made it: it is not in the file
        whole = bool(dropped[record == record[position]].all())
        pointer = None if whole else block(int(view.rows[position])).pointer
        return pointer or view.transcript.table.pointer(int(record[position]))
    return None


def figures(view: View, plan: Plan, checked: Checked) -> dict[str, Any]:
    """A plan in the words and shapes of `plan --json`, but for the path, the transcript and the counter."""
    ranking = plan.ranking
    kept, gone = _exchanges(view, plan)
    blocks = view.in_messages & (view.kind != Kind.EMPTY)
    freed = plan.before - checked.tokens_after
    return {
        "strategy": ranking.strategy,
        "params": ranking.params,
        "budget": plan.budget,
        "tokens_before": plan.before,
        "tokens_after": checked.tokens_after,
        "reached": plan.budget is None or checked.tokens_after <= plan.budget,
        "deficit": plan.deficit,
        "freed": freed,
        "overshoot": round(freed / plan.deficit, 4) if plan.deficit else None,
        "exchanges": {"kept": kept, "dropped": gone},
        "blocks": {"dropped": int((plan.dropped & blocks).sum()), "replaced": int(plan.replaced.sum())},
        "keeps": keeps_words(ranking, plan.length),
        "cache": {"first_changed_at": checked.first_changed, "prefix_tokens_kept": checked.prefix_tokens},
        "verdict": checked.verdict,
        "new_findings": checked.new_findings,
        "warnings": [*([checked.doubt.words] if checked.doubt is not None else []), *_unknown_pins(view, plan)],
    }


def _unknown_pins(view: View, plan: Plan) -> list[str]:
    """That a real system would not have spared what is pinned: none of those that are imitated knows pins."""
    if not plan.ranking.gated or not (view.pinned or view.held is not None):
        return []
    return ["pins are ours: the system that is imitated knows none, and would not have spared what is pinned"]


def _exchanges(view: View, plan: Plan) -> tuple[int, int]:
    """How many exchanges of the sent part still have a row, and how many have none."""
    exchange = view.groups.exchange
    sent = view.in_messages & (exchange >= 0)
    sent[: view.start] = False
    units = len(np.unique(exchange[sent]))
    kept = len(np.unique(exchange[sent & ~plan.dropped]))
    return kept, units - kept


def _tokens(view: View, counter: str) -> Tokens:
    """The tokens of a view laid back along its table."""
    own: Ints = np.zeros(len(view.transcript.table), np.int32)
    own[view.rows] = view.tokens
    return Tokens(counter, own, np.ones(len(own), bool))
