"""Where games are played: in this process, in worker processes on this machine, or on a cluster."""

EXECUTORS = {
    "serial": "arena.executors.serial:SerialExecutor",
    "local": "arena.executors.local:LocalExecutor",
    "dask": "arena.executors.dask:DaskExecutor",
}
"""The executors by name; each is imported when it is asked for."""
