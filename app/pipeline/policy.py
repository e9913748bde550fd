"""A policy to take away: a strategy with its parameters as JSON that says what it is and what each parameter means.

`plan --policy` and `export --policy` run it again; what stands under `about` is for people.
"""

from __future__ import annotations

import os
from typing import Any

import orjson

from app.model.source import Source
from app.pipeline import atomic
from app.pipeline.catalogue import strategy_named
from app.pipeline.imitate import Imitated
from app.pipeline.spec import Spec, read_spec
from app.version import VERSION


def described(spec: str | Spec) -> Any:
    """The policy of a spec: an object, of a chain a list of such."""
    links = [_link(name, params) for name, params in read_spec(spec)]
    return links[0] if len(links) == 1 else links


def _link(name: str, params: dict[str, Any]) -> dict[str, Any]:
    strategy = strategy_named(name)
    about: dict[str, Any] = {"summary": strategy.summary, "breaks_pairs": strategy.breaks_pairs}
    if isinstance(strategy, Imitated):
        preset = strategy.preset
        helps = {setting.name: setting.help for setting in preset.settings}
        about |= {
            "imitates": preset.imitates, "evidence": preset.grade, "source": preset.source, "counts": preset.unit,
            "minimum": preset.minimum, "budget": "none: it goes by its own limits and is done whole",
            "may_leave": preset.leaves_words or "nothing wrong in a transcript in which nothing was",
        }  # fmt: skip
    else:
        helps = {param.name: param.help for param in strategy.params}
        about |= {"counts": strategy.unit, "budget": "tokens of the whole next request, given apart"}
    about["params"] = {key: helps[key] for key in params if key in helps}
    about["written_by"] = f"Transcript Inspector {VERSION}"
    return {"strategy": name, "params": params, "about": about}


def save(spec: str | Spec, path: str | os.PathLike[str], source: Source | None = None) -> None:
    """Writes a policy; never over the dump. InspectorError, one line, where it cannot be written."""
    data = orjson.dumps(described(spec), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    atomic.write(atomic.place_for(path, source), [data])
