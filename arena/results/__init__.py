"""A log becomes numbers: standings of a run, ratings, grades; what is wrong in a log, and how two differ."""
