"""Notes: what the director enters beside the results, each with who, when and why; what was entered is taken back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.desk.event.draw_notes import check_no_draw
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import REPLACED, RESULT, games
from pipeline.desk.event.note_values import NOBODY, Values
from pipeline.desk.event.people import NOTED, SEATED
from pipeline.desk.event.players import LEFT
from pipeline.desk.event.taken_back import TAKEN_BACK, standing
from pipeline.desk.results.note_checks import Facts
from pipeline.desk.results.note_kinds import KINDS, NOTES
from pipeline.ledger.facts import Fact
from pipeline.problems import stop
from pipeline.rules.toml.table import did_you_mean

PEOPLE = ("player", "before")  # fields that hold the number of a player
FIRST = (
    "player",
    "players",
    "board",
    "round",
    "power",
    "before",
    "phase",
    "powers",
    "kind",
    "award",
    "field",
)  # that are said
UNSAID = ("why", "was", "name", "form", "overruled", "years")
NOTHING: tuple[Any, ...] = ("", None, [], {})


@dataclass(frozen=True, slots=True)
class Note:
    """One note that stands, as it is listed."""

    fact: Fact
    words: str

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts and for the page."""
        fact = self.fact
        return {
            "number": fact.number,
            "at": fact.at,
            "by": fact.by,
            "kind": fact.kind,
            "words": self.words,
            "why": fact.body.get("why", ""),
        }


def enter(event: Event, what: str, typed: Mapping[str, Any], *, by: str, why: str = "") -> Fact:
    """Write a note down, or stop with everything that is wrong with it."""
    return event.facts.append_all(facts_of(event, what, typed, why), by)[-1]


def facts_of(event: Event, what: str, typed: Mapping[str, Any], why: str) -> Facts:
    """Read what was typed for a note, strictly, into the facts that it writes."""
    if what not in KINDS:
        raise stop(f"nothing of that name can be entered{did_you_mean(what, tuple(KINDS))}", what)
    kind, reason = KINDS[what], " ".join(why.split())
    values = Values(event, {**typed, "why": why}, what)
    read = values.read(kind.fields)
    if kind.needs_why and not reason:
        values.fault("why", "missing; it is kept with the fact, and people will ask")
    facts = () if values.problems else kind.facts(values, read)
    values.finish()
    return tuple((fact, body if fact == SEATED else {**body, "why": reason}) for fact, body in facts)


def notes(event: Event) -> tuple[Note, ...]:
    """Everything that was noted and stands, oldest first."""
    typed = [game for game in games(event).values() if game.entered and not game.entered.form]
    results = {game.end.fact.number for game in typed if game.end}
    found = [fact for fact in standing(event.facts, *NOTES) if fact.kind != RESULT or fact.number in results]
    return tuple(Note(fact, in_words(event, fact)) for fact in found)


def in_words(event: Event, fact: Fact) -> str:
    """A note in a line: what it is about, with the names of today."""
    if fact.kind == NOTED and fact.body["field"] == LEFT:
        return f"{event.people.name_of(fact.body['player'])} {'has gone home' if fact.body['value'] else 'is back'}"
    body = {key: value for key, value in fact.body.items() if key not in UNSAID and value not in NOTHING}
    if body.get("times") == 1:
        del body["times"]
    said = [one_word(event, key, body[key]) for key in sorted(body, key=place_of)]
    if years := fact.body.get("years"):
        said.append(f"to {max(years)}")
    return f"{fact.kind}: {' · '.join(said)}"


def place_of(key: str) -> int:
    """Where a field of a note is said: first of whom, then where, then what."""
    return FIRST.index(key) if key in FIRST else len(FIRST)


def one_word(event: Event, key: str, value: Any) -> str:
    """One field of a note."""
    if key in PEOPLE:
        return f"{key} {event.people.name_of(value) or NOBODY}"
    if key == "players":
        return ", then ".join(event.people.name_of(number) for number in value)
    return f"{key} {', '.join(map(str, value)) if isinstance(value, list) else value}"


def take_back(event: Event, number: int, *, by: str, why: str = "") -> Fact:
    """Take a note back: it stays in the facts, and counts no more."""
    fact = next((note.fact for note in notes(event) if note.fact.number == number), None)
    if fact is None:
        raise stop("no note that stands has this number; see 'ordersheets enter EVENT list'", str(number))
    if fact.kind == RESULT:
        check_no_draw(event, fact.body["board"])
        body = {"board": fact.body["board"], "form": "", "ended": "", "years": {}, "why": why}
        return event.facts.append(RESULT, body, by)
    if fact.kind == REPLACED and (later := followers(event, fact)):
        raise stop(f"the seat changed hands again since; take fact {later[-1].number} back first", str(number))
    return event.facts.append(TAKEN_BACK, {"fact": number, "why": why}, by)


def followers(event: Event, fact: Fact) -> list[Fact]:
    """The later changes at the same seat."""
    seat = fact.body["board"], fact.body["power"]
    changes = standing(event.facts, REPLACED)
    return [each for each in changes if each.number > fact.number and (each.body["board"], each.body["power"]) == seat]
