"""What a wording is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """One thing that a provider says. `rules`: all that it may mean, the usual one first: providers have fewer texts than there are
    defects. `texts`: the spellings that were seen; a part in braces, `<…>` or `…` stands for what varies, numbers and ids vary anyway.
    `source`: where it was seen.
    """

    provider: str
    rules: tuple[str, ...]
    texts: tuple[str, ...]
    source: str
