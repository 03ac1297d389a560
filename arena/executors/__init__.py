"""Where games are played: in this process, or in worker processes on this machine."""

EXECUTORS = {
    "serial": "arena.executors.serial:SerialExecutor",
    "local": "arena.executors.local:LocalExecutor",
}
"""The executors by name; each is imported when it is asked for."""
