"""What stands on the sheets, looked up by its headings, is what the event and its scores say."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.scoring.awards import TeamShare
from pipeline.scoring.ranking import rank_contenders
from pipeline.scoring.results import (
    Board,
    BoardGame,
    Bonus,
    Ending,
    Entrant,
    EventResults,
    Penalty,
    RatingBallot,
    ScoreRuling,
    Seat,
    Team,
    format_decimal,
)
from pipeline.scoring.rules import TwoBoards
from pipeline.scoring.score import Scored, score, scores_by_year
from pipeline.scoring.tiebreaks import Contender, FieldOfPlayers
from pipeline.words.names import name_order
from pipeline.words.speech import speech_of
from pipeline.workbook import page as xl
from pipeline.workbook.write import SHOWN_SHEETS, WrittenWorkbook, write_workbook
from workbook.events import invent
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for

Line = Mapping[str, Any]


NO: tuple[xl.Content, xl.Look] = (None, xl.PLAIN)


class Shown:
    """The pages of a workbook, as a reader sees them."""

    def __init__(self, book: WrittenWorkbook) -> None:
        self.pages = {page.title: page for page in book.pages}

    def cell(self, title: str, row: int, column: int) -> Any:
        """What a cell shows; None for nothing."""
        content = self.pages[title].cells.get(row, {}).get(column, NO)[0]
        value = content.value if isinstance(content, xl.LiveFormula) else content
        return None if value == "" else value

    def lines(self, title: str, head_row: int, first: int = 1) -> Iterator[Line]:
        """The rows below some headings, each by heading, up to the first without anything; "×" after its score.

        Of headings that stand twice the first is taken.
        """
        page = self.pages[title]
        heads: dict[int, str] = {}
        for column in range(first, max(page.cells[head_row]) + 1):
            head = str(self.cell(title, head_row, column) or "")
            heads[column] = f"{heads[column - 1]} ×" if head == "×" else head
        for row in range(head_row + 1, max(page.cells) + 1):
            line: dict[str, Any] = {}
            for column, head in heads.items():
                line.setdefault(head, self.cell(title, row, column))
            if all(value is None for value in line.values()):
                return
            yield line


@cache
def event_of(name: str) -> EventResults:
    event = invent(10, replace(wishes_for(name, 10), players=9, absent=0.0, two_boards=1.0))
    first, *others = event.boards
    twice, out, *_ = sorted(event.players)
    players = {**event.players, twice: replace(event.players[twice], chosen={1: first.name}, both=frozenset({2}))}
    players[out] = replace(players[out], is_excluded=True)
    return replace(event, boards=(first, *others), players=players)


@cache
def scored_of(name: str) -> Scored:
    return score(event_of(name), rules_of(name))


@cache
def shown(name: str) -> Shown:
    return Shown(write_workbook(scored_of(name), title="Cup", sealed=False))


def power_of(word: str) -> Power:
    return Power[word.upper()]


@pytest.mark.parametrize("sealed", [False, True])
def test_titles_and_headings_of_what_is_shown_are_in_the_language_of_the_event(sealed: bool) -> None:
    scored = scored_of("edc2023")
    english, german = (
        write_workbook(scored, title="Cup", sealed=sealed, speech=speech_of(code)) for code in ("en", "de")
    )
    same = {
        str(content)
        for page, other in zip(english.pages, german.pages, strict=True)
        if page.title in SHOWN_SHEETS
        for row, line in page.cells.items()
        for column, (content, look) in line.items()
        if look.is_heading and isinstance(content, str) and other.cells[row][column][0] == content
    }
    assert same <= {"", "Cup", "Team", "Teams", "R1", "R2", "R3", "R4", "±", "×", "SC", "England"}
    if not sealed:
        heads = [book.with_waiting(["Ada"]).as_csv().decode("utf-8-sig").splitlines() for book in (english, german)]
        assert [lines[0].split(",")[:3] for lines in heads] == [
            ['"Place"', '"Shared"', '"Player"'],
            ['"Platz"', '"Geteilt"', '"Name"'],
        ]
        for lines in heads:
            columns = lines[0].count(",") + 1
            assert lines[-1] == ",".join(('"–"', '""', '"Ada"', *['""'] * (columns - 3))), "as wide as the list"


# --- what is typed comes back ---------------------------------------------------------------------------------------


def boards_in(book: Shown) -> Iterator[Board]:
    lines = list(book.lines("Results", 4))
    years = [head for head in lines[0] if head.isdigit()]
    names = list(dict.fromkeys((line["Round"], line["Board"]) for line in lines))
    for number, name in names:
        own = {power_of(line["Power"]): line for line in lines if (line["Round"], line["Board"]) == (number, name)}
        first = next(iter(own.values()))
        chose = {line["Chose"]: line["Player"] for line in own.values() if line["Chose"]}
        assert all(line[head] is None for line in list(own.values())[1:] for head in ("Ended", "Final", "In play"))
        yield Board(
            round=number,
            name=name,
            seats={power: seat_in(line) for power, line in own.items()},
            centres={power: line["Centres"] for power, line in own.items()},
            years={
                int(year): {power: line[year] for power, line in own.items()}
                for year in years
                if first[year] is not None
            },
            ended=Ending(first["Ended"]),
            is_final=first["Final"] == "yes",
            total=first["In play"],
            unowned=first["Unowned"],
            chose=tuple(chose[nth] for nth in sorted(chose)),
            left_out=frozenset(power for power, line in own.items() if line["Left out"] == "yes"),
        )


def seat_in(line: Line) -> Seat:
    ruling = None if line["Ruling"] is None else ScoreRuling(line["Ruling"], line["Why"])
    return Seat(player=line["Player"], instead_of=line["Instead of"], arrived=line["Arrived"], ruling=ruling)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_inputs_of_a_workbook_are_those_of_the_event(name: str) -> None:
    event, book, rules = event_of(name), shown(name), rules_of(name)
    assert list(boards_in(book)) == [replace(board, pool="") for board in event.boards]
    assert [
        Penalty(player=p["Player"], kind=p["Kind"], points=p["Points"], times=p["Times"], round=p["Round"])
        for p in book.lines("Penalties", 4)
        if p["Player"]
    ] == list(event.penalties)
    assert [
        Bonus(player=b["Player"], kind=b["Kind"], points=b["Points"], round=b["Round"])
        for b in book.lines("Bonuses", 4)
        if b["Player"]
    ] == list(event.bonuses)
    people = {line["Name"]: line for line in book.lines("Players", 4)}
    assert [line["No"] for line in people.values()] == list(range(1, len(people) + 1))
    known = rules.bonuses.preregistration.rounds if rules.bonuses.preregistration else ()
    for player in event.players.values():
        line = people[player.name]
        announced = frozenset(n for n in known if line[f"Announced R{n}"] == "yes")
        assert Entrant(
            name=player.name,
            is_director=line["TD plays"] == "yes",
            is_excluded=line["Excluded"] == "yes",
            distance_km=line["Distance (km)"],
            preregistered=announced,
            chosen=player.chosen,
            both=player.both,
        ) == replace(player, preregistered=player.preregistered & set(known))
    lots = sorted((line["Lot drawn"], name) for name, line in people.items() if line["Lot drawn"])
    assert lots == [(1000 * n + m, who) for n, drawn in enumerate(event.lots) for m, who in enumerate(drawn, start=1)]
    teams = {line["Team"] for line in people.values() if line["Team"]}
    assert sorted(
        (Team(name=team, members=tuple(who for who, line in people.items() if line["Team"] == team)) for team in teams),
        key=lambda team: team.name,
    ) == [
        replace(team, members=tuple(sorted(team.members, key=name_order)))
        for team in sorted(event.teams, key=lambda team: team.name)
    ]
    counts = {(line["Round"], line["Board"], line["Player"]): line["Counts"] for line in book.lines("Results", 4)}
    for (number, board, who), said in counts.items():
        entrant = event.players.get(who)
        chosen = entrant is not None and entrant.chosen.get(number) == board
        assert said == ("yes" if chosen else "both" if entrant and number in entrant.both else None)


def test_votes_and_board_games_are_those_of_the_event() -> None:
    event, book = event_of("edc1996"), shown("edc1996")
    for number, skill in enumerate(rules_of("edc1996").votes.titles, start=1):  # type: ignore[union-attr] # it has votes
        assert [
            RatingBallot(player=line["Player"], skill=skill, grades={grade: line[grade] for grade in "ABC"})
            for line in book.lines(f"Votes {number}", 4)
            if line["Player"]
        ] == sorted((one for one in event.ballots if one.skill == skill), key=lambda one: name_order(one.player))
    event, book = event_of("nzdc1999"), shown("nzdc1999")
    games: dict[int, list[Line]] = {}
    for line in book.lines("Board games", 4):
        if line["Player"]:
            games.setdefault(line["Game no"], []).append(line)
    assert games
    assert [
        BoardGame(
            game=lines[0]["Game"],
            places=tuple(
                tuple(line["Player"] for line in lines if line["Place"] == place)
                for place in dict.fromkeys(line["Place"] for line in lines)
            ),
            is_signed=lines[0]["Signed"] == "yes",
        )
        for lines in games.values()
    ] == list(event.board_games)


def totals_of(one: Scored) -> dict[str, Fraction]:
    rows, others = one.standings.rows, one.standings.unranked
    return {row.player: row.total for row in rows} | {other.player.name: other.total for other in others}


# --- what is shown --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_player_has_his_games_and_what_they_bring_on_three_sheets(name: str) -> None:
    one, book = scored_of(name), shown(name)
    games: dict[tuple[str, int], list[Any]] = {}
    for game in one.games:
        if game.player:
            games.setdefault((game.player, game.board.round), []).append(game)
    standings = {line["Player"]: line for line in book.lines("Standings", 5) if line["Player"]}
    rows = {row.player: row for row in one.standings.rows}
    assert list(standings)[: len(rows)] == sorted(rows, key=lambda who: (rows[who].place, who))
    teams = {who: team.name for team in one.event.teams for who in team.members}
    for who, line in standings.items():
        own = rows.get(who)
        assert (line["Place"], line[""]) == ((own.place, "=" if own.is_tied else None) if own else ("–", None))
        assert line.get("Team") == (teams.get(who) if "Teams" in book.pages else None)
        tally = own.tally if own else next(each for each in one.standings.unranked if each.player.name == who)
        assert (line["Total"], line["±"]) == (tally.total, tally.exact - tally.weighted)
        counted = {each.game.board.spot: each.weight * (not each.is_dropped) for each in tally.games}
        for number in one.event.rounds:
            for nth, game in enumerate(games.get((who, number), []), start=1):
                head = f"R{number}" + ("" if nth == 1 else f" board {nth}")
                weight = counted.get(game.board.spot, 0)
                assert (line[head], line[f"{head} ×"]) == (game.score, None if weight == 1 else weight or "out")
    rounds = {book.cell("Rounds", row, 1): row for row in range(6, 6 + len(one.event.players))}
    heads = {number: column for column in range(2, 30) if (number := book.cell("Rounds", 4, column))}
    assert set(heads) >= {f"Round {number}" for number in one.event.rounds}
    for who, row in rounds.items():
        for head, column in heads.items():
            number, _, nth = head.removeprefix("Round ").partition(", board ")
            mine = games.get((who, int(number)), [])[int(nth or 1) - 1 :][:1]
            told: list[tuple[Any, Any]] = [
                (f"{g.board.name} {g.power.capitalize()} {g.centres}", g.score) for g in mine
            ] or [(None, None)]
            assert [(book.cell("Rounds", row, column), book.cell("Rounds", row, column + 1))] == told
            assert [book.cell("Rounds", 5, column + n) for n in (0, 1)] == ["Board", "Points"]
        total = next(column for column in range(2, 40) if book.cell("Rounds", 5, column) == "Total")
        totals = totals_of(one)
        has_played = any(player == who for player, _ in games)
        assert book.cell("Rounds", row, total) == (totals.get(who) if has_played else None)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_board_has_its_block(name: str) -> None:
    one, book = scored_of(name), shown(name)
    games = {(game.board.spot, game.power): game for game in one.games}
    row = 4
    for board in sorted(one.event.boards, key=lambda board: board.round):
        pool = f"{board.pool}, " if board.pool else ""
        ended = "" if board.ended is Ending.UNSTATED else f"   ended: {board.ended}"
        assert book.cell("Boards", row, 1) == f"Round {board.round}, {pool}board {board.name}{ended}"
        lines = list(book.lines("Boards", row + 1))[: len(board.powers)]
        assert [power_of(line["Power"]) for line in lines] == list(board.powers)
        for power, line in zip(board.powers, lines, strict=True):
            game = games[board.spot, power]
            assert line["Player"] == board.seats[power].player
            assert (line["End"], line["Score"]) == (board.centres[power], game.score)
            more = sum(owned > board.centres[power] for owned in board.centres.values())
            same = sum(owned == board.centres[power] for owned in board.centres.values())
            assert line["Place"] == f"{more + 1}{'=' if same > 1 else ''}"
            years = {int(head): owned for head, owned in line.items() if head.isdigit() and owned is not None}
            assert years == {year: board.count_owned(power, year) for year in board.years}
        row += len(board.powers) + 3
    assert max(book.pages["Boards"].cells) == row - 2


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_charts_show_the_first_eight_and_every_board_by_year(name: str) -> None:
    one, book = scored_of(name), shown(name)
    first = sorted(one.standings.rows, key=lambda row: (row.place, row.player))[:8]
    race = list(book.lines("Charts", 4))[:8]
    assert [line["Player"] for line in race][: len(first)] == [row.player for row in first]
    for line, row in zip(race, first, strict=False):
        weights = {counted.game.board.spot: counted.weight for counted in row.tally.games}
        for number in one.event.rounds:
            ran = sum(
                (g.score * weights.get(g.board.spot, 0) for g in one.games
                 if g.player == row.player and g.board.round <= number), Fraction(),
            )  # fmt: skip
            assert line[f"R{number}"] == ran
    listed = list(book.lines("Charts", 1, 40))
    boards = sorted(one.event.boards, key=lambda board: board.round)
    assert [line["Boards"] for line in listed if line["Boards"]] == [f"R{b.round} {b.name}" for b in boards]
    starts = [sum(len(before.powers) for before in boards[:nth]) for nth in range(len(boards))]
    assert [line["Row"] for line in listed if line["Boards"]] == starts
    paid = {
        f"R{board.round} {board.name} {year}": {power.capitalize(): scores.get(power) for power in Power}
        for board in boards
        for year, scores in scores_by_year(board, one.rules).items()
    }
    assert {
        line["Year of a board"]: {power.capitalize(): line[power.capitalize()] for power in Power}
        for line in listed
        if line["Year of a board"]
    } == paid
    known_years = {str(year) for board in boards for year in board.years}
    chosen = next(board for board in boards if f"R{board.round} {board.name}" == book.cell("Charts", 38, 6))
    for line in list(book.lines("Charts", 39))[:7]:
        power = power_of(line["Power"])
        years = {int(head): owned for head, owned in line.items() if head in known_years and owned is not None}
        assert years == ({y: chosen.count_owned(power, y) for y in chosen.years} if power in chosen.seats else {})
    of_years = {line["Year"]: line for line in book.lines("Charts", 74) if line["Year"]}
    for year, line in of_years.items():
        told = paid.get(f"R{chosen.round} {chosen.name} {year}", {})
        assert {power: line[power] for power in told} == told


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_checks_hold_the_programs_totals_and_places(name: str) -> None:
    one, book = scored_of(name), shown(name)
    totals = totals_of(one)
    places = {row.player: row.place for row in one.standings.rows}
    for line in book.lines("Checks", 4, 6):
        who = line["Player"]
        assert line["Program's total"] == totals.get(who, 0)
        assert line["Program's place"] == places.get(who, 0)


def by_player(shares: Sequence[TeamShare]) -> list[TeamShare]:
    return sorted(shares, key=lambda share: name_order(share.player))


@pytest.mark.parametrize("name", ["edc1996", "wdc2008", "nzdc1999"])
def test_each_team_has_its_place_and_its_members(name: str) -> None:
    one, book = scored_of(name), shown(name)
    shown_teams = [line for line in book.lines("Teams", 4) if line["Team"]]
    assert len(shown_teams) == len(one.teams) > 0
    by_name = {row.team.name: row for row in one.teams}
    for line in shown_teams:
        row = by_name[line["Team"]]
        members = [line[head] for head in line if head.startswith("Member") and line[head]]
        told = [f"{who.player} {format_decimal(who.points, one.rules.decimals)}" for who in by_player(row.shares)]
        assert (line["Place"], line["Total"], members) == (row.place, row.total, told)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_power_has_its_best_player(name: str) -> None:
    one, book = scored_of(name), shown(name)
    best = {each.power: each for each in one.powers}
    lines = list(book.lines("Best powers", 4))[:7]
    assert [power_of(line["Power"]) for line in lines] == list(Power)
    for line in lines:
        power = best.get(power_of(line["Power"]))
        if power is None:
            assert line["Player"] is None
            continue
        game = power.games[0]
        assert line["Player"] == ", ".join(power.players[:3]) + (" and more" if len(power.players) > 3 else "")
        told = (line["Score"], line["Centres"], line["Round"], line["Board"])
        assert told == (power.score, game.centres, game.round, game.board.name)


SECTIONS = {
    "Charts": (
        "The race: points from boards, as they count in the end",
        "Supply centres, year by year. Choose a board:",
        "Score of the chosen board, if it had ended in that year",
    ),
    "Awards": ("Places", "Powers", "Titles", "Special awards"),
    "Checks": ("Yellow cells", "Boards", "Players", "Opponents", "Program and formulas"),
    "Config": ("Score of a game", "Games that count", "Votes", "Board games"),
}
CHECKS = (  # what is checked, how it begins, and whether it only is to be known
    ("Entries that are not read", False),
    ("Boards whose centres do not add up to 34", False),
    ("Boards with two powers over half of the centres", False),
    ("Boards without seven powers", False),
    ("Boards with some counts but not all", False),
    ("Seats whose end count is not that of the last year", True),
    ("Seats with a solo before the end", False),
    ("Boards with fewer centres owned than after an earlier year", False),
    ("Seats with a name that is not in Players", False),
    ("Players twice on one board", False),
    ("Players on two boards in one round", False),
    ("Players with a second game as the same power", True),
    ("Pairs of players that meet again", True),
    ("Totals that are not the program's", False),
    ("Places that are not the program's", False),
)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_each_sheet_has_its_parts_and_every_check_says_how_it_is_mended(name: str) -> None:
    book, one = shown(name), scored_of(name)
    for title, sections in SECTIONS.items():
        page = book.pages[title]
        heads = [str(page.cells[row][1][0]) for row in sorted(page.cells) if page.cells[row].get(1, NO)[1].size == 12]
        without = {"Titles": not (one.teams or one.titles or one.grades or one.rules.board_games)}
        without |= {"Votes": one.rules.votes is None, "Board games": one.rules.board_games is None}
        wanted = [each for each in sections if not without.get(each)]
        assert [head.partition(": ")[0] if title == "Config" else head for head in heads] == wanted, title
    lines = [line for line in book.lines("Checks", 4) if line["State"]]
    assert len(lines) == len(CHECKS)
    for line, (words, is_note) in zip(lines, CHECKS, strict=True):
        assert line["What is checked"].startswith(words)
        rule_says = words.startswith("Players on two") and one.rules.totals.two_boards is not TwoBoards.ASK
        bad = "NOTE" if is_note or rule_says else "LOOK"
        assert line["State"] == ("OK" if line["Found"] == 0 else bad), words
        assert line["How to mend"]


# --- sealed ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["wdc2008", "nzdc1999"])
def test_a_sealed_workbook_says_who_sat_where_what_was_counted_and_who_is_in_which_team(name: str) -> None:
    """Of twelve boards two are not over, and one is only drawn: each page of boards holds five."""
    event, *more = (invent(seed, replace(wishes_for(name, seed), players=28, absent=0.0)) for seed in (10, 11))
    waits = replace(more[0].boards[0], name="Z", centres={})
    going_on = frozenset(board.spot for board in event.boards[:2])
    one = score(replace(event, going_on=going_on), rules_of(name))
    written = write_workbook(one, title="Cup", sealed=True, to_come=[waits])
    assert not written.names
    book = Shown(written)
    boards = sorted([*event.boards, waits], key=lambda board: board.round)
    sat: dict[str, dict[str, list[str]]] = {who: {} for who in event.players}
    for board in boards:
        for power, seat in board.seats.items():
            if seat.player:
                of_rounds = sat.setdefault(seat.player, {})
                of_rounds.setdefault(f"Round {board.round}", []).append(f"{board.name} {power.capitalize()}")
    rounds = [f"Round {number}" for number in sorted({board.round for board in boards})]
    players = list(book.lines("Standings", 5))
    assert [line["Player"] for line in players] == sorted(sat, key=name_order)
    for line in players:
        assert [line[number] or "" for number in rounds] == [", ".join(sat[line["Player"]].get(n, ())) for n in rounds]
    row, years = 4, [str(year) for year in sorted({year for board in boards for year in board.years})]
    for number, board in enumerate(boards):
        assert book.cell("Boards", row, 1) == f"Round {board.round}, board {board.name}"
        assert (row - 1 in book.pages["Boards"].breaks) == (number > 0 and number % 5 == 0)
        is_over = board is not waits and board.spot not in going_on
        lines = list(book.lines("Boards", row + 1))[: len(board.powers)]
        for power, line in zip(board.powers, lines, strict=True):
            assert (line["Power"], line["Player"]) == (power.capitalize(), board.seats[power].player)
            owned = {int(year): line[year] for year in years if line[year] is not None}
            assert owned == {year: board.count_owned(power, year) for year in board.years}
            assert line["End"] == (board.centres[power] if is_over else None)
        row += len(board.powers) + 3
    assert max(book.pages["Boards"].cells) == row - 2
    assert book.pages["Boards"].area == f"A1:{xl.at(row - 2, 3 + len(years))}"
    teams = [line for line in book.lines("Teams", 5) if line["Team"]]
    assert [
        (line["Team"], [line[f"Member {n}"] for n in range(1, len(line)) if line[f"Member {n}"]]) for line in teams
    ] == [(team.name, sorted(team.members, key=name_order)) for team in sorted(event.teams, key=lambda team: team.name)]


def test_who_is_level_stands_in_one_order_of_names_in_the_ranking_and_in_the_book() -> None:
    names = ("Adam Ek", "Änne Moor", "de Wit", "Łukasz Król", "Zoe Ek")
    level = [Contender(name=name, total=Fraction(), games=()) for name in sorted(names)]
    assert tuple(row.contender.name for row in rank_contenders(level, (), FieldOfPlayers())) == names
    alone = EventResults(boards=(), players={name: Entrant(name=name) for name in sorted(names)})
    book = Shown(write_workbook(score(alone, rules_of("edc2023")), title="Cup"))
    assert tuple(line["Name"] for line in book.lines("Players", 4) if line["Name"]) == names
