"""The public record, kept ready: made anew when something public is written down, never because it is asked for.

A round of readings and rulings writes hundreds of facts of which nothing is public; none of them costs anything here.
"""

import threading

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import PLAYS, Game, follow, games
from pipeline.desk.event.told import OPENED, TOLD
from pipeline.desk.print.printing import PRINTED
from pipeline.desk.publish.public_record import PublicRecord, public_record
from pipeline.ledger.facts import Fact

QUIET = frozenset(  # nothing of these is public; a kind that is not named makes the record anew
    {
        "scan received",
        "scan read",
        "page read",
        "page identified",
        "page set aside",
        "ruling",
        "ruling undone",
        "sheet ruling",
        "lines typed",
        "spot check",
        "vote held",
        "vote undone",
        "forms printed",
        "form ruling",
        "form set aside",
        "lot sealed",
        "lot drawn",
        "dice committed",
        "dice rolled",
    }
)
BESIDE = frozenset({TOLD, OPENED, PRINTED, "clock started", "clock stopped"})  # no game is another for these


class PublicBook:
    """What `public_record` says, always up to the newest fact. It has an event of its own, and a lock round it."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.lock = threading.Lock()
        self.number = 0  # of the newest fact that was looked at
        self.games: dict[str, Game] = {}
        self.made: PublicRecord | None = None
        self.version = 0  # how often it was another than before

    def record(self) -> PublicRecord:
        """The record as it is now; the same object as before where nothing public was written down since."""
        made = self.made
        if not self.lock.acquire(blocking=made is None):
            assert made is not None
            return made  # it is being made anew at this moment: who asks meanwhile gets what was true a second ago
        try:
            return self.up_to_date()
        finally:
            self.lock.release()

    def up_to_date(self) -> PublicRecord:
        """Take all new facts, and make the record anew where one of them is public."""
        newest = self.event.facts.last_number()
        if self.made is not None and newest == self.number:
            return self.made
        new = [fact for fact in self.event.facts.read(after=self.number) if fact.number <= newest]
        if self.made is None or any(fact.kind not in QUIET for fact in new):
            self.take(new)
            now = public_record(self.event, self.games)
            if now != self.made:  # that a draw was made is not public either
                self.made, self.version = now, self.version + 1
        self.number = newest
        assert self.made is not None
        return self.made

    def take(self, new: list[Fact]) -> None:
        """Carry the games on; where more than a game's own course has changed, play them all again."""
        if self.made is None or any(fact.kind not in QUIET | BESIDE | set(PLAYS) for fact in new):
            self.games = games(self.event)
            return
        for fact in new:
            if fact.kind in PLAYS and (game := self.games.get(fact.body["board"])):
                self.games[game.name] = follow(game, fact, self.event)
