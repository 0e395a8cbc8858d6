"""The rulebook of a phase: one field for each open question of DATC chapter 4, with the editions as presets."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from pipeline.problems import Problem, Stopped, Weight
from pipeline.words.speech import Choice

# The choices a rulebook or a tournament can make: one small set of words for each open question (DATC chapter 4).
#
# A word is what a tournament writes in its file; a letter is what the test cases call it.


class Routes(Choice):
    """When a convoy that has several routes is disrupted (DATC 4.A.1)."""

    ANY_BROKEN = "any-broken", "as soon as one route is broken (1971)"  # a
    ALL_BROKEN = "all-broken", "only when no route is left (1982 and later)"  # b


class Paradox(Choice):
    """What happens where a convoyed army decides over its own convoy (DATC 4.A.2)."""

    RULE_1971 = (
        "1971",
        "the army cuts no fleet's support of a fleet that attacks a fleet which convoys it",
    )  # a
    RULE_1982 = "1982", "the army cuts no fleet's support into a sea where a fleet convoys"  # b
    RULE_2000 = (
        "2000",
        "the army cuts no support of an attack on a fleet that its convoy cannot do without",
    )  # c
    ALL_HOLD = "all-hold", "every move in the paradox fails"  # d
    VERHEIJDEN = "verheijden", "a convoyed attack has no effect on its own convoying fleets"  # e
    SZYKMAN = "szykman", "Szykman's rule: the convoying fleets in the paradox do not convoy"  # f
    PANDIN = "pandin", "the convoy fails, and the fleet is not dislodged either (NZ99 14)"


class AdjacentConvoy(StrEnum):
    """When an army that could walk goes by sea (DATC 4.A.3)."""

    OPPOSED = "opposed"  # a: only to swap with the unit it attacks, and only if the convoy stands (1971)
    INTENT = "intent"  # b: if the whole of the owner's orders shows it (1982)
    OWN_FLEET = "own-fleet"  # c, d: an own fleet convoys it, or the order says so (2000, 2023)
    TAGGED = "tagged"  # only if the order says so (Diplomacy Player's Technical Guide; WM VI.1.b, EDC96 9, WDC08 12.5)
    ANY = "any"  # NZ99 14: an unwanted convoy cannot be refused: the army can be kidnapped


class LandFallback(Choice):
    """When an army that meant to go by sea to a neighbour walks instead (DATC 4.A.3)."""

    NEVER = "never", "never: it stays where it is"
    UNORDERED = "unordered", "if no convoy was ordered for it"
    ALWAYS = "always", "also if the convoy was ordered and disrupted"


class AttackFrom(Choice):
    """Where the attack of a convoyed army comes from (DATC 4.A.4)."""

    START = "start", "the army's province (Calhamer)"
    LAST_FLEET = "last-fleet", "the sea that it lands from (Brannan)"


class NamedRoute(StrEnum):
    """What a route written in the army's order means (DATC 4.A.6)."""

    IGNORED = "ignored"  # a
    BINDING = "binding"  # b: that route or none (WDC08 12.5, NZ99 14)
    REQUIRED = "required"  # c: a convoyed move without a route fails


class MissingCoast(Choice):
    """A fleet ordered to a province where it could reach two coasts, with none named (DATC 4.B.1)."""

    FAILS = "fails", "the move fails"
    DEFAULT = "default", "the coast in the north, or the east, is meant"


class SupportCoast(Choice):
    """A support without a coast, for a fleet that could reach two (DATC 4.B.4)."""

    ILLEGAL = "illegal", "it supports nothing"  # a
    OWN_ONLY = "own-only", "it is good for a unit of the same power (Calhamer)"  # b
    ANY = "any", "it is good for either coast"  # c


class Garbled(Choice):
    """A detail of an order that is wrong and not needed (DATC 4.B.2, 4.B.3, 4.B.5, 4.B.6, 4.C.2)."""

    IGNORED = "ignored", "it is overlooked, and the order is followed"
    ILLEGAL = "illegal", "the order is not followed"


T = TypeVar("T")


class Several(Choice):
    """Which of several orders that exclude each other counts (DATC 4.D.3, 4.D.4, 4.D.5, 4.D.6)."""

    NONE = "none", "none of them"
    FIRST = "first", "the first"
    LAST = "last", "the last"  # EDC23 R6
    BOTTOM_UP = "bottom-up", "the first: the excess is taken back from the bottom of the sheet upwards"  # WM VII.3.d

    def pick(self, orders: Sequence[T]) -> T | None:
        """Pick the one that counts of orders that exclude each other."""
        if self is Several.NONE:
            return None
        return orders[-1] if self is Several.LAST else orders[0]


class FarFrom(Choice):
    """From what the unit that is removed stands farthest (DATC 4.D.8)."""

    HOME = "home", "the nearest home supply centre"  # a; 1971, 1982; WDC08 12.3
    COUNTRY = "country", "the home country, its other provinces included"  # b; 2000
    OWNED = "owned", "the nearest owned supply centre"  # c; 2023; WM VII.1.b, EDC23 R7


class RemovalDistance(Choice):
    """How the distance of a removal is counted (DATC 4.D.8)."""

    MOVES = "moves", "as the unit moves: fleets by sea and coast, armies over land and over water"
    REGIONS = "regions", "provinces that touch, whatever they are"  # 2023; EDC23 R7


class Impossible(StrEnum):
    """What becomes of a unit whose order is impossible (DATC 4.E.1)."""

    IGNORED = "ignored"  # the order is as if not written: another one counts, else the unit holds
    HOLD = "hold"  # the unit holds, and that was its order (2023)
    MOVE = "move"  # it stays, but an impossible move still denies it support to hold (old practice)
    UNSUPPORTED = "unsupported"  # it stays, and may not be supported to hold (NZ99 16)


class MissingFleet(Choice):
    """An army ordered over water where no fleets lie that could carry it (DATC 4.E.1)."""

    ILLEGAL = "illegal", "its order is impossible"
    MOVE = "move", "it tried to move, and may not be supported to hold"


# The choices by their numbers and letters in DATC chapter 4: what ``"4.A.2": "f"`` changes in a rulebook.
#
# Choices that say how written lines are read, or how players behave, are known here too and change nothing: the judge
# is given canonical orders (see ``interpret``).

Changes = Mapping[str, Any]
NOTHING: Changes = {}

FAR_AND_STEPS: Mapping[str, Changes] = {
    "a": {"removal_far_from": FarFrom.HOME, "removal_steps": RemovalDistance.MOVES},
    "b": {"removal_far_from": FarFrom.COUNTRY, "removal_steps": RemovalDistance.REGIONS},
    "c": {"removal_far_from": FarFrom.OWNED, "removal_steps": RemovalDistance.REGIONS},
}


def _adjacent_convoy_changes(adjacent: AdjacentConvoy, fallback: LandFallback) -> Changes:
    """Put the two halves of choice 4.A.3 together."""
    return {"adjacent_convoy": adjacent, "land_fallback": fallback}


def _letter_options(field: str, *words: Several) -> Mapping[str, Changes]:
    """Letter the options of a choice between several orders."""
    return {letter: {field: word} for letter, word in zip("abc", words, strict=True)}


LETTERS: Mapping[str, Mapping[str, Changes]] = {
    "4.A.1": {"a": {"routes": Routes.ANY_BROKEN}, "b": {"routes": Routes.ALL_BROKEN}},
    "4.A.2": {
        "a": {"paradox": Paradox.RULE_1971},
        "b": {"paradox": Paradox.RULE_1982},
        "c": {"paradox": Paradox.RULE_2000},
        "d": {"paradox": Paradox.ALL_HOLD},
        "e": {"paradox": Paradox.VERHEIJDEN},
        "f": {"paradox": Paradox.SZYKMAN},
        "pandin": {"paradox": Paradox.PANDIN},
    },
    "4.A.3": {
        "a": _adjacent_convoy_changes(AdjacentConvoy.OPPOSED, LandFallback.ALWAYS),
        "b": _adjacent_convoy_changes(AdjacentConvoy.INTENT, LandFallback.NEVER),
        "c": _adjacent_convoy_changes(AdjacentConvoy.OWN_FLEET, LandFallback.NEVER),
        "c+fallback": _adjacent_convoy_changes(AdjacentConvoy.OWN_FLEET, LandFallback.UNORDERED),
        "c+full-fallback": _adjacent_convoy_changes(AdjacentConvoy.OWN_FLEET, LandFallback.ALWAYS),
        "d": _adjacent_convoy_changes(AdjacentConvoy.OWN_FLEET, LandFallback.NEVER),
        "DPTG": _adjacent_convoy_changes(AdjacentConvoy.TAGGED, LandFallback.NEVER),
    },
    "4.A.4": {"start": {"attack_from": AttackFrom.START}, "brannan": {"attack_from": AttackFrom.LAST_FLEET}},
    "4.A.5": {"a": {"retreat_to_convoyed_attacker": False}, "b": {"retreat_to_convoyed_attacker": True}},
    "4.A.6": {
        "a": {"named_route": NamedRoute.IGNORED},
        "b": {"named_route": NamedRoute.BINDING},
        "c": {"named_route": NamedRoute.REQUIRED},
    },
    "4.A.7": {"a": {"dislodged_still_bounces": False}, "b": {"dislodged_still_bounces": True}},
    "4.B.1": {
        "fails": {"missing_coast": MissingCoast.FAILS},
        "default-coast": {"missing_coast": MissingCoast.DEFAULT},
    },
    "4.B.2": {"a": {"only_coast_omitted": Garbled.IGNORED}, "b": {"only_coast_omitted": Garbled.ILLEGAL}},
    "4.B.3": {"a": {"impossible_coast": Garbled.IGNORED}, "b": {"impossible_coast": Garbled.ILLEGAL}},
    "4.B.4": {
        "a": {"support_coast": SupportCoast.ILLEGAL},
        "b": {"support_coast": SupportCoast.OWN_ONLY},
        "c": {"support_coast": SupportCoast.ANY},
    },
    "4.B.5": {"a": {"wrong_unit_coast": Garbled.ILLEGAL}, "b": {"wrong_unit_coast": Garbled.IGNORED}},
    "4.B.6": {"a": {"irrelevant_coast": Garbled.ILLEGAL}, "b": {"irrelevant_coast": Garbled.IGNORED}},
    "4.B.7": {"fails": NOTHING},
    "4.C.1": {"a": NOTHING, "b": NOTHING},  # canonical orders have their letter
    "4.C.2": {"a": {"wrong_letter": Garbled.ILLEGAL}, "b": {"wrong_letter": Garbled.IGNORED}},
    "4.C.3": {"inland-ok": NOTHING},
    "4.C.4": {"a": {"inland_fleet_is_army": False}, "b": {"inland_fleet_is_army": True}},
    "4.C.5": {"a": NOTHING, "b": NOTHING},  # canonical orders name no nationality
    "4.C.6": {"a": NOTHING, "b": NOTHING},
    "4.D.1": dict.fromkeys("abcd", NOTHING),
    "4.D.2": dict.fromkeys("ab", NOTHING),
    "4.D.3": _letter_options("several_orders", Several.FIRST, Several.LAST, Several.NONE),
    "4.D.4": _letter_options("too_many_builds", Several.NONE, Several.FIRST, Several.LAST),
    "4.D.5": _letter_options("two_builds_in_one_place", Several.NONE, Several.FIRST, Several.LAST),
    "4.D.6": _letter_options("too_many_removals", Several.NONE, Several.FIRST, Several.LAST),
    "4.D.7": {"a": {"waiving": True}, "b": {"waiving": False}},
    "4.D.8": FAR_AND_STEPS,
    "4.D.9": {"a": {"disorder_supported": False}, "b": {"disorder_supported": True}},
    "4.E.1": {
        "ignored": {"impossible_orders": Impossible.IGNORED},
        "hold": {"impossible_orders": Impossible.HOLD},
        "impossible-is-move": {"impossible_orders": Impossible.MOVE},
        "unsupported": {"impossible_orders": Impossible.UNSUPPORTED},
    },
    "4.E.2": {"v3.2": NOTHING},
    "4.E.3": {"a": NOTHING, "b": NOTHING},
    "4.E.4": {"a": NOTHING, "b": NOTHING},
    "4.E.5": dict.fromkeys("abc", NOTHING),
    "4.E.6": {"remove": NOTHING, "next-winter": NOTHING},
}


class Rulebook(Struct, frozen=True, kw_only=True):
    """Every choice of one tournament. The defaults are those preferred by DATC 3.2."""

    routes: Routes = Routes.ALL_BROKEN  # 4.A.1
    paradox: Paradox = Paradox.SZYKMAN  # 4.A.2
    paradox_backup: Paradox = Paradox.SZYKMAN  # where the rule above has no answer: all-hold, szykman or pandin
    adjacent_convoy: AdjacentConvoy = AdjacentConvoy.OWN_FLEET  # 4.A.3
    land_fallback: LandFallback = LandFallback.NEVER  # 4.A.3
    attack_from: AttackFrom = AttackFrom.START  # 4.A.4
    retreat_to_convoyed_attacker: bool = True  # 4.A.5 b; WM VI.1.c
    named_route: NamedRoute = NamedRoute.IGNORED  # 4.A.6; WDC08 12.5
    convoy_against_own: bool = True  # 6.D.16; False: a fleet's convoy does not dislodge its owner's unit (NZ99 14)
    own_fleets_first: bool = False  # a route of own fleets shuts out all others (WM VI.1.a)
    dislodged_still_bounces: bool = True  # 4.A.7 b: unless it lost a head-to-head battle
    missing_coast: MissingCoast = MissingCoast.FAILS  # 4.B.1
    only_coast_omitted: Garbled = Garbled.IGNORED  # 4.B.2
    impossible_coast: Garbled = Garbled.ILLEGAL  # 4.B.3
    support_coast: SupportCoast = SupportCoast.ANY  # 4.B.4
    wrong_unit_coast: Garbled = Garbled.IGNORED  # 4.B.5
    irrelevant_coast: Garbled = Garbled.IGNORED  # 4.B.6
    wrong_letter: Garbled = Garbled.IGNORED  # 4.C.2
    inland_fleet_is_army: bool = False  # 4.C.4
    several_orders: Several = Several.FIRST  # 4.D.3
    too_many_builds: Several = Several.FIRST  # 4.D.4; EDC23 R6 last, WM VII.3.d bottom-up
    two_builds_in_one_place: Several = Several.FIRST  # 4.D.5
    too_many_removals: Several = Several.FIRST  # 4.D.6
    waiving: bool = True  # 4.D.7
    removal_far_from: FarFrom = FarFrom.OWNED  # 4.D.8
    removal_steps: RemovalDistance = RemovalDistance.REGIONS  # 4.D.8
    removal_spares_centres: bool = False  # of units equally far, those on no centre go first (WDC08 12.3)
    removal_list: tuple[str, ...] = ()  # provinces in the order that breaks remaining ties; empty: by English names
    unconvoyed_army_holds: bool = False  # an army that no fleet was ordered to carry; False: it tried to move
    disorder_supported: bool = True  # 4.D.9: units of a power that ordered nothing may be supported to hold
    disorder_retreats: bool = True  # False: they are disbanded if they are dislodged (rulebooks, Civil Disorder)
    impossible_orders: Impossible = Impossible.IGNORED  # 4.E.1
    superfluous_convoy_is_illegal: bool = True  # 4.E.1
    missing_fleet: MissingFleet = MissingFleet.ILLEGAL  # 4.E.1
    imposed_builds: int = 0  # imposed by the referee in the first winter if too few are ordered (EDC23 R5)


DATC = Rulebook()
RULES_1982 = Rulebook(
    paradox=Paradox.RULE_1982,
    adjacent_convoy=AdjacentConvoy.INTENT,
    removal_far_from=FarFrom.HOME,
    removal_steps=RemovalDistance.MOVES,
    impossible_orders=Impossible.MOVE,
    disorder_retreats=False,
)
EDITIONS: Mapping[str, Rulebook] = {
    "datc": DATC,
    "1971": Rulebook(
        routes=Routes.ANY_BROKEN,
        paradox=Paradox.RULE_1971,
        adjacent_convoy=AdjacentConvoy.OPPOSED,
        land_fallback=LandFallback.ALWAYS,
        retreat_to_convoyed_attacker=False,
        removal_far_from=FarFrom.HOME,
        removal_steps=RemovalDistance.MOVES,
        impossible_orders=Impossible.MOVE,
        disorder_retreats=False,
    ),
    "1982": RULES_1982,
    "1992": RULES_1982,  # the same words wherever the test cases quote both
    "2000": Rulebook(
        paradox=Paradox.RULE_2000,
        removal_far_from=FarFrom.COUNTRY,
        impossible_orders=Impossible.MOVE,
        disorder_retreats=False,
    ),
    "2023": Rulebook(paradox=Paradox.RULE_2000, impossible_orders=Impossible.HOLD),
}
FIELDS = {f.name: f for f in fields(Rulebook)}
BASES = ("base", "edition")  # two words for the same thing: scripts write the first, tournament files the second
BACKUPS = (Paradox.ALL_HOLD, Paradox.SZYKMAN, Paradox.PANDIN)


def rulebook(settings: str | Mapping[str, Any], where: str = "rules") -> Rulebook:
    """Make a rulebook of an edition's name, or of a base and single choices, each by its letter or by its field.

    Stops with every fault at once (`Stopped`).

    >>> rulebook("1971").routes
    <Routes.ANY_BROKEN: 'any-broken'>
    >>> rulebook({"base": "datc", "4.A.2": "d", "removal_far_from": "home"}).paradox
    <Paradox.ALL_HOLD: 'all-hold'>
    """
    if isinstance(settings, str):
        settings = {"base": settings}
    problems: list[Problem] = []
    rules = _base_of(settings, where, problems)
    changes: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in BASES:
            changes.update(_read_setting(key, value, where, problems))
    if changes.get("paradox_backup", rules.paradox_backup) not in BACKUPS:
        _refuse(problems, where, "paradox_backup", f"wanted one of {', '.join(BACKUPS)}")
    if problems:
        raise Stopped(problems)
    return replace(rules, **changes)


def _base_of(settings: Mapping[str, Any], where: str, problems: list[Problem]) -> Rulebook:
    """Find the edition that the settings start from; the preferences of the test cases where none is named."""
    for key in BASES:
        if key in settings:
            word = settings[key]
            if not isinstance(word, str) or word not in EDITIONS:
                _refuse(
                    problems, where, key, f"{word!r} is not one of {', '.join(EDITIONS)}{_near_word(word, EDITIONS)}"
                )
                return DATC
            return EDITIONS[word]
    return DATC


def _read_setting(key: str, value: object, where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Read one choice, by letter or by field."""
    if key in LETTERS:
        options = LETTERS[key]
        if isinstance(value, str) and value in options:
            return options[value]
        _refuse(problems, where, key, f"{value!r} is not one of {', '.join(options)}{_near_word(value, options)}")
    elif key in FIELDS:
        return _read_field(key, value, where, problems)
    else:
        _refuse(problems, where, key, f"unknown choice{_near_word(key, (*FIELDS, *LETTERS, *BASES))}")
    return {}


def _read_field(key: str, value: object, where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Read one choice by the name of its field."""
    standard = getattr(DATC, key)
    if isinstance(standard, StrEnum):
        words = [str(word) for word in type(standard)]
        if isinstance(value, str) and value in words:
            return {key: type(standard)(value)}
        _refuse(problems, where, key, f"{value!r} is not one of {', '.join(words)}{_near_word(value, words)}")
    elif isinstance(standard, tuple):
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            return {key: tuple(value)}
        _refuse(problems, where, key, f'wanted a list of provinces such as ["ADR", "AEG"], found {value!r}')
    elif type(value) is type(standard):
        return {key: value}
    else:
        _refuse(problems, where, key, f"wanted {type(standard).__name__}, found {value!r}")
    return {}


def _near_word(word: object, known: Iterable[str]) -> str:
    """Offer the nearest known word, if one is near."""
    near = get_close_matches(word, list(known)) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _refuse(problems: list[Problem], where: str, key: str, text: str) -> None:
    problems.append(Problem(Weight.STOPS, text, f"{where}.{key}"))
