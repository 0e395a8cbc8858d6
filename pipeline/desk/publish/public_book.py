"""The public record, kept ready: made anew when something public is written down, never because it is asked for.

A round of readings and rulings writes hundreds of facts of which nothing is public; none of them costs anything here.
"""

import threading
from contextlib import suppress

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, follow, games
from pipeline.desk.publish.public_record import PublicRecord, public_record
from pipeline.ledger.events import (
    ClockStarted,
    ClockStopped,
    DecisionUndone,
    DiceCommitted,
    DiceRolled,
    FieldRuled,
    FormSetAside,
    FormsPrinted,
    LedgerEvent,
    LotDrawn,
    LotSealed,
    OnGame,
    OnPage,
    OnTurn,
    ScanRead,
    ScanReceived,
    SeatsTold,
    SettingsChanged,
    SheetRuled,
    SheetsPrinted,
    StandingsOpened,
    TakesBack,
    VoteHeld,
    VoteUndone,
)
from pipeline.ledger.ledger import Fact
from pipeline.problems import Stopped

QUIET = (  # nothing of these is public; a kind that is not named makes the record anew
    ScanReceived,
    ScanRead,
    OnPage,
    OnTurn,
    VoteHeld,
    VoteUndone,
    FormsPrinted,
    FieldRuled,
    FormSetAside,
    LotSealed,
    LotDrawn,
    DiceCommitted,
    DiceRolled,
)
LOUD = (SheetRuled, DecisionUndone)  # a late sheet costs points, which are public with its phase
BESIDE = (SeatsTold, StandingsOpened, SheetsPrinted, ClockStarted, ClockStopped)  # no game is another for these


def is_quiet(said: LedgerEvent) -> bool:
    """Whether nothing public can be another for a fact."""
    return isinstance(said, QUIET) and not isinstance(said, LOUD)


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
        new = [fact for fact in self.event.facts.everything(after=self.number) if fact.number <= newest]
        if any(isinstance(fact.said, SettingsChanged | TakesBack) for fact in new):
            with suppress(Stopped):  # somebody is at work on the file: it is as it was until it has no fault
                self.event.read_file()
        if self.made is None or not all(is_quiet(fact.said) for fact in new):
            self.take(new)
            now = public_record(self.event, self.games)
            if now != self.made:  # that a draw was made is not public either
                self.made, self.version = now, self.version + 1
        self.number = newest
        assert self.made is not None
        return self.made

    def take(self, new: list[Fact[LedgerEvent]]) -> None:
        """Carry the games on; where more than a game's own course has changed, play them all again."""
        if self.made is None or not all(isinstance(fact.said, (*QUIET, *LOUD, *BESIDE, OnGame)) for fact in new):
            self.games = games(self.event)
            return
        for fact in new:
            if (on_game := fact.of(OnGame)) and (game := self.games.get(on_game.said.board)):
                self.games[game.name] = follow(game, on_game, self.event)
