"""Random drawings (see tests.builders): any messages at all, clean transcripts, and single damages to a clean one."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

IDS = ("1", "2", "3")


def _messages(blocks: dict[str, st.SearchStrategy[list[str]]]) -> st.SearchStrategy[str]:
    def message(role: str) -> st.SearchStrategy[str]:
        return blocks[role].map(lambda found: f"{role}:{','.join(found) or 'none'}")

    return st.lists(st.sampled_from(sorted(blocks)).flatmap(message), max_size=8).map(" | ".join)


_call = st.sampled_from([*(f"call {i}" for i in IDS), 'call ""', "call -"])
_result = st.sampled_from([*(f"result {i}" for i in IDS), 'result ""', "result -"])
_words = st.sampled_from(["text", "more"])

ANTHROPIC = _messages(
    {
        "u": st.lists(st.one_of(_result, _result, _words, _call), max_size=4),
        "a": st.lists(st.one_of(_call, _call, _words, _result), max_size=4),
        "s": st.lists(_words, min_size=1, max_size=1),
    }
)
OPENAI = _messages(
    {
        "u": st.lists(_words, min_size=1, max_size=1),
        "a": st.lists(st.one_of(_call.filter(lambda c: not c.endswith("-")), _words), min_size=1, max_size=4),
        "t": st.lists(_result, min_size=1, max_size=3),
        "s": st.lists(_words, min_size=1, max_size=1),
    }
)

MIXED_ANTHROPIC = _messages(
    {
        "u": st.lists(st.one_of(_result, _words, st.sampled_from(["empty", "blank", "image", "result! 1", "result~ 2"])), max_size=4),
        "a": st.lists(
            st.one_of(
                _call,
                _words,
                st.sampled_from(
                    ["empty", "blank", "think", "think?", "redacted", "server s", "found s", "call 1 args=3", 'call 2 args="{}"']
                ),
                st.sampled_from(["call a.b", "server x", "found x", "call 3 args=null"]),
            ),
            max_size=5,
        ),
        "s": st.lists(_words, min_size=1, max_size=2),
    }
)
MIXED_OPENAI = _messages(
    {
        "u": st.one_of(st.just(["null"]), st.just(["none"]), st.lists(st.one_of(_words, st.just("image")), min_size=1, max_size=2)),
        "a": st.one_of(
            st.just(["null"]),
            st.just(["empty"]),
            st.just(["none"]),
            st.lists(
                st.one_of(_call, _words, st.sampled_from(["image", "think", "call 1 bad.name", 'call 2 args="oops"'])),
                min_size=1,
                max_size=4,
            ),
        ),
        "t": st.lists(st.one_of(_result, st.just("result~ 1")), min_size=1, max_size=3),
        "f": st.just(["result -"]),
        "s": st.lists(_words, min_size=1, max_size=1),
    }
)


@st.composite
def clean(draw: st.DrawFn, wire: str) -> list[dict[str, Any]]:
    """The messages of a transcript that nobody refuses: prompts, steps with parallel calls, results in any order, an answer."""
    messages: list[dict[str, Any]] = []
    number = 0
    for _ in range(draw(st.integers(1, 3))):
        messages.append({"role": "user", "content": f"question {number}"})
        for _ in range(draw(st.integers(0, 3))):
            ids = [f"id_{number + i}" for i in range(draw(st.integers(1, 3)))]
            number += len(ids)
            order = draw(st.permutations(ids))
            messages += _anthropic_step(ids, order, draw) if wire == "anthropic" else _openai_step(ids, order)
        messages.append({"role": "assistant", "content": f"answer {number}"})
    if draw(st.booleans()):
        messages.append({"role": "user", "content": "and now?"})
    return messages


def _anthropic_step(ids: list[str], order: list[str], draw: st.DrawFn) -> list[dict[str, Any]]:
    calls = [{"type": "tool_use", "id": i, "name": "look", "input": {"q": i}} for i in ids]
    results: list[dict[str, Any]] = [{"type": "tool_result", "tool_use_id": i, "content": f"found {i}"} for i in order]
    text = [{"type": "text", "text": "looking"}] if draw(st.booleans()) else []
    if draw(st.booleans()):
        return [{"role": "assistant", "content": text + calls}, {"role": "user", "content": results}]
    return [{"role": "assistant", "content": text + calls}, *({"role": "user", "content": [result]} for result in results)]


def _openai_step(ids: list[str], order: list[str]) -> list[dict[str, Any]]:
    calls = [{"id": i, "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}} for i in ids]
    results = [{"role": "tool", "tool_call_id": i, "content": f"found {i}"} for i in order]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


@st.composite
def damaged(draw: st.DrawFn, wire: str) -> list[dict[str, Any]]:
    """A clean transcript after one of the accidents that logs and compaction passes are known for."""
    messages = draw(clean(wire))
    act = draw(st.sampled_from(["drop", "swap", "cut-head", "cut-tail", "copy", "insert", "rename", "block"]))
    at = draw(st.integers(0, len(messages) - 1))
    if act == "drop" and len(messages) > 1:
        del messages[at]
    elif act == "swap" and at + 1 < len(messages):
        messages[at], messages[at + 1] = messages[at + 1], messages[at]
    elif act == "cut-head":
        messages = messages[at:]
    elif act == "cut-tail":
        messages = messages[: at + 1]
    elif act == "copy":
        messages.insert(at, messages[at])
    elif act == "insert":
        messages.insert(at, {"role": draw(st.sampled_from(["user", "assistant"])), "content": "meanwhile"})
    elif act == "rename":
        messages[at] = _renamed(messages[at], draw)
    elif act == "block" and isinstance(messages[at]["content"], list) and len(messages[at]["content"]) > 1:
        content = list(messages[at]["content"])
        del content[draw(st.integers(0, len(content) - 1))]
        messages[at] = {**messages[at], "content": content}
    return messages


def _renamed(message: dict[str, Any], draw: st.DrawFn) -> dict[str, Any]:
    other = draw(st.sampled_from(["id_0", "id_1", "other"]))
    if "tool_call_id" in message:
        return {**message, "tool_call_id": other}
    if isinstance(message["content"], list):
        key = {"tool_use": "id", "tool_result": "tool_use_id"}
        content = [{**b, key[b["type"]]: other} if i == 0 and b["type"] in key else b for i, b in enumerate(message["content"])]
        return {**message, "content": content}
    return message
