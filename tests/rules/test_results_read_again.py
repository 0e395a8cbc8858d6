"""Results that are written down as a document and read again are the same: no field of any of them is lost."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace
from workbook.events import invent
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

from pipeline.rules.noted_results import read_results
from pipeline.scoring.extras import WITHDRAWAL
from pipeline.scoring.results import Board, Bonus, Ending, Entrant, EventResults, Honour, RatingBallot, Seat


def as_read(event: EventResults, tournament: str) -> EventResults:
    """An invented event with what a document says of one, and without what it refuses."""
    priced = {rule.kind for rule in rules_of(tournament).penalties}
    names = [*event.players]
    others = [
        Entrant(name=name) for board in event.boards for seat in board.seats.values() if (name := seat.instead_of)
    ]
    first, second, *rest = event.players.values()
    withdrew = [
        Bonus(player=name, kind=WITHDRAWAL, round=2)
        for name in names
        if name not in {seat.player for board in event.boards if board.round == 2 for seat in board.seats.values()}
    ]
    roster = [replace(first, has_left=True), replace(second, is_excluded=True), *rest, *others]
    return replace(
        event,
        boards=tuple(map(board_as_read, event.boards)),
        players={player.name: player for player in roster},
        penalties=tuple(
            each if each.points or each.kind in priced else replace(each, points=2, round=1, reason="seen by all")
            for each in event.penalties
        ),
        bonuses=(
            *(withdrew if rules_of(tournament).bonuses.withdrawal else ()),
            *(replace(each, points=each.points or 3) for each in event.bonuses if each.kind == "nice hat"),
        ),
        board_games=tuple(
            game
            for game in event.board_games
            if (games := rules_of(tournament).board_games) and sum(map(len, game.places)) in games.points
        ),
        honours=(
            Honour(award="Best Hat", player=names[0], why="feathers"),
            Honour(award="Second Hat", player=names[1]),
        ),
        ballots=tuple(each for each in event.ballots if each.votes),
        going_on=frozenset(board.spot for board in event.boards[-1:]),
    )


def board_as_read(board: Board) -> Board:
    left_out = board.left_out or frozenset([power for power, owned in board.centres.items() if owned][1:2])
    ended = Ending.VOTE if board.ended is Ending.UNSTATED and board.round == 1 else board.ended
    return replace(
        board,
        seats={power: replace(seat, is_arrival_noted=seat.instead_of is None) for power, seat in board.seats.items()},
        years={year: counts for year, counts in board.years.items() if sum(counts.values()) <= board.total},
        left_out=left_out if ended is Ending.VOTE else frozenset(),
        says_draw=ended is Ending.VOTE,
        ended=ended,
    )


def document_of(event: EventResults) -> dict[str, Any]:
    return {
        "players": [
            {
                "name": one.name, "director": one.is_director, "excluded": one.is_excluded, "left": one.has_left,
                "distance_km": one.distance_km, "preregistered": sorted(one.preregistered),
            }
            for one in event.players.values()
        ],
        "rounds": [
            {
                "number": number,
                "boards": [
                    document_of_board(board) | {"going_on": board.spot in event.going_on}
                    for board in event.boards
                    if board.round == number
                ],
            }
            for number in event.rounds
        ],
        "penalties": event.penalties,
        "withdrawals": [{"player": each.player, "round": 2} for each in event.bonuses if each.kind == WITHDRAWAL],
        "bonuses": [each for each in event.bonuses if each.kind != WITHDRAWAL],
        "teams": [{"team": team.name, "members": team.members, "country": team.country} for team in event.teams],
        "votes": [{"player": each.player, each.skill: each.grades} for each in event.ballots],
        "board_games": [
            {"game": game.game, "places": game.places, "signed": game.is_signed}
            for game in event.board_games
        ],
        "awards": event.honours,
        "lots": event.lots,
    }  # fmt: skip


def document_of_board(board: Board) -> dict[str, Any]:
    drawn = [power for power, owned in board.centres.items() if owned and power not in board.left_out]
    result = {"centers": board.centres, "years": board.years, "unowned": board.unowned, "ended": board.ended}
    return {
        "board": board.name,
        "result": result | ({"draw": drawn} if board.says_draw else {}),
        "players": {power: document_of_seat(seat) for power, seat in board.seats.items()},
        "final": board.is_final,
        "pool": board.pool,
        "variant": "standard" if len(board.seats) == 7 else "sandard",
        "chose": board.chose,
        "rulings": [
            {"power": power, "score": seat.ruling.score, "why": seat.ruling.why}
            for power, seat in board.seats.items()
            if seat.ruling
        ],
    }


def document_of_seat(seat: Seat) -> Mapping[str, Any]:
    return {"player": seat.player, "instead_of": seat.instead_of, "arrived": seat.arrived}


def votes_one_by_one(event: EventResults) -> Iterator[Mapping[str, Any]]:
    """The votes that were counted, each for itself, in the two ways to write one."""
    for each in event.ballots:
        for grade, often in each.grades.items():
            for number in range(often):
                vote = {each.skill: grade} if number % 2 else {"skill": each.skill, "grade": grade}
                yield {"to": each.player, **vote}


def counted(ballot: RatingBallot) -> RatingBallot:
    return replace(ballot, grades={grade: often for grade, often in ballot.grades.items() if often})


@pytest.mark.parametrize("tournament", TOURNAMENTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_written_down_is_read_again(tournament: str, seed: int) -> None:
    event = as_read(invent(seed, wishes_for(tournament, seed)), tournament)

    document = json.decode(json.encode(document_of(event), enc_hook=str))
    found, unread = read_results(document, rules_of(tournament))

    assert unread == ()
    for part in EventResults.__struct_fields__:
        assert getattr(found, part) == getattr(event, part)
    found, unread = read_results(document | {"votes": [*votes_one_by_one(event)]}, rules_of(tournament))
    assert unread == ()
    assert [*map(counted, found.ballots)] == [*map(counted, event.ballots)]
