"""Rosters and results out of a workbook, as people fill it in: all faults at once, each with its sheet and cell."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.problems import Problem, Weight
from pipeline.scoring.results import (
    Board,
    Ending,
    EventResults,
    Player,
    Ruling,
    Seat,
)
from pipeline.tournament.roster import Player as RosterPlayer
from pipeline.tournament.roster import read_roster_rows
from pipeline.tournament.table import did_you_mean
from pipeline.workbook.cells import SheetList, open_book
from pipeline.workbook.read_lists import (
    read_ballots,
    read_board_games,
    read_bonuses,
    read_honours,
    read_penalties,
    read_players,
)

POWERS = {power.lower(): power for power in Power}
OURS = {"td plays": "director", "distance (km)": "distance_km"}  # heads of our Players sheet -> columns of a roster
ONLY_OURS = ("no", "excluded", "lot drawn")  # heads that a roster has no column for


def read_roster(data: bytes, where: str) -> tuple[tuple[RosterPlayer, ...], tuple[Problem, ...]]:
    """Read a roster: our Players sheet, or the first sheet that has a column "name". Formulas are refused."""
    book = open_book(data, where)
    sheets = sorted(book.worksheets, key=lambda sheet: sheet.title != "Players")
    found = next((one for sheet in sheets if (one := SheetList.find(sheet, ["name"]))), None)
    if found is None:
        text = "no sheet has a column 'name'; name the columns in the first row of the list"
        return (), (Problem(Weight.STOPS, text, where),)
    announced = [head for head in found.columns if head.startswith("announced r")]
    heads = [head for head in found.columns if head not in (*ONLY_OURS, *announced)]
    rows = [[OURS.get(head, head) for head in heads] + (["preregistered"] if announced else [])]
    for row in found.rows(*heads):
        cells = [found.text(row, head) for head in heads]
        every = [found.yes(row, head) for head in announced]
        rows.append(cells + (["yes" if all(every) else ""] if announced else []))
    players, problems = read_roster_rows(rows, f"{where} {found.sheet.title}")
    return players, (*found.problems, *problems)


@dataclass(frozen=True, slots=True)
class ReadResults:
    """What a workbook says was played."""

    results: EventResults
    to_come: tuple[Board, ...]  # boards without counts: drawn and not over
    problems: tuple[Problem, ...]


def read_results(data: bytes, where: str) -> ReadResults:
    """Read Results and the sheets of things noted beside it. Formulas in input cells are refused."""
    book = open_book(data, where)
    lists = {
        name: SheetList.find(book[name], heads) if name in book.sheetnames else None
        for name, heads in {
            "Results": ("round", "board", "power", "player", "centres"),
            "Players": ("name",),
            "Penalties": ("player", "kind"),
            "Bonuses": ("player", "kind"),
            "Awards": ("award", "who"),
        }.items()
    }
    seats = lists["Results"]
    if seats is None:
        text = "no sheet 'Results' with the heads Round, Board, Power, Player, Centres; start from a workbook of ours"
        return ReadResults(EventResults(boards=()), (), (Problem(Weight.STOPS, text, where),))
    sheets = [sheet for sheet in book.worksheets if sheet.title.startswith("Votes ")]
    votes = [one for sheet in sheets if (one := SheetList.find(sheet, ("player", "votes")))]
    games = SheetList.find(book["Board games"], ("game no", "game", "place")) if "Board games" in book else None
    boards, waiting, chosen = read_boards(seats)
    players, teams, lots = read_players(lists["Players"])
    for name, rounds in chosen.items():
        if name in players:
            own = players[name]
            players[name] = Player(
                name=own.name,
                is_director=own.is_director,
                is_excluded=own.is_excluded,
                distance_km=own.distance_km,
                preregistered=own.preregistered,
                chosen=rounds,
            )
    check_names(seats, players)
    results = EventResults(
        boards=boards,
        players=players,
        penalties=read_penalties(lists["Penalties"]),
        bonuses=read_bonuses(lists["Bonuses"]),
        teams=teams,
        ballots=tuple(ballot for one in votes for ballot in read_ballots(one)),
        board_games=read_board_games(games) if games else (),
        honours=read_honours(lists["Awards"]),
        lots=lots,
    )
    read = [*lists.values(), *votes, games]
    problems = [problem for one in read if one for problem in one.problems]
    return ReadResults(results, waiting, tuple(problems))


def read_boards(rows: SheetList) -> tuple[tuple[Board, ...], tuple[Board, ...], dict[str, dict[int, str]]]:
    """Boards that are over, boards to come, and which of two boards players chose."""
    blocks: dict[tuple[int, str], list[int]] = {}
    for row in rows.rows("player", "centres", "power"):
        number = rows.whole(row, "round", 1, 99)
        blocks.setdefault((number or 0, rows.text(row, "board")), []).append(row)
    over: list[Board] = []
    waiting: list[Board] = []
    chosen: dict[str, dict[int, str]] = {}
    for (number, name), block in blocks.items():
        board = read_board(rows, number, name, block, chosen)
        (over if board.centres else waiting).append(board)
    return tuple(over), tuple(waiting), chosen


def read_board(
    rows: SheetList, number: int, name: str, block: Sequence[int], chosen: dict[str, dict[int, str]]
) -> Board:
    """One board from its rows."""
    seats: dict[Power, Seat] = {}
    centres: dict[Power, int] = {}
    order: dict[int, str] = {}
    at_rows: dict[Power, int] = {}
    for row in block:
        power = read_power(rows, row, seats)
        if power is None:
            continue
        at_rows[power] = row
        seats[power] = read_seat(rows, row)
        count = rows.whole(row, "centres", 0, 34)
        if count is not None:
            centres[power] = count
        player = seats[power].player
        if player and rows.yes(row, "counts"):
            chosen.setdefault(player, {})[number] = name
        place = rows.whole(row, "chose", 1, 7)
        if place and player:
            order[place] = player
    first = block[0]
    total = rows.whole(first, "in play", 1, 34) or 34
    empty = [p for p, row in at_rows.items() if rows.sheet.cell(row, rows.columns["centres"]).value in (None, "")]
    check_counts(rows, block[0], centres, empty, total)
    return Board(
        round=number,
        name=name,
        seats=seats,
        centres=centres if len(centres) == len(seats) else {},
        years=read_years(rows, at_rows),
        ended=read_ending(rows, first),
        is_final=rows.yes(first, "final"),
        total=total,
        chose=tuple(order[place] for place in sorted(order)),
        unowned=rows.whole(first, "unowned", 0, 34),
    )


def read_power(rows: SheetList, row: int, seats: dict[Power, Seat]) -> Power | None:
    """The power of a row, once on each board."""
    word = rows.text(row, "power")
    power = POWERS.get(word.strip().lower())
    if power is None:
        hint = did_you_mean(word.strip().lower(), tuple(POWERS)) or f"; one of {', '.join(POWERS)}"
        rows.fault(row, "power", f"{word!r} is no power{hint}")
    elif power in seats:
        rows.fault(row, "power", f"{word} stands twice on this board; every power has one row")
        return None
    return power


def read_seat(rows: SheetList, row: int) -> Seat:
    """Who sits there, and what is noted beside."""
    ruling = rows.points(row, "ruling")
    return Seat(
        player=rows.text(row, "player") or None,
        instead_of=rows.text(row, "instead of") or None,
        arrived=rows.whole(row, "arrived", 1, 99),
        ruling=Ruling(ruling, rows.text(row, "why")) if ruling is not None else None,
    )


def read_ending(rows: SheetList, row: int) -> Ending:
    """How the game ended."""
    word = rows.text(row, "ended").strip().lower() or Ending.UNSTATED.value
    if word not in tuple(Ending):
        rows.fault(row, "ended", f"{word!r} is not one of {', '.join(Ending)}{did_you_mean(word, tuple(Ending))}")
        return Ending.UNSTATED
    return Ending(word)


def read_years(rows: SheetList, at_rows: dict[Power, int]) -> dict[int, dict[Power, int]]:
    """Counts year by year; a year is recorded when one power has a count in it, the others then have 0."""
    years: dict[int, dict[Power, int]] = {}
    for head in rows.columns:
        if head.isdigit() and len(head) == 4:
            counts = {power: rows.whole(row, head, 0, 34) for power, row in at_rows.items()}
            if any(count is not None for count in counts.values()):
                years[int(head)] = {power: count or 0 for power, count in counts.items()}
    return dict(sorted(years.items()))


def check_counts(rows: SheetList, row: int, centres: dict[Power, int], empty: Sequence[Power], total: int) -> None:
    """A board has all its counts or none, and not more centres than there are."""
    if centres and empty:
        missing = ", ".join(power.capitalize() for power in empty)
        rows.fault(row, "centres", f"no count for {missing}; a power without centres has 0")
    if sum(centres.values()) > total:
        rows.fault(row, "centres", f"{sum(centres.values())} centres on a board of {total}; count again")


def check_names(rows: SheetList, players: dict[str, Player]) -> None:
    """Everybody who sits somewhere is registered."""
    if not players:
        return
    for row in rows.rows("player"):
        name = rows.text(row, "player")
        if name and name not in players:
            rows.fault(row, "player", f"{name!r} is not on the Players sheet{did_you_mean(name, tuple(players))}")
