"""Our end of the line to a bot: trusted, inside this process, or sandboxed, in a process of its own."""
