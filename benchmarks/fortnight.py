"""Two weeks of a class in minutes, from outside. Writes its section of `benchmarks/RESULTS.md`.

    python -m benchmarks.fortnight              # thirty students, fourteen days: 33 min on a busy machine
    python -m benchmarks.fortnight --short      # eight students, four days, two minutes
    python -m benchmarks.fortnight --keep DIR   # leaves everything there to be looked at

`arena serve configs/class.toml` is a process, and all that happens to it comes by HTTP or as a signal:
students hand in bots with tokens of `arena token --from`, readers watch, play and solve, the organiser
pauses, withdraws, sets a game aside, closes and downloads, and now and then the server is killed (-9) in the
middle of it and started again. A day ends when every bot has its place; nights are the seconds in which
nothing happens.
Nobody hands in more than ten bots, so the limit of ten an hour holds though the hour is a real one.

At the end the field is played by `arena run`, undisturbed, from files: digest and standings must be the same.
The tournament is that of configs/class.toml with fewer openings, without the three bots that think for long.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from urllib.parse import urlencode

import pandas as pd

from arena.config.reading import read_tournament
from arena.contest.book import ENTERED, FAILED, MOST_KEPT_BYTES, Book
from arena.log.reading import Log
from arena.plan.outlook import Options
from arena.results.run import Run
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch
from benchmarks import homework, whole

PATIENCE = 300.0
NAME = "class"
BOUNDARY = "x-boundary-x"
ALL_PLAYED, CLOSED = "All games are played. New bots", "Closed, and all games are played."
THINKING = ("perfect", "alpha_beta", "monte_carlo")
AT_ONCE = 6


class Journey(NamedTuple):
    """One upload: what was answered, and seconds to the verdict and to its place; None if that was lost."""

    day: int
    kind: str
    status: int
    verdict: str
    to_verdict: float | None
    to_place: float | None
    place: str = ""


class Evening(NamedTuple):
    """What is measured when a day is over and everything is played."""

    day: int
    uploads: int
    versions: int
    games: int
    server_mb: float
    children_mb: float
    processes: int
    files: int
    threads: int
    results_mb: float
    book_mb: float
    temporary_mb: float
    run_page: float
    bot_page: float
    organise_page: float
    plan: float


class Serving:
    """`arena serve` as a process, and who asks it."""

    def __init__(self, base, port=0):
        self.base, self.port, self.kills = base, port, 0
        self.terminal = base / "terminal.txt"
        self.temporary = base / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.start()

    def start(self):
        """Start it, at the same address as before."""
        command = [whole.COMMAND, "serve", "configs/class.toml", "--port", self.port, "--workers", 2]
        environment = os.environ | {"TMPDIR": str(self.temporary)}
        begun = self.terminal.stat().st_size if self.terminal.exists() else 0
        with self.terminal.open("ab") as out:
            self.process = subprocess.Popen(
                list(map(str, command)), cwd=self.base, stdout=out, stderr=out, env=environment
            )
        wait_for(lambda: re.search(rb":(\d+)/", self.terminal.read_bytes()[begun:]))
        self.port = int(re.search(rb":(\d+)/", self.terminal.read_bytes()[begun:])[1])

    def kill(self):
        """Kill it, as the system does that has no memory left, and start it again."""
        self.process.kill()
        self.process.wait()
        self.kills += 1
        time.sleep(0.5)
        bury(self.process.pid)
        self.start()

    def ask(self, path, method="GET", body=b"", kind=""):
        """Return status and text."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.request(method, path, body or None, {"content-type": kind} if kind else {})
            got = line.getresponse()
            return got.status, got.read()

    def send(self, path, **fields):
        """Send a form."""
        return self.ask(path, "POST", urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def send_json(self, path, **fields):
        status, text = self.ask(path, "POST", json.dumps(fields).encode(), "application/json")
        return status, json.loads(text)

    def time(self, path, **fields):
        """Return how many seconds a page takes."""
        begun = time.perf_counter()
        status, _ = self.send(path, **fields) if fields else self.ask(path)
        assert status == 200, (path, status)
        return time.perf_counter() - begun


class Reader:
    """Somebody with a live page open, which asks again when the connection is lost, as a browser does."""

    def __init__(self, serving):
        self._serving, self._is_over, self.bytes = serving, False, 0
        self._pool = ThreadPoolExecutor(1)
        self._pool.submit(self._read)

    def _read(self):
        while not self._is_over:
            with suppress(OSError, http.client.HTTPException):
                line = http.client.HTTPConnection("127.0.0.1", self._serving.port, timeout=2)
                with closing(line):
                    line.request("GET", f"/runs/{NAME}/events")
                    answer = line.getresponse()
                    while not self._is_over and (some := answer.read1(1 << 16)):
                        self.bytes += len(some)
            time.sleep(0.2)

    def close(self):
        self._is_over = True
        self._pool.shutdown()


def wait_for(is_so, seconds=PATIENCE):
    """Wait until something is so, and return it."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < end, "it has not come to an end"
        time.sleep(0.1)
    return found


def make_folder(base, openings, count):
    """Write the tournament of the class and its tokens; return these by name, and the organiser's."""
    (base / "configs").mkdir(parents=True)
    shutil.copytree(
        whole.ROOT / "bots", base / "bots", ignore=shutil.ignore_patterns("examples", "__pycache__")
    )
    text = (whole.ROOT / "configs/class.toml").read_text()
    text = re.sub(r"(?m)^openings = 24", f"openings = {openings}", text)
    text = text.replace('exclude = ["perfect"]', f"exclude = {json.dumps(THINKING)}")
    text = text[: text.index('[[bots]]\npath = "bots/perfect.py"')]
    (base / "configs/class.toml").write_text(text)
    names = homework.list_names(count)
    (base / "names.csv").write_text("name\n" + "".join(f"{name}\n" for name in names))
    tokens = json.loads(run_arena(base, "token", "--from", "names.csv", "--format", "json"))
    teacher = run_arena(base, "token", "teacher", "--organiser").split()[0]
    return {each["name"]: each["token"] for each in tokens}, teacher


def run_arena(base, *words):
    """Return what a command prints."""
    command = list(map(str, [whole.COMMAND, *words]))
    return subprocess.run(command, cwd=base, check=True, capture_output=True, text=True).stdout


def hand_in(serving, token, work):
    """Hand in a bot, and read on until it has its place; what is lost with the connection is None."""
    head = f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="token"\r\n\r\n{token}\r\n--{BOUNDARY}\r\n'
    head += f'content-disposition: form-data; name="file"; filename="{work.filename}"\r\n\r\n'
    body = head.encode() + work.data + f"\r\n--{BOUNDARY}--\r\n".encode()
    begun, text = time.perf_counter(), ""
    status, verdict, to_verdict, to_place = 0, "", None, None
    with suppress(OSError, http.client.HTTPException):
        line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)
        with closing(line):
            kind = f"multipart/form-data; boundary={BOUNDARY}"
            line.request("POST", f"/runs/{NAME}/submit", body, {"content-type": kind})
            answer = line.getresponse()
            status = answer.status
            while some := answer.read1(1 << 16):
                text += some.decode(errors="replace")
                now = time.perf_counter() - begun
                if not verdict and (found := re.search(r"passed: |FAILED: ", text)):
                    verdict, to_verdict = found[0][:6], now
                if to_place is None and re.search(r"\bis \d+(st|nd|rd|th) of \d+", text):
                    to_place = now
    place = ("", *re.findall(r"is \d+\w\w of \d+[^<]*|still waits for its check", text))[-1]
    return Journey(work.day, work.kind, status, verdict, to_verdict, to_place, place)


def live_a_day(serving, tokens, works, deed, must_kill):
    """Let everybody hand in what they have for the day, the organiser do something; return the journeys."""
    by_student, lock, done = {}, Lock(), []
    for work in works:
        by_student.setdefault(work.student, []).append(work)

    def hand_in_all(mine):
        for work in mine:
            journey = retry_if_lost(serving, tokens[work.student], work)
            with lock:
                done.append(journey)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = [pool.submit(hand_in_all, mine) for mine in by_student.values()]
        found += [pool.submit(look_around, serving, tokens, len(works))]
        if must_kill:
            wait_for(lambda: len(done) >= len(works) // 3 or all(each.done() for each in found))
            serving.kill()
        deed()
        for each in found:
            each.result()
    return done


def retry_if_lost(serving, token, work):
    """Hand in a bot; again if it was not received because there was no server at that moment."""
    for _ in range(100):
        journey = hand_in(serving, token, work)
        if journey.status and "still waits" not in journey.place:
            return journey
        time.sleep(0.3)
    return journey


def look_around(serving, tokens, seed):
    """Do what readers do: look at pages, play a few moves, have a position solved, look at their own bot."""
    with suppress(OSError, http.client.HTTPException, ValueError):
        serving.ask("/")
        serving.ask(f"/runs/{NAME}")
        serving.send(f"/runs/{NAME}/mine", token=next(iter(tokens.values())))
        serving.ask(f"/runs/{NAME}/play")
        asked = {"variant": "blockade-line", "bot": "greedy", "player": 1, "moves": []}
        status, told = serving.send_json(f"/runs/{NAME}/play/begin", **asked)
        if status == 200:
            game = told["game"]
            serving.send_json(f"/runs/{NAME}/play/move", game=game, ply=0, cell=seed % 4)
            if seed % 2:  # the others forget to
                serving.send_json(f"/runs/{NAME}/play/leave", game=game)
        serving.send_json(f"/runs/{NAME}/solve/position", variant="blockade-line", moves=[seed % 5])


def organise(serving, teacher, deed="look", **more):
    """Do something as the organiser; return the page."""
    status, page = serving.send(f"/runs/{NAME}/organise", token=teacher, deed=deed, **more)
    assert status == 200, page
    return page.decode()


def deeds_of(serving, teacher, days):
    """Return what the organiser does on which day."""

    def pause():
        organise(serving, teacher, "pause")
        time.sleep(2)
        organise(serving, teacher, "resume")

    def withdraw():
        with closing(Book(serving.base)) as book:
            name = book.entered_uploads(NAME)[-1].name
        organise(serving, teacher, "withdraw", subject=name, reason="copied")

    def set_aside():
        with closing(Log(serving.base / "results" / NAME)) as log:
            game = next(iter(log.rows("SELECT game FROM games ORDER BY rowid LIMIT 1")))[0]
        organise(serving, teacher, "set aside", subject=game, reason="the machine was stopped")

    return {days // 3: pause, days // 2: withdraw, days // 2 + 1: set_aside}


def children_of(pid):
    """Return the numbers of all processes below one."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            text = stat.read_text()
            parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    found, waiting = [], [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def bury(server):
    """Take leave of orphans that have ended, as the first process of a machine does."""
    for pid in children_of(os.getpid()):
        if pid != server and not is_alive(pid):
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def cpu_of(pids):
    """Return the CPU seconds of processes so far, and of their children that have ended."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def own_memory(pid):
    """Return the megabytes that a process has, what it shares divided among those who share it."""
    with suppress(OSError):
        return int(re.search(r"Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())[1]) / 1e3
    return 0.0


def resident(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def size_of(folder):
    """Return the megabytes of all files of a folder."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            total += file.lstat().st_size
    return total / 1e6


def idle(serving, seconds, has_reader):
    """Return which share of a core the server takes with all its processes when nothing happens."""
    reader = Reader(serving) if has_reader else None
    if has_reader:
        serving.ask(f"/runs/{NAME}")
    time.sleep(3)
    pids = [serving.process.pid, *children_of(serving.process.pid)]
    begun, before = time.monotonic(), cpu_of(pids)
    time.sleep(seconds)
    share = (cpu_of(pids) - before) / (time.monotonic() - begun)
    if reader is not None:
        reader.close()
    return share


def time_plan(base):
    """Return how long it takes to plan a sitting in which one bot is new, in a copy of the run."""
    with tempfile.TemporaryDirectory(dir=base) as place, closing(Book(base)) as book:
        shutil.copytree(base / "results" / NAME, Path(place, NAME))
        tournament = read_tournament(base / "configs/class.toml", isolation="sandboxed", needs_bots=False)
        bots = [*tournament.bots, *book.entered(NAME)]
        last = bots[-1]
        bots[-1] = last._replace(files=last.files | {last.main: last.files[last.main] + b"# new\n"})
        options = Options(executor="serial", results=Path(place), isolation="sandboxed", is_open=True)
        begun = time.perf_counter()
        Conductor(tournament._replace(bots=tuple(bots)), options, Watch())._close()
        return time.perf_counter() - begun


def settle(serving, teacher):
    """Wait until everything that was handed in has its place."""

    def is_settled():
        with closing(Book(serving.base)) as book:
            waiting = book.count_waiting(NAME)
        with suppress(OSError, http.client.HTTPException):
            return not waiting and ALL_PLAYED in organise(serving, teacher)
        return False

    wait_for(is_settled)


def measure(serving, teacher, day):
    """Return how things are in the evening."""
    pid, results = serving.process.pid, serving.base / "results"
    bury(pid)
    with closing(Book(serving.base)) as book:
        uploads, names = book.uploads(NAME), [each.name for each in book.entered_uploads(NAME)]
    with closing(Log(results / NAME)) as log:
        versions, games = len(list(log.bots())), log.number("SELECT count(*) FROM games")
    children = children_of(pid)
    return Evening(
        day + 1,
        len(uploads),
        versions,
        games,
        resident(pid),
        sum(map(own_memory, children)),
        len(children),
        len(os.listdir(f"/proc/{pid}/fd")),
        len(os.listdir(f"/proc/{pid}/task")),
        size_of(results),
        size_of(serving.base / "contests"),
        size_of(serving.temporary),
        serving.time(f"/runs/{NAME}"),
        serving.time(f"/runs/{NAME}/bots/{names[day % len(names)]}"),
        serving.time(f"/runs/{NAME}/organise", token=teacher),
        time_plan(serving.base),
    )


def close_contest(serving, teacher):
    """Close the contest, wait, and download everything; return the seconds of each, and the zip's size."""
    begun = time.monotonic()
    organise(serving, teacher, "close")
    wait_for(lambda: CLOSED in organise(serving, teacher))
    closed = time.monotonic() - begun
    begun = time.monotonic()
    status, packed = serving.send(f"/runs/{NAME}/export", token=teacher)
    assert status == 200
    assert packed[:2] == b"PK"
    return closed, time.monotonic() - begun, len(packed) / 1e6


def end(serving):
    """End the server as its user does; return its exit code and how many seconds that took."""
    children, begun = children_of(serving.process.pid), time.monotonic()
    serving.process.send_signal(signal.SIGINT)
    code, seconds = serving.process.wait(PATIENCE), time.monotonic() - begun
    time.sleep(1)
    bury(serving.process.pid)
    left = [pid for pid in {*children, *children_of(os.getpid())} if is_alive(pid)]
    return code, seconds, left, sorted(file.name for file in serving.temporary.iterdir())


def is_alive(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def play_undisturbed(base, place):
    """Play the final field with `arena run`, from files; return its folder."""
    (place / "configs").mkdir(parents=True)
    shutil.copytree(base / "bots", place / "bots")
    text = (base / "configs/class.toml").read_text()
    with closing(Book(base)) as book:
        for source in book.entered(NAME):
            folder = place / "handed_in" / source.name
            for path, data in source.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(data)
            path = f"handed_in/{source.name}" + f"/{source.main}" * (len(source.files) == 1)
            text += f'\n[[bots]]\npath = "{path}"\nname = "{source.name}"\n'
    (place / "configs/class.toml").write_text(text)
    run_arena(place, "run", "configs/class.toml", "--quiet", "--workers", 2)
    return place / "results" / NAME


def is_same(one, other):
    """Whether digests and standings are the same, but for what is measured."""
    digests = [Run(folder).digest() for folder in (one, other)]
    tables = [
        pd.read_csv(folder / "standings.csv").drop(columns=["cpu_ms_per_move"]) for folder in (one, other)
    ]
    return digests[0] == digests[1], tables[0].equals(tables[1])


def middle(values):
    """Return the median and the worst, in words."""
    return f"{statistics.median(values):.1f} / {max(values):.1f}" if values else ""


HEADS = {
    "evening of day": "{.day}",
    "uploads": "{.uploads}",
    "versions in the log": "{.versions}",
    "games": "{.games:,}",
    "server MB": "{.server_mb:.0f}",
    "its processes": "{.processes}",
    "MB of them": "{.children_mb:.0f}",
    "open files": "{.files}",
    "threads": "{.threads}",
    "results MB": "{.results_mb:.1f}",
    "book MB": "{.book_mb:.1f}",
    "temporary MB": "{.temporary_mb:.1f}",
    "run's page s": "{.run_page:.2f}",
    "bot's page s": "{.bot_page:.2f}",
    "organiser's page s": "{.organise_page:.3f}",
    "plan s": "{.plan:.2f}",
}


def tell(serving, works, journeys, evenings, nights, closing_up, ending, same, page, openings):
    """Return the lines of the section."""
    return [
        *tell_what_happened(serving, works, journeys, len(evenings)),
        "",
        *tell_evenings(evenings),
        "",
        *tell_journeys(journeys, len(evenings)),
        "",
        *tell_nights(nights),
        *tell_end(serving, closing_up, ending, page),
        *tell_sizes(serving, evenings[-1], openings, len({work.student for work in works})),
        f"- Beside an undisturbed `arena run` of the last field: digest {say_same(same[0])}, standings "
        f"{say_same(same[1])}.",
    ]


def say_same(is_same):
    return "equal" if is_same else "NOT EQUAL"


def tell_what_happened(serving, works, journeys, days):
    kinds = ", ".join(f"{sum(work.kind == kind for work in works)} {kind}" for kind in homework.KINDS)
    with closing(Book(serving.base)) as book:
        states = [each.state for each in book.uploads(NAME)]
    yield (
        f"{len({work.student for work in works})} students, {days} days, {len(works)} uploads ({kinds}): "
        f"{states.count(ENTERED)} entered, {states.count(FAILED)} failed their check, "
        f"{sum(each.status == 409 for each in journeys)} were refused, as unchanged or withdrawn. "
        f"{serving.kills} kills (-9), a pause, a withdrawal and a game set aside; one reader all the time, "
        "who also plays and solves. Uploads wait for each other: six students hand in at a time."
    )


def tell_evenings(evenings):
    yield f"| {' | '.join(HEADS)} |"
    yield "|--:" * len(HEADS) + "|"
    for day in sorted({0, 1, len(evenings) - 1, *(len(evenings) * quarter // 4 for quarter in range(1, 4))}):
        yield f"| {' | '.join(text.format(evenings[day]) for text in HEADS.values())} |"


def tell_journeys(journeys, days):
    yield from ("| seconds from upload, median / worst | verdict | place |", "|---|--:|--:|")
    for words, is_late in (("first half", False), ("second half", True)):
        mine = [each for each in journeys if (each.day >= days / 2) == is_late]
        verdicts = [each.to_verdict for each in mine if each.to_verdict is not None]
        places = [each.to_place for each in mine if each.to_place is not None]
        yield f"| {words} | {middle(verdicts)} | {middle(places)} |"


def tell_nights(nights):
    (quiet, watched), (late_quiet, late_watched) = nights
    yield (
        f"- A night, share of a core: {quiet:.2%} after the first day and {late_quiet:.2%} after the last; "
        f"with a page open {watched:.2%} and {late_watched:.2%}."
    )


def tell_end(serving, closing_up, ending, page):
    closed, exported, size = closing_up
    code, seconds, left, files = ending
    said = serving.terminal.read_text().splitlines()
    yield (
        f"- Closed, with all secrets shown, after {closed:.1f} s; everything downloaded in {exported:.1f} s, "
        f"{size:.1f} MB. Ctrl-C took {seconds:.1f} s (exit {code})."
    )
    yield (
        f"- Left behind: {len(left)} processes, {len(files)} temporary folders{': ' * bool(files)}"
        f"{', '.join(files)}."
    )
    yield (
        f"- The terminal had {len(said)} lines, {len(set(said))} of them different; the organiser's page has "
        f"{len(page) / 1e3:.0f} kB."
    )


def tell_sizes(serving, last, openings, students):
    per_game = last.results_mb / last.games * 1e6
    per_upload = size_of(serving.base / "contests") * 1e3 / last.uploads
    whole_size = last.games * 24 / openings * per_game / 1e9
    yield (
        f"- {per_game:.0f} bytes a game on disk: {whole_size:.2f} GB with the 24 openings of the file. "
        f"The book: {per_upload:.1f} kB an upload; with bots of 16 MiB it would be at most "
        f"{students * MOST_KEPT_BYTES / 1e9:.1f} GB, by its limit for each participant, and the log as much."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="eight students, four days")
    parser.add_argument("--students", type=int)
    parser.add_argument("--days", type=int)
    parser.add_argument("--uploads", type=int, help="of each student, at most ten")
    parser.add_argument("--openings", type=int, default=1)
    parser.add_argument("--idle", type=float, default=20.0, help="seconds of a night")
    parser.add_argument("--keep", type=Path, help="a folder that is not there yet, for all that is written")
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    students, days = (
        options.students or (8 if options.short else 30),
        options.days or (4 if options.short else 14),
    )
    uploads = min(10, options.uploads or (4 if options.short else 9))
    whole.be_usual()
    whole.adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="fortnight-") as place:
        base = options.keep or Path(place)
        lines = live(base.resolve(), students, days, uploads, options.openings, options.idle)
    print("\n".join(lines))
    if not options.print:
        whole.write_section("Two weeks of a class", lines)


def live(base, students, days, uploads, openings, night):
    """Let two weeks go by; return what is to be written."""
    tokens, teacher = make_folder(base / "contest", openings, students)
    works = homework.assign(list(tokens), days, uploads)
    serving = Serving(base / "contest")
    try:
        journeys, evenings, nights = live_days(serving, tokens, teacher, works, days, night)
        page = organise(serving, teacher)
        (base / "organise.html").write_text(page)
        closing_up = close_contest(serving, teacher)
        ending = end(serving)
    finally:
        serving.process.kill()
    show(closing_up, ending)
    same = is_same(base / "contest/results" / NAME, play_undisturbed(base / "contest", base / "undisturbed"))
    return tell(serving, works, journeys, evenings, nights, closing_up, ending, same, page, openings)


def live_days(serving, tokens, teacher, works, days, night):
    """Let the days go by; return what became of the uploads, the evenings, the first and the last night."""
    deeds, kills = deeds_of(serving, teacher, days), {1, days // 2, days - 2}
    journeys, evenings, nights, begun = [], [], [], time.monotonic()
    for day in range(days):
        with closing(Reader(serving)):
            today = [work for work in works if work.day == day]
            journeys += live_a_day(serving, tokens, today, deeds.get(day, lambda: None), day in kills)
            settle(serving, teacher)
            evenings.append(measure(serving, teacher, day))
        show(evenings[-1], f"{time.monotonic() - begun:.0f} s")
        if day in (0, days - 1):
            nights.append((idle(serving, night, False), idle(serving, night, True)))
            show(*nights[-1])
    return journeys, evenings, nights


def show(*what):
    """Say how far it is."""
    print(*what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
