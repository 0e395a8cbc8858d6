"""What the director must still say before standings are final: each doubt is a value, its words are made elsewhere.

A doubt stops nothing: beside it stands a number, which holds until the director says otherwise.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import singledispatch
from typing import ClassVar, assert_never

from msgspec import Struct

from pipeline.board.map import Power
from pipeline.scoring.results import Ending, Spot, decimal


class NotedFact(StrEnum):
    """What a tie-break looks at and somebody has to note."""

    DISTANCE = "distance"  # from home (Weasel XI.1.b.iv; EDC23 B)
    CHOICE = "choice"  # the place in the order of choosing powers (EDC23 B)
    COUNTS = "counts"  # the centres after a year, between years that are recorded (WDC08 16.1)
    LOT = "lot"  # the names are drawn (Weasel XI.1.b.v; WDC08 16.3)


class Want(Struct, frozen=True):
    """A tie-break of which a fact is not noted: it separated nobody, and might."""

    tiebreak: str
    fact: NotedFact
    tied: tuple[str, ...]  # who was level when it was asked
    missing: tuple[str, ...]  # those of them of whom it is not noted


class ScoringDoubt(Struct, frozen=True, kw_only=True):
    """Something that the director must still say, or that is against the rules."""

    code: ClassVar[str]


class OfBoard(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one board."""

    spot: Spot


class GameAbandoned(OfBoard, frozen=True, kw_only=True):
    """The rules do not say what a game is worth that ended like this; its last counts are scored (RULES of most)."""

    code = "game abandoned"
    ending: Ending


class SoloUnfounded(OfBoard, frozen=True, kw_only=True):
    """A game is said to have ended in a solo, and nobody owns enough centres; it is scored by its counts."""

    code = "solo unfounded"


class ScoreGuessed(OfBoard, frozen=True, kw_only=True):
    """The scores of a board rest on something that no source of the system says."""

    code = "score guessed"
    system: str
    why: str


class SoloShared(OfBoard, frozen=True, kw_only=True):
    """Several powers own as many centres as win a game, and equally many; it is scored as a draw."""

    code = "solo shared"
    powers: tuple[Power, ...]


class YearsUnrecorded(OfBoard, frozen=True, kw_only=True):
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


class YearsContradict(OfBoard, frozen=True, kw_only=True):
    """The counts of two years cannot both be true; the counts at the end are scored."""

    code = "years contradict"
    clash: Clash
    year: int
    later: int | None  # None: at the end
    power: Power | None = None  # None: all powers together
    owned: int  # in the earlier year
    then: int  # in the later one


class RoundTooLate(OfBoard, frozen=True, kw_only=True):
    """A round beyond those that the rules have; its games count like the others."""

    code = "round too late"
    rounds: int


class CentresMissing(OfBoard, frozen=True, kw_only=True):
    """Fewer centres are counted than the board has, and nobody said that the others are neutral."""

    code = "centres missing"
    found: int
    total: int


class YearMissing(OfBoard, frozen=True, kw_only=True):
    """Whether these powers lived through a year is not known, for its counts are not recorded (NZ99 B 1.2)."""

    code = "year missing"
    year: int
    powers: tuple[Power, ...]


class SeatReplaced(OfBoard, frozen=True, kw_only=True):
    """A player was replaced, and the rules leave the score to the director (Weasel III.8; NZ99 5)."""

    code = "seat replaced"
    power: Power


class LateShareOpen(OfBoard, frozen=True, kw_only=True):
    """Whether a newcomer gets the late share is not said: the rules speak of relief on two boards only (EDC23 D)."""

    code = "late share"
    power: Power


class FinalUnknown(OfBoard, frozen=True, kw_only=True):
    """A board is marked as the final table, and the rules have none; it counts like any board."""

    code = "final unknown"


class FinalInOtherRound(OfBoard, frozen=True, kw_only=True):
    """A final table outside its round."""

    code = "final in other round"
    round: int


class NotQualified(OfBoard, frozen=True, kw_only=True):
    """Somebody sits on the final table who did not qualify for it."""

    code = "not qualified"
    player: str


class FinalNotHeld(OfBoard, frozen=True, kw_only=True):
    """A final table although too few players have a positive result (EDC23 B)."""

    code = "final not held"
    positive: int
    needed: int


class SeveralFinals(ScoringDoubt, frozen=True, kw_only=True):
    """More than one board is marked as the final table."""

    code = "several finals"
    spots: tuple[Spot, ...]


class FinalNotMarked(ScoringDoubt, frozen=True, kw_only=True):
    """All rounds are over, and no board of the last one is marked as the final table: nobody can be champion."""

    code = "final not marked"
    round: int


class LastSeatsOpen(ScoringDoubt, frozen=True, kw_only=True):
    """Players are level for the last seats of the final table (EDC96; EDC23 B; WDC08 4)."""

    code = "last seats open"
    players: tuple[str, ...]
    seats: int  # that are left for them
    want: Want | None


class OfPlayer(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one player's account."""

    player: str


class TwoBoardsUnpriced(OfPlayer, frozen=True, kw_only=True):
    """Two boards in one round, and the rules do not say what counts; both do."""

    code = "two boards"
    round: int


class BoardNotChosen(OfPlayer, frozen=True, kw_only=True):
    """The player has not said which of two boards counts (EDC23 D); the higher one does."""

    code = "board not chosen"
    round: int
    board: str


class TooManyGames(OfPlayer, frozen=True, kw_only=True):
    """More games of certain rounds than the rules allow (EDC96: three of the first four)."""

    code = "too many games"
    rounds: tuple[int, ...]
    found: int
    allowed: int


class TwoBoardsAgain(OfPlayer, frozen=True, kw_only=True):
    """Two boards in more than one round (EDC23 D: once)."""

    code = "two boards again"
    found: int


class WithdrewAgain(OfPlayer, frozen=True, kw_only=True):
    """More than one withdrawal (EDC23 D: once)."""

    code = "withdrew again"
    found: int


class TwoBoardsAndWithdrew(OfPlayer, frozen=True, kw_only=True):
    """Two boards in a round and a withdrawal, which exclude each other (EDC23 D)."""

    code = "two boards and withdrew"


class PlaceLevel(ScoringDoubt, frozen=True, kw_only=True):
    """Players are level for a place that is honoured, or a lot told them apart where a rule before it was not asked."""

    code = "place level"
    place: int
    players: tuple[str, ...]
    want: Want


class FinalLevel(ScoringDoubt, frozen=True, kw_only=True):
    """The best of the final table are level: there is no champion yet."""

    code = "final level"
    players: tuple[str, ...]
    want: Want


class PowerLevel(ScoringDoubt, frozen=True, kw_only=True):
    """The best players of a power are level, and the director decides (Weasel XI.2; WDC08 16.3)."""

    code = "power level"
    power: Power
    players: tuple[str, ...]
    want: Want


class TitleLevel(ScoringDoubt, frozen=True, kw_only=True):
    """The first of a ranking that makes a further title are level, and a fact is missing."""

    code = "title level"
    title: str
    players: tuple[str, ...]
    want: Want


class OfTeam(ScoringDoubt, frozen=True, kw_only=True):
    """A doubt about one team."""

    team: str


class TeamTooLarge(OfTeam, frozen=True, kw_only=True):
    """More members than the rules allow (NZ99 26; EDC96; WDC08 15.2)."""

    code = "team too large"
    found: int
    allowed: int


class TeamTooSmall(OfTeam, frozen=True, kw_only=True):
    """Fewer members than the rules ask for (EDC96; WDC08 15.2)."""

    code = "team too small"
    found: int
    needed: int


class TeamMet(OfTeam, frozen=True, kw_only=True):
    """Team-mates on one board in a round in which they are kept apart (NZ99 26; EDC96)."""

    code = "team met"
    spot: Spot
    players: tuple[str, ...]


class TeamLeaver(OfTeam, frozen=True, kw_only=True):
    """A member who went home, was excluded or was replaced still gives the team points."""

    code = "team leaver"
    player: str
    points: Fraction


class TooManyTeams(ScoringDoubt, frozen=True, kw_only=True):
    """More teams of a country than the rules allow (EDC96)."""

    code = "too many teams"
    country: str
    found: int
    allowed: int


class TeamsUnknown(ScoringDoubt, frozen=True, kw_only=True):
    """Teams are given, and the rules have no team competition; they are not ranked."""

    code = "teams unknown"


class SheetNotSigned(ScoringDoubt, frozen=True, kw_only=True):
    """The score sheet of a board game is not signed; it does not count (NZ99 27)."""

    code = "sheet not signed"
    number: int
    game: str


# --------------------
# Doubts in words: where to look, what was found, and how it is mended.

NOTED = {  # what has to be entered where a tie-break misses it
    NotedFact.DISTANCE: "enter the distance from home of {missing}",
    NotedFact.CHOICE: "enter the order in which the final table chose its powers",
    NotedFact.COUNTS: "enter the centres that {missing} had after each year",
    NotedFact.LOT: "draw the names of {missing} and enter the order as lots",
}


def _join_names(names: Sequence[object]) -> str:
    """Join names.

    >>> _join_names(["Ann"]), _join_names(["Ann", "Bob"]), _join_names(["Ann", "Bob", "Cy"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and Cy')
    """
    *before, last = (str(name) for name in names)
    return f"{', '.join(before)} and {last}" if before else last


def at(spot: Spot) -> str:
    """Name a board."""
    return f"round {spot[0]}, {spot[1]}"


def _describe_missing_note(want: Want) -> str:
    """Say what has to be noted for a tie-break."""
    return NOTED[want.fact].format(missing=_join_names(want.missing))


@singledispatch
def where(doubt: ScoringDoubt) -> str:
    """Say where to look."""
    raise TypeError(f"no place for {type(doubt).__name__}")


@where.register
def _(doubt: OfBoard) -> str:
    return at(doubt.spot)


@where.register(SeatReplaced)
@where.register(LateShareOpen)
def _(doubt: SeatReplaced | LateShareOpen) -> str:
    return f"{at(doubt.spot)}, {doubt.power}"


@where.register(SeveralFinals)
@where.register(FinalNotMarked)
@where.register(LastSeatsOpen)
@where.register(FinalLevel)
def _(doubt: ScoringDoubt) -> str:
    return "final table"


@where.register
def _(doubt: OfPlayer) -> str:
    return doubt.player


@where.register(TwoBoardsUnpriced)
@where.register(BoardNotChosen)
def _(doubt: TwoBoardsUnpriced | BoardNotChosen) -> str:
    return f"{doubt.player}, round {doubt.round}"


@where.register
def _(doubt: PlaceLevel) -> str:
    return f"place {doubt.place}"


@where.register
def _(doubt: PowerLevel) -> str:
    return f"best {doubt.power}"


@where.register
def _(doubt: TitleLevel) -> str:
    return doubt.title


@where.register
def _(doubt: OfTeam) -> str:
    return f"team {doubt.team}"


@where.register
def _(doubt: TooManyTeams) -> str:
    return f"country {doubt.country}"


@where.register
def _(doubt: TeamsUnknown) -> str:
    return "teams"


@where.register
def _(doubt: SheetNotSigned) -> str:
    return f"board game {doubt.number}, {doubt.game}"


@singledispatch
def text(doubt: ScoringDoubt) -> str:
    """Say what was found, and how it is mended."""
    raise TypeError(f"no words for {type(doubt).__name__}")


@text.register
def _(doubt: GameAbandoned) -> str:
    return f"{doubt.ending}; the rules do not say what it is worth, so its last counts are scored"


@text.register
def _(doubt: SoloUnfounded) -> str:
    return "a solo is said, and nobody owns enough centres; it is scored by its counts"


@text.register
def _(doubt: ScoreGuessed) -> str:
    return f"no source of {doubt.system} says what this board pays: {doubt.why}; look at its scores, or rule on them"


@text.register
def _(doubt: SoloShared) -> str:
    who = _join_names([power.title() for power in doubt.powers])
    return f"{who} own as many centres as win, and equally many; it is scored as a draw until you rule on the scores"


@text.register
def _(doubt: YearsUnrecorded) -> str:
    if doubt.gaps:
        missing = f"the counts of {', '.join(map(str, doubt.gaps))} are not recorded"
    elif doubt.last:
        missing = f"the counts of {doubt.last} are not those at the end, so the last year is not recorded"
    else:
        missing = "no year's counts are recorded"
    return f"{missing}, and points depend on it; enter the counts of every year, or a ruling on the scores"


@text.register
def _(doubt: YearsContradict) -> str:
    who = doubt.power or "all powers together"
    later = f"in {doubt.later}" if doubt.later else "at the end"
    match doubt.clash:
        case Clash.SOLO:
            return (
                f"{who} had {doubt.owned} centres in {doubt.year}, which is a solo and ends the game, and has "
                f"{doubt.then} {later}; correct one of them, or leave out what comes after the solo"
            )
        case Clash.BACK:
            return f"{who} had no centre in {doubt.year} and has {doubt.then} {later}; look at both"
        case Clash.WON:
            since = f"{doubt.owned} in {doubt.year}"
            return f"{who} had {since} and has {doubt.then} {later}, more than it can take in that time; look at both"
        case Clash.LOST:
            since = f"{doubt.owned} centres in {doubt.year}"
            return f"{who} had {since} and have {doubt.then} {later}; what is owned stays somebody's: look at both"
        case _:
            assert_never(doubt.clash)


@text.register
def _(doubt: RoundTooLate) -> str:
    return f"the rules have {doubt.rounds} rounds; its games count like the others"


@text.register
def _(doubt: CentresMissing) -> str:
    left = doubt.total - doubt.found
    return f"{doubt.found} of {doubt.total} centres are counted; count again, or say that {left} are unowned"


@text.register
def _(doubt: YearMissing) -> str:
    powers = _join_names([power.title() for power in doubt.powers])
    return f"the counts of {doubt.year} are not recorded, so nobody knows whether {powers} lived then; enter them"


@text.register
def _(doubt: SeatReplaced) -> str:
    return "a replacement; the rules leave the score to the director"


@text.register
def _(doubt: LateShareOpen) -> str:
    return (
        "the rules give a late share to who relieves somebody on two boards, after the game has begun; say by "
        "'late-start' in which season this newcomer arrived, or 'start' where nothing is taken off"
    )


@text.register
def _(doubt: FinalUnknown) -> str:
    return "marked as the final table, but the rules have none; it counts like any board"


@text.register
def _(doubt: FinalInOtherRound) -> str:
    return f"the final table is played in round {doubt.round}"


@text.register
def _(doubt: NotQualified) -> str:
    return f"{doubt.player} did not qualify for the final table"


@text.register
def _(doubt: FinalNotHeld) -> str:
    return f"{doubt.positive} players have a positive result; a final table needs {doubt.needed}"


@text.register
def _(doubt: SeveralFinals) -> str:
    return f"{len(doubt.spots)} boards are marked as the final table: {_join_names([at(spot) for spot in doubt.spots])}"


@text.register
def _(doubt: FinalNotMarked) -> str:
    return f"no board of round {doubt.round} is marked as the final table, so nobody is champion; mark it"


@text.register
def _(doubt: LastSeatsOpen) -> str:
    seats = "the last seat" if doubt.seats == 1 else f"the last {doubt.seats} seats"
    how = f"; {_describe_missing_note(doubt.want)}" if doubt.want else "; the rules do not say who goes first"
    return f"{_join_names(doubt.players)} are level for {seats}{how}"


@text.register
def _(doubt: TwoBoardsUnpriced) -> str:
    return "two boards in one round; the rules do not say what counts, so both do"


@text.register
def _(doubt: BoardNotChosen) -> str:
    return f"no choice of board is noted; the higher one, {doubt.board}, counts until the player chooses"


@text.register
def _(doubt: TooManyGames) -> str:
    return f"{doubt.found} games in rounds {', '.join(map(str, doubt.rounds))}; the rules allow {doubt.allowed}"


@text.register
def _(doubt: TwoBoardsAgain) -> str:
    return f"{doubt.found} rounds on two boards; the rules allow one"


@text.register
def _(doubt: WithdrewAgain) -> str:
    return f"{doubt.found} withdrawals; the rules allow one"


@text.register
def _(doubt: TwoBoardsAndWithdrew) -> str:
    return "two boards in one round and a withdrawal exclude each other"


@text.register
def _(doubt: PlaceLevel) -> str:
    return f"{_join_names(doubt.want.tied)} are level; {_describe_missing_note(doubt.want)}"


@text.register(FinalLevel)
@text.register(TitleLevel)
def _(doubt: FinalLevel | TitleLevel) -> str:
    return f"{_join_names(doubt.players)} are level; {_describe_missing_note(doubt.want)}"


@text.register
def _(doubt: PowerLevel) -> str:
    how = "enter their order as lots" if doubt.want.fact is NotedFact.LOT else _describe_missing_note(doubt.want)
    return f"{_join_names(doubt.players)} are level; {how}"


@text.register
def _(doubt: TeamTooLarge) -> str:
    return f"{doubt.found} members; the rules allow {doubt.allowed}"


@text.register
def _(doubt: TeamTooSmall) -> str:
    return f"{doubt.found} member{'s' if doubt.found != 1 else ''}; the rules ask for {doubt.needed}"


@text.register
def _(doubt: TeamMet) -> str:
    return f"{_join_names(doubt.players)} met in round {doubt.spot[0]} on {doubt.spot[1]}"


@text.register
def _(doubt: TeamLeaver) -> str:
    return f"{doubt.player} has left the event or a game, and still gives the team {decimal(doubt.points, 3)} points"


@text.register
def _(doubt: TooManyTeams) -> str:
    return f"{doubt.found} teams; the rules allow {doubt.allowed}"


@text.register
def _(doubt: TeamsUnknown) -> str:
    return "the rules have no team competition; the teams are not ranked"


@text.register
def _(doubt: SheetNotSigned) -> str:
    return "the score sheet is not signed; it does not count"
