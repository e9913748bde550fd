"""Requests of Gemini's wire drawn as text, and what Google says of them written down a second time.

    request("u:hi | m:looking,call 1,call 2 | u:result 1,result 2,go on")

Contents are parted by `|`, parts by a comma. A content begins with its role (u user, m model, a assistant, s system, t tool, f function,
n none) and `:`. `call ID [NAME]`, `result ID [NAME]`: ID `-` is none; the name is `look` unless given, `_` is none. `call! ID` has a
signature. `{}` is a part without data, `none` a content without parts, `image` an image, `think` a thought; all else is text.

`refused(contents)` shares no line with the product: plain loops over joined contents.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.tables import PIXEL

ROLES = {"u": "user", "m": "model", "a": "assistant", "s": "system", "t": "tool", "f": "function"}


def request(drawing: str, **members: Any) -> dict[str, Any]:
    contents = []
    for piece in drawing.split("|"):
        letter, _, rest = piece.strip().partition(":")
        parts = [] if rest.strip() == "none" else [_part(word.strip()) for word in rest.split(",")]
        contents.append({"parts": parts} if letter == "n" else {"role": ROLES[letter], "parts": parts})
    return {**members, "contents": contents}


def _part(block: str) -> dict[str, Any]:
    words = block.split()
    if words and words[0] in ("call", "call!", "result") and len(words) > 1:
        inner: dict[str, Any] = {} if words[1] == "-" else {"id": words[1]}
        if words[-1] != "_":
            inner["name"] = words[2] if len(words) > 2 else "look"
        if words[0] == "result":
            return {"functionResponse": {**inner, "response": {"output": f"found {words[1]}"}}}
        return {"functionCall": {**inner, "args": {"q": words[1]}}, **({"thoughtSignature": "c2ln"} if words[0] == "call!" else {})}
    if block == "{}":
        return {}
    if block == "image":
        return {"inlineData": {"mimeType": "image/png", "data": PIXEL}}
    if block == "think":
        return {"text": "hm", "thought": True}
    return {"text": block}


# -- a second opinion -----------------------------------------------------------------------------------------------------------


def refused(contents: list[dict[str, Any]]) -> str:
    """Why the contents would be refused, "" where they would not: numbers, order and empty parts."""
    turns: list[tuple[str, list[dict[str, Any]]]] = []
    for content in contents:
        if not content["parts"] or {} in content["parts"]:
            return "empty"
        if turns and turns[-1][0] == content["role"] == "model":
            turns[-1][1].extend(content["parts"])
        else:
            turns.append((content["role"], list(content["parts"])))
    for number, (role, parts) in enumerate(turns):
        calls = _count(parts, "functionCall") if role == "model" else 0
        results = _count(parts, "functionResponse")
        before = turns[number - 1] if number else ("", [])
        asked = _count(before[1], "functionCall") if before[0] == "model" else 0
        if role == "model" and results:
            return "a result in a content of the model"
        if results != asked:
            return f"turn {number}: {results} results for {asked} calls"
        if calls and not number:
            return "begins with a call"
        if calls and number == len(turns) - 1:
            return "ends with a call"
    return ""


def _count(parts: list[dict[str, Any]], key: str) -> int:
    return sum(key in part for part in parts)


# -- random ones ------------------------------------------------------------------------------------------------------------------

_ids = st.sampled_from(["1", "2", "3", "-"])
_names = st.sampled_from(["look", "read"])
_call = st.tuples(_ids, _names).map(lambda pair: f"call {pair[0]} {pair[1]}")
_result = st.tuples(_ids, _names).map(lambda pair: f"result {pair[0]} {pair[1]}")
_user = st.lists(st.one_of(_result, _result, st.sampled_from(["text", "image", "{}"])), max_size=4)
_model = st.lists(st.one_of(_call, _call, st.sampled_from(["text", "think"]), _result), max_size=4)
_content = st.one_of(_user.map(lambda parts: ("u", parts)), _model.map(lambda parts: ("m", parts)))
DRAWINGS = st.lists(_content, min_size=1, max_size=8).map(
    lambda found: " | ".join(f"{letter}:{','.join(parts) or 'none'}" for letter, parts in found)
)
"""Any contents at all."""


@st.composite
def clean(draw: st.DrawFn) -> list[str]:
    """Contents that nobody refuses, each drawn: prompts, steps with parallel calls, results in any order, answers."""
    contents: list[str] = []
    number = 0
    for _ in range(draw(st.integers(1, 3))):
        contents.append("u:ask")
        for _ in range(draw(st.integers(0, 3))):
            count = draw(st.integers(1, 3))
            with_ids = draw(st.booleans())
            calls = [f"{number + i} {draw(_names)}" if with_ids else f"- {draw(_names)}" for i in range(count)]
            number += count
            contents.append("m:" + ",".join(f"call! {call}" for call in calls))
            order = draw(st.permutations(calls)) if with_ids else calls
            contents.append("u:" + ",".join(f"result {call}" for call in order) + draw(st.sampled_from(["", ",note"])))
        contents.append("m:so")
    contents.append("u:and")
    return contents


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A clean transcript with one damage: a content dropped, doubled, moved or cut in two, or a part dropped or doubled."""
    contents = draw(clean())
    at = draw(st.integers(0, len(contents) - 1))
    damage = draw(st.sampled_from(["drop", "double", "swap", "cut", "drop part", "double part", "empty", "late"]))
    parts = contents[at][2:].split(",")
    part = draw(st.integers(0, len(parts) - 1))
    if damage == "drop" and len(contents) > 1:
        del contents[at]
    elif damage == "double":
        contents.insert(at, contents[at])
    elif damage == "swap" and at:
        contents[at - 1], contents[at] = contents[at], contents[at - 1]
    elif damage == "cut" and len(parts) > 1:
        contents[at : at + 1] = [f"{contents[at][:2]}{parts[0]}", contents[at][:2] + ",".join(parts[1:])]
    elif damage == "drop part":
        contents[at] = contents[at][:2] + (",".join(parts[:part] + parts[part + 1 :]) or "none")
    elif damage == "double part":
        contents[at] = contents[at][:2] + ",".join([*parts, parts[part]])
    elif damage == "empty":
        contents[at] = contents[at][:2] + ",".join([*parts[:part], "{}", *parts[part:]])
    else:
        contents.append(contents.pop(at))
    return " | ".join(contents)
