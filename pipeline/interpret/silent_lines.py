"""Lines for no unit, which nobody is asked about: dashes, greetings, whose orders these are."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from pipeline.board import Step
from pipeline.interpret import order_words
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.lines import cut_words, is_for_rest, is_whole_order, is_without_unit, named_codes, read_line
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import RULE, blank_harmless, tokenize
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.who_and_when import (
    FOR_THE_DIRECTOR,
    NUMBERED,
    PLACES_AT_TABLE,
    SEASON_OF,
    steps_of_others,
    words_of_now,
    words_of_time,
)
from pipeline.interpret.written_words import (
    BESIDE_GREETINGS,
    BESIDE_HEARTY,
    BESIDE_NOTHING,
    COLUMNS,
    COUNTED,
    EVERYONE,
    GREETS,
    HAILED,
    HAILS,
    HEARTY,
    LETTERS,
    MONTHS,
    NO,
    NO_MORE,
    NOTHING,
    OTHER_STEPS,
    PLAIN_LINES,
    SIGNED,
    UNSETTLES,
    WEEKDAYS,
    SignSense,
    fold_word,
)


def find_silent_lines(sheet: Sheet, lines: Sequence[Line]) -> list[Line]:
    """Find all lines for no unit."""
    silent = [*_plain_headings(sheet, lines)]
    silent += [line for line in _headings_of_kinds(sheet, lines) if line not in silent]
    silent += [line for line in _headings_of_signs(sheet, lines) if line not in silent]
    silent += [line for line in _marks_of_pages(sheet, lines) if line not in silent]
    silent += [line for line in _dates(sheet, lines) if line not in silent]
    silent += [line for line in lines if line not in silent and (_is_silent(sheet, line) or _is_without_words(line))]
    whose = [line for line in lines if line not in silent and _says_whose(sheet, line)]
    others = [line.text for line in lines if line.text.strip() and line not in whose] if whose else []
    step = sheet.position.phase.step
    if any(not is_without_unit(sheet, read_line(text, sheet.lexicon, step)) for text in others):
        silent += whose  # a name alone is asked about
    silent += _empty_rows_below(sheet, [line for line in lines if line.text.strip() and line not in silent])
    return silent


def _plain_headings(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the headings above the first order that say only whose orders these are and when, or name columns.

    "Fall 1902, Italy"; "Unit | From | Order | To".
    """
    said, present = words_of_now(sheet)
    written = [line for line in lines if line.text.strip()]
    for line in written[:-1]:
        label, _, name = line.text.partition(":")
        if NAMES_A_PERSON.fullmatch(name) and fold_word(label) in {"player", "name"}:
            yield line
            continue
        columns = {fold_word(word) for word in re.split(r"[\s,:;|/]+", line.text)} - {""}
        if len(columns) > 1 and columns <= COLUMNS and columns & {"unit", "units"}:
            yield line
            continue
        words = {each for word in re.split(r"[\s,:;=]+", line.text) for each in words_of_time(fold_word(word))} - {""}
        numbers = {word for word in words if word.isdecimal()} - present
        if not words or not words <= said or (numbers and words.isdisjoint(NUMBERED)):
            return
        yield line


def _headings_of_kinds(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the headings over units of their kind, "Fleets:", "A:"; in winter they say what is built."""
    step = sheet.position.phase.step
    written = [line for line in lines if line.text.strip() and step is not Step.ADJUSTMENTS]
    for line, below in pairwise(written):
        word = fold_word(line.text)
        if word not in LETTERS or "(" in line.text or not (len(word) > 1 or line.text.rstrip().endswith(":")):
            continue
        units = [unit_spoken_of(sheet, each.shape) for each in read_line(below.text, sheet.lexicon, step)]
        if units and all(unit is not None and unit.kind is LETTERS[word] for unit in units):
            yield line


SHAPES = {
    SignSense.TO: order_words.Moves,
    SignSense.SUPPORT: order_words.Supports,
    SignSense.CONVOY: order_words.Convoys,
    SignSense.HOLD: order_words.Holds,
}


def _headings_of_signs(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the headings above whole orders of their kind, "Supports:", "== Moves =="; what stands above is whole."""
    if sheet.position.phase.step is not Step.MOVEMENT:
        return
    written = [line for line in lines if line.text.strip()]
    orders = [read_line(line.text, sheet.lexicon, Step.MOVEMENT) for line in written]
    for at, (line, below) in enumerate(zip(written, orders[1:], strict=False)):
        word = fold_word(line.text)
        sign = sheet.lexicon.sign_of(word) or sheet.lexicon.sign_of(word.removesuffix("s"))
        shape = SHAPES.get(sign) if sign is not None else None
        if len(word) < 3 or len(line.text.split()) > 3 or shape is None or not below:
            continue
        if not all(isinstance(each.shape, shape) and is_whole_order(sheet, each) for each in below):
            continue
        if at == 0 or all(is_whole_order(sheet, each) for each in orders[at - 1]) or written[at - 1].text.endswith(":"):
            yield line


PAGE = re.compile(
    r"\s*(?:[-–—]\s*\d{1,2}\s*[-–—]|(?:page|seite|p\.)\s*\d{1,2}(?:\s*(?:/|of|von)\s*\d{1,2})?)\s*", re.IGNORECASE
)
END = re.compile(
    r"(?:[\W_]{2,}(?:the )?(?:end|fin|ende|fine)[\W_]{2,}|\W*(?:the end|end of (?:the )?(?:orders|sheet|page))\W*)",
    re.IGNORECASE,
)


def _marks_of_pages(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find a page's number in the first or the last line, "- 2 -", and "*** end ***" in the last one.

    In winter a number between dashes may be how many units go.
    """
    written = [line for line in lines if line.text.strip()]
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    for at, line in enumerate(written):
        is_last = at == len(written) - 1
        is_page = PAGE.fullmatch(line.text) is not None and not is_winter
        if (is_page and (at == 0 or is_last)) or (is_last and END.fullmatch(line.text)):
            yield line


DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
OF_DAY = frozenset({"of", "the", "morning", "afternoon", "evening", "night", "abend", "morgen", "soir", "matin"})


def _dates(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the day in the first or the last line: "Sat, 12 Dec", "March 15th", "Fri. evening".

    A month alone may be a place, "Mar", and in winter a number may be of builds there.
    """
    written = [line for line in lines if line.text.strip()]
    for line in {each.number: each for each in (*written[:1], *written[1:][-1:])}.values():
        words = {fold_word(word) for word in re.split(r"[\s,./-]+", WHEN.sub(" ", line.text))} - {""}
        days = {word for word in words if DAY.fullmatch(word)}
        is_day = bool(words & WEEKDAYS) and (line is written[0] or len(words) > 1 or WHEN.search(line.text) is not None)
        is_date = bool(words & MONTHS and days) and not any(
            sheet.own_at(code) or sheet.position.phase.step is Step.ADJUSTMENTS
            for word in words & MONTHS
            for code in named_codes(sheet, word)
        )
        years = {word for word in words if word.isdecimal() and len(word) == len("2026")}
        if (is_day or is_date) and words <= WEEKDAYS | MONTHS | days | years | OF_DAY:
            yield line


NAMES_A_PERSON = re.compile(r"(\s+[A-Z][\w'.-]*){1,3}\s*")
EMPTY_ROW = re.compile(r"\s*(?:(?:\d+\s*[.):]?\s*)?[-–—]{1,2}|(?P<step>\w+)\s*:\s*[-–—]*)\s*")  # "4. -", "Builds:"


def _empty_rows_below(sheet: Sheet, lines: Sequence[Line]) -> Iterator[Line]:
    """Find the rows with no more than a dash, its number or another step, below the last order."""
    others = OTHER_STEPS[sheet.position.phase.step]
    rows = [EMPTY_ROW.fullmatch(line.text) for line in lines]
    written = [
        at for at, row in enumerate(rows) if row is None or (row["step"] and fold_word(row["step"]) not in others)
    ]
    text = blank_harmless(lines[written[-1]].text) if written else ""
    if not cut_words(text, sheet.lexicon):
        return
    orders = read_line(text, sheet.lexicon, sheet.position.phase.step)
    shape = orders[-1].shape if orders and not orders[-1].rest else None
    if isinstance(shape, order_words.Holds | order_words.Builds) or (
        isinstance(shape, order_words.Moves) and shape.steps
    ):
        yield from lines[written[-1] + 1 :]


WHEN = re.compile(  # "14:32", "2 pm", "28/8/1999"
    r"\b\d{1,2}(?:[:.h]\d\d|\s*(?:[ap]m|h(?=\s*$))|\s*uhr|[./-]\d{1,2}[./-](?:19|20)?\d\d)\b", re.IGNORECASE
)
INITIAL = re.compile(r"\b[A-Z]\.(?=[\s-]*[A-Z])")


def _says_whose(sheet: Sheet, line: Line) -> bool:
    """Say whether a line says no more than who ordered, for whom and when: "Austria – Anna Berger, 14:32".

    A name counts where it is the player's, or where one is due: "signed: P. Miller". One that may be a place is none.
    """
    text, times = WHEN.subn(" ", line.text)
    written = [word for word in re.split(r"[\s,:;=/()|–—-]+", INITIAL.sub(" ", text)) if fold_word(word)]
    words = [fold_word(word) for word in written]
    own = {fold_word(word) for word in re.split(r"[\s-]+", sheet.player)}
    plain, present = words_of_now(sheet)
    is_named = any(word in SIGNED or word in {"name", "player"} for word in words)
    names = 0
    for before, word, folded in zip(("", *words), written, words, strict=False):
        parts = words_of_time(folded)
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
    if words & GREETS and not line.text.rstrip().endswith(":"):  # "Wishes:"
        others = [word for word in written if fold_word(word) not in BESIDE_GREETINGS | {""}]
        return all(_is_name(sheet, word) for word in others) and len(others) < 3
    if _is_message(sheet, words) or _hails_power(sheet, words):
        return True
    seat = words - {word for word in words if sheet.lexicon.nations.get(word) is sheet.power}
    is_seat = bool(seat & PLACES_AT_TABLE) and all(word in PLACES_AT_TABLE or word.isdecimal() for word in seat)
    if _is_sum(sheet, words) or is_seat:
        return True
    if words & FOR_THE_DIRECTOR and words <= FOR_THE_DIRECTOR | NO | NOTHING | SAID_OF_VOTES:
        return True
    step = sheet.position.phase.step
    if (step is not Step.ADJUSTMENTS and "".join(said) in NO_MORE) or is_for_rest(sheet, line.text):
        return True
    steps = steps_of_others(sheet)
    return bool(words & steps and words & (NO | NOTHING | {"0", "na"})) and words <= steps | BESIDE_NOTHING


def _is_message(sheet: Sheet, words: Set[str]) -> bool:
    """Say whether a line is for another power, or of it, and about no order: "Russia is a liar"."""
    others = {word for word in words if sheet.lexicon.nations.get(word, sheet.power) is not sheet.power}
    return bool(others and words & HEARTY) and words <= others | HEARTY | BESIDE_HEARTY


WISHES = (("long", "live"), ("es", "lebe"), ("god", "save"))


def _hails_power(sheet: Sheet, words: Set[str]) -> bool:
    """Say whether a line does no more than cheer a power: "Vive la France!", "Long live the Tsar"."""
    powers = words & sheet.lexicon.nations.keys()
    is_hailed = bool(words & HAILS) or any(words >= {*wish} for wish in WISHES)
    return is_hailed and bool(powers or words - HAILS) and words <= HAILED | powers


NAME_PARTS = re.compile(r"\W+")


def _is_name(sheet: Sheet, word: str) -> bool:
    """Say whether a word beside a greeting is a person's; a short one may be as near to a place: "Cheers, Bob".

    "Vie-Gal" is no double name: a part of it is a place.
    """
    parts = [fold_word(part) for part in NAME_PARTS.split(word)]
    if len(parts) > 1 and any(len(part) > 1 and sheet.lexicon.may_be_meant(part) for part in parts):
        return False
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


def nothing_on(text: str) -> Entry:
    """What a line of dashes or dots orders, or a heading."""
    return Entry(order_words.Senseless(order_words.UnitWords(), text, is_for_all=True), text)
