"""What one game is worth: a scoring system, made of building blocks, and what it says of one board."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Annotated, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Power, standard_map
from pipeline.scoring import results
from pipeline.scoring.doubts import (
    Clash,
    ComparisonGuessed,
    ScoreGuessed,
    YearsContradict,
    YearsUnrecorded,
    join_powers,
)
from pipeline.scoring.numbers import Factor, Instead, Needed, NoLess, Points, Range, Some
from pipeline.scoring.parts import Part
from pipeline.scoring.results import YearNumber
from pipeline.scoring.tribute import Payers, Tribute
from pipeline.words.speech import to_say, wording


class Outcome(StrEnum):
    """What became of a power; better ones first: win, draw, elimination, loss (NZ99 B 4.1)."""

    WIN = to_say("win")  # more than half of the centres
    DRAW = to_say("draw")  # alive at the end of a game without a solo
    ELIMINATION = to_say("elimination")  # no centre at the end of a game without a solo
    LOSS = to_say("loss")  # somebody else's solo, eliminated or not
    ABANDONED = to_say("abandoned")  # the game ended in a way the rules do not know (NZ99 13)

    @property
    def standing(self) -> int:
        """How good it is: 4 for a win, 0 for an abandoned game."""
        return 4 - list(Outcome).index(self)


NO_SCALE = "after a solo points are no shares of the pool, so the formula has no scale; write points"
MORE_THAN_HALF, FORMULA = "more than half", "formula"
SOLO_CENTRES = Range(10, results.STANDARD_CENTRES)


class SoloRule(Struct, frozen=True):
    """Enough centres win outright: the winner's points, and what is left for the others (all five tournaments)."""

    # None: strictly more than half of all centres (EDC23 C: 16 of 31 in Sandard)
    centres: Annotated[int | None, SOLO_CENTRES, Instead(MORE_THAN_HALF)] = 18
    winner: Annotated[Some | None, Instead(FORMULA)] = None  # None: the formula, times ``factor``
    factor: Factor = Fraction(1)  # (EDC23 C: "then doubles that score")
    everyone_survived: bool = False  # the formula counts as if nobody had been eliminated (EDC23 C)
    # to each of the others points, or blocks: by centre, by year lived, ...; None: the formula, times ``others_factor``
    others: Annotated[Points | tuple[Part, ...] | None, Instead(FORMULA)] = Fraction()
    others_factor: Factor = Fraction(1)  # (Sydney: one half)

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        if self.winner is not None and self.factor != 1:
            yield "factor", f"it multiplies a soloist's formula; write winner = {FORMULA!r}, or leave it out"
        if self.others is not None and self.others_factor != 1:
            yield "others_factor", f"it multiplies the others' formula; write others = {FORMULA!r}, or leave it out"

    @property
    def others_parts(self) -> tuple[Part, ...]:
        """The blocks that the others get."""
        return self.others if isinstance(self.others, tuple) else ()

    def centres_needed(self, total: int) -> int:
        """Count the centres a solo takes on a board of so many."""
        return self.centres if self.centres is not None else total // 2 + 1

    def soloist(self, board: results.Board) -> Power | None:
        """Find the power that won outright: it owns enough, and more than everybody else."""
        first, *others = self.winners(board) or (None,)
        return None if others else first

    def winners(self, board: results.Board) -> tuple[Power, ...]:
        """The power with the most centres, if that is enough; several if they are level (fewer than half may win)."""
        most = max(board.centres.values())
        if most < self.centres_needed(board.total):
            return ()
        return tuple(power for power, owned in board.centres.items() if owned == most)


class Eliminated(StrEnum):
    """What a power without centres gets in a game without a solo."""

    FORMULA = "formula"  # like everybody (WDC08 14.2 as it is written)
    NOTHING = "nothing"
    YEARLY = "yearly"  # points for each year it ended with a centre (ManorCon)


YEAR, YEAR_BEGUN, AT_MOST = "year", "year begun", ", at most "


class EliminatedRule(Struct, frozen=True):
    """A power without centres scores by the formula, nothing, or so much a year it lived (WDC08 14.2, reading)."""

    by: Eliminated = Eliminated.FORMULA
    each_year: Points = Fraction(1, 10)
    begun: bool = False  # the year of the elimination counts too
    most: Points | None = None  # points that it never gets more than

    SHORT: ClassVar[tuple[str, ...]] = (
        Eliminated.FORMULA,
        Eliminated.NOTHING,
        f"0.1 per {YEAR}",
        f"1 per {YEAR_BEGUN}",
        f"1/4 per {YEAR}{AT_MOST}2",
    )

    @staticmethod
    def spell_out(value: object) -> object:
        """``"1/4 per year, at most 2"`` is short for its fields; ``0`` is nothing."""
        given, _, most = str(value).partition(AT_MOST)
        amount, _, unit = given.partition(" per ")
        if value in (Eliminated.FORMULA, Eliminated.NOTHING):
            return {"by": value}
        if str(value) == "0":
            return {"by": Eliminated.NOTHING}
        if unit in (YEAR, YEAR_BEGUN):
            limit = {"most": most} if most else {}
            return {"by": Eliminated.YEARLY, "each_year": amount, "begun": unit == YEAR_BEGUN} | limit
        raise ValueError(f"expected {', '.join(map(repr, map(str, EliminatedRule.SHORT)))}; found {value!r}")

    def points(self, lived: int) -> Fraction:
        """What so many whole years bring."""
        given = self.each_year * (lived + self.begun)
        return given if self.most is None else min(given, self.most)


class BoardKind(StrEnum):
    """A kind of board of which a system's sources may say nothing."""

    SOLO = "a solo"
    ELIMINATED = "somebody eliminated"  # at the end of a game that nobody won
    TWO_SURVIVE = "two survive"  # or fewer, of a game that nobody won
    THREE_AT_TOP = "three at the top"  # or more
    EVERY = "every board"
    HALF = "a half rounded"  # a score lies just between the two that it may be rounded to

    def holds(self, board: results.Board, soloist: Power | None, halves: bool) -> bool:
        owned = list(board.centres.values())
        match self:
            case BoardKind.SOLO:
                return soloist is not None
            case BoardKind.ELIMINATED:
                return soloist is None and 0 in owned
            case BoardKind.TWO_SURVIVE:
                return soloist is None and len(owned) - owned.count(0) <= 2
            case BoardKind.THREE_AT_TOP:
                return owned.count(max(owned)) > 2
            case BoardKind.EVERY:
                return True
            case BoardKind.HALF:
                return halves


class Guess(Struct, frozen=True):
    """What no source of a system says, and what is assumed: a board of this kind is in doubt."""

    kind: BoardKind = field(name="when")
    why: str = field(name="taken")  # what is assumed


class Abandoned(StrEnum):
    """What a game is worth that ended in a way the rules do not know."""

    ZERO = "zero"  # nothing to anybody (NZ99 13)
    SCORED = "scored"  # its last counts
    ASK = "ask"  # its last counts, and the director is asked


class LateOf(StrEnum):
    """Who gets the late share."""

    ANYBODY = "anybody"  # who takes a seat over
    ASK = "ask"  # who relieves somebody on two boards (EDC23 D); of anybody else the director is asked


class Replacement(StrEnum):
    """Who scores when a player is replaced during a game."""

    ASK = "ask"  # the newcomer, and the director is asked
    NEWCOMER = "newcomer"  # the newcomer, with the late share where there is one (EDC23 D)
    NOBODY = "nobody"  # neither of the two; the centres stay in the board's sum (WDC08 12.6)


class PoolOf(StrEnum):
    """Whose points make up the sum that a pool is shared by."""

    EVERYBODY = "everybody"  # the eliminated count in the sum, whatever they get (ManorCon)
    SURVIVORS = "survivors"  # who is eliminated does not (Detour09; ManorCon's second version)


class ComparedBy(StrEnum):
    """How a score is set against those of the others who played the same power."""

    DIFFERENCE = "difference"  # how far it is above or below their mean
    QUOTIENT = "quotient"  # so many points for the mean, twice as many for twice the mean
    PLACES = "places"  # points by its place among them


ASSUMED = {  # the method behind each, for which no source was found, and how it is assumed to work
    ComparedBy.DIFFERENCE: ("Super Pastis", wording("how far a score is above or below the mean of its power")),
    ComparedBy.QUOTIENT: ("Hurst mean", wording("how many times the mean of its power a score is")),
    ComparedBy.PLACES: ("country scoring", wording("a bonus by the place of a score among those of its power")),
}


class ComparedIn(StrEnum):
    """With whom a score is compared: all who had the same power in its round, or in the whole event."""

    ROUND = "round"
    EVENT = "event"


class Comparison(Struct, frozen=True, kw_only=True):
    """What a score on a board is worth beside those of the same power on other boards."""

    by: ComparedBy
    within: ComparedIn = field(default=ComparedIn.ROUND, name="in")
    mean: Some = Fraction(1)  # what the mean is worth, with `ComparedBy.QUOTIENT`
    bonuses: tuple[Points, ...] = ()  # of places 1, 2, ..., with `ComparedBy.PLACES`; equal scores average them

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        if self.by is ComparedBy.PLACES and not self.bonuses:
            yield "bonuses", "missing; write the points of the best with a power, the second, such as [10, 6, 3, 1]"

    def points(self, own: Fraction, scores: Sequence[Fraction]) -> Fraction:
        """What one score is worth among all of its power, itself included."""
        mean = results.sum_points(scores) / len(scores)
        match self.by:
            case ComparedBy.DIFFERENCE:
                return own - mean
            case ComparedBy.QUOTIENT:
                return self.mean * own / mean if mean else Fraction()
            case ComparedBy.PLACES:
                above, equal = sum(score > own for score in scores), scores.count(own)
                return results.sum_points(self.bonuses[above : above + equal]) / equal


class System(Struct, frozen=True, kw_only=True):
    """A scoring system: parts added up, perhaps turned into shares of a pool, a solo rule, and a rounding."""

    name: str = field(default="unnamed", name="system")
    parts: Annotated[tuple[Part, ...], Needed("at least one block, a table [[scoring.parts]]")]
    pool: Some | None = None  # the sum of a game's scores when they are shares of it; None: the parts are the score
    pool_each_year: NoLess = Fraction()  # that the pool grows by, for each year played
    pool_after: YearNumber = results.FIRST_YEAR - 1  # only for those after this one
    pool_of: PoolOf = PoolOf.EVERYBODY
    tribute: Tribute | None = None  # what the others pay to the leader out of their parts
    solo: SoloRule = SoloRule()
    eliminated: EliminatedRule = EliminatedRule()
    abandoned: Abandoned = Abandoned.ASK
    # who arrives in season n gets the score times (seasons - n) / seasons (EDC23 D: (14-n)/14); 0: all of it
    late_seasons: Annotated[int, Range(1, 99)] | None = None
    late_of: LateOf = LateOf.ANYBODY
    replacement: Replacement = field(default=Replacement.ASK, name="replaced")
    rounding: results.Rounding = results.AS_IT_IS
    compared: Comparison | None = None  # with the same power on other boards
    guesses: tuple[Guess, ...] = ()  # where its sources say nothing
    has_sandard: bool = field(default=False, name="sandard")  # the six-player variant may be played (EDC23 B)

    def late_share(self, arrived: int) -> Fraction:
        """The part of the score that is left to who arrived in a season; nothing from the last season on."""
        seasons = self.late_seasons
        return max(Fraction(seasons - arrived, seasons), Fraction()) if seasons else Fraction(1)

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be combined, why, and what comes nearest."""
        if self.tribute and self.pool is not None:
            text = "shares of a pool cannot be paid on to the leader; leave out 'pool', or take a block 'lead' instead"
            yield "tribute", text
        if self.tribute and self.solo.winner is None:
            text = "a soloist is paid no tribute, so this formula is not what it would be in a draw"
            yield "solo.winner", f"{text}; give 'winner' in points"
        if self.pool is None:
            for key, is_given in (
                ("pool_each_year", self.pool_each_year),
                ("pool_after", self.pool_after >= results.FIRST_YEAR),
                ("pool_of", self.pool_of is not PoolOf.EVERYBODY),
            ):
                if is_given:
                    yield key, "there is no pool; give 'pool' its points, or leave this out"
        elif self.pool_after >= results.FIRST_YEAR and not self.pool_each_year:
            yield "pool_after", "the pool does not grow; give 'pool_each_year', or leave this out"
        if self.pool is not None and self.solo.others is None:
            yield "solo.others", NO_SCALE


class PlayerGame(Struct, frozen=True, kw_only=True):
    """One player's game: a power on a board, with its score and how it came about."""

    board: results.Board
    power: Power
    player: str | None  # None: nobody scores with it
    centres: int
    above: int  # powers with strictly more centres
    equal: int  # powers with as many, this one included
    outcome: Outcome
    parts: Mapping[str, Fraction]  # what each building block gave; empty after a solo and in a game that is void
    unrounded: Fraction  # the score before rounding, the late share and rulings
    exact: Fraction  # the score before rounding
    on_board: Fraction  # what the board alone gives, rounded; the score, where nothing else is looked at
    score: Fraction  # what counts
    scores: Mapping[Power, Fraction]  # every power's score on this board
    remarks: tuple[str, ...] = ()  # why it is not simply the formula

    @property
    def round(self) -> int:
        return self.board.round

    @property
    def seat(self) -> tuple[int, str]:
        """The round and the board: a player sits there once."""
        return self.board.round, self.board.name

    @property
    def is_eliminated(self) -> bool:
        """Whether the power had no centre at the end."""
        return self.centres == 0

    @property
    def place(self) -> int:
        """The place on the board by centres; equal powers have the same."""
        return self.above + 1


def score_board(board: results.Board, system: System) -> tuple[PlayerGame, ...]:
    """Every seat of a board gets its score under a system (NZ99 B; Weasel XII; EDC23 C; EDC96; WDC08 14)."""
    counts = results.Counts(board)
    soloist = system.solo.soloist(board)
    void = soloist is None and is_void(board, system)
    parts = {} if soloist or void else {power: part_points(system, counts, power) for power in board.powers}
    unrounded = _formula_scores(system, counts, soloist, parts)
    counted = {power: _counted_points(system, board, power, unrounded[power]) for power in board.powers}
    scores = {power: system.rounding(points) for power, (points, _) in counted.items()}
    return tuple(
        PlayerGame(
            board=board,
            power=power,
            player=board.seats[power].player,
            centres=board.centres[power],
            above=counts.above(power),
            equal=counts.equal(power),
            outcome=_decide_outcome(board, power, soloist, void),
            parts=parts.get(power, {}),
            unrounded=unrounded[power],
            exact=counted[power][0],
            on_board=scores[power],
            score=scores[power],
            scores=scores,
            remarks=(("the game was abandoned",) if void else ()) + counted[power][1],
        )
        for power in board.powers
    )


def compare_games(games: Sequence[PlayerGame], system: System) -> tuple[PlayerGame, ...]:
    """Set each score against those of the same power on other boards, where the system does.

    A score that the director ruled stays, and so does nothing for a game that is void or a seat that nobody scores for.
    """
    comparison = system.compared
    if comparison is None:
        return tuple(games)
    scores: dict[tuple[Power, int], list[Fraction]] = {}
    for game in games:
        if is_compared(game, system):
            scores.setdefault(_compared_with(game, comparison), []).append(game.score)
    worth = {
        (game.board.spot, game.power): comparison.points(game.score, scores[_compared_with(game, comparison)])
        for game in games
        if is_compared(game, system)
    }
    return with_scores(games, worth, system.rounding)


def comparison_doubts(
    games: Sequence[PlayerGame], system: System, *, has_rule: bool
) -> Iterator[ComparisonGuessed | ScoreGuessed]:
    """What is assumed in a comparison: the method, unless a rule is named, and a quotient with a mean of 0 or less."""
    comparison, compared = system.compared, [game for game in games if is_compared(game, system)]
    if comparison is None or not compared:
        return
    if not has_rule:
        method, taken = ASSUMED[comparison.by]
        yield ComparisonGuessed(by=comparison.by, method=method, taken=taken)
    if comparison.by is not ComparedBy.QUOTIENT:
        return
    sums: dict[tuple[Power, int], Fraction] = {}
    for game in compared:
        group = _compared_with(game, comparison)
        sums[group] = sums.get(group, Fraction()) + game.on_board
    for spot, seats in groupby(compared, lambda game: game.board.spot):
        if low := [game.power for game in seats if sums[_compared_with(game, comparison)] <= 0]:
            why = "the mean of {powers} is not above 0, so what a multiple of it is worth is assumed"
            yield ScoreGuessed(spot=spot, system=system.name, why=wording(why, powers=join_powers(low)))


def _compared_with(game: PlayerGame, comparison: Comparison) -> tuple[Power, int]:
    """Whose scores a score is set against: those of its power, in its round or in all."""
    return game.power, game.round if comparison.within is ComparedIn.ROUND else 0


def is_compared(game: PlayerGame, system: System) -> bool:
    """Whether a score is set against others."""
    seat = game.board.seats[game.power]
    is_nobodys = seat.replaced_player is not None and system.replacement is Replacement.NOBODY
    return game.outcome is not Outcome.ABANDONED and seat.ruling is None and not is_nobodys


def with_scores(
    games: Sequence[PlayerGame], exact: Mapping[tuple[results.Spot, Power], Fraction], rounding: results.Rounding
) -> tuple[PlayerGame, ...]:
    """Give seats other scores, rounded as the system rounds; what is not named stays."""
    scores: dict[results.Spot, dict[Power, Fraction]] = {}
    for game in games:
        own = exact.get((game.board.spot, game.power))
        scores.setdefault(game.board.spot, {})[game.power] = game.score if own is None else rounding(own)
    return tuple(
        replace(
            game,
            exact=exact.get((game.board.spot, game.power), game.exact),
            score=scores[game.board.spot][game.power],
            scores=scores[game.board.spot],
        )
        for game in games
    )


def guesses_about(system: System, games: Sequence[PlayerGame]) -> Iterator[Guess]:
    """The guesses that the scores of a board depend on; empty if the director ruled on every score."""
    board = games[0].board
    if all(seat.ruling for seat in board.seats.values()):
        return
    scale = 2 * 10**system.rounding.decimals
    halves = any(game.exact * scale % 2 == 1 for game in games)
    soloist = system.solo.soloist(board)
    yield from (guess for guess in system.guesses if guess.kind.holds(board, soloist, halves))


def _formula_scores(
    system: System, counts: results.Counts, soloist: Power | None, parts: Mapping[Power, Mapping[str, Fraction]]
) -> dict[Power, Fraction]:
    """Every power's score before rounding: by the solo rule, by the parts, or nothing in a void game."""
    board = counts.board
    if soloist:
        return {power: _solo_points(system, board, power, soloist) for power in board.powers}
    raw = {power: results.sum_points(given.values()) for power, given in parts.items()}
    if system.tribute:
        raw = system.tribute.after_tribute(counts, raw)
    share_all = system.pool_of is PoolOf.EVERYBODY
    pot = results.sum_points(given for power, given in raw.items() if share_all or counts.centres[power] > 0)
    return {
        power: _drawn_points(system, counts, power, raw[power], pot) if raw else Fraction() for power in board.powers
    }


def is_void(board: results.Board, system: System) -> bool:
    """A game that was conceded or abandoned is worth nothing, where the rules say so (NZ99 13)."""
    return system.abandoned is Abandoned.ZERO and board.ended in (results.Ending.ABANDONED, results.Ending.CONCEDED)


def part_points(system: System, counts: results.Counts, power: Power) -> dict[str, Fraction]:
    """What each building block gives a power."""
    return {part.name: part.give(counts, power) for part in system.parts}


def _solo_points(system: System, board: results.Board, power: Power, soloist: Power) -> Fraction:
    """A soloist takes the solo's points, everybody else what it leaves (all five tournaments)."""
    solo = system.solo
    if power is not soloist:
        return _left_by_solo(system, results.Counts(board, soloist=soloist), power)
    if solo.winner is not None:
        return solo.winner
    counts = results.Counts(board, everyone_survived=solo.everyone_survived, soloist=soloist)
    return results.sum_points(part_points(system, counts, power).values()) * solo.factor


def _left_by_solo(system: System, counts: results.Counts, power: Power) -> Fraction:
    """What a solo leaves to one of the others: a number, some blocks, or a part of the formula."""
    match system.solo.others:
        case None:
            return results.sum_points(part_points(system, counts, power).values()) * system.solo.others_factor
        case tuple() as parts:
            return results.sum_points(part.give(counts, power) for part in parts)
        case points:
            return points


def _drawn_points(system: System, counts: results.Counts, power: Power, raw: Fraction, pot: Fraction) -> Fraction:
    """Without a solo, a power gets its parts, or their share of the pool; the eliminated by their own rule."""
    if counts.centres[power] == 0 and system.eliminated.by is not Eliminated.FORMULA:
        if system.eliminated.by is Eliminated.NOTHING:
            return Fraction()
        return system.eliminated.points(counts.years_lived(power))
    if system.pool is None:
        return raw
    years = max(max(counts.board.years, default=0) - system.pool_after, 0)
    return (system.pool + system.pool_each_year * years) * raw / pot if pot else Fraction()


def _counted_points(
    system: System, board: results.Board, power: Power, unrounded: Fraction
) -> tuple[Fraction, tuple[str, ...]]:
    """What is rounded, and why: the late share of the score (EDC23 D), or a ruling, which goes before everything."""
    seat = board.seats[power]
    if seat.ruling:
        return seat.ruling.score, (f"the director's ruling: {seat.ruling.why or 'no reason noted'}",)
    if seat.replaced_player is not None and system.replacement is Replacement.NOBODY:
        return Fraction(), (f"replaced {seat.replaced_player}: no points to either",)
    if seat.arrived and system.late_seasons:
        share = system.late_share(seat.arrived)
        remark = (
            f"arrived in season {seat.arrived}: {results.decimal(unrounded)} × {share.numerator}/{share.denominator}"
        )
        return unrounded * share, (remark,)
    return unrounded, ()


def _decide_outcome(board: results.Board, power: Power, soloist: Power | None, void: bool) -> Outcome:
    """A win beats a draw beats an elimination beats a loss; all who did not win a solo game lost it (NZ99 B 4.1)."""
    if void:
        return Outcome.ABANDONED
    if soloist:
        return Outcome.WIN if power is soloist else Outcome.LOSS
    return Outcome.DRAW if board.centres[power] else Outcome.ELIMINATION


# The counts of the years: what is missing where a system looks at them, and what cannot be true of any game.

OwnedByPower = Mapping[Power, int]
YEARS_LIVED = "years lived"
LONG_GAME = 1910  # taken for the last year where none is recorded


def year_doubts(board: results.Board, system: System) -> Iterator[YearsUnrecorded]:
    """The director is asked for the counts of the years where a score depends on them and they are not recorded."""
    asks = _asked_of_years(system)
    if (asks and _is_asked(board, system, asks)) or (
        system.pool_each_year and system.solo.soloist(board) is None and not is_void(board, system)
    ):
        yield from _missing_years(board)


def looks_at_years(system: System) -> bool:
    """Whether some points depend on more than the counts at the end."""
    return bool(_asked_of_years(system)) or bool(system.pool_each_year)


def _asked_of_years(system: System) -> set[object]:
    """What a system needs the years for: to rank powers (`StandBy`), or to count how many years one lived."""
    parts = list(every_part(system))
    asks: set[object] = {part.order for part in parts if part.order is not results.StandBy.CENTRES}
    if system.eliminated.by is Eliminated.YEARLY or any(part.counts_years for part in parts):
        asks.add(YEARS_LIVED)
    return asks


def every_part(system: System) -> Iterator[Part]:
    """All blocks of a system, and those inside others."""
    parts = [*system.parts, *system.solo.others_parts]
    for part in parts:
        parts += part.inner
    yield from (part for part in parts if not part.inner)


def _is_asked(board: results.Board, system: System, asks: set[object]) -> bool:
    """Whether the years matter: somebody was eliminated, or they split a tie, or pay the living, or the losers."""
    counts = list(board.centres.values())
    level = len(set(counts)) < len(counts)
    won = system.solo.soloist(board) is not None
    is_split = level and results.StandBy.EARLIER_YEARS in asks
    return 0 in counts or is_split or (YEARS_LIVED in asks and (won or _pay_the_living(board, system)))


def _pay_the_living(board: results.Board, system: System) -> bool:
    """Whether the years that are not recorded would bring points to a power that lived through them (Bangkok 2022)."""
    last = max(board.years, default=LONG_GAME)
    end = last + (bool(board.years) and dict(board.years[last]) != dict(board.centres))
    whole = replace(board, years=dict.fromkeys(range(results.FIRST_YEAR, end + 1), board.centres) | dict(board.years))
    then, now = results.Counts(whole), results.Counts(board)
    return any(
        part.give(then, power) != part.give(now, power)
        for part in system.parts
        for power, owned in board.centres.items()
        if owned
    )


def _missing_years(board: results.Board) -> Iterator[YearsUnrecorded]:
    """The years that are not recorded, from the first to the one in which the game ended."""
    if not board.years:
        yield YearsUnrecorded(spot=board.spot)
        return
    last = max(board.years)
    if gaps := sorted(set(range(results.FIRST_YEAR, last)) - set(board.years)):
        yield YearsUnrecorded(spot=board.spot, gaps=tuple(gaps))
    elif dict(board.years[last]) != dict(board.centres):
        yield YearsUnrecorded(spot=board.spot, last=last)


# ---- what cannot be true --------------------------------------------------------------------------------------------


def contradictions(
    spot: results.Spot, years: Mapping[int, OwnedByPower], end: OwnedByPower, needed: int
) -> Iterator[YearsContradict]:
    """Centre counts that cannot follow one another in any game, from year to year and to those at the end.

    Enough centres win and end the game; a power without a centre after a Fall has no unit left and never owns one
    again; a unit takes one centre a year, and nobody has more units than he had centres; a centre that was owned never
    becomes neutral again.
    """
    rows: list[tuple[int | None, OwnedByPower]] = [(year, years[year]) for year in sorted(years)]
    start = {power: len(standard_map().homes[power]) for power in end}
    if rows and dict(rows[-1][1]) != dict(end):
        rows.append((None, end))  # the game went on after the last recorded year
    for power in end:
        yield from _contradictions_of(spot, power, [(year, counts.get(power, 0)) for year, counts in rows], needed)
    for (year, before), (later, after) in pairwise([(results.FIRST_YEAR - 1, start), *rows]):
        owned, then = sum(before.values()), sum(after.values())
        assert year is not None  # the counts at the end come last
        if then < owned:
            yield YearsContradict(spot=spot, clash=Clash.LOST, year=year, later=later, owned=owned, then=then)


def _contradictions_of(
    spot: results.Spot, power: Power, counts: Sequence[tuple[int | None, int]], needed: int
) -> Iterator[YearsContradict]:
    """What no power can have: ``counts`` are its years in order, and those at the end without one."""
    start = (results.FIRST_YEAR - 1, len(standard_map().homes[power]))
    for (year, owned), (later, then) in pairwise([start, *counts] if counts else ()):
        assert year is not None  # the counts at the end come last
        clash = None
        if owned >= needed:
            clash = Clash.SOLO
        elif owned == 0 and then:
            clash = Clash.BACK
        elif later is not None and then > owned * 2 ** (later - year):
            clash = Clash.WON
        if clash is not None:
            yield YearsContradict(spot=spot, clash=clash, year=year, later=later, power=power, owned=owned, then=then)


# Systems that look at who is in a draw: there a vote may leave survivors out.


def looks_at_draw(system: System) -> bool:
    """Whether some points depend on who is in the draw (Calhamer; Dixiecon; Tribute)."""
    pays = system.tribute is not None and system.tribute.payers is Payers.SURVIVORS
    return pays or any(part.looks_at_draw for part in every_part(system))
