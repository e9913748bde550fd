"""Codex's truncation of outputs: head and tail of each output over a budget, with a mark between them.

*Counted thing.* Bytes of UTF-8, four a token. Codex does it once, when an output is recorded, so that no request is ever rewritten;
here it is done to outputs that were recorded whole. A head line says how many lines there were.

Source: openai/codex, codex-rs (string truncation, `formatted_truncate_text`), 2026. A text that has a mark already stays.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, whole
from app.presets._talk import Part, Style
from app.presets._texts import middle_cut

MARK = " tokens truncated…"


def select(case: Case) -> list[Part]:
    budget = 4 * case.params["tokens"]
    return [
        part
        for part in case.talk.results
        if part.size * 4 > budget and len(part.text.encode("utf-8", "surrogatepass")) > budget and MARK not in part.text
    ]


def act(case: Case, chosen: list[Part]) -> None:
    for part in chosen:
        text = part.text
        head, tail, gone = middle_cut(text, 4 * case.params["tokens"])
        mark = f"…{counters.quarter(gone)}{MARK}"
        lines = len(text.splitlines())
        body = head.decode("utf-8", "surrogatepass") + mark + tail.decode("utf-8", "surrogatepass")
        case.work.cut(part, f"Total output lines: {lines}\n\n{body}")


PRESET = Preset(
    name="codex-truncate",
    summary="keeps head and tail of outputs over 10,000 tokens, as Codex records them",
    family="cap-tool-results",
    imitates="Codex CLI, truncation of outputs as they are recorded",
    source="openai/codex codex-rs",
    evidence="S",
    unit="tokens of one output, four bytes each",
    minimum="none: every output over the budget is cut",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=act,
    settings=(Setting("tokens", 10_000, "tokens that an output may have", whole(1)),),
    takes="results",
)
