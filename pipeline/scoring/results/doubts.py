"""What the director must still say before standings are final: each doubt is a value, its words are made elsewhere.

A doubt stops nothing: beside it stands a number, which holds until the director says otherwise.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

from pipeline.board.map import Power
from pipeline.scoring.results.results import Ending, Spot


class NotedFact(StrEnum):
    """What a tie-break looks at and somebody has to note."""

    DISTANCE = "distance"  # from home (Weasel XI.1.b.iv; EDC23 B)
    CHOICE = "choice"  # the place in the order of choosing powers (EDC23 B)
    COUNTS = "counts"  # the centres after a year, between years that are recorded (WDC08 16.1)
    LOT = "lot"  # the names are drawn (Weasel XI.1.b.v; WDC08 16.3)


@dataclass(frozen=True, slots=True)
class Want:
    """A tie-break of which a fact is not noted: it separated nobody, and might."""

    tiebreak: str
    fact: NotedFact
    tied: tuple[str, ...]  # who was level when it was asked
    missing: tuple[str, ...]  # those of them of whom it is not noted


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringDoubt:
    """Something that the director must still say, or that is against the rules."""

    code: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfBoard(ScoringDoubt):
    """A doubt about one board."""

    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAbandoned(OfBoard):
    """The rules do not say what a game is worth that ended like this; its last counts are scored (RULES of most)."""

    code = "game abandoned"
    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloUnfounded(OfBoard):
    """A game is said to have ended in a solo, and nobody owns enough centres; it is scored by its counts."""

    code = "solo unfounded"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGuessed(OfBoard):
    """The scores of a board rest on something that no source of the system says."""

    code = "score guessed"
    system: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloShared(OfBoard):
    """Several powers own as many centres as win a game, and equally many; it is scored as a draw."""

    code = "solo shared"
    powers: tuple[Power, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsUnrecorded(OfBoard):
    """Points depend on the years that powers lived, and the counts of some years are not recorded."""

    code = "years unrecorded"
    gaps: tuple[int, ...] = ()  # years before the last recorded one
    last: int | None = None  # the last recorded year; its counts are not those at the end. Neither: none is recorded


class Clash(StrEnum):
    """Why the counts of two years cannot both be true."""

    SOLO = "solo"  # enough centres to win, and the game goes on
    BACK = "back"  # no centre, and later some
    WON = "won"  # more than all units of the power could take in that time
    LOST = "lost"  # all together own fewer than before


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsContradict(OfBoard):
    """The counts of two years cannot both be true; the counts at the end are scored."""

    code = "years contradict"
    clash: Clash
    year: int
    later: int | None  # None: at the end
    power: Power | None = None  # None: all powers together
    owned: int  # in the earlier year
    then: int  # in the later one


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTooLate(OfBoard):
    """A round beyond those that the rules have; its games count like the others."""

    code = "round too late"
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CentresMissing(OfBoard):
    """Fewer centres are counted than the board has, and nobody said that the others are neutral."""

    code = "centres missing"
    found: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YearMissing(OfBoard):
    """Whether these powers lived through a year is not known, for its counts are not recorded (NZ99 B 1.2)."""

    code = "year missing"
    year: int
    powers: tuple[Power, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReplaced(OfBoard):
    """A player was replaced, and the rules leave the score to the director (Weasel III.8; NZ99 5)."""

    code = "seat replaced"
    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class LateShareOpen(OfBoard):
    """Whether a newcomer gets the late share is not said: the rules speak of relief on two boards only (EDC23 D)."""

    code = "late share"
    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalUnknown(OfBoard):
    """A board is marked as the final table, and the rules have none; it counts like any board."""

    code = "final unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalInOtherRound(OfBoard):
    """A final table outside its round."""

    code = "final in other round"
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotQualified(OfBoard):
    """Somebody sits on the final table who did not qualify for it."""

    code = "not qualified"
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalNotHeld(OfBoard):
    """A final table although too few players have a positive result (EDC23 B)."""

    code = "final not held"
    positive: int
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralFinals(ScoringDoubt):
    """More than one board is marked as the final table."""

    code = "several finals"
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalNotMarked(ScoringDoubt):
    """All rounds are over, and no board of the last one is marked as the final table: nobody can be champion."""

    code = "final not marked"
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSeatsOpen(ScoringDoubt):
    """Players are level for the last seats of the final table (EDC96; EDC23 B; WDC08 4)."""

    code = "last seats open"
    players: tuple[str, ...]
    seats: int  # that are left for them
    want: Want | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPlayer(ScoringDoubt):
    """A doubt about one player's account."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoBoardsUnpriced(OfPlayer):
    """Two boards in one round, and the rules do not say what counts; both do."""

    code = "two boards"
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardNotChosen(OfPlayer):
    """The player has not said which of two boards counts (EDC23 D); the higher one does."""

    code = "board not chosen"
    round: int
    board: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyGames(OfPlayer):
    """More games of certain rounds than the rules allow (EDC96: three of the first four)."""

    code = "too many games"
    rounds: tuple[int, ...]
    found: int
    allowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoBoardsAgain(OfPlayer):
    """Two boards in more than one round (EDC23 D: once)."""

    code = "two boards again"
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrewAgain(OfPlayer):
    """More than one withdrawal (EDC23 D: once)."""

    code = "withdrew again"
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoBoardsAndWithdrew(OfPlayer):
    """Two boards in a round and a withdrawal, which exclude each other (EDC23 D)."""

    code = "two boards and withdrew"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLevel(ScoringDoubt):
    """Players are level for a place that is honoured, or a lot told them apart where a rule before it was not asked."""

    code = "place level"
    place: int
    players: tuple[str, ...]
    want: Want


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalLevel(ScoringDoubt):
    """The best of the final table are level: there is no champion yet."""

    code = "final level"
    players: tuple[str, ...]
    want: Want


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLevel(ScoringDoubt):
    """The best players of a power are level, and the director decides (Weasel XI.2; WDC08 16.3)."""

    code = "power level"
    power: Power
    players: tuple[str, ...]
    want: Want


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTeam(ScoringDoubt):
    """A doubt about one team."""

    team: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamTooLarge(OfTeam):
    """More members than the rules allow (NZ99 26; EDC96; WDC08 15.2)."""

    code = "team too large"
    found: int
    allowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamTooSmall(OfTeam):
    """Fewer members than the rules ask for (EDC96; WDC08 15.2)."""

    code = "team too small"
    found: int
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMet(OfTeam):
    """Team-mates on one board in a round in which they are kept apart (NZ99 26; EDC96)."""

    code = "team met"
    spot: Spot
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLeaver(OfTeam):
    """A member who went home, was excluded or was replaced still gives the team points."""

    code = "team leaver"
    player: str
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyTeams(ScoringDoubt):
    """More teams of a country than the rules allow (EDC96)."""

    code = "too many teams"
    country: str
    found: int
    allowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsUnknown(ScoringDoubt):
    """Teams are given, and the rules have no team competition; they are not ranked."""

    code = "teams unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetNotSigned(ScoringDoubt):
    """The score sheet of a board game is not signed; it does not count (NZ99 27)."""

    code = "sheet not signed"
    number: int
    game: str
