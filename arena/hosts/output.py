"""What a bot prints: taken out of its pipe as it comes, so that the bot never waits for it, up to 64 KiB."""

from __future__ import annotations

import contextlib
import os
import select

MOST_PRINTED = 64 * 1024
MOST_DRAINED = 16  # reads at a time: a bot that prints without end must not keep us from its clock


class Output:
    """Our end of the pipe that a bot prints to."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor  # -1 once it is closed
        self._printed = bytearray()
        self._polls: list[select.poll] = []
        self._own_poll = select.poll()
        os.set_blocking(descriptor, False)
        self.be_heard_by(self._own_poll)

    def be_heard_by(self, *polls: select.poll) -> None:
        """Make these polls wait for printing too."""
        for poll in polls:
            poll.register(self.descriptor, select.POLLIN)
        self._polls += polls

    @property
    def text(self) -> str:
        """What was printed since `forget`."""
        self.drain()
        return self._printed.decode(errors="replace")

    def forget(self) -> None:
        """Drop what was printed so far."""
        if self._own_poll.poll(0):
            self.drain()
        self._printed.clear()

    def drain(self) -> None:
        """Take what was printed out of the pipe."""
        if self.descriptor < 0:
            return
        with contextlib.suppress(BlockingIOError, OSError):
            for _ in range(MOST_DRAINED):
                data = os.read(self.descriptor, 65536)
                if not data:
                    self._hear_no_more()
                    return
                self._printed += data[: max(0, MOST_PRINTED - len(self._printed))]

    def _hear_no_more(self) -> None:
        """Stop waiting for the output of a bot that has closed it: it would be ready for ever."""
        while self._polls:
            self._polls.pop().unregister(self.descriptor)

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self.descriptor)
        self.descriptor = -1
