# ruff: noqa: E501  # one pattern stands as it is looked for
"""Values by the name that stands beside them: `password: …`, `FOO_SECRET=…`, `"api_key": "…"`, headers, cookies, command lines.

A name is looked for first, by itself, and only behind one is there a look at what stands there: most texts have none. Names of environment
variables and of configuration are those that twelve-factor programs, Docker's images, Spring, .NET and the cloud providers' documentation
use; headers: RFC 9110 11.6.2 (Authorization, with the schemes of IANA's registry), RFC 6265 (cookies).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from app.pipeline.sensitive_values import TELLING, given, mixed, quoted, said, unquoted

Span = tuple[int, int]

TAILS: Final = {
    "pass": re.compile(r"pass(?:word|wd|wort|phrase|code|e(?= ?:))?(?![a-z])"), "pwd": re.compile("pwd"), "secret": re.compile("secret(?![a-z])"),
    "credential": re.compile("credentials?"), "key": re.compile("key(?:[_-]id)?(?![a-z])"), "token": re.compile("token"),
    "kennwort": re.compile("kennwort"), "contrase": re.compile("contrase(?:ñ|n)a"), "senha": re.compile("senha"),
}  # fmt: skip
"""Where a telling name begins to tell, and how it ends."""

_KEYS: Final = re.compile(
    r"(?:api|access|account|private|secret|encryption|signing|auth|master|session|shared|subscription|license|deploy)[_.-]?key(?:[_-]id)?$"
)
_SIGN: Final = re.compile(
    r"\d?(?:\\*[\"'])?\]?\s{0,3}(?::\s?[\w.\[\]| ]{1,40}?\s?(?==(?!=)))?(?:=>|:=|={1,3}|:)\s{0,3}(?!=)"
)
_QUOTED: Final = re.compile(r"(?:\[?\s?[bfru@$]?)(\\*)([\"'`])((?:(?!\1\2)[^\n\"'`]|(?!\1\2)[\"'`](?=[^\s,:;)}\]])){3,200}?)\1\2")
_BARE: Final = re.compile(r"[^\s\"'`,;&()\[\]<>{}|\\][^\s\"'`,;&()\[\]<>{}|\\]{3,199}")
_ENV: Final = re.compile(r"(?:[A-Z][A-Z0-9]*_)*[A-Z0-9]+")
_NO_SECRET: Final = re.compile(
    r"(?i)(?:storage|cache|public|query|primary|foreign|sort|partition|row|object|item|react|dict|json|index|group|registry|map|lookup|unique|search|state|config)_key$"
)


def named(text: str, small: str, needles: Iterable[str]) -> Iterator[Span]:
    """`small`: the text in small letters, as long as it."""
    for needle in needles:
        tail = TAILS[needle]
        at = small.find(needle)
        while at >= 0:
            found = tail.match(small, at)
            sign = _SIGN.match(text, found.end()) if found is not None else None
            if sign is not None and found is not None:
                span = _value(text, *_name(text, small, found), sign)
                if span is not None:
                    yield span
            at = small.find(needle, at + len(needle))


def _name(text: str, small: str, found: re.Match[str]) -> tuple[str, str]:
    """What of a name tells, and the whole of it."""
    start = found.start()
    while start > 0 and found.start() - start < 40 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    dotted = text[start : found.end()]
    whole = dotted.rpartition(".")[2]
    low = whole.lower()
    if found[0].startswith("key"):
        return ("api_key" if _KEYS.search(dotted.lower()) else "_key" if low.endswith("_key") else ""), whole
    if found[0] == "pass":
        return ("_pass" if low.endswith("_pass") else "pass" if low == "pass" else ""), whole
    if found[0] == "passe":
        return ("password" if small.startswith("mot de ", found.start() - 7) else ""), whole
    return found[0], whole


def _value(text: str, name: str, whole: str, sign: re.Match[str]) -> Span | None:
    if not name:
        return None
    literal = _QUOTED.match(text, sign.end())
    if literal is not None:
        return literal.span(3) if _literal(name, whole, literal[3]) else None
    word = _BARE.match(text, sign.end())
    if word is None:
        return None
    value, end = word[0], word.end()
    if ".." in value or "…" in value:
        return None
    while value[-1] in ".:!?" and len(value) > 4:
        value, end = value[:-1], end - 1
    follows = text[word.end() : word.end() + 1]
    if follows in ('"', "'", "`") and text[sign.end() - 1 : sign.end()] not in ("=", ":"):
        follows = ""
    return (word.start(), end) if _word(name, whole, text[sign.start() : sign.end()], value, follows) else None


def _literal(name: str, whole: str, value: str) -> bool:
    if name == "_key":
        return _ENV.fullmatch(whole) is not None and not _NO_SECRET.search(whole) and quoted(value) and len(value) >= 6 and not TELLING.search(value) and "//" not in value
    if name == "token" and whole.lower() == "token":
        return len(value) >= 6 and " " not in value and quoted(value) and not value.isupper()
    if name == "pass":
        return quoted(value) and " " not in value
    if " " in value and not _ENV.fullmatch(whole) and name not in ("password", "passwd", "passphrase", "passwort", "pwd", "contraseña"):
        return False
    return quoted(value)


def _word(name: str, whole: str, sign: str, value: str, follows: str) -> bool:
    if not unquoted(value, follows):
        return False
    telling, env = mixed(value), _ENV.fullmatch(whole) is not None and whole.isupper()
    tight = sign in ("=", '"=', "'=")
    if name == "_key":
        return env and len(value) >= 6 and not _NO_SECRET.search(whole) and (telling or (tight and "_" not in value and "/" not in value))
    if name == "pass":
        return whole == "pass" and value.isascii() and ((telling and len(value) >= 5) or (value.isalpha() and len(value) >= 6)) and follows in ("", "\n", ",", "}", '"')
    if name == "token":
        if telling:
            return len(value) >= 8 and (whole.lower() != "token" or re.fullmatch(r"[a-z]+[:/_-]?\d+(?:[-:]\d+)?", value) is None)
        if env and tight:
            return len(value) >= 6 and value.islower()
        return whole.lower() != "token" and len(value) >= 8 and value.isalpha() and value.islower() and (re.match(r"[A-Z]+-|[A-Za-z]+-[A-Z]", whole + "-") is not None or len(value) >= 14)
    if "=" in sign and follows in (",", ")") and not telling:  # a keyword argument of a call
        return False
    if name == "secret" and not (telling or env):
        return len(value) >= 6 and follows not in (",", ")", ";")
    return tight or telling or not (env and value.isupper())


# -- what else goes by a name ---------------------------------------------------------------------------------------------------------

Check = Callable[[str], bool]
_NAMES: Final = r"(?:[\w.-]*(?:pass(?:word|wd|phrase)?|secret|token|api[_.-]?key|access[_.-]?key|account[_.-]?key|private[_.-]?key|credentials?|cookie|authorization))"
_Q: Final = r"\\*[\"']?"


def session(text: str) -> bool:
    """A cookie that says something."""
    return any(given(part.partition("=")[2]) or len(part.partition("=")[2]) >= 2 for part in text.split(";")) and "${" not in text and "<" not in text


def spoken(text: str) -> bool:
    return given(text.strip("\\n \t")) and "${" not in text and TELLING.search(text) is None


def auth(text: str) -> bool:
    """The credentials of a header."""
    return given(text) and (mixed(text) or TELLING.fullmatch(text) is None) and not re.fullmatch(r"(?i)(?:access|auth|api|user|my|the|jwt|id)?[_-]?(?:tokens?|keys?|secrets?|credentials?|schemes?)(?:[^\w=].*)?", text)


NAMED: Final[tuple[tuple[str, str, str, Check, tuple[str, ...]], ...]] = (
    ("credentials of a header", "AUTH", r"authorization" + _Q + r"\]?\s{0,3}(?:[:=,]\s{0,3}){1,2}[\[(]?\s?[bfru]?" + _Q +
     r"(?:(?:bearer|token|apikey|api-key|basic|jwt|bot|ssws|key|negotiate|ntlm|oauth|geniekey|splunk|x-token)[ :]{1,2}([^\s\"'`\\,;<>{}$%()][^\s\"'`\\,;<>{}()]{5,4000})|"
     r"(?:digest|hawk|oauth|signature|aws4-hmac-sha256|snowflake token=)\s((?:[\w-]{1,40}=(?:\\*\"[^\"\n\\]{0,400}\\*\"|[^\s\",]{1,400}),?[ ]{0,2}){1,20})|"
     r"(?<!,)(?<!, )(?<!,.)(?<!, .)([a-z0-9+/=._~-]{12,4000})(?=[\"'\\\s]|$))", auth, ("authorization",)),
    ("password", "SECRET", r"login\s+\S{1,64}\s+password\s+([^\s\"']{3,64})", spoken, ("login",)),
    ("password", "SECRET", r"\brequirepass\s+([^\s\"']{3,64})|\bmasterauth\s+([^\s\"']{3,64})", spoken, ("requirepass", "masterauth")),
    ("password of a database", "SECRET", r"(?:identified\s+(?:with\s+\w+\s+)?by|\bpassword)\s+(?:as\s+)?\\?'([^'\n\\]{3,128})\\?'", spoken, ("identified", "password")),
    ("password of a database", "SECRET", r"insert\s+into\s[^()]{1,80}\([^()]{0,400}passw[^()]{0,400}\)\s*values\s*\(([^\n]{3,400}?)\)", given, ("insert",)),
    ("value of a telling name", "SECRET", r"(?:(?<![a-z0-9_])|(?<=set)|(?<=set_)|(?<=with)|(?<=with_))(?:password|passphrase|secret|apikey|api_key|authtoken|accesstoken|access_token|auth_token)\(\s?\\*[\"']([^\"'\\\n]{4,200})\\*[\"']\s?[,)]", spoken,
     ("password(", "passphrase(", "secret(", "apikey(", "api_key(", "authtoken(", "auth_token(", "accesstoken(", "access_token(")),
    ("value of a telling name", "SECRET", rf"<(?:\w{{1,20}}:)?{_NAMES}>\s?([^<\n]{{4,200}}?)\s?</", spoken, ("</",)),
    ("value of a telling name", "SECRET", rf"\b(?:name|key|variable){_Q}\s?[:=]\s?{_Q}{_NAMES}{_Q}\s{{0,2}},?\s{{1,12}}(?:-\s)?{_Q}value{_Q}\s?[:=]\s?{_Q}([^\s\"'\\,}}<>]{{4,200}})", spoken, ("name", "key", "variable")),
    ("value of a telling name", "SECRET", r"\bsetx?\s+(?:/m\s+)?[\w]{0,30}(?:password|secret|token|api_?key)\s+\"?([^\s\"]{4,200})", spoken, ("setx",)),
    ("value of a telling name", "SECRET", r"(?:\bcredentials?\s?=\s?\(|\bauth\s?=\s?\(|basicauth\()\s?[\"'][^\"'\n]{1,64}[\"'],\s?[\"']([^\"'\n]{3,128})[\"']", spoken, ("credential", "auth", "basicauth(")),
    ("password of a command", "PASSWORD", r"(?:\bcurl\b[^\n|;]{0,400}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,64}:|\bsshpass\s+-p[ ]?|"
     r"\bmysql(?:dump|admin)?\b[^\n|;]{0,200}?\s-p|"
     r"\bdocker\s+login\b[^\n|;]{0,200}?\s(?:-p|--password)[ =]|\bhtpasswd\s+-\w*b\w*\s+(?:-\w+\s+)*\S{1,64}\s+\S{1,64}\s+|\bpass:|\bredis-cli\b[^\n|;]{0,200}?\s-a\s+|\b(?:zip|unzip|7z|unrar)\s[^\n|;]{0,100}?-[Pp][ ]?)"
     r"(\"[^\"\n]{4,200}\"|'[^'\n]{4,200}'|[^\s\"'\\|;&()`,\]}]{4,200})", lambda t: spoken(t) and "/" not in t[:2],
     ("curl", "sshpass", "mysql", "docker", "htpasswd", "pass:", "redis-cli", "zip ", "7z ", "unzip ", "unrar ")),
    ("password of a command", "PASSWORD", r"(?<![\w-])--(?:[a-z]{1,12}-)?(?:password|passwd|passphrase|token|api-key|client-secret|secret)(?:[ ]+|=)(\"[^\"\n]{4,200}\"|'[^'\n]{4,200}'|[^\s\"'\\|;&()`,\]}]{4,200})",
     lambda t: spoken(t) and "/" not in t[:2], ("--",)),
    ("password of a command", "PASSWORD", r"\becho\s+(?:-n\s+)?[\"']?([^\s\"'$|;&]{4,128})[\"']?\s*\|\s*(?:sudo\s+-\w*s|docker\s+login\b[^\n]{0,120}--password-stdin|su\b)", spoken, ("echo",)),
    ("password of a command", "PASSWORD", r"\becho\s+[\"']?[\w.-]{1,32}:([^\s\"'$|;&]{4,128})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd", spoken, ("echo",)),
    ("cookie", "COOKIE", r"(?<![a-z0-9])cookie" + _Q + r"\]?\s{0,3}[:=]\s{0,3}" + _Q + r"([\w.%-]{1,64}=[^\s\"'\\;<>]+(?:;[ ]?[\w.%-]{1,64}=[^\s\"'\\;]+){0,60})", session, ("cookie",)),
    ("cookie", "COOKIE", r"\bcurl\b[^\n|;]{0,400}?\s(?:-b|--cookie)[ =]?[\"']?([\w.%-]{1,64}=[^\s\"'\\]+(?:;[ ]?[\w.%-]{1,64}=[^\s\"'\\;]+){0,60})", session, ("curl",)),
    ("cookie", "COOKIE", r"(?<![a-z0-9])(?:jsessionid|phpsessid|asp\.net_sessionid|connect\.sid|session_?id|csrftoken|xsrf-token|laravel_session|__(?:secure|host)-[\w-]{1,40})" + _Q + r"\s?[:=]\s?" + _Q + r"([^\s\"'\\;,&<>(){}]{8,400})",
     lambda t: given(t) and mixed(t) and re.fullmatch(r"[0-9a-f-]{36}|(?:ses|sess|session)_?\w*", t, re.I) is None, ("jsessionid", "phpsessid", "asp.net_sessionid", "connect.sid", "sessionid", "session_id", "csrftoken", "xsrf-token", "laravel_session", "__secure-", "__host-")),
    ("value of a telling name", "SECRET", r"(?:(?<![a-z])pw\s{0,2}[:=]|_(?:password|passwd|secret|token|api_key)[ ]|\bconvertto-securestring\s(?:-string\s)?|\bsecurestring\s|\bpassword\s(?:for|of)\s[^\s:=]{1,64}\s?[:=])\s{0,2}[\"']?([^\s\"'`,;&()<>{}]{4,128})",
     lambda t: mixed(t) and spoken(t), ("pw:", "pw=", "pw :", "pw =", "_password ", "_passwd ", "_secret ", "_token ", "_api_key ", "convertto-securestring", "securestring", "password for", "password of")),
    ("value of a telling name", "SECRET", rf"<(?:\w{{1,20}}:)?{_NAMES}\s+value\s?=\s?[\"']([^\"'\n]{{4,200}})[\"']", spoken, ("</", "/>")),
    ("password that is told", "PASSWORD", r"\b(?:password|passwort|passphrase|kennwort)\s+(?:is|was|ist|lautet)[: ]\s{0,3}[\"'`]?([^\s\"'`,;()]{4,64})(?=[\"'`]|[.!,;]?(?:\s*$|\s*\n|[\"'])|[.!](?:\s|$))", said, ("password", "passwort", "passphrase", "kennwort")),
    ("password that is told", "PASSWORD", r"\b(?:password|passwort|passphrase|kennwort)\s+(?:(?:is|was)\s+)?(?:is|was|ist|changed\s+to|set\s+to|reset\s+to|=)?[: ]?\s{0,3}[\"'`]?([^\s\"'`,;()<>=/]{6,64})", lambda t: mixed(t) and said(t) and not re.search(r"[\[\]{}:|]|\.\w", t), ("password", "passwort", "passphrase", "kennwort")),
    ("password that is told", "PASSWORD", r"\b(?:password|passwort|passphrase|kennwort)\s+(?:is|was|ist|lautet)[: ]\s{0,3}[\"'`]?([^\s\"'`,;()<>=/]{6,64})", lambda t: said(t) and any(not c.isalpha() for c in t.rstrip(".:!?")), ("password", "passwort", "passphrase", "kennwort")),
    ("key that is told", "SECRET", r"(?<![a-z])(?:(?:api|access|secret|private|auth|license)[ _-]?(?:key|token)|bearer|secret|token)(?:\s+(?:is|was|lautet)[: ]\s{0,3}|:?[ \t]*\r?\n\s{0,8})[\"'`]?([a-z0-9_+/=~-]{16,200})(?=[\"'`]|[.!,;]?(?:\s|$|\\))",
     lambda t: any(c.isdigit() for c in t) and any(c.isupper() for c in t) and any(c.islower() for c in t) and "/" not in t[:2], ("api", "access", "secret", "private", "auth", "license", "bearer", "token")),
    ("one-time code", "CODE", r"(?<![a-z])(?:pin|pin[ -]?code|otp|totp|2fa[ _-]?code|mfa[ _-]?code|one[ -]time[ -](?:code|password)|(?:verification|security|confirmation|authentication)[ -]code)" + _Q +
     r"\s{0,2}(?:is|[:=])\s{0,2}" + _Q + r"(\d{4,8})(?![\w.])|(?<![a-z])(?:cvv2?|cvc)" + _Q + r"\s{0,2}[:=]\s{0,2}" + _Q + r"(\d{3,4})(?![\w.])", bool, ("pin", "otp", "totp", "2fa", "mfa", "one-time", "one time", "verification", "security", "confirmation", "authentication", "cvv", "cvc")),
)  # fmt: skip
