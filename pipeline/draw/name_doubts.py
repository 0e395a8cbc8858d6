"""Which rows of a list may name no player, or not one: they are asked about before the event exists.

A row is asked about for its signs (brackets, a slash between two names), for its words (a total, a remark, a stand-in
such as TBA), for what stands beside it (a player who has withdrawn) or for its place (alone below the table).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pipeline.draw.countries import PlaceBehind
from pipeline.draw.letter_lines import says_closing, says_greeting, says_mail
from pipeline.draw.list_words import (
    COMES,
    DAYS,
    GROUP_HEADS,
    LONGEST_TEXT,
    NOT_PLAYING,
    PARTICLES,
    STAFF_HEADS,
    UNSURE,
    says_coming,
    says_not_playing,
)
from pipeline.draw.one_name import REMARK, SEVERAL, STAND_IN, NameDoubt, doubt_name, has_small_word, part_names
from pipeline.draw.roster import IS_STATE, ListPlace
from pipeline.words.names import fold_name

FEWEST_FOR_HABIT = 4  # rows
FEWEST_WHOLE = 3  # names of two words, where as many rows have one word
NEARLY_ALL = 0.8  # a row is unlike the list where so many of the others are otherwise


class ListRow(Struct, frozen=True, kw_only=True):
    """One row of a list below its headings, as far as it says whether it names a player."""

    line: ListPlace
    written: str  # what the list has for the name, cleaned
    name: str  # the name as it would be taken, family name last
    text: str  # the whole row, to show it
    is_alone: bool  # no other cell of the row is filled
    beside: Mapping[str, str]  # heading -> cell, of the columns that the program makes no use of
    is_struck: bool = False
    is_below_gap: bool = False  # an empty row stands above it
    place: PlaceBehind | None = None  # the country or the club behind the name, where the cell of the name has one

    def is_again(self, rows: Sequence["ListRow"]) -> bool:
        """Whether another row has the same name."""
        return any(row is not self and row.name == self.name for row in rows)


class RowDoubt(Struct, frozen=True):
    """A row that may name no player, to be asked about."""

    line: ListPlace
    text: str  # the row as it stands in the list
    why: str
    name: str  # the name that it probably has; as it stands where nothing better is known
    is_likely: bool  # whether it probably names a player all the same
    names: tuple[str, ...] = ()  # of the players that it names, where they are several


def find_doubts(rows: Sequence[ListRow]) -> tuple[dict[ListPlace, RowDoubt], tuple[str, ...]]:
    """Find the rows that may name no player, and what half of the list has in common: that is no reason to ask."""
    have_places = sum(row.place is not None for row in rows) > 1
    doubts = {row.line: doubt for row in rows if (doubt := _doubt_row(row, have_places=have_places))}
    reasons = [each.why for each in doubts.values() if each.is_habit]
    habits = tuple(why for why in dict.fromkeys(reasons) if _is_habit(reasons.count(why), len(rows)))
    doubts = {line: each for line, each in doubts.items() if not (each.is_habit and each.why in habits)}
    finders = (
        _doubt_states, _doubt_two_names_with_comma, _doubt_small_letters, _doubt_single_words, _doubt_below_table,
        _doubt_sections, _doubt_signature, _doubt_rest_of_prose, _doubt_days,
    )  # fmt: skip
    for find in finders:
        for line, doubt in find(rows, doubts).items():
            if line not in doubts or (doubts[line].is_likely and not doubt.is_likely):
                doubts[line] = doubt
    return {
        row.line: RowDoubt(row.line, row.text, doubt.why, doubt.name or row.name, doubt.is_likely, doubt.names)
        for row in rows
        if (doubt := doubts.get(row.line))
    }, habits


def _is_habit(count: int, rows: int) -> bool:
    """Whether so many rows of a list are what the list is like, not what stands out in it."""
    return count == rows or (count >= FEWEST_FOR_HABIT and count * 2 >= rows)


def _doubt_row(row: ListRow, *, have_places: bool = False) -> NameDoubt | None:
    """The doubt about a row for what stands in it alone; ``have_places``: several rows have one behind the name."""
    if row.is_struck:
        return NameDoubt("struck through: has this player withdrawn?")
    for heading, cell in row.beside.items():
        if said := says_not_playing(heading, cell):
            return NameDoubt(f"{heading[:40]}: {said}")
    if not row.written:
        return NameDoubt("no name in it")
    if row.is_alone and (why := _part_of_letter(row.text)):
        return NameDoubt(why)
    if row.place and doubt_name(row.place.name) is None:
        what, is_likely = "country" if row.place.is_country else "club", have_places or not row.place.may_be_name
        why = f"behind the name the {what} {row.place.place!r}, it seems"
        return NameDoubt(why, row.place.name, is_likely=is_likely)
    doubt = doubt_name(row.written)
    if doubt is None and row.is_alone and has_small_word(row.written):
        return NameDoubt("words in small letters", is_likely=True, is_habit=True)
    return doubt


def _part_of_letter(text: str) -> str:
    """Which part of a letter or a mail a row is; empty if it is none."""
    parts = (
        (says_greeting, "a greeting, it seems"), (says_closing, "the end of a letter, it seems"),
        (says_mail, "a line of a mail, it seems"),
    )  # fmt: skip
    return next((why for says, why in parts if says(text)), "")


# Doubts that only the other rows of the list show.

Doubts = Mapping[ListPlace, NameDoubt]


def _doubt_states(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """A state that is not known, in a column that says of most players that they come."""
    in_doubt: dict[ListPlace, NameDoubt] = {}
    for heading in dict.fromkeys(heading for row in rows for heading in row.beside):
        states = {row.line: row.beside[heading] for row in rows if row.beside.get(heading)}
        others = [line for line, state in states.items() if not says_coming(state)]
        if IS_STATE.search(fold_name(heading)) and len(others) * 2 <= len(states):
            in_doubt |= {
                line: NameDoubt(f"{heading[:40]}: {states[line][:40]}", is_likely=bool(re.search(r"\d", states[line])))
                for line in others
            }  # a number is an amount or a time: he plays
    return in_doubt


def _doubt_small_letters(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """Words in small letters alone in a row, where other names have capitals."""
    small = [
        row
        for row in rows
        if row.is_alone
        and row.name.islower()
        and " " in row.name
        and row.name.replace(" ", "").isalpha()
        and row.line not in doubts
    ]
    if len(small) * 2 > len(rows):
        return {}
    return {row.line: NameDoubt("words in small letters", is_likely=True) for row in small}


def _doubt_two_names_with_comma(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """A comma with two words on each side: two players, or a family name and first names where the list has it so."""
    pairs = [row for row in rows if "," in row.written and not row.place and _is_pair(row.written)]
    turned = [row for row in rows if row.written != row.name and row not in pairs]
    if len(turned) + len(pairs) > len(rows) * NEARLY_ALL:
        return {}
    return {row.line: NameDoubt(SEVERAL, names=part_names(row.written)) for row in pairs}


def _is_pair(written: str) -> bool:
    parts = [part.split() for part in written.split(",")]
    return len(parts) > 2 or all(len(part) > 1 for part in parts)  # "Lund, Ada" has two


def _doubt_single_words(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """A single word alone in its row, where nearly all others have a first name and a family name."""
    whole = sum(len(row.name.split()) > 1 for row in rows if row.line not in doubts)
    single = [
        row
        for row in rows
        if row.is_alone and len(row.name.split()) == 1 and row.line not in doubts and not _has_no_blanks(row.name)
    ]
    if len(single) * 2 > whole and (len(single) > whole or whole < FEWEST_WHOLE):
        return {}
    heads = [row for row in single if (row.is_below_gap or row is rows[0]) and row is not rows[-1]]
    likely = {row.line: row not in heads and not row.is_again(rows) for row in single}
    return {line: NameDoubt("one word, where others have two names", is_likely=is_it) for line, is_it in likely.items()}


def _has_no_blanks(name: str) -> bool:
    """Whether a name is written in a script that puts no blank between family name and first name.

    >>> [_has_no_blanks(name) for name in ("김민수", "山田太郎", "Kim", "Kim김")]
    [True, True, False, False]
    """
    return all(unicodedata.name(sign, "").startswith(("CJK", "HANGUL", "HIRAGANA", "KATAKANA")) for sign in name)


def _doubt_below_table(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """A name alone in its row below an empty one, where nearly all rows have more cells filled."""
    filled = sum(not row.is_alone for row in rows)
    if filled < len(rows) * NEARLY_ALL / 2:
        return {}
    in_doubt: dict[ListPlace, NameDoubt] = {}
    is_below = False
    for row in rows:
        is_below = row.is_alone and (is_below or row.is_below_gap or row.line in doubts)
        if is_below:
            in_doubt[row.line] = NameDoubt("alone below the table", is_likely=True)
    return in_doubt


def _doubt_days(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """Names with a day behind them, where another row has one, too; alone it may be a family name, such as Sun."""
    in_doubt: dict[ListPlace, NameDoubt] = {}
    for row in rows:
        words = row.name.split()
        days = (n for n, word in enumerate(words) if n > 1 and fold_name(word) in DAYS)
        own = words[: next(days, len(words))]
        if len(own) < len(words) and fold_name(own[-1]) not in PARTICLES:  # "João de Sá"
            in_doubt[row.line] = NameDoubt("a day behind the name", name=" ".join(own), is_likely=True)
    return in_doubt if len(in_doubt) > 1 else {}


def _doubt_signature(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """A last row below a gap, where a greeting says that the list stands in a letter."""
    is_letter = any(row.is_alone and says_greeting(row.text) for row in rows)
    if not is_letter or not rows[-1].is_below_gap:
        return {}
    return {rows[-1].line: NameDoubt("alone at the end of a letter")}


def is_mostly_letter(rows: Sequence[ListRow], doubts: Mapping[ListPlace, RowDoubt]) -> bool:
    """Whether the rows are a letter in which names stand, and no list with a letter around it.

    Such a letter has a greeting and a closing, and its own lines, without its head and signature, are more than its
    names.
    """
    said = [row for row in rows if row.is_alone and not says_mail(row.text)]
    end = next((n for n, row in enumerate(said) if says_closing(row.text)), -1)
    if end < 0 or not any(says_greeting(row.text) for row in said[:end]):
        return False
    own = sum((doubt := doubts.get(row.line)) is not None and not doubt.is_likely for row in said[: end + 1])
    return len(said[: end + 1]) < 2 * own


def _doubt_rest_of_prose(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """All rows of what is no list of names: half of its rows or more are none."""
    asked = [row for row in rows if row.is_alone and row.line in doubts]
    doubts_alone = filter(None, map(_doubt_row, asked))
    prose = sum(not doubt.is_likely and doubt.why not in (STAND_IN, SEVERAL) for doubt in doubts_alone)
    if prose * 2 < len(rows) or prose < FEWEST_FOR_HABIT:
        return {}
    return {row.line: NameDoubt("most other rows are no names", is_likely=True) for row in rows}


def _doubt_sections(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, NameDoubt]:
    """Rows below a line such as "Waiting list" or "Maybe", or below the closing words of a letter."""
    in_doubt: dict[ListPlace, NameDoubt] = {}
    above, is_likely, has_players = "", False, False
    for row in rows:
        if row.is_alone and row.line in doubts and not doubts[row.line].is_likely:
            is_likely = not _is_section(row)
            above = row.written if not is_likely or (has_players and _is_other_section(row)) else ""
        elif above:
            in_doubt[row.line] = NameDoubt(f"stands below {above[:40]!r}", is_likely=is_likely)
        else:
            has_players = True
    return in_doubt


def _is_other_section(row: ListRow) -> bool:
    """Whether a row heads others below it, without saying that these play, too."""
    words = {*fold_name(row.written).split()}
    return row.is_below_gap and row.written.endswith(":") and words.isdisjoint(GROUP_HEADS | DAYS | COMES)


def _is_section(row: ListRow) -> bool:
    """Whether a row says of those below it that they do not play, and not of one player."""
    folded = fold_name(REMARK.sub(" ", row.written) if len(row.written) <= LONGEST_TEXT else row.written)
    if folded in UNSURE or says_closing(row.text) or not STAFF_HEADS.isdisjoint(folded.split()):
        return True
    said = NOT_PLAYING.search(folded)
    return said is not None and (row.is_below_gap or row.written.endswith(":") or folded.startswith(said[0]))
