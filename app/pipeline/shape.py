"""*Shape only*: a dump whose contents are replaced by fillers, all else as it was, and proved to be judged the same.

The file is rewritten in place, string by string (app/pipeline/contents.py says which): structure, sizes in characters, times, counts and
findings stay, ids are renamed consistently and keep their format. What was written is read again; where a block has another kind, role,
size or message, a call another partner, or a rule another place, nothing is written at all. A file that is not JSON through and through
(a Markdown log, a database, a broken line) is refused, or its broken lines become fillers that are broken as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.model.dump import Dump
from app.model.errors import RefusedError, UnreadableError
from app.model.evidence import Filled
from app.model.findings import Mode
from app.model.kinds import Kind
from app.model.provider import Provider
from app.model.source import Source
from app.pipeline.archived import documents, is_json, opens_as, put_back, whole
from app.pipeline.contents import Contents
from app.pipeline.filler import Filler
from app.pipeline.json_strings import rewritten

Progress = Callable[[float], None]
BROKEN_LINE = b"x"  # what a line that is no JSON is filled with: it is still none
PIECE = 1 << 20


@dataclass(frozen=True, eq=False)
class Shape:
    """The bytes of a dump without its contents, the dump that they are read as, and how much was filled."""

    data: bytes
    again: Dump
    texts: int
    numbers: int
    ids: int
    changed: tuple[str, ...] = ()  # rules of no error that a tool's old name brought, or its new one brings


def shape(dump: Dump, provider: Provider, model: str | None, mode: Mode, keep_tools: bool = True, key: bytes | None = None,
          progress: Progress | None = None) -> Shape:  # fmt: skip
    """A dump without its contents. RefusedError where it cannot be made so that it is judged the same; then with the reason.

    `keep_tools`: names of tools stay as they are. `key`: what fillers depend on, None one that is thrown away.
    """
    require_json(dump)
    tools, ids = tools_of(dump), ids_of(dump)
    models = frozenset(dump.table.models) | {m for t in dump.transcripts if (m := t.model)}
    name = Path(dump.source.name).name
    known = opens_as(whole(dump), name) == dump.format  # so is what is made of it
    why = ""
    for loose in (False, True):
        visitor = Contents(Filler(key), ids, tools, models, keep_tools, loose)
        data = put_back(dump, list(filled(dump, visitor, progress)), rename=True)
        try:
            again = reread(dump, data)
        except UnreadableError as error:
            why = why or str(error)
            continue
        if known and (found := opens_as(data, name)) != dump.format:
            why = why or f"it would be opened as {found or 'nothing that is known'}"
            continue
        changed: set[str] = set()
        differs = unlike(dump, again, provider, model, mode, None if keep_tools else changed)
        if differs is None:
            return Shape(data, again, visitor.texts, visitor.numbers, len(visitor.renamed), tuple(sorted(changed)))
        why = why or differs
    raise RefusedError(f"{dump.source.name}: without its contents it would be another dump ({why}); nothing was made of it")


def export_shape(dump: Dump, path: str | os.PathLike[str], provider: Provider, model: str | None, mode: Mode, keep_tools: bool = True,
                 progress: Progress | None = None) -> Filled:  # fmt: skip
    """Writes the shape of a dump to a file; what came packed is written unpacked. As `export`: never over the source,
    whole or not at all."""
    from app.pipeline import atomic
    from app.pipeline.export import reports

    target = atomic.place_for(path, dump.source)
    dump.source.require_unchanged()
    made = shape(dump, provider, model, mode, keep_tools, None, progress)
    dump.source.require_unchanged()
    atomic.write(target, [made.data])
    findings = sum(sum(report.counts.values()) for report in reports(made.again, made.again.transcripts, provider, model, mode))
    same = (
        f"the same but for what depends on the name of a tool: {', '.join(made.changed)}" if made.changed else "the same as before"
    )
    rows = len(made.again.table)
    said = (
        f"{os.fspath(path)}: the shape of {dump.source.name} ({dump.format}): {made.texts:,} texts and {made.numbers:,} numbers are "
        f"fillers of an equal number of characters, {made.ids:,} ids were renamed"
        f"{'' if keep_tools else ', and so were the tools'}. Kept: names of "
        f"members{' and tools' if keep_tools else ''}, types, roles, models, times, counts of tokens. Read again: {rows:,} blocks of the "
        f"same kind, role and size, {findings:,} finding{'' if findings == 1 else 's'}, {same}."
    )
    return Filled(os.fspath(path), made.texts, made.numbers, made.ids, rows, findings, not keep_tools, said)


# -- what is filled -----------------------------------------------------------------------------------------------------------------


def filled(dump: Dump, visitor: Contents, progress: Progress | None = None) -> Iterator[bytes]:
    """The documents of a file with contents filled. A line that is no JSON becomes a filler as long in bytes."""
    for piece, done in documents(dump):
        if progress is not None:
            progress(done)
        yield rewritten(piece, visitor) if is_json(piece) else blotted(piece)


def blotted(line: bytes) -> bytes:
    """A line that nobody can read, as long and as unreadable."""
    body = line.rstrip(b"\r\n")
    return BROKEN_LINE * len(body) + line[len(body) :]


def require_json(dump: Dump) -> None:
    """Raises for what is not JSON as a whole: in a text nobody can tell what is content."""
    source = dump.source
    head = source.read(0, 1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:1] not in (b"{", b"["):
        raise RefusedError(f"{source.name}: {dump.format} is no JSON; what is content in it cannot be told, so no shape of it is made")


def ids_of(dump: Dump) -> frozenset[str]:
    return frozenset(dump.table.ids.numbers()) | frozenset(dump.table.item_ids.numbers())


def tools_of(dump: Dump) -> frozenset[str]:
    """Names of tools: of calls, and of definitions."""
    from app.formats import FORMATS

    rows = np.flatnonzero(dump.table.kind == Kind.TOOLS)[:2000].tolist()
    named = (block.name for block in FORMATS[dump.format].each_block(dump.table, dump.source, rows))
    return frozenset(dump.table.names) | {name for name in named if name}


# -- the proof ------------------------------------------------------------------------------------------------------------------------


def reread(dump: Dump, data: bytes) -> Dump:
    """What was made of a dump, read as the same format."""
    from app.pipeline.load import load

    return load(Source.of(data, Path(dump.source.name).name), dump.format)


def unlike(
    dump: Dump, again: Dump, provider: Provider, model: str | None, mode: Mode, changed: set[str] | None = None
) -> str | None:  # fmt: skip
    """The first thing that is not the same, in words; None where nothing differs. `changed`: where tools got other names, only errors must
    stay; it takes the rules of what else differs (effect-unanswered goes by a tool's name)."""
    from app.pipeline import inspected

    if len(dump.transcripts) != len(again.transcripts):
        return f"{len(again.transcripts)} transcripts in place of {len(dump.transcripts)}"
    if len(dump.table) != len(again.table):
        return f"{len(again.table):,} blocks in place of {len(dump.table):,}"
    for name in ("kind", "role", "size", "message", "part"):
        wrong = np.flatnonzero(getattr(dump.table, name) != getattr(again.table, name))
        if len(wrong):
            return f"block {int(wrong[0])} has another {name}"
    for one, other in zip(dump.transcripts, again.transcripts, strict=True):
        if one.start != other.start or not np.array_equal(one.order, other.order):
            return f"transcript {one.id} comes in another order"
        before = inspected(dump, one, provider, model or one.model, mode)
        after = inspected(again, other, provider, model or other.model, mode)
        if not np.array_equal(before[0].links.partner, after[0].links.partner):
            return f"calls of transcript {one.id} have other results"
        if not np.array_equal(before[0].groups.exchange, after[0].groups.exchange):
            return f"transcript {one.id} has other exchanges"
        mine, theirs = (sorted((f.rule, f.severity, f.row) for f in report.findings) for _, report in (before, after))
        if changed is not None:
            changed |= {rule for rule, severity, _ in set(mine) ^ set(theirs) if severity != "error"}
            mine, theirs = ([one for one in some if one[1] == "error"] for some in (mine, theirs))
        if mine != theirs or (changed is None and before[1].counts != after[1].counts):
            rules = {rule for rule, _, _ in set(mine) ^ set(theirs)}
            return f"transcript {one.id} is judged otherwise: {', '.join(sorted(rules)[:3]) or 'other counts'}"
    return None

