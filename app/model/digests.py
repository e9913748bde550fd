"""The digests of the vocabularies, by themselves: what lists the parts of the program needs no library for them."""

DIGESTS = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of the vocabularies' unpacked files, as tiktoken's own `tiktoken_ext/openai_public.py` (0.14.0) names them."""
