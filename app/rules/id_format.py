"""A call id that the provider's schema refuses.

Anthropic takes `^[a-zA-Z0-9_-]+$` only: no dots, colons or pipes (ids of other providers), and not the empty string; ids of its own tools
begin with `srvtoolu_`. OpenAI Chat has no alphabet, but takes 64 characters at most since about 2026-01; 41 to 64 were refused until
2025-11 and still are by some compatible hosts (a warning). Bedrock takes 1 to 64 of `[a-zA-Z0-9_.:-]` (older texts have neither dot nor
colon, but `functions.get_temperature:0` is recorded with status 200). Mistral takes nine letters and digits, no other. One finding at each
place where such an id stands.

OpenAI Responses takes a `call_id` of 1 to 64 characters (hosts differ: one of more is recorded with status 200 on bedrock-mantle), and
looks at the items' own ids as well: each begins as its type wants (`fc`, `ctc`, `rs`, `msg`, `ws`), and has 64 characters at most. A call
id in the place of the item's own id is the usual case.

Evidence: anomalyco/opencode#1279, #4590; HKUDS/nanobot PR #4356; betmoar/cc-proxy-plugin#67; decolua/9router#3167; jin-bo/agentao#321;
openclaw/openclaw#875; agno-agi/agno#5382; vercel/ai#5171. Bedrock: AWS's API reference, ToolUseBlock; run-llama/llama_index#22775;
pydantic/pydantic-ai@4fda389 `test_bedrock_moonshotai_tool_call`. Mistral: anomalyco/opencode#1680; editor-code-assistant/eca#233;
nearai/ironclaw#1241; karthink/gptel#1203; langchain-ai/langchain PR #24668; mistralai/mistral-common@bc022b9.

Responses: can1357/oh-my-pi#284, #457; nodetool-ai/nodetool#4252; decolua/9router#2930; openai/codex#33176; Wei-Shaw/sub2api#3981;
earendil-works/pi#10257; RooCodeInc/Roo-Code#10763; BigPizzaV3/CodexPlusPlus#315 (the empty string).

Repair: another id, made of the old one by a hash, in the call and its result together; an item's own id is deleted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.ids import Ids
from app.model.kinds import Flag, Kind
from app.model.pairs import one_of
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes, _item_ids
from app.rules._rule import Rule, Said
from app.rules._scene import Site

SERVER_PREFIX = "srvtoolu_"


class IdFormat(Rule):
    name = "id-format"
    summary = "a call id with characters or a length that the provider refuses"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, provider = reading.view, reading.provider
        flags = view.flags
        client = (view.calls | view.results) & reading.sent & (reading.defect != Defect.RESULT_ID_MISSING)
        wrong = np.zeros(len(view), bool)
        if provider.id_alphabet == "word":
            wrong |= (flags & (Flag.ID_EMPTY | Flag.ID_DOTTED | Flag.ID_ODD)) != 0
        elif provider.id_alphabet == "dotted":
            wrong |= (flags & (Flag.ID_EMPTY | Flag.ID_ODD)) != 0
        if provider.id_pattern is not None:
            wrong |= _unlike(view.transcript.table.ids, view.key, client & (view.key >= 0), provider.id_pattern)
        if reading.native:
            legacy = _legacy(reading)
            wrong |= view.calls & ((flags & Flag.ID_ABSENT) != 0) & ~legacy
        if provider.id_max is not None:
            wrong |= (flags & Flag.ID_OVER_64) != 0
        if "id-format/empty" in provider.strict:
            wrong |= (flags & Flag.ID_EMPTY) != 0
        hits = [self.hit(reading, np.flatnonzero((client & wrong) | _foreign_server_ids(reading)))]
        if "id-format/old" in provider.strict:
            long = client & ~wrong & ((flags & Flag.ID_OVER_40) != 0)
            hits.append(self.hit(reading, np.flatnonzero(long), severity="warning"))
        return [*hits, *_item_ids.hits(self, reading)]

    def say(self, site: Site) -> Said:
        if site.detail == _item_ids.ITEM:
            return _item_ids.say(site)
        found = site.id
        result = site.kind == Kind.TOOL_RESULT
        old = site.severity == "warning"
        variant = "-".join(word for word, on in (("old", old), ("result", result)) if on)
        if found is None:
            variant = "absent"
        elif not found and "id-format/empty" in site.reading.provider.strict:
            variant = "empty"
        if found is None:
            message = "This call has no id."
        elif not found:
            message = "The id is the empty string."
        elif site.reading.provider.id_pattern is not None:
            message = f"The id {found[:80]} is none that {site.reading.provider.title} takes."
        elif site.reading.provider.id_max is not None and site.flags & (Flag.ID_OVER_64 | Flag.ID_OVER_40) and not _odd(site):
            limit = "some hosts take 40 at most" if old else "64 is the most"
            message = f"The id has {len(found)} characters; {limit}."
        else:
            message = f"The id {found} has characters that {site.reading.provider.title} refuses."
        return Said(
            message, ids=() if found is None else (found,), cause=f"id {found}", variant=variant, words={"length": str(len(found or ""))}
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.detail == _item_ids.ITEM:
            return _item_ids.fixes(site)
        view, pair = site.scene.view, [site.position]
        pair += [site.partner] if site.partner >= 0 else []
        calls = [at for at in pair if view.kind[at] == Kind.TOOL_CALL]
        salt = "" if site.id else site.row_of(calls[0] if calls else site.position)
        if view.server[site.position]:
            if site.partner < 0:
                return [site.change("Drop what a tool of another provider left", "loses", Drop(_fixes.rows(site, pair)))]
            new = SERVER_PREFIX + _fixes.fresh_id(site.reading.provider, site.id or "", salt).split("_", 1)[-1]
        else:
            new = _fixes.fresh_id(site.reading.provider, site.id or "", salt)
        title = "Give the call and its result an id that fits" if len(pair) > 1 else "Give it an id that fits"
        return [site.change(title, "exact", *(Set(site.row_of(at), "call_id", new) for at in sorted(pair)))]


def _odd(site: Site) -> bool:
    """Whether the characters are what is wrong with an id, and not its length."""
    odd = {"any": 0, "dotted": Flag.ID_ODD, "word": Flag.ID_ODD | Flag.ID_DOTTED}[site.reading.provider.id_alphabet]
    return bool(site.flags & odd)


def _unlike(ids: Ids, keys: Ints, of: Ints, pattern: str) -> Ints:
    """Mask over `keys`: those in `of` whose ids do not match whole."""
    fits = re.compile(pattern).fullmatch
    found, back = np.unique(keys[of], return_inverse=True)
    bad = np.fromiter((fits(ids.text(key) or "") is None for key in found.tolist()), bool, len(found))
    mask = np.zeros(len(keys), bool)
    mask[of] = bad[back]
    return mask


def _legacy(reading: Reading) -> Ints:
    types = reading.view.transcript.table.types
    old = [i for i, word in enumerate(types) if word == "function_call"] if reading.view.transcript.table.item is None else []
    return one_of(reading.view.type, old)


def _foreign_server_ids(reading: Reading) -> Ints:
    """Calls of the provider's own tools, and their results, that another vendor numbered (Anthropic)."""
    view = reading.view
    found = np.zeros(len(view), bool)
    if reading.provider.id_alphabet != "word" or not reading.native:
        return found
    table = view.transcript.table
    server = np.flatnonzero(view.server & reading.sent)
    calls = server[(view.kind[server] == Kind.TOOL_CALL) & one_of(view.type[server], _numbers(table.types, "server_tool_use"))]
    odd = (view.flags[calls] & (Flag.ID_EMPTY | Flag.ID_DOTTED | Flag.ID_ODD)) != 0
    if not len(calls):
        return found
    wrong = calls[odd | ~_server_ids(table.ids, view.key[calls])]
    found[wrong] = True
    found[reading.partner[wrong][reading.partner[wrong] >= 0]] = True
    return found


def _numbers(words: Sequence[str], word: str) -> list[int]:
    return [number for number, known in enumerate(words) if known == word]


def _server_ids(ids: Ids, keys: Ints) -> Ints:
    """For each number of an id, whether it begins as the provider's own do and holds no dash."""
    found, back = np.unique(keys, return_inverse=True)
    texts = [ids.text(key) or "" for key in found.tolist()]
    fits = [text.startswith(SERVER_PREFIX) and len(text) > len(SERVER_PREFIX) and "-" not in text for text in texts]
    return np.asarray(fits, bool)[back]


RULE = IdFormat()
