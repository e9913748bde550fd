"""Two requests that a dump holds, of which the second does not go on from the first: what changed between them, and what would do that."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reproduced:
    """`before`, `after`: the two requests, in words. `row`: the first place that changed, -1 where nothing stands there any more.
    `dropped`, `replaced`, `added`: blocks that went, got another content, or were put in. `by`: what turns the one into the other,
    each a strategy with its cut in words; none where nothing here does. `near`: then the strategy that comes nearest, and how many
    blocks it treats otherwise."""

    before: str
    after: str
    row: int
    dropped: int
    replaced: int
    added: int
    by: tuple[str, ...] = ()
    near: str = ""

    @property
    def words(self) -> str:
        """One sentence."""
        done = ((self.dropped, "dropped"), (self.replaced, "shortened"), (self.added, "put in"))
        did = ", ".join(f"{number:,} {word}" for number, word in done if number)
        what = f"{self.after} is {self.before} with blocks {did or 'in another order'}"
        if self.by:
            others = f" (so do {', '.join(self.by[1:])})" if len(self.by) > 1 else ""
            return f"{what}: {self.by[0]} reproduces it{others}"
        return f"{what}: nothing here reproduces it" + (f"; nearest is {self.near}" if self.near else "")
