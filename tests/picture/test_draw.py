"""What the pictures show, and that they are the same every time."""

import gzip
import json
import re
from collections.abc import Callable
from itertools import combinations, islice
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pytest

from pipeline.board import Dislodged, Kind, Phase, Position, Power, Unit, _sandard_map, standard_map, starting_position
from pipeline.ink import Box
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.judge.rulebook import DATC
from pipeline.orders import read_order, read_position
from pipeline.picture.draw import GHOST, Caption, _crop_around, draw_candidates, draw_position, draw_resolution
from pipeline.picture.formats import as_pdf, as_svg
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.orders import FAILED, MOVED, SUPPORT_FAILED, SUPPORTS, WAKE_INK, draw_results, width_of
from pipeline.picture.shapes import (
    BLACK,
    COATS,
    NAME_SIZE,
    RED,
    Arrow,
    Circle,
    Drawing,
    Point,
    Polygon,
    Polyline,
    Text,
    _bounds,
)
from pipeline.words.speech import IN_ENGLISH, Speech, languages

BOARD = standard_map()
SHAPE = standard_geometry()
CAPTION = Caption("Board 2.5", "Example Open", "orders and results")


def position(phase: str, **units: list[str]) -> Position:
    return read_position({"phase": phase, "units": units}, BOARD)


def judged(before: Position, **orders: list[str]) -> Resolution:
    given = {Power(power): [read_order(text) for text in texts] for power, texts in orders.items()}
    return adjudicate(BOARD, before, given, DATC)


def drawn(before: Position, **orders: list[str]) -> Drawing:
    return draw_resolution(BOARD, before, judged(before, **orders))


def arrows(drawing: Drawing) -> list[Arrow]:
    return [command for command in drawing.commands if isinstance(command, Arrow)]


def texts(drawing: Drawing) -> list[str]:
    return [command.text for command in drawing.commands if isinstance(command, Text)]


def letters_at(drawing: Drawing, spot: Point) -> list[str]:
    return [
        c.text
        for c in drawing.commands
        if isinstance(c, Text) and len(c.text) == 2 and abs(c.spot[0] - spot[0]) < 1 and abs(c.spot[1] - spot[1]) < 12
    ]


def near(spot: Point, place: str, reach: float = 30) -> bool:
    x, y = SHAPE.units[place]
    return abs(spot[0] - x) < reach and abs(spot[1] - y) < reach


def stars(drawing: Drawing) -> list[Polygon]:
    return [c for c in drawing.commands if isinstance(c, Polygon) and len(c.points) == 16]


def crosses(drawing: Drawing) -> int:
    """Lines of crosses come in pairs, each with its rim; only the red ones count."""
    red = [c for c in drawing.commands if isinstance(c, Polyline) and c.ink.colour == RED and not c.ink.dash]
    return len(red) // 2


def test_every_unit_of_the_start_carries_its_powers_letters_at_its_place() -> None:
    start = starting_position(BOARD)
    drawing = draw_position(BOARD, start)
    for power, unit in start.all_units():
        assert letters_at(drawing, SHAPE.units[unit.place]) == [IN_ENGLISH.letters(power)], unit


def test_an_owned_centre_has_its_owners_colour_and_hatching_and_other_land_has_none() -> None:
    svg = as_svg(draw_position(BOARD, starting_position(BOARD)))
    for power, coat in COATS.items():
        assert svg.count(f'fill="{coat.fill}"') == len(BOARD.homes[power])
        if coat.hatch:
            assert svg.count(f"-{coat.hatch.colour[1:]})") == len(BOARD.homes[power])


def test_a_move_that_came_through_is_a_solid_arrow_to_where_it_went() -> None:
    drawing = drawn(position("S1901M", FRANCE=["A PAR"]), FRANCE=["A PAR - BUR"])
    (arrow,) = arrows(drawing)
    assert arrow.ink == MOVED
    assert near(arrow.points[0], "PAR")
    assert near(arrow.points[-1], "BUR", 8)


def test_a_bounce_is_dashed_with_a_star_at_its_end() -> None:
    before = position("S1901M", FRANCE=["A PAR"], GERMANY=["A MUN"])
    drawing = drawn(before, FRANCE=["A PAR - BUR"], GERMANY=["A MUN - BUR"])
    assert [arrow.ink for arrow in arrows(drawing)] == [FAILED, FAILED]
    assert len(stars(drawing)) == 2
    assert crosses(drawing) == 0


def test_a_move_that_fails_otherwise_is_dashed_and_crossed() -> None:
    before = position("S1901M", FRANCE=["A PAR"], GERMANY=["A BUR"])
    drawing = drawn(before, FRANCE=["A PAR - BUR"], GERMANY=["A BUR H"])
    assert [arrow.ink for arrow in arrows(drawing)] == [FAILED]
    assert stars(drawing) == []
    assert crosses(drawing) == 1


def test_two_that_go_each_others_way_are_two_arrows_side_by_side() -> None:
    before = position("S1901M", FRANCE=["A PAR"], GERMANY=["A BUR"])
    one, other = arrows(drawn(before, FRANCE=["A PAR - BUR"], GERMANY=["A BUR - PAR"]))
    frames = [Box.of((arrow.points[0],), 2) for arrow in (one, other)]
    assert not frames[0].meets(Box.of((other.points[-1],), 2))
    assert not frames[1].meets(Box.of((one.points[-1],), 2))


def test_a_support_is_dots_that_end_on_the_move_it_helps() -> None:
    before = position("S1901M", FRANCE=["A PAR", "A GAS"])
    drawing = drawn(before, FRANCE=["A PAR - BUR", "A GAS S A PAR - BUR"])
    (arrow,) = arrows(drawing)
    (dots,) = [c for c in drawing.commands if isinstance(c, Polyline) and c.ink == SUPPORTS]
    assert near(dots.points[0], "GAS")
    assert _bounds(arrow).meets(Box.of((dots.points[-1],), 1))


def test_a_support_to_stay_ends_at_the_unit() -> None:
    drawing = drawn(position("S1901M", FRANCE=["A PAR", "A GAS"]), FRANCE=["A PAR H", "A GAS S A PAR"])
    (dots,) = [c for c in drawing.commands if isinstance(c, Polyline) and c.ink == SUPPORTS]
    assert near(dots.points[-1], "PAR")


def test_a_support_that_was_cut_is_red_dots_with_a_cross() -> None:
    before = position("S1901M", FRANCE=["A PAR", "A GAS"], ITALY=["A MAR"])
    drawing = drawn(before, FRANCE=["A PAR - BUR", "A GAS S A PAR - BUR"], ITALY=["A MAR - GAS"])
    assert [c.ink for c in drawing.commands if isinstance(c, Polyline) and c.ink in (SUPPORTS, SUPPORT_FAILED)] == [
        SUPPORT_FAILED
    ]
    assert crosses(drawing) == 2  # the support, and the move that cut it


def test_a_convoyed_army_goes_over_its_fleets_in_order() -> None:
    before = position("S1901M", ENGLAND=["A WAL", "F ENG", "F MAO"])
    drawing = drawn(before, ENGLAND=["A WAL - NAF VIA", "F MAO C A WAL - NAF", "F ENG C A WAL - NAF"])
    (arrow,) = arrows(drawing)
    assert arrow.ink == MOVED
    assert arrow.points[1:3] == (SHAPE.units["ENG"], SHAPE.units["MAO"])
    assert [c.points for c in drawing.commands if isinstance(c, Polyline) and c.ink == WAKE_INK] == [arrow.points]


def test_an_army_that_can_walk_and_was_not_sent_by_sea_is_not_drawn_at_sea() -> None:
    before = position("S1901M", ENGLAND=["A LON", "F NTH"])
    drawing = drawn(before, ENGLAND=["A LON - YOR", "F NTH C A LON - YOR"])
    assert [len(arrow.points) for arrow in arrows(drawing)] == [2]


def test_a_dislodged_unit_is_ringed_where_it_stood_and_then_stands_beside_with_its_retreats() -> None:
    before = position("S1901M", FRANCE=["A PAR", "A GAS"], GERMANY=["A BUR"])
    resolution = judged(before, FRANCE=["A PAR - BUR", "A GAS S A PAR - BUR"])
    dashed = [
        c
        for c in draw_resolution(BOARD, before, resolution).commands
        if isinstance(c, Polygon) and c.ink and c.ink.dash and c.ink.colour == RED
    ]
    assert [near(ring.points[0], "BUR") for ring in dashed] == [True]
    after = draw_position(BOARD, resolution.after, CAPTION)
    assert letters_at(after, SHAPE.driven_out["BUR"]) == ["Ge"]
    assert letters_at(after, SHAPE.units["BUR"]) == ["Fr"]
    (dislodged,) = resolution.after.dislodged
    assert len(arrows(after)) - 1 == len(dislodged.retreats)  # one more explains the sign
    assert "Germany A BUR, dislodged by an attack from PAR" in " ".join(texts(after))


def out_of_bur() -> Position:
    return Position(
        phase=Phase.read("S1901R"),
        units={Power.FRANCE: (Unit(Kind.ARMY, "BUR"),)},
        centres={},
        dislodged=(
            Dislodged(Power.GERMANY, Unit(Kind.ARMY, "BUR"), "PAR", ("RUH", "BEL")),
            Dislodged(Power.ENGLAND, Unit(Kind.ARMY, "HOL"), "KIE", ("RUH", "BEL")),
        ),
    )


def test_a_retreat_is_an_arrow_from_beside_and_one_that_meets_another_is_dashed() -> None:
    before = out_of_bur()
    alone = arrows(drawn(before, GERMANY=["A BUR R RUH"], ENGLAND=["A HOL R BEL"]))
    assert {arrow.ink for arrow in alone} == {MOVED}
    x, y = SHAPE.driven_out["BUR"]
    assert min(abs(a.points[0][0] - x) + abs(a.points[0][1] - y) for a in alone) < 60
    together = drawn(before, GERMANY=["A BUR R RUH"], ENGLAND=["A HOL R RUH"])
    assert {arrow.ink for arrow in arrows(together)} == {FAILED}
    assert len(stars(together)) == 2


def test_builds_have_a_plus_removals_a_cross_and_a_waived_build_is_said_in_words() -> None:
    before = position("W1901A", ENGLAND=[], FRANCE=["A PAR", "A GAS", "A SPA", "F MAO"])
    resolution = judged(before, ENGLAND=["F LON B", "WAIVE"], FRANCE=["A SPA D"])
    drawing = draw_resolution(BOARD, before, resolution)
    assert letters_at(drawing, SHAPE.units["LON"]) == ["En"]
    assert texts(drawing).count("+") == 1
    assert crosses(drawing) == 1
    assert letters_at(drawing, SHAPE.units["SPA"])[-1] == "Fr"
    assert "England waives" in " ".join(texts(draw_resolution(BOARD, before, resolution, CAPTION)))


def test_an_impossible_order_is_a_mark_on_the_unit_and_no_arrow() -> None:
    drawing = drawn(position("S1901M", FRANCE=["A PAR"]), FRANCE=["A PAR - MOS"])
    assert arrows(drawing) == []
    assert texts(drawing).count("!") == 1


def test_an_order_that_has_no_place_on_the_map_is_said_in_words() -> None:
    before = position("S1901M", FRANCE=["A PAR"])
    resolution = judged(before, FRANCE=["A PAR - XYZ", "A MUN - BOH", "A XYZ H", "F PAR S A XYZ - QQQ"])
    drawing = draw_resolution(BOARD, before, resolution, CAPTION)
    assert len(arrows(drawing)) == len(arrows(draw_resolution(BOARD, before, judged(before), CAPTION)))
    said = " ".join(texts(drawing))
    assert "France A MUN - BOH:" in said
    assert "France A XYZ H:" in said


def test_an_impossible_build_is_said_in_words_and_draws_no_unit() -> None:
    before = position("W1901A", FRANCE=[])
    resolution = judged(before, FRANCE=["A MUN B"])
    drawing = draw_resolution(BOARD, before, resolution, CAPTION)
    assert letters_at(drawing, SHAPE.units["MUN"]) == []
    assert "France A MUN B:" in " ".join(texts(drawing))


def test_a_fleet_that_names_no_coast_goes_to_the_only_one_it_reaches() -> None:
    drawing = drawn(
        position("S1901M", FRANCE=["F GAS"], TURKEY=["F AEG"]), FRANCE=["F GAS - SPA"], TURKEY=["F AEG - BUL"]
    )
    ends = {arrow.points[-1] for arrow in arrows(drawing)}
    assert all(any(near(end, coast, 8) for end in ends) for coast in ("SPA/NC", "BUL/SC"))


def test_every_kind_of_order_can_be_a_candidate_and_each_has_its_number() -> None:
    before = position("S1901M", ITALY=["F ION", "A APU", "A TUN"], TURKEY=["F AEG"])
    orders = ("F ION H", "F ION - ADR", "F ION S A APU", "F ION S F AEG - GRE", "F ION C A APU - TUN")
    drawing = draw_candidates(BOARD, before, Unit(Kind.FLEET, "ION"), [read_order(text) for text in orders])
    assert [text for text in texts(drawing) if text.isdigit()] == ["1", "2", "3", "4", "5"]
    for text in ("A BUR R RUH", "A BUR D"):
        assert "1" in texts(draw_candidates(BOARD, out_of_bur(), None, [read_order(text)]))
    winter = position("W1901A", ENGLAND=[])
    assert "2" in texts(draw_candidates(BOARD, winter, None, [read_order("WAIVE"), read_order("F LON B")]))


def test_an_army_and_a_fleet_that_may_be_built_stand_side_by_side() -> None:
    winter = position("W1901A", ENGLAND=[])
    drawing = draw_candidates(BOARD, winter, None, [read_order("A LON B"), read_order("F LON B")])
    army, fleet = (next(c.spot for c in drawing.commands if isinstance(c, Text) and c.text == n) for n in "12")
    assert fleet[0] - army[0] > 30


def test_the_disbanding_of_a_dislodged_unit_is_drawn_on_it_and_not_on_the_one_that_came() -> None:
    drawing = draw_candidates(BOARD, out_of_bur(), None, [read_order("A BUR D")])
    (strike,) = [c for c in drawing.commands if isinstance(c, Polyline) and c.ink.colour == GHOST.colour]
    x, y = SHAPE.driven_out["BUR"]
    assert strike.points[0][0] < x < strike.points[-1][0]
    assert strike.points[-1][1] < y < strike.points[0][1]


def test_the_numbers_of_candidates_do_not_cover_one_another() -> None:
    before = position("S1901M", GERMANY=["A MUN", "A RUH", "A BER"])
    orders = ("A MUN - BUR", "A MUN - BER", "A MUN S A RUH - BUR", "A MUN S A BER", "A MUN H", "A MUN - TYR")
    drawing = draw_candidates(BOARD, before, None, [read_order(text) for text in orders])
    numbers = [_bounds(c) for c in drawing.commands if isinstance(c, Circle) and c.radius == 12]
    assert len(numbers) == len(orders)
    tight = [Box.around((f.left + f.width / 2, f.top + f.height / 2), 22, 22) for f in numbers]
    assert [(a, b) for a, b in combinations(tight, 2) if a.meets(b)] == []


@pytest.mark.parametrize("places", [["ION", "TUN"], ["STP/NC"], ["NAF"], ["SEV", "POR"], ["SYR"]])
def test_a_crop_shows_its_places_and_stays_on_the_map(places: list[str]) -> None:
    crop = _crop_around(draw_position(BOARD, starting_position(BOARD)), places).frame
    assert crop.left >= 0
    assert crop.top >= 0
    assert crop.right <= SHAPE.width
    assert crop.bottom <= SHAPE.height
    for place in places:
        assert crop.meets(Box.around(SHAPE.units[place], 1, 1))


def test_a_crop_forgets_what_it_does_not_show() -> None:
    whole = draw_position(BOARD, starting_position(BOARD))
    crop = _crop_around(whole, ["ION"])
    assert len(as_svg(crop)) < len(as_svg(whole)) / 2
    assert "MOS" not in texts(crop)
    assert "ION" in texts(crop)


def test_the_six_player_map_has_its_31_centres() -> None:
    board = _sandard_map()
    drawing = draw_position(board, starting_position(board))
    rings = [c for c in drawing.commands if isinstance(c, Circle) and c.ink is not None]
    assert len(rings) == len(board.centres) == 31


def crowded() -> Drawing:
    before = position(
        "F1903M",
        ENGLAND=["A YOR", "F NTH", "F SKA"],
        FRANCE=["A PAR", "A GAS", "F BRE"],
        ITALY=["A VEN", "A TYR"],
        AUSTRIA=["A TRI", "A VIE"],
    )
    resolution = judged(
        before,
        ENGLAND=["A YOR - DEN VIA", "F NTH C A YOR - DEN", "F SKA S A YOR - DEN"],
        FRANCE=["A PAR - BUR", "A GAS S A PAR - BUR", "F BRE - ENG"],
        ITALY=["A VEN - TRI", "A TYR S A VEN - TRI"],
        AUSTRIA=["A TRI - VEN", "A VIE - TYR"],
    )
    return draw_resolution(BOARD, before, resolution, CAPTION)


@pytest.mark.parametrize("write", [as_svg, as_pdf])
def test_the_same_picture_is_the_same_to_the_byte(write: Callable[[Drawing], str | bytes]) -> None:
    assert write(crowded()) == write(crowded())


def test_two_drawings_share_their_outlines_so_that_a_back_end_writes_each_once() -> None:
    assert crowded() == crowded()  # outlines are compared by identity


def test_an_svg_is_well_formed_and_asks_for_nothing_from_elsewhere() -> None:
    svg = as_svg(crowded())
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert re.findall(r"(?:href|src)=|@import|url\((?!#)", svg) == []
    named = {found.get("id") for found in root.iter() if found.get("id")}
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= named


def test_a_title_is_text_and_never_markup() -> None:
    drawing = draw_position(BOARD, starting_position(BOARD), Caption("<b>&", "Łódź 東京"))
    assert ElementTree.fromstring(as_svg(drawing)) is not None
    assert as_pdf(drawing).startswith(b"%PDF")


def test_a_pdf_is_one_page_of_a4_on_its_side_and_its_text_can_be_searched() -> None:
    document = pypdfium2.PdfDocument(as_pdf(crowded()))
    assert len(document) == 1
    assert document[0].get_size() == pytest.approx((841.89, 595.28), abs=0.01)
    text = document[0].get_textpage().get_text_range()
    assert "Board 2.5" in text
    assert all(code in text for code in BOARD.provinces)
    document.close()


def counted(phase: str) -> Drawing:
    """Germany goes to Belgium, which is French, and stands in Denmark, which is nobody's."""
    before = read_position(
        {
            "phase": phase,
            "units": {"GERMANY": ["A RUH", "F DEN"], "FRANCE": ["A PAR"]},
            "centers": {"GERMANY": ["BER", "KIE"], "FRANCE": ["PAR", "BEL"]},
        },
        BOARD,
    )
    orders = {"GERMANY": ["A RUH - BEL"], "FRANCE": ["A PAR - BUR"]}
    return draw_resolution(BOARD, before, judged(before, **orders), CAPTION)


def fills(drawing: Drawing, power: Power) -> int:
    return as_svg(drawing).count(f'fill="{COATS[power].fill}"')


def test_a_falls_map_shows_the_new_owners_and_the_count() -> None:
    fall, spring = counted("F1901M"), counted("S1902M")
    assert (fills(spring, Power.GERMANY), fills(spring, Power.FRANCE)) == (3, 3)  # two areas and the table
    assert (fills(fall, Power.GERMANY), fills(fall, Power.FRANCE)) == (5, 2)
    said = texts(fall)
    assert said[said.index("Germany") + 1 :][:3] == ["4", "2", "+2"]
    assert said[said.index("France") + 1 :][:3] == ["1", "1", "-1"]
    assert "Germany takes BEL, DEN" in said
    assert "new owner" in said
    rings = [c for c in fall.commands if isinstance(c, Circle) and c.fill is None and c.ink and c.ink.colour == BLACK]
    assert {ring.middle for ring in rings} >= {SHAPE.marks["BEL"], SHAPE.marks["DEN"]}
    assert not [text for text in texts(spring) if "takes" in text or "new owner" in text]


def test_a_fall_with_retreats_to_come_shows_no_count_and_the_map_of_the_retreats_does() -> None:
    centres = {"GERMANY": ["MUN"], "FRANCE": ["PAR", "MAR"]}
    units = {"GERMANY": ["A MUN"], "FRANCE": ["A BUR", "A TYR"]}
    before = read_position({"phase": "F1901M", "units": units, "centers": centres}, BOARD)
    fought = judged(before, FRANCE=["A BUR - MUN", "A TYR S A BUR - MUN"])
    assert fought.after.dislodged
    assert not [text for text in texts(draw_resolution(BOARD, before, fought, CAPTION)) if "takes" in text]
    retreated = judged(fought.after, GERMANY=["A MUN - BER"])
    said = texts(draw_resolution(BOARD, fought.after, retreated, CAPTION))
    assert {"France takes MUN", "Germany takes BER"} <= set(said)


def test_nothing_beside_the_map_runs_out_of_the_picture() -> None:
    drawing = crowded()
    for command in drawing.commands:
        if isinstance(command, Text):
            long = width_of(command.text, command.size, is_bold=command.is_bold)
            assert command.spot[0] - command.align * long >= drawing.frame.left, command.text
            assert command.spot[0] + (1 - command.align) * long <= drawing.frame.right, command.text
            assert command.spot[1] <= drawing.frame.bottom, command.text


def test_many_notes_end_with_how_many_lines_are_left_out() -> None:
    caption = Caption("Board 1", notes=tuple(f"note number {n}" for n in range(99)))
    said = texts(draw_position(BOARD, starting_position(BOARD), caption))
    left_out = [text for text in said if text.endswith("more lines on the card")]
    shown = [text for text in said if text.startswith("note number")]
    assert left_out == [f"and {99 - len(shown)} more lines on the card"]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("power", Power)
def test_letters_can_be_read_on_their_units_by_weak_eyes(power: Power) -> None:
    assert contrast(COATS[power].body, COATS[power].ink) >= 4.5  # WCAG 2.2, 1.4.3


@pytest.mark.parametrize("language", languages())
def test_powers_have_letters_of_their_own_in_every_language_on_every_picture(language: str) -> None:
    speech, start = Speech(language), starting_position(BOARD)
    assert len({speech.letters(power) for power in Power}) == 7
    for drawing in (draw_position(BOARD, start, speech=speech), draw_position(BOARD, start, Caption(speech=speech))):
        for power, unit in start.all_units():
            assert letters_at(drawing, SHAPE.units[unit.place]) == [speech.letters(power)], unit


@pytest.mark.parametrize("caption", [None, Caption(speech=Speech("de"))])
def test_letters_are_drawn_in_the_language_of_the_picture_wherever_they_stand(caption: Caption | None) -> None:
    """On the map, beside it, on what is built, crossed out and dislodged; nothing is replaced afterwards."""
    german = Speech("de")
    winter = position("W1901A", ENGLAND=[], GERMANY=["A MUN", "A BER", "A KIE", "A HOL"])
    wintry = judged(winter, ENGLAND=["F LON B"], GERMANY=["A MUN D"])
    spring = position("S1901M", FRANCE=["A PAR", "A GAS"], GERMANY=["A BUR"])
    fought = judged(spring, FRANCE=["A PAR - BUR", "A GAS S A PAR - BUR"])
    drawings = [
        draw_resolution(BOARD, winter, wintry, caption, german),
        draw_resolution(BOARD, spring, fought, caption, german),
        draw_position(BOARD, fought.after, caption, german),
    ]
    letters = {german.letters(power) for power in Power}
    for drawing in drawings:
        written = [c.text for c in drawing.commands if isinstance(c, Text) and len(c.text) == 2 and c.text.isalpha()]
        assert "De" in written
        assert set(written) <= letters
    layers = draw_results(BOARD, winter, wintry.results, german)
    assert {c.text for c in (*layers.units, *layers.signs) if isinstance(c, Text)} >= {"De", "En"}


def test_no_two_powers_have_the_same_hatching() -> None:
    assert len({(c.hatch.angle, c.hatch.gap, c.hatch.dash) if c.hatch else None for c in COATS.values()}) == 7


def test_names_are_at_least_five_points_on_a5() -> None:
    whole = draw_position(BOARD, starting_position(BOARD), CAPTION).frame
    points = min((595.28 - 28.35) / whole.width, (419.53 - 28.35) / whole.height)
    assert NAME_SIZE * points >= 5.0


def test_what_was_played_in_real_games_can_be_drawn_whole(shared: Path) -> None:
    with gzip.open(shared / "data" / "real_games.jsonl.gz", "rt") as lines:
        phases = [json.loads(line) for line in islice(lines, 0, 600, 12)]
    for phase in phases:
        if phase["dislodged_before"]:
            continue
        value = {"phase": phase["phase"], "units": phase["units_before"], "centers": phase["centers"]}
        before = read_position(value, BOARD)
        drawing = drawn(before, **phase["orders"])
        moves = [text for given in phase["orders"].values() for text in given if " - " in text and " S " not in text]
        moves = [text for text in moves if " C " not in text]
        void = texts(drawing).count("!")
        assert len(moves) - void <= len(arrows(drawing)) <= len(moves), phase["phase"]
        assert as_svg(drawing)
