"""What was played: boards with their counts, and what the director noted beside them. Facts, no conclusions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from pipeline.board.map import Power

STANDARD_CENTRES = 34  # supply centres on the standard map
FIRST_YEAR = 1901
SANDARD_CENTRES = 31  # Turkey is one neutral centre, Rumania is none (EDC23 B)

Spot = tuple[int, str]  # a round and a board


class Ending(StrEnum):
    """How a game ended. A solo is never taken from here: the centres say it."""

    UNSTATED = "unstated"
    SOLO = "solo"
    TIME = "time"  # the clock, or the director's call
    LAST_YEAR = "last year"  # the last that the rules allow is over
    DICE = "dice"  # a die after a Fall ended the round (Weasel VIII.4)
    STAGNATION = "stagnation"  # years without a centre changing hands (Weasel VIII.5)
    VOTE = "vote"  # a draw voted or agreed
    CONCEDED = "conceded"  # given away
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class ScoreRuling:
    """The director's own score for one seat (NZ99 22; Weasel III.8)."""

    score: Fraction
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays a power."""

    player: str | None  # None: a position nobody scores with (GM position, civil disorder)
    instead_of: str | None = None  # who sat here before
    arrived: int | None = None  # the season a late-comer arrived in: Spring 1901 is 1, Fall 1901 is 2; 0: before
    ruling: ScoreRuling | None = None
    is_arrival_noted: bool = False  # whether the director has said when he arrived
    relieved: str | None = None  # who sat here before play, and on a second board of the round

    @property
    def replaced(self) -> str | None:
        """Who was replaced here during the game; a newcomer of the first season sat there from the start."""
        return None if self.arrived == 1 else self.instead_of


@dataclass(frozen=True, slots=True)
class Overruled:
    """What the director overruled when he ended a game: it stands on the wall."""

    text: str  # what did not hold
    rule: str  # that says so
    why: str
    by: str

    def __str__(self) -> str:
        return f"by the director's word, though {self.text} ({self.rule}): {self.why} ({self.by})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One game: who sat where, and the centres at its end."""

    round: int
    name: str
    seats: Mapping[Power, Seat]  # the powers in the game, in `Power` order; its keys say which powers there are
    centres: Mapping[Power, int]  # at the end of the game, for every power in it
    years: Mapping[int, Mapping[Power, int]] = field(default_factory=dict)  # after the Fall of each recorded year
    ended: Ending = Ending.UNSTATED
    is_final: bool = False
    total: int = STANDARD_CENTRES
    chose: tuple[str, ...] = ()  # final table: players in the order in which they chose their power
    overruled: tuple[Overruled, ...] = ()  # conditions of its end that did not hold
    left_out: frozenset[Power] = frozenset()  # survivors who are not in the draw, where a vote left some out (Dixiecon)
    unowned: int | None = None  # centres that nobody owns, as they were counted; None: nobody counted them

    @property
    def spot(self) -> Spot:
        """The round and the board."""
        return self.round, self.name

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers in this game."""
        return tuple(self.seats)

    def owned(self, power: Power, year: int) -> int:
        """Count a power's centres after Fall of a year; 0 where the year is not recorded."""
        return self.years.get(year, {}).get(power, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Somebody who is registered."""

    name: str
    is_director: bool = False  # plays to fill a board: scored, never ranked (Weasel III.6)
    is_excluded: bool = False  # disqualified: never ranked (EDC96 12; NZ99 24)
    has_left: bool = False  # went home before the end
    distance_km: int | None = None  # from home (Weasel XI.1.b.iv; EDC23 B)
    preregistered: frozenset[int] = frozenset()  # rounds announced the day before (EDC23 G)
    chosen: Mapping[int, str] = field(default_factory=dict)  # round -> the board that counts of two (EDC23 D)
    both: frozenset[int] = frozenset()  # rounds of which both boards count, by the director's word


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A deduction, and why. ``points`` is None where the rules say what the kind costs."""

    player: str
    kind: str  # "absence", "late", ... or the director's own word
    points: Fraction | None = None  # how many are taken away, never negative
    times: int = 1
    round: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """Points that no board gives. ``points`` is None where the rules say what the kind is worth."""

    player: str
    kind: str  # "withdrawal", "preregistration", ... or the director's own word
    points: Fraction | None = None
    round: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """Players who compete together."""

    name: str
    members: tuple[str, ...]
    country: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingBallot:
    """How often a player got each grade in one skill (EDC96, Best Negotiator and Best Tactician)."""

    player: str
    skill: str  # "negotiation", "tactics"
    grades: Mapping[str, int]  # "A" -> how many

    @property
    def votes(self) -> int:
        """How many votes were received."""
        return sum(self.grades.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardGame:
    """One game of the board-games competition: who came where (NZ99 27)."""

    game: str
    places: tuple[tuple[str, ...], ...]  # first, second, ...; several names in one place are tied
    is_signed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Honour:
    """A special award that the director gives (Weasel XI.3)."""

    award: str
    player: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResults:
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

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds played, ascending."""
        return tuple(sorted({board.round for board in self.boards}))

    @property
    def finals(self) -> tuple[Board, ...]:
        """The boards marked as final tables."""
        return tuple(board for board in self.boards if board.is_final)
