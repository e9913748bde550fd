"""Counters: how many tokens a text, a block, a table has.

What is counted of a block: text and readable reasoning as they are; a call's name and its arguments; a result's text parts one by
one; system text; tool definitions and other blocks as compact JSON. Not counted: ids, signatures, encrypted content, base64. Each
call adds the provider's overhead for a call, each image what the provider takes for one of its size. A message's overhead stands on
none of its blocks (app/pipeline/count.py).

A text with an unpaired surrogate has no UTF-8. tiktoken counts U+FFFD in its place and joins surrogates that make a pair
(`Encoding.encode_ordinary`), and so do we.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Final

from app.model.block import Block
from app.model.errors import InspectorError
from app.model.kinds import Kind
from app.model.provider import Provider
from app.tokens.vocabulary import VOCABULARIES, encoding

SUMMARIES: Final = {
    "o200k_base": "tiktoken's vocabulary of GPT-4o and later; shipped, never downloaded",
    "cl100k_base": "tiktoken's vocabulary of GPT-4 and GPT-3.5; shipped, never downloaded",
    "chars/4": "characters of a block divided by 4, rounded up",
}

# Above a million characters of white space in a row tiktoken's splitter overflows its stack and raises a BaseException
# (measured with 0.14.0 on both vocabularies). Runs are cut well below that; such a count is a few tokens from what it might be.
LONGEST_BLANK: Final = 500_000
_BLANKS: Final = re.compile(rf"\s{{{LONGEST_BLANK},}}")


class Counter:
    """Counts tokens. Use one from one thread only: tiktoken's splitter is markedly slower in any thread but the first that used it."""

    def __init__(self, name: str, count: Callable[[str], int], *, by_characters: bool = False) -> None:
        self.name = name
        self.summary = SUMMARIES[name]
        self.count = count
        self.by_characters = by_characters
        self.word = lru_cache(8192)(count)  # names of tools and the few texts that stand in many blocks

    def __call__(self, text: str) -> int:
        return self.count(text)

    def texts(self, texts: Iterable[str]) -> int:
        """Tokens of a block's texts: each counted by itself, but by characters all together."""
        if self.by_characters:
            return _quarter(sum(map(len, texts)))
        return sum(map(self.count, texts))

    def block(self, block: Block, provider: Provider) -> int:
        """A block's own tokens: its texts, its name and overhead where it is a call, its images."""
        if block.kind == Kind.TOOL_CALL:
            name = block.name or ""
            own = self.texts((name, *block.texts)) if self.by_characters else self.word(name) + self.texts(block.texts)
            return own + provider.overhead.call
        own = self.texts(block.texts)
        for media in block.media:
            own += provider.image_tokens(media.width, media.height)
        return own


@cache
def counter(name: str) -> Counter:
    """The counter of that name, loaded once a process. Raises InspectorError where there is none."""
    if name == "chars/4":
        return Counter(name, lambda text: _quarter(len(text)), by_characters=True)
    if name not in VOCABULARIES:
        raise InspectorError(f"no counter is called {name!r}; there are {', '.join(SUMMARIES)}")
    return Counter(name, _bpe(name))


def _quarter(characters: int) -> int:
    return -(-characters // 4)


def _bpe(name: str) -> Callable[[str], int]:
    found = encoding(name)
    encode = found.encode_ordinary  # never `encode`: it raises on a literal "<|endoftext|>"
    width = 4  # bytes of a token in a buffer
    core = getattr(getattr(found, "_core_bpe", None), "encode_to_tiktoken_buffer", None)
    nothing: set[str] = set()  # no text is taken for a special token

    def count(text: str) -> int:
        if len(text) > LONGEST_BLANK and _BLANKS.search(text):
            return sum(len(encode(part)) for part in split(text))
        return len(encode(text))

    def count_buffer(text: str) -> int:
        """The same without a Python list of a token each (7 % less CPU): what `Encoding.encode_to_numpy` is made of."""
        if len(text) > LONGEST_BLANK and _BLANKS.search(text):
            return sum(len(encode(part)) for part in split(text))
        try:
            return memoryview(core(text, nothing)).nbytes // width  # type: ignore[misc]
        except UnicodeEncodeError:  # an unpaired surrogate
            return len(encode(text))

    return count if core is None else count_buffer


def split(text: str, longest: int = LONGEST_BLANK) -> list[str]:
    """The text in parts, none of which holds a run of white space longer than `longest`."""
    parts: list[str] = []
    start = 0
    runs = _BLANKS if longest == LONGEST_BLANK else re.compile(rf"\s{{{longest},}}")
    for run in runs.finditer(text):
        for cut in range(run.start() + longest, run.end() + 1, longest):
            parts.append(text[start:cut])
            start = cut
    parts.append(text[start:])
    return parts
