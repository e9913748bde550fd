"""The parameters of a strategy as one line of text: `keep_last=2, text=[tool result removed; call again]`. No Qt.

A value goes on to the next `, key=` with a known key, so that commas in a text need no quotes; line breaks are written \\n.
"""

from __future__ import annotations

import json
import re
from typing import Any

# what a strategy refuses, as its own module says it (a test holds the two together)
LEAST = {"max_chars": 200}
CHOICES = {"live_signed": ("keep", "drop")}
NOT_BLANK = {("stub-tool-results", "text")}


class ParamsError(ValueError):
    """What is wrong with the line, in words."""


def line_of(params: dict[str, Any]) -> str:
    """Parameters as a line."""
    return ", ".join(f"{key}={_written(value)}" for key, value in params.items())


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value.replace("\\", "\\\\").replace("\n", "\\n")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def read(line: str, now: dict[str, Any], strategy: str = "") -> dict[str, Any]:
    """The parameters that a line says, all others as they are `now`. ParamsError where it does not say them."""
    text = line.strip()
    if not text:
        return dict(now)
    keys = "|".join(re.escape(key) for key in now)
    marks = list(re.finditer(rf"(?:^|,)\s*({keys})\s*=", text)) if keys else []
    if not marks or marks[0].start() != 0:
        raise ParamsError(f"write key=value; the keys are {', '.join(now)}" if now else "this strategy has no parameters")
    out = dict(now)
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        value = text[mark.end() : following.start() if following else len(text)].strip()
        out[mark[1]] = _value(mark[1], value, now[mark[1]], strategy)
    return out


def _value(key: str, text: str, now: Any, strategy: str) -> Any:
    if isinstance(now, bool | float | dict | list) or now is None:  # a preset's: read as JSON where it is JSON, judged where it is ranked
        try:
            return json.loads(text)
        except ValueError:
            return text
    if not isinstance(now, int):
        made = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
        if key in CHOICES and made not in CHOICES[key]:
            raise ParamsError(f"{key} must be one of {', '.join(CHOICES[key])}")
        if (strategy, key) in NOT_BLANK and not made.strip():
            raise ParamsError(f"{key} must not be blank: providers refuse empty text")
        return made
    digits = text.replace(",", "").replace("_", "")
    if not re.fullmatch(r"-?\d{1,12}", digits):
        raise ParamsError(f"{key} must be a whole number, not {text!r}")
    least = LEAST.get(key, 0)
    if int(digits) < least:
        raise ParamsError(f"{key} must be at least {least}")
    return int(digits)
