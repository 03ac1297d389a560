"""The contest that plays: sitting after sitting, as `arena run` plays them, with whoever has entered by then.

One thread plays, the main one, so that Ctrl-C is heard as in `arena run`. When what should be played has
changed, another thread asks the sitting to stop, and the next one is planned anew; nothing is played twice.
When that is, the lookout knows.

Whatever goes wrong, such as a full disk, is said to readers and tried again. Refused: to end then. Nobody
would notice before the morning.
"""

from __future__ import annotations

import re
import sqlite3
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.config.reading import Tournament, base_of, read_tournament
from arena.contest.aim import Aim, Sight
from arena.contest.book import Book
from arena.contest.checks import Checks
from arena.contest.deeds import SET_ASIDE
from arena.contest.hosted import Place
from arena.contest.lookout import Lookout
from arena.contest.places import Places
from arena.contest.tables import explain_errors
from arena.contest.words import OUR_FAULT, Status, say_how, say_spoilt, say_twice, say_why_not
from arena.errors import ArenaError, FileMistakes, UserError
from arena.log.cache import keep_beside
from arena.log.door import LOG
from arena.log.lock import take_lock
from arena.log.reading import Log
from arena.log.writing import Store
from arena.plan.outlook import SECRET, Options, run_folder
from arena.referee.game import GameSpec, Limits
from arena.runs import sit, write_out
from arena.tournament.evidence import open_seals
from arena.tournament.watch import Watch

RETRY_SECONDS, BUG_SECONDS = 5.0, 60.0
"""After what went wrong on this machine, and after a mistake of ours."""

SPOILT_SECONDS, MOST_SPOILT_SECONDS = 30.0, 3600.0
"""Games that this machine has spoilt are tried again after twice as long each time."""

APPLIED = "set aside"
"""The fact that says how many of the organiser's deeds were done to the games of a log."""

MOST_NOTES = 30


class Playing(NamedTuple):
    """A game that is being played; on a secret variant the name is not said."""

    first: str
    second: str
    variant: str


class Contest:
    """A tournament that takes bots while it is played; `play` plays, everything else any thread may ask."""

    def __init__(
        self, config: Path, options: Options, warn: Callable[[str], None] = lambda sentence: None
    ) -> None:
        """Open the contest of a tournament file; `warn` is told what is wrong, once until that changes."""
        self._config, self._options = Path(config).resolve(), options._replace(isolation="sandboxed")
        self._file = read_tournament(config, isolation="sandboxed", name=options.name, needs_bots=False)
        self.tournament = self._file.name
        self.folder = run_folder(self._file, options)
        self.book = Book(base_of(self._config))
        self._lock = _take_lock(self.book, self.tournament)
        self.checks = Checks(self.book, self.tournament, self._read_limits)
        self.status, self.playing = Status(), tuple[Playing, ...]()
        self.notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._sight = Sight(self.book, self.tournament, self._config)
        self._lookout = Lookout(self._sight)
        self._places = Places(self.folder, self.book, self.tournament)
        self._warn, self._warned = warn, ""
        self._aim = Aim((), 0, False, False, ())  # what was looked at last
        self._rest: float | None = None  # before what was spoilt is tried again
        self._is_written = False  # whether there are tables of everything that was played

    @property
    def own_names(self) -> frozenset[str]:
        """The names of the file's bots, which nobody can take."""
        return frozenset(bot.name for bot in self._file.bots)

    @property
    def waiting(self) -> int:
        """How many uploads wait for their check."""
        return self._sight.waiting

    def place_of(self, name: str) -> Place:
        """Return where a bot that has entered stands now."""
        return self._places.find(name)

    def play(self) -> None:
        """Play until the user ends it: KeyboardInterrupt then."""
        keep_beside()
        self.checks.start()
        try:
            while True:
                self._go_on()
        finally:
            self.checks.stop()
            self.close()

    def close(self) -> None:
        """Let another server host it."""
        self._lock.close()
        self.book.close()

    def _go_on(self) -> None:
        """Play what should be played now, and wait if there is nothing left to do."""
        aim = None
        try:
            aim = self._sight.look()
            self._aim = aim
            if self._sit(aim):
                self._lookout.wait(aim, self._rest)
        except (ArenaError, OSError) as error:
            self._tell(f"Nothing is played at the moment: {self.hide_places(error)}. It is tried again.")
            self._warn_once(f"nothing is played at the moment: {error}; it is tried again")
            self._lookout.wait(aim, RETRY_SECONDS)
        except Exception:  # a bug of ours; who reads and who hands in stays
            traceback.print_exc()
            self._tell(OUR_FAULT)
            self._lookout.wait(aim, BUG_SECONDS)
        finally:
            self.playing = ()

    def _sit(self, aim: Aim) -> bool:
        """Play what should be played; return whether nothing is left to do before that changes."""
        waited, self._rest = self._rest, None
        tournament = self._read_field()
        self._set_aside()
        has_games = self._has_plan()
        if why_not := say_why_not(aim, len(tournament.bots), tournament.format, has_games):
            self._tell(why_not)
            if has_games and not aim.is_paused:
                self._note_end(aim)
            return self._write_out(aim)
        self._tell(say_how(aim, is_played=False))
        self._warn_once(self.status.trouble)
        self._is_written = False
        options = self._options._replace(is_open=not aim.is_last)
        with self._lookout.watch(aim) as stop:
            self._is_written = sit(tournament, options, _Listening(self, tournament.secret), stop)
        if self._is_written:
            self._places.settle(aim)
            self._rest = self._say_played(aim, waited)
        return self._is_written

    def _say_played(self, aim: Aim, waited: float | None) -> float | None:
        """Say that all is played, or what was spoilt; return after how many seconds that is tried again."""
        with closing(Log(self.folder)) as log:
            spoilt = log.voids
        self._tell(say_spoilt(spoilt) if spoilt else say_how(aim, is_played=True))
        longer = min(2 * waited, MOST_SPOILT_SECONDS) if waited else SPOILT_SECONDS
        return longer if spoilt else None

    def _has_plan(self) -> bool:
        """Whether there is a log in which something was planned already."""
        if not (self.folder / LOG).exists():
            return False
        with closing(Log(self.folder)) as log:
            return bool(log.fact("field"))

    def _note_end(self, aim: Aim) -> None:
        """Write down whether the contest goes on, where no sitting does it: too few bots are left to play."""
        with closing(Log(self.folder)) as log:
            if log.is_open != aim.is_last:
                return
            is_over = aim.is_last and log.planned == log.played
        with closing(Store(self.folder)) as store:
            store.note_contest(is_open=not aim.is_last)
        if is_over:
            open_seals(self.folder / "faults")
        self._is_written = False

    def _write_out(self, aim: Aim) -> bool:
        """Grade what was played and write it down, if a sitting was stopped before that."""
        if not self._is_written and self._has_plan():
            with self._lookout.watch(aim) as stop:
                self._is_written = write_out(self.folder, self._options, _Listening(self), stop)
            return self._is_written
        return True

    def _read_field(self) -> Tournament:
        """Return the tournament with the bots of its file, as it is now, and those that have entered."""
        trouble = ""
        try:
            self._file = self._read_file()
        except UserError as error:
            first = error.mistakes[0] if isinstance(error, FileMistakes) else error
            why = self.hide_places(first)
            trouble = f"The contest goes on with its file as it was, because it cannot be read: {why}"
        own, entered = {name.lower() for name in self.own_names}, self.book.entered(self.tournament)
        twice = [bot.name for bot in entered if bot.name.lower() in own]
        trouble = " ".join(filter(None, (trouble, say_twice(twice))))
        self.status = self.status._replace(trouble=trouble)
        others = [bot for bot in entered if bot.name not in twice]
        return self._file._replace(bots=(*self._file.bots, *others))

    def _read_file(self) -> Tournament:
        return read_tournament(self._config, isolation="sandboxed", name=self.tournament, needs_bots=False)

    def _read_limits(self) -> Limits:
        """Return the limits of the file as it is now, or as it was if that cannot be read."""
        try:
            return self._read_file().limits
        except UserError:
            return self._file.limits  # what is wrong with the file is said by who plays

    def _set_aside(self) -> None:
        """Do to the log what the organiser has said of single games; each deed once."""
        deeds = [deed for deed in self.book.deeds(self.tournament) if deed.what == SET_ASIDE]
        if not deeds or not (self.folder / LOG).exists():
            return
        with closing(Log(self.folder)) as log:
            done = int(log.fact(APPLIED) or 0)
        if done >= len(deeds):
            return
        games = [
            (deed.subject, f"set aside by {deed.who}: {deed.reason}".rstrip(": ")) for deed in deeds[done:]
        ]
        with closing(Store(self.folder)) as store:
            store.set_aside_games(games, APPLIED, str(len(deeds)))

    def _warn_once(self, sentence: str) -> None:
        if sentence and sentence != self._warned:
            self._warn(sentence)
        self._warned = sentence

    def _tell(self, words: str) -> None:
        self.status = self.status._replace(words=words, deeds=self._aim.deeds, is_closed=self._aim.is_closed)

    def hide_places(self, error: object) -> str:
        """Return what is wrong, without saying where things are on this machine."""
        base = str(base_of(self._config))
        why = str(error).replace(f"{self.folder}", self.folder.name).replace(f"{base}/", "")
        return re.sub(r" \(process \d+\)", "", why)


def _take_lock(book: Book, tournament: str) -> sqlite3.Connection:
    """Return what says that a contest is hosted; StoreError if another process does that."""
    folder = book.file.parent / tournament
    try:
        with explain_errors(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        return take_lock(folder, "another `arena serve`{who} hosts this contest; end that one first")
    except BaseException:
        book.close()
        raise


class _Listening(Watch):
    """Hears how a sitting goes, for whoever reads."""

    def __init__(self, contest: Contest, secret: Sequence[str] = ()) -> None:
        self._contest, self._secret = contest, secret

    def note_playing(self, games: Sequence[GameSpec]) -> None:
        self._contest.playing = tuple(self._tell(game) for game in games)

    def _tell(self, game: GameSpec) -> Playing:
        name = game.variant.name
        return Playing(game.first, game.second, SECRET if name in self._secret else name)

    def stand(self, words: str) -> None:
        self._contest.playing = ()  # the audit; its games count for nobody

    def say(self, sentence: str) -> None:
        if sentence not in self._contest.notes:
            self._contest.notes.append(sentence)
