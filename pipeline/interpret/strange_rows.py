"""Rows that are neither orders nor harmless remarks: nobody knows what they say of the orders beside them.

"A Vie rather", "(army)", "0", "?", "| D", "/////", a cross: whatever becomes of such a row, the orders right above and
right below it are asked about, and those of the units and of the rows that it names; in retreats and in winter, all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from pipeline.board import Kind, Step, Unit, province_of
from pipeline.interpret import order_words
from pipeline.interpret.asked_beside import DATE, ask_because_of
from pipeline.interpret.doubts import NOBODYS, Doubt, LineDoubt
from pipeline.interpret.lines import (
    cut_words,
    is_for_rest,
    is_lettered,
    is_whole_order,
    named_codes,
    read_line,
    unit_words_of,
    words_in,
)
from pipeline.interpret.readings import Sheet
from pipeline.interpret.row_labels import enclosed_rows, marked_rows, repeats_label
from pipeline.interpret.tokens import RULE, Mark
from pipeline.interpret.verdict import Entry, Line, Status
from pipeline.interpret.who_and_when import FOR_THE_DIRECTOR, may_be_signature
from pipeline.interpret.winter_counts import due_of
from pipeline.interpret.written_words import (
    FAREWELL,
    FROM,
    HEADINGS,
    LETTERS,
    NO,
    NOT,
    PUTTING_ON,
    STEP_WORDS,
    TAKEN_BACK,
    TAKING_OFF,
    UNSURE,
    YEARS,
)
from pipeline.orders import Convoy, Support
from pipeline.rules.abbreviations import count_slips

EntriesOfRows = Mapping[int, Sequence[Entry]]


def ask_beside_strange_rows(sheet: Sheet, lines: Sequence[Line], entries: Sequence[Entry]) -> list[Entry]:
    """Ask about the orders that a row beside them may change, and about those behind a mark that may change them."""
    rows = {line.number: [e for e in entries if e.line == line.number and not e.is_supplied] for line in lines}
    strange = [_is_strange(sheet, lines, at, rows) for at in range(len(lines))]
    asked: dict[int, LineDoubt] = {}
    for number, doubt in (*marked_rows(lines, rows), *enclosed_rows(lines, rows)):
        asked.setdefault(number, doubt)
    for at, line in enumerate(lines):
        for number in _rows_reached(sheet, lines, at, rows, strange):
            is_own = number == line.number
            code = Doubt.EXTRA_WORDS if is_own else Doubt.UNDER_HEADING
            asked.setdefault(number, LineDoubt.of(code, text=line.shown))
    doubts = [(entry, next((asked[line] for line in _rests_on(entry) if line in asked), None)) for entry in entries]
    return [
        ask_because_of(sheet, entry, doubt) if doubt and entry.status in ASKED_BESIDE else entry
        for entry, doubt in doubts
    ]


def _rests_on(entry: Entry) -> Iterator[int]:
    """The rows that an entry rests on: its own, and that of the order which implies it."""
    yield entry.line
    sources = (doubt["line"] for doubt in entry.doubts if doubt.code is Doubt.IMPLIED)
    yield from (line for line in sources if isinstance(line, int))


ASKED_BESIDE = frozenset({Status.CLEAR})


def _rows_reached(
    sheet: Sheet, lines: Sequence[Line], at: int, rows: EntriesOfRows, strange: Sequence[bool]
) -> Iterator[int]:
    """The rows that a row may change: those beside it, those of the units that it names, those that it calls."""
    line, entries = lines[at], rows[lines[at].number]
    yield from (
        other.number
        for other in lines
        if repeats_label(line, other, is_strange=strange[at] or any(map(_is_bare, entries)))
    )
    both = list(zip(lines, strange, strict=True))
    beside = [
        next((each for each, is_odd in side if not is_odd and any(map(_is_order, rows[each.number]))), None)
        for side in (both[:at][::-1], both[at + 1 :])
    ]
    if not strange[at]:
        yield from (each.number for each in _joined_by_words(sheet, line, entries, *beside) if each is not None)
        if line.also and any(each.rest for each in entries):
            yield from (each.number for each in beside[1:] if each is not None)
            yield from _carried_by(entries, rows)
            places = [word for each in entries for word in words_in(each.rest) if sheet.lexicon.is_listed(word)]
            orders = [each.number for each in lines[:at] if any(map(_is_order, rows[each.number]))]
            yield from orders[max(len(orders) + 1 - len(places), 0) :]  # a new goal for each of so many
        return
    bare = _named_unit_on(sheet, line, entries)
    if _is_order_in_odd_words(sheet, line):
        yield from _rows_of_units_on(sheet, line, rows)
        return
    is_movement = sheet.position.phase.step is Step.MOVEMENT
    if bare is not None and (bare.unit is not None or not is_movement):
        if not is_movement or not _is_plain_name(line, bare):
            near = filter(None, beside) if is_movement else lines
            yield from (
                each.number for each in near if any(_may_be_of(sheet, bare, e, rows) for e in rows[each.number])
            )
            yield from _rows_of_units_on(sheet, line, rows) if is_movement else ()
        return
    if sheet.position.phase.step is not Step.MOVEMENT:
        yield from rows
        return
    for each in filter(None, beside):
        yield each.number
        yield from _carried_by(rows[each.number], rows)
    yield from _rows_of_units_on(sheet, line, rows)
    if any(map(_is_sign_alone, entries)):
        yield line.number


def _joined_by_words(
    sheet: Sheet, line: Line, entries: Sequence[Entry], above: Line | None, below: Line | None
) -> Iterator[Line | None]:
    """The rows that words which belong to no order may join: "supposing F Den - Hel", "A Kie H als".

    What is said of no own unit, with further words or a colon, may be a condition of both: "If A Mun - Bur:".
    """
    text = line.shown.strip()
    for each in entries:
        if each.status is not Status.ASK:
            continue
        rest, is_left_open = each.rest, text.endswith((":", "=>", "->"))
        is_of_others = each.unit is None and any(doubt.code in OF_OTHERS for doubt in each.doubts)
        if is_of_others and (rest or is_left_open):
            yield from (above, below)
        of_its_own = UNSURE | (NOT | TAKEN_BACK if text.endswith(rest) else frozenset())  # "forse", "nein"
        if (
            JOINING.fullmatch(rest)
            and of_its_own.isdisjoint(words_in(rest))
            and not any(_may_be_slip(sheet, word) for word in words_in(rest))
        ):
            if re.match(rf"(?:[^\W\d]{{2,}} )?{re.escape(rest)}\b", text):
                yield above or below
            yield below if text.endswith(rest) else None


OF_OTHERS = NOBODYS | {Doubt.TWO_PLACES}  # or perhaps


def _may_be_slip(sheet: Sheet, word: str) -> bool:
    """Say whether a word behind an order names a place, or may be "via"."""
    return sheet.lexicon.is_listed(word) or (len(word) == len("via") and count_slips(word, "via") < 2)


JOINING = re.compile(  # "als", "as soon as"; IF is Italy's fleet
    r"(?!if\b)[^\W\d]+(?:(?: [^\W\d]+)? (?:as|case|on|that))?", re.IGNORECASE
)


def _rows_of_units_on(sheet: Sheet, line: Line, rows: EntriesOfRows) -> Iterator[int]:
    """The other rows that order units which a row names."""
    named = {code for word in words_in(line.shown) if len(word) > 1 for code in named_codes(sheet, word)}
    for number, said in rows.items():
        if number != line.number and any(e.unit is not None and e.unit.province in named for e in said):
            yield number


def _is_order(entry: Entry) -> bool:
    """Say whether an entry is not a silent line, nor a name."""
    return not isinstance(entry.shape, order_words.Senseless | order_words.BareUnit)


def _carried_by(entries: Sequence[Entry], rows: EntriesOfRows) -> Iterator[int]:
    """The rows of the armies that fleets carry: what is said of the one may be said of both."""
    convoys = [each.read for each in entries if isinstance(each.read, Convoy)]
    for number, said in rows.items():
        if any(each.unit == convoy.of for each in said for convoy in convoys):
            yield number


def _is_strange(sheet: Sheet, lines: Sequence[Line], at: int, rows: EntriesOfRows) -> bool:
    """Say whether a row may be about the rows beside it."""
    line = lines[at]
    entries = rows[line.number]
    if not entries or line.struck_out or line.overwritten:
        return False
    stand = [_stands_by_itself(sheet, each) for each in entries]
    if all(stand) or (any(stand) and _names_units_of_its_own(sheet, line, entries, rows)):
        return False
    if _is_harmless(sheet, lines, at, entries) or _is_garbled_order(sheet, line, rows):
        return False
    return not _has_odd_sign(sheet, line, rows) and not _is_boxed_order(sheet, line)


BOX = re.compile(r"\s*(?:\(\s*[xv✓✔✗✘]?\s*\)|\[\s*[xv✓✔✗✘]?\s*\]|[☐☑☒□✓✔✗✘])\s*", re.IGNORECASE)


def _is_boxed_order(sheet: Sheet, line: Line) -> bool:
    """Say whether a row is a whole order for an own unit behind a box to tick: "( ) A Mun - Tyr"."""
    box = BOX.match(line.shown)
    orders = read_line(line.shown[box.end() :], sheet.lexicon, sheet.position.phase.step) if box else ()
    return len(orders) == 1 and is_whole_order(sheet, orders[0])


def _has_odd_sign(sheet: Sheet, line: Line, rows: EntriesOfRows) -> bool:
    """Say whether a row is an own unit that no other row orders, and a sign that nobody knows.

    "A Mun ≠ Tyr"; "Tyr ← A Mun".
    """
    tokens = cut_words(line.shown, sheet.lexicon)
    at = next((at for at, token in enumerate(tokens) if token.mark is Mark.OTHER or token.text[0] in "<←"), 0)
    before, behind = tokens[:at], tokens[at + 1 :]
    of_unit, of_goal = (before, behind) if before and before[0].folded in LETTERS else (behind, before)
    unit, goal = ("".join(token.folded for token in part) for part in (of_unit[1:], of_goal))
    is_goal = sheet.lexicon.is_listed(goal) if goal else of_unit is before
    if not at or not unit or of_unit[0].folded not in LETTERS or not is_goal:
        return False
    others = {e.unit for number, said in rows.items() if number != line.number for e in said if not _is_bare(e)}
    units = [sheet.own_at(code) for code in named_codes(sheet, unit)]
    return sheet.position.phase.step is Step.MOVEMENT and len(units) == 1 and units[0] not in {None, *others}


def _is_garbled_order(sheet: Sheet, line: Line, rows: EntriesOfRows) -> bool:
    """Say whether a row is one own unit's order with a letter wrong at its beginning: "FuSev - Arm", "n Swe - Fin"."""
    tokens = cut_words(line.shown, sheet.lexicon)
    others = {e.unit for number, said in rows.items() if number != line.number for e in said if not _is_bare(e)}
    is_going = any(t.mark is Mark.DASH or sheet.lexicon.sign_of(t.folded) is not None for t in tokens[1:])
    begins = [token.folded for token in tokens[:2]]
    names = [begins[0][1:], begins[0][2:], *(begins[1:] if len(begins[0]) == 1 else ())] if begins else []
    units = [sheet.own_at(code) for name in names if len(name) > 2 for code in named_codes(sheet, name)]
    return is_going and any(unit is not None and unit not in others for unit in units)


def _stands_by_itself(sheet: Sheet, entry: Entry) -> bool:
    """Say whether an entry is an order for a unit that its row names, whatever the rules make of it."""
    shape, unit = entry.shape, unit_words_of(entry)
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    if isinstance(shape, order_words.Waives):
        return not any(word in LETTERS for word in words_in(entry.text))  # "no A"
    if is_winter and entry.status is Status.CLEAR and _is_bare(entry):
        return re.search(r"[^\w\s.,:;/'’()\[\]-]|^\s*[-–—]", entry.text) is None
    if _is_bare(entry) or isinstance(shape, order_words.Senseless) or _is_sign_alone(entry):
        return False
    if entry.status is Status.CLEAR:
        return True
    if is_winter and AHEAD.search(entry.text):
        return False
    if isinstance(shape, order_words.Moves):
        is_named = unit.letter is not None or (unit.place is not None and sheet.lexicon.is_listed(unit.place.folded))
        return bool(shape.steps and shape.has_sign and is_named) or is_lettered(sheet, entry)
    return unit.place is not None and (entry.unit is not None or is_lettered(sheet, entry))


AHEAD = re.compile(r"[>→⇒=]")  # in winter nobody goes anywhere: "1 -> A War"


def _is_bare(entry: Entry) -> bool:
    """Say whether an entry names a unit, or a place, and says nothing of it."""
    is_change = any(doubt.code is Doubt.BARE_CHANGE for doubt in (*entry.doubts, *entry.notes))
    return is_change or isinstance(entry.shape, order_words.BareUnit)


def _is_sign_alone(entry: Entry) -> bool:
    """Say whether an entry is a sign for no unit: "Disband"."""
    signs = order_words.Holds | order_words.Disbands | order_words.Builds
    return isinstance(entry.shape, signs) and entry.shape.unit.place is None


def _names_units_of_its_own(sheet: Sheet, line: Line, entries: Sequence[Entry], rows: EntriesOfRows) -> bool:
    """Say whether the units before an order are ordered on no other row: "A Vie and A Bud hold"."""
    others = {e.unit for number, said in rows.items() if number != line.number for e in said if not _is_bare(e)}
    return all(each.unit is not None and is_lettered(sheet, each) and each.unit not in others for each in entries)


def _is_order_in_odd_words(sheet: Sheet, line: Line) -> bool:
    """Say whether a row has no more than an own unit, another place and signs: "Gal <- A Vie", "EDIT: Vie - Boh"."""
    text = line.text.partition(":")[2] or line.text
    tokens = [token for token in cut_words(text, sheet.lexicon) if token.mark is Mark.WORD]
    places = [token for token in tokens if sheet.lexicon.is_listed(token.folded) and len(token.folded) > 1]
    signs = LETTERS.keys() | FROM
    is_all = all(t in places or t.folded in signs or sheet.lexicon.sign_of(t.folded) is not None for t in tokens)
    units = [sheet.own_at(code) for token in places for code in named_codes(sheet, token.folded)]
    is_going = any(token.mark is Mark.DASH or token.folded in FROM for token in cut_words(text, sheet.lexicon)[1:])
    return is_all and is_going and len(places) > 1 and len([unit for unit in units if unit is not None]) == 1


def _named_unit_on(sheet: Sheet, line: Line, entries: Sequence[Entry]) -> Entry | None:
    """The one unit that a row names, with or without words of which no order is made: "A Vie", "A Vie rather"."""
    if len(entries) != 1 or _has_marks(line) or not _codes_of_unit(sheet, entries[0]):
        return None
    is_no_order = _is_bare(entries[0]) or isinstance(entries[0].shape, order_words.Senseless)
    return entries[0] if is_no_order else None


def _is_plain_name(line: Line, entry: Entry) -> bool:
    """Say whether a row has no more than a unit with its letter: "A Vie" holds, and corrects nothing."""
    is_unit = _is_bare(entry) and unit_words_of(entry).letter is not None
    return is_unit or set(words_in(line.shown)) >= NO_ORDER


NO_ORDER = frozenset({"struck", "out"})  # said of a row by the one who read it


def _codes_of_unit(sheet: Sheet, entry: Entry) -> tuple[str, ...]:
    """The province of the unit that an entry is about, or those that its words may name."""
    place = unit_words_of(entry).place
    return (entry.unit.province,) if entry.unit is not None else named_codes(sheet, place.folded) if place else ()


COAST_IN_BRACKETS = re.compile(r"(?<=\w\s)\([nse]c\b[^)]*\)")


def _has_marks(line: Line) -> bool:
    """Say whether signs stand beside what is written on a row: "A Vie!", "-> A Vie", "(A Vie)"."""
    text = COAST_IN_BRACKETS.sub("", line.shown)
    return re.search(r"[^\w\s.,/'’-]|^\s*[-–—]", text) is not None


def _may_be_of(sheet: Sheet, bare: Entry, entry: Entry, rows: EntriesOfRows) -> bool:
    """Say whether the unit of one row could do what the order of another says, or be one too many in winter."""
    unit, order = bare.unit, entry.order
    if order is None or getattr(getattr(order, "unit", None), "province", "") in _codes_of_unit(sheet, bare):
        return False
    if sheet.position.phase.step is Step.ADJUSTMENTS:
        due = due_of(sheet)
        named = {code for said in rows.values() for each in said for code in _codes_of_unit(sheet, each)[:1]}
        return len(named) > abs(due) and (due > 0 or len(named) < len(sheet.own))  # all may be printed there
    if unit is None:
        return False
    if isinstance(order, Support | Convoy) and order.of == unit:
        return False
    if isinstance(order, Convoy):
        return unit.kind is Kind.ARMY
    goal = getattr(order, "to", None)
    if goal is None and isinstance(order, Support):
        goal = order.of.place
    return goal is not None and _may_reach(sheet, unit, goal)


def _may_reach(sheet: Sheet, unit: Unit, goal: str) -> bool:
    return province_of(goal) in {province_of(place) for place in sheet.lexicon.board.reach(unit.kind, unit.place)}


STROKES = re.compile(  # "~~~" and "'''" stand around what does not count; a brace may be of the rows beside it
    r"\s*(?:(?:[/\\|xX≠]\s*){2,}|~{3}|'{3}|[\[\]{}()!]+)\s*"
)
UNREAD = re.compile(r"\w\w\?|\?\w|\.{2,}|…")  # letters that cannot be read
KEPT = frozenset(  # "keep A War": another unit goes
    {"keep", "keeps", "h", "hold", "holds", "stays", "stay", "remain", "remains"}
)
ROW_NUMBER = re.compile(r"\W*[1-9]\d?\W*")  # of an empty row
OF_PAGE = re.compile(  # "S1903", "1/1", "A. Lund"
    r"\s*(?:[SFWA]\.?(?:19)?\d\d[MRAB]?|[1-9]/[1-9]|\W*[A-Z]\.\s*[A-Z]\w{2,})\s*"
)


def _is_harmless(sheet: Sheet, lines: Sequence[Line], at: int, entries: Sequence[Entry]) -> bool:
    """Say whether a row is known to change no order."""
    text = lines[at].shown
    if all(isinstance(each.shape, order_words.Senseless) and each.shape.is_for_all for each in entries):
        return STROKES.fullmatch(text) is None and not (at and _strikes(lines[at - 1], lines[at]))
    if is_for_rest(sheet, text) or DATE.fullmatch(text.strip()) or "@" in text:
        return True
    if UNREAD.search(text) or (ROW_NUMBER.fullmatch(text) and not _has_marks(lines[at])):
        return True
    words = set(words_in(text))
    if OF_PAGE.fullmatch(text) and not any(named_codes(sheet, word) for word in words if len(word) > 1):
        return True
    if all(map(_is_bare, entries)) and cut_words(text, sheet.lexicon)[0].mark is Mark.DITTO:
        return True  # it is of the row above, and asked about by itself
    if sheet.position.phase.step is not Step.MOVEMENT and words & KEPT:
        return True
    said = FAREWELL | sheet.lexicon.nations.keys() | HEADINGS | STEP_WORDS[sheet.position.phase.step] | YEARS
    said |= NO if FOR_THE_DIRECTOR & words else frozenset()
    if sheet.position.phase.step is Step.ADJUSTMENTS:
        said |= PUTTING_ON if due_of(sheet) > 0 else TAKING_OFF
    orders_something = words <= NO | LETTERS.keys() | sheet.lexicon.coasts.keys()  # "no A", "sc"
    if "?" not in text and any(map(str.isalpha, "".join(words))) and words <= said and not orders_something:
        return True
    is_outside = at == len(lines) - 1 or (at == 0 and " " in text.strip())
    return is_outside and any(len(word) > 2 for word in words) and may_be_signature(sheet, text)


def _strikes(above: Line, line: Line) -> bool:
    """Say whether a row of signs is as long as the one above it, or stands under a part of it alone."""
    if not RULE.fullmatch(line.text) or not any(map(str.isalpha, above.text)):
        return False
    one, other = (len(each.text) - len(each.text.lstrip()) for each in (above, line))
    end, last = (len(each.text.rstrip()) for each in (above, line))
    return (one == other and abs(end - last) < 2) or (other > one + 2 and last <= end + 1)
