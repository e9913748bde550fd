"""Calls that stand in a string as JSON, `{name, arguments}`, as data sets have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.formats._json import NotJson, compact, loads
from app.model.edits import DELETE


def call_in(text: Any) -> dict[str, Any] | None:
    """The call that a string holds; None where it holds none."""
    try:
        call = loads(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) and text.lstrip()[:1] == "{" else None
    except NotJson:
        return None
    return call if isinstance(call, dict) else None


def args_key(call: dict[str, Any]) -> str:
    """The member of a call that holds its arguments."""
    return "parameters" if "parameters" in call and "arguments" not in call else "arguments"


def called(text: Any) -> tuple[str | None, Any, bool]:
    """Name and arguments of a call, and whether it has any; text that holds no call is all arguments."""
    call = call_in(text)
    if call is None:
        return None, text, True
    name, key = call.get("name"), args_key(call)
    return name if isinstance(name, str) else None, call.get(key), key in call


def recast(text: Any, fields: Mapping[str, Any]) -> str | None:
    """A string that held no call, as one with what an edit sets; None where it sets neither or the string holds one already."""
    if not {"name", "input"} & fields.keys() or call_in(text) is not None:
        return None
    call = {"name": fields["name"]} if isinstance(fields.get("name"), str) else {}
    args = fields.get("input", text)
    return compact(call if args is DELETE else call | {"arguments": args})
