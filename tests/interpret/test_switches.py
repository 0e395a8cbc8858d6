"""Every value of every switch has its effect, whichever tournament sets it: a sixth needs no new code."""

from typing import Any

import pytest
from msgspec.structs import replace

from interpret.drawing import BOARD, tournament
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Unit
from pipeline.interpret.interpret import interpret
from pipeline.interpret.lexicon import spellings
from pipeline.interpret.verdict import SWITCHES, Interpretation, Line, Status
from pipeline.orders import write
from pipeline.rules import reading_rules
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Tournament

MOVEMENT = Position(
    phase=Phase.read("S1902M"),
    units={
        Power.GERMANY: (
            Unit(Kind.ARMY, "HOL"),
            Unit(Kind.ARMY, "MUN"),
            Unit(Kind.FLEET, "KIE"),
            Unit(Kind.FLEET, "NTH"),
        ),
        Power.FRANCE: (
            Unit(Kind.ARMY, "BUR"),
            Unit(Kind.FLEET, "GAS"),
            Unit(Kind.FLEET, "MAO"),
            Unit(Kind.FLEET, "SPA/SC"),
        ),
        Power.AUSTRIA: (Unit(Kind.ARMY, "TYR"),),
    },
    centres={power: BOARD.homes[power] for power in Power},
)
WINTER = replace(MOVEMENT, phase=Phase.read("W1902A"), units={Power.GERMANY: (Unit(Kind.ARMY, "HOL"),)})
CROWDED = replace(MOVEMENT, phase=Phase.read("W1902A"))
RETREATS = replace(
    MOVEMENT,
    phase=Phase.read("S1902R"),
    dislodged=(
        Dislodged(Power.GERMANY, Unit(Kind.ARMY, "BOH"), "VIE", ("SIL", "GAL")),
        Dislodged(Power.GERMANY, Unit(Kind.ARMY, "PRU"), "LVN", ("SIL", "BER")),
    ),
)
GERMANY, FRANCE = Power.GERMANY, Power.FRANCE
Outcome = list[tuple[str, str | None]]


def under(section: str, name: str, value: object) -> Tournament:
    """The Weasel Moot, but for one switch."""
    base = tournament("weaselmoot")
    changed = replace(
        getattr(base, section), **{name: Setting(value, "" if value == "ask" else "X 1", path=f"{section}.{name}")}
    )
    return replace(base, **{section: changed})


def outcome(found: Interpretation) -> Outcome:
    return [(e.status.value, write(e.order) if e.order else None) for e in found.entries]


def is_asked_about(found: Interpretation) -> bool:
    return any(entry.status is Status.ASK for entry in (*found.entries, *found.remarks))


READING: list[tuple[str, Any, Power, list[str], Outcome]] = [
    (
        "twice_different",
        reading_rules.Twice.FIRST,
        GERMANY,
        ["A Mun - Ruh", "A Mun - Boh"],
        [("clear", "A MUN - RUH"), ("void", None)],
    ),
    (
        "twice_different",
        reading_rules.Twice.LAST,
        GERMANY,
        ["A Mun - Ruh", "A Mun - Boh"],
        [("void", None), ("clear", "A MUN - BOH")],
    ),
    (
        "twice_different",
        reading_rules.Twice.ASK,
        GERMANY,
        ["A Mun - Ruh", "A Mun - Boh"],
        [("ask", None), ("ask", None)],
    ),
    (
        "twice_one_invalid",
        reading_rules.OneInvalid.POSSIBLE,
        GERMANY,
        ["A Mun - Par", "A Mun - Boh"],
        [("void", None), ("clear", "A MUN - BOH")],
    ),
    (
        "twice_same",
        reading_rules.Repeated.HOLD,
        GERMANY,
        ["A Mun - Ruh", "A Mun - Ruh"],
        [("ambiguous", "A MUN H")] * 2,
    ),
    ("twice_same", reading_rules.Repeated.ASK, GERMANY, ["A Mun - Ruh", "A Mun - Ruh"], [("ask", None)] * 2),
    ("bare_unit", reading_rules.UnfollowedOrder.ASK, GERMANY, ["A Mun"], [("ask", None)]),
    ("unitless", reading_rules.Unitless.ASK, GERMANY, ["F to Den"], [("ask", None)]),
    ("unitless", reading_rules.Unitless.ONE_MEANING, GERMANY, ["A to Boh"], [("clear", "A MUN - BOH")]),
    ("unitless", reading_rules.Unitless.ONE_MEANING, GERMANY, ["F to Den"], [("ambiguous", None)]),
    (
        "implied",
        reading_rules.Implied.YES,
        GERMANY,
        ["A Hol S A Mun - Ruh"],
        [("clear", "A HOL S A MUN - RUH"), ("clear", "A MUN - RUH")],
    ),
    (
        "implied",
        reading_rules.Implied.ASK,
        GERMANY,
        ["A Hol S A Mun - Ruh"],
        [("clear", "A HOL S A MUN - RUH"), ("ask", None)],
    ),
    ("word_reachability", reading_rules.EvidenceRule.IGNORED, GERMANY, ["F Nth - Nor"], [("ambiguous", "F NTH H")]),
    ("word_reachability", reading_rules.EvidenceRule.ASK, FRANCE, ["F Spa sc - Med"], [("ask", None)]),
    ("word_reachability", reading_rules.EvidenceRule.LISTED, FRANCE, ["F Spa sc - Med"], [("ambiguous", "F SPA/SC H")]),
    ("word_unsettled", reading_rules.UnfollowedOrder.ASK, GERMANY, ["F Nth - Nor"], [("ask", None)]),
    ("prefix", reading_rules.Followed.ASK, GERMANY, ["A Mun - Bohe"], [("ask", None)]),
    ("prefix", reading_rules.Followed.FAILS, GERMANY, ["A Mun - Bohe"], [("ambiguous", "A MUN H")]),
    ("misspelt", reading_rules.Misspelt.ASK, GERMANY, ["A Mun - Bohemai"], [("ask", None)]),
    ("misspelt", reading_rules.Misspelt.FAILS, GERMANY, ["A Mun - Bohemai"], [("invalid", "A MUN H")]),
    (
        "illegible_reachability",
        reading_rules.EvidenceRule.IGNORED,
        GERMANY,
        ["A Mun - R?h"],
        [("clear", "A MUN - RUH")],
    ),
    ("illegible_unsettled", reading_rules.UnfollowedOrder.ASK, GERMANY, ["A Mun - B??"], [("ask", None)]),
    ("impossible", reading_rules.ImpossibleOrder.ASK, GERMANY, ["A Mun - Par"], [("ask", None)]),
    (
        "impossible",
        reading_rules.ImpossibleOrder.HOLD_UNSUPPORTED,
        GERMANY,
        ["A Mun - Par"],
        [("illegal", "A MUN - PAR")],
    ),
    ("impossible", reading_rules.ImpossibleOrder.TRIED_TO_MOVE, GERMANY, ["A Mun - Par"], [("illegal", "A MUN - PAR")]),
    ("meaningless", reading_rules.UnfollowedOrder.ASK, GERMANY, ["A Mun dances"], [("ask", None)]),
    ("letter_missing", reading_rules.Followed.FAILS, GERMANY, ["Mun - Ruh"], [("illegal", "A MUN H")]),
    ("letter_missing", reading_rules.Followed.ASK, GERMANY, ["Mun - Ruh"], [("ask", None)]),
    ("letter_wrong", reading_rules.Followed.FAILS, GERMANY, ["F Mun - Ruh"], [("illegal", "A MUN H")]),
    ("other_letter_wrong", reading_rules.Followed.FAILS, GERMANY, ["A Mun S F Hol - Ruh"], [("illegal", "A MUN H")]),
    ("nation_missing", reading_rules.Followed.FAILS, GERMANY, ["A Mun S A Tyr - Boh"], [("illegal", "A MUN H")]),
    ("nation_wrong", reading_rules.Followed.FAILS, GERMANY, ["A Mun S French A Tyr - Boh"], [("illegal", "A MUN H")]),
    ("coast_needed", reading_rules.CoastNeeded.ALWAYS, FRANCE, ["F Gas - Spa"], [("ambiguous", "F GAS H")]),
    ("coast_needed", reading_rules.CoastNeeded.ASK, FRANCE, ["F Mao - Spa"], [("ask", None)]),
    ("coast_needed", reading_rules.CoastNeeded.ASK, FRANCE, ["F Gas - Spa"], [("clear", "F GAS - SPA/NC")]),
    (
        "coast_needed_in_support",
        reading_rules.CoastNeeded.ALWAYS,
        FRANCE,
        ["F Mao S F Gas - Spa"],
        [("ambiguous", "F MAO H")],
    ),
    (
        "coast_needed_in_support",
        reading_rules.CoastNeeded.NEVER,
        FRANCE,
        ["F Gas S F Mao - Spa"],
        [("clear", "F GAS S F MAO - SPA")],
    ),
    ("coast_missing", reading_rules.UnfollowedOrder.ASK, FRANCE, ["F Mao - Spa"], [("ask", None)]),
    ("unit_coast_missing", reading_rules.Followed.FAILS, FRANCE, ["F Spa - Mar"], [("illegal", "F SPA/SC H")]),
    ("coast_wrong", reading_rules.CoastWritten.IGNORED, FRANCE, ["F Gas - Spa sc"], [("clear", "F GAS - SPA/NC")]),
    ("coast_wrong", reading_rules.CoastWritten.ASK, FRANCE, ["F Gas - Spa sc"], [("ask", None)]),
    ("unit_coast_wrong", reading_rules.CoastWritten.IGNORED, FRANCE, ["F Spa nc - Mar"], [("clear", "F SPA/SC - MAR")]),
    ("unit_coast_wrong", reading_rules.CoastWritten.FAILS, FRANCE, ["F Spa nc - Mar"], [("illegal", "F SPA/SC H")]),
    ("coast_needless", reading_rules.CoastWritten.FAILS, GERMANY, ["A Mun - Ruh nc"], [("illegal", "A MUN H")]),
    (
        "coast_in_support",
        reading_rules.SupportedCoast.EITHER_COAST,
        FRANCE,
        ["F Gas S F Mao - Spa nc"],
        [("clear", "F GAS S F MAO - SPA")],
    ),
    ("by_land", reading_rules.ByLand.ASK, GERMANY, ["A Hol - Bel"], [("ask", None)]),
    ("route", reading_rules.Route.ASK, GERMANY, ["A Hol - Nth - Bel"], [("clear", "A HOL - NTH - BEL")]),
]


@pytest.mark.parametrize("case", READING, ids=lambda case: f"{case[0]}={case[1]} {case[3][0]}")
def test_a_switch_of_reading(case: tuple[str, Any, Power, list[str], Outcome]) -> None:
    name, value, power, lines, expected = case
    numbered = [Line(number, text) for number, text in enumerate(lines, start=1)]

    found = interpret(numbered, power, MOVEMENT, under("reading", name, value))

    assert outcome(found) == expected


@pytest.mark.parametrize(
    ("name", "value", "text", "expected"),
    [
        ("retreat_invalid", reading_rules.LostRetreat.ASK, "A Boh - Mun", ("ask", None)),
        ("retreat_invalid", reading_rules.LostRetreat.DISBANDED, "A Boh - Mun", ("illegal", "A BOH D")),
        ("coast_needless", reading_rules.CoastWritten.FAILS, "A Boh - Sil nc", ("illegal", "A BOH D")),
        ("coast_needless", reading_rules.CoastWritten.ASK, "A Boh - Sil nc", ("ask", None)),
        ("coast_needless", reading_rules.CoastWritten.IGNORED, "A Boh - Sil nc", ("clear", "A BOH R SIL")),
    ],
)
def test_a_switch_of_retreats(name: str, value: Any, text: str, expected: tuple[str, str | None]) -> None:
    found = interpret([Line(1, text)], GERMANY, RETREATS, under("reading", name, value))

    assert outcome(found) == [expected]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (reading_rules.RetreatsWritten.ALWAYS, "A BOH D"),
        (reading_rules.RetreatsWritten.COULD_MEET, "A BOH D"),
        (reading_rules.RetreatsWritten.TWO_POWERS, None),
        (reading_rules.RetreatsWritten.ASK, None),
    ],
)
def test_where_a_retreat_need_not_be_written_nobody_is_disbanded_unasked(
    value: reading_rules.RetreatsWritten, expected: str | None
) -> None:
    found = interpret([], GERMANY, RETREATS, under("reading", "retreat_written", value))

    order = found.remarks[0].order
    assert (write(order) if order else None) == expected


@pytest.mark.parametrize(("places", "expected"), [((), None), (("BEL",), "A BOH D")])
def test_a_second_power_without_a_place_to_go_to_has_no_retreat(places: tuple[str, ...], expected: str | None) -> None:
    other = Dislodged(FRANCE, Unit(Kind.ARMY, "PIC"), "BRE", places)
    position = replace(RETREATS, dislodged=(*RETREATS.dislodged, other))
    rules = under("reading", "retreat_written", reading_rules.RetreatsWritten.TWO_POWERS)
    order = interpret([], GERMANY, position, rules).remarks[0].order
    assert (write(order) if order else None) == expected


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (reading_rules.Surplus.FIRST, ["A BER B", "A MUN B"]),
        (reading_rules.Surplus.BOTTOM_UP, ["A BER B", "A MUN B"]),
        (reading_rules.Surplus.LAST, ["A MUN B", "F KIE B"]),
        (reading_rules.Surplus.NONE, []),
        (reading_rules.Surplus.ASK, []),
    ],
)
def test_too_many_builds(value: reading_rules.Surplus, kept: list[str]) -> None:
    lines = [Line(1, "A Ber B"), Line(2, "A Mun B, F Kie B")]

    found = interpret(lines, GERMANY, WINTER, under("adjustments", "too_many_builds", value))

    assert [write(order) for order in found.orders] == kept
    assert is_asked_about(found) is (value is reading_rules.Surplus.ASK)


@pytest.mark.parametrize("value", reading_rules.Surplus)
def test_a_waiver_that_is_one_too_many_is_asked_whatever_becomes_of_builds(value: reading_rules.Surplus) -> None:
    lines = [Line(1, "A Ber B"), Line(2, "waive"), Line(3, "A Mun B")]

    found = interpret(lines, GERMANY, WINTER, under("adjustments", "too_many_builds", value))

    assert found.orders == ()
    assert is_asked_about(found)


@pytest.mark.parametrize(
    ("name", "value", "text", "expected"),
    [
        ("build_invalid", reading_rules.NoBuild.ASK, "A Par B", ("ask", None)),
        ("build_coast_missing", reading_rules.NoBuild.ASK, "A Ber B", ("clear", "A BER B")),
        ("build_letter", reading_rules.BuildLetter.ALWAYS, "Mun B", ("ambiguous", None)),
        ("build_letter", reading_rules.BuildLetter.ASK, "Mun B", ("ask", None)),
        ("build_letter", reading_rules.BuildLetter.COAST, "Mun B", ("clear", "A MUN B")),
        ("gains_and_losses", reading_rules.Balance.ASK, "A Hol D", ("ask", None)),
    ],
)
def test_a_switch_of_builds(name: str, value: Any, text: str, expected: tuple[str, str | None]) -> None:
    found = interpret([Line(1, text)], GERMANY, WINTER, under("adjustments", name, value))

    assert outcome(found) == [expected]


@pytest.mark.parametrize("letter_missing", reading_rules.Followed)
@pytest.mark.parametrize("build_letter", reading_rules.BuildLetter)
def test_a_build_without_a_letter_is_a_spelling_where_it_is_read(
    build_letter: reading_rules.BuildLetter, letter_missing: reading_rules.Followed
) -> None:
    rules = under("adjustments", "build_letter", build_letter)
    setting = replace(rules.reading.letter_missing, value=letter_missing)
    rules = replace(rules, reading=replace(rules.reading, letter_missing=setting))
    written = {text.upper() for each in spellings(GERMANY, WINTER, rules) if each.order for text in each.texts()}
    for line in ("Ber B", "Kie B", "Mun B", "B Ber", "B Kie", "B Mun"):
        [entry] = interpret([Line(1, line)], GERMANY, WINTER, rules).entries
        assert (line.upper() in written) is (entry.status is Status.CLEAR), line
    assert {"A BER B", "F BER B", "B A MUN"} <= written


@pytest.mark.parametrize(
    ("name", "value", "asks"),
    [("disband_missing", reading_rules.Removal.ASK, True), ("disband_missing", reading_rules.Removal.AUTOMATIC, False)],
)
def test_a_missing_disband(name: str, value: Any, asks: bool) -> None:
    found = interpret([], GERMANY, CROWDED, under("adjustments", name, value))

    assert is_asked_about(found) is asks
    assert [write(c.order) for c in found.remarks[0].candidates] == ["A HOL D", "A MUN D", "F KIE D", "F NTH D"]


def test_a_missing_build_may_be_asked() -> None:
    found = interpret([], GERMANY, WINTER, under("adjustments", "build_missing", reading_rules.NoBuild.ASK))

    assert is_asked_about(found)


@pytest.mark.parametrize(
    ("flag", "name", "value", "expected"),
    [
        ("struck_out", "struck_out", reading_rules.Followed.ASK, ("ask", None)),
        ("struck_out", "struck_out", reading_rules.Followed.FAILS, ("void", None)),
        ("struck_out", "struck_out", reading_rules.Followed.FOLLOWED, ("clear", "A MUN - RUH")),
        ("overwritten", "overwritten", reading_rules.Followed.ASK, ("ask", None)),
        ("overwritten", "overwritten", reading_rules.Followed.FAILS, ("ambiguous", "A MUN H")),
        ("overwritten", "overwritten", reading_rules.Followed.FOLLOWED, ("clear", "A MUN - RUH")),
    ],
)
def test_what_was_seen_on_the_paper(flag: str, name: str, value: Any, expected: tuple[str, str | None]) -> None:
    """Row 9: none of the five says a word about it."""
    line = Line(1, "A Mun - Ruh", struck_out=flag == "struck_out", overwritten=flag == "overwritten")

    found = interpret([line], GERMANY, MOVEMENT, under("reading", name, value))

    assert outcome(found) == [expected]


def test_every_switch_that_a_doubt_names_is_there() -> None:
    rules = tournament("weaselmoot").reading

    assert all(isinstance(getattr(rules, name), Setting) for name in SWITCHES.values())


@pytest.mark.parametrize("note", ["struck_out", "overwritten"])
@pytest.mark.parametrize(
    ("position", "text", "order"),
    [(MOVEMENT, "A to Boh", "A MUN - BOH"), (RETREATS, "R Gal", "A BOH R GAL"), (WINTER, "waive", "WAIVE")],
    ids=str,
)
def test_what_is_seen_on_a_line_counts_where_it_names_no_unit(
    position: Position, text: str, order: str, note: str
) -> None:
    line = Line(1, text, struck_out=note == "struck_out", overwritten=note == "overwritten")
    values = reading_rules.Followed.FOLLOWED, reading_rules.Followed.FAILS, "ask"
    found = []
    for value in values:
        base = under("reading", note, value)
        one_meaning = Setting(reading_rules.Unitless.ONE_MEANING, "X 2", path="reading.unitless")
        rules = replace(base, reading=replace(base.reading, unitless=one_meaning))
        found += outcome(interpret([line], GERMANY, position, rules))
    assert found == [("clear", order), ("void" if note == "struck_out" else "ambiguous", None), ("ask", None)]


def test_what_is_seen_on_one_of_two_lines_with_the_same_number_is_not_lost() -> None:
    lines = [Line(1, "A Mun - Ruh", struck_out=True), Line(1, "A Hol - Bel")]
    found = interpret(lines, GERMANY, MOVEMENT, under("reading", "struck_out", reading_rules.Followed.FAILS))
    assert outcome(found)[0] == ("void", None)
