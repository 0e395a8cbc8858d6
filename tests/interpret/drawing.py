"""Positions and sheets drawn at random, for what is true of every line."""

from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.board import Dislodged, Kind, Phase, Position, Power, Unit, province_of, standard_map
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Interpretation, Line
from pipeline.rules.load import load_abbreviations, load_tournament, tournament_ids
from pipeline.rules.tournament import Tournament

BOARD = standard_map()
STANDING = [Unit(Kind.ARMY, place) for place in sorted(BOARD.army_borders)] + [
    Unit(Kind.FLEET, place) for place in sorted(BOARD.fleet_borders)
]


@cache
def tournament(name: str) -> Tournament:
    """Load each tournament once; "weaselmoot in german" is one with the table of another language."""
    rules, _, language = name.partition(" in ")
    loaded = load_tournament(rules)
    return replace(loaded, abbreviations=load_abbreviations(language, Path(), [])) if language else loaded


tournaments = st.sampled_from(tournament_ids())
powers = st.sampled_from(list(Power))


@st.composite
def positions(draw: st.DrawFn, phase: str = "S1902M") -> Position:
    """Up to twelve units of three powers, one to a province."""
    drawn = draw(st.lists(st.sampled_from(STANDING), min_size=2, max_size=12, unique_by=lambda unit: unit.province))
    owners = [draw(st.sampled_from([Power.FRANCE, Power.GERMANY, Power.ITALY])) for _ in drawn]
    owners[0] = Power.FRANCE
    units = {
        power: tuple(sorted(unit for unit, owner in zip(drawn, owners, strict=True) if owner is power))
        for power in Power
    }
    homes = {power: BOARD.homes[power] for power in Power}
    return Position(phase=Phase.read(phase), units=units, centres=homes)


@st.composite
def retreats(draw: st.DrawFn) -> Position:
    """A position with one or two French units driven out, each with places open to it."""
    position = draw(positions("S1902R"))
    taken = {unit.province for _, unit in position.all_units()}
    own, others = position.units[Power.FRANCE][:2], position.units[Power.FRANCE][2:]
    dislodged = []
    for unit in own:
        near = sorted(place for place in BOARD.reach(unit.kind, unit.place) if province_of(place) not in taken)
        dislodged.append(Dislodged(Power.FRANCE, unit, "SWI", tuple(near)))
    units = {**position.units, Power.FRANCE: others}
    return Position(phase=position.phase, units=units, centres=position.centres, dislodged=tuple(dislodged))


@st.composite
def winters(draw: st.DrawFn) -> Position:
    """An adjustment phase."""
    return draw(positions("W1902A"))


def read(name: str, position: Position, *lines: str, power: Power = Power.FRANCE) -> Interpretation:
    """Interpret lines as one power's sheet."""
    numbered = [Line(number, text) for number, text in enumerate(lines, start=1)]
    return interpret(numbered, power, position, tournament(name))
