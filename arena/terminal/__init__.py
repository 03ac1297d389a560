"""What stands on a terminal: output that fits it, progress, and a game with who sits at its board."""
