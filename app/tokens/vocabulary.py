"""The two vocabularies that ship with the product, and the encodings built from them. The network is never touched.

tiktoken downloads its vocabularies on first use and fails offline (tiktoken/load.py). Here the same files lie beside this module,
gzipped; their sha256 must be the one that tiktoken's own `tiktoken_ext/openai_public.py` (0.14.0) names, and pattern and special
tokens are those of that file. `tiktoken.Encoding` is built by hand from them, so no cache folder and no URL is ever looked at.
"""

from __future__ import annotations

import binascii
import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from app.model.digests import DIGESTS
from app.model.errors import InspectorError

if TYPE_CHECKING:
    import tiktoken


@dataclass(frozen=True)
class Vocabulary:
    """sha256 of the unpacked file, the pattern that splits a text into pieces, and the special tokens."""

    sha256: str
    pattern: str
    special: dict[str, int]


VOCABULARIES: Final = {
    "o200k_base": Vocabulary(
        DIGESTS["o200k_base"],
        "|".join(
            [
                r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
                r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
                r"""\p{N}{1,3}""",
                r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
                r"""\s*[\r\n]+""",
                r"""\s+(?!\S)""",
                r"""\s+""",
            ]
        ),
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "cl100k_base": Vocabulary(
        DIGESTS["cl100k_base"],
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s""",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
}


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """The encoding of a vocabulary (`VOCABULARIES`), built once a process: 0.4 to 0.8 s, most of it under the GIL.

    Raises InspectorError where the shipped file is missing or not the one that it should be.
    """
    import tiktoken  # 70 ms, and only what counts needs it

    vocabulary = VOCABULARIES[name]
    return tiktoken.Encoding(
        name,
        pat_str=vocabulary.pattern,
        mergeable_ranks=ranks(_unpacked(name, vocabulary.sha256)),
        special_tokens=vocabulary.special,
    )


def ranks(data: bytes) -> dict[bytes, int]:
    """The lines `base64 rank` of a vocabulary's file as a table."""
    words = data.split()
    return dict(zip(map(binascii.a2b_base64, words[::2]), map(int, words[1::2]), strict=True))


def _unpacked(name: str, sha256: str) -> bytes:
    file = resources.files("app.tokens").joinpath(f"{name}.tiktoken.gz")
    try:
        data = gzip.decompress(file.read_bytes())
    except (OSError, EOFError) as error:
        raise InspectorError(f"{name}.tiktoken.gz: the vocabulary cannot be read ({error}); install the program again") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InspectorError(f"{name}.tiktoken.gz: the vocabulary is not the one that tiktoken publishes; install the program again")
    return data
