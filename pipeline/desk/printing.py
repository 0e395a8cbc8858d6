"""Print the sheets of a round, and remember what was printed: a sheet is known by the fact of its printing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from pipeline.board.map import Power
from pipeline.board.position import Phase, Step
from pipeline.desk.event import Event
from pipeline.desk.expected import expected_units
from pipeline.desk.games import Game, games
from pipeline.problems import stop
from pipeline.sheets.sheet import print_sheets
from pipeline.tournament.field_rows import Design
from pipeline.tournament.folders import data_folder
from pipeline.tournament.sheet import SheetRequest, SheetTemplate, parts_for, read_template, slot_of
from pipeline.tournament.sheet_id import SheetId
from pipeline.tournament.sheet_layout import Layout, PageLayout, layout, place


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF of sheets, and where everything is on it."""

    pdf: bytes
    layout: Layout


def print_round(
    event: Event,
    round_number: int,
    board: str | None,
    phase: Phase | None,
    spare: int,
    design: Design = Design.LINE,
) -> Printed:
    """Print what the players of a round need next; the serials are written down before the paper exists.

    ``board`` limits it to one board, ``phase`` overrides the phase each board is in, ``spare`` adds so many further
    sheets for each power.
    """
    chosen = [
        game
        for game in games(event).values()
        if game.seating.round == round_number and board in (None, game.seating.board) and not game.ended
    ]
    if not chosen:
        raise stop(
            "no such board in this round, or its game is over; see 'ordersheets status'", f"round {round_number}"
        )
    template_text = (data_folder("templates/sheets") / f"{event.details.paper.lower()}.toml").read_text("utf-8")
    template = read_template(template_text, f"{event.details.paper.lower()}.toml")
    requests = tuple(
        request
        for first, wanted in [(next_serial(event), sheets_wanted(event, chosen, phase, spare, template))]
        for serial, (game, power, when, part, parts) in enumerate(wanted, start=first)
        for request in [replace(request_for(event, game, power, when, part, parts, serial), design=design)]
    )
    if not requests:
        raise stop("nobody on these boards has anything to write in this phase", f"round {round_number}")
    event.facts.append(
        "sheets printed", {"template": template_text, "sheets": [as_body(r) for r in requests]}, "printing"
    )
    return Printed(print_sheets(requests, template), layout(requests, template))


def sheets_wanted(
    event: Event, chosen: Iterable[Game], phase: Phase | None, spare: int, template: SheetTemplate
) -> list[tuple[Game, Power, Phase, int, int]]:
    """List the sheets: for each power that must write, as many parts as its units need, and the spares."""
    wanted = []
    for game in chosen:
        when = phase or game.position.phase
        for power, units in writers(event, game, when):
            parts = parts_for(template, when.step, units)
            for _ in range(1 + spare):
                wanted += [(game, power, when, part, parts) for part in range(1, parts + 1)]
    return wanted


def writers(event: Event, game: Game, when: Phase) -> Iterator[tuple[Power, int]]:
    """List who must write, and for how many units; in a phase still to come, everybody with a unit or a centre."""
    if when == game.position.phase:
        yield from expected_units(event.board, game.position).items()
        return
    for power in game.seating.players:
        units, centres = len(game.position.units.get(power, ())), len(game.position.centres.get(power, ()))
        if units or centres:
            yield power, max(1, units if when.step is Step.MOVEMENT else abs(centres - units))


def next_serial(event: Event) -> int:
    """The first serial that neither a sheet nor a form has yet."""
    kinds = (("sheets printed", "sheets"), ("forms printed", "forms"))
    return 1 + max((s["serial"] for kind, key in kinds for f in event.facts.read(kind) for s in f.body[key]), default=0)


def request_for(
    event: Event, game: Game, power: Power, when: Phase, part: int, parts: int, serial: int
) -> SheetRequest:
    """Ask for one sheet."""
    return SheetRequest(
        id=SheetId(event.details.code, serial),
        title=event.details.name,
        round=game.seating.round,
        board=game.seating.board,
        slot=slot_of(game.seating.index, power),
        power=power,
        phase=when,
        player=game.seating.players.get(power, ""),
        part=part,
        parts=parts,
    )


def as_body(request: SheetRequest) -> dict[str, Any]:
    """Write a request as the body of a fact."""
    return {
        "serial": request.id.serial,
        "title": request.title,
        "round": request.round,
        "board": request.board,
        "slot": request.slot,
        "power": str(request.power),
        "phase": str(request.phase),
        "player": request.player,
        "units": list(request.units),
        "part": request.part,
        "parts": request.parts,
        "design": str(request.design),
    }


def from_body(code: str, body: dict[str, Any]) -> SheetRequest:
    """Read a request back from the body of a fact."""
    return SheetRequest(
        id=SheetId(code, body["serial"]),
        title=body["title"],
        round=body["round"],
        board=body["board"],
        slot=body["slot"],
        power=Power(body["power"]),
        phase=Phase.read(body["phase"]),
        player=body["player"],
        units=tuple(body["units"]),
        part=body["part"],
        parts=body["parts"],
        design=Design(body.get("design", Design.LINE)),  # sheets of earlier editions have free lines
    )


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """One sheet that exists on paper, with the template it was printed from."""

    request: SheetRequest
    page: PageLayout


def printed_sheets(event: Event) -> dict[str, PrintedSheet]:
    """Every sheet ever printed for this event, by its id; each is cut out by the template it was printed with."""
    found = {}
    for fact in event.facts.read("sheets printed"):
        template = read_template(fact.body["template"], f"fact {fact.number} template")
        for body in fact.body["sheets"]:
            request = from_body(event.details.code, body)
            found[str(request.id)] = PrintedSheet(request, place(request, template))
    return found
