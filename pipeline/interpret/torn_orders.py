"""Orders that are torn: their parts stand on several rows, or beside other orders, anywhere on a sheet.

A row that is a whole order by itself needs no other. Where every row of a sheet is one, nothing is torn. Otherwise each
part of a row is laid in front of each other row, and behind it. Where that makes a whole order which can be carried
out, and which is not what the row is read as, nobody knows which of the two was meant: both rows are asked.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain, permutations, product

from msgspec import Struct
from msgspec.structs import replace

from pipeline.interpret import order_words
from pipeline.interpret.asked_beside import ask_part
from pipeline.interpret.doubts import Doubt, LineDoubt, WordMatch
from pipeline.interpret.lines import cut_words, read_line, unit_words_of, words_in
from pipeline.interpret.readings import Sheet
from pipeline.interpret.tokens import Mark
from pipeline.interpret.verdict import Entry, Interpretation, Line, Status
from pipeline.interpret.written_words import LETTERS, SignSense, fold_word
from pipeline.orders import Move, Order

Draft = Callable[[Sheet, int, Entry], Entry]

BORDERS = re.compile(r"\t|[|;,/]|\s{2,}")  # between what stands side by side
BESIDE = re.compile(r"\t|\|| {3}")  # between what does not belong together, or the columns of a table
MOST_CELLS = 12  # of a row that are looked at
MOST_PAIRS = 3_000  # of parts; of a longer sheet only rows near one another are laid to each other
SIGNS_AHEAD = re.compile(r"[\W_]+")  # a hyphen, dots, an arrow from the row above


class _Scrap(Struct, frozen=True):
    """What stands on one row, or on several that are read as one; or one of several things side by side on a row."""

    text: str
    rows: frozenset[int]
    is_whole: bool
    is_lettered: bool = False  # it is an order that begins with its unit's letter


def with_torn_orders(sheet: Sheet, rows: Sequence[Line], lines: Sequence[Line], draft: Draft) -> tuple[Line, ...]:
    """Note on each line that its words may be a part of another order, with a part that stands elsewhere."""
    if len(rows) < 2:
        return tuple(lines)
    drafts = {line.number: [draft(sheet, line.number, each) for each in line.orders] for line in lines}
    silent = {line.number for line in lines if all(map(_is_nothing, line.orders))}  # "Merci" is no part of an order
    whole = {line.number for line in lines if _is_whole_line(line, drafts[line.number])}
    if len(whole | silent) == len(lines):
        return tuple(lines)
    said = [line for line in lines if line.number not in silent]
    told = _find_other_orders(sheet, rows, said, drafts, whole, draft)
    return tuple(
        replace(line, notes=(*line.notes, LineDoubt.of(Doubt.OTHER_PART, text=told[line.number])))
        if line.number in told
        else line
        for line in lines
    )


def _is_nothing(written: Entry) -> bool:
    """Say whether a line is for no unit: a greeting, dashes."""
    return isinstance(written.shape, order_words.Senseless) and written.shape.is_for_all


def ask_cut_orders(sheet: Sheet, interpretation: Interpretation) -> Interpretation:
    """Ask about an order that lacks a part or has one too many, and is not followed, if that may stand elsewhere.

    So is one that is read from several rows, if a part is left over on another row, and one that begins with a dash or
    an arrow below a unit without an order: "A Mos" / "-> A War - Gal".
    """
    entries = list(interpretation.entries)
    for at, entry in enumerate(interpretation.entries):
        above = next((e for e in reversed(entries[:at]) if e.line < entry.line), None)
        if above is not None and _goes_on(sheet, entry, above):
            entries[at] = replace(ask_part(sheet, entry, above), by_itself=None)
            continue
        is_joined = entry.also and entry.status is Status.CLEAR
        wanted = (True, False) if is_joined else (_lacks_end(entry), _has_surplus(entry))
        if entry.status is Status.ASK or not (is_joined or _is_cut(sheet, entry)):
            continue
        rows = (e for e in interpretation.entries if e.line not in (0, entry.line))  # 0: no row has it
        other = next((e for e in rows if _may_give(sheet, e, *wanted)), None)
        if other is not None:
            entries[at] = replace(ask_part(sheet, entry, other), by_itself=None)
    standing = {entry.order for entry in entries if entry.order is not None}
    lost = {entry.order for entry in interpretation.entries} - standing
    orders = tuple(order for order in interpretation.orders if order not in lost)
    return replace(interpretation, entries=tuple(entries), orders=orders)


def _goes_on(sheet: Sheet, entry: Entry, above: Entry) -> bool:
    """Say whether an order may go on the one above it, which has none by itself; rows that all have a dash do not."""
    first, *_ = (*cut_words(entry.text, sheet.lexicon), None)
    begins = cut_words(above.text, sheet.lexicon)[:1]
    is_dashed = first is not None and first.mark is Mark.DASH and not (begins and begins[0].mark is Mark.DASH)
    is_open = isinstance(above.shape, order_words.BareUnit) or _lacks_end(above)
    is_open = is_open and not isinstance(above.shape, order_words.Senseless) and above.status is not Status.CLEAR
    return is_dashed and is_open and entry.status is Status.CLEAR


def _is_cut(sheet: Sheet, entry: Entry) -> bool:
    """Say whether an order is not followed because it is cut; of one for no unit, if it names a place."""
    if entry.status is Status.CLEAR or entry.found is None:
        return False
    is_cut = bool(entry.also) or entry.found.code in CUT or BESIDE.search(entry.text) is not None
    is_named = any(sheet.lexicon.is_listed(word) for word in words_in(entry.text))
    return is_cut and (entry.unit is not None or (entry.status is Status.INVALID and is_named))


CUT = frozenset(
    {Doubt.BARE_UNIT, Doubt.INCOMPLETE, Doubt.ILLEGIBLE, Doubt.SENSELESS, Doubt.EXTRA_WORDS, Doubt.NOT_ALL_READ}
    | {Doubt.UNKNOWN_WORD, Doubt.NO_SIGN, Doubt.TWICE_DIFF}
)
MOVES = frozenset({None, SignSense.TO})  # no sign behind which a unit stands
LACKING = CUT - {Doubt.EXTRA_WORDS, Doubt.NOT_ALL_READ, Doubt.NO_SIGN, Doubt.TWICE_DIFF} | {Doubt.BLANK_UNIT}


def _may_give(sheet: Sheet, entry: Entry, lacks_end: bool, has_surplus: bool) -> bool:
    """Say whether a line has what another one lacks, or lacks what that has too much."""
    if entry.status is Status.CLEAR:
        return False
    is_bare = entry.fault is not None and entry.fault.code is Doubt.BARE_UNIT and entry.unit is not None
    lacks_begin = _lacks_begin(sheet, entry)
    is_open = lacks_begin or _lacks_end(entry) or (entry.status is Status.ASK and not is_bare and not _is_whole(entry))
    return (lacks_end and (lacks_begin or _has_surplus(entry))) or (has_surplus and is_open)


def _lacks_end(entry: Entry) -> bool:
    """Say whether an order breaks off."""
    is_unread = entry.found is not None and entry.found.code is Doubt.ILLEGIBLE  # "A Mun S A ..."
    return is_unread or (entry.fault is not None and entry.fault.code in LACKING and not entry.rest)


def _has_surplus(entry: Entry) -> bool:
    """Say whether more stands on a row, or is said of its unit, than one order."""
    is_twice = entry.found is not None and entry.found.code is Doubt.TWICE_DIFF
    return bool(entry.rest or entry.also) or is_twice or BESIDE.search(entry.text) is not None


def _lacks_begin(sheet: Sheet, entry: Entry) -> bool:
    """Say whether an order has no unit of its own at its beginning, and names a place or gives a sign."""
    unit = unit_words_of(entry)
    words = [token.folded for token in cut_words(entry.text, sheet.lexicon) if token.folded or token.mark is Mark.DASH]
    is_part = any(not w or sheet.lexicon.is_listed(w) or sheet.lexicon.sign_of(w) is not None for w in words)
    return is_part and unit.letter is None and (unit.place is None or entry.unit is None)


def _find_other_orders(
    sheet: Sheet,
    rows: Sequence[Line],
    lines: Sequence[Line],
    drafts: Mapping[int, Sequence[Entry]],
    whole: Set[int],
    draft: Draft,
) -> dict[int, str]:
    """The lines that may be a part of another order, each with the other part."""
    orders = {number: {*chain.from_iterable(map(_find_settled, said))} for number, said in drafts.items()}
    told: dict[int, str] = {}
    parts = [*_parts_of(sheet, rows, lines, whole)]
    reach = MOST_PAIRS // max(len(parts), 1)  # in rows
    for one, other in permutations(parts, 2):
        if abs(min(one.rows) - min(other.rows)) > reach:
            continue
        is_above = other.is_lettered and min(other.rows) < min(one.rows)  # what begins below does not go on there
        if (one.is_whole and other.is_whole) or one.rows & other.rows or is_above:
            continue
        made = _orders_made_of(sheet, one, other, draft)
        touched = [line for line in lines if {line.number, *line.also} & (one.rows | other.rows)]
        is_other = all(made - orders[line.number] for line in touched)
        if len(touched) == 1:
            is_other = touched[0].number not in whole
        if made and is_other:
            for line in touched:
                told.setdefault(line.number, (one if other.rows & {line.number, *line.also} else other).text)
    return told


def _parts_of(sheet: Sheet, rows: Sequence[Line], lines: Sequence[Line], whole: Set[int]) -> Iterator[_Scrap]:
    """Each line; of one that is read from several rows, each row, too; and what stands side by side on a row."""
    for line in lines:
        numbers = frozenset({line.number, *line.also})
        is_whole = line.number in whole and not line.also
        texts = dict.fromkeys([(numbers, line.text.strip())])
        if is_whole and len(line.orders) > 1:
            texts |= dict.fromkeys((numbers, each.text.strip()) for each in line.orders)
        for row in rows if not is_whole else ():
            if row.number in numbers:
                cells = (row.text, *BORDERS.split(row.text)[:MOST_CELLS])
                texts |= dict.fromkeys((frozenset({row.number}), each.strip()) for each in cells)
        for of, text in texts:
            if text:
                is_lettered = is_whole and any(each.folded in LETTERS for each in cut_words(text, sheet.lexicon)[:1])
                yield _Scrap(text, of, is_whole, is_lettered)


def _is_whole_line(line: Line, drafts: Sequence[Entry]) -> bool:
    """Say whether a line is nothing but whole orders; of what stands side by side, they can be carried out."""
    if not drafts or not all(map(_is_whole, drafts)):
        return False
    readings = [reading for each in drafts for reading in each.readings[:1]]
    if line.also and any(doubt.code is Doubt.COAST_NEEDLESS for each in readings for doubt in each.doubts):
        return False  # a coast that stands on a row of its own
    return BESIDE.search(line.shown) is None or all(each.is_possible for each in readings)


def _is_whole(draft: Entry) -> bool:
    """Say whether all words of an order belong to it, and it lacks none."""
    if isinstance(draft.shape, order_words.Waives):
        return True
    is_cut = draft.fault is not None or not draft.readings or not getattr(draft.shape, "is_complete", True)
    is_cut = is_cut or any(sense.how is WordMatch.FITS for _, sense in draft.senses)  # "A Bud S A W…"
    return not (is_cut or draft.rest or draft.is_odd or draft.is_spoilt)


def _find_settled(draft: Entry) -> Iterator[Order]:
    """The order of a draft that has one meaning, without the way that an army goes."""
    if len(draft.readings) == 1 and not draft.readings[0].others:
        yield _without_way(draft.readings[0].order)


def _without_way(order: Order) -> Order:
    """An order without the way that an army goes, which is often written behind it."""
    return replace(order, via=False, route=()) if isinstance(order, Move) else order


def _orders_made_of(sheet: Sheet, one: _Scrap, other: _Scrap, draft: Draft) -> Set[Order]:
    """The whole orders that two parts make, one behind the other."""
    possible: set[Order] = set()
    for text in _join_texts(sheet, one.text, other.text):
        orders = read_line(text, sheet.lexicon, sheet.position.phase.step)
        if len(orders) == 1 and _is_whole(made := draft(sheet, 0, orders[0])):
            settled = (each for each in made.readings if each.is_possible and each.unit is not None and not each.others)
            possible |= {_without_way(each.order) for each in settled}
    return possible


def _join_texts(sheet: Sheet, one: str, other: str) -> Iterator[str]:
    """The ways to write two parts behind one another: with what marks that the first one goes on, and without it."""
    lexicon = sheet.lexicon
    ends = dict.fromkeys((one, _without_signs_ahead(one[::-1])[::-1]))
    begins = dict.fromkeys((other, _without_signs_ahead(other)))
    for end, begin in product(ends, begins):
        last, first = cut_words(end, lexicon)[-1:], cut_words(begin, lexicon)[:2]
        if not last or not first:
            continue
        is_unit = len(first) > 1 and first[0].folded in LETTERS and lexicon.may_be_place(first[1].folded)
        if not is_unit or any(lexicon.sign_of(token.folded) not in MOVES for token in cut_words(end, lexicon)):
            yield f"{end} {begin}"
        is_word = end[-1].isalpha() and begin[0].isalpha()
        if is_word and lexicon.is_known(fold_word(last[0].folded + first[0].folded)):
            yield f"{end}{begin}"


def _without_signs_ahead(text: str) -> str:
    """A part without the signs that it begins with: they may say that it goes on what stands elsewhere."""
    signs = SIGNS_AHEAD.match(text)
    return text[signs.end() :] if signs else text
