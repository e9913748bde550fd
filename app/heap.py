"""How this process holds free memory (glibc; elsewhere nothing is done).

Reading a file makes and frees large blocks by the thousand. By default each goes back to the system at once and comes back as fresh pages,
which cost a quarter of all time of a parse. So they are kept while there is work, and given back when it is done.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any, Final

_TRIM_THRESHOLD: Final = -1  # of mallopt(3)
_TOP_PAD: Final = -2
_MMAP_THRESHOLD: Final = -3
_KEPT: Final = 256 << 20  # bytes
_STEP: Final = 16 << 20


def keep() -> None:
    """Free memory stays with the process until `give_back`."""
    mallopt = _glibc("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _KEPT)
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_TOP_PAD, _STEP)


def give_back() -> None:
    """Collects rings (a parse leaves some behind) and gives free memory back."""
    gc.collect()
    trim = _glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _glibc(name: str) -> Any:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
