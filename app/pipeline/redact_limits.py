"""What redaction cannot be made of, and what is true of the bytes that it leaves alone."""

from __future__ import annotations

import re

from app.model.dump import Dump
from app.model.errors import RefusedError
from app.model.source import Wrap
from app.pipeline.archived import archived


def require_whole(dump: Dump) -> None:
    """RefusedError where texts stand in pieces, one event after another: a secret that is cut in two is none in either."""
    if in_pieces(dump):
        raise RefusedError(
            f"{dump.source.name}: {dump.format} holds texts in pieces, and no pattern sees a secret that is cut in two; "
            "nothing was redacted"
        )


def in_pieces(dump: Dump) -> bool:
    name = dump.format
    if name.endswith("-stream"):
        return True
    data = dump.source.all()
    if name in MAYBE_STREAMED or plain(dump):
        return _EVENTS.search(data) is not None
    return len(_DELTAS.findall(data)) > 1


MAYBE_STREAMED = frozenset({"har", "nock-http-capture", "claude-stream-json", "litellm-log", "other-gemini-cli-fake-responses"})
_EVENTS = re.compile(
    rb"content_block_delta|_json_delta|text_delta|chat\.completion\.chunk|response\.[a-z_]+\.delta|contentBlockDelta|"
    rb"streamGenerateContent|text/event-stream|^data: ?\{", re.M
)  # fmt: skip
_DELTAS = re.compile(
    rb"\"type\"\s*:\s*\"(?:content_block_delta|text_delta|input_json_delta|thinking_delta|response\.[a-z_]+\.delta|[a-z_]*message_delta)\"|"
    rb"\"object\"\s*:\s*\"chat\.completion\.chunk\"|\"contentBlockDelta\"\s*:"
)


def _wraps(dump: Dump) -> tuple[Wrap, ...]:
    return dump.source.stand_in.wraps if dump.source.stand_in is not None else ()


def plain(dump: Dump) -> bool:
    """Whether a file is no JSON at all: then it is one text, line by line."""
    return dump.source.read(0, 1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"[")


def rest(dump: Dump) -> str:
    """What is true of all that was not marked."""
    if archived(dump):
        return "The archive is packed anew; all other bytes of its members are the same."
    if dump.source.stand_in is None:
        return "All other bytes are the same."
    wraps = _wraps(dump)
    masked = any(wrap.kind == "masked" and wrap.detail.startswith("what stands") for wrap in wraps)
    around = masked or any(wrap.kind == "string" and (wrap.before + wrap.after).strip() for wrap in wraps)
    blanked = "What stood around the JSON was blanked or left out. " if around else ""
    details = ", ".join(dict.fromkeys(wrap.detail or wrap.kind for wrap in wraps if wrap.kind != "masked"))
    details = details or ("within other text" if around else "several files or a database")
    return f"{blanked}It is written unwrapped (it was: {details}), so its other bytes are not those of the file."
