"""The colours of the four themes: light and dark, and both once more for people who need more contrast.

In the themes of high contrast all words, signs and frames stand out 7 to 1 from what they lie on (WCAG 2.2, success criterion 1.4.6), and
hairlines 3 to 1 (1.4.11). The greens lean to blue: beside the reds they stay apart for eyes that take red and green for one.
"""

from __future__ import annotations

LIGHT = {
    "user": "#24527a", "text": "#6f9fc4", "reasoning": "#a678b4", "tool_call": "#1f8a7d", "tool_result": "#d9982b", "media": "#c46a9b",
    "system": "#8b929b", "error": "#b3261e", "warning": "#8f5300", "note": "#4a6fa5", "green": "#1a7f37", "blue": "#0b6bcb",
    "ink": "#1b1f24", "ink_soft": "#57606a", "ink_faint": "#69727d", "paper": "#ffffff", "paper_alt": "#f6f8fa", "band": "#edf1f6",
    "rule_line": "#d8dee4", "border": "#c4cbd3", "selection": "#d9eafb", "error_paper": "#fff4f2", "warning_paper": "#fff7e8",
    "note_paper": "#f1f5fb", "green_paper": "#edf8ef", "on_blue": "#ffffff", "outline": "#2c3440", "bar": "#7d92ad",
    "hit": "#d4a400", "hit_paper": "#fff3c4",
}  # fmt: skip
DARK = {
    "user": "#8bb8de", "text": "#a9c7de", "reasoning": "#c9a3d6", "tool_call": "#5cc4b5", "tool_result": "#e8b85f", "media": "#dd94bb",
    "system": "#a3abb5", "error": "#f2867e", "warning": "#e2a33d", "note": "#8fb0e0", "green": "#4cc48f", "blue": "#62a8f5",
    "ink": "#e6e9ed", "ink_soft": "#aeb6c0", "ink_faint": "#949da8", "paper": "#1a1d21", "paper_alt": "#202429", "band": "#262b32",
    "rule_line": "#333a42", "border": "#4a535e", "selection": "#1f3b57", "error_paper": "#33211f", "warning_paper": "#322919",
    "note_paper": "#20293a", "green_paper": "#1b2e22", "on_blue": "#0d1b2a", "outline": "#cfd6de", "bar": "#6f8299",
    "hit": "#c9a227", "hit_paper": "#3f3716",
}  # fmt: skip
LIGHT_HIGH = LIGHT | {
    "user": "#0d3357", "text": "#2f6690", "reasoning": "#7a3f8c", "tool_call": "#00594f", "tool_result": "#8a5200", "media": "#8f2a62",
    "system": "#4d555e", "error": "#8f0f12", "warning": "#6b3a00", "note": "#1f4480", "green": "#075a3a", "blue": "#054a94",
    "ink": "#000000", "ink_soft": "#23282e", "ink_faint": "#3d454e", "paper_alt": "#f2f5f8", "band": "#e6ecf3", "rule_line": "#7a838d",
    "border": "#4d565f", "selection": "#bfe0ff", "outline": "#000000", "bar": "#3f5674", "hit": "#6b5200",
}  # fmt: skip
DARK_HIGH = DARK | {
    "user": "#a9d4f7", "text": "#c6e2f6", "reasoning": "#e2c3ec", "tool_call": "#7fe3d4", "tool_result": "#ffd27a", "media": "#f5b5d6",
    "system": "#c9d1da", "error": "#ff9c94", "warning": "#ffc766", "note": "#b5d0ff", "green": "#66e6c0", "blue": "#8cc4ff",
    "ink": "#ffffff", "ink_soft": "#e8ecf0", "ink_faint": "#ccd3da", "paper": "#000000", "paper_alt": "#0b0d10", "band": "#15191e",
    "rule_line": "#6f7883", "border": "#aab3bd", "selection": "#0d3d6b", "error_paper": "#2b0d0b", "warning_paper": "#2a1d05",
    "note_paper": "#0c1830", "green_paper": "#06200f", "on_blue": "#000000", "outline": "#ffffff", "bar": "#9fb4cd",
    "hit": "#ffd95c", "hit_paper": "#2e2600",
}  # fmt: skip
