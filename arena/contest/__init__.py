"""A contest: who may hand in bots, what was handed in, how it was checked, what the organiser did."""
