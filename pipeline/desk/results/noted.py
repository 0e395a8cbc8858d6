"""What was noted beside the results, as the scoring wants it: everything that stands, with the names of today."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from pipeline.board.map import Power
from pipeline.desk.event.draw_notes import draws_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.taken_back import standing
from pipeline.desk.results.note_checks import (
    ANNOUNCED,
    AWARD,
    BONUS,
    CHOSEN,
    EXCLUDED,
    LATE_START,
    LOT,
    PENALTY,
    SCORE,
)
from pipeline.ledger.facts import Fact
from pipeline.scoring.exact import exact
from pipeline.scoring.results import Bonus, Honour, Penalty, Ruling

T = TypeVar("T")
Seat = tuple[str, Power]  # a board and a power


@dataclass(frozen=True, slots=True)
class OfSeat(Generic[T]):
    """What was noted of a seat, and who sat there then."""

    value: T
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The notes of an event."""

    penalties: tuple[Penalty, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    honours: tuple[Honour, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()  # each drawing of names, the first drawn first
    excluded: frozenset[str] = frozenset()
    announced: dict[str, frozenset[int]] = field(default_factory=dict)  # by player: rounds announced the day before
    chosen: dict[str, dict[int, str]] = field(default_factory=dict)  # by player: round -> the board that counts
    rulings: dict[Seat, OfSeat[Ruling]] = field(default_factory=dict)
    arrived: dict[Seat, OfSeat[int]] = field(default_factory=dict)  # the season somebody arrived in
    draws: dict[str, Fact] = field(default_factory=dict)  # by board: who is in the draw that ended it


def noted(event: Event) -> Noted:
    """Read all notes that stand; of two about one thing the newer counts."""

    def who(fact: Fact) -> str:
        return event.people.name_of(fact.body["player"])

    chosen: dict[str, dict[int, str]] = {}
    for fact in standing(event.facts, CHOSEN):
        board = fact.body["board"].partition(".")[2]
        chosen.setdefault(who(fact), {})[fact.body["round"]] = board
    return Noted(
        penalties=tuple(penalty(who(fact), fact) for fact in standing(event.facts, PENALTY)),
        bonuses=tuple(bonus(who(fact), fact) for fact in standing(event.facts, BONUS)),
        honours=tuple(
            Honour(award=fact.body["award"], player=who(fact), why=fact.body["why"])
            for fact in standing(event.facts, AWARD)
        ),
        lots=tuple(
            tuple(event.people.name_of(number) for number in drawing)
            for drawing in drawings(fact.body["players"] for fact in reversed(standing(event.facts, LOT)))
        ),
        excluded=frozenset(who(fact) for fact in standing(event.facts, EXCLUDED)),
        announced={who(fact): frozenset(fact.body["rounds"]) for fact in standing(event.facts, ANNOUNCED)},
        chosen=chosen,
        rulings={
            seat(fact): OfSeat(Ruling(exact(fact.body["score"]), fact.body["why"]), who(fact))
            for fact in standing(event.facts, SCORE)
        },
        arrived={seat(fact): OfSeat(fact.body["season"], who(fact)) for fact in standing(event.facts, LATE_START)},
        draws=draws_of(event),
    )


def seat(fact: Fact) -> Seat:
    """The seat that a note is about."""
    return fact.body["board"], Power(fact.body["power"])


def penalty(player: str, fact: Fact) -> Penalty:
    """A deduction."""
    body = fact.body
    return Penalty(
        player=player,
        kind=body["kind"],
        points=points(body["points"]),
        times=body["times"],
        round=body["round"],
        reason=body["why"],
    )


def bonus(player: str, fact: Fact) -> Bonus:
    """Points that no board gives."""
    body = fact.body
    return Bonus(
        player=player, kind=body["kind"], points=points(body["points"]), round=body["round"], reason=body["why"]
    )


def points(written: str | None) -> Fraction | None:
    """Exact points; None where the rules say what it is worth."""
    return None if written is None else exact(written)


def drawings(lots: Iterable[list[int]]) -> Iterator[list[int]]:
    """The lots, newest first; one whose people were drawn again since, with others, is in the newer one."""
    seen: set[int] = set()
    for lot in lots:
        if seen.isdisjoint(lot):
            yield lot
        seen.update(lot)
