"""A tournament and its log become the games to play, round by round; what was planned once is frozen."""
