"""What came of a fact: what was made with it, and what it led to."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pipeline.desk.event.games import seated_since
from pipeline.journal.codes import CameOf
from pipeline.journal.past import Chronicle
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.words import Told

Follows = Callable[[Any, Chronicle], Iterator[Told]]


def after_seats(fact: Fact[events.Seated], past: Chronicle) -> Iterator[Told]:
    """Paper with these seats, whether everybody was told, and that they were drawn again."""
    number = fact.said.round
    since = seated_since(past.event).get(number, 0)
    newer = [each for each in past.counting(events.Seated, after=fact.number) if each.said.round == number]
    later = [each for each in newer if each.number <= since]  # later ones have only added boards
    until = later[0].number if later else None
    for printed in past.counting(events.SheetsPrinted, after=fact.number):
        count = sum(sheet.round == number for sheet in printed.said.sheets)
        if count and (until is None or printed.number < until):
            yield Told.of(CameOf.PRINTED, count=count, fact=printed.number)
    for told in past.counting(events.SeatsTold, after=fact.number):
        if told.said.round == number and (until is None or told.number < until):
            yield Told.of(CameOf.TOLD, fact=told.number)
    if until is not None:
        yield Told.of(CameOf.DRAWN_AGAIN, fact=until)


def after_call(fact: Fact[events.RollCalled], past: Chronicle) -> Iterator[Told]:
    """The draw that was made with a roll call."""
    for drawn in past.counting(events.Seated, after=fact.number):
        if drawn.said.round == fact.said.round:
            yield Told.of(CameOf.DRAWN, round=drawn.said.round, fact=drawn.number)
            return


def after_print(fact: Fact[events.SheetsPrinted], past: Chronicle) -> Iterator[Told]:
    """Sheets that are void: their seats were drawn anew since, and others sit there."""
    void = [sheet for sheet in past.printed.values() if sheet.fact == fact.number and past.seats.is_of_old(sheet)]
    if void:
        asked = [each.request for each in void]
        yield Told.of(CameOf.VOID, sheets=tuple(f"{e.id} ({e.power} on {e.round}.{e.board})" for e in asked))


def after_decision(fact: Fact[events.Decision], past: Chronicle) -> Iterator[Told]:
    """The phase that was adjudicated with it."""
    for published in past.counting(events.PhasePublished, after=fact.number):
        if (published.said.board, published.said.phase) == (fact.said.board, fact.said.phase):
            yield Told.of(CameOf.ADJUDICATED, phase=published.said.phase.in_words, fact=published.number)
            return


def after_published(fact: Fact[events.PhasePublished], past: Chronicle) -> Iterator[Told]:
    """A correction, or the end of the game that came with it."""
    since = [each for each in past.counting(events.OnGame, after=fact.number) if each.said.board == fact.said.board]
    if since and (ended := since[0].of(events.GameEnded)):
        yield Told.of(CameOf.ENDED, how=str(ended.said.how), fact=ended.number)
    for again in since:
        if isinstance(again.said, events.PhasePublished) and again.said.phase == fact.said.phase:
            yield Told.of(CameOf.AGAIN, fact=again.number)


def after_vote(fact: Fact[events.VoteHeld], past: Chronicle) -> Iterator[Told]:
    """The end that a vote made."""
    for ended in past.counting(events.GameEnded, after=fact.number) if fact.said.carried else ():
        if ended.said.board == fact.said.board:
            yield Told.of(CameOf.ENDED, how=str(ended.said.how), fact=ended.number)
            return


def after_end(fact: Fact[events.GameEnded], past: Chronicle) -> Iterator[Told]:
    """Later rounds that were drawn from standings with its result."""
    number = int(fact.said.board.partition(".")[0])
    for drawn in past.counting(events.Seated, after=fact.number):
        if drawn.said.round > number:
            yield Told.of(CameOf.DRAWN, round=drawn.said.round, fact=drawn.number)


FOLLOWED: Mapping[type[LedgerEvent], Follows] = {
    events.Seated: after_seats,
    events.RollCalled: after_call,
    events.SheetsPrinted: after_print,
    events.RowRuled: after_decision,
    events.SheetRuled: after_decision,
    events.LinesTyped: after_decision,
    events.PhasePublished: after_published,
    events.VoteHeld: after_vote,
    events.GameEnded: after_end,
    events.ResultEntered: after_end,
}


def followed(fact: Fact[LedgerEvent], past: Chronicle) -> tuple[Told, ...]:
    """What came of a fact; nothing of one that was taken back."""
    tell = FOLLOWED.get(type(fact.said))
    return tuple(tell(fact, past)) if tell is not None and fact.number not in past.undone else ()
