"""What a provider would say of a request that begins at a given place of the transcript, whatever that parts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FreeCut:
    """`position`: the first that would be sent. `errors`: findings that the cut makes among what is near it. `rule`, `message`,
    `words`: the first of them, its sentence, and the provider's likely words (None where it has none); "" where there is none."""

    position: int
    errors: int
    rule: str = ""
    message: str = ""
    words: str | None = None
