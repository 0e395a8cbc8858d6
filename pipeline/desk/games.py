"""The games of an event, worked out anew from its facts every time they are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import Phase, Position, starting_position
from pipeline.desk.event import Event
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.orders.notation import read
from pipeline.orders.order import Order
from pipeline.orders.positions import read_position
from pipeline.problems import stop
from pipeline.scoring.results import Spot
from pipeline.store.facts import Fact
from pipeline.tournament.table import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Who sits where at one board of one round."""

    round: int
    board: str
    index: int  # 0.., the board's place in its round; the corner markers of its sheets follow from it
    players: Mapping[Power, str]
    is_final: bool = False
    chose: tuple[str, ...] = ()  # final table: players in the order in which they chose their powers

    @property
    def name(self) -> str:
        """The board's full name: round and board."""
        return f"{self.round}.{self.board}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One phase that was published."""

    fact: Fact
    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    resolution: Resolution

    @property
    def phase(self) -> Phase:
        """The phase that was played."""
        return self.before.phase


RESULT = "result entered"
PLAYS = ("position set", "published", "game ended", RESULT)  # facts that carry a game on


@dataclass(frozen=True, slots=True)
class Entered:
    """The counts of a game that was played without the program, from its board sheet."""

    form: str  # the sheet's id
    years: Mapping[int, Mapping[Power, int]]  # of every year that was written down

    @property
    def centres(self) -> Mapping[Power, int]:
        """The counts at its end."""
        return self.years[max(self.years)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its seats, what was published, and where it stands now."""

    seating: Seating
    position: Position
    played: tuple[Played, ...] = ()
    ended: str | None = None  # how it ended, in words; None while it goes on
    entered: Entered | None = None  # its result, where it was not played here

    @property
    def name(self) -> str:
        """The board's full name."""
        return self.seating.name

    @property
    def spot(self) -> Spot:
        """The round and the board, as the scores name them."""
        return self.seating.round, self.seating.board


def seatings(event: Event) -> dict[str, Seating]:
    """Every board of every round, by full name; a round drawn again replaces the earlier draw."""
    rounds: dict[int, list[Seating]] = {}
    for fact in event.facts.read("seated"):
        number = int(fact.body["round"])
        rounds[number] = [
            Seating(
                round=number,
                board=str(board["board"]),
                index=index,
                players={Power(power): str(name) for power, name in board["players"].items()},
                is_final=bool(board.get("final", False)),
                chose=tuple(fact.body.get("draw", {}).get("chose", ())) if board.get("final") else (),
            )
            for index, board in enumerate(fact.body["boards"])
        ]
    return {seating.name: seating for number in sorted(rounds) for seating in rounds[number]}


def games(event: Event) -> dict[str, Game]:
    """Every game by the board's full name, played again from what was set and published."""
    found = {
        name: Game(seating=seating, position=starting_position(event.board))
        for name, seating in seatings(event).items()
    }
    for fact in event.facts.read():
        if fact.kind not in PLAYS or fact.body["board"] not in found:
            continue
        name = fact.body["board"]
        found[name] = follow(found[name], fact, event)
    return found


def follow(game: Game, fact: Fact, event: Event) -> Game:
    """Carry a game on by one fact."""
    match fact.kind:
        case "position set":
            position = read_position(fact.body["position"], event.board)
            return replace(game, position=position, played=(), ended=None, entered=None)
        case "game ended":
            return replace(game, ended=str(fact.body["how"]))
        case "result entered":
            entered = read_entered(fact.body)
            return replace(game, ended=str(fact.body["ended"]) if entered else None, entered=entered)
        case _:
            if fact.body["phase"] != str(game.position.phase):
                game = at_phase(game, fact.body["phase"])  # published again: a correction
            orders = {Power(p): tuple(read(text) for text in texts) for p, texts in fact.body["orders"].items()}
            resolution = adjudicate(event.board, game.position, orders, event.tournament.rulebook)
            played = Played(fact=fact, before=game.position, orders=orders, resolution=resolution)
            return replace(game, position=resolution.after, played=(*game.played, played))


def read_entered(body: Mapping[str, Any]) -> Entered | None:
    """Read the counts of a game back; None where its sheet was set aside after all."""
    if not body["years"]:
        return None
    years = {int(year): {Power(power): n for power, n in counts.items()} for year, counts in body["years"].items()}
    return Entered(str(body["form"]), years)


def find_game(event: Event, board: str) -> Game:
    """Find a game by its full name, ``2.5``, or by its board alone in the round drawn last."""
    found = games(event)
    if not found:
        raise stop("no round is drawn yet; use 'ordersheets draw'", str(event.folder))
    latest = max(game.seating.round for game in found.values())
    for name in (board, f"{latest}.{board}"):
        if name in found:
            return found[name]
    names = tuple(found)
    raise stop(f"no board {board!r}{did_you_mean(board, names) or '; boards are ' + ', '.join(names)}", "--board")


def survivors(game: Game) -> tuple[Power, ...]:
    """The powers that have a centre: they vote on ending the game."""
    return tuple(power for power in Power if game.position.centres.get(power))


def at_phase(game: Game, phase: str) -> Game:
    """The game as it was when a phase was about to be played."""
    if phase == str(game.position.phase):
        return game
    for number, played in enumerate(game.played):
        if phase == str(played.phase):
            return replace(game, position=played.before, played=game.played[:number], ended=None)
    known = tuple(str(p.phase) for p in game.played)
    raise stop(f"not played on board {game.name}{did_you_mean(phase, known)}", phase)
