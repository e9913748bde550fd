"""Cline's truncation that keeps quarter: takes three quarters of the messages after the first pair out, in pairs of two.

*Known fault.* Results live in user messages there, so that the cut falls between calls and results: of 60 generated sessions all were
refused afterwards, and still all where orphans alone were stripped, since the first assistant's call had lost its result. `repair`
mends both. `_cline.py` names the source.
"""

from __future__ import annotations

from app.presets._cline import cline

PRESET = cline("cline-quarter", "takes three quarters of the messages after the first pair out, as Cline did", 3)
