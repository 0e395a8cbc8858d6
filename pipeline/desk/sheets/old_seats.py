"""What was printed, written and decided for seats that were drawn anew since: it counts for nobody unasked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import with_names
from pipeline.desk.sheets.printed import PrintedSheet
from pipeline.ink import Transcription
from pipeline.ledger.events import LedgerEvent, OnPage, OnTurn, PageIdentified, PageRead, Seated
from pipeline.ledger.ledger import Fact, UpToNow
from pipeline.ledger.undone import standing
from pipeline.reading.transcription.outcome import Tray

P = TypeVar("P", bound=OnPage)
Seat = tuple[str, Power]  # a board's full name, and a power on it
NOBODY = ""
OLD = "printed for the seats of an earlier draw; another player, or nobody, sits there now"


@dataclass(frozen=True, slots=True)
class OldSeats:
    """Who sat where after each draw of a round."""

    sitting: Mapping[Seat, list[tuple[int, str]]]  # the fact that seated somebody there, and his name of today

    @classmethod
    def of(cls, event: Event) -> "OldSeats":
        """Read the facts, once for each newest one."""
        return SEATS.of(event.facts, lambda: cls.anew(event))

    @classmethod
    def anew(cls, event: Event) -> "OldSeats":
        """Read the facts."""
        sitting: dict[Seat, list[tuple[int, str]]] = {}
        for fact in standing(event.facts, Seated):
            said = with_names(fact.said, event.people)
            now = {
                (f"{said.round}.{board.board}", power): str(name)
                for board in said.boards
                for power, name in board.players.items()
            }
            gone = [seat for seat in sitting if seat[0].startswith(f"{said.round}.") and seat not in now]
            for seat, name in [*now.items(), *((seat, NOBODY) for seat in gone)]:
                sitting.setdefault(seat, []).append((fact.number, name))
        return cls(sitting)

    def is_old(self, board: str, power: Power, number: int) -> bool:
        """Whether somebody else sat in a seat when a fact was written down than after the newest draw."""
        then = self.sat((board, power), number)
        return then is not None and then != self.sitting[board, power][-1][1]

    def sat(self, seat: Seat, number: int) -> str | None:
        """Who sat in a seat when a fact was written down; None before it was drawn."""
        return next((name for since, name in reversed(self.sitting.get(seat, [])) if since < number), None)

    def counts(self, decision: Fact[LedgerEvent]) -> bool:
        """Whether a decision is on a turn of who sits there now; one that takes another back is about that one."""
        said = decision.said
        return not isinstance(said, OnTurn) or not self.is_old(said.board, said.power, decision.number)

    def is_of_old(self, sheet: PrintedSheet) -> bool:
        """Whether a sheet was printed for somebody who does not sit there any more."""
        return self.is_old(sheet.turn.board, sheet.turn.power, sheet.fact)

    def now(self, page: Fact[P], printed: Mapping[str, PrintedSheet]) -> Fact[P] | None:
        """A page that was read, or named, as it is now.

        One that shows a sheet of an old seat is doubtful until a person says that it counts; what was said of it
        before the draw, None, counts no more.
        """
        sheet = sheet_of(page.said)
        if sheet not in printed or not self.is_of_old(printed[sheet]):
            return page
        if not isinstance(page.said, PageRead):
            turn = printed[sheet].turn
            return None if self.is_old(turn.board, turn.power, page.number) else page
        offers = tuple(dict.fromkeys([sheet, *(page.said.offers or ())]))
        said = replace(page.said, tray=Tray.DOUBTFUL, text=f"{page.said.text}; {OLD}", offers=offers)
        return replace(page, said=said)


SEATS: UpToNow[OldSeats] = UpToNow()


def sheet_of(said: OnPage) -> str:
    """The order sheet that a page shows, or that a person says it is; nothing where it is none."""
    match said:
        case PageIdentified(sheet=sheet):
            return sheet
        case PageRead(transcription=Transcription(sheet_id=sheet)):
            return sheet
    return ""
