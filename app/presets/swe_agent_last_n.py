"""SWE-agent's LastNObservations: a line that says how many lines there were, in place of older observations.

*Counted thing.* Observations, which are results here. The first is never elided, nor the newest `n`. With `polling` k the cut moves
every k observations only, so that the cache breaks as seldom. An observation that is elided already stays.

Source: SWE-agent, sweagent/agent/history_processors.py, `LastNObservations`; Yang et al., SWE-agent (2024): the last 5.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset, stub_each
from app.presets._settings import Setting, whole
from app.presets._talk import Part, Style

LEAD = "Old environment output: ("


def select(case: Case) -> list[Part]:
    polling, results = case.params["polling"], case.talk.results
    cut = max(0, len(results) // polling * polling - case.params["n"])
    return [part for part in results[1:cut] if not part.text.startswith(LEAD)]


def _note(_: Case, part: Part) -> str:
    lines = sum(len(text.splitlines()) for text in part.texts)
    images = f" ({len(part.block.media)} images omitted)" if part.block.media else ""
    return f"{LEAD}{lines} lines omitted){images}"


PRESET = Preset(
    name="swe-agent-last-n",
    summary="elides all observations but the first and the newest, as SWE-agent does",
    family="stub-tool-results",
    imitates="SWE-agent, LastNObservations",
    source="SWE-agent sweagent/agent/history_processors.py",
    evidence="S",
    unit="observations",
    minimum="none; with polling the cut moves every so many observations",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=stub_each(_note),
    settings=(
        Setting("n", 5, "how many of the newest observations stay", whole(1)),
        Setting("polling", 1, "observations after which the cut moves", whole(1)),
    ),
    takes="results",
)
