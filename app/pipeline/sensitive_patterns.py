# ruff: noqa: E501  # one pattern stands as it is looked for
"""The table of patterns: formats of keys, values by their names, personal data.

The patterns are our own words for formats that their makers publish: AWS (IAM identifiers: unique id prefixes), GitHub ("About
authentication to GitHub": token formats), GitLab (token prefixes), Slack (token types), Stripe (keys), Google Cloud (API keys), OpenAI,
Anthropic and Hugging Face (keys), npm and PyPI (token formats), Entra (client secrets), RFC 7519 and 7516 (JSON Web Tokens), RFC 7468
(PEM), RFC 6750 and 7617 (Bearer and Basic), RFC 3986 3.2.1 (user information in a URL), ISO 13616 (IBAN with its check digits), ISO/IEC
7812 (card numbers with Luhn's digit). No library does it: detect-secrets (1.5.0 of May 2024) reads files line by line, brings `requests`
and PyYAML, and looks for no personal data; Presidio brings spaCy and a model; gitleaks is a program of its own. Here a text is one string of
a dump, a hit is a stretch of it, and nothing is to be fetched. A table finds what it names and no more: the review lists what was found,
and own words can be added to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.model.evidence import SensitiveKind
from app.pipeline.sensitive_named import NAMED, TAILS, Span, named
from app.pipeline.sensitive_values import (
    address,
    address6,
    credentials,
    given,
    iban,
    key_block,
    luhn,
    opaque,
    telephone,
    token_of_json,
)


@dataclass(frozen=True)
class Pattern:
    """`find`: its last group that took part is the thing itself. `needles`: one of them must be in the text (in small letters where `fold`),
    so that most texts cost nothing; `starts`: a hit begins at one. `checks`: what else a hit must fulfil. `label` begins the mark that takes
    its place. `wraps`: the thing is also looked for broken over lines; "exact" where its length is known."""

    name: str
    kind: SensitiveKind
    label: str
    find: re.Pattern[str]
    needles: tuple[str, ...]
    fold: bool = False
    checks: Callable[[str], bool] = field(default=lambda text: True)
    gate: Callable[[str], bool] | None = None  # a cheap look at the whole text
    scan: Callable[[str, str, Sequence[str]], Iterator[Span]] | None = None  # in place of `find`
    starts: bool = False
    wraps: str = ""

    def spans(self, text: str, small: str, needles: Sequence[str] | None = None) -> Iterator[Span]:
        """Where it stands in a text. `small`: the same in small letters; `needles`: those that are in it, None where that is not known."""
        where = small if self.fold else text
        if needles is None:
            needles = [needle for needle in self.needles if needle in where]
        if not needles or (self.gate is not None and not self.gate(text)):
            return
        if self.scan is not None:
            yield from self.scan(text, small, needles)
            return
        for match in self._matches(where, needles):
            start, end = match.span(match.lastindex or 0)
            if match.lastindex and text[start : start + 1] in "\"'\\":  # the quote is not part of a value
                start += len(text[start:end]) - len(text[start:end].lstrip("\\\"'"))
                end -= len(text[start:end]) - len(text[start:end].rstrip("\\\"'"))
            if start < end and self.checks(text[start:end]):
                yield start, end

    def _matches(self, where: str, needles: Sequence[str]) -> Iterator[re.Match[str]]:
        if not self.starts:
            yield from self.find.finditer(where)
            return
        for needle in needles:
            at = where.find(needle)
            while at >= 0:
                match = self.find.match(where, at)
                if match is not None:
                    yield match
                at = where.find(needle, match.end() if match is not None and match.end() > at else at + 1)


def _p(name: str, label: str, find: str, *needles: str, fold: bool = False, kind: SensitiveKind = "secret",
       checks: Callable[[str], bool] | None = None, gate: Callable[[str], bool] | None = None, starts: bool = False,
       scan: Callable[[str, str, Sequence[str]], Iterator[Span]] | None = None, wraps: str = "") -> Pattern:  # fmt: skip
    return Pattern(name, kind, label, re.compile(find), needles, fold, checks or (lambda text: True), gate, scan, starts, wraps)


_B: Final = r"(?<![A-Za-z0-9_])"
_E: Final = r"(?![A-Za-z0-9])"


def _key(name: str, label: str, find: str, *needles: str, wraps: str = "yes", checks: Callable[[str], bool] | None = None) -> Pattern:
    """A key that begins with one of its needles; none that is written with dots or one letter again and again."""
    good = checks or (lambda text: any(c.isdigit() for c in text) and len(set(text[-16:])) > 5)
    return _p(name, label, _B + find, *needles, checks=good, starts=True, wraps=wraps)


def _mail(text: str, small: str, needles: Sequence[str]) -> Iterator[Span]:
    """Around each @: the name is looked at from there, so that long words cost nothing."""
    at = text.find("@")
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1)
        if domain is not None:
            start = at
            while start > 0 and at - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "_.%+-"):
                start -= 1
            while start < at and not text[start].isalnum():
                start += 1
            whole = small[start : domain.end()]
            if start < at and not whole.startswith("git@") and "noreply" not in whole and "no-reply" not in whole:
                yield start, domain.end()
        at = text.find("@", at + 1)


_DOMAIN: Final = re.compile(r"(?:[^\W_](?:(?:[^\W_]|-){0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}" + _E)


# A cheap look at the whole text, each from a character that most texts have seldom.
_DISCORD: Final = re.compile(r"\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27}")
_COLONS: Final = re.compile(":(?:[0-9A-Fa-f]{1,4})?:")
_PAIRS: Final = re.compile(":[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:")
_DOTS: Final = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d")
_FOUR: Final = re.compile(r"-\d{4}(?!\d)")

NOBODY: Final = frozenset({
    "root", "user", "users", "shared", "public", "runner", "ubuntu", "home", "admin", "default", "node", "app", "you", "me", "name", "username",
    "project", "projects", "vscode", "agent", "codespace", "claude", "codex", "circleci", "test", "dev", "all users", "guest", "nobody", "string",
    "youruser", "yourname", "your-name", "your_name", "someone", "linuxbrew", "foo", "bar", "xxx", "...", "…", "*", "oai", "sandbox", "workspace",
})  # fmt: skip
NO_NAME: Final = re.compile(r"^[<{$%\[*.]|^\.+$|\.(?:tsx?|jsx?|py|html?|md|css|s[ac]ss|json|go|rs|java|vue|svelte|php|rb|sh|txt|ya?ml)$|^\d+$")


KEYS: Final = (
    _p("private key", "PRIVATE_KEY", r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,20000}?-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|"
       r"(?:(?:\s|\\+[nr])*[A-Za-z0-9+/=]{12,})+)", "-----BEGIN ", checks=key_block, starts=True),
    _p("private key", "PRIVATE_KEY", r"Private-Lines: \d+\r?\n((?:[A-Za-z0-9+/=]{8,}\s*)+)", "Private-Lines: ", starts=True),
    _p("private key", "PRIVATE_KEY", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}", "AGE-SECRET-KEY-1", starts=True),
    _key("AWS access key id", "AWS_KEY_ID", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" + _E, "AKIA", "ASIA", "ABIA", "ACCA", wraps="exact", checks=lambda t: len(set(t)) > 6),
    _p("AWS secret key", "AWS_SECRET", r"secret_?(?:access_?)?key[^\n]{0,12}?[\"'=:\s]([a-z0-9/+]{40})(?![a-z0-9/+=])", "secret", fold=True, starts=True, wraps="exact", checks=opaque),
    _key("GitHub token", "GITHUB_TOKEN", r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    _key("GitLab token", "GITLAB_TOKEN", r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20,64}", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-"),
    _key("Slack token", "SLACK_TOKEN", r"x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,250}", "xox", "xapp-"),
    _p("Slack webhook", "SLACK_HOOK", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,})", "hooks.slack.com"),
    _p("webhook", "HOOK", r"(?:discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/webhookb2/|api\.telegram\.org/bot)([A-Za-z0-9@/_:-]{20,400})", "/webhook", "api.telegram.org"),
    _key("Anthropic key", "ANTHROPIC_KEY", r"sk-ant-[A-Za-z0-9_-]{20,200}", "sk-ant-"),
    _key("OpenRouter key", "OPENROUTER_KEY", r"sk-or-v1-[A-Za-z0-9]{32,100}", "sk-or-"),
    _key("OpenAI key", "OPENAI_KEY", r"sk-(?:proj|svcacct|admin|None|lf)?-?[A-Za-z0-9_-]{20,250}", "sk-"),
    _p("Stripe key", "STRIPE_KEY", _B + r"(?:(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,120}|whsec_[A-Za-z0-9+/=]{20,80})", "k_live_", "k_test_", "k_prod_", "whsec_",
       checks=lambda t: len(set(t)) > 8),
    _key("Google API key", "GOOGLE_KEY", r"AIza[A-Za-z0-9_-]{35}", "AIza", wraps="exact"),
    _key("Google OAuth token", "GOOGLE_TOKEN", r"(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,40}|1//0[A-Za-z0-9_-]{20,})", "ya29.", "GOCSPX-", "1//0"),
    _p("Azure key", "AZURE_KEY", r"(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%]{40,120}={0,2})", "AccountKey=", "SharedAccessKey=", "sig="),
    _p("Azure secret", "AZURE_SECRET", _B + r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", "Q~"),
    _key("Hugging Face token", "HF_TOKEN", r"(?:hf|api_org)_[A-Za-z0-9]{30,50}", "hf_", "api_org_", checks=lambda t: len(set(t)) > 8),
    _key("npm token", "NPM_TOKEN", r"npm_[A-Za-z0-9]{36}" + _E, "npm_", wraps="exact"),
    _key("PyPI token", "PYPI_TOKEN", r"pypi-[A-Za-z0-9_-]{40,250}", "pypi-"),
    _key("token of a model provider", "PROVIDER_KEY", r"(?:gsk_[A-Za-z0-9]{40,60}|xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,60}|r8_[A-Za-z0-9]{30,40}|"
         r"fw_[A-Za-z0-9]{20,40}|tgp_v1_[A-Za-z0-9_-]{30,60}|tvly-[A-Za-z0-9-]{20,60}|pcsk_[A-Za-z0-9_]{40,120}|lsv2_(?:pt|sk)_[A-Za-z0-9_]{30,60}|jina_[A-Za-z0-9_-]{40,80}|nvapi-[A-Za-z0-9_-]{40,100}|"
         r"fc-[a-f0-9]{32}|e2b_[a-f0-9]{32,64}|csk-[a-z0-9]{40,60}|pa-[A-Za-z0-9_-]{40,60}|exa_[A-Za-z0-9]{20,60})",
         "gsk_", "xai-", "pplx-", "r8_", "fw_", "tgp_v1_", "tvly-", "pcsk_", "lsv2_", "jina_", "nvapi-", "fc-", "e2b_", "csk-", "pa-", "exa_"),
    _key("token of a service", "SERVICE_KEY", r"(?:SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}|"
         r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|lin_(?:api|oauth)_[A-Za-z0-9]{30,64}|ntn_[A-Za-z0-9]{30,60}|secret_[A-Za-z0-9]{40,50}|hv[sb]\.[A-Za-z0-9_-]{20,250}|"
         r"sntry[su]_[A-Za-z0-9_=.-]{30,250}|ATATT3[A-Za-z0-9_=-]{100,250}|ATBB[A-Za-z0-9]{24,40}|figd_[A-Za-z0-9_-]{30,60}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,50}|EAAA[A-Za-z0-9_-]{56,70}|"
         r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}|gl(?:sa|c)_[A-Za-z0-9+/=_]{32,120}|phc_[A-Za-z0-9]{30,60}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}|rubygems_[a-f0-9]{48}|NRAK-[A-Z0-9]{27}|sbp_[a-f0-9]{40}|"
         r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}|dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{40,60}|nfp_[A-Za-z0-9]{36,60}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|bkua_[a-z0-9]{40}|HRKU-[A-Za-z0-9_-]{36,80}|"
         r"sk_[a-f0-9]{48}|AKC[A-Za-z0-9]{10,80}|EAACEdEose0cBA[A-Za-z0-9]{20,}|fm[12]_[A-Za-z0-9+/=]{60,})",
         "SG.", "doo_", "dop_", "dor_", "dapi", "shp", "lin_", "ntn_", "secret_", "hvs.", "hvb.", "sntry", "ATATT3", "ATBB", "figd_", "SK", "key-", "sq0", "EAAA", "PMAK-", "glsa_", "glc_", "phc_", "dckr_", "rubygems_",
         "NRAK-", "sbp_", "pscale_", "dp.", "nfp_", "dt0c01.", "bkua_", "HRKU-", "sk_", "AKC", "EAACE", "fm1_", "fm2_"),
    _p("token of a service", "SERVICE_KEY", _B + r"(?:\d{8,10}:AA[A-Za-z0-9_-]{32,34}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}|[0-9a-f]{32}-us\d{1,2}|[MNO][A-Za-z\d_-]{22,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40})" + _E,
       ":AA", ".atlasv1.", "-us", ".", gate=lambda text: ":AA" in text or ".atlasv1." in text or "-us" in text or _DISCORD.search(text) is not None),
    _key("JSON Web Token", "JWT", r"ey[IJK][A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+){0,4}\.?", "eyI", "eyJ", "eyK", checks=token_of_json),
    _p("Bearer token", "BEARER", r"bearer\s+([a-z0-9._~+/=-]{12,}(?:[ \t]*\\?\r?\n[ \t>|#]*(?=[a-z._~+/=-]*\d)[a-z0-9._~+/=-]{4,}(?![\w:(]))*)",
       "bearer", fold=True, starts=True, checks=lambda t: any(c.isdigit() for c in t)),
    _p("Basic credentials", "BASIC", r"[bB][aA][sS][iI][cC]\s+([A-Za-z0-9+/]{6,}={0,2})", "basic", "Basic", "BASIC", starts=True, checks=credentials),
    _p("signature in a URL", "SIGNATURE", r"[?&;](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential)|oauth_(?:token|signature))=([^\s&\"'<>\\)]{8,})",
       "sig", "x-amz-", "x-goog-", "oauth_", fold=True, checks=given),
    _p("secret in a URL", "SECRET", r"[?&](?:amp;)?(?:(?:access_|auth_|refresh_|id_|session_|api_?)?token|api[_-]?key|apikey|(?:client_)?secret|passw(?:or)?d|pwd)=([^\s&\"'<>\\#)\]}]{4,})", "token=", "key=", "secret=", "passw", "pwd=",
       fold=True, checks=given),
    _p("secret in a URL", "SECRET", r"https?:[^\s\"'<>]{4,300}[?&]key=([^\s&\"'<>\\#)\]}]{12,})", "key=", checks=lambda t: given(t) and any(c.isdigit() for c in t)),
    _p("password in a URL", "URL_PASSWORD", r"://[^\s/:@\"'<>]{0,64}:([^\s/\"'<>]{1,128})@(?=[\w.\[-])", "://", checks=lambda t: not re.match(r"[$<{%]\W?[\w{(]", t) or any(c.isdigit() for c in t)),
    _p("password in a URL", "URL_PASSWORD", r"://([A-Za-z0-9_.-]{20,255})@(?=[\w.-])", "://", checks=lambda t: any(c.isdigit() for c in t)),
)  # fmt: skip
BY_NAME: Final = (
    _p("value of a telling name", "SECRET", "", *TAILS, fold=True, scan=named),
    *(_p(name, label, find, *needles, fold=True, checks=checks, starts="</" not in needles) for name, label, find, checks, needles in NAMED),
)

PERSONS: Final = (
    _p("e-mail address", "EMAIL", "", "@", kind="personal", scan=_mail),
    _p("IBAN", "IBAN", r"[A-Z](?<![A-Za-z0-9_].)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?" + _E, "", kind="personal", checks=iban),
    _p("card number", "CARD", r"[3-6](?<![\w.-].)\d{3}(?:\d{9,15}|[ -]\d{4}[ -]\d{4}[ -]\d{4}(?:[ -]\d{3})?|[ -]\d{6}[ -]\d{4,5})(?![\w-])", "", kind="personal", checks=luhn),
    _p("telephone number", "PHONE", r"\+(?<![\w.+].)\d[\d ()./-]{6,20}\d(?!\w)", "+", kind="personal", checks=telephone),
    _p("telephone number", "PHONE", r"(?:\btel(?:ephone|efon)?|phone|mobile|mobil|\bcell|\bfax|whatsapp|handy)(?:\s?(?:number|no|nr))?[.\"'\\]{0,3}\s?[:=][\"'\\\s]{0,3}([+(]?\d[\d ()./-]{5,20}\d)(?!\w)",
       "tel", "phone", "mobil", "cell", "fax", "whatsapp", "handy", fold=True, starts=True, kind="personal", checks=lambda t: 7 <= sum(c.isdigit() for c in t) <= 15 and len(set(t)) > 3),
    _p("telephone number", "PHONE", r"\((?<![\w.].)[2-9]\d{2}\) ?[2-9]\d{2}-\d{4}(?![\w-])|[2-9](?<![\w.\-/].)\d{2}-[2-9]\d{2}-\d{4}(?![\w-])", "-", kind="personal", gate=lambda text: _FOUR.search(text) is not None),
    _p("telephone number", "PHONE", r"00(?<![\w.+-]..)[1-9]\d{0,2}[ /-]\(?\d[\d ()/-]{6,16}\d(?![\w-])", "00", kind="personal", starts=True, checks=lambda t: 10 <= sum(c.isdigit() for c in t) <= 16),
    _p("social security number", "SSN", r"[0-8](?<![\w-].)\d{2}(?<!000)(?<!666)-(?!00)\d\d-(?!0000)\d{4}(?![\w-])", "-", kind="personal", gate=lambda text: _FOUR.search(text) is not None),
    _p("date of birth", "BIRTH", r"(?:geboren(?: am)?|date[ _]of[ _]birth|birth[ _]?date|geburtsdatum|\bdob|\bborn(?: on)?)[^\w\n]{0,6}(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})", "geboren", "geburtsdatum", "date of birth", "date_of_birth", "birth", "dob", "born",
       fold=True, starts=True, kind="personal"),
    _p("passport number", "PASSPORT", r"passport(?:[ _]?(?:no|number|nr)\.?)?[^\w\n]{1,4}([a-z0-9]{6,12})(?![\w.])", "passport", fold=True, kind="personal", starts=True, checks=lambda t: sum(c.isdigit() for c in t) >= 4),
    _p("value of a telling name", "PERSON", r"(?<=[\"'])(?:(?:first|last|full|given|family)_?name|surname|user_?name|street(?:_?address)?|home_?address|passport(?:_?number)?)\\*[\"']\s?:\s?\\*[\"']([^\"'\\\n{}<>%$]{2,100})\\*[\"']",
       "first_name", "firstname", "last_name", "lastname", "full_name", "fullname", "given_name", "givenname", "family_name", "familyname", "surname",
       "user_name", "username", "street", "home_address", "passport", fold=True, kind="personal", starts=True, checks=lambda t: t.lower() not in NOBODY and (given(t + "----") or len(t) > 3) and given(t + "_1" if len(t) < 4 else t)),
    _p("user name in a path", "USER", r"(?<=[:\\/]\\)[Uu]sers\\{1,4}([^\s\\/:*?\"<>|']{2,32}(?: [^\s\\/:*?\"<>|']{1,32}){0,2})(?=[\\/])", "Users\\", "users\\", kind="personal", starts=True, checks=lambda t: somebody(t)),
    _p("user name in a path", "USER", r"(?:(?<![\w.~-])|(?<=/var)|(?<=/export)|(?<=/usr)|(?<=/private)|(?<=/mnt/[a-z])|(?<=\W/[a-z])|(?<=^/[a-z]))/(?:home|Users)/([^\s\\/:*?\"<>|'`,;()\[\]{}$%@=]{1,32})(?=[\\/\"'\s:;,)$`]|$)",
       "/home/", "/Users/", kind="personal", starts=True, checks=lambda t: somebody(t)),
    _p("IP address", "IP", r"\d(?<![\w.].)(?<![A-Za-z]/.)\d{0,2}\.(?:\d{1,3}\.){2}\d{1,3}(?![\w.]\w)(?!\w)", ".", kind="personal", checks=address, gate=lambda text: _DOTS.search(text) is not None),
    _p("IP address", "IP", r"[23](?<![\w:.].)[0-9A-Fa-f]{3}:[0-9A-Fa-f:]{2,34}(?![\w:])", ":", kind="personal", checks=address6, gate=lambda text: _COLONS.search(text) is not None),
    _p("MAC address", "MAC", r"[0-9A-Fa-f]{2}(?<![\w:]..):(?:[0-9A-Fa-f]{2}:){4}[0-9A-Fa-f]{2}(?![\w:])", ":", kind="personal", gate=lambda text: _PAIRS.search(text) is not None),
)  # fmt: skip


def _solid(text: str) -> bool:
    """Whether nothing in it parts words: of 200 characters without a space, a hundred from a round place on are so."""
    return len(text) == 100 and " " not in text and "\n" not in text


DATA: Final = _p("encoded data", "DATA", r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{200,}={0,2}", "", kind="not searched", checks=opaque,
                 gate=lambda text: len(text) >= 200 and any(_solid(text[at : at + 100]) for at in range(0, len(text), 100)))  # fmt: skip

def somebody(name: str) -> bool:
    """Whether a folder beside others' is named after a person."""
    return name.lower() not in NOBODY and NO_NAME.search(name) is None


PATTERNS: Final[tuple[Pattern, ...]] = (*KEYS, *BY_NAME, *PERSONS, DATA)
