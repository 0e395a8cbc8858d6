"""The gallery of scoring systems: a name, a sentence and a picture of each, to choose from."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pipeline.picture.commands import Payouts, Point, draw_payouts
from pipeline.picture.formats import as_svg
from pipeline.rules.load import load_systems
from pipeline.rules.rules_check import SOLO, TYPICAL, make_board
from pipeline.rules.systems import SystemFile
from pipeline.rules.table import data_folder
from pipeline.scoring.results import decimal
from pipeline.scoring.system import System, pay_by_count, score_board

DECIMALS = 2  # of the points in a picture


class ShownSystem(Struct, frozen=True):
    """One system in the gallery."""

    system: SystemFile
    picture: str  # SVG

    @property
    def id(self) -> str:
        """What a rules file calls it: ``[scoring] system = "tribute"``."""
        return self.system.id

    @property
    def name(self) -> str:
        return self.system.name

    @property
    def summary(self) -> str:
        """How it works, in a sentence."""
        return self.system.summary


def gallery() -> Iterator[ShownSystem]:
    """All systems that come with the program, by their ids, with the pictures that come with them."""
    for system in load_systems().values():
        yield ShownSystem(system, picture_file(system.id).read_text("utf-8"))


def picture_file(system: str) -> Path:
    """Where a system's picture is kept: beside its file."""
    return data_folder("templates/scoring") / f"{system}.svg"


def _draw_system(name: str, system: System) -> str:
    """Draw a system's picture; this takes a sixth of a second."""
    board = score_board(make_board(TYPICAL), system)
    solo = max(game.score for game in score_board(make_board(SOLO), system))
    payouts = Payouts(
        title=name,
        points=tuple(
            Point(pay.centres, float(pay.least), float(pay.mean), float(pay.most)) for pay in pay_by_count(system)
        ),
        board=tuple((game.centres, float(game.score), decimal(game.score, DECIMALS)) for game in board),
        solo=decimal(solo, DECIMALS),
    )
    return as_svg(draw_payouts(payouts))


def _write_pictures() -> None:
    """Draw the picture of every system again, beside its file; a test compares them."""
    for system in load_systems().values():
        picture_file(system.id).write_text(_draw_system(system.name, system.system) + "\n", "utf-8")


if __name__ == "__main__":
    _write_pictures()
