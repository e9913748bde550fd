"""An image with more pixels on a side than the provider takes (Anthropic).

8,000 pixels are the limit of a side; where a request has more than 20 images, 2,000 are. Sizes are read from the head of the data, where
that is in the dump. The images of a whole conversation count together: one that was taken is refused once the twenty-first comes.

Evidence: text-index ids 361130520, 61935679472, 59261533273; anthropics/claude-code#9375, #14412, #21900 (2,000), #4778, #11576 (8,000);
can1357/oh-my-pi PR #10633 (more than 20 images).

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

MANY = 20
WIDE, HUGE = 2000, 8000


class ImageTooManyPixels(Rule):
    name = "image-too-many-pixels"
    summary = "an image with more pixels on a side than the provider takes"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native or Mark.WIDE not in view.transcript.table.marks:
            return []
        many = _images.count(reading) > MANY
        found = np.flatnonzero(view.marked(Mark.WIDE if many else Mark.HUGE) & reading.sent)
        return [self.hit(reading, found, np.full(len(found), WIDE if many else HUGE))]

    def say(self, site: Site) -> Said:
        limit = site.detail
        wide = [(number, media) for number, media, _ in _images.images_of(site.block) if _side(media) > limit]
        number, media = wide[0] if wide else (-1, Media(""))
        size = f"{media.width:,} x {media.height:,}" if media.width and media.height else f"more than {limit:,}"
        reason = (
            f"The request has {_images.count(site.reading):,} images; with more than {MANY} the limit is 2,000." if limit == WIDE else ""
        )
        message = f"An image has {size} pixels; at most {limit:,} on a side are taken."
        inner = f"/content/{number}" if number >= 0 else ""
        return Said(message, reason, cause="image size", inner=inner, variant="" if limit == WIDE else "huge")

    def fixes(self, site: Site) -> Sequence[Change]:
        def wrong(media: Media, value: dict[str, Any]) -> bool:
            return _side(media) > site.detail

        return _images.in_words(site, wrong)


def _side(media: Media) -> int:
    return max(media.width or 0, media.height or 0)


RULE = ImageTooManyPixels()
