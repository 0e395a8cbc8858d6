"""What each tournament makes of a late, missing, double or faulty sheet: the rows of the catalogue, one by one."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from pipeline.rules.conduct import (
    FOREIGN_SHEET,
    JOINT_ORDERS,
    PROXY_ORDERS,
    UNSIGNED,
    Correction,
    Effect,
    ErrorFound,
    ErrorLater,
    ErrorLimit,
    FaultOfForm,
    Late,
    LateSheet,
    MissingSheet,
    Scope,
    SheetCase,
    TwoSheets,
    decide_conduct,
    decide_error,
)
from pipeline.rules.load import load_tournament

FIVE = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
NEVER_BEFORE = LateSheet(earlier_in_game=0, earlier_in_tournament=0, reading_began=False)
IN_ANOTHER_GAME = LateSheet(earlier_in_game=0, earlier_in_tournament=1, reading_began=False)
IN_THIS_GAME = LateSheet(earlier_in_game=1, earlier_in_tournament=1, reading_began=False)
WHILE_READING = LateSheet(earlier_in_game=0, earlier_in_tournament=0, reading_began=True)
DEMANDED = LateSheet(earlier_in_game=0, earlier_in_tournament=0, reading_began=False, demanded=True)

# situation, then NZ99, WM, EDC23, EDC96, WDC08
EFFECTS: list[tuple[SheetCase, str]] = [
    (NEVER_BEFORE, "accepted | accepted | accepted | accepted | no orders"),
    (IN_ANOTHER_GAME, "no orders | accepted | accepted | ask | no orders"),
    (IN_THIS_GAME, "no orders | no orders | accepted | no orders | no orders"),
    (WHILE_READING, "no orders | ask | accepted | ask | no orders"),
    (DEMANDED, "accepted | accepted | no orders | accepted | no orders"),
    (MissingSheet(), "waits | waits | waits | waits | waits"),
    (TwoSheets(resubmitted=False), "ask | ask | both, unit by unit | ask | first sheet"),
    (TwoSheets(resubmitted=True), "ask | ask | both, unit by unit | ask | first sheet"),
    (FaultOfForm.header_incomplete(("season",)), "ask | ask | ask | ask | ask"),
    (UNSIGNED, "ask | ask | ask | ask | ask"),
    (FOREIGN_SHEET, "ask | ask | ask | ask | ask"),
    (FaultOfForm.wrong_season("Fall 1902"), "ask | ask | ask | ask | ask"),
    (JOINT_ORDERS, "accepted | ask | ask | ask | ask"),
    (PROXY_ORDERS, "no orders | ask | ask | ask | ask"),
]


@pytest.mark.parametrize(("sheet", "expected"), EFFECTS, ids=lambda case: str(case)[:60])
def test_each_tournament_decides_a_sheet_in_its_own_way(sheet: SheetCase, expected: str) -> None:
    found = [decide_conduct(sheet, load_tournament(name).conduct).effect for name in FIVE]

    assert [str(effect) for effect in found] == expected.split(" | ")


def test_nz99_gives_one_warning_for_the_whole_tournament_then_civil_disorder() -> None:
    rules = load_tournament("nzdc1999").conduct
    first, later = decide_conduct(NEVER_BEFORE, rules), decide_conduct(IN_ANOTHER_GAME, rules)

    assert (first.points, first.rule) == (Fraction(0), "NZ99 9")
    assert first.reason == "late for the first time: they are accepted, with a warning"
    assert (later.effect, later.rule) == (Effect.NO_ORDERS, "NZ99 9, rulebook 1982 XIV")
    assert later.reason == (
        "late again: they are refused: all units hold, and may be supported; those that are dislodged are disbanded"
    )


@pytest.mark.parametrize(
    ("name", "retreats"),
    [("nzdc1999", False), ("weaselmoot", True), ("edc2023", True), ("edc1996", True), ("wdc2008", True)],
)
def test_only_nz99_disbands_what_is_dislodged_of_a_power_without_orders(name: str, retreats: bool) -> None:
    """NZ99 9 names the rulebook's civil disorder; WDC08 11.2 lets the player take part again in the retreats."""
    assert load_tournament(name).rulebook.disorder_retreats is retreats


def test_edc23_takes_a_point_for_every_late_sheet_accepted_or_not() -> None:
    rules = load_tournament("edc2023").conduct

    assert [decide_conduct(sheet, rules).points for sheet in (NEVER_BEFORE, IN_THIS_GAME, DEMANDED)] == [
        Fraction(-1)
    ] * 3
    assert [decide_conduct(sheet, rules).reason for sheet in (NEVER_BEFORE, IN_THIS_GAME, DEMANDED)] == [
        "late for the first time, which costs 1 point (EDC23 D4): they are accepted, for the referee had not demanded "
        "them at once",
        "late again, which costs 1 point, and with the earlier ones 2 points (EDC23 D4): they are accepted, for the "
        "referee had not demanded them at once",
        "late for the first time, which costs 1 point (EDC23 D4): they had been demanded at once, and are refused: all "
        "units hold, and may be supported",
    ]


@pytest.mark.parametrize(
    ("points", "left_open", "taken"),
    [(Fraction(-2), False, Fraction(-2)), (None, False, Fraction(0)), (None, True, None)],
)
@pytest.mark.parametrize("name", FIVE)
def test_a_late_sheet_costs_what_is_written_and_only_where_that_is_left_open_the_director_rules(
    name: str, points: Fraction | None, left_open: bool, taken: Fraction | None
) -> None:
    rules = load_tournament(name).conduct
    priced = replace(rules, late_points=replace(rules.late_points, value=points, left_open=left_open))

    for sheet in (NEVER_BEFORE, IN_ANOTHER_GAME, IN_THIS_GAME, WHILE_READING, DEMANDED):
        assert decide_conduct(sheet, priced).points == taken


def test_where_first_and_later_sheets_are_treated_alike_a_later_one_is_not_called_the_first() -> None:
    rules = load_tournament("edc1996").conduct
    assert decide_conduct(IN_ANOTHER_GAME, rules).reason == "late, and what earlier late sheets count for is not said"
    alike = replace(rules, late_again=replace(rules.late_first, path="conduct.late_again"))
    reasons = [decide_conduct(sheet, alike).reason for sheet in (NEVER_BEFORE, IN_ANOTHER_GAME, IN_THIS_GAME)]

    assert [reason.partition(":")[0] for reason in reasons] == [
        "late for the first time",
        "late again in the tournament",
        "late again",
    ]


@pytest.mark.parametrize("name", FIVE)
def test_a_missing_sheet_is_no_orders_only_after_a_person_said_so(name: str) -> None:
    reason = decide_conduct(MissingSheet(), load_tournament(name).conduct).reason
    assert reason == "look for it, then confirm that there is none"


def test_a_silent_rule_is_quoted_as_silent_and_a_discretion_by_its_number() -> None:
    assert decide_conduct(UNSIGNED, load_tournament("weaselmoot").conduct).rule == ""
    assert decide_conduct(UNSIGNED, load_tournament("nzdc1999").conduct).rule == "NZ99 10"


MOMENTS = ("orders_in", "deadline_passed", "adjudicated")
PAST = {ErrorLimit.NEXT_ORDERS: 0, ErrorLimit.NEXT_DEADLINE: 1, ErrorLimit.NEXT_ADJUDICATION: 2}


@pytest.mark.parametrize(("limit", "later"), list(product(ErrorLimit, ErrorLater)))
def test_an_error_is_corrected_until_its_moment_or_a_later_one(limit: ErrorLimit, later: ErrorLater) -> None:
    rules = load_tournament("weaselmoot").conduct
    rules = replace(rules, error_limit=replace(rules.error_limit, value=limit))
    rules = replace(rules, error_later=replace(rules.error_later, value=later))
    for passed in product((False, True), repeat=3):
        found = decide_error(ErrorFound(**dict(zip(MOMENTS, passed, strict=True))), rules)
        if limit is ErrorLimit.ASK or not any(passed[PAST[limit] :]):
            asks = limit is ErrorLimit.ASK
            assert found == (Correction.ASK if asks else Correction.CORRECTED, rules.error_limit)
        else:
            stands = later is ErrorLater.STANDS
            assert found == (Correction.STANDS if stands else Correction.ASK, rules.error_later)


ORDERS = {Late.ASK: Effect.ASK, Late.ALL_HOLD: Effect.NO_ORDERS, Late.CIVIL_DISORDER: Effect.NO_ORDERS}


@pytest.mark.parametrize(("again", "counted"), list(product(Late, Scope)))
def test_a_late_sheet_is_as_the_first_or_as_a_later_one_by_what_is_counted(again: Late, counted: Scope) -> None:
    rules = load_tournament("edc1996").conduct
    rules = replace(rules, late_first=replace(rules.late_first, value=Late.WARNED))
    rules = replace(rules, late_again=replace(rules.late_again, value=again))
    rules = replace(rules, late_counted=replace(rules.late_counted, value=counted))
    later = Effect.NO_ORDERS if again is Late.UNTIL_DEMANDED else ORDERS.get(again, Effect.ACCEPTED)
    elsewhere = {Scope.GAME: Effect.ACCEPTED, Scope.TOURNAMENT: later, Scope.ASK: Effect.ASK}[counted]
    if again is Late.WARNED:
        elsewhere = Effect.ACCEPTED  # both are alike
    for sheet, effect in ((NEVER_BEFORE, Effect.ACCEPTED), (IN_ANOTHER_GAME, elsewhere), (IN_THIS_GAME, later)):
        assert decide_conduct(replace(sheet, demanded=True), rules).effect is effect
