"""A game on the terminal: who sits at the board, what people type, and matches of several games."""
