"""A text before and after, line by line and word by word; bounded, whatever is compared. Strings in, strings out; no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.model.align import Run, align, common_ends
from widgets.block_text import Shown, Tag
from widgets.visible import marked

MOST = 400_000  # characters of either side that are compared
LINES = 4_000  # lines that are shown
PAIRS = 300  # lines of one change that are compared word by word
LONG = 1_500  # characters of a line that are shown
NEAR = 3  # lines that are shown on either side of what changed
AROUND = 120  # characters that are shown on either side of it in a long line
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_SIGNS: dict[Tag, str] = {"same": "  ", "gone": "− ", "new": "+ ", "said": "  "}


def diff_of(before: Iterable[str], after: Iterable[str] | None, title: str) -> Shown:
    """What goes, what comes, the words of both marked; runs that are the same are shortened. `after` None: all of it goes."""
    page = _Page(title)
    sides = tuple(before)
    old_text = "\n".join(sides)
    if after is None:
        for line in old_text[:MOST].split("\n")[:LINES]:
            page.line("gone", line[:LONG])
        return page.shown(max(0, len(old_text) - MOST))
    new_text = "\n".join(after)
    old, new = old_text[:MOST].split("\n") if sides else [], new_text[:MOST].split("\n")
    numbers: dict[str, int] = {}
    runs = align([numbers.setdefault(x, len(numbers)) for x in old], [numbers.setdefault(x, len(numbers)) for x in new])
    end_a = end_b = 0
    for run in [*runs, Run(len(old), len(new), 0)]:
        if page.full:
            break
        changed = run.a > end_a or run.b > end_b
        page.changed(old[end_a : run.a], new[end_b : run.b])
        last = run.a + run.length == len(old) and run.b + run.length == len(new)
        page.same(old[run.a : run.a + run.length], first=not changed and run.a == 0, last=last)
        end_a, end_b = run.a + run.length, run.b + run.length
    if page.plain and sides:
        page.said("The words are the same.")
    return page.shown(max(0, len(old_text) - MOST, len(new_text) - MOST))


class _Page:
    """The lines as they come."""

    def __init__(self, title: str) -> None:
        self._tags: list[tuple[Tag, str]] = []
        self._words: list[tuple[int, int, Tag]] = []
        self._at = 0
        self.plain = True
        self.said(title)

    @property
    def full(self) -> bool:
        return len(self._tags) >= LINES

    def said(self, words: str) -> None:
        self._put("said", words)

    def line(self, tag: Tag, line: str, words: Iterable[tuple[int, int]] = ()) -> None:
        """`words`: stretches of the line as it is shown."""
        self.plain = self.plain and tag == "same"
        shown = marked(line)[0]
        start = self._at + len(_SIGNS[tag])
        self._words += [(start + at, length, tag) for at, length in words if at + length <= len(shown)]
        self._put(tag, shown)

    def _put(self, tag: Tag, shown: str) -> None:
        whole = _SIGNS[tag] + shown.replace("\n", " ")
        self._tags.append((tag, whole))
        self._at += len(whole) + 1

    def same(self, lines: list[str], first: bool, last: bool) -> None:
        """A run that both have: its ends, where something changed beside them."""
        head = [] if first else lines[:NEAR]
        tail = [] if last else lines[max(len(head), len(lines) - NEAR) :]
        for line in head:
            self.line("same", line[:LONG])
        left = len(lines) - len(head) - len(tail)
        if left:
            self.said(f"… {left:,} {'line' if left == 1 else 'lines'} the same")
        for line in tail:
            self.line("same", line[:LONG])

    def changed(self, old: list[str], new: list[str]) -> None:
        paired = min(len(old), len(new), PAIRS)
        both = [_pair(old[i], new[i]) for i in range(paired)]
        for i, line in enumerate(old[: LINES - len(self._tags)]):
            self.line("gone", *(both[i][0] if i < paired else (line[:LONG], ())))
        for i, line in enumerate(new[: max(0, LINES - len(self._tags))]):
            self.line("new", *(both[i][1] if i < paired else (line[:LONG], ())))

    def shown(self, left: int) -> Shown:
        if left or self.full:
            self.said(f"… {left:,} more characters are not compared" if left else "… more lines are not shown")
        return Shown("\n".join(line for _, line in self._tags), tags=tuple(self._tags), words=tuple(self._words))


Side = tuple[str, list[tuple[int, int]]]


def _pair(old: str, new: str) -> tuple[Side, Side]:
    """Two lines that stand for one another: where they differ, cut to what is around that, with the words that differ."""
    head, tail = common_ends(old, new)
    skip = head - AROUND if head > 2 * AROUND else 0
    sides = [line[skip : len(line) - max(0, tail - AROUND)] for line in (old, new)]
    lead = f"… {skip:,} characters the same … " if skip else ""
    shown = [lead + marked(side[:LONG])[0] for side in sides]
    words = [list(_WORDS.finditer(side)) for side in shown]
    if not head and not tail and min(map(len, words)) < 2:
        return (shown[0], []), (shown[1], [])
    numbers: dict[str, int] = {}
    runs = align(*([numbers.setdefault(word.group(), len(numbers)) for word in side] for side in words))
    if sum(run.length for run in runs) * 4 < min(map(len, words)):  # two other lines altogether
        return (shown[0], []), (shown[1], [])
    spans = [list(_gaps(side, [(run[at], run.length) for run in runs])) for at, side in enumerate(words)]
    return (shown[0], spans[0]), (shown[1], spans[1])


def _gaps(words: list[re.Match[str]], kept: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches of a line that no kept run of words covers."""
    end = 0
    for start, length in [*kept, (len(words), 0)]:
        if start > end:
            yield words[end].start(), words[start - 1].end() - words[end].start()
        end = start + length
