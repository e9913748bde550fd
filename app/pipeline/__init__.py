"""The verbs, and the path of one value through them.

```
path -> Source -> detect -> Format.parse -> Table + orders -> Transcript(s)
     -> link (partners), group (exchanges, steps) -> check(provider) -> Findings
     -> count -> tokens column
Strategy.actions -> rank -> Ranking -> cut(budget) -> Plan
Plan.change | Finding.fixes -> apply -> Transcript' -> check again -> export (bytes), read again
```

`inspected` and `mended` are this picture as code: the whole path in the order in which the command line walks it; the window walks the
same stages one by one (app/helper.py). Modules are imported when their verb is used: a check loads no strategy and no vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from app.model.dump import Dump
    from app.model.edits import Change, Layer
    from app.model.findings import Mode, Report
    from app.model.provider import Provider
    from app.model.tokens import Tokens
    from app.model.transcript import Transcript
    from app.model.view import View


def opened(path: str) -> Dump:
    """A file as a table and the transcripts over it. UnreadableError, one line, where nothing of it can be opened."""
    from app.model.source import Source
    from app.pipeline.load import load

    return load(Source.open(path))


def inspected(
    dump: Dump, transcript: Transcript, provider: Provider, model: str | None, mode: Mode, all_findings: bool = False
) -> tuple[View, Report]:
    """A transcript of a dump linked, grouped and judged."""
    from app.pipeline.check import check
    from app.pipeline.view import make_view

    view = make_view(transcript, source=dump.source)
    return view, check(view, provider, model, mode, dump, all_findings)


def counted(dump: Dump, transcript: Transcript, provider: Provider, counter: str) -> tuple[View, Tokens]:
    """A transcript linked and grouped, every block of it counted exactly; rows that edits made or changed as they are now."""
    from app.pipeline import count
    from app.pipeline.view import make_view

    tokens = count.estimate(dump.table, provider, counter)
    count.fill(dump, tokens, provider, transcript.order[transcript.order < len(dump.table)])
    tokens = count.after_edits(dump, tokens, transcript, provider)
    return make_view(transcript, tokens, provider, source=dump.source), tokens


def mended(
    dump: Dump, transcript: Transcript, provider: Provider, model: str | None, mode: Mode, level: Literal["none", "safe", "all"],
    rules: Sequence[str] = (),
) -> tuple[Layer, Transcript]:  # fmt: skip
    """Repaired until nothing is left that may be mended, each pass checked anew. *none*: only what `rules` names."""
    from app.pipeline.repair import repair

    return repair(transcript, dump, provider, model, mode, level, rules)


def changed(transcript: Transcript, changes: Sequence[Change], provider: Provider) -> Transcript:
    """A transcript with changes laid over it: what a plan, a fix or a person's own edit comes to."""
    from app.pipeline.apply import apply

    return apply(transcript, changes, provider).transcript
