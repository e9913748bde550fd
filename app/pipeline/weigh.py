"""Token counts of a table laid along a transcript's order."""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag
from app.model.provider import Provider
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View


def weigh(view: View, tokens: Tokens, provider: Provider) -> View:
    """Sets `view.tokens` (along positions) and `view.message_overhead` (along dense messages), and gives the view back."""
    view.tokens, view.message_overhead = along(view.transcript, tokens), overhead(view, provider)
    return view


def edited_rows(transcript: Transcript) -> Ints:
    """Mask over the table's rows: those that edits changed or made, so that a count of the dump as it was says nothing of them."""
    mask = np.zeros(len(transcript.table), bool)
    if transcript.content is not None:
        mask[: len(transcript.content)] = transcript.content >= 0
    mask[[*transcript.fields, *transcript.made]] = True
    return mask


def along(transcript: Transcript, tokens: Tokens) -> Ints:
    """Tokens along the order; rows that an edit made since they were counted are estimated at 4 characters a token."""
    own = tokens.own
    if len(own) < len(transcript.table):
        own = np.concatenate([own, (transcript.table.size[len(own) :] + 3) // 4])
    return own[transcript.order].astype(np.int32)


def overhead(view: View, provider: Provider) -> Ints:
    """Tokens of each message that stand on none of its blocks."""
    messages = int(view.message.max(initial=-1)) + 1
    found = np.full(messages, provider.overhead.message, np.int32)
    named = np.unique(view.message[view.in_messages & ((view.flags & Flag.NAMED) != 0)])
    found[named] += provider.overhead.name
    return found
