"""A tournament file becomes a Tournament: its bots, variants and limits, with every mistake at once."""
