"""Benchmarks: ratios in one run, never timed unit tests."""
