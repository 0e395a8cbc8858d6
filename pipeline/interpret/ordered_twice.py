"""A unit with more than one order: the same order twice, or different ones."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.board import Unit
from pipeline.interpret.doubts import Doubt, LineDoubt, WordMatch, by_rule
from pipeline.interpret.lines import unit_words_of, words_in
from pipeline.interpret.order_words import Reading
from pipeline.interpret.readings import Sheet
from pipeline.interpret.verdict import NOT_FOLLOWED, NOT_POSSIBLE, Entry, Status, director_rules
from pipeline.orders import Hold, Move
from pipeline.rules.switches import Setting


def judge_twice(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Every unit that several lines order is judged by the rule for that; void lines are no orders.

    A line that may be of another unit is asked about, and takes nothing from the unit that it could be of. Where a part
    of a line is asked about, the others may be cut wrongly: "A Wal travels with F ENG to Bre".
    """
    done = list(entries)
    for i, entry in enumerate(entries):
        is_other = any(other is not entry and other.unit == entry.unit for other in entries if not _is_no_order(other))
        if entry.unit is not None and entry.status in UNSETTLED and is_other and _may_be_of_another(sheet, entry):
            done[i] = _ask_whose(sheet, entry)
    for unit in dict.fromkeys(entry.unit for entry in entries if entry.unit is not None):
        of_unit = [i for i, e in enumerate(done) if e.unit == unit and not _is_no_order(e)]
        if len(of_unit) > 1:
            parts = [done[i] for i in of_unit]
            open_lines = {e.line for e in done if e.status is Status.ASK and e.unit != unit}
            is_open = not open_lines.isdisjoint(e.line for e in parts)
            for i, entry in zip(of_unit, _judge_orders_of_unit(sheet, unit, parts, is_open=is_open), strict=True):
                done[i] = entry
    return done


UNSETTLED = frozenset({Status.AMBIGUOUS, Status.ASK})


def _may_be_of_another(sheet: Sheet, entry: Entry) -> bool:
    """Whether the readings of a line are orders of several units; in one province there is one, whatever its coast.

    Where no own unit stands is none that the line may be of: "A Mar" is not North Africa's; but "gen." may be a slip
    for DEN as for VEN.
    """
    place = unit_words_of(entry).place
    sense = sheet.lexicon.sense(place.folded) if place is not None else None
    if sense is not None and sense.how is WordMatch.NEAR and len(sense.codes) > 1:
        return True
    units = [getattr(candidate.order, "unit", None) for candidate in entry.candidates]
    return len({unit and unit.province for unit in units if unit is None or sheet.own_at(unit.province)}) > 1


def _ask_whose(sheet: Sheet, entry: Entry) -> Entry:
    """Ask about a line whose unit is not known."""
    doubt = entry.found or entry.doubts[0]
    setting = entry.settings[0] if entry.settings else sheet.tournament.reading.word_unsettled
    return replace(
        entry,
        order=None,
        read=None,
        unit=None,
        status=Status.ASK,
        because=(doubt, director_rules(replace(setting, why=""))),
        situation=sheet.situation(setting, doubt, entry.text),
    )


def _is_no_order(entry: Entry) -> bool:
    """Whether a line is no order of its unit: it is void; or struck out or a name, and asked about separately."""
    if entry.status is not Status.ASK:
        return entry.status is Status.VOID
    is_struck = entry.found is not None and entry.found.code is Doubt.STRUCK_OUT
    return is_struck or any(doubt.code is Doubt.BARE_UNIT for doubt in entry.doubts)


def _judge_orders_of_unit(sheet: Sheet, unit: Unit, entries: list[Entry], *, is_open: bool) -> list[Entry]:
    rules = sheet.tournament.reading
    reads = {entry.read for entry in entries}
    # the same order on two lines may still differ in what stands: one of them may be asked for another reason
    standing = {entry.order for entry in entries if entry.order is not None}
    if len(reads) == 1 and None not in reads and standing and any(e.status is Status.ASK for e in entries):
        doubt = LineDoubt.of(Doubt.TWICE_SAME, unit=str(unit))  # "A Vie - Gal", and below it "A Vie - Gal cancelled"
        return _ask_which_order(sheet, rules.twice_same, unit, entries, doubt)
    if len(reads) == 1 and None not in reads and len(standing) < 2:
        return _apply_setting(sheet, rules.twice_same, unit, entries, LineDoubt.of(Doubt.TWICE_SAME, unit=str(unit)))
    doubt = LineDoubt.of(Doubt.TWICE_DIFF, unit=str(unit))
    goals = {read.to for read in reads if isinstance(read, Move)}
    is_one_goal = len(goals) == 1 and all(isinstance(read, Move) for read in reads)
    if is_one_goal and goals.isdisjoint(sheet.lexicon.board.reach(unit.kind, unit.place)):
        return _ask_which_order(sheet, rules.twice_different, unit, entries, doubt)  # once with its convoy, once not
    if is_open or _is_begun_again(entries) or _says_which_stands(entries) or _may_answer_leave_one_order(entries):
        return _ask_which_order(sheet, rules.twice_different, unit, entries, doubt)
    possible = [entry for entry in entries if entry.status not in NOT_POSSIBLE]
    if len({entry.read for entry in possible}) == 1 and len(possible) < len(entries):
        return _apply_setting(sheet, rules.twice_one_invalid, unit, entries, doubt)
    return _apply_setting(sheet, rules.twice_different, unit, entries, doubt)


def _is_begun_again(entries: list[Entry]) -> bool:
    """Say whether a line breaks off where another one gives an order of its kind: "A Mun -", "A Mun - Bur"."""
    cut = {type(e.shape) for e in entries if e.found is not None and e.found.code is Doubt.INCOMPLETE}
    return any(e.read is not None and type(e.shape) in cut for e in entries)


def _says_which_stands(entries: list[Entry]) -> bool:
    """Say whether a line says that it is the one which stands: "final: A Mun - Bur"."""
    return any(not LAST_WORDS.isdisjoint(words_in(entry.text)) for entry in entries)


LAST_WORDS = frozenset({"final", "definitely", "definitive", "confirmed", "endgultig", "definitif"})


def _may_answer_leave_one_order(entries: list[Entry]) -> bool:
    """Say whether the director's answer to one line may leave the unit with a single order.

    It may say that a line orders nothing, or the same as the others, where it is not known what the line orders.
    """
    asked = [entry for entry in entries if entry.status is Status.ASK]
    doubts = {entry.found.code for entry in asked if entry.found is not None}
    if Doubt.OVERWRITTEN in doubts or (asked and len({entry.line for entry in entries}) == 1):
        return True
    if asked and len({entry.shape for entry in entries}) == 1:
        return True  # "F Bla S" twice
    others = {entry.read for entry in entries if entry.status is not Status.ASK}
    is_unknown = not doubts.isdisjoint(PARTLY_READ) or any(entry.rest for entry in asked)
    is_among = len(others) == 1 and all(others <= {c.order for c in e.candidates} for e in asked)
    return bool(asked) and ((is_unknown and len(others) < 2) or is_among)


PARTLY_READ = frozenset(  # nobody knows what such a line orders
    {Doubt.EXTRA_WORDS, Doubt.NOT_ALL_READ, Doubt.UNDER_HEADING, Doubt.OTHER_PART, Doubt.SENSELESS, Doubt.WRONG_PHASE}
    | {Doubt.UNIT_INSIDE, Doubt.UNKNOWN_WORD}
)


def _ask_which_order(
    sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], doubt: LineDoubt
) -> list[Entry]:
    """Leave it to the director which of the orders stand."""
    everything = {c.order: c for entry in entries for c in entry.candidates}
    if (otherwise := sheet.without_order(unit)) is not None:
        everything.setdefault(otherwise, Reading(otherwise, NOT_FOLLOWED))
    asked = sheet.situation(setting, doubt, " / ".join(entry.text for entry in entries))
    return [
        replace(
            entry,
            status=Status.ASK,
            order=None,
            doubts=(*entry.doubts, doubt),
            settings=(setting,),
            because=(doubt, by_rule(setting.value)),
            found=doubt,
            candidates=tuple(everything.values()),
            situation=asked,
        )
        for entry in entries
    ]


def _apply_setting(
    sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], doubt: LineDoubt
) -> list[Entry]:
    """Let the setting's value decide which of the orders stand."""
    because = (doubt, by_rule(setting.value))
    marked = [
        replace(e, doubts=(*e.doubts, doubt), settings=(setting,), because=because, found=doubt, situation=None)
        for e in entries
    ]
    match str(setting.value):
        case "once":
            return [
                replace(e, doubts=(*e.doubts, doubt), settings=(*e.settings, setting), because=(*e.because, *because))
                for e in entries
            ]
        case "hold":
            return [replace(e, status=Status.AMBIGUOUS, order=Hold(unit)) for e in marked]
        case "first":
            return [entries[0], *(replace(e, status=Status.VOID, order=None) for e in marked[1:])]
        case "last":
            return [*(replace(e, status=Status.VOID, order=None) for e in marked[:-1]), entries[-1]]
        case "possible":
            return [
                replace(m, status=Status.VOID, order=None) if e.status in NOT_POSSIBLE else e
                for m, e in zip(marked, entries, strict=True)
            ]
        case _:
            return _ask_which_order(sheet, setting, unit, entries, doubt)
