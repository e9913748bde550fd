"""Strands Agents' SlidingWindowConversationManager: the newest messages by number; after an overflow first the oldest results are cut.

*Counted thing.* Messages, with results in a user's message. *Snap.* The cut goes forward to a user message without results; where none
follows, to the first calls that are answered by the next message, so that what is left may begin with an assistant's message; where
there is neither, nothing is done. `pin_first` holds the first messages, and whose call or result stands beside one of them.

`call` says what happened: `apply_management` after a turn, or `reduce_context after an overflow error`: then texts over 400 characters
in the oldest message with results keep 200 at each end (the note has 46 to 48 characters, so that a text of 401 to 447 grows), and only
where there is none the window is cut. `times` repeats it. Source: strands-agents 1.62.0, agent/conversation_manager.
"""

from __future__ import annotations

from typing import Any, Final

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, any_of, choice, flag, null, whole
from app.presets._talk import Message, Part, Style

ENDS: Final = 200
MARK: Final = "... [truncated:"
MANAGE: Final = "apply_management"
OVERFLOW: Final = "reduce_context after an overflow error"


class _Window:
    """The messages as they stand between two runs."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.messages = list(case.messages)
        self.pinned: set[int] = set()
        self.texts: dict[int, list[str]] = {}  # position of a result to its texts as they were cut
        self.bare: set[int] = set()  # results whose images have become texts

    def run(self) -> None:
        size, overflow = self.case.params["window_size"], self.case.params["call"] == OVERFLOW
        for _ in range(self.case.params["times"]):
            if not overflow and len(self.messages) <= size:
                continue
            if not self._reduce(size, overflow):
                return

    def _reduce(self, size: int, overflow: bool) -> bool:
        """False where the package raises an error."""
        pins = self.case.params["pin_first"] or 0
        if pins and not self.pinned:
            self.pinned = {message.index for message in self.messages[:pins]}
        if size == 0:
            self.messages = [m for at, m in enumerate(self.messages) if self._is_pinned(at)]
            return True
        if overflow and self.case.params["should_truncate_results"]:
            oldest = next((m for at, m in enumerate(self.messages) if m.results and not self._is_pinned(at)), None)
            if oldest is not None and self._truncate(oldest):
                return True
        start = 2 if len(self.messages) <= size else len(self.messages) - size
        cut = self._trim_point(start)
        if cut is None:
            return not overflow
        stay = [m for at, m in enumerate(self.messages[:cut]) if self._is_pinned(at)] if self.pinned else []
        gone = cut - len(stay)
        self.messages = [*stay, *self.messages[cut:]]
        return bool(gone) or not overflow

    def _trim_point(self, start: int) -> int | None:
        places = range(start, len(self.messages))
        plain = (at for at in places if self.messages[at].is_prompt and (not self.messages[at].calls or self._answered(at)))
        paired = (at for at in places if self.messages[at].calls and self._answered(at) and self.messages[at + 1].role == Role.USER)
        found = next(plain, None)
        return found if found is not None else next(paired, None)

    def _answered(self, at: int) -> bool:
        return at + 1 < len(self.messages) and bool(self.messages[at + 1].results)

    def _is_pinned(self, at: int) -> bool:
        """Pinned, or partner of a neighbour that is."""
        if not self.pinned:
            return False
        message = self.messages[at]
        if message.index in self.pinned:
            return True
        ids = message.call_ids | message.result_ids
        beside = [self.messages[i] for i in (at - 1, at + 1) if 0 <= i < len(self.messages)]
        return any(m.index in self.pinned and ids & (m.call_ids | m.result_ids) for m in beside)

    def _truncate(self, message: Message) -> bool:
        done = False
        for part in message.results:
            before = self.texts.get(part.position, list(part.texts))
            after = [_shortened(text) for text in before]
            images = bool(part.block.media) and part.position not in self.bare
            if after != before or images:
                self.texts[part.position] = after
                self.bare.add(part.position)
                done = True
        return done


def _shortened(text: str) -> str:
    if MARK in text or len(text) <= 2 * ENDS:
        return text
    return f"{text[:ENDS]}...\n\n... [truncated: {len(text) - 2 * ENDS} chars removed] ...\n\n...{text[-ENDS:]}"


def select(case: Case) -> _Window:
    window = _Window(case)
    window.run()
    return window


def act(case: Case, window: _Window) -> None:
    case.work.keep_only(case.messages, window.messages)
    if not window.texts:
        return
    stay = {part.position: part for message in window.messages for part in message.results}
    for position, texts in window.texts.items():
        if position in stay:
            _put(case, stay[position], texts)


def _put(case: Case, part: Part, texts: list[str]) -> None:
    """The new texts in the shape that the content has."""
    value = part.block.value
    held = value.get("toolResult", value) if isinstance(value, dict) else None
    content = held.get("content") if isinstance(held, dict) else None
    if not isinstance(content, list) or not all(isinstance(one, dict) for one in content):
        case.work.cut(part, "\n".join(texts))
        return
    left, out = list(texts), list[Any]()
    typed = any("type" in one for one in content)
    for one in content:
        if "image" in one or one.get("type") in ("image", "image_url", "input_image"):
            note = _image(one)
            out.append({"type": "text", "text": note} if typed else {"text": note})
        elif isinstance(one.get("text"), str) and left:
            out.append({**one, "text": left.pop(0)})
        else:
            out.append(one)
    case.work.content(part, out)


def _image(part: dict[str, Any]) -> str:
    image = part.get("image") if isinstance(part.get("image"), dict) else part
    source = image.get("source") if isinstance(image, dict) else None
    data = source.get("bytes", source.get("data", "")) if isinstance(source, dict) else ""
    size = len(data) * 3 // 4 - str(data)[-2:].count("=") if isinstance(data, str) else 0
    return f"[image: {image.get('format', 'unknown') if isinstance(image, dict) else 'unknown'}, {size} bytes]"


PRESET = Preset(
    name="strands-sliding-window",
    summary="keeps the newest messages, after an overflow cuts the oldest results first, as Strands Agents does",
    family="evict-steps",
    imitates="strands-agents 1.62.0, SlidingWindowConversationManager",
    source="strands/agent/conversation_manager/sliding_window_conversation_manager.py",
    evidence="S",
    unit="messages",
    minimum="none",
    style=Style.TURNS,
    counter=counters.one,
    select=select,
    act=act,
    settings=(
        Setting("window_size", 40, "how many of the newest messages stay", whole()),
        Setting("should_truncate_results", True, "whether an overflow cuts long results before messages go", flag),
        Setting("pin_first", None, "how many of the first messages stay; null: none", any_of(null, whole())),
        Setting("call", MANAGE, f"what happened: {MANAGE}, or {OVERFLOW}", choice(MANAGE, OVERFLOW)),
        Setting("times", 1, "how often that happened", whole(1)),
    ),
    leaves=("parts-turns", "begins-anywhere"),
)
