"""Which strings, keys and numbers of a dump are content, and what takes their place when contents are taken out.

What stays: the words that formats are made of (app/pipeline/known_words.py) where they stand for themselves, times, versions, names of
models, kinds of media, counts of tokens. What is renamed: every id. All else is content, in members that no format knows too. In texts,
arguments and results nothing stays but blank text and the marks that programs put around what they say (`<system-reminder>`).
"""

from __future__ import annotations

import re
from typing import Final

from app.formats._json import NotJson, loads
from app.pipeline.filler import BASE64, UUID, Filler
from app.pipeline.json_strings import Where, decoded, encoded, rewritten
from app.pipeline.known_words import phrases, words

TEXTS: Final = frozenset({
    "text", "content", "thinking", "reasoning", "reasoning_content", "summary", "description", "instructions", "system", "prompt", "query",
    "title", "value", "display", "message", "stdout", "stderr", "arguments", "partial_json", "refusal", "thought", "answer", "response",
    "output", "result", "error", "command", "label", "notes", "comment",
})  # fmt: skip
OBJECTS: Final = frozenset({"input", "arguments", "args", "parameters", "toolUseResult", "response", "structuredContent", "partial_args"})
SCHEMAS: Final = frozenset({"type", "format", "$schema"})
_SCHEMA_WORDS: Final = frozenset({"object", "string", "number", "integer", "boolean", "array", "null"})
_KEY: Final = re.compile(r"[A-Za-z_$@#-][A-Za-z0-9_.$:@-]{0,63}")
_PLAIN_KEY: Final = re.compile(r"\$?(?:[a-z]+(?:_[a-z]+)*|[a-z]+(?:[A-Z][a-z]+)*)[0-9]?")
_ID_KEY: Final = re.compile(r"(?:^|[a-z_])(?:id|ids|uuid|Id|ID|Ids|Uuid|UUID)$")
_NUMBER_KEY: Final = re.compile(
    r"(?i)tokens?$|_tokens|timestamp|time$|^time_|_at$|created|updated|index$|^max_|^top_[pk]$|temperature|^duration|_ms$|version$|"
    r"^status(?:_?code)?$|^apiErrorStatus$|^width$|^height$|^(?:seq|sequence)(?:_number)?$|^n$|usage|cached|^total$|^cache|^input$|^output$"
)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?")
_VERSION_KEY: Final = re.compile(r"(?i)version$")
_VERSION: Final = re.compile(r"v?\d[0-9.]{0,20}(?:-?(?:alpha|beta|rc|dev)[0-9.]*)?")
_MIME: Final = re.compile(r"(?:image|application|text|audio|video)/[a-z0-9][a-z0-9.+-]{0,60}")
_DATA_URL: Final = re.compile(r"(data:(?:[a-z0-9.+/-]{1,60})?(?:;charset=[a-z0-9-]{1,20})?;base64,)([A-Za-z0-9+/=_-]*)")
_NAME: Final = re.compile(r"[^\s\"\\\x00-\x1f]{1,2048}")
_TAG: Final = re.compile(r"</?([A-Za-z][A-Za-z0-9_-]{2,40})>")
_LITERAL: Final = re.compile(r"\s*(?:true|false|null|-?\d+(?:\.\d+)?)\s*")
KINDS: Final = frozenset({"kind", "type", "subtype", "object", "event_type", "eventType", "_type", "__type", "__typename"})
_KIND: Final = re.compile(r"[A-Za-z][A-Za-z]*(?:[_.:/-][A-Za-z]+)*(?:[_.-]?v?\d{1,2})?")
ATTACHED: Final = "attachment://"
_HASH: Final = re.compile(r"[\w.-]{1,128}")
_SHORT = 100  # bytes
_FINE_TUNED: Final = re.compile(r"(ft:[^:]*:)(.*)", re.S)


class Contents:
    """A visitor that fills contents. `loose`: in what is JSON inside of a string, and in arguments, the words of formats stay too; for
    formats that keep a whole request in a string. `tools`: names of tools; `keep_tools`: they stay."""

    def __init__(
        self, filler: Filler, ids: frozenset[str], tools: frozenset[str], models: frozenset[str], keep_tools: bool = True,
        loose: bool = False,
    ) -> None:  # fmt: skip
        self.filler, self._ids, self._tools, self._models = filler, ids, tools, models
        self._keep_tools, self._loose = keep_tools, loose
        self._known = words() | _SCHEMA_WORDS
        self._inside = 0  # how many strings of JSON we are in
        self._fine: set[bytes] = set()  # keys that stay
        self._seen: dict[tuple[bytes, str | None, bool], bytes | None] = {}  # short strings, which come again and again
        self.texts = self.numbers = 0
        self.renamed: set[str] = set()

    # -- tokens -----------------------------------------------------------------------------------------------------------------

    def text(self, raw: bytes, where: Where) -> bytes | None:
        if len(raw) == 2:
            return None
        if self._inside or len(raw) > _SHORT:
            return self._text(raw, where)
        which = raw, where.key, self._deep(where)
        if which not in self._seen:
            self._seen[which] = self._text(raw, where)
        elif self._seen[which] is not None:
            self.texts += 1
        return self._seen[which]

    def _text(self, raw: bytes, where: Where) -> bytes | None:
        text = decoded(raw)
        made = self.filled(text, where.key or "", self._deep(where))
        if made == text:
            return None
        new = encoded(made)
        if self._inside:  # a string within a string: as long as it was written
            missing = len(raw.decode("utf-8", "surrogatepass")) - len(new)
            if missing > 0 and " " in made:
                new = encoded(self.filler.text(text, missing))
            elif missing > 0:
                new = new[:-1] + b"x" * missing + new[-1:]
        return new

    def key(self, raw: bytes, where: Where) -> bytes | None:
        if raw in self._fine:
            return None
        key = decoded(raw)
        if key in self._known or not key:
            self._fine.add(raw)
            return None
        if where.keys and where.keys[-1] == "attachments" and _HASH.fullmatch(key):  # what `attachment://HASH` names, renamed with it
            made = self.filler.name(key)
            where.steps[-1] = where.key = made
            return encoded(made)
        if self._plain_key(key, where):
            return None
        self.texts += 1
        made = self.filler.name(key)
        where.steps[-1] = where.key = made
        return encoded(made)

    def _plain_key(self, key: str, where: Where) -> bool:
        """Whether a key is a name that a program gave: in arguments, results and schemas only a plain identifier looks like one."""
        if not self._loose and (self._deep(where) or "input_schema" in where.keys or "properties" in where.keys):
            return _PLAIN_KEY.fullmatch(key) is not None
        return _KEY.fullmatch(key) is not None and "@" not in key[1:]

    def number(self, raw: bytes, where: Where) -> bytes | None:
        if not self._deep(where) and where.key is not None and _NUMBER_KEY.search(where.key):
            return None
        text = raw.decode()
        made = self.filler.number(text)
        self.numbers += made != text
        return made.encode() if made != text else None

    def _deep(self, where: Where) -> bool:
        """Whether this is inside of arguments, of a result, or of JSON that is a text."""
        return self._inside > 0 or any(key in OBJECTS and isinstance(step, str) for key, step in zip(where.keys, where.steps, strict=True))

    # -- values -----------------------------------------------------------------------------------------------------------------

    def filled(self, text: str, key: str, deep: bool = False) -> str:
        """What takes the place of a string."""
        if not text.strip():
            return text
        if text.startswith(ATTACHED) and _HASH.fullmatch(text[len(ATTACHED) :]):
            if text[len(ATTACHED) :] in self._known:
                return text
            return ATTACHED + self.filler.name(text[len(ATTACHED) :])
        known = not deep or self._loose
        if text in self._ids or (known and key not in TEXTS and (_ID_KEY.search(key) or UUID.fullmatch(text)) and _NAME.fullmatch(text)):
            self.renamed.add(text)
            return self.filler.name(text)
        if text in self._tools and (known or key == "name"):
            return text if self._keep_tools else self.filler.name(text)
        if key not in TEXTS and known and self._stays(text, key, deep):
            return text
        self.texts += 1
        return self.filler.name(text) if key == "required" else self._replaced(text, key)

    def _stays(self, text: str, key: str, deep: bool) -> bool:
        return (
            text in self._known
            or (text in self._models and not text.startswith("ft:"))
            or (_TIME.fullmatch(text) is not None)
            or (_VERSION_KEY.search(key) is not None and _VERSION.fullmatch(text) is not None)
            or (key in KINDS and not deep and _KIND.fullmatch(text) is not None)
            or _MIME.fullmatch(text) is not None
            or (key == "required" and _PLAIN_KEY.fullmatch(text) is not None)
        )

    def _replaced(self, text: str, key: str) -> str:
        if text.lstrip()[:1] in ("{", "["):
            inner = self._json(text)
            if inner is not None:
                return inner
        found = _DATA_URL.fullmatch(text)
        if found is not None:
            return found[1] + self.filler.base64(found[2])
        if key in ("arguments", "partial_json", "args", "input") and _LITERAL.fullmatch(text):
            return self.filler.number(text) if text.strip()[-1:].isdigit() else text
        if key in TEXTS:
            return self._marked(text)
        if BASE64.fullmatch(text):
            return self.filler.base64(text)
        if text in self._models and (tuned := _FINE_TUNED.fullmatch(text)):
            return tuned[1] + self.filler.name(tuned[2])
        if text.startswith(("https://", "http://")) and _NAME.fullmatch(text):
            head, _, rest = text.partition("//")
            return f"{head}//{self.filler.name(rest)}" if rest else text
        return self.filler.name(text) if _NAME.fullmatch(text) else self._marked(text)

    def _json(self, text: str) -> str | None:
        """JSON that stands in a string, of the same shape; None for what is none."""
        data = text.encode("utf-8", "surrogatepass")
        try:
            loads(data)
        except NotJson:
            return None
        self._inside += 1
        try:
            return rewritten(data, self).decode("utf-8", "surrogatepass")
        finally:
            self._inside -= 1

    def _marked(self, text: str) -> str:
        """A text whose marks stay: the tags of programs, and the beginning by which one knows what a program wrote."""
        head = next((phrase for phrase in phrases() if text.startswith(phrase)), "") if text[:1] in "[<#CTAY" else ""
        parts: list[str] = [head]
        at = len(head)
        for tag in _TAG.finditer(text, at):
            if tag[1] in self._known:
                parts += [self.filler.text(text[at : tag.start()]), tag[0]]
                at = tag.end()
        return "".join([*parts, self.filler.text(text[at:])])
