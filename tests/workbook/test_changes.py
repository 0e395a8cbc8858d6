"""A director changes an input in the spreadsheet program, and everything that follows from it moves."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import Board, Bonus, Ending, EventResults, Penalty, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook.input_sheets import CENTRES, FIRST_ROW, PLAYER
from pipeline.workbook.write import write_workbook
from workbook.events import Wishes, invent
from workbook.office import Cells, differences, edited, formulas, recalculate, same, values
from workbook.played import played
from workbook.tournaments import rules_of

VERDICT = "All checks pass"
SIXTH = {
    "scoring": {
        "system": "modified squares, the dead by years",
        "pool": 100,
        "solo": {"centres": 18, "winner": 80, "others": "1/2"},
        "eliminated": "0.1 per year",
        "rounding": "not at all",
        "parts": [{"give": "polynomial", "coefficients": [16, 4, 1]}],
    },
    "totals": {"rounds": 3, "weights": [1, 1, "1/3"]},
    "ties": {"players": ["most wins", "second-highest game", "better best game", "sum of meetings", "lot"]},
    "awards": {"places": ["first"], "power": "best {power}"},
}


@cache
def plain_event(name: str) -> EventResults:
    """An event in which every count matters and nothing is in doubt: no solos agreed on, no rulings."""
    rules = rules_of(name)
    players = 28 if name == "edc1996" else 14  # of fewer, those who qualify there change with a count
    return played(rules, players, rules.totals.rounds, seed=4)


def sixth() -> ScoringRules:
    """The rules of a tournament that nobody has thought of."""
    return read_scoring(SIXTH, "sixth.toml")


@cache
def book_of(name: str) -> bytes:
    """The workbook of a plain event."""
    return written(plain_event(name), rules_of(name))


def written(event: EventResults, rules: ScoringRules) -> bytes:
    return write_workbook(score(event, rules), title="Cup", sealed=False).data


def last_board(event: EventResults) -> Board:
    """The last board: no final table, and after all qualifying rounds, so that who qualified stays."""
    return event.boards[-1]


def with_board(event: EventResults, **changes: object) -> EventResults:
    """Change the last board."""
    *others, last = event.boards
    changed: Board = replace(last, **changes)  # fields of a board
    return replace(event, boards=(*others, changed))


def row_of(event: EventResults, power: Power) -> int:
    """The row of a seat of the last board."""
    before = sum(len(board.powers) for board in event.boards[:-1])
    return FIRST_ROW + before + last_board(event).powers.index(power)


class Change(Struct, frozen=True):
    """The same change twice: typed into the workbook, and made to the event."""

    before: bytes
    typed: bytes
    after: bytes


def counts(name: str) -> Change:
    """Two counts of the last board change places."""
    event, rules = plain_event(name), rules_of(name)
    board = last_board(event)
    one, *rest = (power for power in board.powers if board.centres[power])  # the dead stay dead
    other = next(power for power in rest if board.centres[power] != board.centres[one])
    a, b = board.centres[one], board.centres[other]

    def edit(book: Workbook) -> None:
        sheet = book["Results"]
        sheet.cell(row_of(event, one), CENTRES).value = b
        sheet.cell(row_of(event, other), CENTRES).value = a

    before = book_of(name)
    changed = with_board(event, centres={**board.centres, one: b, other: a})
    return Change(before, edited(before, edit), written(changed, rules))


def swapped() -> Change:
    """Two players change seats."""
    event, rules = plain_event("weaselmoot"), rules_of("weaselmoot")
    board = last_board(event)
    one, *rest = board.powers
    other = next(power for power in rest if board.centres[power] != board.centres[one])
    a, b = board.seats[one], board.seats[other]

    def edit(book: Workbook) -> None:
        sheet = book["Results"]
        sheet.cell(row_of(event, one), PLAYER).value = b.player
        sheet.cell(row_of(event, other), PLAYER).value = a.player

    seats: Mapping[Power, Seat] = {**board.seats, one: replace(a, player=b.player), other: replace(b, player=a.player)}
    before = book_of("weaselmoot")
    return Change(before, edited(before, edit), written(with_board(event, seats=seats), rules))


def penalty() -> Change:
    """A penalty and a withdrawal are written into the yellow rows."""
    rules = rules_of("edc2023")
    event = plain_event("edc2023")
    name = score(event, rules).standings.rows[-1].player  # far from the final table

    def edit(book: Workbook) -> None:
        fill(book["Penalties"], (name, "absence", None, 2, None, "slept"))
        fill(book["Bonuses"], (name, "withdrawal", None, 2, "ill"))

    after = replace(
        event,
        penalties=(Penalty(player=name, kind="absence", times=2, reason="slept"),),
        bonuses=(Bonus(player=name, kind="withdrawal", round=2, reason="ill"),),
    )
    before = book_of("edc2023")
    return Change(before, edited(before, edit), written(after, rules))


def weights() -> Change:
    """The rules are changed on Config."""
    rules = rules_of("weaselmoot")
    event = with_board(
        plain_event("weaselmoot"),
        centres=dict(zip(Power, (18, 10, 6, 0, 0, 0, 0), strict=True)),
        years={},
        ended=Ending.SOLO,
    )

    def edit(book: Workbook) -> None:
        sheet = book["Config"]
        [row] = [r for r in range(1, sheet.max_row + 1) if sheet.cell(r, 2).value == "Solo_winner"]
        sheet.cell(row, 4).value = 75

    solo = replace(rules.system.solo, winner=Fraction(75))
    before = written(event, rules)
    after = written(event, replace(rules, system=replace(rules.system, solo=solo)))
    return Change(before, edited(before, edit), after)


def fill(sheet: Worksheet, contents: tuple[object, ...]) -> None:
    for column, content in enumerate(contents, start=1):
        sheet.cell(5, column).value = content  # type: ignore[assignment] # any content


CHANGES: dict[str, Callable[[], Change]] = {
    "counts": lambda: counts("weaselmoot"),
    "counts_edc2023": lambda: counts("edc2023"),
    "counts_edc1996": lambda: counts("edc1996"),
    "counts_wdc2008": lambda: counts("wdc2008"),
    "counts_nzdc1999": lambda: counts("nzdc1999"),
    "seats": swapped,
    "penalty": penalty,
    "rule": weights,
}


@pytest.fixture(scope="module")
def computed(changes: dict[str, Change], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cells]:
    """Every workbook of this module, in one run of the program: its start takes as long as five workbooks."""
    typed = {name: change.typed for name, change in changes.items()}
    typed["error"] = edited(changes["counts"].before, type_an_error)
    return recalculate(typed | contradictions() | of_the_sixth(), tmp_path_factory.mktemp("computed"))


@pytest.fixture(scope="module")
def changes() -> dict[str, Change]:
    """Each change."""
    return {name: make() for name, make in CHANGES.items()}


@pytest.mark.slow
def test_a_change_moves_everything_that_follows_from_it_and_the_front_turns_red(
    changes: dict[str, Change], computed: dict[str, Cells]
) -> None:
    assert {name: wrong(change, computed[name])[:5] for name, change in changes.items()} == {
        name: [] for name in changes
    }
    assert min(map(moved, changes.values())) > 1
    assert [verdicts(found) for found in (values(changes["counts"].before), computed["counts"])] == [
        ["All checks pass"],
        ["2 to look at: see Checks"],
    ]
    assert re.fullmatch(r"\d+ to look at: see Checks", str(verdicts(computed["error"])[0]))


def type_an_error(book: Workbook) -> None:
    """Put into a count of centres what no formula can add up."""
    book["Results"].cell(5, 5).value = "=NA()"


def wrong(change: Change, cells: Cells) -> list[str]:
    """What the spreadsheet makes otherwise of a change than our engine; the checks are to tell of it."""
    both = formulas(change.before)  # a list may have grown by a row
    told = [line for line in differences(change.after, cells) if tuple(line.partition(":")[0].split("!")) in both]
    return [line for line in told if not line.startswith("Checks!") and VERDICT not in line]


def moved(change: Change) -> int:
    """How many cells of the front a change moves."""
    before, after = values(change.before), values(change.after)
    return sum(not same(before[each], after.get(each), 1e-9) for each in before if each[0] == "Standings")


def verdicts(cells: Cells) -> list[object]:
    """What the front says of the checks."""
    return [value for (sheet, _), value in cells.items() if sheet == "Standings" and "heck" in str(value)]


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


@cache
def contradictions() -> dict[str, bytes]:
    """Workbooks with years that contradict one another, and with somebody on two boards: who has chosen, and not."""
    rules, event = rules_of("wdc2008"), plain_event("wdc2008")
    clashes = {clash: with_board(event, years=years_of(clash)) for clash in CLASHES}
    first, last = event.boards[-2:]
    twice = next(seat.player for seat in first.seats.values())
    assert twice is not None
    power = last.powers[0]
    open_one = with_board(event, seats={**last.seats, power: replace(last.seats[power], player=twice)})
    said: dict[str, dict[str, Any]] = {
        "chosen": {"chosen": {last.round: last.name}},
        "both": {"both": frozenset({last.round})},
    }
    boards = {"open": open_one} | {
        name: replace(open_one, players={**event.players, twice: replace(event.players[twice], **what)})
        for name, what in said.items()
    }
    return {name: written(each, rules) for name, each in (clashes | boards).items()}


@pytest.mark.slow
def test_the_checks_know_every_contradiction_of_years_and_an_open_choice_of_boards(computed: dict[str, Cells]) -> None:
    books = contradictions()
    assert {name: differences(data, computed[name])[:5] for name, data in books.items()} == {name: [] for name in books}
    years = ("Seats with a solo before the end", "Boards with fewer centres owned")
    assert {name: [found(computed[name], words) > 0 for words in years] for name in CLASHES} == {
        "solo": [True, False],
        "back": [True, False],
        "won": [True, False],
        "early": [True, False],
        "lost": [False, True],
    }
    boards = ("open", "chosen", "both")
    assert [found(computed[name], "Players on two boards") for name in boards] == [1, 0, 0]


def found(cells: Cells, begins: str) -> int:
    """How many faults a check of the workbook counts."""
    (at,) = (at for (sheet, at), said in cells.items() if sheet == "Checks" and str(said).startswith(begins))
    return int(float(str(cells["Checks", at.replace("A", "B")])))


@cache
def of_the_sixth() -> dict[str, bytes]:
    """Workbooks of a tournament that nobody has thought of."""
    return {f"sixth{seed}": written(invent(seed, Wishes(players=21, rounds=3, teams=3)), sixth()) for seed in range(2)}


@pytest.mark.slow
def test_a_sixth_tournament_needs_its_rules_and_nothing_else(computed: dict[str, Cells]) -> None:
    books = of_the_sixth()
    assert {name: differences(data, computed[name])[:5] for name, data in books.items()} == {name: [] for name in books}


def test_what_no_formula_can_say_is_told_and_not_written_wrong() -> None:
    odd = {**SIXTH, "ties": {"players": ["centre margin"]}}
    rules = read_scoring(odd, "odd.toml")

    with pytest.raises(Stopped, match=r"no formula for the tie-break 'centre margin'.*choose another one"):
        written(invent(1, Wishes(players=14, rounds=3)), rules)
