"""A transcript with all that is computed along its order: links, groups, tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.model.kinds import Flag
from app.model.provider import Provider
from app.model.source import Source
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.group import group
from app.pipeline.link import link

if TYPE_CHECKING:
    from app.pipeline.group import Look


def make_view(
    transcript: Transcript,
    tokens: Tokens | None = None,
    provider: Provider | None = None,
    pinned: frozenset[int] = frozenset(),
    source: Source | None = None,
) -> View:
    """Links and groups made anew; tokens gathered along positions, with `provider` the overhead of each message. With `source` the
    words of prompts repeated after a refusal are compared, else their columns."""
    links = link(transcript)
    groups = group(transcript, links, _looker(transcript, source) if source is not None and transcript.refusals else None)
    view = View(transcript, groups, links, pinned=pinned)
    if tokens is not None:
        view.tokens = _own_tokens(transcript, tokens)
    if provider is not None:
        view.message_overhead = _overhead(view, provider)
    return view


def _looker(transcript: Transcript, source: Source) -> Look:
    from app.pipeline import look

    return lambda row: look.block(source, transcript, row)


def _own_tokens(transcript: Transcript, tokens: Tokens) -> Ints:
    """Tokens along the order; rows that an edit made since they were counted are estimated at 4 characters a token."""
    own = tokens.own
    if len(own) < len(transcript.table):
        own = np.concatenate([own, (transcript.table.size[len(own) :] + 3) // 4])
    return own[transcript.order].astype(np.int32)


def _overhead(view: View, provider: Provider) -> Ints:
    """Tokens of each message that stand on none of its blocks."""
    messages = int(view.message.max(initial=-1)) + 1
    overhead = np.full(messages, provider.overhead.message, np.int32)
    named = np.unique(view.message[view.in_messages & ((view.flags & Flag.NAMED) != 0)])
    overhead[named] += provider.overhead.name
    return overhead
