"""Undo and redo for one person, told from the facts alone: it works after a restart and from another browser."""

from collections.abc import Iterable, Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rulings import FIRST, KINDS, undo_ruling
from pipeline.desk.ruling.spot_checks import SPOT_CHECK
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ledger.facts import Fact
from pipeline.problems import stop

AGAIN = "again"  # in the body of a decision that was made again: the fact it repeats


def stacks(log: Iterable[Fact], name: str) -> tuple[list[Fact], list[Fact]]:
    """What a person has decided and may undo, and what was undone and may be redone; the newest last."""
    done: dict[int, Fact] = {}
    undone: dict[int, Fact] = {}
    for fact in log:
        if fact.by != name or fact.kind not in (*KINDS, SPOT_CHECK):
            continue
        if fact.kind == "ruling undone":
            if (taken_back := done.pop(fact.body["fact"], None)) is not None:
                undone[taken_back.number] = taken_back
        else:
            done[fact.number] = fact
            if undone.pop(fact.body.get(AGAIN, 0), None) is None:
                undone.clear()
    return list(done.values()), list(undone.values())


def undo(event: Event, fact: Fact, by: str) -> Turn:
    """Take a decision back, and say which turn it was about."""
    undo_ruling(event, fact, by)
    return Turn.of_body(fact.body)


def redo(event: Event, fact: Fact, by: str) -> Turn:
    """Make a decision again that was taken back; stop where it would be on what nobody had seen when it was made."""
    turn = Turn.of_body(fact.body)
    if fact.kind != "ruling" and any(sheet.news > fact.number for sheet in sheets_in(event).get(turn, ())):
        raise stop("a sheet came in, or shows other ink, since this was decided; decide anew", str(turn))
    if others := {other.by for other in decisions_on(event, turn) if other.by != by and other.number > fact.number}:
        raise stop(f"{' and '.join(sorted(others))} decided on this turn since; decide anew", str(turn))
    event.facts.append(fact.kind, {**fact.body, AGAIN: fact.number, FIRST: fact.body.get(FIRST, fact.number)}, by)
    return turn


def decisions_on(event: Event, turn: Turn) -> Iterator[Fact]:
    """Everything that was decided on a turn, and taken back."""
    facts = {fact.number: fact for fact in event.facts.read() if fact.kind in KINDS}
    for fact in facts.values():
        about = facts.get(fact.body["fact"]) if fact.kind == "ruling undone" else fact
        if about is not None and Turn.of_body(about.body) == turn:
            yield fact
