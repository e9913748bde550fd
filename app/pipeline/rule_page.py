"""The page of a rule, for whoever meets a finding: what it is, what each provider says, an example broken and mended, the evidence.

All of it comes from the rule's docstring, from the providers' texts, and from an example that is really checked and really repaired; so
the page cannot say what the program does not do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.model.findings import Finding, Severity
from app.model.provider import Provider
from app.model.source import Source
from app.pipeline import load
from app.pipeline.check import check
from app.pipeline.names import format_named
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.readers import READERS
from app.rules import RULES

LABELS = ("Evidence:", "Repair:")
TOO_LONG = frozenset({"image-too-large", "messages-too-many"})
"""Rules without an example: a document that breaks them has megabytes."""
UNKNOWN = "…"
"""What stands in a provider's text for a place, an id or a name that is another one each time."""


@dataclass(frozen=True)
class Example:
    """A document that has the defect. `said`: the finding in words, and why; `also`: further findings of the same defect, each with its
    rule; `fix`: what mends it, "" where nothing does; `mended`: the document after it, "" likewise."""

    provider: str
    title: str
    severity: Severity
    broken: str
    said: str
    also: tuple[str, ...]
    provider_error: str
    fix: str
    mended: str


@dataclass(frozen=True)
class Judge:
    """A provider that applies the rule. `only_for`: families of models, where it applies to those alone; `words`: its likely texts, filled
    in as for the example where there is one, else with … for what is another word each time."""

    provider: str
    title: str
    severity: Severity
    only_for: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class RulePage:
    """`text`: what the rule looks for, its first paragraph the `summary` as a sentence, or more exactly."""

    name: str
    summary: str
    severity: Severity
    text: str
    repair: str
    evidence: str
    judges: tuple[Judge, ...]
    examples: tuple[Example, ...]


@cache
def rule_page(name: str) -> RulePage | None:
    """The page of a rule; None where there is no such rule."""
    rule = RULES.get(name)
    if rule is None:
        return None
    told = {"": list[str](), **{label: list[str]() for label in LABELS}}
    label = ""
    for paragraph in rule.help.split("\n\n"):
        label = next((known for known in LABELS if paragraph.startswith(known)), label)
        told[label].append(" ".join(paragraph.removeprefix(label).split()))
    examples = tuple(_examples(name))
    return RulePage(
        name, rule.summary, rule.severity, "\n\n".join(told[""]), "\n\n".join(told["Repair:"]), "\n\n".join(told["Evidence:"]),
        tuple(_judges(name, rule.severity, examples)), examples,
    )  # fmt: skip


# -- providers ----------------------------------------------------------------------------------------------------------------


def _judges(name: str, severity: Severity, examples: Sequence[Example]) -> Iterator[Judge]:
    """Every provider that applies the rule, and where it does on another wire alone, or with other words there, that too."""
    if RULES[name].everywhere:
        yield Judge("", "Every provider", severity, (), ())
    for reader in READERS.values():
        if name in reader.judges:
            yield Judge(reader.name, f"{reader.title}, when it resumes", severity, (), tuple(filter(None, [reader.words.get(name)])))
    for provider in PROVIDERS.values():
        known: set[tuple[str, ...]] = set()
        for wire, judge in (("", provider), *provider.on.items()):
            words = tuple(_words(judge, name))
            if name not in judge.judges or words in known:
                continue
            known.add(words)
            title = f"{judge.title} (wire of {PROVIDERS[wire].title})" if wire else judge.title
            errors = [example.provider_error for example in examples if example.provider == provider.name and example.provider_error]
            yield Judge(
                provider.name, title, judge.severities.get(name, severity), tuple(sorted(judge.only_for.get(name, ()))),
                tuple(_filled(words, errors)),
            )  # fmt: skip


def _words(provider: Provider, name: str) -> Iterator[str]:
    """A provider's texts for all kinds of a rule's findings, its usual one first."""
    for key in sorted(provider.words):
        if (key == name or key.startswith(f"{name}/")) and provider.words[key]:
            yield provider.words[key]


def _filled(templates: Sequence[str], errors: Sequence[str]) -> Iterator[str]:
    """Every text once: as an example gives it, else with … in place of what is to be filled in."""
    texts = (next((error for error in errors if _made_of(template, error)), None) or _with_gaps(template) for template in templates)
    yield from dict.fromkeys(texts)


def _with_gaps(template: str) -> str:
    return template.format_map(defaultdict(lambda: UNKNOWN))


def _made_of(template: str, text: str) -> bool:
    """Whether a text is a template filled in."""
    return re.fullmatch(".*?".join(re.escape(part) for part in re.split(r"\{\w+\}", template)), text, re.DOTALL) is not None


# -- examples -----------------------------------------------------------------------------------------------------------------


def _examples(name: str) -> Iterator[Example]:
    """The examples that come with the program: `RULE.PROVIDER.json` or `.jsonl`, each a document that has the defect."""
    folder = files("app.rules").joinpath("examples")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        rule, _, rest = entry.name.partition(".")
        provider, _, ending = rest.rpartition(".")
        if rule == name and ending in ("json", "jsonl"):
            yield example(name, provider, entry.read_bytes(), ending)


def example(name: str, provider_name: str, data: bytes, ending: str = "json") -> Example:
    """One document checked and repaired. ValueError where the rule finds nothing in it."""
    provider = PROVIDERS[provider_name]
    dump = load.load(Source.of(data, f"example.{ending}"))
    transcript = dump.transcripts[dump.opened]
    report = check(make_view(transcript, source=dump.source), provider, transcript.model, "complete", dump.source)
    found = [finding for finding in report.findings if finding.rule == name]
    if not found:
        raise ValueError(f"{name}: its example for {provider.title} does not have the defect")
    fix, mended = "", ""
    if found[0].fixes:
        layer, after = repair(transcript, dump.source, provider, transcript.model, "complete", "all", (name,))
        fix = "; ".join(dict.fromkeys(change.title for change in layer.changes))
        transcripts = list(dump.transcripts)
        transcripts[dump.opened] = after
        mended = _text(b"".join(format_named(dump.format).write_plan(dump, transcripts).chunks()))
    also = (f"{finding.rule}: {_said(finding)}" for finding in report.findings if finding.rule != name)
    return Example(
        provider.name, provider.title, found[0].severity, _text(data), _said(found[0]), tuple(dict.fromkeys(also)),
        found[0].provider_error or "", fix, mended,
    )  # fmt: skip


def _said(finding: Finding) -> str:
    return " ".join(filter(None, (finding.message, finding.reason)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass").strip()
