"""Which rows of a list may name no player, or not one: they are asked about before the event exists.

A row is asked about for its signs (brackets, a slash between two names), for its words (a total, a remark, a stand-in
such as TBA), for what stands beside it (a player who has withdrawn) or for its place (alone below the table).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from pipeline.board import Power
from pipeline.draw.countries import PlaceBehind
from pipeline.draw.letter_lines import says_closing, says_greeting, says_mail
from pipeline.draw.roster import IS_STATE, NO, YES, ListPlace
from pipeline.words.names import fold_name


def _split_words(words: str, sign: str | None = None) -> tuple[str, ...]:
    return tuple(filter(None, (fold_name(word) for word in words.split(sign))))


STAND_INS = frozenset(
    _split_words(
        """
        TBA, TBD, TBC, NN, N.N., NA, n/a, none, nobody, no one, unknown, anonymous, open, vacant, empty, free,
        blank, bye, player, guest, dummy, test, sub, substitute, reserve, standby, stand by, spare, name, full name,
        your name, first last, name surname, first name last name, John Doe, Jane Doe, to be announced, to be decided,
        to be confirmed, unbekannt, frei, offen, leer, niemand, Gast, Ersatz, Spieler, Spielerin, noch offen,
        Max Mustermann, Erika Mustermann, Vorname Nachname, Vorname Name, inconnu, inconnue, libre, vide, personne,
        à définir, joueur, joueuse, remplaçant, invité, prénom nom, nom prénom, desconocido, por definir, por confirmar,
        vacante, jugador, jugadora, suplente, invitado, nombre apellido, nombre apellidos, sconosciuto, da definire,
        libero, vuoto, giocatore, giocatrice, riserva, ospite, nome cognome, nieznany, nieznana, wolny, wolne, gracz,
        count, sum, total, Anzahl, Summe, Anmeldungen, somme, cuenta, suma, gość, rezerwa, a definir,
        jogador, jogadora, onbekend, vrij, leeg, speler, wild card, wildcard, n n, x, xx, xxx
        """,
        ",",
    )
)  # the whole of a name
NO_NAMES = frozenset(
    _split_words("""
    please regards hello thanks total totals subtotal amount updated update player players team teams club tournament
    championship cup league waiting waitlist withdrawn withdrew cancelled canceled reserves substitutes absent organiser
    organisers organizer organizers director directors arbiter referee helpers volunteers guests email phone registered
    registration registrations deadline confirmed unconfirmed pending maybe printed exported created confidential
    example placeholder vacant seat seats participants attendees remarks beginners juniors seniors veterans newcomers
    unpaid entries entrants signups roster lineup playerlist
    sind hallo Grüße Gruesse Spieler Spielerinnen Teilnehmer Teilnehmerinnen Teilnehmerliste Spielerliste
    Anmeldeliste Meldeliste Startliste Mannschaft Verein Turnier
    Meisterschaft Gruppe Anzahl Summe gesamt insgesamt abgemeldet abgesagt Warteliste Nachrücker Turnierleiter
    Turnierleitung Bemerkung Bemerkungen Beispiel Absagen
    joueur joueurs joueuses équipe équipes liste tournoi championnat nombre bonjour cordialement sont attente
    désistement désistements annulé remplaçants arbitre organisateur organisateurs exemple inscrits
    jugadores equipo equipos torneo campeonato hola saludos estimados gracias espera bajas suplentes árbitro organizador
    organizadores ejemplo actualizado inscritos
    giocatori squadra squadre elenco totale saluti grazie attesa ritirati riserve organizzatore organizzatori esempio
    aggiornato iscritti
    gracze drużyna drużyny turniej mistrzostwa razem liczba pozdrawiam witam rezerwowa oczekujących wycofani sędzia
    organizator przykład uczestnicy
    jogadores torneio atualizado obrigado saudações desistentes
    spelers lijst toernooi totaal aantal groeten wachtlijst scheidsrechter voorbeeld bijgewerkt deelnemers
    """)
)  # words that nobody is called by
GREETINGS = frozenset({"hi", "hey", "cheers", "thx", "ciao", "salut"})  # first in a line; some are family names
PARTICLES = frozenset(
    _split_words("""
    a à aan af al am an ap as auf aus av ax az ab ad bar bat bei ben beni bent bin bint binti d da dal dalla dalle dallo
    das de dè degli dei del dell della delle dello den der des di do dos du e é ed el en fab ferch filho fitz fra gen ha
    hu i ibn il im in ka la las le les li lo los ma mac mc na nau neto ní nic o of op os san sant santa sous st ste sur
    s t te ten ter thor ti to tot tou v van vande vanden vander vd ver verh vom von vor w wa wan wo y z za ze zu zum zur
    abdul abu ad-din al-din bene detto detta dit dite geb geboren née né ou quattro und junior senior
    med phil jur rer nat hc pol theol habil ing dent vet
    """)
)  # in small letters, and part of a name
NOT_PLAYING = re.compile(
    r"\b("
    r"sorry|"
    r"(not|nicht|pas|non|nie|no) (yet )?(confirm\w*|bestatigt|zugesagt)|unconfirmed|unbestatigt|leider nicht|"
    r"withdraw\w*|withdrew|w ?d|cancel\w*|declined?|not (coming|attending|playing)|no shows?|dropped( out)?|refunded|"
    r"(can|will) ?not (come|attend|play|make it)|(cant|wont|unable to) (come|attend|play|make it)|dns|ill|sick|"
    r"wait(ing)? ?list(ed)?|stand ?by|reserve[srn]?|venteliste|vantelistan?|absent|"
    r"spectators?|observers?|volunteers?|zuschauer(in)?|spectatrice|"
    r"spectateur|espectador[ae]?|spettat(ore|rice)|"
    r"abgesagt|absagen?|krank|verhindert|abgemeldet|storniert|zuruckgezogen|warteliste|nachrucker|"
    r"annule\w*|desist\w+|liste d ?attente|absente?s?|"
    r"cancelad[oa]s?|retirad[oa]s?|bajas?|lista de espera|"
    r"ritirat[oaie]|annullat[oaie]|rinunciat\w+|lista d ?attesa|assent[ei]|"
    r"wycofan\w+|rezygnacj\w+|odwolan\w+|nieobecn\w+|lista rezerwowa|"
    r"afgemeld|geannuleerd|wachtlijst|afwezig|avbokad|avanmald|aterbud|anulowan\w*|"
    r"odhlasen\w*|zrusen\w*|lemondta|iptal|отмен\w*|отказ\w*|не при[де]\w+|frafall\w*|afbud|peruutettu"
    r")\b"
)  # folded as names are: a state of somebody who is entered and does not play
COMES = frozenset(
    _split_words(
        """
    ok, okay, in, coming, comes, going, attending, playing, plays, active, accepted, confirmed, registered, entered,
    paid, fee paid, here, present, checked in, angemeldet, bestätigt, zugesagt, bezahlt, dabei, kommt, anwesend, da,
    inscrit, inscrite, confirmé, confirmée, payé, présent, présente, vient, d'accord, inscrito, inscrita, confirmado,
    confirmada, pagado, presente, viene, sí, si, iscritto, iscritta, confermato, confermata, pagato, zapisany, zapisana,
    potwierdzony, potwierdzona, opłacone, tak, obecny, obecna, ingeschreven, bevestigd, betaald, aanwezig, da, ano,
    igen, evet, joo, kyllä, sim, pago, anmäld, påmeldt, tilmeldt, ilmoittautunut
    """,
        ",",
    )
)  # states of somebody who plays
OFFICES = frozenset(
    _split_words("td ctd gm host orga staff helper helfer helferin bénévole assistant assistent schiedsrichter")
)
NO_PLACE = frozenset(
    _split_words(
        """
        none, no club, no team, n/a, na, nil, null, independent, unattached, unaffiliated, unknown, individual, kein,
        keine, keiner, keins, kein verein, ohne, ohne verein, vereinslos, unbekannt, aucun, aucune, sans, sans club,
        ninguno, ninguna, sin club, nessuno, nessuna, brak, bez klubu, geen, ingen, inget
        """,
        ",",
    )
)  # where others have a club
STAFF_HEADS = frozenset(
    _split_words("""
    turnierleitung leitung helfer helferinnen helfende orga organisation schiedsrichter gäste zuschauer presse
    directors director td organisers organiser organizers organizer helpers staff volunteers arbiters arbiter referees
    guests spectators press bénévoles arbitres organisateurs spectateurs organizadores árbitros organizzatori arbitri
    organizatorzy sędziowie funktionärer domare
    """)
)  # in a line above those who do not play
GROUP_HEADS = frozenset(
    _split_words("""
    team teams mannschaft équipe equipo squadra drużyna lag club verein klub club round rounds runde runden ronde rondes
    board tisch brett table mesa tavolo group gruppe groupe grupo pool all alle toutes tous todos players spieler
    teilnehmer participants joueurs jugadores giocatori gracze spelare deltagare confirmed angemeldet registered
    zugesagt dabei inscrits day tag jour
    """)
)  # in a line above players
TO_COME = frozenset({"tba", "tbd", "tbc"})  # in a column of clubs or teams
TICKS = "✓✔☑✅"
AMOUNT = re.compile(r"(?i)[(:,]? *[£$€]? ?\d+([.,]\d\d?)? ?(€|£|\$|eur|euros?|chf|fr|kr|zł|usd|gbp)?\.?[)]?$")
UNSURE = frozenset(
    _split_words(
        """
        maybe, maybes, perhaps, probably, possibly, possibles, wahrscheinlich, probablement,
        unsure, tentative, waiting, pending, invited, unconfirmed, out, off, left, gone, away, tbc,
        vielleicht, offen, eingeladen, wartet, peut-être, en attente, invité, quizás, pendiente, forse, in attesa, może,
        misschien
        """,
        ",",
    )
)
HEADS_A_GROUP = re.compile(
    r"(board|table|tisch|brett|round|runde|ronde|group|gruppe|groupe|grupo|poule|pool|heat|flight|team|day|tag|jour|"
    r"room|raum|salle|game|spiel|partie|mesa|tavolo|stol) ?(\d+|[a-h])"
)  # folded
POWERS = frozenset(power.lower() for power in Power)
CROSSES = "🤔🤷❓⏳👎❌✗✘✖☒🚫⛔"
DAYS = frozenset(
    _split_words("""
    fri sat sun friday saturday sunday fr sa so freitag samstag sonntag ven sam dim vendredi samedi dimanche
    vie sab dom viernes sabado domingo venerdi sabato domenica
    """)
)
WIDE_GAP = re.compile(r"\S {3,}\S")
REMARK_SIGNS = re.compile(r"\w{5}\.$| [-‐‑] ")
SELF = frozenset({"me", "i", "myself", "ich", "moi", "yo", "io", "ik", "jag", "ja"})  # how the sender names himself
HANDLE = re.compile(r"@([^\W\d]\S*?)(#\d+)?")
ACCOUNT = re.compile(r"[a-z]{2,}([._][a-z]{2,})+")
OF_ANOTHER = re.compile(
    r"(a |ein |une? )?(guest|friends?|partner|gast|freund(in)?|begleitung|invitee?|amie?|invitad[oa]|amig[oa]|ospite|"
    r"amic[oa]|gosc|vriend) (of|from|von|de|di|d|od|van) .+|.+ (friend|guest)s?"
)  # folded
GUEST = re.compile(r" ?\+ ?\d+$")
LAST_WORD_ENDS_SENTENCE = re.compile(
    r"(?<=\s)(?!(?i:jr|sr|jun|sen|jnr|snr|st|ml|csc|esq|ret|dr|med)\.$)[^\W\d_A-Z]{2,}\.$"
)
AND = re.compile(r"[/&+;|]| (?i:and|und|et|och|og|en|ou|or|oder) ")
ALSO_AND = re.compile(
    r"\S+ \S+ (?:y|e|i) \S+ \S+"
)  # part of some family names: two names only with two words on each side
LAST_AND = re.compile(r" (?:and|und|et|y|e|og|och|en|i) ")  # in front of the last of several names
REMARK = re.compile(
    r"(?:(?<!\s)\s+)?[(\[{<](?:[^()\[\]{}<>]|[(\[{<][^()\[\]{}<>]*(?:[)\]}>]|$))*(?:[)\]}>]|$)\s*"
)  # one may hold another
SIGNS = frozenset(
    " '’‘`´ʼʻʹ-‐‑.·・,\"“”„«»‹›"
)  # beside letters, in names as people write them; an apostrophe has many shapes
PLACE_BEHIND = re.compile(r"(\S+ \S.*?) (?i:of|from|aus|uit|från|fra) [^\W\d_a-z].*")
STAND_IN, SEVERAL = "stands for a player to come", "two names, it seems"
SENTENCE_WORDS, SENTENCE_LETTERS = 7, 60  # more than names have
LONGEST_TEXT = 300  # letters: what is longer is looked at no further
FEWEST_FOR_HABIT = 4  # rows
FEWEST_WHOLE = 3  # names of two words, where as many rows have one word
NEARLY_ALL = 0.8  # a row is unlike the list where so many of the others are otherwise
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")  # alphabets whose letters look alike, and stand in no word together


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


class _NameDoubt(Struct, frozen=True):
    why: str
    name: str = ""  # a better name than the one that stands there
    is_likely: bool = False
    names: tuple[str, ...] = ()
    is_habit: bool = False  # is asked about only where few rows of the list are so


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


def _doubt_row(row: ListRow, *, have_places: bool = False) -> _NameDoubt | None:
    """The doubt about a row for what stands in it alone; ``have_places``: several rows have one behind the name."""
    if row.is_struck:
        return _NameDoubt("struck through: has this player withdrawn?")
    for heading, cell in row.beside.items():
        if said := _says_not_playing(heading, cell):
            return _NameDoubt(f"{heading[:40]}: {said}")
    if not row.written:
        return _NameDoubt("no name in it")
    if row.is_alone and (why := _part_of_letter(row.text)):
        return _NameDoubt(why)
    if row.place and _doubt_name(row.place.name) is None:
        what, is_likely = "country" if row.place.is_country else "club", have_places or not row.place.may_be_name
        why = f"behind the name the {what} {row.place.place!r}, it seems"
        return _NameDoubt(why, row.place.name, is_likely=is_likely)
    doubt = _doubt_name(row.written)
    if doubt is None and row.is_alone and _has_small_word(row.written):
        return _NameDoubt("words in small letters", is_likely=True, is_habit=True)
    return doubt


def _part_of_letter(text: str) -> str:
    """Which part of a letter or a mail a row is; empty if it is none."""
    parts = (
        (says_greeting, "a greeting, it seems"), (says_closing, "the end of a letter, it seems"),
        (says_mail, "a line of a mail, it seems"),
    )  # fmt: skip
    return next((why for says, why in parts if says(text)), "")


def _says_not_playing(heading: str, cell: str) -> str:
    """A cell that says that a player does not come, or may not.

    >>> cells = ("Status", "Withdrawn 3 May"), ("Coming?", "no"), ("Paid", "no")
    >>> tuple(_says_not_playing(heading, cell) for heading, cell in cells)
    ('Withdrawn 3 May', 'no', '')
    >>> [bool(_says_not_playing("Remark", "withdrawn" + " x" * words)) for words in (5, 6)]
    [True, False]
    """
    folded = fold_name(cell)
    if len(folded.split()) < SENTENCE_WORDS and NOT_PLAYING.search(folded):
        return cell[:40]
    if (
        IS_STATE.search(fold_name(heading))
        and cell
        and not {folded, folded.split(" ")[0]}.isdisjoint(UNSURE | NO - {""})
    ):
        return cell[:40]
    if folded in OFFICES:
        return cell[:40]
    if NOT_PLAYING.search(fold_name(heading)) and cell and folded not in NO:
        return cell[:40]
    return ""


def says_state(text: str) -> bool:
    """Whether a text says that somebody comes, may come, does not or is of the staff, or that a name is to follow."""
    folded = fold_name(_without_amount(text))
    return bool(NOT_PLAYING.search(folded)) or folded in COMES | UNSURE | STAND_INS | NO_NAMES | YES | NO | OFFICES


def _doubt_name(name: str) -> _NameDoubt | None:
    """The doubt whether a text is the name of one player.

    >>> [_doubt_name(name) for name in ("Ada Lund", "Conan O’Brien-Müller, Jr.", "Ludwig van der Ä. B.", "李小龍")]
    [None, None, None, None]
    >>> [_doubt_name(name).why for name in ("TBA", "Cy Dee / Dov Hart", "Total players", "£ukasz")]
    ['stands for a player to come', 'two names, it seems', "'total' is part of no name", "'£' is part of no name"]
    """
    if len(name) > LONGEST_TEXT:
        return _NameDoubt("longer than names are")
    folded = fold_name(name)
    if not any(sign.isalpha() for sign in name):
        return _NameDoubt("no letter in it")
    if folded in STAND_INS:
        return _NameDoubt(STAND_IN)
    if OF_ANOTHER.fullmatch(folded):
        return _NameDoubt(STAND_IN)
    if ACCOUNT.fullmatch(name):
        return _NameDoubt("an account, it seems", " ".join(re.split("[._]", name)).title(), is_likely=True)
    if sum(sign.isalnum() for sign in name) == 1 and name.lower() != name.upper():
        return _NameDoubt("one letter", is_likely=True)
    return _doubt_several(name, folded) or _doubt_signs(name, folded) or _doubt_words(name, folded)


def _doubt_several(name: str, folded: str) -> _NameDoubt | None:
    """The doubt about a text that seems to hold two names, or part of one."""
    if "://" in name or name.lower().startswith("www."):
        return _NameDoubt("an address of the web")
    if WIDE_GAP.search(name):
        return _NameDoubt("a wide gap in it: two cells, it seems")
    if GUEST.search(name):
        return _NameDoubt("with a guest, it seems", name=GUEST.sub("", name), is_likely=True)
    if AND.search(name.replace(" von und zu ", " ")) or ALSO_AND.fullmatch(name):
        return _NameDoubt(SEVERAL, names=_part_names(name))
    if name.count('"') % 2:
        return _NameDoubt("a quote that is not closed")
    if behind := PLACE_BEHIND.fullmatch(name):
        return _NameDoubt("a place behind the name, it seems", name=behind[1], is_likely=True)
    if HEADS_A_GROUP.fullmatch(folded):
        return _NameDoubt("a heading, it seems")
    return None


def _part_names(text: str) -> tuple[str, ...]:
    """The names in a text that holds several; nothing where one of them is none.

    >>> _part_names("Ada Lund / Ben Cole"), _part_names("Ada and Ben Lund"), _part_names("Ada Lund / TBA")
    (('Ada Lund', 'Ben Cole'), ('Ada Lund', 'Ben Lund'), ())
    >>> _part_names("Lund, Ada & Ben"), _part_names("Ada Lund, Ben Cole"), _part_names("Ada Lund y Ben Cole")
    (('Ada Lund', 'Ben Lund'), ('Ada Lund', 'Ben Cole'), ('Ada Lund', 'Ben Cole'))
    """
    text = " ".join(text.split())
    parts = [part.strip() for part in AND.split(text)]
    if len(parts) == 1:
        parts = [part.strip() for part in (text.split(",") if "," in text else LAST_AND.split(text))]
    family, comma, first = parts[0].partition(",")
    if comma and len(parts) > 1 and not any("," in part for part in parts[1:]):
        parts = [first.strip(), *parts[1:]]
        parts = [f"{part} {family}" if " " not in part else part for part in parts]
    *_, last = parts[-1].split() or [""]
    if len(parts[-1].split()) > 1:
        parts = [part if " " in part else f"{part} {last}" for part in parts]
    are_names = len(parts) > 1 and all(part and "," not in part and _doubt_name(part) is None for part in parts)
    return tuple(parts) if are_names else ()


def _doubt_signs(name: str, folded: str) -> _NameDoubt | None:
    """The doubt about a text for signs that no name has; the sign behind a number in front is no such sign.

    >>> [(doubt.why, doubt.name) for doubt in map(_doubt_name, ("3) Ada Lund", "3) Ada Lund (late)"))]
    [('a number in front of it', 'Ada Lund'), ('a remark in brackets', 'Ada Lund')]
    """
    name = _text_behind(COUNT, name) if ORDINAL.match(name) else name
    if any(sign in "()[]{}<>" for sign in name):
        plain = " ".join(REMARK.sub(" ", name).split())
        is_name = (
            bool(plain)
            and fold_name(plain) not in SELF
            and all(map(_may_stand_in_name, plain))
            and _doubt_words(plain, fold_name(plain)) is None
        )
        return _NameDoubt("a remark in brackets", name=plain, is_likely=is_name and not NOT_PLAYING.search(folded))
    if strange := next((sign for sign in name if not _may_stand_in_name(sign)), ""):
        plain = _part_that_is_name(name)
        is_whole = " " in plain or strange == "@" or unicodedata.category(strange) == "So"
        is_against = strange in "?~" or any(sign in CROSSES for sign in name) or NOT_PLAYING.search(folded)
        is_likely = is_whole and plain[:1].isupper() and not is_against
        return _NameDoubt(f"{strange!r} is part of no name", name=plain, is_likely=is_likely)
    return None


def _part_that_is_name(text: str) -> str:
    """The name in a text that has something else in front of it or behind it; empty if that is not plain.

    >>> [_part_that_is_name(text) for text in ("Ada Lund 🦉", "Ada Lund €20", "✅ Ada Lund", "Italy: Ada Lund", "1: 2")]
    ['Ada Lund', 'Ada Lund', 'Ada Lund', 'Ada Lund', '']
    >>> _part_that_is_name("From: Ada Lund"), _part_that_is_name("£ukasz ¯ak"), _part_that_is_name("Me: yes @ 8")
    ('', '', '')
    """
    before, colon, behind = text.partition(":")
    if colon and (fold_name(before) in POWERS or not behind):
        text = behind
    if handle := HANDLE.fullmatch(text):
        text = handle[1]
    words = text.split()
    while words and not any(sign.isalpha() for sign in words[-1]):
        words.pop()
    while words and not any(sign.isalpha() for sign in words[0]):
        words.pop(0)
    plain = " ".join(words).strip("".join(sign for sign in text if not _may_stand_in_name(sign)))
    return plain if all(map(_may_stand_in_name, plain)) and _doubt_name(plain) is None else ""


def _may_stand_in_name(sign: str) -> bool:
    kind = unicodedata.category(sign)  # letters, their marks, and what joins or parts letters of some scripts
    return sign in SIGNS or sign == "_" or sign.isdecimal() or kind[0] in "LM" or kind in ("Zs", "Cf")


def _doubt_words(name: str, folded: str) -> _NameDoubt | None:
    """The doubt about a text of letters, for its words.

    >>> names = ("Ada " + "B" * 56, "Ada " + "B" * 57, "A B C D E F", "A B C D E F G")
    >>> [str(doubt and doubt.why) for name in names for doubt in [_doubt_words(name, name.lower())]]
    ['None', 'longer than names are', 'None', 'longer than names are']
    """
    words = folded.split()
    has_digits = any(sign.isdecimal() or sign == "_" for sign in name)
    if word := next((word for at, word in enumerate(words) if word in NO_NAMES or (not at and word in GREETINGS)), ""):
        return _NameDoubt(f"{word!r} is part of no name", is_habit=True)
    if has_digits:
        if len(re.findall(r"\d+", name)) > 1:
            return _NameDoubt("several numbers in it")
        if ORDINAL.match(name):
            return _NameDoubt("a number in front of it", _text_behind(COUNT, name), is_likely=True)
        is_stand_in = fold_name(re.sub(r"[\d_]+", " ", name)) in STAND_INS  # "Reserve 1"
        return _NameDoubt("digits in it", name, is_likely=not is_stand_in, is_habit=True)
    is_sentence = LAST_WORD_ENDS_SENTENCE.search(name) or REMARK_SIGNS.search(name)
    if name.endswith(",") or name.startswith(("-", ".", ",")) or is_sentence:
        return _NameDoubt("written like a remark")
    own = [word for word in name.split() if not (word.islower() and fold_name(word) in PARTICLES)]
    size = len(own) if all(word[0].isupper() for word in own) else len(words)  # "Ana María Ruiz de la Torre y Paz"
    if size >= SENTENCE_WORDS or len(name) > SENTENCE_LETTERS:
        return _NameDoubt("longer than names are", is_likely=True, is_habit=True)
    if word := next((word for word in name.split()[1:-1] if word.islower() and fold_name(word) not in PARTICLES), ""):
        return _NameDoubt(f"{word!r} between names", is_habit=True)
    if any(_is_wrongly_saved(word) for word in re.split(r"[ -]", name)):
        return _NameDoubt("letters of another alphabet, it seems, saved wrongly")
    if any(len(_scripts_of(word)) > 1 for word in re.split(r"[ -]", name)):
        return _NameDoubt("letters of two alphabets in one word", is_likely=True)
    return None


def _scripts_of(word: str) -> set[str]:
    """The alphabets in a word that is written with more than one.

    >>> sorted(_scripts_of("Adа")), _scripts_of("Ada")
    (['CYRILLIC', 'LATIN'], {'LATIN'})
    """
    return {script for sign in word for script in SCRIPTS if unicodedata.name(sign, "").startswith(script)}


def _is_wrongly_saved(word: str) -> bool:
    """Whether most letters of a word are Western ones with accents, as Greek and Cyrillic look in a wrong encoding.

    >>> [_is_wrongly_saved(word) for word in ("Ïåòðîâ", "Ðáððò", "Ðáðð", "Øåð", "Zoë", "Nguyễn", "Éléonore")]
    [True, True, True, False, False, False, False]
    """
    return len(word) > 3 and sum("\u00c0" <= sign <= "\u00ff" for sign in word) * 2 > len(word)


def _has_small_word(name: str) -> bool:
    """Whether a text begins with a capital, and has a long word in small letters that is no part of a name.

    >>> [_has_small_word(name) for name in ("Kind regards", "Vincent van der Berg", "ada lund", "Li Ngugi wa Thiong'o")]
    [True, False, False, False]
    """
    first, *others = name.split()
    if not first[0].isupper():  # who writes his first name in small letters has two words, or three
        return len(others) > 2
    return any(
        word.islower() and len(word) > 3 and fold_name(word) not in PARTICLES and word.isalpha() for word in others
    )


# Doubts that only the other rows of the list show.

Doubts = Mapping[ListPlace, _NameDoubt]


def _doubt_states(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """A state that is not known, in a column that says of most players that they come."""
    in_doubt: dict[ListPlace, _NameDoubt] = {}
    for heading in dict.fromkeys(heading for row in rows for heading in row.beside):
        states = {row.line: row.beside[heading] for row in rows if row.beside.get(heading)}
        others = [line for line, state in states.items() if not says_coming(state)]
        if IS_STATE.search(fold_name(heading)) and len(others) * 2 <= len(states):
            in_doubt |= {
                line: _NameDoubt(f"{heading[:40]}: {states[line][:40]}", is_likely=bool(re.search(r"\d", states[line])))
                for line in others
            }  # a number is an amount or a time: he plays
    return in_doubt


def _without_amount(state: str) -> str:
    return (AMOUNT.sub("", state) if len(state) <= LONGEST_TEXT else "") or state


def says_nothing(place: str) -> bool:
    """Whether what stands for a club, a team or a country says that there is none: two of those are not together.

    >>> [says_nothing(place) for place in ("none", "-", "ohne Verein", "n/a", "None Such Club", "")]
    [True, True, True, True, False, False]
    """
    return bool(place) and (fold_name(place) in NO_PLACE or not any(sign.isalnum() for sign in place))


def says_coming(state: str) -> bool:
    return fold_name(_without_amount(state)) in COMES | YES or state.strip() in TICKS


def _doubt_small_letters(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
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
    return {row.line: _NameDoubt("words in small letters", is_likely=True) for row in small}


def _doubt_two_names_with_comma(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """A comma with two words on each side: two players, or a family name and first names where the list has it so."""
    pairs = [row for row in rows if "," in row.written and not row.place and _is_pair(row.written)]
    turned = [row for row in rows if row.written != row.name and row not in pairs]
    if len(turned) + len(pairs) > len(rows) * NEARLY_ALL:
        return {}
    return {row.line: _NameDoubt(SEVERAL, names=_part_names(row.written)) for row in pairs}


def _is_pair(written: str) -> bool:
    parts = [part.split() for part in written.split(",")]
    return len(parts) > 2 or all(len(part) > 1 for part in parts)  # "Lund, Ada" has two


def _doubt_single_words(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
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
    return {
        line: _NameDoubt("one word, where others have two names", is_likely=is_it) for line, is_it in likely.items()
    }


def _has_no_blanks(name: str) -> bool:
    """Whether a name is written in a script that puts no blank between family name and first name.

    >>> [_has_no_blanks(name) for name in ("김민수", "山田太郎", "Kim", "Kim김")]
    [True, True, False, False]
    """
    return all(unicodedata.name(sign, "").startswith(("CJK", "HANGUL", "HIRAGANA", "KATAKANA")) for sign in name)


def _doubt_below_table(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """A name alone in its row below an empty one, where nearly all rows have more cells filled."""
    filled = sum(not row.is_alone for row in rows)
    if filled < len(rows) * NEARLY_ALL / 2:
        return {}
    in_doubt: dict[ListPlace, _NameDoubt] = {}
    is_below = False
    for row in rows:
        is_below = row.is_alone and (is_below or row.is_below_gap or row.line in doubts)
        if is_below:
            in_doubt[row.line] = _NameDoubt("alone below the table", is_likely=True)
    return in_doubt


def _doubt_days(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """Names with a day behind them, where another row has one, too; alone it may be a family name, such as Sun."""
    in_doubt: dict[ListPlace, _NameDoubt] = {}
    for row in rows:
        words = row.name.split()
        days = (n for n, word in enumerate(words) if n > 1 and fold_name(word) in DAYS)
        own = words[: next(days, len(words))]
        if len(own) < len(words) and fold_name(own[-1]) not in PARTICLES:  # "João de Sá"
            in_doubt[row.line] = _NameDoubt("a day behind the name", name=" ".join(own), is_likely=True)
    return in_doubt if len(in_doubt) > 1 else {}


def _doubt_signature(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """A last row below a gap, where a greeting says that the list stands in a letter."""
    is_letter = any(row.is_alone and says_greeting(row.text) for row in rows)
    if not is_letter or not rows[-1].is_below_gap:
        return {}
    return {rows[-1].line: _NameDoubt("alone at the end of a letter")}


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


def _doubt_rest_of_prose(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """All rows of what is no list of names: half of its rows or more are none."""
    asked = [row for row in rows if row.is_alone and row.line in doubts]
    doubts_alone = filter(None, map(_doubt_row, asked))
    prose = sum(not doubt.is_likely and doubt.why not in (STAND_IN, SEVERAL) for doubt in doubts_alone)
    if prose * 2 < len(rows) or prose < FEWEST_FOR_HABIT:
        return {}
    return {row.line: _NameDoubt("most other rows are no names", is_likely=True) for row in rows}


def _doubt_sections(rows: Sequence[ListRow], doubts: Doubts) -> dict[ListPlace, _NameDoubt]:
    """Rows below a line such as "Waiting list" or "Maybe", or below the closing words of a letter."""
    in_doubt: dict[ListPlace, _NameDoubt] = {}
    above, is_likely, has_players = "", False, False
    for row in rows:
        if row.is_alone and row.line in doubts and not doubts[row.line].is_likely:
            is_likely = not _is_section(row)
            above = row.written if not is_likely or (has_players and _is_other_section(row)) else ""
        elif above:
            in_doubt[row.line] = _NameDoubt(f"stands below {above[:40]!r}", is_likely=is_likely)
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


# Numbers and dots in front of the names of a list.

COUNT = re.compile(
    r"(?:(?:[Nn][ro]?|NO|NR)[.°º] *)?"
    r"[(#\[]?(?:(\d{1,4})(?:(?:st|nd|rd|th)?[.):/\]º°ª、．]* *(?:[-–—] +)?(?<!\d))|"
    r"([ivxIVX]+)[.)]+ *|([a-zA-Z])\) *)(?=\S)"
)
ORDINAL = re.compile(r"\d{1,3}[.)] *[^\W\d]")
BULLET = re.compile(r"(?:[-*•·‣–—▪◦●○■□☐☑✓✔✅→➔➤▶►>]|\[[xX ]?\])(?:[-*•·‣–—▪◦●○■□☐☑✓✔✅→➔➤▶►> ]|\[[xX ]?\])*(?=\S)")
UNTICKED = re.compile(r"[-*• ]*(?:[☐□]|\[ ?\])")
TICKED = re.compile(r"[-*• ]*(?:[☑✓✔✅]|\[[xX]\])")
ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def _count_in_front(name: str) -> int:
    """The number in front of a name, in digits, as a Roman number or as a letter; -1 if there is none."""
    match = COUNT.match(name)
    if not match:
        return -1
    digits, roman, letter = (each or "" for each in match.groups())
    if roman:
        tens = len(roman) - len(roman.lower().lstrip("x"))
        ones = roman.lower()[tens:]
        return 10 * tens + ROMAN.index(ones) if ones in ROMAN else -1
    return int(digits) if digits else ord(letter.lower()) - ord("a") + 1


def _text_behind(mark: re.Pattern[str], text: str) -> str:
    """A text without the mark that it begins with; one that begins otherwise stays, whatever is in it.

    >>> _text_behind(BULLET, "- Jean-Luc"), _text_behind(BULLET, "Jean-Luc")
    ('Jean-Luc', 'Jean-Luc')
    """
    in_front = mark.match(text)
    return text[in_front.end() :] if in_front else text


def is_counted(text: str) -> bool:
    """Whether a number of a list stands in front of a text, or a dot."""
    return bool(COUNT.match(text) or BULLET.match(text))


def is_dashed_name(text: str) -> bool:
    """Whether a dash or a dot stands in front of what may be a name, and not of a remark: "- bring clocks"."""
    return bool(BULLET.match(text)) and not _text_behind(BULLET, text)[:1].islower()


def _behind_dash(text: str) -> str:
    return _text_behind(BULLET, text) if is_dashed_name(text) else text


def drop_counts(names: Sequence[str]) -> tuple[list[str], str]:
    """Names without the numbers or dots of a numbered list, and which of both stood there; unchanged if it is none.

    >>> drop_counts(["1. Ada Lund", "2. Bo Ek"]), drop_counts(["- Ada", "- Bo"])[0], drop_counts(["7 Ada", "Bo Ek"])[1]
    ((['Ada Lund', 'Bo Ek'], 'numbers'), ['Ada', 'Bo'], '')
    >>> [drop_counts(names)[0] for names in (["I. Ada Lund", "II. Bo Ek"], ["a) Ada", "b) Bo"], ["A. Ek", "B. Ho"])]
    [['Ada Lund', 'Bo Ek'], ['Ada', 'Bo'], ['A. Ek', 'B. Ho']]

    More than half of the names have one, and more than half of those go on by one. Part of a longer list has all.

    >>> [drop_counts(row.split("/"))[1] for row in ("1. A/2. B/C", "1. A/2. B/C/D", "- A/- B/C", "- A/B")]
    ['numbers', '', 'dots', '']
    >>> [drop_counts(row.split("/"))[1] for row in ("1. A/2. B/3. C/7. D", "1. A/2. B/7. C", "0. A/1. B", "2. A/3. B")]
    ['numbers', '', 'numbers', '']
    >>> drop_counts(["Hi", "here", "1. A", "2. B", "3. C", "so long", "Jo"])[0][2:4]
    ['A', 'B']
    >>> [drop_counts(row.split("/"))[1] for row in ("2. A/3. B/4. C", "2. A/3. B/4. C/D", "2. A/3. B/4. C/6. D")]
    ['numbers', '', '']
    """
    in_front = [_count_in_front(name) for name in names]
    block = [n for n, count in enumerate(in_front) if count >= 0]
    counts = [in_front[n] for n in block]
    steps = [after - before for before, after in pairwise(counts)]
    is_part = len(counts) == len(names) > 2 and steps.count(1) == len(steps)  # of a longer list
    is_block = len(counts) > 2 and counts[0] <= 1 and steps.count(1) == len(steps) == block[-1] - block[0]
    if is_block:  # between lines of a letter
        return [
            _text_behind(COUNT, name) if n in block else _behind_dash(name) for n, name in enumerate(names)
        ], "numbers"
    if len(counts) * 2 > len(names) and (counts[0] <= 1 or is_part) and steps.count(1) * 2 > len(steps):
        return [_behind_dash(name) if BULLET.match(name) else _text_behind(COUNT, name) for name in names], "numbers"
    dotted = [n for n, name in enumerate(names) if BULLET.match(name)]
    is_block = len(dotted) > 2 and dotted[-1] - dotted[0] == len(dotted) - 1
    if len(dotted) * 2 > len(names) or is_block:
        return [_text_behind(BULLET, name) for name in names], "dots"
    return list(names), ""


def find_number_cells(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row begins with a cell that only numbers it; some may have nothing else.

    >>> find_number_cells([["1.", "Ada Lund"], ["2.", "Bo Ek"], ["3."]]), find_number_cells([["1. Ada Lund", "Owls"]])
    (True, False)
    >>> find_number_cells([["1"], ["2"]])
    False
    """
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    if all(len(row) < 2 for row in cells) or any(_text_behind(COUNT, f"{row[0]} x") != "x" for row in cells):
        return False
    return drop_counts([f"{row[0]} x" for row in cells])[1] == "numbers"
