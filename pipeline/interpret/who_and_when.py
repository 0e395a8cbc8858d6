"""What a line says of people and of time: whose it is, who signed it, and for which season and step it is."""

import re
from collections.abc import Sequence, Set

from pipeline.board import Season, Step
from pipeline.interpret.lines import is_without_unit
from pipeline.interpret.readings import Sheet
from pipeline.interpret.tokens import Mark, tokenize
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.written_words import (
    EVERYDAY_WORDS,
    FAREWELL,
    HEADINGS,
    OF_A_HEADING,
    OTHER_STEPS,
    PUTTING_ON,
    SEASON_WORDS,
    SIGNED,
    STEP_WORDS,
    TAKING_OFF,
    YEARS,
    YEARS_CUT,
    fold_word,
)
from pipeline.judge.winter import balances

NUMBERED = frozenset({"game", "board", "round", "team"})
PLACES_AT_TABLE = NUMBERED | {"table", "tisch", "seat", "runde", "manche"}  # "Table 4"
CALLED = PLACES_AT_TABLE | {"gm", "sir", "madam", "tel", "phone", "email", "mail", "definitive", "north"}
FOR_THE_DIRECTOR = frozenset({"vote", "votes", "draw", "press"})  # "no draw" is about no order


def names_another(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line names another power than that of the sheet."""
    words = (token.folded for token in piece.tokens if token.folded not in EVERYDAY_WORDS)
    nations = sheet.lexicon.nations
    powers = (nations.get(word) or nations.get(word.removesuffix("s"), sheet.power) for word in words)
    return any(power is not sheet.power for power in powers)


def is_for_another(sheet: Sheet, line: Line) -> bool:
    """Say whether a line says that a sheet is another power's, or for another time: "Italy", "for autumn"."""
    words = {token.folded for token in line.tokens} - {""}
    is_named = words <= sheet.lexicon.nations.keys() | OF_A_HEADING | {"by", "from"} and names_another(sheet, line)
    return is_named or ("for" in words and tells_another_time(sheet, line, line.orders))


INITIALS_AND_NAME = re.compile(  # "— H. Meier", "H. Meier, Italy"
    r"\W*(?:[A-Z]\.\s?)+(?P<name>[A-Z][a-z]{2,})\W*(?P<power>\w*)\W*"
)


def is_signature(sheet: Sheet, line: Line) -> bool:
    """Say whether a line is a name with its first names cut: "— H. Meier", "H. Meier (Italy)"."""
    signature = INITIALS_AND_NAME.fullmatch(line.text)
    if signature is None or sheet.lexicon.may_be_meant(fold_word(signature["name"])):
        return False
    return not signature["power"] or sheet.lexicon.nations.get(fold_word(signature["power"])) is sheet.power


def may_be_name(line: Line) -> bool:
    """Say whether a line may be somebody's name: "Bob Brown", and not "Sample Orders"."""
    words = [token.folded for token in line.tokens]
    are_names = all(token.text.istitle() or token.text.isupper() for token in line.tokens)
    return are_names and not (EVERYDAY_WORDS | HEADINGS).intersection(words)


def may_be_signature(sheet: Sheet, text: str) -> bool:
    """Say whether words may be no more than a name: "Lena", "LG Lena", "signed: P. Miller"."""
    words = [each for each in tokenize(text) if each.mark is Mark.WORD]
    if any(each.folded in SIGNED for each in words):
        return True
    names = [each for each in words if each.folded not in FAREWELL - HEADINGS]
    is_known = any(each.folded in EVERYDAY_WORDS | HEADINGS or sheet.lexicon.is_listed(each.folded) for each in names)
    are_names = all(each.text.istitle() or each.text.isupper() for each in names)
    is_dated = any(letter.isdigit() for each in names for letter in each.text)  # "Results S1901"
    return len(names) < 3 and not is_known and are_names and not is_dated


def tells_another_time(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line is a heading of another season, year or step than the sheet's: "Autumn 1901", "Retreats"."""
    written = [token.folded for token in piece.tokens if token.folded]
    joined = words_of_time("".join(written[-2:])) if written[-2:-1] and written[-2] in SEASON_OF else ()
    words = [word for each in (written[:-2] if len(joined) > 1 else written) for word in words_of_time(each)]
    words += joined if len(joined) > 1 else ()
    phase, seasons = sheet.position.phase, frozenset[str]().union(*SEASON_WORDS.values())
    steps = frozenset[str]().union(*STEP_WORDS.values(), steps_of_others(sheet)) - STEP_WORDS[phase.step] - HEADINGS
    said = HEADINGS | seasons | sheet.lexicon.nations.keys() | YEARS | YEARS_CUT | steps | STEP_WORDS[phase.step]
    if not set(words) <= said or not is_without_unit(sheet, orders):
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


def words_of_time(word: str) -> tuple[str, ...]:
    """Part a season's letter from its year and its step, "F1902", "F1902R"; any other word is left."""
    parts = SEASON_AND_YEAR.fullmatch(word)
    if parts is None:
        return (word,)
    return (SEASON_OF[parts[1]], parts[2], *(STEP_OF[parts[3]] if parts[3] else ()))


def steps_of_others(sheet: Sheet) -> Set[str]:
    """The words for steps that are not the present one; in winter also for what the power need not do."""
    step = sheet.position.phase.step
    if step is not Step.ADJUSTMENTS:
        return OTHER_STEPS[step]
    due = balances(sheet.position).get(sheet.power, 0)
    return OTHER_STEPS[step] | (TAKING_OFF if due > 0 else PUTTING_ON if due < 0 else frozenset())


def words_of_now(sheet: Sheet) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a heading that is of this power and phase; and those that are of this phase alone."""
    phase = sheet.position.phase
    nation = {word for word, power in sheet.lexicon.nations.items() if power is sheet.power}
    present = STEP_WORDS[phase.step] | SEASON_WORDS[phase.season] | {str(phase.year), str(phase.year)[-2:]}
    others = frozenset[str]().union(*STEP_WORDS.values(), *SEASON_WORDS.values()) - present
    return ((HEADINGS | OF_A_HEADING) - others) | present | nation, present


LABEL_OF_ORDER = re.compile(  # "S02: A Vie - Gal", "Spring 1902 A Vie - Gal"
    r"\s*(?:(?P<label>[^:]{1,24}):|(?P<time>[^\W\d_]+\s+(?:19)?\d\d)(?=\s+[AaFf]\s))(?=\s*\S)"
)
MOVES_TO = re.compile(r"\s*(?:[AF]\s+)?[^\W\d_]+\s*(?:(?:[-–—>→]|=>)+|\bto\b)\s*[^\W\d_]")  # "Vie-Gal"


def blank_label(sheet: Sheet, text: str) -> str:
    """Put spaces in the place of words before an order that say no more than that it is for now: "S02:", "Move:"."""
    label = LABEL_OF_ORDER.match(text)
    if label is None:
        return text
    phase = sheet.position.phase
    written = re.split(r"[\s,./'’-]+", label["label"] or label["time"])
    words = {word for each in written for word in words_of_time(fold_word(each))} - {""}
    times = SEASON_WORDS[phase.season] | {str(phase.year), str(phase.year)[-2:]}
    is_move = words <= STEP_WORDS[Step.MOVEMENT] | {"order", "orders"} and MOVES_TO.match(text, label.end()) is not None
    is_now = words <= times and not words.isdisjoint(SEASON_WORDS[phase.season])
    is_plain = bool(words) and (is_now or (is_move and phase.step is Step.MOVEMENT))
    return " " * label.end() + text[label.end() :] if is_plain else text
