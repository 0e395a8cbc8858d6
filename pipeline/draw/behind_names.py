"""What stands behind the names of a list without headings: a club in brackets or behind a dash, a state, a number."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from pipeline.draw.countries import is_country
from pipeline.draw.letter_lines import says_closing
from pipeline.draw.list_as_read import AskedLine, RosterTable, list_lines
from pipeline.draw.list_headings import may_be_headings
from pipeline.draw.list_numbers import drop_counts
from pipeline.draw.list_words import LONGEST_TEXT, PARTICLES, says_coming, says_nothing, says_state
from pipeline.draw.listed_names import FORM_OF_ADDRESS, PRONOUNS, SUFFIX, is_contact, mark_dashes, tell_counts
from pipeline.draw.roster import ListPlace
from pipeline.draw.unheaded_list import TURNED, NumberedRows, is_whole_name
from pipeline.printable import BLANKS, LETTER_WITHOUT_CASE
from pipeline.rules.table import did_you_mean
from pipeline.words.names import fold_name

SEPARATOR = re.compile(r"[,;\t|]")
# a name and what stands behind it: "Ada Lund (Owls)"; "Ada Lund: Owls"; "Ada Lund - Owls"; "Ada Lund 12", or a date
IN_BRACKETS = re.compile(r"([^()\[\]]*\S) *+[(\[] *+([^()\[\]]*\S) *+[)\]]")
BEHIND_SIGN = re.compile(r"([^()\[\]:=\d]*[^\s\d] [^\s\d][^()\[\]:=\d]*?) *+(?:[:=]|=>|→) *+([^()\[\]:=]*\S)")
BEHIND_DASH = re.compile(r"([^()\[\]]*\S) ++[-–—]{1,2} ++([^()\[\]]+)")
NUMBER_BEHIND = re.compile(
    r"([^\d()\[\]]*[^\d()\[\]\s]) ++[(\[]?(\d{1,4}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d)[)\]]?"
)


def _part_behind(name: str) -> list[str]:
    """A name and what stands behind it in brackets or behind a dash, or the name alone.

    >>> _part_behind("Ada Lund (Owls)"), _part_behind("Ada Lund - Owls"), _part_behind("Ada Lund (Owls) Jr")
    (['Ada Lund', 'Owls'], ['Ada Lund', 'Owls'], ['Ada Lund (Owls) Jr'])
    """
    if len(name) > LONGEST_TEXT or PRONOUNS.search(name):
        return [name]
    both = IN_BRACKETS.fullmatch(name) or BEHIND_DASH.fullmatch(name) or BEHIND_SIGN.fullmatch(name)
    return list(both.groups()) if both else [name]


def _numbers_behind(names: Sequence[str]) -> list[list[str]]:
    """The names and the numbers behind them, where all have one and differ without it; otherwise nothing.

    >>> _numbers_behind(["Ada Lund 12", "Bo Ek 9"]), _numbers_behind(["Player 1", "Player 2"])
    ([['Ada Lund', '12'], ['Bo Ek', '9']], [])
    """
    matches = [NUMBER_BEHIND.fullmatch(name) for name in names if len(name) <= LONGEST_TEXT]
    parts = [list(match.groups()) for match in matches if match and " " in match[1]]
    return parts if len(parts) == len(names) == len({name for name, _ in parts}) else []


def has_more_behind(rows: Iterable[Sequence[str]]) -> bool:
    """Whether half or more of the lines of one text end in brackets, a number, or something behind a dash."""
    texts, _ = drop_counts([cells[0].strip() for row in rows if len(cells := list(filter(str.strip, row))) == 1])
    if not texts:
        return False
    return len(texts) <= 2 * sum(len(_part_behind(text)) > 1 for text in texts) or bool(_numbers_behind(texts))


def names_and_more(table: RosterTable, numbered: NumberedRows) -> tuple[list[str], NumberedRows] | None:
    """A list without headings as columns, where some of its lines hold two texts and the others one.

    None if the first row may be headings, if too many rows hold more, or if family names stand in front of first names.
    """
    first = [fold_name(cell) for cell in numbered[0][1] if cell.strip()]
    if may_be_headings(first) or any(did_you_mean(cell, ("name",)) for cell in first):
        return None
    filled = [[cell.strip(BLANKS) for cell in row if cell.strip(BLANKS)] for _, row in numbered]
    names, counts = drop_counts([cells[0] for cells in filled])
    lines = [line for line, _ in numbered]
    if reached := [line for line, cells in zip(lines, filled, strict=True) if len(cells) == 2 and is_contact(cells[1])]:
        table.note(f"addresses and telephone numbers behind the names, left out: row {list_lines(reached)}")
        filled = [cells[:1] if line in reached else cells for line, cells in zip(lines, filled, strict=True)]
    mark_dashes(table, counts, [(line, cells[0]) for line, cells in zip(lines, filled, strict=True)])
    whole = [" ".join([name, *others]) for name, (_, *others) in zip(names, filled, strict=True)]
    if all(len(cells) < 3 for cells in filled) and (parts := _numbers_behind(whole)):
        tell_counts(table, counts)
        return ["name", "number behind the name"], list(zip(lines, parts, strict=True))
    has_behind = has_more_behind(filled)
    pairs = {
        line: _part_line([name, *others], has_behind=has_behind)
        for line, name, (_, *others) in zip(lines, names, filled, strict=True)
    }
    if turned := {line: both for line, cells in pairs.items() if (both := _turned_with_club(cells))}:
        bare = [
            line
            for line, cells in pairs.items()
            if len(cells) == 2 and _is_family_name(cells[0]) and _is_capital_word(cells[1])
        ]
        table.asked |= dict.fromkeys(bare, AskedLine(TURNED, is_likely=True))
        pairs |= turned | {line: [", ".join(pairs[line])] for line in bare}
    wide = _wide_lines(pairs)
    if len(wide) * 2 >= len(pairs):
        return None
    for line in wide:
        cells = pairs[line]
        is_name = len(cells) == 2 and all(_is_capital_word(cell) for cell in cells) and not says_closing(cells[0])
        table.asked[line] = AskedLine("several texts, where other lines hold a name", is_likely=is_name)
        pairs[line] = [", ".join(cells)]
    tell_counts(table, counts)
    wide += [line for line, asked in table.asked.items() if not asked.is_likely]
    wide += [line for line, cells in pairs.items() if len(cells) == 1 and not is_whole_name(cells[0])]
    is_whole_list = all(
        len(pairs[line]) > 1 and (line in turned or "," in name or len(_part_behind(name)) > 1)
        for line, name in zip(lines, names, strict=True)
        if line not in wide
    )
    return _sort_behind(table, pairs, is_whole_list=is_whole_list)


def names_below_heading(table: RosterTable, numbered: NumberedRows) -> tuple[list[str], NumberedRows] | None:
    """A list below one word such as "Players", whose lines hold a name and what stands behind it."""
    head, *below = [[cell for cell in row if cell.strip()] for _, row in numbered]
    if len(head) > 1 or not below or any(len(cells) > 2 for cells in below):
        return None
    if not has_more_behind(below) and all(len(cells) == 1 for cells in below):
        return None
    columns = names_and_more(table, numbered[1:])
    if columns:
        table.note(f"a heading, and left out: {head[0].strip()[:40]}", numbered[0][0])
    return columns


def _part_line(cells: list[str], *, has_behind: bool) -> list[str]:
    """The texts of one line: a name, and what stands behind it."""
    if len(cells) == 1 and has_behind and len(parts := _part_behind(cells[0])) > 1:
        cells = parts
    elif len(cells) == 1 and " " in SEPARATOR.split(cells[0])[0].strip():
        cells = [part.strip() for part in SEPARATOR.split(cells[0]) if part.strip()]
    return [", ".join(cells)] if len(cells) == 2 and SUFFIX.fullmatch(cells[1]) else cells


def _turned_with_club(cells: Sequence[str]) -> list[str]:
    """A family name, and behind it a first name that has a club behind it; empty if a line is none.

    >>> _turned_with_club(["O'Brien", "Siobhan (Dublin)"]), _turned_with_club(["Ada Lund", "Owls (Oslo)"])
    (["O'Brien, Siobhan", 'Dublin'], [])
    """
    first, *club = _part_behind(cells[-1])
    is_turned = len(cells) == 2 and club and _is_family_name(cells[0]) and _is_capital_word(first)
    return [f"{cells[0]}, {first}", *club] if is_turned else []


def _is_family_name(text: str) -> bool:
    """Whether a text is one word, or one behind words such as "van der" or before "Jr."."""
    words = [word for word in text.split() if not SUFFIX.fullmatch(word)]
    own = [word for word in words if not (word.islower() and fold_name(word) in PARTICLES)]
    return len(own) == 1 and words[-1] == own[0] and not says_state(text)


def _is_capital_word(text: str) -> bool:
    return " " not in text and text[:1].isupper() and not says_state(text)


def _wide_lines(pairs: Mapping[ListPlace, Sequence[str]]) -> list[ListPlace]:
    """The lines that hold no name with one text behind it, where others do."""
    behind = {line: cells for line, cells in pairs.items() if len(cells) > 1}
    own = {line: [word for word in cells[0].split() if word not in PARTICLES] for line, cells in behind.items()}
    single = [line for line, words in own.items() if len(words) == 1 and not _has_no_case(words[0])]
    wide = [line for line, cells in behind.items() if len(cells) > 2 or says_closing(cells[0])]
    return list(dict.fromkeys([*wide, *(single if 2 * len(single) > len(behind) else ())]))


def _sort_behind(
    table: RosterTable, pairs: Mapping[ListPlace, Sequence[str]], *, is_whole_list: bool
) -> tuple[list[str], NumberedRows]:
    """Put what stands behind each name into a column: its club, its country, or its state such as "cancelled".

    Whatever may be something else is asked about. How likely a club is follows from the others of the list: clubs come
    again, and first names behind family names seldom do.
    """
    behind, lands = _part_lands(pairs)
    are_countries = 2 * sum(is_country(club) for _, club in behind.values()) > len(behind)
    states = {club for _, club in behind.values() if says_state(club) and not (are_countries and is_country(club))}
    clubs = [club for _, club in behind.values() if club not in states]
    come_again = 2 * len(set(clubs)) <= len(clubs)
    are_states = 2 * len(clubs) <= len(behind)
    is_whole_list = is_whole_list and not any(club not in states and _is_remark(club) for _, club in behind.values())
    place = "country" if clubs and all(map(is_country, clubs)) else "club"
    are_places = is_whole_list or (place == "country" and len(clubs) > 1)
    may_be_names = len(clubs) == len({*clubs}) > 1 and all(
        is_whole_name(club) and "," not in club and not is_country(club) for club in clubs
    )
    rows: NumberedRows = []
    for line, cells in pairs.items():
        name, club = behind.get(line, [*cells, ""])
        if says_nothing(club):
            club = ""
        is_state = bool(club) and (club in states or are_states or _is_remark(club))
        if is_state and club not in states:
            table.asked[line] = AskedLine(f"{club[:40]!r} stands behind the name", is_likely=True)
        elif is_state and not says_coming(club):
            table.asked[line] = AskedLine(f"{club[:40]!r} stands behind the name", is_likely=False)
        elif club and not is_state and not ((come_again or are_places) and _is_club([name, club], clubs)):
            _, *more = _part_behind(club)
            is_likely = not may_be_names and not more  # "García Márquez, José - Sevilla" may be a turned name
            table.asked[line] = AskedLine(f"a name, and the {place} {club[:40]!r}, it seems", is_likely=is_likely)
        elif club and not is_state:
            table.clubs[line] = club
        is_land = bool(lands) and is_country(club) and not is_state
        state, land = club if is_state else "", club if is_land else lands.get(line, "")
        rows.append((line, [name, "" if is_state or is_land else club, state, land]))
    filled = [n for n in range(4) if n < 2 or any(row[n] for _, row in rows)]
    headings = ["name", place, "status", "country"]
    return [headings[n] for n in filled], [(line, [row[n] for n in filled]) for line, row in rows]


def _part_lands(
    pairs: Mapping[ListPlace, Sequence[str]],
) -> tuple[dict[ListPlace, list[str]], dict[ListPlace, str]]:
    """The names with something behind them, without the country at its end; and these countries: "Owls, Norway"."""
    behind: dict[ListPlace, list[str]] = {}
    lands: dict[ListPlace, str] = {}
    for line, (name, *places) in pairs.items():
        if places:
            town, comma, land = places[0].rpartition(",")
            has_land = bool(comma) and is_country(land.strip()) and not says_state(places[0])
            lands |= {line: land.strip()} if has_land else {}
            behind[line] = [name, town.strip() if has_land else places[0]]
    return behind, lands


TITLES = frozenset({"dr", "prof", "ing", "mag", "dipl ing", "phd", "md", "m", "miss"})  # folded


def _is_remark(text: str) -> bool:
    """Whether a text behind a name begins as no club does."""
    is_word = text[:1].isalpha() and not text[:1].islower() and (len(text) > 1 or _has_no_case(text))
    return not is_word or FORM_OF_ADDRESS.match(f"{text[:20]} A") is not None or fold_name(text) in TITLES


def _is_club(cells: Sequence[str], clubs: Sequence[str]) -> bool:
    """Whether a line is a whole name and a club, as far as one sees: no remark, no second name, no first name.

    >>> lines = [["Ada Lund", "Owls"], ["Bo Ek", "cancelled"], ["Cy Dee", "Dov Hart"], ["van Dyk", "Jan"]]
    >>> [_is_club(cells, ["Owls"]) for cells in lines]
    [True, False, False, False]
    """
    name, club = cells
    has_two_names = len(name.split()) > 1 and (name[:1].isupper() or "," in name) and not _is_family_name(name)
    has_two_names |= len(name) > 1 and _has_no_case(name)
    is_word = club[:1].isupper() and club.replace(" ", "").isalpha() and (" " not in club or clubs.count(club) > 1)
    is_word |= _has_no_case(club)
    return has_two_names and (is_country(club) or (is_word and not says_state(club)))


def _has_no_case(text: str) -> bool:
    """Whether a text has only letters that are neither capital nor small: a Chinese name has no blank, either."""
    return bool(text) and all(unicodedata.category(sign) == LETTER_WITHOUT_CASE for sign in text)
