"""OpenAI Agents SDK's ToolOutputTrimmer: a header and a preview in place of long outputs of older turns.

*Counted thing.* `recent_turns` counts user messages from the end; outputs before the one found are trimmed, and none where there are
too few or it is the first item. A text is replaced only where the new one is shorter. A list of parts becomes a text that has at most
`max_output_chars` characters, the header shortened to fit. An output without a call is `unknown_tool`.

Source: openai-agents 0.24.0, extensions/tool_output_trimmer.py. Outputs of tool search are left alone here.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, any_of, names, null, whole
from app.presets._talk import Part, Style

FIELDS: Final = {
    "input_text": {"type", "text"},
    "input_image": {"type", "image_url", "file_id", "detail"},
    "input_file": {"type", "file_data", "file_url", "file_id", "filename"},
}
MINIMAL: Final = "[Trimmed]"


def select(case: Case) -> list[Part]:
    """Outputs before the user message that begins the recent turns."""
    prompts = [message.index for message in case.messages if message.is_prompt]
    turns = case.params["recent_turns"]
    boundary = prompts[-turns] if len(prompts) >= turns else 0
    wanted = case.params["trimmable_tools"]
    return [
        part
        for message in case.messages[:boundary]
        for part in message.results
        if part.type not in ("tool_search_output", "custom_tool_call_output")
        and (wanted is None or case.talk.names.get(part.call_id or "") in wanted)
    ]


def act(case: Case, chosen: list[Part]) -> None:
    for part in chosen:
        if "plain" in part.seen and part.seen["plain"] <= case.params["max_output_chars"]:
            continue
        tool = case.talk.names.get(part.call_id or "", "") or "unknown_tool"
        value = part.block.value
        output = value.get("output") if isinstance(value, dict) and part.type == "function_call_output" else None
        if isinstance(output, list):
            text = _of_parts(case, output, tool)
            if text is not None:
                case.work.content(part, text)
        else:
            said = part.text
            part.seen["plain"] = len(said)
            if (text := _of_text(case, said, tool)) is not None:
                case.work.cut(part, text)


def _of_text(case: Case, text: str, tool: str) -> str | None:
    preview = case.params["preview_chars"]
    if len(text) <= case.params["max_output_chars"]:
        return None
    short = f"[Trimmed: {tool} output — {len(text)} chars → {preview} char preview]\n{text[:preview]}..."
    return short if len(short) < len(text) else None


def _of_parts(case: Case, parts: list[Any], tool: str) -> str | None:
    most, preview = case.params["max_output_chars"], case.params["preview_chars"]
    if not parts or not all(map(_known, parts)):
        return None
    length = sum(len(value) for part in parts for key, value in part.items() if key != "type")
    if length <= most:
        return None
    if most < len(MINIMAL):
        return MINIMAL[:most]
    text = "\n".join(part["text"] for part in parts if part["type"] == "input_text")
    dropped = Counter(part["type"] for part in parts if part["type"] != "input_text")
    seen = min(len(text), preview, max(0, most - len(MINIMAL) - 1))
    body = f"\n{text[:seen]}" if seen else ""
    if seen < len(text) and len(MINIMAL) + len(body) + len("...") <= most:
        body += "..."
    return next(header + body for header in _headers(tool, length, seen if text else None, dropped) if len(header) + len(body) <= most)


def _known(part: Any) -> bool:
    """Whether a part is one of those that the SDK knows, whole."""
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        return False
    fields = FIELDS.get(part["type"])
    if fields is None or not set(part) <= fields or not all(isinstance(value, str) for value in part.values()):
        return False
    if part["type"] == "input_text":
        return "text" in part
    if part["type"] == "input_image":
        return ("image_url" in part or "file_id" in part) and part.get("detail", "auto") in ("low", "high", "auto")
    return any(key in part for key in ("file_data", "file_url", "file_id"))


def _headers(tool: str, length: int, seen: int | None, dropped: Counter[str]) -> list[str]:
    """From the longest to the shortest."""
    note = "; dropped " + ", ".join(f"{count} {kind}" for kind, count in sorted(dropped.items())) if dropped else ""
    shown = f"; preview {seen}" if seen is not None else ""
    found = [f"[Trimmed: {tool}; payload {length}{shown}{note}]"]
    if dropped:
        kinds = ", ".join(sorted(dropped))
        found += [f"[Trimmed: {tool}{note}]", f"[Trimmed{note}]", f"[Trimmed: {kinds}]", f"[Trimmed: dropped {dropped.total()} opaque]"]
    return [*found, f"[Trimmed: payload {length}]", f"[Trimmed: {tool}]", MINIMAL]


PRESET = Preset(
    name="agents-trimmer",
    summary="a header and a preview in place of long outputs of older turns, as the OpenAI Agents SDK does",
    family="cap-tool-results",
    imitates="openai-agents 0.24.0, ToolOutputTrimmer",
    source="agents/extensions/tool_output_trimmer.py",
    evidence="V 400 cases",
    unit="user messages from the end",
    minimum="max_output_chars: shorter outputs stay; a text is replaced only where that makes it shorter",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=act,
    settings=(
        Setting("recent_turns", 2, "how many of the newest user messages and what follows them stay whole", whole(1)),
        Setting("max_output_chars", 500, "characters up to which an output stays", whole(1)),
        Setting("preview_chars", 200, "characters of an output that stay", whole()),
        Setting("trimmable_tools", None, "tools whose outputs are trimmed; null: all", any_of(null, names)),
    ),
    takes="results",
)
