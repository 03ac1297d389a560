"""Who is better: tables and ratings computed from the log, and tests of superiority."""

OVERALL = "all variants"
"""The part of the games that is all of them; no variant can be called so, since a name has no blanks."""
