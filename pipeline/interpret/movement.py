"""Readings of one movement line: every order that its words may mean, with what is doubtful about each."""

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec.structs import replace

from pipeline.board import Kind, Power, Unit, province_of
from pipeline.interpret.doubts import Because, Doubt, LineDoubt, by_rule, hindrance
from pipeline.interpret.lines import named_codes, words_in
from pipeline.interpret.order_words import (
    BareUnit,
    Convoys,
    Holds,
    Moves,
    Phrase,
    Reading,
    Senseless,
    Shape,
    Supports,
    UnitWords,
)
from pipeline.interpret.readings import Fit, Habits, Sheet, TakenMeanings, draft_order, fit_of, unit_spoken_of
from pipeline.interpret.tokens import tokenize
from pipeline.interpret.verdict import Entry, Status
from pipeline.interpret.written_words import fold_word
from pipeline.judge.legality import convoy_routes
from pipeline.orders import Convoy, Hold, Move, Order, Support
from pipeline.rules.abbreviations import fold_words
from pipeline.rules.reading_rules import CoastNeeded, CoastWritten, Followed, Implied, Route, SupportedCoast, Unitless
from pipeline.words.speech import Message

CodesLeft = Iterator[str]


def draft_movement(sheet: Sheet, line: int, written: Entry) -> Entry:
    """A movement line is a hold, a move, a support or a convoy."""
    shape = _as_army_by_convoy(sheet, written.shape)
    whole = tuple(other for other in written.other_shapes if _find_shape_fault(other, written) is None)
    written = replace(written, shape=shape, other_shapes=whole)
    made = draft_order(sheet, line, written, _find_shape_fault(shape, written), MovementReading)
    return _with_walk(sheet, line, made)


def _with_walk(sheet: Sheet, line: int, made: Entry) -> Entry:
    """Offer the walk where an army is to be carried from or to an inland place next to it: "A Vie - Gal C".

    No convoy was ever possible there, so that the sign may be superfluous, or the order impossible: it is asked about.
    """
    shape = made.shape
    doubts = {doubt.code for reading in made.readings for doubt in reading.doubts}
    is_carried = isinstance(shape, Moves | Supports) and shape.via and not getattr(shape, "over", ())
    if not is_carried or Doubt.NOT_ADJACENT not in doubts:
        return made
    on_foot = replace(made, shape=replace(shape, via=False), other_shapes=())
    walked = draft_order(sheet, line, on_foot, None, MovementReading).readings
    walks = tuple(reading for reading in walked if reading.is_possible)
    return replace(made, alternatives=(*made.alternatives, *walks), is_odd=True) if walks else made


def _find_shape_fault(shape: Shape, written: Entry) -> LineDoubt | None:
    """Why a line is no order by itself: no unit, no order, or it breaks off; None if it is one."""
    match shape:
        case Senseless(_, words):
            if fold_word(words) and not fold_word(words).strip("?"):
                return LineDoubt.of(Doubt.ILLEGIBLE, text=words, codes=())
            return LineDoubt.of(Doubt.SENSELESS, text=words or written.text)
        case BareUnit(unit):
            return (
                LineDoubt.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text)) if unit.place else _blank(written)
            )
        case Moves(unit, steps) if unit.place is not None and not steps:
            return LineDoubt.of(Doubt.INCOMPLETE, text=written.text)
        case Holds(unit) if unit.place is None and written.rest:
            return LineDoubt.of(Doubt.SENSELESS, text=f"{written.text} {written.rest}")  # "A xxx Bud - Rum"
        case Holds(unit) | Moves(unit) | Supports(unit) | Convoys(unit) if unit.place is None:
            return _blank(written)
        case Supports(_, of, is_complete=is_complete) if of.place is None or not is_complete:
            return LineDoubt.of(Doubt.INCOMPLETE, text=written.text)
        case Convoys(_, of, steps) if of.place is None or not steps:
            return LineDoubt.of(Doubt.INCOMPLETE, text=written.text)
        case Holds() | Moves() | Supports() | Convoys():
            return None
        case _:
            return LineDoubt.of(Doubt.WRONG_PHASE, text=written.text)


def _blank(written: Entry) -> LineDoubt:
    """An order for no unit."""
    return LineDoubt.of(Doubt.BLANK_UNIT, text=written.text)


def _as_army_by_convoy(sheet: Sheet, shape: Shape) -> Shape:
    """Read a convoy sign between an army and its goal as a move by convoy; without a dash by EDC23 G ("- or C")."""
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
    """Makes a movement order of one combination of word meanings."""

    absent = Doubt.NO_SUCH_UNIT  # the doubt for a place without a unit

    def __init__(self, sheet: Sheet, shape: Shape, taken: TakenMeanings) -> None:
        self.sheet = sheet
        self.rules = sheet.tournament.reading
        self.shape = shape
        self.taken = taken
        self.own: Unit | None = None
        self.doubts: list[LineDoubt] = []
        self.others: tuple[Order, ...] = ()
        self.route: tuple[str, ...] = ()  # by which a supported or carried army goes

    def reading(self) -> Reading:
        """Make the order, and ask the judge whether it can be done."""
        codes = iter([meaning.code for _, meaning in self.taken])
        self.own, unit = self.own_unit(self.shape.unit, next(codes))  # type: ignore[union-attr]  # only shapes with a unit
        order = self.order(unit, codes)
        coasts = {Doubt.COAST_NEEDED, Doubt.COAST_WRONG, Doubt.TWO_COASTS}
        stopping = {doubt.code for doubt in self.doubts} & {*coasts, Doubt.NO_ROUTE, Doubt.NOT_ADJACENT}
        is_possible = self.own is not None and not stopping & {Doubt.COAST_WRONG, Doubt.NO_ROUTE, Doubt.NOT_ADJACENT}
        if self.own is not None and not stopping and (hindered := self.hindrance(order)) is not None:
            self.doubts.append(hindered)
            is_possible = False
        return Reading(order, self.because, self.own, tuple(self.doubts), self.taken, self.others, is_possible)

    @property
    def because(self) -> tuple[Message, ...]:
        """The words that were taken, and what is doubtful."""
        words = tuple(meaning.of_word(phrase.text) for phrase, meaning in self.taken)
        return (Message.of(Because.TAKEN, words=words), *self.doubts) if words else tuple(self.doubts)

    def hindrance(self, order: Order) -> LineDoubt | None:
        """Say why an order cannot be carried out, or why what it helps cannot go as it is said to; None if it can."""
        reason = hindrance(self.sheet.field, self.sheet.power, order)
        shape = self.shape
        if reason is not None or not isinstance(order, Support | Convoy) or not isinstance(shape, Supports | Convoys):
            return reason
        power, of = self.sheet.stands[order.of.province]
        if order.to is None or not (self.route or shape.via or shape.by_land):
            return None
        if shape.by_land and order.to not in self.sheet.field.ground.walks.get(of.place, ()):
            return self.not_by_land(of, order.to)
        if isinstance(order, Convoy) and self.route and order.unit.province not in self.route:
            return self.no_convoy(order.unit.province)
        way = Move(of, order.to, shape.via or bool(self.route), self.route)
        return hindrance(self.sheet.field, power, way)

    def no_convoy(self, code: str) -> LineDoubt:
        return LineDoubt.of(Doubt.NO_ROUTE, why=Message.of(Because.NO_CONVOY, place=self.sheet.name(code)))

    def not_by_land(self, unit: Unit, to: str) -> LineDoubt:
        """The doubt about an army that is said to go by land where it cannot."""
        return LineDoubt.of(
            Doubt.NOT_ADJACENT, why=Message.of(Because.NOT_BY_LAND, unit=str(unit), place=self.sheet.name(to))
        )

    def order(self, unit: Unit, codes: CodesLeft) -> Order:
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
                self.check_route(between, steps[:-1])
                self.route = tuple(between)
                self.needless_coast(steps[-1])
                return Convoy(unit, other, to)
            case _:
                raise AssertionError(self.shape)

    # units

    def own_unit(self, words: UnitWords, code: str) -> tuple[Unit | None, Unit]:
        """The own unit in a province, or None; and the unit that the order is written for."""
        standing = self.sheet.stands.get(code)
        if standing is None:
            self.doubts.append(LineDoubt.of(self.absent, place=self.sheet.name(code)))
            return None, Unit(self.sheet.kind_for(code, words.letter), code)
        power, unit = standing
        if power is not self.sheet.power:
            place, own = self.sheet.name(code), str(self.sheet.power)
            self.doubts.append(LineDoubt.of(Doubt.NOT_YOUR_UNIT, place=place, power=str(power), own=own))
            return None, unit
        if words.letter is None and self.rules.letter_missing.value is not Followed.FOLLOWED:
            self.doubts.append(LineDoubt.of(Doubt.NO_LETTER, unit=str(unit)))
        if words.letter not in {None, unit.kind}:
            self.doubts.append(LineDoubt.of(Doubt.UNIT_LETTER, unit=str(unit)))
        self.check_nation(words, power, unit)
        self.check_unit_coast(words, unit)
        return unit, unit

    def other_unit(self, words: UnitWords, code: str) -> Unit:
        """The unit that is supported or convoyed."""
        standing = self.sheet.stands.get(code)
        if standing is None:
            return Unit(self.sheet.kind_for(code, words.letter), code)
        power, unit = standing
        if words.letter not in {None, unit.kind}:
            self.doubts.append(LineDoubt.of(Doubt.OTHER_LETTER, unit=str(unit)))
        self.check_nation(words, power, unit)
        is_foreign = power is not self.sheet.power
        is_said = words.nation is not None or words.is_own
        if is_foreign and not is_said and self.rules.nation_missing.value is not Followed.FOLLOWED:
            self.doubts.append(LineDoubt.of(Doubt.NO_NATION, unit=str(unit)))
        self.check_unit_coast(words, unit, is_other=True)
        return unit

    def check_nation(self, words: UnitWords, power: Power, unit: Unit) -> None:
        """Compare the nationality written with the unit's own."""
        nation = words.nation or (self.sheet.power if words.is_own else None)
        if nation not in {None, power}:
            self.doubts.append(LineDoubt.of(Doubt.NATION, unit=str(unit), power=str(power)))

    def check_unit_coast(self, words: UnitWords, unit: Unit, *, is_other: bool = False) -> None:
        """Compare the coast written for a unit with the one it stands on."""
        coast = words.place.coast if words.place is not None else ""
        if coast and "/" not in unit.place:
            self.doubts.append(LineDoubt.of(Doubt.COAST_NEEDLESS, place=str(words.place), reach=()))
        elif "/" in coast and self.sheet.coast_place(unit.province, coast) is None:
            self.doubts.append(LineDoubt.of(Doubt.TWO_COASTS, place=str(words.place), reach=(unit.place,)))
        elif coast and self.sheet.coast_place(unit.province, coast) != unit.place:
            doubt = Doubt.OTHER_COAST_WRONG if is_other else Doubt.UNIT_COAST_WRONG
            self.doubts.append(LineDoubt.of(doubt, unit=str(unit)))
        elif not (coast or is_other) and "/" in unit.place and self.needs_unit_coast():
            self.doubts.append(LineDoubt.of(Doubt.UNIT_COAST, unit=str(unit)))

    def needs_unit_coast(self) -> bool:
        """Say whether a fleet must be named with the coast it stands on."""
        return self.rules.unit_coast_missing.value is not Followed.FOLLOWED

    # moves

    def move(self, unit: Unit, shape: Moves, codes: CodesLeft) -> Move:
        """Where the unit goes, on which coast, and how."""
        *seas, to = codes
        route = [*dict.fromkeys(seas)]  # "- Bla - Rum via Bla" names one sea twice
        self.check_route(route, (*shape.over, *shape.steps[:-1]))
        phrase, via = shape.steps[-1], shape.via or bool(route)
        if unit.kind is Kind.ARMY or self.own is None:
            self.needless_coast(phrase)
            self.note_ways(to, shape)
            if shape.by_land and self.own is not None and to not in self.sheet.field.ground.walks[unit.place]:
                self.doubts.append(self.not_by_land(unit, to))
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
            self.doubts.append(LineDoubt.of(Doubt.VIA_CONVOY, unit=str(unit)))

    def check_route(self, between: list[str], phrases: Sequence[Phrase]) -> None:
        """No unit moves in two steps: only seas can stand between start and end of a move."""
        for phrase in phrases:
            self.needless_coast(phrase)
        for code in between:
            if code not in self.sheet.field.ground.seas:
                self.doubts.append(self.no_convoy(code))

    def note_route(self, to: str, route: tuple[str, ...]) -> None:
        """Note a named convoy route if there are others and the rules do not say whether it is binding."""
        if not route or self.own is None or self.rules.route.value is not Route.ASK:
            return
        ground = self.sheet.field.ground
        if self.own.place in ground.coastal and to in ground.coastal:
            possible = convoy_routes(ground, self.own.place, to, self.sheet.field.afloat)
            if possible and possible != (route,):
                self.doubts.append(LineDoubt.of(Doubt.ROUTE_NAMED, route=" - ".join(route)))

    def landing(self, unit: Unit, to: str, phrase: Phrase) -> str:
        """The place a fleet goes to; the coast is taken from the order, or from the map where only one is in reach."""
        reachable = self.reachable_coasts(unit, to)
        coasts = self.sheet.board.provinces[to].coasts if to in self.sheet.board.provinces else ()
        if not coasts:
            self.needless_coast(phrase)
            return to
        if self.are_two_coasts(to, phrase):
            if reachable:
                self.doubts.append(LineDoubt.of(Doubt.TWO_COASTS, place=str(phrase), reach=reachable))
            return to
        if phrase.coast:
            return self.written_coast(to, phrase, reachable)
        needed = self.rules.coast_needed.value
        if not reachable:
            return to
        if len(reachable) > 1 or needed is CoastNeeded.ALWAYS:
            self.doubts.append(LineDoubt.of(Doubt.COAST_NEEDED, place=self.sheet.name(to)))
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
            self.doubts.append(LineDoubt.of(Doubt.COAST_NEEDLESS, place=str(phrase), reach=(there,)))
            return reachable[0]
        self.doubts.append(LineDoubt.of(Doubt.COAST_WRONG, place=str(phrase), reach=there))
        return place or to

    def reachable_coasts(self, unit: Unit, to: str) -> tuple[str, ...]:
        """The coasts of a province that a fleet can go to."""
        reach = self.sheet.board.reach(unit.kind, unit.place)
        return tuple(sorted(place for place in reach if province_of(place) == to))

    def needless_coast(self, phrase: Phrase) -> None:
        """Note a coast where none belongs."""
        if phrase.coast:
            self.doubts.append(LineDoubt.of(Doubt.COAST_NEEDLESS, place=str(phrase), reach=()))

    # supports

    def support(self, unit: Unit, of: Unit, steps: tuple[Phrase, ...], codes: list[str]) -> Support:
        """Where the supported unit goes; for a fleet and two coasts, the coast may matter."""
        to, phrase = codes[-1], steps[-1]
        self.check_route(codes[:-1], steps[:-1])
        self.route = tuple(codes[:-1])
        coasts = self.sheet.board.provinces[to].coasts if to in self.sheet.board.provinces else ()
        if of.kind is Kind.ARMY or not coasts:
            self.needless_coast(phrase)
            return Support(unit, of, to)
        reachable = self.reachable_coasts(of, to)
        needed = self.rules.coast_needed_in_support.value
        if self.are_two_coasts(to, phrase):
            if needed is not CoastNeeded.NEVER and reachable:
                two = LineDoubt.of(Doubt.TWO_COASTS, place=str(phrase), reach=reachable, supported=str(of))
                self.doubts.append(two)
                self.others = tuple(Support(unit, of, each) for each in reachable)
            return Support(unit, of, to)
        if phrase.coast:
            place = self.written_coast(to, phrase, reachable)
            binds = self.rules.coast_in_support.value is not SupportedCoast.EITHER_COAST
            return Support(unit, of, place if binds else to)
        if needed is CoastNeeded.ALWAYS or (needed is not CoastNeeded.NEVER and len(reachable) > 1):
            self.doubts.append(LineDoubt.of(Doubt.COAST_NEEDED, place=self.sheet.name(to), supported=str(of)))
            self.others = tuple(Support(unit, of, each) for each in reachable)
        return Support(unit, of, to)


# Orders that a line leaves open and the rest of the sheet completes (EDC23 R11), and orders without a unit.

OPEN = frozenset({Doubt.BARE_UNIT, Doubt.INCOMPLETE})  # the whole order is open; below, a part of it
IN_PART = frozenset({Doubt.COAST_NEEDED, Doubt.ILLEGIBLE, Doubt.UNKNOWN_WORD, Doubt.MISSPELT, Doubt.NO_SIGN})


def without_unit(sheet: Sheet, draft: Entry, entries: Sequence[Entry]) -> Entry:
    """An order that names no unit is for the one own unit that it can mean, where the rules allow that."""
    setting = sheet.tournament.reading.unitless
    busy = {entry.unit for entry in entries if entry.status is not Status.VOID and not _is_unsettled(entry)}
    readings = [r for unit in sheet.own if unit not in busy for r in _readings_for(sheet, draft, unit)]
    written = readings or [r for unit in sheet.own for r in _readings_for(sheet, draft, unit)]
    if setting.value is Unitless.OWN_ORDERS:
        named = {order.of for order in _clear_orders(entries) if isinstance(order, Support | Convoy)}
        readings = [r for r in readings if r.unit in named and _is_named(r.order, entries)]
    doubt = LineDoubt.of(Doubt.BLANK_UNIT, text=draft.text)
    entry = replace(
        draft,
        status=Status.INVALID,
        settings=(setting,),
        because=(doubt, by_rule(setting.value)),
        doubts=(doubt,),
        candidates=tuple(Reading(r.order, (Message.of(Because.IDLE_UNIT),)) for r in written),
    )
    if isinstance(draft.shape, Holds):
        return replace(entry, candidates=())  # a hold without a unit changes nothing; a stray "H" is no hold
    if _names_own_unit(sheet, draft) or _may_be_spring(sheet, draft, busy):  # "move army from Vienna to Galicia"
        return replace(entry, status=Status.ASK, situation=sheet.situation(setting, doubt, draft.text))
    is_partly_read = draft.rest or (draft.is_odd and draft.senses)  # "attack Bul with F Mar Negro" may name it
    if setting.value is Unitless.VOID and not is_partly_read:
        return entry
    is_alone = not any(  # else the line may be cut wrongly, or the idle unit's own line is another
        entry.line == draft.line or (entry.status is Status.ASK and entry.unit is None) for entry in entries
    )
    is_whole = is_alone and not (draft.rest or draft.is_odd or getattr(draft.shape, "to_unit", False))
    is_fleets = any(each.code is Doubt.COAST_NEEDLESS for r in readings for each in r.doubts)  # "to StP nc", of an army
    goals = {province_of(each.to) for each in _clear_orders(entries) if isinstance(each, Move)}
    is_said_twice = any(isinstance(r.order, Move) and province_of(r.order.to) in goals for r in readings)
    is_whole = is_whole and not is_said_twice  # "- tun" above "F Tyh to tun"
    unclear = (entry.text for entry in entries if entry.status is not Status.CLEAR and entry.line != draft.line)
    spoken_of = {code for text in unclear for word in words_in(text) for code in named_codes(sheet, word)}
    is_whole = is_whole and spoken_of.isdisjoint(r.unit.province for r in readings if r.unit is not None)
    if len(readings) == 1 and setting.value is not Unitless.ASK and is_whole and not is_fleets:
        only = readings[0]
        return replace(entry, order=only.order, read=only.order, unit=only.unit, status=Status.CLEAR)
    if setting.value is Unitless.ONE_MEANING and len(readings) > 1 and is_whole:
        return replace(entry, status=Status.AMBIGUOUS)
    return replace(entry, status=Status.ASK, situation=sheet.situation(setting, doubt, draft.text))


def _may_be_spring(sheet: Sheet, draft: Entry, ordered: Set[Unit | None]) -> bool:
    """Say whether an S before an own unit that no line orders may be the season: "S A Bul - Rum", "S: A Bul - Rum"."""
    shape, first = draft.shape, next(iter(tokenize(draft.text)))
    if not isinstance(shape, Supports) or shape.of.place is None or first.folded != "s":
        return False
    return any(sheet.own_at(code) not in ordered | {None} for code in sheet.lexicon.sense(shape.of.place.folded).codes)


def _names_own_unit(sheet: Sheet, draft: Entry) -> bool:
    """Say whether an own unit's place stands on a line that seems to name no unit, and not as its goal.

    Of two places the last may be the unit: "To Galicia goes Vienna", "helps Vienna: Budapest".
    """
    shape = draft.shape
    steps = getattr(shape, "steps", ())
    goal = steps if len(steps) == 1 and getattr(shape, "has_sign", True) else ()
    others = (*goal, getattr(shape, "of", UnitWords()).place)
    goals = {word for phrase in others if phrase is not None for word in fold_words(phrase.text)}
    own = {unit.province for unit in sheet.own}
    words = (token.folded for token in tokenize(f"{draft.text} {draft.rest}"))
    return any(word not in goals and own & {*sheet.lexicon.spoken.get(word, ())} for word in words)


GAPS = frozenset({Doubt.INCOMPLETE, Doubt.ILLEGIBLE, Doubt.UNKNOWN_WORD})


def offer_for_gap(sheet: Sheet, draft: Entry, habits: Habits) -> Entry:
    """Offer completions of a line that breaks off or has an illegible word; none is followed unasked.

    The sheet's other orders come first (WDC08 12.4); then, of a support or a convoy that names no unit, every unit that
    it could be for.
    """
    if draft.fault is None or draft.fault.code not in GAPS:
        return draft
    if draft.unit is None:
        words = getattr(draft.shape, "unit", UnitWords()).place
        if words is None or words.folded.strip("?"):
            return draft
        busy = {order.unit for order in habits.orders if isinstance(order, Hold | Move | Support | Convoy)}
        readings = [r for unit in sheet.own if unit not in busy for r in _readings_for(sheet, draft, unit)]
        return replace(draft, fitting=tuple(Reading(r.order, (Message.of(Because.IDLE_UNIT),)) for r in readings))
    if draft.fault.code is Doubt.ILLEGIBLE and sheet.tournament.reading.illegible_own_orders.value == "ignored":
        return draft
    shown = dict.fromkeys(_orders_beside(draft.unit, habits.orders), Because.OWN_ORDERS)
    others = _orders_for_goal(sheet, draft) if draft.fault.code is Doubt.INCOMPLETE else ()
    offered = {**dict.fromkeys(others, Because.IF_MEANT), **shown}
    fitting = [
        Reading(order, (Message.of(offered[order]),))
        for order in (*shown, *(each for each in offered if each not in shown))
        if (isinstance(draft.shape, Senseless) or fit_of(sheet, draft, order) is not Fit.OTHER)
        and hindrance(sheet.field, sheet.power, order) is None
    ]
    return replace(draft, fitting=tuple(fitting))


def _orders_beside(unit: Unit, orders: Sequence[Order]) -> Iterator[Order]:
    """Orders of a unit that match another order of its sheet: the supported move, or a support or convoy for it."""
    for order in orders:
        match order:
            case Support(_, of, str() as to) | Convoy(_, of, to) if of.province == unit.province:
                yield Move(unit, to)
            case Move(other, to) if other != unit:
                yield Support(unit, other, to)
                yield Convoy(unit, other, province_of(to))
            case Hold(other) | Support(other) | Convoy(other) if other != unit:
                yield Support(unit, other)


def _orders_for_goal(sheet: Sheet, draft: Entry) -> Iterator[Order]:
    """The supports and convoys to a written goal for any unit on the board: "A Bud S - Gal"; or "A Bre C Por"."""
    shape = draft.shape
    if isinstance(shape, Convoys) and shape.of.place is not None and draft.unit is not None and not shape.steps:
        for meaning in sheet.lexicon.sense(shape.of.place.folded).meanings:
            if draft.unit.kind is Kind.ARMY:
                yield Move(draft.unit, meaning.code, via=True)
    if not isinstance(shape, Supports | Convoys) or not shape.of.is_empty or not shape.steps or draft.unit is None:
        return
    for _, other in sheet.stands.values():
        if other != draft.unit:
            for meaning in sheet.lexicon.sense(shape.steps[-1].folded).meanings:
                help_with = Support if isinstance(shape, Supports) else Convoy
                yield help_with(draft.unit, other, meaning.code)


def _is_named(order: Order, entries: Sequence[Entry]) -> bool:
    """Say whether an own support or convoy order speaks of just this move."""
    return isinstance(order, Move) and any(
        isinstance(other, Support | Convoy)
        and other.of == order.unit
        and other.to is not None
        and province_of(other.to) == province_of(order.to)
        for other in _clear_orders(entries)
    )


def _readings_for(sheet: Sheet, draft: Entry, unit: Unit) -> list[Reading]:
    """Read an order without a unit as if this unit were named, and keep what it could carry out."""
    shape = draft.shape
    if not isinstance(shape, Holds | Moves | Supports | Convoys) or shape.unit.letter not in {None, unit.kind}:
        return []
    words = UnitWords(shape.unit.nation, unit.kind, Phrase(unit.province, unit.province.lower()))
    tried = draft_movement(sheet, draft.line, replace(draft, shape=replace(shape, unit=words)))
    return [r for r in tried.readings if r.is_possible and r.unit == unit] if tried.is_plain else []


def _clear_orders(entries: Sequence[Entry]) -> list[Order]:
    return [entry.order for entry in entries if entry.status is Status.CLEAR and entry.order is not None]


def complete(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """A missing or incomplete order is taken from the complete one in an own support or convoy (EDC23 R11)."""
    done = list(entries)
    if sheet.tournament.reading.implied.value is Implied.NO:
        return done
    for unit in sheet.own:
        about = [e for e in done if e.unit == unit]
        if all(_is_unsettled(entry) for entry in about):
            _put_in(sheet, done, about, unit, _fitting(sheet, about, _moves_named(sheet, unit, done)))
    for unit in sheet.own:
        about = [e for e in done if e.unit == unit]
        if unit.kind is Kind.FLEET and all(_is_unsettled(entry) for entry in about):
            orders = _fitting(sheet, about, _convoys_wanted(sheet, unit, done))
            others = (e for e in done if e.unit != unit and e.status is not Status.CLEAR)
            _put_in(
                sheet,
                done,
                about,
                unit,
                orders,
                is_only=all(e.unit is None or e.unit.kind is Kind.ARMY for e in others),
            )
    return done


def _is_unsettled(entry: Entry) -> bool:
    """Say whether a line names a unit and leaves its order open: all of it, a coast, or a word that nobody knows."""
    doubts = {doubt.code for doubt in entry.doubts}
    return bool(doubts & OPEN) or (entry.status is not Status.CLEAR and bool(doubts & IN_PART))


def _fit_beside(sheet: Sheet, entry: Entry, order: Order, by: Entry) -> Fit:
    """How well an implied order fits; not surely where its sign may be lost on the same line: "F NWG / A Edi - Nwy"."""
    is_beside = isinstance(entry.shape, BareUnit) and entry.line == by.line
    return max(fit_of(sheet, entry, order), Fit.UNLIKE if is_beside else Fit.GOOD)


def _fitting(sheet: Sheet, about: Sequence[Entry], orders: Mapping[Order, Entry]) -> dict[Order, tuple[Entry, Fit]]:
    """Keep the implied orders that do not contradict the lines without a settled order, each with how well it fits.

    A line that means something else is not incomplete (R11); a coast that no order names is not added.
    """
    fits = {
        order: (by, max((_fit_beside(sheet, entry, order, by) for entry in about), default=Fit.GOOD))
        for order, by in orders.items()
    }
    kept = {order: given for order, given in fits.items() if given[1] is not Fit.OTHER}
    lacks_coast = any(each.code is Doubt.COAST_NEEDED for entry in about for each in entry.doubts)
    return kept if len(kept) == 1 or not lacks_coast else {}


def _put_in(
    sheet: Sheet,
    done: list[Entry],
    about: list[Entry],
    unit: Unit,
    orders: dict[Order, tuple[Entry, Fit]],
    *,
    is_only: bool = True,
) -> None:
    """Put the implied order in the place of the line without a settled order, or after the line that implies it.

    ``is_only``: no line in doubt may mean that another unit does it.
    """
    if not orders:
        return
    setting = sheet.tournament.reading.implied
    order, (source, fit) = next(iter(orders.items()))
    # only what is written implies an order for another unit; an inferred or completed order does not: R11
    # speaks of an order that is written
    is_sure = not source.also and all(doubt.code is not Doubt.IMPLIED for doubt in source.doubts)
    spoken = {e.read.to for e in done if isinstance(e.read, Support | Convoy) and e.read.of == unit}  # followed or not
    has_rest = any(each.code is Doubt.EXTRA_WORDS for entry in about for each in entry.doubts)
    is_one = len(orders) == 1 and len(spoken) < 2 and not has_rest
    agreed = is_one and is_only and fit is Fit.GOOD and setting.value is Implied.YES and is_sure
    doubt = LineDoubt.of(Doubt.IMPLIED, line=source.line, text=source.text)
    of_line = about[0] if about else source
    entry = Entry(
        of_line.shape,
        of_line.text,
        line=of_line.line,
        order=order if agreed else None,
        status=Status.CLEAR if agreed else Status.ASK,
        settings=(setting,),
        because=(Message.of(Because.NO_COMPLETE_ORDER, unit=str(unit)), doubt),
        doubts=(*(about[0].doubts if about else ()), doubt),
        candidates=tuple(
            Reading(each, (Message.of(Because.IMPLIED_BY, line=by.line),)) for each, (by, _) in orders.items()
        ),
        unit=unit,
        read=order if agreed else None,
        situation=None if agreed else sheet.situation(setting, doubt, source.text),
    )
    if about:
        done[done.index(about[0])] = entry
    else:
        done.insert(done.index(source) + 1, entry)


def _moves_named(sheet: Sheet, unit: Unit, entries: Sequence[Entry]) -> dict[Order, Entry]:
    """List the moves of a unit that own supports and convoys speak of, each with the line that does."""
    moves: dict[Order, Entry] = {}
    for entry in entries:
        order = entry.order if entry.status is Status.CLEAR else None
        if not isinstance(order, Support | Convoy) or order.of != unit:
            continue
        by_convoy, route = _way_named(sheet, entry.shape)
        for move in _possible_moves(sheet, unit, order.to) if order.to is not None else [Hold(unit)]:
            on_its_way = replace(move, via=True, route=route) if isinstance(move, Move) and by_convoy else move
            moves.setdefault(on_its_way, entry)
    return moves if any(isinstance(order, Move) for order in moves) else {}  # a unit without an order holds anyway


def _way_named(sheet: Sheet, shape: Shape) -> tuple[bool, tuple[str, ...]]:
    """Whether a support or a convoy says that its army goes by convoy, and over which seas."""
    if not isinstance(shape, Supports | Convoys):
        return False, ()
    route = tuple(sheet.lexicon.sense(step.folded).meanings[0].code for step in shape.steps[:-1])
    return shape.via or bool(route), route


def _possible_moves(sheet: Sheet, unit: Unit, to: str) -> list[Order]:
    """The move to a place, or for a fleet that could reach two coasts, both."""
    places = [to]
    if unit.kind is Kind.FLEET and "/" not in to:
        places = [place for place in sorted(sheet.board.reach(unit.kind, unit.place)) if province_of(place) == to]
    moves = [Move(unit, province_of(to) if unit.kind is Kind.ARMY else place) for place in places]
    return [move for move in moves if hindrance(sheet.field, sheet.power, move) is None]


def _convoys_wanted(sheet: Sheet, unit: Unit, entries: Sequence[Entry]) -> dict[Order, Entry]:
    """The convoys without which an own army's move cannot be made; one that only could help is not implied (R11)."""
    named = _armies_named(sheet, entries, unit)
    busy = {
        e.unit.province
        for e in entries
        if e.unit is not None and not _is_unsettled(e) and not isinstance(e.order, Convoy)
    }
    afloat = sheet.field.afloat - (busy - {unit.province})
    convoys: dict[Order, Entry] = {}
    for entry in entries:
        move = entry.order if entry.status is Status.CLEAR else None
        if not isinstance(move, Move) or move.unit.kind is not Kind.ARMY or (named and move.unit.province not in named):
            continue
        if move.to in sheet.board.reach(Kind.ARMY, move.unit.place) and not move.via:
            continue
        if _is_needed(sheet, unit, move, afloat):
            convoys[Convoy(unit, move.unit, move.to)] = entry
    return convoys


def _is_needed(sheet: Sheet, unit: Unit, move: Move, afloat: frozenset[str]) -> bool:
    """Say whether an army's move can be made with this fleet, and not without it."""
    if move.route:
        return unit.province in move.route
    ground = sheet.field.ground
    without = convoy_routes(ground, move.unit.place, move.to, afloat - {unit.province})
    return not without and bool(convoy_routes(ground, move.unit.place, move.to, afloat))


def _armies_named(sheet: Sheet, entries: Sequence[Entry], unit: Unit) -> set[str]:
    """The armies that an incomplete convoy order of this fleet names."""
    named: set[str] = set()
    for shape in (entry.shape for entry in entries):
        if isinstance(shape, Convoys) and shape.of.place is not None and unit_spoken_of(sheet, shape) == unit:
            named |= {meaning.code for meaning in sheet.lexicon.sense(shape.of.place.folded).meanings}
    return named
