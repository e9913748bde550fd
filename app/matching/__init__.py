"""The provider's words, heard: which rules an error text may speak of, and which ids and places it names. Knows no transcript.

`wording` holds what providers were seen to say, as data with its sources; `plain` takes a text out of its wrappings, `fit` compares it
with the wordings, `named` reads ids and places, `elsewhere` knows refusals that are about something else than the transcript.
app/pipeline/explain.py brings what was heard together with what the transcript shows.
"""

from app.matching.hear import Heard, hear
from app.matching.wording import MEANINGS, TITLES, WORDINGS, Wording, meaning

__all__ = ["MEANINGS", "TITLES", "WORDINGS", "Heard", "Wording", "hear", "meaning"]
