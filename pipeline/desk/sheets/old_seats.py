"""What was printed, written and decided for seats that others have now: it counts for nobody unasked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Seating, boards_seated, seat_history
from pipeline.desk.sheets.printed import PrintedSheet
from pipeline.ink import Transcription
from pipeline.ledger.events import (
    LedgerEvent,
    OnPage,
    OnTurn,
    PageIdentified,
    PageRead,
    Seated,
    SeatsChanged,
    TakesBack,
)
from pipeline.ledger.ledger import Fact, UpToNow
from pipeline.ledger.undone import undone_in
from pipeline.reading.transcription.outcome import Tray

P = TypeVar("P", bound=OnPage)
Seat = tuple[str, Power]  # a board's full name, and a power on it
NOBODY = ""
OLD = "printed for the seats of an earlier draw; another player, or nobody, sits there now"
OTHER = "printed for {then}, who had this seat before; {now} sits there now"
BEFORE = "it came in before the seat changed hands; {now} sits there now"


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody sits in a seat, from a fact on."""

    since: int
    name: str  # of today
    is_by_hand: bool  # whether the seat was given to him, and not drawn, nor his because something was taken back


@dataclass(frozen=True, slots=True)
class OldSeats:
    """Who had each seat at the first order, by every draw of a round and every change since."""

    sitting: Mapping[Seat, list[Sitting]]

    @classmethod
    def of(cls, event: Event) -> "OldSeats":
        """Read the facts, once for each newest one."""
        return SEATS.of(event.facts, lambda: cls.anew(event))

    @classmethod
    def anew(cls, event: Event) -> "OldSeats":
        """Read the facts; who takes a seat over during the game goes on with its paper, and changes nothing here."""
        sitting: dict[Seat, list[Sitting]] = {}
        for number, is_by_hand, boards in moments(event):
            now = {(name, power): who for name, each in boards.items() for power, who in each.first_players.items()}
            for seat in {**sitting, **now}:
                known, name = sitting.setdefault(seat, []), now.get(seat, NOBODY)
                if not known or known[-1].name != name:
                    known.append(Sitting(number, name, is_by_hand))
        return cls(sitting)

    def is_old(self, board: str, power: Power, number: int) -> bool:
        """Whether somebody else had a seat when a fact was written down than has it now."""
        then = self.sat((board, power), number)
        return then is not None and then != self.sits((board, power))

    def sat(self, seat: Seat, number: int) -> str | None:
        """Who had a seat when a fact was written down; None before it was drawn."""
        return next((each.name for each in reversed(self.sitting.get(seat, [])) if each.since < number), None)

    def sits(self, seat: Seat) -> str:
        """Who has a seat now."""
        return self.sitting[seat][-1].name

    def counts(self, decision: Fact[LedgerEvent]) -> bool:
        """Whether a decision is on a turn of who sits there now; one that takes another back is about that one."""
        said = decision.said
        return not isinstance(said, OnTurn) or not self.is_old(said.board, said.power, decision.number)

    def is_of_old(self, sheet: PrintedSheet) -> bool:
        """Whether a sheet was printed for somebody else, who may have written on it.

        Where a seat was given to somebody by hand, and who had it plays nowhere in the round, its paper is good: it
        says the board and the power.
        """
        seat, number = (sheet.turn.board, sheet.turn.power), sheet.fact
        return self.is_old(*seat, number) and not self.is_good(seat, number)

    def is_good(self, seat: Seat, number: int) -> bool:
        """Whether the paper that was printed for a seat is good for who was given it since."""
        round_, then = seat[0].partition(".")[0], self.sat(seat, number)
        there = {self.sits(each) for each in self.sitting if each[0].partition(".")[0] == round_}
        return self.is_by_hand(seat, number) and (not then or then not in there)

    def is_by_hand(self, seat: Seat, number: int) -> bool:
        """Whether a seat has changed hands by the director's hand alone since a fact."""
        return all(each.is_by_hand for each in self.sitting[seat] if each.since > number)

    def now(self, page: Fact[P], printed: Mapping[str, PrintedSheet]) -> Fact[P] | None:
        """A page that was read, or named, as it is now.

        One that shows a sheet of an old seat, or came in while somebody else had the seat, is doubtful until a person
        says that it counts; what was said of it before the seat changed hands, None, counts no more.
        """
        sheet = sheet_of(page.said)
        if sheet not in printed:
            return page
        turn, is_void = printed[sheet].turn, self.is_of_old(printed[sheet])
        is_before = self.is_old(turn.board, turn.power, page.number)
        if not isinstance(page.said, PageRead):
            return None if is_before else page
        if not is_void and not is_before:
            return page
        offers = tuple(dict.fromkeys([sheet, *(page.said.offers or ())]))
        seat, number = (turn.board, turn.power), printed[sheet].fact
        why = OLD if not self.is_by_hand(seat, number) else OTHER if is_void else BEFORE
        why = why.format(then=self.sat(seat, number) or "nobody", now=self.sits(seat) or "nobody")
        said = replace(page.said, tray=Tray.DOUBTFUL, text=f"{page.said.text}; {why}", offers=offers)
        return replace(page, said=said)


def moments(event: Event) -> Iterator[tuple[int, bool, Mapping[str, Seating]]]:
    """Every fact by which seats have changed, whether by hand, and the boards as they were seated then."""
    told = {fact.number: fact for fact in event.facts.told(Seated, SeatsChanged)}
    undone = {back for number, back in undone_in(event.facts.told(TakesBack)).items() if number in told}
    if not undone:
        for fact, boards in seat_history(event, event.people):
            if fact.number in told:
                yield fact.number, isinstance(fact.said, SeatsChanged), boards
        return
    for number in sorted({*told, *undone}):
        is_by_hand = number in told and isinstance(told[number].said, SeatsChanged)
        yield number, is_by_hand, boards_seated(event, event.people, as_of=number)


SEATS: UpToNow[OldSeats] = UpToNow()


def sheet_of(said: OnPage) -> str:
    """The order sheet that a page shows, or that a person says it is; nothing where it is none."""
    match said:
        case PageIdentified(sheet=sheet):
            return sheet
        case PageRead(transcription=Transcription(sheet_id=sheet)):
            return sheet
    return ""
