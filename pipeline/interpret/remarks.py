"""Lines that may say something of one order on another line: of its row, its unit or its goal."""

import re
from collections.abc import Sequence, Set

from msgspec.structs import replace

from pipeline.board import Step, province_of
from pipeline.interpret import order_words
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.headings import takes_help_back
from pipeline.interpret.lines import (
    cut_words,
    is_lettered,
    named_codes,
    read_line,
    speaks_of_no_unit,
    unit_words_of,
    words_in,
)
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import MOST_NAME_WORDS, Mark
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.who_and_when import FOR_THE_DIRECTOR, is_for_another, is_signature, words_of_time
from pipeline.interpret.written_words import (
    AT_SEA,
    BUT,
    DENYING,
    EXCHANGES,
    FAREWELL,
    FILLERS,
    HEADINGS,
    IF,
    LETTERS,
    NO,
    OWN,
    ROWS,
    SIGNED,
    TAKEN_BACK,
    SignSense,
)


def with_note(line: Line, doubt: LineDoubt) -> Line:
    """Note that another line may change this one; one such line is enough."""
    is_noted = any(each.code is doubt.code for each in line.notes)
    return line if is_noted else replace(line, notes=(*line.notes, doubt))


def with_remarks_on_all(sheet: Sheet, pieces: Sequence[Line], written: list[Line]) -> list[Line]:
    """Note what may be said of all orders in the first line, or in a last one that may go on with the one above."""
    is_tail = bool(pieces) and pieces[-1].number in written[-1].also
    if is_tail and (_says_more_than_signs(sheet, pieces[-1]) or _may_tell_all(sheet, pieces[-1])):
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=pieces[-1].shown)  # "to be confirmed"
        written = [*(with_note(each, doubt) for each in written[:-1]), written[-1]]
    if written and _goes_nowhere(sheet, written[0]):
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=written[0].shown)
        written = [written[0], *(with_note(each, doubt) for each in written[1:])]
    return written


def with_remarks_on_rows(
    sheet: Sheet, pieces: Sequence[Line], other_orders: Sequence[Line], written: list[Line]
) -> list[Line]:
    """Note lines whose unit another line may order, too, or that another line calls by their number."""
    for other in other_orders:
        named = {code for token in other.tokens for code in named_codes(sheet, token.folded)}
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=other.shown)
        units = [{unit.province for e in line.orders if (unit := unit_spoken_of(sheet, e.shape))} for line in written]
        written = [with_note(line, doubt) if named & own else line for line, own in zip(written, units, strict=True)]
        if sheet.position.phase.step is Step.ADJUSTMENTS:  # "or A Mun" may be instead of either
            written = [with_note(line, doubt) for line in written]
    for at, other in enumerate(pieces):
        row = _row_called(sheet, pieces[:at], other)
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=other.shown)
        written = [with_note(each, doubt) if row in (each.number, *each.also) else each for each in written]
    return written


def _goes_nowhere(sheet: Sheet, line: Line) -> bool:
    """Say whether a line is read as moves of no unit to no place: "to be confirmed"."""
    moves = [each.shape for each in line.orders if isinstance(each.shape, order_words.Moves)]
    return (
        bool(moves)
        and len(moves) == len(line.orders)
        and all(shape.unit.is_empty for shape in moves)
        and _says_more_than_signs(sheet, line)
    )


ROW_CALLED = re.compile(  # "#2: hold", "2nd: Boh", "no. 2 to Boh", "the second goes to Boh"
    r"\W*(?:(?:the|line|row|order|no|nr|number|nummer|ad|zu|zeile|ligne|ordre|numero)\b\W*)*"
    r"(?:(?P<number>\d{1,2})(?:st|nd|rd|th|er|e)?\b|(?P<word>first|second|third|fourth|fifth)\b)(?P<rest>.*)",
    re.IGNORECASE,
)

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
PRINTED_NUMBER = re.compile(r"\W*(\d{1,2})\b")


def _row_called(sheet: Sheet, above: Sequence[Line], line: Line) -> int | None:
    """The number of the line above that a line without a unit calls by its number: "2. to Boh instead".

    One that goes on with the row above has the next number, or there are no such rows.
    """
    called = ROW_CALLED.fullmatch(line.shown)
    if called is None:
        return None
    step = sheet.position.phase.step
    said = cut_words(called["rest"], sheet.lexicon)
    is_order = any(
        each.mark is Mark.DASH or sheet.lexicon.sign_of(each.folded) or named_codes(sheet, each.folded) for each in said
    )
    again = read_line(called["rest"], sheet.lexicon, step) if said else ()
    own = [each for each in again if unit_spoken_of(sheet, each.shape) is not None]
    is_goal = all(isinstance(each.shape, order_words.BareUnit) and not is_lettered(sheet, each) for each in own)
    if not is_order or not is_goal:
        return None  # "3 orders"
    number = int(called["number"]) if called["number"] else ORDINALS[called["word"].lower()]
    orders = [
        each for each in above if any(unit_spoken_of(sheet, e.shape) for e in read_line(each.text, sheet.lexicon, step))
    ]
    printed = {
        int(printed_number[1]): each.number for each in orders if (printed_number := PRINTED_NUMBER.match(each.shown))
    }
    rows = printed or {at: each.number for at, each in enumerate(orders, 1)}
    units = {unit_spoken_of(sheet, each.shape) for each in own}
    is_same = any(
        each.number == rows.get(number) and unit_spoken_of(sheet, e.shape) in units
        for each in orders
        for e in read_line(each.text, sheet.lexicon, step)
    )
    return None if is_same else rows.get(number)  # "1. Bud" names the unit of the first row again


def _says_more_than_signs(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line without a place, that may go on with the one above, has words that are no part of an order."""
    words = [token.folded for token in piece.tokens if token.mark is Mark.WORD]
    parts = FILLERS | OWN | AT_SEA | LETTERS.keys() | sheet.lexicon.coasts.keys()
    is_placed = any(
        len(word) > 2 and word not in sheet.lexicon.nations and sheet.lexicon.may_be_place(word) for word in words
    )
    says_more = any(word not in parts and sheet.lexicon.sign_of(word) is None for word in words)
    orders = read_line(piece.text, sheet.lexicon, sheet.position.phase.step)
    return says_more and not is_placed and not takes_help_back(sheet, piece, orders)


def _may_tell_all(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line without a place is one word for holding, "halt!", or a legend: "moves = supports"."""
    words = [token.folded for token in piece.tokens if token.folded]
    is_hold = len(words) == 1 and len(words[0]) > 1 and sheet.lexicon.sign_of(words[0]) is SignSense.HOLD
    return is_hold or ("=" in piece.text and len(words) > 1 and not any(map(sheet.lexicon.is_listed, words)))


def may_be_about(sheet: Sheet, above: Line, below: Line, *, is_last: bool) -> bool:
    """Say whether a line that orders no unit may speak of the line above: "read Gal for Boh", "gilt nicht", "↕".

    Greetings and two or three names under the last order do not.
    """
    words = [word for token in below.tokens for word in words_of_time(token.folded)]
    said = FAREWELL | sheet.lexicon.nations.keys() | (NO if FOR_THE_DIRECTOR.intersection(words) else frozenset())
    if is_last and is_for_another(sheet, below):
        return True
    if takes_help_back(sheet, below, below.orders):
        return False
    if below.text.rstrip().endswith(":") or said.issuperset(words):
        return False
    if is_last and is_signature(sheet, below):
        return False
    if all(each.mark in {Mark.WORD, Mark.SLASH} and not any(map(str.isalpha, each.folded)) for each in below.tokens):
        return False  # "...", "42", "1/1"
    rest = [each for each in below.tokens if each.folded not in said and each.mark is Mark.WORD]
    is_name = 1 < len(words) < 5 and len(rest) < 4 and all(each.text.istitle() for each in rest)  # "Regards, Lena"
    is_name = is_name and HEADINGS.isdisjoint(words) and not any(sheet.lexicon.may_be_meant(e.folded) for e in rest)
    if words[0] in SIGNED or (is_last and is_name):
        return False
    goals = {phrase.folded for each in above.orders for phrase in getattr(each.shape, "steps", ())}
    return bool(below.orders) and all(speaks_of_no_unit(sheet, each, goals) for each in below.orders)


def with_what_others_say(sheet: Sheet, line: Line, lines: Sequence[Line]) -> Line:
    """Note the first other line that may say what a goal means or take this unit's order back: "Gal = Boh"."""
    goals = {
        code for each in line.orders for p in getattr(each.shape, "steps", ()) for code in named_codes(sheet, p.folded)
    }
    units = {unit_spoken_of(sheet, each.shape) for each in line.orders}
    own = {unit.province for unit in units if unit is not None}
    if sheet.position.phase.step is Step.ADJUSTMENTS:  # where a unit is to be built none stands yet
        built = (place.folded for each in line.orders if (place := unit_words_of(each).place) is not None)
        own |= {code for word in built for code in named_codes(sheet, word)}
    elsewhere = {unit.province for unit in sheet.own} - own
    noted = line
    if own and not elsewhere.isdisjoint(_denied_places(sheet, line)):
        noted = replace(line, notes=(*line.notes, LineDoubt.of(Doubt.NOT_ALL_READ, text=line.shown)))
    for other in lines:
        doubt = LineDoubt.of(Doubt.UNDER_HEADING, text=other.shown)
        if other is not line and _may_deny(sheet, other, goals, own):
            return with_note(noted, doubt)
        if _may_speak_of(sheet, other, line, goals, own):  # more than what is said of all: both are told
            return noted if doubt in noted.notes else replace(noted, notes=(*noted.notes, doubt))
    return noted


def _may_deny(sheet: Sheet, other: Line, goals: Set[str], own: Set[str]) -> bool:
    """Say whether a line may deny one of these goals, or that one of these units does what its order says."""
    denied = _denied_places(sheet, other)
    is_bare = all(isinstance(each.shape, order_words.BareUnit | order_words.Senseless) for each in other.orders)
    if denied & own or ((other.also or is_bare) and denied & goals):  # "Bud instead of Gal"
        return True
    beside = [word for each in other.orders for word in words_in(each.rest)] if other.also else []
    if any(not goals.isdisjoint(named_codes(sheet, word)) for word in beside):
        return True  # "Gal was a slip"
    return not own.isdisjoint(_told_behind_an_order(sheet, other))


def _may_speak_of(sheet: Sheet, other: Line, line: Line, goals: Set[str], own: Set[str]) -> bool:
    """Say whether a line may say what one of these goals means, or take the order of one of these units back."""
    is_unit_told = any(is_lettered(sheet, each) for each in other.orders)
    if is_unit_told:
        return _is_legend(line) and "=" not in other.text  # "Bud = Vie" below "A Vie - Gal" is no order
    return other is not line and (_may_tell_goal(sheet, other, line, goals) or _may_take_back(sheet, other, own))


def _may_tell_goal(sheet: Sheet, other: Line, line: Line, goals: Set[str]) -> bool:
    """Say whether a line may say what one of these goals means, or that it is another."""
    says_what = _is_open(sheet, other) or (_is_legend(other) and not _is_legend(line))
    is_told = says_what and bool(_codes_on(sheet, other) & goals)
    return is_told or any(_may_change_goal(sheet, each, goals) for each in other.orders)


def _may_take_back(sheet: Sheet, other: Line, own: Set[str]) -> bool:
    """Say whether a line may take back the order of one of these units: "Kie's order is void"."""
    if not _codes_on(sheet, other) & own:
        return False
    words = {token.folded for token in other.tokens}
    if words & (DENYING if _is_open(sheet, other) else TAKEN_BACK | EXCHANGES) or TWO_WAYS.search(other.text):
        return True
    is_remark = _says_more(other) and all(token.mark is not Mark.DASH for token in other.tokens)
    return is_remark and all(
        isinstance(each.shape, order_words.BareUnit | order_words.Senseless)
        or not words.isdisjoint(ROWS)
        or (isinstance(each.shape, order_words.Moves) and not each.shape.has_sign)  # "Bud gets Vie's order"
        for each in other.orders
    )


def _codes_on(sheet: Sheet, line: Line) -> set[str]:
    """The provinces that the words of a line and the places in its orders name."""
    words = {token.folded for token in line.tokens}
    names = (p.folded for e in line.orders for p in (unit_words_of(e).place, *getattr(e.shape, "steps", ())) if p)
    whose = {word.removesuffix("s") for word in words}  # "Kie's order"
    return {code for word in (*words, *names, *whose) for code in named_codes(sheet, word)}


def _says_more(line: Line) -> bool:
    """Say whether words on a line belong to no order."""
    return any(each.rest or isinstance(each.shape, order_words.Senseless) for each in line.orders)


def _is_open(sheet: Sheet, line: Line) -> bool:
    """Say whether words on a line belong to no order, and none of its orders is for a known unit."""
    return _says_more(line) and not any(unit_spoken_of(sheet, each.shape) for each in line.orders)


REASONS = (IF - BUT) | {"before", "after", "because", "since", "as"}  # they change the order before them
TELLS = DENYING | EXCHANGES | {"replaces"}


def _told_behind_an_order(sheet: Sheet, line: Line) -> frozenset[str]:
    """The provinces that words behind an order keep back or take back: "A Ser - Gre (Vie stays)", "… instead of Vie".

    A goal that the unit itself could have is denied to it: "A Ank - Con, not Smy".
    """
    is_exchange = TWO_WAYS.search(line.text) is not None  # "A Ven <-> A Rom"
    told = {code for word in words_in(line.text) if is_exchange for code in named_codes(sheet, word)}
    for each in line.orders:
        unit, words, rest = unit_spoken_of(sheet, each.shape), words_in(each.text), words_in(each.rest)
        if unit is None or not isinstance(each.shape, order_words.Moves) or (rest and rest[0] in REASONS):
            continue
        holds = any(sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words if len(word) > 1 or word in rest)
        first = next((at for at, word in enumerate(words) if word in TELLS), len(words))
        begin = 0 if holds or not TELLS.isdisjoint(rest) else first
        codes = {code for word in words[begin:] for code in named_codes(sheet, word)}
        codes -= {code for goal in getattr(each.shape, "steps", ())[:1] for code in named_codes(sheet, goal.folded)}
        if not rest:
            codes -= {province_of(place) for place in sheet.lexicon.board.reach(unit.kind, unit.place)}
        told |= codes - {unit.province}
    return frozenset(told)


TWO_WAYS = re.compile(r"<[-=~–—]*>|[↔⟷⇄⇆⇋⇌↕⇅⇵]")  # "Vie <-> Bud"


def _may_change_goal(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether a move of no own unit begins where another order goes: "Gal -> Boh" may mean Bohemia for Galicia."""
    shape = written.shape
    if not isinstance(shape, order_words.Moves) or shape.unit.place is None or unit_spoken_of(sheet, shape) is not None:
        return False
    return not goals.isdisjoint(named_codes(sheet, shape.unit.place.folded))


def _denied_places(sheet: Sheet, line: Line) -> frozenset[str]:
    """The provinces that a line says are not meant: "no Vienna", "instead of Vienna"."""
    words = [token.folded for token in line.tokens]
    first = next((at for at, word in enumerate(words) if word in DENYING and not sheet.lexicon.is_listed(word)), None)
    if first is None or (first and line.tokens[first - 1].mark is not Mark.BREAK and _have_goals(line)):
        return frozenset()  # "A Vie - Gal rather than Bud" denies a goal; ", not Bud" may deny the other unit's order
    behind = words[first + 1 :]
    if behind and sheet.lexicon.sign_of(behind[0]) in {SignSense.SUPPORT, SignSense.CONVOY}:
        return frozenset()  # "F NTH does not C A Yor - Nwy": the help is denied
    names = ("".join(behind[at : at + length]) for at in range(len(behind)) for length in range(1, MOST_NAME_WORDS + 1))
    return frozenset(code for name in names for code in named_codes(sheet, name))


def _have_goals(line: Line) -> bool:
    """Say whether all orders of a line have a goal, and no word is left over."""
    return all(getattr(each.shape, "steps", ()) and not each.rest for each in line.orders)


def _is_legend(line: Line) -> bool:
    """Say whether a line may say what a word stands for, "Gal = Boh": it names no unit's letter."""
    return "=" in line.text and all(unit_words_of(each).letter is None for each in line.orders)
