"""The players in the rows below the headings: their columns, who is asked about, and who is entered twice."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from pipeline.draw.countries import FLAG, PlaceBehind, part_place
from pipeline.draw.list_as_read import (
    AskedLine,
    ListColumn,
    ReadRoster,
    RosterChoices,
    RosterTable,
    list_some,
    row_text,
    say_no_list,
)
from pipeline.draw.list_headings import FIRST, NAMES, UNUSED, guess_columns
from pipeline.draw.list_words import says_state
from pipeline.draw.listed_names import NamedRow, RowNotes, name_rows, turn_name
from pipeline.draw.name_doubts import ListRow, RowDoubt, find_doubts, is_mostly_letter
from pipeline.draw.roster import COLUMNS, YES, ListPlace, name_look, read_roster_rows
from pipeline.draw.unheaded_list import NumberedRows
from pipeline.printable import BLANKS, is_whole
from pipeline.problems import Problem, Weight
from pipeline.words.names import fold_name

ANNOUNCED = re.compile(r"announced r\d+")  # of our own Players sheet, one a round: announced for all is preregistered
DISTANCE = re.compile(
    "(?i)(~|ca\\.?|about|circa|etwa)? *([0-9][0-9., \u00a0\u202f'\u2019]*?) *(kms?|kilomet\\w*|mi|miles?|mls?)?\\.?"
)
LONGEST_DISTANCE = 30  # signs; no way to a tournament is longer
MILES_KM = 1.609344


def _part_at_tabs(table: RosterTable, rows: NumberedRows, columns: int) -> NumberedRows:
    """Rows in which a tab parts what other rows have in several columns; they are asked about."""
    parted: NumberedRows = []
    for line, row in rows:
        filled = [cell for cell in row if cell.strip(BLANKS)]
        parts = [part.strip() for part in filled[0].split("\t") if part.strip()] if len(filled) == 1 else []
        if 1 < len(parts) <= columns and row[0] == filled[0]:
            table.asked[line] = AskedLine(f"a name, and {' · '.join(parts[1:])[:40]!r}, it seems", is_likely=True)
            row = parts  # noqa: PLW2901
        parted.append((line, row))
    return parted


class _ListedColumns(Struct, frozen=True):
    """The columns of a list: how each is headed, what it means, and which of them the roster has beside the name."""

    headings: Sequence[str]
    meanings: Sequence[str]  # "" where the program does not know it
    announced: Sequence[int]  # the places of those that say which rounds somebody announced
    kept: Sequence[int]  # the places of all others but names and what nobody uses

    @classmethod
    def of(cls, headings: Sequence[str], choices: RosterChoices) -> "_ListedColumns":
        meanings = guess_columns(headings, choices)
        announced = [n for n, heading in enumerate(headings) if ANNOUNCED.fullmatch(heading.lower())]
        kept = [
            n
            for n, (heading, meaning) in enumerate(zip(headings, meanings, strict=True))
            if meaning not in NAMES and n not in announced and heading.lower() not in UNUSED
        ]
        return cls(headings, meanings, announced, kept)

    def heads(self, *, has_family: bool) -> list[str]:
        """The headings of the roster."""
        heads = ["name", *(["family_name"] if has_family else []), *(["preregistered"] if self.announced else [])]
        for n in self.kept:  # a column that is kept without being used has not the name of one of our own columns
            is_ours = fold_name(self.headings[n]).replace(" ", "_") in COLUMNS
            heads.append(self.meanings[n] or (f"{self.headings[n]} (as listed)" if is_ours else self.headings[n]))
        return heads

    def values(self, row: NamedRow, *, has_family: bool) -> list[str]:
        """What a row has below these headings, and what stands to the right of all columns."""
        values = [row.whole, *([row.family] if has_family else [])]
        if self.announced:
            values.append("yes" if all(row.cells[n].lower() in YES for n in self.announced) else "")
        return [*values, *(row.cells[n] for n in self.kept), *row.cells[len(self.headings) :]]

    def show_director(self, rows: NumberedRows) -> tuple[ListColumn, ...]:
        """The columns as the director is shown them, each with its first entry."""
        shown = [
            n for n, meaning in enumerate(self.meanings) if self.headings[n] and (n in self.kept or meaning in NAMES)
        ]
        firsts = (next((row[n].strip() for _, row in rows if n < len(row) and row[n].strip()), "") for n in shown)
        return tuple(
            ListColumn(self.headings[n], self.meanings[n], each) for n, each in zip(shown, firsts, strict=True)
        )


def read_table(table: RosterTable, headings: Sequence[str], rows: NumberedRows, head_line: ListPlace = 0) -> ReadRoster:
    """Read the rows below the headings: bring them to our columns, and let the roster's own reader check them."""
    where, choices = table.where, table.choices
    columns = _ListedColumns.of(headings, choices)
    rows = _part_at_tabs(table, rows, len(headings))
    for key in (key for key in choices.columns if key not in headings):
        table.note(f"no column is headed {key[:60]!r}", weight=Weight.STOPS)
    table.notes += _rival_columns(headings, columns.meanings, [row for _, row in rows], where)
    _refuse_half_names(table, columns, rows)
    named, doubtful = _choose_rows(table, headings, columns.meanings, rows)
    shown, columns = columns, _ListedColumns.of(_put_places(table, headings, columns.meanings, named), choices)
    for n in (n for n in columns.kept if columns.meanings[n] == "distance_km"):
        _read_distances(named, n)
    has_family = not {FIRST, "family_name"}.isdisjoint(columns.meanings) or any(row.family for row in named)
    heads = columns.heads(has_family=has_family)
    listed: list[tuple[ListPlace, list[str]]] = []
    for row in named:
        for weight, text in row.remarks:
            table.note(text, row.line, weight)
        listed.append((row.line, columns.values(row, has_family=has_family)))
    _turn_names_apart(named, heads, listed)
    listed, twice, (alike, same) = _merge_entries(listed, where, choices)
    players, problems = read_roster_rows(
        [heads, *(row for _, row in listed)], where, [head_line, *(line for line, _ in listed)]
    )
    problems = (*table.notes, *twice, *problems)
    return ReadRoster(players, problems, shown.show_director(rows), alike, same, doubtful)


def _refuse_half_names(table: RosterTable, columns: _ListedColumns, rows: NumberedRows) -> None:
    """Refuse to make players of half a name: the first names have a known column, or the family names, and not both."""
    halves = [meaning for meaning in columns.meanings if meaning in NAMES]
    if len(halves) != 1 or halves == ["name"]:
        return
    known = columns.headings[columns.meanings.index(halves[0])]
    other = "first names" if halves == ["family_name"] else "family names"
    for n, (heading, meaning) in enumerate(zip(columns.headings, columns.meanings, strict=True)):
        cells = [row[n].strip() for _, row in rows if n < len(row)]
        if not meaning and heading not in table.choices.columns and 2 * sum(map(_may_be_half, cells)) > len(rows):
            text = f"{known[:40]!r} is half of the names; say which column has the {other}, such as {heading[:40]!r}"
            table.note(f"{text}, or that {known[:40]!r} has the whole names", weight=Weight.STOPS)
            return


def _may_be_half(text: str) -> bool:
    return text[:1].isalpha() and not text[:1].islower() and not says_state(text) and len(text.split()) < 4


def _put_places(
    table: RosterTable, headings: Sequence[str], meanings: Sequence[str], named: Sequence[NamedRow]
) -> list[str]:
    """Write the countries and clubs behind names into their columns, which are added where there is none."""
    headings = list(headings)
    for what, is_land in (("club", False), ("country", True)):
        places = {row.line: row.place.place for row in named if row.place and row.place.is_country is is_land}
        if not places:
            continue
        table.note(f"the {what} behind a name: {list_some(places.values())}")
        column = meanings.index(what) if what in meanings else len(headings)
        if column == len(headings):
            headings.append(what)
            for row in named:
                row.cells.insert(column, "")
        for row in named:
            row.cells[column] = row.cells[column] or places.get(row.line, "")
    return headings


def _turn_names_apart(
    named: Iterable[NamedRow], heads: Sequence[str], listed: Iterable[tuple[ListPlace, list[str]]]
) -> None:
    """Write the names of those who are to be kept apart as they stand in the roster: "Doe, Jo" as "Jo Doe"."""
    turned = {row.written: row.whole for row in named if row.written not in ("", row.whole)}
    for n in (n for n, head in enumerate(heads) if head == "keep_apart"):
        for _, values in listed:
            for written, name in turned.items():
                values[n] = values[n].replace(written, name)


def _choose_rows(
    table: RosterTable, headings: Sequence[str], meanings: Sequence[str], rows: NumberedRows
) -> tuple[list[NamedRow], tuple[RowDoubt, ...]]:
    """The rows that name a player, each with its name, and those that the director must be asked about."""
    choices = table.choices.rows
    for key in choices.keys() - {str(line) for line, _ in rows}:
        table.note(f"no row {key} stands below the headings", weight=Weight.STOPS)
    named = name_rows(table, meanings, rows)
    clubs = {fold_name(row.cells[n]) for row in named for n, each in enumerate(meanings) if each in ("club", "team")}
    places = {row.line: placed for row in named if (placed := part_place(row.written, clubs - {""}))}
    _put_certain_countries(named, places)
    list_rows = [
        ListRow(
            line=row.line,
            written=row.written,
            name=row.whole,
            text=row_text(row.cells),
            is_alone=not any(
                cell for n, cell in enumerate(row.cells) if n >= len(meanings) or meanings[n] not in NAMES
            ),
            beside={headings[n]: row.cells[n] for n, meaning in enumerate(meanings) if meaning in ("", "standing")},
            is_struck=row.line in table.struck,
            is_below_gap=row.line in table.below_gap,
            place=replace(place, name=turn_name(place.name)[0]) if (place := places.get(row.line)) else None,
        )
        for row in named
    ]
    doubts, habits = find_doubts(list_rows)
    if is_mostly_letter(list_rows, doubts):
        table.note(say_no_list("a letter or a mail"), weight=Weight.STOPS)
        return [], ()
    for line in _numbered_in_our_workbook(headings, named):
        doubts.pop(line, None)
    doubts = {**_ask_of_pairs(table, named), **doubts}
    for habit in habits:
        table.note(f"half of the names or more: {habit}; look them over")
    rows_chosen: list[NamedRow] = []
    for row in named:
        if str(row.line) in choices and choices[str(row.line)] is not None:
            _drop_part_of_name(table, meanings, row, choices[str(row.line)] or ())
            rows_chosen += _read_answer(table, row, choices[str(row.line)] or (), places.get(row.line))
        elif row.line not in doubts or str(row.line) in choices:
            rows_chosen.append(row)
    _tell_clubs(table, [table.clubs[row.line] for row in rows_chosen if row.line in table.clubs])
    asked = tuple(
        _say_twice(doubt, named) for row in named if (doubt := doubts.get(row.line)) and str(row.line) not in choices
    )
    for doubt in asked:
        table.note(f"{doubt.text[:60]!r} may be no player: {doubt.why}", doubt.line, Weight.ASKS)
    return rows_chosen, asked


def _put_certain_countries(named: Sequence[NamedRow], places: dict[ListPlace, PlaceBehind]) -> None:
    """Take the countries off the names where each name has one behind it, and where it is a flag: nothing is to ask."""
    have_all = len(places) == len(named) > 1 and all(p.is_country and not p.may_be_name for p in places.values())
    for row in named:
        if row.line in places and (have_all or FLAG.search(row.written)):
            row.place = places.pop(row.line)
            row.written = row.place.name
            row.whole, row.family = turn_name(row.written)


def _drop_part_of_name(
    table: RosterTable, meanings: Sequence[str], row: NamedRow, names: str | tuple[str, ...]
) -> None:
    """Empty the cell of a club that holds a word of the name as the director writes it: it was part of the name."""
    came = _words_in(str(names)) - _words_in(row.written)
    for n, meaning in enumerate(meanings):
        if meaning in ("club", "team", "country") and came & _words_in(row.cells[n]):
            table.note(f"{row.cells[n][:60]!r} is part of the name, and no {meaning}", row.line)
            row.cells[n] = ""
            table.clubs.pop(row.line, None)


def _words_in(text: str) -> set[str]:
    """The words of a text, without the signs between them."""
    return {*re.findall(r"\w{2,}", fold_name(text))}


def _read_answer(
    table: RosterTable, row: NamedRow, names: str | tuple[str, ...], place: PlaceBehind | None
) -> list[NamedRow]:
    """The players whom the director names in a row."""
    if not names:
        table.note(f"left out: {row_text(row.cells)[:60]}", row.line)
    return [_named_anew(row, name, place) for name in ((names,) if isinstance(names, str) else names) if name]


def _named_anew(row: NamedRow, name: str, place: PlaceBehind | None) -> NamedRow:
    """A row with the name that the director gives it; what stood behind the name is a place where it has no more."""
    is_place = place is not None and not fold_name(name).endswith(fold_name(place.place))
    turned, family = turn_name(place.name) if place and is_place else (row.whole, row.family)
    whole, family = (name, family) if name == turned else turn_name(name)
    copied = NamedRow(row.line, [*row.cells], row.written, whole, family, row.remarks)
    copied.place = place if is_place else None
    return copied


def _tell_clubs(table: RosterTable, clubs: Iterable[str]) -> None:
    """Tell what is taken for a club because it stands behind the name of somebody who is a player."""
    if clubs := list(clubs):
        table.note(f"the club behind a name: {list_some(clubs)}")


def _ask_of_pairs(table: RosterTable, named: Iterable[NamedRow]) -> dict[ListPlace, RowDoubt]:
    """The rows in which no column says what stands behind the name."""
    asked: dict[ListPlace, RowDoubt] = {}
    for row in named:
        if row.line in table.asked:
            why, is_likely = table.asked[row.line]
            asked[row.line] = RowDoubt(row.line, row_text(row.cells), why, row.whole, is_likely)
    return asked


def _say_twice(doubt: RowDoubt, named: Iterable[NamedRow]) -> RowDoubt:
    """A doubt about a row, with the row in which the same name stands, too."""
    again = (row for row in named if row.line != doubt.line and fold_name(row.whole) == fold_name(doubt.name))
    other = next(again, None)
    return replace(doubt, why=f"{doubt.why}; {other.whole!r} stands in row {other.line}, too") if other else doubt


def _numbered_in_our_workbook(headings: Sequence[str], rows: Iterable[NamedRow]) -> list[ListPlace]:
    """The rows of our own Players sheet that are players of an event already: their names were asked about then."""
    if not set(UNUSED[:2]) <= {heading.lower() for heading in headings}:
        return []
    number = [heading.lower() for heading in headings].index(UNUSED[0])
    return [row.line for row in rows if row.cells[number]]


def _rival_columns(
    headings: Sequence[str], meanings: Sequence[str], rows: Sequence[Sequence[str]], where: str
) -> Iterator[Problem]:
    """Columns of a name that mean the same and say different things: only one of them could be read."""
    for meaning in NAMES:
        places = [n for n, each in enumerate(meanings) if each == meaning]
        if any(len({"".join(row[n : n + 1]).strip(BLANKS) for n in places}) > 1 for row in rows):
            both = " and ".join(repr(headings[n][:60]) for n in places)
            text = f"the columns {both} all mean {meaning!r}; say which of them is only kept, or change its heading"
            yield Problem(Weight.STOPS, text, where)


def _find_decimal_mark(values: Iterable[str]) -> str:
    """The decimal separator in a column of numbers; "" if no value shows it.

    >>> _find_decimal_mark(["12,5", "1.250"]), _find_decimal_mark(["1.250", "30"])
    (',', '')
    """
    marks = {match[1] for value in values if (match := re.search(r"[0-9]([.,])(?![0-9]{3}(?![0-9]))[0-9]+", value))}
    return marks.pop() if len(marks) == 1 else ""


def _read_distances(rows: Iterable[NamedRow], place: int) -> None:
    """Write the distances of a column in whole kilometres, and what is taken for what."""
    rows = tuple(rows)
    mark = _find_decimal_mark([row.cells[place] for row in rows])
    for row in rows:
        row.cells[place], remarks = _read_kilometres(row.cells[place], mark)
        row.remarks += remarks


def _read_kilometres(text: str, mark: str) -> tuple[str, RowNotes]:
    """Read whole kilometres; an ambiguous number is refused.

    >>> _read_kilometres("1 250 km", "")[0], _read_kilometres("1.250", ",")[0], _read_kilometres("~7.5 mi", "")[0]
    ('1250', '1250', '12')
    >>> _read_kilometres("1.250", "")[1][0][1]
    "distance_km: '1.250' may be 1250 or 1.25; write whole kilometres without a sign between the digits"
    """
    match = DISTANCE.fullmatch(text.strip()) if len(text) <= LONGEST_DISTANCE else None
    if match is None or is_whole(text):
        return text, []
    about, number, unit = match.groups()
    number = re.sub("[ \u00a0\u202f'\u2019]", "", number)
    for sign in (",", "."):
        if re.fullmatch(rf"[0-9]{{1,3}}(?:\{sign}[0-9]{{3}})+", number):
            if mark in ("", sign) and number.count(sign) == 1:
                both = f"{number.replace(sign, '')} or {float(number.replace(sign, '.')):g}"
                advice = "write whole kilometres without a sign between the digits"
                return "", [(Weight.STOPS, f"distance_km: {text[:40]!r} may be {both}; {advice}")]
            number = number.replace(sign, "")
    try:
        value = float(number.replace(",", "."))
    except ValueError:
        return text, []
    exact = value * (MILES_KM if unit and unit.lower().startswith(("mi", "ml")) else 1)
    whole = str(math.floor(exact + 0.5))
    plain = not about and exact == value == int(value)
    return whole, [] if plain else [(Weight.NOTES, f"distance_km: {text[:40]!r} is taken as {whole} km")]


def _merge_entries(
    table: Sequence[tuple[ListPlace, list[str]]], where: str, choices: RosterChoices
) -> tuple[list[tuple[ListPlace, list[str]]], list[Problem], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Join the entries of one person that the director says is one; ask about names that look alike.

    Gives the rows, the problems, and the names that are asked about: all, and those that are the same.
    """
    joined, parted = (_names_decided(table, names) for names in (choices.merged, choices.both))
    rows_by_folded: dict[str, int] = {}  # the look of a name without accents and case -> its first row in ``entries``
    rows_by_written: dict[str, int] = {}  # name in small letters -> likewise
    entries: list[tuple[ListPlace, list[str]]] = []
    problems: list[Problem] = []
    alike: dict[str, bool] = {}  # name -> whether only capitals differ
    for line, row in table:
        name, key, written = row[0], name_look(row[0]), row[0].casefold()
        place = rows_by_written.get(written, rows_by_folded.get(key))
        if not key or place is None:
            rows_by_folded[key] = rows_by_written[written] = len(entries)
            entries.append((line, row))
            continue
        before, other = entries[place]
        if name in joined:
            entries[place] = (before, [new or old for new, old in zip_longest(row, other, fillvalue="")])
            entries[place][1][0] = other[0]
            text = f"{name!r} is the same as in row {before}; what is filled in here counts"
            problems.append(Problem(Weight.NOTES, text, f"{where} row {line}"))
            continue
        if written in rows_by_written:  # the same name twice: the reader of the roster refuses it
            alike[name] = True
        elif name not in parted:
            alike[name] = False
            text = f"{name!r} looks like {other[0]!r} in row {before}: say whether they are one person or two people"
            problems.append(Problem(Weight.STOPS, text, f"{where} row {line}"))
        rows_by_written.setdefault(written, len(entries))
        entries.append((line, row))
    return entries, problems, (tuple(alike), tuple(name for name, is_same in alike.items() if is_same))


def _names_decided(table: Sequence[tuple[ListPlace, list[str]]], names: Iterable[str]) -> frozenset[str]:
    """Expand a choice to the names in the rows that it covers.

    A name that is asked about covers the rows that are spelled so; any other, such as the first row's, all that look
    like it.
    """
    first: dict[str, str] = {}
    again = {row[0] for _, row in table if first.setdefault(fold_name(row[0]), row[0]) != row[0]}
    written = [row[0] for _, row in table]
    again |= {name for name in first.values() if written.count(name) > 1}
    asked = {name for name in names if name in again}
    folded = {fold_name(name) for name in names if name not in again}
    return frozenset(asked | {name for name in written if fold_name(name) in folded})
