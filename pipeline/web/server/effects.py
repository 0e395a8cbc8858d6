"""In quiet moments: find the rows whose every meaning leads to the same position."""

import threading
import time
from collections.abc import Callable

from pipeline.board.position import Step
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.agenda import claim_name
from pipeline.desk.review.effect import without_effect
from pipeline.desk.review.queue import ReviewItem
from pipeline.web.office.office import Office

QUIET_S = 0.3  # without a key: until then the desk's processor belongs to the page
PAUSE_S = 0.002  # between two adjudications
EVERY_S = 0.5


class Effects:
    """What looks at boards whose rows have changed since it looked last."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.every_s = EVERY_S
        self.is_over = threading.Event()

    def work(self) -> None:
        """Look at one board after the other."""
        for board in list(self.office.live.games):
            self.breathe()
            if self.is_over.is_set():
                return
            look_at(self.office, board, self.breathe)

    def breathe(self) -> None:
        """Wait until nobody has pressed a key for a moment."""
        time.sleep(PAUSE_S)
        while self.office.clock() - self.office.last_seen < QUIET_S and not self.is_over.wait(QUIET_S / 3):
            pass


def look_at(office: Office, board: str, breathe: Callable[[], None]) -> None:
    """Work out a board's rows without effect, if its rows have changed since."""
    with office.lock:
        as_of = office.live.touched.get(board, 0)
        game = office.live.games.get(board)
        if (
            game is None  # it was drawn anew meanwhile
            or office.unimportant.get(board, (-1, frozenset()))[0] == as_of
            or game.position.phase.step is not Step.MOVEMENT
        ):
            return
        powers = office.live.board(game)
    rules = office.event.tournament.rulebook
    found = without_effect(game.map, game.position, powers, rules, breathe)
    by_power = {power.power: power for power in powers}
    names = {
        claim_name(ReviewItem(Turn(board, game.position.phase, power), by_power[power].rows[number], None))
        for power, number in found
    }
    with office.lock:
        office.unimportant[board] = (as_of, frozenset(names))
