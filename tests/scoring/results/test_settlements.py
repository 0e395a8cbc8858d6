"""In which other ways a doubt may be settled: what is compared to see what hangs on it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import fields, replace

from pipeline.board import Power
from pipeline.scoring.results import Board, Entrant, EventResults, Seat
from pipeline.scoring.score import score
from pipeline.scoring.stakes import _possible_settlements
from scoring.played import event, ruled, rules
from scoring.results.test_doubts import CAUSES

SETTLED = {
    "game abandoned": [  # it is left out, or brings nothing
        "no board A in round 1",
        "; ".join(f"1 A: {power} {player}, ruled 0" for power, player in zip(Power, "abcdefg", strict=True)),
    ],
    "ending unknown": ["1 A: ended abandoned"],
    "draw of some": ["1 A: left out: nobody"],
    "round too late": ["no board A in round 4"],
    "centres missing": [  # any of them may own all six
        f"1 A: {power} has {owned + 6}" for power, owned in zip(Power, (9, 8, 5, 3, 2, 1, 0), strict=True)
    ],
    "year missing": [  # neither Russia nor Turkey was alive in 1905, or both, or one
        f"1 A: 1905 {[1, 1, 1, 1, 1, russia, turkey]}" for russia, turkey in ((0, 0), (1, 1), (1, 0), (0, 1))
    ],
    "seat replaced": ["1 A: AUSTRIA nobody", "1 A: AUSTRIA z"],
    "late share": ["1 A: AUSTRIA a, arrived 0"],
    "final in other round": ["3 top: no final table"],
    "not qualified": ["4 top: no final table"],
    "final not held": ["4 top: no final table"],
    "several finals": ["4 other: no final table", "4 top: no final table"],
    "two boards": ["1 A: AUSTRIA nobody", "1 B: AUSTRIA nobody"],
    "board not chosen": ["a chose {1: 'A'}", "a chose {1: 'B'}"],
    "too many games": [f"{number} A: AUSTRIA nobody, ruled 9" for number in (1, 2, 3, 4)],
    "two boards again": [f"{number} {name}: AUSTRIA nobody, ruled 9" for number in (1, 2) for name in "AB"],
    "withdrew again": ["no withdrawal of a"] * 2,
    "two boards and withdrew": ["no withdrawal of a"],
    "team too large": ["no team Owls"],
    "team too small": ["no team Owls"],
    "team met": ["no team Owls"],
    "team leaver": ["Owls are Owls1, Owls2"],
    "too many teams": [f"no team S{number}" for number in range(4)],
    "sheet not signed": ["Shark signed"],
}


def changes(before: EventResults, after: EventResults) -> str:
    """Say what is another in an event."""
    return "; ".join(_changes(before, after)) or "nothing"


def _changes(before: EventResults, after: EventResults) -> Iterator[str]:
    there = {board.spot: board for board in after.boards}
    for board in before.boards:
        if board.spot not in there:
            yield f"no board {board.name} in round {board.round}"
        else:
            yield from _board_changes(board, there[board.spot])
    for name, player in after.players.items():
        if before.players.get(name) != player:
            yield f"{name} chose {dict(player.chosen)}"
    yield from (f"no {one.kind} of {one.player}" for one in before.bonuses if one not in after.bonuses)
    teams = {team.name: team for team in after.teams}
    for team in before.teams:
        if team.name not in teams:
            yield f"no team {team.name}"
        elif teams[team.name] != team:
            yield f"{team.name} are {', '.join(teams[team.name].members)}"
    for sheet, other in zip(before.board_games, after.board_games, strict=True):
        if sheet != other:
            yield f"{sheet.game} signed"


def _board_changes(before: Board, after: Board) -> Iterator[str]:
    where = f"{before.round} {before.name}"
    for each in fields(Board):
        old, new = getattr(before, each.name), getattr(after, each.name)
        if old == new:
            continue
        if each.name == "seats":
            yield from (f"{where}: {p} {_seat(seat)}" for p, seat in new.items() if seat != old[p])
        elif each.name == "years":
            yield from (f"{where}: {y} {list(counts.values())}" for y, counts in new.items() if old.get(y) != counts)
        elif each.name == "centres":
            yield from (f"{where}: {power} has {owned}" for power, owned in new.items() if owned != old[power])
        elif each.name == "left_out":
            yield f"{where}: left out: {', '.join(new) or 'nobody'}"
        else:
            yield f"{where}: no final table" if each.name == "is_final" else f"{where}: {each.name} {new}"


def _seat(seat: Seat) -> str:
    ruled = f", ruled {seat.ruling.score}" if seat.ruling else ""
    arrived = "" if seat.arrived is None else f", arrived {seat.arrived}"
    return f"{seat.player or 'nobody'}{ruled}{arrived}"


@pytest.mark.parametrize("code", CAUSES)
def test_a_doubt_may_be_settled_in_these_ways(code: str) -> None:
    one = CAUSES[code]()
    doubt = next(each for each in one.doubts if each.code == code)
    assert [changes(one.event, way) for way in _possible_settlements(doubt, one.event)] == SETTLED.get(code, [])


@pytest.mark.parametrize("km", [5, None])
def test_who_chooses_a_board_is_the_same_person_and_may_be_known_by_name_only(km: int | None) -> None:
    boards = [*(ruled(n, {"a": 9}) for n in (1, 2, 3, 4)), ruled(1, {"a": 8}, name="B")]
    whole = event(*boards, players=[Entrant(name="a", distance_km=km)])
    known = whole if km else replace(whole, players={})
    doubt = next(each for each in score(whole, rules("edc2023")).doubts if each.code == "board not chosen")
    ways = [way.players["a"] for way in _possible_settlements(doubt, known)]
    assert [(one.distance_km, dict(one.chosen)) for one in ways] == [(km, {1: "A"}), (km, {1: "B"})]
