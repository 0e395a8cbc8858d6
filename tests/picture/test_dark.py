"""A map on a dark page: every colour has another, and what is written can be read on it."""

import re
from itertools import product

import pytest
from web.test_accessibility import colour, contrast

from pipeline.board import Power, standard_map, starting_position
from pipeline.picture.draw import GHOST as MEANT
from pipeline.picture.draw import draw_position
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import BLACK, COATS, DARK, GHOST, LAND, PAPER, RED, SEA, SEA_NAME, TINTS, in_either_look

LETTERS = {coat.ink for coat in COATS.values()} | {coat.body for coat in COATS.values()}


def apart(one: str, other: str) -> float:
    """How much two colours differ."""
    found = [colour(each) for each in (one, other)]
    assert found[0] is not None
    assert found[1] is not None
    return contrast(found[0], found[1])


@pytest.fixture(scope="module")
def drawn() -> str:
    board = standard_map()
    return as_svg(draw_position(board, starting_position(board)))


def test_every_colour_of_a_map_but_those_of_units_has_one_for_the_dark(drawn: str) -> None:
    colours = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', drawn))
    assert colours - LETTERS <= set(DARK)
    assert MEANT.colour == GHOST


def test_names_can_be_read_on_land_sea_and_everybodys_centres() -> None:
    grounds = [DARK[LAND], *(fill for fill, _ in TINTS.values())]
    assert all(apart(DARK[BLACK], ground) >= 4.5 for ground in grounds)
    assert apart(DARK[SEA_NAME], DARK[SEA]) >= 4.5
    assert apart(DARK[RED], DARK[LAND]) >= 2.5
    assert apart("#ffffff", DARK[RED]) >= 3.0


def test_hatchings_are_told_from_what_they_lie_on() -> None:
    assert [power for power, (fill, hatch) in TINTS.items() if hatch and apart(fill, hatch) < 1.3] == []
    assert {power for power, (_, hatch) in TINTS.items() if not hatch} == {Power.GERMANY}
    tints = [fill for fill, _ in TINTS.values()]
    assert all(one == other or one != DARK[LAND] for one, other in product(tints, tints))


def test_in_the_light_nothing_is_another(drawn: str) -> None:
    dark = in_either_look(drawn)
    style = re.search(r"<style>.*?</style>", dark)
    assert style is not None
    assert dark.replace(style[0], "") == drawn
    assert style[0].startswith("<style>@media (prefers-color-scheme:dark){")
    assert f':not(text)[fill="{PAPER}"]' in style[0], "white letters on units stay white"
