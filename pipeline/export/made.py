"""Everything that leaves the house beside pages: tables, games, orders and maps, as files by their names."""

from enum import StrEnum

from pipeline.desk.draw.told import standings_are_open
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.publish.public_record import PublicRecord, public_record
from pipeline.export.games import order_text, saved_game
from pipeline.export.tables import as_json, tables
from pipeline.export.wdd import wdd_tables
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.undone import standing
from pipeline.picture import Caption, as_svg, draw_position, draw_resolution
from pipeline.words.speech import Speech

NOW = "now"  # in the place of a phase: how a game stands


class What(StrEnum):
    """What can be exported."""

    RESULTS = "results"  # tables as CSV and JSON
    GAMES = "games"  # as the package `diplomacy` loads them
    ORDERS = "orders"  # as plain text
    MAPS = "maps"  # as SVG
    SITE = "site"  # as web pages


def record_to_export(event: Event, sealed: bool | None) -> PublicRecord:
    """What may leave the house; ``sealed`` standings are in none of it (None: as was said, or as the rules say)."""
    if sealed is None:
        is_said = bool(standing(event.facts, StandingsOpened))
        sealed = not standings_are_open(event) if is_said else event.tournament.scoring.is_sealed
    return public_record(event, games(event), are_open=not sealed)


def results(record: PublicRecord) -> dict[str, bytes]:
    """The tables, each as CSV, and all but those for the World Diplomacy Database as one JSON file."""
    found = tables(record)
    files = {f"results/{table.name}.csv": table.as_csv() for table in (*found, *wdd_tables(record))}
    return files | {"results/results.json": as_json(record, found)}


def saved_games(record: PublicRecord) -> dict[str, bytes]:
    """The games of maps that the package knows."""
    found = {name: saved_game(game, record.title) for name, game in record.games.items()}
    return {f"games/{name}.json": data for name, data in found.items() if data is not None}


def orders(record: PublicRecord) -> dict[str, bytes]:
    """The orders."""
    return {f"orders/{name}.txt": order_text(game, record.title) for name, game in record.games.items()}


def maps(record: PublicRecord) -> dict[str, bytes]:
    """A map of every phase with its orders, and one of how each game stands."""
    return {
        name: data
        for game in record.games.values()
        for name, data in maps_of(game, record.title, record.speech).items()
    }


def maps_of(game: Game, event: str, speech: Speech) -> dict[str, bytes]:
    """The maps of one game, as they are hung up: with the title, the counts and the signs beside them."""
    caption = Caption(title=speech.says("Board {board}", board=game.name), subtitle=event, speech=speech)
    found = {
        f"maps/{game.name}-{played.phase}.svg": as_svg(
            draw_resolution(game.map, played.before, played.resolution, caption)
        ).encode()
        for played in game.played
    }
    found[f"maps/{game.name}-{NOW}.svg"] = as_svg(draw_position(game.map, game.position, caption)).encode()
    return found
