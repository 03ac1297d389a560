"""Which cluster plays, and how to reach it: an address, and perhaps certificates (TLS)."""

from __future__ import annotations

import logging
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from ssl import SSLError
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.errors import UserError, printable
from arena.executors.hand import without_main
from arena.executors.local import own_cores

CONNECT_SECONDS = 10

SPARE = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.scheduler.work-stealing": False,
}
"""What dask does all the time to show it to people, which nobody sees of a cluster that was started here."""

IGNORE_CTRL_C = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""What a worker that was started here does first: Ctrl-C reaches all processes, and is for us alone."""

OPEN = """\
the scheduler is reached over a network without certificates: whoever reaches it can run programs on its
workers, and can change results on their way. These three commands make certificates. `dask scheduler` and
`dask worker` take them as --tls-ca-file ca.pem --tls-cert own.pem --tls-key own.key, this command as
--tls-ca ca.pem --tls-cert own.pem --tls-key own.key, and the address then begins with tls://
openssl req -x509 -newkey rsa:3072 -nodes -days 365 -subj /CN=arena-ca -keyout ca.key -out ca.pem
openssl req -newkey rsa:3072 -nodes -subj /CN=arena -keyout own.key -out own.csr
openssl x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -out own.pem"""


class Cluster(NamedTuple):
    """The address of a scheduler, and files with certificates; nothing: one is started here."""

    address: str = ""
    ca: str = ""
    cert: str = ""
    key: str = ""


NOWHERE = Cluster()


def check_cluster(cluster: Cluster) -> None:
    """UserError unless this may be a cluster: an address, and all files that certificates need, or none."""
    files = {"tls_ca": cluster.ca, "tls_cert": cluster.cert, "tls_key": cluster.key}
    given = {name: file for name, file in files.items() if file}
    if given and not cluster.address:
        raise UserError("tls_ca, tls_cert and tls_key go with a scheduler; there is none")
    if not cluster.address:
        return
    scheme = check_address(cluster.address)
    if given and len(given) < len(files):
        missing = " and ".join(name for name in files if name not in given)
        raise UserError(f"tls_ca, tls_cert and tls_key go together; there is no {missing}")
    for name, file in given.items():
        if not Path(file).is_file():
            raise UserError(f"{name}: there is no file {printable(file)}")
    if scheme == "tls" and not given:
        raise UserError("scheduler: an address with tls:// needs tls_ca, tls_cert and tls_key")
    if scheme == "tcp" and given:
        raise UserError("scheduler: an address with tcp:// has no certificates; write tls:// before it")


def check_address(address: object) -> str:
    """Return the scheme of an address, which may be empty; UserError if it is none."""
    if isinstance(address, str):
        with suppress(ValueError):  # no port, or one that is no number
            parts = urlsplit(address if "//" in address else f"//{address}")
            if parts.scheme in ("", "tcp", "tls") and parts.hostname and parts.port and " " not in address:
                return parts.scheme
    shown = printable(repr(address), 80)
    raise UserError(f"scheduler: {shown} is no address of a scheduler, such as 'tcp://node1:8786'")


def connect(cluster: Cluster, workers: int, news: list[str]) -> tuple[Any, Any]:
    """Return a client, and the cluster that was started for it, if one was."""
    try:
        from distributed import Client
    except ImportError:
        raise UserError("executor dask: dask is not installed; `pip install distributed` does it") from None
    _silence()
    security = _security(cluster)
    own = None if cluster.address else _start(workers or len(own_cores()))
    if own is None and not security and not _is_loopback(cluster.address):
        news.extend(OPEN.splitlines())  # one by one, so that commands can be pasted
    scheme = "tls://" if security and "//" not in cluster.address else ""
    try:
        client = Client(  # type: ignore[no-untyped-call]
            own or scheme + cluster.address,
            security=security or None,
            timeout=CONNECT_SECONDS,
            set_as_default=False,
            serializers=["dask", "msgpack", "pickle"],
            deserializers=["dask", "msgpack"],
        )
    except SSLError as error:
        raise UserError(f"scheduler: these certificates will not do at {cluster.address}: {error}") from None
    except (OSError, TimeoutError, ValueError) as error:
        raise UserError(f"scheduler: there is none at {cluster.address}: {error}") from None
    return client, own


def _silence() -> None:
    """Let dask print nothing: what matters is said here. It sets up its loggers when it is imported."""
    for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _start(workers: int) -> Any:
    """Start a cluster on this machine."""
    import dask.config
    from distributed import LocalCluster

    with (
        dask.config.set(SPARE),
        without_main(),
    ):  # a script without a main guard would be run again by every worker
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,  # bots have their own, and it would only measure the worker
            host="127.0.0.1",
            # Any port: dask warns of a second cluster on a machine, whose usual one is taken.
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            dashboard_address=None,
            silence_logs=50,
            preload=IGNORE_CTRL_C,
        )


def _security(cluster: Cluster) -> Any:
    """Return the certificates; None if there are none, and UserError if they cannot be used."""
    from distributed.security import Security

    if not cluster.ca:
        return None
    files = {"tls_ca_file": cluster.ca, "tls_client_cert": cluster.cert, "tls_client_key": cluster.key}
    security = Security(require_encryption=True, **files)  # type: ignore[no-untyped-call]
    try:
        security.get_connection_args("client")  # type: ignore[no-untyped-call]
    except OSError as error:
        raise UserError(f"tls_ca, tls_cert and tls_key cannot be used: {error}") from None
    return security


def _is_loopback(address: str) -> bool:
    host = urlsplit(address if "//" in address else f"tcp://{address}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
