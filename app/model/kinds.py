"""The small closed vocabularies of a table: kinds, roles, flags."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, TypeVar

import numpy as np

_E = TypeVar("_E", bound=type[Enum])


def quick(vocabulary: _E) -> _E:
    """Makes the members attributes of their class: Python 3.11 calls a function for each look at one, which costs as much as packing a
    row. From 3.12 on they are that anyway. An operator of numpy asks the class of what it meets whether it takes over; that it finds
    numpy's own answer there, and no class to ask further, makes a comparison of a column with a member four times as quick."""
    for member in vocabulary:
        type.__setattr__(vocabulary, member.name, member)
    type.__setattr__(vocabulary, "__array_ufunc__", np.ndarray.__array_ufunc__)
    return vocabulary


@quick
class Kind(IntEnum):
    """What a block is, whatever its wire calls it."""

    TEXT = 0
    REASONING = 1
    TOOL_CALL = 2
    TOOL_RESULT = 3
    MEDIA = 4
    SYSTEM = 5  # system text outside the list of messages
    TOOLS = 6  # one tool definition
    EMPTY = 7  # a message without any block; it has one row so that it can be seen and dropped
    OTHER = 8

    @property
    def word(self) -> str:
        return KIND_WORDS[self]


KIND_WORDS: Final = {
    Kind.TEXT: "text", Kind.REASONING: "reasoning", Kind.TOOL_CALL: "tool call", Kind.TOOL_RESULT: "tool result",
    Kind.MEDIA: "media", Kind.SYSTEM: "system", Kind.TOOLS: "tools", Kind.EMPTY: "empty", Kind.OTHER: "other",
}  # fmt: skip


@quick
class Role(IntEnum):
    """The role of the message that a block stands in, as its wire spells it."""

    USER = 0
    ASSISTANT = 1
    SYSTEM = 2
    DEVELOPER = 3
    TOOL = 4
    FUNCTION = 5
    OTHER = 6


ROLES: Final = {r.name.lower(): r for r in Role}


class Flag:
    """Bits of the column `flags` (uint32): what rules need without decoding. Neutral as to provider: the judge may be switched."""

    TEXT_EMPTY: Final = 1 << 0  # the block's text is ""
    TEXT_BLANK: Final = 1 << 1  # white space only, but not ""
    TEXT_TRAILING: Final = 1 << 2  # ends in white space
    ID_ABSENT: Final = 1 << 3  # a call or result without an id (no key, or null)
    ID_EMPTY: Final = 1 << 4  # its id is ""
    ID_DOTTED: Final = 1 << 5  # the id has one of . : beside [A-Za-z0-9_-]
    ID_ODD: Final = 1 << 6  # the id has a character outside [A-Za-z0-9_.:-]
    ID_OVER_40: Final = 1 << 7
    ID_OVER_64: Final = 1 << 8
    ARGS: Final = 0b111 << 9  # see Args
    MEDIA: Final = 1 << 12  # a result that holds an image or a document
    ERROR: Final = 1 << 13  # a result marked as an error
    SIGNED: Final = 1 << 14  # reasoning with a signature that is not empty, or encrypted reasoning
    CACHE: Final = 1 << 15  # a cache mark stands on the block
    SURROGATE: Final = 1 << 16  # an unpaired surrogate in its text
    SERVER: Final = 1 << 17  # a call, or its result, that the provider answers itself
    PART_EMPTY: Final = 1 << 18  # a result with a text part that is "" or blank
    CONTENT_NULL: Final = 1 << 19  # the message's or the result's content is null or absent
    CONTENT_LIST: Final = 1 << 20  # ... is a list
    CONTENT_ODD: Final = 1 << 21  # ... is neither null nor a string nor a list
    CONTENT_NONE: Final = 1 << 22  # ... is an empty list
    INJECTED: Final = 1 << 23  # text that no person typed: reminders, environment, meta, command output
    SUMMARY: Final = 1 << 24  # a compaction summary
    NAMED: Final = 1 << 25  # the message has a `name`; set on each of its rows
    CALLS_NONE: Final = 1 << 26  # the message has `tool_calls: []`; set on each of its rows
    UNKNOWN_KEYS: Final = 1 << 27  # keys of another dialect
    TYPE_ODD: Final = 1 << 28  # no known type, or a value that is no object
    REDACTED: Final = 1 << 29  # reasoning of which only ciphertext is there
    PROMPT: Final = 1 << 30  # a user role that stands for a person's act although it looks injected (a slash command, a subagent's prompt)
    ANSWERED: Final = 1 << 31  # a server-side call that holds its own result (hosted tools of OpenAI's Responses): nothing answers it


class Mark:
    """Words for what a wire says of few rows, and few wires say at all (`Table.marks`). The first part of a word is the member of the
    block that it speaks of: an edit that sets the member, or puts another content in place of it, takes the mark away."""

    JSON_ODD: Final = "content.json"  # a result holds a json part that is no object
    BLANK: Final = "content.blank"  # a result holds a text part of white space only, and none that is ""
    VIDEO: Final = "content.video"  # a result holds a video
    WIDE: Final = "content.wide"  # an image, or a result with one, of which a side has more than 2,000 pixels
    HUGE: Final = "content.huge"  # ... more than 8,000 pixels
    HEAVY: Final = "content.heavy"  # ... whose base64 has more than 5 MB
    IMAGES: Final = "content.images"  # a result with images; how many stands behind a further dot
    REFERENCE: Final = "content.tool-reference"  # a result that refers to a tool; its name stands behind a further dot
    NOTHING: Final = "content.nothing"  # a compaction block whose content is ""
    FAILED: Final = "content.failed"  # a compaction block whose content is null: it failed and is passed over
    TEXT_DOCUMENT: Final = "content.text-document"  # a document, or a result with one, that is plain text (txt, csv, md, html)
    REMOTE: Final = "content.remote"  # media that is named by a place in a store (S3) and not sent along
    STATUS: Final = "status"  # a result that says whether it is an error, in a member of its own
    ONE_HOUR: Final = "cache_control.1h"  # a cache mark that is to hold for an hour
    DEFERRED: Final = "defer_loading"  # a tool definition that is loaded when it is looked for
    CODE_ONLY: Final = "allowed_callers"  # a tool that code alone may call; that caller's type stands behind a dot
    CODE_CALLER: Final = "caller"  # a call that code made
    FOREIGN: Final = "message"  # a message with a member of another dialect; the member's name stands behind a dot
    UNSAID: Final = "message.tool_calls.unsaid"  # ... whose calls are not all among its blocks
    NOT_JSON: Final = "bare"  # NaN or Infinity stands in its record, bare; the row -1: beside the messages
    CALL_ID_LENT: Final = "call_id.lent"  # an output that does not say whose it is but by its own id
    EMPTY_KEY: Final = "input.empty-key"  # arguments with a member whose name is ""
    PREFIX: Final = "message.prefix"  # a message that says of itself that it is the beginning of an answer
    REASONING: Final = "message.reasoning_content"  # a message whose reasoning is there and empty
    ROLE: Final = "role"  # a message whose role is none of its wire's; on each of its rows
    ROLE_ABSENT: Final = "role.absent"  # a message that says no role; on each of its rows
    ROLE_SAID: Final = "role.said"  # the role that such a message says instead stands behind a further dot
    STOPPED: Final = "stopped"  # a message whose run was stopped before it was whole, on each of its rows; why stands behind a dot
    SIGNATURE: Final = "signature"  # a signature that can't be the provider's: cut off, two in one, another vendor's


@quick
class Args(IntEnum):
    """The class of a call's arguments, three bits of `flags` from bit 9."""

    NONE = 0  # no call, or the key is absent
    OBJECT = 1
    STRING = 2  # a string that holds a JSON object
    STRING_OTHER = 3  # a string that holds other JSON
    BROKEN = 4  # a string that is not JSON
    NULL = 5
    OTHER = 6  # a list, a number, a boolean
    FREE = 7  # free text by design (custom tools)


ARGS_SHIFT: Final = 9
