"""What an error text says, before anybody has looked at a transcript."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.matching import named
from app.matching.elsewhere import elsewhere
from app.matching.fit import Fit, fits
from app.matching.plain import plain, status
from app.matching.wording import WORDINGS, Wording

SHOWN = 600  # characters of the provider's words that are shown
BEFORE, BEHIND = 300, 2000  # characters around the words in which ids and places are looked for: a log may hold the whole request
WRAPPER = "provider-error-wrapped"
_PLACE = re.compile(r"(?:\* )?[\w.]*\b(?:messages?|contents|input)[^\s\"']*: $")  # the place that stands before a sentence


@dataclass(frozen=True)
class Meant:
    """A rule that the words may mean. `order`: how usual it is for the wording, from 0."""

    rule: str
    provider: str
    score: float
    order: int


@dataclass(frozen=True)
class Heard:
    """`words`: the provider's sentence out of what was given; `meant`: the rules that it may mean, best first, each once; `status`: HTTP;
    `elsewhere`: what it is about where that is not the transcript."""

    words: str
    meant: tuple[Meant, ...]
    spots: tuple[named.Spot, ...]
    tokens: tuple[named.Token, ...]
    tools: tuple[str, ...]
    status: int | None = None
    elsewhere: str = ""


def hear(text: str, code: int | None = None, wordings: tuple[Wording, ...] = WORDINGS) -> Heard:
    """Reads a bare text, a JSON body (nested, wrapped by a router), a log line or a traceback.

    `code`: the HTTP status where it is known beside the text; `wordings`: what the text is compared with.
    """
    bare = plain(text)
    code = code if code is not None else status(bare)
    found = fits(bare, wordings)
    meant = _meant(found)
    said = _sentence(bare, found)
    near = bare[max(0, found[0].start - BEFORE) : found[0].end + BEHIND] if found else bare[: BEFORE + BEHIND]
    return Heard(
        said, meant, named.spots(near), named.tokens(near), named.tools(near), code, "" if meant else elsewhere(bare, code)
    )  # fmt: skip


def _meant(found: list[Fit]) -> tuple[Meant, ...]:
    rules: dict[str, Meant] = {}
    for fit in found:
        for order, rule in enumerate(fit.wording.rules):
            known = rules.get(rule)
            if known is None or (fit.score, -order) > (known.score, -known.order):
                rules[rule] = Meant(rule, fit.wording.provider, fit.score, order)
    ranked = sorted(rules.values(), key=lambda meant: (-meant.score, meant.order))
    if len(ranked) > 1:  # a wrapper around words that are known says nothing
        ranked = [meant for meant in ranked if meant.rule != WRAPPER]
    return tuple(ranked)


def _sentence(text: str, found: list[Fit]) -> str:
    """The part of a text in which the provider speaks: what fits, with the place before it and the ids behind it; else its beginning."""
    inner = [fit for fit in found if fit.wording.rules != (WRAPPER,)] or found
    if not inner:
        return text[:SHOWN]
    start, end = inner[0].start, inner[0].end
    left = max(text.rfind(mark, 0, start) for mark in ('": "', "': \"", "': '", '":"', " - ", '{"', "{'"))
    begin = text.rfind(" ", 0, start) + 1 if left < 0 or start - left > 80 else left
    begin = max(begin, text.rfind('"', begin, start) + 1)
    place = _PLACE.search(text[max(0, begin - 120) : begin])
    begin -= len(place[0]) if place else 0
    stop = min((at for mark in ('"', "',", "'}") if (at := text.find(mark, end)) >= 0), default=len(text))
    return text[begin : min(stop, begin + SHOWN)].lstrip(" \"':,{}-").strip()
