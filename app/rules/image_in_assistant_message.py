"""An image in an assistant message (OpenAI Chat).

Images are taken from the user alone: what the model drew or was shown in another wire can't stand in its own message here.

Evidence: openai/openai-node#1030.

Repair: it moves into a user message behind its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import After, Change, Move, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ImageInAssistantMessage(Rule):
    name = "image-in-assistant-message"
    summary = "an image in an assistant message"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        images = [i for i, word in enumerate(view.transcript.table.types) if word in ("image_url", "image")]
        found = (view.kind == Kind.MEDIA) & (view.role == Role.ASSISTANT) & np.isin(view.type, images)
        return [self.hit(reading, np.flatnonzero(found & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("An image stands in a message of the assistant; only the user's may hold one.", cause="image in an assistant message")

    def fixes(self, site: Site) -> Sequence[Change]:
        message = site.scene.message_of(site.position)
        if len(message) == 1:
            return [site.change("Make it a message of the user", "adds", Set(site.row, "role", "user"))]
        last = site.row_of(int(message[-1]))
        behind = site.reading.of_turn(site.turn + 1)
        if site.scene.view.calls[message].any() and len(behind) and site.scene.view.results[behind[0]]:
            last = site.row_of(int(behind[-1]))
        if last == site.row:
            last = site.row_of(int(message[-2]))
        move = Move(site.row, After(last)), Set(site.row, "role", "user")
        return [site.change("Move it into a message of the user", "adds", *move), _fixes.drop(site, "Drop the image", [site.position])]


RULE = ImageInAssistantMessage()
