"""What the changes in force, and what is planned or previewed on top of them, make of the transcript as it was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.compared import Compared
from app.model.edits import Layer
from app.pipeline import count
from app.pipeline.apply import apply_layers
from app.pipeline.before_after import before_after
from app.pipeline.compare import One
from app.pipeline.names import provider_named
from app.pipeline.view import make_view
from app.questions._compared import as_it_stands, keep

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk, pending: tuple[Layer, ...] = ()) -> Compared:
    now, spec = as_it_stands(desk), desk.spec
    dump, provider = now.dump, provider_named(spec.provider)
    assert desk.tokens is not None
    base = dump.transcripts[spec.index]
    view = make_view(base, desk.tokens, provider, source=dump.source)
    first, second = One(dump, view, desk.tokens, "before"), One(dump, now.view, now.tokens, "after")
    if pending:
        after = apply_layers(now.transcript, pending, provider).transcript
        tokens = count.after_edits(dump, desk.tokens, after, provider)
        second = One(dump, make_view(after, tokens, provider, source=dump.source), tokens, "after")
    return keep(desk, "before_after", before_after(first, second), first, second)
