"""The sealed workbook (NZ99 23): nothing in it depends on what is sealed."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import pytest
from msgspec.structs import replace
from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook

from pipeline.board import Power
from pipeline.scoring.results import (
    Bonus,
    Entrant,
    EventResults,
    Honour,
    Overruled,
    Penalty,
    RatingBallot,
    ScoreRuling,
    Team,
)
from pipeline.scoring.rules import ScoringRules, Weights
from pipeline.scoring.score import score
from pipeline.workbook.board_games_sheet import OrderLine
from pipeline.workbook.write import write_workbook
from workbook.played import played
from workbook.tournaments import TOURNAMENTS, rules_of

ORDER = OrderLine(
    round=1, board="A", phase="S1901M", power="AUSTRIA", order="A VIE - GAL", result="fails", reason="bounced"
)
FIRST, LAST = "Ana Andersen", "Pia Borg"


@cache
def event(name: str = "nzdc1999") -> EventResults:
    return played(rules_of(name), 28, rules_of(name).totals.rounds)


def sealed(what: EventResults, rules: ScoringRules) -> bytes:
    return write_workbook(score(what, rules), title="Our Cup", orders=[ORDER], sealed=True).data


@cache
def sealed_event(name: str = "nzdc1999") -> bytes:
    """The event as it is, sealed."""
    return sealed(event(name), rules_of(name))


def with_first_seat(what: EventResults, **changes: object) -> EventResults:
    first, *rest = what.boards
    seats = {**first.seats, Power.ITALY: replace(first.seats[Power.ITALY], **changes)}  # fields
    return replace(what, boards=(replace(first, seats=seats), *rest))


def with_boards(what: EventResults, **changes: object) -> EventResults:
    boards = tuple(replace(board, **changes) for board in what.boards)  # fields of a board
    return replace(what, boards=boards)


def with_player(what: EventResults, **changes: object) -> EventResults:
    return replace(what, players={**what.players, FIRST: Entrant(name=FIRST, **changes)})  # type: ignore[arg-type] # fields


SEALED: dict[str, Callable[[EventResults], EventResults]] = {
    "a penalty": lambda e: replace(e, penalties=(Penalty(player=FIRST, kind="late", points=Fraction(90), reason="x"),)),
    "a bonus": lambda e: replace(e, bonuses=(Bonus(player=LAST, kind="hat", points=Fraction(900)),)),
    "a ruled score": lambda e: with_first_seat(e, ruling=ScoreRuling(Fraction(500), "because")),
    "a replacement": lambda e: with_first_seat(e, instead_of=LAST, arrived=7),
    "an exclusion": lambda e: with_player(e, is_excluded=True),
    "a leaver": lambda e: with_player(e, has_left=True),
    "a director": lambda e: with_player(e, is_director=True),
    "a distance": lambda e: with_player(e, distance_km=99999),
    "announcements": lambda e: with_player(e, preregistered=frozenset({1, 2, 3, 4})),
    "lots": lambda e: replace(e, lots=((LAST, FIRST),)),
    "a special award": lambda e: replace(e, honours=(Honour(award="best stab", player=FIRST),)),
    "votes": lambda e: replace(e, ballots=(RatingBallot(player=FIRST, skill="tactics", grades={"A": 99}),)),
    "how a game ended": lambda e: with_boards(e, overruled=(Overruled("a", "b", "c", "d"),)),
    "the final table": lambda e: with_boards(e, is_final=True, chose=(FIRST,)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("what", "name"),
    [(what, TOURNAMENTS[(place + more) % len(TOURNAMENTS)]) for place, what in enumerate(SEALED) for more in (0, 2)],
)
def test_two_events_that_differ_only_in_what_is_sealed_make_the_same_bytes(what: str, name: str) -> None:
    one, rules = event(name), rules_of(name)
    other = SEALED[what](one)
    assert other != one
    assert sealed_event(name) == sealed(other, rules)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_what_the_scores_are_made_of_is_sealed_too(name: str) -> None:
    one, rules = event(name), rules_of(name)
    odd = replace(
        rules,
        system=replace(rules.system, parts=rules.system.parts[:1], pool=Fraction(7)),
        totals=replace(rules.totals, weights=Weights(((Fraction(1, 7),),))),
        ties=replace(rules.ties, players=(), teams=(), powers=()),
        decimals=5,
    )
    before, after = score(one, rules), score(one, odd)
    assert [row.player for row in before.standings.rows] != [row.player for row in after.standings.rows]
    assert sealed_event(name) == sealed(one, odd)


def test_the_order_in_which_players_and_teams_are_entered_is_not_told() -> None:
    one, rules = event(), rules_of("nzdc1999")
    teams = (Team(name="Owls", members=(LAST, FIRST)), Team(name="Elks", members=("Bo Borg", "Ana Borg")))
    turned = tuple(replace(team, members=team.members[::-1]) for team in reversed(teams))
    players = dict(reversed(list(one.players.items())))
    first = sealed(replace(one, teams=teams), rules)
    assert first == sealed(replace(one, teams=turned, players=players), rules)


def opened(data: bytes) -> Workbook:
    return load_workbook(BytesIO(data))


def test_everything_in_the_file_is_in_sight_and_nothing_computes() -> None:
    data = sealed_event()
    book = opened(data)
    assert {sheet.sheet_state for sheet in book.worksheets if sheet.title != "Rulings"} == {"visible"}
    assert book.sheetnames == ["Standings", "Boards", "Teams", "Orders", "Rulings"]
    assert not [key for key in book.defined_names if not key.startswith("_xlnm")]
    for sheet in book.worksheets:
        assert not sheet.conditional_formatting or sheet.title == "Orders"
        assert not any(dimension.hidden for dimension in sheet.column_dimensions.values())
        assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    parts = ZipFile(BytesIO(data)).namelist()
    assert not [part for part in parts if re.search("chart|drawing|comment|custom|externalLink|calcChain", part)]


def test_no_part_of_the_file_holds_points_or_places() -> None:
    one, rules = event(), rules_of("nzdc1999")
    scored = score(one, rules)
    points = {str(round(float(x), 3)) for row in scored.standings.rows for x in (row.total, row.tally.weighted)}
    points |= {str(round(float(game.score), 3)) for game in scored.games}
    points |= {str(round(float(row.total), 3)) for row in scored.teams}
    telling = {text for text in points if "." in text and not text.endswith(".0")}
    assert len(telling) > 30
    package = ZipFile(BytesIO(sealed_event()))
    for part in package.namelist():
        text = package.read(part).decode("utf-8", "replace")
        assert not [number for number in telling if number in text], part
        assert "decided" not in text.lower()


def test_players_teams_and_members_stand_by_name() -> None:
    one = replace(event(), teams=(Team(name="Owls", members=(LAST, FIRST)), Team(name="Elks", members=("Bo Borg",))))
    book = opened(sealed(one, rules_of("nzdc1999")))
    names = [row[0].value for row in book["Standings"].iter_rows(min_row=6) if row[0].value]
    assert names == sorted(one.players)
    teams = [[cell.value for cell in row[:3]] for row in book["Teams"].iter_rows(min_row=6)]
    assert teams == [["Elks", "Bo Borg", None], ["Owls", FIRST, LAST]]


def test_what_everybody_has_seen_is_in_it() -> None:
    one = event()
    book = opened(sealed_event())
    boards = [cell.value for row in book["Boards"].iter_rows(max_col=1) for cell in row]
    assert [text for text in boards if "board" in str(text)] == [f"Round {b.round}, board {b.name}" for b in one.boards]
    first = one.boards[0]
    last = book["Boards"].max_column
    ends = [book["Boards"].cell(row, last).value for row in range(6, 13)]
    assert ends == [first.centres[power] for power in Power]
    assert book["Orders"]["E5"].value == "A VIE - GAL"


def test_the_rules_say_whether_it_is_sealed() -> None:
    scored = score(event(), rules_of("nzdc1999"))
    assert "Workings" not in opened(write_workbook(scored, title="Cup").data).sheetnames
    assert "Workings" in opened(write_workbook(scored, title="Cup", sealed=False).data).sheetnames
    moot = score(event("weaselmoot"), rules_of("weaselmoot"))
    assert "Workings" in opened(write_workbook(moot, title="Cup").data).sheetnames
