"""The words and signs that people write between units and places, in the languages of the tournaments."""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from pipeline.board import Kind, Power, Season, Step


@lru_cache(maxsize=65536)
def fold_word(text: str) -> str:
    """Take case, accents and everything that is not a letter, a digit or an illegible '?' out of a word.

    >>> fold_word("Suè"), fold_word("St. Petersburg"), fold_word("P??")
    ('sue', 'stpetersburg', 'p??')
    """
    if text.isascii() and text.isalnum():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("…", "??")).lower().replace("_", "?")
    return "".join(letter for letter in plain if letter.isalnum() or letter == "?")


LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXaeopcyxiABEZHIKMNOPTYXo"
)  # Cyrillic, Greek


def write_in_latin(word: str) -> str:
    """Write the letters of other alphabets that look like Latin ones beside Latin ones as these; so the "A" of an army.

    >>> write_in_latin("Vi\N{CYRILLIC SMALL LETTER IE}"), write_in_latin("\N{CYRILLIC CAPITAL LETTER A}")
    ('Vie', 'A')
    """
    if word.isascii():
        return word
    plain = word.translate(LOOK_ALIKE)
    return plain if plain == "A" or (plain.isascii() and any(map(str.isascii, word))) else word


T = TypeVar("T")


class SignSense(StrEnum):
    """What a word that is not a place asks for."""

    HOLD = "hold"
    TO = "to"
    SUPPORT = "support"
    CONVOY = "convoy"
    BY = "by"  # via convoy, via Nth, by land
    LAND = "land"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


def _give_meaning(meaning: T, text: str) -> dict[str, T]:
    """Give every word of a text one meaning."""
    return dict.fromkeys(text.split(), meaning)


def _word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# folded word -> what it asks for; a tournament's own table of signs is laid over these
SIGNS: dict[str, SignSense] = {
    **_give_meaning(
        SignSense.HOLD, "h hold holds holding held stand stands standing stay stays defend defends def halt haelt"
    ),
    **_give_meaning(SignSense.HOLD, "rests sleeps sits tient tenir tiens reste halten bleibt remain remains remaining"),
    **_give_meaning(SignSense.TO, "to into onto m move moves moving goes go going attack attacks attacking"),
    **_give_meaning(
        SignSense.TO,
        "advance advances advancing march marches marching sail sails sailing proceed proceeds marschiert fahrt",
    ),
    **_give_meaning(SignSense.TO, "dash hyphen arrow"),  # said to a machine that writes
    **_give_meaning(
        SignSense.TO,
        "toward towards vers nach zieht geht head heads heading travel travels enter enters take takes",
    ),
    **_give_meaning(SignSense.TO, "invade invades relocate relocates transfer transfers naar mv att atk goto"),
    **_give_meaning(
        SignSense.SUPPORT,
        "s sup supp suppt sprt spt sout support supports supporting supported soutien soutient",
    ),
    **_give_meaning(SignSense.SUPPORT, "soutenir unterstutzt assist assists assisting help helps helping aids appuie"),
    **_give_meaning(SignSense.SUPPORT, "hilft apoya appoggia steunt ondersteunt støtter stottar stoder understodjer"),
    **_give_meaning(SignSense.CONVOY, "vc convoyed convoye convoyee"),
    **_give_meaning(
        SignSense.CONVOY, "c conv cvy convoy convoys convoying convoi convoie convoit konvoi konvoyiert transports"
    ),
    **_give_meaning(
        SignSense.CONVOY, "transport transporting transporte transportiert geleitet carry carries carrying"
    ),
    **_give_meaning(SignSense.CONVOY, "ferry ferries ferrying ships brings cv"),
    **_give_meaning(SignSense.BY, "by via per par mit through durch using"),
    **_give_meaning(SignSense.LAND, "land overland terre landweg walk walks walking"),
    **_give_meaning(SignSense.RETREAT, "r ret retr rtr retreat retreats retreating retraite ruckzug"),
    **_give_meaning(SignSense.RETREAT, "recule weicht ritira ritirata retira retrocede retratt"),
    **_give_meaning(
        SignSense.DISBAND,
        "d disb disband disbands disbanded remove removes removed rem off otb destroyed destroy scrap",
    ),
    **_give_meaning(SignSense.DISBAND, "disbanding removing removal removals"),
    **_give_meaning(
        SignSense.DISBAND, "kill kills minus dissout dissous disperse dispersed dispersee retire aufgelost auflosen nro"
    ),
    **_give_meaning(SignSense.DISBAND, "entferne entfernen entfernt abbauen abgebaut supprime supprimer enlever"),
    **_give_meaning(
        SignSense.DISBAND, "dissoute detruit detruite sciolto sciolta disuelto disuelta upplost opgeheven dies"
    ),
    **_give_meaning(
        SignSense.BUILD,
        "b build builds built bld raise new construit construire bau baut nouveau nouvelle neu neue baue bauen recruit",
    ),
    **_give_meaning(SignSense.BUILD, "building aufbau costruire costruisce construye construyo bygg bygger bouwt"),
    **_give_meaning(SignSense.WAIVE, "waive waives waived pass nobuild"),
}
LONG_SIGNS: dict[str, SignSense] = {  # of several words
    **dict.fromkeys(("in to", "on to", "heads for", "heading for", "makes for"), SignSense.TO),
    **dict.fromkeys(("in support of", "lends support to", "lends its support to"), SignSense.SUPPORT),
    **dict.fromkeys(("gives support to", "gives its support to"), SignSense.SUPPORT),
    **dict.fromkeys(
        ("stands fast", "stand fast", "stands firm", "sits tight", "holds fast", "holds position"), SignSense.HOLD
    ),
    **dict.fromkeys(("stays put", "stay put", "stays home", "stay home", "does nothing"), SignSense.HOLD),
    **dict.fromkeys(("does not move", "doesnt move", "bleibt da", "ne bouge pas"), SignSense.HOLD),
    **dict.fromkeys(("falls back", "falls back to", "flees to", "withdraws to"), SignSense.RETREAT),
    **dict.fromkeys(("retires to", "runs to", "se retire", "se replie", "se replie en"), SignSense.RETREAT),
    **dict.fromkeys(("se retira", "se retira a", "si ritira a", "ritirata a", "retraite en"), SignSense.RETREAT),
    **dict.fromkeys(("bat en retraite", "bat en retraite sur", "zieht sich zuruck"), SignSense.RETREAT),
    **dict.fromkeys(("off the board", "off board", "take off", "se disperse"), SignSense.DISBAND),
}
CONVOYED = frozenset({"vc", "convoyed", "convoye", "convoyee"})  # said of the army, not of the fleet
PASSIVE = (CONVOYED - {"vc"}) | {"supported"}  # what another unit does for this one
WITH = frozenset({"with", "mit", "using", "durch"})  # says how an army travels only before a word for that
LETTERS: dict[str, Kind] = {
    **_give_meaning(Kind.ARMY, "a army armies ar armee armeen armees armata armate"),
    **_give_meaning(Kind.FLEET, "f fleet fleets fl flt flotte flotten flottes"),
}
FILLERS = _word_set("the at from la le les der die das unit in on")
OWN = _word_set("own my our notre mein meine unsere eigene")  # before a unit: not another power's
ARTICLES = _word_set("a an one un une ein eine")  # before "army" and "fleet"; "a" alone is an army
OF = _word_set("of de du von")  # "Army of Vienna"
AND = _word_set("and et und")
OR = _word_set("or else otherwise alternatively ou sinon oder sonst")  # another order for the same unit
CHOICE = OR - _word_set("or ou oder")  # behind what is wanted first
# an order that depends on something, or is not given: nobody may follow it
IF = _word_set("if unless except when provided only maybe perhaps possibly but sauf mais aber wenn falls")
BUT = _word_set("but mais aber")  # of these, a word that may stand before another unit's order
IF_ALONE = _word_set(
    "si se om als ha jos caso indien tenzij sofern ne ei un"
)  # the same, where a line has no other word
UNSURE = (  # an order that may not be meant for now
    _word_set(
        "probably hopefully until whether whichever either option alternative backup tbd tentative draft plan variant"
    )
    | _word_set("variante varianta tbc")
    | _word_set(
        "pending possible eventuell vielleicht evtl vllt peutetre forse magari quizas talvez misschien kanske maske"
    )
)
LATER = _word_set(
    "formerly previous previously next later tomorrow instead nachstes nachste nachsten prochain prochaine"
    " proximo proxima siguiente prossimo prossima volgend volgende"
)  # said of another order than this one

NOT = _word_set(
    "not dont doesnt didnt never no non cannot cant wont without aint jamais nicht kein keine nie mai niet inte ikke"
    " nej nunca"
)
TAKEN_BACK = (
    _word_set("cancel cancels cancelled canceled delete deleted erase erased ignore ignored void wrong error")
    | _word_set("mistake undo undone scratch scratched forget struck withdraw withdrawn withdraws nope false")
    | _word_set("decline declined declines annule gestrichen nvm revoke revoked rescind rescinded null nullified")
    | _word_set("invalid strike stricken skip abort aborted omit omitted disregard disregarded discard discarded")
    | _word_set("nonsense rubbish garbage trash junk obsolete outdated expired superseded retracted rejected nay nah")
    | _word_set("falsch quatsch unsinn faux nul nulo falso sbagliato fout feil")
    | _word_set("dropped replace replaced reversed crossed rubbed oops storniert ungultig raye barre nein streichen")
)
CORRECTS = TAKEN_BACK | _word_set(  # the line above
    "no not non nein sorry changed change mean meant correction rather actually joke edit edited ps nb"
)
EXCHANGES = _word_set(
    "exchange exchanged swap swapped switch switched vertauscht getauscht echange echanges"
)  # of two units that a line names

UNSETTLES = (
    UNSURE
    | EXCHANGES
    | _word_set(  # all other lines, where they stand on a line that is no order
        "changed change changes mind kidding joking jk subject overleaf real ask wait last old undecided provisional"
        " fake faked bluff versa way lies umgekehrt inverse inversement scrapped alte vieux vecchi anciens"
        " joke example unsure freeze spater"
        " sheet test specimen muster entwurf vorschlag beispiel kopie brouillon fehler nmr otherwise peut reverse"
    )
)
ROWS = _word_set(  # of a sheet, as a remark calls them
    "first second third fourth last former latter both all none these those line lines row rows zeile zeilen ligne"
    " one top middle bottom upper lower lignes erste zweite letzte beide beides alle tous toutes order orders"
)
DENIES = _word_set("not nicht pas")  # before a goal that is not meant
INSTEAD_OF = frozenset({"insteadof", "ratherthan"})  # two words before such a goal
DENYING = (
    TAKEN_BACK | NOT | DENIES | _word_set("pas kein keinen keinesfalls ohne sans senza instead rather")
)  # before a place that is not meant

AMBIGUOUS = OR | IF | UNSURE | TAKEN_BACK  # words that leave an order with two meanings
SPOILERS = AMBIGUOUS | LATER | NOT  # and words of which nobody knows what they change
POLITE = _word_set(
    "please pls plz kindly let send will shall do does svp bitte thanks thx cheers final definitely ok okay confirmed"
    " yes danke merci"
)  # they change no order

NATIONS: dict[str, Power] = {
    **_give_meaning(Power.AUSTRIA, "austria austrian austrians autriche autrichien autrichienne osterreich aus aut"),
    **_give_meaning(Power.AUSTRIA, "austriahungary austrohungarian osterreichisch osterreichische ah"),
    **_give_meaning(Power.ENGLAND, "england english british britain angleterre anglais anglaise eng englisch gb"),
    **_give_meaning(Power.ENGLAND, "englische brit ang"),
    **_give_meaning(Power.FRANCE, "france french francais francaise frankreich franzosisch franzosische fre fra"),
    **_give_meaning(Power.GERMANY, "germany german allemagne allemand allemande deutschland deutsch deutsche"),
    **_give_meaning(Power.GERMANY, "ger deu"),
    **_give_meaning(Power.ITALY, "italy italian italie italien italienne italiens italienisch italienische ita"),
    **_give_meaning(Power.RUSSIA, "russia russian russie russe russland russisch russische rus"),
    **_give_meaning(Power.TURKEY, "turkey turkish turquie turc turque turkei turkisch turkische tur"),
}
ENGLISH = _word_set("english british englisch englische anglais anglaise")  # no sea before "army" or "fleet"
TOWARDS = _word_set("to into onto toward towards vers nach")  # signs of a move that are no verbs
DISLODGED = "dislodged"  # said of a unit that must retreat
FROM = _word_set("from von depuis")  # between where a unit goes and where it stands
# coast words, folded; 'n', 's', 'e' alone are coasts only in brackets or where a table says so
COASTS: dict[str, str] = {
    **_give_meaning("NC", "nc cn northcoast ncoast nthcoast cotenord nordkuste nk north nord northern"),
    **_give_meaning("SC", "sc cs southcoast scoast sthcoast cotesud sudkuste sk south sud southern"),
    **_give_meaning("EC", "ec ce eastcoast ecoast coteest ostkuste east est"),
    **_give_meaning("NC", "northerncoast costanord costanorte noordkust"),
    **_give_meaning("SC", "southerncoast costasud costasur zuidkust"),
    **_give_meaning("EC", "easterncoast costaest costaeste oostkust"),
    **_give_meaning("NC/SC/EC", "bothcoasts bothcoast eithercoast anycoast allcoasts"),
}
SHORT_COASTS: dict[str, str] = {"n": "NC", "s": "SC", "e": "EC"}
PRONOUNS = _word_set(  # a unit that another line names
    "it this that him them same above me us mine dies dieses ihn ihm cela ceci celui questo quello esto eso dit dat hem"
)
DIRECTIONS = _word_set(  # where a unit goes from where it stands, without a place's name
    "north south east west nord sud ost est ouest southwards eastwards westwards northwards northwest"
    " northeast southwest southeast up down left right forward forwards ahead across backward backwards outward inward"
    " nearest closest furthest farthest inland seawards oben unten links rechts vorwarts ruckwarts vor hinaus gauche"
    " droite avant haut bas"
)
COMPASS = _word_set("ne nw se")  # points of the compass, as near to a name as they may be
REPEATS = _word_set(  # the order of an earlier season
    "repeat repeats repeated again unchanged wiederholt wiederholen nochmal nochmals wieder repete repetition encore"
)
ALIKE = PRONOUNS | _word_set(  # an order that another line names
    "too also likewise similarly identical together follow follows join joins auch ebenso gleich gleiches gleichfalls"
    " desgleichen dasselbe dieselbe selbe oben zusammen folgt aussi pareil pareille meme ensemble suit igual mismo"
    " stesso uguale detto samma samme hetzelfde dabei dazu"
)
OF_SEVERAL = _word_set(  # units that another line names, and their order
    "they them these those etc all both each everyone pair lot beide beiden alle tous toutes deux"
)
AT_SEA = _word_set("sea ship boat mer see water")  # by sea
NOTHING = _word_set("none nothing nil aucun aucune")  # a build declined in one word
OF_A_WAIVER = (  # words beside "waive" that change nothing
    FILLERS
    | OWN
    | ARTICLES
    | OF
    | POLITE
    | NOTHING
    | _word_set("no two both all any rest remaining more this other others else further extra additional")
    | _word_set("another first second third fourth last 1st 2nd 3rd 4th is are units year turn season winter")
)
ALL_OF_THEM = NOTHING | _word_set("both all any rest remaining more other others else further builds")
THE_OTHERS = _word_set("rest remaining more other others else further another second third fourth")
WHICH_OF_THEM = THE_OTHERS | _word_set("one two first both all 1st 2nd 3rd 4th")  # of some builds
NO = _word_set("no kein keine pas")  # before the word for a build
HALVES = _word_set("mid st ste saint n s e w nth north south east west gulf g nor sankt")  # Mid-Atlantic
REST = _word_set("rest other others remaining ubrige autres reste")  # the units that no line orders
EVERYBODY = REST | _word_set("all everybody everything alles tout tous")  # all units hold
THE_REST = REST | _word_set(
    "anderen andere ubrigen restlichen nichtgenannten unordered unlisted unmentioned altri altre otros otras resto"
    " overige ovriga"
)
HELD_STILL = _word_set(
    "stehen bleiben tiennent restent fermi ferme quietos quietas blijven blijft stannar"
)  # of several units; of one they are in no table
BESIDE_THE_REST = (  # what else is said where the rest of the units holds
    EVERYBODY
    | FILLERS
    | OWN
    | ARTICLES
    | OF
    | (POLITE - {"yes", "ok", "okay", "confirmed"})
    | _word_set("everyone every each alle toutes which that just still put position positions place where they are to")
    | _word_set("unit units army armies fleet fleets piece pieces einheit einheiten armeen flotten unite unites")
    | _word_set("gli los las el il anything unita unidades eenheden enheter")
)
UNNAMED = re.compile(  # "not mentioned", "without an order": the same as "other"
    r"(not|nicht|non|without|ohne|sans)( an?| any| otherwise| explicitly)*"
    r" (orders?|ordered|mentioned|listed|named|given|specified|genannten?|befehle?|ordres?)( above| below| here)?\b"
)
EVERYTHING_ELSE = re.compile(r"\b(everything|every|everyone|everybody|all|anything|alles) else\b")
UNMOVED = re.compile(  # "do not move", "nobody else moves": the same as "hold" and as "others hold"
    r"((do|does|will) )?(not|dont|doesnt|wont) moves?\b|\bne bougent pas\b|\bbewegen sich nicht\b"
)
NOBODY_ELSE = re.compile(r"^((nobody|nothing|no ?one|no unit) else|no others?( units?)?) moves?$")
EVERYONE = (EVERYBODY - REST) | _word_set(
    "everyone nobody every each unit units we both beide personne niemand keiner alle tutti tutte todos todas"
)  # may be told something

LOOKS_UP = ALIKE | EVERYBODY | _word_set("these those both orders")  # the lines above a remark
OTHER_ROWS = (EVERYBODY - {"reste"}) | _word_set(  # other lines of a sheet, in a remark behind an order
    "these those none above below following follow follows orders order lines line rows row lignes zeilen toutes tous"
    " sheet both beide beides builds removals disbands alle oben unten folgende folgenden dessus dessous suivant"
)
SIGNED = _word_set("signed signature gez gezeichnet unterschrift signe firmato undertecknat sgd")
STEP_WORDS: dict[Step, frozenset[str]] = {  # a heading that says only what the present step is
    Step.MOVEMENT: _word_set("move moves movement movements"),
    Step.RETREATS: _word_set("retreat retreats"),
    Step.ADJUSTMENTS: _word_set("adjustment adjustments"),
}
SEASON_WORDS: dict[Season, frozenset[str]] = {
    Season.SPRING: _word_set("spring printemps fruhjahr fruhling primavera lente voorjaar var forar wiosna jaro"),
    Season.FALL: _word_set("fall autumn automne herbst autunno otono outono herfst host efterar aut jesien podzim"),
    Season.WINTER: _word_set("winter hiver inverno invierno vinter"),
}
WEEKDAYS = _word_set(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag"
    " dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi"
    " dimanche"
)
MONTHS = _word_set(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug"
    " sep sept oct nov dec januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet"
    " aout septembre octobre novembre decembre"
)
YEARS = frozenset(map(str, range(1900, 1930)))
YEARS_CUT = frozenset(year[-2:] for year in YEARS)  # behind a season: "Herbst 01"
OF_A_HEADING = _word_set("phase season turn year orders order of for the my")  # beside the words for a step or a season
HEADINGS = frozenset(map(str, (*range(1, 32), *range(1900, 1930)))) | _word_set(  # above any orders
    "orders order moves movement movements spring summer fall autumn winter season year turn phase game board round"
    " team player power country name date my the of for and this now final ordres printemps automne befehle herbst"
    " hello hi dear hallo bonjour ciao greetings here are unit units armies fleets einheit einheiten unite unites"
    " meine mes zuge jahr zugbefehle ordini ordenes bevelen ordrer"
)
COLUMNS = _word_set(
    "unit units type from order orders action to destination target support helps of via no nr"
)  # a table
FAREWELL = (
    HEADINGS
    | POLITE
    | _word_set(  # below orders
        "good luck have fun vote votes draw i page p end total see you best wishes regards everybody all in thank"
        " everyone kind warm sincerely yours bye gg hope it works thats that done units press merci danke gracias"
        " grazie tack takk viel gluck erfolg bonne chance suerte cordialement gruss grusse lg vg mfg"
        " complete finished fertig ende fin summe seite einheiten unites centres centers zentren sc"
    )
)
HEARTY = _word_set(  # said to another power, or of it
    "thank thanks love peace trust friend friends friendship ally allies alliance liar luck hello hi dear forgive"
    " feelings traitor hate rules waves nice kind played game danke merci grazie gracias freund ami amigo frieden paix"
)
BESIDE_HEARTY = _word_set(  # what else is said of no order
    "a i me my our you your he is are am be was were the to with for from of and so very such best true great good big"
    " old ich mich du ein eine der die das ist bist und mit von mon ma le la un une est es et avec pour"
)
HAILS = _word_set("vive viva hoch hurra hurrah hurray hooray hail evviva forza leve zyje allez")  # a power, in one line
HAILED = HAILS | _word_set(
    "long live lives god save la le les the es lebe lang our my old dear king queen tsar kaiser sultan lempereur roi"
    " bleus azzurri"
)
COUNTED = _word_set(  # beside the number of units
    "orders units total sum centers centres sc scs summe insgesamt befehle einheiten zentren gesamt ordres unites somme"
)
GREETS = _word_set(  # a line of greetings holds one of these, and is for no unit
    "luck thanks thank thx regards wishes cheers danke dank merci grusse grussen gruss cordialement gluck chance bye"
    " salut servus adios ciao tschuss sincerely journee bientot amities congratulations grazie gracias obrigado"
    " obrigada tack takk tak truly saludo saludos saluti abrazo abraco groetjes groeten hilsen mvh amicalement"
)
BESIDE_GREETINGS = (
    FAREWELL
    | GREETS
    | _word_set(
        "vielen viele liebe mit freundlichen schone beaucoup davance bien a et und much many mille dank je u wel un"
        " mate besten"
    )
)
PLAIN_LINES = _word_set(  # whole lines that change no order, without their blanks
    "nounitorder nounitorders nreinheitbefehl thatsall thatsallfolks daswars dasistalles cesttout haveaniceday bisbald"
    " seeyounextturn seeyounextyear thatisall thisisall allcorrect checked"
    " asdiscussed asagreed asplanned aspromised wiebesprochen wieabgesprochen wievereinbart commeconvenu commeprevu"
    " sentfrommyiphone sentfrommyipad sentfrommyphone sentfrommymobile sentfrommyandroid vonmeinemiphonegesendet"
    " vonmeinemhandygesendet gesendetvonmeinemhandy envoyedemoniphone envoyedemonmobile envoyedemontelephone"
    " bonappetit gutenappetit ilovethisgame ichliebediesesspiel jaimecejeu"
    " sorryformyhandwriting sorryforthehandwriting excusemyhandwriting"
)
NO_MORE = _word_set(  # such lines below moves and retreats; in winter they decline what is left
    "nothingelse nomoreretreats nootherretreats nofurtherretreats"
    " nootherorders nofurtherorders nomoreorders nomoreunits keineweiterenbefehle pasdautresordres"
    " sonstnichts nichtsweiter riendautre nientaltro nadamas"
)
PUTTING_ON = _word_set("build builds aufbau aufbauten construction constructions")  # units, in winter
TAKING_OFF = _word_set("disband disbands removal removals remove")
GOING_BACK = _word_set("retreat retreats ruckzug ruckzuge retraite retraites")
OTHER_STEPS: dict[Step, frozenset[str]] = {  # of which a sheet may say that there is nothing to do
    Step.MOVEMENT: PUTTING_ON | TAKING_OFF | GOING_BACK | _word_set("adjustments"),
    Step.RETREATS: PUTTING_ON,
    Step.ADJUSTMENTS: GOING_BACK,
}
BESIDE_NOTHING = _word_set("no none nil kein keine pas de aucun aucune needed necessary due notig 0 na nothing to")
GRAMMAR_WORDS = FILLERS | OWN | ARTICLES | OF | AND | SPOILERS | POLITE | FROM | AT_SEA | NOTHING | NO | EVERYBODY
EVERYDAY_WORDS = GRAMMAR_WORDS | (  # as near to a name as they may be, they are no slips for it
    _word_set(
        "more less one two three four five six seven eight nine ten first last next units you your she he his her"
    )
    | _word_set("their its how who what when where can could did say says said use used come comes get got make made")
    | _word_set("take takes too also most least each every yes here there then back long home kill win wins bye big")
    | _word_set("red top left les des ces ses vos nos ici que qui sud est tout toute pour dans sur sous deux trois")
    | _word_set("any anyone anybody anything someone somebody something moon wife husband")
    | _word_set("stop stops block blocks guard cover blot blotted smudge smudged unreadable illegible unclear")
    | _word_set("dem den dein sein oder ist sind wir ich uns zur zum vier zwei drei ein auf aus quatre")
    # one letter away from a word for a province, or the beginning of one: "end" (Eng), "fine" (Fin), "tries" (Trieste)
    | _word_set(
        "add age aim art ask bank bell belt bit blank breast cast code coin cry dad damn day"
        " deny died dig dot due easy edge edit egg end even eye fan farm fast find fine fit fix fly girl gold"
        " grace grew grey grow gaps harm heel hey hip hog hole holy hop ice ill ink inn job kit lab lack lay"
        " leg like list loan log low mark marks mean meat mend mere metal mind mix mock mode moral moss"
        " nest net nets odd oil pad pain pair pairs park part parts past pick pike pile play poor pop pressed"
        " rank rid role room row sales sit slag snap soil spin stain step sum sure swim tank tech test thus"
        " tied tire toe tons tops tries trip true typo unique user vary vast vent vice view wall walls ward"
        " ware waves wear web went wet wit norse"
    )
    | _word_set(
        "aber ach als amt bin blau blick breit bund dank dann denk denn dran echt egal ehe erst euch fest"
        " fuhr fur gestern halb hin hof holz ihn lied manchen menschen mond mord mund niederlage paar raum"
        " rote schweren sehr sitz stil tod vom wahl wahr wald wege weit weiteren welt wem wert witz wunschen"
        " ziel zwar"
    )
    | _word_set(
        "afin bout bref cet ciel cour gare lait lien loi loin marche moi mois mots musique partis peu pieds"
        " pire pris robe roi soi toi triste trou venu vide vis vite vive voie vue"
    )
)
