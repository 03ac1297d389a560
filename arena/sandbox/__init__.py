"""The walls around a bot's process, and the zygote (our template) from which bots are forked into them."""
