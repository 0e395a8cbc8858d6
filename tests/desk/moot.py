"""A small event that was played: made-up legal orders, judged and published as the desk does, without paper."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desk.beginnings import copied
from desk.cup import clock
from pipeline.board import Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.explain import as_published
from pipeline.desk.sheets.printed import expected_units
from pipeline.draw.roster import Player
from pipeline.judge.adjudicate import adjudicate
from pipeline.rehearsal.rehearse import InventedScript
from pipeline.scoring.results import Ending

PEOPLE = (
    "Zoë Åkerström", "Maximiliane von Hohenlohe-Waldenburg", "Ada Lovelace", "Bo", "Cem Yılmaz", "Dag O'Hara", "=Eva()",
    "Gil Adler", "Hana Brandt", "Ivo Costa", "Jun Dahl", "Kai Eriksen", "Lea Ferrari", "Mio Gruber",
)  # fmt: skip


def drawn(folder: Path, people: Sequence[str] = PEOPLE, *, tournament: str = "weaselmoot", more: str = "") -> Path:
    """An event whose first round is drawn; ``more`` are further lines of its table in ``event.toml``."""
    return copied(draw_anew, folder, tuple(people), tournament, more)


def draw_anew(folder: Path, people: Sequence[str], tournament: str, more: str) -> None:
    """Make the event in a new folder, and draw its first round."""
    make_event_folder(
        folder,
        Details(name="Moot of Maps", code="MAPS", tournament=tournament),
        [Player(name=n) for n in people],
        clock,
    )
    if more:
        text = (folder / "event.toml").read_text("utf-8")
        (folder / "event.toml").write_text(text.replace("[event]\n", f"[event]\n{more}\n", 1), "utf-8")
    with open_event(folder, clock) as event:
        draw(event, 1, people)


def draw(event: Event, number: int, people: Sequence[str]) -> None:
    """Seat a round: seven by seven, as they stand there."""
    boards = {
        str(board): dict(zip(Power, people[first : first + 7], strict=True))
        for board, first in enumerate(range(0, len(people), 7), start=1)
    }
    seat_round(event, number, boards, by="Tess")


def play_on(event: Event, board: str, until: str, seed: int = 5) -> Game:
    """Publish phase after phase until a board is in some phase; give back how it stands."""
    while str((game := find_game(event, board)).position.phase) != until:
        publish_next(event, game, seed)
    return game


def publish_next(event: Event, game: Game, seed: int = 5) -> None:
    """Publish the phase a board is in."""
    script = InventedScript(event, seed, 99)
    rng = np.random.default_rng([seed, *f"{game.name} {game.position.phase}".encode()])
    orders = {power: tuple(script.orders(game, power, rng)) for power in expected_units(game.map, game.position)}
    resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
    event.facts.write(as_published(game.name, orders, resolution, {}), "Tess")


def played(folder: Path, until: str = "S1904M") -> Path:
    """Two boards of a first round: one is over, the other goes on."""
    with open_event(drawn(folder), clock) as event:
        end_game(event, play_on(event, "1.1", until), Ending.TIME, by="Tess", why="time")
        play_on(event, "1.2", "F1903M")
    return folder
