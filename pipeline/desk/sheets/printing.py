"""Print the sheets of a round; what was printed is remembered (`printed`).

Either the sheets of one phase, or pads for a whole round: sheets without a season, which the player ticks.
"""

from collections.abc import Container, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Phase, Power, Step
from pipeline.desk.event.ending import over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.sheets.pads import KINDS
from pipeline.desk.sheets.printed import TargetRow, blocks, entitlements, expected_units, next_serial, printed_sheets
from pipeline.ledger.events import SheetsPrinted
from pipeline.paper.lettering import unprintable_names
from pipeline.paper.load_sheet import read_template, translate_template
from pipeline.paper.printed_sheet import SheetRun, print_runs
from pipeline.paper.sheet import PAPER_SIZES, SheetRequest, SheetTemplate, draw_token, parts_for, slot_of
from pipeline.paper.sheet_layout import Layout, layout
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.small_files import data_folder

HALF = {"A4": "a5", "LETTER": "half_letter"}  # the template of half a page, for papers that have one


class Printed(Struct, frozen=True):
    """A PDF of sheets, and where everything is on it."""

    pdf: bytes
    layout: Layout
    notes: tuple[Problem, ...] = ()  # what is unusual about printing these sheets now
    slips: int = 0  # how many of the sheets are half a page


class PrintWish(Struct, frozen=True, kw_only=True):
    """What to print, beside the boards of a round."""

    phase: Phase | None = None  # another phase than the one each board is in
    spare: int = 0  # so many further sheets for each power
    pads: int = 0  # pads for so many movement seasons, instead of sheets for one phase
    kinds: tuple[Step, ...] = ()  # pads of these kinds only, ``pads`` of each; none: all kinds that a round needs
    design: Design | None = None  # None: what suits each board, as `design_at` says
    for_beginners: bool = False
    powers: tuple[
        Power, ...
    ] = ()  # only theirs, such as those who must order something else after a correction; none: all
    needed: tuple[
        tuple[str, tuple[Power, ...]], ...
    ] = ()  # only these boards, and of each only these powers; none: all
    slips: bool | None = False  # retreats and winters on half a page, two on a paper, which is cut; None: if they fit

    def faults(self, open_now: Iterable[Phase]) -> list[str]:
        """List the options that exclude each other, for boards in these phases."""
        wrong, phases = [], set(open_now)
        if self.pads and self.phase:
            wrong.append(f"a pad has no phase, the player ticks it; leave {self.phase} out, or print no pads")
        if self.pads and self.spare:
            wrong.append(f"pads need no spare sheets; print more than {self.pads} of them instead")
        if self.kinds and not self.pads:
            wrong.append("only pads are printed by kind; say how many, such as --pads 4")
        is_other_phase = self.phase is not None and any(phase != self.phase for phase in phases)
        if self.design is Design.TARGETS and (self.pads or is_other_phase):
            wrong.append("targets show the units of the open phase only; print another design")
        if self.design is Design.TARGETS and self.for_beginners:
            wrong.append("the examples for beginners are of free lines; print them without the design targets")
        when = {self.phase} if self.phase else phases
        if self.slips and (self.pads or self.for_beginners or any(each.step is Step.MOVEMENT for each in when)):
            wrong.append("slips have room for retreats and winters only; print sheets")
        return wrong

    def design_at(self, opened: Phase) -> Design:
        """The design of the rows for a board in this phase.

        By default targets for the open phase, whose units are known; free lines on pads, for later phases, and on
        beginners' sheets.
        """
        if self.design is not None:
            return self.design
        is_open = not self.pads and self.phase in (None, opened)
        return Design.TARGETS if is_open and not self.for_beginners else Design.LINE

    def is_for(self, game: Game, power: Power) -> bool:
        """Whether sheets of a power on one of the boards are wanted."""
        return power in (dict(self.needed).get(game.name) or self.powers or (power,))

    def copies(self, step: Step) -> int:
        """How many pads of a kind a power gets: one a season for movement, half as many for other kinds."""
        if self.kinds:
            return self.pads if step in self.kinds else 0
        return self.pads if step is Step.MOVEMENT else -(-self.pads // 2)


NO_WISH = PrintWish()  # sheets for the phase that is open


def _boards_wanted(event: Event, round_number: int | None, board: str | None) -> list[Game]:
    """The games of a round, or one; a board named without a round is of that round, or else of the one drawn last."""
    if round_number is None:
        if board is None:
            raise stop("say for which round, or for which board", "--round, --board")
        return [find_game(event, board)]
    wanted = [game for game in games(event).values() if game.seating.round == round_number]
    mine = [game for game in wanted if board in (None, game.seating.board, game.name)]
    if not mine and board in games(event):
        raise stop(f"board {board} is not of round {round_number}; leave --round out, or name another", "--board")
    return mine


def print_round(event: Event, round_number: int | None, board: str | None = None, wish: PrintWish = NO_WISH) -> Printed:
    """Print sheets or pads for a round; the serials are written down before the paper exists.

    ``board`` limits it to one board; the round may be None if the board is named in full.
    """
    recorded = record_sheets(event, round_number, board, wish)
    return Printed(print_runs(recorded.runs), recorded.layout, recorded.notes, recorded.slips)


def _run_of(event: Event, requests: Iterable[SheetRequest], template: SheetTemplate) -> SheetRun:
    """Sheets as they are printed on the event's paper: two side by side, if they are half its size.

    `Stopped` where a sheet has no room for what must stand on it.
    """
    requests = tuple(requests)
    short, long = PAPER_SIZES[event.details.paper]
    is_half = 2 * template.width <= long and template.height <= short
    return SheetRun(requests, template, layout(requests, template).pages, beside=2 if is_half else 1)


class Recorded(Struct, frozen=True):
    """Sheets that are written down and not drawn yet."""

    numbers: tuple[int, ...]  # of the facts: one for each template
    runs: tuple[SheetRun, ...]
    notes: tuple[Problem, ...]  # what is unusual about printing these sheets now

    @property
    def layout(self) -> Layout:
        return Layout(tuple(page for run in self.runs for page in run.pages))

    @property
    def slips(self) -> int:
        """How many of the sheets are half a page."""
        return sum(len(run.requests) for run in self.runs if run.beside > 1)


def record_sheets(event: Event, round_number: int | None, board: str | None, wish: PrintWish) -> Recorded:
    """Write down which sheets will be printed, and how they are laid out; or stop with all reasons against it."""
    where = f"round {round_number}" if board is None else f"board {board}"
    numbers, runs = list[int](), list[SheetRun]()
    with event.facts.transaction():  # nobody else prints these serials, or draws other seats meanwhile
        named = [
            game
            for game in _boards_wanted(event, round_number, board)
            if not wish.needed or game.name in dict(wish.needed)
        ]
        chosen = _boards_to_print(event, named, wish, where)
        notes = _printing_notes(event, named, {game.name for game in chosen}, wish)
        for boards, is_half in _parted_by_size(event, chosen, wish, where):
            template_text, template = _template_for(event, wish, where, is_half=is_half)
            wanted = (_pads_wanted if wish.pads else _sheets_wanted)(event, boards, wish, template)
            requests = tuple(
                replace(request, serial=serial, event=event.details.code, token=draw_token(event.random))
                for serial, request in enumerate(wanted, start=next_serial(event))
            )
            if requests:
                runs.append(_run_of(event, requests, template))  # first, because there may be no room
                sheets = tuple(replace(request, event="") for request in requests)
                said = SheetsPrinted(template=template_text, pads=wish.pads, sheets=sheets)
                numbers.append(event.facts.write(said, "printing").number)
        if not runs:
            raise stop("nobody on these boards has anything to write in this phase", where)
    return Recorded(tuple(numbers), tuple(runs), notes)


def _parted_by_size(
    event: Event, chosen: Sequence[Game], wish: PrintWish, where: str
) -> Iterator[tuple[list[Game], bool]]:
    """The boards whose sheets are whole pages, and those whose sheets are half a page, with whether they are."""
    if wish.slips is not None or wish.pads or wish.for_beginners or event.details.paper not in HALF:
        yield list(chosen), bool(wish.slips)
        return
    _, half = _template_for(event, wish, where, is_half=True)
    small = [game for game in chosen if _fits_slips(event, game, wish, half)]
    yield [game for game in chosen if game not in small], False
    yield small, True


def _fits_slips(event: Event, game: Game, wish: PrintWish, half: SheetTemplate) -> bool:
    """Whether each power of a board that retreats, builds or disbands finds room on half a page."""
    if (wish.phase or game.position.phase).step is Step.MOVEMENT:
        return False
    wanted = _sheets_wanted(event, (game,), wish, half)
    try:
        layout(wanted, half)
    except Stopped:  # too many places for the columns of half a page
        return False
    return all(request.parts == 1 for request in wanted)


def _printing_notes(
    event: Event, named: Sequence[Game], going_on: Container[str], wish: PrintWish
) -> tuple[Problem, ...]:
    """Warn if the sheets are for a phase or game that is over, were printed before, or cannot show a player's name."""
    notes, printed = [], printed_sheets(event).values()
    for game in named:
        if game.name not in going_on:
            notes.append(Problem(Weight.NOTES, "nothing is printed for it: the game is over", game.name))
            continue
        when = wish.phase or game.position.phase
        if when.sort_key < game.position.phase.sort_key:
            how = "published" if any(played.phase == when for played in game.played) else "over"
            text = f"{when.in_words} is {how}, {game.position.phase.in_words} is open; these sheets come too late"
            notes.append(Problem(Weight.NOTES, text, game.name))
        elif not (wish.pads or wish.powers or dict(wish.needed).get(game.name)) and (
            before := [
                s.fact for s in printed if not s.request.is_pad and (s.turn.board, s.turn.phase) == (game.name, when)
            ]
        ):
            text = f"sheets for {when.in_words} were printed before; for the same once more: --reprint {before[-1]}"
            notes.append(Problem(Weight.NOTES, text, game.name))
    names = dict.fromkeys(name for game in named for name in game.seating.players.values() if name)
    return (*notes, *unprintable_names(names))


def _boards_to_print(event: Event, named: Sequence[Game], wish: PrintWish, where: str) -> list[Game]:
    """The games among those named that go on; stop where none does, or where the wish does not fit them."""
    unended = [game for game in named if not game.ending]
    done = {game.name: why for game in unended if (why := over(event, game))}
    chosen = [game for game in unended if game.name not in done]
    if faults := wish.faults(game.position.phase for game in chosen):
        raise Stopped(Problem(Weight.STOPS, fault, where) for fault in faults)
    if chosen:
        return chosen
    if done:
        raise Stopped(Problem(Weight.STOPS, to_end(why), name) for name, why in done.items())
    if ended := [game.name for game in named]:
        raise stop(f"nothing is printed: the game is over on {', '.join(ended)}", where)
    raise stop("no such board in this round; see 'ordersheets status'", where)


def _template_for(event: Event, wish: PrintWish, where: str, *, is_half: bool) -> tuple[str, SheetTemplate]:
    """The template of the event's paper, or of half of it, in the event's language: as text, and as it is read."""
    paper = HALF.get(event.details.paper) if is_half else event.details.paper
    if paper is None:
        raise stop(f"slips are halves of {', '.join(HALF)}; the event's paper is {event.details.paper}", where)
    name = f"{paper.lower()}.toml"
    text = translate_template((data_folder("templates/sheets") / name).read_text("utf-8"), event.speech)
    template = read_template(text, name)
    if wish.for_beginners and template.beginners is None:
        raise stop("this template has no sheet for beginners; add a table [beginners] as in a4.toml", name)
    return text, template


def _sheets_wanted(
    event: Event, chosen: Iterable[Game], wish: PrintWish, template: SheetTemplate
) -> list[SheetRequest]:
    """List the sheets: for each power that must write, as many parts as its units need, and the spares."""
    wanted = []
    for game in chosen:
        when, design = wish.phase or game.position.phase, wish.design_at(game.position.phase)
        for power, units in _writers(game, when):
            if not wish.is_for(game, power):
                continue
            rows = _target_rows(event, game, power, design)
            needed = len(rows) if design is Design.TARGETS else units
            parts = parts_for(template, when.step, needed, for_beginners=wish.for_beginners, design=design)
            request = _request_for(event, game, wish, power, when, rows)
            for _ in range(1 + wish.spare):
                wanted += [replace(request, part=part, parts=parts) for part in range(1, parts + 1)]
    return wanted


def _pads_wanted(event: Event, chosen: Iterable[Game], wish: PrintWish, template: SheetTemplate) -> list[SheetRequest]:
    """List the pads of a round, player by player: each gets a stack of all kinds."""
    wanted = []
    last = template.pad.first_year + template.pad.years - 1
    for game in chosen:
        if game.position.phase.year > last:
            raise stop(f"the years on the pads end with {last}; print sheets for the phase instead", game.name)
        for power in game.seating.players:
            units, centres = (len(owned.get(power, ())) for owned in (game.position.units, game.position.centres))
            for step, when in KINDS.items() if wish.is_for(game, power) and (units or centres) else ():
                needed = units if step is Step.MOVEMENT else 1
                parts = parts_for(template, step, needed, is_pad=True, for_beginners=wish.for_beginners)
                request = _request_for(event, game, wish, power, when)
                for _ in range(wish.copies(step)):
                    wanted += [replace(request, part=part, parts=parts) for part in range(1, parts + 1)]
    return wanted


def _target_rows(event: Event, game: Game, power: Power, design: Design) -> tuple[TargetRow, ...]:
    """What is printed in the rows of targets of a power, in the phase that is open; nothing in another design."""
    rules = event.tournament
    coast = rules.reading.coast_needed_in_support.value
    return blocks(game.map, game.position, power, rules.abbreviations, coast) if design is Design.TARGETS else ()


def _writers(game: Game, when: Phase) -> Iterator[tuple[Power, int]]:
    """List who must write, and for how many units; in another phase, everybody with a unit or a centre."""
    if when == game.position.phase:
        yield from expected_units(game.map, game.position).items()
        return
    for power in game.seating.players:
        units, centres = len(game.position.units.get(power, ())), len(game.position.centres.get(power, ()))
        if units or centres:
            yield power, max(1, units if when.step is Step.MOVEMENT else abs(centres - units))


def _request_for(
    event: Event, game: Game, wish: PrintWish, power: Power, phase: Phase, rows: tuple[TargetRow, ...] = ()
) -> SheetRequest:
    """A power's sheet, still without its serial and its part; of a pad only the step of the phase counts."""
    seating, design = game.seating, wish.design_at(game.position.phase)
    is_winter = design is Design.TARGETS and phase.step is Step.ADJUSTMENTS
    return SheetRequest(
        serial=0,
        title=event.details.name,
        round=seating.round,
        board=seating.board,
        slot=slot_of(seating.index, power),
        power=power,
        phase=phase,
        player=seating.players.get(power, ""),
        units=tuple(unit for unit, _ in rows),
        targets=tuple(choices for _, choices in rows),
        due=abs(entitlements(game.map, game.position).get(power, 0)) if is_winter else 0,
        is_pad=bool(wish.pads),
        design=design,
        for_beginners=wish.for_beginners,
        live=event.details.live_address,
        pool=seating.pool,
    )


def printed_again(event: Event, *numbers: int) -> bytes:
    """The PDF of earlier print-outs, by the numbers of their facts: the same sheets, with the same serials."""
    runs, printed = [], printed_sheets(event).values()
    for number in numbers:
        mine = [sheet for sheet in printed if sheet.fact == number]
        if not mine:
            known = ", ".join(str(fact.number) for fact in event.facts.select(SheetsPrinted))
            text = f"no sheets were printed as number {number} of the journal; there are {known or 'none'}"
            raise stop(text, "--reprint")
        runs.append(_run_of(event, (sheet.request for sheet in mine), mine[0].template))
    return print_runs(runs)
