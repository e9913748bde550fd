"""Damage at random, and what must hold whatever is left: see `damage.py` and `trial.py`. `make fuzz` runs it at length."""
