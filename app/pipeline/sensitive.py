# ruff: noqa: E501  # one pattern stands as it is looked for
"""What looks like a secret or like personal data: one table of patterns.

The patterns are our own words for formats that their makers publish: AWS (IAM identifiers: unique id prefixes), GitHub ("About
authentication to GitHub": token formats), GitLab (token prefixes), Slack (token types), Stripe (keys), Google Cloud (API keys), OpenAI,
Anthropic and Hugging Face (keys), npm and PyPI (token formats), RFC 7519 (JSON Web Tokens), RFC 7468 (PEM), RFC 6750 and 7617 (Bearer and
Basic), RFC 3986 3.2.1 (user information in a URL), ISO 13616 (IBAN with its check digits), ISO/IEC 7812 (card numbers with Luhn's digit).
No library does it: detect-secrets (1.5.0 of May 2024) reads files line by line, brings `requests` and PyYAML, and looks for no personal
data; Presidio brings spaCy and a model; gitleaks is a program of its own. Here a text is one string of a dump, a hit is a stretch of it, and
nothing is to be fetched. A table finds what it names and no more: the review lists what was found, and own words can be added to it.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.model.evidence import SensitiveKind
from app.pipeline.unescaped import fold, folded, unescaped


@dataclass(frozen=True)
class Pattern:
    """`find` with the group that is the thing itself. `needles`: one of them must be in the text (in small letters where `fold`), so that
    most texts cost nothing. `checks`: what else a hit must fulfil. `label` begins the mark that takes its place."""

    name: str
    kind: SensitiveKind
    label: str
    find: re.Pattern[str]
    needles: tuple[str, ...]
    group: int = 0
    fold: bool = False
    checks: Callable[[str], bool] = field(default=lambda text: True)
    gate: Callable[[str], bool] | None = None  # a cheap look at the whole text


def _p(name: str, label: str, find: str, *needles: str, group: int = 0, fold: bool = False, kind: SensitiveKind = "secret",
       checks: Callable[[str], bool] | None = None, gate: Callable[[str], bool] | None = None) -> Pattern:  # fmt: skip
    made = re.compile(find, re.I if fold else 0)
    return Pattern(name, kind, label, made, needles, group, fold, checks or (lambda text: True), gate)


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
    return all(part <= 255 for part in parts) and parts[0] not in (0, 127, 255) and parts != [1, 0, 0, 0]


def telephone(text: str) -> bool:
    return 8 <= sum(c.isdigit() for c in text) <= 15


def telling(text: str) -> bool:
    """Whether a value beside a telling name is one: no placeholder, no reference, no plain word of code."""
    bare = text.strip("\"'`")
    if len(bare) < 6 or re.fullmatch(r"[xX*•._-]+|(?i:none|null|true|false|string|redacted|undefined|required|optional)", bare):
        return False
    return (not re.match(r"[$<{%(\[]|process\.env|os\.(?:environ|getenv)|env\.|self\.", bare) and not re.fullmatch(r"[A-Za-z_.]+\(?.*\)?;?", bare)) or (
        any(c.isdigit() for c in bare) and not re.search(r"[()\[\]{}<>$]", bare)
    )


def opaque(text: str) -> bool:
    """Encoded data, and no long word, path or ruler."""
    return all(re.search(some, text) for some in ("[a-z]", "[A-Z]", "[0-9]")) and "//" not in text[:8]


_PLACE: Final = re.compile(
    r"[$<{%(\[]|process\.env|os\.|env\.|self\.|-|your|my_|x{3}|\*{3}|\.{3}|(?:none|null|true|false|string|redacted|undefined|required|optional|"
    r"example|placeholder|change)", re.I
)  # fmt: skip
_CODE_WORD: Final = re.compile(r"(?i)^(?:\w*(?:pass|token|key|secret|auth|cred|value|config|user|name|text|string))$|[|]")


def given(text: str) -> bool:
    """Whether a value is one that somebody gave, and no placeholder or reference."""
    bare = text.strip("\"'`")
    return len(bare) >= 4 and _PLACE.match(bare) is None and len(set(bare)) > 2


def assigned(text: str) -> bool:
    """Whether a quoted value of a telling name is one: a phrase of the code that speaks of it, a path or a name of a name is none."""
    bare = re.split(r"[:=>]\s{0,3}\\?[\"']", text, maxsplit=1)[-1].strip("\"'")
    return given(bare) and len(bare) >= 6 and "{" not in bare and re.search(r"(?i)passw|token|secret|key|//", bare) is None


def credentials(text: str) -> bool:
    """Whether this is base64 of `user:password`."""
    try:
        said = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True).decode("utf-8")
    except ValueError:
        said = ""
    return (":" in said and said.isprintable()) or (
        len(text) >= 12 and (text.endswith("=") or (any(c.isdigit() for c in text) and any(c.isupper() for c in text)))
    )


def address6(text: str) -> bool:
    """A public IPv6 address (RFC 4291 2.4: of 2000::/3)."""
    try:
        return ipaddress.IPv6Address(text.rstrip(":") if not text.endswith("::") else text) is not None
    except ValueError:
        return False


SHORT, MOST = 80, 200_000
_B: Final = r"(?<![A-Za-z0-9_])"
_E: Final = r"(?![A-Za-z0-9])"

PATTERNS: Final[tuple[Pattern, ...]] = (
    _p("private key", "PRIVATE_KEY", r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
       "PRIVATE KEY"),
    _p("AWS access key id", "AWS_KEY_ID", _B + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" + _E, "AKIA", "ASIA", "ABIA", "ACCA"),
    _p("AWS secret key", "AWS_SECRET", r"aws.{0,20}secret.{0,30}?[\"'=:\s]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", "aws", group=1, fold=True),
    _p("GitHub token", "GITHUB_TOKEN", _B + r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})", "ghp_", "gho_", "ghu_",
       "ghs_", "ghr_", "github_pat_"),
    _p("GitLab token", "GITLAB_TOKEN", _B + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20,64}", "gl"),
    _p("Slack token", "SLACK_TOKEN", _B + r"x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,250}", "xox", "xapp-"),
    _p("Slack webhook", "SLACK_HOOK", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,}", "hooks.slack.com"),
    _p("Anthropic key", "ANTHROPIC_KEY", _B + r"sk-ant-[A-Za-z0-9_-]{20,200}", "sk-ant-"),
    _p("OpenRouter key", "OPENROUTER_KEY", _B + r"sk-or-v1-[A-Za-z0-9]{32,100}", "sk-or-"),
    _p("OpenAI key", "OPENAI_KEY", _B + r"sk-(?:proj|svcacct|admin|None)?-?[A-Za-z0-9_-]{20,250}", "sk-"),
    _p("Stripe key", "STRIPE_KEY", _B + r"(?:(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,120}|whsec_[A-Za-z0-9+/=]{20,80})", "_live_", "_test_",
       "_prod_", "whsec_"),
    _p("Google API key", "GOOGLE_KEY", _B + r"AIza[A-Za-z0-9_-]{35}", "AIza"),
    _p("Google OAuth token", "GOOGLE_TOKEN", _B + r"(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,40}|1//0[A-Za-z0-9_-]{20,})", "ya29.",
       "GOCSPX-", "1//0"),
    _p("Azure key", "AZURE_KEY", r"(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%]{40,120}={0,2})", "AccountKey=", "SharedAccessKey=", "sig=",
       group=1),
    _p("Hugging Face token", "HF_TOKEN", _B + r"(?:hf|api_org)_[A-Za-z0-9]{30,50}", "hf_", "api_org_"),
    _p("npm token", "NPM_TOKEN", _B + r"npm_[A-Za-z0-9]{36}", "npm_"),
    _p("PyPI token", "PYPI_TOKEN", _B + r"pypi-[A-Za-z0-9_-]{40,250}", "pypi-"),
    _p("token of a model provider", "PROVIDER_KEY", _B + r"(?:gsk_[A-Za-z0-9]{40,60}|xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,60}|r8_[A-Za-z0-9]{30,40}|"
       r"fw_[A-Za-z0-9]{20,40}|tgp_v1_[A-Za-z0-9_-]{30,60})", "gsk_", "xai-", "pplx-", "r8_", "fw_", "tgp_v1_"),
    _p("token of a service", "SERVICE_KEY", _B + r"(?:SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}|"
       r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|lin_(?:api|oauth)_[A-Za-z0-9]{30,64}|ntn_[A-Za-z0-9]{30,60}|hv[sb]\.[A-Za-z0-9_-]{20,250}|"
       r"dop_v1_[a-f0-9]{64}|sntry[su]_[A-Za-z0-9_=.-]{30,250}|ATATT3[A-Za-z0-9_=-]{100,250}|figd_[A-Za-z0-9_-]{30,60}|SK[0-9a-f]{32}|"
       r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|phc_[A-Za-z0-9]{30,60}|\d{8,10}:AA[A-Za-z0-9_-]{32,34})",
       "SG.", "_v1_", "dapi", "shp", "lin_", "ntn_", "hvs.", "hvb.", "sntry", "ATATT3", "figd_", "SK", "PMAK-", "glsa_", "phc_", ":AA"),
    _p("JSON Web Token", "JWT", _B + r"ey[A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*", "eyJ"),
    _p("Bearer token", "BEARER", r"bearer\s+([A-Za-z0-9._~+/=-]{12,}(?:[ \t]*\\?\r?\n[ \t]*(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{4,}(?![\w:(]))*)",
       "bearer", group=1, fold=True, checks=lambda t: any(c.isdigit() for c in t)),
    _p("Basic credentials", "BASIC", r"basic\s+([A-Za-z0-9+/]{6,}={0,2})", "basic", group=1, fold=True, checks=lambda t: credentials(t)),
    _p("password of a command", "PASSWORD", r"(?:\bcurl\b[^\n|;]{0,400}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,64}:|\bsshpass\s+-p[ ]?|"
       r"\bmysql(?:dump|admin)?\b[^\n|;]{0,200}?\s-p|(?<![\w-])--(?:password|passwd|passphrase|token|api-key|client-secret|access-token|secret)(?:[ ]+|=))"
       r"(\"[^\"\n]{4,200}\"|'[^'\n]{4,200}'|[^\s\"'\\|;&]{4,200})", "curl", "sshpass", "mysql", "--pass", "--token", "--api-key", "--client-secret",
       "--access-token", "--secret", group=1, fold=True, checks=lambda t: given(t)),
    _p("cookie", "COOKIE", r"(?<![A-Za-z0-9])(?:set-)?cookie\\?[\"']?[ ]{0,3}:[ ]{0,3}\\?[\"']?([\w.%-]{1,64}=[^\s\"'\\;]{6,}(?:;[ ]?[\w.%-]{1,64}=[^\s\"'\\;]+)*)",
       "cookie", group=1, fold=True, checks=lambda t: given(t.split("=", 1)[1])),
    _p("signature in a URL", "SIGNATURE", r"[?&;](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential))=([^\s&\"'<>\\)]{8,})",
       "sig", "x-amz-", "x-goog-", group=1, fold=True, checks=lambda t: given(t)),
    _p("password that is told", "PASSWORD", r"\b(?:password|passwort|passphrase)\s+(?:is|was|ist|lautet)[: ]\s{0,3}[\"'`]?([^\s\"'`,;]{6,64})", "passw",
       "passphrase", group=1, fold=True, checks=lambda t: given(t) and any(not c.isalpha() for c in t.rstrip(".:!?)"))),
    _p("assigned secret", "SECRET", r"(?:(?-i:[A-Z0-9_]{1,30}_KEY)(?<!STORAGE_KEY)(?<!CACHE_KEY)(?<!PUBLIC_KEY)|(?:api|secret|access|private|encryption|signing|auth|master|session)[_-]?key|"
       r"password|passwd|secret|token)"
       r"(?:\\?[\"'])?\s{0,3}(?:=>|[:=])\s{0,3}\\?(?:\"([^\"\\\n]{6,200})\"|'([^'\\\n]{6,200})')", "key", "passw", "secret", "token", fold=True,
       checks=lambda t: assigned(t)),
    _p("assigned secret", "SECRET", r"\b(?:[A-Z0-9]{1,30}_)?(?:API_?KEY|[A-Z0-9]+_KEY|PASSWORD|PASSWD|SECRET|TOKEN|api_?key|password|passwd|secret)=([^\s\"'\\,;&(){}\[\]<>.$]{6,200})"
       r"(?=[\s&\"'\\]|$)", "KEY=", "PASSW", "SECRET=", "TOKEN=", "key=", "passw", "secret=", group=1, checks=lambda t: given(t) and not _CODE_WORD.search(t)),
    _p("password in a URL", "URL_PASSWORD", r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,64}:([^\s/@\"'<>]{1,128})@", "://", group=1),
    _p("value of a telling name", "SECRET", r"(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|"
       r"credentials?)\\?[\"']?\s{0,3}(?:=>|[:=])\s{0,3}(\\?[\"'][^\"'\\\n]{6,200}|[^\s\"'\\,;&)]{6,200})", "passw", "passphrase", "secret", "token",
       "key", "credential", group=1, fold=True, checks=telling),
    _p("e-mail address", "EMAIL", r"[^\W_][\w.%+-]{0,63}@(?:[^\W_](?:(?:[^\W_]|-){0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}" + _E,
       "@", kind="personal", checks=lambda t: not t.lower().startswith("git@") and "noreply" not in t.lower()),
    _p("IBAN", "IBAN", r"[A-Z](?<![A-Za-z0-9_].)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?" + _E, "", kind="personal", checks=iban),
    _p("card number", "CARD", r"[3-6](?<![\w.-].)\d{3}(?:[ -]?\d){9,15}(?![\w-])", "", kind="personal", checks=luhn),
    _p("telephone number", "PHONE", r"(?<![\w.+])\+\d[\d ()./-]{6,20}\d(?!\w)", "+", kind="personal", checks=telephone),
    _p("social security number", "SSN", r"[0-8](?<![\w-].)\d{2}(?<!000)(?<!666)-(?!00)\d\d-(?!0000)\d{4}(?![\w-])", "-", kind="personal"),
    _p("IP address", "IP", r"\d(?<![\w.].)\d{0,2}\.(?:\d{1,3}\.){2}\d{1,3}(?![\w.])", ".", kind="personal", checks=address),
    _p("IP address", "IP", r"(?<![\w:.])[23][0-9A-Fa-f]{3}:[0-9A-Fa-f:]{2,34}(?![\w:])", ":", kind="personal", checks=lambda t: address6(t),
       gate=lambda text: text.count(":") >= 3),
    _p("MAC address", "MAC", r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:])", ":", kind="personal",
       gate=lambda text: text.count(":") >= 5),
    _p("encoded data", "DATA", r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{200,}={0,2}", "", kind="not searched", checks=opaque,
       gate=lambda text: len(text) >= 200 and max(map(len, text.split()), default=0) >= 200),
)  # fmt: skip

SECRET_KEY: Final = re.compile(
    r"(?i)(?:^|[_.\- ]|(?<=[a-z])(?=[A-Z]))(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|"
    r"bearer[_-]?token|session[_-]?token|client[_-]?secret|private[_-]?key|secret[_-]?key|credentials?|authorization|cookie|set-cookie|x-api-key)$"
)
PERSONAL_KEY: Final = re.compile(
    r"(?i)^(?:e[_-]?mail(?:[_-]?address)?|phone(?:[_-]?number)?|mobile|telephone|first[_-]?name|last[_-]?name|full[_-]?name|surname|given[_-]?name|"
    r"family[_-]?name|birth[_-]?date|date[_-]?of[_-]?birth|dob|street(?:[_-]?address)?|home[_-]?address|ssn|iban|passport(?:[_-]?number)?|"
    r"account[_-]?(?:uuid|email)|organization[_-]?(?:uuid|name)|user[_-]?name|user[_-]?email)$"
)
HOME: Final = re.compile(rb"(?:/home/|/Users/|[A-Za-z]:\\{1,4}Users\\{1,4}|/c/Users/)([A-Za-z0-9][A-Za-z0-9._-]{1,31})(?=[/\\\"'\s:;,)]|$)")
NOBODY: Final = frozenset({
    "root", "user", "users", "shared", "public", "runner", "ubuntu", "home", "admin", "default", "node", "app", "you", "me", "name", "username",
    "project", "projects", "vscode", "agent", "codespace", "claude", "codex", "circleci", "test", "dev",
})  # fmt: skip
LIKELY_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9._-]{2,31}")


@dataclass(frozen=True)
class Hit:
    """A stretch of a text that is sensitive."""

    start: int
    end: int
    pattern: Pattern


USER = Pattern("user name in a path", "personal", "USER", re.compile(""), ())
OWN = Pattern("own word", "own word", "WORD", re.compile(""), ())
BY_KEY = {
    "secret": Pattern("value of a telling name", "secret", "SECRET", re.compile(""), ()),
    "personal": Pattern("value of a telling name", "personal", "PERSON", re.compile(""), ()),
}
UNREAD = Pattern("line that cannot be read", "not searched", "LINE", re.compile(""), ())
AGAIN = Pattern("found elsewhere in the dump", "secret", "SECRET", re.compile(""), ())


class Finder:
    """Finds hits in texts. `words`: exact words with the pattern that they count for, case of letters aside; the name of a user is only
    found as a whole word."""

    def __init__(self, words: dict[str, Pattern]) -> None:
        self._words = {fold(word): pattern for word, pattern in words.items() if word.strip()}
        texts = sorted(self._words, key=len, reverse=True)
        sides = [rf"(?<![A-Za-z0-9]){re.escape(t)}(?![A-Za-z0-9])" if self._words[t] is USER else re.escape(t) for t in texts]
        self._find = re.compile("|".join(sides)) if sides else None
        self._clean: set[tuple[str, str]] = set()  # short texts in which nothing is: types, roles and names come again and again

    def hits(self, text: str, key: str = "") -> list[Hit]:
        """The hits of a text, none over another, in their order; the one that begins first and goes furthest wins."""
        if len(text) < 2 or (text, key) in self._clean:
            return []
        found = [_whole(text, hit) for hit in self._found(text, key)] if "\\" in text else list(self._found(text, key))
        if not found and len(text) <= SHORT and len(self._clean) < MOST:
            self._clean.add((text, key))
        if len(found) < 2:
            return found
        found.sort(key=lambda hit: (hit.start, hit.pattern.kind != "secret", -hit.end))
        kept: list[Hit] = []
        for hit in found:
            if not kept or hit.start >= kept[-1].end:
                kept.append(hit)
            elif hit.end > kept[-1].end:  # one begins in another and goes further: both go, as one
                kept[-1] = Hit(kept[-1].start, hit.end, kept[-1].pattern)
        return kept

    def _found(self, text: str, key: str) -> Iterator[Hit]:
        by_key = _by_key(text, key) if key else None
        if by_key is not None:
            yield Hit(0, len(text), by_key)
            return
        yield from self._plain(text)
        other = unescaped(text)
        if other is not None:
            for hit in self._plain(other.text):
                yield Hit(*other.span(hit.start, hit.end), hit.pattern)

    def _plain(self, text: str) -> Iterator[Hit]:
        small = text.lower()
        for pattern in PATTERNS:
            where = small if pattern.fold else text
            for needle in pattern.needles:
                if needle in where:
                    break
            else:
                continue
            if pattern.gate is not None and not pattern.gate(text):
                continue
            for match in pattern.find.finditer(text):
                start, end = match.span(match.lastindex or 0) if pattern.label == "SECRET" else match.span(pattern.group)
                if text[start : start + 1] in "\"'\\" and start > match.start():  # the quote is not part of a value
                    start += len(text[start:end]) - len(text[start:end].lstrip("\\\"'"))
                if start < end and pattern.checks(text[start:end]):
                    yield Hit(start, end, pattern)
        if self._find is not None:
            other = folded(text)
            if any(word in other.text for word in self._words):
                for match in self._find.finditer(other.text):
                    yield Hit(*other.span(*match.span()), self._words[match[0]])


_ESCAPE: Final = re.compile(r"\\+(?:u[0-9a-fA-F]{4}|[nrtbf/'])")


def _whole(text: str, hit: Hit) -> Hit:
    """A hit that begins and ends at no half of an escape."""
    start, end = hit.start, hit.end
    if text[max(0, start - 5) : start].count("\\"):
        for found in _ESCAPE.finditer(text, max(0, start - 12), start + 6):
            if found.start() < start < found.end() < end:
                start = found.end()
    if "\\" in text[max(start, end - 5) : end]:
        for found in _ESCAPE.finditer(text, max(start, end - 12), end + 6):
            if found.start() < end < found.end():
                end = found.end()
    return Hit(start, end, hit.pattern)


def _by_key(text: str, key: str) -> Pattern | None:
    if SECRET_KEY.search(key) and len(text) >= 4 and (telling(text) or any(c.isdigit() for c in text)):
        return BY_KEY["secret"]
    if PERSONAL_KEY.match(key) and 2 <= len(text) <= 200 and text.lower() not in NOBODY:
        return BY_KEY["personal"]
    return None


def users(chunks: Sequence[bytes]) -> list[str]:
    """Names of persons, as the paths of home folders tell them, the first seen first."""
    found: dict[str, None] = {}
    for chunk in chunks:
        for match in HOME.finditer(chunk):
            name = match[1].decode("ascii").rstrip(".")
            if name.lower() not in NOBODY and LIKELY_NAME.fullmatch(name):
                found.setdefault(name)
    return list(found)[:200]
