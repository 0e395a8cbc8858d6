"""Spot checks: one in twenty rows that nobody asked about is shown to a person, and the error rate is counted."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.rows import Row
from pipeline.ledger.events import LedgerEvent, SpotChecked
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Source
from pipeline.ledger.undone import still_counting
from pipeline.orders.notation import write

ONE_IN = 20  # DESIGN, the review page


@dataclass(frozen=True, slots=True)
class Checked:
    """What the spot checks of an event have found."""

    right: int
    wrong: int
    rows: frozenset[tuple[Turn, int, str]]  # that were found right: line and ink; of a wrong one a ruling says so

    @property
    def in_words(self) -> str:
        """The running error rate.

        >>> Checked(39, 1, frozenset()).in_words, Checked(0, 0, frozenset()).in_words
        ('40 rows checked, 1 wrong (2.5 %)', 'no row checked yet')
        """
        total = self.right + self.wrong
        if not total:
            return "no row checked yet"
        return (
            f"{total} {'row' if total == 1 else 'rows'} checked, {self.wrong} wrong ({100 * self.wrong / total:.1f} %)"
        )


def is_chosen(code: str, turn: Turn, row: Row) -> bool:
    """Choose one in twenty of the rows accepted unasked: always the same ones, and nobody can foresee which."""
    if row.line == 0 or row.source not in (Source.READ, Source.MARKED):
        return False
    digest = hashlib.blake2b(f"{code} {turn} {row.line}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % ONE_IN == 0


def check_row(event: Event, turn: Turn, row: Row, *, right: bool, by: str) -> Fact[SpotChecked]:
    """Write down what a person saw who compared an accepted row with its ink."""
    order = write(row.order) if row.order else None
    said = SpotChecked(
        board=turn.board, phase=turn.phase, power=turn.power, line=row.line, ink=row.ink, order=order, right=right
    )
    return event.facts.write(said, by)


def checked(log: Iterable[Fact[LedgerEvent]]) -> Checked:
    """Count the spot checks; one that was taken back is none."""
    found = [fact.said for fact in still_counting(log) if isinstance(fact.said, SpotChecked)]
    return Checked(
        right=sum(said.right for said in found),
        wrong=sum(not said.right for said in found),
        rows=frozenset((Turn.of(said), said.line, said.ink) for said in found if said.right),
    )
