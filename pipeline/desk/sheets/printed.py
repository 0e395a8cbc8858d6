"""What was printed: a sheet is known by the fact of its printing."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Map, Position, Power, Step, Unit, province_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Seating, boards_seated, phase_began, position_before
from pipeline.desk.event.people import Turn
from pipeline.ink import Transcription
from pipeline.judge.adjudicate import find_carriers, legal_orders
from pipeline.ledger import events
from pipeline.ledger.copies import last_serial
from pipeline.ledger.ledger import Fact, UpToNow, undone_in
from pipeline.ledger.newer import newer_copies
from pipeline.ledger.parts import board_name, round_and_board
from pipeline.orders import Build
from pipeline.paper.load_sheet import read_template
from pipeline.paper.sheet import SheetId, SheetRequest, SheetTemplate
from pipeline.paper.sheet_layout import PageLayout, place_fields
from pipeline.paper.sheet_rows import Choices, Target, Targets
from pipeline.reading.recogniser import Tray
from pipeline.rules.abbreviations import Abbreviations
from pipeline.rules.reading_rules import CoastNeeded

APART = 1000  # serials of a range of their own; a day prints some hundreds
MOST = 10_000_000  # drawn serials are lower, so that people can type them


def next_serial(event: Event) -> int:
    """The first serial that neither a sheet nor a form has yet.

    After a restoration serials go on in the range that was drawn for it: sheets printed after the copy are unknown
    here, and whoever else goes on from that copy has another range. If a copy has more facts than the event, a range
    behind that copy's is drawn. If one that may have more cannot be read, the range begins a thousand higher, counted
    from the newest state that is surely in that copy.
    """
    newer = newer_copies(event.facts, event.folder, event.second_folder)
    last = common = least = 0
    for fact in event.facts.select(events.SheetsPrinted, events.FormsPrinted, events.EventRestored):
        match fact.said:
            case events.SheetsPrinted(sheets=printed) | events.FormsPrinted(forms=printed):
                last = max([last, *(each.serial for each in printed)])
            case events.EventRestored(first_serial=first):
                last = first - 1 if first else _next_range(last)
        if fact.number <= newer.common:
            common = last
    there = last_serial(newer.copy) if newer.copy else None
    if there is not None:
        least = _next_range(there)
    if newer.unread or (newer.copy and there is None):
        least = max(least, _next_range(max(common, there or 0)) + APART)
    return last + 1 if last >= least else draw_range(event.random, least - APART)


def _next_range(last: int) -> int:
    return (last // APART + 1) * APART


def draw_range(random: Random, last: int) -> int:
    """The first serial of a range above ``last`` that hardly anybody else draws: at first one of 5,000.

    Later ranges are higher, so that no two ranges of one event meet.
    """
    least = _next_range(last)
    return least + APART * random.randrange(max(1, (MOST - least) // APART // 2)) + 1


class PrintedSheet(Struct, frozen=True, dict=True, weakref=True):
    """One sheet that exists on paper, with the template it was printed from."""

    request: SheetRequest
    template: SheetTemplate
    fact: int  # of its printing

    @cached_property
    def id(self) -> SheetId:
        return self.request.id

    @cached_property
    def turn(self) -> Turn:
        """The turn that it was printed for; of a pad only board, power and the kind of phase are meant."""
        return Turn(board_name(self.request.round, self.request.board), self.request.phase, self.request.power)

    @cached_property
    def page(self) -> PageLayout:
        """Where everything is on the sheet; computed only when it is needed."""
        return place_fields(self.request, self.template)


PRINTS: UpToNow[dict[str, PrintedSheet]] = UpToNow()


def printed_sheets(event: Event) -> dict[str, PrintedSheet]:
    """Every sheet ever printed for this event, by its id, each with the template it was printed from."""
    return dict(PRINTS.of(event.facts, lambda: _printed_anew(event)))


def _printed_anew(event: Event) -> dict[str, PrintedSheet]:
    """Read the printed sheets from the facts, without the cache."""
    by_id = {}
    for fact in event.facts.select(events.SheetsPrinted):
        template = read_template(fact.said.template, f"template of number {fact.number}")
        for sheet in fact.said.sheets:
            request = replace(sheet, event=event.details.code, token=sheet.token or fact.said.token)
            by_id[str(request.id)] = PrintedSheet(request, template, fact.number)
    return by_id


# Who must write what in a phase.


def expected_units(board: Map, position: Position) -> dict[Power, int]:
    """Count, for each power with something to write, the units it must order, retreat, build or disband.

    Dislodged units without a legal retreat, or in civil disorder, need no order.
    """
    match position.phase.step:
        case Step.MOVEMENT:
            counts = {power: len(units) for power, units in position.units.items()}
        case Step.RETREATS:
            counts = {power: sum(d.power is power and bool(d.retreats) for d in position.dislodged) for power in Power}
        case _:
            counts = {power: abs(count) for power, count in entitlements(board, position).items()}
    return {power: counts[power] for power in Power if counts.get(power)}


def orders_due(board: Map, position: Position, power: Power) -> tuple[Unit, ...] | int:
    """What a power owes: its dislodged units in a phase of retreats; in winter, builds (more than 0) or disbands."""
    if position.phase.step is Step.ADJUSTMENTS:
        return entitlements(board, position).get(power, 0)
    return tuple(each.unit for each in position.dislodged if each.power is power)


def lines_due(board: Map, position: Position, power: Power) -> tuple[Unit | None, ...]:
    """A line for each order that a power owes: its unit, or None where the order itself says which unit it is about."""
    match position.phase.step:
        case Step.MOVEMENT:
            return tuple(position.units.get(power, ()))
        case Step.RETREATS:
            return tuple(each.unit for each in position.dislodged if each.power is power)
        case Step.ADJUSTMENTS:
            return (None,) * abs(entitlements(board, position).get(power, 0))


def entitlements(board: Map, position: Position) -> dict[Power, int]:
    """What each power may build (more than 0) or must disband (less than 0).

    Centres less units; no more builds than there are home centres, owned and free, to build in.
    """
    counts = {}
    for power in (p for p in Power if p in position.units or p in position.centres):
        more = len(position.centres.get(power, ())) - len(position.units.get(power, ()))
        counts[power] = min(more, len(_free_homes(board, position, power)))
    return counts


def _free_homes(board: Map, position: Position, power: Power) -> list[str]:
    """The home centres in which a power can build."""
    occupied, owned = {unit.province for _, unit in position.all_units()}, position.centres.get(power, ())
    return [home for home in board.homes[power] if home in owned and home not in occupied]


def what_to_order(board: Map, position: Position, power: Power) -> frozenset[str]:
    """What a power's sheet is printed for, in signs: its units; in a phase of retreats, those that must, and where to.

    In winter how many it may build and where, or how many it must disband, and of which. Other powers' units are left
    out: the orders that name them are judged by the rules.
    """
    match position.phase.step:
        case Step.MOVEMENT:
            return frozenset(map(str, position.units.get(power, ())))
        case Step.RETREATS:
            mine = (each for each in position.dislodged if each.power is power and each.retreats)
            return frozenset(f"{each.unit} ({', '.join(sorted(each.retreats))})" for each in mine)
        case Step.ADJUSTMENTS:
            due = entitlements(board, position).get(power, 0)
            of = _free_homes(board, position, power) if due > 0 else position.units.get(power, ()) if due else ()
            return frozenset((f"{due:+}", *map(str, of)))


def ordered_then(event: Event, game: Game, power: Power, number: int) -> frozenset[str] | None:
    """What a power had to order in a board's present phase before a fact, by its number; None if it had not begun."""
    position = position_before(event, game, number)
    return what_to_order(game.map, position, power) if position is not None else None


def is_of_other_position(event: Event, game: Game, sheet: PrintedSheet) -> bool:
    """Whether a sheet was printed in a board's present phase when its power had to order something else."""
    began, power = phase_began(event, game), sheet.turn.power
    if sheet.request.is_pad or began is None or began.number < sheet.fact:
        return False
    then = ordered_then(event, game, power, sheet.fact)
    return then not in (None, what_to_order(game.map, game.position, power))


# The blocks of a sheet: the units of the open phase, where each can go, and whom it can help.
#
# In winter: the home centres that are free, with what may be built there, or the units that may be disbanded.

NO_CHOICES = Choices(())

TargetRow = tuple[
    str, Choices
]  # what is printed in a row of targets, nothing for a build that is waived; and its boxes


def blocks(
    board: Map, position: Position, power: Power, words: Abbreviations, coast: CoastNeeded = CoastNeeded.ALWAYS
) -> tuple[TargetRow, ...]:
    """List what a power has rows of targets for in the phase that is open.

    ``coast``: when a support must name the coast that a fleet goes to.
    """
    if position.phase.step is Step.ADJUSTMENTS:
        due = entitlements(board, position).get(power, 0)
        if due < 0:
            return tuple((unit_in_words(unit, words), NO_CHOICES) for unit in position.units.get(power, ()))
        return (*_build_blocks(board, position, power, words), *(("", NO_CHOICES) for _ in range(due)))
    units = _printed_units(position, power, position.phase.step)
    names = (unit_in_words(unit, words) for unit in units)
    carriers = find_carriers(board, position, power)
    return tuple(zip(names, _targets_of(board, position, units, words, carriers, coast), strict=True))


def _build_blocks(board: Map, position: Position, power: Power, words: Abbreviations) -> Iterator[TargetRow]:
    """List the home centres of a power that are free, and the units that may be built in each."""
    possible = [each.unit for each in legal_orders(board, position, power) if isinstance(each, Build)]
    for home in dict.fromkeys(unit.province for unit in possible):
        choices = (Target(str(unit), unit_in_words(unit, words)) for unit in possible if unit.province == home)
        yield words.plain_word(home), Choices(tuple(choices))


def _printed_units(position: Position, power: Power, step: Step) -> tuple[Unit, ...]:
    """List the units that a power orders or retreats, in the order of the position; what is built has no name yet."""
    match step:
        case Step.MOVEMENT:
            return tuple(position.units.get(power, ()))
        case Step.RETREATS:
            return tuple(each.unit for each in position.dislodged if each.power is power)
        case _:
            return ()


def _targets_of(
    board: Map,
    position: Position,
    units: tuple[Unit, ...],
    words: Abbreviations,
    carriers: Container[Unit] = (),
    coast: CoastNeeded = CoastNeeded.ALWAYS,
) -> Targets:
    """List the places that each unit can go to without a convoy, and the units that it can help there or to stay.

    The coasts that a unit cannot go to, but a fleet that it supports, come last.

    Only the carriers, fleets that have an army to convoy, have a box for that; another convoy is written in a free row.
    """
    targets = []
    for unit in units:
        others = tuple(_supportable_units(board, position, unit)) if position.phase.step is Step.MOVEMENT else ()
        coasts = sorted({*_coasts(board, unit, others, coast)})
        places = (*sorted(board.reach(unit.kind, unit.place)), *coasts)
        goes = tuple(Target(place, words.plain_word(place)) for place in places)
        helps = tuple(Target(other.place, unit_in_words(other, words)) for other in others)
        targets.append(Choices(goes, helps, unit in carriers, len(coasts) if unit.kind is Kind.FLEET else 0))
    return tuple(targets)


def _coasts(board: Map, unit: Unit, others: Iterable[Unit], coast: CoastNeeded) -> Iterator[str]:
    """List the coasts that a unit cannot go to, but can support a fleet onto, where its support must or may name one.

    A fleet that can reach only one coast of a province goes to that one; most rules do not want it named. A fleet that
    supports it from the other coast needs the box: of that province its row has its own coast alone.
    """
    own = board.reach(unit.kind, unit.place)
    near = _provinces(own)
    is_named = coast is CoastNeeded.ALWAYS or unit.kind is Kind.FLEET
    for fleet in (other for other in others if other.kind is Kind.FLEET):
        coasts = [place for place in board.reach(fleet.kind, fleet.place) if place != province_of(place)]
        count = Counter(map(province_of, coasts))
        for place in coasts:
            if province_of(place) in near and place not in own and (is_named or count[province_of(place)] > 1):
                yield place


def unit_in_words(unit: Unit, words: Abbreviations) -> str:
    """Name a unit as it is printed.

    >>> from pipeline.board import Kind
    >>> from pipeline.rules.load import load_tournament
    >>> unit_in_words(Unit(Kind.ARMY, "MAR"), load_tournament("edc2023").abbreviations)
    'A MARS'
    """
    return f"{unit.kind} {words.plain_word(unit.place)}"


def _supportable_units(board: Map, position: Position, unit: Unit) -> Iterator[Unit]:
    """List the units that this one can support without a convoy, the likeliest first: its own power's, and the nearest.

    Only armies that it could also support are listed for a fleet to convoy; another army is written in by hand.
    """
    mine = next((units for units in position.units.values() if unit in units), ())
    here = _provinces(board.reach(unit.kind, unit.place))
    supportable = []
    for other in (each for units in position.units.values() for each in units if each != unit):
        stands = province_of(other.place) in here
        common = len(here & _provinces(board.reach(other.kind, other.place)))
        if stands or common:
            supportable.append((other not in mine, -common - stands, other.place, other))
    yield from (other for *_, other in sorted(supportable, key=lambda each: each[:3]))


def _provinces(places: Iterable[str]) -> frozenset[str]:
    """Leave the coasts out."""
    return frozenset(map(province_of, places))


# Sheets and decisions of a seat's former player: they count only if the director says so.

P = TypeVar("P", bound=events.OnPage)
SeatPlace = tuple[str, Power]  # a board's full name, and a power on it
NOBODY = ""
OLD = "printed for the seats of an earlier draw; another player, or nobody, sits there now"
OTHER = "printed for {then}, who had this seat before; {now} sits there now"
BEFORE = "it came in before the seat changed hands; {now} sits there now"


class Sitting(Struct, frozen=True):
    """Somebody sits in a seat, from a fact on."""

    since: int
    name: str  # the present name, if the player was renamed
    is_by_hand: bool  # whether the director gave him this seat; not if it was drawn, or came back to him by an undoing


class OldSeats(Struct, frozen=True):
    """Who was to write the first orders of each seat, after each draw of its round and each change of seats."""

    sitting: Mapping[SeatPlace, list[Sitting]]

    @classmethod
    def of(cls, event: Event) -> "OldSeats":
        """Read the facts, or return what was read of them."""
        return SEATS.of(event.facts, lambda: cls.anew(event))

    @classmethod
    def anew(cls, event: Event) -> "OldSeats":
        """Read the facts; a replacement during the game keeps using the seat's sheets, and is ignored here."""
        sitting: dict[SeatPlace, list[Sitting]] = {}
        for number, is_by_hand, boards in _seat_moments(event):
            now = {(name, power): who for name, each in boards.items() for power, who in each.first_players.items()}
            for seat in {**sitting, **now}:
                known, name = sitting.setdefault(seat, []), now.get(seat, NOBODY)
                if not known or known[-1].name != name:
                    known.append(Sitting(number, name, is_by_hand))
        return cls(sitting)

    def is_old(self, board: str, power: Power, number: int) -> bool:
        """Whether somebody else had a seat when a fact was written down than has it now."""
        then = self.player_at((board, power), number)
        return then is not None and then != self.player_now((board, power))

    def player_at(self, seat: SeatPlace, number: int) -> str | None:
        """Who had a seat when a fact was written down; None before it was drawn."""
        return next((each.name for each in reversed(self.sitting.get(seat, [])) if each.since < number), None)

    def player_now(self, seat: SeatPlace) -> str:
        return self.sitting[seat][-1].name

    def counts(self, decision: Fact[events.LedgerEvent]) -> bool:
        """Whether a decision is about the seat's present player; a fact that undoes another one always counts."""
        said = decision.said
        return not isinstance(said, events.OnTurn) or not self.is_old(said.board, said.power, decision.number)

    def is_of_old(self, sheet: PrintedSheet) -> bool:
        """Whether a sheet was printed for somebody else, who may have written on it.

        If a seat was reassigned by hand and its former player sits out the round, its sheets stay good, because they
        name only board and power.
        """
        seat, number = (sheet.turn.board, sheet.turn.power), sheet.fact
        return self.is_old(*seat, number) and not self.is_good(seat, number)

    def is_good(self, seat: SeatPlace, number: int) -> bool:
        """Whether the sheets printed for a seat's former player are good for the new one."""
        round_, then = round_and_board(seat[0])[0], self.player_at(seat, number)
        there = {self.player_now(each) for each in self.sitting if round_and_board(each[0])[0] == round_}
        return self.is_by_hand(seat, number) and (not then or then not in there)

    def is_by_hand(self, seat: SeatPlace, number: int) -> bool:
        """Whether a seat has changed hands by the director's hand alone since a fact."""
        return all(each.is_by_hand for each in self.sitting[seat] if each.since > number)

    def now(self, page: Fact[P], printed: Mapping[str, PrintedSheet]) -> Fact[P] | None:
        """Adapt a page that was read, or identified by a person, to the present seats.

        A page with a former player's sheet is doubtful until a person says that it counts. An identification from
        before the change of seats does not count (None).
        """
        sheet = _sheet_of(page.said)
        if sheet not in printed:
            return page
        turn, is_void = printed[sheet].turn, self.is_of_old(printed[sheet])
        is_before = self.is_old(turn.board, turn.power, page.number)
        if not isinstance(page.said, events.PageRead):
            return None if is_before else page
        if not is_void and not is_before:
            return page
        offers = tuple(dict.fromkeys([sheet, *(page.said.offers or ())]))
        seat, number = (turn.board, turn.power), printed[sheet].fact
        why = OLD if not self.is_by_hand(seat, number) else OTHER if is_void else BEFORE
        why = why.format(then=self.player_at(seat, number) or "nobody", now=self.player_now(seat) or "nobody")
        said = replace(page.said, tray=Tray.DOUBTFUL, text=f"{page.said.text}; {why}", offers=offers)
        return replace(page, said=said)


def _seat_moments(event: Event) -> Iterator[tuple[int, bool, Mapping[str, Seating]]]:
    """Every fact by which seats have changed, whether by hand, and the boards as they were seated then."""
    seat_facts = {fact.number: fact for fact in event.facts.select(events.Seated, events.SeatsChanged)}
    undone = {back for number, back in undone_in(event.facts.select(events.TakesBack)).items() if number in seat_facts}
    for number in sorted({*seat_facts, *undone}):
        is_by_hand = number in seat_facts and isinstance(seat_facts[number].said, events.SeatsChanged)
        yield number, is_by_hand, boards_seated(event, event.people, as_of=number)


SEATS: UpToNow[OldSeats] = UpToNow()


def _sheet_of(said: events.OnPage) -> str:
    """The id of the order sheet that a page shows or was identified as; empty if none."""
    match said:
        case events.PageIdentified(sheet=sheet):
            return sheet
        case events.PageRead(transcription=Transcription(sheet_id=sheet)):
            return sheet
    return ""
