"""Filter expressions, printed: what is read again gives the same tree (filter_read.py)."""

from __future__ import annotations

import re

from app.model.filter import And, Node, Not, Or, Pattern, Range, Test, Value
from app.model.filter_names import NAMES, Name
from app.pipeline.filter_read import TOKEN


def show(tree: Node | None) -> str:
    """An expression as text; read again it gives the same tree."""
    if tree is None:
        return ""
    if isinstance(tree, Test):
        return _show_test(tree)
    if isinstance(tree, Not):
        return f"!{_inside(tree.part, isinstance(tree.part, And | Or))}"
    if isinstance(tree, And):
        return " && ".join(_inside(part, isinstance(part, And | Or)) for part in tree.parts)
    return " || ".join(_inside(part, isinstance(part, Or)) for part in tree.parts)


def _inside(tree: Node, grouped: bool) -> str:
    return f"({show(tree)})" if grouped else show(tree)


def _show_test(test: Test) -> str:
    if not test.op:
        return test.name
    return f"{test.name} {test.op} {show_value(NAMES[test.name], test.value, test.op)}"


def show_value(name: Name, value: Value, op: str = "==") -> str:
    """A value as it is typed."""
    if isinstance(value, Pattern):
        return "/" + re.sub(r"(?<!\\)((?:\\\\)*)/", r"\1\\/", value.text) + "/"
    unit = name.unit.upper() if name.unit == "e" else name.unit
    if isinstance(value, Range):
        low = "" if value.low is None else f"{unit}{value.low}"
        high = ("now" if name.unit == "r" else "") if value.high is None else f"{unit}{value.high}"
        return f"{low}..{high}"
    if isinstance(value, int):
        return f"{unit}{value}"
    text = value or ""
    return text if name.sort == "word" and plain_word(text) and not (op == "~" and text.startswith("/")) else quoted(text)


def plain_word(text: str) -> bool:
    """Whether a value can be typed without quotes."""
    match = TOKEN.fullmatch(text)
    return match is not None and match.lastgroup == "word"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
