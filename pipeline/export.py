"""Export what is public into a folder.

Files of an earlier export that are outdated are deleted, nothing else is touched.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_never

from msgspec import Struct

from pipeline.board import Kind, Map, Position, Power, Step, province_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Played, games
from pipeline.desk.players import standings_are_open
from pipeline.desk.publish.public_record import PublicRecord, PublicStandings, public_record
from pipeline.desk.sheets.printed import entitlements
from pipeline.judge.outcome import Result, Unconvoyed, Unmatched, Word
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.files import make_again, place_inside
from pipeline.ledger.ledger import standing
from pipeline.orders import Convoy, Hold, Move, Retreat, Support, write
from pipeline.picture.draw import Caption, draw_position, draw_resolution
from pipeline.picture.formats import as_svg
from pipeline.problems import stop
from pipeline.scoring.results import FIRST_YEAR, Board, Ending, decimal
from pipeline.scoring.system import PlayerGame
from pipeline.small_files import fault_in_file_name
from pipeline.words.speech import Speech
from pipeline.workbook.csv_text import write_csv

# The results as tables: rounds, boards, seats, counts, orders and places; docs/reference/export.md says every column.

ExportValue = str | int | None  # None: not known, or sealed
ExportLine = Mapping[str, ExportValue]


FRACTIONS = frozenset({"score", "total"})  # columns whose numbers may have decimals


class ExportTable(Struct, frozen=True):
    """One table: its columns in order, and its lines."""

    name: str
    columns: tuple[str, ...]
    lines: tuple[ExportLine, ...]

    def as_csv(self, *, has_semicolons: bool = False) -> bytes:
        """As CSV (`write_csv`); with semicolons between the cells, numbers have a decimal comma."""
        lines = [[line.get(column) for column in self.columns] for line in self.lines]
        if has_semicolons:
            lines = [
                [str(value).replace(".", ",") if value and column in FRACTIONS else value for column, value in cells]
                for cells in (zip(self.columns, line, strict=True) for line in lines)
            ]
        return write_csv((self.columns, *lines), has_semicolons=has_semicolons)


def _tables(record: PublicRecord) -> tuple[ExportTable, ...]:
    """Every table; the standings only while they are open."""
    listed = [
        _make_table("rounds", ("round", "boards", "players", "over"), _rounds(record)),
        _make_table("boards", BOARD, _board_lines(record)),
        _make_table("seats", SEAT, _seat_lines(record)),
        _make_table("centres", ("round", "board", "year", "power", "player", "centres"), _centres(record)),
        _make_table("orders", ORDER, _published_order_lines(record)),
    ]
    if record.places is not None:
        listed.append(
            _make_table("standings", ("place", "tied", "player", "total", "decided_by"), _standings_lines(record))
        )
    return tuple(listed)


BOARD = ("round", "board", "map", "final_table", "phase", "over", "how_it_ended", "last_year", "phases_published")
SEAT = ("round", "board", "power", "player", "sat_there_before", "centres", "place_on_board", "score")
ORDER = ("round", "board", "phase", "power", "player", "order", "result", "reason")


def _make_table(name: str, columns: Sequence[str], lines: Iterator[ExportLine]) -> ExportTable:
    return ExportTable(name, tuple(columns), tuple(lines))


def _rounds(record: PublicRecord) -> Iterator[ExportLine]:
    for number in sorted(record.rounds):
        played = record.boards(number)
        players = {name for game in played for name in game.seating.everybody}
        over = all(game.ending for game in played)
        yield {"round": number, "boards": len(played), "players": len(players), "over": _write_bool(over)}


def _board_lines(record: PublicRecord) -> Iterator[ExportLine]:
    for game in record.games.values():
        counted = game.counts_by_year
        yield {
            **_game_keys(game),
            "map": game.map_name,
            "final_table": _write_bool(game.seating.is_final),
            "phase": str(game.position.phase),
            "over": _write_bool(game.ending is not None),
            "how_it_ended": game.ending,
            "last_year": max(counted, default=None),
            "phases_published": len(game.played),
        }


def _seat_lines(record: PublicRecord) -> Iterator[ExportLine]:
    scores = _exact_scores(record)
    for game in record.games.values():
        own = {power: scores[game.name, power] for power in game.seating.players if (game.name, power) in scores}
        for power, player in game.seating.players.items():
            before = [each.player for each in game.seating.earlier if each.power is power and each.player]
            score = own.get(power)
            yield {
                **_game_keys(game),
                "power": str(power),
                "player": player,
                "sat_there_before": "; ".join(before),
                "centres": game.centres[power],
                "place_on_board": None if score is None else 1 + sum(other > score for other in own.values()),
                "score": None if score is None else decimal(score),
            }


def _centres(record: PublicRecord) -> Iterator[ExportLine]:
    """The counts after every Fall."""
    for game in record.games.values():
        for year, row in sorted(game.counts_by_year.items()):
            for power in game.seating.players:
                player = game.seating.last_players[power]
                yield {
                    **_game_keys(game),
                    "year": year,
                    "power": str(power),
                    "player": player,
                    "centres": row.get(power, 0),
                }


def _published_order_lines(record: PublicRecord) -> Iterator[ExportLine]:
    """Every order that was published, as it stands after corrections."""
    for game in record.games.values():
        for played in game.played:
            for result in played.resolution.results:
                yield {
                    **_game_keys(game),
                    "phase": str(played.phase),
                    "power": str(result.power),
                    "player": game.seating.player_at(result.power, played.phase),
                    "order": write(result.order),
                    "result": str(result.outcome.result),
                    "reason": result.reason,
                }


def _standings_lines(record: PublicRecord) -> Iterator[ExportLine]:
    if record.places is None:
        return
    for row in record.places.final.standings.rows:
        decided = str(row.decision) if row.decision else ""
        total = decimal(row.total)
        yield {
            "place": row.place,
            "tied": _write_bool(row.is_tied),
            "player": row.player,
            "total": total,
            "decided_by": decided,
        }


def _exact_scores(record: PublicRecord) -> dict[tuple[str, Power], Fraction]:
    """The scores of games that are over, while standings are open."""
    if record.places is None:
        return {}
    names = {game.spot: name for name, game in record.games.items()}
    return {(names[game.board.spot], game.power): game.score for game in record.places.final.games}


def _game_keys(game: Game) -> dict[str, ExportValue]:
    """The round and the board of a line."""
    return {"round": game.seating.round, "board": game.seating.board}


def _write_bool(value: bool) -> str:
    return "yes" if value else "no"


def _tables_as_json(record: PublicRecord, export_tables: Sequence[ExportTable]) -> bytes:
    """The tables as one JSON object: ``{"event", "sealed", "rounds": [{…}], …}``; numbers with decimals are text."""
    lines = {
        each.name: [{column: line.get(column) for column in each.columns} for line in each.lines]
        for each in export_tables
    }
    body = {"event": record.title, "sealed": record.places is None, **lines}
    return (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode()


# Games for other programs: as the JSON that the Python package ``diplomacy`` loads, and as plain order text.
#
# The format is that package's "saved game": ``{"id", "map", "rules", "phases": [{"name", "state", "orders", "results",
# "messages"}]}``, a phase for every one that was published and one more for how the game stands. The package judges by
# the rulebook it knows; so each file's rules say ``DIFFERENT_ADJUDICATION``, and the states are the tournament's own.

MAPS = {"standard": "standard"}  # our name of a map -> the package's; it has no other map of ours
RULES = ("NO_PRESS", "POWER_CHOICE", "DIFFERENT_ADJUDICATION")
COMPLETED = "COMPLETED"  # the name of the phase after the end


def _saved_game(game: Game, event: str) -> bytes | None:
    """Write a game as the package loads it, on one line as it wants it; None where it does not know the map.

    Of a game that was played elsewhere nobody knows a position.
    """
    if game.map_name not in MAPS or game.entered is not None:
        return None
    name = f"{event} {game.name}"
    phases = [_phase_of(game, played, name) for played in game.played]
    last = COMPLETED if game.ending else str(game.position.phase)
    powers = tuple(game.map.start)
    state = _write_state(game.map, game.position, last, name)
    empty: dict[str, list[str]] = {str(power): [] for power in powers}
    phases.append({"name": last, "state": state, "orders": empty, "results": {}, "messages": []})
    body = {"id": name, "map": MAPS[game.map_name], "rules": list(RULES), "phases": phases}
    return (json.dumps(body, ensure_ascii=True) + "\n").encode()


def _phase_of(game: Game, played: Played, name: str) -> dict[str, Any]:
    orders: dict[str, list[str]] = {str(power): [] for power in game.map.start}
    results_of_unit: dict[str, list[str]] = {str(unit): [] for _, unit in played.before.all_units()}
    for result in played.resolution.results:
        order = _in_package(game.map, played.before, result)
        if order is not None:
            orders[str(result.power)].append(order)
            results_of_unit[" ".join(order.split()[:2])] = _result_words(result)
    state = _write_state(game.map, played.before, str(played.phase), name)
    return {"name": str(played.phase), "state": state, "orders": orders, "results": results_of_unit, "messages": []}


def _in_package(board: Map, before: Position, result: Result) -> str | None:
    """Write an order as the package does: a way over the sea is VIA, and an illegal order is a hold that is void.

    None where the package has no words for it: an illegal order of a retreat or a winter, or for no unit.
    """
    order = result.order
    # a convoyed move without a fleet is an order
    if result.outcome.result in (Word.ILLEGAL, Word.INVALID) and not isinstance(result.outcome, Unconvoyed | Unmatched):
        mine = before.units.get(result.power, ())
        return f"{order.unit} H" if isinstance(order, Hold | Move | Support | Convoy) and order.unit in mine else None
    if isinstance(order, Move) and (order.via or order.route or _is_far(board, order)):
        return f"{order.unit} - {order.to} VIA"
    return write(order)


def _is_far(board: Map, move: Move) -> bool:
    """Whether an army can get there only by convoy."""
    return move.unit.kind is Kind.ARMY and not board.reaches(Kind.ARMY, move.unit.place, province_of(move.to))


def _result_words(result: Result) -> list[str]:
    """The result of an order in the package's words; empty for success."""
    words = []
    match result.outcome.result:
        case Word.SUCCEEDS | Word.GIVEN | Word.STANDS | Word.AVAILABLE | Word.AUTOMATIC:
            pass
        case Word.FAILS:
            words.append("bounce")
        case Word.CUT:
            words.append("cut")
        case Word.DISRUPTED:
            words.append("disrupted")
        case Word.ILLEGAL | Word.INVALID:
            words.append("no convoy" if isinstance(result.outcome, Unconvoyed) else "void")
        case _ as unknown:
            assert_never(unknown)
    if result.dislodged_by is not None:
        words.append("dislodged")
    if isinstance(result.order, Retreat) and words:
        words.append("disband")
    return words


def _write_state(board: Map, position: Position, phase: str, name: str) -> dict[str, Any]:
    """A position in the package's words; a unit that must retreat has a star."""
    powers = tuple(board.start)
    driven = {power: [each for each in position.dislodged if each.power is power] for power in powers}
    units = {power: [str(unit) for unit in position.units.get(power, ())] for power in powers}
    homes = {str(power): list(board.homes[power]) for power in powers}
    return {
        "timestamp": 0,
        "zobrist_hash": "0",
        "note": "",
        "name": phase,
        "units": {str(p): [*units[p], *(f"*{each.unit}" for each in driven[p])] for p in powers},
        "retreats": {str(p): {str(each.unit): list(each.retreats) for each in driven[p]} for p in powers},
        "centers": {str(p): list(position.centres.get(p, ())) for p in powers},
        "homes": homes,
        "influence": {str(p): [] for p in powers},
        "civil_disorder": {str(p): 0 for p in powers},
        "builds": _count_builds(board, position, powers),
        "game_id": name,
        "map": MAPS["standard"],
        "rules": list(RULES),
    }


def _count_builds(board: Map, position: Position, powers: tuple[Power, ...]) -> Mapping[str, Any]:
    """What a winter asks for: how many more units, or with a minus how many fewer, and where they may be built."""
    due = entitlements(board, position) if position.phase.step is Step.ADJUSTMENTS else {}
    taken = {unit.province for _, unit in position.all_units()}
    free = {
        p: [home for home in board.homes[p] if home in position.centres.get(p, ()) and home not in taken] for p in due
    }
    return {str(p): {"count": due.get(p, 0), "homes": free[p] if due.get(p, 0) > 0 else []} for p in powers}


def _order_text(game: Game, event: str) -> bytes:
    """Every published order as people type it elsewhere: a phase, then each power with its orders, a line each."""
    lines = [f"# {event}, board {game.name}", ""]
    for played in game.played:
        lines.append(str(played.phase))
        for power in game.seating.players:
            own = [write(result.order) for result in played.resolution.results if result.power is power]
            if own:
                lines += ["", str(power), *own]
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


# The two tables that the World Diplomacy Database takes: the classification, and the boards.
#
# Columns and values as the Diplomacy Tournament Visualiser writes them for it (its WDD views): a player is a first
# name, a name and HOMONYME, 1 unless the roster's column `homonyme` has another number; EXAEQUO is how many share the
# rank; 999 is unranked; a power is 0 and its first two letters; years count from 1901 as 1. Names are split before the
# family name where the roster has it, else before their last word: look those over before they are sent.

MOST_ROUNDS = 8  # R1 … R8
LEAST_YEARS = 20  # CT_01 … CT_20
UNRANKED = 999
WHO = ("FIRST NAME", "NAME", "HOMONYME")
BEST = ("RK", "PT", "CT", "HEAT", "BOARD")  # of the best player of each power
TOP = tuple(f"{name}_TOPBOARD" for name in ("NAME", "HEAT", "BOARD", "RK", "CT", "COUNTRY"))


def _classification(
    record: PublicRecord, places: PublicStandings, numbers: Mapping[tuple[int, str], int]
) -> ExportTable:
    """One line a player: rank, score, rounds, the best of a power, the final table."""
    has_final = any(board.is_final for board in places.final.event.boards)
    best = [f"{what}_{_country(power)}" for power in Power for what in BEST]
    columns = (*WHO, "RANK", "EXAEQUO", "SCORE", *(f"R{n}" for n in range(1, MOST_ROUNDS + 1)), *best)
    lines = _classification_lines(record, places, numbers)
    return _make_table("wdd-classification", (*columns, *(TOP if has_final else ())), lines)


def _classification_lines(
    record: PublicRecord, places: PublicStandings, numbers: Mapping[tuple[int, str], int]
) -> Iterator[ExportLine]:
    scored = places.final
    rows = scored.standings.rows
    shared = [row.place for row in rows]
    for row in rows:
        yield {
            **_split_name(row.player, record),
            "RANK": row.place,
            "EXAEQUO": shared.count(row.place),
            "SCORE": decimal(row.total),
            **_of_games(row.player, places, numbers),
        }
    for tally in scored.standings.unranked:
        name = tally.player.name
        line = {**_split_name(name, record), "RANK": UNRANKED, "EXAEQUO": 1, "SCORE": decimal(tally.total)}
        yield {**line, **_of_games(name, places, numbers)}


def _of_games(name: str, places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> ExportLine:
    """What one player's games add to the classification."""
    mine = [game for game in places.final.games if game.player == name]
    sums: dict[int, Fraction] = {}
    for game in mine:
        sums[game.round] = sums.get(game.round, Fraction(0)) + game.score
    cells: dict[str, str | int | None] = {f"R{number}": decimal(score) for number, score in sums.items()}
    for best in places.final.powers:
        for each in (one for one in best.games if one.player == name):
            values = (1, decimal(each.score), each.centres, each.round, numbers[each.board.spot])
            cells |= dict(zip((f"{what}_{_country(best.power)}" for what in BEST), values, strict=True))
    for game in (game for game in mine if game.board.is_final):
        rank = 1 + sum(score > game.score for score in game.scores.values())
        values_top = ("A", game.round, numbers[game.board.spot], rank, game.centres, _country(game.power))
        cells |= dict(zip(TOP, values_top, strict=True))
    return cells


def _wdd_boards(record: PublicRecord, places: PublicStandings, numbers: Mapping[tuple[int, str], int]) -> ExportTable:
    """One line a seat of a game that is over: its rank, score and counts."""
    by_spot = {game.spot: game for game in record.games.values()}
    last = max((year for game in by_spot.values() for year in game.counts_by_year), default=FIRST_YEAR)
    marks = [_year_mark(FIRST_YEAR + n) for n in range(max(LEAST_YEARS, last - FIRST_YEAR + 1))]
    columns = (*WHO, "ROUND", "BOARD", "COUNTRY", "RANK", "EXAEQUO", "SCORE", "NB_CENTRE", "YEAR_ELIMINATION", "DRAW")
    seats = (_seat_line(game, by_spot[game.board.spot], numbers, record) for game in places.final.games if game.player)
    return _make_table("wdd-boards", (*columns, *marks), seats)


def _seat_line(
    scored: PlayerGame, game: Game, numbers: Mapping[tuple[int, str], int], record: PublicRecord
) -> ExportLine:
    ranks = {
        power: 1 + sum(other > score for other in scored.scores.values()) for power, score in scored.scores.items()
    }
    by_year = {year: row.get(scored.power, 0) for year, row in sorted(game.counts_by_year.items())}
    gone = _year_of_elimination(scored.power, game)
    return {
        **_split_name(scored.player or "", record),
        "ROUND": scored.round,
        "BOARD": numbers[game.spot],
        "COUNTRY": _country(scored.power),
        "RANK": ranks[scored.power],
        "EXAEQUO": list(ranks.values()).count(ranks[scored.power]),
        "SCORE": decimal(scored.score),
        "NB_CENTRE": scored.centres,
        "YEAR_ELIMINATION": gone - FIRST_YEAR + 1 if gone else None,
        "DRAW": _draw_size(scored.board, scored.power),
        **{_year_mark(year): count for year, count in by_year.items()},
    }


def _split_name(name: str, record: PublicRecord) -> dict[str, str | int | None]:
    """Split a name as `_names_of` does, and number namesakes of the database as the roster does."""
    first, last = _names_of(name, record.family_names.get(name, ""))
    return dict(zip(WHO, (first, last, record.homonyms.get(name, 1)), strict=True))


def _names_of(name: str, family: str) -> tuple[str, str]:
    """Split a name before the family name, two words among them, else before its last word.

    >>> _names_of("Bo Ek", ""), _names_of("Maria van der Berg", "van der Berg"), _names_of("Lim Wei", "Lim")
    (('Bo', 'Ek'), ('Maria', 'van der Berg'), ('Wei', 'Lim'))
    >>> _names_of("José Luis García López", "García López")
    ('José Luis', 'García López')
    """
    if family and name.endswith(f" {family}"):
        return name.removesuffix(f" {family}"), family
    if family and name.startswith(f"{family} "):
        return name.removeprefix(f"{family} "), family
    first, _, last = name.rpartition(" ")
    return first, last


def _country(power: Power) -> str:
    """A power as the database writes it.

    >>> _country(Power.AUSTRIA)
    '0AU'
    """
    return f"0{power[:2]}"


def _year_mark(year: int) -> str:
    """The column of a year.

    >>> _year_mark(1901)
    'CT_01'
    """
    return f"CT_{year - FIRST_YEAR + 1:02}"


def _draw_size(board: Board, power: Power) -> int | None:
    """How many share a draw that was voted, 1 for who won alone, 0 for everybody else; None for other endings."""
    owners: Sequence[Power] = [each for each in board.powers if board.centres[each] and each not in board.left_out]
    match board.ended:
        case Ending.SOLO:
            return int(board.centres[power] == max(board.centres.values()))
        case Ending.VOTE:
            return len(owners) if power in owners else 0
        case _:
            return None


# The three tables for the World Diplomacy Reference: places, boards, and the best of each power.
#
# No public format was found in which it takes results. The columns have the names of its public JSON interface
# (api/v1), as the Diplomacy Tournament Visualiser reads it; docs/reference/export.md says every one.

WDR_BOARD = (
    "player_full_name", "board_round", "board_number", "board_power", "board_rank", "board_score", "board_centers",
    "board_year_of_elimination", "board_is_top", "board_variant",
)  # fmt: skip
VARIANTS = {"standard": "Standard"}  # our name of a map -> the reference's


def _wdr_tables(
    places: PublicStandings, record: PublicRecord, numbers: Mapping[tuple[int, str], int]
) -> list[ExportTable]:
    return [
        _make_table("wdr-classification", ("player_full_name", "player_rank", "player_score"), _wdr_ranks(places)),
        _make_table("wdr-boards", WDR_BOARD, _wdr_seats(places, record, numbers)),
        _make_table("wdr-awards", ("award_country", "player_full_name"), _wdr_awards(places)),
    ]


def _wdr_ranks(places: PublicStandings) -> Iterator[ExportLine]:
    """Who is ranked, the best first; then who is scored alone, without a rank."""
    standings = places.final.standings
    for row in standings.rows:
        yield {"player_full_name": row.player, "player_rank": row.place, "player_score": decimal(row.total)}
    for tally in standings.unranked:
        yield {"player_full_name": tally.player.name, "player_score": decimal(tally.total)}


def _wdr_seats(
    places: PublicStandings, record: PublicRecord, numbers: Mapping[tuple[int, str], int]
) -> Iterator[ExportLine]:
    by_spot = {game.spot: game for game in record.games.values()}
    for scored in (game for game in places.final.games if game.player):
        game = by_spot[scored.board.spot]
        gone = _year_of_elimination(scored.power, game)
        yield {
            "player_full_name": scored.player,
            "board_round": scored.round,
            "board_number": numbers[game.spot],
            "board_power": scored.power.title(),
            "board_rank": 1 + sum(other > scored.score for other in scored.scores.values()),
            "board_score": decimal(scored.score),
            "board_centers": scored.centres,
            "board_year_of_elimination": gone,
            "board_is_top": int(scored.board.is_final),
            "board_variant": VARIANTS.get(game.map_name, game.map_name),
        }


def _wdr_awards(places: PublicStandings) -> Iterator[ExportLine]:
    for best in places.final.powers:
        for player in best.players:
            yield {"award_country": best.power.title(), "player_full_name": player}


def _year_of_elimination(power: Power, game: Game) -> int | None:
    """The year after whose Fall a power owned nothing more; None while it lives, or where no years are known."""
    owned = {year: row.get(power, 0) for year, row in sorted(game.counts_by_year.items())}
    return next((year for year in owned if not any(owned[later] for later in owned if later >= year)), None)


# All exported files besides web pages: tables, games, orders and maps, by their names.

NOW = "now"  # in the place of a phase: how a game stands


class ExportKind(StrEnum):
    """What a file of an export is; an export may be of some kinds only."""

    RESULTS = "results"  # tables as CSV and JSON
    GAMES = "games"  # as the package `diplomacy` loads them
    ORDERS = "orders"  # as plain text
    MAPS = "maps"  # as SVG
    SITE = "site"  # as web pages


def record_to_export(event: Event, sealed: bool | None) -> PublicRecord:
    """The public record to export.

    Without standings if they are ``sealed`` (None: as the director or the rules say).
    """
    if sealed is None:
        is_said = bool(standing(event.facts, StandingsOpened))
        sealed = not standings_are_open(event) if is_said else event.tournament.scoring.is_sealed
    return public_record(event, games(event), are_open=not sealed)


def results(record: PublicRecord, *, has_semicolons: bool = False) -> dict[str, bytes]:
    """The tables, each as CSV, and all but those for other people's databases as one JSON file."""
    exported = _tables(record)
    written: tuple[ExportTable, ...] = ()
    if record.places is not None:  # the Database wants a rank in every line, and the numbers of boards, not their names
        numbers = {g.spot: number for each in record.rounds for number, g in enumerate(record.boards(each), start=1)}
        written = (
            _classification(record, record.places, numbers),
            _wdd_boards(record, record.places, numbers),
            *_wdr_tables(record.places, record, numbers),
        )
    files = {f"results/{table.name}.csv": table.as_csv(has_semicolons=has_semicolons) for table in exported}
    files |= {f"results/{table.name}.csv": table.as_csv() for table in written}
    return files | {"results/results.json": _tables_as_json(record, exported)}


def saved_games(record: PublicRecord) -> dict[str, bytes]:
    """The games of maps that the package knows."""
    saved = {name: _saved_game(game, record.title) for name, game in record.games.items()}
    return {f"games/{name}.json": data for name, data in saved.items() if data is not None}


def order_files(record: PublicRecord) -> dict[str, bytes]:
    return {f"orders/{name}.txt": _order_text(game, record.title) for name, game in record.games.items()}


def maps(record: PublicRecord) -> dict[str, bytes]:
    """A map of every phase with its orders, and one of how each game stands."""
    return {
        name: data
        for game in record.games.values()
        for name, data in _maps_of(game, record.title, record.speech).items()
    }


def _maps_of(game: Game, event: str, speech: Speech) -> dict[str, bytes]:
    """The maps of one game, as they are hung up: with the title, the counts and the signs beside them."""
    caption = Caption(title=speech.says("Board {board}", board=game.name), subtitle=event, speech=speech)
    files = {
        f"maps/{game.name}-{played.phase}.svg": as_svg(
            draw_resolution(game.map, played.before, played.resolution, caption)
        ).encode()
        for played in game.played
    }
    if game.entered is None:  # else only its counts are known
        files[f"maps/{game.name}-{NOW}.svg"] = as_svg(draw_position(game.map, game.position, caption)).encode()
    return files


CONTENTS = "contents.json"  # the files of the last export, by what they are
FilesMade = Mapping[ExportKind, Mapping[str, bytes]]


def write_folder(folder: Path, event: str, made: FilesMade) -> None:
    """Write files by kind; earlier files of kinds that are not written now stay."""
    before = contents_of(folder)
    gone = {name for kind in made for name in before.get(kind, ())} - {
        name for files in made.values() for name in files
    }
    for name in sorted(gone):
        place_inside(folder, name).unlink(missing_ok=True)
    kept = {kind: list(names) for kind, names in before.items()} | {kind: sorted(files) for kind, files in made.items()}
    body = {"event": event, "files": kept}  # written first: an export that fails may be made again here
    make_again(folder / CONTENTS, (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode())
    for files in made.values():
        for name, data in files.items():
            make_again(place_inside(folder, name), data)


def contents_of(folder: Path) -> Mapping[str, Sequence[str]]:
    """The files of an export that is already there; a folder with anything else in it is refused."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    try:
        contents = json.loads((folder / CONTENTS).read_text("utf-8"))["files"]
        listed = {str(kind): [str(name) for name in names] for kind, names in contents.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise stop(
            "other files are in this folder; choose a new one, or one of an earlier export", str(folder)
        ) from error
    if any(fault_in_file_name(name) for names in listed.values() for name in names):
        raise stop(f"its {CONTENTS} names files outside of it; choose another folder", str(folder))
    return listed
