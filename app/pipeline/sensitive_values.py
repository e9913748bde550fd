# ruff: noqa: E501, SIM905  # one pattern stands as it is looked for, words as they are read
"""Whether what stands in the place of a secret is one: no placeholder, no type, no reference, no plain word that says how things stand.

Where that cannot be told, it counts as one: a review takes back what went too far, and nothing brings back what has left the room.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import re
from typing import Final

PLACEHOLDER: Final = re.compile(
    r"[<{(\[]|\$(?!(?:2[aby]|argon2\w*|scrypt|[156y])\$)|%[({sdv]|process\.env|os\.|env\.|self\.|this\.|your|my_|x{3}|\*{3}|\.{2}|change_?me|"
    r"(?:none|null|nil|true|false|string|str|redacted|undefined|required|optional|example|placeholder|dummy|todo)(?![A-Za-z0-9])|-(?:-|$|\w$)",
    re.I,
)
TELLING: Final = re.compile(r"(?i)passw|passphrase|passcode|token|secret|credential|api_?key|kennwort|passwort|access_?key|private_?key")
_REFERENCE: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+|@[\w/]+")
_CAMEL: Final = re.compile(r"[a-z]+(?:[A-Z][a-z]*)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|_?[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+")
_PATH: Final = re.compile(r"(?:~|\.{1,2})?/[\w./@~-]*|[A-Za-z]:[\\/].*|[\w./-]+\.(?:py|js|ts|txt|ya?ml|json|toml|pem|key|env|md|html?|cfg|ini|sh)\b.*")

STATES: Final = frozenset("""
str string text varchar char character bool boolean int integer number float bytes byte object field any unknown none null nil void
undefined true false yes no on off required optional invalid incorrect wrong expired missing set unset not changed reset empty valid too
short long weak strong stored hashed hidden plain encrypted protected secure here the a an this that of and or is are was for with from
to in it by as if else return only also still being sent used needed given provided generated updated found never always correct checked
redacted default example sample test value values name names type types key keys id auth basic bearer digest login user username email
input output label title description placeholder error message function class const let var self def async await new list dict array map
tuple set option vec str] string] char[] secretstr please enter confirm confirmation current old forgot forgotten change create show
hide field fields number identifier literal operator keyword comma colon eof ident newline comment whitespace punct punctuation symbol
next previous first last primary foreign public private protected static final readonly nullable unique hash salt length min max limit
count size file path url uri dropped rejected accepted denied granted allowed disabled enabled unavailable available pending ok fail
failed passed pass success ready done must should may can cannot will would has have had does do did via using per mandatory absent
present known visible masked shown authentication authorization header headers middleware guard usage access
""".split())

_OPENERS: Final = frozenset("""
please enter must should is was are the a an your you this that not no invalid incorrect confirm forgot wrong missing too at required
optional show hide change reset create choose type use if when for to in on with
""".split())
_ABOUT: Final = re.compile(r"(?i)(?:\w*(?:passw\w*|passwort|token|secret|key|credential)s?|(?:passw|pass_|token|secret|get|hash)\w*)$")
_PROSE: Final = re.compile(r"(?:\w+(?:ed|ing|ly|able|ible|ory|ent|ure|ous|ive)|not|too|the|an?|at|on|in|so|now|then|what|how|where|when|why)$", re.I)


def bare(text: str) -> str:
    return text.strip("\\\"'`")


def given(text: str) -> bool:
    """Whether a value is one that somebody gave, and no placeholder or reference."""
    value = bare(text)
    return len(value) >= 4 and PLACEHOLDER.match(value) is None and len(set(value)) > 2 and value.lower() not in STATES


def mixed(text: str) -> bool:
    """Letters and digits both."""
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


def opaque(text: str) -> bool:
    """Encoded data, and no long word, path or ruler."""
    return all(re.search(some, text) for some in ("[a-z]", "[A-Z]", "[0-9]")) and "//" not in text[:8]


def quoted(value: str) -> bool:
    """A literal beside a name that says secret."""
    if PLACEHOLDER.match(value) or len(set(value)) < 3 or value.lower() in STATES or "${" in value or "{{" in value or _PATH.fullmatch(value):
        return False
    words = value.split()
    if len(words) > 1:
        return len(words) <= 6 and TELLING.search(value) is None and not (words[0].lower() in _OPENERS or value.endswith((":", ".", "?", "…")))
    return (any(c.isdigit() for c in value) or TELLING.search(value) is None) and not re.fullmatch(r"(?i)(?:password|token|secret)\d", value)


def unquoted(value: str, follows: str) -> bool:
    """A bare word beside a name that says secret; `follows`: the character behind it."""
    if not given(value) or _PATH.fullmatch(value) or follows in ("(", "[", "{", "<"):
        return False
    if _REFERENCE.fullmatch(value) or (value[:1] == "&" or "\\" in value):
        return False
    if any(c.isdigit() for c in value):
        return re.fullmatch(r"[a-zA-Z_]*(?:password|token|secret|key|arg|hash|var|str|line|char|int|uint|float)s?_?\d{0,3}", value) is None
    return _ABOUT.match(value) is None and not (follows in (";", ",", ")") and _CAMEL.fullmatch(value))


def said(value: str) -> bool:
    """A word of a sentence: "the password is Sunflower"."""
    word = value.rstrip(".:!?")
    if not given(word) or TELLING.search(word):
        return False
    if any(not c.isalpha() for c in word):
        return any(c.isdigit() for c in word) or not re.fullmatch(r"[A-Za-z]+(?:[/'][A-Za-z]+)+|(?:[A-Za-z]+-)+(?:known|only|\w+ed|\w+ing)", word)
    return _PROSE.fullmatch(word) is None


def credentials(text: str) -> bool:
    """Whether this is base64 of `user:password`."""
    try:
        told = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True).decode("utf-8")
    except ValueError:
        told = ""
    return (":" in told and told.isprintable()) or (
        len(text) >= 12 and (text.endswith("=") or (any(c.isdigit() for c in text) and any(c.isupper() for c in text)))
    )


_CLAIMS: Final = re.compile(r'"(?:alg|enc|kid|typ|sub|iss|exp|iat|nbf|aud|jti|email|scope|name)"')


def token_of_json(text: str) -> bool:
    """Whether a token, or what is left of one, begins with JSON of a JSON Web Token: its header or its claims."""
    head = text.partition(".")[0]
    for most in (len(head), len(head) - len(head) % 4):
        try:
            told = base64.urlsafe_b64decode(head[:most] + "=" * (-most % 4)).decode("utf-8", "replace")
        except ValueError:
            continue
        if _CLAIMS.search(told):
            return True
        try:
            return isinstance(json.loads(told), dict) and "." in text
        except ValueError:
            continue
    return False


def key_block(text: str) -> bool:
    """Whether there is a key between the two lines of a PEM block, and no code that speaks of them."""
    body = re.sub(r"-----(?:BEGIN|END)[A-Z ]*-----|\\+[nr]|\s|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): ?[\w,.: -]*", "", text)
    return len(body) >= 4 and re.fullmatch(r"[A-Za-z0-9+/=>#|,:\\\"'-]+", body) is not None


def luhn(text: str) -> bool:
    """Whether the digits of a text are a card number by length and check digit."""
    digits = [int(c) for c in text if c.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    total = sum(d if i % 2 == 0 else (d * 2 - 9 if d > 4 else d * 2) for i, d in enumerate(reversed(digits)))
    return total % 10 == 0


def iban(text: str) -> bool:
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def address(text: str) -> bool:
    """An IPv4 address that says something: not this machine, not any, no version number."""
    parts = [int(part) for part in text.split(".")]
    return all(part <= 255 for part in parts) and parts[0] not in (0, 127, 255) and parts[1:] != [0, 0, 0]


def address6(text: str) -> bool:
    """A public IPv6 address (RFC 4291 2.4: of 2000::/3)."""
    try:
        return ipaddress.IPv6Address(text.rstrip(":") if not text.endswith("::") else text) is not None
    except ValueError:
        return False


def telephone(text: str) -> bool:
    return 8 <= sum(c.isdigit() for c in text) <= 15
