"""Decide one line: the tournament's rules say which of its doubts stop it, and what is adjudicated instead."""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import chain, pairwise, takewhile, zip_longest
from typing import Any

from msgspec.structs import replace

from pipeline.board import Kind, Power, Season, Step, Unit, province_of
from pipeline.interpret import places
from pipeline.interpret.doubts import AS_WRITTEN, NOBODYS, Because, Doubt, Found, Sense, WordMatch, by_rule, hindrance
from pipeline.interpret.grammar import LineReader, read_tokens
from pipeline.interpret.lexicon import Lexicon
from pipeline.interpret.places import Reading
from pipeline.interpret.readings import Habits, Sheet, settle_meaning, unit_spoken_of
from pipeline.interpret.tokens import (
    ALIKE,
    AND,
    AT_SEA,
    BESIDE_GREETINGS,
    BESIDE_HEARTY,
    BESIDE_NOTHING,
    BUT,
    CORRECTS,
    COUNTED,
    CROSSES,
    DENIES,
    DENYING,
    EVERYBODY,
    EVERYDAY_WORDS,
    EVERYONE,
    EXCHANGES,
    FAREWELL,
    FILLERS,
    GREETS,
    HEADINGS,
    HEARTY,
    IF,
    LABEL,
    LETTERS,
    LOOKS_UP,
    MOST_NAME_WORDS,
    NO,
    NO_MORE,
    NOT,
    NOTHING,
    OF,
    OF_A_HEADING,
    OR,
    OTHER_ROWS,
    OTHER_STEPS,
    OWN,
    PLAIN_LINES,
    PUTTING_ON,
    REST,
    ROWS,
    RULE,
    SEASON_WORDS,
    SIGNED,
    SIGNS,
    SPOILERS,
    STEP_WORDS,
    TAKEN_BACK,
    TAKING_OFF,
    UNSETTLES,
    YEARS,
    YEARS_CUT,
    Mark,
    SignSense,
    Token,
    blank_harmless,
    fold_word,
    join_signs,
    tells_rest_to_hold,
    tokenize,
    unglue,
)
from pipeline.interpret.verdict import (
    Entry,
    Fate,
    Line,
    Status,
    Verdict,
    director_rules,
    fate_of,
    verdict,
    verdict_on,
)
from pipeline.judge.legality import convoy_routes
from pipeline.judge.winter import balances
from pipeline.orders import Convoy, Hold, Move, Order
from pipeline.rules.abbreviations import count_slips
from pipeline.rules.reading_rules import ByLand, EvidenceRule, ImpossibleOrder, Misspelt
from pipeline.rules.table import Setting
from pipeline.words.speech import Message

# Continuation lines, and what a ditto mark repeats.

CONTINUES = frozenset(  # a line that begins with one may continue the line above
    {SignSense.SUPPORT, SignSense.CONVOY, SignSense.HOLD, SignSense.TO, SignSense.BY, SignSense.LAND, SignSense.RETREAT}
)
KEPT = 2_000  # lines in each cache
OFF = frozenset({"off"})  # "is off"
HELP = frozenset({SignSense.SUPPORT, SignSense.CONVOY})
WINTER_SIGNS = frozenset({SignSense.BUILD, SignSense.DISBAND})
BREAK = "\n"  # put between a line and the next, if that may continue it
DANGLES = frozenset({SignSense.SUPPORT, SignSense.CONVOY, SignSense.TO, SignSense.BY})  # a line ending so breaks off


def read_lines(sheet: Sheet, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Read all lines of a sheet in order, without blank ones."""
    joined: list[Line] = []
    silent = [*_plain_headings(sheet, lines)]
    silent += _signatures(sheet, [line for line in lines if line not in silent])
    silent += [line for line in lines if line not in silent and (_is_silent(sheet, line) or _is_without_words(line))]
    silent += _empty_rows_below(sheet, [line for line in lines if line.text.strip() and line not in silent])
    pieces = _cut_lines(sheet, [line for line in lines if line not in silent])
    step = sheet.position.phase.step
    if step is Step.ADJUSTMENTS:
        pieces = list(_with_sign_above(sheet.lexicon, pieces))
    orders = [read_line(each.text, sheet.lexicon, step) for each in pieces]
    ordered = {
        unit_spoken_of(sheet, each.shape)
        for each in chain.from_iterable(orders)
        if not isinstance(each.shape, places.BareUnit)
    }
    other_orders: list[Line] = []  # each may change the order of a unit that it names: "or Bud H"
    for piece in _with_headings(sheet, pieces, orders):
        between = _joint(sheet, joined[-1], piece, ordered) if joined else None
        if between is not None:
            joined[-1] = _join(joined[-1], piece, between, sheet.lexicon)
            other_orders += [piece] if between == BREAK else []
        else:
            joined.append(piece)
    written = [replace(piece, orders=_orders_of(sheet, piece)) for piece in joined]
    for at, (above_it, below_it) in enumerate(pairwise(joined)):
        whole = _as_one_order(sheet, above_it, below_it, ordered)
        if whole is not None and written[at + 1].orders:
            written[at : at + 2] = _both_in_doubt(written[at], written[at + 1], whole)
        elif _may_go_on_below(sheet, written[at], written[at + 1], ordered):
            written[at : at + 2] = _both_in_doubt(written[at], written[at + 1], None)
        elif _may_be_about(sheet, written[at], written[at + 1], is_last=at + 2 == len(joined)):
            doubt = Found.of(Doubt.UNDER_HEADING, text=below_it.shown)
            first = at if _may_be_name(below_it) and not _is_for_another(sheet, below_it) else 0
            written[first : at + 1] = [_with_note(each, doubt) for each in written[first : at + 1]]
    written = _with_remarks_on_all(sheet, pieces, written)
    written = _with_remarks_on_rows(sheet, pieces, other_orders, written)
    written = [_with_what_is_said_of_it(sheet, line, written) for line in written]
    written += [replace(line, orders=(_nothing_on(line.text.strip()),)) for line in silent]
    return tuple(sorted(written, key=lambda each: each.number) if silent else written)


def _with_remarks_on_all(sheet: Sheet, pieces: Sequence[Line], written: list[Line]) -> list[Line]:
    """Note what may be said of all orders in the first line, or in a last one that may go on with the one above."""
    is_tail = bool(pieces) and pieces[-1].number in written[-1].also
    if is_tail and (_says_more_than_signs(sheet, pieces[-1]) or _may_tell_all(sheet, pieces[-1])):
        doubt = Found.of(Doubt.UNDER_HEADING, text=pieces[-1].shown)  # "to be confirmed"
        written = [*(_with_note(each, doubt) for each in written[:-1]), written[-1]]
    if written and _goes_nowhere(sheet, written[0]):
        doubt = Found.of(Doubt.UNDER_HEADING, text=written[0].shown)
        written = [written[0], *(_with_note(each, doubt) for each in written[1:])]
    return written


def _with_remarks_on_rows(
    sheet: Sheet, pieces: Sequence[Line], other_orders: Sequence[Line], written: list[Line]
) -> list[Line]:
    """Note lines whose unit another line may order, too, or that another line calls by their number."""
    for other in other_orders:
        named = {code for token in other.tokens for code in named_codes(sheet, token.folded)}
        found = Found.of(Doubt.UNDER_HEADING, text=other.shown)
        units = [{unit.province for e in line.orders if (unit := unit_spoken_of(sheet, e.shape))} for line in written]
        written = [_with_note(line, found) if named & own else line for line, own in zip(written, units, strict=True)]
        if sheet.position.phase.step is Step.ADJUSTMENTS:  # "or A Mun" may be instead of either
            written = [_with_note(line, found) for line in written]
    for at, other in enumerate(pieces):
        row = _row_called(sheet, pieces[:at], other)
        found = Found.of(Doubt.UNDER_HEADING, text=other.shown)
        written = [_with_note(each, found) if row in (each.number, *each.also) else each for each in written]
    return written


def _goes_nowhere(sheet: Sheet, line: Line) -> bool:
    """Say whether a line is read as moves of no unit to no place: "to be confirmed"."""
    moves = [each.shape for each in line.orders if isinstance(each.shape, places.Moves)]
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
    said = _cut_words(called["rest"], sheet.lexicon)
    is_order = any(
        each.mark is Mark.DASH or sheet.lexicon.sign_of(each.folded) or named_codes(sheet, each.folded) for each in said
    )
    again = read_line(called["rest"], sheet.lexicon, step) if said else ()
    own = [each for each in again if unit_spoken_of(sheet, each.shape) is not None]
    is_goal = all(isinstance(each.shape, places.BareUnit) and not _is_lettered(sheet, each) for each in own)
    if not is_order or not is_goal:
        return None  # "3 orders"
    number = int(called["number"]) if called["number"] else ORDINALS[called["word"].lower()]
    orders = [
        each for each in above if any(unit_spoken_of(sheet, e.shape) for e in read_line(each.text, sheet.lexicon, step))
    ]
    printed = {int(found[1]): each.number for each in orders if (found := PRINTED_NUMBER.match(each.shown))}
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
    return says_more and not is_placed and not _takes_help_back(sheet, piece, orders)


def _may_tell_all(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line without a place is one word for holding, "halt!", or a legend: "moves = supports"."""
    words = [token.folded for token in piece.tokens if token.folded]
    is_hold = len(words) == 1 and len(words[0]) > 1 and sheet.lexicon.sign_of(words[0]) is SignSense.HOLD
    return is_hold or ("=" in piece.text and len(words) > 1 and not any(map(sheet.lexicon.is_listed, words)))


def _with_note(line: Line, doubt: Found) -> Line:
    """Note that another line may change this one; one such line is enough."""
    is_noted = any(each.doubt is doubt.doubt for each in line.notes)
    return line if is_noted else replace(line, notes=(*line.notes, doubt))


def _plain_headings(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the headings above the first order that say only whose orders these are, and when: "Fall 1902, Italy"."""
    said, present = _words_of_now(sheet)
    written = [line for line in lines if line.text.strip()]
    for line in written[:-1]:
        label, _, name = line.text.partition(":")
        if NAMES_A_PERSON.fullmatch(name) and fold_word(label) in {"player", "name"}:
            yield line
            continue
        words = {each for word in re.split(r"[\s,:;=]+", line.text) for each in _words_of_time(fold_word(word))} - {""}
        numbers = {word for word in words if word.isdecimal()} - present
        if not words or not words <= said or (numbers and words.isdisjoint(NUMBERED)):
            return
        yield line


def _words_of_now(sheet: Sheet) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a heading that is of this power and phase; and those that are of this phase alone."""
    phase = sheet.position.phase
    nation = {word for word, power in sheet.lexicon.nations.items() if power is sheet.power}
    present = STEP_WORDS[phase.step] | SEASON_WORDS[phase.season] | {str(phase.year), str(phase.year)[-2:]}
    others = frozenset[str]().union(*STEP_WORDS.values(), *SEASON_WORDS.values()) - present
    return ((HEADINGS | OF_A_HEADING) - others) | present | nation, present


NAMES_A_PERSON = re.compile(r"(\s+[A-Z][\w'.-]*){1,3}\s*")
NUMBERED = frozenset({"game", "board", "round", "team"})
PLACES_AT_TABLE = NUMBERED | {"table", "tisch", "seat", "runde", "manche"}  # "Table 4"
CALLED = PLACES_AT_TABLE | {"gm", "sir", "madam", "tel", "phone", "email", "mail", "definitive", "north"}


EMPTY_ROW = re.compile(r"\s*(?:(?:\d+\s*[.):]?\s*)?[-–—]{1,2}|(?P<step>\w+)\s*:\s*[-–—]*)\s*")  # "4. -", "Builds:"


def _empty_rows_below(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the rows with no more than a dash, its number or another step, below the last order."""
    others = OTHER_STEPS[sheet.position.phase.step]
    rows = [EMPTY_ROW.fullmatch(line.text) for line in lines]
    written = [
        at for at, row in enumerate(rows) if row is None or (row["step"] and fold_word(row["step"]) not in others)
    ]
    text = blank_harmless(lines[written[-1]].text) if written else ""
    if not _cut_words(text, sheet.lexicon):
        return
    orders = read_line(text, sheet.lexicon, sheet.position.phase.step)
    shape = orders[-1].shape if orders and not orders[-1].rest else None
    if isinstance(shape, places.Holds | places.Builds) or (isinstance(shape, places.Moves) and shape.steps):
        yield from lines[written[-1] + 1 :]


WHEN = re.compile(  # "14:32", "2 pm", "28/8/1999"
    r"\b\d{1,2}(?:[:.h]\d\d|\s*[ap]m|\s*uhr|[./-]\d{1,2}[./-](?:19|20)?\d\d)\b", re.IGNORECASE
)
INITIAL = re.compile(r"\b[A-Z]\.(?=[\s-]*[A-Z])")


def _signatures(sheet: Sheet, lines: Sequence[Line]) -> list[Line]:
    """Find the lines that say no more than whose the others are."""
    signed = [line for line in lines if _says_whose(sheet, line)]
    return signed if any(line.text.strip() for line in lines if line not in signed) else []


def _says_whose(sheet: Sheet, line: Line) -> bool:
    """Say whether a line says no more than who ordered, for whom and when: "Austria – Anna Berger, 14:32".

    A name counts where it is the player's, or where one is due: "signed: P. Miller". One that may be a place is none.
    """
    text, times = WHEN.subn(" ", line.text)
    written = [word for word in re.split(r"[\s,:;=/()|–—-]+", INITIAL.sub(" ", text)) if fold_word(word)]
    words = [fold_word(word) for word in written]
    own = {fold_word(word) for word in re.split(r"[\s-]+", sheet.player)}
    plain, present = _words_of_now(sheet)
    is_named = any(word in SIGNED or word in {"name", "player"} for word in words)
    names = 0
    for before, word, folded in zip(("", *words), written, words, strict=False):
        parts = _words_of_time(folded)
        if before in PLACES_AT_TABLE and (len(folded) == 1 or folded.isdecimal()):
            continue  # "Game C", "Board 12"
        if before == "season" and SEASON_OF.get(folded) in present:
            continue
        if folded in own or (is_named and _is_name(sheet, word)):
            names += not sheet.lexicon.is_known(folded)
        elif (
            not all(each in plain | SIGNED | PLACES_AT_TABLE for each in parts)
            or {*filter(str.isdecimal, parts)} - present
        ):
            return False
    return bool(names or times)


SAID_OF_VOTES = frozenset({"yes", "oui", "ja", "nein", "non"})


def _is_silent(sheet: Sheet, line: Line) -> bool:
    """Say whether a line is for no unit: dashes, "Best regards", or that there is nothing in another step."""
    written = re.split(r"[\s,:/.!]+", line.text)
    said = [fold_word(word) for word in written]
    words = {*said} - {""}
    if RULE.fullmatch(line.text) or "".join(said) in PLAIN_LINES:
        return True
    if words & GREETS:
        others = [word for word in written if fold_word(word) not in BESIDE_GREETINGS | {""}]
        return all(_is_name(sheet, word) for word in others) and len(others) < 3
    if _is_message(sheet, words):
        return True
    is_seat = bool(words & PLACES_AT_TABLE) and all(word in PLACES_AT_TABLE or word.isdecimal() for word in words)
    if _is_sum(sheet, words) or is_seat:
        return True
    if words & FOR_THE_DIRECTOR and words <= FOR_THE_DIRECTOR | NO | NOTHING | SAID_OF_VOTES:
        return True
    step = sheet.position.phase.step
    if (step is Step.MOVEMENT and "".join(said) in NO_MORE) or _is_for_rest(sheet, line.text):
        return True
    steps = _steps_of_others(sheet)
    return bool(words & steps and words & (NO | NOTHING | {"0", "na"})) and words <= steps | BESIDE_NOTHING


def _is_message(sheet: Sheet, words: Set[str]) -> bool:
    """Say whether a line is for another power, or of it, and about no order: "Russia is a liar"."""
    others = {word for word in words if sheet.lexicon.nations.get(word, sheet.power) is not sheet.power}
    return bool(others and words & HEARTY) and words <= others | HEARTY | BESIDE_HEARTY


def _is_name(sheet: Sheet, word: str) -> bool:
    """Say whether a word beside a greeting is a person's; a short one may be as near to a place: "Cheers, Bob"."""
    folded = fold_word(word)
    is_near = len(folded) < 5 and sheet.lexicon.sense(folded).how is WordMatch.NEAR
    is_said_of_orders = folded in UNSETTLES | EVERYONE  # "Thanks, Swapped"
    return word.istitle() and not is_said_of_orders and (is_near or not sheet.lexicon.may_be_meant(folded))


def _is_sum(sheet: Sheet, words: Set[str]) -> bool:
    """Say whether a line does no more than count the units that there are: "= 3 orders", "3 SCs, 3 units"."""
    numbers = {word for word in words if word.isdecimal()}
    is_right = {int(number) for number in numbers} == {len(sheet.own)}
    return sheet.position.phase.step is Step.MOVEMENT and is_right and words - numbers <= COUNTED


def _is_without_words(line: Line) -> bool:
    """Say whether a line has ink and no word: a tick, "(3)"; a number that may be printed before a row is none."""
    text = line.text.strip()
    return bool(text) and not tokenize(blank_harmless(text)) and re.fullmatch(r"\d+\W*", text) is None


def _steps_of_others(sheet: Sheet) -> Set[str]:
    """The words for steps that are not the present one; in winter also for what the power need not do."""
    step = sheet.position.phase.step
    if step is not Step.ADJUSTMENTS:
        return OTHER_STEPS[step]
    due = balances(sheet.position).get(sheet.power, 0)
    return OTHER_STEPS[step] | (TAKING_OFF if due > 0 else PUTTING_ON if due < 0 else frozenset())


def _cut_lines(sheet: Sheet, lines: Sequence[Line]) -> list[Line]:
    """Cut lines into words, without blank ones; a line whose unit the next one may repeat is asked."""
    pieces: list[Line] = []
    for line in lines:
        piece = _cut_line(sheet, line, pieces[-1] if pieces else None)
        if pieces and _repeats_unit(sheet, line):
            above = pieces[-1]
            pieces[-1] = replace(above, notes=(*above.notes, Found.of(Doubt.UNDER_HEADING, text=piece.shown)))
        if piece.tokens:
            pieces.append(piece)
    return pieces


def _with_what_is_said_of_it(sheet: Sheet, line: Line, lines: Sequence[Line]) -> Line:
    """Note another line, of no order, that says what a goal means or takes this unit's order back: "Gal = Boh"."""
    goals = {
        code for each in line.orders for p in getattr(each.shape, "steps", ()) for code in named_codes(sheet, p.folded)
    }
    units = {unit_spoken_of(sheet, each.shape) for each in line.orders} - {None}
    own = {unit.province for unit in units if unit is not None}
    if sheet.position.phase.step is Step.ADJUSTMENTS:  # where a unit is to be built none stands yet
        built = (place.folded for each in line.orders if (place := _unit_words_of(each).place) is not None)
        own |= {code for word in built for code in named_codes(sheet, word)}
    is_own_legend = _is_legend(line)
    elsewhere = {unit.province for unit in sheet.own} - own
    if own and not elsewhere.isdisjoint(_denied_places(sheet, line)):
        line = replace(line, notes=(*line.notes, Found.of(Doubt.NOT_ALL_READ, text=line.shown)))
    for other in lines:
        words = {token.folded for token in other.tokens}
        lettered = any(_is_lettered(sheet, each) for each in other.orders)
        denied = _denied_places(sheet, other) if other is not line else frozenset[str]()
        is_bare = all(isinstance(each.shape, places.BareUnit | places.Senseless) for each in other.orders)
        if denied & own or ((other.also or is_bare) and denied & goals):  # "Bud instead of Gal"
            return _with_note(line, Found.of(Doubt.UNDER_HEADING, text=other.shown))
        if is_own_legend and lettered and "=" not in other.text:
            found = Found.of(Doubt.UNDER_HEADING, text=other.shown)
            return replace(line, notes=(*line.notes, found))  # "Bud = Vie" below "A Vie - Gal" is no order
        beside = [word for each in other.orders for word in _words_in(each.rest)] if other.also else []
        if other is not line and any(not goals.isdisjoint(named_codes(sheet, word)) for word in beside):
            return _with_note(line, Found.of(Doubt.UNDER_HEADING, text=other.shown))  # "Gal was a slip"
        if other is not line and own & _told_behind_an_order(sheet, other):
            return _with_note(line, Found.of(Doubt.UNDER_HEADING, text=other.shown))
        if other is line or lettered:
            continue
        says_more = any(each.rest or isinstance(each.shape, places.Senseless) for each in other.orders)
        is_open = says_more and not any(unit_spoken_of(sheet, each.shape) for each in other.orders)
        names = (p.folded for e in other.orders for p in (_unit_words_of(e).place, *getattr(e.shape, "steps", ())) if p)
        whose = {word.removesuffix("s") for word in words}  # "Kie's order"
        named = {code for word in (*words, *names, *whose) for code in named_codes(sheet, word)}
        is_told = bool(named & goals) and (is_open or (_is_legend(other) and not is_own_legend))
        is_told = is_told or any(_may_change_goal(sheet, each, goals) for each in other.orders)
        is_exchange = TWO_WAYS.search(other.text) is not None
        is_taken_back = bool(words & (DENYING if is_open else TAKEN_BACK | EXCHANGES)) or is_exchange
        is_remark = says_more and all(token.mark is not Mark.DASH for token in other.tokens)
        is_remark = is_remark and all(
            isinstance(e.shape, places.BareUnit | places.Senseless)
            or not words.isdisjoint(ROWS)
            or (isinstance(e.shape, places.Moves) and not e.shape.has_sign)  # "Bud gets Vie's order"
            for e in other.orders
        )
        is_taken_back = (is_taken_back or is_remark) and bool(named & own)
        if is_told or is_taken_back:
            found = Found.of(Doubt.UNDER_HEADING, text=other.shown)
            return line if found in line.notes else replace(line, notes=(*line.notes, found))
    return line


REASONS = (IF - BUT) | {"before", "after", "because", "since", "as"}  # they change the order before them
TELLS = DENYING | EXCHANGES | {"replaces"}


def _told_behind_an_order(sheet: Sheet, line: Line) -> frozenset[str]:
    """The provinces that words behind an order keep back or take back: "A Ser - Gre (Vie stays)", "… instead of Vie".

    A goal that the unit itself could have is denied to it: "A Ank - Con, not Smy".
    """
    is_exchange = TWO_WAYS.search(line.text) is not None  # "A Ven <-> A Rom"
    told = {code for word in _words_in(line.text) if is_exchange for code in named_codes(sheet, word)}
    for each in line.orders:
        unit, words, rest = unit_spoken_of(sheet, each.shape), _words_in(each.text), _words_in(each.rest)
        if unit is None or not isinstance(each.shape, places.Moves) or (rest and rest[0] in REASONS):
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


def _is_lettered(sheet: Sheet, written: Entry) -> bool:
    """Say whether a unit's letter stands before what may be a place, and not before another word: "a slip"."""
    unit = _unit_words_of(written)
    return unit.letter is not None and (unit.place is None or sheet.lexicon.may_be_meant(unit.place.folded))


TWO_WAYS = re.compile(r"<[-=~–—]*>|[↔⟷⇄⇆⇋⇌↕⇅⇵]")  # "Vie <-> Bud"


def _may_change_goal(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether a move of no own unit begins where another order goes: "Gal -> Boh" may mean Bohemia for Galicia."""
    shape = written.shape
    if not isinstance(shape, places.Moves) or shape.unit.place is None or unit_spoken_of(sheet, shape) is not None:
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


def named_codes(sheet: Sheet, word: str) -> tuple[str, ...]:
    """The provinces that a word names, in the table or in another language; none of a word that only may be a slip."""
    sense = sheet.lexicon.sense(word)
    is_name = sense.how in {WordMatch.LISTED, WordMatch.DISPUTED, WordMatch.OTHER_NAME}
    return sense.codes if is_name else sheet.lexicon.spoken.get(word, ())


def _is_legend(line: Line) -> bool:
    """Say whether a line may say what a word stands for, "Gal = Boh": it names no unit's letter."""
    return "=" in line.text and all(_unit_words_of(each).letter is None for each in line.orders)


def _nothing_on(text: str) -> Entry:
    """What a line of dashes or dots orders, or a heading."""
    return Entry(places.Senseless(places.UnitWords(), text, is_for_all=True), text)


def _with_sign_above(lexicon: Lexicon, pieces: Sequence[Line]) -> Iterator[Line]:
    """Write a sign that stands alone above units, "Builds:", before each of them; the first takes up its line."""
    above: Line | None = None
    is_first = False
    for piece, after in zip_longest(pieces, pieces[1:]):
        if _is_sign_alone(lexicon, piece) and after is not None and _names_units_only(lexicon, after):
            above, is_first = piece, True
        elif above is not None and _names_units_only(lexicon, piece):
            joined = _join(above, piece, " ", lexicon)
            yield joined if is_first else replace(joined, number=piece.number, shown=piece.shown, also=())
            is_first = False
        else:
            above = None
            yield piece


def _is_sign_alone(lexicon: Lexicon, piece: Line) -> bool:
    """Say whether a line is a word for building or disbanding, and no more."""
    words = [token.folded for token in piece.tokens]
    is_word = len(words) == 1 and len(words[0]) > 1 and words[0] != "scrap"  # it may be the lines that are scrapped
    return is_word and lexicon.sign_of(words[0]) in WINTER_SIGNS


def _names_units_only(lexicon: Lexicon, piece: Line) -> bool:
    """Say whether units stand on a line and nothing is said of them."""
    orders = read_line(piece.text, lexicon, Step.ADJUSTMENTS)
    return all(isinstance(each.shape, places.BareUnit) and not each.rest for each in orders)


def _with_headings(sheet: Sheet, pieces: Sequence[Line], orders: Sequence[tuple[Entry, ...]]) -> Iterator[Line]:
    """Note what stands under a heading that may change it, "Next season:", or above a line that takes it back.

    Of a correction, "sorry, Boh", and the line above it each may change the other.
    """
    taken_back = [
        at for at, piece in enumerate(pieces) if _is_heading(sheet, piece, orders[at]) and _takes_back(sheet, piece)
    ]
    of_kinds = {at: kinds for at, piece in enumerate(pieces) if (kinds := _kinds_told(sheet, piece, orders[at]))}
    corrected = {
        at
        for at, piece in enumerate(pieces)
        if at and (_corrects(sheet, piece, orders[at]) or _may_tell_a_goal(sheet, orders[at - 1], piece, orders[at]))
    }
    unsettling = _find_unsettling(sheet, pieces, orders)
    above: Line | None = None
    for at, piece in enumerate(pieces):
        is_other_time = _tells_another_time(sheet, piece, orders[at])
        is_heading = is_other_time or _is_heading(sheet, piece, orders[at])
        if is_heading:
            words = {word for token in piece.tokens for word in _words_of_time(token.folded)}
            plain = HEADINGS | STEP_WORDS[sheet.position.phase.step] | sheet.lexicon.nations.keys()
            plain |= _signs_below(sheet, at, pieces, orders)
            is_plain = words <= plain and not (is_other_time or _names_another(sheet, piece))
            above = piece if words & SPOILERS or not is_plain else None
        beside = above
        if beside is None and at in corrected:
            beside = pieces[at - 1]
        if beside is None and at + 1 in corrected:
            beside = pieces[at + 1]
        if beside is None and taken_back and at < taken_back[-1]:
            beside = pieces[taken_back[-1]]
        if beside is None and unsettling is not None and at != unsettling:
            beside = pieces[unsettling]
        if beside is None and at not in of_kinds:
            told = (other for other, kinds in of_kinds.items() if _is_told(sheet, orders[at], orders[other], kinds))
            beside = next((pieces[other] for other in told), None)
        if beside is None and any(isinstance(each.shape, places.Supports | places.Convoys) for each in orders[at]):
            beside = next(
                (other for other, said in zip(pieces, orders, strict=True) if _takes_help_back(sheet, other, said)),
                None,
            )
        if beside is None or is_heading:
            yield piece
        else:
            yield replace(piece, notes=(*piece.notes, Found.of(Doubt.UNDER_HEADING, text=beside.shown)))


def _signs_below(sheet: Sheet, at: int, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> Set[str]:
    """The words for building alone, where builds stand below: "Builds:" changes none of them; so for disbanding."""
    kinds = {SignSense.BUILD: places.Builds, SignSense.DISBAND: places.Disbands}
    if sheet.position.phase.step is not Step.ADJUSTMENTS:
        return frozenset()
    below = {type(each.shape) for said in orders[at + 1 :] for each in said} - {places.Waives}
    words = (token.folded for token in pieces[at].tokens)
    signs = ((word, sheet.lexicon.sign_of(word)) for word in words)
    return {word for word, sign in signs if sign is not None and below == {kinds.get(sign)}}


FOR_THE_DIRECTOR = frozenset({"vote", "votes", "draw", "press"})  # "no draw" is about no order
INITIALS_AND_NAME = re.compile(  # "— H. Meier", "H. Meier, Italy"
    r"\W*(?:[A-Z]\.\s?)+(?P<name>[A-Z][a-z]{2,})\W*(?P<power>\w*)\W*"
)


def _is_heading(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line names no unit, and ends in a colon, names another power or may change other lines.

    So may a word alone that means nothing in an order, "Ideas", or "opposite day"; two may be a name.
    """
    words = [word for token in piece.tokens for word in _words_of_time(token.folded)]
    may_be = piece.text.rstrip().endswith(":") or not (SPOILERS | DENIES).isdisjoint(words)
    is_unknown = len(words) == 1 and words[0] not in HEADINGS and not sheet.lexicon.may_be_meant(words[0])
    says_nothing = is_unknown or set("".join(words)) == {"x"}  # "x" above rows may strike them out
    is_phrase = len(words) > 1 and piece.text.replace(" ", "").isalpha() and not _may_be_name(piece)
    is_plain = bool(((FAREWELL | sheet.lexicon.nations.keys()) - {"for"}).intersection(words))  # "For discussion"
    says_nothing = says_nothing or (
        is_phrase and not is_plain and all(_speaks_of_no_unit(sheet, each, frozenset()) for each in orders)
    )
    if not (may_be or says_nothing or _names_another(sheet, piece)):
        return False
    units = [_unit_words_of(each) for each in orders if not isinstance(each.shape, places.Waives)]
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    if is_winter and any(
        isinstance(each.shape, places.Builds | places.Disbands) and each.shape.unit.is_empty for each in orders
    ):
        return False  # "Builds:"
    return bool(units) and all(unit.place is None or not sheet.lexicon.is_listed(unit.place.folded) for unit in units)


def _find_unsettling(sheet: Sheet, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> int | None:
    """Find the line that may change all the others, if there is one."""
    last = len(pieces) - 1
    return next(
        (
            at
            for at, (piece, said) in enumerate(zip(pieces, orders, strict=True))
            if _unsettles(sheet, piece, said)
            or _speaks_of_others(piece, said)
            or (at == last and _is_condition(sheet, piece, said))
        ),
        None,
    )


def _speaks_of_others(piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a remark may change other lines, behind an order, too: "F Tri H (all of this only if needed)"."""
    if any(isinstance(each.shape, places.Waives) for each in orders):
        return False  # "no more builds"
    words = {token.folded for token in piece.tokens}
    rows = words & OTHER_ROWS
    return bool(rows) and (bool(words & SPOILERS) or (len(rows) > 1 and bool(words & NOTHING)))


def _unsettles(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line that names no unit may change all the others: "just kidding", "not the first", "↕", "??".

    A question mark alone is a row that could not be read.
    """
    if any(isinstance(each.shape, places.Waives) for each in orders):
        return False  # "waive the last build"
    words = {token.folded for token in piece.tokens}
    is_question = piece.text.count("?") > 1 and not piece.text.strip(" ?!.")
    is_exchange = not piece.text.strip(" ()↕⇅⇵↔⟷⇄⇆⇋⇌")
    is_about_rows = bool(words & (SPOILERS | CORRECTS | NO | NOTHING | OFF)) and any(
        w in ROWS or w.isdecimal() for w in words
    )
    is_about_rows = is_about_rows or (
        bool(words & (ROWS - EVERYBODY)) and any(sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words)
    )
    is_labelled = bool(words & TAKEN_BACK) and LABEL.match(piece.text) is not None
    is_instead = sheet.position.phase.step is Step.ADJUSTMENTS and "instead" in words and words.isdisjoint(OF)
    is_hold = words.isdisjoint(REST) and any(  # "on hold"
        sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words if len(word) > 1
    )
    is_hold = is_hold and all(isinstance(each.shape, places.Holds) and each.shape.unit.is_empty for each in orders)
    is_doubt = is_about_rows or is_labelled or is_hold or bool(words & UNSETTLES)
    return is_question or is_exchange or is_instead or (is_doubt and _is_without_unit(sheet, orders))


def _is_condition(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether the last line of a sheet may make all the others depend on something: "if Italy agrees", "off"."""
    words = {token.folded for token in piece.tokens}
    is_open = bool(words & (IF - BUT)) or words <= OFF or piece.tokens[0].folded in OR
    is_order = not all(isinstance(each.shape, places.Senseless) for each in orders)
    if "only" in words and not is_order:
        return True  # "Vie only"
    return is_open and not any(unit_spoken_of(sheet, each.shape) for each in orders)


def _is_without_unit(sheet: Sheet, orders: Sequence[Entry]) -> bool:
    """Say whether no order of a line is for a unit that the table knows."""
    units = [_unit_words_of(each).place for each in orders]
    named = (place.folded for place in units if place is not None and place.folded not in ROWS)  # "both cancelled"
    return not any(map(sheet.lexicon.is_listed, named))


def _corrects(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line may change the one above it: "sorry, Boh", "no, F Alb", "this was a joke"."""
    if any(isinstance(each.shape, places.Waives) for each in orders):
        return False
    words = [token.folded for token in piece.tokens]
    is_bare = _is_without_unit(sheet, orders)
    return not CORRECTS.isdisjoint(words[:2]) or (is_bare and not CORRECTS.isdisjoint(words))


def _may_tell_a_goal(sheet: Sheet, above: Sequence[Entry], piece: Line, below: Sequence[Entry]) -> bool:
    """Say whether a line without a unit, "va à Galicia", may say where a supported unit goes."""
    if not above or not isinstance(above[-1].shape, places.Supports) or above[-1].shape.steps:
        return False
    units = [_unit_words_of(each) for each in below]
    orders = (places.Moves, places.Supports, places.Convoys)
    if any(unit.is_empty and isinstance(each.shape, orders) for unit, each in zip(units, below, strict=True)):
        return False  # it continues the line above, or has its own doubt
    is_bare = all(
        unit.letter is None and not (unit.place and sheet.lexicon.is_listed(unit.place.folded)) for unit in units
    )
    signs = LineReader(piece.tokens, piece.text, sheet.lexicon, sheet.position.phase.step)
    return is_bare and any(
        sheet.lexicon.is_listed(token.folded) or signs.sign(at) is SignSense.TO for at, token in enumerate(piece.tokens)
    )


def _may_be_about(sheet: Sheet, above: Line, below: Line, *, is_last: bool) -> bool:
    """Say whether a line that orders no unit may speak of the line above: "read Gal for Boh", "gilt nicht", "↕".

    Greetings and two or three names under the last order do not.
    """
    words = [word for token in below.tokens for word in _words_of_time(token.folded)]
    said = FAREWELL | sheet.lexicon.nations.keys() | (NO if FOR_THE_DIRECTOR.intersection(words) else frozenset())
    if is_last and _is_for_another(sheet, below):
        return True
    if _takes_help_back(sheet, below, below.orders):
        return False
    if below.text.rstrip().endswith(":") or said.issuperset(words):
        return False
    if is_last and _is_signature(sheet, below):
        return False
    if all(each.mark in {Mark.WORD, Mark.SLASH} and not any(map(str.isalpha, each.folded)) for each in below.tokens):
        return False  # "...", "42", "1/1"
    rest = [each for each in below.tokens if each.folded not in said and each.mark is Mark.WORD]
    is_name = 1 < len(words) < 5 and len(rest) < 4 and all(each.text.istitle() for each in rest)  # "Regards, Lena"
    is_name = is_name and HEADINGS.isdisjoint(words) and not any(sheet.lexicon.may_be_meant(e.folded) for e in rest)
    if words[0] in SIGNED or (is_last and is_name):
        return False
    goals = {phrase.folded for each in above.orders for phrase in getattr(each.shape, "steps", ())}
    return bool(below.orders) and all(_speaks_of_no_unit(sheet, each, goals) for each in below.orders)


def _is_for_another(sheet: Sheet, line: Line) -> bool:
    """Say whether a line says that a sheet is another power's, or for another time: "Italy", "for autumn"."""
    words = {token.folded for token in line.tokens} - {""}
    is_named = words <= sheet.lexicon.nations.keys() | OF_A_HEADING | {"by", "from"} and _names_another(sheet, line)
    return is_named or ("for" in words and _tells_another_time(sheet, line, line.orders))


def _speaks_of_no_unit(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether words are no order, and name no unit by its letter or by a sure name."""
    if _unit_words_of(written).letter is not None or not _orders_nobody(sheet, written, goals):
        return False
    return unit_spoken_of(sheet, written.shape) is None or _is_unit_near(sheet, written)


def _may_be_name(line: Line) -> bool:
    """Say whether a line may be somebody's name: "Bob Brown", and not "Sample Orders"."""
    words = [token.folded for token in line.tokens]
    are_names = all(token.text.istitle() or token.text.isupper() for token in line.tokens)
    return are_names and not (EVERYDAY_WORDS | HEADINGS).intersection(words)


def _is_unit_near(sheet: Sheet, written: Entry) -> bool:
    """Say whether a unit is found by nearness alone: "test" may be no Trieste."""
    place = _unit_words_of(written).place
    return place is not None and sheet.lexicon.sense(place.folded).how is WordMatch.NEAR


def _is_signature(sheet: Sheet, line: Line) -> bool:
    """Say whether a line is a name with its first names cut: "— H. Meier", "H. Meier (Italy)"."""
    signature = INITIALS_AND_NAME.fullmatch(line.text)
    if signature is None or sheet.lexicon.may_be_meant(fold_word(signature["name"])):
        return False
    return not signature["power"] or sheet.lexicon.nations.get(fold_word(signature["power"])) is sheet.power


def _orders_nobody(sheet: Sheet, written: Entry, goals: Set[str]) -> bool:
    """Say whether words are no order, or one for a unit where another one goes: "Boh = Gal" below "A Vie - Boh"."""
    shape, place = written.shape, _unit_words_of(written).place
    if isinstance(shape, places.Senseless | places.BareUnit):
        return not getattr(shape, "is_for_all", False)
    is_unknown = place is not None and not sheet.lexicon.is_listed(place.folded)
    if isinstance(shape, places.Holds):
        return is_unknown  # "navy holds"
    if isinstance(shape, places.Supports | places.Convoys):
        is_open = shape.of.place is not None and not sheet.lexicon.is_listed(shape.of.place.folded)
        return (is_unknown or (is_open and shape.unit.is_empty)) and not shape.steps  # "in case England helps"
    if isinstance(shape, places.Builds | places.Disbands):
        is_word = place is not None and not sheet.lexicon.may_be_place(place.folded)  # "to be confirmed"
        return place is not None and is_word and place.folded not in EVERYDAY_WORDS
    return isinstance(shape, places.Moves) and (
        (place is not None and place.folded in goals) or (is_unknown and not (shape.has_sign and shape.steps))
    )


def _names_another(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line names another power than that of the sheet."""
    words = (token.folded for token in piece.tokens if token.folded not in EVERYDAY_WORDS)
    nations = sheet.lexicon.nations
    powers = (nations.get(word) or nations.get(word.removesuffix("s"), sheet.power) for word in words)
    return any(power is not sheet.power for power in powers)


def _takes_back(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line takes all lines above it back: "ignore the above", "not valid"; one with a place may not."""
    words = {token.folded for token in piece.tokens}
    if piece.text.rstrip().endswith(":"):
        return False
    if words & FOR_THE_DIRECTOR and words <= FAREWELL | NO:
        return False
    names_place = any(len(word) > 1 and sheet.lexicon.is_listed(word) for word in words)
    return bool(words & TAKEN_BACK and words & LOOKS_UP) or (
        bool(words & (TAKEN_BACK | NOT | DENIES)) and not names_place
    )


def _takes_help_back(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line of no unit may deny a support or a convoy: "support is off", "no convoy"."""
    words = {token.folded for token in piece.tokens}
    is_about_help = not HELP.isdisjoint({sheet.lexicon.sign_of(word) for word in words if len(word) > 1})
    is_denial = not words.isdisjoint(DENYING | OFF)
    return is_about_help and is_denial and not any(unit_spoken_of(sheet, each.shape) for each in orders)


def _tells_another_time(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line is a heading of another season, year or step than the sheet's: "Autumn 1901", "Retreats"."""
    written = [token.folded for token in piece.tokens if token.folded]
    joined = _words_of_time("".join(written[-2:])) if written[-2:-1] and written[-2] in SEASON_OF else ()
    words = [word for each in (written[:-2] if len(joined) > 1 else written) for word in _words_of_time(each)]
    words += joined if len(joined) > 1 else ()
    phase, seasons = sheet.position.phase, frozenset[str]().union(*SEASON_WORDS.values())
    steps = frozenset[str]().union(*STEP_WORDS.values(), _steps_of_others(sheet)) - STEP_WORDS[phase.step] - HEADINGS
    said = HEADINGS | seasons | sheet.lexicon.nations.keys() | YEARS | YEARS_CUT | steps | STEP_WORDS[phase.step]
    if not set(words) <= said or not _is_without_unit(sheet, orders):
        return False
    present = SEASON_WORDS[phase.season]
    if phase.step is Step.ADJUSTMENTS:  # builds belong to the fall for some
        present |= SEASON_WORDS[Season.FALL]
    told = seasons.intersection(words)
    years = YEARS.intersection(words) or (YEARS_CUT.intersection(words) if told else frozenset())
    is_other_step = not steps.isdisjoint(words)  # "Spring 1903 retreats" above moves
    return is_other_step or bool(told - present) or not years <= {str(phase.year), str(phase.year)[-2:]}


SEASON_AND_YEAR = re.compile(r"([sfwpa])(\d\d|19\d\d)([mra]?)")
SEASON_OF = {"s": "spring", "f": "fall", "w": "winter", "p": "printemps", "a": "automne"}
STEP_OF = {"m": ("movement",), "r": ("retreats",), "a": ("adjustments",)}


def _words_of_time(word: str) -> tuple[str, ...]:
    """Part a season's letter from its year and its step, "F1902", "F1902R"; any other word is left."""
    parts = SEASON_AND_YEAR.fullmatch(word)
    if parts is None:
        return (word,)
    return (SEASON_OF[parts[1]], parts[2], *(STEP_OF[parts[3]] if parts[3] else ()))


def _kinds_told(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> frozenset[Kind]:
    """The kinds of unit that a line without a place tells what to do, or not: "no army moves", "all units hold"."""
    words = {token.folded for token in piece.tokens}
    if any(isinstance(each.shape, places.Waives) for each in orders) or not _is_without_unit(sheet, orders):
        return frozenset()
    if any(_is_lettered(sheet, each) and unit_spoken_of(sheet, each.shape) is not None for each in orders):
        return frozenset()  # "Fleet Gulf of Lyons holds"
    kinds = frozenset(LETTERS[word] for word in words if word in LETTERS and len(word) > 1)
    signs = {sheet.lexicon.sign_of(word) for word in words if len(word) > 1 or word in {"h", "d"}} - {None}
    of_heading = LETTERS.keys() | HEADINGS | FILLERS | OWN | sheet.lexicon.nations.keys() | {""}
    if words <= of_heading or not (kinds or signs or words & (SPOILERS | DENYING)):
        return frozenset()  # "Armies:"
    if kinds and "only" in words:
        return frozenset(Kind)
    is_for_rest = not words.isdisjoint(REST - {"reste"})
    if kinds or is_for_rest:
        return kinds
    is_for_all = not words.isdisjoint(EVERYONE) or (words <= NO | NOT | STEP_WORDS[sheet.position.phase.step])
    return frozenset(Kind) if is_for_all else kinds


def _is_told(sheet: Sheet, orders: Sequence[Entry], others: Sequence[Entry], kinds: Set[Kind]) -> bool:
    """Say whether a line orders a unit of one of these kinds, and not the same as they are told to: to hold."""
    shapes = [each.shape for each in (*orders, *others)]
    are_alike = any(all(isinstance(shape, same) for shape in shapes) for same in (places.Holds, places.Disbands))
    units = [unit_spoken_of(sheet, each.shape) for each in orders]
    told = {unit.kind for unit in units if unit is not None} | {_unit_words_of(each).letter for each in orders}
    return not are_alike and not kinds.isdisjoint(told)


def _as_one_order(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> Entry | None:
    """Read a line that breaks off as one order with the line below, if that can be.

    A support or a convoy may end in a whole order; a move in the place of a unit of one's own: "A Vie -" above "Bud";
    the move that a support helps in a mere place.
    """
    step = sheet.position.phase.step
    text = above.text.rstrip(" ,;")
    above = replace(above, text=text, tokens=tuple(each for each in above.tokens if each.end <= len(text)))
    if not above.tokens:
        return None
    end = LineReader(above.tokens, above.text, sheet.lexicon, step).sign(len(above.tokens) - 1)
    helps = step is Step.MOVEMENT and end in {SignSense.SUPPORT, SignSense.CONVOY}
    may_go_on = end in DANGLES and _may_end_in_unit(sheet, below, ordered)
    if not (helps or may_go_on or (step is Step.MOVEMENT and _may_end_in_goal(sheet, above, below))):
        return None
    orders = read_line(_join(above, below, " ", sheet.lexicon).text, sheet.lexicon, step)
    whole = places.Supports | places.Convoys if helps else places.Moves | places.Supports | places.Convoys
    is_one = (
        len(orders) == 1 and isinstance(orders[0].shape, whole) and not orders[0].rest
    )  # "… via convoy" is at its end
    return orders[0] if is_one else None


def _may_end_in_unit(sheet: Sheet, below: Line, ordered: Set[Unit | None]) -> bool:
    """Whether an order may end in the line below: that names one own unit, which no other line has an order for."""
    after = read_line(below.text, sheet.lexicon, sheet.position.phase.step)
    shape = after[0].shape if len(after) == 1 else None
    return isinstance(shape, places.BareUnit) and unit_spoken_of(sheet, shape) not in {None, *ordered}


def _may_end_in_goal(sheet: Sheet, above: Line, below: Line) -> bool:
    """Whether the place that a support may help a unit to stands alone in the line below, without a unit's letter."""
    shapes = [
        tuple(each.shape for each in read_line(line.text, sheet.lexicon, Step.MOVEMENT)) for line in (above, below)
    ]
    match shapes:
        case [(places.Supports(steps=(), is_complete=True),), (places.Moves(unit=unit, steps=(_,)),)]:
            return unit.is_empty
        case [(places.Supports(steps=(), is_complete=True),), (places.BareUnit(unit=unit),)]:
            return unit.letter is None and unit.place is not None and sheet.lexicon.is_listed(unit.place.folded)
        case _:
            return False


def _may_go_on_below(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> bool:
    """Say whether words behind a unit that nobody understands may be a sign for the unit below: "backs", "hacia"."""
    if not above.orders or len(below.orders) != 1 or sheet.position.phase.step is Step.ADJUSTMENTS:
        return False
    last, first = above.orders[-1].shape, below.orders[0].shape
    if not isinstance(last, places.Senseless) or unit_spoken_of(sheet, last) is None:
        return False
    unit = unit_spoken_of(sheet, first)
    is_bare = isinstance(first, places.BareUnit) and unit not in {None, *ordered}
    is_word = len(last.words) > 2 and " " not in last.words and fold_word(last.words).isalpha()  # "appoggia"
    is_whole = isinstance(first, places.Moves | places.Holds) and is_word
    return is_bare or is_whole or (isinstance(first, places.Moves) and unit is None)


def _both_in_doubt(above: Line, below: Line, whole: Entry | None) -> list[Line]:
    """If two lines may be one order or two, both are asked."""
    *others, last = above.orders
    first = below.orders[0]
    return [
        replace(
            above,
            orders=(*others, last if whole is None else replace(last, other_shapes=(whole.shape,))),
            notes=(*above.notes, Found.of(Doubt.OTHER_PART, text=first.text)),
        ),
        replace(below, notes=(*below.notes, Found.of(Doubt.OTHER_PART, text=last.text))),
    ]


def _note_corrections(line: Line) -> Iterator[Found]:
    """Note that a line is crossed out or written over; the tournament's rules decide what that means."""
    if line.struck_out:
        yield Found.of(Doubt.STRUCK_OUT, text=line.text.strip())
    if line.overwritten:
        yield Found.of(Doubt.OVERWRITTEN, text=line.text.strip())


def _cut_line(sheet: Sheet, line: Line, above: Line | None) -> Line:
    """Cut one line, and put words in the place of its ditto marks; what orders no unit cannot be repeated surely."""
    text = blank_harmless(line.text)
    tokens = _cut_words(text, sheet.lexicon)
    notes = tuple(_note_corrections(line))
    if above and any(token.mark is Mark.DITTO for token in tokens):
        here, there = _length_of_unit(sheet, tokenize(text), text), _length_of_unit(sheet, above.tokens, above.text)
        text = _undo_dittos(text, above.tokens, (here, there))
        tokens = _cut_words(text, sheet.lexicon)
        orders = read_line(above.text, sheet.lexicon, sheet.position.phase.step)
        is_without_unit = not any(unit_spoken_of(sheet, each.shape) for each in orders)
        here_now = read_line(text, sheet.lexicon, sheet.position.phase.step)
        is_bare = any(isinstance(each.shape, places.BareUnit) for each in here_now)
        helps_itself = any(
            isinstance(e.shape, places.Supports | places.Convoys) and e.shape.of.place == e.shape.unit.place
            for e in here_now
        )  # "A Hol ditto" below "F Nth C A Hol - Edi"
        if is_without_unit or is_bare or helps_itself or _repeats_unit(sheet, line):  # "ditto Bud"
            notes = (*notes, Found.of(Doubt.UNDER_HEADING, text=above.shown))
    return replace(line, text=text, shown=line.text.strip(), tokens=tokens, notes=notes)


def _length_of_unit(sheet: Sheet, tokens: tuple[Token, ...], text: str) -> int:
    """How many words and signs the unit has that a line begins with; 0 if none is named."""
    said = tuple(takewhile(lambda token: token.mark is not Mark.DITTO, tokens))
    reader = LineReader(said, text, sheet.lexicon, sheet.position.phase.step)
    return reader.at if said and reader.unit().place is not None else 0


def _repeats_unit(sheet: Sheet, line: Line) -> bool:
    """Say whether ditto marks stand where a line's unit is due, or its place: nobody knows what unit they repeat.

    A place behind them is the unit's, and a whole line may be repeated; not behind a unit's letter, as in 'F " - Rum'.
    """
    tokens = _cut_words(blank_harmless(line.text), sheet.lexicon)
    begin = next((at for at, token in enumerate(tokens) if token.folded not in LETTERS.keys() | FILLERS | OWN), 0)
    after = next((at for at, token in enumerate(tokens) if at >= begin and token.mark is not Mark.DITTO), len(tokens))
    if begin or after in {0, len(tokens)}:
        return after > begin > 0
    return not LineReader(tokens[after:], line.text, sheet.lexicon, sheet.position.phase.step).is_place_word()


@lru_cache(maxsize=KEPT)
def read_line(text: str, lexicon: Lexicon, step: Step) -> tuple[Entry, ...]:
    """Read the orders of a line; cached, because a sheet is interpreted again and again."""
    return read_tokens(_cut_words(text, lexicon), text, lexicon, step)


@lru_cache(maxsize=KEPT)
def _cut_words(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """Cut a line; part what was written together, and join the signs of several words."""
    parted = unglue(tokenize(text), lexicon.is_known, lexicon.is_listed)
    if any(token.folded in lexicon.long_begin for token in parted):
        return join_signs(parted, lexicon.long_signs)
    return parted


def _join(above: Line, below: Line, between: str, lexicon: Lexicon) -> Line:
    """Make one line of two; a row number in front of the lower one is left out."""
    end = above.tokens[-1].start if between == HYPHEN else len(above.text)
    text = f"{above.text[:end]}{between}{below.text[below.tokens[0].start :]}"
    notes, also = (*above.notes, *below.notes), (*above.also, below.number)
    shown = f"{above.shown} {below.shown}"
    return replace(above, text=text, shown=shown, tokens=_cut_words(text, lexicon), notes=notes, also=also)


def _orders_of(sheet: Sheet, piece: Line) -> tuple[Entry, ...]:
    """Read the orders of a line; a single one is shown as it is on the paper, dittos and all.

    Whether the words of another line spoil an order is not known: they are left open, and asked.
    """
    orders = read_line(piece.text, sheet.lexicon, sheet.position.phase.step)
    if piece.also:
        orders = tuple(replace(each, is_spoilt=False) for each in orders)
    if len(orders) != 1 or orders[0].text == piece.shown:
        return orders
    return (replace(orders[0], text=piece.shown),)


def _undo_dittos(text: str, before: tuple[Token, ...], units: Sequence[int] = (0, 0)) -> str:
    """A ditto mark repeats the word above it; the last one on a line repeats the rest of that line.

    ``units``: how many words the units have, here and above; behind the one stands what is behind the other.
    Behind a sign that does not stand there above, nobody knows what it repeats: the line breaks off.

    >>> _undo_dittos('A Boh " A Mun - Ber', tokenize("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    >>> _undo_dittos('A Boh "', tokenize("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    >>> _undo_dittos('A Ruh S "', tokenize("A Mun - Bur"))
    'A Ruh S'
    """
    tokens = tokenize(text)
    if not any(token.mark is Mark.DITTO for token in tokens):
        return text
    words: list[str] = []
    above = at = 0
    while at < len(tokens):
        if tokens[at].mark is not Mark.DITTO:
            is_glued = bool(words) and tokens[at].tight and tokens[at - 1].mark is not Mark.DITTO  # "Mid-Atlantic"
            words[-1:] = [words[-1] + _spell(tokens[at])] if is_glued else [*words[-1:], _spell(tokens[at])]
            above, at = above + 1, at + 1
            continue
        above = units[1] if at == units[0] and all(units) else above
        if at > 0 and above <= len(before) and _sign_of(tokens[at - 1]) not in {None, _sign_of(before[above - 1])}:
            break
        run = at
        while run < len(tokens) and tokens[run].mark is Mark.DITTO:
            run += 1
        end = _next_like(tokens[run], before, above) if run < len(tokens) else len(before)
        end = min(end, run) if at == 0 and run < len(tokens) else end  # else the unit would be that of the line above
        words += [_spell(token) for token in before[above:end]]
        above, at = end, run
    return " ".join(words)


def _sign_of(token: Token) -> SignSense | None:
    """The sign that a token is, before anybody knows the tournament's own words."""
    return SignSense.TO if token.mark is Mark.DASH else SIGNS.get(token.folded)


def _next_like(token: Token, before: tuple[Token, ...], above: int) -> int:
    """Find where the word after a ditto mark stands in the line above; a word that is not there follows one ditto."""
    for index in range(above, len(before)):
        if before[index].mark is token.mark and before[index].folded == token.folded:
            return index
    return min(above + 1, len(before))


def _spell(token: Token) -> str:
    """Write a token again, brackets and all."""
    return f"({token.text})" if token.bracketed else token.text


def _joint(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> str | None:
    """What to put between two lines to join them: a space if the lower continues the upper, `BREAK` if it may.

    None: they are not joined.
    """
    step = sheet.position.phase.step
    is_open = all(isinstance(e.shape, places.BareUnit) for e in read_line(above.text, sheet.lexicon, step)[-1:])
    if not is_open and _is_signature(sheet, below):
        return None
    if _is_name_broken(above, below, sheet.lexicon):
        return HYPHEN
    if _is_name_in_two(sheet, above, below.tokens[0]):
        return " "
    if step is not Step.ADJUSTMENTS and _continues(sheet, above, below):
        return None if _may_end_in_unit(sheet, below, ordered) else " "
    before, after = (read_line(each.text, sheet.lexicon, step) for each in (above, below))
    if not before or not after or _unit_words_of(before[-1]).place is None or isinstance(after[0].shape, places.Waives):
        return None
    first, last = below.tokens[0].folded, above.tokens[-1].folded
    named = {code for token in below.tokens for code in sheet.lexicon.spoken.get(token.folded, ())}
    names_own_unit = any(unit_spoken_of(sheet, each.shape) is not None for each in after) or (
        first in TAKEN_BACK and any(unit.province in named for unit in sheet.own)  # "scratch Vie"
    )
    if {first, last} & (OR | IF) or first == "instead" or (first in SPOILERS and not names_own_unit):
        is_fleet = first == after[0].rest.lower() == "if" and _unit_words_of(after[0]).letter is None
        return None if is_fleet and names_own_unit and sheet.power is Power.ITALY else BREAK  # "IF Nap - Ion"
    return BREAK if step is not Step.ADJUSTMENTS and _is_tail(sheet, after[0], below) else None


HYPHEN = "\u00ad"  # put in the place of a hyphen at the end of a line; a word goes on behind it


def _is_name_broken(above: Line, below: Line, lexicon: Lexicon) -> bool:
    """Say whether a name is broken at the end of a line: "Nor-", and below it "way"."""
    first, last = below.tokens[0], above.tokens[-1]
    if len(above.tokens) < 2 or last.text not in places.HYPHENS or not last.tight:
        return False
    return lexicon.is_listed(above.tokens[-2].folded + first.folded)


def _is_name_in_two(sheet: Sheet, above: Line, first: Token) -> bool:
    """Say whether the last word of a line is a name with the first one below: "St", "Petersburg".

    By itself it is no name, or nothing is said of its unit yet: "F Eastern", "Mediterranean - Syr".
    """
    last, lexicon = above.tokens[-1], sheet.lexicon
    if lexicon.sign_of(last.folded) is not None or {last.folded, first.folded} & LETTERS.keys():
        return False
    if not (last.folded and first.folded and lexicon.is_listed(last.folded + first.folded)):
        return False
    before = read_line(above.text, lexicon, sheet.position.phase.step)
    return not lexicon.is_listed(last.folded) or (bool(before) and isinstance(before[-1].shape, places.BareUnit))


def _unit_words_of(written: Entry) -> places.UnitWords:
    """The words for the unit of an order; none for a waived build."""
    unit = getattr(written.shape, "unit", None)
    return unit if isinstance(unit, places.UnitWords) else places.UnitWords()


def _is_tail(sheet: Sheet, below: Entry, line: Line) -> bool:
    """Say whether a line has no unit of its own: it begins with a sign, or is a place or a coast and nothing else."""
    if _unit_words_of(below).letter is not None:
        return False
    if _unit_words_of(below).is_empty:
        start = LineReader(line.tokens, line.text, sheet.lexicon, sheet.position.phase.step)
        return isinstance(below.shape, places.Moves | places.Supports | places.Convoys) or start.sign() is not None
    if not isinstance(below.shape, places.BareUnit) or below.shape.unit.place is None:
        return False
    place = below.shape.unit.place
    if place.folded in sheet.lexicon.coasts and len(line.tokens) == 1:
        return True
    return sheet.lexicon.is_listed(place.folded) and unit_spoken_of(sheet, below.shape) is None


def _continues(sheet: Sheet, above: Line, below: Line) -> bool:
    """A line continues the line above if that one breaks off, or if it begins with a sign that needs a unit."""
    step = sheet.position.phase.step
    start = LineReader(below.tokens, below.text, sheet.lexicon, step)
    breaks_off = LineReader(above.tokens, above.text, sheet.lexicon, step).sign(len(above.tokens) - 1) in DANGLES
    sign = start.sign()
    if sign not in CONTINUES and not breaks_off:
        return False
    before = read_line(above.text, sheet.lexicon, step)
    after = read_line(below.text, sheet.lexicon, step)
    if not before or not after:
        return False  # nothing but commas
    last, first = before[-1], after[0]
    if not sign and _unit_words_of(last).is_empty:
        return False  # a line of dashes
    if isinstance(last.shape, places.Moves) and last.shape.steps:
        breaks_off = False  # "A Hol - Bel C": the sign at the end is how the army travels
    if sign in CONTINUES:
        if breaks_off or isinstance(last.shape, places.BareUnit):
            return not (sign is SignSense.TO and start.is_bullet())
        return (
            sign in {SignSense.BY, SignSense.CONVOY} and isinstance(last.shape, places.Moves) and len(below.tokens) <= 3
        )
    if not breaks_off:
        return False
    return isinstance(first.shape, places.BareUnit) or unit_spoken_of(sheet, first.shape) is None


NOT_FOLLOWED = (Message.of(Because.NOT_FOLLOWED),)


def decide_line(sheet: Sheet, draft: Entry, habits: Habits) -> Entry:
    """The first doubt that the rules do not let pass decides the line; without one it is followed as written."""
    verdicts = [v for found in draft.notes if (v := verdict_on(found, sheet.tournament))]
    reading = None
    if draft.fault is not None:
        verdicts.append(_verdict_on_fault(sheet, draft, draft.fault))
    else:
        reading = _take_reading(sheet, draft, habits, verdicts)
    if _is_partly_read(draft):
        verdicts = [
            each if each.fate in PASSED or each.found in draft.notes else _verdict_on_odd(sheet, draft)
            for each in verdicts
        ]
    if reading is not None:
        verdicts += _line_verdicts(sheet, draft, reading)
        verdicts += _sign_verdicts(sheet, draft)
        verdicts += [v for found in reading.doubts if (v := _verdict_on_reading(sheet, draft, reading, found))]
        verdicts += [_verdict_on_unknown(sheet, found) for found in reading.doubts if _may_be_sea(sheet, draft, found)]
    stopping = next((v for v in verdicts if v.fate is not Fate.FOLLOWED), None)
    if stopping is None and reading is not None:
        return _follow_line(draft, reading, verdicts)
    assert stopping is not None
    if stopping.found.doubt is Doubt.STRUCK_OUT and stopping.fate is Fate.HOLDS:
        stopping = replace(stopping, fate=Fate.NOBODY)  # a struck-out line orders nothing
    return _stop_line(sheet, draft, reading, stopping)


def _may_be_sea(sheet: Sheet, draft: Entry, found: Found) -> bool:
    """Say whether a wrong nationality in brackets may be a sea on the way: "A Pic (ENG) - Bel"."""
    aside = [token.folded for token in _cut_words(draft.text, sheet.lexicon) if token.bracketed]
    return found.doubt is Doubt.NATION and any(sheet.lexicon.is_listed(w) and sheet.lexicon.is_at_sea(w) for w in aside)


def _verdict_on_reading(sheet: Sheet, draft: Entry, reading: Reading, found: Found) -> Verdict | None:
    """The verdict on a doubt about an order; a fleet inland or an army at sea, "F Tyr - Lyo", is a misspelt one."""
    unit = getattr(reading.order, "unit", None)
    board = sheet.lexicon.board
    borders = board.fleet_borders if unit and unit.kind is Kind.FLEET else board.army_borders
    route = getattr(reading.order, "route", ())
    if found.doubt in NOBODYS and any(own.province in route for own in sheet.own):
        return _verdict_on_unknown(sheet, found)  # "A Lon - Bel C F Eng" may be the fleet's convoy
    if found.doubt is Doubt.NO_SUCH_UNIT and unit is not None and unit.place not in borders:
        return _verdict_on_unknown(sheet, found)
    place = _unit_place(draft)
    if found.doubt in NOBODYS and place is not None and place.folded == "both" and not _is_lettered(sheet, draft):
        return _verdict_on_unknown(sheet, found)  # "both hold": two units, and none in the Gulf of Bothnia
    if found.doubt is Doubt.COAST_NEEDED and any(each.doubt is Doubt.COAST_NEEDLESS for each in reading.doubts):
        return _verdict_on_unknown(sheet, found)  # "F MAO (nc) - Spa"
    if found.doubt is Doubt.COAST_NEEDLESS and _may_be_sign_of_support(sheet, draft, found):
        return _verdict_on_unknown(sheet, found)
    made = verdict_on(found, sheet.tournament)
    is_of_unit = found.doubt is Doubt.NATION and unit is not None and dict(found.data).get("unit") == str(unit)
    if is_of_unit and sheet.position.phase.step is Step.MOVEMENT and made is not None and made.fate is Fate.FOLLOWED:
        return _verdict_on_unknown(sheet, found)  # "Italy: A Vie - Gal": WM VI.2.d is about the units of others
    return made


def _may_be_sign_of_support(sheet: Sheet, draft: Entry, found: Found) -> bool:
    """Say whether the coast of a place that needs none is an S alone, "A Con - Bul S", or "N/S": it may break off."""
    place, _, coast = str(dict(found.data)["place"]).rpartition(" ")
    if "/" in coast:
        return True
    name = fold_word(place)
    words = [token.folded for token in _cut_words(draft.text, sheet.lexicon) if token.mark is Mark.WORD]
    return any(  # "A St Petersburg S move to Fin by F Bot"
        name.endswith(first) and sheet.lexicon.sign_of(after) is SignSense.SUPPORT for first, after in pairwise(words)
    )


PASSED = frozenset({Fate.FOLLOWED, Fate.ASK})


def _is_partly_read(draft: Entry) -> bool:
    """Say whether words with several meanings, a name alone or half an order are not all that is written."""
    if draft.fault is not None and draft.fault.doubt not in {Doubt.BARE_UNIT, Doubt.INCOMPLETE}:
        return False
    return draft.is_odd or (bool(draft.rest) and not draft.is_spoilt)


def apply_notes(sheet: Sheet, entry: Entry) -> Entry:
    """Apply the rules on notes, such as that a line is crossed out, to a line that is clear without `decide_line`."""
    verdicts = [v for found in entry.notes if (v := verdict_on(found, sheet.tournament))]
    by = next((v for v in verdicts if v.fate is not Fate.FOLLOWED), None)
    is_open = entry.status is Status.INVALID and by is not None and by.fate is Fate.ASK  # it may be another's order
    if not verdicts or not (entry.status is Status.CLEAR or is_open):
        return entry
    doubts = tuple(dict.fromkeys((*entry.notes, *entry.doubts)))
    if by is None:
        settings = tuple({each.path: each for each in (*(v.setting for v in verdicts), *entry.settings)}.values())
        because = (*chain.from_iterable(v.because for v in verdicts), *entry.because)
        return replace(entry, doubts=doubts, settings=settings, because=because)
    is_asked = by.fate is Fate.ASK
    return replace(
        entry,
        order=None,
        read=None,
        unit=entry.unit if is_asked else None,
        status=by.status,
        settings=(by.setting,),
        because=by.because,
        found=by.found,
        doubts=doubts,
        situation=sheet.situation(by.setting, by.found, entry.text) if is_asked else None,
    )


def _verdict_on_fault(sheet: Sheet, draft: Entry, fault: Found) -> Verdict:
    """A line that is no order: meaningless words, a bare unit, a word nobody knows."""
    usual = verdict_on(fault, sheet.tournament)
    assert usual is not None
    if draft.unit is None and (usual.fate is Fate.HOLDS or fault.doubt is Doubt.BARE_UNIT):
        if isinstance(draft.shape, places.Senseless) and draft.shape.is_for_all:
            return Verdict(Fate.NOBODY, Status.VOID, usual.setting, fault)
        return _verdict_on_unknown(sheet, fault)
    if draft.rest:
        return _verdict_on_unknown(sheet, Found.of(Doubt.EXTRA_WORDS, text=draft.rest))
    # "A VieGal", "A Vie | Gal": two names are an order, not a unit alone
    are_two = any(sense.how is WordMatch.NEAR or sense.are_alternatives for _, sense in draft.senses)
    is_slip = any(sense.how is WordMatch.NEAR for _, sense in draft.senses)  # "Test Sheet" may be no Trieste
    if isinstance(draft.shape, places.Senseless) and is_slip and draft.shape.unit.letter is None:
        return _verdict_on_unknown(sheet, fault)
    if fault.doubt is Doubt.BARE_UNIT and (draft.alternatives or are_two):
        return _verdict_on_unknown(sheet, Found.of(Doubt.SENSELESS, text=draft.text))
    if draft.fitting and fault.doubt is Doubt.ILLEGIBLE:
        return verdict(Fate.ASK, sheet.tournament.reading.illegible_own_orders, fault)
    if usual.fate is Fate.HOLDS and (draft.alternatives or draft.fitting or _may_be_order(sheet, draft, fault)):
        return _verdict_on_unknown(sheet, fault)
    return usual


GLUED = 4  # letters before a place: "into"


def _may_be_order(sheet: Sheet, draft: Entry, fault: Found) -> bool:
    """Say whether something may be meant by words that are no order: not by "dances" and "supports the Cubs".

    A mark may be, a short word, and a word that is a sign, a place or part of one ("toGal"), a slip of one, or a name:
    "A Par Burgundia". In winter all units hold.
    """
    shape, lexicon = draft.shape, sheet.lexicon
    if fault.doubt not in {Doubt.SENSELESS, Doubt.UNKNOWN_WORD}:
        if isinstance(shape, places.Supports | places.Convoys):
            return shape.of.nation is not None  # "S the French army"
        return isinstance(shape, places.Senseless)
    said = fold_word(getattr(shape, "words", ""))
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    if is_winter and lexicon.signs.get(said) is SignSense.HOLD and said != CROSSES:
        return False
    if fault.doubt is Doubt.UNKNOWN_WORD:
        if len(getattr(shape, "steps", ())) > 1 or (isinstance(shape, places.Moves) and shape.has_sign):
            return True
        if isinstance(shape, places.Supports | places.Convoys) and (shape.of.letter is not None or shape.steps):
            return True
        words = " ".join(phrase.text for phrase, sense in draft.senses if not sense.meanings)
    else:
        words = getattr(shape, "words", "") or draft.text
    tokens = _cut_words(words, lexicon)
    reader = LineReader(tokens, words, lexicon, sheet.position.phase.step)
    for at, token in enumerate(tokens):
        reader.at = at
        word = token.folded
        glued = (word[cut:] for cut in range(1, min(GLUED, len(word) - 3) + 1))
        is_known = word not in FILLERS and (word in ALIKE or lexicon.may_be_meant(word))
        is_known = is_known or (fault.doubt is Doubt.SENSELESS and _may_be_name_of_place(sheet, token))
        if token.mark is not Mark.WORD or is_known or any(map(lexicon.is_listed, glued)) or reader.known_length():
            return True
    return False


ALMOST = 0.9  # the likeness of a place's name in another language: "burgundia", and not "dances"


def _may_be_name_of_place(sheet: Sheet, token: Token) -> bool:
    """Say whether a word behind a unit may be a place that no table has: "Burgundia", or any name: "Paryż"."""
    is_name = len(token.text) > 2 and token.text.istitle()
    return is_name or any(each.likeness >= ALMOST for each in sheet.lexicon.sense(token.folded).meanings)


def _verdict_on_unknown(sheet: Sheet, found: Found) -> Verdict:
    """Unknown words beside an order, or instead of one, are never ignored."""
    setting = sheet.tournament.reading.misspelt_unsettled
    made = verdict(fate_of(setting.value), setting, found)
    return made if made.fate is not Fate.HOLDS else replace(made, fate=Fate.NOBODY)


def _take_reading(sheet: Sheet, draft: Entry, habits: Habits, verdicts: list[Verdict]) -> Reading | None:
    """Choose the one meaning of the words, or say why none can be chosen; what was decided is added to the verdicts."""
    rules = sheet.tournament.reading
    for phrase, sense in draft.senses:
        if (found := _doubt_in_word(phrase, sense)) is not None:
            if sense.is_firm:
                verdicts.append(_firm_verdict(sheet, found, sense))
            elif sense.how is WordMatch.NEAR and rules.misspelt.value is not Misspelt.FOLLOWED:
                verdicts.append(verdict(fate_of(rules.misspelt.value), rules.misspelt, found))
    if all(sense.is_firm for _, sense in draft.senses):
        verdicts += _ask_impossible_misspelling(sheet, draft)
        return draft.readings[0]
    found, unsettled = _worst_word(sheet, draft)
    settled = settle_meaning(sheet, draft, habits)
    if settled.reading is not None and settled.setting is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, settled.setting, found), why=settled.why))
        return settled.reading
    if draft.is_misspelt and (only := _only_likely_order(sheet, draft)) is not None:
        verdicts.append(replace(verdict(Fate.FOLLOWED, rules.misspelt, found), why=Because.NOTHING_ELSE))
        return only
    if settled.setting is not None:
        verdicts.append(verdict(Fate.ASK, settled.setting, found))
    else:
        verdicts.append(_verdict_for_unit(draft, unsettled, found))
    return None


def _ask_impossible_misspelling(sheet: Sheet, draft: Entry) -> Iterator[Verdict]:
    """A misspelt word that makes an impossible order may mean another place: it is asked, not held."""
    near = next(((phrase, sense) for phrase, sense in draft.senses if sense.how is WordMatch.NEAR), None)
    if near is not None and not draft.readings[0].is_possible:
        setting = sheet.tournament.reading.misspelt_unsettled
        found = _doubt_in_word(*near)
        assert found is not None
        yield _verdict_for_unit(draft, setting, found)


def _worst_word(sheet: Sheet, draft: Entry) -> tuple[Found, Setting[Any]]:
    """Name the doubt that no evidence settles, and the setting that decides then: a misspelt word before all others.

    In winter "B A Mos/War" may be both, and so may the seas of "via Ion/Aeg": they are asked.
    """
    rules = sheet.tournament.reading
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    phrase, sense = next((each for each in unsure if each[1].may_be_a_slip), unsure[0])
    found = _doubt_in_word(phrase, sense)
    assert found is not None
    may_be_both = sheet.position.phase.step is Step.ADJUSTMENTS or phrase in getattr(draft.shape, "over", ())
    if sense.may_be_a_slip or (sense.are_alternatives and (may_be_both or _is_a_slip_among(sheet, phrase))):
        return found, rules.misspelt_unsettled
    return found, rules.illegible_unsettled if sense.how is WordMatch.FITS else rules.word_unsettled


def _is_a_slip_among(sheet: Sheet, phrase: places.Phrase) -> bool:
    """Say whether one of several places with a stroke between them may be misspelt, or no place: "Vie/AUS"."""
    return "\\" in phrase.text or any(
        sheet.lexicon.sense(part).how in {WordMatch.NEAR, None} for part in phrase.folded.split("/")
    )


def _only_likely_order(sheet: Sheet, draft: Entry) -> Reading | None:
    """The only possible order, if the likeliest meaning of every doubtful word is the place it has in that order.

    A short word for the unit itself may mean another own one that begins with the same letter.
    """
    possible = [reading for reading in draft.readings if reading.is_possible]
    if len(possible) != 1:
        return None
    taken = dict(possible[0].words)
    unsure = [(phrase, sense) for phrase, sense in draft.senses if not sense.is_firm]
    place = _unit_place(draft)
    if place is not None and place in [phrase for phrase, _ in unsure] and len(place.folded) < sheet.lexicon.letters:
        names = [sheet.lexicon.words_for(unit.province) for unit in sheet.own]
        if sum(any(word[0] == place.folded[0] for word in words) for words in names) > 1:
            return None
    return possible[0] if all(sense.likely == taken[phrase] for phrase, sense in unsure) else None


def _unit_place(draft: Entry) -> places.Phrase | None:
    """The words for the place of the ordered unit."""
    unit = getattr(draft.shape, "unit", None)
    return unit.place if isinstance(unit, places.UnitWords) else None


def _verdict_for_unit(draft: Entry, setting: Setting[Any], found: Found) -> Verdict:
    """The verdict of a setting; a line of an unknown unit orders nothing instead of a hold."""
    made = verdict(fate_of(setting.value), setting, found)
    if draft.unit is None and made.fate is Fate.HOLDS:
        return Verdict(Fate.NOBODY, made.status, setting, found)
    return made


def _doubt_in_word(phrase: places.Phrase, sense: Sense) -> Found | None:
    if not sense.meanings or (sense.is_firm and sense.how is WordMatch.LISTED):
        return None
    codes = sense.codes
    if sense.is_elsewhere:
        return Found.of(Doubt.ELSEWHERE, text=phrase.text, codes=codes)
    match sense.how:
        case WordMatch.FITS:
            return Found.of(Doubt.ILLEGIBLE, text=phrase.text, codes=codes)
        case WordMatch.NEAR:
            return Found.of(Doubt.MISSPELT, text=phrase.text, codes=codes)
        case WordMatch.OTHER_NAME if sense.is_firm:
            return Found.of(Doubt.OTHER_NAME, text=phrase.text, codes=codes)
        case WordMatch.INITIALS if sense.is_firm:
            return Found.of(Doubt.INITIALS, text=phrase.text, codes=codes)
        case WordMatch.BEGINS if len(codes) == 1:
            return Found.of(Doubt.BEGINNING, text=phrase.text, codes=codes)
        case _ if not sense.is_firm:
            return Found.of(Doubt.TWO_PLACES, text=phrase.text, codes=codes)
        case _:
            return None


def _firm_verdict(sheet: Sheet, found: Found, sense: Sense) -> Verdict:
    """The verdict on an unlisted word with one meaning: abbreviated, misspelt, foreign, or partly illegible."""
    rules = sheet.tournament.reading
    if sense.how is WordMatch.FITS:
        evidence = {rules.illegible_reachability.value, rules.illegible_own_orders.value}
        if evidence == {EvidenceRule.IGNORED}:
            return verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)
        return verdict(fate_of(rules.misspelt.value), rules.misspelt, found)
    is_in_no_table = sense.how in {WordMatch.NEAR, WordMatch.OTHER_NAME}
    setting: Setting[Any] = rules.misspelt if is_in_no_table else rules.prefix
    return verdict(fate_of(setting.value), setting, found)


def _sign_verdicts(sheet: Sheet, draft: Entry) -> Iterator[Verdict]:
    """The verdict on a misspelt word for a build or a disband that is followed."""
    if isinstance(draft.shape, places.Builds | places.Disbands):
        for token in _cut_words(draft.text, sheet.lexicon):
            sign = sheet.lexicon.misspelt_sign(token.folded) if token.folded not in sheet.lexicon.signs else None
            if sign is not None:
                found = Found.of(Doubt.MISSPELT, text=token.text, codes=(sign.value,))
                yield verdict(Fate.FOLLOWED, sheet.tournament.reading.misspelt, found)


def _line_verdicts(sheet: Sheet, draft: Entry, reading: Reading) -> Iterator[Verdict]:
    """Words that belong to nothing, and an order without its sign, are treated as parts that cannot be read."""
    rules = sheet.tournament.reading
    reach_rule: EvidenceRule = rules.illegible_reachability.value
    if draft.rest:
        found = Found.of(Doubt.EXTRA_WORDS, text=draft.rest)
        if reach_rule is EvidenceRule.ASK:
            yield verdict(Fate.ASK, rules.illegible_reachability, found)
        elif draft.is_spoilt and draft.unit is not None and not _orders_another(sheet, draft):
            yield verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)
        else:
            yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)
    if getattr(draft.shape, "to_unit", False):
        found = Found.of(Doubt.UNIT_INSIDE, text=draft.text)
        yield verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)
    if getattr(draft.shape, "has_sign", True) is False:
        yield _verdict_without_sign(sheet, draft, reading)
    others = draft.alternatives
    if draft.is_odd and not draft.rest and (not others or any(each.is_possible for each in others)):
        yield _verdict_on_odd(sheet, draft)


def _orders_another(sheet: Sheet, draft: Entry) -> bool:
    """Say whether the words behind an order are one for another own unit: "A Bud - Ser but A Vie H"."""
    first, _, others = draft.rest.partition(" ")
    if fold_word(first) in (OR | IF) - BUT:
        return False  # "or A Mos D", "if A Tyr - Boh": two meanings
    rest = others if fold_word(first) in BUT else draft.rest
    for each in read_line(rest, sheet.lexicon, sheet.position.phase.step):
        unit = unit_spoken_of(sheet, each.shape)
        is_whole = not isinstance(each.shape, places.BareUnit | places.Senseless) and not each.rest
        if is_whole and unit is not None and unit != draft.unit:
            return True
    return False


def _verdict_on_odd(sheet: Sheet, draft: Entry) -> Verdict:
    """The verdict on words and signs that the order does not account for: as on unknown words beside it."""
    setting = sheet.tournament.reading.misspelt_unsettled
    return verdict(fate_of(setting.value), setting, Found.of(Doubt.NOT_ALL_READ, text=draft.text))


HOLD = "hold"


def _verdict_without_sign(sheet: Sheet, draft: Entry, reading: Reading) -> Verdict:
    """The verdict on places side by side; of three, or if an own unit is at the goal, an S may be missing."""
    rules = sheet.tournament.reading
    found = Found.of(Doubt.NO_SIGN, text=draft.text)
    if rules.illegible_reachability.value is EvidenceRule.ASK:
        return verdict(Fate.ASK, rules.illegible_reachability, found)
    goal = reading.order.to if isinstance(reading.order, Move) else ""
    may_be_support = len(getattr(draft.shape, "steps", ())) > 1 or sheet.own_at(province_of(goal)) is not None
    may_be_support = may_be_support or draft.unit is None  # "Tus (A Ven)" may be backwards
    may_be_support = may_be_support or any(
        HOLD.startswith(each.folded) or each.folded in sheet.lexicon.coasts
        for each in getattr(draft.shape, "steps", ())
    )  # "S A Bel Hol"; "F Edi north"
    may_be_support = may_be_support or any(  # "A Kie holt" may be held
        sense.how is WordMatch.NEAR and count_slips(phrase.folded, HOLD) < 2 for phrase, sense in draft.senses
    )
    may_be_support = may_be_support or (  # "S A Boh Gale" may end in a remark
        isinstance(draft.shape, places.Supports)
        and any(sense.how is WordMatch.NEAR for phrase, sense in draft.senses if phrase in draft.shape.steps)
    )
    if rules.illegible_reachability.value is not EvidenceRule.SETTLES or may_be_support:
        return verdict(fate_of(rules.misspelt_unsettled.value), rules.misspelt_unsettled, found)
    if reading.is_possible:
        return verdict(Fate.FOLLOWED, rules.illegible_reachability, found)
    return verdict(fate_of(rules.illegible_unsettled.value), rules.illegible_unsettled, found)


def ask_whole_lines(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """If one part of a line is not clear, ask all that are: the line may have been divided wrongly.

    An order that such a line implies for another unit (EDC23 R11) is asked, too; and so is a part that nobody
    understands, or that is not possible, beside a name alone: "A Vie S x A Bud", "A Tun - Bul via F Ion, F Aeg"; and a
    name alone or half an order beside it, in "into Bur go A Mun and A Ruh".
    """
    entries = _ask_misspelt_units(sheet, entries)
    stopped_parts: dict[int, Entry] = {}
    for entry in entries:
        is_stopped = entry.status is not Status.CLEAR and not entry.is_supplied
        if is_stopped and not _is_for_rest(sheet, entry.text):
            stopped_parts.setdefault(entry.line, entry)
    names = {e.line for e in entries if any(found.doubt is Doubt.BARE_UNIT for found in e.doubts)}
    whole = {
        e.line: e for e in reversed(entries) if not (_holds_by_half(e) or e.is_supplied or e.status is Status.VOID)
    }
    asked = [
        _ask_part(sheet, entry, whole[entry.line] if _holds_by_half(entry) else stopped_parts[entry.line])
        if (entry.line in stopped_parts and entry.status is Status.CLEAR)
        or (entry.line in stopped_parts and entry.line in names and entry.status in NOT_POSSIBLE)
        or (entry.line in whole and _holds_by_half(entry))
        else entry
        for entry in entries
    ]
    return _ask_beside_remarks(sheet, asked)


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
        if (not below or (not above and " " in remark.text.strip())) and _may_be_signature(sheet, remark.text):
            continue
        is_heading = remark.text.rstrip().endswith(":")
        reached = {*above, *below} if not (above and below) else {*([] if is_heading else above[-1:]), *below}
        goals = getattr(remark.shape, "steps", ())
        if any(sheet.lexicon.may_be_place(goal.folded) for goal in goals):
            reached = {*above[-1:]}
        elif above and below and any(map(sheet.lexicon.may_be_place, _words_in(remark.text))):
            reached = {above[-1], below[0]}
        found = Found.of(Doubt.UNDER_HEADING, text=remark.text)
        done = [
            ask_because_of(sheet, entry, found) if entry.line in reached and entry.status is Status.CLEAR else entry
            for entry in done
        ]
    return done


DATE = re.compile(r"(\w+\W+)?(\d{1,2}\w{0,2}\W+[^\W\d]+|[^\W\d]+\W+\d{1,2}\w{0,2})\W+(19|20)\d\d")  # "Sat 30 Nov 2026"


def _is_remark(sheet: Sheet, entry: Entry) -> bool:
    """Say whether words that are asked about may speak of other lines: they are for no unit, and can all be read."""
    shape, unit, words = entry.shape, _unit_words_of(entry), _words_in(entry.text)
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
        or _is_for_rest(sheet, entry.text)
        or any(_is_own(sheet, each.order) for each in entry.candidates)
    ):
        return False
    is_named = unit.place is not None and sheet.lexicon.is_listed(unit.place.folded)
    if isinstance(shape, places.Moves | places.Builds | places.Disbands):
        return unit.place is not None and not is_named
    if isinstance(shape, places.Waives):
        return not any(map(sheet.lexicon.is_listed, words))
    return isinstance(shape, places.BareUnit | places.Senseless)


def _may_be_signature(sheet: Sheet, text: str) -> bool:
    """Say whether words may be no more than a name: "Lena", "LG Lena", "signed: P. Miller"."""
    words = [each for each in tokenize(text) if each.mark is Mark.WORD]
    if any(each.folded in SIGNED for each in words):
        return True
    names = [each for each in words if each.folded not in FAREWELL - HEADINGS]
    is_known = any(each.folded in EVERYDAY_WORDS | HEADINGS or sheet.lexicon.is_listed(each.folded) for each in names)
    return len(names) < 3 and not is_known and all(each.text.istitle() or each.text.isupper() for each in names)


def _words_in(text: str) -> tuple[str, ...]:
    return tuple(token.folded for token in tokenize(text) if token.folded)


def _is_own(sheet: Sheet, order: Order) -> bool:
    return getattr(order, "unit", None) in sheet.own


def _ask_misspelt_units(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order for a place where nobody stands, if an own unit without an order is a slip away: "F Ber"."""
    ordered = {entry.unit for entry in entries if entry.status is not Status.VOID}
    idle = [unit for unit in sheet.own if unit not in ordered]
    done = list(entries)
    for at, entry in enumerate(entries):
        place = _unit_words_of(entry).place
        is_nobodys = entry.found is not None and entry.found.doubt in NOBODYS - {Doubt.NOT_YOUR_UNIT}
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
            found = Found.of(Doubt.TWO_PLACES, text=place.text, codes=tuple(dict.fromkeys((*written, *near))))
            done[at] = replace(ask_because_of(sheet, entry, found), unit=None)
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
                done[at] = replace(_ask_part(sheet, army, other), by_itself=None)  # they stand on two lines
                done[number] = replace(_ask_part(sheet, other, army), by_itself=None)
    return done


def ask_lists_of_seas(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about "A Lon - Bel via NTH, ENG" where both seas may be meant, or one of them, or another unit's order.

    One may be where some of them suffice, or an own fleet there does something else; and where the goal stands behind
    the list, "A Lon via NTH, NWG - BAR" may end in the order of an own fleet.
    """
    done = list(entries)
    for at, army in enumerate(entries):
        shape, order = army.shape, army.read
        if not isinstance(shape, places.Moves) or not isinstance(order, Move) or len(shape.over) < 2:
            continue
        if army.status is Status.ASK:
            continue
        is_plain = army.status is Status.CLEAR and _is_list_in_words(army.text)
        is_fleets = shape.is_goal_last and not is_plain and _may_be_fleets_move(sheet, order)
        if is_fleets or _is_one_sea_enough(sheet, order) or _is_fleet_elsewhere(order, entries):
            done[at] = _stop_line(sheet, army, None, _verdict_on_odd(sheet, army))
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
    """Ask about "A Bud S Tri" where an own unit goes to Trieste, and none stands there or that one leaves."""
    moves = [entry for entry in entries if entry.status is Status.CLEAR and isinstance(entry.order, Move)]
    standing = {unit.province for _, unit in sheet.position.all_units()}
    done = list(entries)
    for at, entry in enumerate(entries):
        shape = entry.shape
        if not isinstance(shape, places.Supports) or entry.status is Status.ASK or shape.steps or shape.of.letter:
            continue
        signs = {sheet.lexicon.sign_of(token.folded) for token in tokenize(entry.text)}
        if shape.of.place is None or SignSense.HOLD in signs:
            continue
        codes = {*sheet.lexicon.sense(shape.of.place.folded).codes}
        left = {each.order.unit.province for each in moves if isinstance(each.order, Move)}
        comes = [each for each in moves if isinstance(each.order, Move) and province_of(each.order.to) in codes]
        comes = [each for each in comes if each.unit != entry.unit]
        if comes and not codes & (standing - left):
            done[at] = replace(_ask_part(sheet, entry, comes[0]), by_itself=None)
    return done


def _holds_by_half(entry: Entry) -> bool:
    """Say whether a unit holds because no more than its name is written, or half an order; the rest may be beside."""
    is_half = entry.found is not None and entry.found.doubt in {Doubt.BARE_UNIT, Doubt.INCOMPLETE}
    return is_half and entry.status is not Status.ASK and entry.order is not None


def ask_implied_beside_rest(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Ask about an order that a support implies for a unit of which no line speaks, where the rest is told to hold."""
    rest = next((each for each in entries if each.unit is None and _is_for_rest(sheet, each.text)), None)
    if rest is None:
        return [*entries]
    found = Found.of(Doubt.UNDER_HEADING, text=rest.text)
    return [ask_because_of(sheet, each, found) if each.is_supplied else each for each in entries]


def _is_for_rest(sheet: Sheet, text: str) -> bool:
    """Say whether words say no more than that the rest of the units hold."""
    words = _cut_words(blank_harmless(text), sheet.lexicon)
    return sheet.position.phase.step is Step.MOVEMENT and tells_rest_to_hold(words, sheet.lexicon.sign_of)


def _ask_part(sheet: Sheet, entry: Entry, other: Entry) -> Entry:
    """Ask about an order that is clear by itself, because another part of its line is not."""
    return ask_because_of(sheet, entry, Found.of(Doubt.OTHER_PART, text=other.text))


def ask_because_of(sheet: Sheet, entry: Entry, found: Found) -> Entry:
    """Ask about an order that is clear by itself, because of something else on its sheet."""
    by = verdict(Fate.ASK, sheet.tournament.reading.misspelt_unsettled, found)
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
        found=found,
        doubts=(*entry.doubts, found),
        candidates=tuple(offered.values()),
        situation=sheet.situation(by.setting, found, entry.text),
        by_itself=entry if found.doubt is Doubt.OTHER_PART else None,
    )


def _follow_line(draft: Entry, reading: Reading, verdicts: Sequence[Verdict]) -> Entry:
    """The line is followed; the rules that let it pass are quoted."""
    because = tuple(each for one in verdicts for each in one.because)
    return replace(
        draft,
        order=reading.order,
        status=Status.CLEAR,
        settings=tuple({one.setting.path: one.setting for one in verdicts}.values()),
        because=because or (AS_WRITTEN,),
        doubts=_list_line_doubts(draft, reading, verdicts),
        candidates=_candidates_of(draft, reading, None),
        unit=reading.unit,
        read=reading.order,
    )


def _stop_line(sheet: Sheet, draft: Entry, reading: Reading | None, by: Verdict) -> Entry:
    """The line is not followed: its unit holds, or the director rules."""
    unit = reading.unit if reading is not None else unit_spoken_of(sheet, draft.shape)
    return replace(
        draft,
        order=_standing_order(sheet, by.fate, unit, reading),
        status=by.status,
        # a line that orders no unit is not asked about
        settings=() if by.fate is Fate.NOBODY and by.setting.asks else (by.setting,),
        because=by.because,
        found=by.found,
        doubts=_list_line_doubts(draft, reading, (by,)),
        candidates=_candidates_of(draft, reading, sheet.without_order(unit) if unit and by.fate is Fate.ASK else None),
        unit=unit,
        read=reading.order if reading is not None else None,
        situation=sheet.situation(by.setting, by.found, draft.text) if by.fate is Fate.ASK else None,
    )


def _standing_order(sheet: Sheet, fate: Fate, unit: Unit | None, reading: Reading | None) -> Order | None:
    """The order that is adjudicated for a stopped line: a hold, the impossible order as it is written, or none.

    An order that the judge would carry out is never passed on as impossible. If the unit may not be supported, it
    is ordered to its own province, which no rulebook allows; else it holds.
    """
    if fate is Fate.AS_WRITTEN and reading is not None:
        if hindrance(sheet.field, sheet.power, reading.order) is not None:
            return reading.order
        every_order = sheet.tournament.reading.impossible.value is ImpossibleOrder.HOLD_UNSUPPORTED
        if unit is not None and (every_order or isinstance(reading.order, Move)):
            return Move(unit, unit.province)
        fate = Fate.HOLDS
    return Hold(unit) if fate is Fate.HOLDS and unit is not None else None


def _list_line_doubts(draft: Entry, reading: Reading | None, verdicts: Sequence[Verdict]) -> tuple[Found, ...]:
    """All that is doubtful about a line, the words first."""
    doubts = list(draft.notes)
    doubts += [doubt for phrase, sense in draft.senses if (doubt := _doubt_in_word(phrase, sense))]
    doubts += [draft.fault] if draft.fault is not None else []
    doubts += [v.found for v in verdicts]
    doubts += reading.doubts if reading is not None else ()
    return tuple(dict.fromkeys(doubts))


def _candidates_of(draft: Entry, reading: Reading | None, otherwise: Order | None) -> tuple[Reading, ...]:
    """Every order that the line may mean, the chosen one first; then what the unit does if none is followed."""
    readings = draft.readings
    if reading is not None and len(readings) == 1 and not (reading.doubts or draft.alternatives or otherwise):
        return (Reading(reading.order, (AS_WRITTEN,)),)
    if reading is not None:
        readings = (reading, *(other for other in readings if other is not reading))
    else:
        readings = tuple(sorted(readings, key=lambda r: not r.is_possible))
    candidates = {r.order: Reading(r.order, r.because or (AS_WRITTEN,)) for r in (*readings, *draft.alternatives)}
    for r in readings:
        for other in r.others:
            candidates.setdefault(other, Reading(other, (Message.of(Because.WITH_COAST),)))
    for fitting in draft.fitting:
        candidates.setdefault(fitting.order, fitting)
    if otherwise is not None:
        candidates.setdefault(otherwise, Reading(otherwise, NOT_FOLLOWED))
    return tuple(candidates.values())


# A unit with more than one order: the same order twice, or different ones.

NOT_POSSIBLE = frozenset({Status.ILLEGAL, Status.INVALID})


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

    Where no own unit stands is none that the line may be of: "A Mar" is not North Africa's.
    """
    units = [getattr(candidate.order, "unit", None) for candidate in entry.candidates]
    return len({unit and unit.province for unit in units if unit is None or sheet.own_at(unit.province)}) > 1


def _ask_whose(sheet: Sheet, entry: Entry) -> Entry:
    """Ask about a line whose unit is not known."""
    found = entry.found or entry.doubts[0]
    setting = entry.settings[0] if entry.settings else sheet.tournament.reading.word_unsettled
    return replace(
        entry,
        order=None,
        read=None,
        unit=None,
        status=Status.ASK,
        because=(found, director_rules(replace(setting, why=""))),
        situation=sheet.situation(setting, found, entry.text),
    )


def _is_no_order(entry: Entry) -> bool:
    """Whether a line is no order of its unit: it is void; or struck out or a name, and asked about separately."""
    if entry.status is not Status.ASK:
        return entry.status is Status.VOID
    is_struck = entry.found is not None and entry.found.doubt is Doubt.STRUCK_OUT
    return is_struck or any(found.doubt is Doubt.BARE_UNIT for found in entry.doubts)


def _judge_orders_of_unit(sheet: Sheet, unit: Unit, entries: list[Entry], *, is_open: bool) -> list[Entry]:
    rules = sheet.tournament.reading
    reads = {entry.read for entry in entries}
    # the same order on two lines may still differ in what stands: one of them may be asked for another reason
    standing = {entry.order for entry in entries if entry.order is not None}
    if len(reads) == 1 and None not in reads and standing and any(e.status is Status.ASK for e in entries):
        found = Found.of(Doubt.TWICE_SAME, unit=str(unit))  # "A Vie - Gal", and below it "A Vie - Gal cancelled"
        return _ask_which_order(sheet, rules.twice_same, unit, entries, found)
    if len(reads) == 1 and None not in reads and len(standing) < 2:
        return _apply_setting(sheet, rules.twice_same, unit, entries, Found.of(Doubt.TWICE_SAME, unit=str(unit)))
    found = Found.of(Doubt.TWICE_DIFF, unit=str(unit))
    goals = {read.to for read in reads if isinstance(read, Move)}
    is_one_goal = len(goals) == 1 and all(isinstance(read, Move) for read in reads)
    if is_one_goal and goals.isdisjoint(sheet.lexicon.board.reach(unit.kind, unit.place)):
        return _ask_which_order(sheet, rules.twice_different, unit, entries, found)  # once with its convoy, once not
    if is_open or _may_answer_leave_one_order(entries):
        return _ask_which_order(sheet, rules.twice_different, unit, entries, found)
    possible = [entry for entry in entries if entry.status not in NOT_POSSIBLE]
    if len({entry.read for entry in possible}) == 1 and len(possible) < len(entries):
        return _apply_setting(sheet, rules.twice_one_invalid, unit, entries, found)
    return _apply_setting(sheet, rules.twice_different, unit, entries, found)


def _may_answer_leave_one_order(entries: list[Entry]) -> bool:
    """Say whether the director's answer to one line may leave the unit with a single order.

    It may say that a line orders nothing, or the same as the others, where it is not known what the line orders.
    """
    asked = [entry for entry in entries if entry.status is Status.ASK]
    doubts = {entry.found.doubt for entry in asked if entry.found is not None}
    if Doubt.OVERWRITTEN in doubts or (asked and len({entry.line for entry in entries}) == 1):
        return True
    others = {entry.read for entry in entries if entry.status is not Status.ASK}
    is_unknown = not doubts.isdisjoint(PARTLY_READ)
    is_among = len(others) == 1 and all(others <= {c.order for c in e.candidates} for e in asked)
    return bool(asked) and ((is_unknown and len(others) < 2) or is_among)


PARTLY_READ = frozenset(  # nobody knows what such a line orders
    {Doubt.EXTRA_WORDS, Doubt.NOT_ALL_READ, Doubt.UNDER_HEADING, Doubt.OTHER_PART, Doubt.SENSELESS, Doubt.WRONG_PHASE}
    | {Doubt.UNIT_INSIDE}
)


def _ask_which_order(
    sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], found: Found
) -> list[Entry]:
    """Leave it to the director which of the orders stand."""
    everything = {c.order: c for entry in entries for c in entry.candidates}
    if (otherwise := sheet.without_order(unit)) is not None:
        everything.setdefault(otherwise, Reading(otherwise, NOT_FOLLOWED))
    asked = sheet.situation(setting, found, " / ".join(entry.text for entry in entries))
    return [
        replace(
            entry,
            status=Status.ASK,
            order=None,
            doubts=(*entry.doubts, found),
            settings=(setting,),
            because=(found, by_rule(setting.value)),
            found=found,
            candidates=tuple(everything.values()),
            situation=asked,
        )
        for entry in entries
    ]


def _apply_setting(sheet: Sheet, setting: Setting[Any], unit: Unit, entries: list[Entry], found: Found) -> list[Entry]:
    """Let the setting's value decide which of the orders stand."""
    because = (found, by_rule(setting.value))
    marked = [
        replace(e, doubts=(*e.doubts, found), settings=(setting,), because=because, found=found, situation=None)
        for e in entries
    ]
    match str(setting.value):
        case "once":
            return [
                replace(e, doubts=(*e.doubts, found), settings=(*e.settings, setting), because=(*e.because, *because))
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
            return _ask_which_order(sheet, setting, unit, entries, found)
