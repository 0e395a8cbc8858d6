"""Orders that a line leaves open and the rest of the sheet completes (EDC23 R11), and orders without a unit (row 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.board.map import Kind, province_of
from pipeline.board.position import Unit
from pipeline.interpret.doubts.because import Because, by_rule
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Candidate, Entry, Status
from pipeline.interpret.doubts.possible import hindrance
from pipeline.interpret.language.written import Convoys, Holds, Moves, Phrase, Supports, UnitWords
from pipeline.interpret.lines.gaps import Fit, worst_fit
from pipeline.interpret.lines.reading import Draft, Reading
from pipeline.interpret.lines.sheet import Sheet
from pipeline.interpret.phases.movement import draft_movement
from pipeline.judge.ground import convoy_routes
from pipeline.orders.order import Convoy, Hold, Move, Order, Support
from pipeline.rules.reading_rules import Implied, Unitless
from pipeline.words import Told

OPEN = frozenset({Doubt.BARE_UNIT, Doubt.INCOMPLETE})
IN_PART = frozenset({Doubt.COAST_NEEDED, Doubt.ILLEGIBLE, Doubt.UNKNOWN_WORD, Doubt.MISSPELT, Doubt.NO_SIGN})


def without_unit(sheet: Sheet, draft: Draft, entries: Sequence[Entry]) -> Entry:
    """An order that names no unit is for the one own unit that it can mean, where the rules allow that (row 8)."""
    setting = sheet.tournament.reading.unitless
    readings = [r for unit in idle_units(sheet, entries) for r in readings_for(sheet, draft, unit)]
    written = readings or [r for unit in sheet.own for r in readings_for(sheet, draft, unit)]
    if setting.value is Unitless.OWN_ORDERS:
        named = {order.of for order in clear_orders(entries) if isinstance(order, Support | Convoy)}
        readings = [r for r in readings if r.unit in named and is_named(r.order, entries)]
    found = Found.of(Doubt.BLANK_UNIT, text=draft.written.text)
    entry = Entry(
        line=draft.line,
        text=draft.written.text,
        order=None,
        status=Status.INVALID,
        settings=(setting,),
        because=(found, by_rule(setting.value)),
        doubts=(found,),
        candidates=tuple(Candidate(r.order, (Told.of(Because.IDLE_UNIT),)) for r in written),
    )
    if isinstance(draft.written.shape, Holds):
        return replace(entry, candidates=())  # a hold for nobody changes nothing, and a stray "H" is none
    if setting.value is Unitless.VOID:
        return entry
    is_whole = not (draft.written.rest or getattr(draft.written.shape, "to_unit", False))
    if len(readings) == 1 and setting.value is not Unitless.ASK and is_whole:
        only = readings[0]
        return replace(entry, order=only.order, read=only.order, unit=only.unit, status=Status.CLEAR)
    if setting.value is Unitless.ONE_MEANING and len(readings) > 1:
        return replace(entry, status=Status.AMBIGUOUS)
    return replace(entry, status=Status.ASK, situation=sheet.situation(setting, found, draft.written.text))


def is_named(order: Order, entries: Sequence[Entry]) -> bool:
    """Say whether an own support or convoy order speaks of just this move."""
    return isinstance(order, Move) and any(
        isinstance(other, Support | Convoy)
        and other.of == order.unit
        and other.to is not None
        and province_of(other.to) == province_of(order.to)
        for other in clear_orders(entries)
    )


def readings_for(sheet: Sheet, draft: Draft, unit: Unit) -> list[Reading]:
    """Read an order without a unit as if this unit were named, and keep what it could carry out."""
    shape = draft.written.shape
    if not isinstance(shape, Holds | Moves | Supports | Convoys) or shape.unit.letter not in {None, unit.kind}:
        return []
    words = UnitWords(shape.unit.nation, unit.kind, Phrase(unit.province, unit.province.lower()))
    tried = draft_movement(sheet, draft.line, replace(draft.written, shape=replace(shape, unit=words)))
    return [r for r in tried.readings if r.is_possible and r.unit == unit] if tried.is_plain else []


def idle_units(sheet: Sheet, entries: Sequence[Entry]) -> list[Unit]:
    """List the own units that no line orders."""
    busy = {entry.unit for entry in entries if entry.unit is not None and entry.status is not Status.VOID}
    return [unit for unit in sheet.own if unit not in busy]


def clear_orders(entries: Sequence[Entry]) -> list[Order]:
    """List the orders that are followed."""
    return [entry.order for entry in entries if entry.status is Status.CLEAR and entry.order is not None]


def complete(sheet: Sheet, drafts: Sequence[Draft], entries: Sequence[Entry]) -> list[Entry]:
    """A missing or incomplete order is taken from the complete one in an own support or convoy (EDC23 R11)."""
    done = list(entries)
    if sheet.tournament.reading.implied.value is Implied.NO:
        return done
    for unit in sheet.own:
        about = [e for e in done if e.unit == unit]
        if all(is_open(entry) for entry in about):
            put_in(sheet, done, about, unit, fitting(sheet, drafts, about, moves_named(sheet, unit, done)))
    for unit in sheet.own:
        about = [e for e in done if e.unit == unit]
        if unit.kind is Kind.FLEET and all(is_open(entry) for entry in about):
            put_in(sheet, done, about, unit, fitting(sheet, drafts, about, convoys_wanted(sheet, drafts, unit, done)))
    return done


def is_open(entry: Entry) -> bool:
    """Say whether a line names a unit and leaves its order open: all of it, a coast, or a word that nobody knows."""
    doubts = {found.doubt for found in entry.doubts}
    return bool(doubts & OPEN) or (entry.status is not Status.CLEAR and bool(doubts & IN_PART))


def fitting(
    sheet: Sheet, drafts: Sequence[Draft], about: Sequence[Entry], orders: Mapping[Order, Entry]
) -> dict[Order, tuple[Entry, Fit]]:
    """Keep the implied orders that the open lines leave room for, each with how well its words fit.

    A line that means something else is not incomplete (R11); a coast that no order names is not supplied.
    """
    lines = {(draft.line, draft.written.text): draft for draft in drafts}
    open_ones = [lines[entry.line, entry.text] for entry in about if (entry.line, entry.text) in lines]
    found = {order: (by, worst_fit(sheet, open_ones, order)) for order, by in orders.items()}
    kept = {order: given for order, given in found.items() if given[1] is not Fit.OTHER}
    lacks_coast = any(each.doubt is Doubt.COAST_NEEDED for entry in about for each in entry.doubts)
    return kept if len(kept) == 1 or not lacks_coast else {}


def put_in(
    sheet: Sheet, done: list[Entry], about: list[Entry], unit: Unit, orders: dict[Order, tuple[Entry, Fit]]
) -> None:
    """Put the implied order in the place of the open line, or after the line that implies it."""
    if not orders:
        return
    setting = sheet.tournament.reading.implied
    order, (source, fit) = next(iter(orders.items()))
    is_sure = not source.also  # how rows hang together was worked out: that alone gives no other unit an order
    agreed = len(orders) == 1 and fit is Fit.GOOD and setting.value is Implied.YES and is_sure
    found = Found.of(Doubt.IMPLIED, line=source.line, text=source.text)
    entry = Entry(
        line=about[0].line if about else source.line,
        text=about[0].text if about else source.text,
        order=order if agreed else None,
        status=Status.CLEAR if agreed else Status.ASK,
        settings=(setting,),
        because=(Told.of(Because.NO_COMPLETE_ORDER, unit=str(unit)), found),
        doubts=(*(about[0].doubts if about else ()), found),
        candidates=tuple(
            Candidate(each, (Told.of(Because.IMPLIED_BY, line=by.line),)) for each, (by, _) in orders.items()
        ),
        unit=unit,
        read=order if agreed else None,
        situation=None if agreed else sheet.situation(setting, found, source.text),
    )
    if about:
        done[done.index(about[0])] = entry
    else:
        done.insert(done.index(source) + 1, entry)


def moves_named(sheet: Sheet, unit: Unit, entries: Sequence[Entry]) -> dict[Order, Entry]:
    """List the moves of a unit that own supports and convoys speak of, each with the line that does."""
    found: dict[Order, Entry] = {}
    for entry in entries:
        order = entry.order if entry.status is Status.CLEAR else None
        if not isinstance(order, Support | Convoy) or order.of != unit:
            continue
        for move in possible_moves(sheet, unit, order.to) if order.to is not None else [Hold(unit)]:
            found.setdefault(move, entry)
    return found if any(isinstance(order, Move) for order in found) else {}  # a unit without an order holds anyway


def possible_moves(sheet: Sheet, unit: Unit, to: str) -> list[Order]:
    """The move to a place, or for a fleet that could reach two coasts, both."""
    places = [to]
    if unit.kind is Kind.FLEET and "/" not in to:
        places = [place for place in sorted(sheet.board.reach(unit.kind, unit.place)) if province_of(place) == to]
    moves = [Move(unit, province_of(to) if unit.kind is Kind.ARMY else place) for place in places]
    return [move for move in moves if hindrance(sheet.field, sheet.power, move) is None]


def convoys_wanted(sheet: Sheet, drafts: Sequence[Draft], unit: Unit, entries: Sequence[Entry]) -> dict[Order, Entry]:
    """The convoys without which an own army's move cannot be made; one that only could help is not implied (R11)."""
    named = armies_named(sheet, drafts, unit)
    busy = {e.unit.province for e in entries if e.unit is not None and not is_open(e) and not convoys(e)}
    afloat = sheet.field.afloat - (busy - {unit.province})
    found: dict[Order, Entry] = {}
    for entry in entries:
        move = entry.order if entry.status is Status.CLEAR else None
        if not isinstance(move, Move) or move.unit.kind is not Kind.ARMY or (named and move.unit.province not in named):
            continue
        if move.to in sheet.board.reach(Kind.ARMY, move.unit.place) and not move.via:
            continue
        if is_needed(sheet, unit, move, afloat):
            found[Convoy(unit, move.unit, move.to)] = entry
    return found


def is_needed(sheet: Sheet, unit: Unit, move: Move, afloat: frozenset[str]) -> bool:
    """Say whether an army's move can be made with this fleet, and not without it."""
    if move.route:
        return unit.province in move.route
    ground = sheet.field.ground
    without = convoy_routes(ground, move.unit.place, move.to, afloat - {unit.province})
    return not without and bool(convoy_routes(ground, move.unit.place, move.to, afloat))


def convoys(entry: Entry) -> bool:
    """Say whether a line orders a convoy."""
    return isinstance(entry.order, Convoy)


def armies_named(sheet: Sheet, drafts: Sequence[Draft], unit: Unit) -> set[str]:
    """The armies that an incomplete convoy order of this fleet names."""
    named: set[str] = set()
    for draft in drafts:
        shape = draft.written.shape
        if draft.unit == unit and isinstance(shape, Convoys) and shape.of.place is not None:
            named |= {meaning.code for meaning in sheet.lexicon.sense(shape.of.place.folded).meanings}
    return named
