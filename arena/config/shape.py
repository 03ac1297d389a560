"""The shape of a tournament file: which keys it may have, and which values each key may have.

pydantic checks a whole file at once and lists everything that is wrong with it. Its messages are never shown:
each of its errors becomes a sentence of ours, noted at its path in the text. The wrong values are then
removed and the rest is read again, so that missing bots and variants are found in the same go. A wrong value
in a list is blanked instead, because the other values keep their numbers.

Only what the file alone can show is checked here; no other file is opened.

Refused: the functions of `game.reading`, which check rule books. They suit the kernel, which must not import
pydantic; here a table of types and bounds says the same as a hundred lines of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from arena.bots.source import NAME
from arena.errors import UserError, did_you_mean, printable
from arena.field import GRADED_BY
from arena.formats import FORMATS
from arena.game import RULE_BOOKS
from arena.referee.game import DEFAULT_LIMITS, SEED
from arena.referee.row import ISOLATIONS
from arena.tomltext import Path, TomlText

PROPER_NAME = "must be at most 64 letters, digits and _ . -, starting with a letter or digit"


def _refusal(sentence: str) -> PydanticCustomError:
    return PydanticCustomError("sentence", "{sentence}", {"sentence": sentence})


def _require_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise _refusal(f"'{printable(name)}' {PROPER_NAME}")
    return name


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise _refusal("must not contain the character NUL")
    return text


def _require_true(is_kept: bool) -> bool:
    if not is_kept:
        raise _refusal("can only be true here, which lets this bot keep it; [limits] has solver = false")
    return is_kept


def unknown_value(found: str, choices: Sequence[str]) -> str:
    """Return the sentence about a word that is not one of the choices."""
    listed = ", ".join(f"'{choice}'" for choice in choices)
    return (
        f"unknown value '{printable(found)}'{did_you_mean(found, choices) or f'; it must be one of {listed}'}"
    )


def _one_of(choices: Sequence[str]) -> Callable[[str], str]:
    def check(found: str) -> str:
        if found not in choices:
            raise _refusal(unknown_value(found, choices))
        return found

    return check


Name = Annotated[str, AfterValidator(_require_name)]
Names = Annotated[list[str], Field(min_length=1)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TournamentTable(_Table):
    """`[tournament]`; without a name it has the name of its file."""

    name: Name | None = None
    format: Annotated[
        str, AfterValidator(_one_of([name for name, format in FORMATS.items() if format.is_in_files]))
    ] = "round-robin"
    variants: Names = list(RULE_BOOKS)
    openings: Count = 8
    repeats: Count = 1
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = SEED
    isolation: Annotated[str, AfterValidator(_one_of(ISOLATIONS))] = "sandboxed"
    fresh: bool = False
    rounds: Count | None = None
    gauntlet: Names | None = None
    interval_points: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] | None = None


class LimitsTable(_Table):
    """`[limits]`: what a bot may use."""

    move_seconds: Seconds = DEFAULT_LIMITS.move_seconds
    game_seconds: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)] = DEFAULT_LIMITS.game_seconds
    start_seconds: Seconds = DEFAULT_LIMITS.start_seconds
    memory_mib: Annotated[int, Field(ge=16, le=1_048_576)] = DEFAULT_LIMITS.memory_mib
    solver: bool = DEFAULT_LIMITS.solver


class BotTable(_Table):
    """One `[[bots]]`; `entries` checks that it has either a path or a command."""

    path: Annotated[str, Field(min_length=1), AfterValidator(_without_nul)] | None = None
    command: Annotated[list[Annotated[str, AfterValidator(_without_nul)]], Field(min_length=1)] | None = None
    name: Name | None = None
    exclude: list[str] = []
    solver: Annotated[bool, AfterValidator(_require_true)] = False


class FieldTable(_Table):
    """`[field]`: variants that are played but not shown before the end."""

    secret: Names | None = None


class GradingTable(_Table):
    """`[grading]`: who passes, by games against named bots; `settings` checks that it names some."""

    bosses: Names | None = None
    by: Annotated[str, AfterValidator(_one_of(GRADED_BY))] = "score"
    pass_mark: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.5


class Tables(_Table):
    """The whole file; `entries` checks that it has bots."""

    tournament: TournamentTable = TournamentTable()
    limits: LimitsTable = LimitsTable()
    field: FieldTable = FieldTable()
    grading: GradingTable | None = None
    bots: list[BotTable] = []


class Shape(NamedTuple):
    """What could be read of a file, defaults for the rest, and the paths of the mistakes."""

    tables: Tables
    wrong: frozenset[Path]


_WITHIN: dict[str | int, type[_Table]] = {
    "tournament": TournamentTable,
    "limits": LimitsTable,
    "field": FieldTable,
    "grading": GradingTable,
    "bots": BotTable,
}

_SENTENCES = {
    "sentence": "{sentence}",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "finite_number": "must be a finite number",
    "string_type": "must be a text in quotes",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "model_type": "must be a table",
    "greater_than": "must be more than {gt:.16g}, and is {found}",
    "greater_than_equal": "must be at least {ge:.16g}, and is {found}",
    "less_than_equal": "must be at most {le:.16g}, and is {found}",
}
"""By pydantic's names of its errors. A missing row is our own fault, and raises KeyError."""

_LISTS: dict[str | int, str] = {
    "variants": 'must be a list of names in quotes, such as ["blockade-4x4", "snort:grid-6x6"]',
    "secret": 'must be a list of names in quotes, such as ["snort:grid-6x6"]',
    "gauntlet": 'must be a list of bots in quotes, such as ["mine-v2"]',
    "bosses": 'must be a list of bots in quotes, such as ["greedy", "perfect"]',
    "exclude": 'must be a list of bots in quotes, such as ["greedy"]',
    "command": 'must be a list of texts in quotes, such as ["./mybot", "--fast"]',
    "bots": "must be tables, each headed [[bots]]",
}


def read_shape(file: TomlText) -> Shape:
    """Return what can be read of a file; everything that has the wrong shape is noted."""
    try:
        return Shape(Tables.model_validate(file.data), frozenset())
    except ValidationError as found:
        errors = found.errors(include_url=False)
    rest = copy.deepcopy(file.data)
    for error in errors:
        file.mistake(error["loc"], _sentence(error))
        _take_out(rest, error["loc"])
    return Shape(Tables.model_validate(rest), frozenset(error["loc"] for error in errors))


def replace_values(shape: Shape, values: dict[str, Any]) -> Shape:
    """Return a shape with other values in `[tournament]`; UserError if a file could not have them."""
    try:
        TournamentTable.model_validate(values)
    except ValidationError as found:
        error = found.errors(include_url=False)[0]
        raise UserError(f"{error['loc'][0]}: {_sentence(error)}") from None
    table = shape.tables.tournament.model_copy(update=values)
    return shape._replace(tables=shape.tables.model_copy(update={"tournament": table}))


def _sentence(error: ErrorDetails) -> str:
    kind, path = error["type"], error["loc"]
    if kind == "extra_forbidden":
        return _unknown_key(path)
    if kind == "list_type":
        return _LISTS[path[-1]]
    return _SENTENCES[kind].format(found=error["input"], **error.get("ctx", {}))


def _unknown_key(path: Path) -> str:
    known = tuple((_WITHIN[path[0]] if len(path) > 1 else Tables).model_fields)
    listed = ", ".join(known)
    return f"unknown key{did_you_mean(str(path[-1]), known) or f'; known keys are {listed}'}"


def _take_out(data: dict[str, Any], path: Path) -> None:
    """Remove the value at a path from its table, or blank it if it is in a list."""
    *way, last = path
    holder: Any = data
    for part in way:
        holder = holder[part]
    if isinstance(last, str):
        del holder[last]
    else:
        holder[last] = {} if way == ["bots"] else ""
