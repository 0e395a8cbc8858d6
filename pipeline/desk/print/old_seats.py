"""What was printed, written and decided for seats that were drawn anew since: it counts for nobody unasked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import SEATED, with_names
from pipeline.desk.print.printing import PrintedSheet
from pipeline.ledger.facts import Fact

Seat = tuple[str, Power]  # a board's full name, and a power on it
NOBODY = ""
OLD = "printed for the seats of an earlier draw; another player, or nobody, sits there now"


@dataclass(frozen=True, slots=True)
class OldSeats:
    """Who sat where after each draw of a round."""

    sitting: Mapping[Seat, list[tuple[int, str]]]  # the fact that seated somebody there, and his name of today

    @classmethod
    def of(cls, event: Event) -> "OldSeats":
        """Read the facts."""
        sitting: dict[Seat, list[tuple[int, str]]] = {}
        for fact in event.facts.read(SEATED):
            body = with_names(fact.body, event.people)
            now = {
                (f"{body['round']}.{board['board']}", Power(power)): str(name)
                for board in body["boards"]
                for power, name in board["players"].items()
            }
            gone = [seat for seat in sitting if seat[0].startswith(f"{body['round']}.") and seat not in now]
            for seat, name in [*now.items(), *((seat, NOBODY) for seat in gone)]:
                sitting.setdefault(seat, []).append((fact.number, name))
        return cls(sitting)

    def is_old(self, board: str, power: Power, number: int) -> bool:
        """Whether somebody else sat in a seat when a fact was written down than after the newest draw."""
        names = self.sitting.get((board, power), [])
        then = next((name for since, name in reversed(names) if since < number), None)
        return then is not None and then != names[-1][1]

    def counts(self, decision: Fact) -> bool:
        """Whether a decision is on a turn of who sits there now; one that takes another back is about that one."""
        body = decision.body
        return "board" not in body or not self.is_old(body["board"], Power(body["power"]), decision.number)

    def is_of_old(self, sheet: PrintedSheet) -> bool:
        """Whether a sheet was printed for somebody who does not sit there any more."""
        return self.is_old(f"{sheet.request.round}.{sheet.request.board}", sheet.request.power, sheet.fact)

    def now(self, page: Fact, printed: Mapping[str, PrintedSheet]) -> Fact | None:
        """A page that was read, or named, as it is now.

        One that shows a sheet of an old seat is doubtful until a person says that it counts; what was said of it
        before the draw, None, counts no more.
        """
        body = page.body
        sheet = body.get("sheet") or body.get("transcription", {}).get("sheet_id")
        if sheet not in printed or not self.is_of_old(printed[sheet]):
            return page
        request = printed[sheet].request
        if page.kind == "page identified":
            return None if self.is_old(f"{request.round}.{request.board}", request.power, page.number) else page
        offers = list(dict.fromkeys([sheet, *body.get("offers", ())]))
        return replace(page, body={**body, "tray": "doubtful", "text": f"{body['text']}; {OLD}", "offers": offers})
