"""Plays what is missing: the conductor, and what it needs; rerun and check, which play single games."""
