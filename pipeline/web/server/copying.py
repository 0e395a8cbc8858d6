"""Copies of the event while the office is open: one is made where one is due, and no page waits for it.

In a quiet moment it keeps the status, too, for whoever asks for it by command.
"""

from collections.abc import Callable

from pipeline.desk.backup.backups import back_up, is_due, older_state
from pipeline.desk.review.status import leave_status
from pipeline.problems import Stopped
from pipeline.web.office.office import Office

EVERY_S = 2.0  # how often it is looked whether anything is new
OFTEN_S = 30.0  # how often also where no fact is new: minutes go by
QUIET_S = 3.0  # without a key: the status of all boards takes a quarter of a second, and a key would wait for it
LONGEST_S = 600.0  # for a second place that is slow


class Copying:
    """What copies, and keeps the status, while nobody waits."""

    def __init__(self, office: Office, on_trouble: Callable[[str], None]) -> None:
        self.office = office
        self.every_s = EVERY_S
        self.on_trouble = on_trouble
        self.seen, self.kept, self.waited = -1, -1, 0.0

    def work(self) -> None:
        """Look once whether anything is new, or minutes have gone by."""
        with self.office.lock:
            number = self.office.event.facts.last_number()
        self.waited += self.every_s
        if number != self.seen or self.waited >= OFTEN_S:
            self.look()
            self.seen, self.waited = number, 0.0
        if number != self.kept and self.office.clock() - self.office.last_seen >= QUIET_S:
            self.kept = number
            with self.office.lock:
                leave_status(self.office.event)

    def look(self) -> None:
        """Make a copy where one is due; what stands against it is told once, and again where it is another."""
        event = self.office.event
        try:
            with self.office.lock:
                problems, needs_copy = older_state(event), is_due(event)
            if not needs_copy and not problems:
                return
            if needs_copy:
                problems += back_up(event, LONGEST_S)
        except Stopped as stopped:
            problems = stopped.problems
        told = "; ".join(f"{each.where}: {each.text}" for each in problems)
        if told and told != self.office.no_backup:
            self.on_trouble(told)
        self.office.no_backup = told
