"""What a model's name says. Only what a rule depends on, each with its source."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

_CLAUDE = re.compile(r"claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(?![0-9])")


def claude_version(model: str | None) -> tuple[int, int] | None:
    """Version of a Claude model from its name: `claude-sonnet-4-5-20250929` gives (4, 5), `us.anthropic.claude-opus-5` (5, 0).

    None for names of the older scheme (`claude-3-5-sonnet`) and for all others.
    """
    found = _CLAUDE.search(model or "")
    return (int(found[2]), int(found[3] or 0)) if found else None


def refuses_prefill(model: str | None) -> bool:
    """Claude 4.6 and newer refuse a last message of the assistant (ericc-ch/copilot-api PR #261; vybestack/llxprt-code PR #3695)."""
    version = claude_version(model)
    return version is not None and version >= (4, 6)


_BOUND = (
    "Claude 5.1 and newer bind a signature to all that stands before it (system text, tools, every earlier message), and Anthropic refuses "
    "such a block, or drops it where the request asks for that (anomalyco/opencode#46653, #48637, NousResearch/hermes-agent#106426)"
)
_ALONE = "on older models a signature is taken to cover its own block alone; reports disagree (openclaw/openclaw#90108)"


def claude_binds(model: str | None) -> str:
    """What Anthropic makes of signed thinking behind a change.

    Bound since Claude 5.1, for accounts made after 2026-08-31 and later for all; the refusal is "Invalid `signature` in `thinking` block.
    The block is bound to a different conversation." (anomalyco/opencode#48637); with `prefix_mismatch_behavior: "drop_block"` the blocks
    are left out (earendil-works/pi#9391)."""
    version = claude_version(model)
    if version is None:
        return f"{_BOUND}; {_ALONE}" if not model or "claude" not in model else _ALONE
    return _BOUND if version >= (5, 1) else _ALONE


def openai_binds(model: str | None) -> str:
    """What OpenAI's Responses make of encrypted reasoning behind a change (https://developers.openai.com/api/docs/guides/preserved-reasoning
    of 2026): the history before each item is checked, and what depended on what was edited is dropped. The request goes on."""
    return (
        "of newer models OpenAI drops reasoning whose history was edited, shortened or added to, and the request goes on (its guide on "
        "preserved reasoning)"
    )


def gemini_binds(model: str | None) -> str:
    """What Gemini makes of thought signatures behind a change: each is checked with its own part (lbjlaq/Antigravity-Manager#3337)."""
    return "Gemini checks a thought signature with its own part; that one is refused for a change before it has not been reported"


def bedrock_binds(model: str | None) -> str:
    """As Claude; nothing of its own is known of Bedrock."""
    return claude_binds(model) if bedrock_family(model) == "claude" else ""


_MAKERS: Final = {
    "anthropic": "claude", "meta": "llama", "mistral": "mistral", "cohere": "cohere", "ai21": "ai21", "writer": "writer", "qwen": "qwen",
    "deepseek": "deepseek", "openai": "openai", "google": "gemma", "moonshot": "kimi", "moonshotai": "kimi", "minimax": "minimax",
    "zai": "glm", "nvidia": "nemotron",
}  # fmt: skip
_BEDROCK = re.compile(r"(?:^|[/.])(" + "|".join(_MAKERS) + r"|amazon)\.([a-z0-9-]+)")


def bedrock_family(model: str | None) -> str | None:
    """Whose models a Bedrock id names: `us.anthropic.claude-sonnet-4-5-20250929-v1%3A0` gives `claude`, an ARN of a foundation model or of
    a system's inference profile the same. None where the id does not tell, as an application inference profile's.

    Of Amazon's own only the Nova models count (Titan has no tools)."""
    found = _BEDROCK.search(unquote(model or ""))
    if found is None:
        return None
    return _MAKERS.get(found[1]) or ("nova" if found[2].startswith("nova") else None)


def deepseek_family(model: str | None) -> str | None:
    """`v4` for DeepSeek's models of 2026, which think unless told otherwise, `reasoner` for the older ones that always do; None for all
    others, `deepseek-chat` among them (api-docs.deepseek.com, guides/thinking_mode, of 2025-12 and of 2026)."""
    name = (model or "").lower()
    if re.search(r"deepseek-(?:v4|flash|pro)", name):
        return "v4"
    return "reasoner" if "reasoner" in name or "deepseek-r1" in name else None


_REASONING = re.compile(r"(?:^|[/:])(?:o[134](?!\w)|gpt-5(?!\S*chat)|codex|gpt-oss)")
_PLAIN = re.compile(r"(?:^|[/:])(?:gpt-[34]|chatgpt|gpt-5\S*chat)")


def openai_family(model: str | None) -> str | None:
    """`reasoning` for OpenAI's models that reason (o1, o3, o4, gpt-5, codex), `plain` for those that do not (gpt-4, gpt-5-chat); None for
    all others (platform.openai.com, models, of 2026)."""
    name = (model or "").lower()
    if _REASONING.search(name):
        return "reasoning"
    return "plain" if _PLAIN.search(name) else None


_GEMINI = re.compile(r"gemini-(\d+)(?:[.-](\d{1,2}))?(?![0-9])")


def gemini_family(model: str | None) -> str | None:
    """`signed-calls` for Gemini 3 and newer, which want thought signatures on calls, `plain` for all before and for Gemini 3 Pro Image,
    which does not (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures); None where the name does not tell, as
    `gemini-flash-latest`."""
    found = _GEMINI.search(model or "")
    if found is None:
        return None
    return "signed-calls" if int(found[1]) >= 3 and "-image" not in str(model) else "plain"
