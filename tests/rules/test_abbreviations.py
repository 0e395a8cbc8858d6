"""What may be written for a province, in each of the shipped tables."""

import re
from pathlib import Path

import pytest

from pipeline.board import Power, standard_map
from pipeline.problems import Problem, Weight
from pipeline.rules.abbreviations import Abbreviations, CaseHabit, Sign, fold, read_abbreviations
from pipeline.rules.load import load_abbreviations

TABLES = ("english", "nzdc1999", "edc2023", "edc1996", "wdc2008")
NOR = ("NAF", "NAO", "NTH", "NWG", "NWY")


def table(name: str) -> Abbreviations:
    problems: list[Problem] = []
    found = load_abbreviations(name, Path(), problems)
    assert problems == []
    return found


@pytest.fixture(params=TABLES, scope="module")
def each(request: pytest.FixtureRequest) -> Abbreviations:
    return table(request.param)


# the classic traps, in every table; where a table differs it stands below
TRAPS = {
    "Nor": NOR, "Nth": "NTH", "Nwy": "NWY", "Nwg": "NWG", "Nrg": "NWG", "NAt": "NAO", "NAf": "NAF",
    "Liv": ("LVN", "LVP"), "Lvn": "LVN", "Lvp": "LVP", "Lvo": "LVN", "Tyr": "TYR", "Tyn": "TYS", "Mar": "MAR",
    "Mid": "MAO", "MAO": "MAO", "Med": ("EAS", "WES"), "Bal": "BAL", "Bel": "BEL", "Ber": "BER", "Gal": "GAL",
    "Gas": "GAS", "Gol": "LYO", "Lyo": "LYO", "Bul": "BUL", "Bur": "BUR", "Bud": "BUD", "Arm": "ARM", "Ank": "ANK",
    "Adr": "ADR", "Aeg": "AEG", "Eas": "EAS", "East": "EAS", "Eng": "ENG", "Edi": "EDI", "StP": "STP", "Ste": (),
    "Spa(nc)": "SPA/NC", "Spa nc": "SPA/NC", "SpaSC": "SPA/SC", "Stp/sc": "STP/SC",
}  # fmt: skip
EXCEPTIONS: dict[str, dict[str, str | tuple[str, ...]]] = {
    "edc2023": {"Tyr": ("TYR", "TYS"), "Mar": ("MAR", "NAF"), "Liv": "LVP", "Med": "WES"},
    "edc1996": {"Gol": ("BOT", "LYO")},  # both gulfs begin so in French (EDC96 8)
}


@pytest.mark.parametrize("word", TRAPS)
def test_the_classic_traps(each: Abbreviations, word: str) -> None:
    expected = EXCEPTIONS.get(each.id, {}).get(word, TRAPS[word])

    assert each.places_listed(word) == ((expected,) if isinstance(expected, str) else expected)


# initials of names of several words: abbreviations like any other
INITIALS = {
    "as": ("ADR", "AEG"), "bs": ("BAL", "BAR", "BLA"), "ns": ("NTH", "NWG"), "is": ("ION", "IRI"), "ts": ("TYS",),
    "hb": ("HEL",), "ec": ("ENG",), "em": ("EAS",), "wm": ("WES",), "na": ("NAF", "NAO"), "gb": ("BOT",),
    "gl": ("LYO",), "sp": ("STP",), "ma": ("MAO",),
}  # fmt: skip
FRENCH = {
    "ma": ("ADR", "MAO"), "mb": ("BAL", "BAR"), "mn": ("BLA", "NTH", "NWG"), "mdn": ("NTH", "NWG"),
    "mo": ("EAS", "WES"), "mi": ("ION", "IRI"), "me": ("AEG",), "mt": ("TYS",), "bh": ("HEL",), "gdl": ("LYO",),
    "an": ("NAF", "NAO"), "pb": ("HOL",), "pg": ("WAL",),
}  # fmt: skip


def test_initials_are_those_of_the_names_in_the_tables_languages(each: Abbreviations) -> None:
    expected = INITIALS | (FRENCH if each.id == "edc1996" else {})

    if each.id == "edc2023":  # it has names of the Descartes edition, too: Mer d'Islande, Caucase et Arménie
        assert {word: each.initials[word] for word in ("as", "mi", "ca")} == {
            "as": ("ADR", "AEG"),
            "mi": ("ION", "IRI", "NAO"),
            "ca": ("ARM",),
        }
    else:
        assert expected.items() <= each.initials.items()
    assert not each.initials.keys() & each.words.keys()  # a listed word is what it is listed for


def test_nobody_writes_a_kingdom_by_its_initials() -> None:
    assert "rp" not in table("edc2023").initials


def test_every_table_knows_every_province_by_its_full_name(each: Abbreviations) -> None:
    for province in standard_map().provinces.values():
        assert each.places_listed(province.name) == (province.code,)
        assert each.places_listed(province.name.upper()) == (province.code,)


def test_every_table_knows_a_short_word_for_every_province(each: Abbreviations) -> None:
    for code, row in each.rows.items():
        assert any(each.places_listed(word) == (code,) and len(fold(word)) <= 5 for word in row.accepted), code


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("Spa(nc)", "SPA/NC"),
        ("SPA NC", "SPA/NC"),
        ("Spain (north coast)", "SPA/NC"),
        ("North Coast of Spain", "SPA/NC"),
        ("spa/sc", "SPA/SC"),
        ("Spain south coast", "SPA/SC"),
        ("NC StP", "STP/NC"),
        ("St. Petersburg (N.C.)", "STP/NC"),
        ("StP s", "STP/SC"),
        ("Bul ec", "BUL/EC"),
        ("Bulgaria, east coast", "BUL/EC"),
        ("BUL-SC", "BUL/SC"),
    ],
)
def test_coasts_in_the_forms_people_write(each: Abbreviations, written: str, place: str) -> None:
    assert each.places_listed(written) == (place,)


def test_french_coasts_where_french_is_accepted() -> None:
    for name in ("edc2023", "edc1996"):
        assert table(name).places_listed("Esp(cs)") == ("SPA/SC",)
        assert table(name).places_listed("StP cn") == ("STP/NC",)
    assert (
        table("edc2023").places_listed("Bul cn") == table("edc2023").places_listed("Bul ce") == ("BUL/EC",)
    )  # EDC23 G
    assert table("edc1996").places_listed("Bul cn") == ()  # nobody but EDC23 has a north coast there


def test_nz99_lists_the_76_rows_of_its_appendix(shared: Path) -> None:
    text = (shared / "seeds" / "nzdc1999.txt").read_text("utf-8")
    cells = [cell.strip() for cell in text.split("Province | Abbreviations |")[1].split("Appendix B")[0].split("|")]
    printed = dict(zip(cells[::2], (cell.split() for cell in cells[1::2]), strict=False))
    found = table("nzdc1999")

    assert len(found.rows) == len(printed) == 76
    for name, words in printed.items():
        (code,) = found.places_listed(name)
        assert set(words) <= set(found.rows[code].accepted), name
        assert found.rows[code].number == list(printed).index(name) + 1
    assert found.places_listed("Switz") == (
        "SWI",
    )  # recognised, so that an order to go there is impossible and not unread


def test_edc23_keeps_what_was_printed_and_restores_what_was_meant(shared: Path) -> None:
    text = (shared / "seeds" / "edc2023.txt").read_text("utf-8")
    printed = re.findall(r"^(\d+)\. ?([^,(\n]+).*\(([^)]*)\)$", text.split("List of territory names")[1], re.M)
    found = table("edc2023")

    assert len(printed) == 75
    for number, name, words in printed:
        (code,) = found.places_listed(name)
        assert (found.rows[code].number, found.rows[code].as_printed) == (int(number), words)
        assert {fold(word) for word in words.split(", ")} <= {fold(word) for word in found.rows[code].accepted}


def test_edc23_has_two_true_collisions_and_no_other() -> None:
    found = table("edc2023")
    listed_twice = {word: places for word, places in found.places.items() if len(places) > 1}

    assert {word for word in listed_twice if word not in found.ambiguous} == {"mar", "tyr"}
    assert listed_twice["mar"] == ("MAR", "NAF")
    assert listed_twice["tyr"] == ("TYR", "TYS")
    assert found.case is CaseHabit.SEA_IN_CAPITALS


def test_the_words_that_a_translator_made_are_accepted_beside_those_they_stood_for() -> None:
    found = table("edc2023")

    printed = [found.places_listed(word) for word in ("By", "Fri", "Life", "Tue", "Tyre")]
    assert printed == [found.places_listed(word) for word in ("Par", "Ven", "Vie", "Toulon", "Tyrol")]


def test_accents_and_capitals_make_no_difference() -> None:
    found = table("edc2023")

    for words, code in ((("Égé", "ege", "EGE"), "AEG"), (("Séb", "seb"), "SEV"), (("SUÈ", "sue"), "SWE")):
        assert {found.places_listed(word) for word in words} == {(code,)}


def test_edc96_accepts_english_and_french_words_and_keeps_ambiguous_what_either_calls_so() -> None:
    english, french, both = table("english"), table("french"), table("edc1996")

    for base in (english, french):
        for word, codes in base.words.items():
            assert set(codes) <= set(both.words[word])
    assert both.places_listed("Suède") == both.places_listed("Sweden") == ("SWE",)
    assert both.places_listed("Atl") == ("MAO", "NAO")  # one sea in French, two in English


def test_the_order_of_a_list_is_english_alphabetical_where_it_does_not_say_otherwise() -> None:
    board = standard_map()
    order = [code for code in table("english").order if code in board.provinces]

    assert order == sorted(board.provinces, key=lambda code: board.provinces[code].name)


def test_unusual_is_a_short_word_beside_the_usual_ones(each: Abbreviations) -> None:
    assert {"trl", "tyl", "tyo", "lva", "nts"} <= each.unusual
    assert not {fold(row.accepted[0]) for row in each.rows.values()} & each.unusual
    assert not {fold(code) for code in each.rows} & each.unusual
    assert not {"liv", "mid", "york", "tyrrhenian", "iri", "ven"} & each.unusual


def test_what_is_first_in_one_table_may_be_unusual_in_another() -> None:
    assert "nrg" in table("english").unusual
    assert "nrg" not in table("edc2023").unusual


def test_wdc08_says_that_its_table_is_not_in_the_source() -> None:
    assert table("wdc2008").source.startswith("not in the source")


def test_order_signs_of_the_sources(each: Abbreviations) -> None:
    assert {"H", "xxx"} <= set(each.signs[Sign.HOLD])
    assert ("T" in each.signs[Sign.HOLD]) == (each.id in ("edc2023", "edc1996"))
    assert "by convoy" in each.signs[Sign.VIA]
    assert {"+", "B"} <= set(each.signs[Sign.BUILD])
    assert {"-", "D"} <= set(each.signs[Sign.DISBAND])
    assert (Sign.MOVE_BY_CONVOY in each.signs) == (each.id == "edc2023")  # "Attack by convoy: - … or C" (EDC23 G)
    assert each.power_words["german"] == (Power.GERMANY,)


def test_a_tables_own_row_settles_a_word_that_its_base_calls_ambiguous() -> None:
    base = {
        "provinces": {"LVP": {"accepted": ["lvp"]}, "LVN": {"accepted": ["lvn"]}},
        "ambiguous": {"liv": ["LVN", "LVP"]},
    }
    mine = {"extends": ["base"], "provinces": {"LVP": {"accepted": ["Liv"]}}}

    found = read_abbreviations("mine", {"base": base, "mine": mine}, [])

    assert found.places_listed("liv") == ("LVP",)
    assert found.rows["LVP"].accepted == ("Liv", "Liverpool", "lvp")


def test_all_faults_of_a_table_are_told_at_once() -> None:
    problems: list[Problem] = []
    bad = {
        "nmae": "x",
        "case": "sea in capitals",
        "extends": ["mine", "bad"],
        "provinces": {"MUM": {"accepted": ["mum"]}, "LON": {"acepted": ["lon"]}, "YOR": {"accepted": [3, "…"]}},
        "ambiguous": {"nor": ["NWY"], "liv": ["LVP", "LIV"]},
        "signs": {"hodl": ["H"]},
        "coasts": {"SPA/EC": ["ec"]},
        "lint": {"mar": 3},
    }

    read_abbreviations("bad", {"bad": bad}, problems)

    assert {(p.where.removeprefix("bad.toml "), p.text) for p in problems if p.where != "bad.toml provinces"} == {
        ("ambiguous.liv", "no such province 'LIV'; did you mean 'LVP'?"),
        ("ambiguous.nor", "expected two provinces or more, found ['NWY']; a word for one stands in its row"),
        ("case", "'sea in capitals' is not one of irrelevant, sea_in_capitals; did you mean 'sea_in_capitals'?"),
        ("coasts.SPA/EC", "unknown field; did you mean 'SPA/SC'?"),
        ("extends", "'bad' extends this table, so this table cannot extend it"),
        ("extends", "expected the name of a table, found 'mine'"),
        ("lint.mar", "expected a text, found 3"),
        ("nmae", "unknown field; did you mean 'name'?"),
        ("provinces.LON.acepted", "unknown field; did you mean 'accepted'?"),
        ("provinces.MUM", "no such province; did you mean 'RUM'?"),
        ("provinces.YOR.accepted", "'…' has no letters"),
        ("provinces.YOR.accepted", "expected a list of words, found 3 in it"),
        ("signs.hodl", "unknown field; did you mean 'hold'?"),
    }
    assert all(problem.weight is Weight.STOPS for problem in problems)
    assert sum(p.where == "bad.toml provinces" and "what may be written" in p.text for p in problems) == 1
