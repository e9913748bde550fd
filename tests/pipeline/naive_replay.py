"""A replay as one would write it down: every request is laid out, summed up and compared with the one before, row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.replay import Setup
from app.model.tokens import Tokens
from app.model.view import View
from app.pipeline.rank import arrange
from app.pipeline.replay_session import Context, Session
from app.pipeline.spec import Spec
from app.pipeline.view import make_view


def sent_and_read(session: Session, setup: Setup, spec: Spec) -> tuple[list[int], list[int]]:
    """Tokens of each request and what the cache gives of it; as far as the session comes."""
    requests, sent, read = session.requests, [], []
    context, carried, last, left = session.begin(), 0, [], 0
    for k in range(len(requests)):
        start, bound = int(requests.starts[k]), int(requests.bounds[k])
        if k == 0 or start != int(requests.starts[k - 1]):
            context, carried, left = replace(context, order=requests.head_rows), start, 0
        new = [row for row in session.view.rows[carried:bound].tolist() if session.view.transcript.table.message[row] >= 0]
        context, carried = replace(context, order=np.append(context.order, new).astype(np.int32)), bound
        size = weigh(session, context)
        due = setup.trigger if left <= setup.trigger else min(setup.limit, left + setup.pause)
        if size > due:
            context = compacted(session, setup, context, spec)
            left = size = weigh(session, context)
        pairs = [(row, int(context.marks[row])) for row in context.order.tolist()]
        sent.append(size)
        read.append(shared(session, context, last, pairs) if k else 0)
        last = pairs
        if size > due and size > setup.limit:
            return sent[:-1], read[:-1]
    return sent, read


def weigh(session: Session, context: Context) -> int:
    view = viewed(session, context)
    return int(view.tokens.sum()) + int(view.message_overhead.sum())


def viewed(session: Session, context: Context) -> View:
    transcript = context.transcript.with_(order=context.order, start=0, walls=())
    view = make_view(transcript, Tokens("chars/4", context.own, np.ones(len(context.own), bool)), session.provider)
    base = session.view
    pinned = {row for row, exchange in zip(base.rows.tolist(), base.groups.exchange.tolist(), strict=True) if exchange in base.pinned}
    view.held = np.asarray([row in pinned for row in view.rows.tolist()], bool)
    return view


def compacted(session: Session, setup: Setup, context: Context, spec: Spec) -> Context:
    view = viewed(session, context)
    arranged = arrange(view, spec, session.provider, session.counted, session.look(context), session.raw)
    plan = arranged.ranking.plan(setup.target)
    return session.applied(context, arranged.change(plan)) if plan.length else context


def shared(session: Session, context: Context, last: list[tuple[int, int]], now: list[tuple[int, int]]) -> int:
    """Whole messages that both begin with."""
    same = 0
    while same < min(len(last), len(now)) and last[same] == now[same]:
        same += 1
    number = [int(context.transcript.table.message[row]) for row, _ in now]
    if same < len(last):  # a message that is cut is no prefix
        while 0 < same < len(now) and number[same] >= 0 and number[same] == number[same - 1]:
            same -= 1
    order = context.order[:same]
    return weigh(session, replace(context, order=order)) if same else 0
