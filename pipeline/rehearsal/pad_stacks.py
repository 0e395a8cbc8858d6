"""Stacks of pads on invented tables: printed once for a round, dealt turn by turn, and ticked wrongly now and then."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from pipeline.board.map import Power
from pipeline.board.position import Phase, Step
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.sheets.pads import SEASONS
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, PrintWish, print_wish

WRONG = 0.08  # of the pads are ticked wrongly; nobody has counted it at real tables


@dataclass(frozen=True, slots=True)
class Dealt:
    """Pads of one print-out that are written on in one phase of one board."""

    printed: Printed
    sheets: dict[str, tuple[str, ...]]  # a pad's id -> the boxes that its player ticks


@dataclass(slots=True)
class PadStacks:
    """The pads of an event, and which of them are used up."""

    event: Event
    seasons: int
    seed: int
    printed: list[Printed] = field(default_factory=list)
    free: dict[tuple[str, Power, Step], list[str]] = field(default_factory=dict)  # by board, power and kind

    def deal(self, game: Game, powers: Iterable[Power]) -> Iterator[Dealt]:
        """Let each power take a pad from its stack, and print more where one is used up."""
        phase = game.position.phase
        taken = {self.take(game, power): ticks_of(self.turn(game, power), self.seed) for power in powers}
        for printed in self.printed:
            here = {page.sheet: taken[page.sheet] for page in printed.layout.pages if page.sheet in taken}
            if here:
                yield Dealt(printed, {sheet: ticks or right_ticks(phase) for sheet, ticks in here.items()})

    def take(self, game: Game, power: Power) -> str:
        """Take the top pad of the kind that the phase wants."""
        stack = (game.name, power, game.position.phase.step)
        if not self.free.get(stack):
            kinds = () if not any(board == game.name for board, _, _ in self.free) else (game.position.phase.step,)
            self.print(game, PrintWish(pads=self.seasons, kinds=kinds))
        return self.free[stack].pop(0)

    def print(self, game: Game, wish: PrintWish) -> None:
        """Print pads for a board and lay them on its table."""
        printed = print_wish(self.event, game.seating.round, game.seating.board, wish)
        self.printed.append(printed)
        known = printed_sheets(self.event)
        for page in printed.layout.pages:
            request = known[page.sheet].request
            self.free.setdefault((game.name, request.power, request.phase.step), []).append(page.sheet)

    def turn(self, game: Game, power: Power) -> Turn:
        """The turn that a power writes for."""
        return Turn(game.name, game.position.phase, power)

    def is_wrong(self, turn: Turn) -> bool:
        """Whether the pad of a turn is ticked wrongly."""
        return bool(ticks_of(turn, self.seed))


def right_ticks(phase: Phase) -> tuple[str, ...]:
    """The boxes that belong to a phase; in winter the year alone is ticked.

    >>> right_ticks(Phase.read("F1902R")), right_ticks(Phase.read("W1902A"))
    (('fall', '1902'), ('1902',))
    """
    seasons = tuple(name for name, season in SEASONS.items() if season is phase.season)
    return (*seasons, str(phase.year))


def ticks_of(turn: Turn, seed: int) -> tuple[str, ...]:
    """The wrong ticks of a turn; nothing for most, which are right.

    The other season, another year, two of one kind, or none of the other: what people do in a hurry.
    """
    rng = np.random.default_rng([seed, 190, *str(turn).encode()])
    if rng.random() >= WRONG:
        return ()
    right = right_ticks(turn.phase)
    year = str(turn.phase.year)
    slips = [(*right[:-1], str(turn.phase.year + 1)), (*right, str(turn.phase.year + 1))]
    if turn.phase.step is not Step.ADJUSTMENTS:
        other = next(name for name in SEASONS if name not in right)
        slips += [(other, year), (*SEASONS, year), (year,), right[:-1]]
    return slips[int(rng.integers(len(slips)))]
