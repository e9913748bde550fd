"""An image in a tool message (OpenAI Chat).

A 400 until 2025-04; since 2025-08 it is taken, and the model does not look at it (gpt-4.1, gpt-5, GPT-5.2): the worst kind of accepted.

Evidence: OpenHands/OpenHands#7700 (400); langchain-ai/langchainjs#8663 and openai/openai-openapi#523 (taken, not read).

Repair: whoever writes the loop puts the image into a user message behind the run of tool messages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ImageInToolResult(Rule):
    name = "image-in-tool-result"
    summary = "an image in a tool message, which is taken and not read"
    any_of = Flag.MEDIA
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        return [self.hit(reading, np.flatnonzero(view.results & reading.sent & ((view.flags & Flag.MEDIA) != 0)))]

    def say(self, site: Site) -> Said:
        return Said("This tool message holds an image; the model does not look at it.", ids=site.ids, cause="image in a result")


RULE = ImageInToolResult()
