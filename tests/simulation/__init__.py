"""A deterministic simulation: the real server under a seeded scheduler and a virtual clock, with faults.

`python -m tests.simulation --seed N` plays it; the same seed gives the same trace, so any failure can be replayed.
"""
