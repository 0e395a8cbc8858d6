"""Who sits where after any history of draws, changes, replacements, new names and undoings: against a model in numbers.

The facts are written as they are, also where no desk would let them be: what does not fit the seats changes nothing.
"""

from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from draw.draw_room import event_of, names

from pipeline.board import Phase, Power
from pipeline.desk.drawn_round import _who_left, records_of, standings_before
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, boards_seated, seated_rounds, seated_since, seatings
from pipeline.desk.event.seating import against_two_boards
from pipeline.desk.players import list_players, read_roll_call
from pipeline.desk.sheets.printed import OldSeats
from pipeline.draw.field import NotSeated
from pipeline.draw.roster import Player
from pipeline.ledger.events import ActTakenBack, PlayerRenamed, PlayerReplaced, Seated, SeatsChanged
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import BoardSeated, DrawRecord, SeatChange
from pipeline.rules.conduct import HowOften

POWERS = (Power.AUSTRIA, Power.ENGLAND, Power.FRANCE)
PHASES = tuple(map(Phase.read, ("S1901M", "F1901M", "S1902M", "S1903M")))
PEOPLE = range(1, 10)
ALL = ("edc2023", "weaselmoot", "nzdc1999", "edc1996", "wdc2008")
Act = Seated | SeatsChanged | PlayerReplaced


class Board:
    """A board as the model has it: by power the number of who sits there; 0 is nobody."""

    def __init__(self, index: int, drawn: dict[Power, Any], draw: Seated) -> None:
        self.index, self.drawn, self.draw = index, drawn, draw
        self.now, self.earlier, self.relieved = dict(drawn), list[tuple[Power, Any, Phase]](), dict[Power, Any]()


def worked_out(acts: list[Act]) -> dict[str, Board]:
    boards: dict[str, Board] = {}
    for said in acts:
        match said:
            case Seated():
                before = boards
                boards = {name: board for name, board in before.items() if name[0] != str(said.round)}
                for index, each in enumerate(said.boards):
                    name = f"{said.round}.{each.board}"
                    new, old = Board(index, dict(each.players), said), before.get(name)
                    if old and old.drawn == new.drawn:  # nothing is new there: what came since stays
                        new.now, new.earlier, new.relieved = old.now, old.earlier, old.relieved
                    boards[name] = new
            case SeatsChanged(changes=changes):
                fits = all(
                    each.board in boards and boards[each.board].now.get(each.power) == each.before for each in changes
                )
                for change in changes if fits else ():
                    board = boards[change.board]
                    others = [b for n, b in boards.items() if n[0] == change.board[0] and b is not board]
                    board.now[change.power] = change.player
                    board.relieved.pop(change.power, None)
                    if len(changes) == 1 and change.before and any(change.before in b.now.values() for b in others):
                        board.relieved[change.power] = change.before
            case PlayerReplaced(board=name, power=power):
                if name in boards and boards[name].now.get(power) == said.before:
                    boards[name].earlier.append((power, said.before, said.phase))
                    boards[name].now[power] = said.player
    return boards


def drawn(dice: Random, number: int, before: Seated | None) -> Seated:
    """A draw of two boards or three; often the first board, or all boards, are those of the draw before."""
    boards = tuple(
        BoardSeated(board=str(place), players=dict(zip(POWERS, dice.sample(PEOPLE, 3), strict=True)))
        for place in range(1, dice.choice((3, 4)))
    )
    if before and dice.random() < 0.6:
        boards = before.boards[: dice.choice((1, 3))] + boards[1 : dice.choice((1, 2, 3))]
    aside = tuple(NotSeated(player=who, why="") for who in dice.sample(PEOPLE, 2))
    sent = tuple(NotSeated(player=who, why="") for who in dice.sample(PEOPLE, 1))
    return Seated(round=number, boards=boards, notes=(), draw=DrawRecord(aside=aside, sent=sent))


def anything(dice: Random, boards: dict[str, Board], last: dict[int, Seated]) -> Act:
    """Something that happens to the seats, which mostly fits them."""
    if not boards or dice.random() < 0.2:
        number = dice.choice((1, 2))
        return drawn(dice, number, last.get(number))
    seats = [(name, power, who) for name, board in boards.items() for power, who in board.now.items()]
    name, power, who = dice.choice(seats)
    other = dice.choice([0, *PEOPLE])
    if dice.random() < 0.1:
        who = other
    match dice.randrange(3):
        case 0:
            return PlayerReplaced(why="", board=name, power=power, phase=dice.choice(PHASES), player=other, before=who)
        case 1:
            change = SeatChange(board=name, power=power, player=other, before=who)
            return SeatsChanged(why="", changes=(change,))
        case _:
            there, yours, whose = dice.choice([each for each in seats if each[:2] != (name, power)])
            one = SeatChange(board=name, power=power, player=whose, before=who)
            return SeatsChanged(why="", changes=(one, SeatChange(board=there, power=yours, player=who, before=whose)))


def compare(event: Event, boards: dict[str, Board], found: dict[str, Seating]) -> None:
    called = event.people.name_of
    assert list(found) == sorted(found, key=lambda name: (found[name].round, found[name].index))
    assert {name: (each.index, each.name) for name, each in found.items()} == {
        name: (board.index, name) for name, board in boards.items()
    }
    for name, seating in found.items():
        board = boards[name]
        assert seating.players == {power: called(who) for power, who in board.now.items()}
        assert [(e.power, e.player, e.until) for e in seating.earlier] == [
            (p, called(w), u) for p, w, u in board.earlier
        ]
        assert seating.relieved == {power: called(who) for power, who in board.relieved.items()}
        everybody = {called(who) for who in (*board.now.values(), *(who for _, who, _ in board.earlier)) if who}
        assert set(seating.everybody) == everybody
        assert len(seating.everybody) == len(everybody)
        for power, who in board.now.items():
            gone = [(before, until) for p, before, until in board.earlier if p is power]
            assert seating.first_players[power] == called(gone[0][0] if gone else who)
            assert seating.last_players[power] == called(who or (gone[-1][0] if gone else 0))
            for phase in PHASES:
                until = [before for before, end in gone if phase.sort_key < end.sort_key]
                assert seating.player_at(power, phase) == called(until[0] if until else who)
        left = {(power, who) for power, who, _ in board.earlier if who and called(who) != seating.last_players[power]}
        assert set(_who_left(seating)) == {(power, called(who)) for power, who in left}


def compare_records(event: Event, boards: dict[str, Board], draws: dict[int, Seated]) -> None:
    """What a third round must know of everybody."""
    records = records_of(event, 3, standings_before(event, 3))
    listed = {each.player.number: each.boards for each in list_players(event)}
    for who in PEOPLE:
        record, sat = records[event.people.name_of(who)], dict[str, int]()
        for name, board in boards.items():
            if who in (*board.now.values(), *(before for _, before, _ in board.earlier)):
                sat[name] = int(name[0])
        rounds = [*sat.values()]
        assert (record.rounds, record.doubled) == (len({*rounds}), sum(rounds.count(number) > 1 for number in (1, 2)))
        asides = [number for number, said in draws.items() if said.draw and who in [e.player for e in said.draw.aside]]
        assert record.aside == sum(number not in rounds for number in asides)
        assert record.sent == sum(
            who in [each.player for each in said.draw.sent] for said in draws.values() if said.draw
        )
        assert {each.split()[0] for each in listed[who]} == {*sat}


def played_out(event: Event, boards: dict[str, Board], number: int) -> set[str]:
    """Who has played all the games, or all the rounds, that the rules allow before a round."""
    most, limit = event.tournament.draw.rounds_most.value, event.tournament.scoring.totals.most_games
    found = set[str]()
    for who in PEOPLE:
        sat = [
            int(name[0])
            for name, board in boards.items()
            if who in (*board.now.values(), *(before for _, before, _ in board.earlier)) and int(name[0]) < number
        ]
        has_all_games = limit and number in limit.rounds and sum(each in limit.rounds for each in sat) >= limit.games
        has_all_rounds = most is not None and number < event.tournament.rounds and len({*sat}) >= most
        found |= {event.people.name_of(who)} if has_all_games or has_all_rounds else set()
    return found


def is_asked(event: Event, boards: dict[str, Board], draws: dict[int, Seated], who: int, room: tuple[int, str]) -> str:
    """Why somebody is asked about who sits down at one board more: a part of the question; nothing: he may."""
    now = {name: int(name[0]) for name, board in boards.items() if who in board.now.values()}
    there = [name for name, number in now.items() if number == room[0] and name != f"{room[0]}.{room[1]}"]
    elsewhere = [number for number in now.values() if number != room[0]]
    rule = event.tournament.conduct.two_boards_often
    aside = {number for number, said in draws.items() if said.draw and who in [e.player for e in said.draw.aside]}
    is_second = len(elsewhere) > len({*elsewhere}) or bool(aside - {room[0], *elsewhere})
    if not there:
        return ""
    if len(there) > 1:
        return f"plays on {' and '.join(there)} in this round, too, which makes {len(there) + 1} boards"
    if rule.asks:
        return f"plays on {there[0]} in this round, too; the rules do not say"
    return "has played on two boards or withdrawn before" if rule.value is HowOften.ONCE and is_second else ""


@pytest.mark.parametrize("seed", range(7))
def test_who_sits_where_is_what_the_facts_come_to_in_numbers(tmp_path: Path, seed: int) -> None:
    dice, acts, undone = Random(seed), list[Fact[Act]](), dict[int, int]()
    with event_of(tmp_path, ALL[seed % 5], [Player(name=name) for name in names(9)]) as event:
        assert [event.people.number_of(name, "") for name in names(9)] == [*PEOPLE]
        for step in range(40):
            standing = [fact for fact in acts if fact.number not in undone]
            if standing and dice.random() < 0.2:
                gone = dice.choice(standing)
                undone[gone.number] = event.facts.write(ActTakenBack(fact=gone.number, why=""), "Tess").number
            elif dice.random() < 0.1:
                who = dice.choice(PEOPLE)
                was = f"P{who:02}"
                event.facts.write(PlayerRenamed(player=who, name=f"N{who} {step}", was=was, why=""), "Tess")
            else:
                last = {fact.said.round: fact.said for fact in standing if isinstance(fact.said, Seated)}
                said = anything(dice, worked_out([fact.said for fact in standing]), last)
                acts.append(event.facts.write(said, "Tess"))
            standing = [fact for fact in acts if fact.number not in undone]
            boards = worked_out([fact.said for fact in standing])
            compare(event, boards, seatings(event))
        draws = {fact.said.round: fact.said for fact in standing if isinstance(fact.said, Seated)}
        assert {number: fact.said.boards for number, fact in seated_rounds(event).items()} == {
            number: tuple(
                BoardSeated(board=each.board, players={p: event.people.name_of(w) for p, w in each.players.items()})
                for each in said.boards
            )
            for number, said in draws.items()
        }
        compare_records(event, boards, draws)
        for number in (1, 2, 3, 4):
            assert {*read_roll_call(event, number).warnings} == played_out(event, boards, number)
        for who, number, name in product(PEOPLE, (1, 2, 3), "123"):
            why = is_asked(event, boards, draws, who, (number, name))
            asked = against_two_boards(event, number, name, event.people.name_of(who))
            assert (why in asked, bool(asked)) == (True, bool(why))
        for then in range(1, event.facts.last_number()):
            known = [f.said for f in acts if f.number <= then and undone.get(f.number, then + 1) > then]
            compare(
                event, worked_out(known), dict(sorted(boards_seated(event, event.people, then).items(), key=by_place))
            )
        for number, since in seated_since(event).items():
            of_round = [
                (f.number, f.said.boards) for f in standing if isinstance(f.said, Seated) and f.said.round == number
            ]
            older, newest = [boards for at, boards in of_round if at <= since], of_round[-1][1]
            assert older[-1] == newest[: len(older[-1])]
            stood = older[-2] if len(older) > 1 else ()
            assert not stood or older[-1][: len(stood)] != stood  # it was no draw that only adds boards


def by_place(each: tuple[str, Seating]) -> tuple[int, int]:
    return each[1].round, each[1].index


def firsts(event: Event, boards: dict[str, Board]) -> dict[tuple[str, Power], str]:
    """Who was to write the first orders of each seat."""
    found = {}
    for name, board in boards.items():
        for power, who in board.now.items():
            gone = [before for p, before, _ in board.earlier if p is power]
            found[name, power] = event.people.name_of(gone[0] if gone else who)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_paper_is_old_once_its_seat_has_somebody_else_and_good_if_a_hand_gave_it_to_who_stood_by(
    tmp_path: Path, seed: int
) -> None:
    dice, acts, undone = Random(seed), list[Fact[Act]](), dict[int, int]()
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in names(9)]) as event:
        then = {event.facts.last_number(): firsts(event, {})}  # by fact: who has which seat after it
        for _ in range(30):
            standing = [fact for fact in acts if fact.number not in undone]
            may_go = [fact for fact in standing if not isinstance(fact.said, PlayerReplaced)]
            if may_go and dice.random() < 0.2:
                gone = dice.choice(may_go)
                undone[gone.number] = event.facts.write(ActTakenBack(fact=gone.number, why=""), "Tess").number
            else:
                last = {fact.said.round: fact.said for fact in standing if isinstance(fact.said, Seated)}
                acts.append(event.facts.write(anything(dice, worked_out([f.said for f in standing]), last), "Tess"))
            standing = [fact for fact in acts if fact.number not in undone]
            then[event.facts.last_number()] = firsts(event, worked_out([fact.said for fact in standing]))
        old, now, by_hand = (
            OldSeats.of(event),
            [*then.values()][-1],
            {f.number for f in acts if isinstance(f.said, SeatsChanged)},
        )
        for number, seat in product(then, {seat for each in then.values() for seat in each}):
            before = [each.get(seat) for at, each in then.items() if at < number]
            known = [name for name in before if name is not None]
            was = (before[-1] or "") if known else None
            assert old.player_at(seat, number) == was
            assert old.player_now(seat) == now.get(seat, "")
            assert old.is_old(*seat, number) == (was is not None and was != now.get(seat, ""))
            changes = [
                at
                for (_, one), (at, other) in pairwise(then.items())
                if at > number and one.get(seat, "") != other.get(seat, "")
            ]
            there = {name for (board, _), name in now.items() if board[0] == seat[0][0]}
            if known and number in then:
                is_good = {*changes} <= by_hand and (not was or was not in there)
                assert old.is_good(seat, number) == is_good, (seat, number)
