"""What was played: boards with their counts, and what the director noted beside them; centres as systems count them."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.scoring.numbers import Decimals, Range
from pipeline.words.speech import to_say, write_count

STANDARD_CENTRES = 34  # supply centres on the standard map
FIRST_YEAR = 1901
CentreCount = Annotated[int, Range(0, STANDARD_CENTRES)]
YearNumber = Annotated[int, Range(FIRST_YEAR, 1999)]
SANDARD_CENTRES = 31  # Turkey is one neutral centre, Rumania is none (EDC23 B)

Spot = tuple[int, str]  # a round and a board


class Ending(StrEnum):
    """How a game ended. A solo is never taken from here: the centres say it."""

    UNSTATED = to_say("unstated")
    SOLO = to_say("solo")
    TIME = to_say("time")  # the clock, or the director's call
    LAST_YEAR = to_say("last year")  # the last that the rules allow is over
    DICE = to_say("dice")  # a die after a Fall ended the round (Weasel VIII.4)
    STAGNATION = to_say("stagnation")  # years without a centre changing hands (Weasel VIII.5)
    VOTE = to_say("vote")  # a draw voted or agreed
    CONCEDED = to_say("conceded")  # given away
    ABANDONED = to_say("abandoned")


class ScoreRuling(Struct, frozen=True):
    """The director's own score for one seat (NZ99 22; Weasel III.8)."""

    score: Fraction
    why: str


class Between(Struct, frozen=True):
    """Somebody who took a seat during the game and was himself replaced."""

    player: str
    arrived: int  # the season


class Seat(Struct, frozen=True, kw_only=True):
    """Who plays a power."""

    player: str | None  # None: a position nobody scores with (GM position, civil disorder)
    instead_of: str | None = None  # who sat here before, from the start
    between: tuple[Between, ...] = ()  # who sat here after him and before the player, in their order
    arrived: int | None = None  # the season a late-comer arrived in: Spring 1901 is 1, Fall 1901 is 2; 0: before
    ruling: ScoreRuling | None = None
    is_arrival_noted: bool = False  # whether the director has said when he arrived
    relieved: str | None = None  # who gave this seat up before play, because he sits on another board of the round

    @property
    def replaced_player(self) -> str | None:
        """Who was replaced here during the game; a newcomer of the first season sat there from the start."""
        return None if self.arrived == 1 else self.instead_of

    @property
    def former_players(self) -> tuple[str, ...]:
        """Everybody who was replaced here during the game."""
        first = (self.replaced_player,) if self.replaced_player else ()
        return (*first, *(each.player for each in self.between))

    @property
    def leavers(self) -> tuple[str, ...]:
        """Everybody who was replaced here and did not come back, each once."""
        return tuple(dict.fromkeys(name for name in self.former_players if name != self.player))


class Overruled(Struct, frozen=True):
    """What the director overruled when he ended a game; shown with the standings."""

    text: str  # what did not hold
    rule: str  # that says so
    why: str
    by: str

    def __str__(self) -> str:
        return f"by the director's word, though {self.text} ({self.rule}): {self.why} ({self.by})"


class Board(Struct, frozen=True, kw_only=True):
    """One game: who sat where, and the centres at its end."""

    round: int
    name: str
    seats: Mapping[Power, Seat]  # the powers in the game, in `Power` order; its keys say which powers there are
    centres: Mapping[Power, int]  # at the end of the game, for every power in it
    years: Mapping[int, Mapping[Power, int]] = field(default_factory=dict)  # after the Fall of each recorded year
    ended: Ending = Ending.UNSTATED
    is_final: bool = False
    pool: str = ""  # the pool that played there
    total: int = STANDARD_CENTRES
    chose: tuple[str, ...] = ()  # final table: players in the order in which they chose their power
    overruled: tuple[Overruled, ...] = ()  # conditions of its end that did not hold
    left_out: frozenset[Power] = frozenset()  # survivors who are not in the draw, where a vote left some out (Dixiecon)
    says_draw: bool = False  # whether its result names who is in a draw
    unowned: int | None = None  # centres that nobody owns, as they were counted; None: nobody counted them

    @property
    def spot(self) -> Spot:
        return self.round, self.name

    @property
    def powers(self) -> tuple[Power, ...]:
        return tuple(self.seats)

    def count_owned(self, power: Power, year: int) -> int:
        """Count a power's centres after Fall of a year; 0 where the year is not recorded."""
        return self.years.get(year, {}).get(power, 0)


class Entrant(Struct, frozen=True, kw_only=True):
    """Somebody who is registered."""

    name: str
    is_director: bool = False  # plays to fill a board: scored, never ranked (Weasel III.6)
    is_excluded: bool = False  # disqualified: never ranked (EDC96 12; NZ99 24)
    has_left: bool = False  # went home before the end
    distance_km: int | None = None  # from home (Weasel XI.1.b.iv; EDC23 B)
    preregistered: frozenset[int] = frozenset()  # rounds announced the day before (EDC23 G)
    chosen: Mapping[int, str] = field(default_factory=dict)  # round -> the board that counts of two (EDC23 D)
    both: frozenset[int] = frozenset()  # rounds of which both boards count, by the director's word


class Penalty(Struct, frozen=True, kw_only=True):
    """A deduction, and why. ``points`` is None where the rules say what the kind costs."""

    player: str
    kind: str  # "absence", "late", ... or the director's own word
    points: Fraction | None = None  # how many are taken away, never negative
    times: int = 1
    round: int | None = None
    reason: str = ""


class Bonus(Struct, frozen=True, kw_only=True):
    """Points that no board gives. ``points`` is None where the rules say what the kind is worth."""

    player: str
    kind: str  # "withdrawal", "preregistration", ... or the director's own word
    points: Fraction | None = None
    round: int | None = None
    reason: str = ""


class Team(Struct, frozen=True, kw_only=True):
    """Players who compete together."""

    name: str
    members: tuple[str, ...]
    country: str = ""


class RatingBallot(Struct, frozen=True, kw_only=True):
    """How often a player got each grade in one skill (EDC96, Best Negotiator and Best Tactician)."""

    player: str
    skill: str  # "negotiation", "tactics"
    grades: Mapping[str, int]  # "A" -> how many

    @property
    def votes(self) -> int:
        return sum(self.grades.values())


class BoardGame(Struct, frozen=True, kw_only=True):
    """One game of the board-games competition: who came where (NZ99 27)."""

    game: str
    places: tuple[tuple[str, ...], ...]  # first, second, ...; several names in one place are tied
    is_signed: bool = True


class Honour(Struct, frozen=True, kw_only=True):
    """A special award that the director gives (Weasel XI.3)."""

    award: str
    player: str
    why: str = ""


class FinalResults(Struct, frozen=True):
    """Results that were published as final (Weasel XI.4), as they were shown."""

    at: str
    places: Mapping[str, tuple[str, str]]  # player -> place and total


class EventResults(Struct, frozen=True, kw_only=True):
    """Everything an event's standings are computed from."""

    boards: tuple[Board, ...]  # by round, then as they were given
    players: Mapping[str, Entrant] = field(default_factory=dict)  # everyone on a board and everyone registered
    penalties: tuple[Penalty, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    teams: tuple[Team, ...] = ()
    ballots: tuple[RatingBallot, ...] = ()
    board_games: tuple[BoardGame, ...] = ()
    honours: tuple[Honour, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()  # each drawing of names, its winner first; nobody is in two of them
    going_on: frozenset[Spot] = frozenset()  # boards that are drawn and not over; if among `boards`, as they stand
    year: int | None = None  # after whose Fall the boards that go on are looked at; None: as they stand
    published: FinalResults | None = None  # what the director has published as final
    ended_after: int | None = None  # the last round, where the event ended before the last that its rules have

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds played, ascending."""
        return tuple(sorted({board.round for board in self.boards}))

    @property
    def finals(self) -> tuple[Board, ...]:
        """The boards marked as final tables."""
        return tuple(board for board in self.boards if board.is_final)


# Exact numbers: reading them, rounding them the way a rule says, and showing them.

MOST_CHARACTERS = 40  # of a number in a file; a computed number may have more
PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:/[0-9]*[1-9][0-9]*)?")


def _half_up(value: Fraction, decimals: int) -> Fraction:
    """Half rounds away from zero, as Excel's ROUND does and Python's ``round`` does not (NZ99 B 1.6).

    >>> _half_up(Fraction(500, 64), 3), round(500 / 64, 3)
    (Fraction(7813, 1000), 7.812)
    """
    return Fraction(_count_units(value, decimals), 10**decimals)


def _count_units(value: Fraction, decimals: int) -> int:
    """Half rounds away from zero: count a number in units of its last decimal.

    >>> _count_units(Fraction(-5, 2), 0), _count_units(Fraction("2.345"), 2)
    (-3, 235)
    """
    above, below = abs(value.numerator) * 10**decimals, value.denominator
    whole: int = (2 * above + below) // (2 * below)
    return whole if value >= 0 else -whole


def _truncate(value: Fraction) -> Fraction:
    """What follows the point is dropped, towards zero: 21.5 and 21.33 both become 21 (EDC23 D).

    >>> _truncate(Fraction("21.5")), _truncate(Fraction("-1.5"))
    (Fraction(21, 1), Fraction(-1, 1))
    """
    return Fraction(int(value))


def format_decimal(value: Fraction, decimals: int) -> str:
    """Show a number with a fixed count of decimals, rounded half-up for the eye only.

    >>> format_decimal(Fraction(14400, 286), 2), format_decimal(Fraction(-1, 3), 0)
    ('50.35', '0')
    """
    scaled = _count_units(value, decimals)
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else f"{sign}{digits}"


def decimal(value: Fraction, most: int = 6) -> str:
    """Write a number as a decimal without trailing zeros, rounded to at most so many places.

    >>> decimal(Fraction(85, 2)), decimal(Fraction(1, 3)), decimal(Fraction(100))
    ('42.5', '0.333333', '100')
    """
    text = format_decimal(value, most)
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(value: object) -> Fraction:
    """Read points as people and files write them: ``15``, ``"0.1"``, ``"1/2"``, ``"110 %"``; else a `ValueError`.

    A float is read as it is written (0.1 is one tenth), never as the nearest binary number.

    >>> exact("110 %"), exact(0.1), exact("1/2")
    (Fraction(11, 10), Fraction(1, 10), Fraction(1, 2))
    """
    text = "" if isinstance(value, bool) else str(value).strip()
    if percent := PERCENT.fullmatch(text):
        return Fraction(percent[1]) / 100
    if not isinstance(value, Fraction) and len(text) > MOST_CHARACTERS:
        raise ValueError(f"{text[:12]}… is a number of {write_count(len(text), 'character')}; write it shorter")
    if re.fullmatch(r"-?\d+,\d+", text):
        raise ValueError(f"{value!r} has a comma; write {text.replace(',', '.')}")
    if not isinstance(value, int | float | str | Fraction) or not NUMBER.fullmatch(text):
        raise ValueError(f"{value!r} is not a number; write 15, 0.1, '1/2' or '110 %'")
    above, _, below = text.partition("/")
    return Fraction(above) / int(below or 1)


def sum_points(points: Iterable[Fraction | int]) -> Fraction:
    """Add points up; nothing is 0. A large event has hundreds of thousands: only the sum is reduced, not every step.

    >>> sum_points([Fraction(1, 2), Fraction(1, 3), Fraction(1, 3)]), sum_points([])
    (Fraction(7, 6), Fraction(0, 1))
    """
    above, below = 0, 1
    for number in points:
        top, bottom = number.as_integer_ratio()
        if bottom == below:
            above += top
        else:
            above, below = above * bottom + top * below, below * bottom
    return Fraction(above, below)


class RoundingWay(StrEnum):
    """What happens to the digits that a rule does not keep."""

    NOT_AT_ALL = "not at all"
    HALF_UP = "half-up"
    HALF_EVEN = "half-even"  # a half to the even neighbour: 72.5 is 72, 73.5 is 74 (Southern Sun)
    TRUNCATE = "truncate"


class Rounding(Struct, frozen=True):
    """A score is kept exact, rounded, or truncated, as the tournament says (NZ99 B 1.6; EDC23 D)."""

    how: RoundingWay = RoundingWay.HALF_UP
    decimals: Decimals = 0

    SHORT: ClassVar[tuple[str, ...]] = (RoundingWay.NOT_AT_ALL, RoundingWay.TRUNCATE)

    @staticmethod
    def spell_out(value: object) -> object:
        """``"truncate"`` is short for ``{ how = "truncate" }``."""
        return {"how": value} if isinstance(value, str) else value

    def __call__(self, value: Fraction) -> Fraction:
        match self.how:
            case RoundingWay.NOT_AT_ALL:
                return value
            case RoundingWay.HALF_UP:
                return _half_up(value, self.decimals)
            case RoundingWay.HALF_EVEN:
                return Fraction(round(value * 10**self.decimals), 10**self.decimals)
            case RoundingWay.TRUNCATE:
                scale: int = 10**self.decimals
                return _truncate(value * scale) / scale


# nothing is rounded: ranks are made on exact values (Weasel XII, WDC08 14 name no rounding)
AS_IT_IS = Rounding(RoundingWay.NOT_AT_ALL)


class StandBy(StrEnum):
    """What puts the powers of a board into an order; powers that it leaves level share their places."""

    CENTRES = "centres"  # equal counts are level, and so are all that were eliminated (EDC96; EDC23 C; NZ99 B 1.5)
    ELIMINATION = "elimination"  # of the eliminated, who was eliminated in a later year stands higher (Carnage)
    EARLIER_YEARS = "earlier years"  # equal counts go back to the year before, and so on (Spirecon 2025; Maxonian)
    DRAW = "draw"  # whoever is in the draw is level at the top, the others as by elimination (Dixiecon)


class Counts(Struct, frozen=True, dict=True, weakref=True):
    """One board's centres, counted in the ways scoring systems count them."""

    board: Board
    everyone_survived: bool = False  # a soloist may score as if all were alive (EDC23 C)
    soloist: Power | None = None  # who won outright

    @property
    def centres(self) -> Mapping[Power, int]:
        """Centres at the end, for every power of the game."""
        return self.board.centres

    @cached_property
    def alive(self) -> int:
        """How many powers own a centre at the end."""
        return sum(1 for owned in self.centres.values() if owned)

    @property
    def survivors(self) -> int:
        """How many powers own a centre at the end, or count as if they did."""
        return len(self.centres) if self.everyone_survived else self.alive

    @cached_property
    def neutral(self) -> int:
        """Centres nobody owns."""
        return self.board.total - sum(self.centres.values())

    @cached_property
    def top(self) -> int:
        """The highest count on the board."""
        return max(self.centres.values())

    @cached_property
    def second(self) -> int:
        """The second highest count; the highest once more where it is shared."""
        return sorted(self.centres.values(), reverse=True)[1]

    @cached_property
    def toppers(self) -> int:
        """Powers that share the highest count."""
        return sum(1 for owned in self.centres.values() if owned == self.top)

    def above(self, power: Power, order: StandBy = StandBy.CENTRES) -> int:
        """Powers that stand strictly higher: with more centres, unless another order is asked for."""
        standings = self._standings(order)
        own = standings[power]
        return sum(1 for other in standings.values() if other > own)

    def equal(self, power: Power, order: StandBy = StandBy.CENTRES) -> int:
        """Powers that stand level, the power itself included: with as many centres, unless another order is asked."""
        standings = self._standings(order)
        return list(standings.values()).count(standings[power])

    def _standings(self, order: StandBy) -> Mapping[Power, tuple[int, ...]]:
        """How high every power stands, worked out once."""
        counts = self._by_order.get(order)
        if counts is None:
            counts = self._by_order[order] = {power: self.standing(power, order) for power in self.centres}
        return counts

    @cached_property
    def _by_order(self) -> dict[StandBy, Mapping[Power, tuple[int, ...]]]:
        return {}

    def standing(self, power: Power, order: StandBy) -> tuple[int, ...]:
        """How high a power stands; these are compared number by number."""
        owned = self.centres[power]
        match order:
            case StandBy.CENTRES:
                return (owned,)
            case StandBy.ELIMINATION:
                return (owned, 0 if owned else self.years_lived(power))
            case StandBy.EARLIER_YEARS:
                return (
                    owned,
                    *(self.board.count_owned(power, year) for year in sorted(self.board.years, reverse=True)),
                )
            case StandBy.DRAW:
                return (1,) if self.is_in_draw(power) else (0, owned, 0 if owned else self.years_lived(power))

    def is_in_draw(self, power: Power) -> bool:
        """Whether a power shares the draw: every survivor of a game without a solo, unless some were left out."""
        return self.soloist is None and self.centres[power] > 0 and power not in self.board.left_out

    def years_lived(self, power: Power) -> int:
        """Whole years that a power lived: the recorded ones that it ended with a centre, less the game's last.

        So who owns a centre at the end counts as eliminated in the last year, which matters after a solo (ManorCon).
        """
        with_centre = sum(1 for year in self.board.years if self.board.count_owned(power, year))
        return max(with_centre - (self.centres[power] > 0), 0)

    def below(self, power: Power) -> int:
        """Powers with strictly fewer centres."""
        return len(self.centres) - self.above(power) - self.equal(power)

    def beaten(self, power: Power) -> int:
        """Centres of the powers with strictly fewer centres."""
        own = self.centres[power]
        return sum(owned for owned in self.centres.values() if owned < own)

    def margin(self, power: Power) -> int:
        """The sole leader's centres above the second highest count; 0 for everybody else."""
        return self.top - self.second if self.centres[power] == self.top else 0

    def distance(self, power: Power) -> int:
        """Centres ahead of the best other power; 0 where the top is shared; below 0 for who is behind the top."""
        return self.margin(power) if self.centres[power] == self.top else self.centres[power] - self.top
