"""Opens what the command line names, and settles who judges it, as which model, asking which question."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from app.cli_progress import progress
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.findings import Mode
from app.model.provider import Provider
from app.model.source import Source
from app.model.transcript import Transcript


@dataclass(frozen=True, eq=False)
class Opened:
    """A dump, and the choices that were made for it. `indexes`: the transcripts that are meant, None where none was named."""

    path: str
    dump: Dump
    provider: Provider
    mode: Mode
    model: str | None
    index: int | None

    def model_of(self, transcript: Transcript) -> str | None:
        return self.model or transcript.model

    @property
    def indexes(self) -> Sequence[int]:
        """All transcripts, or the one that was named."""
        return range(len(self.dump.transcripts)) if self.index is None else [self.index]

    @property
    def chosen(self) -> int:
        """The transcript that was named, or the one that a window would open."""
        return self.dump.opened if self.index is None else self.index


def opened(path: str, words: Namespace) -> Opened:
    """Reads a file, `-` standard input. InspectorError, one line, where it cannot be read or the call's words are off."""
    from app.formats import FORMATS
    from app.pipeline.load import load
    from app.pipeline.names import judge_of, provider_named

    provider = provider_named(words.provider) if words.provider else None
    source = Source.of(standard_input(), "-") if path == "-" else Source.open(path)
    dump = load(source, words.format, progress(f"reading {source.name}"))
    format = FORMATS[dump.format]
    return Opened(
        path=path,
        dump=dump,
        provider=provider or provider_named(judge_of(dump.table)),
        mode=words.mode or dump.mode or format.mode,
        model=words.model,
        index=None if words.transcript is None else _index(dump, words.transcript),
    )


def _index(dump: Dump, name: str) -> int:
    for index, transcript in enumerate(dump.transcripts):
        if transcript.id == name:
            return index
    ids = [t.id for t in dump.transcripts]
    there = ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "") or "none"
    raise InspectorError(f"{dump.source.name}: there is no transcript {name}; there {'is' if len(ids) == 1 else 'are'} {there}")


def standard_input() -> bytes:
    """All of standard input. InspectorError where there is none."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InspectorError("-: standard input is closed; name a file")
    try:
        data: bytes = stream.read()
    except OSError as error:
        raise InspectorError(f"-: standard input cannot be read: {error.strerror or error}") from None
    return data
