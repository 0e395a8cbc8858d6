"""The words and signs people write between units and places, in the languages of the tournaments."""

from enum import StrEnum
from typing import TypeVar

from pipeline.board.map import Kind, Power

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


def words(meaning: T, text: str) -> dict[str, T]:
    """Give every word of a text one meaning."""
    return dict.fromkeys(text.split(), meaning)


# folded word -> what it asks for; a tournament's own table of signs is laid over these
SIGNS: dict[str, SignSense] = {
    **words(SignSense.HOLD, "h hold holds holding held stand stands standing stay stays defend defends def halt haelt"),
    **words(SignSense.HOLD, "tient tenir tiens reste halten bleibt remain remains remaining"),
    **words(SignSense.TO, "to into onto m move moves moving goes go going attack attacks attacking"),
    **words(SignSense.TO, "advance advances advancing march marches marching sail sails sailing proceed proceeds"),
    **words(SignSense.TO, "toward towards vers nach zieht geht"),
    **words(
        SignSense.SUPPORT, "s sup supp suppt sprt support supports supporting supported soutien soutient soutenir sout"
    ),
    **words(SignSense.SUPPORT, "unterstutzt u assist assists assisting help helps helping aids appuie"),
    **words(SignSense.CONVOY, "vc convoyed convoye convoyee"),
    **words(
        SignSense.CONVOY, "c conv cvy convoy convoys convoying convoi convoie convoit konvoi konvoyiert transports"
    ),
    **words(SignSense.CONVOY, "transport transporting transporte transportiert carry carries carrying"),
    **words(SignSense.CONVOY, "ferry ferries ferrying"),
    **words(SignSense.BY, "by via per par mit through durch using"),
    **words(SignSense.LAND, "land overland terre landweg"),
    **words(SignSense.RETREAT, "r ret retreat retreats retreating retraite ruckzug"),
    **words(
        SignSense.DISBAND, "d disband disbands disbanded remove removes removed rem off otb destroyed destroy scrap"
    ),
    **words(SignSense.DISBAND, "dissout dissous disperse dispersed dispersee retire aufgelost auflosen nro"),
    **words(SignSense.BUILD, "b build builds built bld new construit construire bau baut nouveau nouvelle neu neue"),
    **words(SignSense.WAIVE, "waive waives waived pass nobuild"),
}
LETTERS: dict[str, Kind] = {
    **words(Kind.ARMY, "a army armies ar armee"),
    **words(Kind.FLEET, "f fleet fleets fl flt flotte"),
}
FILLERS = frozenset(words(True, "the at from la le les der die das unit in on"))
OWN = frozenset(words(True, "own my our notre mein meine unsere eigene"))  # before a unit: not another power's
ARTICLES = frozenset(words(True, "a an one un une ein eine"))  # before "army" and "fleet"; "a" alone is an army
OF = frozenset(words(True, "of de du von"))  # "Army of Vienna"
AND = frozenset(words(True, "and et und"))
OR = frozenset(words(True, "or else otherwise alternatively ou sinon oder sonst"))  # another order for the same unit
# an order that depends on something, or is not given: nobody may follow it
IF = frozenset(
    words(True, "if unless except when provided only maybe perhaps possibly instead but sauf mais wenn falls")
)
NOT = frozenset(words(True, "not dont doesnt never no cannot cant wont without jamais nicht kein keine nie"))
TAKEN_BACK = frozenset(words(True, "cancel cancelled canceled delete deleted ignore void wrong error mistake annule"))
SPOILERS = OR | IF | NOT | TAKEN_BACK  # words that leave an order with two meanings
POLITE = frozenset(words(True, "please pls plz kindly will shall do does did svp bitte"))  # they change no order
NATIONS: dict[str, Power] = {
    **words(Power.AUSTRIA, "austria austrian austrians autriche autrichien autrichienne osterreich aus aut"),
    **words(Power.AUSTRIA, "austriahungary austrohungarian osterreichisch osterreichische ah"),
    **words(Power.ENGLAND, "england english british britain angleterre anglais anglaise eng englisch gb"),
    **words(Power.ENGLAND, "englische brit ang"),
    **words(Power.FRANCE, "france french francais francaise frankreich franzosisch franzosische fre fra"),
    **words(Power.GERMANY, "germany german allemagne allemand allemande deutschland deutsch deutsche"),
    **words(Power.GERMANY, "ger all deu"),
    **words(Power.ITALY, "italy italian italie italien italienne italiens italienisch italienische ita"),
    **words(Power.RUSSIA, "russia russian russie russe russland russisch russische rus"),
    **words(Power.TURKEY, "turkey turkish turquie turc turque turkei turkisch turkische tur"),
}
FROM = frozenset(words(True, "from von depuis"))  # between where a unit goes and where it stands
# coast words, folded; 'n', 's', 'e' alone are coasts only in brackets or where a table says so
COASTS: dict[str, str] = {
    **words("NC", "nc cn northcoast ncoast nthcoast cotenord nordkuste nk north nord"),
    **words("SC", "sc cs southcoast scoast sthcoast cotesud sudkuste sk south sud"),
    **words("EC", "ec ce eastcoast ecoast coteest ostkuste ok east est"),
    **words("NC/SC/EC", "bothcoasts bothcoast eithercoast anycoast allcoasts"),
}
SHORT_COASTS: dict[str, str] = {"n": "NC", "s": "SC", "e": "EC"}
AT_SEA = frozenset(words(True, "sea ship boat mer see water"))  # by sea
NOTHING = frozenset(words(True, "none nothing nil aucun aucune"))  # a build declined in one word
NO = frozenset(words(True, "no kein keine pas"))  # before the word for a build
HALVES = frozenset(words(True, "mid st ste saint n s e w nth north south east west gulf g nor sankt"))  # Mid-Atlantic
EVERYBODY = frozenset(words(True, "all rest others everybody everything alles tout tous"))  # all units hold
GRAMMAR_WORDS = (
    FILLERS | OWN | ARTICLES | OF | AND | OR | IF | NOT | TAKEN_BACK | POLITE | FROM | AT_SEA | NOTHING | NO | EVERYBODY
)
