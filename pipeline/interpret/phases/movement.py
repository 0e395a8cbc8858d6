"""Readings of one movement line: every order that its words may mean, with what is doubtful about each."""

from collections.abc import Iterator
from dataclasses import replace

from pipeline.board.map import Kind, Power, province_of
from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import Because
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.possible import hindrance
from pipeline.interpret.language.written import (
    BareUnit,
    Convoys,
    Holds,
    Moves,
    Phrase,
    Senseless,
    Shape,
    Supports,
    UnitWords,
    Written,
)
from pipeline.interpret.lines.drafts import Taken, draft, unit_spoken_of
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.judge.ground import convoy_routes
from pipeline.orders.order import Convoy, Hold, Move, Order, Support
from pipeline.rules.reading_rules import CoastNeeded, CoastWritten, Followed, Route, SupportedCoast
from pipeline.words import Told

Codes = Iterator[str]


def draft_movement(sheet: Sheet, line: int, written: Written) -> Draft:
    """A movement line is a hold, a move, a support or a convoy."""
    shape = as_army_by_convoy(sheet, written.shape)
    if shape is not written.shape:
        written = replace(written, shape=shape)
    return draft(sheet, line, written, fault_of(shape, written), MovementReading)


def fault_of(shape: Shape, written: Written) -> Found | None:
    """A line without a unit, without an order, or that breaks off, is no order by itself."""
    match shape:
        case Senseless(_, words):
            return Found.of(Doubt.SENSELESS, text=words or written.text)
        case BareUnit(unit):
            return Found.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text)) if unit.place else blank(written)
        case Moves(unit, steps) if unit.place is not None and not steps:
            return Found.of(Doubt.INCOMPLETE, text=written.text)
        case Holds(unit) | Moves(unit) | Supports(unit) | Convoys(unit) if unit.place is None:
            return blank(written)
        case Supports(_, of, _, is_complete) if of.place is None or not is_complete:
            return Found.of(Doubt.INCOMPLETE, text=written.text)
        case Convoys(_, of, steps) if of.place is None or not steps:
            return Found.of(Doubt.INCOMPLETE, text=written.text)
        case Holds() | Moves() | Supports() | Convoys():
            return None
        case _:
            return Found.of(Doubt.WRONG_PHASE, text=written.text)


def blank(written: Written) -> Found:
    """An order for no unit."""
    return Found.of(Doubt.BLANK_UNIT, text=written.text)


def as_army_by_convoy(sheet: Sheet, shape: Shape) -> Shape:
    """Between an army and where it goes, the convoy sign says how; without a dash by EDC23 G ("- or C")."""
    if not isinstance(shape, Convoys):
        return shape
    unit = unit_spoken_of(sheet, shape)
    if unit is None or unit.kind is not Kind.ARMY:
        return shape
    if shape.of.is_empty and shape.steps:
        return Moves(shape.unit, shape.steps, via=True)
    if shape.of.place is None or shape.of.letter or shape.steps or not sheet.lexicon.army_by_convoy:
        return shape
    return Moves(shape.unit, (shape.of.place,), via=True)


class MovementReading:
    """One combination of meanings, made an order."""

    absent = Doubt.NO_SUCH_UNIT  # what a place without a unit is called

    def __init__(self, sheet: Sheet, shape: Shape, taken: Taken) -> None:
        self.sheet = sheet
        self.rules = sheet.tournament.reading
        self.shape = shape
        self.taken = taken
        self.own: Unit | None = None
        self.doubts: list[Found] = []
        self.others: tuple[Order, ...] = ()

    def reading(self) -> Reading:
        """Make the order, and ask the judge whether it can be done."""
        codes = iter([meaning.code for _, meaning in self.taken])
        self.own, unit = self.own_unit(self.shape.unit, next(codes))  # type: ignore[union-attr]  # fault_of saw to it
        order = self.order(unit, codes)
        coasts = {Doubt.COAST_NEEDED, Doubt.COAST_WRONG, Doubt.TWO_COASTS}
        stopping = {found.doubt for found in self.doubts} & {*coasts, Doubt.NO_ROUTE}
        is_possible = self.own is not None and not stopping & {Doubt.COAST_WRONG, Doubt.NO_ROUTE}
        if self.own is not None and not stopping and (hindered := self.hindrance(order)) is not None:
            self.doubts.append(hindered)
            is_possible = False
        return Reading(order, self.own, tuple(self.doubts), self.taken, self.others, is_possible)

    def hindrance(self, order: Order) -> Found | None:
        """Say why it cannot be done, if it cannot."""
        return hindrance(self.sheet.field, self.sheet.power, order)

    def order(self, unit: Unit, codes: Codes) -> Order:
        """Make the order of its shape."""
        match self.shape:
            case Holds():
                return Hold(unit)
            case Moves():
                return self.move(unit, self.shape, codes)
            case Supports(_, of, steps):
                other = self.other_unit(of, next(codes))
                return self.support(unit, other, steps, list(codes)) if steps else Support(unit, other)
            case Convoys(_, of, steps):
                other = self.other_unit(of, next(codes))
                *between, to = codes
                self.check_route(between)
                self.needless_coast(steps[-1])
                return Convoy(unit, other, to)
            case _:
                raise AssertionError(self.shape)

    # units

    def own_unit(self, words: UnitWords, code: str) -> tuple[Unit | None, Unit]:
        """The own unit in a province, and the unit to write down where it is not one's own."""
        found = self.sheet.stands.get(code)
        if found is None:
            self.doubts.append(Found.of(self.absent, place=self.sheet.name(code)))
            return None, Unit(self.sheet.kind_for(code, words.letter), code)
        power, unit = found
        if power is not self.sheet.power:
            place, own = self.sheet.name(code), str(self.sheet.power)
            self.doubts.append(Found.of(Doubt.NOT_YOUR_UNIT, place=place, power=str(power), own=own))
            return None, unit
        if words.letter is None and self.rules.letter_missing.value is not Followed.FOLLOWED:
            self.doubts.append(Found.of(Doubt.NO_LETTER, unit=str(unit)))
        if words.letter not in {None, unit.kind}:
            self.doubts.append(Found.of(Doubt.UNIT_LETTER, unit=str(unit)))
        self.check_nation(words, power, unit)
        self.check_unit_coast(words, unit)
        return unit, unit

    def other_unit(self, words: UnitWords, code: str) -> Unit:
        """The unit that is supported or convoyed."""
        found = self.sheet.stands.get(code)
        if found is None:
            return Unit(self.sheet.kind_for(code, words.letter), code)
        power, unit = found
        if words.letter not in {None, unit.kind}:
            self.doubts.append(Found.of(Doubt.OTHER_LETTER, unit=str(unit)))
        self.check_nation(words, power, unit)
        is_foreign = power is not self.sheet.power
        is_said = words.nation is not None or words.is_own
        if is_foreign and not is_said and self.rules.nation_missing.value is not Followed.FOLLOWED:
            self.doubts.append(Found.of(Doubt.NO_NATION, unit=str(unit)))
        self.check_unit_coast(words, unit, is_other=True)
        return unit

    def check_nation(self, words: UnitWords, power: Power, unit: Unit) -> None:
        """Compare the nationality written with the unit's own."""
        nation = words.nation or (self.sheet.power if words.is_own else None)
        if nation not in {None, power}:
            self.doubts.append(Found.of(Doubt.NATION, unit=str(unit), power=str(power)))

    def check_unit_coast(self, words: UnitWords, unit: Unit, *, is_other: bool = False) -> None:
        """Compare the coast written for a unit with the one it stands on."""
        coast = words.place.coast if words.place is not None else ""
        if coast and "/" not in unit.place:
            self.doubts.append(Found.of(Doubt.COAST_NEEDLESS, place=str(words.place), reach=()))
        elif "/" in coast and self.sheet.coast_place(unit.province, coast) is None:
            self.doubts.append(Found.of(Doubt.TWO_COASTS, place=str(words.place), reach=(unit.place,)))
        elif coast and self.sheet.coast_place(unit.province, coast) != unit.place:
            doubt = Doubt.OTHER_COAST_WRONG if is_other else Doubt.UNIT_COAST_WRONG
            self.doubts.append(Found.of(doubt, unit=str(unit)))
        elif not (coast or is_other) and "/" in unit.place and self.needs_unit_coast():
            self.doubts.append(Found.of(Doubt.UNIT_COAST, unit=str(unit)))

    def needs_unit_coast(self) -> bool:
        """Say whether a fleet must be named with the coast it stands on."""
        return self.rules.unit_coast_missing.value is not Followed.FOLLOWED

    # moves

    def move(self, unit: Unit, shape: Moves, codes: Codes) -> Move:
        """Where the unit goes, on which coast, and how."""
        *route, to = codes
        self.check_route(route)
        phrase, via = shape.steps[-1], shape.via or bool(route)
        if unit.kind is Kind.ARMY or self.own is None:
            self.needless_coast(phrase)
            self.note_ways(to, shape)
            self.note_route(to, tuple(route))
            return Move(unit, to, via, tuple(route))
        place = self.landing(unit, to, phrase)
        if place == to and self.sheet.board.provinces.get(to) and self.sheet.board.provinces[to].coasts:
            self.others = tuple(Move(unit, each) for each in self.reachable_coasts(unit, to))
        return Move(unit, place, via, tuple(route))

    def note_ways(self, to: str, shape: Moves) -> None:
        """Note an army that could walk and could be carried, where the order does not say which."""
        ground, unit = self.sheet.field.ground, self.own
        if unit is None or shape.via or shape.by_land or len(shape.steps) > 1 or to not in ground.walks[unit.place]:
            return
        is_coastal = to in ground.coastal and unit.place in ground.coastal
        if is_coastal and convoy_routes(ground, unit.place, to, self.sheet.field.afloat):
            self.doubts.append(Found.of(Doubt.VIA_CONVOY, unit=str(unit)))

    def check_route(self, between: list[str]) -> None:
        """Nobody travels in two steps: between start and end of a move there can only be seas."""
        for code in between:
            if code not in self.sheet.field.ground.seas:
                self.doubts.append(
                    Found.of(Doubt.NO_ROUTE, why=Told.of(Because.NO_CONVOY, place=self.sheet.name(code)))
                )

    def note_route(self, to: str, route: tuple[str, ...]) -> None:
        """Note a named route where there are others, if the rules do not say whether it binds."""
        if not route or self.own is None or self.rules.route.value is not Route.ASK:
            return
        ground = self.sheet.field.ground
        if self.own.place in ground.coastal and to in ground.coastal:
            possible = convoy_routes(ground, self.own.place, to, self.sheet.field.afloat)
            if possible and possible != (route,):
                self.doubts.append(Found.of(Doubt.ROUTE_NAMED, route=" - ".join(route)))

    def landing(self, unit: Unit, to: str, phrase: Phrase) -> str:
        """The place a fleet goes to; the coast is taken from the order, or from the map where only one is in reach."""
        reachable = self.reachable_coasts(unit, to)
        coasts = self.sheet.board.provinces[to].coasts if to in self.sheet.board.provinces else ()
        if not coasts:
            self.needless_coast(phrase)
            return to
        if self.are_two_coasts(to, phrase):
            if reachable:
                self.doubts.append(Found.of(Doubt.TWO_COASTS, place=str(phrase), reach=reachable))
            return to
        if phrase.coast:
            return self.written_coast(to, phrase, reachable)
        needed = self.rules.coast_needed.value
        if not reachable:
            return to
        if len(reachable) > 1 or needed is CoastNeeded.ALWAYS:
            self.doubts.append(Found.of(Doubt.COAST_NEEDED, place=self.sheet.name(to)))
            return to
        return reachable[0]

    def are_two_coasts(self, code: str, phrase: Phrase) -> bool:
        """Say whether two coasts are written, and not one of them in two ways."""
        return "/" in phrase.coast and self.sheet.coast_place(code, phrase.coast) is None

    def written_coast(self, to: str, phrase: Phrase, reachable: tuple[str, ...]) -> str:
        """A coast that is written and cannot be reached is wrong, if the province itself can be."""
        place = self.sheet.coast_place(to, phrase.coast)
        if place is not None and (place in reachable or not reachable):
            return place
        there = " or ".join(reachable) or self.sheet.name(to)
        if self.rules.coast_wrong.value is CoastWritten.IGNORED and len(reachable) == 1:
            self.doubts.append(Found.of(Doubt.COAST_NEEDLESS, place=str(phrase), reach=(there,)))
            return reachable[0]
        self.doubts.append(Found.of(Doubt.COAST_WRONG, place=str(phrase), reach=there))
        return place or to

    def reachable_coasts(self, unit: Unit, to: str) -> tuple[str, ...]:
        """The coasts of a province that a fleet can go to."""
        reach = self.sheet.board.reach(unit.kind, unit.place)
        return tuple(sorted(place for place in reach if province_of(place) == to))

    def needless_coast(self, phrase: Phrase) -> None:
        """Note a coast where none belongs."""
        if phrase.coast:
            self.doubts.append(Found.of(Doubt.COAST_NEEDLESS, place=str(phrase), reach=()))

    # supports

    def support(self, unit: Unit, of: Unit, steps: tuple[Phrase, ...], codes: list[str]) -> Support:
        """Where the supported unit goes; for a fleet and two coasts, the coast may matter."""
        to, phrase = codes[-1], steps[-1]
        self.check_route(codes[:-1])
        coasts = self.sheet.board.provinces[to].coasts if to in self.sheet.board.provinces else ()
        if of.kind is Kind.ARMY or not coasts:
            self.needless_coast(phrase)
            return Support(unit, of, to)
        reachable = self.reachable_coasts(of, to)
        needed = self.rules.coast_needed_in_support.value
        if self.are_two_coasts(to, phrase):
            if needed is not CoastNeeded.NEVER and reachable:
                self.doubts.append(Found.of(Doubt.TWO_COASTS, place=str(phrase), reach=reachable))
                self.others = tuple(Support(unit, of, each) for each in reachable)
            return Support(unit, of, to)
        if phrase.coast:
            place = self.written_coast(to, phrase, reachable)
            binds = self.rules.coast_in_support.value is not SupportedCoast.EITHER_COAST
            return Support(unit, of, place if binds else to)
        if needed is CoastNeeded.ALWAYS or (needed is not CoastNeeded.NEVER and len(reachable) > 1):
            self.doubts.append(Found.of(Doubt.COAST_NEEDED, place=self.sheet.name(to)))
            self.others = tuple(Support(unit, of, each) for each in reachable)
        return Support(unit, of, to)
