"""Under which rules a phase is judged: every choice a named field, editions as bundles, single choices by letter."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from pipeline.judge.rulebook import choices as c
from pipeline.judge.rulebook.letters import LETTERS
from pipeline.problems import Problem, Stopped, Weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """Every choice of one tournament. The defaults are those preferred by DATC 3.2."""

    name: str = "datc"
    routes: c.Routes = c.Routes.ALL_BROKEN  # 4.A.1
    paradox: c.Paradox = c.Paradox.SZYKMAN  # 4.A.2
    paradox_backup: c.Paradox = c.Paradox.SZYKMAN  # where the rule above has no answer: all-hold, szykman or pandin
    adjacent_convoy: c.AdjacentConvoy = c.AdjacentConvoy.OWN_FLEET  # 4.A.3
    land_fallback: c.LandFallback = c.LandFallback.NEVER  # 4.A.3
    attack_from: c.AttackFrom = c.AttackFrom.START  # 4.A.4
    retreat_to_convoyed_attacker: bool = True  # 4.A.5 b; WM VI.1.c
    named_route: c.NamedRoute = c.NamedRoute.IGNORED  # 4.A.6; WDC08 12.5
    convoy_against_own: bool = True  # 6.D.16; False: a fleet's convoy does not dislodge its owner's unit (NZ99 14)
    own_fleets_first: bool = False  # a route of own fleets shuts out all others (WM VI.1.a)
    dislodged_still_bounces: bool = True  # 4.A.7 b: unless it lost a head-to-head battle
    missing_coast: c.MissingCoast = c.MissingCoast.FAILS  # 4.B.1
    only_coast_omitted: c.Garbled = c.Garbled.IGNORED  # 4.B.2
    impossible_coast: c.Garbled = c.Garbled.ILLEGAL  # 4.B.3
    support_coast: c.SupportCoast = c.SupportCoast.ANY  # 4.B.4
    wrong_unit_coast: c.Garbled = c.Garbled.IGNORED  # 4.B.5
    irrelevant_coast: c.Garbled = c.Garbled.IGNORED  # 4.B.6
    wrong_letter: c.Garbled = c.Garbled.IGNORED  # 4.C.2
    inland_fleet_is_army: bool = False  # 4.C.4
    several_orders: c.Several = c.Several.FIRST  # 4.D.3
    too_many_builds: c.Several = c.Several.FIRST  # 4.D.4; EDC23 R6 last, WM VII.3.d bottom-up
    two_builds_in_one_place: c.Several = c.Several.FIRST  # 4.D.5
    too_many_removals: c.Several = c.Several.FIRST  # 4.D.6
    waiving: bool = True  # 4.D.7
    removal_far_from: c.FarFrom = c.FarFrom.OWNED  # 4.D.8
    removal_steps: c.RemovalDistance = c.RemovalDistance.REGIONS  # 4.D.8
    removal_spares_centres: bool = False  # of units equally far, those on no centre go first (WDC08 12.3)
    removal_list: tuple[str, ...] = ()  # provinces in the order that settles the rest; empty: English names
    unconvoyed_army_holds: bool = False  # an army that nobody was ordered to carry: it tried to move; True: it holds
    disorder_supported: bool = True  # 4.D.9: units of a power that ordered nothing may be supported to hold
    disorder_retreats: bool = True  # False: they are disbanded if they are dislodged (rulebooks, Civil Disorder)
    impossible_orders: c.Impossible = c.Impossible.IGNORED  # 4.E.1
    superfluous_convoy_is_illegal: bool = True  # 4.E.1
    missing_fleet: c.MissingFleet = c.MissingFleet.ILLEGAL  # 4.E.1
    imposed_builds: int = 0  # builds the referee imposes in the first winter on who ordered too few (EDC23 R5)


DATC = Rulebook()
RULES_1982 = Rulebook(
    name="1982",
    paradox=c.Paradox.RULE_1982,
    adjacent_convoy=c.AdjacentConvoy.INTENT,
    removal_far_from=c.FarFrom.HOME,
    removal_steps=c.RemovalDistance.MOVES,
    impossible_orders=c.Impossible.MOVE,
    disorder_retreats=False,
)
EDITIONS: Mapping[str, Rulebook] = {
    "datc": DATC,
    "1971": Rulebook(
        name="1971",
        routes=c.Routes.ANY_BROKEN,
        paradox=c.Paradox.RULE_1971,
        adjacent_convoy=c.AdjacentConvoy.OPPOSED,
        land_fallback=c.LandFallback.ALWAYS,
        retreat_to_convoyed_attacker=False,
        removal_far_from=c.FarFrom.HOME,
        removal_steps=c.RemovalDistance.MOVES,
        impossible_orders=c.Impossible.MOVE,
        disorder_retreats=False,
    ),
    "1982": RULES_1982,
    "1992": replace(RULES_1982, name="1992"),  # the same words wherever the test cases quote both
    "2000": Rulebook(
        name="2000",
        paradox=c.Paradox.RULE_2000,
        removal_far_from=c.FarFrom.COUNTRY,
        impossible_orders=c.Impossible.MOVE,
        disorder_retreats=False,
    ),
    "2023": Rulebook(name="2023", paradox=c.Paradox.RULE_2000, impossible_orders=c.Impossible.HOLD),
}
FIELDS = {f.name: f for f in fields(Rulebook) if f.name != "name"}
BASES = ("base", "edition")  # two words for the same thing: scripts write the first, tournament files the second
BACKUPS = (c.Paradox.ALL_HOLD, c.Paradox.SZYKMAN, c.Paradox.PANDIN)


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
    rules = base_of(settings, where, problems)
    changes: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in BASES:
            changes.update(read_setting(key, value, where, problems))
    if changes.get("paradox_backup", rules.paradox_backup) not in BACKUPS:
        fault(problems, where, "paradox_backup", f"wanted one of {', '.join(BACKUPS)}")
    if problems:
        raise Stopped(problems)
    return replace(rules, name=f"{rules.name}, changed", **changes) if changes else rules


def base_of(settings: Mapping[str, Any], where: str, problems: list[Problem]) -> Rulebook:
    """Find the edition that the settings start from; the preferences of the test cases where none is named."""
    for key in BASES:
        if key in settings:
            word = settings[key]
            if not isinstance(word, str) or word not in EDITIONS:
                fault(problems, where, key, f"{word!r} is not one of {', '.join(EDITIONS)}{nearest(word, EDITIONS)}")
                return DATC
            return EDITIONS[word]
    return DATC


def read_setting(key: str, value: object, where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Read one choice, by letter or by field."""
    if key in LETTERS:
        options = LETTERS[key]
        if isinstance(value, str) and value in options:
            return options[value]
        fault(problems, where, key, f"{value!r} is not one of {', '.join(options)}{nearest(value, options)}")
    elif key in FIELDS:
        return read_field(key, value, where, problems)
    else:
        fault(problems, where, key, f"unknown choice{nearest(key, (*FIELDS, *LETTERS, *BASES))}")
    return {}


def read_field(key: str, value: object, where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Read one choice by the name of its field."""
    standard = getattr(DATC, key)
    if isinstance(standard, StrEnum):
        words = [str(word) for word in type(standard)]
        if isinstance(value, str) and value in words:
            return {key: type(standard)(value)}
        fault(problems, where, key, f"{value!r} is not one of {', '.join(words)}{nearest(value, words)}")
    elif isinstance(standard, tuple):
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            return {key: tuple(value)}
        fault(problems, where, key, f'wanted a list of provinces such as ["ADR", "AEG"], found {value!r}')
    elif type(value) is type(standard):
        return {key: value}
    else:
        fault(problems, where, key, f"wanted {type(standard).__name__}, found {value!r}")
    return {}


def nearest(word: object, known: Iterable[str]) -> str:
    """Offer the nearest known word, if one is near."""
    near = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def fault(problems: list[Problem], where: str, key: str, text: str) -> None:
    """Note one fault."""
    problems.append(Problem(Weight.STOPS, text, f"{where}.{key}"))
