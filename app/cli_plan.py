"""`plan`: what each strategy would do at a budget, side by side."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app import cli_lost, cli_pins
from app.cli_open import Opened, opened
from app.cli_words import Output, count, note, table, wrapped
from app.model.errors import InspectorError
from app.model.lost import Lost
from app.model.transcript import Transcript

Spec = list[tuple[str, dict[str, Any]]]


def policy(path: str) -> Spec:
    """The strategy that a policy file names: JSON `{"strategy": name, "params": {…}}`."""
    from app.pipeline.spec import parse_policy

    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InspectorError(f"{path}: {error.strerror or error}; name a policy file that can be read") from None
    return parse_policy(data, path)


def specs(words: Namespace) -> list[Spec]:
    """What to plan: the strategies that were named, the policy, or the seven families."""
    from app.pipeline.names import FAMILIES
    from app.pipeline.spec import parse_spec

    found: list[Spec] = [parse_spec(text) for text in words.strategy]
    if words.policy is not None:
        found.append(policy(words.policy))
    return found or [parse_spec(name) for name in FAMILIES]


def run(words: Namespace, out: Output) -> int:
    """Ranks, cuts, really applies, counts and checks each strategy that was asked for."""
    from app.pipeline import count as counting
    from app.pipeline import counted
    from app.pipeline.check import check
    from app.pipeline.plan import figures, judged, make

    wanted = specs(words)
    if words.save_policy is not None and (len(wanted) != 1 or not (words.strategy or words.policy)):
        raise InspectorError(f"{words.save_policy}: a policy is of one strategy; name it with --strategy or --policy")
    file = opened(words.file, words)
    if not file.dump.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to plan")
    transcript = file.dump.transcripts[file.chosen]
    model = file.model_of(transcript)
    view, tokens = counted(file.dump, transcript, file.provider, words.counter)
    pins = cli_pins.read(file.dump, transcript, words)
    held = {"pins": cli_pins.lay(view, file.dump, pins)} if pins else {}
    now = counting.totals(view, tokens, file.provider).total
    before = check(view, file.provider, model, file.mode, file.dump)
    rows: list[dict[str, Any]] = []
    losing, losses = cli_lost.reader(file.dump, view) if words.lost else None, list[Lost]()
    for spec in wanted:
        arranged, plan = make(file.dump, view, spec, words.budget, file.provider, words.counter)
        checked, after = judged(file.dump, arranged, plan, model, file.mode, words.counter, before)
        known = {"path": file.path, "transcript": transcript.id, "counter": words.counter}
        rows.append(known | figures(view, plan, checked) | held)
        if losing is not None:
            losses.append(losing(name_of(spec), words.budget, after))
            rows[-1]["lost"] = cli_lost.object_of(file.dump, transcript, losses[-1])
        if words.json:
            out.json(rows[-1])
    if words.save_policy is not None:
        from app.pipeline.policy import save

        save(wanted[0], words.save_policy, file.dump.source)
    if not words.json:
        _print(file, transcript, rows, now, words, out)
        cli_lost.show(view, losses, out)
    return 0


def name_of(spec: Spec) -> str:
    return "+".join(name for name, _ in spec)


# -- text -------------------------------------------------------------------------------------------------------------------


def _print(file: Opened, transcript: Transcript, rows: Sequence[dict[str, Any]], now: int, words: Namespace, out: Output) -> None:
    several = f", transcript {transcript.id}" if len(file.dump.transcripts) > 1 else ""
    out.text(table([[f"{file.path}{several}"]], indent="")[0])
    said = f"{now:,} tokens in the next request ({words.counter})"
    if words.budget is None:
        out.text(f"  {said}; no budget: everything that a strategy would do")
    else:
        deficit = max(0, now - words.budget)
        out.text(f"  {said}, budget {words.budget:,}: " + (f"{deficit:,} too many" if deficit else "it fits, nothing needs to be done"))
    if rows and "pins" in rows[0]:
        out.text("\n".join(wrapped(cli_pins.words_of(rows[0]["pins"]), "    ", first="  ")))
    out.text()
    head = ["strategy", "fits", "after", "freed", "÷ deficit", "keeps", "blocks", "cache kept", "checked"]
    for line in table([head, *(_cells(row) for row in rows)], right=(2, 3, 4, 7)):
        out.text(line)
    warnings: dict[str, list[str]] = {}
    for row in rows:
        for said in row["warnings"]:
            warnings.setdefault(said, []).append(row["strategy"])
    for said, names in warnings.items():
        for line in wrapped(f"warning, {', '.join(names)}: {said}", "    ", first="  "):
            out.text(line)


def _cells(row: dict[str, Any]) -> list[str]:
    blocks = row["blocks"]
    done = [f"{blocks['dropped']:,} dropped"] if blocks["dropped"] else []
    done += [f"{blocks['replaced']:,} shortened"] if blocks["replaced"] else []
    new = row["new_findings"]
    verdict = "would be refused" if row["verdict"] == "reject" else "no reason to refuse"
    return [
        row["strategy"], "-" if row["budget"] is None else "yes" if row["reached"] else "NO", f"{row['tokens_after']:,}",
        f"{row['freed']:,}", "-" if row["overshoot"] is None else f"{row['overshoot']:.2f}",
        row["keeps"], ", ".join(done) or "none touched",
        f"{row['cache']['prefix_tokens_kept']:,}", verdict + (f", {count(new, 'new error')}" if new else ""),
    ]  # fmt: skip


def warn_if_dry(path: str, spec: Spec, budget: int | None, left: int) -> None:
    """A strategy that runs dry above the budget is written all the same, and says so."""
    if budget is not None and left > budget:
        note(f"{path}: {name_of(spec)} runs dry at {left:,} tokens, {left - budget:,} above the budget of {budget:,}; chain another (a+b)")
