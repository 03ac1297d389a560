"""How a bot is reached: trusted, inside this process, or sandboxed, in a process of its own."""
