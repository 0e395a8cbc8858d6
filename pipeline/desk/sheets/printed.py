"""What was printed: a sheet is known by the fact of its printing."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.ledger.copies.apart import last_serial, newer_copy, place_beside
from pipeline.ledger.events import EventRestored, FormsPrinted, SheetsPrinted
from pipeline.ledger.ledger import UpToNow
from pipeline.ledger.parts import Pairs, SheetPrinted
from pipeline.paper.layout.sheet_layout import PageLayout, place
from pipeline.paper.sheet.load_sheet import read_template
from pipeline.paper.sheet.sheet import SheetRequest, SheetTemplate
from pipeline.paper.sheet.sheet_id import SheetId
from pipeline.paper.sheet.target_rows import Choices, Target

UNITS = 1000  # of which the boxes are kept in memory: one that stands where it stood has those it had
APART = 1000  # serials, between what was printed before an event was restored and after it; a day prints some hundreds


def next_serial(event: Event) -> int:
    """The first serial that neither a sheet nor a form has yet.

    Where an event goes on from a copy, or a copy beside it knows what it does not, serials begin anew at the next
    thousand: what was printed after that has the serials before, and nobody here knows what was on it.
    """
    last = 0
    for fact in event.facts.told(SheetsPrinted, FormsPrinted, EventRestored):
        match fact.said:
            case SheetsPrinted(sheets=printed) | FormsPrinted(forms=printed):
                last = max([last, *(each.serial for each in printed)])
            case EventRestored():
                last = (last // APART + 1) * APART
    if copy := newer_copy(event.facts, place_beside(event.folder)):
        last = max(last, (last_serial(copy) // APART + 1) * APART)
    return last + 1


def as_printed(request: SheetRequest) -> SheetPrinted:
    """Write a request down."""
    return SheetPrinted(
        serial=request.id.serial,
        title=request.title,
        round=request.round,
        board=request.board,
        slot=request.slot,
        power=request.power,
        phase=request.phase,
        player=request.player,
        units=request.units,
        due=request.due,
        targets=tuple((as_pairs(choices.goes), as_pairs(choices.helps)) for choices in request.targets),
        part=request.part,
        parts=request.parts,
        design=request.design,
        pad=request.is_pad,
        beginners=request.for_beginners,
        live=request.live,
    )


def as_requested(sheet: SheetId, printed: SheetPrinted) -> SheetRequest:
    """Read a request back."""
    return SheetRequest(
        id=sheet,
        title=printed.title,
        round=printed.round,
        board=printed.board,
        slot=printed.slot,
        power=printed.power,
        phase=printed.phase,
        player=printed.player,
        units=printed.units,
        targets=tuple(Choices(from_pairs(goes), from_pairs(helps)) for goes, helps in printed.targets),
        due=printed.due,
        part=printed.part,
        parts=printed.parts,
        design=printed.design,
        is_pad=printed.pad,
        for_beginners=printed.beginners,
        live=printed.live,
    )


def as_pairs(choices: Iterable[Target]) -> Pairs:
    """Write what a unit has boxes for."""
    return tuple((choice.place, choice.word) for choice in choices)


@lru_cache(maxsize=UNITS)
def from_pairs(pairs: Pairs) -> tuple[Target, ...]:
    """Read what a unit has boxes for."""
    return tuple(Target(place, word) for place, word in pairs)


@dataclass(frozen=True)
class PrintedSheet:
    """One sheet that exists on paper, with the template it was printed from."""

    id: SheetId
    said: SheetPrinted
    template: SheetTemplate
    fact: int  # of its printing

    @cached_property
    def turn(self) -> Turn:
        """The turn that it was printed for; of a pad only board, power and the kind of phase are meant."""
        return Turn(f"{self.said.round}.{self.said.board}", self.said.phase, self.said.power)

    @cached_property
    def request(self) -> SheetRequest:
        """What was to be printed on it; read when somebody asks, as few do of old sheets."""
        return as_requested(self.id, self.said)

    @cached_property
    def page(self) -> PageLayout:
        """Where everything is on it; worked out when somebody asks, as few do."""
        return place(self.request, self.template)


PRINTS: UpToNow[dict[str, PrintedSheet]] = UpToNow(SheetsPrinted)


def printed_sheets(event: Event) -> dict[str, PrintedSheet]:
    """Every sheet ever printed for this event, by its id; each is cut out by the template it was printed with."""
    return dict(PRINTS.of(event.facts, lambda: printed_anew(event)))


def printed_anew(event: Event) -> dict[str, PrintedSheet]:
    """The same, from the facts."""
    found = {}
    for fact in event.facts.told(SheetsPrinted):
        template = read_template(fact.said.template, f"fact {fact.number} template")
        for sheet in fact.said.sheets:
            sheet_id = SheetId(event.details.code, sheet.serial, fact.said.token)
            found[str(sheet_id)] = PrintedSheet(sheet_id, sheet, template, fact.number)
    return found
