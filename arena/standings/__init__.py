"""Who is better: tables and ratings computed from the log, and tests of superiority."""

OVERALL = "all variants"
"""The part that has all games; no variant can have this name, since names have no blanks."""
