"""What runs inside a bot's own process, and the wire to it. It imports the kernel and nothing else."""
