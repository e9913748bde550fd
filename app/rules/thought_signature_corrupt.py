"""A thought signature that can't be one (Gemini).

A signature must be sent back as it came. Whether one is genuine can't be checked offline; what can be seen: it is no base64 (cut off; two
joined into one, with `=` in the midst; a text that stands in for it), or it is OpenAI's encrypted reasoning. Decoding fails on every
model, 2.5 too.

Evidence: google-gemini/gemini-cli#8011, #8003 (2.5 Pro), #14368 (3); crmne/ruby_llm#521; MayDay-wpf/snow-cli#84 (two in one);
openclaw/openclaw PR #82995 (cut off by a compaction). "Corrupted thought signature." for one of another vendor.

Repair: a call gets the value that the documentation gives for lost signatures, `skip_thought_signature_validator`; anything else loses the
signature, since only calls need one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Mark
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site
from app.rules.reasoning_signature_missing import DUMMY


class ThoughtSignatureCorrupt(Rule):
    name = "thought-signature-corrupt"
    summary = "a thought signature that can't be one"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not reading.native:
            return []
        return [self.hit(reading, np.flatnonzero(reading.view.marked(Mark.SIGNATURE) & reading.sent))]

    def say(self, site: Site) -> Said:
        message = f"The signature of this {site.kind.word} is no base64 of Gemini's: it was cut off, joined with another, or is foreign."
        return Said(message, ids=site.ids, cause="signature")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind == Kind.REASONING:
            return [_fixes.drop(site, "Drop the reasoning", [site.position])]
        if site.kind == Kind.TOOL_CALL:
            dummy = Set(site.row, "block.signature", DUMMY)
            return [site.change("Put the value for lost signatures in its place", "adds", dummy, note=DUMMY)]
        return [site.change("Take the signature away", "loses", Set(site.row, "block.signature", DELETE))]


RULE = ThoughtSignatureCorrupt()
