"""The results as tables: rounds, boards, seats, counts, orders and places; docs/export.md says every column."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO

from pipeline.board.map import Power
from pipeline.desk.event.games import Game
from pipeline.desk.publish.public_record import PublicRecord
from pipeline.orders.notation import write
from pipeline.scoring.results.exact import decimal
from pipeline.workbook.books.pinned import as_text

Value = str | int | None  # None: not known, or sealed
Line = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class ExportTable:
    """One table: its columns in order, and its lines."""

    name: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]

    def as_csv(self) -> bytes:
        """UTF-8 with the mark by which Excel knows it; what would be taken for a formula has a ' before it."""
        out = StringIO()
        writer = csv.writer(out)
        writer.writerow(self.columns)
        writer.writerows([as_text(line.get(column)) for column in self.columns] for line in self.lines)
        return out.getvalue().encode("utf-8-sig")


def tables(record: PublicRecord) -> tuple[ExportTable, ...]:
    """Every table; the standings only while they are open."""
    found = [
        table("rounds", ("round", "boards", "players", "over"), rounds(record)),
        table("boards", BOARD, boards(record)),
        table("seats", SEAT, seats(record)),
        table("centres", ("round", "board", "year", "power", "player", "centres"), centres(record)),
        table("orders", ORDER, orders(record)),
    ]
    if record.places is not None:
        found.append(table("standings", ("place", "tied", "player", "total", "decided_by"), standings(record)))
    return tuple(found)


BOARD = ("round", "board", "map", "final_table", "phase", "over", "how_it_ended", "last_year", "phases_published")
SEAT = ("round", "board", "power", "player", "sat_there_before", "centres", "place_on_board", "score")
ORDER = ("round", "board", "phase", "power", "player", "order", "result", "reason")


def table(name: str, columns: Sequence[str], lines: Iterator[Line]) -> ExportTable:
    """Put a table together."""
    return ExportTable(name, tuple(columns), tuple(lines))


def rounds(record: PublicRecord) -> Iterator[Line]:
    """The rounds."""
    for number in sorted(record.rounds):
        games = record.boards(number)
        players = {name for game in games for name in game.seating.everybody}
        over = all(game.ended for game in games)
        yield {"round": number, "boards": len(games), "players": len(players), "over": yes(over)}


def boards(record: PublicRecord) -> Iterator[Line]:
    """The boards."""
    for game in record.games.values():
        counted = counts(game)
        yield {
            **at(game),
            "map": game.map_name,
            "final_table": yes(game.seating.is_final),
            "phase": str(game.position.phase),
            "over": yes(game.ended is not None),
            "how_it_ended": game.ended,
            "last_year": max(counted, default=None),
            "phases_published": len(game.played),
        }


def seats(record: PublicRecord) -> Iterator[Line]:
    """Who sat where, with how much."""
    scores = exact_scores(record)
    for game in record.games.values():
        own = {power: scores[game.name, power] for power in game.seating.players if (game.name, power) in scores}
        for power, player in game.seating.players.items():
            before = [each.player for each in game.seating.earlier if each.power is power and each.player]
            score = own.get(power)
            yield {
                **at(game),
                "power": str(power),
                "player": player,
                "sat_there_before": "; ".join(before),
                "centres": game.centres[power],
                "place_on_board": None if score is None else 1 + sum(other > score for other in own.values()),
                "score": None if score is None else decimal(score),
            }


def centres(record: PublicRecord) -> Iterator[Line]:
    """The counts after every Fall."""
    for game in record.games.values():
        for year, row in sorted(counts(game).items()):
            for power in game.seating.players:
                player = game.seating.last_players[power]
                yield {**at(game), "year": year, "power": str(power), "player": player, "centres": row.get(power, 0)}


def orders(record: PublicRecord) -> Iterator[Line]:
    """Every order that was published, as it stands after corrections."""
    for game in record.games.values():
        for played in game.played:
            for result in played.resolution.results:
                yield {
                    **at(game),
                    "phase": str(played.phase),
                    "power": str(result.power),
                    "player": game.seating.player_at(result.power, played.phase),
                    "order": write(result.order),
                    "result": str(result.outcome.result),
                    "reason": result.reason,
                }


def standings(record: PublicRecord) -> Iterator[Line]:
    """The places."""
    if record.places is None:
        return
    for row in record.places.final.standings.rows:
        decided = str(row.decision) if row.decision else ""
        total = decimal(row.total)
        yield {
            "place": row.place,
            "tied": yes(row.is_tied),
            "player": row.player,
            "total": total,
            "decided_by": decided,
        }


def exact_scores(record: PublicRecord) -> dict[tuple[str, Power], Fraction]:
    """The scores of games that are over, while standings are open."""
    if record.places is None:
        return {}
    names = {game.spot: name for name, game in record.games.items()}
    return {(names[game.board.spot], game.power): game.score for game in record.places.final.games}


def counts(game: Game) -> Mapping[int, Mapping[Power, int]]:
    """The counts by year: of a game that was played elsewhere, those that were entered."""
    return game.entered.years if game.entered else game.years


def at(game: Game) -> dict[str, Value]:
    """Where a line belongs."""
    return {"round": game.seating.round, "board": game.seating.board}


def yes(value: bool) -> str:
    """Write yes or no."""
    return "yes" if value else "no"


def as_json(record: PublicRecord, found: Sequence[ExportTable]) -> bytes:
    """The tables as one JSON object: ``{"event", "sealed", "rounds": [{…}], …}``; numbers with decimals are text."""
    lines = {
        each.name: [{column: line.get(column) for column in each.columns} for line in each.lines] for each in found
    }
    body = {"event": record.title, "sealed": record.places is None, **lines}
    return (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode()
