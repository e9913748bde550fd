"""Tokens: counters, and the vocabularies that ship with the product (floor 1).

`counter(name)` gives one; `COUNTERS` names them. Counting whole tables, totals and calibration: app/pipeline/count.py.
"""

from app.model.tokens import COUNTERS
from app.tokens.counters import SUMMARIES, Counter, counter

__all__ = ["COUNTERS", "SUMMARIES", "Counter", "counter"]
