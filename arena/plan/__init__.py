"""A tournament and its log become the games to play, round by round. What was planned once is frozen."""
