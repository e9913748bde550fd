"""What the chart and the plan table say of a plan, in words."""

from __future__ import annotations

from app.model.plan import Plan, Ranking
from app.model.state import State
from app.model.tokens import Calibration
from widgets.words import counted, full, short

OVERSHOT = 1.05  # from here on what is freed beyond the need is pointed out
STRAYS = 0.5  # where recorded over counted strays further than this, the two are not about the same thing
DOES = {"dropped": "drops", "stubbed": "stubs", "shortened": "shortens", "summarized": "summarizes", "replaced": "replaces"}
SAYS = {**{verb: verb for verb in DOES}, "stubbed": "shortened to a stub"}
GLYPHS = {"dropped": "✕", "stubbed": "▭", "shortened": "◧", "summarized": "≡", "replaced": "▭"}


def fine(number: int) -> str:
    """59970 as `59.97k`, 8814 as `8,814`: four digits, for a number beside a budget; never rounded up past what it is compared with."""
    sign, size = ("−" if number < 0 else ""), abs(number)
    if size < 10_000:
        return full(number)
    for unit, word in ((1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")):
        if size < unit * 1_000 or word == "G":
            digits = max(0, 4 - len(str(size // unit)))
            scale = 10**digits
            return f"{sign}{size * scale // unit / scale:.{digits}f}{word}"
    raise AssertionError


def units(ranking: Ranking, number: int) -> str:
    """`30 exchanges`, `1 exchange`: a number of a strategy's own counted thing."""
    word = ranking.unit
    one = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return counted(number, one, word)


def touched(plan: Plan) -> str:
    """How many of its counted things a plan does not leave whole: `30 exchanges`."""
    return units(plan.ranking, plan.ranking.units - plan.keeps)


def approx(plan: Plan) -> str:
    return "≈" if plan.ranking.actions.approximate and plan.length else ""


def done(plan: Plan, verb: str, things: str) -> str:
    """The label in the chart: `✕ dropped: 30 exchanges, 87.1k`. `things`: what is touched, counted."""
    return f"{GLYPHS[verb]} {SAYS[verb]}: {things}, {approx(plan)}{short(plan.freed)}"


def round_(number: int) -> str:
    """`200k` for 200,000: a number that a person set."""
    return short(number).replace(".0k", "k").replace(".0M", "M")


def overshoot(plan: Plan) -> str:
    """`freed 1.71 × needed`; "" where nothing was needed."""
    if not plan.deficit:
        return ""
    ratio = plan.freed / plan.deficit
    return f"freed {ratio:.2f} × needed" if plan.reached else f"freed only {ratio:.2f} × needed"


def after(plan: Plan) -> str:
    """`after 59.97k fits`, `after 80.3k does not fit`."""
    return f"after {approx(plan)}{fine(plan.after)} {'fits' if plan.reached else 'does not fit'}"


def spoken(state: State, verb: str, things: str) -> str:
    """What a screen reader says of the chart: `budget 60,000 tokens, after 59,970, fits, drops 30 exchanges`."""
    plan = state.plan
    if state.view is None:
        return "no transcript"
    if state.budget is None:
        return f"budget parked at now, {full(state.now)} tokens, nothing is dropped"
    if plan is None:
        return f"budget {full(state.budget)} tokens, strategies are not ranked yet"
    parts = [f"budget {full(state.budget)} tokens", f"after {full(plan.after)}"]
    over = plan.after - state.budget
    parts.append("fits" if plan.reached else f"does not fit, {full(over)} too many, nothing more to take")
    parts.append(f"{DOES[verb]} {things}" if plan.length else "nothing is dropped")
    if plan.deficit and plan.reached and plan.freed >= OVERSHOT * plan.deficit:
        parts.append(overshoot(plan))
    return ", ".join(parts)


def spread(calibration: Calibration | None) -> str:
    """` ±2 %`: how far recorded over counted strays between requests; "" where nothing was recorded."""
    if calibration is None or calibration.requests < 2 or calibration.factor <= 0:
        return ""
    part = max(calibration.high / calibration.factor - 1, 1 - calibration.low / calibration.factor)
    if part > STRAYS:  # the recorded figures are of something else: a percentage would only look like knowledge
        return ""
    return f" ±{max(1, round(part * 100))} %"


def now(state: State) -> str:
    """`now 147.1k ±2 %`; ≈ while counts are estimated."""
    exact = state.totals is not None and state.totals.exact
    return f"now {'' if exact else '≈'}{short(state.now)}{spread(state.calibration)}"


def now_tip(state: State) -> str:
    """How the number *now* is known, exactly."""
    exact = state.totals is not None and state.totals.exact
    lines = [f"{full(state.now)} tokens, {'counted exactly' if exact else 'estimated'} with {state.counter}"]
    if state.totals is not None and state.totals.not_sent:
        lines.append(f"{full(state.totals.not_sent)} more are not sent: the model no longer sees them")
    found = state.calibration
    if found is not None and found.requests:
        lines.append(
            f"the provider recorded {found.factor:.2f} × as many (middle half {found.low:.2f} to {found.high:.2f}) "
            f"over {counted(found.requests, 'request')}; shown, never counted in"
        )
        if found.offset > 0:
            lines.append(f"{full(found.offset)} tokens of each request are not in the dump")
    return "\n".join(lines)
