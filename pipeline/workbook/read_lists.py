"""The lists beside the results, read from their sheets: players, penalties, bonuses, votes, board games, awards."""

from pipeline.scoring.results import Ballot, BoardGame, Bonus, Honour, Penalty, Player, Team
from pipeline.workbook.cells import SheetList

SPECIAL = "special awards"


def read_players(rows: SheetList | None) -> tuple[dict[str, Player], tuple[Team, ...], tuple[str, ...]]:
    """Who is registered, the teams, and the lots that were drawn."""
    if rows is None:
        return {}, (), ()
    players: dict[str, Player] = {}
    teams: dict[str, list[str]] = {}
    lots: dict[int, str] = {}
    announced = {int(head.removeprefix("announced r")): head for head in rows.columns if head.startswith("announced r")}
    for row in rows.rows("name"):
        name = rows.text(row, "name")
        if name in players:
            rows.fault(row, "name", f"{name!r} stands twice; add an initial to one of them")
        players[name] = Player(
            name=name,
            is_director=rows.yes(row, "td plays"),
            is_excluded=rows.yes(row, "excluded"),
            distance_km=rows.whole(row, "distance (km)", 0, 99999),
            preregistered=frozenset(number for number, head in announced.items() if rows.yes(row, head)),
        )
        if team := rows.text(row, "team"):
            teams.setdefault(team, []).append(name)
        if lot := rows.whole(row, "lot drawn", 1, 9999):
            if lot in lots:
                rows.fault(row, "lot drawn", f"lot {lot} was also drawn by {lots[lot]!r}")
            lots[lot] = name
    made = tuple(Team(name=name, members=tuple(members)) for name, members in teams.items())
    return players, made, tuple(lots[lot] for lot in sorted(lots))


def read_penalties(rows: SheetList | None) -> tuple[Penalty, ...]:
    """The log of deductions."""
    if rows is None:
        return ()
    return tuple(
        Penalty(
            player=rows.text(row, "player"),
            kind=rows.text(row, "kind"),
            points=rows.points(row, "points"),
            times=rows.whole(row, "times", 1, 99) or 1,
            round=rows.whole(row, "round", 1, 99),
            reason=rows.text(row, "reason"),
        )
        for row in rows.rows("player")
    )


def read_bonuses(rows: SheetList | None) -> tuple[Bonus, ...]:
    """The log of bonuses."""
    if rows is None:
        return ()
    return tuple(
        Bonus(
            player=rows.text(row, "player"),
            kind=rows.text(row, "kind"),
            points=rows.points(row, "points"),
            round=rows.whole(row, "round", 1, 99),
            reason=rows.text(row, "reason"),
        )
        for row in rows.rows("player")
    )


def read_ballots(rows: SheetList) -> tuple[Ballot, ...]:
    """How often players got each grade in one skill, which the sheet's title names."""
    skill = str(rows.sheet.cell(1, 1).value or "").removeprefix("Votes: ")
    grades = [head for head in rows.columns if rows.columns["player"] < rows.columns[head] < rows.columns["player no"]]
    found = []
    for row in rows.rows("player"):
        counts = {grade.upper(): rows.whole(row, grade, 0, 999) or 0 for grade in grades}
        found.append(Ballot(player=rows.text(row, "player"), skill=skill, grades=counts))
    return tuple(found)


def read_board_games(rows: SheetList) -> tuple[BoardGame, ...]:
    """The games of the competition; players with the same place are tied."""
    games: dict[int, list[int]] = {}
    for row in rows.rows("game no", "player"):
        number = rows.whole(row, "game no", 1, 9999)
        if number is None:
            rows.fault(row, "game no", "no number of the game; all its rows have the same")
        games.setdefault(number or 0, []).append(row)
    found = []
    for block in games.values():
        levels: dict[int, list[str]] = {}
        for row in block:
            levels.setdefault(rows.whole(row, "place", 1, 99) or 99, []).append(rows.text(row, "player"))
        places = tuple(tuple(levels[place]) for place in sorted(levels))
        signed = all(rows.yes(row, "signed") for row in block)
        found.append(BoardGame(game=rows.text(block[0], "game"), places=places, is_signed=signed))
    return tuple(found)


def read_honours(rows: SheetList | None) -> tuple[Honour, ...]:
    """The special awards, which stand below their own heading."""
    if rows is None:
        return ()
    below = [row for row in rows.rows("award") if str(rows.sheet.cell(row, 1).value).strip().lower() == SPECIAL]
    if not below:
        return ()
    return tuple(
        Honour(award=rows.text(row, "award"), player=rows.text(row, "who"), why=rows.text(row, "why"))
        for row in rows.rows("award")
        if row > below[0]
    )
