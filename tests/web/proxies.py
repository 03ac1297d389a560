"""nginx and Caddy as they stand in front of a server, with the configurations of docs/serving: real processes, TLS."""

import contextlib
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from tests.web.server import PATIENCE, Answer

DOCS = Path(__file__).parents[2] / "docs" / "serving"
PROXIES = {"nginx": "nginx-light", "caddy": "caddy"}
"""The programs, and the packages of Debian that have them."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])


def find(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"there is no {name} here: on Debian `apt-get install {PROXIES[name]}`")
    return found


def make_certificate(folder):
    """Make a certificate for localhost, and its key; return both files."""
    made = folder / "cert.pem", folder / "key.pem"
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here, which makes the certificate")
    asked = (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    places = ["-out", str(made[0]), "-keyout", str(made[1])]
    subprocess.run(["openssl", *asked.split(), *places], check=True, capture_output=True)
    return made


def write_nginx(folder, certificate, port, upstream):
    """The file of docs/serving with the names and ports of this test, and what a system has around it."""
    own = (DOCS / "nginx.conf").read_text()
    for old, new in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "arena.example.org": "localhost",
        "/etc/ssl/arena/fullchain.pem": str(certificate[0]),
        "/etc/ssl/arena/privkey.pem": str(certificate[1]),
        "http://127.0.0.1:8000": f"http://127.0.0.1:{upstream}",
    }.items():
        assert old in own
        own = own.replace(old, new)
    (folder / "arena.conf").write_text(own)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ access_log off;\n{places}include {folder}/arena.conf;\n}}\n"
    )
    return [find("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def write_caddy(folder, certificate, port, upstream):
    """The same for Caddy."""
    own = (DOCS / "Caddyfile").read_text()
    for old, new in {
        "\n{\n": "\n{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n",
        "arena.example.org {": f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate[0]} {certificate[1]}",
        "127.0.0.1:8000": f"127.0.0.1:{upstream}",
    }.items():
        assert old in own
        own = own.replace(old, new)
    (folder / "Caddyfile").write_text(own)
    return [find("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


WRITE = {"nginx": write_nginx, "caddy": write_caddy}
WAITING = ("proxy_buffering off;", "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;")
"""What makes nginx wait for more before it sends anything on."""


def weaken(old, new):
    """Return what changes a line of nginx, so that one sees whether it matters."""

    def change(folder):
        file = folder / "arena.conf"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    return change


class Proxy:
    """A proxy that runs, and what asks it."""

    def __init__(self, name, folder, certificate, upstream, change=lambda file: None):
        self.port = free_port()
        self.name, self.certificate = name, certificate
        self.origin = f"https://localhost:{self.port}"
        command = WRITE[name](folder, certificate, self.port, upstream)
        change(folder)
        own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
        with open(folder / "said", "w") as said:
            self.process = subprocess.Popen(command, env=os.environ | own, stdout=said, stderr=said)
        end = time.monotonic() + PATIENCE
        while not self._is_up():
            assert self.process.poll() is None, (folder / "said").read_text()
            assert time.monotonic() < end
            time.sleep(0.02)

    def _is_up(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def line(self, timeout=PATIENCE, source="127.0.0.1"):
        """A connection with TLS, whose certificate is checked."""
        context = ssl.create_default_context(cafile=self.certificate[0])
        raw = socket.create_connection(("127.0.0.1", self.port), timeout, source_address=(source, 0))
        line = http.client.HTTPSConnection("localhost", self.port, context=context)
        line.sock = context.wrap_socket(raw, server_hostname="localhost")
        return line

    def ask(self, path, method="GET", body=None, source="127.0.0.1", **headers):
        """Ask for something; return the answer."""
        with contextlib.closing(self.line(source=source)) as line:
            line.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
            got = line.getresponse()
            return Answer(got.status, {key.lower(): value for key, value in got.getheaders()}, got.read())

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
