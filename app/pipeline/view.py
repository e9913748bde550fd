"""A transcript with all that is computed along its order: links, groups, tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.provider import Provider
from app.model.source import Source
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.group import group
from app.pipeline.link import link
from app.pipeline.weigh import along, overhead

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
        view.tokens = along(transcript, tokens)
    if provider is not None:
        view.message_overhead = overhead(view, provider)
    return view


def _looker(transcript: Transcript, source: Source) -> Look:
    from app.pipeline import look

    return lambda row: look.block(source, transcript, row)
