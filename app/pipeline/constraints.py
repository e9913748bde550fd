"""The sentences in which a person sets a constraint: must, never, do not, always, only, make sure, without, ...

Found by the words, one sentence at a time: in English here, in German, French, Spanish, Chinese and Japanese by constraint_words.py. What
only describes the world (`it never works`, `it must have been`), questions, code and what others are quoted with set none. A sentence has
at most 1,200 characters, so that no text makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.pipeline import constraint_words
from app.pipeline.constraint_words import is_eastern

_LOOKED = 24_000  # characters of a message: what is longer was pasted, and a person's words stand before or behind it
_TAG: Final = re.compile(
    r"<(environment_details|environment_context|system-reminder|user_instructions|file_content|files|feedback|local-command-stdout|"
    r"command-message|uploaded_files|INSTRUCTIONS|document|documents|pr_description)\b[^<>]{0,200}>"
)
_ENDS: Final = re.compile(r"(?<=[.!?])\s+|\n+|;\s|(?<=[。！？；])")
_BULLET: Final = re.compile(r"^(?:[-*•>#\s]+|\(?\d{1,2}[.)]\s+)+")

_START: Final = r"(?:^|[,;:(–—]\s{0,3}|\s-\s|\b(?:and|but|please|so|also|just|then|or|again|kindly)\s+)"
_DO_NOT: Final = r"(?:do\s+not|don['’]?t)"
_SETS: Final = re.compile(
    "|".join((
        r"\b(?P<must>must(?:\s*not|n['’]?t)?|shall\s+not)\b",
        r"\b(?P<should>should\s*(?:not|n['’]?t)|should\s+(?:never|always|only))\b",
        r"\b(?P<never>never)\b",
        rf"{_START}(?P<do_not>{_DO_NOT})\s+(?!know|worry|hesitate|mind\b|think\b|understand|see\b|care\b|they\b|you\b|we\b|I\b|it\b)",
        rf"\bI\s+(?P<dont_want>{_DO_NOT}\s+want)\b",
        rf"(?<!\bif )(?<!\bas )(?<!\bwhen )(?<!\bsince )(?<!\bwhile )(?<!\buntil )(?<!\bunless )(?<!\bbecause )"
        rf"\b(?:you|it|we)\s+(?P<you_do_not>{_DO_NOT})\s+(?!have\b|need\b|know|mind\b|like\b|want\b|see\b|think\b|exist|work\b|get\b|seem)",
        rf"(?:{_START}|\b(?:you|to)\s+)(?P<always>always)\b",
        rf"(?:{_START}|\b(?:may|to|will)\s+)(?P<only>only)\s+(?!after\b|works?\b|\w+(?<!s)s\b)\w+",
        r"\b(?:use|change|touch|edit|write|answer|reply|return|include|send|read|run|modify|output|respond|work|accept|book|cancel|want|"
        r"consider)\s+(?:[\w'/.\-]+\s+){0,4}(?P<verb_only>only)\b",
        r"(?P<no_case>under\s+no\s+circumstances|no\s+more\s+than|at\s+most\b|(?:is|are)\s+(?:forbidden|prohibited|not\s+allowed)|"
        r"not\s+allowed\s+to|off[\s-]limits)",
        r"\b(?P<sure>make\s+sure|be\s+sure\s+to|ensure\s+(?:that|it|all|the|you))\b",
        rf"{_START}(?P<avoid>avoid)\s+\w+",
        rf"{_START}(?P<no>no)\s+(?!need\b|idea\b|problem\b|longer\b|worries\b|one\b|way\b|matter\b|doubt\b)(?:\w+\s+){{0,3}}\w+\s?!",
        r"\b(?P<without>without)\s+(?:changing|touching|modifying|using|breaking|asking|adding|removing|editing|installing|deleting)\b",
        r"\b(?P<not_use>not\s+(?:use|touch|change|modify|delete|send|edit|remove|cc|share|mention))\b",
    )),
    re.IGNORECASE,
)  # fmt: skip
_SAYS: Final = re.compile(  # what is told of the world and asks for nothing
    r"must\s+(?:have\s+(?:been|had|gone|\w+ed)\b|be\s+(?:a|an|some|something|why|because|missing|wrong)\b)|"
    r"\b(?:I|we|they|he|she|it|this|that|which|who|has|have|had|was|is|are|were|['’]ve|['’]s|gets?)\s+never\b|\bnever\s*mind\b|"
    r"\b(?:I|we|it)\s+(?:can|could)\s+only\b|\bonly\s+(?:one|thing|problem|issue|reason|difference|way|then|when\s+I)\b|"
    r"\bit\s+(?:does|do)\s*n['’]?t\b|\bcan\s+never\b|\bnever\s+\w+(?<!s)s\b|\bshould\s+always\s+(?:work|be)\b",
    re.IGNORECASE,
)
_NOT_SAID: Final = re.compile(  # code, and what others said
    r"^(?:assistant|system|ai|bot|tool)\s*:|^\[|^\d+:|\s[=!]?=\s|=>|[;{]$|\bself\.|^(?:def|class|import|from|return|if|for|while)\s.*[:(]",
    re.IGNORECASE,
)
_BLANKS: Final = re.compile(r"[\W_]+")


def constraints(text: str) -> list[tuple[str, str]]:
    """The sentences of a person's message that set a constraint, and the word that makes each one: `[("Never cc sales.", "never")]`."""
    found: list[tuple[str, str]] = []
    for sentence in _sentences(persons(text)):
        if sentence.endswith(("?", "？", "吗。", "吗", "呢", "か。")) or _NOT_SAID.search(sentence):
            continue
        mark = _mark(sentence) or constraint_words.mark(sentence)
        if mark:
            found.append((sentence, mark))
    return found


def _mark(sentence: str) -> str:
    """The English word that makes a sentence a constraint; "" where none does."""
    told = [span.span() for span in _SAYS.finditer(sentence)]
    for match in _SETS.finditer(sentence):
        if not any(match.start() < end and start < match.end() for start, end in told):
            return " ".join(next(value for value in match.groupdict().values() if value).lower().split())
    return ""


def persons(text: str) -> str:
    """A message without what programs put in, fenced code, and the middle of what is too long to be typed."""
    if len(text) > _LOOKED:
        text = f"{text[: _LOOKED // 2]}\n{text[-_LOOKED // 2 :]}"
    if "<" in text:
        text = _without_tags(text)
    return "\n".join(text.split("```")[::2]) if "```" in text else text


def _without_tags(text: str) -> str:
    """Without what stands between tags that programs write; one that is never closed is left."""
    parts: list[str] = []
    at, open_ended = 0, set[str]()
    while (found := _TAG.search(text, at)) is not None:
        end = -1 if found[1] in open_ended else text.find(close := f"</{found[1]}>", found.end())
        if end < 0:
            open_ended.add(found[1])
            parts.append(text[at : found.end()])
            at = found.end()
        else:
            parts.append(text[at : found.start()])
            at = end + len(close)
    return "\n".join([*parts, text[at:]])


def _sentences(text: str) -> Iterable[str]:
    for part in _ENDS.split(text):
        sentence = _BULLET.sub("", part).strip()
        if len(sentence) <= 1_200 and ((len(sentence) >= 8 and " " in sentence) or (len(sentence) >= 4 and is_eastern(sentence))):
            yield sentence


def clause(sentence: str, mark: str, most: int) -> str:
    """A sentence in one line, or what stands around the word that makes it a constraint where it is longer."""
    sentence = " ".join(sentence.split())
    if len(sentence) <= most:
        return sentence
    start = max(0, min(sentence.lower().find(mark) - most // 3, len(sentence) - most))
    start = 0 if start < 8 else start
    return ("…" if start else "") + sentence[start : start + most].strip() + ("…" if start + most < len(sentence) else "")


def folded(text: str) -> str:
    """Letters and digits alone, in one case: two sentences that say the same are the same."""
    return _BLANKS.sub(" ", text.casefold()).strip()
