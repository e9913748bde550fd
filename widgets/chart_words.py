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
    """59970 as `59.97k`, 8814 as `8,814`: four digits, for a number beside a budget; rounded to the nearest."""
    sign, size = ("−" if number < 0 else ""), abs(number)
    if size < 10_000:
        return full(number)
    for unit, word in ((1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")):
        if size < unit * 999.95 or word == "G":
            said = (f"{size / unit:.{digits}f}" for digits in (3, 2, 1, 0))
            return sign + next((one for one in said if len(one) <= 5), f"{size / unit:.0f}") + word
    raise AssertionError


def checked_after(state: State, plan: Plan) -> int | None:
    """Tokens after the shown plan as it was really applied and counted; None until it is."""
    checked = state.checked.get(state.shown)
    same = plan.ranking is state.rankings.get(state.shown) and plan.budget == state.budget
    return checked.tokens_after if checked is not None and same else None


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


def done(plan: Plan, verb: str, things: str, checked: int | None = None) -> str:
    """The label in the chart: `✕ dropped: 30 exchanges, 87.1k`. `things`: what is touched, counted. `checked`: as in `after`."""
    freed = f"{approx(plan)}{short(plan.freed)}" if checked is None else short(plan.before - checked)
    return f"{GLYPHS[verb]} {SAYS[verb]}: {things}, {freed}"


def round_(number: int) -> str:
    """`200k` for 200,000: a number that a person set."""
    return short(number).replace(".0k", "k").replace(".0M", "M")


def times(ratio: float) -> str:
    """`1.12 ×`, `34.2 ×`, `340 ×`: a ratio in the room of four signs."""
    digits = 2 if ratio < 9.995 else 1 if ratio < 99.95 else 0
    return f"{ratio:,.{digits}f} ×"


def overshoot(plan: Plan, checked: int | None = None) -> str:
    """`freed 1.71 × needed`; "" where nothing was needed."""
    if not plan.deficit:
        return ""
    after = plan.after if checked is None else checked
    ratio = (plan.before - after) / plan.deficit
    return f"freed {ratio:.2f} × needed" if plan.before - after >= plan.deficit else f"freed only {ratio:.2f} × needed"


def after(plan: Plan, checked: int | None = None) -> str:
    """`after 59.97k fits`, `after 80.3k does not fit`. `checked`: what it really came to, once that is known."""
    tokens, near = (plan.after, approx(plan)) if checked is None else (checked, "")
    fits = plan.budget is None or tokens <= plan.budget
    return f"after {near}{fine(tokens)} {'fits' if fits else 'does not fit'}"


def spoken(state: State, verb: str, things: str) -> str:
    """What a screen reader says of the chart: `budget 60,000 tokens, after 59,970, fits, drops 30 exchanges`."""
    plan = state.plan
    if state.view is None:
        return "no transcript"
    if state.budget is None:
        return f"budget parked at now, {full(state.now)} tokens, nothing is dropped"
    if plan is None:
        return f"budget {full(state.budget)} tokens, strategies are not ranked yet"
    checked = checked_after(state, plan)
    tokens = plan.after if checked is None else checked
    parts = [f"budget {full(state.budget)} tokens", f"after {full(tokens)}"]
    over = tokens - state.budget
    parts.append("fits" if over <= 0 else f"does not fit, {full(over)} too many, nothing more to take")
    parts.append(f"{DOES[verb]} {things}" if plan.length else "nothing is dropped")
    if plan.deficit and over <= 0 and plan.before - tokens >= OVERSHOT * plan.deficit:
        parts.append(overshoot(plan, checked))
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
