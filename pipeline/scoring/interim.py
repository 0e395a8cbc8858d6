"""Results as they were at a moment of the event: after a round, or after a Fall within it."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from pipeline.scoring.results import Board, Ending, EventResults, Seat
from pipeline.scoring.rules import StandingsMoment

SPRING_1901, A_YEAR = 1901, 2  # two seasons a year, counted from Spring 1901 as 1


def at_moment(event: EventResults, moment: StandingsMoment) -> EventResults:
    """The results as they were at a moment: no later round, and of the round itself no later year.

    ``event`` has the boards that go on, too, as they stand: at a moment within a round they count with their last
    count until then. Penalties and bonuses of no round count.
    """
    then = {
        board.spot: _board_then(board, moment, is_over=board.spot not in event.going_on)
        for board in event.boards
        if board.round <= moment.round
    }
    known = {board.spot: board for board in event.boards}
    split = {spot for spot, board in then.items() if board is not known[spot]}
    counts = {spot: board for spot, board in then.items() if spot in split or spot not in event.going_on}
    return replace(
        event,
        boards=tuple(board for board in counts.values() if board is not None),
        going_on=frozenset(split | {spot for spot in event.going_on if spot[0] <= moment.round}),
        penalties=tuple(one for one in event.penalties if one.round is None or one.round <= moment.round),
        bonuses=tuple(one for one in event.bonuses if one.round is None or one.round <= moment.round),
        year=moment.year if split else None,
        published=None,
    )


def _board_then(board: Board, moment: StandingsMoment, *, is_over: bool) -> Board | None:
    """A board with what was known at a moment: itself if it was over; None if no count until then is recorded."""
    year = moment.year
    if year is None or board.round != moment.round:
        return board
    if is_over and board.years and max(board.years) <= year:
        return board
    years = {number: counts for number, counts in board.years.items() if number <= year}
    if not years:
        return None
    centres = {power: years[max(years)].get(power, 0) for power in board.centres}
    return replace(
        board,
        seats={power: _seat_then(seat, year) for power, seat in board.seats.items()},
        centres=centres,
        years=years,
        ended=Ending.UNSTATED,
        overruled=(),
        left_out=frozenset(),
        unowned=board.total - sum(centres.values()),
    )


def _seat_then(seat: Seat, year: int) -> Seat:
    """Who had a seat after the Fall of a year; a ruling on its score is later."""
    season = A_YEAR * (year - SPRING_1901 + 1)
    if not seat.replaced_player or (seat.arrived or 0) <= season:
        return replace(seat, ruling=None)
    came = [each for each in seat.between if each.arrived <= season]
    if not came:
        return Seat(player=seat.instead_of)
    *before, last = came
    return Seat(player=last.player, instead_of=seat.instead_of, between=tuple(before), arrived=last.arrived)


def moments_reached(event: EventResults, moments: Iterable[StandingsMoment]) -> Iterator[StandingsMoment]:
    """The moments that have come: their round is over, or all its boards have played the year."""
    for moment in moments:
        boards = [board for board in event.boards if board.round == moment.round]
        known = {board.spot for board in boards}
        waits = {spot for spot in event.going_on if spot[0] == moment.round}
        if moment.year is None:
            has_come = bool(boards) and not waits
        else:
            behind = [board for board in boards if board.spot in waits and max(board.years, default=0) < moment.year]
            has_come = bool(boards) and waits <= known and not behind
        if has_come:
            yield moment
