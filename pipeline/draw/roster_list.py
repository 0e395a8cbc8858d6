"""A list of players as other programs write it, brought to the columns of a roster.

What each column means, in which row the headings stand, who is entered twice: what is guessed comes back for the
director to confirm.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct, field

from pipeline.draw.roster import COLUMNS, YES, Player, fold_name, read_roster_rows
from pipeline.problems import Problem, Weight
from pipeline.rules.table import BLANKS, did_you_mean, is_whole

MOST_ROWS, MOST_COLUMNS = 5_000, 200  # of a list; the largest tournaments have some hundred players
HEADING_WITHIN = 20  # rows: titles may stand above the headings
FIRST = "first_name"  # no column of a roster: it becomes part of the name
MEANINGS = (*COLUMNS, FIRST)
NAMES = (FIRST, "family_name", "name")
FAMILY_OR_NAME = ("name", "nom", "nome", "nombre", "nazwisko")  # family name or full name, depending on the next column
SUFFIX = re.compile(r"(?i)(jr|sr|junior|senior|[ivx]+|ph\.? ?d|m\.? ?d)\.?")  # behind a comma, and nobody's first name
TOTALS = frozenset({"total", "totals", "sum", "subtotal", "summe", "gesamt", "insgesamt", "somme", "totale", "suma"})
HEADINGS = """
name: player, players, names, full name, participant, participants, player name, attendee, competitor, spieler,
  spielerin, spielername, teilnehmer, teilnehmerin, ganzer name, joueur, joueuse, joueurs, nom complet, nom et prenom,
  prenom et nom, jugador, jugadora, jugadores, nombre completo, nombre y apellidos, giocatore, giocatrice,
  nome e cognome, cognome e nome, nome completo, gracz, imie i nazwisko
first_name: first, first name, firstname, given name, given names, forename, christian name, vorname, vornamen,
  rufname, prenom, prenoms, nombre de pila, imie, voornaam
family_name: last, last name, lastname, surname, family name, nachname, familienname, zuname, nom de famille, apellido,
  apellidos, cognome, sobrenome, achternaam
club: verein, klub, association
country: land, pays, pais, paese, kraj, nation, nationality, nationalitat, nationalite
team: mannschaft, equipe, equipo, squadra, druzyna, team name
distance_km: distance, km, distance in km, kilometres, kilometers, entfernung, entfernung in km, entfernung km,
  distancia, distanza, odleglosc
director: td plays, tournament director
ranking: rank, rang
"""  # a column, and how other lists head it; folded as names are
WORDS: Mapping[str, str] = {
    " ".join(words.split()): column
    for column, listed in re.findall(r"(?m)^(\w+): ((?:.|\n )+)", HEADINGS)
    for words in listed.split(",")
}
UNUSED = ("no", "excluded", "lot drawn")  # headings of the workbook's own Players sheet without a roster column
ANNOUNCED = re.compile(r"announced r\d+")  # likewise, one a round: announced for all is preregistered
DISTANCE = re.compile(
    "(?i)(~|ca\\.?|about|circa|etwa)? *([0-9][0-9., \u00a0\u202f'\u2019]*?) *(kms?|kilomet\\w*|mi|miles?|mls?)?\\.?"
)
LONGEST_NUMBER = 9  # signs; no way to a tournament is longer
MILES_KM = 1.609344


class RosterChoices(Struct, frozen=True, kw_only=True):
    """The director's choices about a list."""

    columns: Mapping[str, str] = field(default_factory=dict)  # heading -> a column of `MEANINGS`; "": only kept
    merged: tuple[str, ...] = ()  # names whose entries are one person's
    both: tuple[str, ...] = ()  # names that look alike and are two people's


class ListColumn(Struct, frozen=True):
    """One column of a list, and what it is taken for."""

    heading: str
    meaning: str  # one of `MEANINGS`; "" is kept and not used
    sample: str  # its first value


class ReadRoster(Struct, frozen=True):
    """What a list gave."""

    players: tuple[Player, ...]
    problems: tuple[Problem, ...]
    columns: tuple[ListColumn, ...] = ()
    alike: tuple[str, ...] = ()  # names that stand twice, or nearly: one person, or two
    same: tuple[str, ...] = ()  # those that are identical apart from capitals: two people of one name need an initial


def read_roster_list(
    rows: Sequence[Sequence[str]],
    where: str,
    choices: RosterChoices | None = None,
    *,
    lines: Sequence[int] | None = None,
) -> ReadRoster:
    """Read a roster from rows of text as some program wrote them; ``lines`` are their numbers, from 1 if left out.

    >>> read = read_roster_list([["Owl Cup"], ["Vorname", "Name", "Verein"], ["Ada", "Lund", "Owls"]], "list.ods")
    >>> read.players[0].name, read.players[0].family_name, read.players[0].club
    ('Ada Lund', 'Lund', 'Owls')
    """
    choices = choices or RosterChoices()
    numbered = list(zip(lines or range(1, len(rows) + 1), rows, strict=True))
    numbered = [(line, row) for line, row in numbered if any(cell.strip() for cell in row)]
    widest = max((len(row) for _, row in numbered), default=0)
    if len(numbered) > MOST_ROWS or widest > MOST_COLUMNS:
        text = f"{len(numbered)} rows and {widest} columns; no roster has more than {MOST_ROWS} and {MOST_COLUMNS}"
        return ReadRoster((), (Problem(Weight.STOPS, f"{text}: choose the list of the players", where),))
    if not numbered or _is_list_of_names([row for _, row in numbered]):
        return (
            _read_table(["name"], numbered, where, choices, [])
            if numbered
            else ReadRoster(*read_roster_rows([], where))
        )
    head = find_headings([row for _, row in numbered], choices)
    if head is None:
        line, row = numbered[0]
        hints = ((cell, did_you_mean(fold_name(cell), ("name", *WORDS))) for cell in row)
        near = next((f"; found {cell[:60]!r}{hint}" for cell, hint in hints if hint), "")
        text = f"no column 'name'; the first row must name the columns{near}"
        guesses = zip(row, _guess_columns(row, choices), strict=True)
        columns = tuple(ListColumn(cell.strip(BLANKS), meaning, "") for cell, meaning in guesses if cell.strip())
        return ReadRoster((), (Problem(Weight.STOPS, text, f"{where} row {line}"),), columns)
    notes = []
    if head:
        above = "; ".join(" ".join(filter(None, map(str.strip, row)))[:40] for _, row in numbered[:head])
        notes.append(Problem(Weight.NOTES, f"above the headings, and left out: {above}", where))
    line, last = numbered[-1]
    if len(numbered) > head + 2 and fold_name(next(filter(str.strip, last))) in TOTALS:
        notes.append(Problem(Weight.NOTES, "a row of totals, and left out", f"{where} row {line}"))
        numbered = numbered[:-1]
    headings = [cell.strip(BLANKS) for cell in numbered[head][1]]
    return _read_table(headings, numbered[head + 1 :], where, choices, notes, numbered[head][0])


def _is_list_of_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows hold one name each, without a heading: it might be misspelt, or say "players"."""
    if any(len([cell for cell in row if cell.strip()]) != 1 or not row[0].strip() for row in rows):
        return False
    heading = fold_name(rows[0][0])
    known = _guess_columns([heading], RosterChoices())[0]
    return known not in NAMES and heading not in COLUMNS and not did_you_mean(heading, ("name",))


def find_headings(rows: Sequence[Sequence[str]], choices: RosterChoices | None = None) -> int | None:
    """The row of the headings: the one near the top in which most cells are known, a name among them."""
    best, most = None, 0
    for number, row in enumerate(rows[:HEADING_WITHIN]):
        meanings = _guess_columns(row, choices or RosterChoices())
        if {"name", FIRST, "family_name"} & set(meanings) and len([each for each in meanings if each]) > most:
            best, most = number, len([each for each in meanings if each])
    return best


def _guess_columns(headings: Sequence[str], choices: RosterChoices) -> list[str]:
    """What each column means; "" where the program does not know it.

    >>> _guess_columns(["Vorname", "Name", "E-Mail"], RosterChoices()), _guess_columns(["Name"], RosterChoices())
    (['first_name', 'family_name', ''], ['name'])
    """
    meanings = []
    for heading in headings:
        folded = fold_name(heading.partition("(")[0]) or fold_name(heading)
        known = folded.replace(" ", "_")
        chosen = choices.columns.get(heading.strip(BLANKS))
        meanings.append(known if known in MEANINGS else WORDS.get(folded, _guess_question(folded)))
        if chosen is not None:
            meanings[-1] = chosen
    plain = [fold_name(heading) for heading in headings]
    free = [n for n, text in enumerate(plain) if text in FAMILY_OR_NAME and headings[n].strip() not in choices.columns]
    for place in free:
        others = {meaning for other, meaning in enumerate(meanings) if other != place}
        meanings[place] = "name"
        if FIRST in others and "family_name" not in others:
            meanings[place] = "family_name"
        elif "family_name" in others and FIRST not in others:
            meanings[place] = FIRST
    return meanings


def _guess_question(folded: str) -> str:
    """What a form asks for: services head a column with the whole question.

    >>> _guess_question("what is your full name"), _guess_question("club name")
    ('name', '')
    """
    if not folded.startswith(
        ("what ", "your ", "please ", "enter ", "ihr ", "dein ", "wie ", "votre ", "quel ", "tu ")
    ):
        return ""
    for words, meaning in WORDS.items():
        if " " in words and words in folded and meaning in (FIRST, "family_name", "name"):
            return meaning
    return "name" if folded.endswith(" name") or " name " in folded else ""


def _read_table(
    headings: Sequence[str],
    rows: Sequence[tuple[int, Sequence[str]]],
    where: str,
    choices: RosterChoices,
    notes: list[Problem],
    head_line: int = 0,
) -> ReadRoster:
    """Read the rows below the headings: bring them to our columns, and let the roster's own reader check them."""
    meanings = _guess_columns(headings, choices)
    announced = [n for n, heading in enumerate(headings) if ANNOUNCED.fullmatch(heading.lower())]
    kept = [
        n
        for n, (heading, meaning) in enumerate(zip(headings, meanings, strict=True))
        if meaning not in NAMES and n not in announced and heading.lower() not in UNUSED
    ]
    unknown = [key for key in choices.columns if key not in headings]
    notes += [Problem(Weight.STOPS, f"no column is headed {key[:60]!r}", where) for key in unknown]
    notes += _rival_columns(headings, meanings, [row for _, row in rows], where)
    distances = [row[n] for _, row in rows for n in kept if meanings[n] == "distance_km" and n < len(row)]
    mark = _find_decimal_mark(distances)
    has_family = not {FIRST, "family_name"}.isdisjoint(meanings) or any("," in cell for _, row in rows for cell in row)
    heads = ["name", *(["family_name"] if has_family else []), *(["preregistered"] if announced else [])]
    for n in kept:  # a column that is kept without being used has not the name of one of our own columns
        is_ours = fold_name(headings[n]).replace(" ", "_") in COLUMNS
        heads.append(meanings[n] or (f"{headings[n]} (as listed)" if is_ours else headings[n]))
    table: list[tuple[int, list[str]]] = []
    turned: dict[str, str] = {}  # name in the list -> name on the roster, for names in keep_apart
    for line, row in rows:
        cells = [cell.strip(BLANKS) for cell in row] + [""] * (len(headings) - len(row))
        whole, family, remarks = _join_name({m: cells[n] for n, m in enumerate(meanings) if m in NAMES})
        turned |= {cells[n]: whole for n, m in enumerate(meanings) if m == "name" and cells[n] != whole}
        values = [whole, *([family] if has_family else [])]
        if announced:
            values.append("yes" if all(cells[n].lower() in YES for n in announced) else "")
        for n in kept:
            value = cells[n]
            if meanings[n] == "distance_km":
                value, remark = _read_kilometres(value, mark)
                remarks += remark
            values.append(value)
        notes += [Problem(weight, text, f"{where} row {line}") for weight, text in remarks]
        table.append((line, [*values, *cells[len(headings) :]]))
    for n, head in enumerate(heads):
        for _, row in table if head == "keep_apart" else ():
            for written, name in turned.items():
                row[n] = row[n].replace(written, name)
    table, twice, (alike, same) = _merge_entries(table, where, choices)
    players, problems = read_roster_rows(
        [heads, *(row for _, row in table)], where, [head_line, *(line for line, _ in table)]
    )
    shown = [n for n, meaning in enumerate(meanings) if headings[n] and (n in kept or meaning in NAMES)]
    firsts = (next((row[n].strip() for _, row in rows if n < len(row) and row[n].strip()), "") for n in shown)
    columns = tuple(ListColumn(headings[n], meanings[n], sample) for n, sample in zip(shown, firsts, strict=True))
    return ReadRoster(players, (*notes, *twice, *problems), columns, alike, same)


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


RowNotes = list[tuple[Weight, str]]


def _join_name(cells: Mapping[str, str]) -> tuple[str, str, RowNotes]:
    """Join a name from its columns; returns the name, the family name if known, and notes.

    >>> _join_name({"first_name": "Ada", "family_name": "Lund"}), _join_name({"name": "Bo Ek"})
    (('Ada Lund', 'Lund', []), ('Bo Ek', '', []))
    """
    first, family, whole = (cells.get(key, "") for key in (FIRST, "family_name", "name"))
    if not whole:
        return " ".join(filter(None, (first, family))), family, []
    turned, known = turn_name(whole)
    remarks: RowNotes = [(Weight.NOTES, f"{whole!r} is taken as {turned!r}")] if turned != whole else []
    return turned, family or known, remarks


def turn_name(name: str) -> tuple[str, str]:
    """A name that is written with the family name first, turned round; and the family name.

    >>> turn_name("Lund, Ada"), turn_name("Lee Ek, Jr."), turn_name("Bo Ek")
    (('Ada Lund', 'Lund'), ('Lee Ek, Jr.', ''), ('Bo Ek', ''))
    """
    family, comma, first = (part.strip(BLANKS) for part in name.partition(","))
    if not (comma and family and first) or "," in first or SUFFIX.fullmatch(first):
        return name, ""
    return f"{first} {family}", family


def _find_decimal_mark(values: Iterable[str]) -> str:
    """The decimal separator in a column of numbers; "" if no value shows it.

    >>> _find_decimal_mark(["12,5", "1.250"]), _find_decimal_mark(["1.250", "30"])
    (',', '')
    """
    marks = {found[1] for value in values if (found := re.search(r"[0-9]([.,])(?![0-9]{3}(?![0-9]))[0-9]+", value))}
    return marks.pop() if len(marks) == 1 else ""


def _read_kilometres(text: str, mark: str) -> tuple[str, RowNotes]:
    """Read whole kilometres; an ambiguous number is refused.

    >>> _read_kilometres("1 250 km", "")[0], _read_kilometres("1.250", ",")[0], _read_kilometres("~7.5 mi", "")[0]
    ('1250', '1250', '12')
    >>> _read_kilometres("1.250", "")[1][0][1]
    "distance_km: '1.250' may be 1250 or 1.25; write whole kilometres without a sign between the digits"
    """
    found = DISTANCE.fullmatch(text.strip())
    if found is None or is_whole(text):
        return text, []
    about, number, unit = found.groups()
    if len(number) > LONGEST_NUMBER:
        return text, []
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
    table: Sequence[tuple[int, list[str]]], where: str, choices: RosterChoices
) -> tuple[list[tuple[int, list[str]]], list[Problem], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Join the entries of one person that the director says is one; ask about names that look alike.

    Gives the rows, the problems, and the names that are asked about: all, and those that are the same.
    """
    joined, parted = (_names_decided(table, names) for names in (choices.merged, choices.both))
    rows_by_folded: dict[str, int] = {}  # name without accents and case -> its first row in ``found``
    rows_by_written: dict[str, int] = {}  # name in small letters -> likewise
    found: list[tuple[int, list[str]]] = []
    problems: list[Problem] = []
    alike: dict[str, bool] = {}  # name -> whether only capitals differ
    for line, row in table:
        name, key, written = row[0], fold_name(row[0]), row[0].casefold()
        place = rows_by_written.get(written, rows_by_folded.get(key))
        if not key or place is None:
            rows_by_folded[key] = rows_by_written[written] = len(found)
            found.append((line, row))
            continue
        before, other = found[place]
        if name in joined:
            found[place] = (before, [new or old for new, old in zip_longest(row, other, fillvalue="")])
            found[place][1][0] = other[0]
            text = f"{name!r} is the same as in row {before}; what is filled in here counts"
            problems.append(Problem(Weight.NOTES, text, f"{where} row {line}"))
            continue
        if written in rows_by_written:  # the same name twice: the reader of the roster refuses it
            alike[name] = True
        elif name not in parted:
            alike[name] = False
            text = f"{name!r} looks like {other[0]!r} in row {before}: say whether they are one person or two people"
            problems.append(Problem(Weight.STOPS, text, f"{where} row {line}"))
        rows_by_written.setdefault(written, len(found))
        found.append((line, row))
    return found, problems, (tuple(alike), tuple(name for name, is_same in alike.items() if is_same))


def _names_decided(table: Sequence[tuple[int, list[str]]], names: Iterable[str]) -> frozenset[str]:
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
