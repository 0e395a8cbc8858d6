"""No part of a line is dropped: what is glued to a name, joins two rows or stands above an order puts it in doubt."""

import pytest
from msgspec.structs import replace

from interpret.drawing import tournament
from pipeline.board import Kind, Phase, Position, Power, Unit
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Line, Status
from pipeline.orders import Move
from pipeline.rules.load import tournament_ids

UNITS = tuple(
    Unit(Kind(kind), place) for kind, place in map(str.split, ("A BOH", "A MUN", "A PIC", "F LYO", "F BLA", "F SEV"))
)


def read(name: str, *lines: str) -> tuple[Entry, ...]:
    """What becomes of lines by one power whose units stand where the lines name them."""
    units = dict.fromkeys(Power, ()) | {Power.RUSSIA: UNITS}
    position = Position(phase=Phase.read("S1903M"), units=units, centres=dict.fromkeys(Power, ()))
    sheet = tuple(Line(number, text) for number, text in enumerate(lines, 1))
    return interpret(sheet, Power.RUSSIA, position, tournament(name)).entries


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "lines",
    [
        ("A Bohemianever - Gal",),  # a word that denies, glued to a name
        ("A Mun - noBurgundy",),
        ("A Bohemia - Galiciaodervie",),  # two goals in one word
        ("FblackseasFSev->Rum",),
        ("A Boh }", "A Mun } - Tyr"),  # a brace joins two rows
        ("A Pic - Bel ]",),
        ("A Mun S A Boh, - F Lyo - Mar",),  # a part between commas
        ("NOT", "A Mun - Tyr"),  # a heading that denies, somebody else's, of no known word
        ("From: Turkey", "A Mun - Tyr"),
        ("Ideas", "A Mun - Tyr"),
        ("Rough copy of it", "A Mun - Tyr"),
        ("A Mun - Tyr", "F Lyo - Mar", "Mun and Lyo swapped"),
        ("A Mun - Tyr", "F Lyo - Mar", "Mun and Lyo switched"),
        ("A Mun - Tyr", "Tyr -> Ven"),  # another goal for the same unit
        ("F 1903", "A Mun - Tyr"),  # another season than the sheet's
        ("Podzim 1903", "A Mun - Tyr"),
        ("A Mun S A Boh", "Tyrolia"),  # its goal may stand below
        ("A Mun - Tyr", "sorry, Ber"),  # the line below takes it back
        ("A Mun - Tyr", "this was a joke"),
        ("F Lyo T A Pic - Bel",),  # to stay, or to transport
        ("A Mun )-( Tyr",),  # brackets that turn their backs
        ("~A Mun - Tyr",),  # not, or nearly
        ("0 A Mun - Tyr",),  # a row number, or none of it
        *((f"{example}", "A Mun - Tyr") for example in ("e.g.", "z. B.", "p. ex.", "cf.")),
        *((word, "A Mun - Tyr") for word in ("si", "om", "als", "ne")),  # if, in some language, or not
    ],
)
def test_what_an_order_does_not_use_puts_it_in_doubt(name: str, lines: tuple[str, ...]) -> None:
    clear = [entry.text for entry in read(name, *lines) if entry.status is Status.CLEAR]
    assert clear == []


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("joint", ["+", " + ", ", ", " & ", "; ", " and ", " "])
@pytest.mark.parametrize("other", ["F BLA", "BLA", "F LYO"])  # ordered below; ordered by nobody
@pytest.mark.parametrize("turned", [False, True])
def test_a_unit_alone_beside_the_name_of_another_one_is_not_held_in_silence(
    name: str, joint: str, other: str, turned: bool
) -> None:
    parts = (other, "F SEV") if turned else ("F SEV", other)
    entries = read(name, joint.join(parts), "F BLA - CON", "F LYO - MAR" if other != "F LYO" else "A MUN - TYR")
    is_list = other == "F LYO" and joint != " "  # two units and no order for either
    held = [entry for entry in entries if entry.line == 1 and entry.order is not None]
    assert not held or (is_list and all(entry.status is Status.VOID for entry in held))


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    [
        "not to be used",
        "a pack of lies",
        "Sample Orders",
        "Written In Error",
        "everyone stays",
        "we stay home",
        "test",
        "Entwurf",
        "peut-être",
        "for autumn",
        "Italy",
        "for Turkey",
    ],
)
def test_words_below_the_orders_that_may_change_them_put_all_in_doubt(name: str, remark: str) -> None:
    entries = read(name, "A Mun - Tyr", "F Lyo - Mar", remark)
    assert [entry.status for entry in entries if entry.line < 3] == [Status.ASK, Status.ASK]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("remark", ["Bob Brown", "Ada Lund", "John"])
def test_a_name_that_is_near_to_a_word_is_at_most_about_the_line_above_it(name: str, remark: str) -> None:
    assert read(name, "A Mun - Tyr", "F Lyo - Mar", remark)[0].status is Status.CLEAR


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(("told", "asked"), [("no army moves", "A Mun - Tyr"), ("my fleet sinks", "F Lyo - Mar")])
def test_units_of_one_kind_are_told_by_a_line_about_all_of_them(name: str, told: str, asked: str) -> None:
    entries = read(name, "A Mun - Tyr", "F Lyo - Mar", told)
    assert asked in [entry.text for entry in entries if entry.status is Status.ASK]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("heading", ["All hold", "Every unit holds", "armies hold", "Retreats", "Builds", "x"])
def test_orders_under_a_line_that_tells_all_units_otherwise_are_in_doubt(name: str, heading: str) -> None:
    assert read(name, heading, "A Mun - Tyr")[-1].status is Status.ASK


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    [
        *("maybe", "off", "if Italy agrees", "only if Russia moves A War - Gal", "if needed"),
        *("to be confirmed", "in case Italy helps", "by agreement with Italy"),
    ],
)
def test_a_condition_below_all_orders_is_about_each(name: str, remark: str) -> None:
    assert [entry.status for entry in read(name, "A Mun - Tyr", "A Boh - Gal", remark)][:2] == [Status.ASK] * 2


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    ["(all of this only if needed)", "- ignore the lines above", "(none of these count)", "(this sheet is a draft)"],
)
def test_a_remark_behind_an_order_that_speaks_of_other_lines_is_about_each(name: str, remark: str) -> None:
    lines = ["A Mun - Tyr", f"A Boh - Gal {remark}", "A Sil - War"]
    assert [entry.status for entry in read(name, *lines)] == [Status.ASK] * 3


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize("remark", ["by land", "(and hold)", "via convoy"])
def test_a_remark_about_one_order_leaves_the_others(name: str, remark: str) -> None:
    assert read(name, "A Mun - Tyr", f"A Boh - Gal {remark}")[0].status is Status.CLEAR


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "heading", ["Autumn 1903", "Spring 1904", "S1903R", "F1903M", "Russia, Fall 03", "W1903", "Herbst", "Autunno 1903"]
)
def test_orders_under_a_heading_of_another_season_are_in_doubt(name: str, heading: str) -> None:
    assert read(name, heading, "A Mun - Tyr")[-1].status is Status.ASK


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "heading",
    ["Russia", "S1903", "S1903M", "Here are my orders:", "Russian moves", "Ada Lund", "Hi",
     "Armies:", "Fleets:", "3 units", "3 Einheiten", "Meine Züge:", "No. Unit Order"],
)  # fmt: skip
def test_a_heading_that_denies_nothing_and_names_no_other_power_changes_nothing(name: str, heading: str) -> None:
    *_, army, fleet = read(name, heading, "A Mun - Tyr", "F Lyo - Mar")
    assert (army.order, army.status) == (Move(Unit(Kind.ARMY, "MUN"), "TYR"), Status.CLEAR)
    assert (fleet.order, fleet.status) == (Move(Unit(Kind.FLEET, "LYO"), "MAR"), Status.CLEAR)


@pytest.mark.parametrize("name", [name for name in tournament_ids() if name != "edc2023"])  # that asks about it
@pytest.mark.parametrize("goal", ["Galiciaa", "Galcia", "Gallicia"])
def test_a_slip_of_the_pen_is_a_slip(name: str, goal: str) -> None:
    (entry,) = read(name, f"A Boh - {goal}")
    assert (entry.order, entry.status) == (Move(Unit(Kind.ARMY, "BOH"), "GAL"), Status.CLEAR)


@pytest.mark.parametrize("name", tournament_ids())
def test_a_support_of_who_comes_or_who_goes_is_in_doubt(name: str) -> None:
    entries = read(name, "A Pic - Bur", "A Boh - Tyr", "F Lyo - Mar", "A Mun S Tyr")
    assert [entry.text for entry in entries if entry.status is Status.ASK] == ["A Mun S Tyr"]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "line", ["A Boh - Gal (crossed out) Tyr", "A Boh - Gal only", "A Boh tto Gal", "A Boh - XYZ", "F Sev - Black Sa"]
)
def test_what_may_be_a_remark_is_asked_and_never_held_in_silence(name: str, line: str) -> None:
    assert [entry.status for entry in read(name, line)] == [Status.ASK]


@pytest.mark.parametrize("name", [name for name in tournament_ids() if name != "edc2023"])  # whose table lists it
def test_the_abbreviation_of_another_edition_is_no_slip(name: str) -> None:
    assert [entry.status for entry in read(name, "A Boh - Alp")] == [Status.ASK]


@pytest.mark.parametrize("name", tournament_ids())
def test_a_correction_is_of_the_line_above_it_and_of_no_other(name: str) -> None:
    entries = read(name, "A Boh - Gal", "A Mun - Tyr", "sorry, A Pic - Bel", "F Lyo - Mar")
    asked = [entry.text for entry in entries if entry.status is Status.ASK]
    assert asked == ["A Mun - Tyr", "sorry, A Pic - Bel"]


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    [
        "Vielen Dank!",
        "Viel Glück!",
        "Mit freundlichen Grüßen, Hans",
        "Merci d'avance",
        "Best regards",
        "as agreed",
        "wie besprochen",
        "no builds",
        "Retreats: none",
        "keine Aufbauten",
        "Builds:",
        "4. -",
        "--",
        "no press",
        "Draw vote: no",
        "no further orders",
        "that's all",
        "No. Unit Order",
        "Sent from my iPhone",
        "Sent from my phone",
        "Long live Russia!",
        "God save the King",
        "Vive la France!",
        "Table 4, Russia",
        "I love this game",
        "Merci",
        "Kind regards, Lena",
        "Lena Voss",
        "A. Lund",
        "S1903",
        "Signed, Lund",
        "1/1",
    ],
)
def test_usual_words_a_greeting_or_a_name_below_orders_are_not_asked_about(name: str, remark: str) -> None:
    entries = read(name, "A Mun - Tyr", "F Lyo - Mar", remark)
    assert [entry.status for entry in entries if entry.line < 3] == [Status.CLEAR, Status.CLEAR]
    assert [entry.order for entry in entries if entry.line == 3] in ([], [None])


@pytest.mark.parametrize("name", tournament_ids())
def test_if_below_an_order_is_a_condition_of_it_unless_it_is_italys_own_fleet(name: str) -> None:
    """Italy writes "IF" before a fleet; without a fleet there the line above holds under a condition."""
    for place, is_asked in (("NAP", False), ("GRE", True)):
        units = dict.fromkeys(Power, ()) | {Power.ITALY: (Unit(Kind.ARMY, "VEN"), Unit(Kind.FLEET, place))}
        position = Position(phase=Phase.read("S1903M"), units=units, centres=dict.fromkeys(Power, ()))
        sheet = (Line(1, "A Ven - Tri"), Line(2, "IF Nap - Ion"))
        entry = interpret(sheet, Power.ITALY, position, tournament(name)).entries[0]
        assert (entry.status is Status.ASK) == is_asked


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    "line",
    [
        "A Mun nach Boh mit Pic",  # no way for a convoy: who supports it
        "A Mun - Boh by Pic",
        "A Mun - Boh thanks to Pic",
        "A Mun - Boh S: Pic",
        "A Mun - Boh S Pic, Sev",
        "A Boh S A Mun in Tyrolia",
        "A Boh S Tyrolia from Mun",
    ],
)
def test_who_helps_or_where_the_supported_unit_goes_is_asked_about(name: str, line: str) -> None:
    assert [(entry.status, entry.order) for entry in read(name, line)] == [(Status.ASK, None)]


@pytest.mark.parametrize(
    ("italian", "may_be"),  # who of Italy may go to the Adriatic
    [
        ("F ION", ("ION",)),
        ("F ION, A VEN", ("ION",)),
        ("F ION, F APU", ("ION", "APU")),
        ("F APU", ("APU",)),
        ("A VEN", ()),
    ],
)
def test_a_letter_for_the_unit_that_is_helped_may_be_a_power_with_another_unit_that_can_go_there(
    italian: str, may_be: tuple[str, ...]
) -> None:
    units = dict.fromkeys(Power, ()) | {
        Power.AUSTRIA: (Unit(Kind.FLEET, "TRI"),),
        Power.ITALY: tuple(Unit(Kind(each[0]), each[2:]) for each in italian.split(", ")),
    }
    position = Position(phase=Phase.read("S1903M"), units=units, centres=dict.fromkeys(Power, ()))
    (entry,) = interpret((Line(1, "F Tri S I to Adr"),), Power.AUSTRIA, position, tournament("weaselmoot")).entries
    assert (entry.status is Status.CLEAR) is (may_be == ("ION",))
    assert entry.status in (Status.CLEAR, Status.ASK)


@pytest.mark.parametrize("name", tournament_ids())
@pytest.mark.parametrize(
    ("line", "own", "power", "others"),
    [
        ("A Mar S F - Spa", "A MAR, F POR", Power.ITALY, "A ROM"),
        ("A Mar S F - Spa", "A MAR", Power.ENGLAND, "F MAO"),
        ("A Mar S F - Gas", "A MAR, A PAR", Power.ITALY, "A ROM"),  # F is France, too
        ("F Mao C A - Spa", "F MAO, A BRE", Power.ITALY, "A ROM"),
        ("F Mao C E - Spa", "F MAO", Power.ENGLAND, "A WAL"),
        ("A Bel S English to Hol", "A BEL", Power.ENGLAND, "F NTH"),
        ("A Bel S English", "A BEL", Power.ENGLAND, "A HOL"),
        ("A Bel S Eng F - Hol", "A BEL", Power.ENGLAND, "F NTH"),
    ],
)
def test_a_unit_that_is_helped_and_named_by_its_kind_or_power_alone_is_not_held_in_silence(
    name: str, line: str, own: str, power: Power, others: str
) -> None:
    def units(text: str) -> tuple[Unit, ...]:
        return tuple(Unit(Kind(each[0]), each[2:]) for each in text.split(", "))

    there = dict.fromkeys(Power, ()) | {Power.FRANCE: units(own), power: units(others)}
    position = Position(phase=Phase.read("S1903M"), units=there, centres=dict.fromkeys(Power, ()))
    (entry,) = interpret((Line(1, line),), Power.FRANCE, position, tournament(name)).entries
    assert (entry.status, entry.order) == (Status.ASK, None)
    far = replace(position, units=dict.fromkeys(Power, ()) | {Power.FRANCE: units(own)[:1], power: units("F BLA")})
    (alone,) = interpret((Line(1, line),), Power.FRANCE, far, tournament(name)).entries
    assert alone.status is not Status.CLEAR
