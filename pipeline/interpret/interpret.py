"""Interpret one power's written lines under one tournament's rules."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from pipeline.board import MAPS, Position, Power, Step
from pipeline.interpret.adjustments import draft_adjustment, interpret_adjustments
from pipeline.interpret.asked_beside import (
    ask_coasts_named_by_seas,
    ask_contradicted_ways,
    ask_first_choice,
    ask_help_for_open_orders,
    ask_implied_beside_rest,
    ask_lists_of_seas,
    ask_second_helps,
    ask_supports_in_doubt,
    ask_whole_lines,
)
from pipeline.interpret.decide import apply_notes, decide_line
from pipeline.interpret.doubts import Because, Doubt, LineDoubt
from pipeline.interpret.lexicon import Lexicon
from pipeline.interpret.markup import without_markup
from pipeline.interpret.movement import complete, draft_movement, offer_for_gap, without_unit
from pipeline.interpret.order_words import Reading
from pipeline.interpret.ordered_twice import judge_twice
from pipeline.interpret.readings import Sheet, habits_of, make_sheet
from pipeline.interpret.retreats import draft_retreat, interpret_retreats
from pipeline.interpret.sheet_lines import read_lines
from pipeline.interpret.strange_rows import ask_beside_strange_rows
from pipeline.interpret.torn_orders import ask_cut_orders, with_torn_orders
from pipeline.interpret.verdict import Entry, Interpretation, Line, Status, name_alone
from pipeline.interpret.written_words import CHOICE
from pipeline.orders import Order, write
from pipeline.rules.rulings_book import RulingsBook
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Tournament
from pipeline.words.speech import Message

DRAFTS = {Step.MOVEMENT: draft_movement, Step.RETREATS: draft_retreat, Step.ADJUSTMENTS: draft_adjustment}
NO_RULINGS = RulingsBook()
_lexicons: WeakKeyDictionary[Tournament, Lexicon] = WeakKeyDictionary()  # as long as the tournament is in use


def _lexicon_of(tournament: Tournament) -> Lexicon:
    """The lexicon of a tournament, built once."""
    kept = _lexicons.get(tournament)
    if kept is None:
        kept = _lexicons[tournament] = Lexicon(tournament, MAPS[tournament.map]())
    return kept


def interpret(
    lines: Sequence[Line],
    power: Power,
    position: Position,
    tournament: Tournament,
    book: RulingsBook = NO_RULINGS,
    player: str = "",
) -> Interpretation:
    """Find all doubts first; then the tournament's rules decide each, and are quoted by number.

    An entry whose status is ``ask`` has no order: the rules are silent, or leave it to the director. What ``book`` says
    about the same situation is offered with it, and still waits for a person. The name of ``player`` is a signature.
    """
    return interpret_on(sheet_of(power, position, tournament, player), lines, book)


def sheet_of(power: Power, position: Position, tournament: Tournament, player: str = "") -> Sheet:
    """The background of a power's lines, the same for all of them."""
    return make_sheet(power, position, tournament, _lexicon_of(tournament), player)


def interpret_on(sheet: Sheet, lines: Sequence[Line], book: RulingsBook = NO_RULINGS) -> Interpretation:
    """As `interpret`, for whoever interprets many lines on the same background."""
    lines = without_markup(lines)
    interpretation = _interpret_once(sheet, lines)
    if any(entry.doubts for entry in interpretation.entries):
        for setting, otherwise in sheet.tournament.otherwise:
            other = _interpret_once(sheet_of(sheet.power, sheet.position, otherwise, sheet.player), lines)
            interpretation = _compare_readings(interpretation, other, setting)
    return _with_rulings(interpretation, book) if book.rulings else interpretation


def _interpret_once(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Interpret the lines under one reading of the rules."""
    step = sheet.position.phase.step
    written = with_torn_orders(sheet, lines, read_lines(sheet, lines), DRAFTS[step])
    match step:
        case Step.MOVEMENT:
            interpretation = _interpret_movement(sheet, written)
        case Step.RETREATS:
            interpretation = interpret_retreats(sheet, written)
        case Step.ADJUSTMENTS:
            interpretation = interpret_adjustments(sheet, written)
    interpretation = replace(interpretation, entries=_with_continuations(interpretation.entries, written))
    return ask_cut_orders(sheet, interpretation)


def _compare_readings(
    interpretation: Interpretation, otherwise: Interpretation, setting: Setting[Any]
) -> Interpretation:
    """Where the other way to read a rule gives another order, the entry says so, and offers it."""
    others = {(entry.line, entry.text, entry.unit): entry for entry in otherwise.entries}
    entries = [
        _mark_other_reading(each, others.get((each.line, each.text, each.unit)), setting)
        for each in interpretation.entries
    ]
    return replace(interpretation, entries=tuple(entries))


def _mark_other_reading(entry: Entry, other: Entry | None, setting: Setting[Any]) -> Entry:
    """Add to an entry the order that another reading of the rule would give."""
    if other is None or (other.status, other.order) == (entry.status, entry.order):
        return entry
    order = (write(other.order),) if other.order is not None else ()
    doubt = LineDoubt.of(Doubt.READ_OTHERWISE, rule=setting.rule, order=order)
    offered = [] if other.order is None else [Reading(other.order, (Message.of(Because.OTHER_READING),))]
    kept = [each for each in entry.candidates if each.order != other.order]
    return replace(entry, doubts=(*entry.doubts, doubt), candidates=(*offered, *kept), because=(*entry.because, doubt))


def _with_continuations(entries: Sequence[Entry], lines: Sequence[Line]) -> tuple[Entry, ...]:
    """Note on each entry the further lines that it was written on."""
    also = {line.number: line.also for line in lines if line.also}
    return tuple(replace(entry, also=also[entry.line]) if entry.line in also else entry for entry in entries)


def _with_rulings(interpretation: Interpretation, book: RulingsBook) -> Interpretation:
    """Offer earlier rulings on the same situation, with who and why; none is applied unasked."""
    return replace(
        interpretation,
        entries=tuple(_with_ruling(entry, book) for entry in interpretation.entries),
        remarks=tuple(_with_ruling(entry, book) for entry in interpretation.remarks),
    )


def _with_ruling(entry: Entry, book: RulingsBook) -> Entry:
    """Offer the ruling on one entry's situation."""
    ruling = book.offer(entry.situation) if entry.situation is not None else None
    if ruling is None:
        return entry
    why = (ruling.why,) if ruling.why else ()
    before = LineDoubt.of(Doubt.RULED_BEFORE, by=ruling.by, decision=ruling.decision, when=ruling.when, why=why)
    return replace(
        entry,
        doubts=(*entry.doubts, before),
        because=(*entry.because, Message.of(Because.OFFERED, ruling=before)),
    )


def _interpret_movement(sheet: Sheet, lines: Sequence[Line]) -> Interpretation:
    """Line by line; then what one line says about another; then units that are ordered twice."""
    drafts = [draft_movement(sheet, line.number, each).with_notes(line.notes) for line in lines for each in line.orders]
    habits = habits_of(sheet, drafts)
    drafts = [offer_for_gap(sheet, draft, habits) for draft in drafts]
    decided: list[Entry | None] = [
        None if draft.fault is not None and draft.fault.code is Doubt.BLANK_UNIT else decide_line(sheet, draft, habits)
        for draft in drafts
    ]
    known = [entry for entry in decided if entry is not None]
    entries = [
        entry if entry is not None else apply_notes(sheet, without_unit(sheet, draft, known))
        for draft, entry in zip(drafts, decided, strict=True)
    ]
    entries = [ask_first_choice(sheet, entry, CHOICE) for entry in entries]
    entries = ask_contradicted_ways(sheet, entries)
    entries = ask_coasts_named_by_seas(sheet, ask_lists_of_seas(sheet, entries))
    entries = ask_second_helps(sheet, entries)
    entries = ask_help_for_open_orders(sheet, ask_supports_in_doubt(sheet, entries))
    entries = judge_twice(sheet, _drop_bare_names(_with_continuations(entries, lines)))
    entries = ask_implied_beside_rest(sheet, complete(sheet, entries))
    return summary(sheet, ask_whole_lines(sheet, ask_beside_strange_rows(sheet, lines, entries)))


def _drop_bare_names(entries: Sequence[Entry]) -> list[Entry]:
    """A name alone is nothing where its unit has an order on another line."""
    ordered = {entry.unit for entry in entries if entry.unit is not None and not _is_bare_unit(entry)}
    return [name_alone(entry) if _is_bare_unit(entry) and entry.unit in ordered else entry for entry in entries]


def _is_bare_unit(entry: Entry) -> bool:
    """Say whether a line is the name of a unit and nothing else."""
    return entry.found is not None and entry.found.code is Doubt.BARE_UNIT


def summary(sheet: Sheet, entries: Sequence[Entry]) -> Interpretation:
    """Each order once; and the units that no line orders, which stand as `reading.not_ordered` says."""
    orders: dict[Order, None] = {}
    ordered = set()
    for entry in entries:
        if entry.order is not None:
            orders[entry.order] = None
        if entry.unit is not None and entry.status is not Status.VOID and (entry.order or not _is_bare_unit(entry)):
            ordered.add(entry.unit)
    unordered = tuple(unit for unit in sheet.own if unit not in ordered)
    return Interpretation(tuple(entries), tuple(orders), unordered)
