"""A country or a club that stands behind a name: as a code, as a word of several languages, or as a flag."""

import re
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from pipeline.words.names import fold_name

NAMES = """
Afrique du Sud, Ägypten, Albania, Albanie, Albanien, Alemania, Algeria, Algérie, Algerien, Allemagne, America,
Andorra, Andorre, Angleterre, Anglia, Arabie saoudite, Argentina, Argentine, Argentinien, Armenia, Arménie,
Armenien, Australia, Australie, Australien, Austria, Autriche, Bangladesch, Bangladesh, Belarus, Bélgica, België,
Belgien, Belgio, Belgique, Belgium, Biélorussie, Bolivia, Bolivie, Bolivien, Bosna i Hercegovina, Bosnia, Bosnia &
Herzegovina, Bosnie-Herzégovine, Bosnien und Herzegowina, Brasil, Brasilien, Brazil, Brésil, Britain, Bulgaria,
Bulgarie, Bulgarien, Canada, Česká republika, Česko, Chile, Chili, China, Chine, Chypre, Colombia, Colombie, Corée
du Sud, Costa Rica, Crna Gora, Croatia, Croatie, Cuba, Cyprus, Czech Republic, Czechia, Dänemark, Danmark, Denmark,
Deutschland, Duitsland, Écosse, Ecuador, Eesti, Egypt, Égypte, Éire, Émirats arabes unis, Engeland, England,
Équateur, Espagne, España, Estados Unidos, Estland, Estonia, Estonie, États-Unis, Finland, Finlande, Finnland,
France, Francia, Francja, Frankreich, Frankrijk, Georgia, Géorgie, Georgien, Germania, Germany, Ghana, Great
Britain, Grèce, Greece, Griechenland, Großbritannien, Guatemala, Guernesey, Guernsey, Hiszpania, Holandia, Holland,
Hollande, Hong Kong, Hong Kong SAR China, Hongrie, Hrvatska, Hungary, Iceland, Île de Man, Inde, India, Indien,
Indonesia, Indonésie, Indonesien, Inghilterra, Inglaterra, Iran, Ireland, Irland, Irlande, Island, Islande, Isle of
Man, Israel, Italia, Italie, Italien, Italy, Japan, Japon, Jersey, Jordan, Jordanie, Jordanien, Kanada, Kasachstan,
Katar, Kazakhstan, Kenia, Kenya, Kolumbien, Korea, Kroatien, Kuba, Latvia, Latvija, Lebanon, Lettland, Lettonie,
Liban, Libanon, Liechtenstein, Lietuva, Litauen, Lithuania, Lituanie, Luxembourg, Luxemburg, Macédoine du Nord,
Macedonia, Magyarország, Malaisie, Malaysia, Malta, Malte, Maroc, Marokko, Mexico, Mexiko, Mexique, Moldavie,
Moldova, Monaco, Montenegro, Morocco, Nederland, Nepal, Netherlands, Neuseeland, New Zealand, Niederlande, Niemcy,
Nigeria, Nordmazedonien, Norge, North Macedonia, Northern Ireland, Norvège, Norway, Norwegen, Nouvelle-Zélande,
Österreich, Paesi Bassi, Países Bajos, Pakistan, Paraguay, Pays-Bas, Pérou, Peru, Philippinen, Philippines, Poland,
Polen, Pologne, Polska, Portugal, Qatar, R.A.S. chinoise de Hong Kong, Reino Unido, Republica Moldova, Republik
Moldau, République tchèque, Romania, Roumanie, Royaume-Uni, Rumänien, Russia, Russie, Russland, Saint-Marin, San
Marino, Saudi Arabia, Saudi-Arabien, Schottland, Schweden, Schweiz, Scotland, Serbia, Serbie, Serbien, Shqipëri,
Singapore, Singapour, Singapur, Slovakia, Slovaquie, Slovenia, Slovénie, Slovenija, Slovensko, Slowakei, Slowenien,
Sonderverwaltungsregion Hongkong, South Africa, South Korea, Spain, Spanien, Srbija, Sri Lanka, Südafrika, Südkorea,
Suède, Suisse, Suiza, Suomi, Sverige, Svizzera, Sweden, Switzerland, Szwajcaria, Taiwan, Tchéquie, Thailand,
Thaïlande, Tschechien, Tunesien, Tunisia, Tunisie, Türkei, Turkey, Türkiye, Turquie, Ukraine, Ungarn, United
Arab Emirates, United Kingdom, United States, United States of America, Uruguay, Venezuela, Vereinigte
Arabische Emirate, Vereinigte Staaten, Vereinigtes Königreich, Verenigd Koninkrijk, Viêt Nam, Vietnam, Wales, Wielka
Brytania, Włochy, Zwitserland, Zypern, Ελλάδα, Κύπρος, Беларусь, България, Казахстан, Россия, Северна Македонија,
Україна, Հայաստան, ישראל, ایران, مصر, ไทย, საქართველო, 대한민국, 中国, 台湾, 日本
"""  # in English, German, French and the country's own language, and how people call some of them
CODE_LIST = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB
GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG
KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB
SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UK UM
US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
AFG AGO ALB ALG AND ARE ARG ARM AUS AUT AZE BDI BEL BEN BFA BGD BGR BHR BHS BIH BLR BLZ BOL BRA BRB BRN BTN BUL BWA
CAN CHE CHI CHL CHN CMR COG COL CPV CRC CRI CRO CUB CYP CZE DEN DEU DNK DOM DZA ECU EGY ENG ESP EST ETH FIN FJI FRA
GAB GBR GEO GER GHA GIN GMB GRC GRE GTM GUA GUY HAI HKG HND HRV HTI HUN IDN INA IND IRI IRL IRN IRQ ISL ISR ITA JAM
JOR JPN KAZ KEN KGZ KHM KOR KOS KSA KWT LAO LAT LBN LBR LBY LIB LIE LKA LTU LUX LVA MAC MAR MAS MCO MDA MDG MDV MEX
MGL MKD MLI MLT MMR MNE MNG MON MOZ MRT MUS MWI MYS NAM NED NER NGA NGR NIC NIR NLD NOR NPL NZL OMN PAK PAN PAR PER
PHI PHL PNG POL POR PRI PRT PRY PUR QAT ROU RSA RUS RWA SAU SCO SDN SEN SGP SLE SLO SLV SMR SOM SRB SUI SUR SVK SVN
SWE SYC SYR TGO THA TJK TKM TPE TTO TUN TUR TWN TZA UAE UGA UKR URU URY USA UZB VEN VIE VNM WAL YEM ZAF ZAM ZIM ZMB
ZWE
"""  # ISO 3166, with two letters and three, and those of the Olympic committee
CODES = frozenset(CODE_LIST.split()) - {
    "BA",
    "MA",
    "MD",
    "VI",
    "TD",
    "GM",
    "AM",
    "PM",
}  # titles, offices, times of a day
COUNTRIES = frozenset(map(fold_name, NAMES.replace("\n", " ").split(",")))
ALSO_NAMES = """
america austria britain canada chad cuba england france georgia holland india ireland israel jersey jordan kenya malta
romania scotland wales LI LU MA NG MO SO LE LY HU GU KI NA PA CU DO TO SU YE
"""  # names of countries, folded, and codes that people are called, too
FAMILY_NAMES = frozenset(ALSO_NAMES.split())
LONGEST_COUNTRY = 4  # words
LONGEST_TEXT = 120  # letters of a name and a country
FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
FLAG_TO_LETTER = {0x1F1E6 + n: chr(ord("A") + n) for n in range(26)}
BRACKETS = (("(", ")"), ("[", "]"))
SIGNS = (" - ", " – ", " — ", " / ", " | ", ",")


class PlaceBehind(Struct, frozen=True):
    """A name, and the country or the club behind it."""

    name: str
    place: str
    is_country: bool
    may_be_name: bool  # whether people are called like the place, too


def is_country(text: str) -> bool:
    """Whether a text is a country: a code in capitals, a name that begins with one, or a flag.

    >>> [is_country(text) for text in ("UK", "NOR", "New Zealand", "U.S.A.", "🇳🇴", "no", "norway", "Oslo")]
    [True, True, True, True, True, False, False, False]
    """
    plain = text.translate(FLAG_TO_LETTER).replace(".", "").strip()
    return plain in CODES or (plain[:1].isupper() and fold_name(plain) in COUNTRIES)


def part_place(text: str, clubs: Collection[str] = ()) -> PlaceBehind | None:
    """The country, or one of these clubs (folded), that stands behind a name; None if there is none.

    >>> parts = [part_place(text) for text in ("Emily Clarke UK", "Lund, Ada - NO", "Cy Dee (New Zealand)", "Bo Ek 🇸🇪")]
    >>> [(each.name, each.place) for each in parts if each]
    [('Emily Clarke', 'UK'), ('Lund, Ada', 'NO'), ('Cy Dee', 'New Zealand'), ('Bo Ek', 'SE')]
    >>> [part_place(text) for text in ("Ada de GB", "Michael Jordan", "Ada Lund MD", "Emily Clarke Uk", "Bo - NO")]
    [None, None, None, None, None]
    """
    if len(text) > LONGEST_TEXT:
        return None
    if flag := FLAG.match(text):
        text = f"{text[flag.end() :].strip()} {flag.group()}"
    text = " ".join(FLAG.sub(lambda flag: f" {flag.group().translate(FLAG_TO_LETTER)}", text).split())
    for opening, closing in BRACKETS:
        name, _, behind = text[:-1].rpartition(opening)
        if text.endswith(closing) and (placed := _place_of(name, behind, clubs)):
            return placed
    for sign in SIGNS:
        name, _, behind = text.rpartition(sign)
        if placed := _place_of(name, behind, clubs):
            return placed
    words = text.split()
    for size in range(LONGEST_COUNTRY, 0, -1):
        before, behind = words[:-size], " ".join(words[-size:])
        if len(before) < 2 or before[-1].islower():
            continue
        if placed := _place_of(" ".join(before), behind, clubs):
            is_capitals = behind in CODES and placed.name.isupper()
            return replace(placed, may_be_name=is_capitals or not {behind, fold_name(behind)}.isdisjoint(FAMILY_NAMES))
    return None


def _place_of(name: str, behind: str, clubs: Collection[str]) -> PlaceBehind | None:
    name, behind = name.strip(), behind.strip()
    is_land = is_country(behind)
    is_name = " " in name and name[0].isalpha() and name[-1] not in "/&+,;-"
    return PlaceBehind(name, behind, is_land, False) if is_name and (is_land or fold_name(behind) in clubs) else None
