"""A new budget for 10,000 messages: our look-up against `langchain_core.messages.trim_messages` with a cheap counter.

Both have the tokens of each message at hand and keep the newest half, from a prompt on. What is timed of ours is all that a plan tells: the
cut, what is dropped and replaced, figures, what is kept; ranking the strategy anew (a pin, a parameter) is noted beside it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from app.model.plan import Ranking
from app.model.tokens import Tokens
from app.model.view import View
from app.pipeline.names import FAMILIES, provider_named
from app.pipeline.rank import rank
from app.pipeline.view import make_view
from tests.bench.measuring import cpu, line, note
from tests.builders import draw, tiled

LEAST = 500.0
MESSAGES = 10_000
STEP = "u:question | a:looking,call 1 | u:result 1 | a:call 2 | u:result 2 | a:call 3 | u:result 3 | a:call 4 | u:result 4 | a:done"


def view_of(messages: int) -> tuple[View, np.ndarray]:
    """A view of so many messages, and the tokens of each of them."""
    one = draw(STEP)
    each = int(one.transcript.table.message.max()) + 1
    transcript = tiled(one, messages // each)
    own = np.random.default_rng(1).integers(20, 2_000, len(transcript.table)).astype(np.int32)
    view = make_view(transcript, Tokens("chars/4", own, np.ones(len(own), bool)), provider_named("anthropic"))
    return view, np.bincount(view.message, weights=own).astype(np.int64) + 3


def theirs(view: View, tokens: np.ndarray) -> Callable[[int], object]:
    """The peer, with its messages made beforehand and their tokens looked up by id."""
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, trim_messages

    costs = {str(number): int(cost) for number, cost in enumerate(tokens)}
    first = np.unique(view.message, return_index=True)[1]
    messages: list[BaseMessage] = []
    for number, position in enumerate(first.tolist()):
        if view.results[position]:
            messages.append(ToolMessage("found", tool_call_id=str(number - 1), id=str(number)))
        elif view.calls[position] or view.role[position] == 1:
            messages.append(AIMessage("looking", id=str(number)))
        else:
            messages.append(HumanMessage("question", id=str(number)))

    def counted(some: list[BaseMessage]) -> int:
        return sum(costs[message.id or ""] for message in some)

    return lambda budget: trim_messages(messages, max_tokens=budget, token_counter=counted, strategy="last", start_on="human")


def ours(ranking: Ranking, budget: int) -> tuple[object, ...]:
    plan = ranking.plan(budget)
    return plan.after, plan.reached, plan.overshoot, plan.keeps, plan.seam, plan.first, plan.dropped, plan.replaced


def seconds(work: Callable[[int], object], budgets: list[int]) -> float:
    start = time.perf_counter()
    for budget in budgets:
        work(budget)
    return (time.perf_counter() - start) / len(budgets)


def main(argv: list[str]) -> int:
    view, tokens = view_of(MESSAGES)
    provider = provider_named("anthropic")
    peer, short = theirs(view, tokens), 0
    half = int(tokens.sum()) // 2
    budgets = [half + 997 * number for number in range(200)]
    for name in ("evict-exchanges", "stub-tool-results"):
        ranking = rank(view, name, provider, len)
        ours(ranking, half)
        rounds = [
            (seconds(peer, budgets[number : number + 1]), seconds(lambda budget, r=ranking: ours(r, budget), budgets))
            for number in range(7)
        ]
        ratio = statistics.median(slow / fast for slow, fast in rounds)
        short |= line(f"re-plan {name}, {MESSAGES:,} messages, times faster than trim_messages", ratio, LEAST, " x", least=True)
        note(f"re-plan {name}", 1e6 * statistics.median(fast for _, fast in rounds), " us")
        note(f"rank {name} anew", 1e3 * seconds(lambda budget, n=name: rank(view, n, provider, len).plan(budget), budgets[:20]), " ms")
    note("trim_messages", 1e3 * seconds(peer, budgets[:5]), " ms")
    _million()
    return short


def _million() -> None:
    """What a strategy costs at a million blocks: ranked anew, and cut."""
    view, tokens = view_of(1_000_000)
    provider, half = provider_named("anthropic"), int(tokens.sum()) // 2
    for name in FAMILIES:
        ranking = rank(view, name, provider, len)
        note(f"rank {name}, {len(view):,} blocks, CPU", 1e3 * cpu(lambda n=name: rank(view, n, provider, len)), " ms")
        note(f"cut {name}, {len(ranking.actions.saved):,} actions", 1e6 * seconds(ranking.cut, [half + n for n in range(1_000)]), " us")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
