"""Orders that are clear by themselves, and asked about because of something else on their sheet."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from msgspec.structs import replace

from pipeline.board import Kind, Step, province_of
from pipeline.interpret import order_words
from pipeline.interpret.decide import stop_line, verdict_on_odd
from pipeline.interpret.doubts import AS_WRITTEN, NOBODYS, Doubt, LineDoubt, hindrance
from pipeline.interpret.lines import is_for_rest, named_codes, unit_words_of, words_in
from pipeline.interpret.order_words import Reading
from pipeline.interpret.readings import Sheet
from pipeline.interpret.tokens import Mark, tokenize
from pipeline.interpret.verdict import NOT_FOLLOWED, NOT_POSSIBLE, Entry, Fate, Status, verdict
from pipeline.interpret.who_and_when import CALLED, may_be_signature
from pipeline.interpret.written_words import AND, FAREWELL, PUTTING_ON, TAKING_OFF, SignSense, fold_word
from pipeline.judge.legality import convoy_routes
from pipeline.orders import Convoy, Move, Order, Support
from pipeline.rules.abbreviations import count_slips
from pipeline.rules.reading_rules import ByLand


def ask_whole_lines(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """If one part of a line is not clear, ask all that are: the line may have been divided wrongly.

    An order that such a line implies for another unit (EDC23 R11) is asked, too; and so is a part that nobody
    understands, or that is not possible, beside a name alone: "A Vie S x A Bud", "A Tun - Bul via F Ion, F Aeg"; and a
    name alone or half an order beside it, in "into Bur go A Mun and A Ruh", or beside the name of a unit that is
    ordered elsewhere: "F Edi + F Nth".
    """
    entries = [_ask_joined_in_vain(sheet, entry) for entry in _ask_misspelt_units(sheet, entries)]
    stopped_parts: dict[int, Entry] = {}
    for entry in entries:
        is_stopped = entry.status is not Status.CLEAR and not entry.is_supplied
        if is_stopped and not is_for_rest(sheet, entry.text):
            stopped_parts.setdefault(entry.line, entry)
    parts: dict[int, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(entry.line, []).append(entry)
    names = {e.line for e in entries if any(doubt.code is Doubt.BARE_UNIT for doubt in e.doubts)}
    asked = [
        ask_part(
            sheet,
            entry,
            other
            if other is not None and _holds_by_half(entry)
            else next((e for e in (stopped_parts[entry.line], *parts[entry.line]) if e is not entry), entry),
        )
        if (entry.line in stopped_parts and entry.status is Status.CLEAR)
        or (entry.line in stopped_parts and entry.line in names and _may_share(entry, stopped_parts[entry.line]))
        or (other is not None and _holds_by_half(entry))
        or (entry.line in stopped_parts and _lacks_letter(entry) and len(parts[entry.line]) > 1)
        else entry
        for entry, other in zip(entries, _wholes_beside(entries), strict=True)
    ]
    return _ask_beside_remarks(sheet, asked)


def _ask_joined_in_vain(sheet: Sheet, entry: Entry) -> Entry:
    """Ask about an order on several rows that is not possible: the rows may be several orders."""
    if not entry.also or entry.unit is None or entry.status not in NOT_POSSIBLE:
        return entry
    return ask_because_of(sheet, entry, LineDoubt.of(Doubt.OTHER_PART, text=entry.text))


def _lacks_letter(entry: Entry) -> bool:
    """Say whether a build lacks its unit's letter, which may stand for all on the line: "2 armies: War, Sev"."""
    return entry.status is Status.AMBIGUOUS and entry.found is not None and entry.found.code is Doubt.BUILD_LETTER


def _may_share(entry: Entry, other: Entry) -> bool:
    """Say whether a part may be impossible, or of two meanings, because it is of two units: "Vie, Bud - Gal, Rum"."""
    doubt = entry.found.code if entry.found is not None else None
    is_shared = entry.status is Status.AMBIGUOUS and doubt in {Doubt.EXTRA_WORDS, Doubt.TWO_PLACES}
    return entry.status in NOT_POSSIBLE or (is_shared and other is not entry)


def _ask_beside_remarks(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about the orders that may hang on words for no unit, which the director is asked about: "Default orders".

    Above or below all orders such words may be about each; between them about the one above, and what stands below. A
    place alone between orders, and a goal of an unknown unit, "then - Gre", is about the orders next to it.
    """
    done = list(entries)
    rows = sorted({entry.line for entry in entries if entry.unit is not None or entry.read is not None})
    for remark in entries:
        if remark.line in rows or remark.status is not Status.ASK or not _is_remark(sheet, remark):
            continue
        above = [line for line in rows if line < remark.line]
        below = [line for line in rows if line > remark.line]
        if (not below or (not above and " " in remark.text.strip())) and may_be_signature(sheet, remark.text):
            continue
        is_heading = remark.text.rstrip().endswith(":")
        reached = {*above, *below} if not (above and below) else {*([] if is_heading else above[-1:]), *below}
        goals = getattr(remark.shape, "steps", ())
        if any(sheet.lexicon.may_be_place(goal.folded) for goal in goals):
            reached = {*above[-1:]}
        elif above and below and any(map(sheet.lexicon.may_be_place, words_in(remark.text))):
            reached = {above[-1], below[0]}
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=remark.text)
        done = [
            ask_because_of(sheet, entry, doubt) if entry.line in reached and entry.status is Status.CLEAR else entry
            for entry in done
        ]
    return done


DATE = re.compile(r"(\w+\W+)?(\d{1,2}\w{0,2}\W+[^\W\d]+|[^\W\d]+\W+\d{1,2}\w{0,2})\W+(19|20)\d\d")  # "Sat 30 Nov 2026"


def _is_remark(sheet: Sheet, entry: Entry) -> bool:
    """Say whether words that are asked about may speak of other lines: they are for no unit, and can all be read."""
    shape, unit, words = entry.shape, unit_words_of(entry), words_in(entry.text)
    said = FAREWELL | CALLED | sheet.lexicon.nations.keys()
    if sheet.position.phase.step is Step.ADJUSTMENTS:
        said |= TAKING_OFF | PUTTING_ON
    if any(sheet.own_at(code) for word in words if len(word) > 1 for code in named_codes(sheet, word)):
        return False  # it says something of one unit
    if (
        DATE.fullmatch(entry.text.strip())
        or "?" in entry.text
        or "@" in entry.text
        or not any(len(word) > 2 and word.isalpha() for word in {*words} - said)
    ):
        return False
    if (
        unit.letter is not None
        or is_for_rest(sheet, entry.text)
        or any(_is_own(sheet, each.order) for each in entry.candidates)
    ):
        return False
    is_named = unit.place is not None and sheet.lexicon.is_listed(unit.place.folded)
    if isinstance(shape, order_words.Moves | order_words.Builds | order_words.Disbands):
        return unit.place is not None and not is_named
    if isinstance(shape, order_words.Waives):
        return not any(map(sheet.lexicon.is_listed, words))
    return isinstance(shape, order_words.BareUnit | order_words.Senseless)


def _is_own(sheet: Sheet, order: Order) -> bool:
    return getattr(order, "unit", None) in sheet.own


def _ask_misspelt_units(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order for a place where nobody stands, if an own unit without an order is a slip away: "F Ber"."""
    ordered = {entry.unit for entry in entries if entry.status is not Status.VOID}
    idle = [unit for unit in sheet.own if unit not in ordered]
    done = list(entries)
    for at, entry in enumerate(entries):
        place = unit_words_of(entry).place
        is_nobodys = entry.found is not None and entry.found.code in NOBODYS - {Doubt.NOT_YOUR_UNIT}
        if not is_nobodys or place is None or entry.status is Status.ASK:
            continue
        near = [
            unit.province
            for unit in idle
            for word in sheet.lexicon.words_for(unit.province)
            if count_slips(place.folded, word) < 2
        ]
        if near:
            written = sheet.lexicon.sense(place.folded).codes
            doubt = LineDoubt.of(Doubt.TWO_PLACES, text=place.text, codes=tuple(dict.fromkeys((*written, *near))))
            done[at] = replace(ask_because_of(sheet, entry, doubt), unit=None)
    return done


def ask_contradicted_ways(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an army that is ordered by land while an own fleet carries it there.

    So where that makes a convoy (EDC23 G), and everywhere where the army cannot go by land.
    """
    done = list(entries)
    is_convoy = sheet.tournament.reading.by_land.value is ByLand.OWN_FLEET
    for at, army in enumerate(entries):
        by_land = getattr(army.shape, "by_land", False)
        is_open = army.status is Status.ILLEGAL or (is_convoy and army.status is Status.CLEAR)
        if not (by_land and is_open and isinstance(army.read, Move)):
            continue
        carried = army.read.unit, army.read.to
        for number, other in enumerate(entries):
            if isinstance(other.order, Convoy) and (other.order.of, other.order.to) == carried:
                done[at] = replace(ask_part(sheet, army, other), by_itself=None)  # they stand on two lines
                done[number] = replace(ask_part(sheet, other, army), by_itself=None)
    return done


def ask_second_helps(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about "F NTH C Edi - Nwy, Yor - Bel": a unit may be told to help both, and it helps one.

    So where the army behind can only go by that fleet and no other one carries it; or where another line has its order,
    too.
    """
    done = list(entries)
    carried = {(each.order.of, each.order.to) for each in entries if isinstance(each.order, Convoy)}
    for at, (first, second) in enumerate(pairwise(entries)):
        helper, move = first.read, second.read
        if first.line != second.line or not isinstance(helper, Convoy | Support) or not isinstance(move, Move):
            continue
        if move.unit in {helper.unit, helper.of}:
            continue
        is_said_again = any(each.read == move and each.line != second.line for each in entries)
        if isinstance(helper, Support):
            also = Support(helper.unit, move.unit, move.to)
            may_help = is_said_again and hindrance(sheet.field, sheet.power, also) is None
        else:
            is_open = is_said_again or (move.unit, province_of(move.to)) not in carried
            may_help = is_open and _may_carry(sheet, helper.unit.province, move)
        if may_help:
            done[at] = replace(ask_part(sheet, first, second), by_itself=None)
            done[at + 1] = replace(ask_part(sheet, second, first), by_itself=None)
    return done


def _may_carry(sheet: Sheet, sea: str, army: Move) -> bool:
    """Say whether an army that cannot walk to its goal can be carried there by way of a sea."""
    ground = sheet.field.ground
    are_coastal = army.unit.place in ground.coastal and army.to in ground.coastal
    if army.unit.kind is not Kind.ARMY or not are_coastal or army.to in ground.walks[army.unit.place]:
        return False
    return any(sea in route for route in convoy_routes(ground, army.unit.place, army.to, sheet.field.afloat))


def ask_lists_of_seas(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about "A Lon - Bel via NTH, ENG" where both seas may be meant, or one of them, or another unit's order.

    One may be where some of them suffice, or an own fleet there does something else; and where the goal stands behind
    the list, "A Lon via NTH, NWG - BAR" may end in the order of an own fleet.
    """
    done = list(entries)
    for at, army in enumerate(entries):
        shape, order = army.shape, army.read
        if not isinstance(shape, order_words.Moves) or not isinstance(order, Move) or len(shape.over) < 2:
            continue
        if army.status is Status.ASK:
            continue
        is_plain = army.status is Status.CLEAR and _is_list_in_words(army.text)
        is_fleets = shape.is_goal_last and not is_plain and _may_be_fleets_move(sheet, order)
        if is_fleets or _is_one_sea_enough(sheet, order) or _is_fleet_elsewhere(order, entries):
            done[at] = stop_line(sheet, army, None, verdict_on_odd(sheet, army))
    return done


def ask_coasts_named_by_seas(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about a missing coast where a sea is named behind the goal: "F Con - Bul via BLA", "Bul on Black Sea"."""
    done = list(entries)
    for at, entry in enumerate(entries):
        needs_coast = any(doubt.code is Doubt.COAST_NEEDED for doubt in entry.doubts)
        if not needs_coast or entry.status is Status.ASK or not isinstance(entry.shape, order_words.Moves):
            continue
        seas = {code for word in words_in(entry.text) for code in named_codes(sheet, word)} & sheet.field.ground.seas
        if entry.unit is not None and seas - {entry.unit.province}:
            doubt = LineDoubt.of(Doubt.NOT_ALL_READ, text=entry.text)
            done[at] = ask_because_of(sheet, entry, doubt)
    return done


def _is_list_in_words(text: str) -> bool:
    """Say whether "and" closes a list, and no dash stands behind it: "by NAO, MAO and WES to Tun"."""
    tokens = tokenize(text)
    return any(each.folded in AND for each in tokens) and all(each.mark is not Mark.DASH for each in tokens)


def _may_be_fleets_move(sheet: Sheet, army: Move) -> bool:
    """Say whether the goal behind a list of seas is a sea, or in reach of an own fleet in the last of them."""
    fleet = sheet.own_at(army.route[-1]) if army.route else None
    is_in_reach = fleet is not None and province_of(army.to) in map(
        province_of, sheet.lexicon.board.reach(fleet.kind, fleet.place)
    )
    return is_in_reach or army.to in sheet.field.ground.seas


def _is_one_sea_enough(sheet: Sheet, army: Move) -> bool:
    """Say whether a convoy reaches its goal by some of the seas on its route."""
    ground, route = sheet.field.ground, frozenset(army.route)
    if army.unit.place not in ground.coastal or army.to not in ground.coastal:
        return False
    return any({*way} < route for way in convoy_routes(ground, army.unit.place, army.to, route))


def _is_fleet_elsewhere(army: Move, entries: Sequence[Entry]) -> bool:
    """Say whether a line orders a fleet on an army's route to do anything but carry it."""
    orders = [entry.read for entry in entries if entry.read is not None and entry.read != army]
    fleets = [each for each in orders if (unit := getattr(each, "unit", None)) and unit.province in army.route]
    return any(
        not isinstance(each, Convoy) or (each.of.province, each.to) != (army.unit.province, army.to) for each in fleets
    )


def ask_supports_in_doubt(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about "A Bud S Tri" where an own unit goes to Trieste, and none of the own ones stays there.

    A support of the unit that it attacks is named: "A Bud S Italian Tri".
    """
    moves = [entry for entry in entries if entry.status is Status.CLEAR and isinstance(entry.order, Move)]
    standing = {unit.province for unit in sheet.own}
    done = list(entries)
    for at, entry in enumerate(entries):
        shape = entry.shape
        if not isinstance(shape, order_words.Supports) or entry.status is Status.ASK or shape.steps or shape.of.letter:
            continue
        if shape.of.nation is not None:
            continue
        signs = {sheet.lexicon.sign_of(token.folded) for token in tokenize(entry.text)}
        if shape.of.place is None or SignSense.HOLD in signs:
            continue
        codes = {*sheet.lexicon.sense(shape.of.place.folded).codes}
        left = {each.order.unit.province for each in moves if isinstance(each.order, Move)}
        comes = [each for each in moves if isinstance(each.order, Move) and province_of(each.order.to) in codes]
        comes = [each for each in comes if each.unit != entry.unit]
        if comes and not codes & (standing - left):
            done[at] = replace(ask_part(sheet, entry, comes[0]), by_itself=None)
    return done


def ask_help_for_open_orders(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about a support or a convoy of no unit, "F Bla, S", where the order of another own unit is asked about."""
    opened = {entry.unit: entry for entry in entries if entry.unit is not None and entry.status is Status.ASK}
    done = list(entries)
    for at, entry in enumerate(entries):
        is_cut = entry.found is not None and entry.found.code is Doubt.INCOMPLETE and entry.status is not Status.ASK
        other = next((each for unit, each in opened.items() if unit != entry.unit), None)
        if is_cut and other is not None and getattr(entry.shape, "of", None) == order_words.UnitWords():
            done[at] = replace(ask_part(sheet, entry, other), by_itself=None)
    return done


def _holds_by_half(entry: Entry) -> bool:
    """Say whether a unit holds because no more than its name is written, or half an order; the rest may be beside."""
    is_half = entry.found is not None and entry.found.code in {Doubt.BARE_UNIT, Doubt.INCOMPLETE}
    return is_half and entry.status is not Status.ASK and entry.order is not None


def _is_name_of_no_order(entry: Entry) -> bool:
    """Say whether a unit is named and not ordered here: another line orders it, or it is another power's."""
    is_bare = entry.found is not None and entry.found.code is Doubt.BARE_UNIT
    return is_bare and entry.status is Status.VOID and entry.order is None


def _wholes_beside(entries: Sequence[Entry]) -> Iterator[Entry | None]:
    """For each entry, what else of its line may make one order with a unit alone: an order, a name that is no order.

    So may a name without a letter behind another one, which may be where that unit goes: "F Edi + Nth".
    """
    by_line: dict[int, list[Entry]] = {}
    for entry in entries:
        by_line.setdefault(entry.line, []).append(entry)
    for entry in entries:
        mine = by_line[entry.line]
        orders = (e for e in mine if not (_holds_by_half(e) or e.is_supplied or e.status is Status.VOID))
        names = [e for e in mine if _is_name_of_no_order(e)]
        halves = [e for e in mine if _holds_by_half(e)]
        goals = [e for e in halves[1:] if unit_words_of(e).letter is None]
        yield next((e for e in (*orders, *names, *goals, *(halves[:1] if goals else ())) if e is not entry), None)


def ask_implied_beside_rest(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order that a support implies for a unit of which no line speaks, where the rest is told to hold."""
    rest = next((each for each in entries if each.unit is None and is_for_rest(sheet, each.text)), None)
    if rest is None:
        return [*entries]
    doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=rest.text)
    return [ask_because_of(sheet, each, doubt) if each.is_supplied else each for each in entries]


def ask_first_choice(sheet: Sheet, entry: Entry, words: Set[str]) -> Entry:
    """Ask about an order that is wanted first, by words behind it: "A Ser R Alb, otherwise D", "A Bul - Con, else H".

    Two goals between which nothing is said, "Alb or Gre", are two meanings.
    """
    said = {fold_word(word) for word in entry.rest.split()}
    if entry.status is not Status.AMBIGUOUS or said.isdisjoint(words):
        return entry
    return ask_because_of(sheet, entry, LineDoubt.of(Doubt.EXTRA_WORDS, text=entry.rest))


def ask_part(sheet: Sheet, entry: Entry, other: Entry) -> Entry:
    """Ask about an order that is clear by itself, because another part of its line is not."""
    return ask_because_of(sheet, entry, LineDoubt.of(Doubt.OTHER_PART, text=other.text))


def ask_because_of(sheet: Sheet, entry: Entry, doubt: LineDoubt) -> Entry:
    """Ask about an order that is clear by itself, because of something else on its sheet."""
    by = verdict(Fate.ASK, sheet.tournament.reading.misspelt_unsettled, doubt)
    instead = sheet.without_order(entry.unit) if entry.unit is not None else None
    offered = {candidate.order: candidate for candidate in entry.candidates}
    if entry.order is not None:
        offered.setdefault(entry.order, Reading(entry.order, (AS_WRITTEN,)))
    if instead is not None:
        offered.setdefault(instead, Reading(instead, NOT_FOLLOWED))
    return replace(
        entry,
        order=None,
        status=by.status,
        settings=(by.setting,),
        because=by.because,
        found=doubt,
        doubts=(*entry.doubts, doubt),
        candidates=tuple(offered.values()),
        situation=sheet.situation(by.setting, doubt, entry.text),
        by_itself=entry if doubt.code is Doubt.OTHER_PART else None,
    )
