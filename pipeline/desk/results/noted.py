"""What was noted beside the results, as the scoring wants it: everything that stands, with the names of today."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from pipeline.board.map import Power
from pipeline.desk.event.draw_notes import draws_of
from pipeline.desk.event.event import Event
from pipeline.ledger.events import (
    AwardGiven,
    BoardChosen,
    BonusEntered,
    DrawEntered,
    LateStartEntered,
    LotsDrawn,
    PenaltyEntered,
    PlayerExcluded,
    PreregistrationEntered,
    ScoreRuled,
)
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.scoring.results.exact import exact
from pipeline.scoring.results.results import Bonus, Honour, Penalty, ScoreRuling

T = TypeVar("T")
OfPlayer = (
    PenaltyEntered
    | BonusEntered
    | AwardGiven
    | PlayerExcluded
    | PreregistrationEntered
    | BoardChosen
    | ScoreRuled
    | LateStartEntered
)
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
    both: dict[str, frozenset[int]] = field(default_factory=dict)  # by player: rounds of which both boards count
    rulings: dict[Seat, OfSeat[ScoreRuling]] = field(default_factory=dict)
    arrived: dict[Seat, OfSeat[int]] = field(default_factory=dict)  # the season somebody arrived in
    draws: dict[str, Fact[DrawEntered]] = field(default_factory=dict)  # by board: who is in the draw that ended it


def noted(event: Event) -> Noted:
    """Read all notes that stand; of two about one thing the newer counts."""

    def who(said: OfPlayer) -> str:
        return event.people.name_of(said.player)

    chosen: dict[str, dict[int, str]] = {}
    both: dict[str, set[int]] = {}
    for choice in standing(event.facts, BoardChosen):
        name, number = who(choice.said), choice.said.round
        chosen.setdefault(name, {})[number] = choice.said.board.partition(".")[2]
        both.setdefault(name, set()).discard(number)
        if choice.said.both:
            both[name].add(number)
            del chosen[name][number]
    return Noted(
        penalties=tuple(penalty(who(fact.said), fact.said) for fact in standing(event.facts, PenaltyEntered)),
        bonuses=tuple(bonus(who(fact.said), fact.said) for fact in standing(event.facts, BonusEntered)),
        honours=tuple(
            Honour(award=fact.said.award, player=who(fact.said), why=fact.said.why)
            for fact in standing(event.facts, AwardGiven)
        ),
        lots=tuple(
            tuple(event.people.name_of(number) for number in drawing)
            for drawing in drawings(fact.said.players for fact in reversed(standing(event.facts, LotsDrawn)))
        ),
        excluded=frozenset(who(fact.said) for fact in standing(event.facts, PlayerExcluded)),
        announced={
            who(fact.said): frozenset(fact.said.rounds) for fact in standing(event.facts, PreregistrationEntered)
        },
        chosen=chosen,
        both={name: frozenset(rounds) for name, rounds in both.items()},
        rulings={
            (fact.said.board, fact.said.power): OfSeat(
                ScoreRuling(exact(fact.said.score), fact.said.why), who(fact.said)
            )
            for fact in standing(event.facts, ScoreRuled)
        },
        arrived={
            (fact.said.board, fact.said.power): OfSeat(fact.said.season, who(fact.said))
            for fact in standing(event.facts, LateStartEntered)
        },
        draws=draws_of(event),
    )


def penalty(player: str, said: PenaltyEntered) -> Penalty:
    """A deduction."""
    return Penalty(
        player=player,
        kind=said.kind,
        points=points(said.points),
        times=said.times,
        round=said.round,
        reason=said.why,
    )


def bonus(player: str, said: BonusEntered) -> Bonus:
    """Points that no board gives."""
    return Bonus(player=player, kind=said.kind, points=points(said.points), round=said.round, reason=said.why)


def points(written: str | None) -> Fraction | None:
    """Exact points; None where the rules say what it is worth."""
    return None if written is None else exact(written)


def drawings(lots: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The lots, newest first; one whose people were drawn again since, with others, is in the newer one."""
    seen: set[int] = set()
    for lot in lots:
        if seen.isdisjoint(lot):
            yield lot
        seen.update(lot)
