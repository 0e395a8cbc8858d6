"""The seats of a round, by board and by player: for the screen, for phones, and to hang up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.problems import stop


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where in a round."""

    round: int
    boards: tuple[tuple[str, tuple[tuple[Power, str], ...]], ...]  # name of the board, powers with who sits there

    @property
    def by_player(self) -> tuple[tuple[str, str, Power], ...]:
        """Name, board and power, by name; somebody who plays on two boards stands there twice."""
        rows = [(name, board, power) for board, seats in self.boards for power, name in seats if name]
        return tuple(sorted(rows, key=lambda row: (row[0].casefold(), row[1])))

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts and pages."""
        return {
            "round": self.round,
            "boards": [
                {"board": board, "seats": [{"power": str(power), "player": name} for power, name in seats]}
                for board, seats in self.boards
            ],
            "players": [{"player": name, "board": board, "power": str(power)} for name, board, power in self.by_player],
        }


def seats_of(event: Event, round_number: int) -> Seats:
    """The seats of a round that is drawn, as they are now: who took a seat over sits there."""
    found = of_games(games(event).values(), round_number)
    if not found.boards:
        raise stop("is not drawn yet; 'ordersheets draw' does it", f"round {round_number}")
    return found


def of_games(every: Iterable[Game], round_number: int) -> Seats:
    """The same, of games that were read already; no boards where the round is not drawn."""
    mine = [game for game in every if game.seating.round == round_number]
    boards = tuple((game.name, tuple(game.seating.players.items())) for game in mine)
    return Seats(round_number, boards)


def seats_pdf(event: Event, found: Seats) -> bytes:
    """The seats to hang up, by board and by player, on the event's paper."""
    from pipeline.paper.pdf.seat_lists import SeatBlock, SeatPart, print_seats  # noqa: PLC0415 - to show them needs no PDF

    speech = event.speech
    boards = tuple(
        SeatBlock(
            speech.says("Board {board}", board=board),
            tuple((speech.power(power), name or speech.says("nobody")) for power, name in seats),
        )
        for board, seats in found.boards
    )
    players = tuple(
        SeatBlock("", ((name, f"{board} {speech.power(power)}"),)) for name, board, power in found.by_player
    )
    about = {"event": event.details.name, "round": found.round}
    heads = (
        speech.says("{event} · round {round} · boards", **about),
        speech.says("{event} · round {round} · players", **about),
    )
    return print_seats(tuple(map(SeatPart, heads, (boards, players))), event.details.paper, speech.says("Seats"))
