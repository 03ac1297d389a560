"""A log becomes numbers: standings of a run, ratings, grades; what is wrong in it, and how two differ."""
