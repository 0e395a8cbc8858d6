"""Every formula comes to what our engine says, also after every input was typed anew: computed in this process."""

import random
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.rules.load import load_systems
from pipeline.rules.scoring import read_scoring
from pipeline.rules.systems import with_system
from pipeline.scoring.results import Board, Bonus, Ending, EventResults, Penalty, ScoreRuling
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook import page as xl
from pipeline.workbook.league_book import write_league
from pipeline.workbook.write import WrittenWorkbook, write_workbook
from workbook.calculator import Calculator
from workbook.composed import compose_event, compose_rules
from workbook.events import invent
from workbook.leagues import invent_league
from workbook.telling import TELLING, covering, system_rules, telling_event
from workbook.test_rare_rules import RARE, invent_for, rare_rules
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for


def written(event: EventResults, rules: ScoringRules) -> WrittenWorkbook:
    return write_workbook(score(event, rules), title="Cup", sealed=False)


def typed_anew(event: EventResults, seed: int) -> EventResults:
    """The same people at as many boards, and every input another: who sat where, counts, rulings, lots, votes.

    In rows that were empty stand penalties and bonuses, too.
    """
    dice = random.Random(seed)
    names = sorted(event.players)
    moved = dice.sample(names, len(names))
    more = Fraction(3, 2)
    between = any(seat.between for board in event.boards for seat in board.seats.values())  # whom no input names
    other = dict(zip(names, names if between else moved, strict=True))

    def board_anew(board: Board) -> Board:
        powers = list(board.powers)
        swapped = dict(zip(powers, dice.sample(powers, len(powers)), strict=True))
        seats = {
            power: replace(
                seat,
                player=seat.player and other[seat.player],
                ruling=ScoreRuling(Fraction(dice.randrange(50), 2), "typed") if dice.random() < 0.05 else None,
            )
            for power, seat in board.seats.items()
        }
        return replace(
            board,
            seats=seats,
            centres={power: board.centres[swapped[power]] for power in powers},
            years={year: {p: owned[swapped[p]] for p in owned} for year, owned in board.years.items()},
            left_out=frozenset(power for power in powers if swapped[power] in board.left_out),
            chose=tuple(other[name] for name in board.chose),
        )

    players = {
        other[name]: replace(
            player,
            name=other[name],
            distance_km=dice.choice((None, 0, 30, 30, 700)),
            preregistered=frozenset(n for n in event.rounds if dice.random() < 0.5),
        )
        for name, player in event.players.items()
    }
    return replace(
        event,
        boards=tuple(map(board_anew, event.boards)),
        players=players,
        penalties=(
            *(replace(one, player=other[one.player], times=2) for one in event.penalties),
            *(Penalty(player=names[0], kind=kind, points=points) for kind, points in (("late", None), ("hat", more))),
        ),
        bonuses=(
            *(replace(one, player=other[one.player], round=1) for one in event.bonuses),
            *(
                Bonus(player=names[1], kind=kind, points=points)
                for kind, points in (("withdrawal", None), ("hat", more))
            ),
        ),
        lots=tuple(tuple(other[name] for name in drawing) for drawing in event.lots),
    )


AWARDS = "Awards"  # how a title is held the program says, and with it which formula stands there
PROGRAMS_OWN = ("Checks", "Charts")  # they hold what the program found, beside what formulas do


def retyped(before: WrittenWorkbook, after: WrittenWorkbook) -> list[str]:
    """Type the inputs of a second workbook into the first; lists the formulas that come to another value there."""
    calculator = Calculator([page for page in before.pages if page.title != AWARDS], before.names)
    compared = 0
    for page in after.pages:
        for row, line in page.cells.items():
            for column, (content, look) in line.items():
                place = (page.title, row, column)
                formula = calculator.contents.get(place)
                if page.title == AWARDS:
                    calculator.contents[place] = content
                elif isinstance(content, xl.LiveFormula):
                    if isinstance(formula, xl.LiveFormula):  # a list of those who are level may have grown
                        calculator.contents[place] = xl.LiveFormula(formula.formula, content.value)
                        compared += 1
                elif look.may_change or page.title in PROGRAMS_OWN:
                    calculator.contents[place] = content
    assert compared > 2000
    return [line for line in calculator.differences() if "doubt" not in line]  # doubts are the program's


def small(name: str, seed: int) -> EventResults:
    """An event of one board a round, so that every kind of formula stands in its workbook, and few of each."""
    return invent(seed, replace(wishes_for(name, seed), players=7))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_formula_is_the_engines_when_every_input_is_typed_anew(name: str) -> None:
    rules, event = rules_of(name), small(name, 10)
    assert retyped(written(event, rules), written(typed_anew(event, 1), rules)) == []


@pytest.mark.parametrize("name", RARE)
def test_so_it_is_under_rules_that_few_tournaments_have(name: str) -> None:
    """Beside what is rare all other settings are drawn, and so is what was played and noted."""
    dice = random.Random(f"{name}0")
    rules = compose_rules(dice, with_system(RARE[name], load_systems, name))
    event, waiting = compose_event(dice, rules)
    before, after = (
        write_workbook(score(one, rules), title="Cup", sealed=False, to_come=waiting)
        for one in (event, typed_anew(event, 1))
    )
    assert retyped(before, after) == []


@pytest.mark.parametrize("name", [name for name in TOURNAMENTS if rules_of(name).readings])
def test_each_other_reading_of_a_rule_is_computed_as_by_the_engine(name: str) -> None:
    event = invent(3, replace(wishes_for(name, 0), players=9, two_boards=1.0, absent=0.0))
    for reading in rules_of(name).readings:
        book = written(event, reading.rules)
        assert Calculator(book.pages, book.names).differences() == [], reading.path


def test_of_two_boards_of_a_round_that_paid_the_same_one_counts() -> None:
    rules = rules_of("weaselmoot")
    event = invent(0, replace(wishes_for("weaselmoot", 0), players=14, rounds=1, two_boards=1.0))
    level = dict.fromkeys(Power, 4)
    event = replace(event, boards=tuple(replace(b, centres=level, years={}, unowned=6) for b in event.boards))
    book = written(event, rules)
    assert Calculator(book.pages, book.names).differences() == []


MAY_BE_TYPED = {"pool", "winner", "each", "coefficients", "mean", "round_weights", "times", "weights", "pool_each_year"}


def with_other_numbers(value: Any, key: str = "") -> Any:
    """The rules with other numbers on Config: as many, and each another."""
    if isinstance(value, dict):
        return {name: with_other_numbers(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_other_numbers(inner, key) for inner in value]
    if key not in MAY_BE_TYPED or isinstance(value, bool):
        return value
    return str(Fraction(value) * 2 + 1) if isinstance(value, str) else value * 2 + 1


@pytest.mark.parametrize("name", ["coefficients", "more for the best", "beside others by quotient", "a growing pool"])
def test_a_number_that_is_typed_on_config_is_what_counts(name: str) -> None:
    before = rare_rules(name)
    after = read_scoring(with_system(with_other_numbers(RARE[name]), load_systems, name), name)
    event = invent_for(before, 1, players=9)
    assert retyped(written(event, before), written(event, after)) == []


def test_beside_others_who_have_nothing_a_score_is_worth_nothing() -> None:
    rules, counts = rare_rules("beside others by quotient"), dict(zip(Power, (12, 9, 6, 4, 3, 0, 0), strict=True))
    event = telling_event(1, TELLING[:2])
    event = replace(event, boards=tuple(replace(b, centres=counts, years={}, unowned=0) for b in event.boards))
    book = written(event, rules)
    assert Calculator(book.pages, book.names).differences() == []


@pytest.mark.parametrize("name", TOURNAMENTS[::2])
def test_boards_that_are_not_over_wait_for_their_counts(name: str) -> None:
    """Of the last round one board waits with its years so far, another stands as it is for now."""
    rules = rules_of(name)
    event = invent(20, replace(wishes_for(name, 20), players=14, absent=0.0))
    *others, first, second = event.boards
    waiting = replace(first, ended=Ending.UNSTATED, unowned=None, left_out=frozenset())
    so_far = replace(event, boards=(*others, second), going_on=frozenset({second.spot}))
    book = write_workbook(score(so_far, rules), title="Cup", sealed=False, to_come=(waiting,))
    assert Calculator(book.pages, book.names).differences() == []


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_before_a_game_is_over_a_bonus_puts_nobody_on_the_list(name: str) -> None:
    event = invent(20, replace(wishes_for(name, 20), players=14, absent=0.0))
    waiting = replace(event.boards[0], ended=Ending.UNSTATED, centres={}, years={}, unowned=None, left_out=frozenset())
    bonus = Bonus(player=min(event.players), kind="kindness", points=Fraction(7))
    noted = EventResults(boards=(), players=event.players, bonuses=(bonus,))
    book = write_workbook(score(noted, rules_of(name)), title="Cup", sealed=False, to_come=(waiting,))
    front = next(page for page in book.pages if page.title == "Standings")
    cells = [content for line in front.cells.values() for content, _ in line.values()]
    values = {cell.value if isinstance(cell, xl.LiveFormula) else cell for cell in cells}
    assert not values & {*event.players, 1, "1"}
    assert Calculator(book.pages, book.names).differences() == []


@pytest.mark.parametrize("name", covering())
def test_systems_are_computed_as_by_the_engine(name: str) -> None:
    """Of the boards that tell formulas apart each system has every eighth, others than its neighbours."""
    boards = TELLING[covering().index(name) % 8 :: 8]
    rules = system_rules(name)
    book = written(telling_event(covering().index(name), boards), rules)
    assert Calculator(book.pages, book.names).differences() == []


def test_of_one_round_the_number_of_rounds_is_a_number() -> None:
    """A sum of one comparison would be TRUE, which Excel takes for more than any number."""
    book = written(telling_event(1, TELLING[:2]), system_rules("dixie"))
    calculator = Calculator(book.pages, book.names)
    [workings] = [page for page in book.pages if page.title == "Workings"]
    heads = {str(head): column for column, (head, _) in workings.cells[4].items()}
    assert [head for head in heads if head.startswith("Row ")] == ["Row R1"], "there is room for one game"
    column = heads["Rounds"]
    assert {type(calculator.value(("Workings", row, column))) for row in range(5, 19)} == {float}


@pytest.mark.parametrize("seed", range(4))
def test_a_league_is_computed_as_by_the_engine(seed: int) -> None:
    book = write_league(invent_league(seed))
    assert Calculator(book.pages, book.names).differences() == []
