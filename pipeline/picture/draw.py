"""The pictures that the program makes: a position, a phase with its results, and the readings of one doubtful row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.board.map import Map, Power, province_of
from pipeline.board.position import Dislodged, Position, Step, Unit
from pipeline.judge.outcome.outcome import Resolution, Result, Word
from pipeline.orders.notation import write
from pipeline.orders.order import Order, Waive
from pipeline.picture.candidates import draw_ghosts, places_of
from pipeline.picture.commands import Arrow, Command, Drawing, Frame, PictureInk
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.ground import frame_line, ground, names
from pipeline.picture.look import BLACK, PAPER, RED
from pipeline.picture.orders import Layers, draw_results, is_shown, units
from pipeline.picture.panel import SIGNS, STANDING, WIDTH, Caption, Sign, arrow, dislodged, panel
from pipeline.picture.symbols import new_owner, ring
from pipeline.picture.ways import goal, stand, trimmed
from pipeline.words.speech import IN_ENGLISH, Speech, to_say
from pipeline.words.wording import wording

GAP = 22.0  # drawing units between the map and what stands beside it
MAY_GO_TO = to_say("{power} {unit}, dislodged from {place}: may go to {places}")
GONE = to_say("{power} {unit}, dislodged from {place}: no retreat, it is gone")
MAY_GO = PictureInk(RED, 2.6, (7, 4))
CLOSE = 70.0  # drawing units round what a crop is about
LEAST = (420.0, 320.0)  # drawing units: a crop shows at least this much, or nobody knows where it is


def draw_position(
    board: Map, position: Position, caption: Caption | None = None, speech: Speech = IN_ENGLISH
) -> Drawing:
    """Draw where everything stands; dislodged units beside those that came, with where they may retreat.

    Without a caption only the map is drawn, for a page that has words of its own.
    """
    layers = Layers()
    units(position, layers)
    for unit in position.dislodged:
        may_go(board, unit, layers)
    if caption is not None:
        caption = replace(caption, notes=(*driven_out(position.dislodged), *caption.notes))
    return finished(board, position, layers, caption or speech, waiting_signs(position))


def draw_resolution(
    board: Map,
    before: Position,
    resolution: Resolution,
    caption: Caption | None = None,
    speech: Speech = IN_ENGLISH,
) -> Drawing:
    """Draw a phase: the units as they stood before it, every order, and what became of it.

    Where the centres were counted after it, the new owners are shown, and the counts.
    """
    layers, after = draw_results(board, before, resolution.results), resolution.after
    signs, counted = SIGNS[before.phase.step], None
    if after.centres != before.centres:
        counted, signs = after, (*signs, (new_owner, to_say("new owner")))
        layers.signs += mark_new_owners(before, after)
    if caption is not None:
        said = (*new_owners(before, after), *driven_out(after.dislodged), *waived(resolution.results))
        said += (*unshown(before, resolution), *caption.notes)
        caption = replace(caption, notes=said)
    return finished(board, before, layers, caption or speech, signs, counted)


def draw_candidates(
    board: Map, position: Position, unit: Unit | None, candidates: Sequence[Order | None], margin: float = CLOSE
) -> Drawing:
    """Draw a part of the map round one unit, with the orders that its row may mean numbered from 1.

    None is what is no order, or not to be drawn; it has its number, too.
    """
    layers = Layers()
    units(position, layers)
    if unit is not None:
        layers.signs.append(ring(where(position, unit), PictureInk(BLACK, 3), 5))
    draw_ghosts(board, position, candidates, layers)
    whole = finished(board, position, layers, IN_ENGLISH, ())
    places = [place for order in candidates if order for place in places_of(order)] + ([unit.place] if unit else [])
    return crop_around(whole, places, margin) if places else whole


def crop_around(drawing: Drawing, places: Iterable[str], margin: float = CLOSE) -> Drawing:
    """Show only the part of a drawing round some places (provinces, or coasts), never less than tells where it is."""
    shape = standard_geometry()
    known = [place if place in shape.units else province_of(place) for place in places]
    tight = Frame.of(tuple(shape.units[place] for place in known if place in shape.units), margin)
    width, height = max(tight.width, LEAST[0]), max(tight.height, LEAST[1])
    width, height = max(width, height * LEAST[0] / LEAST[1]), max(height, width * LEAST[1] / LEAST[0])
    width, height = min(width, shape.width), min(height, shape.height)
    left = tight.left + tight.width / 2 - width / 2
    top = tight.top + tight.height / 2 - height / 2
    return drawing.cropped(
        Frame(min(max(left, 0), shape.width - width), min(max(top, 0), shape.height - height), width, height)
    )


def finished(
    board: Map,
    position: Position,
    layers: Layers,
    words: Caption | Speech,
    signs: Sequence[tuple[Sign, str]],
    counted: Position | None = None,
) -> Drawing:
    """Put the layers on the board, and the words beside it; centres have the owners of ``counted``, if there is one.

    Without a caption there is nothing beside it, and only the language of the names on it counts.
    """
    speech = words if isinstance(words, Speech) else words.speech
    shape = standard_geometry()
    owned = ground(board, counted or position)
    commands: list[Command] = [*layers.over(owned, names(board, speech)), frame_line(shape.frame)]
    phase = speech.says(position.phase.in_words)
    if isinstance(words, Speech):
        return Drawing(shape.frame, tuple(commands), phase)
    beside = Frame(shape.width + GAP, 0, WIDTH, shape.height)
    commands += panel(position, tuple(board.start), words, signs, beside, counted)
    title = " ".join(part for part in (words.title, phase) if part)
    return Drawing(Frame(-1, -1, beside.right + 2, shape.height + 2), tuple(commands), title)


def may_go(board: Map, unit: Dislodged, layers: Layers) -> None:
    """Show where a dislodged unit may retreat."""
    spot = standard_geometry().driven_out[unit.unit.province]
    for place in unit.retreats:
        way = trimmed((spot, goal(board, unit.unit, place)), full=False)
        layers.ways.append(Arrow(way, MAY_GO, 10, rim=PAPER))


def waiting_signs(position: Position) -> tuple[tuple[Sign, str], ...]:
    """Explain the signs of a position."""
    if position.phase.step is not Step.RETREATS:
        return STANDING
    return (*STANDING, (dislodged, to_say("dislodged")), (arrow(MAY_GO), to_say("may retreat there")))


def gained(before: Position, after: Position) -> dict[Power, tuple[str, ...]]:
    """The centres that each power took from others or from nobody."""
    found = {
        power: tuple(code for code in owned if code not in before.centres.get(power, ()))
        for power, owned in after.centres.items()
    }
    return {power: codes for power, codes in found.items() if codes}


def mark_new_owners(before: Position, after: Position) -> Iterator[Command]:
    """Ring every centre that changed hands."""
    for codes in gained(before, after).values():
        for code in codes:
            yield from new_owner(standard_geometry().marks[code])


def new_owners(before: Position, after: Position) -> tuple[str, ...]:
    """Say who took which centres."""
    taken = gained(before, after).items()
    return tuple(wording("{power} takes {places}", power=power.capitalize(), places=codes) for power, codes in taken)


def driven_out(units: Iterable[Dislodged]) -> tuple[str, ...]:
    """Say where dislodged units may go."""
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


def waived(results: Iterable[Result]) -> tuple[str, ...]:
    """Say in words what has no place on the map."""
    count: dict[str, int] = {}
    for result in results:
        if isinstance(result.order, Waive) and result.outcome.result is not Word.ILLEGAL:
            count[result.power.capitalize()] = count.get(result.power.capitalize(), 0) + 1
    return tuple(wording("{power} waives {count}", power=power, count=number) for power, number in count.items())


def unshown(before: Position, resolution: Resolution) -> Iterator[str]:
    """Say which orders were none and stand nowhere on the map."""
    for result in resolution.results:
        if not is_shown(before, result):
            power, order = result.power.capitalize(), write(result.order)
            yield wording("{power} {order}: {why}", power=power, order=order, why=result.reason)


def where(position: Position, unit: Unit) -> tuple[float, float]:
    """Where a unit is drawn in a position."""
    if any(d.unit == unit for d in position.dislodged):
        return standard_geometry().driven_out[unit.province]
    known = standard_geometry().units
    return stand(unit.place if unit.place in known else unit.province)
