"""A member of another dialect in a request, a message or a block (Anthropic).

`tool_calls` or `reasoning_content` of a chat completion, ids and stream indexes of other SDKs, parameters of other APIs: each refuses the
whole request. Calls that stand in `tool_calls` and in the blocks are counted twice by who converts on. Not every member that a list
lacks: betas add some, and what a beta header allows can't be seen in a dump.

Evidence: a live probe of 2026-09-10; BerriAI/litellm#23510; ErlichLiu/DeepClaude#79 ("messages.0.id: Extra inputs are not permitted");
langchain-ai/langchain#31208, #39100, #40483; anthropics/claude-code#4378; amrit110/oli#7, Aider-AI/aider#3367 (beside the messages).

Repair: the members go. Where they say what the blocks do not (calls, reasoning, texts), that is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Edit, Set, SetRequest
from app.model.findings import Hit
from app.model.foreign import MESSAGE_KEYS, REQUEST_KEYS, foreign_keys
from app.model.kinds import Flag, Kind, Mark
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._request import request_of
from app.rules._rule import Rule, Said
from app.rules._scene import Site

PREFIX = f"{Mark.FOREIGN}."
SAYS_NOTHING = frozenset({"id", "index", "parsed_output", "tool_call_id", "tool_calls"})
"""Members that say nothing which the blocks do not say; of calls unless they are marked."""


class UnknownField(Rule):
    name = "unknown-field"
    summary = "a member of another dialect"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native or not view.transcript.table.joins:
            return []
        of_message = _of_messages(reading)
        heads = np.flatnonzero(of_message & reading.sent)
        heads = heads[np.unique(reading.wire_message[heads], return_index=True)[1]]
        blocks = ((view.flags & Flag.UNKNOWN_KEYS) != 0) & ~of_message & (reading.sent | (view.kind == Kind.SYSTEM))
        of_request = _of_request(reading)
        rows = np.full(len(of_request), -1, np.int32)
        return [
            Hit(rows, np.asarray(of_request, np.int64), self.weight(reading)),
            self.hit(reading, heads),
            self.hit(reading, np.flatnonzero(blocks)),
        ]

    def say(self, site: Site) -> Said:
        if site.position < 0:
            key = sorted(REQUEST_KEYS)[site.detail]
            message = f"The request has a member `{key}`, which is of another API."
            return Said(message, cause="foreign members", pointer=f"/{key}", variant="request", words={"key": key})
        keys = _message_keys(site)
        if keys:
            pointer = f"{site.scene.message_pointer(site.position)}/{keys[0]}"
            message = f"This message has a member `{keys[0]}`, which is of another dialect."
            if "tool_calls" in keys:
                message = "This message has `tool_calls` beside its blocks: two dialects in one."
            return Said(message, cause="foreign members", pointer=pointer, whole=True, variant="message", words={"key": keys[0]})
        own = _block_keys(site, site.position)
        key = own[0] if own else "?"
        message = f"This block has a member `{key}`, which is of another dialect."
        words = {"key": key, "type": site.scene.type(site.position)}
        return Said(message, cause="foreign members", inner=f"/{key}" if own else "", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.position < 0:
            return [site.change("Take the member away", "exact", SetRequest(f"/{sorted(REQUEST_KEYS)[site.detail]}", DELETE))]
        keys = _message_keys(site)
        edits: list[Edit] = [Set(site.row, f"message.{key}", DELETE) for key in keys]
        lost = any(key not in SAYS_NOTHING for key in keys) or site.scene.view.bears(Mark.UNSAID, site.position)
        for at in site.scene.message_of(site.position).tolist() if keys else [site.position]:
            own = _block_keys(site, at)
            edits += [Set(site.row_of(at), f"block.{key}", DELETE) for key in own]
            lost = lost or any(key not in SAYS_NOTHING for key in own)
        title = "Take the member away" if len(edits) == 1 else "Take the members away"
        return [site.change(title, "loses" if lost else "exact", *edits)] if edits else []


def _of_messages(reading: Reading) -> Ints:
    """Mask over positions: rows of messages with a member of another dialect."""
    found = np.zeros(len(reading.view), bool)
    for key in MESSAGE_KEYS:
        if f"{PREFIX}{key}" in reading.view.transcript.table.marks:
            found |= reading.view.marked(f"{PREFIX}{key}")
    return found


def _of_request(reading: Reading) -> list[int]:
    """Members of another API beside the messages, as numbers of the sorted list of them."""
    request = request_of(reading) or {}
    return [number for number, key in enumerate(sorted(REQUEST_KEYS)) if key in request]


def _message_keys(site: Site) -> list[str]:
    return [key for key in sorted(MESSAGE_KEYS) if site.scene.view.bears(f"{PREFIX}{key}", site.position)]


def _block_keys(site: Site, position: int) -> list[str]:
    block = site.scene.block(position)
    value = block.value if block is not None else None
    return sorted(foreign_keys(site.scene.type(position)) & value.keys()) if isinstance(value, dict) else []


RULE = UnknownField()
