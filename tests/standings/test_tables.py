"""Tables of who won how often: sums over counts of games, checked by counting games one by one."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings import OVERALL, tables
from arena.standings.tables import Known
from tests.fuzz.laws import examples

CONTRACT_COLUMNS = (
    "rank,bot,version,games,wins,losses,score,score_low,score_high,rating,low,high,over_next,wins_first,"
    "wins_second,unrated,forfeits,accuracy,accuracy_low,accuracy_high,chance,graded,held,taken,gifts,thrown,"
    "cpu_ms_per_move,repeatable"
).split(",")
COMPUTED = "score_low score_high rating low high over_next accuracy accuracy_low accuracy_high".split()
COMPUTED += "chance graded held taken gifts thrown".split()
KEYS = ["variant", "first", "second", "winner", "ending", "isolation"]
SUMS = ["games", "first_moves", "second_moves", "first_cpu_seconds", "second_cpu_seconds"]


def counts_of(*rows):
    """Counts of games: variant, first, second, winner, ending, isolation, then the sums."""
    return pd.DataFrame(rows, columns=[*KEYS, *SUMS])


def bots_of(*names):
    """Bots whose versions are their numbers."""
    versions = [f"{number:012x}" for number in range(len(names))]
    return pd.DataFrame({"bot": names, "version": versions, "is_repeatable": True})


BOTS = bots_of("ada", "bea", "cyn", "new")
COUNTS = counts_of(
    # ada as first beats bea 3:1, and as second 2:1; one of bea's losses is a timeout.
    ("line", "ada", "bea", "ada", "no-moves", "sandboxed", 2, 10, 8, 0.5, 0.1),
    ("line", "ada", "bea", "ada", "timeout", "sandboxed", 1, 1, 0, 0.5, 2.0),
    ("line", "ada", "bea", "bea", "no-moves", "sandboxed", 1, 4, 4, 1.0, 0.1),
    ("line", "bea", "ada", "ada", "no-moves", "trusted", 2, 6, 5, 0.2, 1.0),
    ("grid", "bea", "ada", "bea", "crash", "sandboxed", 1, 3, 2, 0.1, 1.0),
    # cyn has met ada alone, and never got to make a move.
    ("grid", "cyn", "ada", "ada", "no-start", "sandboxed", 2, 0, 0, 0.7, 0.0),
)


def row(table, **where):
    """The one row of a table in which some columns have some values."""
    for column, value in where.items():
        table = table[table[column] == value]
    (found,) = table.to_dict("records")
    return found


def test_standings_have_the_columns_that_scripts_rely_on():
    """The columns are those of the contract, in its order, whatever has been played."""
    assert list(tables.standings(COUNTS, BOTS).columns) == CONTRACT_COLUMNS
    assert list(tables.standings_by_variant(COUNTS, BOTS).columns) == ["variant", *CONTRACT_COLUMNS]
    assert list(tables.standings_by_side(COUNTS, BOTS).columns) == ["side", *CONTRACT_COLUMNS]


def test_standings_count_games_from_both_sides():
    """Wins, losses, forfeits, moves and seconds of a bot are its own, whichever side it had."""
    table = tables.standings(COUNTS, BOTS)
    ada = row(table, bot="ada")
    assert [ada[name] for name in ("games", "wins", "losses")] == [9, 7, 2]
    assert [ada[name] for name in ("wins_first", "wins_second", "forfeits")] == [3, 4, 1]
    assert ada["score"] == 7 / 9
    assert ada["version"] == "0" * 12
    assert ada["cpu_ms_per_move"] == pytest.approx(1000 * 4.0 / 22)
    bea = row(table, bot="bea")
    assert [bea[name] for name in ("games", "wins", "losses", "forfeits")] == [7, 2, 5, 1]
    assert [bea[name] for name in ("wins_first", "wins_second")] == [1, 1]


def test_a_bot_without_moves_has_no_seconds_per_move():
    """CPU used before the first move is not divided by nothing."""
    assert pd.isna(row(tables.standings(COUNTS, BOTS), bot="cyn")["cpu_ms_per_move"])


def test_what_nobody_has_computed_is_empty():
    """Ratings and accuracy are empty until there are some."""
    table = tables.standings(COUNTS, BOTS)
    assert table[COMPUTED].isna().all(axis=None)


def test_bots_stand_in_order_of_score_and_those_that_have_not_played_last():
    """A score of nothing is above no score at all."""
    table = tables.standings(COUNTS, BOTS)
    assert table["bot"].tolist() == ["ada", "bea", "cyn", "new"]
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert row(table, bot="cyn")["score"] == 0
    assert pd.isna(row(table, bot="new")["score"])


def test_equal_scores_share_a_rank_and_stand_by_name():
    """Ranks go 1, 2, 2, 4; and one win in three equals two in six."""
    counts = counts_of(
        ("line", "top", "zoe", "top", "no-moves", "sandboxed", 4, 0, 0, 0, 0),
        ("line", "zoe", "low", "zoe", "no-moves", "sandboxed", 2, 0, 0, 0, 0),
        ("line", "top", "abe", "top", "no-moves", "sandboxed", 2, 0, 0, 0, 0),
        ("line", "abe", "low", "abe", "no-moves", "sandboxed", 1, 0, 0, 0, 0),
    )
    table = tables.standings(counts, bots_of("zoe", "low", "abe", "top"))
    assert table["bot"].tolist() == ["top", "abe", "zoe", "low"]
    assert table["rank"].tolist() == [1, 2, 2, 4]


def ratings_of(*rows):
    """Ratings: part, bot, rating; their intervals are 10 points to either side."""
    return pd.DataFrame(
        [(*row, row[2] - 10, row[2] + 10, 0.5) for row in rows],
        columns=["part", "bot", "rating", "low", "high", "over_next"],
    )


def test_a_rating_goes_before_a_score():
    """Whoever has the higher rating stands first, though others won more; who has none stands last."""
    ratings = ratings_of((OVERALL, "cyn", 1600.0), (OVERALL, "ada", 1400.0))
    table = tables.standings(COUNTS, BOTS, Known(ratings=ratings))
    assert table["bot"].tolist() == ["cyn", "ada", "bea", "new"]
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert row(table, bot="cyn")["low"] == 1590
    assert pd.isna(row(table, bot="bea")["high"])
    assert row(table, bot="bea")["score"] > row(table, bot="cyn")["score"]


def test_a_rank_is_shared_by_equal_rating_and_score_only():
    """Equal ratings are told apart by scores; equal in both, bots share a rank and stand by name."""
    counts = counts_of(
        ("line", "zoe", "abe", "zoe", "no-moves", "sandboxed", 1, 0, 0, 0, 0),
        ("line", "abe", "zoe", "abe", "no-moves", "sandboxed", 1, 0, 0, 0, 0),
        ("line", "top", "low", "top", "no-moves", "sandboxed", 2, 0, 0, 0, 0),
    )
    names = ("zoe", "low", "abe", "top")
    ratings = ratings_of(*((OVERALL, name, 1500.0) for name in names))
    table = tables.standings(counts, bots_of(*names), Known(ratings=ratings))
    assert table["bot"].tolist() == ["top", "abe", "zoe", "low"]
    assert table["rank"].tolist() == [1, 2, 2, 4]
    apart = ratings_of(*((OVERALL, name, 1500.0 + number) for number, name in enumerate(names)))
    table = tables.standings(counts, bots_of(*names), Known(ratings=apart))
    assert table["bot"].tolist() == ["top", "abe", "low", "zoe"]
    assert table["rank"].tolist() == [1, 2, 3, 4]


def test_each_variant_has_its_own_ratings():
    """A part's ratings order that part alone, and the overall ones order none of them."""
    ratings = ratings_of(
        (OVERALL, "ada", 1700.0),
        ("line", "bea", 1600.0),
        ("line", "ada", 1500.0),
        ("grid", "cyn", 1510.0),
    )
    table = tables.standings_by_variant(COUNTS, BOTS, ["line", "grid"], Known(ratings=ratings))
    assert table["bot"].tolist() == ["bea", "ada", "cyn", "new", "cyn", "bea", "ada", "new"]
    assert row(table, variant="line", bot="ada")["rating"] == 1500
    assert pd.isna(row(table, variant="grid", bot="ada")["rating"])


def test_degenerate_variants_are_counted_apart():
    """Wins and scores leave them out, forfeits do not; in a variant's own table they are."""
    table = tables.standings(COUNTS, BOTS, Known(degenerate=["grid"]))
    ada = row(table, bot="ada")
    assert [ada[name] for name in ("games", "wins", "losses", "unrated", "forfeits")] == [6, 5, 1, 3, 1]
    assert [ada[name] for name in ("wins_first", "wins_second", "score")] == [3, 2, 5 / 6]
    cyn = row(table, bot="cyn")
    assert [cyn[name] for name in ("games", "unrated", "forfeits")] == [0, 2, 2]
    assert pd.isna(cyn["score"])
    own = tables.standings_by_variant(COUNTS, BOTS, ["grid"], Known(degenerate=["grid"]))
    assert [row(own, bot="cyn")[name] for name in ("games", "unrated", "score")] == [2, 0, 0]
    by_side = tables.standings_by_side(COUNTS, BOTS, Known(degenerate=["grid"]))
    assert row(by_side, bot="cyn", side="first")["unrated"] == 2


EVIDENCE = pd.DataFrame(
    [
        ("line", 0, "ada", "first", 4, 3, 2, 4, 1.0, 4, 2, 2, 1, 1, 2, 1, 1),
        ("line", 1, "ada", "second", 4, 1, 4, 4, 2.0, 4, 2, 1, 2, 0, 0, 1, 0),
        ("grid", 0, "ada", "second", 2, 2, 1, 1, 0.0, 0, 0, 0, 2, 2, 2, 0, 0),
    ],
    columns=(
        "variant opening bot side games wins kept graded chance weighed "
        "won_starts held lost_starts taken gifts thrown unjudged"
    ).split(),
)


def test_accuracy_has_an_interval_and_what_chance_would_have_kept():
    """Over all moves; moves of which not all alternatives are known say nothing about chance."""
    ada = row(tables.standings(COUNTS, BOTS, Known(EVIDENCE)), bot="ada")
    assert (ada["accuracy"], ada["graded"], ada["chance"]) == (7 / 9, 9, 3 / 8)
    assert 0 < ada["accuracy_low"] < 7 / 9 < ada["accuracy_high"] <= 1
    by_side = tables.standings_by_side(COUNTS, BOTS, Known(EVIDENCE))
    assert row(by_side, bot="ada", side="first")["accuracy"] == 0.5
    assert row(by_side, bot="ada", side="second")["accuracy"] == 1
    by_variant = tables.standings_by_variant(COUNTS, BOTS, ["line", "grid"], Known(EVIDENCE))
    assert pd.isna(row(by_variant, bot="ada", variant="grid")["chance"])
    assert pd.isna(row(by_variant, bot="bea", variant="grid")["accuracy"])


def test_the_ledgers_shares_are_of_what_can_rank():
    """Held and taken are shares of the won and the lost starts; gifts and throws are counted."""
    ada = row(tables.standings(COUNTS, BOTS, Known(EVIDENCE, degenerate=["grid"])), bot="ada")
    assert [ada[name] for name in ("held", "taken", "gifts", "thrown")] == [3 / 4, 1 / 3, 2, 2]
    everywhere = row(tables.standings(COUNTS, BOTS, Known(EVIDENCE)), bot="ada")
    assert [everywhere[name] for name in ("held", "taken", "gifts", "thrown")] == [3 / 4, 3 / 5, 4, 2]


def test_what_cannot_be_repeated_is_a_column():
    """Scripts read yes or no."""
    bots = BOTS.assign(is_repeatable=[True, False, True, True])
    table = tables.standings(COUNTS, bots)
    assert row(table, bot="ada")["repeatable"] == "yes"
    assert row(table, bot="bea")["repeatable"] == "no"


def test_a_place_in_a_bracket_goes_before_a_rating():
    """Those of equal place share a rank, and stand by rating; who is not in the bracket stands last."""
    ratings = ratings_of(*((OVERALL, name, 1400.0 + 100 * n) for n, name in enumerate("abcd")))
    places = {"a": 1, "b": 2, "c": 2}
    table = tables.standings(COUNTS, bots_of(*"abcd"), Known(ratings=ratings), places)
    assert table["bot"].tolist() == ["a", "c", "b", "d"]
    assert table["rank"].tolist() == [1, 2, 2, 4]


def test_each_variant_has_its_own_order():
    """Standings by variant count that variant's games alone and start again at rank 1."""
    table = tables.standings_by_variant(COUNTS, BOTS)
    assert table["variant"].tolist() == ["line"] * 4 + ["grid"] * 4
    assert table["bot"].tolist() == ["ada", "bea", "cyn", "new", "bea", "ada", "cyn", "new"]
    assert table["rank"].tolist() == [1, 2, 3, 3, 1, 2, 3, 4]
    assert row(table, variant="grid", bot="ada")["wins"] == 2


def test_variants_can_be_given_in_another_order():
    """The variants asked for are shown, in that order, even one that nobody has played."""
    table = tables.standings_by_variant(COUNTS, BOTS, ["ring", "grid"])
    assert table["variant"].tolist() == ["ring"] * 4 + ["grid"] * 4
    assert table["games"].tolist()[:4] == [0, 0, 0, 0]


def test_each_side_has_its_own_order():
    """Standings by side count the games in which the bot had that side."""
    table = tables.standings_by_side(COUNTS, BOTS)
    assert table["side"].tolist() == ["first"] * 4 + ["second"] * 4
    first, second = row(table, side="first", bot="ada"), row(table, side="second", bot="ada")
    assert [first[name] for name in ("games", "wins", "wins_first", "wins_second")] == [4, 3, 3, 0]
    assert [second[name] for name in ("games", "wins", "wins_first", "wins_second")] == [5, 4, 0, 4]


def test_the_crosstable_says_who_beat_whom_on_which_side():
    """A cell is the row's wins, the games, and the wins as first and as second."""
    table = tables.crosstable(COUNTS, ["ada", "bea", "cyn", "new"]).set_index("bot")
    assert table.columns.tolist() == table.index.tolist() == ["ada", "bea", "cyn", "new"]
    assert table.loc["ada", "bea"] == "5/7 (3+2)"
    assert table.loc["bea", "ada"] == "2/7 (1+1)"
    assert table.loc["ada", "cyn"] == "2/2 (0+2)"
    assert table.loc["ada", "ada"] == ""
    assert table.loc["bea", "cyn"] == ""
    assert table.loc["new", "ada"] == ""


def test_the_record_of_a_bot_begins_with_the_worst():
    """By opponent, variant or side; scores by side are empty where there are no such games."""
    table = tables.record(COUNTS, "ada")
    assert table.columns.tolist() == ["opponent", "games", "wins", "score", "as_first", "as_second"]
    assert table.iloc[0].tolist() == ["bea", 7, 5, 5 / 7, 3 / 4, 2 / 3]
    assert table.iloc[1].tolist()[:4] == ["cyn", 2, 2, 1.0]
    assert table["as_first"].isna().tolist() == [False, True]
    assert tables.record(COUNTS, "ada", "variant")["variant"].tolist() == ["grid", "line"]
    sides = tables.record(COUNTS, "ada", "side")
    assert sides.columns.tolist() == ["side", "games", "wins", "score"]
    assert sides["wins"].tolist() == [3, 4]
    assert tables.record(COUNTS, "new").empty
    assert tables.record(counts_of(), "new").empty


def test_a_bot_may_be_called_bot():
    """Its column in the crosstable has another name, so that no two columns share one."""
    counts = counts_of(("line", "bot", "ada", "bot", "no-moves", "sandboxed", 1, 0, 0, 0, 0))
    table = tables.crosstable(counts, ["bot", "ada"])
    assert table.columns.tolist() == ["bot", "(bot)", "ada"]
    assert table["bot"].tolist() == ["bot", "ada"]
    assert table["(bot)"].tolist() == ["", "0/1 (0+0)"]


def test_forfeits_say_who_where_how_and_how_often():
    """The loser of a game that did not end by the rules of the game is counted, and no other."""
    assert tables.forfeits(COUNTS).to_dict("split")["data"] == [
        ["ada", "grid", "crash", 1],
        ["bea", "line", "timeout", 1],
        ["cyn", "grid", "no-start", 2],
    ]


@pytest.mark.parametrize("bots", [BOTS, bots_of("alone"), bots_of()], ids=["four", "one", "none"])
def test_without_games_every_bot_is_there_with_none(bots):
    """Before the first game there are tables, with all bots and no scores."""
    nothing = counts_of()  # whose columns have no types, as a query without rows gives
    table = tables.standings(nothing, bots)
    assert table["bot"].tolist() == sorted(bots["bot"])
    assert table["games"].tolist() == [0] * len(bots)
    assert table["score"].isna().all()
    assert len(tables.standings_by_side(nothing, bots)) == 2 * len(bots)
    assert len(tables.standings_by_variant(nothing, bots, ["line"])) == len(bots)
    assert tables.standings_by_variant(nothing, bots).empty
    assert (tables.crosstable(nothing, bots["bot"].tolist()).set_index("bot") == "").all(axis=None)
    assert tables.forfeits(nothing).columns.tolist() == ["bot", "variant", "ending", "games"]


def test_whole_numbers_stay_whole():
    """Counts are integers and shares are not, also where a bot or the log has no games."""
    whole = ["rank", "games", "wins", "losses", "wins_first", "wins_second", "forfeits"]
    for counts in (COUNTS, counts_of()):
        table = tables.standings_by_variant(counts, BOTS, ["ring", "line"])
        assert {str(kind) for kind in table[whole].dtypes} == {"int64"}
        assert {str(table[name].dtype) for name in ("score", "cpu_ms_per_move")} == {"float64"}


NAMES = ["ada", "bea", "cyn", "dot"]
SOME_GAMES = st.lists(
    st.tuples(
        st.sampled_from(["line", "grid"]),
        st.permutations(NAMES).map(lambda names: tuple(names[:2])),
        st.integers(0, 1),
        st.sampled_from(["no-moves", "no-moves", "timeout", "crash"]),
        st.sampled_from(["sandboxed", "trusted"]),
        st.tuples(st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.integers(0, 8), st.integers(0, 8)),  # eighths of seconds, which add up exactly
    ),
    max_size=40,
)


def grouped(games):
    """Counts as the log would give them, added up naively."""
    sums = {}
    for variant, names, winner, ending, isolation, moves, eighths in games:
        key = (variant, *names, names[winner], ending, isolation)
        added = (1, *moves, *(part / 8 for part in eighths))
        sums[key] = tuple(map(sum, zip(sums.get(key, (0,) * 5), added, strict=True)))
    return counts_of(*(key + total for key, total in sums.items()))


def counted(games, bot):
    """What the standings should say of a bot, counted game by game."""
    count = Counter()
    for _, names, winner, ending, _, moves, eighths in games:
        for side in (0, 1):
            if names[side] == bot:
                count["games"] += 1
                count["wins"] += winner == side
                count["losses"] += winner != side
                count["wins_first"] += winner == side == 0
                count["wins_second"] += winner == side == 1
                count["forfeits"] += winner != side and ending != "no-moves"
                count["moves"] += moves[side]
                count["eighths"] += eighths[side]
    return count


@given(SOME_GAMES)
@examples(10)
def test_standings_agree_with_counting_games_one_by_one(games):
    """Whatever was played, every number is the one that counting by hand gives."""
    table = tables.standings(grouped(games), bots_of(*NAMES))
    for bot in NAMES:
        shown, naive = row(table, bot=bot), counted(games, bot)
        for name in ("games", "wins", "losses", "wins_first", "wins_second", "forfeits"):
            assert shown[name] == naive[name]
        if naive["games"]:
            assert shown["score"] == naive["wins"] / naive["games"]
        if naive["moves"]:
            assert shown["cpu_ms_per_move"] == pytest.approx(125 * naive["eighths"] / naive["moves"])
        assert pd.isna(shown["score"]) == (naive["games"] == 0)
        assert pd.isna(shown["cpu_ms_per_move"]) == (naive["moves"] == 0)
        better = [name for name in NAMES if score(games, name) > score(games, bot)]
        assert shown["rank"] == 1 + len(better)


def score(games, bot):
    """A bot's score, less than nothing if it has not played."""
    naive = counted(games, bot)
    return naive["wins"] / naive["games"] if naive["games"] else -1


@given(SOME_GAMES)
@examples(10)
def test_what_one_wins_another_loses(games):
    """Wins and losses add up to the games; sides and variants add up to the whole."""
    counts, bots = grouped(games), bots_of(*NAMES)
    table = tables.standings(counts, bots)
    assert table["wins"].sum() == table["losses"].sum() == len(games)
    assert (table["wins_first"] + table["wins_second"] == table["wins"]).all()
    assert table["forfeits"].sum() == tables.forfeits(counts)["games"].sum()
    whole = table.set_index("bot").sort_index()
    names = ["games", "wins", "losses", "wins_first", "wins_second", "forfeits"]
    for parts in (tables.standings_by_side(counts, bots), tables.standings_by_variant(counts, bots)):
        added = parts.groupby("bot")[names].sum().reindex(whole.index, fill_value=0)
        assert (added == whole[names]).all(axis=None)


@given(SOME_GAMES)
@examples(10)
def test_the_crosstable_agrees_with_counting_games_one_by_one(games):
    """Every cell is what the games of those two say, and the order is the one asked for."""
    table = tables.crosstable(grouped(games), NAMES).set_index("bot")
    assert table.columns.tolist() == table.index.tolist() == list(NAMES)
    for bot in NAMES:
        for other in NAMES:
            met = [game for game in games if set(game[1]) == {bot, other}]
            as_first, as_second = (
                sum(game[2] == side and game[1][side] == bot for game in met) for side in (0, 1)
            )
            naive = f"{as_first + as_second}/{len(met)} ({as_first}+{as_second})" if met else ""
            assert table.loc[bot, other] == naive


@given(SOME_GAMES)
@examples(10)
def test_forfeits_agree_with_counting_games_one_by_one(games):
    """Each bot, variant and ending is there as often as it happened, in order."""
    naive = Counter(
        (names[1 - winner], variant, ending)
        for variant, names, winner, ending, *_ in games
        if ending != "no-moves"
    )
    table = tables.forfeits(grouped(games))
    assert table.to_dict("split")["data"] == [[*key, naive[key]] for key in sorted(naive)]
