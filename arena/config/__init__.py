"""A tournament file becomes a Tournament: its bots, variants, limits, and every mistake at once."""
