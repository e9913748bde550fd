"""An image with more data than the provider takes (Anthropic).

5 MB (5,242,880), measured on the base64 text and not on the image. Two reports of 2026-07 and later (kolega-ai/kolega-code PR #354,
can1357/oh-my-pi PR #10633) give 10 MB for Anthropic's own API; Bedrock and Vertex have 5.

Evidence: text-index ids 45977139071, 66588122544, 62549429788; lobehub/lobehub PR #14711; anthropics/claude-code#10612, #19631.

Repair: a note takes its place; nothing here makes an image smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.block import Media
from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.rules import _images
from app.rules._rule import Rule, Said
from app.rules._scene import Site

MOST = 5 << 20


class ImageTooLarge(Rule):
    name = "image-too-large"
    summary = "an image with more data than the provider takes"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native or Mark.HEAVY not in view.transcript.table.marks:
            return []
        return [self.hit(reading, np.flatnonzero(view.marked(Mark.HEAVY) & reading.sent))]

    def say(self, site: Site) -> Said:
        heavy = [(number, _length(value)) for number, _, value in _images.images_of(site.block) if _length(value) > MOST]
        number, length = heavy[0] if heavy else (-1, 0)
        message = f"An image has {length:,} characters of base64; at most {MOST:,} are taken." if length else "An image is too large."
        return Said(message, cause="image size", inner=f"/content/{number}" if number >= 0 else "", words={"length": str(length or "?")})

    def fixes(self, site: Site) -> Sequence[Change]:
        def wrong(media: Media, value: dict[str, Any]) -> bool:
            return _length(value) > MOST

        return _images.in_words(site, wrong)


def _length(value: dict[str, Any]) -> int:
    source = value.get("source")
    data = source.get("data") if isinstance(source, dict) else None
    return len(data) if isinstance(data, str) else 0


RULE = ImageTooLarge()
