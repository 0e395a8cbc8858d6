"""Sheets written and scanned without people: the printed pages, the pen and the scanner put together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pypdfium2
from msgspec import Struct, field

from pipeline.board import Phase, Power, Step, Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.review.meaning import MeansNothing, Shorthand, take_typed
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.pads import SEASONS
from pipeline.desk.sheets.printed import printed_sheets, unit_in_words
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.orders import Move, NotAnOrder, Order, Retreat, Waive, read_order, read_unit
from pipeline.paper.sheet_layout import Form
from pipeline.pen.filling import VIA, FieldMark, FieldPlace, Signature, Tick, boxes_of, fill, in_targets
from pipeline.pen.hand import Hand
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import Scan, deliver, scan_page
from pipeline.pen.writing import Slip, WrittenWords
from pipeline.rules.abbreviations import Abbreviations

PAGE_DPI = 200  # of the rendered paper; the scanner's may differ
SCANNER_DPI = (200, 200, 300)


class Writer(Struct, frozen=True, kw_only=True):
    """What goes onto one sheet."""

    hand: int
    player: str
    lines: Mapping[int, str]  # by the printed number of the row
    slips: Mapping[int, Slip]
    ticks: tuple[str, ...] = ()  # boxes that are ticked, by name
    times: int = 1  # how often the helper feeds it


WriterOf = Callable[[str], Writer | None]  # a sheet's id -> who writes it; None: it never comes in


def write_and_scan(printed: Printed, writer_of: WriterOf, folder: Path, seed: int) -> tuple[Path, ...]:
    """Write every sheet, scan it, and leave files of all kinds in the folder, pages in mixed order."""
    document = pypdfium2.PdfDocument(printed.pdf)
    scans = []
    for number, page in enumerate(printed.layout.pages):
        writer = writer_of(page.sheet)
        if writer is None:
            continue
        rng = np.random.default_rng([seed, number])
        paper = document[number].render(scale=PAGE_DPI / 72, grayscale=True).to_numpy()
        blank = np.ascontiguousarray(paper.reshape(paper.shape[:2]))
        filled = fill(blank, page.as_json(), _marks(writer), Hand.from_seed(writer.hand), rng)
        scans += [_simulate_scan(filled, rng) for _ in range(writer.times)]
    document.close()
    folder.mkdir(parents=True, exist_ok=True)
    delivered = deliver(scans, folder, np.random.default_rng([seed, 999]))
    return tuple(folder / name for name in dict.fromkeys(each.file for each in delivered))


def _marks(writer: Writer) -> dict[FieldPlace, FieldMark]:
    """What the writer puts where."""
    field_marks: dict[FieldPlace, FieldMark] = {("signature", None): Signature(writer.player)}
    for name in writer.ticks:
        field_marks[name, None] = Tick()
    for row, line in writer.lines.items():
        field_marks["order", row] = WrittenWords(line, writer.slips.get(row))
    return field_marks


def _simulate_scan(page: Picture, rng: np.random.Generator) -> Scan:
    """Scan a page as a feeder does: a little askew, now and then the wrong way up, in one resolution or another."""
    is_upside_down = bool(rng.random() < 0.25)
    dpi = int(rng.choice(SCANNER_DPI))
    return scan_page(page, rng, page_dpi=PAGE_DPI, dpi=dpi, is_upside_down=is_upside_down)


# Which row of a power's sheets each line of a script is written in: a unit's own where it is printed, or the next.

BUILD, WAIVE = "B", "WAIVE"


def rows_for(lines: Sequence[str], forms: Sequence[Form], words: Abbreviations) -> Mapping[int, int]:
    """Say by the printed number of a row which line is written there, 1..; ``forms`` are the parts of one sheet.

    On free lines they are written one below the other.
    """
    free = [place.row or 0 for form in forms for place in form.rows if not form.has_targets(place.row or 0)]
    taken: dict[int, int] = {}
    for number, line in enumerate(lines, start=1):
        row = next((row for row in _rows_printed_for(line, forms, words) if row not in taken), None)
        if row is None and free:
            row = free.pop(0)
        if row is not None:
            taken[row] = number
    return taken


def _rows_printed_for(line: str, forms: Sequence[Form], words: Abbreviations) -> list[int]:
    """The rows that are printed for what a line is about."""
    unit = " ".join(line.split()[:2])
    rows = []
    for form in forms:
        for row in (box_field.row or 0 for box_field in form.rows if form.has_targets(box_field.row or 0)):
            if line.endswith(f" {BUILD}"):
                is_mine = any(cell.name == unit for cell in form.cells_of(row))
            elif line == WAIVE:
                is_mine = not form.unit_of(row)
            else:
                is_mine = form.unit_of(row) == _as_printed(unit, words)
            rows += [row] if is_mine else []
    return rows


def _as_printed(unit: str, words: Abbreviations) -> str:
    """A unit as sheets print it; any other text is returned unchanged."""
    try:
        return unit_in_words(read_unit(unit), words)
    except ValueError:
        return unit


def by_sea(lines: Sequence[str], forms: Sequence[Form], taken: Mapping[int, int]) -> frozenset[int]:
    """Say which lines are ticked as convoyed moves: a place that has no box in a unit's row is reached by sea alone.

    ``taken`` is the result of `rows_for`. The line itself need not say that it is by sea; the ticks of its row do.
    """
    units_by_sea = set()
    for form in forms:
        for row in (box_field.row or 0 for box_field in form.rows if form.has_targets(box_field.row or 0)):
            named = {cell.name for cell in form.cells_of(row)}
            if row in taken and VIA in in_targets(boxes_of(lines[taken[row] - 1]), named):
                units_by_sea.add(taken[row])
    return frozenset(units_by_sea)


# Stacks of pads on invented tables: printed once for a round, dealt turn by turn, and ticked wrongly now and then.

WRONG = 0.08  # share of pads that are ticked wrongly; an assumption, not counted at real tables


class PadStacks(Struct):
    """The pads of an event, and which of them are used up."""

    event: Event
    seasons: int
    seed: int
    printed: list[Printed] = field(default_factory=list)
    free: dict[tuple[str, Power, Step], list[str]] = field(default_factory=dict)  # by board, power and kind

    def deal(self, game: Game, powers: Iterable[Power]) -> Iterator[tuple[Printed, dict[str, tuple[str, ...]]]]:
        """Let each power take a pad from its stack, and print more where one is used up.

        Yields each print-out of which pads are written on, with their ids and the boxes that are ticked on each.
        """
        phase = game.position.phase
        taken = {self.take(game, power): _ticks_of(self.turn(game, power), self.seed) for power in powers}
        for printed in self.printed:
            here = {page.sheet: taken[page.sheet] for page in printed.layout.pages if page.sheet in taken}
            if here:
                yield printed, {sheet: ticks or _right_ticks(phase) for sheet, ticks in here.items()}

    def take(self, game: Game, power: Power) -> str:
        """Take the top pad of the kind that the phase wants."""
        stack = (game.name, power, game.position.phase.step)
        if not self.free.get(stack):
            kinds = () if not any(board == game.name for board, _, _ in self.free) else (game.position.phase.step,)
            self.print(game, PrintWish(pads=self.seasons, kinds=kinds))
        return self.free[stack].pop(0)

    def print(self, game: Game, wish: PrintWish) -> None:
        """Print pads for a board and lay them on its table."""
        printed = print_round(self.event, game.seating.round, game.seating.board, wish)
        self.printed.append(printed)
        known = printed_sheets(self.event)
        for page in printed.layout.pages:
            request = known[page.sheet].request
            self.free.setdefault((game.name, request.power, request.phase.step), []).append(page.sheet)

    def turn(self, game: Game, power: Power) -> Turn:
        return Turn(game.name, game.position.phase, power)

    def is_wrong(self, turn: Turn) -> bool:
        return bool(_ticks_of(turn, self.seed))


def _right_ticks(phase: Phase) -> tuple[str, ...]:
    """The boxes that belong to a phase; in winter the year alone is ticked.

    >>> _right_ticks(Phase.read("F1902R")), _right_ticks(Phase.read("W1902A"))
    (('fall', '1902'), ('1902',))
    """
    seasons = tuple(name for name, season in SEASONS.items() if season is phase.season)
    return (*seasons, str(phase.year))


def _ticks_of(turn: Turn, seed: int) -> tuple[str, ...]:
    """The wrong ticks of a turn; nothing for most, which are right.

    As people do in a hurry: the other season, another year, two seasons or two years, or one of them missing.
    """
    rng = np.random.default_rng([seed, 190, *str(turn).encode()])
    if rng.random() >= WRONG:
        return ()
    right = _right_ticks(turn.phase)
    year = str(turn.phase.year)
    slips = [(*right[:-1], str(turn.phase.year + 1)), (*right, str(turn.phase.year + 1))]
    if turn.phase.step is not Step.ADJUSTMENTS:
        other = next(name for name in SEASONS if name not in right)
        slips += [(other, year), (*SEASONS, year), (year,), right[:-1]]
    return slips[int(rng.integers(len(slips)))]


# Somebody at the keyboard of an event without people: each line in one of the ways in which it may be typed.
#
# It uses the same functions as a director's keyboard: the line is completed behind its unit; a line that the rules do
# not follow is refused, and written down when it is typed a second time.

KEEP = "type it once more if it is meant so"


class TypingWay(Struct, frozen=True):
    """What somebody types on one line."""

    text: str
    unit: Unit | None = None  # that stands in front of the line


def shorthand_of(event: Event, game: Game, turn: Turn) -> Shorthand:
    """What completes the lines of a turn."""
    return Shorthand.of(turn.power, game.position, event.rules_on(game.map_name))


def unit_of_line(line: str) -> Unit | None:
    """The unit of a whole order in canonical notation; None where it is none, or waives a build."""
    try:
        order = read_order(line)
    except NotAnOrder:
        return None
    return None if isinstance(order, Waive) else order.unit


def ways_to_type(order: Order, shorthand: Shorthand, *, is_behind: bool) -> tuple[str, ...]:
    """Everything that may be typed for an order; ``is_behind``: on a line in front of which its unit stands.

    >>> from pipeline.board import starting_position
    >>> from pipeline.board import Power
    >>> from pipeline.board import standard_map
    >>> from pipeline.rules.load import load_tournament
    >>> start = starting_position(standard_map())
    >>> turkey = Shorthand.of(Power.TURKEY, start, load_tournament("wdc2008"))
    >>> ways_to_type(read_order("A SMY - ARM"), turkey, is_behind=True)
    ('A SMY - ARM', 'a smy - arm', 'A SMY - ARM', 'A SMY A SMY - ARM', 'A SMY arm', 'a smy arm')
    """
    whole = shorthand.write_offer(order)
    if not is_behind or isinstance(order, Waive):
        return (whole, whole.lower())
    front, own = str(order.unit), shorthand.plain(order.unit)
    if not whole.startswith(f"{own} "):
        return (whole, whole.lower())
    rest = whole.removeprefix(f"{own} ")
    behind = (whole, whole.lower(), f"{front} {rest}", f"{front} {whole}")
    if isinstance(order, Move | Retreat):
        to = rest.removeprefix("- ").removeprefix("R ").lower()
        return (*behind, f"{front} {to}", f"{own} {to}".lower())
    return behind


def type_sheet(event: Event, game: Game, turn: Turn, typed: Sequence[TypingWay], by: str) -> str:
    """Type a power's lines, each on the line of its unit; returns the messages, if they had to be typed twice."""
    shorthand = shorthand_of(event, game, turn)
    meant = [keys.text if keys.unit is None else shorthand.line(keys.text, keys.unit).text for keys in typed]
    desk = Desk.of(event, offers=False)
    try:
        take_typed(desk, game, turn, meant, KEEP, by=by)
    except MeansNothing as refused:
        take_typed(desk, game, turn, meant, KEEP, sure=meant, by=by)
        return "; ".join(problem.text for problem in refused.problems)
    return ""
