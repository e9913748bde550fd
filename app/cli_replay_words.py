"""The words of `replay`, apart from what runs it: whoever asks for another verb imports nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from app.model.tokens import COUNTERS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

ROOM: Final = 16_000


def add(verbs: _SubParsersAction[Any], parent: Any) -> None:
    """The grammar of the verb."""
    what = "the session request by request under each strategy: what is sent, compacted, read from the cache, and what it costs"
    verb = verbs.add_parser("replay", help=what, description=what[0].upper() + what[1:] + ".", parents=[parent], allow_abbrev=False)
    verb.add_argument("file", metavar="FILE")
    verb.add_argument("--window", metavar="N", help="tokens of the model's window; default: by the model's name, where it is known")
    verb.add_argument("--room", metavar="N", help=f"tokens of it kept for the answer; default {ROOM:,}, at most an eighth of the window")
    verb.add_argument("--trigger", metavar="N|%", help="larger requests are compacted first: tokens, or a share of what fits; default 90%%")
    verb.add_argument("--target", metavar="N|%", help="how far it is compacted: tokens, or a share of the trigger; default 50%%")
    verb.add_argument("--strategy", action="append", default=[], metavar="SPEC", help="as of plan; a preset goes by its own limits then")
    verb.add_argument("--policy", action="append", default=[], metavar="FILE", help="a strategy as a policy file, as of plan")
    verb.add_argument("--presets", action="store_true", help="every preset beside the strategies")
    verb.add_argument("--read-ratio", metavar="R", help="price of a token read from the cache, of fresh input; default: by model")
    verb.add_argument("--write-ratio", metavar="R", help="price of a token written to the cache, of fresh input; default: by model")
    verb.add_argument("--anew", action="store_true", help="no compaction is remembered: each request is made anew from the whole history")
    verb.add_argument("--reproduce", action="store_true", help="say what turns one recorded request into the next one")
    verb.add_argument("--no-check", action="store_true", help="do not check what each compaction leaves")
    verb.add_argument("--counter", choices=COUNTERS, default=COUNTERS[0])
    verb.add_argument("--json", action="store_true", help="one JSON object a strategy")


