"""What a preset decided, without what a person pinned: no real system knows pins, so this is ours, and said beside what it does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.table import Ints
from app.model.view import View
from app.presets import Put, Work
from app.strategies import Ask


def without_pinned(ask: Ask, work: Work, whole: bool) -> Work:
    """Without what a person pinned, and its partners. Where they stay, the step around them and the prompt that led to it do as well
    (`whole`): a part of a turn alone is what providers refuse."""
    held = ask.guard.pinned
    if not held.any():
        return work
    kept = set(np.flatnonzero(held).tolist())
    if work.dropped & kept:
        work.dropped -= set(np.flatnonzero(_around(ask.view, held)).tolist()) if whole else kept
    work.texts = {at: text for at, text in work.texts.items() if at not in kept}
    work.contents = {at: value for at, value in work.contents.items() if at not in kept}
    work.inputs = {at: value for at, value in work.inputs.items() if at not in kept}
    work.joins = [pair for pair in work.joins if pair[0] not in kept]
    work.first = [at for at in work.first if at not in kept]
    work.puts = [put for put in work.puts if put.call not in kept]
    if not (work.dropped or work.texts or work.contents or work.inputs) and not any(put.call >= 0 for put in work.puts):
        work.puts = []  # nothing is taken: there is nothing to sum up either
    if whole:
        work.puts = [_out_of_step(ask.view, work, put) for put in work.puts]
    return work


def _out_of_step(view: View, work: Work, put: Put) -> Put:
    """What would be put into the midst of a step that stays stands in front of that: nothing may come between a call and its result."""
    if put.call >= 0 or put.before < 0:
        return put
    first = int(np.argmax(view.message == view.message[put.before]))
    step = int(view.groups.step[first])
    if step < 0:
        return put
    head = next((at for at in np.flatnonzero(view.groups.step == step).tolist() if at not in work.dropped), first)
    return replace(put, before=head) if head < first else put


def _around(view: View, held: Ints) -> Ints:
    """Mask: these rows, the whole steps in which they stand, the first message of their exchanges, and the partners of all that."""
    groups, partner = view.groups, view.links.partner
    kept = held | np.isin(groups.step, np.unique(groups.step[held & (groups.step >= 0)]))
    ends = partner[kept]
    kept[ends[ends >= 0]] = True
    exchanges = np.unique(groups.exchange[kept & (groups.exchange >= 0)])
    prompts = view.message[groups.first[exchanges]]
    kept |= np.isin(view.message, prompts[prompts >= 0])
    ends = partner[kept]
    kept[ends[ends >= 0]] = True
    return kept
