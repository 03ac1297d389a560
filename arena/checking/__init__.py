"""Is this file a bot that can play? Step by step, with hints; many at once; and its way into bots/."""
