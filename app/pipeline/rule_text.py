"""The page of a rule as it is read: in passages for the window, as text for a terminal, as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent

from app.model.passages import Passage
from app.pipeline.rule_page import UNKNOWN, Example, Judge, RulePage, rule_page
from app.rules import RULES

WIDTH = 100  # columns of a terminal that a paragraph takes at most
HEAD = f"""# The rules

Each rule names one defect of a transcript: what it is, which providers apply it and their likely words for it ({UNKNOWN} stands for what is
another word each time), an example with the defect and what the program makes of it, and the evidence.

An *error* is refused; a *warning* is taken and does harm, or is refused by some, or reports disagree; a *note* is taken and worth a look.
The examples are invented; each was checked and mended by the program when this page was made (`make docs`), and
`transcript-inspector list rules NAME` prints one rule's part.

In the evidence `owner/repository#1` is an issue or pull request on GitHub, and `owner/repository@commit` a file there, mostly recorded
requests with the provider's answer. A *live probe* is a public report of somebody who sent a shape to the provider and wrote down the
answer. A *text-index id* is the number of an excerpt in an index of public files, where that does not name the file's repository.
"""


# -- in passages --------------------------------------------------------------------------------------------------------------


def rule_help(name: str, provider: str = "") -> tuple[Passage, ...]:
    """What a rule says of itself, with an example broken and mended, that of `provider` first; nothing where there is no such rule."""
    page = rule_page(name)
    return as_passages(page, provider) if page is not None else ()


def as_passages(page: RulePage, provider: str = "") -> tuple[Passage, ...]:
    """The page for the window; what is of `provider`, by its name, comes first of its kind."""
    return tuple(_passages(page, provider))


def _passages(page: RulePage, first: str) -> Iterator[Passage]:
    yield Passage("title", f"{page.name} ({page.severity})")
    for paragraph in page.text.split("\n\n"):
        yield Passage("text", paragraph)
    if page.repair:
        yield Passage("heading", "Repair")
        yield Passage("text", _sentence(page.repair))
    for one in sorted(page.examples, key=lambda one: one.provider != first):
        yield Passage("heading", f"Example, {one.title}")
        yield Passage("text", "\n".join(_findings(one)))
        yield Passage("code", one.broken)
        if one.mended:
            yield Passage("text", _mended(one))
            yield Passage("code", one.mended)
    if page.judges:
        yield Passage("heading", "Applied by")
        for judge in sorted(page.judges, key=lambda judge: judge.provider != first):
            yield Passage("text", f"{judge.title}: {_weight(judge)}")
            yield Passage("small", "\n".join(f"“{words}”" for words in judge.words) or _sentence(_wordless(judge)))
    if page.evidence:
        yield Passage("heading", "Evidence")
        for paragraph in page.evidence.split("\n\n"):
            yield Passage("small", _sentence(paragraph))


def _findings(one: Example) -> list[str]:
    """What is found in an example, the rule's own finding first."""
    return [f"{one.severity}: {one.said}", *(f"with it, {also}" for also in one.also)]


def _mended(one: Example) -> str:
    return _sentence(f"Mended: {one.fix}")


def _wordless(judge: Judge) -> str:
    """What stands in place of a provider's words where there are none."""
    return "none: it is taken" if judge.severity == "note" else "no text of a refusal is known"


def _weight(judge: Judge) -> str:
    return f"{judge.severity} ({', '.join(judge.only_for)} models)" if judge.only_for else judge.severity


def _sentence(text: str) -> str:
    """Text that begins with a capital and ends with a full stop. A repository keeps its name."""
    named = "/" in text.split(" ", 1)[0]
    return (text if named else text[:1].upper() + text[1:]) + ("" if text.endswith((".", ".”")) else ".")


# -- as text ------------------------------------------------------------------------------------------------------------------


def as_text(page: RulePage) -> str:
    """The page for a terminal."""
    out: list[str] = []
    for passage in as_passages(page):
        if passage.style in ("title", "code"):
            out += ["", passage.text] if out else [passage.text]
        elif passage.style == "heading":
            out += ["", passage.text.upper()]
        elif passage.style == "small":
            out += [indent(_wrapped(line, WIDTH - 2), "  ") for line in passage.text.split("\n")]
        else:
            out += ["", *(_wrapped(line, WIDTH) for line in passage.text.split("\n"))]
    return "\n".join(out)


def _wrapped(line: str, width: int) -> str:
    return fill(line, width, break_long_words=False, break_on_hyphens=False)


# -- as Markdown --------------------------------------------------------------------------------------------------------------


def whole_page() -> str:
    """All rules in one Markdown page."""
    pages = [page for name in sorted(RULES) if (page := rule_page(name)) is not None]
    index = [f"- [{page.name}](#{page.name}): {page.summary}" for page in pages]
    return "\n".join([HEAD, f"{len(pages)} rules:", "", *index, "", *map(as_markdown, pages)]).rstrip() + "\n"


def as_markdown(page: RulePage) -> str:
    """The page as a section of the docs."""
    lines = [f"## {page.name}", "", f"*{page.severity}*: {page.text}", ""]
    if page.judges:
        lines += ["| provider | weight | its likely words |", "| --- | --- | --- |"]
        words = ("<br>".join(map(_cell, judge.words)) or _wordless(judge) for judge in page.judges)
        lines += [f"| {judge.title} | {_weight(judge)} | {cell} |" for judge, cell in zip(page.judges, words, strict=True)]
        lines.append("")
    if page.repair:
        lines += [f"**Repair.** {_sentence(page.repair)}", ""]
    for one in page.examples:
        lines += [f"**Example, {one.title}.** {'<br>'.join(_findings(one))}", "", "```json", one.broken, "```", ""]
        if one.mended:
            lines += [_mended(one), "", "```json", one.mended, "```", ""]
    if page.evidence:
        lines += [f"**Evidence.** {_sentence(page.evidence)}", ""]
    return "\n".join(lines)


def _cell(words: str) -> str:
    """Text in a cell of a Markdown table: verbatim, its bars escaped."""
    return "`` " + words.replace("|", "\\|").replace("\n", " ") + " ``"
