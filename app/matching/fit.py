"""How well an error text fits a wording: words in the order in which they stand, the rare ones weighing more, whatever varies left out.

A text that was cut off, or has an ellipsis in it, is compared with as much of the wording as it holds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Final

from app.matching.wording import WORDINGS, Wording

CUT = "…"  # a word of its own: here something was left out
ENOUGH: Final = 0.62  # share of a wording's weight that a text must hold
LEAST: Final = 5.0  # weight that must be there at least: two telling words
WORTH: Final = 0.3  # share of it without which nothing is compared
LOOSE: Final = 0.2  # what is missing where the text was cut counts this much
FRAGMENT: Final = 3  # letters of a word that was cut in two
FEW: Final = 3  # words that must fit where a text was cut off
NEAR: Final = 0.45  # of the best score: what fits less well than this is left out
ANCHORS: Final = 3  # the rarest words of a wording, around which a long text is looked at
TIMES: Final = 24  # so often each

_HOLES = re.compile(r"\{[^{}]*\}|<[^<>]{1,40}>|\.\.\.|\[\.\.\.\]|…")
_MASKS = re.compile(r"[<{](?:the )?[a-z_ ]{1,24}[>}]")  # what a person put in place of an id
_WORD = re.compile(r"\.{3,}|…|[^\W\d_](?:[\w]*[^\W_])?|_[a-z]\w*", re.UNICODE)
_LETTERS = re.compile(r"[^\W\d]")


@dataclass(frozen=True)
class Word:
    """`cut`: 1 where the text is cut off behind it, so that it may be half a word, -1 where before it."""

    text: str
    start: int
    end: int
    cut: int = 0


@dataclass(frozen=True)
class Fit:
    """A wording that a text fits. `score`: weight that is there, less for what is missing; `start`, `end`: where in the plain text."""

    wording: Wording
    score: float
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a plain text; numbers, ids (words with a digit in them) and single letters are none."""
    found = []
    text = _MASKS.sub(lambda mask: " " * len(mask[0]), text)
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word[0] in ".…":
            found.append(Word(CUT, match.start(), match.end()))
        elif len(word) > 1 and not any(letter.isdigit() for letter in word):
            found.append(Word(word, match.start(), match.end()))
    for number, cut in enumerate(found):
        if number == len(found) - 1 or found[number + 1].text == CUT:
            found[number] = replace(cut, cut=1)
        elif number == 0 or found[number - 1].text == CUT:
            found[number] = replace(cut, cut=-1)
    return found


def _same(said: Word, word: str) -> bool:
    """Whether a word of a text is a word of a wording, or what is left of it."""
    if said.text == word:
        return True
    if not said.cut or len(said.text) < FRAGMENT:
        return False
    return word.startswith(said.text) if said.cut > 0 else word.endswith(said.text)


@dataclass(frozen=True)
class _Pattern:
    wording: Wording
    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float


@lru_cache(maxsize=4)
def _patterns(wordings: tuple[Wording, ...]) -> tuple[_Pattern, ...]:
    said: dict[tuple[str, ...], list[Wording]] = defaultdict(list)
    for wording in wordings:
        for text in wording.texts:
            said[tuple(word.text for word in words(_HOLES.sub(" ", text)))].append(wording)
    often = Counter(word for pattern in said for word in set(pattern))
    rare = {word: log(1 + len(said) / count) for word, count in often.items()}
    return tuple(
        _Pattern(wording, pattern, tuple(rare[word] for word in pattern), sum(rare[word] for word in pattern))
        for pattern, meant in said.items()
        if pattern
        for wording in meant
    )


def fits(text: str, wordings: tuple[Wording, ...] = WORDINGS) -> list[Fit]:
    """The wordings that a plain text fits, best first, one fit each."""
    heard = words(text)
    places: dict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(heard):
        places[word.text].append(number)
    best: dict[int, Fit] = {}
    seen: dict[tuple[str, ...], Fit | None] = {}
    for pattern in _patterns(wordings):
        if pattern.words not in seen:
            seen[pattern.words] = _fit(pattern, heard, places)
        found = seen[pattern.words]
        if found is None:
            continue
        known = best.get(id(pattern.wording))
        if known is None or found.score > known.score:
            best[id(pattern.wording)] = Fit(pattern.wording, found.score, found.start, found.end)
    ranked = sorted(best.values(), key=lambda fit: -fit.score)
    return [fit for fit in ranked if fit.score >= NEAR * ranked[0].score]


def _fit(pattern: _Pattern, heard: Sequence[Word], places: dict[str, list[int]]) -> Fit | None:
    there = sum(weight for word, weight in zip(pattern.words, pattern.weights, strict=True) if word in places)
    if there < min(LEAST, 0.95 * pattern.total) or there < WORTH * pattern.total:
        return None
    best: Fit | None = None
    for first, last in _windows(pattern, len(heard), places):
        found = _aligned(pattern, heard, first, last)
        if found is not None and (best is None or found.score > best.score):
            best = found
    return best


def _windows(pattern: _Pattern, size: int, places: dict[str, list[int]]) -> Iterator[tuple[int, int]]:
    """Stretches of the text around the rarest words of a wording."""
    reach = len(pattern.words) + 12
    if size <= 2 * reach:
        yield 0, size
        return
    present = [(weight, word) for word, weight in zip(pattern.words, pattern.weights, strict=True) if word in places]
    done = -1
    around = sorted({at for _, word in sorted(set(present), reverse=True)[:ANCHORS] for at in places[word][:TIMES]})
    for at in around:
        if at > done:
            yield max(0, at - reach), min(size, at + 2 * reach)
            done = at + reach // 2


def _aligned(pattern: _Pattern, heard: Sequence[Word], first: int, last: int) -> Fit | None:
    """The heaviest run of a wording's words that stand in the window in their order."""
    known = set(pattern.words)
    at = [number for number in range(first, last) if heard[number].text in known or heard[number].cut]
    if not at:
        return None
    rows, columns = len(pattern.words), len(at)
    weight = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        word, here, row, below = pattern.words[i], pattern.weights[i], weight[i], weight[i + 1]
        for j in range(columns - 1, -1, -1):
            taken = below[j + 1] + here if _same(heard[at[j]], word) else 0.0
            row[j] = max(taken, below[j], row[j + 1])
    matched: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if _same(heard[at[j]], pattern.words[i]) and weight[i][j] == weight[i + 1][j + 1] + pattern.weights[i]:
            matched.append((i, at[j]))
            i, j = i + 1, j + 1
        elif weight[i][j] == weight[i + 1][j]:
            i += 1
        else:
            j += 1
    return _scored(pattern, heard, matched)


def _scored(pattern: _Pattern, heard: Sequence[Word], matched: Sequence[tuple[int, int]]) -> Fit | None:
    if not matched:
        return None
    there = sum(pattern.weights[i] for i, _ in matched)
    (head, begin), (tail, end) = matched[0], matched[-1]
    missing = pattern.total - there
    loose = 0.0
    if begin == 0 or heard[begin - 1].text == CUT:
        loose += sum(pattern.weights[:head])
    if end == len(heard) - 1 or heard[end + 1].text == CUT:
        loose += sum(pattern.weights[tail + 1 :])
    if any(word.text == CUT for word in heard[begin:end]):  # something was left out in the middle
        inside = {i for i, _ in matched}
        loose += sum(weight for i, weight in enumerate(pattern.weights) if head < i < tail and i not in inside)
    share = there / (there + (missing - loose) + LOOSE * loose)
    if share < ENOUGH or there < min(LEAST, pattern.total * 0.95) or (loose and len(matched) < FEW):
        return None
    scattered = (end - begin + 1) / max(1, len(matched))
    tight = 1.0 if scattered <= 2 else 2 / scattered
    return Fit(pattern.wording, there * share**3 * tight, heard[begin].start, heard[end].end)
