"""What hangs on a doubt: the event is scored again with each way in which it may be settled, and the outcomes compared.

A tie that a fact would break decides what it is a tie for. All else decides a title if one of the ways gives a title,
or a seat on the final table that is still to be played, to somebody else; a place if only places differ; else nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import singledispatch

from msgspec import Struct
from msgspec.structs import replace

from pipeline.scoring import doubts
from pipeline.scoring.awards import Group, Held
from pipeline.scoring.extras import WITHDRAWAL
from pipeline.scoring.progress import FinalState
from pipeline.scoring.results import Board, Ending, Entrant, EventResults, ScoreRuling, Spot
from pipeline.scoring.score import Scored, score_again
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording

MOST_SEATS = 20_000  # scored again for all doubts of an event together: about three seconds


class Stake(StrEnum):
    """What a doubt decides; the most first."""

    TITLE = to_say("a title")
    PLACE = to_say("a place")
    NOTHING = to_say("nothing")


class WeighedDoubt(Struct, frozen=True):
    """A doubt, and what hangs on it."""

    doubt: doubts.ScoringDoubt
    stake: Stake
    titles: tuple[str, ...] = ()  # that hang on it, in the order of the ceremony
    is_early: bool = False  # a tie for something that is not over: what is still to be played may break it
    is_level_so_far: bool = False  # a tie in the standings, to be decided only if it is so after the last round


class Settlement(Struct, frozen=True):
    """Who has which title and place when doubts are settled in one way."""

    titles: Mapping[str, tuple[str, ...]]
    places: Mapping[str, int]

    @classmethod
    def of(cls, scored: Scored) -> "Settlement":
        """Collect it from a scored event; a seat at a coming final table counts as a title."""
        titles = {award.title: award.winners for award in scored.awards if award.group is not Group.SPECIAL}
        if scored.qualification and scored.progress.final is not FinalState.OVER:
            titles[to_say("a seat on the final table")] = tuple(sorted(scored.qualification.finalists))
        places = {f"player {row.player}": row.place for row in scored.standings.rows}
        places |= {f"team {row.team.name}": row.place for row in scored.teams}
        return cls(titles, places)


def weigh_doubts(scored: Scored) -> tuple[WeighedDoubt, ...]:
    """All doubts of an event, those that decide a title first, and of them those about the first titles."""
    base, left = Settlement.of(scored), MOST_SEATS
    weighed: list[WeighedDoubt] = []
    for doubt in scored.doubts:
        one = _weigh_tie(doubt, scored)
        if one is None:
            ways = list(_possible_settlements(doubt, scored.event))
            left -= len(ways) * len(scored.games)
            one = _compare_outcomes(doubt, base, ways, scored) if left >= 0 else _unmeasured_doubt(doubt, scored)
        weighed.append(replace(one, is_level_so_far=is_level_so_far(doubt, scored)))
    order = list(base.titles)  # that of the ceremony

    def urgency(one: WeighedDoubt) -> tuple[int, int]:
        first = min((order.index(title) for title in one.titles if title in order), default=len(order))
        return list(Stake).index(one.stake), first

    return tuple(sorted(weighed, key=urgency))


def is_level_so_far(doubt: doubts.ScoringDoubt, scored: Scored) -> bool:
    """Whether a doubt is a tie in the standings that another game may still break."""
    progress = scored.progress
    is_over = progress.is_over or (not progress.planned and bool(progress.over) and not progress.going_on)
    return not is_over and isinstance(doubt, doubts.PlaceLevel | doubts.PowerLevel | doubts.TitleLevel)


def list_due(weighed: Iterable[WeighedDoubt]) -> list[WeighedDoubt]:
    """The doubts that are to be settled now: the others wait for the last round."""
    return [one for one in weighed if not one.is_level_so_far]


def doubts_in_short(weighed: Sequence[WeighedDoubt], speech: Speech = IN_ENGLISH) -> str:
    """Say how many doubts are to be settled now, and what the worst of them decide."""
    due = list_due(weighed)
    if not due:
        return speech.says(to_say("nothing is to be decided yet") if weighed else to_say("nothing is in doubt"))
    many = speech.says("{count:doubt|doubts}", count=len(due))
    for stake in (Stake.TITLE, Stake.PLACE):
        if count := sum(one.stake is stake for one in due):
            sentence = to_say("{doubts}, {count:decides|decide} {stake}")
            return speech.says(sentence, doubts=many, count=count, stake=speech.says(stake))
    return many


def level_so_far_in_short(weighed: Sequence[WeighedDoubt], speech: Speech = IN_ENGLISH) -> str:
    """Say how many ties may still be broken by what is to be played; empty without any."""
    count = len(weighed) - len(list_due(weighed))
    return speech.says(LEVEL_SO_FAR, count=count) if count else ""


LEVEL_SO_FAR = to_say(
    "Level so far for an honoured place or a title: {count}, to be decided if it is so after the last round"
)


def _weigh_tie(doubt: doubts.ScoringDoubt, scored: Scored) -> WeighedDoubt | None:
    """A tie decides what it is a tie for, once that is over; None for a doubt whose ways are to be compared."""
    match doubt:
        case doubts.PlaceLevel(place=place):
            titles = [a for a in scored.awards if a.group is Group.PLACES and set(a.winners) & set(doubt.players)]
            is_titled = place <= len(scored.rules.awards.places)
            return _weigh_by_titles(doubt, [a.title for a in titles if a.held is not Held.LEADS], is_titled=is_titled)
        case doubts.FinalLevel():
            first = next((a for a in scored.awards if a.group is Group.PLACES), None)
            return _weigh_by_titles(
                doubt, [first.title] if first and first.held is not Held.LEADS else [], is_titled=True
            )
        case doubts.PowerLevel():
            title = wording(scored.rules.awards.power, power=doubt.power.capitalize())
            return _weigh_by_titles(doubt, [title] if scored.progress.is_over else [], is_titled=True)
        case doubts.TitleLevel():
            is_due = any(award.title == doubt.title and award.held is not Held.LEADS for award in scored.awards)
            return _weigh_by_titles(doubt, [doubt.title] if is_due else [], is_titled=True)
        case doubts.LastSeatsOpen():
            is_settled = scored.qualification is not None and scored.qualification.is_settled
            return _weigh_by_titles(doubt, [to_say("a seat on the final table")] if is_settled else [], is_titled=True)
        case (
            doubts.ScoreGuessed()
            | doubts.ComparisonGuessed()
            | doubts.SoloShared()
            | doubts.SoloUnfounded()
            | doubts.SoloDenied()
            | doubts.YearsUnrecorded()
            | doubts.YearsContradict()
            | doubts.BestLevel()
        ):
            return _unmeasured_doubt(doubt, scored)
        case doubts.FinalNotMarked():
            return _weigh_by_titles(doubt, list(scored.rules.awards.places[:1]), is_titled=True)
        case _:
            return None


def _weigh_by_titles(doubt: doubts.ScoringDoubt, titles: Sequence[str], *, is_titled: bool) -> WeighedDoubt:
    """A doubt decides these titles; with none it decides nothing, for what is not over is decided by what is played."""
    if not titles:
        return WeighedDoubt(doubt, Stake.NOTHING, is_early=True)
    return WeighedDoubt(doubt, Stake.TITLE if is_titled else Stake.PLACE, tuple(titles) if is_titled else ())


def _compare_outcomes(
    doubt: doubts.ScoringDoubt, base: Settlement, ways: Iterable[EventResults], scored: Scored
) -> WeighedDoubt:
    """Compare the outcomes of all ways to settle a doubt with the one that holds until then."""
    outcomes = [Settlement.of(score_again(way, scored)) for way in ways]
    names = dict.fromkeys(title for one in (base, *outcomes) for title in one.titles)
    titles = tuple(name for name in names if any(base.titles.get(name) != one.titles.get(name) for one in outcomes))
    if titles:
        return WeighedDoubt(doubt, Stake.TITLE, titles)
    return WeighedDoubt(doubt, Stake.PLACE if any(one.places != base.places for one in outcomes) else Stake.NOTHING)


def _unmeasured_doubt(doubt: doubts.ScoringDoubt, scored: Scored) -> WeighedDoubt:
    """A doubt whose ways are too many to compare, or that stands behind very many others, may decide every place."""
    titles = tuple(award.title for award in scored.awards if award.group is Group.PLACES)
    return WeighedDoubt(doubt, Stake.TITLE, titles)


@singledispatch
def _possible_settlements(doubt: doubts.ScoringDoubt, event: EventResults) -> Iterator[EventResults]:
    """Give the event as it may be with a doubt settled in each other way than the one that holds, if there are any."""
    return iter(())


def _with_board(event: EventResults, spot: Spot, change: Callable[[Board], Board | None]) -> EventResults:
    boards = (change(board) if board.spot == spot else board for board in event.boards)
    return replace(event, boards=tuple(board for board in boards if board))


def _without_game(event: EventResults, spot: Spot, player: str) -> EventResults:
    """Leave one player's game out; the board stays as it is for the others."""

    def leave(board: Board) -> Board:
        seats = {
            power: replace(seat, player=None) if seat.player == player else seat for power, seat in board.seats.items()
        }
        return replace(board, seats=seats)

    return _with_board(event, spot, leave)


def _boards_of_player(event: EventResults, player: str) -> list[Spot]:
    return [b.spot for b in event.boards if any(seat.player == player for seat in b.seats.values())]


@_possible_settlements.register
def _(doubt: doubts.GameAbandoned, event: EventResults) -> Iterator[EventResults]:
    nothing = ScoreRuling(Fraction(), "")
    yield _with_board(event, doubt.spot, lambda board: None)
    yield _with_board(
        event,
        doubt.spot,
        lambda board: replace(board, seats={p: replace(s, ruling=nothing) for p, s in board.seats.items()}),
    )


@_possible_settlements.register
def _(doubt: doubts.EndingUnknown, event: EventResults) -> Iterator[EventResults]:
    yield _with_board(event, doubt.spot, lambda board: replace(board, ended=Ending.ABANDONED))


@_possible_settlements.register
def _(doubt: doubts.DrawOfSome, event: EventResults) -> Iterator[EventResults]:
    yield _with_board(event, doubt.spot, lambda board: replace(board, left_out=frozenset()))


@_possible_settlements.register
def _(doubt: doubts.RoundTooLate, event: EventResults) -> Iterator[EventResults]:
    yield _with_board(event, doubt.spot, lambda board: None)


@_possible_settlements.register
def _(doubt: doubts.CentresMissing, event: EventResults) -> Iterator[EventResults]:
    left = doubt.total - doubt.found
    board = next(board for board in event.boards if board.spot == doubt.spot)
    for power in board.powers:
        centres = {**board.centres, power: board.centres[power] + left}
        yield _with_board(event, doubt.spot, lambda board, c=centres: replace(board, centres=c))  # type: ignore[misc]


@_possible_settlements.register
def _(doubt: doubts.YearMissing, event: EventResults) -> Iterator[EventResults]:
    board = next(board for board in event.boards if board.spot == doubt.spot)
    for alive in ((), doubt.powers, *((power,) for power in doubt.powers)):
        year = {power: int(power in alive or power not in doubt.powers) for power in board.powers}
        years = {**board.years, doubt.year: year}
        yield _with_board(event, doubt.spot, lambda board, y=years: replace(board, years=y))  # type: ignore[misc]


@_possible_settlements.register
def _(doubt: doubts.SeatReplaced, event: EventResults) -> Iterator[EventResults]:
    def to(board: Board, player: str | None) -> Board:
        seat = replace(board.seats[doubt.power], player=player, instead_of=None, arrived=None)
        return replace(board, seats={**board.seats, doubt.power: seat})

    yield _with_board(event, doubt.spot, lambda board: to(board, None))
    yield _with_board(event, doubt.spot, lambda board: to(board, board.seats[doubt.power].instead_of))


@_possible_settlements.register
def _(doubt: doubts.LateShareOpen, event: EventResults) -> Iterator[EventResults]:
    def otherwise(board: Board) -> Board:
        seat = board.seats[doubt.power]
        return replace(board, seats={**board.seats, doubt.power: replace(seat, arrived=0 if seat.arrived else 1)})

    yield _with_board(event, doubt.spot, otherwise)


@_possible_settlements.register(doubts.FinalInOtherRound)
@_possible_settlements.register(doubts.NotQualified)
@_possible_settlements.register(doubts.FinalNotHeld)
def _(
    doubt: doubts.FinalInOtherRound | doubts.NotQualified | doubts.FinalNotHeld, event: EventResults
) -> Iterator[EventResults]:
    yield _with_board(event, doubt.spot, lambda board: replace(board, is_final=False))


@_possible_settlements.register
def _(doubt: doubts.SeveralFinals, event: EventResults) -> Iterator[EventResults]:
    for only in doubt.spots:
        boards = (replace(b, is_final=b.is_final and b.spot == only) for b in event.boards)
        yield replace(event, boards=tuple(boards))


@_possible_settlements.register
def _(doubt: doubts.TwoBoardsUnpriced, event: EventResults) -> Iterator[EventResults]:
    for spot in _boards_of_player(event, doubt.player):
        if spot[0] == doubt.round:
            yield _without_game(event, spot, doubt.player)


@_possible_settlements.register
def _(doubt: doubts.BoardNotChosen, event: EventResults) -> Iterator[EventResults]:
    player = event.players.get(doubt.player) or Entrant(name=doubt.player)
    for number, board in _boards_of_player(event, doubt.player):
        if number == doubt.round:
            chosen = replace(player, chosen={**player.chosen, number: board})
            yield replace(event, players={**event.players, doubt.player: chosen})


@_possible_settlements.register
def _(doubt: doubts.TooManyGames, event: EventResults) -> Iterator[EventResults]:
    for spot in _boards_of_player(event, doubt.player):
        if spot[0] in doubt.rounds:
            yield _without_game(event, spot, doubt.player)


@_possible_settlements.register
def _(doubt: doubts.TwoBoardsAgain, event: EventResults) -> Iterator[EventResults]:
    spots = _boards_of_player(event, doubt.player)
    rounds = [number for number, _ in spots]
    yield from (_without_game(event, spot, doubt.player) for spot in spots if rounds.count(spot[0]) > 1)


@_possible_settlements.register(doubts.WithdrewAgain)
@_possible_settlements.register(doubts.TwoBoardsAndWithdrew)
def _(doubt: doubts.WithdrewAgain | doubts.TwoBoardsAndWithdrew, event: EventResults) -> Iterator[EventResults]:
    for bonus in event.bonuses:
        if bonus.player == doubt.player and bonus.kind == WITHDRAWAL:
            yield replace(event, bonuses=tuple(one for one in event.bonuses if one is not bonus))


@_possible_settlements.register
def _(doubt: doubts.OfTeam, event: EventResults) -> Iterator[EventResults]:
    yield replace(event, teams=tuple(team for team in event.teams if team.name != doubt.team))


@_possible_settlements.register
def _(doubt: doubts.TeamLeaver, event: EventResults) -> Iterator[EventResults]:
    def stays(name: str, team: str) -> bool:
        return team != doubt.team or name != doubt.player

    teams = (replace(t, members=tuple(name for name in t.members if stays(name, t.name))) for t in event.teams)
    yield replace(event, teams=tuple(teams))


@_possible_settlements.register
def _(doubt: doubts.TooManyTeams, event: EventResults) -> Iterator[EventResults]:
    for one in event.teams:
        if one.country == doubt.country:
            yield replace(event, teams=tuple(team for team in event.teams if team is not one))


@_possible_settlements.register
def _(doubt: doubts.SheetNotSigned, event: EventResults) -> Iterator[EventResults]:
    games = (replace(g, is_signed=g.is_signed or n == doubt.number) for n, g in enumerate(event.board_games, start=1))
    yield replace(event, board_games=tuple(games))
