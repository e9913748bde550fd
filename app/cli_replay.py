"""`replay`: the session walked request by request under each strategy, compacted when a request grows too large: what that costs."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from app.cli_open import Opened, opened
from app.cli_plan import name_of, policy
from app.cli_progress import progress
from app.cli_replay_words import ROOM
from app.cli_words import Output, count, table, wrapped
from app.model.carry import last_said
from app.model.errors import InspectorError
from app.model.replay import PAUSE, WHY, Replay, Run, Setup, figures
from app.model.transcript import Transcript

Spec = list[tuple[str, dict[str, Any]]]


def specs(words: Namespace) -> list[Spec]:
    """What to replay: what was named, else the seven families; with `--presets` every preset too."""
    from app.pipeline.names import FAMILIES
    from app.pipeline.spec import parse_spec
    from app.presets import PRESETS

    found = [parse_spec(text) for text in words.strategy] + [policy(path) for path in words.policy]
    if not found:
        found = [parse_spec(name) for name in FAMILIES]
    return found + ([parse_spec(name) for name in PRESETS] if words.presets else [])


def run(words: Namespace, out: Output) -> int:
    """Replays each strategy that was asked for."""
    from app.pipeline import counted
    from app.pipeline.replay import Session, whole
    from app.tokens import counter

    if words.reproduce:
        return _reproduce(words, out)
    wanted = specs(words)
    ratios = _ratio("--read-ratio", words.read_ratio), _ratio("--write-ratio", words.write_ratio)
    file = opened(words.file, words)
    if not file.dump.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to replay")
    transcript = file.dump.transcripts[file.chosen]
    setup = _setup(words, file, file.model_of(transcript), ratios)
    view, _ = counted(file.dump, transcript, file.provider, words.counter)
    session = Session(file.dump, view, file.provider, file.model_of(transcript), words.counter, counter(words.counter).count)
    if not len(session.requests):
        raise InspectorError(f"{file.path}: nothing was sent in it; a replay needs a request")
    replay = whole(session, setup, wanted, verify=not words.no_check, progress=progress(f"replaying {words.file}"))
    if words.json:
        for one in (replay.none, *replay.runs):
            known = {"path": file.path, "transcript": transcript.id, "counter": words.counter}
            out.json(known | _of_setup(setup) | figures(replay, one) | ({"error": one.failed} if one.failed else {}))
    else:
        _print(file, transcript, replay, [name_of(spec) for spec in wanted], words, out)
    return 0


def _reproduce(words: Namespace, out: Output) -> int:
    """What turns one recorded request into the next one."""
    from dataclasses import asdict

    from app.pipeline import count as counting
    from app.pipeline.reproduce import finished, pairs, reproduced

    file = opened(words.file, words)
    own = counting.estimate(file.dump.table, file.provider, words.counter).own
    found = [finished(reproduced(file.dump, pair, file.provider, own)) for pair in pairs(file.dump)]
    if words.json:
        for one in found:
            out.json({"path": file.path} | asdict(one) | {"words": one.words})
        return 0
    out.text(table([[file.path]], indent="")[0])
    if not found:
        out.text("  every request of the dump goes on from the one before, or stands alone")
    for one in found:
        for line in wrapped(one.words, "    ", first="  "):
            out.text(line)
    return 0


def _setup(words: Namespace, file: Opened, model: str | None, ratios: tuple[float | None, float | None]) -> Setup:
    from app.model.prices import prices_of, window_of

    window = _tokens("--window", words.window) if words.window is not None else window_of(model)
    if window is None:
        said = f"of {model} is not known" if model else "is not known: the dump names no model"
        raise InspectorError(f"{file.path}: the window {said}; give it with --window")
    room = _tokens("--room", words.room) if words.room is not None else min(ROOM, window // 8)
    prices = prices_of(file.provider.name, model).with_(*ratios)
    return Setup.of(window, room, words.trigger, words.target, prices, kept=not words.anew)


def _tokens(option: str, text: str) -> int:
    cleaned = text.replace(",", "").replace("_", "")
    if not cleaned.isdecimal() or len(cleaned) > 12:
        raise InspectorError(f"{option}: {text!r} is no number of tokens")
    return int(cleaned)


def _ratio(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 100:
        raise InspectorError(f"{option}: {text!r} is no price from 0 to 100 of fresh input")
    return ratio


def _of_setup(setup: Setup) -> dict[str, Any]:
    prices = setup.prices
    return {
        "window": setup.window, "room": setup.room, "trigger": setup.trigger, "target": setup.target, "kept": setup.kept,
        "prices": {"read": prices.read, "write": prices.write, "output": prices.output, "source": prices.source},
    }  # fmt: skip


# -- text -------------------------------------------------------------------------------------------------------------------


def _print(file: Opened, transcript: Transcript, replay: Replay, names: list[str], words: Namespace, out: Output) -> None:
    setup, prices, plain = replay.setup, replay.setup.prices, replay.none
    several = f", transcript {transcript.id}" if len(file.dump.transcripts) > 1 else ""
    out.text(table([[f"{file.path}{several}"]], indent="")[0])
    walls = f"; {count(replay.walls, 'recorded compaction')} stand in every run" if replay.walls else ""
    requests = count(len(replay.columns), "request") + last_said(len(replay.columns), replay.unsent)
    joined = ";" if replay.unsent else ","
    out.text(f"  {requests}{joined} {plain.total:,} tokens sent without compaction ({words.counter}){walls}")
    kept = "" if setup.kept else "; no compaction is remembered"
    out.text(f"  window {setup.window:,}, {setup.room:,} of it for the answer; over {setup.trigger:,} down to {setup.target:,}{kept}")
    out.text(f"  a token from the cache costs {prices.read:g} of fresh input, one written to it {prices.write:g} ({prices.source})")
    out.text()
    if replay.calm:
        for line in wrapped(f"{replay.calm[0].upper()}{replay.calm[1:]} (--window).", "  ", first="  "):
            out.text(line)
        return
    head = ["strategy", "cost", "sent", "compactions", "requests apart", "÷ deficit", "unit ÷ deficit", "cache lost", "written again"]
    rows = [_cells(replay, one, name) for one, name in zip((plain, *replay.runs), ["none", *names], strict=True)]
    for line in table([[*head, "refused"], *rows], right=(1, 2, 3, 4, 5, 6, 7, 8)):
        out.text(line)
    for one in replay.runs:
        if one.failed:
            out.text(table([[f"{one.strategy}: {one.failed}"]])[0])
    if any(one.length < len(replay.columns) for one in replay.runs):
        out.text("  * of the requests up to where it ends")
    if any(map(_waits, replay.runs)):
        out.text("  A preset goes by its own limits, not by the trigger: with 0 compactions they were never reached (NAME:KEY=VALUE).")
    if any(one.compactions for one in replay.runs):
        out.text()
        for line in wrapped(WHY, "  ", first="  "):
            out.text(line)
    if len(replay.runs) == 1:
        _print_compactions(replay, replay.runs[0], out)


def _waits(one: Run) -> bool:
    """Whether a preset did nothing in a session that ended because of it."""
    from app.presets import PRESETS

    return one.strategy in PRESETS and not one.compactions and one.why == "window"


def _cells(replay: Replay, one: Run, name: str) -> list[str]:
    def number(value: float | None, form: str = ".2f") -> str:
        return "-" if value is None else format(value, form)

    ended = one.length < len(replay.columns)
    cost = f"{100 * replay.share(one):.0f} %" + ("*" if ended else "")
    return [
        name, cost, f"{one.total:,}", f"{len(one.compactions):,}", number(one.gap, ".1f"), number(one.overshoot), number(one.lumps),
        f"{one.breaks:,}", f"{one.again:,}", refused(replay, one),
    ]  # fmt: skip


def refused(replay: Replay, one: Run) -> str:
    """What is said of the first request that a provider would refuse."""
    if one.failed:
        return "could not be replayed"
    if one.refused < 0:
        return "none known" if one.checked else "none over the window; not checked"
    ends = "ends at " if one.refused == one.length < len(replay.columns) else ""
    why = "over the window" if one.why == "window" else one.why
    return f"{ends}request {int(replay.columns[one.refused]) + 1:,}: {why}"


def _print_compactions(replay: Replay, one: Run, out: Output) -> None:
    if not one.compactions:
        return
    out.text()
    head = ["before request", "before", "after", "÷ deficit", "cache kept", "written again", "blocks", "new errors"]
    rows = []
    for done in one.compactions:
        blocks = [f"{done.dropped:,} dropped"] if done.dropped else []
        blocks += [f"{done.replaced:,} shortened"] if done.replaced else []
        errors = "-" if done.new_errors is None else f"{done.new_errors:,}"
        rows.append([f"{done.column + 1:,}", f"{done.before:,}", f"{done.after:,}", f"{done.overshoot:.2f}", f"{done.prefix:,}",
                     f"{done.again:,}", ", ".join(blocks) or "none touched", errors])  # fmt: skip
    for line in table([head, *rows], right=(0, 1, 2, 3, 4, 5, 7)):
        out.text(line)
    if any(done.after > replay.setup.trigger for done in one.compactions):
        said = f"What could not be brought under the trigger is tried again when it has grown by {100 * PAUSE:g} % of what fits."
        out.text()
        for line in wrapped(said, "  ", first="  "):
            out.text(line)
