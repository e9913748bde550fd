"""What a summary would say and cost where the plan's seam is: `ask("summary", text, budget, params)`. "": the skeleton of that place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.edits import Insert
from app.model.summary import SummaryText

if TYPE_CHECKING:
    from app.desk import Desk

STRATEGY = "summarize-prefix"


def answer(desk: Desk, text: str, budget: int | None, params: tuple[tuple[str, Any], ...] = ()) -> SummaryText:
    """`params`: the strategy's others. Without a budget nothing is taken, and a skeleton has nothing to say."""
    from app.pipeline.names import provider_named
    from app.pipeline.plan import make
    from app.strategies.summarize_prefix import ANSWER, LEAD
    from app.tokens import counter

    dump, view, spec = desk.dump, desk.view, desk.spec
    assert dump is not None
    assert view is not None
    count, provider = counter(spec.counter).count, provider_named(spec.provider)
    written, actions = text, 0
    if budget is not None:
        arranged, plan = make(dump, view, [(STRATEGY, {**dict(params), "text": text})], budget, provider, spec.counter)
        actions = plan.length
        made = [edit.made.text for edit in arranged.closing(plan) if isinstance(edit, Insert)]
        written = text or (made[0].removeprefix(f"{LEAD}\n\n") if made else "")
    pair = 2 * provider.overhead.message + count(f"{LEAD}\n\n{written}") + count(ANSWER)
    return SummaryText(written, not text, count(written) if written else 0, pair, actions)
