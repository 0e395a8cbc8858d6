"""Names: what a rule document prints is followed, and no real name is taken for a slip of the pen for another place."""

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from interpret.drawing import BOARD, STANDING, tournament
from pipeline.board import Kind, Power, Step, Unit, province_of, standard_map, starting_position
from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.interpret import _lexicon_of, interpret
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.lines import cut_words
from pipeline.interpret.order_words import Moves
from pipeline.interpret.verdict import Line
from pipeline.interpret.written_words import COASTS, FILLERS, LETTERS, SIGNS, SPOILERS, fold_word
from pipeline.orders import write
from pipeline.rules.tournament import Tournament

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
COLLISIONS = {("NAF", "MAR"), ("MAR", "MAR"), ("TYS", "TYR"), ("TYR", "TYR")}  # of EDC23 G, restored


def goal(name: str, text: str) -> list[str]:
    """Read where a line goes, as the grammar cuts it; nothing where the words are not one place."""
    lexicon = _lexicon_of(tournament(name))
    line = f"A Mun - {text}"
    written = list(LineReader(cut_words(line, lexicon), line, lexicon, Step.MOVEMENT).orders())
    shape = written[0].shape
    if len(written) != 1 or written[0].rest or not isinstance(shape, Moves) or len(shape.steps) != 1:
        return []
    found = lexicon.sense(shape.steps[0].folded)
    return list(found.codes) if found.is_firm else [*found.codes, "?"]


def order(name: str, line: str, units: dict[str, list[str]]) -> dict[str, Any]:
    (power,) = units
    asked = {"tournament": name, "power": power, "phase": "S1902M", "units": units, "lines": [line]}
    return dict(interpret_sheet(asked)["entries"][0])


# what the rule documents print


def test_every_word_that_edc23_prints_is_followed(shared: Path) -> None:
    text = (shared / "seeds" / "edc2023.txt").read_text("utf-8").split("List of territory names")[1]
    rows = re.findall(r"^(\d+)\. ?(.+?) \(([^()]+)\)$", text, re.M)
    numbered = {row.number: code for code, row in tournament("edc2023").abbreviations.rows.items()}
    printed = {(numbered[int(n)], word) for n, *lists in rows for words in lists for word in words.split(", ")}

    assert (len(rows), len(printed)) == (75, 291)
    ambiguous = {(code, word) for code, word in printed if goal("edc2023", word) != [code]}
    assert {(code, word.upper()) for code, word in ambiguous} <= COLLISIONS
    assert {word for _, word in ambiguous} <= {"MAR", "TYR"}


def test_every_word_that_nz99_prints_is_followed(shared: Path) -> None:
    text = (shared / "seeds" / "nzdc1999.txt").read_text("utf-8")
    cells = [cell.strip() for cell in text.split("Province | Abbreviations |")[1].split("Appendix B")[0].split("|")]
    names = {row.name: code for code, row in tournament("nzdc1999").abbreviations.rows.items()}

    for province, words in zip(cells[::2], cells[1::2], strict=False):
        code = names.get(province) or names[province.replace("St Petersburg", "St. Petersburg")]
        assert [(word, goal("nzdc1999", word)) for word in (province, *words.split())] == [
            (word, [code]) for word in (province, *words.split())
        ]


@pytest.mark.parametrize("name", ALL)
def test_what_the_examples_of_the_rules_write_is_followed(name: str) -> None:
    words = "Vie Boh Tri Bud Gal Adr Apu Tyr Pic Bre Bel ENG Par Fin Hol NTS Nth Mun Mos Munich"  # 12.2-5, 8-9, VI.1-2
    found = {word: goal(name, word) for word in words.split() if not (name == "edc2023" and word in {"Tyr"})}

    assert all(len(codes) == 1 for codes in found.values()), found


@pytest.mark.parametrize("name", ALL)
def test_every_listed_word_is_read_as_one_place(name: str) -> None:
    table = tournament(name).abbreviations
    words = {(code, word) for code, row in table.rows.items() for word in (row.name, *row.accepted)}
    lost = [(code, word, goal(name, word)) for code, word in words if code not in goal(name, word)]

    assert not [each for each in lost if fold_word(each[1]) not in {"par", "by"}], lost


def test_paris_is_no_way_and_the_way_is_not_paris() -> None:
    paris = {"FRANCE": ["A PAR", "A BUR"]}
    for line, wanted in (("A By - Pic", "A PAR - PIC"), ("A Bur S A By", "A BUR S A PAR"), ("By - Gas", "A PAR - GAS")):
        assert order("edc2023", line, paris)["order"] == wanted
    assert order("edc2023", "A Gas - By", {"FRANCE": ["A GAS"]})["order"] == "A GAS - PAR"
    for way in ("by convoy", "by sea", "by F Nth", "by Nth"):
        entry = order("edc2023", f"A Hol - Bel {way}", {"FRANCE": ["A HOL", "F NTH"]})
        assert entry["order"] in {"A HOL - BEL VIA", "A HOL - NTH - BEL"} or entry["status"] == "ask", way


# real names


@pytest.mark.parametrize("name", ALL)
def test_another_name_of_a_province_is_that_province(name: str) -> None:
    table = tournament(name).abbreviations
    lexicon = _lexicon_of(tournament(name))
    for code, names in table.other_names.items():
        for other in names:
            listed = lexicon.listed.get(fold_word(other))
            if listed is None and fold_word(other) in lexicon.other_names:
                assert lexicon.sense(fold_word(other)).how is WordMatch.OTHER_NAME
            assert goal(name, other) == [code] or listed not in {None, (code,)}, (name, other, goal(name, other))


@pytest.mark.parametrize("name", ALL)
def test_no_real_name_of_elsewhere_is_taken_for_a_province(name: str) -> None:
    table = tournament(name).abbreviations
    lexicon = _lexicon_of(tournament(name))
    outside = [(code, word) for code, words in table.within.items() for word in words]
    for code, word in [*outside, *(("", word) for word in table.elsewhere)]:
        found = goal(name, word)
        if fold_word(word) in lexicon.listed:
            assert found in ([code], list(lexicon.listed[fold_word(word)])), (word, found)
        else:
            assert found[-1:] == ["?"], (name, word, found)
            assert not code or found[0] == code, (name, word, found)


def test_the_real_names_are_hundreds_and_none_is_a_part_of_an_order() -> None:
    table = tournament("weaselmoot").abbreviations
    parts = {*SIGNS, *LETTERS, *COASTS, *FILLERS}
    groups = [[word for words in each.values() for word in words] for each in (table.other_names, table.within)]
    others, within, elsewhere = *groups, list(table.elsewhere)

    assert min(len(others), len(within), len(elsewhere)) > 350
    assert not [word for word in (*others, *within, *elsewhere) if fold_word(word) in parts or len(fold_word(word)) < 3]
    glued = {letter + word for letter in "af" for name in ALL for word in _lexicon_of(tournament(name)).listed}
    assert not glued & {fold_word(word) for word in (*others, *within, *elsewhere)}  # "ADen" is an army in Denmark
    assert not {fold_word(word) for word in others} & {fold_word(word) for word in (*within, *elsewhere)}
    assert set(table.other_names) | set(table.within) <= {*standard_map().provinces, "SWI"}


@pytest.mark.parametrize("name", ALL)
def test_no_name_is_put_together_over_a_word_that_takes_an_order_back(name: str) -> None:
    """Names of which a part is such a word, in pieces: "Alba nie" is not Albania, for "nie" is never."""
    lexicon, tried = _lexicon_of(tournament(name)), 0
    for whole, word in product({**lexicon.listed, **lexicon.other_names}, sorted(SPOILERS)):
        first, found, last = whole.partition(word)
        codes = lexicon.sense(whole).codes
        if not found or len(first) < 3 or lexicon.is_known(first) or len(codes) != 1:
            continue
        unit = next(u for u in STANDING if codes[0] in map(province_of, BOARD.reach(u.kind, u.place)))
        assert order(name, f"{unit} - {first} {word} {last}", {"RUSSIA": [str(unit)]})["status"] != "clear", whole
        tried += 1
    assert tried > 20


ELSEWHERE = [  # a name, and a unit that could go to the province it is likest to
    ("Russia", "A WAR", "PRU"), ("Rusia", "A BER", "PRU"), ("Poland", "A KIE", "HOL"), ("Polland", "A BEL", "HOL"),
    ("Kiev", "A HOL", "KIE"), ("Kief", "A HOL", "KIE"), ("Styria", "A SMY", "SYR"), ("Bari", "F NWY", "BAR"),
    ("Westphalia", "F SPA/SC", "WES"), ("Bern", "A MUN", "BER"), ("Berne", "A MUN", "BER"), ("Bosnia", "F SWE", "BOT"),
    ("Norwich", "F NTH", "NWY"), ("Romagna", "A SER", "RUM"), ("Rumelia", "A SER", "RUM"), ("Ireland", "F LVP", "IRI"),
    ("Gaul", "A VIE", "GAL"), ("Galway", "A VIE", "GAL"), ("Trier", "A VIE", "TRI"), ("Ancona", "A ARM", "ANK"),
    ("Brescia", "A PIC", "BRE"), ("Normandy", "F NTH", "NWY"), ("Black Forest", "F SEV", "BLA"),
    ("Fra", "A ROM", "VEN"), ("Gulf of Finland", "A SWE", "FIN"), ("Channel Islands", "F LON", "ENG"),
    ("Aus", "A ROM", "TUS"),
    ("Irish Free State", "F LVP", "IRI"), ("Western Sahara", "F NAF", "WES"), ("Northern Ireland", "F EDI", "NTH"),
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("word", "unit", "likest"), ELSEWHERE)
def test_nobody_is_sent_to_what_a_real_name_is_like(name: str, word: str, unit: str, likest: str) -> None:
    entry = order(name, f"{unit[:5]} - {word}", {"RUSSIA": [unit]})

    assert entry["status"] in {"ask", "invalid"}, entry
    assert entry["order"] in {None, f"{unit} H"}
    assert entry["status"] == "invalid" or entry["candidates"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("line", "unit", "wanted"),
    [
        ("A Wien - Galizien", "A VIE", "A VIE - GAL"),
        ("F Trieste - Albanien", "F TRI", "F TRI - ALB"),
        ("A Monaco di Baviera - Boemia", "A MUN", "A MUN - BOH"),
        ("F Londra - Canale della Manica", "F LON", "F LON - ENG"),
        ("F Brest - Canal de la Mancha", "F BRE", "F BRE - ENG"),
        ("F Edinburg - Noordzee", "F EDI", "F EDI - NTH"),
        ("A Berlijn - Pruisen", "A BER", "A BER - PRU"),
        ("F Kiel - Niederlande", "F KIE", "F KIE - HOL"),
        ("F Leningrad (sc) - Golf von Bottnien", "F STP/SC", "F STP/SC - BOT"),
        ("A Istanbul - Bulgarien", "A CON", "A CON - BUL"),
    ],
)
def test_a_name_in_another_language_has_one_meaning(name: str, line: str, unit: str, wanted: str) -> None:
    entry = order(name, line, {"RUSSIA": [unit]})

    assert (entry["status"], entry["order"]) == ("clear", wanted)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("line", "unit", "wanted"),
    [
        ("A Bel - Holand", "A BEL", "A BEL - HOL"),
        ("A Ber - Prusia", "A BER", "A BER - PRU"),
        ("F Sev - Black See", "F SEV", "F SEV - BLA"),
        ("F StP sc - Gulf of Bothia", "F STP/SC", "F STP/SC - BOT"),
        ("F Lon - Englsh Channel", "F LON", "F LON - ENG"),
        ("F Edi - Norwegian See", "F EDI", "F EDI - NWG"),
        ("F Lvp - Noth Atlantic", "F LVP", "F LVP - NAO"),
        ("F Gre - Aegean See", "F GRE", "F GRE - AEG"),
    ],
)
def test_a_misspelt_name_is_read_whole(name: str, line: str, unit: str, wanted: str) -> None:
    entry = order(name, line, {"RUSSIA": [unit]})

    assert entry["order"] == wanted or (entry["status"], entry["candidates"][0]) == ("ask", wanted)


@pytest.mark.parametrize("name", ALL)
def test_two_places_with_a_stroke_between_are_not_settled_by_what_can_be_reached(name: str) -> None:
    entry = order(name, "A Mun - Bur/Lon", {"GERMANY": ["A MUN"]})

    assert entry["status"] in {"ask", "ambiguous"}
    assert {"A MUN - BUR", "A MUN - LON"} <= set(entry["candidates"])


# what a director adds to the table


@pytest.mark.parametrize(
    ("code", "word", "power", "line"),
    [
        ("ALB", "all", Power.AUSTRIA, "F Tri - {}"),
        ("BRE", "rest", Power.FRANCE, "F {} - MAO"),
        ("BRE", "rest", Power.FRANCE, "{} - MAO"),
        ("DEN", "der", Power.GERMANY, "F Kie - {}"),
        ("LVN", "on", Power.RUSSIA, "A War S A Mos - {}"),
    ],
)
def test_a_word_that_the_table_lists_is_a_place_whatever_else_it_means(
    code: str, word: str, power: Power, line: str
) -> None:
    rules = tournament("edc2023")
    row = rules.abbreviations.rows[code]
    rows = {**rules.abbreviations.rows, code: replace(row, accepted=(*row.accepted, word))}
    rules = replace(rules, abbreviations=replace(rules.abbreviations, rows=rows))
    start = starting_position(standard_map())
    plain, listed = (interpret([Line(1, line.format(text))], power, start, rules) for text in (code, word))
    assert plain.orders
    assert listed.orders == plain.orders
    assert [entry.status for entry in listed.entries] == [entry.status for entry in plain.entries]


LISTED = ("will", "not", "or", "be", "und", "own", "the", "un", "this", "none", "ar", "kein", "all", "of")


@cache
def with_words_of_orders() -> Tournament:
    """A tournament whose table gives Galicia words that mean something else in orders."""
    table = tournament("weaselmoot").abbreviations
    row = table.rows["GAL"]
    rows = {**table.rows, "GAL": replace(row, accepted=(*row.accepted, *LISTED))}
    return replace(tournament("weaselmoot"), abbreviations=replace(table, rows=rows))


@pytest.mark.parametrize(
    "line",
    [
        "A {} H",
        "A {} - Boh",
        "A {} S A Vie",
        "{} - Boh",
        "{} S A Vie - Boh",
        "A Vie - {}",
        "A Bud S A {}",
        "A Bud S A Vie - {}",
        "A Bud - Rum; A {} H",
        "A {} and A Vie H",
        "A Bud S {}",
        "A Bud S {} - Boh",
        "A {} Vie H",
        "A Vie - Boh hello {}",
        "A {} hello - Boh",
        "A Vie ({}) hello - Boh",
    ],
)
def test_words_of_orders_that_the_table_lists_are_places_in_every_line(line: str) -> None:
    units = tuple(Unit(Kind.ARMY, place) for place in ("GAL", "VIE", "BUD"))
    position = replace(starting_position(standard_map()), units={Power.AUSTRIA: units})

    def outcome(word: str) -> list[tuple[str, str | None]]:
        found = interpret([Line(1, line.format(word))], Power.AUSTRIA, position, with_words_of_orders())
        return [(entry.status.value, write(entry.order) if entry.order else None) for entry in found.entries]

    assert {word: outcome(word) for word in LISTED} == dict.fromkeys(LISTED, outcome("Gal"))


def test_a_letter_is_a_coast_only_where_the_table_says_so_or_behind_a_mark() -> None:
    rules = tournament("nzdc1999")
    coasts = {
        place: tuple(word for word in words if len(word) > 1) for place, words in rules.abbreviations.coasts.items()
    }
    rules = replace(rules, abbreviations=replace(rules.abbreviations, coasts=coasts))
    position = replace(starting_position(standard_map()), units={Power.FRANCE: (Unit(Kind.FLEET, "MAO"),)})

    def orders(line: str) -> list[str]:
        return [write(order) for order in interpret([Line(1, line)], Power.FRANCE, position, rules).orders]

    assert orders("F Mao - Spa n") == []
    assert orders("F Mao - Spa (n)") == orders("F Mao - Spa/n") == orders("F Mao - Spa nc") == ["F MAO - SPA/NC"]
