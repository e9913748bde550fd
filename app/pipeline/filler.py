"""What takes the place of content that must not leave the room: as long, of the same class, and telling nothing.

A text becomes words of no meaning, as many characters (code points), with as many characters that JSON has to escape; blank text and a
blank end stay. An identifier keeps its punctuation, its known beginning (`toolu_`, `call_`) and the class of each character; a number its
digits' count and its zeros; base64 its length and padding, an image its width and height. Equal things become equal things, different ones
different ones, by a key that is made anew for each filler: nothing can be looked up afterwards.
"""

from __future__ import annotations

import base64
import random
import re
import secrets
import struct
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from app.formats._json import compact_size
from app.formats._media import pixels

PREFIX: Final = re.compile(
    r"(?:chatcmpl-(?:tool-)?|srvtoolu_|toolu_|tooluse_|call_|msg_|resp_|fc_|rs_|ctc_|ws_|ci_|cu_|fs_|ig_|lsh_|cmp_|item_|req_|run_|thread_|"
    r"asst_|mcpr_|mcpl_|mcp_|ses_|prt_|gen-|container_|file-|file_|functions\.)"
)
UUID: Final = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{40,}={0,2}")
_HEX: Final = re.compile(r"[0-9a-f-]{12,}")
_ESCAPED: Final = re.compile('["\\\\\x00-\x1f]')
_LONE: Final = re.compile("[\ud800-\udfff]")
_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_WORDS: Final = re.findall(
    "[a-z]+",
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua enim ad "
    "minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit "
    "voluptate velit esse cillum fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia deserunt "
    "mollit anim id est",
)
_TRIES: Final = 60


@lru_cache(maxsize=1)
def _tape() -> str:
    pick = random.Random(7)  # not for secrecy: where on it a filler begins is
    return " ".join(pick.choice(_WORDS) for _ in range(12_000))


class Filler:
    """Makes fillers. `key`: what they depend on; the same one gives the same fillers."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key or secrets.token_bytes(16)
        self._tape = _tape()
        self._made: dict[str, str] = {}  # identifiers
        self._taken: set[str] = set()
        self._number: dict[bytes, int] = {}  # by what is known of a text, which try became its filler: the texts themselves are not kept
        self._said: set[int] = set()

    def fix(self, names: Mapping[str, str]) -> None:
        """What these identifiers become, whatever else would have been made of them."""
        for old, new in names.items():
            self._made[old] = new
            self._taken.add(new)

    # -- texts ----------------------------------------------------------------------------------------------------------------

    def text(self, text: str, more: int = 0) -> str:
        """A text as long (`more` characters longer), with the same escapes; blank text stays."""
        if not text.strip() and not more:
            return text
        tail = text[len(text.rstrip()) :]
        lone = _LONE.search(text)
        odd = _ESCAPED.findall(text[: len(text) - len(tail)])
        size = len(text) + more - len(tail)
        which = self._digest(text, more)
        known = self._number.get(which)
        for number in range(_TRIES) if known is None else (known,):
            body = self._words(text, size - len(odd) - (lone is not None), number)
            made = (lone[0] if lone else "") + _strewn(body, odd) + tail
            if known is None and hash(made) not in self._said:
                break
        self._number[which] = number
        self._said.add(hash(made))
        return made

    def _words(self, text: str, size: int, number: int) -> str:
        if size <= 0:
            return ""
        start = int.from_bytes(self._digest(text, number)[:4], "little") % (len(self._tape) - 1)
        said = self._tape[start : start + size]
        while len(said) < size:
            said += " " + self._tape[: size - len(said) - 1]
        said = said[:size]
        if said[0] == " ":
            said = "e" + said[1:]
        return said[:-1] + "m" if said[-1] == " " else said

    # -- identifiers and numbers ----------------------------------------------------------------------------------------------

    def name(self, text: str) -> str:
        """An identifier of the same format: punctuation, what is not ASCII as x, classes of characters, a known beginning."""
        if text in self._made:
            return self._made[text]
        found = PREFIX.match(text)
        head = found[0] if found is not None and found.end() < len(text) else ""
        body, made = text[len(head) :], text
        for number in range(_TRIES):
            made = head + self._classed(text, body, number)
            if made not in self._taken and made != text:
                break
        self._made[text] = made
        self._taken.add(made)
        return made

    def _classed(self, text: str, body: str, number: int) -> str:
        pick = random.Random(self._digest(text, number))
        if UUID.fullmatch(body):
            kept = {14, 19} | (set(range(14)) if body[14] == "7" else set())  # version and variant; of version 7 the time
            return "".join(c if c == "-" or i in kept else pick.choice("0123456789abcdef") for i, c in enumerate(body))
        if _HEX.fullmatch(body):
            return "".join(c if c == "-" else pick.choice("0123456789abcdef") for c in body)
        return "".join(_like(c, pick) for c in body)

    def number(self, text: str) -> str:
        """A number of the same shape: zeros, sign, point and exponent stay, so that it is written as long as it was."""
        mantissa, mark, exponent = re.match(r"([^eE]*)([eE]?)(.*)", text, re.S).groups()  # type: ignore[union-attr]
        if not mantissa.strip("-0."):
            return text
        size = _number_size(text)
        for number in range(_TRIES):
            pick = random.Random(self._digest(text, number))
            made = "".join(pick.choice("123456789") if c in "123456789" else c for c in mantissa) + mark + exponent
            if _number_size(made) == size:
                return made
        return re.sub("[1-9]", "1", text)

    # -- data -----------------------------------------------------------------------------------------------------------------

    def base64(self, text: str) -> str:
        """Base64 as long, with the padding it has; of an image the head that tells its width and height, made anew."""
        body = text.rstrip("=")
        head = _head(text)[: len(body)]
        pick = random.Random(self._digest(text, 0))
        unit = "".join(pick.choices(_UPPER + _LOWER + _DIGITS, k=min(256, len(body) - len(head))))
        rest = len(body) - len(head)
        return head + (unit * (rest // 256 + 1))[:rest] + "=" * (len(text) - len(body))

    def _digest(self, text: str, number: int) -> bytes:
        return blake2b(text.encode("utf-8", "surrogatepass"), key=self._key, salt=number.to_bytes(4, "little"), digest_size=16).digest()


def _strewn(body: str, odd: list[str]) -> str:
    """Characters put into a text at even distances, never last."""
    if not odd or not body:
        return body + "".join(odd)
    body, last = body[:-1], body[-1]
    step = max(1, len(body) // (len(odd) + 1))
    parts = [body[i * step : (i + 1) * step] for i in range(len(odd))]
    return "".join(part + mark for part, mark in zip(parts, odd, strict=True)) + body[len(odd) * step :] + last


def _like(character: str, pick: random.Random) -> str:
    if character in _LOWER:
        return pick.choice(_LOWER)
    if character in _UPPER:
        return pick.choice(_UPPER)
    if character in _DIGITS:
        return pick.choice("123456789" if character != "0" else _DIGITS)
    return character if character.isascii() else "x"


def _number_size(text: str) -> int:
    try:
        value: int | float = float(text) if any(c in text for c in ".eE") else int(text)
    except ValueError:
        return len(text)
    return compact_size(value)


def _head(text: str) -> str:
    """The head of a picture as wide and as high, in base64; "" for what is none. What is in the picture's own head (a preview, the place
    where it was taken) is not in this one."""
    width, height = pixels(text)
    if width is None or height is None:
        return ""
    start = base64.b64decode(text[:16] + "==="[: -len(text[:16]) % 4], validate=False)
    if start.startswith(b"\x89PNG"):
        data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)
    elif start.startswith(b"GIF8"):
        data = b"GIF89a" + struct.pack("<HH", width & 0xFFFF, height & 0xFFFF)
    elif start.startswith(b"\xff\xd8"):
        data = b"\xff\xd8\xff\xc0\0\x11\x08" + struct.pack(">HH", height & 0xFFFF, width & 0xFFFF) + b"\x03"
    else:
        data = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    data += b"\0" * (-len(data) % 3)
    return base64.b64encode(data).decode()
