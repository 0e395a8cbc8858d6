"""A list of players as other programs write it, brought to the columns of a roster.

What each column means, in which row the headings stand, who is entered twice: what is guessed comes back for the
director to confirm.
"""

import html
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.draw.countries import FLAG, PlaceBehind, is_country, part_place
from pipeline.draw.letter_lines import is_head_word, says_closing
from pipeline.draw.name_doubts import (
    LAST_AND,
    LONGEST_TEXT,
    PARTICLES,
    TICKED,
    TO_COME,
    UNTICKED,
    ListRow,
    RowDoubt,
    drop_counts,
    find_doubts,
    find_number_cells,
    is_counted,
    is_dashed_name,
    says_coming,
    says_nothing,
    says_state,
)
from pipeline.draw.roster import COLUMNS, YES, ListPlace, Player, name_look, read_roster_rows
from pipeline.draw.unheaded_list import (
    TURNED,
    NumberedRows,
    ProposedNames,
    is_whole_name,
    names_behind_teams,
    one_name_a_row,
    propose_names,
    records,
)
from pipeline.problems import Problem, Weight
from pipeline.rules.table import BLANKS, LETTER_WITHOUT_CASE, LINES, UNSEEN, did_you_mean, is_whole
from pipeline.words.names import fold_name

MOST_ROWS, MOST_COLUMNS = 5_000, 200  # of a list; the largest tournaments have some hundred players
LONG_HEADING = 6  # letters: shorter words are near too many names
HEADING_WITHIN = 20  # rows: titles may stand above the headings
FIRST = "first_name"  # no column of a roster: it becomes part of the name
MEANINGS = (*COLUMNS, FIRST)
NAMES = (FIRST, "family_name", "name")
FAMILY_OR_NAME = frozenset(
    (
        "name",
        "nom",
        "nome",
        "nombre",
        "nazwisko",
        "namn",
        "navn",
        "naam",
        "nimi",
        "имя",
        "імя",
        "ονομα",
        "jmeno",
    )
)  # family name or full name, depending on the next column
SUFFIX = re.compile(
    r"(?i)(jr|sr|junior|senior|[ivx]+|ph\.? ?d|m\.? ?d|csc|esq|obe|mbe|mba|[mb]\. ?(a|sc)|dipl\.? ?-?ing|ret)\.?"
)  # behind a comma, and nobody's first name
TOTALS = frozenset({"total", "totals", "sum", "subtotal", "summe", "gesamt", "insgesamt", "somme", "totale", "suma"})
HEADINGS = """
name: player, players, names, full name, participant, participants, player name, attendee, competitor, spieler,
  spielerin, spielername, teilnehmer, teilnehmerin, ganzer name, joueur, joueuse, joueurs, nom complet, nom et prenom,
  prenom et nom, jugador, jugadora, jugadores, nombre completo, nombre y apellidos, giocatore, giocatrice,
  nome e cognome, cognome e nome, nome completo, gracz, imie i nazwisko, jogador, jogadora, speler, naam, namn, navn,
  nimi, pelaaja, spelare, spiller, hrac, jmeno a prijmeni, jatekos, nev, isim, ad soyad, adi soyadi, adı soyadı,
  oyuncu, wie heisst du, wie heissen sie, wer bist du, who are you, comment tappelles tu, comment vous appelez vous,
  como te llamas, vor und nachname, vor und zuname, nachname vorname, name vorname, vorname nachname, nom prenom,
  prenom nom, last name first name, first and last name, first name last name, имя и фамилия, фамилия и имя,
  фамилия имя, фио, игрок, участник, імя та прізвище, гравець, ονομα, ονοματεπωνυμο, παικτης, 氏名, 名前, お名前, 姓名,
  名字, 이름, 성명, שם, الاسم
first_name: first, first name, firstname, given name, given names, forename, christian name, vorname, vornamen,
  rufname, prenom, prenoms, nombre de pila, imie, voornaam, fornamn, fornavn, ad, etunimi, krestni jmeno, keresztnev,
  utonev, adi, adı, 名
family_name: last, last name, lastname, surname, family name, nachname, familienname, zuname, nom de famille, apellido,
  apellidos, cognome, sobrenome, achternaam, apelido, efternamn, etternavn, efternavn, sukunimi, prijmeni, vezeteknev,
  csaladnev, soyadi, soyadı, soyad, фамилия, прізвище, επωνυμο, 姓
club: home club, club name, heimatverein, stammverein, vereinsname, nom du club, vereniging, forening, societe,
  societa, associazione, asociacion, stowarzyszenie, verein, klub, association, klubb, kerho, seura, klubi, clube,
  circolo, kulup, клуб, συλλογος, 所属, クラブ
country: nazione, nazionalita, nacionalidad, narodowosc, nat, nat., country of residence, staat, herkunftsland,
  pays de residence, land, pays, pais, paese, kraj, nation, nationality, nationalitat, nationalite, zeme, maa, orszag,
  ulke, страна, країна, χωρα, 国
team: mannschaft, equipe, equipo, squadra, druzyna, team name
distance_km: distance, km, distance in km, kilometres, kilometers, entfernung, entfernung in km, entfernung km,
  distancia, distanza, odleglosc
director: td plays, tournament director
ranking: rank, rang
"""  # a column, and how other lists head it; folded as names are
WORDS: Mapping[str, str] = {
    fold_name(words): column
    for column, listed in re.findall(r"(?m)^(\w+): ((?:.|\n )+)", HEADINGS)
    for words in listed.split(",")
}
OTHER_HEADINGS = frozenset(
    {"nr", "no", "num", "lp", "ort", "stadt", "wohnort", "town", "city", "ville", "miasto", "stad", "email", "mail"}
    | {"phone", "telefon", "tel", "handy", "paid", "bezahlt", "status", "rating", "elo", "from", "alter", "age"}
)  # folded; of columns that a roster has no use for
UNUSED = ("no", "excluded", "lot drawn")  # headings of the workbook's own Players sheet without a roster column
ANNOUNCED = re.compile(r"announced r\d+")  # likewise, one a round: announced for all is preregistered
DISTANCE = re.compile(
    "(?i)(~|ca\\.?|about|circa|etwa)? *([0-9][0-9., \u00a0\u202f'\u2019]*?) *(kms?|kilomet\\w*|mi|miles?|mls?)?\\.?"
)
LONGEST_DISTANCE = 30  # signs; no way to a tournament is longer
MILES_KM = 1.609344


class RosterChoices(Struct, frozen=True, kw_only=True):
    """The director's choices about a list."""

    columns: Mapping[str, str] = field(default_factory=dict)  # heading -> a column of `MEANINGS`; "": only kept
    merged: tuple[str, ...] = ()  # names whose entries are one person's
    both: tuple[str, ...] = ()  # names that look alike and are two people's
    # row -> his name, or those of several players; "": nobody's; None: as it stands
    rows: Mapping[str, str | tuple[str, ...] | None] = field(default_factory=dict)
    encoding: str = ""  # how a text file was saved
    sheets: tuple[str, ...] = ()  # the sheets of a workbook that hold the players


class ListColumn(Struct, frozen=True):
    """One column of a list, and what it is taken for."""

    heading: str
    meaning: str  # one of `MEANINGS`; "" is kept and not used
    sample: str  # its first value


class EncodingGuess(Struct, frozen=True):
    """One way to read a text file that does not say how it was saved."""

    encoding: str
    title: str
    samples: tuple[str, ...]  # up to three names that it spells otherwise than the others


class ReadRoster(Struct, frozen=True):
    """What a list gave."""

    players: tuple[Player, ...]
    problems: tuple[Problem, ...]
    columns: tuple[ListColumn, ...] = ()
    alike: tuple[str, ...] = ()  # names that stand twice, or nearly: one person, or two
    same: tuple[str, ...] = ()  # those that are identical apart from capitals: two people of one name need an initial
    doubtful: tuple[RowDoubt, ...] = ()  # rows that may name no player, and are not among the players
    encodings: tuple[EncodingGuess, ...] = ()  # how a text file may have been saved, the likeliest first
    sheets: tuple[str, ...] = ()  # of a workbook: those that hold players; more than one are asked about


class _RosterTable(Struct):
    """A list while it is read: what the director decided about it, and the notes so far."""

    where: str
    choices: RosterChoices
    below_gap: Collection[ListPlace]  # rows below an empty one
    struck: Collection[ListPlace]
    notes: list[Problem]
    asked: dict[ListPlace, tuple[str, bool]] = field(default_factory=dict)  # why, and whether a player is likely
    clubs: dict[ListPlace, str] = field(default_factory=dict)  # that stand behind a name, and are not asked about

    def note(self, text: str, line: ListPlace | None = None, weight: Weight = Weight.NOTES) -> None:
        where = self.where if line is None else f"{self.where} row {line}"
        self.notes.append(Problem(weight, text, where))


def read_roster_list(
    rows: Sequence[Sequence[str]],
    where: str,
    choices: RosterChoices | None = None,
    *,
    lines: Sequence[ListPlace] | None = None,
    struck: Collection[ListPlace] = (),
) -> ReadRoster:
    """Read a roster from rows of text as some program wrote them; ``lines`` are their numbers, from 1 if left out.

    ``struck`` are the lines that are struck through.

    >>> read = read_roster_list([["Owl Cup"], ["Vorname", "Name", "Verein"], ["Ada", "Lund", "Owls"]], "list.ods")
    >>> read.players[0].name, read.players[0].family_name, read.players[0].club
    ('Ada Lund', 'Lund', 'Owls')
    """
    choices = choices or RosterChoices()
    lines = lines or range(1, len(rows) + 1)
    filled = [any(cell.strip() for cell in row) for row in rows]
    below_gap = {line for line, before in zip(lines[1:], filled, strict=False) if not before}
    numbered = [(line, row) for line, row, is_filled in zip(lines, rows, filled, strict=True) if is_filled]
    widest = max((len(row) for _, row in numbered), default=0)
    if len(numbered) > MOST_ROWS or widest > MOST_COLUMNS:
        text = f"{len(numbered)} rows and {widest} columns; no roster has more than {MOST_ROWS} and {MOST_COLUMNS}"
        return ReadRoster((), (Problem(Weight.STOPS, f"{text}: choose the list of the players", where),))
    if not numbered:
        return ReadRoster(*read_roster_rows([], where))
    numbered, notes = _clean_rows(numbered, where)
    table = _RosterTable(where, choices, below_gap, frozenset(struck), notes)
    numbered = _without_bare_numbers(table, _without_rules(table, numbered))
    numbered = _part_records(table, _part_at_dashes(numbered))
    has_headings = find_headings([row for _, row in numbered], choices) is not None
    if not has_headings and (proposal := names_behind_teams(numbered, tuple(WORDS))):
        return _read_proposal(table, proposal)
    numbered = _without_number_cells(
        table, numbered if has_headings else _part_single_line(table, _join_brackets(numbered))
    )
    if _are_headings_with_blanks(numbered):
        text = "the columns have only blanks between them; put a comma, a semicolon or a tab between their cells"
        return ReadRoster((), (*table.notes, Problem(Weight.STOPS, text, f"{where} row {numbered[0][0]}")))
    if _is_list_of_names([row for _, row in numbered]):
        found = _names_and_more(table, numbered) if _has_more_behind([row for _, row in numbered]) else None
        return _read_table(table, *(found or (["name"], numbered)))
    head = find_headings([row for _, row in numbered], choices)
    if head is None:
        return _read_without_headings(table, numbered)
    if head:
        above = "; ".join(_row_text(row)[:40] for _, row in numbered[:head])
        table.note(f"above the headings, and left out: {above}")
    if found := _names_below_heading(table, numbered[head:]):
        return _read_table(table, *found, numbered[head][0])
    line, last = numbered[-1]
    if len(numbered) > head + 2 and fold_name(next(filter(str.strip, last))) in TOTALS:
        table.note("a row of totals, and left out", line)
        numbered = numbered[:-1]
    headings, below = _join_blocks(numbered[head:], table)
    return _read_table(table, headings, below, numbered[head][0])


def _part_records(table: _RosterTable, numbered: NumberedRows) -> NumberedRows:
    """A row a player, where each stands in several lines or several in a row; other lists unchanged."""
    words = ("name", *(word for word, meaning in WORDS.items() if meaning == "name"))
    if found := records(numbered, words) if numbered else []:
        table.note("a word and an answer in each line: taken as a table")
    elif found := one_name_a_row(numbered, words) if numbered else []:
        table.note("several columns of names: taken as one row a name")
    return found or numbered


DASH = re.compile(r"(?<!\s)\s+[-–—|·•/]+\s+")


def _part_at_dashes(numbered: NumberedRows) -> NumberedRows:
    """Lines of one text with as many dashes each, two or more, as cells; other lists unchanged."""
    texts = [[cell.strip() for cell in row if cell.strip()] for _, row in numbered]
    if any(len(cells) != 1 or len(cells[0]) > LONGEST_TEXT for cells in texts):
        return numbered
    parts = [DASH.split(cells[0]) for cells in texts]
    if len(parts) < 2 or len({*map(len, parts)}) > 1 or len(parts[0]) < 3:
        return numbered
    return [(line, cells) for (line, _), cells in zip(numbered, parts, strict=True)]


def _join_brackets(numbered: NumberedRows) -> NumberedRows:
    """Rows in which what a comma parts inside brackets is one cell: "Ada Lund (Oslo, Norway)"."""
    joined: NumberedRows = []
    for line, row in numbered:
        cells: list[str] = []
        for cell in row:
            if cells and cells[-1].count("(") > cells[-1].count(")") and cell.strip().endswith(")"):
                cells[-1] = f"{cells[-1].strip()}, {cell.strip()}"
            else:
                cells.append(cell)
        joined.append((line, cells))
    return joined


def _part_single_line(table: _RosterTable, numbered: NumberedRows) -> NumberedRows:
    """The only line of a list as a row for each of its texts; other lists unchanged."""
    texts = [cell for _, row in numbered for cell in row if cell.strip()]
    if len(numbered) != 1 or len(texts) < 3:
        return numbered
    line = numbered[0][0]
    table.note("the names stand on one line")
    last = LAST_AND.split(texts[-1])
    if min(len(name.split()) for name in last) >= min(len(text.split()) for text in texts[:-1]):
        texts = [*texts[:-1], *last]  # "José Ortega y Gasset" is one name
    return [(f"{line}.{n}", [text]) for n, text in enumerate(texts, start=1)]


def _row_text(row: Sequence[str]) -> str:
    """The cells of a row on one line, to show it."""
    return " · ".join(" ".join(cell.split()) for cell in row if cell.strip())


RowNotes = list[tuple[Weight, str]]
ENTITY = re.compile(r"&(#\d+|#x[0-9a-fA-F]+|[A-Za-z]+\d*);")


RULE = re.compile(r"[-=_*~#.+|:`–—]{2,}")


MOST_TOLD = 3  # clubs


def _read_without_headings(table: _RosterTable, numbered: NumberedRows) -> ReadRoster:
    """Read a list whose columns nobody named: what can be read as names is proposed, or it is said what is missing."""
    if found := _names_and_more(table, numbered):
        return _read_table(table, *found)
    line, row = numbered[0]
    are_entries = any(sign.isdecimal() or sign == "@" for cell in row for sign in cell)  # and no headings
    hints = ((cell, "" if are_entries else _name_meant(cell)) for cell in row)
    near = next((f"; found {cell[:60]!r}{hint}" for cell, hint in hints if hint), "")
    if not near and not _may_be_headings(row) and (proposal := propose_names(numbered)):
        return _read_proposal(table, proposal)
    text = f"no column 'name'; the first row must name the columns{near}"
    guesses = zip(row, _guess_columns(row, table.choices), strict=True)
    columns = tuple(ListColumn(cell.strip(BLANKS), meaning, "") for cell, meaning in guesses if cell.strip())
    return ReadRoster((), (*table.notes, Problem(Weight.STOPS, text, f"{table.where} row {line}")), columns)


def _name_meant(heading: str) -> str:
    """The question whether a heading means the names, where it is nearly written so."""
    names = tuple(word for word, meaning in WORDS.items() if meaning in NAMES and len(word) >= LONG_HEADING)
    folded = fold_name(heading)
    return did_you_mean(folded, ("name",)) or (did_you_mean(folded, names) if len(folded) >= LONG_HEADING else "")


def _may_be_headings(row: Sequence[str]) -> bool:
    """Whether a row names a column that is known."""
    return any(_guess_columns([cell], RosterChoices())[0] for cell in row if cell.strip())


def _read_proposal(table: _RosterTable, proposal: ProposedNames) -> ReadRoster:
    """Read the names that a list without headings seems to have; those that are not certain are asked about."""
    table.note(proposal.told)
    table.asked |= proposal.asked
    return _read_table(table, proposal.headings, proposal.rows)


SEPARATOR = re.compile(r"[,;\t|]")
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
    found = IN_BRACKETS.fullmatch(name) or BEHIND_DASH.fullmatch(name) or BEHIND_SIGN.fullmatch(name)
    return list(found.groups()) if found else [name]


def _numbers_behind(names: Sequence[str]) -> list[list[str]]:
    """The names and the numbers behind them, where all have one and differ without it; otherwise nothing.

    >>> _numbers_behind(["Ada Lund 12", "Bo Ek 9"]), _numbers_behind(["Player 1", "Player 2"])
    ([['Ada Lund', '12'], ['Bo Ek', '9']], [])
    """
    found = [NUMBER_BEHIND.fullmatch(name) for name in names if len(name) <= LONGEST_TEXT]
    parts = [list(match.groups()) for match in found if match and " " in match[1]]
    return parts if len(parts) == len(names) == len({name for name, _ in parts}) else []


def _has_more_behind(rows: Iterable[Sequence[str]]) -> bool:
    """Whether half or more of the lines of one text end in brackets, a number, or something behind a dash."""
    texts, _ = drop_counts([cells[0].strip() for row in rows if len(cells := list(filter(str.strip, row))) == 1])
    if not texts:
        return False
    return len(texts) <= 2 * sum(len(_part_behind(text)) > 1 for text in texts) or bool(_numbers_behind(texts))


def _names_and_more(table: _RosterTable, numbered: NumberedRows) -> tuple[list[str], NumberedRows] | None:
    """A list without headings as columns, where some of its lines hold two texts and the others one.

    None if the first row may be headings, if too many rows hold more, or if family names stand in front of first names.
    """
    first = [fold_name(cell) for cell in numbered[0][1] if cell.strip()]
    if _may_be_headings(first) or any(did_you_mean(cell, ("name",)) for cell in first):
        return None
    filled = [[cell.strip(BLANKS) for cell in row if cell.strip(BLANKS)] for _, row in numbered]
    names, counts = drop_counts([cells[0] for cells in filled])
    lines = [line for line, _ in numbered]
    if reached := [
        line for line, cells in zip(lines, filled, strict=True) if len(cells) == 2 and _is_contact(cells[1])
    ]:
        table.note(f"addresses and telephone numbers behind the names, left out: row {list_lines(reached)}")
        filled = [cells[:1] if line in reached else cells for line, cells in zip(lines, filled, strict=True)]
    _mark_dashes(table, counts, [(line, cells[0]) for line, cells in zip(lines, filled, strict=True)])
    whole = [" ".join([name, *others]) for name, (_, *others) in zip(names, filled, strict=True)]
    if all(len(cells) < 3 for cells in filled) and (parts := _numbers_behind(whole)):
        _tell_counts(table, counts)
        return ["name", "number behind the name"], list(zip(lines, parts, strict=True))
    has_behind = _has_more_behind(filled)
    pairs = {
        line: _part_line([name, *others], has_behind=has_behind)
        for line, name, (_, *others) in zip(lines, names, filled, strict=True)
    }
    if turned := {line: found for line, cells in pairs.items() if (found := _turned_with_club(cells))}:
        bare = [
            line
            for line, cells in pairs.items()
            if len(cells) == 2 and _is_family_name(cells[0]) and _is_capital_word(cells[1])
        ]
        table.asked |= dict.fromkeys(bare, (TURNED, True))
        pairs |= turned | {line: [", ".join(pairs[line])] for line in bare}
    wide = _wide_lines(pairs)
    if len(wide) * 2 >= len(pairs):
        return None
    for line in wide:
        cells = pairs[line]
        is_name = len(cells) == 2 and all(_is_capital_word(cell) for cell in cells) and not says_closing(cells[0])
        table.asked[line] = "several texts, where other lines hold a name", is_name
        pairs[line] = [", ".join(cells)]
    _tell_counts(table, counts)
    wide += [line for line, (_, is_likely) in table.asked.items() if not is_likely]
    wide += [line for line, cells in pairs.items() if len(cells) == 1 and not is_whole_name(cells[0])]
    is_whole_list = all(
        len(pairs[line]) > 1 and (line in turned or "," in name or len(_part_behind(name)) > 1)
        for line, name in zip(lines, names, strict=True)
        if line not in wide
    )
    return _sort_behind(table, pairs, is_whole_list=is_whole_list)


def _names_below_heading(table: _RosterTable, numbered: NumberedRows) -> tuple[list[str], NumberedRows] | None:
    """A list below one word such as "Players", whose lines hold a name and what stands behind it."""
    head, *below = [[cell for cell in row if cell.strip()] for _, row in numbered]
    if len(head) > 1 or not below or any(len(cells) > 2 for cells in below):
        return None
    if not _has_more_behind(below) and all(len(cells) == 1 for cells in below):
        return None
    found = _names_and_more(table, numbered[1:])
    if found:
        table.note(f"a heading, and left out: {head[0].strip()[:40]}", numbered[0][0])
    return found


def _tell_counts(table: _RosterTable, counts: str) -> None:
    if counts:
        table.note(f"the {counts} in front of the names are left out")


def _mark_dashes(table: _RosterTable, counts: str, named: Iterable[tuple[ListPlace, str]]) -> None:
    """Ask about lines of a numbered list that have a dash or a dot instead of the number, a title and empty boxes."""
    named = list(named)
    for line, text in named if counts == "numbers" else ():
        if is_dashed_name(text):
            table.asked[line] = "a dash where the other lines have a number", True
        if (line, text) == named[0] and not is_counted(text):
            table.asked[line] = "above the numbers, as a title stands", False
    for line, text in named if any(TICKED.match(text) for _, text in named) else ():
        if UNTICKED.match(text):
            table.asked[line] = "a box that is not ticked, where others are", False


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
    table: _RosterTable, pairs: Mapping[ListPlace, Sequence[str]], *, is_whole_list: bool
) -> tuple[list[str], NumberedRows]:
    """Tell clubs and states that stand behind names, and what must be asked about."""
    lands: dict[ListPlace, str] = {}
    behind: dict[ListPlace, list[str]] = {}
    for line, (name, *places) in pairs.items():
        if places:
            *town, land = places[0].rpartition(",")
            has_land = "".join(town) and is_country(land.strip()) and not says_state(places[0])
            lands |= {line: land.strip()} if has_land else {}
            behind[line] = [name, town[0].strip() if has_land else places[0]]
    are_countries = 2 * sum(is_country(club) for _, club in behind.values()) > len(behind)
    states = {club for _, club in behind.values() if says_state(club) and not (are_countries and is_country(club))}
    clubs = [club for _, club in behind.values() if club not in states]
    come_again = 2 * len(set(clubs)) <= len(clubs)  # first names behind family names seldom do
    are_states = 2 * len(clubs) <= len(behind)
    is_whole_list = is_whole_list and not any(club not in states and _is_remark(club) for _, club in behind.values())
    place = "country" if clubs and all(map(is_country, clubs)) else "club"
    are_places = is_whole_list or (place == "country" and len(clubs) > 1)
    are_people = len(clubs) == len({*clubs}) > 1 and all(
        is_whole_name(club) and "," not in club and not is_country(club) for club in clubs
    )
    rows: NumberedRows = []
    for line, cells in pairs.items():
        name, club = behind.get(line, [*cells, ""])
        if says_nothing(club):
            club = ""
        is_state = bool(club) and (club in states or are_states or _is_remark(club))
        if is_state and club not in states:
            table.asked[line] = f"{club[:40]!r} stands behind the name", True
        elif is_state and not says_coming(club):
            table.asked[line] = f"{club[:40]!r} stands behind the name", False
        elif club and not is_state and not ((come_again or are_places) and _is_club([name, club], clubs)):
            _, *more = _part_behind(club)
            is_likely = not are_people and (not more or not (_is_family_name(name) or is_country(more[0])))
            table.asked[line] = f"a name, and the {place} {club[:40]!r}, it seems", is_likely
        elif club and not is_state:
            table.clubs[line] = club
        is_land = bool(lands) and is_country(club) and not is_state
        state, land = club if is_state else "", club if is_land else lands.get(line, "")
        rows.append((line, [name, "" if is_state or is_land else club, state, land]))
    filled = [n for n in range(4) if n < 2 or any(row[n] for _, row in rows)]
    headings = ["name", place, "status", "country"]
    return [headings[n] for n in filled], [(line, [row[n] for n in filled]) for line, row in rows]


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


def _part_at_tabs(table: _RosterTable, rows: NumberedRows, columns: int) -> NumberedRows:
    """Rows in which a tab parts what other rows have in several columns; they are asked about."""
    parted: NumberedRows = []
    for line, row in rows:
        filled = [cell for cell in row if cell.strip(BLANKS)]
        parts = [part.strip() for part in filled[0].split("\t") if part.strip()] if len(filled) == 1 else []
        if 1 < len(parts) <= columns and row[0] == filled[0]:
            table.asked[line] = f"a name, and {' · '.join(parts[1:])[:40]!r}, it seems", True
            row = parts  # noqa: PLW2901
        parted.append((line, row))
    return parted


def _without_rules(table: _RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows without those that only draw a line below the headings or between players."""
    lines = [line for line, row in rows if all(RULE.fullmatch(cell.strip()) for cell in row if cell.strip())]
    if lines:
        table.note(f"lines of signs without a letter, left out: row {list_lines(lines)}")
    return [(line, row) for line, row in rows if line not in lines]


BARE_NUMBER = re.compile(r"[(#\[]?\d{1,4}[.):\]]*")


def _without_bare_numbers(table: _RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows of a numbered list without those that have a number and no name behind it yet."""
    texts = [[cell.strip() for cell in row if cell.strip()] for _, row in rows]
    bare = [line for (line, _), cells in zip(rows, texts, strict=True) if BARE_NUMBER.fullmatch(" ".join(cells))]
    others = [cells[0] for (line, _), cells in zip(rows, texts, strict=True) if line not in bare]
    if not bare or not drop_counts(others)[1]:
        return rows
    table.note(f"numbers without a name, left out: row {list_lines(bare)}")
    return [(line, row) for line, row in rows if line not in bare]


def _without_number_cells(table: _RosterTable, rows: NumberedRows) -> NumberedRows:
    """Rows without cells in front that only number them, and without rows of which nothing else is filled."""
    if not find_number_cells([row for _, row in rows]):
        return rows
    table.note("the numbers in front of the names are left out")
    behind = [(line, [cell for cell in row if cell.strip()][1:]) for line, row in rows]
    if alone := [line for line, cells in behind if not cells]:
        table.note(f"numbers without a name, left out: row {list_lines(alone)}")
    return [(line, cells) for line, cells in behind if cells]


def _clean_rows(rows: NumberedRows, where: str) -> tuple[NumberedRows, list[Problem]]:
    """Cells without signs that nobody sees, and with letters that were saved twice put right; and the notes on both."""
    unseen: list[ListPlace] = []
    mended: list[str] = []
    cleaned: NumberedRows = []
    for line, row in rows:
        cells = list(row)
        for n, cell in enumerate(cells):
            if cell.isascii() and cell.isprintable() and "&" not in cell:
                continue
            text = _plain_letters(_mend_letters(cell))
            mended += [f"{cell.strip()[:40]!r} is {text.strip()[:40]!r}"] if text != cell else []
            cells[n] = _without_unseen(text)
            unseen += [line] if cells[n] != text and line not in unseen else []
        cleaned.append((line, cells))
    notes = []
    if mended:
        text = "letters put right that were saved twice, for a page of the web, or in another shape: " + ", ".join(
            mended[:5]
        )
        notes.append(f"{text} and {len(mended) - 5} more cells" if len(mended) > 5 else text)
    if unseen:
        notes.append(f"signs that nobody sees, left out: row {list_lines(unseen)}")
    return cleaned, [Problem(Weight.NOTES, text, where) for text in notes]


def list_lines(lines: Sequence[ListPlace]) -> str:
    """The numbers of rows, of many the first."""
    return ", ".join(map(str, lines[:20])) + (" …" if len(lines) > 20 else "")


def _mend_letters(text: str) -> str:
    """Letters that one program wrote and another took for others, or that were written for a page of the web.

    >>> _mend_letters("ZoÃ« M&uuml;ller"), _mend_letters("João Lłó")
    ('Zoë Müller', 'João Lłó')
    """
    if ENTITY.search(text):
        text = html.unescape(text)
    if text.isascii():
        return text
    import ftfy  # noqa: PLC0415 - it takes long to load, and most lists do not need it

    return ftfy.fix_encoding(text)


SHAPES = ("<wide>", "<narrow>", "<font>", "<circle>", "<square>")  # Unicode's names for other shapes of a letter


def _plain_letters(text: str) -> str:
    """A text with the usual shape of each letter; but letters in circles and squares become the letters alone.

    >>> _plain_letters("Ｂｏ 𝓔𝓴"), _plain_letters("ﾀﾞﾝ"), _plain_letters("① Ada")
    ('Bo Ek', 'ダン', '1 Ada')
    """
    if not any(unicodedata.decomposition(sign).startswith(SHAPES) for sign in text):
        return text
    plain = (
        unicodedata.normalize("NFKC", each) if unicodedata.decomposition(each).startswith(SHAPES) else each
        for each in text
    )
    return unicodedata.normalize("NFC", "".join(plain))


def _without_unseen(text: str) -> str:
    r"""A text without signs that nobody sees; those that end a line become line breaks.

    >>> _without_unseen("Mül\u00adler \u200b\x1bAda\u2028Lund")
    'Müller Ada\nLund'
    """
    text = re.sub("[\x0b\x0c\x85\u2028\u2029]", "\n", text)
    besides = LINES + (UNSEEN if any(unicodedata.category(sign) == LETTER_WITHOUT_CASE for sign in text) else "")
    seen = "".join(sign for sign in text if sign in besides or unicodedata.category(sign) not in ("Cc", "Cf"))
    return seen.strip(UNSEEN) if seen.strip(UNSEEN + BLANKS) != seen.strip(BLANKS) else seen


def _join_blocks(rows: NumberedRows, table: _RosterTable) -> tuple[list[str], NumberedRows]:
    """The headings, and the rows below them; where headings come again further down, all blocks as one table."""
    blocks: list[tuple[list[str], NumberedRows]] = []
    for line, row in rows:
        headings = [" ".join(cell.split()) for cell in row]
        if not blocks:
            blocks.append((headings, []))
            continue
        if not _is_headings_again(headings, blocks[0][0], table.choices):
            blocks[-1][1].append((line, row))
            continue
        above = blocks[-1][1]
        titles = [(line, row)]
        while above and len([cell for cell in above[-1][1] if cell.strip()]) == 1:
            titles.insert(0, above.pop())
            if titles[0][0] in table.below_gap:
                break
        else:  # no empty row parts a title from the players above: it may be one
            above += titles[:-1]
            titles = titles[-1:]
        for place, title in titles:
            table.note(f"headings and titles in the middle, left out: {_row_text(title)[:60]}", place)
        blocks.append((headings, []))
    if all(headings == blocks[0][0] for headings, _ in blocks):
        return blocks[0][0], [row for _, below in blocks for row in below]
    keyed = [(_keys_of(headings, table.choices), headings, below) for headings, below in blocks]
    joined = {
        key: heading for keys, headings, _ in reversed(keyed) for key, heading in zip(keys, headings, strict=True)
    }
    order = dict.fromkeys(key for keys, _, _ in keyed for key in keys)
    if any(len(set(keys)) < len(keys) for keys, _, _ in keyed):
        text = "several tables with other headings, and in one of them a heading stands twice; make one table of them"
        table.note(text, weight=Weight.STOPS)
    return [joined[key] for key in order], [
        (line, [*(_cell_under(key, keys, row) for key in order), *row[len(keys) :]])
        for keys, _, below in keyed
        for line, row in below
    ]


def _keys_of(headings: Sequence[str], choices: RosterChoices) -> list[str]:
    """What tells columns of several blocks to be the same: what they mean, or how they are headed."""
    meanings = _guess_columns(headings, choices)
    return [
        meaning or fold_name(heading) or f"column {n}"
        for n, (heading, meaning) in enumerate(zip(headings, meanings, strict=True))
    ]


def _cell_under(key: str, keys: Sequence[str], row: Sequence[str]) -> str:
    place = keys.index(key) if key in keys else len(row)
    return row[place] if place < len(row) else ""


def _is_headings_again(row: Sequence[str], first: Sequence[str], choices: RosterChoices) -> bool:
    """Whether a row below the headings names the columns once more, all of them or most."""
    filled = [cell for cell in row if cell]
    if filled == [cell for cell in first if cell]:
        return True
    meanings = _guess_columns(row, choices)
    known = [cell for cell, meaning in zip(row, meanings, strict=True) if cell and (meaning or cell in first)]
    return len(filled) > 1 and len(known) * 2 > len(filled) and not {*NAMES}.isdisjoint(meanings)


def _is_list_of_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows hold one name each, without a heading: it might be misspelt, or say "players"."""
    if any(len([cell for cell in row if cell.strip()]) != 1 or not row[0].strip() for row in rows):
        return False
    heading = fold_name(rows[0][0])
    known = _guess_columns([rows[0][0]], RosterChoices())[0]
    return known not in NAMES and heading not in COLUMNS and not did_you_mean(heading, ("name",))


def _are_headings_with_blanks(numbered: NumberedRows) -> bool:
    """Whether the first row, which is one text, only has words that head columns, one of them a name and one not.

    Rows of two words are names below a title, such as "Club players".
    """
    cells = [cell for _, row in numbered[:1] for cell in row if cell.strip()]
    words = [word for cell in cells for word in cell.split()] if len(cells) == 1 else []
    meanings = [
        _guess_columns([word], RosterChoices())[0] or ("team" if fold_name(word) in OTHER_HEADINGS else "")
        for word in words
    ]
    is_wide = 2 * sum(len(" ".join(row).split()) > 2 for _, row in numbered[1:]) > len(numbered) - 1
    is_mixed = any(each in NAMES for each in meanings) and not all(each in NAMES for each in meanings)
    return all(meanings) and is_mixed and is_wide


def find_headings(rows: Sequence[Sequence[str]], choices: RosterChoices | None = None) -> int | None:
    """The row of the headings: the one near the top in which most cells are known, a name among them.

    >>> [find_headings([["Cup"]] * titles + [["name", "club"]]) for titles in (19, 20)]
    [19, None]
    """
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
    >>> [_guess_columns(each.split(), RosterChoices()) for each in ("Vorname Nachname Name", "Nachname Name")]
    [['first_name', 'family_name', 'name'], ['family_name', 'first_name']]
    """
    meanings = []
    for heading in headings:
        folded = fold_name(heading.partition("(")[0]) or fold_name(heading)
        chosen = choices.columns.get(heading.strip(BLANKS))
        meanings.append(_meaning_of(folded) or _guess_question(folded) or _meaning_in_languages(heading))
        if chosen is not None:
            meanings[-1] = chosen
    free = [
        n
        for n, heading in enumerate(headings)
        if FAMILY_OR_NAME.issuperset(_parts_of_heading(heading)) and heading.strip() not in choices.columns
    ]
    for place in free:
        others = {meaning for other, meaning in enumerate(meanings) if other != place}
        meanings[place] = "name"
        if FIRST in others and "family_name" not in others:
            meanings[place] = "family_name"
        elif "family_name" in others and FIRST not in others:
            meanings[place] = FIRST
    return meanings


def _meaning_of(folded: str) -> str:
    known = folded.replace(" ", "_")
    return known if known in MEANINGS else WORDS.get(folded, "")


def _meaning_in_languages(heading: str) -> str:
    """What a heading means that says it in several languages, or names both parts of a name.

    >>> [_meaning_in_languages(heading) for heading in ("Verein / Club", "Name, Vorname", "Club/Age", "Surname/Nom")]
    ['club', 'name', '', 'family_name']
    >>> _meaning_in_languages("First name/Prénom"), _meaning_in_languages("Nazwisko i imię")
    ('first_name', 'name')
    """
    parts = _parts_of_heading(heading)
    known = {_meaning_of(word) for word in parts if word not in FAMILY_OR_NAME}
    are_free = not FAMILY_OR_NAME.isdisjoint(parts)
    if known == {FIRST, "family_name"} or (are_free and known <= {FIRST, "name"}):
        return "name"
    return known.pop() if len(known) == 1 else ""


def _parts_of_heading(heading: str) -> list[str]:
    """The words of a heading that has several, folded: "Nazwisko i imię", "Name / Nom"."""
    return [fold_name(word) for word in re.split(r"[/|,&+]| (?:and|und|et|y|e|i|a|og|och|en|и) ", heading)]


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


class _NamedRow(Struct):
    """A row below the headings, and the name in it."""

    line: ListPlace
    cells: list[str]
    written: str
    whole: str
    family: str
    remarks: RowNotes
    place: PlaceBehind | None = None  # the country or the club behind the name, where the director takes it for one


class _ListedColumns(Struct, frozen=True):
    """The columns of a list: how each is headed, what it means, and which of them the roster has beside the name."""

    headings: Sequence[str]
    meanings: Sequence[str]  # "" where the program does not know it
    announced: Sequence[int]  # the places of those that say which rounds somebody announced
    kept: Sequence[int]  # the places of all others but names and what nobody uses

    @classmethod
    def of(cls, headings: Sequence[str], choices: RosterChoices) -> "_ListedColumns":
        meanings = _guess_columns(headings, choices)
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

    def values(self, row: _NamedRow, *, has_family: bool) -> list[str]:
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


def _read_table(
    table: _RosterTable, headings: Sequence[str], rows: NumberedRows, head_line: ListPlace = 0
) -> ReadRoster:
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


def _refuse_half_names(table: _RosterTable, columns: _ListedColumns, rows: NumberedRows) -> None:
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
    table: _RosterTable, headings: Sequence[str], meanings: Sequence[str], named: Sequence[_NamedRow]
) -> list[str]:
    """Write the countries and clubs behind names into their columns, which are added where there is none."""
    headings = list(headings)
    for what, is_land in (("club", False), ("country", True)):
        places = {row.line: row.place.place for row in named if row.place and row.place.is_country is is_land}
        if not places:
            continue
        table.note(f"the {what} behind a name: {_list_some(places.values())}")
        column = meanings.index(what) if what in meanings else len(headings)
        if column == len(headings):
            headings.append(what)
            for row in named:
                row.cells.insert(column, "")
        for row in named:
            row.cells[column] = row.cells[column] or places.get(row.line, "")
    return headings


def _turn_names_apart(
    named: Iterable[_NamedRow], heads: Sequence[str], listed: Iterable[tuple[ListPlace, list[str]]]
) -> None:
    """Write the names of those who are to be kept apart as they stand in the roster: "Doe, Jo" as "Jo Doe"."""
    turned = {row.written: row.whole for row in named if row.written not in ("", row.whole)}
    for n in (n for n, head in enumerate(heads) if head == "keep_apart"):
        for _, values in listed:
            for written, name in turned.items():
                values[n] = values[n].replace(written, name)


def _choose_rows(
    table: _RosterTable, headings: Sequence[str], meanings: Sequence[str], rows: NumberedRows
) -> tuple[list[_NamedRow], tuple[RowDoubt, ...]]:
    """The rows that name a player, each with its name, and those that the director must be asked about."""
    choices = table.choices.rows
    for key in choices.keys() - {str(line) for line, _ in rows}:
        table.note(f"no row {key} stands below the headings", weight=Weight.STOPS)
    named = _name_rows(table, meanings, rows)
    clubs = {fold_name(row.cells[n]) for row in named for n, each in enumerate(meanings) if each in ("club", "team")}
    places = {row.line: found for row in named if (found := part_place(row.written, clubs - {""}))}
    _put_certain_countries(named, places)
    doubts, habits = find_doubts(
        [
            ListRow(
                line=row.line,
                written=row.written,
                name=row.whole,
                text=_row_text(row.cells),
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
    )
    for line in _numbered_in_our_workbook(headings, named):
        doubts.pop(line, None)
    doubts = {**_ask_of_pairs(table, named), **doubts}
    for habit in habits:
        table.note(f"half of the names or more: {habit}; look them over")
    rows_chosen: list[_NamedRow] = []
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


def _put_certain_countries(named: Sequence[_NamedRow], places: dict[ListPlace, PlaceBehind]) -> None:
    """Take the countries off the names where each name has one behind it, and where it is a flag: nothing is to ask."""
    have_all = len(places) == len(named) > 1 and all(p.is_country and not p.may_be_name for p in places.values())
    for row in named:
        if row.line in places and (have_all or FLAG.search(row.written)):
            row.place = places.pop(row.line)
            row.written = row.place.name
            row.whole, row.family = turn_name(row.written)


def _drop_part_of_name(
    table: _RosterTable, meanings: Sequence[str], row: _NamedRow, names: str | tuple[str, ...]
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
    table: _RosterTable, row: _NamedRow, names: str | tuple[str, ...], place: PlaceBehind | None
) -> list[_NamedRow]:
    """The players whom the director names in a row."""
    if not names:
        table.note(f"left out: {_row_text(row.cells)[:60]}", row.line)
    return [_named_anew(row, name, place) for name in ((names,) if isinstance(names, str) else names) if name]


def _named_anew(row: _NamedRow, name: str, place: PlaceBehind | None) -> _NamedRow:
    """A row with the name that the director gives it; what stood behind the name is a place where it has no more."""
    is_place = place is not None and not fold_name(name).endswith(fold_name(place.place))
    turned, family = turn_name(place.name) if place and is_place else (row.whole, row.family)
    whole, family = (name, family) if name == turned else turn_name(name)
    copied = _NamedRow(row.line, [*row.cells], row.written, whole, family, row.remarks)
    copied.place = place if is_place else None
    return copied


def _tell_clubs(table: _RosterTable, clubs: Iterable[str]) -> None:
    """Tell what is taken for a club because it stands behind the name of somebody who is a player."""
    if clubs := list(clubs):
        table.note(f"the club behind a name: {_list_some(clubs)}")


def _list_some(texts: Iterable[str]) -> str:
    """Different texts, of many the first."""
    different = list(dict.fromkeys(texts))
    more = f" and {len(different) - MOST_TOLD} more" if len(different) > MOST_TOLD else ""
    return f"{', '.join(different[:MOST_TOLD])[:120]}{more}"


def _ask_of_pairs(table: _RosterTable, named: Iterable[_NamedRow]) -> dict[ListPlace, RowDoubt]:
    """The rows in which no column says what stands behind the name."""
    asked: dict[ListPlace, RowDoubt] = {}
    for row in named:
        if row.line in table.asked:
            why, is_likely = table.asked[row.line]
            asked[row.line] = RowDoubt(row.line, _row_text(row.cells), why, row.whole, is_likely)
    return asked


def _say_twice(doubt: RowDoubt, named: Iterable[_NamedRow]) -> RowDoubt:
    """A doubt about a row, with the row in which the same name stands, too."""
    again = (row for row in named if row.line != doubt.line and fold_name(row.whole) == fold_name(doubt.name))
    other = next(again, None)
    return replace(doubt, why=f"{doubt.why}; {other.whole!r} stands in row {other.line}, too") if other else doubt


def _numbered_in_our_workbook(headings: Sequence[str], rows: Iterable[_NamedRow]) -> list[ListPlace]:
    """The rows of our own Players sheet that are players of an event already: their names were asked about then."""
    if not set(UNUSED[:2]) <= {heading.lower() for heading in headings}:
        return []
    number = [heading.lower() for heading in headings].index(UNUSED[0])
    return [row.line for row in rows if row.cells[number]]


def _name_rows(table: _RosterTable, meanings: Sequence[str], rows: NumberedRows) -> list[_NamedRow]:
    """The name in each row, without the numbers of a numbered list and without what is no part of it."""
    all_cells = []
    joined: list[ListPlace] = []
    tabs: list[ListPlace] = []
    for line, row in rows:
        cells = [cell.strip(BLANKS) for cell in row] + [""] * (len(meanings) - len(row))
        for n, meaning in enumerate(meanings):
            if meaning in NAMES and "   " not in cells[n]:
                cells[n] = " ".join(filter(None, cells[n].split(" ")))
            if meaning and any(sign in LINES for sign in cells[n]):
                told = joined if any(sign in "\r\n" for sign in cells[n]) else tabs
                cells[n] = _on_one_line(cells[n], meaning)
                told += [line] if line not in told else []
        all_cells.append((line, cells))
    if joined:
        table.note(f"line breaks inside a cell, put right: row {list_lines(joined)}")
    if tabs:
        table.note(f"tabs inside a cell, taken as blanks: row {list_lines(tabs)}")
    _drop_empty_places(table, meanings, [cells for _, cells in all_cells])
    place = next((n for n, meaning in enumerate(meanings) if meaning in (FIRST, "name")), None)
    if place is not None:
        names = _trim_names(table, [(line, cells[place]) for line, cells in all_cells])
        for (_, cells), name in zip(all_cells, names, strict=True):
            cells[place] = name
    named = []
    for line, cells in all_cells:
        parts = {meaning: cells[n] for n, meaning in enumerate(meanings) if meaning in NAMES}
        whole, family, remarks = _join_name(parts)
        named.append(_NamedRow(line, cells, parts.get("name") or whole, whole, family, remarks))
    return named


def _drop_empty_places(table: _RosterTable, meanings: Sequence[str], rows: Iterable[list[str]]) -> None:
    """Empty the cells of clubs, countries and teams that say that there is none."""
    emptied = []
    for cells in rows:
        for n, meaning in enumerate(meanings):
            is_land = meaning == "country" and is_country(cells[n])  # NA is Namibia
            is_none = says_nothing(cells[n]) or fold_name(cells[n]) in TO_COME
            if meaning in ("club", "country", "team") and is_none and not is_land:
                emptied.append(cells[n])
                cells[n] = ""
    if emptied:
        table.note(f"no club, country or team: {_list_some(emptied)}")


def _trim_names(table: _RosterTable, named: Sequence[tuple[ListPlace, str]]) -> list[str]:
    """The names without numbers in front of them, quotes around them, and addresses and dashes behind them; told."""
    names, counts = drop_counts([_without_emphasis(name) for _, name in named])
    _tell_counts(table, counts)
    _mark_dashes(table, counts, named)
    pointed = {name for name in names if name.endswith(".") and not POINTED.fullmatch(name.split()[-1])}
    if 2 * sum(name in pointed for name in names) > len(names):
        names = [name.rstrip(".") if name in pointed else name for name in names]
        table.note("the points behind the names are left out")
    plain = [_without_contact(name) for name in names]
    trimmed = [
        line
        for (line, written), before, after in zip(named, names, plain, strict=True)
        if before != after or _without_emphasis(written) != written
    ]
    if trimmed:
        rows = list_lines(trimmed)
        left = "quotes around names, Mr and the like, addresses, telephone numbers and dashes behind them, left out"
        table.note(f"{left}: row {rows}")
    return plain


POINTED = re.compile(rf"{SUFFIX.pattern}|\w\.")  # what keeps its point, also an initial: "Ada L."
DASH_AT_END = re.compile("(?<! ) +[-–—]+$")
EMPHASIS = re.compile(r"(\*{1,3}|_{1,2})([^*_]+)\1")
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "»": "«"}
PRONOUNS = re.compile(r"(?i)(?:(?<! ) +)?[(\[] ?(she|he|they|any|er|sie|elle|il|iel)( ?/ ?\w+)* ?[)\]]")
FORM_OF_ADDRESS = re.compile(
    r"(?i)^(?:(?:mr|mrs|ms|mx|herrn?|frau|mme|mlle|dhr|mevr|sra|srta)\.?|(?:hr|sr|sig|sig\.ra)\.|miss|monsieur|"
    r"madame|mademoiselle|señor(?:a|ita)?|signor[ae]?|de heer|mevrouw|fru|pani) +"
    r"(?!(?:and|und|et|y|e|och|og|en)\b)(?=[^\W\d_])"
)
CONTACT = re.compile(
    r"[\s,;:<(\[]+(mailto:)?[\w.+-]+@[\w-]+(\.[\w-]+)+[>)\]]*|"
    r"[\s,;:(]+(?!\d{1,4}[./-]\d{1,2}[./-]\d)(?:tel\.?:? ?)?\+?\d[\d ()/.-]{5,}\d\)?$"
)


def _without_emphasis(name: str) -> str:
    """A name without the signs around it that make it bold or slanted in a text editor.

    >>> _without_emphasis("**Ada Lund**"), _without_emphasis("_Bo_ Ek")
    ('Ada Lund', '_Bo_ Ek')
    """
    found = EMPHASIS.fullmatch(name) if len(name) <= LONGEST_TEXT else None
    return found[2] if found else name


def _is_contact(text: str) -> bool:
    """Whether a text is a mail address or a telephone number.

    >>> [_is_contact(text) for text in ("ada@lund.example", "tel. 0171 5556677", "Oslo", "1850")]
    [True, True, False, False]
    """
    return len(text) <= LONGEST_TEXT and not CONTACT.sub("", f" {text}").strip()


def _without_contact(name: str) -> str:
    """A name without quotes around it, "Mr" in front, and a mail address, a telephone number or a dash behind it.

    >>> _without_contact('"Ada Lund" <ada@lund.example>'), _without_contact("Mr Bo 'Owl' Ek +47 22 33 44 55")
    ('Ada Lund', "Bo 'Owl' Ek")
    """
    if len(name) > LONGEST_TEXT:
        return name
    plain = DASH_AT_END.sub("", CONTACT.sub("", PRONOUNS.sub("", FORM_OF_ADDRESS.sub("", name))).strip())
    if is_head_word(plain):  # "To: ada@lund.example" is no name
        return name
    end = QUOTES.get(plain[:1], "")
    if end and plain.endswith(end) and len(plain) > 2 and not {plain[0], end} & {*plain[1:-1]}:
        plain = plain[1:-1].strip()
    return plain or name


def _on_one_line(cell: str, meaning: str) -> str:
    r"""The lines of a cell as one; between whole names stays a sign that they are several.

    >>> _on_one_line("Ada\nLund", "name"), _on_one_line("Ada Lund\nBo Ek", "name")
    ('Ada Lund', 'Ada Lund / Bo Ek')
    """
    parts = [part.strip() for part in re.split(f"[{LINES}]+", cell) if part.strip()]
    are_names = meaning == "keep_apart" or (meaning == "name" and all(len(part.split()) > 1 for part in parts))
    return (" / " if are_names else " ").join(parts)


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
    marks = {match[1] for value in values if (match := re.search(r"[0-9]([.,])(?![0-9]{3}(?![0-9]))[0-9]+", value))}
    return marks.pop() if len(marks) == 1 else ""


def _read_distances(rows: Iterable[_NamedRow], place: int) -> None:
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
    rows_by_folded: dict[str, int] = {}  # the look of a name without accents and case -> its first row in ``found``
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
