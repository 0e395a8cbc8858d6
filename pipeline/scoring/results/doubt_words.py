"""Doubts in words: where to look, what was found, and how it is mended."""

from collections.abc import Sequence
from functools import singledispatch
from typing import assert_never

from pipeline.scoring.results.doubts import (
    BoardNotChosen,
    CentresMissing,
    Clash,
    FinalInOtherRound,
    FinalLevel,
    FinalNotHeld,
    FinalNotMarked,
    FinalUnknown,
    GameAbandoned,
    LastSeatsOpen,
    LateShareOpen,
    NotedFact,
    NotQualified,
    OfBoard,
    OfPlayer,
    OfTeam,
    PlaceLevel,
    PowerLevel,
    RoundTooLate,
    ScoreGuessed,
    ScoringDoubt,
    SeatReplaced,
    SeveralFinals,
    SheetNotSigned,
    SoloShared,
    SoloUnfounded,
    TeamLeaver,
    TeamMet,
    TeamsUnknown,
    TeamTooLarge,
    TeamTooSmall,
    TooManyGames,
    TooManyTeams,
    TwoBoardsAgain,
    TwoBoardsAndWithdrew,
    TwoBoardsUnpriced,
    Want,
    WithdrewAgain,
    YearMissing,
    YearsContradict,
    YearsUnrecorded,
)
from pipeline.scoring.results.exact import decimal
from pipeline.scoring.results.results import Spot

NOTED = {  # what has to be entered where a tie-break misses it
    NotedFact.DISTANCE: "enter the distance from home of {missing}",
    NotedFact.CHOICE: "enter the order in which the final table chose its powers",
    NotedFact.COUNTS: "enter the centres that {missing} had after each year",
    NotedFact.LOT: "draw the names of {missing} and enter the order as lots",
}


def listed(names: Sequence[object]) -> str:
    """Join names.

    >>> listed(["Ann"]), listed(["Ann", "Bob"]), listed(["Ann", "Bob", "Cy"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and Cy')
    """
    *before, last = (str(name) for name in names)
    return f"{', '.join(before)} and {last}" if before else last


def at(spot: Spot) -> str:
    """Name a board."""
    return f"round {spot[0]}, {spot[1]}"


def wanted(want: Want) -> str:
    """Say what has to be noted for a tie-break."""
    return NOTED[want.fact].format(missing=listed(want.missing))


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
    who = listed([power.title() for power in doubt.powers])
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
    powers = listed([power.title() for power in doubt.powers])
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
    return f"{len(doubt.spots)} boards are marked as the final table: {listed([at(spot) for spot in doubt.spots])}"


@text.register
def _(doubt: FinalNotMarked) -> str:
    return f"no board of round {doubt.round} is marked as the final table, so nobody is champion; mark it"


@text.register
def _(doubt: LastSeatsOpen) -> str:
    seats = "the last seat" if doubt.seats == 1 else f"the last {doubt.seats} seats"
    how = f"; {wanted(doubt.want)}" if doubt.want else "; the rules do not say who goes first"
    return f"{listed(doubt.players)} are level for {seats}{how}"


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
    return f"{listed(doubt.want.tied)} are level; {wanted(doubt.want)}"


@text.register
def _(doubt: FinalLevel) -> str:
    return f"{listed(doubt.players)} are level; {wanted(doubt.want)}"


@text.register
def _(doubt: PowerLevel) -> str:
    how = "enter their order as lots" if doubt.want.fact is NotedFact.LOT else wanted(doubt.want)
    return f"{listed(doubt.players)} are level; {how}"


@text.register
def _(doubt: TeamTooLarge) -> str:
    return f"{doubt.found} members; the rules allow {doubt.allowed}"


@text.register
def _(doubt: TeamTooSmall) -> str:
    return f"{doubt.found} member{'s' if doubt.found != 1 else ''}; the rules ask for {doubt.needed}"


@text.register
def _(doubt: TeamMet) -> str:
    return f"{listed(doubt.players)} met in round {doubt.spot[0]} on {doubt.spot[1]}"


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
