"""Finds the line at which a bot was when its time was up, for a hint.

The same game is played again in the sandbox, with a file around the bot's own that interrupts it: a timer
raises an exception in the bot's code, and the traceback has the line. Refused: such a timer in every game. It
would be one more thing that bots can find and that differs between hosts.
"""

from __future__ import annotations

import re

from arena.bots.source import Source

_AROUND = "arena_around_.py"
_CODE = """
import os, signal
class _Stuck(BaseException):
    pass
def _stop(*_):
    raise _Stuck
def _timed(move):
    function = getattr(move, "__func__", move)
    code = function.__code__
    takes_clock = "clock" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    def ask(*words, clock):
        signal.setitimer(signal.ITIMER_REAL, {seconds})
        try:
            return function(*words, clock=clock) if takes_clock else function(*words)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return ask
signal.signal(signal.SIGALRM, _stop)
signal.setitimer(signal.ITIMER_REAL, {start_seconds})
__file__ = os.path.join(os.path.dirname(__file__), {main!r})
with open(__file__, "rb") as _file:
    exec(compile(_file.read(), __file__, "exec"), globals())
signal.setitimer(signal.ITIMER_REAL, 0)
if isinstance(globals().get("Bot"), type):
    _of_bot = _timed(Bot.move)
    Bot.move = lambda self, position, clock: _of_bot(self, position, clock=clock)
else:
    _of_file = _timed(move)
    move = lambda position, clock: _of_file(position, clock=clock)
"""

_FRAME = re.compile(r'^ *File "([^"]+)", line (\d+), in (.+)$', re.MULTILINE)


def interruptible(source: Source, move_seconds: float, start_seconds: float) -> Source:
    """Return a bot that raises an exception in its own code where it is after so many seconds."""
    code = _CODE.format(seconds=move_seconds, start_seconds=start_seconds, main=source.main)
    return source._replace(main=_AROUND, files={**source.files, _AROUND: code.encode()})


def say_where(evidence: str, seconds: float) -> str:
    """Return where a bot was, in a sentence, from the traceback of its interruption; or nothing."""
    frames = [frame for frame in _FRAME.findall(evidence) if frame[0] != _AROUND]
    if "_Stuck" not in evidence or not frames:
        return ""
    file, line, function = frames[-1]
    where = f"{file}, line {line}, in {function}"
    return f"after {seconds:g} s it was at {where}: is that a loop that never ends?"
