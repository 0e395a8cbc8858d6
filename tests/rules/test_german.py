"""The German table: umlauts in every spelling, what is ambiguous, what is printed, and lines as players write them."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from rules.test_lint import led_astray

from pipeline.board import Kind, Phase, Position, Power, Unit, standard_map, starting_position
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Line, Status
from pipeline.orders import write
from pipeline.rules.abbreviations import Abbreviations, fold, list_slips
from pipeline.rules.load import load_abbreviations, load_tournament
from pipeline.rules.rules_check import lint
from pipeline.rules.tournament import Tournament

BOARD = standard_map()


def table(name: str) -> Abbreviations:
    return load_abbreviations(name, Path(), [])


@pytest.fixture(scope="module")
def german() -> Abbreviations:
    return table("german")


@pytest.fixture(scope="module")
def rules(german: Abbreviations) -> Tournament:
    return replace(load_tournament("wdc2008"), abbreviations=german)


UMLAUTS = {
    "MUN": ("München", "Muenchen", "Munchen", "Mün", "Muen", "MÜN", "Mun"),
    "BOH": ("Böhmen", "Boehmen", "Bohmen", "Böh", "Boeh"),
    "DEN": ("Dänemark", "Daenemark", "Danemark", "Dän", "Daen"),
    "AEG": ("Ägäis", "Aegaeis", "Agais", "Ägä", "Aeg"),
    "EAS": ("Östliches Mittelmeer", "Oestliches Mittelmeer", "ÖMi", "OeMi", "OMi"),
    "ENG": ("Ärmelkanal", "Aermelkanal", "Kanal"),
    "PRU": ("Preußen", "Preussen", "Pre"),
    "RUM": ("Rumänien", "Rumaenien"),
    "HEL": ("Helgoländer Bucht", "Helgolaender Bucht"),
}


@pytest.mark.parametrize("code", UMLAUTS)
def test_an_umlaut_may_be_written_with_dots_with_two_letters_or_without(german: Abbreviations, code: str) -> None:
    assert {word: german.places_listed(word) for word in UMLAUTS[code]} == dict.fromkeys(UMLAUTS[code], (code,))


def test_what_may_mean_several_provinces_is_never_guessed(german: Abbreviations) -> None:
    assert german.places_listed("Nor") == ("NAF", "NAO", "NTH", "NWG", "NWY")
    assert german.places_listed("Öst") == german.places_listed("Ost") == ("BAL", "EAS")
    assert german.places_listed("Tyr") == ("TYR", "TYS")
    assert german.places_listed("Liv") == ("LVN", "LVP")
    listed_twice = {word for word, places in german.words.items() if len(places) > 1}
    assert listed_twice == set(german.ambiguous), "no row lists a word of another"


@pytest.mark.parametrize("name", ["german", "french"])
def test_what_is_printed_is_short_means_one_province_and_is_read_back(name: str) -> None:
    printed = replace(table(name), prints_own=True)
    places = printed.places_in_print()
    assert places.keys() >= {*BOARD.provinces, *printed.coasts}
    assert len(set(places.values())) == len(places)
    assert {place: printed.places_listed(word) for place, word in places.items()} == {
        place: (place,) for place in places
    }
    assert max(len(word.split("/")[0]) for word in places.values()) == 3


def test_the_codes_of_the_map_are_printed_where_nobody_chose_the_language(german: Abbreviations) -> None:
    assert [german.plain_word(place) for place in ("MUN", "VIE", "SPA/SC")] == ["MUN", "VIE", "SPA/SC"]


def test_the_table_has_nothing_odd(rules: Tournament) -> None:
    assert [note.word for note in lint(rules) if not note.accepted] == []


@pytest.mark.slow
def test_one_wrong_letter_is_never_followed_to_another_province(rules: Tournament) -> None:
    wrong = led_astray(rules)
    assert {word for _, word in wrong} == {"ermenien", "wostlichesmittelmeer"}
    for code, word in wrong:
        assert code in {near.code for near in list_slips(rules.abbreviations.words, word)}, "one slip away: it is asked"


def test_a_slip_that_is_nearer_to_another_province_is_asked(rules: Tournament) -> None:
    (entry,) = interpret([Line(1, "A Sew - Ermenien")], Power.TURKEY, MIDDLE, rules).entries
    assert entry.status is Status.ASK


MIDDLE = Position(
    phase=Phase.read("S1902M"),
    units={
        Power.GERMANY: (Unit(Kind.ARMY, "MUN"), Unit(Kind.ARMY, "BER"), Unit(Kind.FLEET, "NTH")),
        Power.RUSSIA: (Unit(Kind.FLEET, "STP/SC"),),
        Power.TURKEY: (Unit(Kind.ARMY, "SEV"),),
        Power.ENGLAND: (Unit(Kind.ARMY, "YOR"), Unit(Kind.ARMY, "BUR")),
    },
    centres={},
)
LINES = {
    "A München - Ruhr": "A MUN - RUH",
    "A Mün – Ruhrgebiet": "A MUN - RUH",
    "Armee Muenchen zieht nach Boehmen": "A MUN - BOH",
    "A Mün unterstützt A Berlin - Schlesien": "A MUN S A BER - SIL",
    "A Berlin unterstuetzt A Mün": "A BER S A MUN",
    "A Ber U A Mün - Sle": "A BER S A MUN - SIL",
    "A Berlin hält": "A BER H",
    "A Berlin haelt": "A BER H",
    "F Nordsee befördert A Yor - Norwegen": "F NTH C A YOR - NWY",
    "F Nordsee K A Yor - Dän": "F NTH C A YOR - DEN",
    "F Nse - Helgoländer Bucht": "F NTH - HEL",
}


@pytest.mark.parametrize("line", LINES)
def test_lines_as_german_players_write_them(rules: Tournament, line: str) -> None:
    (entry, *others) = interpret([Line(1, line)], Power.GERMANY, MIDDLE, rules).entries
    assert others == []
    assert entry.order is not None
    assert (write(entry.order), entry.status) == (LINES[line], Status.CLEAR), entry.reason


def test_a_coast_in_german(rules: Tournament) -> None:
    (entry,) = interpret([Line(1, "F StP (SK) - Bottnischer Meerbusen")], Power.RUSSIA, MIDDLE, rules).entries
    assert entry.order is not None
    assert (write(entry.order), entry.status) == ("F STP/SC - BOT", Status.CLEAR)


def test_a_word_for_two_seas_is_asked_or_held_and_not_followed(rules: Tournament) -> None:
    start = starting_position(BOARD)
    (entry, *_) = interpret([Line(1, "F Edi - Nor")], Power.ENGLAND, start, rules).entries
    assert entry.status in (Status.AMBIGUOUS, Status.ASK)
    assert entry.order is None or write(entry.order) == "F EDI H"


def test_umlauts_change_nothing_in_the_tables_that_have_none() -> None:
    for name in ("english", "nzdc1999", "edc2023", "edc1996", "wdc2008"):
        for row in table(name).rows.values():
            assert len({fold(word) for word in row.accepted}) <= len(row.accepted)
            assert not any(set("äöüÄÖÜ") & set(word) for word in row.accepted)
