"""What tests of the draw share: rounds of boards of three, small enough to be read."""

from collections.abc import Sequence

from pipeline.board import Power
from pipeline.draw.task import PastBoard, Task, Wished, Wishes
from pipeline.rules.tournament import Aim, Wish

A, E, F = THREE = (Power.AUSTRIA, Power.ENGLAND, Power.FRANCE)
SIX = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
FIRST = ("Ann Bob Cat", "Dan Eve Fay")
SECOND = ("Bob Ann Dan", "Cat Eve Fay")


def wishes(*aims: Aim, must: Sequence[Aim] = (), **more: object) -> Wishes:
    """Wishes in this order, each with a rule of its own."""
    wished = [Wished(aim=aim, wish=Wish.MUST if aim in must else Wish.SHOULD, rule=f"rule {aim}") for aim in aims]
    return Wishes(wished=tuple(wished), **more)  # type: ignore[arg-type]  # the other fields by name


def seat(*boards: str) -> list[dict[Power, str]]:
    """Boards from names in the order Austria, England, France."""
    return [dict(zip(THREE, board.split(), strict=False)) for board in boards]


def a_round(found: Wishes, *rounds: Sequence[str], **more: object) -> Task:
    """A round to be drawn after the rounds that are given."""
    past = [PastBoard(round=number, players=board) for number, told in enumerate(rounds, 1) for board in seat(*told)]
    fields = {"powers": THREE, "bodies": SIX, "wishes": found, "past": tuple(past), **more}
    return Task(**fields)  # type: ignore[arg-type]  # fields by name


def pair(names: str) -> frozenset[str]:
    """Two names."""
    return frozenset(names.split())
