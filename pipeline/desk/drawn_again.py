"""Write a drawn round down, or draw it again: stopped where the draw is binding, or its seats are in use."""

from collections.abc import Mapping

from pipeline.desk.draw_request import Request
from pipeline.desk.drawn_round import (
    Drawn,
)
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import seated_since
from pipeline.desk.event.seating import Special, seat_round
from pipeline.ledger.events import Decision, Seated, SeatsChanged, SheetsPrinted
from pipeline.ledger.ledger import Fact, standing
from pipeline.problems import ExitCode, stop
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.tournament import DrawRules


def seat_drawn(event: Event, drawn: Drawn, *, by: str) -> Fact[Seated]:
    """Write a drawn round down, with its seed, its notes and what the director decided for it."""
    special = Special(final=drawn.final, maps=drawn.maps, pools=drawn.pools)
    with event.facts.transaction():
        _check_nobody_else(event, drawn)
        return seat_round(
            event, drawn.round, drawn.boards, by=by, notes=drawn.notes, special=special, draw=drawn.as_fact
        )


def _check_nobody_else(event: Event, drawn: Drawn) -> None:
    """Stop where the round was drawn, or sheets were printed for it, while this draw was made: the first one stands."""
    seated = [fact for fact in event.facts.select(Seated, after=drawn.as_of) if fact.said.round == drawn.round]
    if seated:
        text = f"was drawn by {seated[0].by} meanwhile; that draw stands and nothing of this one is kept, look at it"
        raise stop(text, f"round {drawn.round}", ExitCode.RULE_FIRST)
    if used := _in_use(event, drawn.round, drawn.as_of):
        raise stop(
            f"{used} meanwhile; this draw was not kept; look at what changed",
            f"round {drawn.round}",
            ExitCode.RULE_FIRST,
        )


def _in_use(event: Event, round_number: int, since: int) -> str:
    """What has used a round's seats since a fact: seats changed by hand, printed sheets, or decisions on its boards."""
    changed = [fact for fact in standing(event.facts, SeatsChanged) if fact.number > since]
    if any(board.startswith(f"{round_number}.") for fact in changed for board, _ in fact.said.seats):
        return "its seats were changed by hand"
    for fact in event.facts.select(SheetsPrinted, Decision, after=since):
        match fact.said:
            case SheetsPrinted(sheets=sheets) if any(sheet.round == round_number for sheet in sheets):
                return "its sheets were printed"
            case Decision(board=board) if board.startswith(f"{round_number}."):
                return f"orders of board {board} were taken"
    return ""


def check_again(event: Event, rules: DrawRules, request: Request, before: Mapping[int, Seated]) -> None:
    """Stop where a round is drawn and the draw is binding (WDC08 10), or its seats are on paper already.

    A round whose final table is still open may be completed: the table is added, and all other seats stay.
    """
    stands = before.get(request.round)
    if stands is None or request.again:
        return
    waits = stands.draw is not None and stands.draw.waits
    where = f"round {request.round}"
    if rules.binding.value is YesNo.YES and not waits:
        binding = f"is drawn, and a published draw is binding ({rules.binding.source})"
        text = f"{binding}; if it was never published, repeat the command with --again"
        raise stop(text, where, ExitCode.RULE_FIRST)
    if waits and request.chosen:
        return
    if used := _in_use(event, request.round, seated_since(event)[request.round]):
        mend = "to draw it all the same, repeat the command with --again and collect the sheets: they do not count then"
        text = f"is drawn, and {used}; {mend}"
        raise stop(text, where, ExitCode.RULE_FIRST)
