"""One bot's page: where it stands and how sure that is, whom it lost to, what it threw away, its forfeits.

It answers "why did mine lose?" for the author of a bot, who may have nothing but this page. So each claim has
the command that shows it. Scripts get JSON with the numbers of the standings, by their names there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.field import Grading
from arena.reports.asjson import is_empty, write_json
from arena.reports.page import Block, Code, Heading, Lines, Title, show_page
from arena.results.blunders import Blunder
from arena.results.bot import BotPage, BotPages
from arena.results.finding import name_run
from arena.results.losses import Forfeit, Forfeits
from arena.results.run import Run
from arena.results.versions import Version

if TYPE_CHECKING:
    import pandas as pd

MOST_MOVES = 8
"""How many winning moves a sentence names."""


def show_bot(run: Run, name: str, format: str = "table", width: int | None = None) -> str:
    """Return one bot's page as text."""
    return show_read(run, BotPages(run).read(name), format, width)


def show_read(run: Run, page: BotPage, format: str, width: int | None = None) -> str:
    """Return a page that was read as text."""
    typed = name_run(run.folder)
    if format == "json":
        return _json(page, run.field.name, typed)
    title, *rest = tell_bot(page, run.field.name, typed)
    return show_page([title, *_grade(page, run.field.grading), *rest], format, width)


def tell_bot(page: BotPage, run: str, typed: str) -> Iterator[Block]:
    """Yield what is on the page for people; `typed` stands for the run in commands, if there are any.

    Whether it passed is not among it: that is between a teacher and an author, and this may be published.
    """
    yield Title(f"{page.bot} in {run}")
    yield tell_standing(page)
    yield from tell_versions(page)
    yield from tell_records(page)
    yield from _blunders(page, typed)
    yield from tell_forfeits(page, typed)


def tell_standing(page: BotPage) -> Lines:
    """Return where a bot stands."""
    return Lines([*_say_version(page.standing), *_say_standing(page)])


def _say_version(standing: Mapping[str, Any]) -> Iterator[str]:
    """Yield the version, which is empty in an anonymous run, and whether the bot's games can be repeated."""
    said = [f"version {standing['version']}"] if standing["version"] else []
    if standing["repeatable"] != "yes":
        said.append("its games cannot be repeated exactly")
    if said:
        yield "; ".join(said)


def _grade(page: BotPage, grading: Grading | None) -> Iterator[Block]:
    """Yield whether it passed, by what and how surely, where a tournament says who passes."""
    if grading is not None:
        bosses = list_words(list(grading.bosses))
        yield Lines([_say_grade(page.grade, bosses) if page.grade else "it is a boss, and not graded"])


def _say_grade(grade: Mapping[str, Any], bosses: str) -> str:
    if is_empty(grade["passed"]):
        return f"neither passed nor failed: nothing can be judged yet of its games against {bosses}"
    by, verdict = grade["by"], "passed" if grade["passed"] == "yes" else "not passed"
    share = _say_share(grade[by], grade[f"{by}_low"], grade[f"{by}_high"])
    mark = f"the pass mark is {grade['pass_mark']:g}"
    return f"{verdict}: {by} {share} against {bosses}, {mark}{_say_doubt(grade)}"


def _say_doubt(grade: Mapping[str, Any]) -> str:
    if grade["is_sure"] == "yes":
        return ""
    more = grade["more_openings"]
    settled = "" if is_empty(more) else f": some {more:,} more openings of each variant would settle it"
    return f"; that is not sure{settled}"


def _say_standing(page: BotPage) -> Iterator[str]:
    """Yield rank, score, accuracy and ledger as sentences, each number with its interval."""
    row = page.standing
    if not row["games"]:
        yield "it has played no game yet that counts for the standings"
        return
    yield f"rank {row['rank']} of {page.bots}{_say_rating(row)}"
    score = _say_share(row["score"], row["score_low"], row["score_high"])
    yield f"score {score}: won {row['wins']:,} of {_count(row['games'], 'game')}"
    if not is_empty(row["accuracy"]):
        accuracy = _say_share(row["accuracy"], row["accuracy_low"], row["accuracy_high"])
        chance = "" if is_empty(row["chance"]) else f", random moves {row['chance']:.3f}"
        could = f"of {_count(row['graded'], 'move')} that could throw a win away"
        yield f"accuracy {accuracy}{chance}: {could}, the share that kept it"
    yield from _say_ledger(page)
    yield "in brackets: 95 % intervals"


def _say_rating(row: Mapping[str, Any]) -> str:
    if is_empty(row["rating"]):
        return ""
    better = (
        ""
        if is_empty(row["over_next"])
        else f"; truly better than the next with chance {row['over_next']:.3f}"
    )
    return f", rating {row['rating']:.0f} ({row['low']:.0f} to {row['high']:.0f}){better}"


def _say_ledger(page: BotPage) -> Iterator[str]:
    row = page.standing
    shares = [
        f"{verb} {row[name]:.3f} of the starts that were {kind} for it"
        for name, verb, kind in (("held", "won", "won"), ("taken", "and", "lost"))
        if not is_empty(row[name])
    ]
    if shares:
        yield ", ".join(shares)
    if not is_empty(row["thrown"]):
        plies = f", mostly at ply {list_words([str(ply) for ply in page.plies])}" if page.plies else ""
        yield f"opponents threw {_count(row['gifts'], 'win')} away; it threw away {row['thrown']:,}{plies}"
    if page.unsolved:
        yield f"{_count(page.unsolved, 'game')} could be judged only from a later ply on, not from the start"


def _say_share(share: float, low: float, high: float) -> str:
    return f"{share:.3f}" if is_empty(low) else f"{share:.3f} ({low:.3f} to {high:.3f})"


def tell_versions(page: BotPage) -> Iterator[Block]:
    """Yield how strong each version of a bot is, if it has several."""
    if page.versions:
        yield Heading("Its versions, the newest first")
        yield _lay_versions(page.versions[::-1])
        yield Lines(explain_versions(page.versions))


def _lay_versions(versions: Sequence[Version]) -> pd.DataFrame:
    import pandas as pd

    from arena.reports.columns import choose_columns

    columns = ["version", "since", "games", "score", "score_low", "score_high", "rating", "low", "high"]
    frame = pd.DataFrame(versions, columns=Version._fields)
    shown = choose_columns(frame[[*columns, "over_before"]].assign(since=list(map(say_since, versions))))
    return shown.rename(columns={"over_before": "over before"})


def say_since(version: Version) -> str:
    """Return when a version began to play, to the minute."""
    return "" if version.since is None else version.since.replace("T", " ")[:16]


def explain_versions(versions: Sequence[Version]) -> list[str]:
    """Return how to read the versions, and what is not among their games."""
    told = [
        "each is rated as if it took part beside the others; the newest is that of the standings",
        "over before: how likely it is truly better than the version before it; since: in UTC",
    ]
    left_out = sum(each.left_out for each in versions)
    if left_out:
        what = f"{_count(left_out, 'game')} of older versions"
        told.append(f"{what} are left out: they were played by other limits, seeds or boards")
    if versions and (every := versions[0].every) > 1:
        told.append(f"the log has so many games of older versions that 1 opening in {every} is counted")
    return told


def tell_records(page: BotPage) -> Iterator[Block]:
    """Yield how a bot did by opponent, variant and side."""
    for name, frame in (("opponent", page.opponents), ("variant", page.variants), ("side", page.sides)):
        if len(frame):
            yield Heading(f"By {name}, the worst first")
            yield frame
        if name == "variant" and set(page.unrated) & set(frame["variant"]):
            verb, them = ("ranks", "it") if len(page.unrated) == 1 else ("rank", "them")
            who = list_words(page.unrated)
            yield Lines([f"{who} {verb} nobody: scores, ratings and the ledger leave {them} out"])


def _blunders(page: BotPage, typed: str) -> Iterator[Block]:
    if not page.thrown_away:
        return
    yield from head_blunders(page)
    for number, blunder in enumerate(page.blunders, 1):
        yield Lines([f"{number}) {say_where(blunder)}", say_moves(blunder)])
        yield Code(blunder.position)
        yield Code(f"arena replay {typed} {blunder.game} --grade")
    yield from _say_all(typed, f"--bot {page.bot} --blunders")


def head_blunders(page: BotPage) -> Iterator[Block]:
    """Yield what stands above the blunders of a bot that has thrown games away."""
    yield Heading(f"It threw {_count(page.thrown_away, 'won game')} away for good")
    if page.thrown_by_forfeit:
        yield Lines([f"{page.thrown_by_forfeit:,} of them by a forfeit, see below"])
    if page.blunders:
        yield Lines(["the worst blunders first: where the largest share of the moves would have won"])


def _say_all(typed: str, options: str) -> Iterator[Block]:
    if typed:
        yield Lines(["all of them:"])
        yield Code(f"arena games {typed} {options}")


def say_where(blunder: Blunder) -> str:
    """Return when and against whom a blunder was made."""
    often = f", in {_count(blunder.games, 'game')}" if blunder.games > 1 else ""
    who = f"as {blunder.side} ({blunder.stone}) against {blunder.opponent}"
    return f"ply {blunder.ply} on {blunder.variant}, {who}{often}"


def say_moves(blunder: Blunder) -> str:
    """Return which move was made, and which would have won."""
    winning = blunder.winning_moves
    if not winning:
        return f"it played {blunder.played}, although it was winning; which move wins is not known"
    more = [f"{len(winning) - MOST_MOVES} more"] if len(winning) > MOST_MOVES else []
    named = list_words([*winning[:MOST_MOVES], *more])
    return (
        f"it played {blunder.played}; {named} would have won: {len(winning)} of {blunder.legal_moves} moves"
    )


def tell_forfeits(page: BotPage, typed: str) -> Iterator[Block]:
    """Yield the first forfeits of each kind, with the commands that repeat them."""
    total = sum(kind.games for kind in page.forfeits)
    if not total:
        return
    kinds = ", ".join(f"{kind.games:,} {kind.ending}" for kind in page.forfeits)
    yield Heading(f"It forfeited {_count(total, 'game')}: {kinds}")
    for kind in page.forfeits:
        for forfeit in kind.shown:
            yield Lines([f"{kind.ending} on {_say_forfeit(forfeit)}"])
            if typed:
                yield Code(f"arena rerun {typed} {forfeit.game}")
        if kind.games > len(kind.shown):
            yield Lines([f"and {kind.games - len(kind.shown):,} more {kind.ending}"])
    yield from _say_all(typed, f"--bot {page.bot} --forfeits")


def _say_forfeit(forfeit: Forfeit) -> str:
    """Return a forfeit in a sentence; its detail, if it is told, names the ply, if there was one."""
    told = f": {forfeit.detail}" if forfeit.detail else ""
    return f"{forfeit.variant}, as {forfeit.side} against {forfeit.opponent}{told}"


def _json(page: BotPage, run: str, typed: str) -> str:
    """Return the page for scripts, with the commands."""
    own = {"run": run, "bot": page.bot, "bots": page.bots, "standing": page.standing}
    own |= {"grade": page.grade, "plies": page.plies}
    records = {name: getattr(page, name).to_dict("records") for name in ("opponents", "variants", "sides")}
    blunders = [
        {**blunder._asdict(), "command": f"arena replay {typed} {blunder.game} --grade"}
        for blunder in page.blunders
    ]
    whole = {
        **own,
        **records,
        "unrated": page.unrated,
        "unsolved": page.unsolved,
        "thrown_away": page.thrown_away,
        "thrown_by_forfeit": page.thrown_by_forfeit,
        "blunders": blunders,
        "forfeits": [_forfeits_for_json(kind, typed) for kind in page.forfeits],
        "versions": [version._asdict() for version in page.versions],
    }
    return write_json(whole)


def _forfeits_for_json(kind: Forfeits, typed: str) -> dict[str, object]:
    shown = [{**each._asdict(), "command": f"arena rerun {typed} {each.game}"} for each in kind.shown]
    return {"ending": kind.ending, "games": kind.games, "shown": shown}


def list_words(words: list[str]) -> str:
    """Return words as a sentence lists them: `1, 3 and 5`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
