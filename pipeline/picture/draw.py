"""The pictures that the program makes: a position, a phase with its results, and the readings of one doubtful row."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Dislodged, Kind, Map, Position, Power, Step, Unit, province_of
from pipeline.ink import Box
from pipeline.judge.outcome import Resolution, Result, Word
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive, write
from pipeline.paper.lettering import wrap_text
from pipeline.picture import geometry, orders, shapes
from pipeline.words.speech import IN_ENGLISH, Speech, to_say, wording

# The readings of one doubtful row on the map: ghosts of the orders, each with the number of its key.

GHOST = shapes.PictureInk("#6a1b9a", 4.6)  # no order that was given looks like this
GHOST_DOTS = shapes.PictureInk("#6a1b9a", 3.4, (3, 4))
NUMBER = 12.0  # radius of a number
BOW = 0.3  # of its length: how far the middle of a bent line is drawn aside
TIP = 14.0  # room for the head of an arrow
PARTS = (0.62, 0.45, 0.78, 0.3, 0.9, 0.15)  # of a way: where its number may stand, the best first


def _draw_ghosts(board: Map, position: Position, candidates: Sequence[Order | None], layers: orders.Layers) -> None:
    """Draw all readings, and their numbers: where there is room, clear of units, ends of ways and one another.

    A candidate None is not drawn, but keeps its number.
    """
    taken = [Box.around(orders.stand_of(unit), *shapes.UNIT) for _, unit in position.all_units()]
    ways = [None if order is None else _ghost(board, position, order, layers) for order in candidates]
    taken += [Box.around(way[-1], TIP, TIP) for way in ways if way is not None and len(way) == 2]
    for number, way in enumerate(ways, start=1):
        if way is not None:
            spots = [geometry.along(way, part) for part in PARTS]
            rooms = [Box.around(spot, 2 * NUMBER, 2 * NUMBER) for spot in spots]
            spot = next(
                (s for s, room in zip(spots, rooms, strict=True) if not any(room.meets(t) for t in taken)), spots[0]
            )
            taken.append(Box.around(spot, 2 * NUMBER, 2 * NUMBER))
            layers.signs += orders.badge(spot, str(number), fill=GHOST.colour, ink=shapes.PAPER, radius=NUMBER)


def _ghost(board: Map, position: Position, order: Order, layers: orders.Layers) -> geometry.PolygonPath | None:
    """Draw one reading, and return the path for its number; a waived build has none."""
    full = frozenset(unit.province for _, unit in position.all_units())
    match order:
        case Waive():
            return None
        case Move(unit, to) | Retreat(unit, to):
            way = geometry.trim_way(
                (orders.leaving_spot(position, unit), geometry.find_goal(board, unit, to)), full=province_of(to) in full
            )
            layers.ways.append(shapes.Arrow(way, GHOST, 14, rim=shapes.PAPER))
            return way
        case Convoy(unit, of, to) | Support(unit, of, str(to)):
            helped = geometry.trim_way(
                (orders.stand_of(of), geometry.find_goal(board, of, to)), full=province_of(to) in full
            )
            layers.helps.append(
                shapes.Arrow(helped, shapes.PictureInk(shapes.BLACK, 2.2, (5, 4)), 10, rim=shapes.PAPER)
            )
            return _dots(orders.stand_of(unit), geometry.along(helped, orders.MEETING), layers)
        case Support(unit, of):
            return _dots(orders.stand_of(unit), geometry.edge(orders.stand_of(of), orders.stand_of(unit)), layers)
        case Build(unit):
            x, y = orders.stand_of(unit)
            beside = (x - shapes.UNIT[0] * 0.6, y) if unit.kind is Kind.ARMY else (x + shapes.UNIT[0] * 0.6, y)
            layers.signs.append(
                shapes.Polygon(orders.shape(unit.kind, beside, 2), shapes.PAPER, shapes.PictureInk(GHOST.colour, 3))
            )
            return (beside, beside, beside)
        case Hold(unit) | Disband(unit):
            spot = orders.leaving_spot(position, unit)
            layers.signs += _struck(spot) if isinstance(order, Disband) else (orders.ring(spot, GHOST_DOTS, 8),)
            left, top = spot  # under its unit, the middle first
            return (left - 33, top + 27), (left + 9, top + 29), (left + 33, top + 27)
        case _:
            assert_never(order)


def _dots(start: shapes.Point, end: shapes.Point, layers: orders.Layers) -> geometry.PolygonPath:
    """Draw a support or a convoy, bent a little, so that it does not lie on a move of the same unit."""
    way = _bend_right(geometry.edge(start, end), end)
    layers.helps += [shapes.Polyline(way, shapes.PictureInk(shapes.PAPER, 7)), shapes.Polyline(way, GHOST_DOTS)]
    layers.dots.append(shapes.Circle(end, 5, GHOST.colour))
    return way


def _bend_right(start: shapes.Point, end: shapes.Point) -> geometry.PolygonPath:
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + across / 2 - down * BOW, start[1] + down / 2 + across * BOW)
    return tuple(
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * middle[0] + t**2 * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * middle[1] + t**2 * end[1],
        )
        for t in (0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1)
    )


def _struck(spot: shapes.Point) -> Iterator[shapes.DrawCommand]:
    """Strike a unit through."""
    x, y = spot
    across, down = shapes.UNIT[0] / 2 + 4, shapes.UNIT[1] / 2 + 4
    for colour, width in ((shapes.PAPER, 6.0), (GHOST.colour, 3.4)):
        yield shapes.Polyline(((x - across, y + down), (x + across, y - down)), shapes.PictureInk(colour, width))


def _places_of(order: Order) -> tuple[str, ...]:
    match order:
        case Waive():
            return ()
        case Move(unit, to) | Retreat(unit, to):
            return unit.place, to
        case Convoy(unit, of, to) | Support(unit, of, str(to)):
            return unit.place, of.place, to
        case Support(unit, of):
            return unit.place, of.place
        case Hold(unit) | Build(unit) | Disband(unit):
            return (unit.place,)
        case _:
            assert_never(order)


# What stands beside the map: the title, who has what, what the signs mean, and what the map cannot show.

WIDTH = 400.0  # drawing units
TITLE, PHASE, BODY, SMALL = 29.0, 43.0, 24.0, 21.0  # sizes; small is 6.3 points on A5
ROW = 35.0  # from one line of the tables to the next
SIGN = 78.0  # room for a sign before what it means

DrawSign = Callable[[shapes.Point, Speech], Iterator[shapes.DrawCommand]]  # its letters are in that language
DrawMark = Callable[[shapes.Point], Iterator[shapes.DrawCommand]]  # without letters


class Caption(Struct, frozen=True):
    """The words on a picture that the position does not know."""

    title: str = ""  # "Board 2.5"
    subtitle: str = ""  # the event's name
    what: str = ""  # "orders and results", "position"
    notes: tuple[str, ...] = ()
    speech: Speech = IN_ENGLISH  # the language of everything on the picture that is not said above


def _panel(
    position: Position,
    powers: Sequence[Power],
    caption: Caption,
    signs: Sequence[tuple[DrawSign, str]],
    frame: Box,
    counted: Position | None,
) -> Iterator[shapes.DrawCommand]:
    """Draw everything beside the map, from the top; ``powers`` are those in the game.

    The table shows ``counted``, after a count of the centres.
    """
    y = frame.top
    for text, size, is_bold in (
        (caption.title, TITLE, True),
        (caption.subtitle, SMALL, False),
        (caption.speech.says(position.phase.in_words), PHASE, True),
        (caption.what, BODY, False),
    ):
        for line in wrap_text(text, frame.width, partial(orders.width_of, size=size, is_bold=is_bold)) if text else ():
            y += size * 1.12
            yield shapes.Text((frame.left, y), line, size, shapes.BLACK, align=0, is_bold=is_bold)
    yield shapes.Polyline(((frame.left, y + 16), (frame.right, y + 16)), shapes.PictureInk(shapes.GREY, 1.5))
    yield from _powers(position, counted or position, powers, caption.speech, Box(frame.left, y + 22, frame.width, 0))
    y += 22 + ROW * (len(powers) + 1) + 14
    yield shapes.Polyline(((frame.left, y), (frame.right, y)), shapes.PictureInk(shapes.GREY, 1.5))
    for number, (sign, words) in enumerate(signs):
        middle = y + 12 + ROW * (number + 0.5)
        yield from sign((frame.left + 35, middle), caption.speech)
        yield shapes.Text(
            (frame.left + SIGN + 4, middle + SMALL * 0.36), caption.speech.says(words), SMALL, shapes.BLACK, align=0
        )
    y += 12 + ROW * len(signs) + 14
    yield from _write_notes(caption.notes, caption.speech, frame, y)


def _powers(
    before: Position, position: Position, powers: Sequence[Power], speech: Speech, frame: Box
) -> Iterator[shapes.DrawCommand]:
    """List the powers with their centres, by how many more or fewer than before, and units."""
    right, top = (frame.right - 100, frame.right), frame.top
    low = top + ROW * 0.62
    for x, word in zip(right, (speech.says("centres"), speech.says("units")), strict=True):
        yield shapes.Text((x, low), word, SMALL, shapes.GREY, align=1)
    for number, power in enumerate(powers, start=1):
        coat = shapes.COATS[power]
        middle = top + ROW * (number + 0.5)
        low = middle + BODY * 0.36
        left = frame.left
        corners = ((left, middle - 15), (left + 70, middle - 15), (left + 70, middle + 15), (left, middle + 15))
        yield shapes.Polygon(corners, coat.fill, shapes.PictureInk(shapes.GREY, 1.2), coat.hatch)
        yield from orders.unit_sign(Kind.ARMY, power, (left + 35, middle), speech)
        yield shapes.Text((left + SIGN + 4, low), speech.power(power), BODY, shapes.BLACK, align=0)
        driven = sum(each.power is power for each in position.dislodged)
        counts = (len(position.centres.get(power, ())), len(position.units.get(power, ())) + driven)
        for x, count in zip(right, counts, strict=True):
            yield shapes.Text((x, low), str(count), BODY, shapes.BLACK, align=1, is_bold=True)
        if more := counts[0] - len(before.centres.get(power, ())):
            yield shapes.Text((right[0] + 6, low), f"{more:+}", SMALL, shapes.BLACK, align=0)


def _write_notes(texts: Iterable[str], speech: Speech, frame: Box, top: float) -> Iterator[shapes.DrawCommand]:
    """Write what is left to say, as far as it fits; the last line says how much did not."""
    lines = [
        line
        for text in texts
        for line in wrap_text(speech.says(text), frame.width, partial(orders.width_of, size=SMALL))
    ]
    fit = int((frame.bottom - top) // (SMALL * 1.2))
    if len(lines) > fit > 0:
        lines = [
            *lines[: fit - 1],
            speech.says("and {count:more line|more lines} on the card", count=len(lines) - fit + 1),
        ]
    for number, line in enumerate(lines[: max(fit, 0)], start=1):
        yield shapes.Text((frame.left, top + number * SMALL * 1.2), line, SMALL, shapes.BLACK, align=0)


def _arrow(ink: shapes.PictureInk, *above: DrawMark) -> DrawSign:

    def draw(spot: shapes.Point, _: Speech) -> Iterator[shapes.DrawCommand]:
        yield shapes.Arrow(((spot[0] - 33, spot[1]), (spot[0] + 33, spot[1])), ink, orders.HEAD)
        for sign in above:
            yield from sign(spot)

    return draw


def _support_sign(ink: shapes.PictureInk, *above: DrawMark) -> DrawSign:
    """Make the sign of a support, with something on it."""

    def draw(spot: shapes.Point, _: Speech) -> Iterator[shapes.DrawCommand]:
        end = (spot[0] + 29, spot[1])
        yield shapes.Polyline(((spot[0] - 33, spot[1]), end), ink)
        yield shapes.Circle(end, 4.6, ink.colour)
        for sign in above:
            yield from sign(spot)

    return draw


def _star(spot: shapes.Point) -> Iterator[shapes.DrawCommand]:
    """Show a bounce at the end of an arrow."""
    yield orders.burst((spot[0] + 30, spot[1]))


def _small_cross(spot: shapes.Point) -> Iterator[shapes.DrawCommand]:
    """Show a failure in the middle of a line."""
    yield from orders.cross(spot, 6)


def _convoy(spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Show an army's way over a fleet."""
    yield shapes.Polyline(((spot[0] - 35, spot[1]), (spot[0] + 20, spot[1])), orders.WAKE_INK)
    yield shapes.Arrow(((spot[0] - 35, spot[1]), (spot[0] + 35, spot[1])), orders.MOVED, orders.HEAD, rim=shapes.PAPER)
    yield from orders.unit_sign(Kind.FLEET, Power.GERMANY, (spot[0] - 5, spot[1]), speech)
    yield orders.ring((spot[0] - 5, spot[1]), shapes.PictureInk(orders.WAKE_INK.colour, 3.4), 3)


def _draw_dislodged(spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    yield from orders.unit_sign(Kind.ARMY, Power.GERMANY, spot, speech)
    yield from orders.dislodged_ring(spot)


def _void(spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Show a unit whose order was void."""
    yield from orders.unit_sign(Kind.ARMY, Power.GERMANY, spot, speech)
    yield from orders.badge((spot[0] + 19, spot[1] - 10), "!", fill=orders.FAILED.colour, ink=shapes.PAPER, radius=9)


def _draw_built(spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Show a new unit."""
    yield from orders.unit_sign(Kind.ARMY, Power.GERMANY, spot, speech)
    yield from orders.badge((spot[0] + 19, spot[1] - 10), "+", radius=9)


def _draw_removed(spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Show a unit taken off."""
    yield from orders.unit_sign(Kind.ARMY, Power.GERMANY, spot, speech)
    yield from orders.cross_out_unit(Power.GERMANY, spot, speech)


def _draw_without_letters(mark: DrawMark) -> DrawSign:
    return lambda spot, _: mark(spot)


STANDING: tuple[tuple[DrawSign, str], ...] = (
    (partial(orders.unit_sign, Kind.ARMY, Power.GERMANY), to_say("army, its power's letters")),
    (partial(orders.unit_sign, Kind.FLEET, Power.GERMANY), to_say("fleet")),
    (_draw_without_letters(geometry.mark_centre), to_say("supply centre")),
)
SIGNS: dict[Step, tuple[tuple[DrawSign, str], ...]] = {
    Step.MOVEMENT: (
        *STANDING,
        (_arrow(orders.MOVED), to_say("moved")),
        (_arrow(orders.FAILED, _star), to_say("bounced")),
        (_arrow(orders.FAILED, _small_cross), to_say("failed")),
        (_support_sign(orders.SUPPORTS), to_say("support, to a unit or a move")),
        (_support_sign(orders.SUPPORT_FAILED, _small_cross), to_say("support cut or not matched")),
        (_convoy, to_say("convoyed")),
        (_draw_dislodged, to_say("dislodged")),
        (_void, to_say("order void: the unit held")),
    ),
    Step.RETREATS: (
        *STANDING,
        (_arrow(orders.MOVED), to_say("retreated")),
        (_arrow(orders.FAILED, _star), to_say("met another: both disband")),
        (_draw_removed, to_say("disbanded")),
    ),
    Step.ADJUSTMENTS: (*STANDING, (_draw_built, to_say("built")), (_draw_removed, to_say("disbanded, or not built"))),
}


GAP = 22.0  # drawing units between the map and what stands beside it
MAY_GO_TO = to_say("{power} {unit}, dislodged by an attack from {place}: may go to {places}")
GONE = to_say("{power} {unit}, dislodged by an attack from {place}: no retreat, it is gone")
MAY_GO = shapes.PictureInk(shapes.RED, 2.6, (7, 4))
CLOSE = 70.0  # drawing units round what a crop is about
LEAST = (420.0, 320.0)  # drawing units: a crop shows at least this much, so that people recognise the region


def draw_position(
    board: Map, position: Position, caption: Caption | None = None, speech: Speech = IN_ENGLISH
) -> shapes.Drawing:
    """Draw where everything stands; dislodged units beside those that came, with where they may retreat.

    Without a caption only the map is drawn, for a page that has words of its own.
    """
    layers = orders.Layers(caption.speech if caption else speech)
    orders.put_units(position, layers)
    for unit in position.dislodged:
        spot = geometry.standard_geometry().driven_out[unit.unit.province]
        for place in unit.retreats:
            way = geometry.trim_way((spot, geometry.find_goal(board, unit.unit, place)), full=False)
            layers.ways.append(shapes.Arrow(way, MAY_GO, 10, rim=shapes.PAPER))
    if caption is not None:
        caption = replace(caption, notes=(*_say_retreats(position.dislodged), *caption.notes))
    return _compose_drawing(board, position, layers, caption, _waiting_signs(position))


def draw_resolution(
    board: Map,
    before: Position,
    resolution: Resolution,
    caption: Caption | None = None,
    speech: Speech = IN_ENGLISH,
) -> shapes.Drawing:
    """Draw a phase: the units as they stood before it, every order, and what became of it.

    Where the centres were counted after it, the new owners are shown, and the counts.
    """
    layers = orders.draw_results(board, before, resolution.results, caption.speech if caption else speech)
    after = resolution.after
    signs, counted = SIGNS[before.phase.step], None
    if after.centres != before.centres:
        counted, signs = after, (*signs, (_draw_without_letters(orders.new_owner), to_say("new owner")))
        layers.signs += _mark_new_owners(before, after)
    if caption is not None:
        notes = (*_new_owners(before, after), *_say_retreats(after.dislodged), *_waived_in_words(resolution.results))
        notes += (*_orders_not_on_map(before, resolution), *caption.notes)
        caption = replace(caption, notes=notes)
    return _compose_drawing(board, before, layers, caption, signs, counted)


def draw_candidates(
    board: Map, position: Position, unit: Unit | None, candidates: Sequence[Order | None]
) -> shapes.Drawing:
    """Draw a part of the map round one unit, with the orders that its row may mean numbered from 1.

    A candidate None is no order, or one that cannot be drawn; it keeps its number.
    """
    layers = orders.Layers()
    orders.put_units(position, layers)
    if unit is not None:
        layers.signs.append(orders.ring(_unit_spot(position, unit), shapes.PictureInk(shapes.BLACK, 3), 5))
    _draw_ghosts(board, position, candidates, layers)
    whole = _compose_drawing(board, position, layers, None, ())
    places = [place for order in candidates if order for place in _places_of(order)] + ([unit.place] if unit else [])
    return _crop_around(whole, places) if places else whole


def _crop_around(drawing: shapes.Drawing, places: Iterable[str]) -> shapes.Drawing:
    """Show only the part of a drawing round some places (provinces, or coasts), at least as large as `LEAST`."""
    shape = geometry.standard_geometry()
    known = [place if place in shape.units else province_of(place) for place in places]
    tight = Box.of(tuple(shape.units[place] for place in known if place in shape.units), CLOSE)
    width, height = max(tight.width, LEAST[0]), max(tight.height, LEAST[1])
    width, height = max(width, height * LEAST[0] / LEAST[1]), max(height, width * LEAST[1] / LEAST[0])
    width, height = min(width, shape.width), min(height, shape.height)
    left = tight.left + tight.width / 2 - width / 2
    top = tight.top + tight.height / 2 - height / 2
    return drawing.crop(
        Box(min(max(left, 0), shape.width - width), min(max(top, 0), shape.height - height), width, height)
    )


def _compose_drawing(
    board: Map,
    position: Position,
    layers: orders.Layers,
    caption: Caption | None,
    signs: Sequence[tuple[DrawSign, str]],
    counted: Position | None = None,
) -> shapes.Drawing:
    """Put the layers on the board, and the words beside it; centres have the owners of ``counted``, if there is one.

    Without a caption there is nothing beside it.
    """
    shape = geometry.standard_geometry()
    owned = geometry.draw_ground(board, counted or position)
    commands: list[shapes.DrawCommand] = [
        *layers.over(owned, geometry.province_names(board, layers.speech)),
        geometry.frame_line(shape.frame),
    ]
    phase = layers.speech.says(position.phase.in_words)
    if caption is None:
        return shapes.Drawing(shape.frame, tuple(commands), phase)
    beside = Box(shape.width + GAP, 0, WIDTH, shape.height)
    commands += _panel(position, tuple(board.start), caption, signs, beside, counted)
    title = " ".join(part for part in (caption.title, phase) if part)
    return shapes.Drawing(Box(-1, -1, beside.right + 2, shape.height + 2), tuple(commands), title)


def _waiting_signs(position: Position) -> tuple[tuple[DrawSign, str], ...]:
    if position.phase.step is not Step.RETREATS:
        return STANDING
    return (*STANDING, (_draw_dislodged, to_say("dislodged")), (_arrow(MAY_GO), to_say("may retreat there")))


def _centres_gained(before: Position, after: Position) -> dict[Power, tuple[str, ...]]:
    """The centres that each power took from others or from nobody."""
    gained = {
        power: tuple(code for code in owned if code not in before.centres.get(power, ()))
        for power, owned in after.centres.items()
    }
    return {power: codes for power, codes in gained.items() if codes}


def _mark_new_owners(before: Position, after: Position) -> Iterator[shapes.DrawCommand]:
    """Ring every centre that changed hands."""
    for codes in _centres_gained(before, after).values():
        for code in codes:
            yield from orders.new_owner(geometry.standard_geometry().marks[code])


def _new_owners(before: Position, after: Position) -> tuple[str, ...]:
    """Say who took which centres."""
    taken = _centres_gained(before, after).items()
    return tuple(wording("{power} takes {places}", power=power.capitalize(), places=codes) for power, codes in taken)


def _say_retreats(units: Iterable[Dislodged]) -> tuple[str, ...]:
    return tuple(
        wording(
            MAY_GO_TO if d.retreats else GONE,
            power=d.power.capitalize(),
            unit=d.unit,
            place=d.by or wording("elsewhere"),
            places=d.retreats,
        )
        for d in units
    )


def _waived_in_words(results: Iterable[Result]) -> tuple[str, ...]:
    """Say how many builds each power waived; they have no place on the map."""
    count: dict[str, int] = {}
    for result in results:
        if isinstance(result.order, Waive) and result.outcome.result is not Word.ILLEGAL:
            count[result.power.capitalize()] = count.get(result.power.capitalize(), 0) + 1
    return tuple(wording("{power} waives {count}", power=power, count=number) for power, number in count.items())


def _orders_not_on_map(before: Position, resolution: Resolution) -> Iterator[str]:
    """Say which void orders have no place on the map."""
    for result in resolution.results:
        if not orders.is_shown(before, result):
            power, order = result.power.capitalize(), write(result.order)
            yield wording("{power} {order}: {why}", power=power, order=order, why=result.reason)


def _unit_spot(position: Position, unit: Unit) -> tuple[float, float]:
    if any(d.unit == unit for d in position.dislodged):
        return geometry.standard_geometry().driven_out[unit.province]
    known = geometry.standard_geometry().units
    return geometry.stand(unit.place if unit.place in known else unit.province)
