"""What stands where an event's file says nothing: the switches of ``templates/defaults.toml``.

A file with a table ``[tournament]`` is asked about what it does not say, unless it says ``unstated = "defaults"``. A
file without one, of points alone, takes the defaults: it can be played as it is.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pipeline.rules.scoring.system_table import MORE_THAN_HALF, SOLO_CENTRES
from pipeline.rules.scoring.systems import merged
from pipeline.rules.toml.sections import NONE
from pipeline.rules.toml.setting import ASK, Choice
from pipeline.scoring.results.exact import exact

SECTIONS = ("judge", "reading", "adjustments", "conduct", "ending", "clock", "draw")
LATE = "late"  # the kind of penalty that a late sheet costs
Tables = Mapping[str, Any]


class Unstated(Choice):
    """What a switch stands at that a rules file does not mention."""

    ASK = ASK, "the director is asked"
    DEFAULTS = "defaults", "the rulebook of 2023, and custom where it is silent"


def with_defaults(values: Tables, defaults: Tables, name: str) -> Tables:
    """Put the defaults below what a file says, where it takes them; ``name`` is the file's, without its ending."""
    about = values.get("tournament")
    taken = about is None or (isinstance(about, Mapping) and about.get("unstated") == Unstated.DEFAULTS)
    if not taken:
        return values
    plain = {"id": name, "short": name.upper(), "name": name, "abbreviations": "english"} if about is None else {}
    tables = {key: values.get(key, {}) for key in SECTIONS}
    base = merged(defaults, as_scored(values))
    found = {key: merged(base[key], own) if isinstance(own, Mapping) else own for key, own in tables.items()}
    return {**values, **found, "tournament": {"abbreviations": "english", **plain, **(about or {})}}


def as_scored(values: Tables) -> dict[str, Any]:
    """What the points of a file imply for its switches: what wins a game alone, and what a late sheet costs."""
    found: dict[str, Any] = {}
    centres = plain(values, "scoring", "solo", "centres")
    if centres == MORE_THAN_HALF or (type(centres) is int and SOLO_CENTRES.has(centres)):  # else told where it stands
        wins = NONE if centres == MORE_THAN_HALF else centres
        found["ending"] = {"solo_centres": {"value": wins, "rule": "[scoring.solo]"}}
    costs = late_cost(plain(values, "totals", "penalties"))
    if costs:
        found["conduct"] = {"late_points": {"value": str(-costs), "rule": "[[totals.penalties]]"}}
    return found


def plain(values: Any, *keys: str) -> Any:
    """Walk down into a file's tables; a setting with its rule is its value, and what is not there is None."""
    for key in keys:
        values = values.get(key) if isinstance(values, Mapping) else None
        if isinstance(values, Mapping) and "value" in values:
            values = values["value"]
    return values


def late_cost(penalties: Any) -> Fraction:
    """What ``[[totals.penalties]]`` take for a late sheet; what cannot be read there is told where it is read."""
    costs = Fraction()
    for each in penalties if isinstance(penalties, list) else ():
        if plain(each, "kind") == LATE:
            try:
                costs += exact(plain(each, "points") or 0)
            except ValueError:
                continue
    return costs
