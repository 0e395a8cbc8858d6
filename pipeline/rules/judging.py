"""Put a tournament's rulebook for the judge together: an edition, the table ``[judge]``, and what other tables imply.

Some questions are asked of a line on paper and of a canonical order alike. They are answered once, in ``[reading]`` or
``[adjustments]``, and the judge is told from there; where the answer is to ask the director, the edition stands.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.board.standard import standard_map
from pipeline.judge.rulebook.rulebook import Rulebook, rulebook
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.conduct_rules import ConductRules, Late, MissingSheetRule
from pipeline.rules.event_rules import JudgeRules
from pipeline.rules.reading_rules import (
    AdjustmentRules,
    ByLand,
    ImpossibleOrder,
    ReadingRules,
    Route,
    Surplus,
    Twice,
)
from pipeline.rules.words.abbreviations import Abbreviations

TABLE = "table"  # judge.removal_list: the order of the abbreviation table

BY_LAND = {ByLand.LAND: "tagged", ByLand.OWN_FLEET: "own-fleet", ByLand.ANY_FLEET: "any"}
ROUTE = {Route.BINDS: "binding", Route.IGNORED: "ignored"}
IMPOSSIBLE = {
    ImpossibleOrder.HOLD: "hold",
    ImpossibleOrder.HOLD_UNSUPPORTED: "unsupported",
    ImpossibleOrder.TRIED_TO_MOVE: "move",
}
SURPLUS = {Surplus.FIRST: "first", Surplus.BOTTOM_UP: "bottom-up", Surplus.LAST: "last", Surplus.NONE: "none"}
DISLODGED = {MissingSheetRule.ALL_HOLD: True, MissingSheetRule.CIVIL_DISORDER: False}
TWICE = {Twice.HOLD: "none", Twice.FIRST: "first", Twice.LAST: "last"}
IMPLIED = {
    "several_orders": "reading.twice_different",
    "adjacent_convoy": "reading.by_land",
    "named_route": "reading.route",
    "impossible_orders": "reading.impossible",
    "too_many_builds": "adjustments.too_many_builds",
    "too_many_removals": "adjustments.too_many_disbands",
    "imposed_builds": "adjustments.first_year_builds",
    "disorder_retreats": "conduct.missing_sheet",
}
# What a field of the judge's rulebook is about: the rows of the catalogue of situations, and the question.
ABOUT = {
    "disorder_supported": ("2", "may the units of a power that gave no orders be supported?"),
    "own_fleets_first": ("17", "does an own convoy shut out those that others offer?"),
    "paradox": ("18", "a convoyed army decides over its own convoy"),
    "paradox_backup": ("18", "the same, where the rule for it has no answer"),
    "routes": ("19", "a convoy has several routes and one is broken"),
    "convoy_against_own": ("20", "may a fleet carry an attack that dislodges its owner's own unit?"),
    "attack_from": ("21", "where does the attack of a convoyed army come from?"),
    "retreat_to_convoyed_attacker": ("21", "may a unit retreat to where its attacker came from by convoy?"),
    "removal_far_from": ("25", "a disband is missing: farthest from what?"),
    "removal_steps": ("25", "a disband is missing: how is the distance counted?"),
    "removal_spares_centres": ("25", "a disband is missing: do units off centres go first?"),
    "removal_list": ("25", "a disband is missing: which order of provinces settles the rest?"),
}
OTHERWISE = ("12, 16-25", "where does this tournament differ from its rulebook?")


def implied(reading: ReadingRules, adjustments: AdjustmentRules, conduct: ConductRules) -> dict[str, Any]:
    """What the switches for written lines say about canonical orders."""
    found: dict[str, Any] = {
        "several_orders": TWICE.get(reading.twice_different.value),
        "adjacent_convoy": BY_LAND.get(reading.by_land.value),
        "named_route": ROUTE.get(reading.route.value),
        "impossible_orders": IMPOSSIBLE.get(reading.impossible.value),
        "too_many_builds": SURPLUS.get(adjustments.too_many_builds.value),
        "too_many_removals": SURPLUS.get(adjustments.too_many_disbands.value),
        "imposed_builds": adjustments.first_year_builds.value,
        "disorder_retreats": DISLODGED.get(conduct.missing_sheet.value),
    }
    return {field: value for field, value in found.items() if value is not None}


def check_disorder(conduct: ConductRules, where: str, problems: list[Problem]) -> None:
    """The judge sees that a power ordered nothing, and not why: a refused late sheet is treated as a missing one is."""
    for name in ("late_first", "late_again", "late_after_reading_began"):
        late: Late = getattr(conduct, name).value
        disorder = conduct.missing_sheet.value is MissingSheetRule.CIVIL_DISORDER
        if late is (Late.ALL_HOLD if disorder else Late.CIVIL_DISORDER) and conduct.missing_sheet.value in DISLODGED:
            text = f"{late} here and {conduct.missing_sheet.value} in missing_sheet; the judge cannot tell them apart"
            problems.append(Problem(Weight.STOPS, text, f"{where}.{name}"))


def make_rulebook(
    judge: JudgeRules, others: Mapping[str, Any], abbreviations: Abbreviations, where: str, problems: list[Problem]
) -> Rulebook:
    """Make the judge's rulebook; ``others`` is what `implied` found. Faults are added to ``problems``."""
    settings: dict[str, Any] = {"edition": judge.edition.value or "datc", **others}
    for field, setting in judge.choices.items():
        if field in IMPLIED:
            text = f"this is answered by {IMPLIED[field]}; take it out here"
            problems.append(Problem(Weight.STOPS, text, f"{where}.{field}"))
        elif setting.value is not None:
            settings[field] = setting.value
    if settings.get("removal_list") == TABLE:
        settings["removal_list"] = [code for code in abbreviations.order if code in standard_map().provinces]
    try:
        return rulebook(settings, where)
    except Stopped as stopped:
        problems.extend(stopped.problems)
        return Rulebook()
