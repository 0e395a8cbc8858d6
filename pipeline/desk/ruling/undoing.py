"""Undo and redo for one person, told from the facts alone: it works after a restart and from another browser."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rulings import undo_ruling
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.events import Decision, DecisionUndone, LedgerEvent, OnTurn, RowRuled
from pipeline.ledger.ledger import Fact
from pipeline.problems import stop


def stacks(log: Iterable[Fact[LedgerEvent]], name: str) -> tuple[list[Fact[OnTurn]], list[Fact[OnTurn]]]:
    """What a person has decided and may undo, and what was undone and may be redone; the newest last."""
    done: dict[int, Fact[OnTurn]] = {}
    undone: dict[int, Fact[OnTurn]] = {}
    for fact in log:
        if fact.by != name:
            continue
        if isinstance(fact.said, DecisionUndone):
            if (taken_back := done.pop(fact.said.fact, None)) is not None:
                undone[taken_back.number] = taken_back
        elif decided := fact.of(OnTurn):
            done[fact.number] = decided
            if undone.pop(decided.said.again, None) is None:
                undone.clear()
    return list(done.values()), list(undone.values())


def undo(event: Event, fact: Fact[OnTurn], by: str) -> Turn:
    """Take a decision back, and say which turn it was about."""
    undo_ruling(event, fact, by)
    return Turn.of(fact.said)


def redo(event: Event, fact: Fact[OnTurn], by: str) -> Turn:
    """Make a decision again that was taken back; stop where it would be on what nobody had seen when it was made."""
    turn = Turn.of(fact.said)
    if not isinstance(fact.said, RowRuled) and any(
        sheet.news > fact.number for sheet in sheets_in(event).get(turn, ())
    ):
        raise stop("a sheet came in, or shows other ink, since this was decided; decide anew", str(turn))
    if others := {other.by for other in decisions_on(event, turn) if other.by != by and other.number > fact.number}:
        raise stop(f"{' and '.join(sorted(others))} decided on this turn since; decide anew", str(turn))
    event.facts.write(replace(fact.said, again=fact.number, first=fact.said.first or fact.number), by)
    return turn


def decisions_on(event: Event, turn: Turn) -> Iterator[Fact[LedgerEvent]]:
    """Everything that was decided on a turn, and taken back."""
    facts: dict[int, Fact[LedgerEvent]] = {f.number: f for f in event.facts.told(Decision, DecisionUndone)}
    for fact in facts.values():
        about = facts.get(fact.said.fact) if isinstance(fact.said, DecisionUndone) else fact
        if about is not None and isinstance(about.said, Decision) and Turn.of(about.said) == turn:
            yield fact
