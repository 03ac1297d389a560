"""WHO PLAYS WHAT, AND WHEN: from a tournament file to its games, and from its games to a whole log."""
