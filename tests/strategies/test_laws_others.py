"""The laws of plans where rules ask for a family of models (Bedrock), for roles (Mistral), for reasoning that comes back (DeepSeek)."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.pipeline.check import check
from app.pipeline.plan import judged
from app.strategies import STRATEGIES
from tests.converse import CLAUDE, LLAMA, NOVA, WRITER, converse
from tests.strategies.laws import Opened, budgets, error_set, opened, pairs_whole, recounted, untouched
from tests.strategies.random_requests import request
from tests.strategies.test_laws import ranked

SAFE = (*(name for name, strategy in STRATEGIES.items() if not strategy.breaks_pairs), "drop-reasoning+summarize-prefix")
MODELS = {
    "bedrock": (CLAUDE, NOVA, LLAMA, WRITER, None), "mistral": (None,), "deepseek": ("deepseek-v4-pro", "deepseek-reasoner", None),
}  # fmt: skip
CONVERSE = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "image")
some = settings(max_examples=int(os.environ.get("LAW_EXAMPLES", "3")), deadline=None)
cases = given(
    wire_model=st.sampled_from([(wire, model) for wire, models in MODELS.items() for model in models]),
    seed=st.integers(0, 10_000), exchanges=st.integers(1, 4), damages=st.sampled_from([0, 0, 1, 3]),
)  # fmt: skip


def case(wire_model: tuple[str, str | None], seed: int, exchanges: int, damages: int) -> Opened:
    wire, model = wire_model
    if wire == "bedrock":
        made = request(seed, "anthropic", exchanges, damages)
        return opened(converse({**made, "messages": [m for m in made["messages"] if _fits(m)]}, model), wire)
    made = request(seed, "openai-chat", exchanges, damages)
    return opened({**made, "model": model} if model else {k: v for k, v in made.items() if k != "model"}, wire)


def _fits(message: dict[str, Any]) -> bool:
    """Whether Converse has a message of this kind."""
    content = message["content"]
    return message["role"] != "system" and (isinstance(content, str) or all(block["type"] in CONVERSE for block in content or ()))


@pytest.mark.parametrize("spec", SAFE)
@cases
@some
def test_a_plan_is_exact_and_makes_nothing_worse(
    spec: str, wire_model: tuple[str, str | None], seed: int, exchanges: int, damages: int
) -> None:
    one = case(wire_model, seed, exchanges, damages)
    assume(len(one.view))
    arranged = ranked(one, spec)
    before = error_set(check(one.view, one.provider, None, "complete", one.dump.source, all_findings=True))
    for budget in budgets(arranged, 3):
        settled, plan = arranged.settle(budget)
        checked, after = judged(one.dump, settled, plan, None, "complete", one.counter)
        assert checked.tokens_after == plan.after == recounted(one, after)
        assert checked.new_findings == 0, before
        assert untouched(one, plan)
        assert pairs_whole(one, plan)
