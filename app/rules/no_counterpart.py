"""A block that the wire of the provider asked about has no words for.

A transcript can be judged for another provider than the one whose wire it is in: that it will be sent to. Pairs, ids, roles and texts are
judged as they would stand there. What has no counterpart there is named here: calls and results of the first provider's own tools, and
reasoning whose signature only its maker accepts. A conversion leaves it out, or the other provider refuses it.

Evidence: a signature that is foreign, or from another deployment, is refused (text-index ids 59172187910, 69336990635;
microsoft/vscode#322138); so is a call of another vendor's own tool (betmoar/cc-proxy-plugin#67; text-index ids 59109475327, 66751864059).

Repair: it goes, with what leans on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site


class NoCounterpart(Rule):
    name = "no-counterpart"
    summary = "a block that the wire of the provider asked about has no words for"
    severity = "warning"
    everywhere = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        if reading.native:
            return []
        view = reading.view
        alone = (view.kind == Kind.TOOL_RESULT) & (view.links.partner < 0)  # else it goes with its call
        own = view.server & ((view.kind == Kind.TOOL_CALL) | alone)
        signed = (view.kind == Kind.REASONING) & ((view.flags & Flag.SIGNED) != 0)
        return [self.hit(reading, np.flatnonzero((own | signed) & reading.sent))]

    def say(self, site: Site) -> Said:
        title = site.reading.provider.title
        if site.kind == Kind.REASONING:
            return Said(f"This reasoning is signed by another maker; {title} can't take it.", cause="foreign reasoning")
        if site.kind == Kind.TOOL_RESULT:
            return Said(f"{title} has no counterpart for this result of another provider's own tool.", ids=site.ids)
        message = f"{title} has no counterpart for this call of {tool(site, site.position)}, another provider's own tool."
        return Said(message, ids=site.ids, cause="foreign tool")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind == Kind.REASONING:
            return [_fixes.drop(site, "Drop the reasoning", [site.position])]
        if site.kind == Kind.TOOL_RESULT:
            return [_fixes.drop(site, "Drop the result", [site.position])]
        return [_fixes.drop(site, "Drop the call of the provider's own tool", _fixes.with_calls(site.scene, [site.position]))]


RULE = NoCounterpart()
