"""Earlier rulings like this one: the rulings book of an event, read from its facts."""

from collections.abc import Iterable

from pipeline.desk.rows import Row
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


def rulings_book(log: Iterable[Fact], *, with_readings: bool = True) -> RulingsBook:
    """Every ruling on a row that still counts; without readings only those that said what stands."""
    facts = list(log)
    undone = {fact.body["fact"] for fact in facts if fact.kind == "ruling undone"}
    counting = [fact for fact in facts if fact.kind == "ruling" and fact.number not in undone]
    return RulingsBook(tuple(as_ruling(f) for f in counting if with_readings or "order" in f.body))


def as_ruling(fact: Fact) -> Ruling:
    """Read a ruling as a page of the book; one that was made without being asked is about the director's word alone."""
    body = fact.body
    asked = body.get("asked", {})
    text = body.get("text")
    return Ruling(
        situation=Situation(asked.get("doubt", "UNASKED"), asked.get("switch", "none"), asked.get("context", "")),
        decision=body["order"] if text is None else f"the ink says {text!r}",
        by=fact.by,
        asked=asked.get("words", ""),
        why=body["why"],
        when=fact.at,
        case=f"board {body['board']}, {body['phase']}, line {body['line']}",
    )
