"""`list`: what there is, each with its one-line meaning."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

from app.cli_words import Output, table
from app.model.errors import InspectorError

COUNTERS = {
    "o200k_base": "OpenAI's encoding of GPT-4o and later; an estimate for other makers' models",
    "cl100k_base": "OpenAI's encoding of GPT-4 and GPT-3.5; an estimate for other makers' models",
    "chars/4": "characters of a block divided by 4, rounded up: a rule of thumb, no vocabulary needed",
}


def run(words: Namespace, out: Output) -> int:
    if words.name is not None:
        return _one(words, out)
    rows = {"formats": _formats, "rules": _rules, "strategies": _strategies, "providers": _providers, "counters": _counters}[words.what]()
    if words.json:
        for row in rows:
            out.json(row)
        return 0
    for line in table([[row["name"], row["summary"] + ("  (breaks pairs)" if row.get("breaks_pairs") else "")] for row in rows], indent=""):
        out.text(line)
    return 0


def _one(words: Namespace, out: Output) -> int:
    """One rule in full: its help, what each provider says, an example broken and mended."""
    from app.pipeline.rule_page import rule_page
    from app.pipeline.rule_text import as_text
    from app.rules import RULES

    if words.what != "rules":
        raise InspectorError(f"list {words.what} takes no name; list rules NAME tells of one rule")
    page = rule_page(words.name)
    if page is None:
        near = get_close_matches(words.name, RULES, 1)
        raise InspectorError(f"{words.name!r} is no rule; {f'did you mean {near[0]}?' if near else 'list rules names them all'}")
    if words.json:
        out.json(asdict(page))
    else:
        for line in as_text(page).split("\n"):
            out.text(line)
    return 0


def _formats() -> list[dict[str, Any]]:
    from app.formats import FORMATS

    return [{"name": f.name, "summary": f.summary, "provider": f.provider, "writable": f.writable} for f in FORMATS.values()]


def _rules() -> list[dict[str, Any]]:
    from app.providers import PROVIDERS
    from app.readers import READERS
    from app.rules import RULES

    return [
        {
            "name": rule.name, "summary": rule.summary,
            "providers": sorted(p.name for p in PROVIDERS.values() if rule.everywhere or rule.name in p.judges),
            "readers": sorted(r.name for r in READERS.values() if rule.name in r.judges),
        }
        for rule in RULES.values()
    ]  # fmt: skip


def _strategies() -> list[dict[str, Any]]:
    from app.pipeline.catalogue import catalogue
    from app.presets import PRESETS

    rows = []
    for name, one in catalogue().items():
        row: dict[str, Any] = {"name": name, "summary": one.summary, "breaks_pairs": one.breaks_pairs}
        preset = PRESETS.get(name)
        if preset is not None:
            row |= {
                "imitates": preset.imitates, "family": preset.family, "counts": preset.unit, "minimum": preset.minimum,
                "evidence": preset.grade, "source": preset.source, "may_leave": preset.leaves_words,
            }  # fmt: skip
        rows.append(row)
    return rows


def _providers() -> list[dict[str, Any]]:
    from app.providers import PROVIDERS

    return [{"name": p.name, "summary": p.summary} for p in PROVIDERS.values()]


def _counters() -> list[dict[str, Any]]:
    from app.model.tokens import COUNTERS as NAMES

    return [{"name": name, "summary": COUNTERS[name]} for name in NAMES]
