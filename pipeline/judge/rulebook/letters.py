"""The choices by their numbers and letters in DATC chapter 4: what ``"4.A.2": "f"`` changes in a rulebook.

Choices that say how written lines are read, or how players behave, are known here too and change nothing: the judge is
given canonical orders (see ``interpret``).
"""

from collections.abc import Mapping
from typing import Any

from pipeline.judge.rulebook import choices as c

Changes = Mapping[str, Any]
NOTHING: Changes = {}

FAR_AND_STEPS: Mapping[str, Changes] = {
    "a": {"removal_far_from": c.FarFrom.HOME, "removal_steps": c.RemovalDistance.MOVES},
    "b": {"removal_far_from": c.FarFrom.COUNTRY, "removal_steps": c.RemovalDistance.REGIONS},
    "c": {"removal_far_from": c.FarFrom.OWNED, "removal_steps": c.RemovalDistance.REGIONS},
}


def convoyed(adjacent: c.AdjacentConvoy, fallback: c.LandFallback) -> Changes:
    """Put the two halves of choice 4.A.3 together."""
    return {"adjacent_convoy": adjacent, "land_fallback": fallback}


def which(field: str, *words: c.Several) -> Mapping[str, Changes]:
    """Letter the options of a choice between several orders."""
    return {letter: {field: word} for letter, word in zip("abc", words, strict=True)}


LETTERS: Mapping[str, Mapping[str, Changes]] = {
    "4.A.1": {"a": {"routes": c.Routes.ANY_BROKEN}, "b": {"routes": c.Routes.ALL_BROKEN}},
    "4.A.2": {
        "a": {"paradox": c.Paradox.RULE_1971},
        "b": {"paradox": c.Paradox.RULE_1982},
        "c": {"paradox": c.Paradox.RULE_2000},
        "d": {"paradox": c.Paradox.ALL_HOLD},
        "e": {"paradox": c.Paradox.VERHEIJDEN},
        "f": {"paradox": c.Paradox.SZYKMAN},
        "pandin": {"paradox": c.Paradox.PANDIN},
    },
    "4.A.3": {
        "a": convoyed(c.AdjacentConvoy.OPPOSED, c.LandFallback.ALWAYS),
        "b": convoyed(c.AdjacentConvoy.INTENT, c.LandFallback.NEVER),
        "c": convoyed(c.AdjacentConvoy.OWN_FLEET, c.LandFallback.NEVER),
        "c+fallback": convoyed(c.AdjacentConvoy.OWN_FLEET, c.LandFallback.UNORDERED),
        "c+full-fallback": convoyed(c.AdjacentConvoy.OWN_FLEET, c.LandFallback.ALWAYS),
        "d": convoyed(c.AdjacentConvoy.OWN_FLEET, c.LandFallback.NEVER),
        "DPTG": convoyed(c.AdjacentConvoy.TAGGED, c.LandFallback.NEVER),
    },
    "4.A.4": {"start": {"attack_from": c.AttackFrom.START}, "brannan": {"attack_from": c.AttackFrom.LAST_FLEET}},
    "4.A.5": {"a": {"retreat_to_convoyed_attacker": False}, "b": {"retreat_to_convoyed_attacker": True}},
    "4.A.6": {
        "a": {"named_route": c.NamedRoute.IGNORED},
        "b": {"named_route": c.NamedRoute.BINDING},
        "c": {"named_route": c.NamedRoute.REQUIRED},
    },
    "4.A.7": {"a": {"dislodged_still_bounces": False}, "b": {"dislodged_still_bounces": True}},
    "4.B.1": {
        "fails": {"missing_coast": c.MissingCoast.FAILS},
        "default-coast": {"missing_coast": c.MissingCoast.DEFAULT},
    },
    "4.B.2": {"a": {"only_coast_omitted": c.Garbled.IGNORED}, "b": {"only_coast_omitted": c.Garbled.ILLEGAL}},
    "4.B.3": {"a": {"impossible_coast": c.Garbled.IGNORED}, "b": {"impossible_coast": c.Garbled.ILLEGAL}},
    "4.B.4": {
        "a": {"support_coast": c.SupportCoast.ILLEGAL},
        "b": {"support_coast": c.SupportCoast.OWN_ONLY},
        "c": {"support_coast": c.SupportCoast.ANY},
    },
    "4.B.5": {"a": {"wrong_unit_coast": c.Garbled.ILLEGAL}, "b": {"wrong_unit_coast": c.Garbled.IGNORED}},
    "4.B.6": {"a": {"irrelevant_coast": c.Garbled.ILLEGAL}, "b": {"irrelevant_coast": c.Garbled.IGNORED}},
    "4.B.7": {"fails": NOTHING},
    "4.C.1": {"a": NOTHING, "b": NOTHING},  # canonical orders have their letter
    "4.C.2": {"a": {"wrong_letter": c.Garbled.ILLEGAL}, "b": {"wrong_letter": c.Garbled.IGNORED}},
    "4.C.3": {"inland-ok": NOTHING},
    "4.C.4": {"a": {"inland_fleet_is_army": False}, "b": {"inland_fleet_is_army": True}},
    "4.C.5": {"a": NOTHING, "b": NOTHING},  # canonical orders name no nationality
    "4.C.6": {"a": NOTHING, "b": NOTHING},
    "4.D.1": dict.fromkeys("abcd", NOTHING),
    "4.D.2": dict.fromkeys("ab", NOTHING),
    "4.D.3": which("several_orders", c.Several.FIRST, c.Several.LAST, c.Several.NONE),
    "4.D.4": which("too_many_builds", c.Several.NONE, c.Several.FIRST, c.Several.LAST),
    "4.D.5": which("two_builds_in_one_place", c.Several.NONE, c.Several.FIRST, c.Several.LAST),
    "4.D.6": which("too_many_removals", c.Several.NONE, c.Several.FIRST, c.Several.LAST),
    "4.D.7": {"a": {"waiving": True}, "b": {"waiving": False}},
    "4.D.8": FAR_AND_STEPS,
    "4.D.9": {"a": {"disorder_supported": False}, "b": {"disorder_supported": True}},
    "4.E.1": {
        "ignored": {"impossible_orders": c.Impossible.IGNORED},
        "hold": {"impossible_orders": c.Impossible.HOLD},
        "impossible-is-move": {"impossible_orders": c.Impossible.MOVE},
        "unsupported": {"impossible_orders": c.Impossible.UNSUPPORTED},
    },
    "4.E.2": {"v3.2": NOTHING},
    "4.E.3": {"a": NOTHING, "b": NOTHING},
    "4.E.4": {"a": NOTHING, "b": NOTHING},
    "4.E.5": dict.fromkeys("abc", NOTHING),
    "4.E.6": {"remove": NOTHING, "next-winter": NOTHING},
}
