"""An `arena` for shells that tests start: it hands its words and files to the process that lies ready.

Pipes, loops and redirections are the shell's own; what is saved is the imports of each command (tests/warm.py). One
command at a time: the test waits for its shell.
"""

import atexit
import json
import os
import shutil
import socket
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Thread

from tests.cli.command import ready

CLIENT = """#!{python} -IS
import json, os, socket, sys
line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
line.connect({address!r})
request = [sys.argv[1:], os.getcwd(), dict(os.environ)]
socket.send_fds(line, [json.dumps(request).encode()], [0, 1, 2])
sys.exit(int(line.recv(100)))
"""


@cache
def bin_folder() -> Path:
    """A folder for the front of PATH with this `arena` in it, until the tests end."""
    folder = Path(tempfile.mkdtemp(prefix="arena-bin-"))
    atexit.register(shutil.rmtree, folder)
    address = str(folder / "line")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    Thread(target=_serve, args=(listener,), daemon=True).start()
    command = folder / "arena"
    command.write_text(CLIENT.format(python=sys.executable, address=address))
    command.chmod(0o755)
    return folder


def _serve(listener: socket.socket) -> None:
    while True:
        line, _ = listener.accept()
        with line:
            message, files, _, _ = socket.recv_fds(line, 1 << 20, 3)
            words, cwd, environment = json.loads(message)
            code = ready().run_on(files, words, Path(cwd), environment, 60)
            for file in files:
                os.close(file)
            line.send(str(code).encode())
