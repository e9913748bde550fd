"""A bug report as Markdown: the rule, the provider's likely words, versions, and a transcript whose contents are fillers."""

from __future__ import annotations

import platform
import re

from app.model.findings import Finding, Mode, Report
from app.model.provider import Provider
from app.pipeline.visible import visible
from app.version import VERSION

QUESTIONS = {"complete": "could it be sent now", "prefix": "is it well formed so far"}


def markdown(
    finding: Finding, report: Report, format: str, provider: Provider, model: str | None, mode: Mode, text: str, before: int, blocks: int,
    keep_tools: bool,
) -> str:  # fmt: skip
    """`finding` is the one in the small transcript, so that what it says names the renamed ids. `before`, `blocks`: how many there were
    and are."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    lines = [f"## {finding.rule}: {_code_free(finding.message)}", ""]
    if finding.provider_error:
        said = visible(finding.provider_error).replace("\n", "\n> ")
        lines += [f"{provider.title} would answer, in words like these:", "", f"> {said}", ""]
    if finding.reason:
        lines += [f"Why: {_code_free(finding.reason)}", ""]
    place = f"`{finding.at}`" if finding.at else "the whole"
    counted = f", `{finding.provider_at}` as the provider counts" if finding.provider_at else ""
    lines += [
        f"- where: {place}{counted}",
        f"- judged for {provider.title}, model {f'`{visible(model)}`' if model else 'not named'}, question: {QUESTIONS[mode]}; "
        f"{report.rules} rules",
        f"- format: {format}",
        f"- Transcript Inspector {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        "",
        f"The transcript below is what is left of {before:,} block{'' if before == 1 else 's'}: {blocks:,}. It was checked that it "
        f"fails the same rule. Contents are fillers of an equal number of characters, {'ids' if keep_tools else 'ids and tools'} are "
        f"renamed. {stays(keep_tools)}",
        "",
        f"{fence}json",
        text.rstrip("\n"),
        fence,
        "",
    ]
    return "\n".join(lines)


def stays(keep_tools: bool) -> str:
    """What of the dump is in a report all the same."""
    models = "models and tools" if keep_tools else "models"
    return f"Names of members that formats and schemas are made of and names of {models} stay, and so do types, roles, times and counts."


def _code_free(text: str) -> str:
    """Words in which Markdown finds nothing to act on."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(visible(text).split()))
