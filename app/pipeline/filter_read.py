"""Filter expressions, read: `tool == read_file && tokens > 4000 && finding`.

    either := both ("||" both)*
    both   := one ("&&" one)*
    one    := "!" one | "(" either ")" | name op value | name | words
    value  := word | "text" | number | low..high | /pattern/

Words that stand for themselves are looked for in the text: a run of them is one phrase. A name alone is a condition where that means
something (`finding`, `pinned`). What cannot be read is a `FilterError` with its place and what could stand there, never anything else.
"""

from __future__ import annotations

import difflib
import re
import warnings
from dataclasses import dataclass

from app.model.filter import And, FilterError, Node, Not, Or, Pattern, Problem, Range, Test, Value
from app.model.filter_names import KIND_ALIASES, NAMES, Name

MOST = 4_000  # characters of an expression
DEEPEST = 60  # groups within one another
_MOST_NUMBER = 10**12

TOKEN = re.compile(r"""(?P<blank>\s+)|(?P<op>==|!=|>=|<=|&&|\|\||[><~!()])|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<word>[^\s"()=!<>&|~]+)""", re.S)
_PATTERN = re.compile(r"/((?:[^/\\]|\\.)*)/", re.S)
_NUMBER = re.compile(r"(\d[\d,_]*)(?:\.(\d+))?([km]?)", re.I | re.A)
_COMPARING = ("==", "!=", ">", "<", ">=", "<=", "~")


@dataclass(frozen=True)
class Token:
    """`kind`: op, word, text, pattern or end. `value`: without quotes."""

    kind: str
    value: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """An expression in its tokens, the end last. FilterError where it holds what can be none."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        after_tilde = bool(found) and found[-1].kind == "op" and found[-1].value == "~"
        pattern = _PATTERN.match(text, at) if after_tilde and text[at] == "/" else None
        if pattern is not None:
            found.append(Token("pattern", pattern[1].replace("\\/", "/"), at, pattern.end()))
            at = pattern.end()
            continue
        match = TOKEN.match(text, at)
        if match is None:
            raise _odd(text, at)
        kind = match.lastgroup or ""
        if kind != "blank":
            value = re.sub(r"\\(.)", r"\1", match["text"], flags=re.S) if kind == "text" else match[kind]
            found.append(Token(kind, value, at, match.end()))
        at = match.end()
    return [*found, Token("end", "", len(text), len(text))]


def _odd(text: str, at: int) -> FilterError:
    here = text[at]
    if here == '"':
        return FilterError(Problem(at, len(text) - at, "this quote is not closed", 'a closing "'))
    twice = {"=": "==", "&": "&&", "|": "||"}.get(here, here)
    return FilterError(Problem(at, 1, f'"{here}" alone means nothing', f'{twice}, or quotes around what is looked for: "a {here} b"'))


def read(text: str) -> Node | None:
    """The tree of an expression, None where it says nothing. Raises FilterError."""
    if len(text) > MOST:
        raise FilterError(Problem(MOST, len(text) - MOST, f"an expression has at most {MOST:,} characters"))
    reader = _Reader(text, tokens(text))
    if reader.now.kind == "end":
        return None
    tree = reader.either(0)
    if reader.now.kind != "end":
        raise reader.wrong("this cannot stand here", "&&, || or the end")
    return tree


class _Reader:
    def __init__(self, text: str, found: list[Token]) -> None:
        self._text, self._tokens, self._at = text, found, 0

    @property
    def now(self) -> Token:
        return self._tokens[self._at]

    def wrong(self, said: str, expected: str = "", token: Token | None = None) -> FilterError:
        token = token or self.now
        return FilterError(Problem(token.start, max(1, token.end - token.start), said, expected))

    def is_op(self, value: str) -> bool:
        return self.now.kind == "op" and self.now.value == value

    def either(self, depth: int) -> Node:
        parts = [self._both(depth)]
        while self.is_op("||"):
            self._at += 1
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _both(self, depth: int) -> Node:
        parts = [self._one(depth)]
        while self.is_op("&&"):
            self._at += 1
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _one(self, depth: int) -> Node:
        token = self.now
        if depth > DEEPEST:
            raise self.wrong(f"groups can lie at most {DEEPEST} deep")
        if self.is_op("!"):
            self._at += 1
            return Not(self._one(depth + 1))
        if self.is_op("("):
            self._at += 1
            inner = self.either(depth + 1)
            if not self.is_op(")"):
                at_end = self.now.kind == "end"
                raise self.wrong("this group is not closed", ")", token) if at_end else self.wrong("this cannot stand here", "&&, || or )")
            self._at += 1
            return inner
        if token.kind == "text":
            self._at += 1
            if self.now.kind == "op" and self.now.value in _COMPARING:
                raise self.wrong("words in quotes are no name", f"one of {', '.join(NAMES)}", token)
            return self._phrase(token.value, token)
        if token.kind == "word":
            return self._word()
        where = "the expression ends here" if token.kind == "end" else "this cannot stand here"
        raise self.wrong(where, "a condition, words to look for, ! or (")

    def _word(self) -> Node:
        token, follower = self.now, self._tokens[self._at + 1]
        if follower.kind == "op" and follower.value in _COMPARING:
            return self._condition()
        last = token
        while self.now.kind == "word" and not self._begins_condition():
            last = self.now
            self._at += 1
        known = NAMES.get(token.value.lower())
        if last is token and known is not None and known.alone:
            return Test(known.name)
        return self._phrase(self._text[token.start : last.end], token)

    def _begins_condition(self) -> bool:
        follower = self._tokens[self._at + 1]
        return follower.kind == "op" and follower.value in _COMPARING

    def _phrase(self, words: str, token: Token) -> Test:
        if not words:
            raise self.wrong("there are no words between these quotes", "words to look for", token)
        return Test("text", "~", words)

    def _condition(self) -> Test:
        token, op = self.now, self._tokens[self._at + 1]
        name = NAMES.get(token.value.lower())
        if name is None:
            close = difflib.get_close_matches(token.value.lower(), NAMES, 1)
            raise self.wrong(f'there is no name "{token.value[:40]}"', close[0] if close else f"one of {', '.join(NAMES)}")
        if op.value not in name.operators:
            if name.sort == "flag":
                raise self.wrong(f"{name.name} stands alone", "&&, || or the end", op)
            raise self.wrong(f"{name.name} cannot be asked with {op.value}", f"one of {'  '.join(name.operators)}", op)
        self._at += 2
        value = self.now
        if value.kind not in ("word", "text", "pattern"):
            wanted = value_words(name, op.value)
            raise self.wrong("the value is missing" if value.kind in ("end", "op") else "this is no value", wanted)
        self._at += 1
        return Test(name.name, op.value, self._value(name, op.value, value))

    def _value(self, name: Name, op: str, token: Token) -> Value:
        if token.kind == "pattern":
            return self._pattern(token)
        if name.sort == "number":
            return self._number(name, op, token)
        if op == "~" or name.sort == "text":
            if not token.value:
                raise self.wrong("there are no words between these quotes", "words to look for", token)
            return token.value
        if not name.values:
            return token.value
        word = token.value.lower()
        word = KIND_ALIASES.get(word, word) if name.name == "kind" else word
        if word not in name.values:
            raise self.wrong(f'there is no {name.name} "{token.value[:40]}"', value_words(name, op), token)
        return word

    def _pattern(self, token: Token) -> Pattern:
        why = unfit(token.value)
        if why:
            raise self.wrong(why, "a regular expression between two /", token)
        return Pattern(token.value)

    def _number(self, name: Name, op: str, token: Token) -> Value:
        low, dots, high = token.value.partition("..")
        if not dots:
            if name.name == "span":
                one = self._one_number(name, op, low, token)
                return Range(one, one)
            return self._one_number(name, op, low, token)
        if op not in ("==", "!="):
            raise self.wrong("a range can only be compared with == and !=", value_words(name, op), token)
        first = self._one_number(name, op, low, token) if low else None
        to_now = name.unit == "r" and high.lower() == "now"
        last = self._one_number(name, op, high, token) if high and not to_now else None
        if first is None and last is None and not to_now:
            raise self.wrong("this range has no ends", value_words(name, op), token)
        if first is not None and last is not None and first > last:
            first, last = last, first
        return Range(first, last)

    def _one_number(self, name: Name, op: str, word: str, token: Token) -> int:
        found = number(word, name.unit)
        if found is None:
            raise self.wrong(f'"{token.value[:40]}" is no number', value_words(name, op), token)
        return found


def number(word: str, unit: str = "") -> int | None:
    """`4000`, `4,000`, `4k`, `1.5m`, with a unit `r105`; None where it is none."""
    if unit and word[:1].lower() == unit:
        word = word[1:]
    match = _NUMBER.fullmatch(word) if len(word) <= 20 else None
    if match is None:
        return None
    scale = {"k": 1_000, "m": 1_000_000}.get(match[3].lower(), 1)
    whole = int(match[1].replace(",", "").replace("_", "")) * scale
    part = int(match[2]) * scale // 10 ** len(match[2]) if match[2] else 0
    return min(whole + part, _MOST_NUMBER)


def value_words(name: Name, op: str) -> str:
    """What can stand behind an operator, in words."""
    if op == "~":
        return "words, or a pattern between two /"
    if name.name == "span":
        return "requests, as r105..r140"
    if name.unit:
        return f"a number, as {name.unit.upper() if name.unit == 'e' else name.unit}31"
    if name.sort == "number":
        return "a number, as 4000 or 4k"
    if name.values:
        return f"one of {', '.join(name.values)}"
    known = {"tool": "the name of a tool", "id": "a call id", "rule": "the name of a rule", "finding": "the name of a rule"}
    return known.get(name.name, "words")


def unfit(pattern: str) -> str:
    """Why a regular expression will not do; "" where it will. A repeat within a repeat is refused: on the wrong text it never ends."""
    if not pattern:
        return "this pattern is empty"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern, re.I)
            parsed = re._parser.parse(pattern, re.I)  # type: ignore[attr-defined]
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        return f"this pattern cannot be read: {error}"
    return "a repeat within a repeat can take for ever" if _repeats(parsed, False) else ""


def _repeats(parsed: object, within: bool) -> bool:
    """Whether something repeated without end holds another such repeat."""
    if not isinstance(parsed, (list, tuple)) and hasattr(parsed, "data"):
        parsed = parsed.data
    if not isinstance(parsed, (list, tuple)):
        return False
    if len(parsed) == 2 and str(parsed[0]) in ("MAX_REPEAT", "MIN_REPEAT"):
        _, most, inner = parsed[1]
        endless = int(most) > 64
        return (within and endless) or _repeats(inner, within or endless)
    return any(_repeats(part, within) for part in parsed)
