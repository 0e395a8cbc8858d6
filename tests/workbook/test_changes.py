"""What the checks of a workbook find, also when a director types over an input."""

import re
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.scoring.results import Board, EventResults
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook import page as xl
from pipeline.workbook.input_sheets import CENTRES, FIRST_ROW, HEAD_ROW
from pipeline.workbook.write import write_workbook
from workbook.calculator import Calculator
from workbook.events import Wishes, invent
from workbook.played import played
from workbook.test_rare_rules import rare_rules
from workbook.tournaments import rules_of


@cache
def plain_event(name: str) -> EventResults:
    """An event in which every count matters and nothing is in doubt: no solos agreed on, no rulings."""
    rules = rules_of(name)
    players = 28 if name == "edc1996" else 14  # of fewer, those who qualify there change with a count
    return played(rules, players, rules.totals.rounds, seed=4)


def last_board(event: EventResults) -> Board:
    """The last board: no final table, and after all qualifying rounds, so that who qualified stays."""
    return event.boards[-1]


def with_board(event: EventResults, **changes: object) -> EventResults:
    """Change the last board."""
    *others, last = event.boards
    changed: Board = replace(last, **changes)  # fields of a board
    return replace(event, boards=(*others, changed))


def computed(event: EventResults, rules: ScoringRules) -> Calculator:
    """The workbook of an event, whose formulas come to what the engine says."""
    book = write_workbook(score(event, rules), title="Cup", sealed=False)
    calculator = Calculator(book.pages, book.names)
    assert calculator.differences() == []
    return calculator


def test_where_an_input_is_changed_the_front_turns_red() -> None:
    calculator = computed(plain_event("weaselmoot"), rules_of("weaselmoot"))
    assert verdicts(calculator) == ["All checks pass"]
    calculator.contents["Results", FIRST_ROW, CENTRES] = 0
    calculator.forget()
    assert verdicts(calculator) != ["All checks pass"]
    calculator.contents["Results", FIRST_ROW, CENTRES] = xl.LiveFormula("1/0", 0)  # which no formula can add up
    calculator.forget()
    [told] = verdicts(calculator)
    assert re.fullmatch(r"\d+ to look at: see Checks", told)


def verdicts(calculator: Calculator) -> list[str]:
    """What the front says of the checks."""
    shown = [str(calculator.value(place)) for place in calculator.contents if place[0] == "Standings"]
    return [value for value in shown if "heck" in value]


def years_of(clash: str) -> dict[int, dict[Power, int]]:
    """Years of the last board that cannot be true, with what its counts are at the end."""
    board = last_board(plain_event("wdc2008"))
    living = next(power for power in board.powers if board.centres[power])
    counts = dict.fromkeys(board.powers, 4)  # more than at the start
    match clash:
        case "solo":
            return {1906: {**dict.fromkeys(board.powers, 1), living: 18}}
        case "back":
            return {1906: {**counts, living: 0}}
        case "won":
            return {1903: {**counts, living: 1}, 1904: {**counts, living: 3}}
        case "early":
            return {1902: {**dict.fromkeys(board.powers, 1), living: 17}}
        case _:
            return {1906: dict.fromkeys(board.powers, 6)}


CLASHES = ("solo", "back", "won", "early", "lost")


def test_the_checks_know_every_contradiction_of_years_and_an_open_choice_of_boards() -> None:
    rules, event = rules_of("wdc2008"), plain_event("wdc2008")
    clashes = {clash: computed(with_board(event, years=years_of(clash)), rules) for clash in CLASHES}
    years = ("Seats with a solo before the end", "Boards with fewer centres owned")
    assert {name: [found(book, words) > 0 for words in years] for name, book in clashes.items()} == {
        "solo": [True, False],
        "back": [True, False],
        "won": [True, False],
        "early": [True, False],
        "lost": [False, True],
    }
    first, last = event.boards[-2:]
    twice = next(seat.player for seat in first.seats.values())
    assert twice is not None
    power = last.powers[0]
    open_one = with_board(event, seats={**last.seats, power: replace(last.seats[power], player=twice)})
    said: tuple[dict[str, Any], ...] = ({}, {"chosen": {last.round: last.name}}, {"both": frozenset({last.round})})
    boards = [
        replace(open_one, players={**event.players, twice: replace(event.players[twice], **what)}) for what in said
    ]
    assert [found(computed(each, rules), "Players on two boards") for each in boards] == [1, 0, 0]


def found(book: Calculator, begins: str) -> int:
    """How many faults a check of the workbook counts."""
    (row,) = (
        row for (sheet, row, _), said in book.contents.items() if sheet == "Checks" and str(said).startswith(begins)
    )
    return int(book.value(("Checks", row, 2)))


def test_what_no_formula_can_say_is_told_and_not_written_wrong() -> None:
    rules = rare_rules("wins first", ties={"players": ["centre margin"]})

    with pytest.raises(Stopped, match=r"no formula for the tie-break 'centre margin'.*choose another one"):
        computed(invent(1, Wishes(players=14, rounds=3)), rules)


ANA = "the first player"
SHOUTED = "the first player, in capitals"


def column_of(book: Calculator, sheet: str, head: str | int) -> int:
    """The column of an input under its heading."""
    return next(c for (title, row, c), said in book.contents.items() if (title, row, said) == (sheet, HEAD_ROW, head))


UNREAD = (  # what is typed, each with the sheet, the row below the heading and the column of every cell
    {("Results", 1, "Centres"): "5 "},
    {("Results", 1, "Centres"): 4.5},
    {("Results", 1, "Centres"): -4},
    {("Results", 1, "1901"): "four"},
    {("Results", 1, "Ruling"): "50.5"},
    {("Results", 1, "Arrived"): "S1903"},
    {("Results", 1, "Instead of"): "Nobody Knows"},
    {("Results", 1, "Instead of"): SHOUTED},
    {("Results", 1, "Ended"): "timeout"},
    {("Results", 1, "Final"): "x"},
    {("Results", 2, "Left out"): "yes "},
    {("Results", 2, "Counts"): "ja"},
    {("Players", 1, "Excluded"): "x"},
    {("Players", 1, "Distance (km)"): "1 200"},
    {("Penalties", 1, "Player"): "Nobody Knows", ("Penalties", 1, "Points"): 5},
    {("Penalties", 1, "Points"): 5},
    {("Penalties", 1, "Player"): ANA, ("Penalties", 1, "Kind"): "latte"},
    {("Penalties", 1, "Player"): ANA, ("Penalties", 1, "Kind"): "late", ("Penalties", 1, "Points"): "1,5"},
    {("Bonuses", 1, "Player"): ANA, ("Bonuses", 1, "Kind"): "gift", ("Bonuses", 1, "Points"): "3"},
    {("Bonuses", 1, "Player"): ANA, ("Bonuses", 1, "Kind"): "withdrawal", ("Bonuses", 1, "Round"): 77},
)


@pytest.mark.parametrize("typed", UNREAD, ids=str)
def test_an_entry_of_which_nothing_can_be_made_turns_the_front_red(typed: dict[tuple[str, int, str], Any]) -> None:
    event = plain_event("edc2023")
    event = replace(event, penalties=(), bonuses=())
    calculator = computed(event, rules_of("edc2023"))
    assert found(calculator, "Entries that are not read") == 0
    for (sheet, row, head), value in typed.items():
        first = sorted(event.players)[0]
        name = first.upper() if value is SHOUTED else first if value is ANA else value
        column = column_of(calculator, sheet, int(head) if head.isdigit() else head)
        calculator.contents[sheet, HEAD_ROW + row, column] = name
    calculator.forget()
    assert found(calculator, "Entries that are not read") > 0
    assert verdicts(calculator) != ["All checks pass"]
