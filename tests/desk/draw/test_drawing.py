"""What has used a round's seats since a draw: random histories of two rounds against a list of what happened."""

from pathlib import Path
from random import Random

import pytest
from draw.draw_room import event_of, names
from draw.players.test_draw_choice import printed
from msgspec.structs import replace

from desk.cup import clock
from pipeline.board import FIRST_PHASE, Power
from pipeline.desk.draw_request import Request, read_choice, read_wishes, with_full_names
from pipeline.desk.drawing import _later_rounds, draw_round
from pipeline.desk.drawn_again import _in_use, seat_drawn
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import seatings
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.ruling.rulings import type_lines
from pipeline.draw.field import RoundDecisions, Turnout
from pipeline.draw.roster import Player, full_name
from pipeline.draw.task import Answers
from pipeline.ledger.events import ActTakenBack, SeatsChanged
from pipeline.ledger.parts import SeatChange
from pipeline.problems import ExitCode, Stopped
from pipeline.rules.tournament import Aim, Wish

NEW, TRIOS = Aim.NEW_OPPONENTS, Aim.TRIOS_APART
SWAPPED, PRINTED, TAKEN = "its seats were changed by hand", "its sheets were printed", "orders of board {}.1 were taken"


def swap(event: Event, number: int) -> int:
    """Two who sit at the first board of a round change places."""
    board = f"{number}.1"
    sits = seatings(event)[board].players
    one, other = (event.people.number_of(sits[power], "") for power in (Power.ITALY, Power.RUSSIA))
    changes = (
        SeatChange(board=board, power=Power.ITALY, player=other, before=one),
        SeatChange(board=board, power=Power.RUSSIA, player=one, before=other),
    )
    return event.facts.write(SeatsChanged(why="", changes=changes), "Tess").number


def happen(event: Event, number: int, what: str) -> int:
    """Use the seats of a round in this way; gives the number of the fact."""
    if what == SWAPPED:
        return swap(event, number)
    if what == PRINTED:
        return event.facts.write(printed(number), "printing").number
    type_lines(event, Turn(f"{number}.1", FIRST_PHASE, Power.ITALY), ["A VEN H"], by="Tess")
    return event.facts.last_number()


@pytest.mark.parametrize("seed", range(6))
def test_a_round_is_in_use_by_what_happened_to_it_since_and_stands(tmp_path: Path, seed: int) -> None:
    dice = Random(seed)
    happened: list[tuple[int, int, str]] = []  # fact, round, what
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in names(7)]) as event:
        for number in (1, 2):
            seat_round(event, number, {"1": dict(zip(Power, names(7), strict=True))}, by="Tess")
        for _ in range(12):
            swaps = [each for each in happened if each[2] == SWAPPED]
            if swaps and dice.random() < 0.25:
                event.facts.write(ActTakenBack(fact=swaps[-1][0], why=""), "Tess")
                happened.remove(swaps[-1])
            else:
                number, what = dice.choice((1, 2)), dice.choice((SWAPPED, PRINTED, TAKEN))
                happened.append((happen(event, number, what), number, what))
            for number in (1, 2):
                for since in (0, *(fact + more for fact, *_ in happened for more in (-1, 0))):
                    later = [what for fact, of, what in happened if of == number and fact > since]
                    first = SWAPPED if SWAPPED in later else next(iter(later), "")
                    assert _in_use(event, number, since) == first.format(number)


@pytest.mark.parametrize("what", [SWAPPED, PRINTED, TAKEN])
def test_what_uses_the_seats_while_a_draw_is_made_or_after_it_stops_the_next_one(tmp_path: Path, what: str) -> None:
    """So does another's draw; what another round has does not, nor what was before the draw that stands."""
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in names(7)]) as event:
        seats = dict(zip(Power, names(7), strict=True))
        for number in (1, 2):
            seat_round(event, number, {"1": seats}, by="Tess")
        happen(event, 2, what)
        seat_drawn(event, draw_round(event, Request(round=1, seed=1)), by="Tess")
        made = draw_round(event, Request(round=1, seed=2))
        happen(event, 1, what)
        with pytest.raises(Stopped, match=f"{what.format(1)} meanwhile; this draw was not kept") as stopped:
            seat_drawn(event, made, by="Gus")
        assert stopped.value.code is ExitCode.RULE_FIRST
        with pytest.raises(Stopped, match=f"round 1: is drawn, and {what.format(1)}; to draw it all the same"):
            draw_round(event, Request(round=1, seed=2))
        again = draw_round(event, Request(round=1, seed=2, again=True))
        with open_event(event.folder, clock) as other:
            seat_drawn(other, draw_round(other, Request(round=1, seed=3, again=True)), by="Gus")
        with pytest.raises(Stopped, match="was drawn by Gus meanwhile; that draw stands"):
            seat_drawn(event, again, by="Tess")
        draw_round(event, Request(round=1, seed=2))  # nothing has used the newest draw


def test_whoever_is_named_by_his_first_name_is_meant_with_his_whole_name() -> None:
    whole = ("Ann Lee", "Bob Ray", "Cem Day", "Dag Orr", "Eva Fox", "Flo Kay", "Gil Mor", "Hal Ives")

    def asked(*called: str) -> Request:
        decisions = RoundDecisions(
            absent=called[:1], aside=called[1:2], sent=called[2:3], twice=called[3:4], plays=called[4:5]
        )
        chosen = ((called[6], Power.ITALY), (called[7], Power.TURKEY))
        return Request(round=1, seed=1, decisions=decisions, finalists=called[5:6], declines=called[6:], chosen=chosen)

    assert with_full_names(asked(*(name.split()[0] for name in whole)), lambda text: full_name(text, whole)) == asked(
        *whole
    )


@pytest.mark.parametrize(
    ("wishes", "most", "meant"),
    [
        ((), None, Answers()),
        (("new_opponents=must", "trios_apart=no"), None, Answers(wishes={NEW: Wish.MUST, TRIOS: Wish.NO})),
        (("new_opponents=must", "new_opponents=should"), None, Answers(wishes={NEW: Wish.SHOULD})),
        ((), "none", Answers(has_limit=True)),
        ((), "1", Answers(has_limit=True, meetings_most=1)),
        (("trios_apart=should",), "12", Answers(wishes={TRIOS: Wish.SHOULD}, has_limit=True, meetings_most=12)),
        ((), "0", "expected a whole number from 1, or none, found '0'"),
        ((), "²", "expected a whole number from 1, or none, found '²'"),
        ((), "-1", "expected a whole number from 1, or none, found '-1'"),
        ((), "many", "expected a whole number from 1, or none, found 'many'"),
        (("trios=must",), None, "unknown wish 'trios'; did you mean 'trios_apart'?"),
        (("trios_apart=ask",), None, "expected trios_apart=must, =no, =should, found 'trios_apart=ask'"),
        (("trios_apart",), None, "expected trios_apart=must"),
    ],
)
def test_what_is_wished_of_a_draw_is_read_or_refused(
    wishes: tuple[str, ...], most: str | None, meant: Answers | str
) -> None:
    if isinstance(meant, Answers):
        assert read_wishes(wishes, most) == meant
        return
    with pytest.raises(Stopped) as stopped:
        read_wishes(wishes, most)
    assert meant in str(stopped.value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ann Lee=FRANCE", ("Ann Lee", Power.FRANCE)),
        (" Ann = France ", ("Ann", Power.FRANCE)),
        ("Ann=Lee=italy", ("Ann=Lee", Power.ITALY)),
        ("Ann", None),
        ("Ann=PRUSSIA", None),
        ("FRANCE", None),
    ],
)
def test_a_choice_is_a_name_and_a_power(text: str, meant: tuple[str, Power] | None) -> None:
    if meant:
        assert read_choice(text) == meant
        return
    with pytest.raises(Stopped, match="expected NAME=POWER with a power of AUSTRIA, ENGLAND"):
        read_choice(text)


def test_a_round_drawn_after_a_later_one_says_so_but_where_its_seats_stood_before(tmp_path: Path) -> None:
    sits = dict(zip(Power, names(7), strict=True))
    again = dict(zip(Power, reversed(names(7)), strict=True))
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in names(7)]) as event:
        first = Drawn(round=1, seed=1, boards={"1": sits}, notes=(), turnout=Turnout(bodies=()))
        told = ["round 2 was drawn before this draw, and takes no account of it; draw it again if it has not begun"]
        seat_round(event, 2, {"1": sits}, by="Tess")
        assert list(_later_rounds(event, first)) == told
        for boards in (sits, again):
            seat_round(event, 1, {"1": boards}, by="Tess")
            assert list(_later_rounds(event, first)) == told
        seat_round(event, 2, {"1": again}, by="Tess")
        assert list(_later_rounds(event, first)) == told, "its seats were others"
        assert not list(_later_rounds(event, replace(first, boards={"1": again}))), "they stood already"
        assert not list(_later_rounds(event, replace(first, round=2)))
        assert {each.map_name for each in seatings(event).values()} == {event.details.map_name}
