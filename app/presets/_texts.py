"""Ways to shorten one text."""

from __future__ import annotations


def head_and_tail(text: str, head: int, tail: int, between: str) -> str:
    """The first and the last characters."""
    return text[:head] + between + (text[-tail:] if tail else "")


def middle_cut(text: str, budget: int) -> tuple[bytes, bytes, int]:
    """The head and the tail of a text within a budget of bytes of UTF-8, cut between characters, and how many bytes are missing.

    Source: openai/codex, codex-rs string truncation: half of the budget for each side.
    """
    data = text.encode("utf-8", "surrogatepass")
    left, right = budget // 2, len(data) - (budget - budget // 2)
    while left > 0 and left < len(data) and data[left] & 0xC0 == 0x80:
        left -= 1
    while right < len(data) and data[right] & 0xC0 == 0x80:
        right += 1
    return data[:left], data[right:], right - left
