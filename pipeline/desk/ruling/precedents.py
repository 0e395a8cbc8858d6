"""Earlier rulings like this one: the rulings book of an event, read from its facts."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.ruling_log import asked_in
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.interpret.doubts import Doubt, Found
from pipeline.ledger.facts import Fact
from pipeline.problems import Problem, Weight
from pipeline.rules.rulings_book import INK, Ruling, RulingsBook, Situation
from pipeline.words import sentences
from pipeline.words.told import PLAIN


def situation_of(row: Row) -> Situation:
    """What is doubtful about a row, whatever board and power it stands on; unread ink is alike where it looks alike."""
    if row.situation is not None:
        return row.situation
    doubt = row.flags[0] if row.flags else row.status.upper()
    return Situation(doubt, row.rule or INK, row.ink)


def asked_of(row: Row) -> dict[str, Any]:
    """Write down with a ruling what was asked, so that it can be found again."""
    situation = situation_of(row)
    asked = {"doubt": situation.doubt, "switch": situation.switch, "context": situation.context}
    found = [plain(told) for told in row.because if isinstance(told, Found)]
    lacks = {"lacks": row.lacks.as_body()} if row.lacks is not None else {}
    return asked | {"ink": row.ink, "found": [each.as_body() for each in found]} | lacks


def plain(found: Found) -> Found:
    """A doubt with data that can stand in a fact: the judge's reason in it is quoted."""
    return Found.of(found.code, **{name: value if is_plain(value) else str(value) for name, value in found.data})


def is_plain(value: object) -> bool:
    """Whether a value can stand in a fact as it is."""
    return isinstance(value, (*PLAIN, tuple)) and not isinstance(value, StrEnum)


def in_words(asked: Mapping[str, Any]) -> str:
    """Say what a ruling was asked; events of before there were codes have it as a sentence."""
    if "words" in asked:
        return str(asked["words"])
    ink, found = asked.get("ink", ""), [Found.of_body(Doubt, each) for each in asked.get("found", ())]
    return ": ".join(part for part in (repr(ink) if ink else "", sentences(found)) if part)


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
        asked=in_words(body.get("asked", {})),
        why=body["why"],
        when=fact.at,
        case=f"board {body['board']}, {body['phase']}, {where}",
    )
