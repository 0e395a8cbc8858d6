"""What tests of the draw share: an event with players, and rounds played without boards."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

from desk.beginnings import copied
from facts_as_kept import append_fact

from pipeline.board import Map, Phase, Position, Power, starting_position
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.publish.explain import as_published
from pipeline.draw.roster import Player
from pipeline.draw.task import PastBoard, Task, Wished, Wishes
from pipeline.judge.adjudicate import adjudicate
from pipeline.ledger.events import PhasePublished
from pipeline.orders import write_position
from pipeline.rules.tournament import Aim, Wish
from pipeline.scoring.results import Ending

POWERS = tuple(Power)
RULE = "RULE 1"


def clock() -> str:
    """Time stands still in tests."""
    return "2026-01-02T09:00:00+00:00"


def names(count: int) -> tuple[str, ...]:
    """So many names, from P01 on."""
    return tuple(f"P{number:02}" for number in range(1, count + 1))


def wishing(*aims: Aim, must: Sequence[Aim] = (), **more: object) -> Wishes:
    """Wishes in this order."""
    wished = tuple(Wished(aim=aim, wish=Wish.MUST if aim in must else Wish.SHOULD, rule=RULE) for aim in aims)
    return Wishes(wished=wished, **more)  # type: ignore[arg-type]  # the other fields by name


def task(count: int, wishes: Wishes, past: Sequence[PastBoard] = (), **more: object) -> Task:
    """A round of so many players."""
    fields = {"powers": POWERS, "bodies": names(count), "wishes": wishes, "past": tuple(past), **more}
    return Task(**fields)  # type: ignore[arg-type]  # fields by name


def past(number: int, boards: Sequence[Mapping[Power, str]]) -> list[PastBoard]:
    """A round that was played."""
    return [PastBoard(round=number, players=board) for board in boards]


def in_a_row(number: int, players: Sequence[str]) -> list[PastBoard]:
    """A round in which seven after seven sat together."""
    boards = [players[start : start + 7] for start in range(0, len(players), 7)]
    return past(number, [dict(zip(POWERS, board, strict=True)) for board in boards])


def pairs(boards: Sequence[Mapping[Power, str]]) -> list[frozenset[str]]:
    """Everybody who sits with somebody."""
    return [frozenset(pair) for board in boards for pair in combinations(board.values(), 2)]


@contextmanager
def event_of(folder: Path, tournament: str, players: Sequence[Player], map_name: str = "standard") -> Iterator[Event]:
    """An event under a tournament's rules."""
    details = Details(name="Test Cup", code="TEST", tournament=tournament, map_name=map_name)
    with open_event(copied(make_event, folder / "cup", details, tuple(players)), clock) as event:
        yield event


def make_event(folder: Path, details: Details, players: Sequence[Player]) -> None:
    """Make the event in a new folder; nobody is seated."""
    make_event_folder(folder, details, players, clock)


def seated(event: Event, number: int, seed: int = 1, **more: object) -> Drawn:
    """Draw a round and write it down."""
    drawn = draw_round(event, Request(round=number, seed=seed, **more))  # type: ignore[arg-type]  # fields by name
    seat_drawn(event, drawn, by="Tess")
    return drawn


def play(event: Event, number: int) -> None:
    """End every game of a round; the counts differ from power to power, Austria's is the most."""
    for name, game in games(event).items():
        if game.seating.round == number and not game.ending:
            append_fact(
                event.facts, "position set", {"board": name, "position": write_position(counted(game.map))}, "Tess"
            )
    for game in games(event).values():
        if game.seating.round == number and not game.ending:
            end_game(event, game, Ending.TIME, by="Tess", why="the test says so")


def counted(board: Map) -> Position:
    """A position in 1907 in which Austria holds its neighbours' centres."""
    start = starting_position(board)
    centres = {power: tuple(owned) for power, owned in start.centres.items()}
    taken = [centres[power][-1] for power in (Power.ITALY, Power.TURKEY, Power.FRANCE) if power in centres]
    owned = {power: tuple(c for c in found if c not in taken) for power, found in centres.items()}
    owned[Power.AUSTRIA] = (*owned[Power.AUSTRIA], *taken)
    return Position(phase=Phase.read("S1908M"), units={}, centres=owned)


def begun(event: Event, board: str) -> PhasePublished:
    """The first phase of a board, in which everybody holds."""
    game = find_game(event, board)
    resolution = adjudicate(game.map, game.position, {}, event.tournament.rulebook)
    return as_published(board, {}, resolution, {})
