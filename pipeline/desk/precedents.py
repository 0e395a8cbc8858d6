"""Earlier rulings like this one: the rulings book of an event, read from its facts."""

from collections.abc import Iterable

from pipeline.desk.decided import asked_in
from pipeline.desk.rows import Row
from pipeline.desk.sheet_state import SheetDoubt
from pipeline.problems import Problem, Weight
from pipeline.store.facts import Fact
from pipeline.tournament.rulings import Ruling, RulingsBook, Situation


def situation_of(row: Row) -> Situation:
    """What is doubtful about a row, whatever board and power it stands on; unread ink is alike where it looks alike."""
    if row.situation is not None:
        return row.situation
    doubt = row.flags[0] if row.flags else row.status.upper()
    return Situation(doubt, row.rule or "what is written", row.ink)


def asked_of(row: Row) -> dict[str, str]:
    """Write down with a ruling what was asked, so that it can be found again."""
    situation = situation_of(row)
    words = f"{row.ink!r}: {row.reason}" if row.ink else row.reason
    return {"doubt": situation.doubt, "switch": situation.switch, "context": situation.context, "words": words}


def asked_of_sheet(problem: Problem | None) -> dict[str, str] | None:
    """Write down with a ruling on a sheet what was asked; None where no other sheet could ask the same."""
    situation = problem.situation if isinstance(problem, SheetDoubt) else None
    if situation is None:
        return None
    return {"doubt": situation.doubt, "switch": situation.switch, "context": situation.context}


def asked_first(problems: Iterable[Problem]) -> dict[str, str] | None:
    """Write down with a ruling on a sheet that was not shown what is asked about it first, as where it is shown."""
    return asked_of_sheet(next((problem for problem in problems if problem.weight is Weight.ASKS), None))


def rulings_book(log: Iterable[Fact], *, with_readings: bool = True) -> RulingsBook:
    """Every ruling that still counts, on rows and on sheets; without readings only those that said what stands."""
    facts = list(log)
    undone = {fact.body["fact"] for fact in facts if fact.kind == "ruling undone"}
    counting = [fact for fact in facts if fact.number not in undone]
    return RulingsBook(tuple(as_ruling(fact) for fact in counting if is_in_book(fact, with_readings=with_readings)))


def is_in_book(fact: Fact, *, with_readings: bool) -> bool:
    """Whether a fact is a ruling that may be looked up: what a person read on a row, only where readings are wanted."""
    if fact.kind == "sheet ruling":
        return "asked" in fact.body
    return fact.kind == "ruling" and (with_readings or "order" in fact.body)


def as_ruling(fact: Fact) -> Ruling:
    """Read a ruling as a page of the book; one that was made without being asked is about the director's word alone."""
    body = fact.body
    if fact.kind == "sheet ruling":
        decision, where = body["decision"], "sheet"
    else:
        decision = body["order"] if "order" in body else f"the ink says {body['text']!r}"
        where = f"line {body['line']}"
    return Ruling(
        situation=asked_in(fact) or Situation("UNASKED", "none"),
        decision=decision,
        by=fact.by,
        asked=body.get("asked", {}).get("words", ""),
        why=body["why"],
        when=fact.at,
        case=f"board {body['board']}, {body['phase']}, {where}",
    )
