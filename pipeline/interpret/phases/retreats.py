"""Lines of a retreat phase: dislodged units retreat or disband, and what is not written well is lost (row 22)."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.board.map import Kind, province_of
from pipeline.board.position import Dislodged, Unit
from pipeline.interpret.doubts.because import Because, by_rule
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Candidate, Entry, Interpretation, Status, name_alone, with_setting
from pipeline.interpret.language.written import BareUnit, Disbands, Left, Moves, Phrase, Senseless, UnitWords, Written
from pipeline.interpret.lines.decide import ask_whole_lines, decide
from pipeline.interpret.lines.drafts import draft
from pipeline.interpret.lines.evidence import habits_of
from pipeline.interpret.lines.lines import WrittenLine
from pipeline.interpret.lines.reading import Draft
from pipeline.interpret.lines.sheet import Sheet
from pipeline.interpret.lines.twice import judge_twice
from pipeline.interpret.phases.movement import Codes, MovementReading
from pipeline.orders.order import Disband, Hold, Order, Retreat
from pipeline.rules.reading_rules import LostRetreat, Unitless
from pipeline.rules.reading_rules import RetreatsWritten as MustBeWritten
from pipeline.words import Told


class RetreatReading(MovementReading):
    """One combination of meanings, made a retreat or a disbanding."""

    absent = Doubt.NOT_DISLODGED

    def order(self, unit: Unit, codes: Codes) -> Order:
        """Make the order of its shape."""
        if isinstance(self.shape, Moves):
            *_, to = codes
            phrase = self.shape.steps[-1]
            if unit.kind is Kind.ARMY or self.own is None:
                self.needless_coast(phrase)
                return Retreat(unit, to)
            place = self.landing(unit, to, phrase)
            if place == to:
                self.others = tuple(Retreat(unit, each) for each in self.reachable_coasts(unit, to) if each != to)
            return Retreat(unit, place)
        return Disband(unit)

    def reachable_coasts(self, unit: Unit, to: str) -> tuple[str, ...]:
        """The places in a province that are open to a dislodged unit."""
        return tuple(place for place in open_to(self.sheet, unit) if province_of(place) == to)

    def hindrance(self, order: Order) -> Found | None:
        """A unit retreats to a place that is open to it."""
        if not isinstance(order, Retreat) or order.to in open_to(self.sheet, order.unit):
            return None
        open_places = open_to(self.sheet, order.unit)
        return Found.of(Doubt.NO_RETREAT, unit=str(order.unit), to=order.to, open=open_places)


def open_to(sheet: Sheet, unit: Unit) -> tuple[str, ...]:
    """List the places that a dislodged unit may go to."""
    return next((each.retreats for each in sheet.position.dislodged if each.unit == unit), ())


def interpret_retreats(sheet: Sheet, lines: Sequence[WrittenLine]) -> Interpretation:
    """Line by line; then units ordered twice; then units without an order."""
    drafts = [draft_retreat(sheet, line.number, each).noted(line.notes) for line in lines for each in line.orders]
    habits = habits_of(sheet, drafts)
    decided = [None if is_blank(each) else decide(sheet, each, habits) for each in drafts]
    known = [entry for entry in decided if entry is not None]
    entries = [
        entry if entry is not None else without_unit(sheet, each, known)
        for each, entry in zip(drafts, decided, strict=True)
    ]
    entries = [lost(sheet, entry) for entry in judge_twice(sheet, [no_order(entry) for entry in entries])]
    entries = ask_whole_lines(sheet, entries)
    spoken_for = {e.unit for e in entries if e.unit is not None and e.status is not Status.VOID}
    unordered = tuple(unit for unit in sheet.own if unit not in spoken_for)
    orders = tuple(dict.fromkeys(entry.order for entry in entries if entry.order is not None))
    return Interpretation(tuple(entries), orders, unordered, tuple(missing(sheet, unit) for unit in unordered))


def draft_retreat(sheet: Sheet, line: int, written: Written) -> Draft:
    """A retreat line is a retreat or a disbanding; two places to go to are two meanings."""
    shape = written.shape
    if isinstance(shape, Moves) and len(shape.steps) > 1:
        first, *_, last = (replace(shape, steps=(step,)) for step in shape.steps)
        others = (*written.alternatives, last)
        rest = " ".join(filter(None, (str(shape.steps[-1]), written.rest)))
        written = replace(written, shape=first, rest=rest, left=Left.SPOILS, alternatives=others)
    return draft(sheet, line, written, fault_of(written), RetreatReading)


def fault_of(written: Written) -> Found | None:
    """A line without a unit, without an order, or with an order of another phase, is no retreat."""
    match written.shape:
        case Moves(unit, steps):
            if unit.place is None:
                return Found.of(Doubt.BLANK_UNIT, text=written.text)
            return None if steps else Found.of(Doubt.INCOMPLETE, text=written.text)
        case Disbands(unit):
            return None if unit.place is not None else Found.of(Doubt.BLANK_UNIT, text=written.text)
        case BareUnit(unit):
            return Found.of(Doubt.BARE_UNIT, unit=str(unit.place or written.text))
        case Senseless(_, words):
            return Found.of(Doubt.SENSELESS, text=words or written.text)
        case _:
            return Found.of(Doubt.WRONG_PHASE, text=written.text)


def is_blank(each: Draft) -> bool:
    """Say whether a line names no unit."""
    return each.fault is not None and each.fault.doubt is Doubt.BLANK_UNIT


def no_order(entry: Entry) -> Entry:
    """A unit's name alone is no order: names stand printed on some sheets."""
    is_name = entry.found is not None and entry.found.doubt is Doubt.BARE_UNIT
    return name_alone(entry) if is_name and entry.unit is not None else entry


def lost(sheet: Sheet, entry: Entry) -> Entry:
    """A dislodged unit cannot hold: without a good order it is lost, or the director rules (row 22)."""
    if not isinstance(entry.order, Hold):
        return entry
    setting = sheet.tournament.reading.retreat_invalid
    if setting.value is LostRetreat.ASK:
        asked = sheet.situation(setting, entry.found or entry.doubts[0], entry.text)
        return replace(entry, order=None, status=Status.ASK, settings=(setting,), situation=asked)
    because = (entry.found or entry.doubts[0], by_rule(setting.value))
    return replace(entry, order=Disband(entry.order.unit), settings=with_setting(entry, setting), because=because)


def without_unit(sheet: Sheet, each: Draft, entries: Sequence[Entry]) -> Entry:
    """A retreat that names no unit is for the one dislodged unit that it can mean, where the rules allow that."""
    setting = sheet.tournament.reading.unitless
    busy = {entry.unit for entry in entries if entry.status is not Status.VOID}
    idle = [unit for unit in sheet.own if unit not in busy]
    readings = [reading for unit in idle for reading in possible_for(sheet, each, unit)]
    written = readings or [reading for unit in sheet.own for reading in possible_for(sheet, each, unit)]
    found = Found.of(Doubt.BLANK_UNIT, text=each.written.text)
    is_whole = not (each.written.rest or getattr(each.written.shape, "to_unit", False))
    one = setting.value is Unitless.ONE_MEANING and len(readings) == 1 and is_whole
    if one:
        status = Status.CLEAR
    elif setting.value is Unitless.VOID:
        status = Status.INVALID
    elif setting.value is Unitless.ONE_MEANING and len(readings) > 1:
        status = Status.AMBIGUOUS
    else:
        status = Status.ASK
    return Entry(
        line=each.line,
        text=each.written.text,
        order=readings[0] if one else None,
        status=status,
        settings=(setting,),
        because=(found, by_rule(setting.value)),
        doubts=(found,),
        candidates=tuple(Candidate(order, (Told.of(Because.IDLE_DISLODGED),)) for order in written),
        unit=readings[0].unit if one and isinstance(readings[0], Retreat | Disband) else None,
        read=readings[0] if one else None,
        situation=sheet.situation(setting, found, each.written.text) if status is Status.ASK else None,
    )


def possible_for(sheet: Sheet, each: Draft, unit: Unit) -> list[Order]:
    """Read a retreat without a unit as if this unit were named, and keep it if it is open to it."""
    shape = each.written.shape
    if not isinstance(shape, Moves | Disbands) or shape.unit.letter not in {None, unit.kind}:
        return []
    words = UnitWords(shape.unit.nation, unit.kind, Phrase(unit.province, unit.province.lower()))
    tried = draft_retreat(sheet, each.line, replace(each.written, shape=replace(shape, unit=words)))
    return [r.order for r in tried.readings if r.is_possible] if tried.is_plain else []


def missing(sheet: Sheet, unit: Unit) -> Entry:
    """A dislodged unit without an order is lost; where retreats need not be written, somebody must say (row 22)."""
    rules = sheet.tournament.reading
    found = Found.of(Doubt.RETREAT_MISSING, unit=str(unit))
    places = open_to(sheet, unit)
    offered: tuple[Order, ...] = (*(Retreat(unit, place) for place in places), Disband(unit))
    candidates = tuple(Candidate(order, (Told.of(Because.OPEN_TO_IT),)) for order in offered)
    entry = Entry(
        line=0,
        text="",
        order=Disband(unit),
        status=Status.VOID,
        settings=(rules.retreat_missing,),
        because=(found, by_rule(rules.retreat_missing.value)),
        doubts=(found,),
        candidates=candidates,
        unit=unit,
    )
    if not places:
        return replace(entry, settings=(), because=(found, Told.of(Because.NOTHING_OPEN)))
    if not must_be_written(sheet, rules.retreat_written.value):
        because = (found, Told.of(Because.NEED_NOT_BE_WRITTEN, value=rules.retreat_written.value))
        asked = sheet.situation(rules.retreat_written, found, "")
        settings = (rules.retreat_written,)
        return replace(entry, order=None, status=Status.ASK, settings=settings, because=because, situation=asked)
    if rules.retreat_missing.value is LostRetreat.ASK:
        asked = sheet.situation(rules.retreat_missing, found, "")
        return replace(entry, order=None, status=Status.ASK, situation=asked)
    return entry


def must_be_written(sheet: Sheet, rule: MustBeWritten) -> bool:
    """Say whether retreats must be written in this phase (EDC96 5, WM VI.5.a)."""
    dislodged = sheet.position.dislodged
    match rule:
        case MustBeWritten.TWO_POWERS:
            return len({each.power for each in dislodged if each.retreats}) > 1
        case MustBeWritten.COULD_MEET:
            return any(could_meet(a, b) for i, a in enumerate(dislodged) for b in dislodged[i + 1 :])
        case MustBeWritten.ASK:
            return False
        case MustBeWritten.ALWAYS:
            return True


def could_meet(one: Dislodged, other: Dislodged) -> bool:
    """Say whether two dislodged units could go to the same province."""
    return bool({province_of(place) for place in one.retreats} & {province_of(place) for place in other.retreats})
