"""`compare`: two dumps, one line a difference. Exit status 0 they are the same, 1 they differ, 2 one of them cannot be read."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import numpy as np

from app.cli_words import Output, count, wrapped
from app.model.compared import Aspect, Compared, Section, What, aspects, linked_words
from app.model.errors import InspectorError
from app.pipeline.visible import visible

SIGNS = {
    What.GONE: "-", What.ADDED: "+", What.STUBBED: "~", What.CAPPED: "~", What.REWRITTEN: "~", What.CHANGED: "~", What.MOVED: ">",
}  # fmt: skip
ROOM = 60  # characters of a text that a line shows


def run(words: Namespace, out: Output) -> int:
    from app.pipeline.compare import compared

    first, second = _one(words, words.file, words.transcript), _one(words, words.other, words.other_transcript)
    found = compared(first, second)
    if words.json:
        out.json(_summary(found))
    else:
        for line in _headlines(found):
            out.text(line)
    for section in found.sections:
        for at in np.flatnonzero(found.what[section.first : section.end]).tolist():
            _tell(found, first, second, section, section.first + at, out, words.json)
    return 0 if found.same else 1


def _one(words: Namespace, path: str, transcript: str | None) -> Any:
    from app.cli_open import opened
    from app.pipeline import compare

    if path == "-" and words.file == words.other:
        raise InspectorError("-: standard input can be one of the two; name a file for the other")
    file = opened(path, Namespace(provider=None, format=words.format, mode=None, model=None, transcript=transcript))
    if not file.dump.transcripts:
        raise InspectorError(f"{path}: {file.dump.format}, and no conversation in it")
    return compare.opened(file.dump, file.chosen, file.provider, path)


def _summary(found: Compared) -> dict[str, Any]:
    sides = [
        {"file": s.name, "transcript": s.transcript, "format": s.format, "messages": s.messages, "blocks": s.blocks, "tokens": s.tokens}
        for s in found.sides
    ]  # fmt: skip
    common = found.common
    return {
        "same": found.same, "differences": found.differences, "counts": {k: v for k, v in found.counts.items() if k != "same"},
        "sides": sides, "renamed_ids": found.renamed,
        "common": {"messages": common.messages, "blocks": common.blocks, "bytes": common.bytes, "tokens": common.tokens,
                   "parts_at": list(common.places)},
    }  # fmt: skip


def _headlines(found: Compared) -> list[str]:
    lines = []
    for mark, side in zip("AB", found.sides, strict=True):
        name = side.name if side.transcript == "main" else f"{side.name}, {side.transcript}"
        lines.append(visible(f"{mark}  {name}: {side.format}, {count(side.messages, 'message')}, {count(side.blocks, 'block')}, "
                             f"about {count(side.tokens, 'token')}"))  # fmt: skip
    if found.same:
        renamed = f"; {count(found.renamed, 'call id')} renamed throughout" if found.renamed else ""
        return [*lines, f"the same would be sent{renamed}"]
    counts = ", ".join(f"{number:,} {word}" for word, number in found.counts.items() if word != "same")
    common = found.common
    lines.append(f"{count(found.differences, 'difference')}: {counts}" if found.differences else "no block differs, the calls' ids do")
    if found.renamed:
        lines.append(f"{count(found.renamed, 'call id')} renamed throughout: not counted as differences")
    begin = (f"both begin with the same {count(common.messages, 'message')}, {count(common.blocks, 'block')}, "
             f"{count(common.bytes, 'byte')}, about {count(common.tokens, 'token')}")  # fmt: skip
    parts = " and ".join(f"{mark} {place or 'at its end'}" for mark, place in zip("AB", common.places, strict=True))
    if not common.blocks:
        return [*lines, *wrapped(f"they part at once, at {parts}", "  ", first="")]
    return [*lines, *wrapped(f"{begin}; they part at {parts}", "  ", first="")]


def _tell(found: Compared, first: Any, second: Any, section: Section, line: int, out: Output, as_json: bool) -> None:
    from app.pipeline.compared_words import words as words_of

    what, said = What(int(found.what[line])), words_of(found, first, second, line)
    tokens = int(found.tokens_a[line]), int(found.tokens_b[line])
    if as_json:
        out.json({
            "what": what.word, "in": aspects(int(found.aspect[line])), "block": said.name, "id": said.id,
            "exchange": section.label, "exchange_of": "B" if section.second else "A", "at": list(said.at),
            "before": said.before, "after": said.after, "tokens": list(tokens),
        } | ({"linked": list(said.linked)} if said.linked is not None else {}))  # fmt: skip
        return
    where = f"{section.label or 'request'}{' of B' if section.second else ''}"
    differs = aspects(int(found.aspect[line])) if what == What.CHANGED else ""
    after = f"… {said.after[-ROOM:]}" if what == What.CAPPED and said.after is not None else said.after
    texts = [f'"{visible(text[: ROOM + 2])}{"…" if len(text) > ROOM + 2 else ""}"' for text in (said.before, after) if text is not None]
    shown = " -> ".join(texts) if what not in (What.MOVED,) else texts[0]
    place = " -> ".join(dict.fromkeys(at for at in said.at if at))
    cost = f"{tokens[0]:,} tok" if tokens[0] == tokens[1] or what == What.GONE else f"{tokens[0]:,} -> {tokens[1]:,} tok"
    cost = f"{tokens[1]:,} tok" if what == What.ADDED else cost
    word = f"{what.word} {differs}".strip()
    if said.linked is not None:  # where nothing else differs, the text would be said twice
        only = int(found.aspect[line]) == Aspect.ID
        word, shown = (visible(linked_words(said.linked)), "") if only else (f"{word}; {visible(linked_words(said.linked))}", shown)
    out.text("  ".join(part for part in (f"{SIGNS[what]} {word}", where, visible(said.name), shown, cost, visible(place)) if part))
