"""Read the building blocks of a scoring system: each ``[[scoring.parts]]`` by its ``give``."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.rules.table import Table, did_you_mean, is_counted
from pipeline.scoring import parts, system
from pipeline.scoring.results import FIRST_YEAR, STANDARD_CENTRES, Rounding, RoundingWay, StandBy, exact
from pipeline.scoring.rules import RuleSource, Weights

# Values in the scoring tables of a rules file: exact points, lists, and the rule that stands beside each setting.

MOST_ROUNDS = 30  # a workbook of so many is still written in seconds
MOST_DECIMALS = 9
Word = TypeVar("Word", bound=StrEnum)


def without_sources(value: Any, path: str, sources: dict[str, RuleSource]) -> Any:
    """Take the rules and reasons out of a table and keep them by path; what is left is plain settings.

    >>> sources = {}
    >>> without_sources({"pool": {"value": 100, "rule": "WM XII"}}, "scoring", sources), sources["scoring.pool"].rule
    ({'pool': 100}, 'WM XII')
    """
    if isinstance(value, list):
        return [without_sources(inside, f"{path}[{number}]", sources) for number, inside in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if "rule" in value or "why" in value:
        sources[path] = RuleSource(str(value.get("rule", "")), str(value.get("why", "")), value.get("otherwise"))
    if "value" in value and value.keys() <= {"value", "rule", "why", "otherwise"}:
        return without_sources(value["value"], path, sources)
    plain = {key: inside for key, inside in value.items() if key not in ("rule", "why")}
    return {key: without_sources(inside, f"{path}.{key}" if path else key, sources) for key, inside in plain.items()}


class Range(Struct, frozen=True):
    """Which numbers make sense in one place.

    >>> str(POINTS), str(PART)
    ('expected -1000000 to 1000000', 'expected more than 0, up to 1')
    """

    least: int
    most: int
    is_above: bool = False  # the least itself makes no sense

    def has(self, value: Fraction | int) -> bool:
        """Whether a number is in it."""
        return self.least <= value <= self.most and not (self.is_above and value == self.least)

    def __str__(self) -> str:
        return f"expected {f'more than {self.least}, up' if self.is_above else self.least} to {self.most}"


MOST_POINTS = 10**6  # more than any system gives for a game
POINTS = Range(-MOST_POINTS, MOST_POINTS)
NO_LESS = Range(0, MOST_POINTS)  # points that are never taken away
SOME = Range(0, MOST_POINTS, is_above=True)  # more than no points
FACTOR = Range(0, 100)
PART = Range(0, 1, is_above=True)  # a share of something
ROUNDS = Range(1, MOST_ROUNDS)
MOST_LISTED = 40  # centres, places and games are fewer


def read_points(table: Table, key: str, otherwise: Fraction, within: Range = POINTS) -> Fraction:
    """Take exact points: ``15``, ``0.1``, ``"1/2"``, ``"110 %"``."""
    table.asked.add(key)
    if key not in table.values:
        return otherwise
    return one_of_points(table, key, table.values[key], otherwise, within)


def maybe_points(table: Table, key: str, within: Range = POINTS) -> Fraction | None:
    """Take exact points that may be left out."""
    given = read_points(table, key, Fraction(1), within)
    return given if key in table.values else None


def one_of_points(table: Table, key: str, value: Any, otherwise: Fraction, within: Range = POINTS) -> Fraction:
    """Read one number, or note what is wrong with it."""
    try:
        found = exact(value)
    except ValueError as error:
        table.fault(key, str(error))
        return otherwise
    if not within.has(found):
        table.fault(key, f"{within}, found {value}")
        return otherwise
    return found


def list_of_points(table: Table, key: str, within: Range = POINTS) -> tuple[Fraction, ...]:
    values = table.get(key, list, [])
    if len(values) > MOST_LISTED:
        table.fault(key, f"expected up to {MOST_LISTED} numbers, found {len(values)}")
        return ()
    return tuple(one_of_points(table, f"{key}[{n}]", value, Fraction(), within) for n, value in enumerate(values))


def read_whole(table: Table, key: str, otherwise: int, within: Range) -> int:
    """Take a whole number that makes sense where it stands; ``otherwise`` where it is left out."""
    value = table.get(key, int, otherwise)
    if key in table.values and not within.has(value):
        table.fault(key, f"{within}, found {value}")
        return otherwise
    return value


def needed_whole(table: Table, key: str, within: Range) -> int:
    if key not in table.values:
        table.asked.add(key)
        table.fault(key, "missing; expected int")
        return within.least
    return read_whole(table, key, within.least, within)


def needed_rounds(table: Table, key: str, of: str) -> tuple[int, ...]:
    """Take a list of rounds, each once, that must not be empty."""
    named = whole_numbers(table, key)
    if not table.values.get(key):
        table.fault(key, f"missing; write the rounds {of}, such as [1, 2, 3]")
    elif len(set(named)) < len(named):
        table.fault(key, f"a round stands twice in {list(named)}; write each once")
    return named


def table_of_points(table: Table, key: str, within: Range = POINTS) -> dict[str, Fraction]:
    """Take a table of exact points by name."""
    inside = table.get(key, dict, {})
    return {name: one_of_points(table, f"{key}.{name}", value, Fraction(), within) for name, value in inside.items()}


def whole_numbers(table: Table, key: str) -> tuple[int, ...]:
    values = table.get(key, list, [])
    good = tuple(value for value in values if type(value) is int and is_counted(value))
    if len(good) < len(values):
        table.fault(key, f"expected whole numbers, found {values!r}")
    return good


def decimals(table: Table, key: str, otherwise: int) -> int:
    value = table.get(key, int, otherwise)
    if not 0 <= value <= MOST_DECIMALS:
        table.fault(key, f"expected 0 to {MOST_DECIMALS} decimals, found {value}")
        return otherwise
    return value


def read_texts(table: Table, key: str, otherwise: tuple[str, ...] = ()) -> tuple[str, ...]:
    values = table.get(key, list, list(otherwise))
    good = tuple(value for value in values if isinstance(value, str))
    if len(good) < len(values):
        table.fault(key, f"expected texts, found {values!r}")
    return good


def word(table: Table, key: str, kind: type[Word], otherwise: Word) -> Word:
    """Take a member of a closed list of words."""
    value = table.get(key, str, str(otherwise))
    allowed = tuple(str(member) for member in kind)
    if value not in allowed:
        table.fault(key, f"{value!r} is not one of {', '.join(allowed)}{did_you_mean(value, allowed)}")
        return otherwise
    return kind(value)


def weights(table: Table, key: str) -> Weights:
    """Take weights: ``"all"``, one list for everybody, or a list of lists for 1, 2, 3 ... games."""
    table.asked.add(key)
    value = table.values.get(key, "all")
    if value == "all":
        return Weights()
    if not isinstance(value, list) or not value:
        table.fault(key, f"expected 'all', a list of weights, or lists for 1, 2, 3 ... games; found {value!r}")
        return Weights()
    several = all(isinstance(row, list) for row in value)
    read = []
    for number, row in enumerate(value if several else [value]):
        here = f"{key}[{number}]" if several else key
        found = tuple(one_of_points(table, here, weight, Fraction(1), FACTOR) for weight in row)
        if not any(found):
            table.fault(here, f"no game counts with the weights {row!r}; give one of them more than 0")
        read.append(found)
    return Weights(tuple(read))


ONE = Fraction(1)
CENTRES = Range(0, STANDARD_CENTRES)
YEARS = Range(FIRST_YEAR, 1999)
YEARS_LIVED = Range(1, 99)
MOST_COEFFICIENTS = 6  # of 1 to c⁵: more than any system has


def _read_centre_table(table: Table) -> parts.Part:
    """``give = "table"``, with the points of 0, 1, 2, ... centres."""
    listed = _needed_list(table, "points", "of 0, 1, 2, ... centres, such as [0, 5, 9, 12]")
    return parts.CentreTable(listed, read_points(table, "beyond", Fraction()))


def _read_polynomial(table: Table) -> parts.Part:
    """``give = "polynomial"``, with the coefficients of 1, c, c², ..."""
    if not table.values.get("coefficients"):
        table.fault("coefficients", "missing; write those of 1, c, c², such as [16, 4, 1]")
    found = list_of_points(table, "coefficients")
    if len(found) > MOST_COEFFICIENTS:
        table.fault("coefficients", f"expected up to {MOST_COEFFICIENTS}, found {len(found)}")
    return parts.Polynomial(found)


def _read_years_part(table: Table) -> parts.Part:
    """``give = "years"``: points for each year lived; with ``begun`` the year of the elimination counts, too."""
    most = read_whole(table, "most", 0, YEARS_LIVED)
    return parts.Years(read_points(table, "each", ONE), table.get("begun", bool, False), most or None)


def _read_pot(table: Table) -> parts.Part:
    """``give = "pot"``, with the points that are shared."""
    if "points" not in table.values:
        table.fault("points", "missing; write what all who are in the draw share, such as 100")
    return parts.Pot(read_points(table, "points", ONE, SOME))


def _read_near_top(table: Table) -> parts.Part:
    """``give = "near top"``, with its pot and the shares at the top, one centre below it, ..."""
    shares = _needed_list(table, "shares", "at the top, one centre below it, two, such as [3, 2, 1]", NO_LESS)
    if shares[0] <= 0:
        table.fault("shares[0]", f"the top needs a share, or nobody may have one; found {shares[0]}")
    if "points" not in table.values:
        table.fault("points", "missing; write the pot that is shared out, such as 12")
    return parts.NearTop(read_points(table, "points", ONE, SOME), shares)


def _read_distance(table: Table) -> parts.Part:
    """``give = "distance"``, with the bonuses ahead of the others and behind the top."""
    ahead = _needed_list(table, "ahead", "for sharing the top, being 1 ahead, 2, ..., such as [4, 6, 10, 12]")
    return parts.FromTop(ahead, list_of_points(table, "behind"))


def _read_place_bonuses(table: Table) -> parts.Part:
    """``give = "places"``, with the bonuses for 1st, 2nd, ... and how equal powers share them."""
    if not table.values.get("bonuses"):
        table.fault("bonuses", "missing; write those of 1st, 2nd, 3rd, such as [38, 14, 7]")
    return parts.Places(
        bonuses=list_of_points(table, "bonuses"),
        shared=word(table, "shared", parts.Shared, parts.Shared.AVERAGE),
        order=word(table, "order", StandBy, StandBy.CENTRES),
        pairs=list_of_points(table, "pairs"),
        groups=list_of_points(table, "groups"),
    )


def _read_largest(table: Table) -> parts.Part:
    given = _read_parts(table, "of")
    if len(given) < 2:
        table.fault("of", 'expected two blocks or more, such as [{ give = "centres" }, { give = "years" }]')
    return parts.Largest(given or (parts.Flat(Fraction()),))


PARTS: dict[str, Callable[[Table], parts.Part]] = {
    "centres": lambda table: parts.Centres(
        year=read_whole(table, "year", 0, YEARS) or None,
        each=read_points(table, "each", ONE),
        above=read_whole(table, "above", 0, CENTRES),
    ),
    "table": _read_centre_table,
    "polynomial": _read_polynomial,
    "flat": lambda table: parts.Flat(read_points(table, "each", ONE)),
    "survivors": lambda table: parts.Survivors(read_points(table, "each", ONE)),
    "survival": lambda table: parts.Survival(read_points(table, "points", ONE)),
    "survival until": lambda table: parts.SurvivalUntil(
        needed_whole(table, "year", YEARS),
        read_points(table, "points", ONE),
        word(table, "unreached", parts.Unreached, parts.Unreached.SURVIVORS),
    ),
    "years": _read_years_part,
    "pot": _read_pot,
    "draw": lambda table: parts.DrawSize(
        _needed_list(table, "points", "for each alone, in a draw of two, three, such as [46, 22, 10]")
    ),
    "beaten centres": lambda table: parts.BeatenCentres(read_points(table, "each", ONE)),
    "beaten powers": lambda table: parts.BeatenPowers(
        read_points(table, "each", ONE), word(table, "order", StandBy, StandBy.CENTRES)
    ),
    "margins": lambda table: parts.Margins(read_points(table, "each", ONE)),
    "neutral centres": lambda table: parts.NeutralCentres(read_points(table, "each", ONE)),
    "lead": lambda table: parts.Lead(read_points(table, "each", ONE)),
    "top": lambda table: parts.Top(
        _needed_list(table, "bonuses", "for the top alone, shared by two, by three, such as [9, 3, 1]")
    ),
    "near top": _read_near_top,
    "distance": _read_distance,
    "places": _read_place_bonuses,
    "largest": _read_largest,
}


def _needed_list(table: Table, key: str, of: str, within: Range = POINTS) -> tuple[Fraction, ...]:
    """Take a list of points that must not be empty."""
    if not table.values.get(key):
        table.fault(key, f"missing; write the points {of}")
    return list_of_points(table, key, within) or (Fraction(),)


def _read_parts(table: Table, key: str, before: str = "") -> tuple[parts.Part, ...]:
    """Read a list of blocks; two of a kind are told apart by a number, so that each has its own name."""
    given = [part for inside in table.tables(key) if (part := _read_part(inside))]
    found: Counter[str] = Counter()
    named = []
    for part in given:
        found[part.name] += 1
        nth = found[part.name]
        named.append(_rename_block(part, f"{before}{part.name}{f' {nth}' if nth > 1 else ''}"))
    return tuple(named)


def _rename_block(part: parts.Part, name: str) -> parts.Part:
    """Give a block another name; `Only` has that of the block inside it, and blocks inside `Largest` begin with it."""
    match part:
        case parts.Only():
            return parts.Only(_rename_block(part.part, name), part.to)
        case parts.Largest():
            inner = tuple(_rename_block(each, f"{name} {each.name}") for each in part.parts)
            return parts.Largest(inner, name)
        case _:
            block: Any = part
            renamed: parts.Part = replace(block, name=name)
            return renamed


def _read_part(table: Table) -> parts.Part | None:
    """Read one building block, and whom it is for."""
    give = table.need("give", str, "")
    to = word(table, "to", parts.To, parts.To.EVERYBODY)
    if give not in PARTS:
        if give:
            known = tuple(PARTS)
            table.fault("give", f"{give!r} is not one of {', '.join(known)}{did_you_mean(give, known)}")
        return None
    part = PARTS[give](table)
    table.finish()
    return part if to is parts.To.EVERYBODY else parts.Only(part, to)


# Read ``[scoring]``: a system made of building blocks, its solo rule, its tribute and its rounding.

MORE_THAN_HALF = "more than half"
FORMULA = "formula"
YEAR, YEAR_BEGUN = "year", "year begun"
SOLO_CENTRES = Range(10, STANDARD_CENTRES)
SEASONS = Range(1, 99)


def read_system(table: Table) -> system.System:
    """Read a scoring system; its faults are kept in the table."""
    late = read_whole(table, "late_seasons", 0, SEASONS)
    given = _read_parts(table, "parts")
    if not given:
        table.fault("parts", f"a system needs at least one [[{table.where.rpartition(' ')[2]}.parts]]")
    scoring = system.System(
        name=table.get("system", str, "unnamed"),
        parts=given,
        pool=maybe_points(table, "pool", SOME),
        pool_of=word(table, "pool_of", system.PoolOf, system.PoolOf.EVERYBODY),
        pool_each_year=read_points(table, "pool_each_year", Fraction(), NO_LESS),
        pool_after=read_whole(table, "pool_after", FIRST_YEAR - 1, YEARS),
        tribute=_read_tribute(table.table("tribute"), given) if "tribute" in table.values else None,
        solo=_read_solo(table.table("solo")),
        eliminated=_read_eliminated(table),
        abandoned=word(table, "abandoned", system.Abandoned, system.Abandoned.ASK),
        late=system.LateRule(late, word(table, "late_of", system.LateOf, system.LateOf.ANYBODY)) if late else None,
        replacement=word(table, "replaced", system.Replacement, system.Replacement.ASK),
        rounding=read_rounding(table, "rounding"),
        compared=_read_comparison(table.table("compared")) if "compared" in table.values else None,
        guesses=tuple(_read_guess(inside) for inside in table.tables("guesses")),
        has_sandard=table.get("sandard", bool, False),
    )
    for key in ("shown_decimals", "sealed", "parts", "tribute", "compared"):
        table.asked.add(key)
    _check_system(table, scoring)
    table.finish()
    return scoring


def _read_comparison(table: Table) -> system.Comparison:
    """``[scoring.compared]``: a score beside those of the same power on other boards."""
    by = word(table, "by", system.ComparedBy, system.ComparedBy.DIFFERENCE)
    if "by" not in table.values:
        table.fault("by", f"missing; expected one of {', '.join(system.ComparedBy)}")
    bonuses: tuple[Fraction, ...] = ()
    if by is system.ComparedBy.PLACES:
        bonuses = _needed_list(table, "bonuses", "of the best with a power, the second, such as [10, 6, 3, 1]")
    comparison = system.Comparison(
        by=by,
        within=word(table, "in", system.ComparedIn, system.ComparedIn.ROUND),
        mean=read_points(table, "mean", ONE, SOME) if by is system.ComparedBy.QUOTIENT else ONE,
        bonuses=bonuses,
    )
    table.finish()
    return comparison


def _read_guess(table: Table) -> system.Guess:
    """``[[scoring.guesses]]``: a kind of board of which the sources say nothing, and what is taken."""
    kind = word(table, "when", system.BoardKind, system.BoardKind.SOLO)
    if "when" not in table.values:
        table.fault("when", f"missing; expected one of {', '.join(system.BoardKind)}")
    guess = system.Guess(kind, table.need("taken", str, ""))
    table.finish()
    return guess


def _check_system(table: Table, scoring: system.System) -> None:
    """Note what cannot be combined, why, and what comes nearest."""
    if scoring.tribute and scoring.pool is not None:
        text = "shares of a pool cannot be paid on to the leader; leave out 'pool', or take a block 'lead' instead"
        table.fault("tribute", text)
    if scoring.tribute and scoring.solo.winner is None:
        text = "a soloist is paid no tribute, so his formula is not what it would be in a draw; give 'winner' in points"
        table.fault("solo.winner", text)
    for key in ("pool_each_year", "pool_after"):
        if scoring.pool is None and key in table.values:
            table.fault(key, "there is no pool that could grow; give 'pool' its points, or leave this out")
    if "pool_after" in table.values and not scoring.pool_each_year:
        table.fault("pool_after", "the pool does not grow; give 'pool_each_year', or leave this out")
    if scoring.pool is None and scoring.pool_of is not system.PoolOf.EVERYBODY:
        table.fault("pool_of", "there is no pool; give 'pool' its points, or leave this out")
    solo = table.values.get("solo", {})
    for key in ("winner", "others"):
        if scoring.pool is not None and isinstance(solo, dict) and solo.get(key) == FORMULA:
            text = "after a solo points are no shares of the pool, so the formula has no scale; write points"
            table.fault(f"solo.{key}", text)


def _read_tribute(table: Table, given: Sequence[parts.Part]) -> parts.Tribute:
    """``[scoring.tribute]``: what is paid to the leader."""
    due = word(table, "due", parts.Due, parts.Due.ABOVE)
    if "due" not in table.values:
        table.fault("due", f"missing; expected one of {', '.join(parts.Due)}")
    most, named = maybe_points(table, "most", PART), table.get("most_of", str, "")
    of = next((part for part in given if part.name == named), None)
    if named and of is None:
        table.fault("most_of", f"no block {named!r}; there are {', '.join(part.name for part in given)}")
    tribute = parts.Tribute(
        due=due,
        each=read_points(table, "each", ONE, SOME),
        above=read_whole(table, "above", 0, CENTRES),
        payers=word(table, "payers", parts.Payers, parts.Payers.SURVIVORS),
        most=most,
        most_of=of,
        shared=word(table, "shared", parts.Kept, parts.Kept.ALL),
    )
    if named and most is None:
        table.fault("most", "missing; write which part of the block's points is paid at most, such as 1")
    if tribute.above and due is not parts.Due.ABOVE:
        table.fault("above", f"it belongs to due = {parts.Due.ABOVE.value!r}; here tribute is due for {due.value!r}")
    table.finish()
    return tribute


def _read_solo(table: Table) -> system.SoloRule:
    """Read what a solo takes and brings: ``{ centres = 18, winner = 100, others = 0 }``."""
    centres = table.values.get("centres", 18)
    table.asked |= {"centres", "winner"}
    if centres != MORE_THAN_HALF and (type(centres) is not int or not SOLO_CENTRES.has(centres)):
        table.fault("centres", f"{SOLO_CENTRES}, or {MORE_THAN_HALF!r}, found {centres!r}")
        centres = 18
    winner = None if table.values.get("winner", FORMULA) == FORMULA else read_points(table, "winner", ONE, SOME)
    if winner is not None and "factor" in table.values:
        table.fault("factor", f"it multiplies a soloist's formula; write winner = {FORMULA!r}, or leave it out")
    others, given, others_factor = _read_others(table)
    rule = system.SoloRule(
        centres=None if centres == MORE_THAN_HALF else centres,
        winner=winner,
        factor=read_points(table, "factor", ONE, FACTOR),
        everyone_survived=table.get("everyone_survived", bool, False),
        others=others,
        others_parts=given,
        others_factor=others_factor,
    )
    table.finish()
    return rule


def _read_others(table: Table) -> tuple[Fraction, tuple[parts.Part, ...], Fraction | None]:
    """``others``: points, or ``"formula"`` with its factor, or a list of blocks (``[[scoring.solo.others]]``)."""
    table.asked |= {"others", "others_factor"}
    given = table.values.get("others", 0)
    if given == FORMULA:
        return Fraction(), (), read_points(table, "others_factor", ONE, FACTOR)
    if "others_factor" in table.values:
        table.fault("others_factor", f"it multiplies the others' formula; write others = {FORMULA!r}, or leave it out")
    if isinstance(given, list):
        return Fraction(), _read_parts(table, "others", "solo "), None
    return read_points(table, "others", Fraction()), (), None


def _read_eliminated(table: Table) -> system.EliminatedRule:
    """Read what a power without centres gets: ``"formula"``, ``"nothing"``, ``0``, or ``"0.1 per year"``.

    ``"1 per year begun"`` counts the year of the elimination too; ``"1/4 per year, at most 2"`` ends somewhere.
    """
    table.asked.add("eliminated")
    value = table.values.get("eliminated", FORMULA)
    given, _, most = str(value).partition(", at most ")
    amount, _, unit = given.partition(" per ")
    if value == FORMULA:
        return system.EliminatedRule()
    if value in (system.Eliminated.NOTHING, "0") or (type(value) is int and value == 0):
        return system.EliminatedRule(system.Eliminated.NOTHING)
    if unit in (YEAR, YEAR_BEGUN):
        each = one_of_points(table, "eliminated", amount, Fraction(1, 10))
        limit = one_of_points(table, "eliminated", most, ONE) if most else None
        return system.EliminatedRule(system.Eliminated.YEARLY, each, begun=unit == YEAR_BEGUN, most=limit)
    known = f"'formula', 'nothing', '0.1 per {YEAR}' or '1 per {YEAR_BEGUN}'"
    table.fault("eliminated", f"expected {known}, found {value!r}")
    return system.EliminatedRule()


def read_rounding(table: Table, key: str) -> Rounding:
    """Read a rounding: ``"not at all"``, ``"truncate"``, or ``{ how = "half-up", decimals = 3 }``."""
    if isinstance(table.values.get(key), dict):
        inside = table.table(key)
        rounding = Rounding(word(inside, "how", RoundingWay, RoundingWay.HALF_UP), decimals(inside, "decimals", 0))
        inside.finish()
        return rounding
    return Rounding(word(table, key, RoundingWay, RoundingWay.NOT_AT_ALL))
