"""Lines of a retreat phase: retreats and disbands, and dislodged units without an order."""

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from pipeline.board import Kind, Unit, province_of
from pipeline.interpret.asked_beside import ask_because_of, ask_first_choice, ask_whole_lines
from pipeline.interpret.decide import apply_notes, decide_line
from pipeline.interpret.doubts import NOBODYS, Because, Doubt, LineDoubt, by_rule
from pipeline.interpret.movement import CodesLeft, MovementReading
from pipeline.interpret.order_words import Disbands, Moves, Phrase, Reading, UnitWords
from pipeline.interpret.ordered_twice import judge_twice
from pipeline.interpret.readings import Sheet, draft_order, habits_of, why_no_order
from pipeline.interpret.strange_rows import ask_beside_strange_rows
from pipeline.interpret.verdict import NOTHING_WRITTEN, Entry, Interpretation, Line, Status, name_alone, with_setting
from pipeline.interpret.written_words import CHOICE, IF, SignSense, fold_word
from pipeline.orders import Disband, Hold, Order, Retreat
from pipeline.rules.reading_rules import LostRetreat, RetreatsWritten, Unitless
from pipeline.words.speech import Message


class RetreatReading(MovementReading):
    """Makes a retreat or a disband of one combination of word meanings."""

    absent = Doubt.NOT_DISLODGED

    def order(self, unit: Unit, codes: CodesLeft) -> Order:
        if isinstance(self.shape, Moves):
            *_, to = codes
            phrase = self.shape.steps[-1]
            if unit.kind is Kind.ARMY or self.own is None:
                self.needless_coast(phrase)
                return Retreat(unit, to)
            place = self.landing(unit, to, phrase)
            if place == to:
                self.others = tuple(Retreat(unit, each) for each in self.reachable_coasts(unit, to))
            return Retreat(unit, place)
        return Disband(unit)

    def reachable_coasts(self, unit: Unit, to: str) -> tuple[str, ...]:
        """The places in a province that are open to a dislodged unit."""
        return tuple(place for place in _open_to(self.sheet, unit) if province_of(place) == to)

    def hindrance(self, order: Order) -> LineDoubt | None:
        """A unit retreats to a place that is open to it."""
        if not isinstance(order, Retreat) or order.to in _open_to(self.sheet, order.unit):
            return None
        open_places = _open_to(self.sheet, order.unit)
        return LineDoubt.of(Doubt.NO_RETREAT, unit=str(order.unit), to=order.to, open=open_places)


def _open_to(sheet: Sheet, unit: Unit) -> tuple[str, ...]:
    """List the places that a dislodged unit may go to."""
    return next((each.retreats for each in sheet.position.dislodged if each.unit == unit), ())


def interpret_retreats(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Line by line; then units ordered twice; then units without an order."""
    drafts = [draft_retreat(sheet, line.number, each).with_notes(line.notes) for line in lines for each in line.orders]
    habits = habits_of(sheet, drafts)
    decided = [
        None if each.fault is not None and each.fault.code is Doubt.BLANK_UNIT else decide_line(sheet, each, habits)
        for each in drafts
    ]
    known = [entry for entry in decided if entry is not None]
    entries = [
        entry if entry is not None else apply_notes(sheet, _without_unit(sheet, each, known))
        for each, entry in zip(drafts, decided, strict=True)
    ]
    entries = [_lose_unit(sheet, entry) for entry in judge_twice(sheet, [_void_unit_name(entry) for entry in entries])]
    entries = [ask_first_choice(sheet, entry, IF | CHOICE) for entry in entries]
    entries = _ask_told_otherwise(sheet, ask_whole_lines(sheet, ask_beside_strange_rows(sheet, lines, entries)))
    spoken_for = {e.unit for e in entries if e.unit is not None and e.status is not Status.VOID}
    unordered = tuple(unit for unit in sheet.own if unit not in spoken_for)
    orders = tuple(dict.fromkeys(entry.order for entry in entries if entry.order is not None))
    return Interpretation(tuple(entries), orders, unordered, tuple(_missing_retreat(sheet, unit) for unit in unordered))


def draft_retreat(sheet: Sheet, line: int, written: Entry) -> Entry:
    """A retreat line is a retreat or a disbanding; two places to go to are two meanings."""
    shape = written.shape
    if isinstance(shape, Moves) and len(shape.steps) > 1:
        first, *_, last = (replace(shape, steps=(step,)) for step in shape.steps)
        others = (*written.other_shapes, last)
        rest = " ".join(filter(None, (str(shape.steps[-1]), written.rest)))
        goals = [sheet.lexicon.sense(step.folded).codes for step in shape.steps]
        are_two = sheet.lexicon.may_be_place(shape.steps[-1].folded) and goals[0] != goals[-1]  # "Gas (= Gascony)"
        written = replace(written, shape=first, rest=rest, is_spoilt=are_two, other_shapes=others)
    elif isinstance(shape, Moves) and shape.via:  # nobody retreats by convoy (DATC 6.H.13)
        rest = " ".join(filter(None, (*map(str, shape.over), "" if shape.over else "via", written.rest)))
        written = replace(written, rest=rest)
    possible = tuple(other for other in written.other_shapes if _retreat_fault(replace(written, shape=other)) is None)
    return draft_order(sheet, line, replace(written, other_shapes=possible), _retreat_fault(written), RetreatReading)


def _retreat_fault(written: Entry) -> LineDoubt | None:
    """A line without a unit, without an order, or with an order of another phase, is no retreat."""
    match written.shape:
        case Moves(unit, steps):
            if unit.place is None:
                return LineDoubt.of(Doubt.BLANK_UNIT, text=written.text)
            return None if steps else LineDoubt.of(Doubt.INCOMPLETE, text=written.text)
        case Disbands(unit):
            return None if unit.place is not None else LineDoubt.of(Doubt.BLANK_UNIT, text=written.text)
        case _:
            return why_no_order(written)


def _void_unit_name(entry: Entry) -> Entry:
    """A unit's name alone is no order: names stand printed on some sheets."""
    is_name = entry.found is not None and entry.found.code is Doubt.BARE_UNIT and not entry.is_odd  # "retreat A Tri"
    return name_alone(entry) if is_name and entry.unit is not None else entry


def _lose_unit(sheet: Sheet, entry: Entry) -> Entry:
    """A dislodged unit cannot hold: without a good order it is lost, or the director rules (`retreat_invalid`).

    Nor does it go to where the order, as it is written, is not followed: "F Aeg - Bul nc" names no coast of Bulgaria.
    """
    if entry.status is Status.CLEAR or not isinstance(entry.order, Hold | Retreat):
        return entry
    setting = sheet.tournament.reading.retreat_invalid
    assert entry.found is not None  # it stopped the line
    if setting.value is LostRetreat.ASK:
        asked = sheet.situation(setting, entry.found, entry.text)
        return replace(entry, order=None, status=Status.ASK, settings=(setting,), situation=asked)
    because = (entry.found, by_rule(setting.value))
    return replace(entry, order=Disband(entry.order.unit), settings=with_setting(entry, setting), because=because)


def _without_unit(sheet: Sheet, each: Entry, entries: Sequence[Entry]) -> Entry:
    """A retreat that names no unit is for the one dislodged unit that it can mean, where the rules allow that."""
    setting = sheet.tournament.reading.unitless
    busy = {entry.unit for entry in entries if entry.status is not Status.VOID}
    idle = [unit for unit in sheet.own if unit not in busy]
    readings = [reading for unit in idle for reading in _possible_for(sheet, each, unit)]
    written = readings or [reading for unit in sheet.own for reading in _possible_for(sheet, each, unit)]
    doubt = LineDoubt.of(Doubt.BLANK_UNIT, text=each.text)
    is_about_another = any(  # "Scrap" above "A Xyz R Gal"
        (e.found is not None and e.found.code in NOBODYS) or (e.status is Status.ASK and e.unit is None)
        for e in entries
    )
    signs = {sheet.lexicon.sign_of(fold_word(word)) for word in each.text.split()}
    is_move = isinstance(each.shape, Disbands) and SignSense.TO in signs  # "moves" is no dash
    is_whole = not (each.rest or getattr(each.shape, "to_unit", False) or is_about_another or is_move)
    one = setting.value is Unitless.ONE_MEANING and len(readings) == 1 and is_whole
    if one:
        status = Status.CLEAR
    elif setting.value is Unitless.VOID:
        status = Status.INVALID
    elif setting.value is Unitless.ONE_MEANING and len(readings) > 1:
        status = Status.AMBIGUOUS
    else:
        status = Status.ASK
    return replace(
        each,
        order=readings[0] if one else None,
        status=status,
        settings=(setting,),
        because=(doubt, by_rule(setting.value)),
        doubts=(doubt,),
        candidates=tuple(Reading(order, (Message.of(Because.IDLE_DISLODGED),)) for order in written),
        unit=readings[0].unit if one and isinstance(readings[0], Retreat | Disband) else None,
        read=readings[0] if one else None,
        situation=sheet.situation(setting, doubt, each.text) if status is Status.ASK else None,
    )


def _ask_told_otherwise(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order beside a line of no unit that may tell its unit otherwise: "Disband" above "F Pru R Lvn"."""
    done = [*entries]
    for told in entries:
        if told.status is not Status.ASK or told.fault is None or told.fault.code is not Doubt.BLANK_UNIT:
            continue
        orders = {candidate.order for candidate in told.candidates}
        units = {getattr(order, "unit", None) for order in orders}
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=told.text)
        done = [
            ask_because_of(sheet, each, doubt)
            if each.status is Status.CLEAR and each.unit in units and each.order not in orders
            else each
            for each in done
        ]
    return done


def _possible_for(sheet: Sheet, each: Entry, unit: Unit) -> list[Order]:
    """Read a retreat without a unit as if this unit were named, and keep it if the place is open to the unit."""
    shape = each.shape
    if not isinstance(shape, Moves | Disbands) or shape.unit.letter not in {None, unit.kind}:
        return []
    words = UnitWords(shape.unit.nation, unit.kind, Phrase(unit.province, unit.province.lower()))
    tried = draft_retreat(sheet, each.line, replace(each, shape=replace(shape, unit=words)))
    return [r.order for r in tried.readings if r.is_possible] if tried.is_plain else []


def _missing_retreat(sheet: Sheet, unit: Unit) -> Entry:
    """A dislodged unit without an order is lost; where retreats need not be written, the director is asked."""
    rules = sheet.tournament.reading
    doubt = LineDoubt.of(Doubt.RETREAT_MISSING, unit=str(unit))
    places = _open_to(sheet, unit)
    offered: tuple[Order, ...] = (*(Retreat(unit, place) for place in places), Disband(unit))
    candidates = tuple(Reading(order, (Message.of(Because.OPEN_TO_IT),)) for order in offered)
    entry = Entry(
        NOTHING_WRITTEN,
        "",
        order=Disband(unit),
        status=Status.VOID,
        settings=(rules.retreat_missing,),
        because=(doubt, by_rule(rules.retreat_missing.value)),
        doubts=(doubt,),
        candidates=candidates,
        unit=unit,
    )
    if not places:
        return replace(entry, settings=(), because=(doubt, Message.of(Because.NOTHING_OPEN)))
    if not _must_be_written(sheet, rules.retreat_written.value):
        because = (doubt, Message.of(Because.NEED_NOT_BE_WRITTEN, value=rules.retreat_written.value))
        asked = sheet.situation(rules.retreat_written, doubt, "")
        settings = (rules.retreat_written,)
        return replace(entry, order=None, status=Status.ASK, settings=settings, because=because, situation=asked)
    if rules.retreat_missing.value is LostRetreat.ASK:
        asked = sheet.situation(rules.retreat_missing, doubt, "")
        return replace(entry, order=None, status=Status.ASK, situation=asked)
    return entry


def _must_be_written(sheet: Sheet, rule: RetreatsWritten) -> bool:
    """Say whether retreats must be written in this phase (EDC96 5, WM VI.5.a)."""
    dislodged = sheet.position.dislodged
    match rule:
        case RetreatsWritten.TWO_POWERS:
            return len({each.power for each in dislodged if each.retreats}) > 1
        case RetreatsWritten.COULD_MEET:
            return any(
                {province_of(place) for place in a.retreats} & {province_of(place) for place in b.retreats}
                for a, b in combinations(dislodged, 2)
            )
        case RetreatsWritten.ASK:
            return False
        case RetreatsWritten.ALWAYS:
            return True
