"""Who is called, gone, seated, told and left out after any history of roll calls, goings, draws and undoings."""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from draw.draw_room import begun, event_of, names

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.players import (
    Called,
    describe_leaving,
    enter_roll_call,
    games_with_public_seats,
    mark_left,
    not_drawn,
    read_roll_call,
    rounds_with_public_seats,
    seats_of,
    sitting_out,
    standings_are_open,
    tell_seats,
)
from pipeline.desk.publish.public_record import PublicBook, find_seats, public_record
from pipeline.draw.field import NotSeated
from pipeline.draw.roster import Player
from pipeline.ledger.events import (
    ActTakenBack,
    GameEnded,
    LedgerEvent,
    PhasePublished,
    PlayerExcluded,
    PlayerNoted,
    RollCalled,
    Seated,
    SeatsTold,
    StandingsOpened,
)
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import BoardSeated, Column, DrawRecord
from pipeline.problems import ExitCode, Stopped
from pipeline.scoring.results import Ending

PEOPLE = names(10)
NUMBERS = range(1, 11)
ROUNDS = (1, 2)


class Hall(NamedTuple):
    """What the facts that stand come to, in numbers."""

    gone: set[int]
    called: dict[int, dict[int, Called]]  # by round
    draws: dict[int, list[Fact[Seated]]]
    told: dict[int, int]  # the last fact, by round
    begun: set[int]
    is_open: bool


def worked_out(facts: list[Fact[LedgerEvent]]) -> Hall:
    hall = Hall(set(), {}, {}, {}, set(), is_open=False)
    left, excluded, is_open = dict[int, bool](), set[int](), False
    for fact in facts:
        match fact.said:
            case RollCalled(round=number) as said:
                for state, who in ((Called.HERE, said.here), (Called.LATER, said.later), (Called.AWAY, said.away)):
                    hall.called.setdefault(number, {}).update((int(each), state) for each in who)
            case PlayerNoted(player=who, value=value):
                left[who] = value is True
            case PlayerExcluded(player=who):
                excluded.add(who)
            case Seated(round=number) if seated := fact.of(Seated):
                hall.draws.setdefault(number, []).append(seated)
            case SeatsTold(round=number):
                hall.told[number] = fact.number
            case GameEnded(board=board) | PhasePublished(board=board):
                hall.begun.add(int(board[0]))
            case StandingsOpened(open=value):
                is_open = value
    return hall._replace(gone=excluded | {who for who, is_gone in left.items() if is_gone}, is_open=is_open)


def happen(event: Event, dice: Random, hall: Hall) -> None:
    number, some = dice.choice(ROUNDS), dice.sample(NUMBERS, 3)
    here = [who for who in some if who not in hall.gone]
    match dice.randrange(8):
        case 0 | 1 if here:
            said: dict[Called, list[str]] = {}
            for who in here:
                said.setdefault(dice.choice((Called.HERE, Called.LATER, Called.AWAY)), []).append(PEOPLE[who - 1])
            others = dice.choice((None, None, Called.AWAY, Called.HERE))
            enter_roll_call(event, number, said, by="Tess", others=others)
        case 2:
            player = event.players[some[0] - 1]
            mark_left(event, [player.name], left=not player.left, by="Tess")
        case 3:
            event.facts.write(PlayerExcluded(player=some[0], why="rude"), "Tess")
        case 4 if number not in hall.begun:
            sits = dict(zip(Power, dice.sample(NUMBERS, 7), strict=True))
            aside, sent = ((NotSeated(player=who, why=""),) for who in dice.sample(NUMBERS, 2))
            board = BoardSeated(board="1", players=sits)
            more = [*hall.draws[number][-1].said.boards] if number in hall.draws and dice.random() < 0.4 else []
            boards = (*more, BoardSeated(board=str(len(more) + 1), players=sits)) if more else (board,)
            event.facts.write(
                Seated(round=number, boards=boards, notes=(), draw=DrawRecord(aside=aside, sent=sent)), "T"
            )
        case 5 if number in hall.draws:
            told, last = hall.told.get(number, 0), event.facts.last_number()
            assert tell_seats(event, number, "Tess").number == (told if told > since(hall.draws[number]) else last + 1)
        case 6 if dice.random() < 0.3 and number in hall.draws:
            phase = games(event)[f"{number}.1"].position.phase
            ended = GameEnded(board=f"{number}.1", phase=phase, how=Ending.TIME, why="")
            event.facts.write(dice.choice((ended, begun(event, f"{number}.1"))), "Tess")
        case _:
            event.facts.write(StandingsOpened(open=dice.random() < 0.5), "Tess")


def since(draws: list[Fact[Seated]]) -> int:
    """The draw that counts now: later ones have only added boards."""
    first = draws[0]
    for before, draw in pairwise(draws):
        if draw.said.boards[: len(before.said.boards)] != before.said.boards:
            first = draw
    return first.number


def compare_public(event: Event, hall: Hall, out: dict[int, tuple[str, ...]], book: PublicBook) -> None:
    """What everybody may see is of the rounds whose seats are public, and what is kept in memory is the same."""
    every = games(event)
    record = public_record(event, every)
    assert book.record() == record
    public = {n for n, draws in hall.draws.items() if hall.told.get(n, 0) > since(draws) or n in hall.begun}
    shown = {name: game for name, game in every.items() if game.seating.round in public}
    assert record.games == shown
    assert record.rounds == tuple(sorted(public, reverse=True))
    assert [*record.boards(2)] == [game for name, game in shown.items() if name[0] == "2"]
    assert (record.places is None) == (not hall.is_open)
    assert record.out == {number: names_ for number, names_ in out.items() if number in public and names_}
    assert sorted((seat.player, seat.board, seat.power) for seat in record.seats) == sorted(
        (name, game.name, power) for game in shown.values() for power, name in game.seating.players.items()
    )
    for name in PEOPLE:
        found, mine = find_seats(record, name.lower()), [seat for seat in record.seats if seat.player == name]
        sits_out = [number for number in public if name in out[number]]
        assert (found.seats, {*found.out}) == (tuple(mine), {(name, number) for number in sits_out})
    playing = {seat.player for seat in record.seats} | {name for names_ in record.out.values() for name in names_}
    begin_alike = [name for name in PEOPLE if name in playing and name.startswith("P0")]
    assert find_seats(record, "P0").names == (tuple(begin_alike) if len(begin_alike) > 1 else ())
    assert find_seats(record, "P").names == ()


def compare(event: Event, hall: Hall, book: PublicBook) -> None:
    sitting = dict[int, tuple[str, ...]]()
    for number in ROUNDS:
        called = hall.called.get(number, {})
        wanted = {who: Called.GONE if who in hall.gone else called.get(who, Called.NOT_YET) for who in NUMBERS}
        roll = read_roll_call(event, number)
        assert roll.called == {PEOPLE[who - 1]: state for who, state in wanted.items()}
        assert roll.is_begun == (number in hall.called)
        waiting = {PEOPLE[who - 1] for who, state in wanted.items() if state is Called.NOT_YET}
        kept_out = {PEOPLE[who - 1] for who, state in wanted.items() if state in (Called.LATER, Called.AWAY)}
        assert set(not_drawn(event, number, waiting)) == (kept_out if roll.is_begun else set())
        if waiting and roll.is_begun:
            with pytest.raises(Stopped, match=f"not called yet are {', '.join(sorted(waiting))};") as stopped:
                not_drawn(event, number, ())
            assert stopped.value.code is ExitCode.RULE_FIRST
        elif not roll.is_begun:
            assert not_drawn(event, number, ()) == ()
        if number not in hall.draws:
            with pytest.raises(Stopped, match="this round is not drawn"):
                tell_seats(event, number, "Tess")
            assert sitting_out(event, (), number) == ()
            with pytest.raises(Stopped, match="is not drawn yet"):
                seats_of(event, number)
            continue
        newest = hall.draws[number][-1].said
        sits = {who for board in newest.boards for who in board.players.values()}
        assert newest.draw is not None
        left_out = {int(each.player) for each in (*newest.draw.aside, *newest.draw.sent)}
        out = left_out | {who for who, state in wanted.items() if state is Called.HERE}
        out -= sits | {who for who, state in wanted.items() if state in (Called.GONE, Called.AWAY)}
        found = seats_of(event, number)
        sitting[number] = found.out
        assert found.out == tuple(PEOPLE[who - 1] for who in sorted(out))
        assert [(name, board, power) for name, board, power in found.by_player] == sorted(
            (PEOPLE[int(who) - 1], f"{number}.{board.board}", power)
            for board in newest.boards
            for power, who in board.players.items()
        )
    compare_public(event, hall, sitting, book)
    every = games(event)
    public = {n for n, draws in hall.draws.items() if hall.told.get(n, 0) > since(draws) or n in hall.begun}
    assert rounds_with_public_seats(event, every.values()) == public
    assert {*games_with_public_seats(event, every)} == {name for name in every if int(name[0]) in public}
    assert standings_are_open(event) == hall.is_open
    for who in NUMBERS:
        on = [n for n, g in every.items() if not g.ending and PEOPLE[who - 1] in g.seating.players.values()]
        words = f"leaves board {', '.join(on)} before its end" if on else ""
        assert describe_leaving(event, PEOPLE[who - 1]) == words


@pytest.mark.parametrize("seed", range(4))
def test_who_is_there_is_what_the_facts_come_to(tmp_path: Path, seed: int) -> None:
    dice = Random(seed)
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in PEOPLE]) as event:
        first, undone, book = event.facts.last_number(), set[int](), PublicBook(event)
        for _ in range(35):
            stands = [fact for fact in event.facts.everything(first) if fact.number not in undone]
            stands = [fact for fact in stands if not isinstance(fact.said, ActTakenBack)]
            may_go = [fact for fact in stands if not isinstance(fact.said, GameEnded | PhasePublished | Seated)]
            if may_go and dice.random() < 0.2:
                gone = dice.choice(may_go)
                undone.add(gone.number)
                event.facts.write(ActTakenBack(fact=gone.number, why=""), "Tess")
            else:
                happen(event, dice, worked_out(stands))
            stands = [fact for fact in event.facts.everything(first) if fact.number not in undone]
            compare(event, worked_out(stands), book)


def test_only_who_can_be_called_is_called(tmp_path: Path) -> None:
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in PEOPLE]) as event:
        mark_left(event, ["P02"], left=True, by="Tess")
        before = event.facts.last_number()
        for number, said, others, told in (
            (0, {Called.HERE: ["P01"]}, None, "no round 0; there are 3"),
            (4, {Called.HERE: ["P01"]}, None, "no round 4; there are 3"),
            (1, {}, None, "name who is here"),
            (1, {Called.HERE: ["P02"]}, None, "'P02' has left or is excluded"),
            (1, {Called.HERE: ["Nemo"]}, None, "nobody on the roster is called 'Nemo'"),
            (1, {Called.HERE: ["P01"], Called.AWAY: ["P01"]}, Called.AWAY, "'P01' is named under two"),
        ):
            with pytest.raises(Stopped, match=told):
                enter_roll_call(event, number, said, by="Tess", others=others)
        wrong = {
            Called.HERE: ["Nemo", "P01", "P02", "P03"],
            Called.LATER: ["P01", "Nobody"],
            Called.AWAY: ["P02", "P03"],
        }
        with pytest.raises(Stopped) as stopped:
            enter_roll_call(event, 1, wrong, by="Tess")
        assert [problem.text.split(maxsplit=1)[0] for problem in stopped.value.problems] == [
            *("nobody", "'P01'", "'P02'", "'P03'", "nobody")
        ]
        for names_, left, told in ((["P02"], True, "has left already"), (["P01"], False, "has not left")):
            with pytest.raises(Stopped, match=told):
                mark_left(event, names_, left=left, by="Tess")
        assert event.facts.last_number() == before
        said = {Called.HERE: ["P01", "P01"], Called.LATER: ["P03"]}
        roll = enter_roll_call(event, 3, said, by="Tess", others=Called.AWAY).said
        assert (roll.here, roll.later, roll.away) == ((1,), (3,), (4, 5, 6, 7, 8, 9, 10))
        noted = [fact.said.field for fact in event.facts.select(PlayerNoted)]
        assert noted == [Column.LEFT]
