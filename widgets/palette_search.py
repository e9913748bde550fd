"""How well what is typed fits a line: each word of it somewhere, at the beginnings of words rather than inside. No Qt."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_WHOLE, _START, _INSIDE, _LETTERS = 100, 80, 50, 20  # a word itself, the beginning of one, its middle, letters in their order
_IN_ORDER = 25


def score(asked: str, line: str) -> int | None:
    """How well a line fits, the more the better; None where a word of what is asked is nowhere in it, not even as letters in order."""
    line = line.lower()
    starts = [(found.start(), found.group()) for found in _WORD.finditer(line)]
    words = asked.lower().split()
    total = 0
    for word in words:
        found = _score_word(word, line, starts)
        if found is None:
            return None
        total += found
    return total + (_IN_ORDER if len(words) > 1 and re.search(".*".join(map(re.escape, words)), line) else 0)


def _score_word(word: str, line: str, starts: list[tuple[int, str]]) -> int | None:
    for at, there in starts:
        if line.startswith(word, at):
            return (_WHOLE if there == word else _START) - min(at, 19)
    if word in line:
        return _INSIDE - min(line.index(word), 19)
    return _LETTERS if _initials(word, [there for _, there in starts]) else None


def _initials(word: str, words: list[str]) -> bool:
    """Whether the letters stand in this order at the beginnings of words, several of one word where they go on: `pre` `nf` of
    `next finding`; letters strewn over the middles of words fit everything and are no match."""
    if not word:
        return True
    return any(
        _initials(word[taken:], words[number + 1 :])
        for number, there in enumerate(words)
        for taken in range(_common(word, there), 0, -1)
    )


def _common(word: str, there: str) -> int:
    count = 0
    for mine, its in zip(word, there, strict=False):
        if mine != its:
            break
        count += 1
    return count
