"""What can go wrong with a file, said in one line each."""

from __future__ import annotations


class InspectorError(Exception):
    """Bad input or a refused act. `str()` is one clear line: which file, where, what to do."""


class UnreadableError(InspectorError):
    """A file that cannot be opened or holds nothing that we know."""


class ChangedError(InspectorError):
    """The source has changed since it was read; nothing may be exported from it."""


class RefusedError(InspectorError):
    """An act that we refuse: writing over the source, exporting while errors remain."""


class RemainingError(RefusedError):
    """An export that is refused since findings of severity error would remain in what is written."""
