"""Gemini CLI's masking of outputs: a preview in place of functions' responses beyond the newest 50,000 tokens of them.

*Counted thing.* Tokens of responses, from the newest back; the last message does not count and stays. The response that makes the sum
exceed `toolProtectionThreshold` is itself masked, and all older ones. *Minimum.* `minPrunableTokensThreshold`: nothing is done where
the prunable ones have fewer tokens together. Responses of skills, questions and plans stay, those that are masked already, and those
that would not shrink.

Gemini CLI writes what it masks to a file and names it; here nothing is written, and the text says so. Source: @google/gemini-cli-core
0.61.0, context/toolOutputMaskingService.js.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag, names, said, whole
from app.presets._talk import Part, Style

EXEMPT: Final = ["activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode"]
SHELL: Final = "run_shell_command"
TAG: Final = "tool_output_masked"
_SECTION: Final = re.compile(r"^(Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID): ", re.MULTILINE)


def _response(part: Part) -> Any:
    value = part.block.value
    held = value.get("functionResponse", value.get("function_response")) if isinstance(value, dict) else None
    response = held.get("response") if isinstance(held, dict) else None
    return response if response is not None else {"output": "\n".join(part.texts)}


def _pretty(response: Any) -> str:
    return json.dumps(response, ensure_ascii=False, indent=2, default=str)


def _looked(part: Part, name: str) -> tuple[bool, int]:
    """Whether a response is masked already, and its tokens; looked into once."""
    found: tuple[bool, int] | None = part.seen.get(name)
    if found is None:
        response = _response(part)
        found = part.seen[name] = f"<{TAG}" in _pretty(response), counters.response_tokens(name, response)
    return found


def select(case: Case) -> list[Part]:
    params, total, sum_of_prunable = case.params, 0, 0
    chosen: list[Part] = []
    messages = case.messages[:-1] if params["protectLatestTurn"] else case.messages
    for message in reversed(messages):
        for part in reversed(message.results):
            name = case.talk.name_of(part)
            if name in params["exempt_tools"]:
                continue
            masked, tokens = _looked(part, name)
            if masked:
                continue
            total += tokens
            if total > params["toolProtectionThreshold"]:
                sum_of_prunable += tokens
                chosen.append(part)
    return chosen if sum_of_prunable >= params["minPrunableTokensThreshold"] else []


def act(case: Case, chosen: list[Part]) -> None:
    for part in chosen:
        name, response = case.talk.name_of(part), _response(part)
        preview = _of_shell(response) if name == SHELL else _ends(_pretty(response))
        text = f"<{TAG}>\n{preview}\n\nOutput too large. Full output available at: {case.params['path']}\n</{TAG}>"
        if counters.response_tokens(name, {"output": text}) < counters.response_tokens(name, response):
            case.work.stub(part, text)


def _ends(text: str) -> str:
    return text if len(text) <= 500 else f"{text[:250]}\n... [TRUNCATED] ...\n{text[-250:]}"


def _lines(text: str) -> str:
    lines = text.split("\n")
    if len(lines) <= 20:
        return text
    head, tail = "\n".join(lines[:10]), "\n".join(lines[-10:])
    return f"{head}\n\n... [{len(lines) - 20} lines omitted] ...\n\n{tail}"


def _of_shell(response: Any) -> str:
    """A shell's output section by section; what tells of errors stays whole."""
    held = response if isinstance(response, dict) else {}
    content = held.get("output") or held.get("stdout") or ""
    if not isinstance(content, str):
        return json.dumps(content, ensure_ascii=False)
    pieces = _SECTION.split(content)
    if len(pieces) < 3:
        return _lines(content)
    shown = [_lines(pieces[0].strip())] if pieces[0].strip() else []
    for name, text in zip(pieces[1::2], pieces[2::2], strict=False):
        shown.append(f"{name}: {_lines(text.strip()) if name == 'Output' else text.strip()}")
    preview = "\n".join(shown)
    code = held.get("exitCode", held.get("exit_code"))
    if code and f"Exit Code: {code}" not in content:
        preview += f"\n[Exit Code: {code}]"
    if held.get("error") and f"Error: {held['error']}" not in content:
        preview += f"\n[Error: {held['error']}]"
    return preview


PRESET = Preset(
    name="gemini-mask",
    summary="a preview in place of responses beyond the newest 50,000 tokens of them, as Gemini CLI does",
    family="stub-tool-results",
    imitates="@google/gemini-cli-core 0.61.0, ToolOutputMaskingService.mask",
    source="dist/src/context/toolOutputMaskingService.js",
    evidence="S",
    unit="tokens of responses",
    minimum="minPrunableTokensThreshold: nothing is masked where fewer tokens could be",
    style=Style.TURNS,
    counter=counters.everything,
    select=select,
    act=act,
    settings=(
        Setting("toolProtectionThreshold", 50_000, "tokens of the newest responses that stay", whole()),
        Setting("minPrunableTokensThreshold", 30_000, "tokens that the others must have together", whole()),
        Setting("protectLatestTurn", True, "whether the last message is left alone", flag),
        Setting("exempt_tools", EXEMPT, "tools whose responses never go", names),
        Setting("path", "(kept in the dump; no file was written)", "where the text says that the whole output is", said),
    ),
    takes="results",
)
