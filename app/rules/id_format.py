"""A call id that the provider's schema refuses.

Anthropic takes `^[a-zA-Z0-9_-]+$` only: no dots, colons or pipes (ids of other providers), and not the empty string; ids of its own tools
begin with `srvtoolu_`. OpenAI Chat has no alphabet, but takes 64 characters at most since about 2026-01; 41 to 64 were refused until
2025-11 and still are by some compatible hosts (a warning). One finding at each place where such an id stands.

Evidence: anomalyco/opencode#1279, #4590; HKUDS/nanobot PR #4356; betmoar/cc-proxy-plugin#67; decolua/9router#3167; jin-bo/agentao#321;
openclaw/openclaw#875; agno-agi/agno#5382; vercel/ai#5171.

Repair: another id, made of the old one by a hash, in the call and its result together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.ids import Ids
from app.model.kinds import Flag, Kind
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes
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
        if reading.native:
            legacy = _legacy(reading)
            wrong |= view.calls & ((flags & Flag.ID_ABSENT) != 0) & ~legacy
        if provider.id_max is not None:
            wrong |= (flags & Flag.ID_OVER_64) != 0
        hits = [self.hit(reading, np.flatnonzero((client & wrong) | _foreign_server_ids(reading)))]
        if provider.id_max is not None:
            long = client & ~wrong & ((flags & Flag.ID_OVER_40) != 0)
            hits.append(self.hit(reading, np.flatnonzero(long), severity="warning"))
        return hits

    def say(self, site: Site) -> Said:
        found = site.id
        result = site.kind == Kind.TOOL_RESULT
        old = site.severity == "warning"
        variant = "absent" if found is None else "-".join(word for word, on in (("old", old), ("result", result)) if on)
        if found is None:
            message = "This call has no id."
        elif not found:
            message = "The id is the empty string."
        elif site.reading.provider.id_max is not None:
            limit = "longer than 40 characters, which some hosts refuse" if old else "longer than 64 characters"
            message = f"The id has {len(found)} characters; it is {limit}."
        else:
            message = f"The id {found} has characters that {site.reading.provider.title} refuses."
        return Said(
            message, ids=() if found is None else (found,), cause=f"id {found}", variant=variant, words={"length": str(len(found or ""))}
        )

    def fixes(self, site: Site) -> Sequence[Change]:
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


def _legacy(reading: Reading) -> Ints:
    types = reading.view.transcript.table.types
    return np.isin(reading.view.type, [i for i, word in enumerate(types) if word == "function_call"])


def _foreign_server_ids(reading: Reading) -> Ints:
    """Calls of the provider's own tools, and their results, that another vendor numbered (Anthropic)."""
    view = reading.view
    found = np.zeros(len(view), bool)
    if reading.provider.id_alphabet != "word" or not reading.native:
        return found
    table = view.transcript.table
    server = np.flatnonzero(view.server & reading.sent)
    calls = server[(view.kind[server] == Kind.TOOL_CALL) & np.isin(view.type[server], _numbers(table.types, "server_tool_use"))]
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
