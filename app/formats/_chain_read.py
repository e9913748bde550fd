"""A log whose records name the one before them, read: what is said of records line by line, and the conversations that come of it."""

from __future__ import annotations

from app.formats._chains import Chain, Tree, filled
from app.formats._logs import Conversation, Sheet
from app.model.dump import Dump
from app.model.table import Ints
from app.model.transcript import Refusal, Wall


class ChainReading:
    """By record: `models` named, `titles` given, `refused` (status and words), `walls` (tokens before and after). `sessions`: the ids of
    the sessions in the file."""

    def __init__(self, sheet: Sheet, tree: Tree) -> None:
        self.sheet, self.tree = sheet, tree
        self.models: dict[int, str] = {}
        self.titles: dict[int, str] = {}
        self.refused: dict[int, tuple[int | None, str]] = {}
        self.walls: dict[int, tuple[int | None, int | None]] = {}
        self.sessions: list[str] = []

    def parted(self, records: list[int]) -> tuple[list[int], list[int]]:
        """A line of talk as its model sees it: what it sees no more, and what is sent. Here: what stands behind the last wall."""
        at = next((i for i in range(len(records) - 1, -1, -1) if records[i] in self.walls), 0)
        return records[:at], records[at:]

    def dump(self, complete: bool) -> Dump:
        """The dump, once all lines are read."""
        sheet = self.sheet
        first, count = sheet.spans()
        says = count > 0
        says[list(self.refused)] = True
        chains, owner, merged = self.tree.chains(says)
        names = self._names(chains)
        for chain, name in zip(chains, names, strict=True):
            self._told(sheet.conversation(name), chain, names, first, count)
        if not chains:
            sheet.conversation("main", why="nothing in this file was said to a model or by it")
            owner[:] = 0
        if merged:
            sheet.whys.append("more branches than can be told apart; all of them are shown as one conversation, in the order of the file")
        branches = sum(chain.parent >= 0 for chain in chains)
        if branches:
            sheet.whys.append(f"{branches} branch{'es' if branches > 1 else ''} beside the line of the last entry")
        last = max((chain.group for chain in chains), default=0)
        opened = next((i for i, chain in enumerate(chains) if chain.group == last), 0)
        return sheet.dump(complete, opened=opened, owner=filled(owner))

    def _names(self, chains: list[Chain]) -> list[str]:
        """Stable names: `main` for the only session, else by its id; branches by the entry that begins them."""
        found: list[str] = []
        mains: dict[int, str] = {}
        for chain in chains:
            if chain.group not in mains:
                id = self.sessions[chain.group] if chain.group < len(self.sessions) else ""
                name = "main" if self.tree.groups < 2 else f"session-{id[:8] or chain.group}"
                mains[chain.group] = name
            else:
                begins = chain.records[chain.shared]
                name = f"branch-{(self.tree.names[begins] or str(begins))[-12:]}"
            found.append(name if name not in found else f"{name}-{len(found)}")
        return found

    def _told(self, told: Conversation, chain: Chain, names: list[str], first: Ints, count: Ints) -> None:
        """One conversation: its rows in order, walls, refusals, model and title."""
        gone, sent = self.parted(chain.records)
        for part in (gone, sent):
            for record in part:
                if count[record]:
                    told.rows.extend(range(int(first[record]), int(first[record] + count[record])))
                    told.messages += 1
            if part is gone:
                told.start = len(told.rows)
        row = -1
        for number, record in enumerate(chain.records):
            if count[record]:
                row = int(first[record] + count[record] - 1)
            if record in self.refused and number >= (chain.shared if chain.parent >= 0 else 0):
                told.refusals.append(Refusal(record, row, *self.refused[record]))
            if record in self.walls:
                behind = next((r for r in chain.records[number:] if count[r]), -1)
                told.walls.append(Wall(int(first[behind]) if behind >= 0 else -1, record, *self.walls[record]))
            told.model = self.models.get(record, told.model)
            told.title = self.titles.get(record, told.title)
        if chain.parent >= 0:
            told.forks_from, told.shared = names[chain.parent], chain.shared
            told.why = f"leaves {told.forks_from} after {chain.shared} shared records"
        elif names.index(told.id) and chain.group == 0:
            told.why = "begins anew, beside what stands before it"
