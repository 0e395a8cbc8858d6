"""A list of players whose columns nobody named: what can be read as names is proposed, the rest is kept.

Family names in front of first names, teams in front of their players, and a column of names beside others.
"""

import re
from collections.abc import Sequence

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.draw.countries import is_country
from pipeline.draw.letter_lines import is_head_word, says_closing, says_mail
from pipeline.draw.list_as_read import AskedLine
from pipeline.draw.list_numbers import drop_counts
from pipeline.draw.list_words import LONGEST_TEXT, PARTICLES, says_state
from pipeline.draw.one_name import HEADS_A_GROUP
from pipeline.draw.roster import ListPlace
from pipeline.words.names import fold_name

MOST = 0.6  # of the rows: what so many are like is what the list is like
LONGEST_NAME = 3  # words of a first name, or of a family name
TEAMS = tuple(
    map(
        re.compile,
        (r"([^:,;()/]{1,60}):(?!\d)\s*(\S.*)", r"([^:,;()/]{1,60}\S)\s*\(([^()]*)\)", r"([^:,;()/]{1,60}?) [-–—] (.*)"),
    )
)
BETWEEN = re.compile(r"[,;/&+·|]| (?:and|und|et|y|e|og|och|en) ")
BEHIND = re.compile(r"([^()\[\]]*\S)\s+(?:[(\[]\s*([^()\[\]]*\S)\s*[)\]]|[-–—]\s+([^()\[\]]+))")
TURNED = "a family name and a first name, it seems"
POWERS = frozenset(power.lower() for power in Power)

NumberedRows = list[tuple[ListPlace, Sequence[str]]]


class ProposedNames(Struct):
    """What a list without headings is taken for: its columns, its rows, and what must be asked about."""

    headings: list[str]
    rows: NumberedRows
    told: str
    asked: dict[ListPlace, AskedLine] = field(default_factory=dict)


def propose_names(numbered: NumberedRows) -> ProposedNames | None:
    """The names that a list without headings seems to have; None if nothing in it can be read as names.

    >>> proposed = propose_names([(1, ["1. O'Brien", " Siobhan (Dublin)"]), (2, ["2. Lund", " Ada (Oslo)"])])
    >>> proposed.rows if proposed else None
    [(1, ["O'Brien, Siobhan", 'Dublin']), (2, ['Lund, Ada', 'Oslo'])]
    """
    cells = [[cell.strip() for cell in row] for _, row in numbered]
    filled = [[cell for cell in row if cell] for row in cells]
    firsts, _ = drop_counts([row[0] for row in filled])
    for row, first in zip(cells, firsts, strict=True):
        row[next(n for n, cell in enumerate(row) if cell)] = first
    lines = [line for line, _ in numbered]
    is_turned = any(cell.startswith(" ") for _, row in numbered for cell in row[1:2])  # "Lund, Ada"
    whole = _column_of_names(lines, cells)
    if is_turned and not whole:
        return _turned_names(lines, cells)
    return whole or _first_and_family(lines, cells) or _turned_names(lines, cells)


def _turned_names(lines: Sequence[ListPlace], cells: Sequence[Sequence[str]]) -> ProposedNames | None:
    """Family names, each with a first name behind it, and perhaps a club."""
    rows: NumberedRows = []
    asked: dict[ListPlace, AskedLine] = {}
    for line, row in zip(lines, cells, strict=True):
        parts = [cell for cell in row if cell]
        first, club = _part_club(parts[1]) if len(parts) in (2, 3) else ("", "")
        if len(parts) > 3 or not (first and _is_part_of_name(parts[0]) and _is_part_of_name(first)):
            asked[line] = AskedLine("not written as the other lines are", is_likely=len(parts) == 1)
            rows.append((line, [", ".join(parts), ""]))
            continue
        asked[line] = AskedLine(TURNED, is_likely=True)
        rows.append((line, [f"{parts[0]}, {first}", "; ".join(filter(None, (club, *parts[2:])))]))
    if sum(row[0].count(",") == 1 and asked[line].is_likely for line, row in rows) < MOST * len(rows):
        return None
    clubs = [club for _, (_, club) in rows if club]
    place = "country" if clubs and all(map(is_country, clubs)) else "club"
    return ProposedNames(["name", place], rows, "the family names stand in front, it seems", asked)


def _part_club(text: str) -> tuple[str, str]:
    """A text, and what stands behind it in brackets or behind a dash.

    >>> _part_club("Siobhan (Dublin Castle)"), _part_club("Ada - Oslo"), _part_club("Ada")
    (('Siobhan', 'Dublin Castle'), ('Ada', 'Oslo'), ('Ada', ''))
    """
    both = BEHIND.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    return (both[1], (both[2] or both[3]).strip()) if both else (text, "")


def _is_part_of_name(text: str) -> bool:
    """Whether a text may be a first name or a family name.

    >>> [_is_part_of_name(text) for text in ("O'Brien", "van der Berg", "Jean-Luc", "paid", "Best regards", "12")]
    [True, True, True, False, False, False]
    """
    words = text.split()
    own = [word for word in words if fold_name(word) not in PARTICLES or not word.islower()]
    is_name = bool(own) and all(word[0].isupper() and word.replace("-", "").isalpha() for word in _plain(own))
    return is_name and len(own) <= LONGEST_NAME and not says_state(text) and not says_closing(text)


def _plain(words: Sequence[str]) -> list[str]:
    """Words without apostrophes, and without the point of an initial."""
    return [word.translate(dict.fromkeys(map(ord, "'’‘`´."))) or "." for word in words]


def is_whole_name(text: str) -> bool:
    """Whether a text may be a first name and a family name.

    >>> [is_whole_name(text) for text in ("Ada Lund", "Vincent van der Berg", "Ada", "Ada Lund paid", "New address")]
    [True, True, False, False, False]
    """
    words = text.replace(",", " ").split()
    own = [word for word in words if fold_name(word) not in PARTICLES or not word.islower()]
    return 1 < len(own) <= 2 * LONGEST_NAME and all(map(_is_part_of_name, own)) and not says_state(text)


def _columns(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    widest = max(map(len, cells))
    return [[row[n] if n < len(row) else "" for row in cells] for n in range(widest)]


def _column_of_names(lines: Sequence[ListPlace], cells: Sequence[Sequence[str]]) -> ProposedNames | None:
    """A column of whole names beside columns that nobody named."""
    columns = _columns(cells)
    whole = [
        n
        for n, column in enumerate(columns)
        if sum(map(is_whole_name, column)) >= MOST * len(column) and len(set(column)) > MOST * len(column)
    ]
    if not whole:
        return None
    if len(whole) >= max(3, len(columns) - 1):
        return _several_names_a_row(lines, cells, whole)
    place = whole[0]
    rows: NumberedRows = []
    asked: dict[ListPlace, AskedLine] = {}
    for number, line in enumerate(lines):
        row = [column[number] for column in columns]
        name = row.pop(place)
        if not is_whole_name(name):
            is_likely = bool(name) and number > 0
            asked[line] = AskedLine("no first name and family name, as the other rows have", is_likely)
        rows.append((line, [name, *row]))
    lands = [n for n, column in enumerate(columns) if any(column) and all(map(is_country, filter(None, column)))]
    others = ["country" if [n] == lands else f"column {n + 1}" for n in range(len(columns)) if n != place]
    return ProposedNames(["name", *others], rows, _say_where(f"column {place + 1}"), asked)


def _several_names_a_row(
    lines: Sequence[ListPlace], cells: Sequence[Sequence[str]], whole: Sequence[int]
) -> ProposedNames:
    """A row for each name of a table of names; what stands beside them in one column is the team."""
    rows: NumberedRows = []
    for line, row in zip(lines, cells, strict=True):
        team = " ".join(cell for n, cell in enumerate(row) if n not in whole)
        names = [cell for n, cell in enumerate(row) if n in whole and cell]
        rows += [(f"{line}.{n}", [name, team]) for n, name in enumerate(names, start=1)]
    why = "one of several names in its row, it seems"
    asked = {line: AskedLine(why, is_whole_name(name)) for line, (name, _) in rows}
    return ProposedNames(["name", "team"], rows, "several names stand in a row, it seems", asked)


def _say_where(where: str) -> str:
    return f"no row names the columns; the names are taken from {where}: write above the first row what the others are"


def _first_and_family(lines: Sequence[ListPlace], cells: Sequence[Sequence[str]]) -> ProposedNames | None:
    """A column of first names and one of family names, the first two; which of both is which is asked."""
    columns = _columns(cells)
    if len(columns) < 2 or any(sum(map(_is_part_of_name, each)) < MOST * len(each) for each in columns[:2]):
        return None
    rows: NumberedRows = [(line, [column[number] for column in columns]) for number, line in enumerate(lines)]
    why = "a first name and a family name, it seems"
    asked = {line: AskedLine(why, all(map(_is_part_of_name, row[:2]))) for line, row in rows}
    others = [f"column {n}" for n in range(3, len(columns) + 1)]
    return ProposedNames(["first_name", "family_name", *others], rows, _say_where("columns 1 and 2"), asked)


def names_behind_teams(numbered: NumberedRows, known: Sequence[str]) -> ProposedNames | None:
    """Lines that have a team and its players in brackets or behind a sign, one row a player; None if few lines have.

    ``known`` are the words that head columns: "Name: Ada Lund" names no team.

    >>> proposed = names_behind_teams([(1, ["Owls: Ada", " Bo"]), (2, ["Bats (Cy Dee and Dov Hart)"])], ["name"])
    >>> proposed.rows[1:] if proposed else None
    [('1.2', ['Bo', 'Owls']), ('2.1', ['Cy Dee', 'Bats']), ('2.2', ['Dov Hart', 'Bats'])]

    Who stands behind the end of a letter, or behind what people do, is in no team, and is asked about.

    >>> lines = ["Owls: Ada, Bo", "Bats: Cy, Dov", "Kind regards: Eva, Fay", "Maybe: Gil, Hal"]
    >>> proposed = names_behind_teams([*enumerate([line] for line in lines)], ["name"])
    >>> [(*row, proposed.asked[place].is_likely) for place, row in proposed.rows[3:]] if proposed else None
    [('Dov', 'Bats', True), ('Eva', '', False), ('Fay', '', False), ('Gil', '', False), ('Hal', '', False)]
    """
    parted = {line: of_line for line, row in numbered if (of_line := _part_team([cell.strip() for cell in row]))}
    teams = [fold_name(team) for team, _ in parted.values()]
    behind = [name for _, names in parted.values() for name in names]
    is_other = any(team in known or team in POWERS or is_head_word(team) for team in teams)
    are_names = sum(map(is_whole_name, behind)) >= MOST * len(behind)
    are_people = sum(is_whole_name(team) for team, _ in parted.values()) >= MOST * len(parted)
    if is_other or len(behind) == len(parted) or len(parted) < MOST * len(numbered):
        return None
    if are_people and not (are_names and all(":" in "".join(row) for _, row in numbered)):
        return None  # "Ada Lund (Red Hats, New York)"
    rows: NumberedRows = []
    asked: dict[ListPlace, AskedLine] = {}
    for line, row in numbered:
        team, names = parted.get(line, ("", [", ".join(cell.strip() for cell in row if cell.strip())]))
        is_numbered = HEADS_A_GROUP.fullmatch(fold_name(team)) is not None
        is_team = is_numbered or not (says_state(team) or says_closing(team) or (team and says_mail(f"{team}: ")))
        is_group = is_numbered and not fold_name(team).startswith("team")
        for n, name in enumerate(names, start=1):
            place = f"{line}.{n}" if team else line
            why = f"stands behind {team[:40]!r}" if team else "no team in front, as the other lines have"
            is_likely = is_team and (is_whole_name(name) or (bool(team) and _is_part_of_name(name)))
            asked[place] = AskedLine(why, is_likely)
            rows.append((place, [name, team if is_team and not is_group else ""]))
    return ProposedNames(["name", "team"], rows, "what stands in front of the names is taken for teams", asked)


def _part_team(cells: Sequence[str]) -> tuple[str, list[str]] | None:
    """A team and the names behind it.

    >>> _part_team(["Oslo: Lund, Ada", "Ek, Bo"]), _part_team(["Owls - Ada Lund", "Bo Ek"]), _part_team(["Ada Lund"])
    (('Oslo', ['Lund, Ada', 'Ek, Bo']), ('Owls', ['Ada Lund', 'Bo Ek']), None)
    """
    filled = [cell for cell in cells if cell]
    text = ", ".join(filled)
    match = next(filter(None, (each.fullmatch(text) for each in TEAMS)), None) if len(text) <= LONGEST_TEXT else None
    if match is None:
        return None
    team, names = match.groups()
    if any("," in cell for cell in filled) and len(filled) > 1:  # another sign parts the names
        return team, [names[: len(filled[0]) - len(text)].strip(), *filled[1:]]
    parts = names.split(";") if ";" in names and "," in names else BETWEEN.split(names)
    return team.strip(), [name.strip() for name in parts if name.strip()]


def records(numbered: NumberedRows, names: Sequence[str]) -> NumberedRows:
    """A table of what a form sends: a word and an answer in each line, the words again for each player; else nothing.

    ``names`` are the words that head columns of names.

    >>> records([(1, ["Name: Ada Lund"]), (2, ["Club: Owls"]), (4, ["Name: Bo Ek"]), (5, ["Club: "])], ["name"])
    [(1, ['Name', 'Club']), (1, ['Ada Lund', 'Owls']), (4, ['Bo Ek', ''])]
    """
    pairs = [(line, ", ".join(row).partition(":")) for line, row in numbered]
    keys = [fold_name(before) for _, (before, _, _) in pairs]
    first = keys[0]
    if first not in names or keys.count(first) < 2 or not all(colon for _, (_, colon, _) in pairs):
        return []
    columns = list(dict.fromkeys(keys))
    heads = [pairs[keys.index(key)][1][0].strip() for key in columns]
    rows: NumberedRows = [(pairs[0][0], heads)]
    for key, (line, (_, _, value)) in zip(keys, pairs, strict=True):
        if key == first:
            rows.append((line, [""] * len(columns)))
        row, place = list(rows[-1][1]), columns.index(key)
        row[place] = "; ".join(filter(None, (row[place], value.strip())))
        rows[-1] = rows[-1][0], row
    return rows


NTH_NAME = re.compile(r"(\D+?) ?\d{1,2}")  # folded


def one_name_a_row(numbered: NumberedRows, names: Sequence[str]) -> NumberedRows:
    """A table with columns such as "Player 1" and "Player 2" as one with a row for each of them; else nothing.

    >>> one_name_a_row([(1, ["Team", "Player 1", "Player 2"]), (2, ["Owls", "Ada Lund", "Bo Ek"])], ["player"])
    [(1, ['player', 'Team']), ('2.1', ['Ada Lund', 'Owls']), ('2.2', ['Bo Ek', 'Owls'])]
    """
    line, heads = numbered[0]
    matches = [NTH_NAME.fullmatch(fold_name(head)) for head in heads]
    places = [n for n, match in enumerate(matches) if match and match[1] in names]
    if len(places) < 2:
        return []
    others = [n for n in range(len(heads)) if n not in places]
    rows: NumberedRows = [(line, [names[0], *(heads[n] for n in others)])]
    for place, row in numbered[1:]:
        beside = [row[n] if n < len(row) else "" for n in others]
        here = [row[n].strip() for n in places if n < len(row) and row[n].strip()]
        rows += [(f"{place}.{n}", [name, *beside]) for n, name in enumerate(here, start=1)]
    return rows
