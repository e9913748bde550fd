"""Media of a kind that the model does not take (Bedrock).

Claude takes no video, neither as a block of its own nor in a result, and no image that is named by a place in S3 (a document in a result
is recorded with status 200); Nova 2 takes videos, but none in a result. Other families and kinds: nothing is recorded, so nothing is said.

Evidence: pydantic/pydantic-ai@4fda389, recorded: `test_multimodal_tool_return_matrix[*-video-bedrock_claude]`, the same on Nova 2, and the
one with an image in S3 on Claude, each with status 400; images and videos in S3 on Nova with status 200.

Repair: a text that says what stood there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.model.edits import Change, Drop, Insert, Made, Replace, Words
from app.model.findings import Hit
from app.model.kinds import Kind, Mark, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

NO_VIDEO: Final = frozenset({"claude"})
NO_VIDEO_IN_RESULTS: Final = frozenset({"claude", "nova"})
NOT_REMOTE: Final = frozenset({"claude"})


class MediaUnsupported(Rule):
    name = "media-unsupported"
    summary = "media of a kind that the model does not take"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, family = reading.view, reading.provider.family(reading.model)
        if family is None:
            return []
        found = np.zeros(len(view), bool)
        media, video = view.kind == Kind.MEDIA, view.marked(Mark.VIDEO)
        if family in NO_VIDEO:
            found |= media & video
        if family in NO_VIDEO_IN_RESULTS:
            found |= view.results & video
        if family in NOT_REMOTE:
            images = [number for number, word in enumerate(view.transcript.table.types) if word == "image"]
            found |= media & np.isin(view.type, images) & view.marked(Mark.REMOTE)
        return [self.hit(reading, np.flatnonzero(found & reading.sent))]

    def say(self, site: Site) -> Said:
        video = bool(site.scene.view.marked(Mark.VIDEO)[site.position])
        result = site.kind == Kind.TOOL_RESULT
        what = "a video" if video else "an image that is named by a place in S3"
        message = f"This {'result holds' if result else 'block is'} {what}, which the model does not take."
        nova = site.reading.provider.family(site.reading.model) == "nova"
        path = f"messages/{site.reading.wire_message[site.position]}/content/{site.reading.wire_block[site.position]}"
        variant = "remote" if not video else "result" if nova else ""
        return Said(message, ids=site.ids, cause=what, variant=variant, words={"type": "video", "path": path})

    def fixes(self, site: Site) -> Sequence[Change]:
        kinds = ", ".join(media.mime for media in site.block.media) if site.block is not None else ""
        note = f"[media left out: {kinds or 'not taken by this model'}]"
        if site.kind == Kind.TOOL_RESULT:
            text = "\n".join([*(site.block.texts if site.block is not None else ()), note])
            here = Replace(_fixes.rows(site, [site.position]), Words(text))
            return [site.change("Say in words what stood there", "loses", here)]
        made = Made(Kind.TEXT, Role(int(site.scene.view.role[site.position])), note)
        edits = Insert(_fixes.beside(site), made), Drop(_fixes.rows(site, [site.position]))
        return [site.change("Say in words what stood there", "loses", *edits)]


RULE = MediaUnsupported()
