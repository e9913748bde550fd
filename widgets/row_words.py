"""What the rows of the list say: made when a row comes into view, kept until the rows, findings or counts are new."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.state import Ghost
from widgets.block_heads import HEAD, UNREAD, BlockHeads, Head
from widgets.exchange_facts import Facts, Outcome, Pip
from widgets.exchange_tree import BLOCK, EXCHANGE, STEP, Entity
from widgets.row_look import OUTCOMES, SHORT_WORDS, SIGNS, Chip, Look, Piece
from widgets.step_words import StepWords
from widgets.visible import line
from widgets.words import counted

KEPT = 4096  # looks that are remembered


class RowWords(StepWords):
    """Looks by row. `forget` when findings, tokens or contents are new."""

    def __init__(self, facts: Facts, heads: BlockHeads) -> None:
        super().__init__(facts, heads)
        self._kept: dict[Entity, Look] = {}

    def forget(self) -> None:
        self._kept.clear()

    def knows(self, entity: Entity) -> bool:
        """Whether a look is kept, so that nothing has to be read for it."""
        return entity in self._kept

    def look(self, entity: Entity) -> Look:
        found = self._kept.get(entity)
        if found is None:
            if len(self._kept) > KEPT:
                self._kept.clear()
            found = {EXCHANGE: self._exchange, STEP: self._step, BLOCK: self._block}[entity.kind](entity)
            if not self.heads.starved:  # else some of it may not have been read yet
                self._kept[entity] = found
        return found

    def ghost(self, ghost: Ghost) -> Look:
        """The row of a block that is not there yet."""
        sign, _ = SIGNS.get(Kind(ghost.kind), ("box", "system"))
        number = self.facts.number_of(ghost.call_position) if ghost.call_position >= 0 else 0
        return Look(
            sign=sign, sign_colour="green", word=SHORT_WORDS[Kind(ghost.kind)], word_colour="green",
            pieces=(Piece(line(ghost.text, HEAD), "italic", "green"),), chip=Chip(number, "", "green") if number else None,
            tokens=ghost.tokens,
        )  # fmt: skip

    # -- exchanges -------------------------------------------------------------------------------------------------------------

    def _exchange(self, entity: Entity) -> Look:
        facts, tree = self.facts, self.facts.tree
        first, end = facts.span(entity)
        exchange = int(tree.top_exchange[entity.top])
        if exchange < 0:
            return self._beside(entity, first, end)
        position = int(tree.head[entity.top])
        head = self.head(position)
        outcome = self._outcome(entity.top)
        sign, word, colour = OUTCOMES[outcome]
        if outcome == Outcome.REFUSED:
            word = self._refused(exchange, first, end)
        asked = facts.requests(entity.top)
        return Look(
            self._view.groups.label(exchange), *self._speaker(position), word, sign, colour, self._prompt(exchange, position, head),
            self._dearest(first, end) if asked > 1 else "", f"{asked:,} req" if asked else "", facts.pips(first, end),
            tokens=facts.tokens(first, end), counted=facts.counted, guessed=facts.guessed(first, end), found=facts.found(first, end),
            unsent=end <= self._view.start, outcome=outcome,
        )  # fmt: skip

    def _beside(self, entity: Entity, first: int, end: int) -> Look:
        """What stands beside the messages: system text and tool definitions."""
        facts, kinds = self.facts, self._view.kind[first:end]
        tools = int((kinds == Kind.TOOLS).sum())
        parts = ["system text"] if tools < end - first else []
        parts += [counted(tools, "tool definition")] if tools else []
        return Look("–", "box", "system", pieces=(Piece(" and ".join(parts), "ui", "ink_soft"),), tokens=facts.tokens(first, end),
                    counted=facts.counted, guessed=facts.guessed(first, end), found=facts.found(first, end))  # fmt: skip

    def _speaker(self, position: int) -> tuple[str, str]:
        """Sign and colour of who opened an exchange; before the first prompt nobody did."""
        view = self._view
        return ("square", "user") if view.role[position] == Role.USER and view.kind[position] != Kind.TOOL_RESULT else ("box", "system")

    def _prompt(self, exchange: int, position: int, head: Head) -> tuple[Piece, ...]:
        kind, flags = int(self._view.kind[position]), int(self._view.flags[position])
        if head.failed:
            return (Piece(head.text, "ui", "error"),)
        if flags & Flag.SUMMARY:
            return (Piece("summary ", "ui", "ink_soft"), Piece(head.text, "bold"))
        if kind == Kind.TEXT and self._view.role[position] == Role.USER:
            return (Piece(head.text, "bold") if head.text or head is UNREAD else Piece("(empty)", "ui", "ink_soft"),)
        if kind == Kind.MEDIA:
            return (Piece(head.media or "(an image or a document)", "ui", "ink_soft"),)
        before = exchange == 0 and self._view.groups.zero
        words = Piece("(no content)", "ui", "ink_soft") if kind == Kind.EMPTY else Piece(head.text, "ui", "ink")
        return (Piece("before the first prompt  ", "ui", "ink_soft"), words) if before else (words,)

    def _outcome(self, top: int) -> Outcome:
        found, at = self.facts.outcome(top), self.facts.interruption(top)
        if found in (Outcome.OPEN, Outcome.ANSWERED) and at >= 0 and self.head(at).text.startswith("[Request interrupted"):
            return Outcome.INTERRUPTED
        return found

    def _refused(self, exchange: int, first: int, end: int) -> str:
        times = int(self._view.groups.refused[exchange])
        here = [r.status for r in self._view.transcript.refusals if r.status and first <= self._view.at(r.after) < end]
        status = str(Counter(here).most_common(1)[0][0]) if here else "refused"
        return f"{status} ×{times}" if times > 1 else status

    def _dearest(self, first: int, end: int) -> str:
        """The tool whose results cost most."""
        view = self._view
        results = first + np.flatnonzero(view.kind[first:end] == Kind.TOOL_RESULT)
        results = results[self.facts.partner[results] >= 0]
        if not len(results):
            return ""
        name = view.name[self.facts.partner[results]]
        cost = view.tokens[results] if view.tokens is not None else view.size[results]
        known = name >= 0
        if not known.any():
            return ""
        return line(self._table.names[int(np.argmax(np.bincount(name[known], cost[known])))], 60)

    # -- blocks ----------------------------------------------------------------------------------------------------------------

    def _block(self, entity: Entity) -> Look:
        facts, view, at = self.facts, self._view, entity.position
        kind, flags, role = Kind(int(view.kind[at])), int(view.flags[at]), int(view.role[at])
        head = self.head(at)
        sign, colour = SIGNS.get(kind, ("box", "system"))
        word = SHORT_WORDS[kind]
        if kind == Kind.TEXT and role != Role.ASSISTANT:
            typed = role == Role.USER and not flags & Flag.INJECTED
            sign, colour = ("square", "user") if typed else ("box", "system")
            word = "user" if typed else "note" if role == Role.USER else Role(role).name.lower()
        return Look(
            "", sign, colour, word, "", colour, self._content(at, kind, flags, head), self._again(at) if kind == Kind.TOOL_CALL else "",
            chip=self._chip(at), tokens=facts.own(at), counted=facts.counted, guessed=facts.guessed(at, at + 1),
            bar_colour="tool_result" if kind == Kind.TOOL_RESULT else "bar", found=facts.found(at, at + 1), unsent=at < view.start,
        )  # fmt: skip

    def _content(self, at: int, kind: Kind, flags: int, head: Head) -> tuple[Piece, ...]:
        if head.failed:
            return (Piece(head.text, "ui", "error"),)
        if kind == Kind.TOOL_CALL:
            return (Piece(f"{self._name(at, head)}  ", "mono"), Piece(head.text, "mono", "ink_soft"))
        pieces: list[Piece] = []
        if kind == Kind.TOOL_RESULT and self.facts.pip[at]:
            pieces.append(Piece(f"{short_id(head.call_id) or ('…' if head.unread else '(no id)')}  ", "mono", "ink"))
        if kind == Kind.TOOLS and head.name:
            pieces.append(Piece(f"{head.name}  ", "mono"))
        if head.error:
            pieces.append(Piece("error  ", "ui", "warning"))  # the tool's own; red is for what a provider refuses
        if flags & Flag.REDACTED:
            pieces.append(Piece("encrypted", "ui", "ink_soft"))
        elif head.text or head is UNREAD:
            pieces.append(Piece(head.text, "mono", "ink_soft" if kind in (Kind.REASONING, Kind.TOOLS) else "ink"))
        elif not head.media:
            pieces.append(Piece("(no content)" if kind == Kind.EMPTY else "(empty)", "ui", "ink_soft"))
        if head.media:
            pieces.append(Piece(f"  {head.media}" if pieces else head.media, "ui", "ink_soft"))
        return tuple(pieces)

    def _chip(self, at: int) -> Chip | None:
        number = self.facts.number_of(at)
        if not number:
            return None
        pip, partner = int(self.facts.pip[at]), int(self.facts.partner[at])
        if pip == Pip.MISSING:
            return Chip(number, "no result", self._weight(at))
        if pip == Pip.ORPHAN:
            return Chip(number, "no call", self._weight(at))
        if pip == Pip.SURPLUS:
            return Chip(number, "once more", self._weight(at))
        if pip == Pip.ELSEWHERE:
            return Chip(number, f"in {self._place(partner, at)}", "warning")
        if not pip and partner >= 0 and self.facts.pip[partner] == Pip.ELSEWHERE:
            return Chip(number, f"of {self._place(partner, at)}", "warning")
        return Chip(number)


def short_id(id: str | None) -> str:
    """`toolu_01S…VnN7`: ids differ at their ends."""
    text = id or ""
    return text if len(text) <= 16 else f"{text[:9]}…{text[-4:]}"
