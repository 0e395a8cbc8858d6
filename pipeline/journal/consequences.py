"""What followed from a fact, as codes: the comments name what their sentences mention."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from pipeline.desk.event.games import seated_since
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.undo_codes import Dependency
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import board_name, round_and_board
from pipeline.words.speech import Message, SentenceCode


class Consequence(SentenceCode):
    """What followed from a fact."""

    PRINTED = "PRINTED"  # of count, fact
    TOLD = "TOLD"  # of fact
    DRAWN = "DRAWN"  # of round, fact
    DRAWN_AGAIN = "DRAWN_AGAIN"  # of fact
    ADJUDICATED = "ADJUDICATED"  # of phase, fact
    AGAIN = "AGAIN"  # of fact
    ENDED = "ENDED"  # of how, fact
    VOID = "VOID"  # of sheets: others sit there now


Follows = Callable[[Any, Chronicle], Iterator[Message]]


def _after_seats(fact: Fact[events.Seated], past: Chronicle) -> Iterator[Message]:
    """Consequences of a draw: printed sheets, publication, a new draw."""
    number = fact.said.round
    since = seated_since(past.event)[number]
    newer = [each for each in past.counting(events.Seated, after=fact.number) if each.said.round == number]
    later = [each for each in newer if each.number <= since]  # later ones have only added boards
    until = later[0].number if later else None
    for printed in past.counting(events.SheetsPrinted, after=fact.number):
        count = sum(sheet.round == number for sheet in printed.said.sheets)
        if count and (until is None or printed.number < until):
            yield Message.of(Consequence.PRINTED, count=count, fact=printed.number)
    for opened in past.counting(events.SeatsTold, after=fact.number):
        if opened.said.round == number and (until is None or opened.number < until):
            yield Message.of(Consequence.TOLD, fact=opened.number)
    if until is not None:
        yield Message.of(Consequence.DRAWN_AGAIN, fact=until)


def _after_call(fact: Fact[events.RollCalled], past: Chronicle) -> Iterator[Message]:
    for drawn in past.counting(events.Seated, after=fact.number):
        if drawn.said.round == fact.said.round:
            yield Message.of(Consequence.DRAWN, round=drawn.said.round, fact=drawn.number)
            return


def _after_print(fact: Fact[events.SheetsPrinted], past: Chronicle) -> Iterator[Message]:
    """Printed sheets that are void because their seats were drawn anew."""
    void = [
        sheet for sheet in past.printed_sheets.values() if sheet.fact == fact.number and past.seats.is_of_old(sheet)
    ]
    if void:
        asked = [each.request for each in void]
        yield Message.of(
            Consequence.VOID, sheets=tuple(f"{e.id} ({e.power} on {board_name(e.round, e.board)})" for e in asked)
        )


def adjudications_since(
    fact: Fact[events.Decision], past: Chronicle, code: Consequence | Dependency
) -> Iterator[Message]:
    """Each publication after a decision, of the phase that the decision is about."""
    for published in past.counting(events.PhasePublished, after=fact.number):
        if (published.said.board, published.said.phase) == (fact.said.board, fact.said.phase):
            yield Message.of(code, phase=published.said.phase.in_words, fact=published.number)


def _after_decision(fact: Fact[events.Decision], past: Chronicle) -> Iterator[Message]:
    yield from islice(adjudications_since(fact, past, Consequence.ADJUDICATED), 1)


def _after_published(fact: Fact[events.PhasePublished], past: Chronicle) -> Iterator[Message]:
    """A correction, or the end of the game that came with it."""
    since = [each for each in past.counting(events.OnGame, after=fact.number) if each.said.board == fact.said.board]
    if since and (ended := since[0].of(events.GameEnded)):
        yield Message.of(Consequence.ENDED, how=str(ended.said.how), fact=ended.number)
    for again in since:
        if isinstance(again.said, events.PhasePublished) and again.said.phase == fact.said.phase:
            yield Message.of(Consequence.AGAIN, fact=again.number)


def _after_vote(fact: Fact[events.VoteHeld], past: Chronicle) -> Iterator[Message]:
    for ended in past.counting(events.GameEnded, after=fact.number) if fact.said.carried else ():
        if ended.said.board == fact.said.board:
            yield Message.of(Consequence.ENDED, how=str(ended.said.how), fact=ended.number)
            return


def _after_end(fact: Fact[events.GameEnded], past: Chronicle) -> Iterator[Message]:
    """Later rounds that were drawn from standings with its result."""
    number = round_and_board(fact.said.board)[0]
    for drawn in past.counting(events.Seated, after=fact.number):
        if drawn.said.round > number:
            yield Message.of(Consequence.DRAWN, round=drawn.said.round, fact=drawn.number)


FOLLOWED: Mapping[type[LedgerEvent], Follows] = {
    events.Seated: _after_seats,
    events.RollCalled: _after_call,
    events.SheetsPrinted: _after_print,
    events.RowRuled: _after_decision,
    events.SheetRuled: _after_decision,
    events.LinesTyped: _after_decision,
    events.PhasePublished: _after_published,
    events.VoteHeld: _after_vote,
    events.GameEnded: _after_end,
    events.ResultEntered: _after_end,
}
