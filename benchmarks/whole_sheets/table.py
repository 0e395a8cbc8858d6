"""One event with some boards: real positions, and every power's orders in the hand of one person.

Everything that is measured is the product's own: the event, the printing, the reading, the rules, the rulings.
"""

import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pypdfium2
from msgspec import Struct, field
from msgspec.structs import replace

from benchmarks.whole_sheets.compare import Kept, compared
from benchmarks.whole_sheets.found import Found
from benchmarks.whole_sheets.paper import Manner, copied_and_scanned, written_and_scanned
from benchmarks.whole_sheets.players import Player, PrintedRow, WrittenRow
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import games, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.publish.explain import as_published, as_row
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.draw.roster import Player as ListedPlayer
from pipeline.judge.adjudicate import adjudicate
from pipeline.ledger.events import PositionSet
from pipeline.ledger.files import now
from pipeline.orders import write_position
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_layout import Form, PageLayout
from pipeline.paper.sheet_rows import Design, NamedBox
from pipeline.pen.scanner import write_scans
from pipeline.reading.recogniser import Recogniser
from training.orders import Seat

CODE = "BNCH"
LEAST_ROWS = 0.5  # of a power's units: a hand with fewer of the letters is passed over

Powers = Sequence[Seat]  # of one position
Seasons = Sequence[Powers]


class Plan(Struct, frozen=True):
    """One event."""

    number: int
    tournament: str
    boards: Sequence[Seasons]
    writers: Sequence[str]  # in the order in which they are taken
    seed: int
    design: Design
    learns: bool = True  # whether the desk reads with what it knows of a player's hand
    samples: bool = False  # whether every player fills a writing sample that comes in with his first sheet
    damage: str = ""  # that happens to every sheet (`damaged.KINDS`); else each is scanned as its player's are
    publishes: bool = False  # whether every season is published: rows that nobody was asked about are then let stand

    @property
    def wish(self) -> PrintWish:
        """What is printed for each board."""
        return PrintWish(design=self.design)


class Chair(Struct, frozen=True):
    """One player at one board: the same hand and the same habit, season after season."""

    player: Player
    manner: Manner


class Table(Struct):
    """An event on its way."""

    plan: Plan
    folder: Path
    engine: Recogniser
    keeps_scans: bool = False  # for the peer; they are large
    chairs: dict[tuple[str, Power], Chair] = field(default_factory=dict)

    def play(self) -> Iterator[tuple[Kept, tuple[Found, ...]]]:
        """Run the event from its first season to its last; each sheet, and what became of its rows."""
        boards = self.open_round()
        with open_event(self.folder, now) as event:
            self.sit_down(event, boards)
            for season in range(1, 1 + max(map(len, self.plan.boards))):
                kept = self.print_and_write(event, season)
                files = self.files(kept, season)
                if self.plan.samples and season == 1:
                    files.append(self.write_samples(event))
                kept = kept if self.keeps_scans else [replace(each, scans=()) for each in kept]
                take_in(event, files, self.engine, lambda page: None)
                yield from compared(event, kept)
                if self.plan.publishes:
                    publish_all(event)

    def open_round(self) -> list[str]:
        """Make the event and seat its only round; the names of its boards."""
        shutil.rmtree(self.folder, ignore_errors=True)
        boards = [str(number) for number in range(1, 1 + len(self.plan.boards))]
        names = [f"Player {number}" for number in range(1, 1 + 7 * len(boards))]
        seats = {board: dict(zip(Power, names[7 * n :], strict=False)) for n, board in enumerate(boards)}
        details = Details(
            name="Whole sheets", code=CODE, tournament=self.plan.tournament, learns_hands=self.plan.learns
        )
        make_event_folder(self.folder, details, [ListedPlayer(name=name) for name in names], now)
        with open_event(self.folder, now) as event:
            seat_round(event, 1, seats, by="benchmark", notes=["positions of real games"])
        return boards

    def sit_down(self, event: Event, boards: Sequence[str]) -> None:
        """Give every player a hand that has letters for what he writes first; those longest unused come first."""
        rng, numbers = random.Random(self.plan.seed), np.random.default_rng(self.plan.seed)
        waiting = list(self.plan.writers)
        for board, seasons in zip(boards, self.plan.boards, strict=True):
            for first in seasons[0]:
                writer = next((name for name in waiting if can_play(event, name, first)), None)
                if writer is None:
                    continue
                waiting.remove(writer)
                waiting.append(writer)
                player = Player(event.tournament, writer, random.Random(rng.random()))
                manner = Manner.of(writer, numbers)
                if self.plan.damage:
                    manner = replace(manner, scan=self.plan.damage)
                self.chairs[board, first.power] = Chair(player, manner)

    def print_and_write(self, event: Event, number: int) -> list[Kept]:
        """Print, write and scan one season of all boards."""
        going = {str(n): seasons[number - 1] for n, seasons in enumerate(self.plan.boards, 1) if len(seasons) >= number}
        kept: list[Kept] = []
        for board, powers in going.items():
            said = PositionSet(board=f"1.{board}", position=write_position(powers[0].position))
            event.facts.write(said, "benchmark")
            kept += self.write(event, print_round(event, 1, board, self.plan.wish), board, powers, number)
        return kept

    def write(self, event: Event, printed: Printed, board: str, powers: Powers, season: int) -> Iterator[Kept]:
        """Let the players of one board write, and scan their sheets."""
        sheets = printed_sheets(event)
        seats = {each.power: each for each in powers}
        document = pypdfium2.PdfDocument(printed.pdf)
        pages: dict[Power, list[int]] = {}
        for number, page in enumerate(printed.layout.pages):
            pages.setdefault(sheets[page.sheet].request.power, []).append(number)
        for power, numbers in pages.items():
            chair = self.chairs.get((board, power))
            if chair is None or power not in seats:
                continue
            layouts = [printed.layout.pages[number] for number in numbers]
            rows = self.rows_of(chair.player, seats[power], layouts)
            manner = chair.manner.again(season)
            written = [
                written_and_scanned(document, number, page, rows, replace(manner, seed=manner.seed + part))
                for part, (number, page) in enumerate(zip(numbers, layouts, strict=True))
            ]
            yield Kept(
                board,
                seats[power],
                season,
                manner,
                str(self.plan.design),
                tuple(rows),
                tuple(layouts),
                tuple(scan for scan, _ in written),
                frozenset().union(*(others for _, others in written)),
            )
        document.close()

    def write_samples(self, event: Event) -> Path:
        """Let every player fill a writing sample; the file they are scanned into."""
        seats, scans = seatings(event), []
        for (board, power), chair in self.chairs.items():
            printed = print_wanted(event, Wanted(kind=FormKind.SAMPLE, players=(seats[f"1.{board}"].players[power],)))
            scans.append(copied_and_scanned(printed, chair.player.way, chair.manner))
        path = self.folder / "paper" / "samples.pdf"
        write_scans(scans, path)
        return path

    def rows_of(self, player: Player, here: Seat, layouts: Sequence[PageLayout]) -> list[WrittenRow]:
        """Let one player write."""
        forms = [page.form for page in layouts]
        if self.plan.design is Design.LINE:
            return player.sheet(here, sum(len(form.rows) for form in forms))
        printed = {row.row or 0: printed_row(form, row.row or 0) for form in forms for row in form.rows}
        return player.boxed_sheet(here, printed)

    def files(self, kept: Sequence[Kept], season: int) -> list[Path]:
        """Leave the scans in files: the feeder's pages in one PDF, a telephone's pictures one by one."""
        folder = self.folder / "paper"
        folder.mkdir(exist_ok=True)
        fed = [scan for each in kept for scan in each.scans if "phone" not in each.manner.scan]
        taken = [scan for each in kept for scan in each.scans if "phone" in each.manner.scan]
        files = [(folder / f"season{season}.pdf", fed)] if fed else []
        files += [(folder / f"IMG_{season}{number:03}.jpg", [scan]) for number, scan in enumerate(taken)]
        for path, scans in files:
            write_scans(scans, path)
        return [path for path, _ in files]


def publish_all(event: Event) -> None:
    """Publish what stands on every board, whatever waits for the director: the next position is given anyway."""
    desk = Desk.of(event)
    for game in games(event).values():
        powers = desk.board(game)
        orders = {power.power: power.orders for power in powers}
        resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
        rows = {power.power: tuple(map(as_row, power.rows)) for power in powers}
        event.facts.write(as_published(game.name, orders, resolution, rows), "benchmark")


def printed_row(form: Form, row: int) -> PrintedRow:
    """What stands in a row of boxes."""
    columns = (cell.column for cell in form.cells_of(row))
    return PrintedRow(form.unit_of(row), {box.name: box.text for box in columns if isinstance(box, NamedBox)})


def can_play(event: Event, writer: str, first: Seat) -> bool:
    """Whether a hand has the letters for most of what a player has to write."""
    units = len(first.position.units[first.power])
    rows = Player(event.tournament, writer, random.Random(writer)).sheet(first, units)
    return len(rows) >= LEAST_ROWS * units
