"""The rule that is quoted is the rule that applies: every doubt, in five tournaments, with its setting."""

from typing import Any

import pytest
from msgspec.structs import replace

from interpret.drawing import BOARD, tournament
from interpret.pages import TOURNAMENTS
from interpret.test_switches import under
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Unit
from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.doubts import Doubt
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Line
from pipeline.rules.reading_rules import Followed

GERMANY = "GERMANY"
MOVES = {
    "power": GERMANY,
    "phase": "S1902M",
    "units": {
        GERMANY: ["A HOL", "A MUN", "F KIE", "F NTH", "F SPA/SC", "F MAO", "A FIN"],
        "FRANCE": ["A BUR", "F GAS", "F POR"],
    },
}
RETREATS: dict[str, Any] = {
    "power": GERMANY,
    "phase": "S1902R",
    "units": {GERMANY: ["A HOL"], "FRANCE": ["A MUN"], "RUSSIA": ["A PRU"]},
    "dislodged": [
        {"power": GERMANY, "unit": "A MUN", "from": "BUR", "retreats": ["RUH", "SIL"]},
        {"power": "RUSSIA", "unit": "A WAR", "from": "GAL", "retreats": ["SIL"]},
    ],
}
ALONE = {**RETREATS, "dislodged": RETREATS["dislodged"][:1]}
CARRIED = {**MOVES, "units": {GERMANY: ["A HOL", "F NTH", "F HEL"]}}
BUILDS = {
    "power": "RUSSIA",
    "phase": "W1902A",
    "units": {"RUSSIA": ["A UKR"], "FRANCE": ["A PAR"]},
    "centers": {"RUSSIA": ["MOS", "STP", "WAR"]},
}
DISBANDS = {
    "power": "TURKEY",
    "phase": "W1902A",
    "units": {"TURKEY": ["A CON", "A SMY", "F ANK"]},
    "centers": {"TURKEY": ["CON", "SMY"]},
}
READ, WINTER = "reading.", "adjustments."

NOR = "word_reachability | word_reachability | word_unsettled | word_unsettled | word_unsettled"
PLACED = "retreat_missing | retreat_written | retreat_missing | retreat_written | retreat_missing"
NOBODY = "impossible | impossible |  | impossible | impossible"  # EDC23 would ask, and asks nobody about nobody
INVALID = "twice_one_invalid | twice_one_invalid | twice_different | twice_one_invalid | twice_one_invalid"
TRIED, LEFT, SLIP = "illegible_reachability", "illegible_unsettled", "misspelt_unsettled"
BROKEN = f"{SLIP} | {SLIP} | implied | {SLIP} | {SLIP}"
SUPPORTED = "coast_missing |  | coast_needed_in_support | coast_missing | coast_missing"
OWN = f"illegible_own_orders | illegible_own_orders | implied | {LEFT} | illegible_own_orders"

# The doubt, the sheet, its lines, and which settings decide it: in all five, or in NZ99 | WM | EDC23 | EDC96 | WDC08.
TABLE: list[tuple[Doubt, dict[str, Any], list[Any], str]] = [
    # words
    (Doubt.TWO_PLACES, MOVES, ["A Fin - Nor"], NOR),
    (Doubt.TWO_PLACES, MOVES, ["F Nth - Nor"], "word_unsettled"),
    (Doubt.ILLEGIBLE, MOVES, ["A Mun - B?r"], "illegible_unsettled"),
    (Doubt.ILLEGIBLE, MOVES, ["A Mun - R??"], f"{TRIED} | {TRIED} | {TRIED} | {LEFT} | {TRIED}"),
    (Doubt.ILLEGIBLE, MOVES, ["A Mun - ?"], "illegible_unsettled"),
    (Doubt.INITIALS, MOVES, ["F Nth - HB"], "prefix"),
    (Doubt.BEGINNING, MOVES, ["A Mun - Bohe"], "prefix"),
    (Doubt.MISSPELT, MOVES, ["A Mun - Bohmeia"], "misspelt"),
    (Doubt.MISSPELT, MOVES, ["A Mun - Bvr"], "misspelt_unsettled"),
    (Doubt.OTHER_NAME, MOVES, ["A Mun - Boemia"], "misspelt"),
    (Doubt.ELSEWHERE, MOVES, ["A Mun - Prague"], "misspelt_unsettled"),
    (Doubt.UNKNOWN_WORD, MOVES, ["A Mun S Cubs"], "meaningless"),
    (Doubt.EXTRA_WORDS, MOVES, ["A Mun - Ber or Kie"], f"{TRIED} | {LEFT} | {TRIED} | {LEFT} | {TRIED}"),
    (Doubt.EXTRA_WORDS, MOVES, ["A Mun - Ber S"], f"{TRIED} | {SLIP} | {TRIED} | {SLIP} | {TRIED}"),
    (Doubt.EXTRA_WORDS, MOVES, ["A Mun - Ber quickly"], f"{TRIED} | {SLIP} | {TRIED} | {SLIP} | {TRIED}"),
    (Doubt.NOT_ALL_READ, MOVES, ["A Mun (S A Hol) - Kie"], SLIP),
    (Doubt.UNDER_HEADING, MOVES, ["Next season:", "A Mun - Ber"], SLIP),
    (Doubt.OTHER_PART, MOVES, ["A Mun - Ber, A Hol dances"], SLIP),
    (Doubt.UNIT_INSIDE, MOVES, ["A Mun - A Ber"], SLIP),
    (Doubt.NO_SIGN, MOVES, ["A Mun Ber"], f"{TRIED} | {TRIED} | {TRIED} | {SLIP} | {TRIED}"),
    (Doubt.SENSELESS, MOVES, ["A Mun dances"], "meaningless"),
    (Doubt.INCOMPLETE, MOVES, ["A Mun -"], LEFT),
    (Doubt.INCOMPLETE, MOVES, ["A Mun S - Bur"], LEFT),
    (Doubt.INCOMPLETE, MOVES, ["A Mun S - Kie"], SLIP),
    (Doubt.ILLEGIBLE, MOVES, ["A Mun - ???", "A Hol S A Mun - Ruh"], OWN),
    (Doubt.WRONG_PHASE, RETREATS, ["A Mun H"], SLIP),
    (Doubt.STRUCK_OUT, MOVES, [{"line": 1, "text": "A Mun - Ber", "struck_out": True}], "struck_out"),
    (Doubt.OVERWRITTEN, MOVES, [{"line": 1, "text": "A Mun - Ber", "overwritten": True}], "overwritten"),
    # the unit
    (Doubt.BLANK_UNIT, MOVES, ["F to Den"], "unitless"),
    (Doubt.BARE_UNIT, MOVES, ["A Mun"], "bare_unit"),
    (Doubt.NO_SUCH_UNIT, MOVES, ["A Ber - Kie"], NOBODY),
    (Doubt.NOT_YOUR_UNIT, MOVES, ["A Bur - Par"], NOBODY),
    (Doubt.UNIT_LETTER, MOVES, ["F Mun - Ber"], "letter_wrong"),
    (Doubt.OTHER_LETTER, MOVES, ["A Mun S F Bur - Ruh"], "other_letter_wrong"),
    (Doubt.NATION, MOVES, ["A Mun S Russian A Bur - Ruh"], "nation_wrong"),
    (Doubt.TWICE_SAME, MOVES, ["A Mun - Ruh", "A Mun - Ruh"], "twice_same"),
    (Doubt.TWICE_DIFF, MOVES, ["A Mun - Ruh", "A Mun - Boh"], "twice_different"),
    (Doubt.TWICE_DIFF, MOVES, ["A Mun - Ruh", "A Mun - Par"], INVALID),
    (Doubt.IMPLIED, MOVES, ["A Mun -", "A Hol S A Mun - Ruh"], BROKEN),
    (Doubt.READ_OTHERWISE, MOVES, ["A Fin - Nor"], NOR),
    # coasts
    (Doubt.COAST_NEEDED, MOVES, ["F Mao - Spa"], "coast_missing"),
    (Doubt.COAST_NEEDED, {**MOVES, "power": "FRANCE"}, ["F Por S F Mao - Spa"], SUPPORTED),
    (Doubt.TWO_COASTS, MOVES, ["F Mao - Spa nc/sc"], "coast_missing"),
    (Doubt.COAST_WRONG, {**MOVES, "power": "FRANCE"}, ["F Gas - Spa sc"], "coast_wrong"),
    (Doubt.UNIT_COAST_WRONG, MOVES, ["F Spa nc - Wes"], "unit_coast_wrong"),
    (Doubt.OTHER_COAST_WRONG, MOVES, ["F Mao S F Spa nc"], "coast_in_support"),
    (Doubt.COAST_NEEDLESS, MOVES, ["A Mun - Ruh nc"], "coast_needless"),
    # what cannot be done
    (Doubt.NOT_ADJACENT, MOVES, ["A Mun - Par"], "impossible"),
    (Doubt.NO_ROUTE, MOVES, ["A Fin - Lon"], "impossible"),
    (Doubt.CANNOT_STAND, MOVES, ["F Kie - Mun"], "impossible"),
    (Doubt.TO_ITSELF, MOVES, ["A Mun - Mun"], "impossible"),
    (Doubt.NOTHING_THERE, MOVES, ["A Mun S A Ber - Kie"], "impossible"),
    (Doubt.NO_CARRIER, MOVES, ["A Hol C A Mun - Kie"], "impossible"),
    # how an army travels
    (Doubt.VIA_CONVOY, MOVES, ["A Hol - Bel"], "by_land"),
    (Doubt.ROUTE_NAMED, CARRIED, ["A Hol - Hel - Den"], " |  | route | route | "),
    # retreats and adjustments
    (Doubt.NOT_DISLODGED, RETREATS, ["A Hol - Bel"], NOBODY),
    (Doubt.NO_RETREAT, RETREATS, ["A Mun - Bur"], "retreat_invalid"),
    (Doubt.RETREAT_MISSING, RETREATS, [], "retreat_missing"),
    (Doubt.RETREAT_MISSING, ALONE, [], PLACED),
    (Doubt.CANNOT_BUILD, BUILDS, ["F Mos B"], WINTER + "build_invalid"),
    (Doubt.NOT_DUE, BUILDS, ["A Ukr D"], WINTER + "gains_and_losses"),
    (Doubt.BUILD_LETTER, BUILDS, ["StP B"], WINTER + "build_letter " + WINTER + "build_invalid"),
    (Doubt.BUILD_COAST, BUILDS, ["F StP B"], WINTER + "build_coast_missing " + WINTER + "build_invalid"),
    (Doubt.BARE_CHANGE, BUILDS, ["A Mos"], WINTER + "bare_unit"),
    (Doubt.OVERBUILD, BUILDS, ["A Mos B", "A War B", "A StP B"], WINTER + "too_many_builds"),
    (Doubt.SHORT_BUILD, BUILDS, [], WINTER + "build_missing"),
    (Doubt.OVERDISBAND, DISBANDS, ["A Con D", "A Smy D"], WINTER + "too_many_disbands"),
    (Doubt.SHORT_DISBAND, DISBANDS, [], WINTER + "disband_missing"),
]  # fmt: skip
OTHERWISE = {  # of no line under the five files, or no matter of the rules
    Doubt.NO_LETTER, Doubt.NO_NATION, Doubt.UNIT_COAST,  # all five let them pass; there is another test for them
    Doubt.CANNOT_DISBAND,  # an own unit that stands can always be disbanded
    Doubt.RULED_BEFORE,  # an earlier ruling is no rule
}  # fmt: skip


def paths(expected: str, short: str) -> list[str]:
    """The settings that are expected in one tournament, with their sections."""
    cells = [cell.split() for cell in expected.split("|")]
    names = cells[0] if len(cells) == 1 else cells[list(TOURNAMENTS).index(short)]
    return [name if "." in name else READ + name for name in names]


@pytest.mark.parametrize("short", TOURNAMENTS)
@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case[0].value} {case[2][:1]}")
def test_a_doubt_names_the_setting_that_decides_it(case: tuple[Doubt, Any, list[Any], str], short: str) -> None:
    doubt, sheet, lines, expected = case

    found = interpret_sheet({**sheet, "tournament": TOURNAMENTS[short], "lines": lines})
    entries = [*found["entries"], *found.get("remarks", [])]
    raised = [e for e in entries if doubt in {each["code"] for each in e["doubts"]}] or entries

    wanted = paths(expected, short)
    told = [e["settings"] for e in raised]
    assert wanted in told if wanted else all(not settings for settings in told)
    known = {switch.path: switch.setting for switch in tournament(TOURNAMENTS[short]).switches()}
    for entry in raised:
        rules = [known[path].rule for path in entry["settings"] if known[path].rule]
        assert entry["rule"] == "; ".join(dict.fromkeys(rules))


@pytest.mark.parametrize("short", TOURNAMENTS)
def test_why_misspelt_words_are_asked_about_is_not_said_of_other_words_beside_a_declined_build(short: str) -> None:
    (entry,) = interpret_sheet({**BUILDS, "tournament": TOURNAMENTS[short], "lines": ["Waive quickly"]})["entries"]
    assert entry["settings"] == [READ + SLIP]
    assert entry["reason"] == "'quickly' belongs to no order; the director rules"


def test_every_doubt_is_in_the_table() -> None:
    of_no_line = {Doubt.NO_ORDER}
    assert {case[0] for case in TABLE} | OTHERWISE | of_no_line == set(Doubt)


def test_every_row_of_the_table_raises_its_doubt_somewhere() -> None:
    for doubt, sheet, lines, _ in TABLE:
        found = [interpret_sheet({**sheet, "tournament": name, "lines": lines}) for name in TOURNAMENTS.values()]
        codes = {
            each["code"] for one in found for e in [*one["entries"], *one.get("remarks", [])] for each in e["doubts"]
        }
        assert doubt in codes, (doubt, lines)


@pytest.mark.parametrize(
    ("name", "text"),
    [("letter_missing", "Mun - Ruh"), ("nation_missing", "A Mun S A Tyr - Boh"), ("unit_coast_missing", "F Spa - Wes")],
)
def test_a_doubt_that_none_of_the_five_raises_names_its_setting_too(name: str, text: str) -> None:
    rules = under("reading", name, Followed.FAILS)
    units = (Unit(Kind.ARMY, "MUN"), Unit(Kind.FLEET, "SPA/SC"))
    position = Position(
        phase=Phase.read("S1902M"),
        units={Power.GERMANY: units, Power.AUSTRIA: (Unit(Kind.ARMY, "TYR"),)},
        centres={power: BOARD.homes[power] for power in Power},
    )

    (entry,) = interpret([Line(1, text)], Power.GERMANY, position, rules).entries

    assert [setting.path for setting in entry.settings] == [f"reading.{name}"]


def test_what_is_quoted_is_the_situation_and_what_becomes_of_it() -> None:
    (quote,) = tournament("nzdc1999").quotes(["reading.impossible"])
    builds = tournament("edc2023").quotes(["adjustments.first_year_builds", "reading.overwritten"])

    assert str(quote) == (
        "§ NZ99 16: an order is understood and impossible (Mun-Mun, Mos-Par without a route): it stands in place and "
        "may not be supported to hold"
    )
    assert [each.rule for each in builds] == ["EDC23 R5", "the rules are silent"]
    assert builds[0].text.endswith("in the first year? (0: none): 2")
    assert tournament("edc2023").quotes([]) == ()


def test_a_retreat_that_is_lost_says_why_whatever_the_sentences_are() -> None:
    position = Position(
        phase=Phase.read("S1902R"),
        units={},
        centres={},
        dislodged=(Dislodged(Power.GERMANY, Unit(Kind.ARMY, "MUN"), "BUR", ("RUH", "SIL")),),
    )

    (entry,) = interpret([Line(1, "A Mun - Nor")], Power.GERMANY, position, tournament("edc1996")).entries

    assert isinstance(entry, Entry)
    assert entry.reason == f"{entry.found}; it is disbanded"
    assert [setting.path for setting in entry.settings] == ["reading.word_unsettled", "reading.retreat_invalid"]
    assert replace(entry, settings=()).rule == ""
