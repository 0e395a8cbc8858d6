"""The headings of a list: in which row they stand, what each column means, and where they come again further down.

How programs and people head the columns of a roster, in the languages of the tournaments.
"""

import re
from collections.abc import Mapping, Sequence

from pipeline.draw.list_as_read import RosterChoices, RosterTable, row_text
from pipeline.draw.roster import COLUMNS
from pipeline.draw.unheaded_list import NumberedRows
from pipeline.printable import BLANKS
from pipeline.problems import Weight
from pipeline.rules.table import did_you_mean
from pipeline.words.names import fold_name

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


def name_meant(heading: str) -> str:
    """The question whether a heading means the names, where it is nearly written so."""
    names = tuple(word for word, meaning in WORDS.items() if meaning in NAMES and len(word) >= LONG_HEADING)
    folded = fold_name(heading)
    return did_you_mean(folded, ("name",)) or (did_you_mean(folded, names) if len(folded) >= LONG_HEADING else "")


def may_be_headings(row: Sequence[str]) -> bool:
    """Whether a row names a column that is known."""
    return any(guess_columns([cell], RosterChoices())[0] for cell in row if cell.strip())


def join_blocks(rows: NumberedRows, table: RosterTable) -> tuple[list[str], NumberedRows]:
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
            table.note(f"headings and titles in the middle, left out: {row_text(title)[:60]}", place)
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
    meanings = guess_columns(headings, choices)
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
    meanings = guess_columns(row, choices)
    known = [cell for cell, meaning in zip(row, meanings, strict=True) if cell and (meaning or cell in first)]
    return len(filled) > 1 and len(known) * 2 > len(filled) and not {*NAMES}.isdisjoint(meanings)


def is_list_of_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows hold one name each, without a heading: it might be misspelt, or say "players"."""
    if any(len([cell for cell in row if cell.strip()]) != 1 or not row[0].strip() for row in rows):
        return False
    heading = fold_name(rows[0][0])
    known = guess_columns([rows[0][0]], RosterChoices())[0]
    return known not in NAMES and heading not in COLUMNS and not did_you_mean(heading, ("name",))


def are_headings_with_blanks(numbered: NumberedRows) -> bool:
    """Whether the first row, which is one text, only has words that head columns, one of them a name and one not.

    Rows of two words are names below a title, such as "Club players".
    """
    cells = [cell for _, row in numbered[:1] for cell in row if cell.strip()]
    words = [word for cell in cells for word in cell.split()] if len(cells) == 1 else []
    meanings = [
        guess_columns([word], RosterChoices())[0] or ("team" if fold_name(word) in OTHER_HEADINGS else "")
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
        meanings = guess_columns(row, choices or RosterChoices())
        if {"name", FIRST, "family_name"} & set(meanings) and len([each for each in meanings if each]) > most:
            best, most = number, len([each for each in meanings if each])
    return best


def guess_columns(headings: Sequence[str], choices: RosterChoices) -> list[str]:
    """What each column means; "" where the program does not know it.

    >>> guess_columns(["Vorname", "Name", "E-Mail"], RosterChoices()), guess_columns(["Name"], RosterChoices())
    (['first_name', 'family_name', ''], ['name'])
    >>> [guess_columns(each.split(), RosterChoices()) for each in ("Vorname Nachname Name", "Nachname Name")]
    [['first_name', 'family_name', 'name'], ['family_name', 'first_name']]
    """
    meanings = []
    for heading in headings:
        folded = fold_name(heading.partition("(")[0]) or fold_name(heading)
        chosen = choices.columns.get(heading.strip(BLANKS))
        meanings.append(_meaning_of(folded) or _guess_question(folded) or _meaning_in_languages(heading))
        if chosen is not None:
            meanings[-1] = chosen
    free = (
        n
        for n, heading in enumerate(headings)
        if FAMILY_OR_NAME.issuperset(_parts_of_heading(heading)) and heading.strip() not in choices.columns
    )
    if (place := next(free, None)) is not None:
        if FIRST in meanings and "family_name" not in meanings:
            meanings[place] = "family_name"
        elif "family_name" in meanings and FIRST not in meanings:
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
