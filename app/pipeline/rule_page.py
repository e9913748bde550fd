"""The page of a rule, for whoever meets a finding: what it is, what each provider says, an example broken and mended, the evidence.

All of it comes from the rule's docstring, from the providers' texts, and from an example that is really checked and really repaired; so
the page cannot say what the program does not do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from app.model.source import Source
from app.pipeline import load
from app.pipeline.check import check
from app.pipeline.names import format_named
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.rules import RULES

_LABELS = ("Evidence:", "Repair:")


@dataclass(frozen=True)
class Example:
    """`said`: the finding in words; `fix`: what mends it, "" where nothing does; `mended`: the document after it, "" likewise."""

    provider: str
    broken: str
    said: str
    provider_error: str
    fix: str
    mended: str


@dataclass(frozen=True)
class RulePage:
    """`text`: what the rule looks for; `providers`: title and likely words of each that applies it."""

    name: str
    summary: str
    severity: str
    text: str
    repair: str
    evidence: str
    providers: tuple[tuple[str, str], ...]
    examples: tuple[Example, ...]


def rule_page(name: str) -> RulePage | None:
    """The page of a rule; None where there is no such rule."""
    rule = RULES.get(name)
    if rule is None:
        return None
    told = {"": list[str](), **{label: list[str]() for label in _LABELS}}
    for paragraph in rule.help.split("\n\n"):
        label = next((label for label in _LABELS if paragraph.startswith(label)), "")
        told[label].append(" ".join(paragraph.removeprefix(label).split()))
    if told[""] and told[""][0].rstrip(".").lower() == rule.summary.lower():
        del told[""][0]
    providers = tuple(
        (provider.title, provider.words.get(name, "")) for provider in PROVIDERS.values() if name in provider.judges
    )  # fmt: skip
    return RulePage(
        name, rule.summary, rule.severity, "\n\n".join(told[""]), "\n\n".join(told["Repair:"]), "\n\n".join(told["Evidence:"]),
        providers, tuple(_examples(name)),
    )  # fmt: skip


def _examples(name: str) -> Iterator[Example]:
    """The examples that come with the program: `RULE.PROVIDER.json`, each a document that has the defect."""
    folder = files("app.rules").joinpath("examples")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        rule, _, rest = entry.name.partition(".")
        if rule == name and rest.endswith(".json"):
            yield example(name, rest.removesuffix(".json"), entry.read_bytes())


def example(name: str, provider_name: str, data: bytes) -> Example:
    """One document checked and repaired. ValueError where the rule finds nothing in it."""
    provider = PROVIDERS[provider_name]
    dump = load.load(Source.of(data, f"{name}.json"))
    transcript = dump.transcripts[dump.opened]
    view = make_view(transcript, source=dump.source)
    report = check(view, provider, transcript.model, "complete", dump.source)
    found = next((finding for finding in report.findings if finding.rule == name), None)
    if found is None:
        raise ValueError(f"{name}: its example for {provider.title} does not have the defect")
    fix, mended = "", ""
    if found.fixes:
        layer, after = repair(transcript, dump.source, provider, transcript.model, "complete", "all", (name,))
        fix = "; ".join(dict.fromkeys(change.title for change in layer.changes))
        transcripts = list(dump.transcripts)
        transcripts[dump.opened] = after
        mended = b"".join(format_named(dump.format).write_plan(dump, transcripts).chunks()).decode("utf-8", "surrogatepass")
    return Example(provider.title, data.decode("utf-8", "surrogatepass"), found.message, found.provider_error or "", fix, mended)


# -- as text ------------------------------------------------------------------------------------------------------------------


def as_text(page: RulePage) -> str:
    """The page for a terminal and for the window."""
    parts = [f"{page.name} ({page.severity})\n{page.summary}", page.text]
    if page.providers:
        parts.append("Applied by\n" + "\n".join(f"  {title}{f': {words}' if words else ''}" for title, words in page.providers))
    if page.repair:
        parts.append(f"Repair\n  {page.repair}")
    for one in page.examples:
        parts.append(f"Example, {one.provider}: {one.said}\n\n{one.broken.strip()}")
        if one.mended:
            parts.append(f"Mended: {one.fix}\n\n{one.mended.strip()}")
    if page.evidence:
        parts.append(f"Evidence\n  {page.evidence}")
    return "\n\n".join(filter(None, parts))


def as_markdown(page: RulePage) -> str:
    """The page as a section of the docs."""
    lines = [f"## {page.name}", "", f"*{page.severity}*: {page.summary}", "", page.text, ""]
    if page.providers:
        lines += ["| provider | its words |", "| --- | --- |"]
        lines += [f"| {title} | {_cell(words)} |" for title, words in page.providers] + [""]
    if page.repair:
        lines += [f"**Repair.** {page.repair}", ""]
    for one in page.examples:
        lines += [f"**Example, {one.provider}.** {one.said}", "", "```json", one.broken.strip(), "```", ""]
        if one.mended:
            lines += [f"Mended: {one.fix}.", "", "```json", one.mended.strip(), "```", ""]
    if page.evidence:
        lines += [f"**Evidence.** {page.evidence}", ""]
    return "\n".join(lines)


def whole_page() -> str:
    """All rules in one Markdown page."""
    pages = [page for name in sorted(RULES) if (page := rule_page(name)) is not None]
    head = [
        "# The rules", "",
        "Generated from the program by `make docs`. Every example here was checked and repaired by it.",
        f"{len(pages)} rules; which provider applies which stands with each.", "",
        *(f"- [{page.name}](#{page.name}): {page.summary}" for page in pages), "",
    ]  # fmt: skip
    return "\n".join(head) + "\n" + "\n".join(as_markdown(page) for page in pages).rstrip() + "\n"


def _cell(words: str) -> str:
    """Text in a cell of a Markdown table: verbatim, its bars escaped."""
    return "`` " + words.replace("|", "\\|").replace("\n", " ") + " ``" if words else "as above"
