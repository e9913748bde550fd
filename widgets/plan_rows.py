"""What the plan table says of each strategy at the budget as it stands: a few look-ups a move, no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.model.lost import Lost, sentence
from app.model.plan import Checked, Plan, Ranking
from app.model.state import State
from app.model.table import Ints
from app.model.view import View
from widgets import chart_words
from widgets.words import counted, full, short

PLACES = ("", "Strategy", "Fits", "After", "Freed", "Keeps", "Cache", "Sent?", "Lost")
MEANINGS = (
    "the strategy that is shown",
    "what it does, in its name; ⚠ cuts between calls and results",
    "✓ within the budget; ✕ does not get there, and After is the least that it can reach",
    "tokens of the next request under the plan; ≥ 12.1k while the budget is parked: the least that the strategy can reach",
    "what is freed, as a multiple of what is needed",
    "what stays whole, in the strategy's own counted thing",
    "share of the request before the first change: what a provider's cache can keep",
    "∘ pairs are kept by construction, not checked yet; ✓ really applied and checked, no reason found; ✕ n new errors; "
    "✕ still: the errors that were there before",
    "rules that the person set (must, never, only…) and that go; where none does, how many facts go that what stays makes use of",
)

# what stays, in the strategy's own words; else "58 of 88 exchanges"
_KEEPS = {
    "evict-steps": "prompts, {kept} of {units}",
    "stub-tool-results": "{kept} of {units} whole",
    "summarize-prefix": "{kept} of {count} + summary",
}


@dataclass(frozen=True)
class Row:
    """One line of the table. `tones`: good, bad, warn, soft or "" for each of `cells`."""

    name: str
    shown: bool
    breaks_pairs: bool
    cells: tuple[str, ...]
    tones: tuple[str, ...]
    tips: tuple[str, ...]

    @property
    def spoken(self) -> str:
        """The whole line, for a screen reader."""
        words = [self.name, "shown" if self.shown else "", "breaks pairs" if self.breaks_pairs else "", *self.tips[2:]]
        return ", ".join(word for word in words if word)


class Shares:
    """The share of a request that stands before a position; running sums are made once for the counts of a view."""

    def __init__(self) -> None:
        self._of: Ints | None = None
        self._tokens: Ints = np.zeros(1, np.int64)
        self._overhead: Ints = np.zeros(1, np.int64)
        self._head = 0

    def kept(self, view: View, plan: Plan) -> float:
        """The part that stands before the first message that a plan changes (1: nothing changes)."""
        at = plan.first
        if at < 0 or plan.length == 0 or plan.before <= 0 or view.tokens is None:
            return 1.0
        self._sum_up(view)
        message = view.message
        while at > view.start and message[at - 1] == message[at] and message[at] >= 0:
            at -= 1
        first = message[view.start] if view.start else 0
        overhead = int(self._overhead[max(int(message[at]), 0)] - self._overhead[max(int(first), 0)])
        return (self._head + int(self._tokens[at]) + max(0, overhead)) / plan.before

    def _sum_up(self, view: View) -> None:
        if view.tokens is self._of:
            return
        assert view.tokens is not None
        own = view.tokens.astype(np.int64)
        own[: view.start] = 0
        self._head = int(own[~view.in_messages].sum())
        own[~view.in_messages] = 0
        self._tokens = np.append(0, np.cumsum(own))
        self._overhead = np.append(0, np.cumsum(view.message_overhead)) if view.message_overhead is not None else np.zeros(len(own) + 1)
        self._of = view.tokens


def rows(state: State, shares: Shares, losses: Mapping[str, Lost] | None = None) -> list[Row]:
    """One row for each ranked strategy, in the order of the table. `losses`: what each loses, where that is known."""
    if state.budget is None or state.view is None:
        return [_parked(state, name, r) for name, r in state.rankings.items()]
    known = {name: lost for name, lost in (losses or {}).items() if lost.budget == state.budget and name in state.checked}
    return [_row(state, name, r, shares, known.get(name)) for name, r in state.rankings.items()]


def _least(ranking: Ranking) -> int:
    return int(ranking.rungs[-1]) if len(ranking.rungs) else ranking.before


def _parked(state: State, name: str, ranking: Ranking) -> Row:
    """Nobody has touched the budget: what the strategy could reach."""
    least, shown = _least(ranking), name == state.shown
    cells = ("●" if shown else "○", name, "", f"≥ {short(least)}", "", _keeps(ranking, 0), "", "", "")
    reach = f"can go down to {full(least)} tokens"
    tips = ("", _summary(ranking), "nothing is done: the budget is parked at now", reach, "", "", "", "", "")
    return Row(name, shown, ranking.breaks_pairs, cells, ("", "", "", "soft", "", "soft", "", "", ""), tips)


def _row(state: State, name: str, ranking: Ranking, shares: Shares, lost: Lost | None) -> Row:
    view, budget, shown = state.view, state.budget, name == state.shown
    assert view is not None
    assert budget is not None
    plan, checked = ranking.plan(budget), state.checked.get(name)
    after = checked.tokens_after if checked is not None else plan.after
    fits = after <= budget
    near = chart_words.approx(plan) if checked is None else ""
    freed, freed_tone, freed_tip = _freed(plan, after, fits)
    sent, sent_tone, sent_tip = _sent(ranking, plan, checked)
    gone, gone_tone, gone_tip = _lost(lost)
    share = checked.prefix_tokens / max(1, plan.before) if checked is not None else shares.kept(view, plan)
    keeps = _keeps(ranking, plan.length)
    percent = f"{round(100 * min(share, 1))} %"
    least = _least(ranking)
    fit_tip = "fits" if fits else f"does not fit, {full(after - budget)} too many; can go down to {full(least)}"
    cells = ("●" if shown else "○", name, "✓" if fits else "✕", near + chart_words.fine(after), freed, keeps, percent, sent, gone)
    tones = ("", "", "good" if fits else "bad", "" if fits else "bad", freed_tone, "", "", sent_tone, gone_tone)
    kept = checked.change.note if checked is not None and checked.change.note else keeps
    cache_tip = f"{percent} of the request stands before the first change"
    tips = ("", _summary(ranking), fit_tip, f"after {near}{full(after)} tokens", freed_tip, f"keeps {kept}", cache_tip, sent_tip, gone_tip)
    return Row(name, shown, ranking.breaks_pairs, cells, tones, tips)


def _freed(plan: Plan, after: int, fits: bool) -> tuple[str, str, str]:
    freed, deficit = plan.before - after, plan.deficit or 0
    if not deficit:
        return "", "", "nothing has to be freed"
    if not fits:
        word = "dry" if freed else "0"
        return word, "soft", f"frees {full(freed)} of {full(deficit)} needed, then there is nothing more to take"
    over = freed >= chart_words.OVERSHOT * deficit
    tip = f"freed {freed / deficit:.2f} × needed: {full(freed)} of {full(deficit)}"
    return chart_words.times(freed / deficit), "warn" if over else "", tip


def _sent(ranking: Ranking, plan: Plan, checked: Checked | None) -> tuple[str, str, str]:
    if checked is None:
        if not plan.length:
            return "", "", "nothing changes"
        if ranking.breaks_pairs:
            return "?", "soft", "not checked yet; it may cut between a call and its result"
        return "∘", "soft", "pairs are kept by construction; not checked yet"
    if checked.new_findings:
        own = "; the system that is imitated leaves it so, and nothing is mended here" if ranking.gated else ""
        return f"✕ {full(checked.new_findings)}", "bad", f"really applied and checked: {counted(checked.new_findings, 'new error')}{own}"
    if checked.verdict == "reject":
        return "✕ still", "warn", "really applied and checked: no new error, but errors that were there before are still there"
    if checked.doubt is not None:
        return "✓", "warn", f"really applied and checked: no reason found, but {checked.doubt.words}"
    return "✓", "good", "really applied and checked: no reason found"


def _lost(lost: Lost | None) -> tuple[str, str, str]:
    if lost is None:
        return "", "", ""
    rules = lost.counts.get("constraint", 0)
    if not rules:
        return full(lost.total), "" if lost.total else "soft", f"loses {sentence(lost)}"
    return counted(rules, "rule"), "warn", f"loses {sentence(lost)}. A constraint is a rule that the person set: must, never, only…"


def _keeps(ranking: Ranking, length: int) -> str:
    kept, many = int(ranking.keeps[length]), chart_words.units(ranking, ranking.units)
    form = _KEEPS.get(ranking.strategy)
    if form is not None and length:
        return form.format(kept=full(kept), units=many, count=full(ranking.units))
    if ranking.units == 0:
        return f"no {ranking.unit}"
    if kept == ranking.units:
        return f"all {many}" if kept != 1 else many
    return f"{full(kept)} of {many}"


def _summary(ranking: Ranking) -> str:
    words = ", ".join(f"{key}={value!r}" if isinstance(value, str) else f"{key}={value}" for key, value in ranking.params.items())
    pinned = "what is pinned stays here; the system that is imitated knows no pins" if ranking.gated else ""
    warning = "cuts between calls and results: kept to reproduce an incident" if ranking.breaks_pairs else ""
    return "\n".join(part for part in (ranking.strategy, words, warning, pinned) if part)
