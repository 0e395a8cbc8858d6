"""What the words of a list of players say, in the languages of those who send them.

A cell may say that somebody comes or does not, that there is no club, or that a name is to follow; a line may head
those who do not play. All words are folded as names are (`fold_name`).
"""

import re

from pipeline.board import Power
from pipeline.draw.roster import IS_STATE, NO, YES
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
TICKS = "✓✔☑✅"  # in a column that says who comes
AMOUNT = re.compile(r"(?i)[(:,]? *[£$€]? ?\d+([.,]\d\d?)? ?(€|£|\$|eur|euros?|chf|fr|kr|zł|usd|gbp)?\.?[)]?$")  # paid
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
)  # states of somebody who may play or not
POWERS = frozenset(power.lower() for power in Power)
DAYS = frozenset(
    _split_words("""
    fri sat sun friday saturday sunday fr sa so freitag samstag sonntag ven sam dim vendredi samedi dimanche
    vie sab dom viernes sabado domingo venerdi sabato domenica
    """)
)  # behind a name: the days on which somebody comes
SELF = frozenset({"me", "i", "myself", "ich", "moi", "yo", "io", "ik", "jag", "ja"})  # how the sender names himself
SENTENCE_WORDS, SENTENCE_LETTERS = 7, 60  # more than names have
LONGEST_TEXT = 300  # letters: what is longer is looked at no further


def says_not_playing(heading: str, cell: str) -> str:
    """A cell that says that a player does not come, or may not.

    >>> cells = ("Status", "Withdrawn 3 May"), ("Coming?", "no"), ("Paid", "no")
    >>> tuple(says_not_playing(heading, cell) for heading, cell in cells)
    ('Withdrawn 3 May', 'no', '')
    >>> [bool(says_not_playing("Remark", "withdrawn" + " x" * words)) for words in (5, 6)]
    [True, False]
    """
    folded, head = fold_name(cell), fold_name(heading)
    is_said = (
        (len(folded.split()) < SENTENCE_WORDS and NOT_PLAYING.search(folded))
        or (IS_STATE.search(head) and not {folded, folded.split(" ")[0]}.isdisjoint(UNSURE | NO - {""}))
        or folded in OFFICES
        or (NOT_PLAYING.search(head) and folded not in NO)
    )
    return cell[:40] if cell and is_said else ""


def says_state(text: str) -> bool:
    """Whether a text says that somebody comes, may come, does not or is of the staff, or that a name is to follow."""
    folded = fold_name(_without_amount(text))
    return bool(NOT_PLAYING.search(folded)) or folded in COMES | UNSURE | STAND_INS | NO_NAMES | YES | NO | OFFICES


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
