"""What counts of any history of notes on people and seats: of two on the same the newer, none that was taken back."""

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from draw.draw_room import event_of, names

from desk.event.test_seat_histories import PEOPLE, POWERS, Board, anything, worked_out
from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.results.results import event_results
from pipeline.draw.roster import Player
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact
from pipeline.scoring.results import Between, Bonus, Entrant, Honour, Penalty, ScoreRuling, Seat

ACTS = events.Seated | events.SeatsChanged | events.PlayerReplaced
CALLED = ("", *names(9))
Notes = list[Fact[events.NoteEntered]]


def note(dice: Random, boards: dict[str, Board]) -> events.NoteEntered:
    """A note on somebody, or on a seat, which is mostly about who sits there."""
    who, number, why = dice.choice(PEOPLE), dice.choice((1, 2, None)), f"why {dice.randrange(99)}"
    points = dice.choice((None, "2.5", "1/3", "0"))
    name, power = dice.choice([(name, power) for name in boards for power in POWERS])
    sits = boards[name].now[power] if dice.random() < 0.8 else dice.choice([0, *PEOPLE])
    times = dice.choice((1, 3))
    chosen = events.BoardChosen(player=who, round=int(name[0]), board=name, both=dice.random() < 0.3, why=why)
    return dice.choice(
        (
            events.PenaltyEntered(player=who, kind="rude", points=points, times=times, round=number, why=why),
            events.BonusEntered(player=who, kind="beauty", points=points, round=number, why=why),
            events.AwardGiven(player=who, award="best", why=why),
            events.PlayerExcluded(player=who, why=why),
            events.PreregistrationEntered(player=who, rounds=tuple(dice.sample((1, 2, 3), 2)), why=why),
            chosen,
            chosen,
            events.ScoreRuled(board=name, power=power, player=sits, score=points or "7", why=why),
            events.ScoreRuled(board=name, power=power, player=sits, score="1", why=why),
            events.LateStartEntered(board=name, power=power, player=sits, season=dice.randrange(9), why=why),
            events.LotsDrawn(players=tuple(dice.sample(PEOPLE, 2)), why=why),
        )
    )


def exact(points: str | None) -> Fraction | None:
    return None if points is None else Fraction(points)


def entrant(who: int, notes: Notes) -> Entrant:
    mine: list[Any] = [fact.said for fact in notes if getattr(fact.said, "player", None) == who]
    chosen, both, rounds = dict[int, str](), set[int](), frozenset[int]()
    for said in mine:
        match said:
            case events.BoardChosen(round=number, both=True):
                chosen.pop(number, None)
                both.add(number)
            case events.BoardChosen(round=number, board=board):
                chosen[number] = board[2:]
                both.discard(number)
            case events.PreregistrationEntered():
                rounds = frozenset(said.rounds)
    is_excluded = any(isinstance(said, events.PlayerExcluded) for said in mine)
    return Entrant(name=CALLED[who], is_excluded=is_excluded, preregistered=rounds, chosen=chosen, both=frozenset(both))


def seat(name: str, power: Power, board: Board, notes: Notes) -> Seat:
    earlier = [(who, until.season_number) for p, who, until in board.earlier if p is power]
    people = [who for who, _ in earlier if who]
    here = board.now[power] or (earlier[-1][0] if earlier else 0)
    mine = [fact.said for fact in notes if getattr(fact.said, "board", "") == name]
    rulings = [said for said in mine if isinstance(said, events.ScoreRuled) and said.power is power][-1:]
    arrivals = [said for said in mine if isinstance(said, events.LateStartEntered) and said.power is power][-1:]
    ruled = [ScoreRuling(Fraction(said.score), said.why) for said in rulings if said.player == here]
    arrived = [said.season for said in arrivals if said.player == here]
    between, is_first = list[Between](), True
    for place, (who, _) in enumerate(earlier):
        if who and not is_first:
            between.append(Between(CALLED[who], earlier[place - 1][1]))
        is_first = is_first and not who
    return Seat(
        player=CALLED[board.now[power]] or None,
        instead_of=CALLED[people[0]] if people else None,
        between=tuple(between),
        arrived=arrived[0] if arrived else earlier[-1][1] if earlier else None,
        ruling=ruled[0] if ruled else None,
        is_arrival_noted=bool(arrived),
        relieved=CALLED[board.relieved[power]] if power in board.relieved else None,
    )


def compare(event: Event, boards: dict[str, Board], notes: Notes) -> None:
    found, said = event_results(event, running=True), [fact.said for fact in notes]
    assert [*found.penalties] == [
        Penalty(
            player=CALLED[n.player], kind=n.kind, points=exact(n.points), times=n.times, round=n.round, reason=n.why
        )
        for n in said
        if isinstance(n, events.PenaltyEntered)
    ]
    assert [each for each in found.bonuses if each.kind == "beauty"] == [
        Bonus(player=CALLED[n.player], kind=n.kind, points=exact(n.points), round=n.round, reason=n.why)
        for n in said
        if isinstance(n, events.BonusEntered)
    ]
    awards = [n for n in said if isinstance(n, events.AwardGiven)]
    assert [*found.honours] == [Honour(award=n.award, player=CALLED[n.player], why=n.why) for n in awards]
    lots = [n.players for n in said if isinstance(n, events.LotsDrawn)][::-1]
    newest = [
        lot for place, lot in enumerate(lots) if set(lot).isdisjoint(who for each in lots[:place] for who in each)
    ]
    assert [*found.lots] == [tuple(CALLED[who] for who in lot) for lot in newest]
    assert found.players == {CALLED[who]: entrant(who, notes) for who in PEOPLE}
    assert {f"{each.round}.{each.name}": dict(each.seats) for each in found.boards} == {
        name: {power: seat(name, power, board, notes) for power in board.now} for name, board in boards.items()
    }
    assert not event_results(event).boards  # of games that are over


@pytest.mark.parametrize("seed", range(4))
def test_of_two_notes_on_the_same_the_newer_counts_and_none_that_was_taken_back(tmp_path: Path, seed: int) -> None:
    dice, undone = Random(seed), set[int]()
    with event_of(tmp_path, "edc2023", [Player(name=name) for name in names(9)]) as event:
        first = event.facts.last_number()
        for _ in range(50):
            stands = [fact for fact in event.facts.everything(first) if fact.number not in undone]
            acts = [said for fact in stands if isinstance(said := fact.said, ACTS)]
            notes = [n for each in stands if (n := each.of(events.NoteEntered)) and not isinstance(n.said, ACTS)]
            boards = worked_out(acts)
            compare(event, boards, notes)
            if stands and dice.random() < 0.15:
                gone = dice.choice([fact for fact in stands if not isinstance(fact.said, events.ActTakenBack)])
                undone.add(gone.number)
                event.facts.write(events.ActTakenBack(fact=gone.number, why=""), "Tess")
            elif not boards or dice.random() < 0.3:
                drawn = {said.round: said for said in acts if isinstance(said, events.Seated)}
                event.facts.write(anything(dice, boards, drawn), "Tess")
            else:
                event.facts.write(note(dice, boards), "Tess")
