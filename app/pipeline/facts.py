"""Facts in a text: identifiers, paths, numbers, names.

No model and no dictionary: one pass of a regular expression over runs of characters, then a few questions to each run. Every expression is
linear in the text (each run is tried at its first character alone, what a quantifier took it never gives back), so that a line of
megabytes costs what its bytes cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import orjson

from app.pipeline.constraints import persons

IDENTIFIER, PATH, NUMBER, NAME = range(4)
KIND_NAMES: Final = ("identifier", "path", "number", "name")

_EXTENSIONS: Final = (
    "py|pyi|js|jsx|ts|tsx|mjs|cjs|json|jsonl|toml|yaml|yml|md|rst|txt|csv|tsv|html|css|scss|xml|sql|sh|bash|ps1|go|rs|java|kt|c|h|cc|cpp|"
    "hpp|cs|rb|php|swift|scala|lua|ini|cfg|conf|env|lock|log|ipynb|pdf|docx|xlsx|png|jpg|svg|gradle|vue|svelte|proto|tf|dockerfile"
)
_TOPS: Final = "com|net|org|internal|example"
_MORE_TOPS: Final = "io|dev|cloud|local|lan|corp|intranet|test|edu|gov|ai|co|de|at|ch|eu|fr|uk|us"  # of a host with a digit in its name
_C: Final = r"A-Za-z0-9_./#@~\-"
_RUN: Final = re.compile(
    rf"(?<![{_C}])(?:[A-Za-z_.#~\-]*+[0-9/@](?:[{_C}]++|,(?=\d\d\d(?!\d)))*+|(?:[A-Za-z_\-]++\.)++(?:{_EXTENSIONS}|{_TOPS})(?![{_C}]))"
)  # fmt: skip
_GROUPED: Final = re.compile(r"[#\-]?\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?\.?")
_WINDOWS: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]:\\[\w.\\()\-]++")
_ESCAPED: Final = ("\\n", "\\r", "\\t", '\\"')

_EMAIL: Final = re.compile(r"[\w.\-]{1,64}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63})+")
_FILE: Final = re.compile(rf"[\w.\-]{{1,120}}\.(?:{_EXTENSIONS})", re.IGNORECASE)
_TAIL: Final = re.compile(r"[^./]{1,80}\.[A-Za-z][A-Za-z0-9]{0,7}")
_TICKET: Final = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d{1,7}")
_UNIT: Final = re.compile(r"\d+(?:\.\d+)?[A-Za-z]{1,3}|\d{1,4}-[A-Za-z]+")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_HOST: Final = re.compile(rf"(?!(?:com|org|net|io|java)\.)(?:[A-Za-z0-9\-]{{1,63}}\.){{2,8}}(?:{_TOPS})")
_HOST_NUMBERED: Final = re.compile(rf"(?=[a-z\-.]{{0,120}}\d)(?:[a-z0-9\-]{{1,63}}\.){{2,8}}(?:{_TOPS}|{_MORE_TOPS})")
_CLASS: Final = re.compile(r"(?=[A-Za-z]{1,80}\d)(?:[A-Z]{1,4}[a-z]{2,40}\d{0,4}){2,8}")
_HEX: Final = re.compile(r"[0-9a-f]{7,}")
_NO_TICKET: Final = frozenset(("UTF", "SHA", "ISO", "GPT", "MD", "AES", "RSA", "TLS", "IPV", "HTTP", "COVID", "X", "CP", "ES", "CC"))
_NO_FACT: Final = frozenset(
    ("sha256", "sha512", "int128", "float64", "base64", "iso8859", "utf8", "x86_64", "amd64", "arm64", "win32", "latin1", "cp1252", "md5",
     "console.log", "math.log", "logger.log", "np.log", "torch.log", "node.js", "next.js", "vue.js", "express.js", "process.env", "d3.js")
)  # fmt: skip
_LONGEST: Final = 200

_TELLING: Final = (
    "command", "cmd", "file_path", "path", "filename", "query", "pattern", "sql", "url", "code", "prompt", "description", "id",
)  # fmt: skip

_CODE: Final = re.compile(r"(?<![\w./\-])(?:[a-z]++_[a-z_]++|[a-z]++[A-Z][A-Za-z]++|[A-Z][a-z]++[A-Z][A-Za-z]++)(?![\w/])")
_CAPITAL: Final = re.compile(r"(?<![\w'’./@\-])[A-ZÀ-Þ][a-zß-ÿ]{2,}(?![\w@/])")
_CALLED: Final = re.compile(
    r"(?:\b(?:name(?:['’]s|\s+is)?|named|called|I['’]m|I\s+am|to|for|from|with|at|by|cc|ask|tell|and|customer|client|user|Mr\.?|Ms\.?|Mrs\.?|Dr\.?)"
    r"|[A-ZÀ-Þ][a-zß-ÿ]{1,40})\s$"
)
_AFTER: Final = re.compile(r"\s[A-ZÀ-Þ][a-zß-ÿ]+(?![\w/])")
_SPOKEN: Final = 1_500  # characters
_WORDS: Final = """
 January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday
Sunday English German French Spanish Chinese Japanese The This That These Those And But Also Then When Where What Which Why How Who Dear
Please Thanks Thank Hello Yes Not Never Always Only You Your They Their Our Its His Her For From With Into About Here There Sure Okay
Just Let Can Could Would Should Will Use Add Fix Make Run Note Important Task Error Step Ltd Inc GmbH Python Java Linux Windows Docker
Git File Files Code Test Tests Data Name Type Read Write
"""
_NOT_NAMES: Final = frozenset(_WORDS.split())


def words_of_call(text: str) -> str:
    """The arguments of a call as the words in them: JSON is read, so that no escape stands in front of a word."""
    try:
        value = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        return plain(text)
    return "\n".join(_leaves(value))


def telling(text: str) -> str:
    """The arguments of a call in one line, what says most of it first."""
    try:
        value = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        return text
    if isinstance(value, dict):
        first = {key: value[key] for key in _TELLING if key in value}
        value = {**first, **value}
    return " ".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack += reversed(one.values())
        elif isinstance(one, list):
            stack += reversed(one)
        elif isinstance(one, str):
            yield plain(one)
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield repr(one)


def plain(text: str) -> str:
    """Text in which an escaped line break is a blank: JSON in a string of JSON."""
    if "\\" in text:
        for escape in _ESCAPED:
            text = text.replace(escape, "  ")
    return text


def runs(text: str) -> set[str]:
    """What may be a fact in a text, each once; `1,953` as `1953`."""
    text = plain(text)
    found = set(_RUN.findall(text))
    for run in [run for run in found if "," in run]:
        found.discard(run)
        found.update([run.replace(",", "")] if _GROUPED.fullmatch(run) else run.split(","))
    if ":\\" in text:
        found.update(_WINDOWS.findall(text))
    return found


def fact(run: str) -> tuple[int, str] | None:
    """The kind of a run and the form in which equal facts are equal (`1,953.40` and `1953.4`, `./src/a.py` and `src/a.py`); or None."""
    if len(run) > _LONGEST or len(run) < 3:
        return None
    if ":\\" in run:
        return PATH, run.rstrip("\\.")
    token = run.rstrip(".-#@~/").lstrip("-#@")
    if token.startswith("~") and not token.startswith("~/"):
        token = token.lstrip("~")
    while token.startswith("./"):
        token = token[2:]
    if token.startswith(".") and "/" not in token:
        token = token.lstrip(".")
    if len(token) < 3:
        return None
    if "/" in token:
        return _path(token, run)
    if "@" in token:
        return (IDENTIFIER, token) if _EMAIL.fullmatch(token) or sum(map(str.isdigit, token)) >= 2 else None
    if not any("a" <= c.lower() <= "z" for c in token):
        return _number(token)
    return _mixed(token)


def _path(token: str, run: str) -> tuple[int, str] | None:
    if token.startswith("//"):  # of an address
        host = token[2:]
        return (PATH, host) if "." in host and len(host) > 5 else None
    if token.startswith(("/dev/", "/proc/")):
        return None
    parts = [part for part in token.split("/") if part]
    if len(parts) < 2 or not any(c.isalpha() for c in token):
        return _number(token.replace("/", "-")) if len(parts) == 3 else None
    sure = token[0] in "/~" or _TAIL.fullmatch(parts[-1]) is not None or len(parts) > 2 or run.endswith("/")
    return (PATH, token) if sure and len(token) > 4 else None


def _number(token: str) -> tuple[int, str] | None:
    digits = sum(map(str.isdigit, token))
    if _DATE.fullmatch(token):
        return NUMBER, token
    if "-" in token or "_" in token or "#" in token:
        return (IDENTIFIER, token) if digits >= 7 else None
    if token.count(".") > 1:
        return (NUMBER, token) if digits >= 4 else None
    whole, dot, part = token.partition(".")
    if dot:
        part = part.rstrip("0")
        if not part:
            return _number(whole)
        return (NUMBER, f"{whole}.{part}") if len(whole) + len(part) >= 4 or len(whole) >= 2 else None
    if not 4 <= digits <= 30 or (len(whole) == 4 and whole[:2] in ("19", "20")) or len(whole.rstrip("0")) < 2:
        return None
    if not whole.isdecimal():
        return None
    value = int(whole)
    return (NUMBER, whole) if value & (value - 1) else None


def _mixed(token: str) -> tuple[int, str] | None:
    digits = sum(map(str.isdigit, token))
    if token.lower() in _NO_FACT:
        return None
    if _FILE.fullmatch(token):
        return PATH, token
    if len(token) <= 120 and (_HOST.fullmatch(token) or _HOST_NUMBERED.fullmatch(token) or _CLASS.fullmatch(token)):
        return IDENTIFIER, token
    if not digits or len(token) > 120 or _UNIT.fullmatch(token):
        return None
    if _DATE.match(token):
        return NUMBER, token[:10]
    if _TICKET.fullmatch(token):
        return None if token.split("-")[0] in _NO_TICKET else (IDENTIFIER, token)
    if digits >= 3 or (digits >= 2 and len(token) >= 6 and ("_" in token or "-" in token)):
        return (IDENTIFIER, token) if len(token) >= 5 else None
    if (token.isupper() and len(token) >= 6) or (len(token) >= 7 and _HEX.fullmatch(token)):
        return IDENTIFIER, token
    return None


def names_said(text: str) -> set[str]:
    """Names that a person says: symbols of code, and words with a capital that stand beside another one or behind what calls somebody
    by name. Of a long message none is taken: what is pasted is full of words."""
    text = persons(text)
    if len(text) > _SPOKEN:
        return set()
    found = set(_CODE.findall(text))
    for match in _CAPITAL.finditer(text):
        if match[0] in _NOT_NAMES:
            continue
        before = _CALLED.search(text[max(0, match.start() - 48) : match.start()])
        if _AFTER.match(text, match.end()) or (before is not None and before[0].strip() not in _NOT_NAMES):
            found.add(match[0])
    return found


def names_used(text: str) -> set[str]:
    """Words that may be names which somebody else said."""
    return {*_CODE.findall(text), *_CAPITAL.findall(text)}
