"""The standard map and its variants, read once from the text files beside this one."""

from functools import cache
from importlib.resources import files

from pipeline.board.map import Map, Power
from pipeline.board.text import read_map


@cache
def standard_map() -> Map:
    """The map of the rulebook: 75 provinces, 34 supply centres, seven powers.

    >>> len(standard_map().provinces), len(standard_map().centres)
    (75, 34)
    """
    return read_map(files("pipeline.board").joinpath("standard.map").read_text("utf-8"), "standard.map")


@cache
def sandard_map() -> Map:
    """The six-player variant: Turkey is one neutral centre, Rumania has none; 31 centres in all (EDC23 B).

    The rule says "Turkey represented by a neutral center" and scores a sole win with six survivors 46 = 31 + 6 + 9, so
    two of Turkey's three centres are gone; that Constantinople is the one that stays is our reading.

    >>> len(sandard_map().centres), sandard_map().homes[Power.TURKEY]
    (31, ())
    """
    return standard_map().without(Power.TURKEY, ("ANK", "RUM", "SMY"))


@cache
def standard_drawing() -> str:
    """The drawing that ``print(position)`` puts the units on."""
    return files("pipeline.board").joinpath("standard.drawing").read_text("utf-8")


MAPS = {"standard": standard_map, "sandard": sandard_map}
SIX_PLAYERS = {"standard": "sandard"}  # a map, and the one that six play on beside it (EDC23 B)
