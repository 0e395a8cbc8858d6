"""Take scans in: kept under their hash first, then read page by page; each page ends in exactly one tray.

Killing the program loses nothing: an unfinished file is read again the next time, and a page that is read twice counts
once. One program at a time reads.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pypdfium2
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import is_going_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, games
from pipeline.desk.forms.forms_in import PrintedForm, printed_forms
from pipeline.desk.forms.player_forms import names_on
from pipeline.desk.hands.known_rows import awaits_samples
from pipeline.desk.hands.reader import Hands, hands_of, reader_for
from pipeline.desk.hands.vocabulary import OtherForms, others_of, vocabulary_of
from pipeline.desk.intake.reading_pool import Helpers, PageStream, read_here, read_pages
from pipeline.desk.sheets.pads import PadIn, Ticked, due_phase
from pipeline.desk.sheets.printed import (
    OldSeats,
    PrintedSheet,
    expected_units,
    is_of_other_position,
    lines_due,
    printed_sheets,
)
from pipeline.desk.sheets.sheets_in import crop_path, page_of, page_path, sheets_in
from pipeline.desk.sheets.unfiled_pages import unread_files
from pipeline.ink import PARTS, RETAKE, Transcription, page_in_words
from pipeline.ledger.claims import hold_lock
from pipeline.ledger.copies import keep_scan_beside
from pipeline.ledger.events import OnPage, PageIdentified, PageRead, PageSetAside, ScanRead, ScanReceived
from pipeline.ledger.files import KeptScan, keep_scan, make_again, printable_name
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import Timing, board_name
from pipeline.paper.form import FormKind, Imposed
from pipeline.paper.printed_form import print_forms
from pipeline.paper.printed_sheet import print_heading, print_sheets
from pipeline.paper.sheet import SheetRequest
from pipeline.paper.sheet_layout import PageLayout
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.reading import recogniser
from pipeline.reading.identify import may_show
from pipeline.reading.marks import FLAT_DPI
from pipeline.reading.pages import BadPage, Opener, PageImage, bad, page_count, pages
from pipeline.reading.transcribe import SheetReader, transcribe_as
from pipeline.reading.unmarked import Blanks
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import sentence, write_count

# The sheets and forms of an event as they were printed: what a page without a mark is compared with.

POINTS_PER_MM = 72 / 25.4


def _draw_blank(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw a sheet or a form as the printer did, from the fact of its printing; a `KeyError` where there is none."""
    return _draw_pdf_page(_printed_again(event, sheet))


def _draw_heading(event: Event, sheet: str) -> NDArray[np.uint8]:
    """Draw what is printed above the rows of a sheet, down to the fields of its header; a form is drawn whole."""
    if (printed := printed_sheets(event).get(sheet)) is None:
        return _draw_blank(event, sheet)
    header = printed.template.header
    return _draw_pdf_page(print_heading(printed.request, printed.template), header.fields_top + header.fields_height)


def _draw_pdf_page(pdf: bytes, down_to_mm: float = 0.0) -> NDArray[np.uint8]:
    """Draw the one page of a file, or the upper part of it."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        below = page.get_height() - down_to_mm * POINTS_PER_MM if down_to_mm else 0.0
        picture = page.render(scale=FLAT_DPI / 72, grayscale=True, crop=(0, below, 0, 0)).to_numpy()
    return np.ascontiguousarray(picture.reshape(picture.shape[:2]), np.uint8)


def _printed_again(event: Event, sheet: str) -> bytes:
    """Print one sheet or form again: the same bytes for the same request."""
    if printed := printed_sheets(event).get(sheet):
        return print_sheets([printed.request], printed.template)
    form = printed_forms(event)[sheet]
    alone = Imposed(form.template.width, form.template.height, ((0.0, 0.0),))
    return print_forms([form.request], form.template, alone)


class PageIn(Struct, frozen=True):
    name: str  # the file as it came
    page: int  # see `ink.page_in_words`
    tray: recogniser.Tray
    text: str  # "board 1.2 FRANCE Spring 1901", or what is wrong
    timing: Timing | None = None  # of a sheet that was not expected now
    is_clean: bool = False  # filed, expected, and with nothing wrong in its picture

    @property
    def state(self) -> str:
        """Its state in a word: the tray, or why the sheet was not expected."""
        return self.timing or self.tray


Tell = Callable[[PageIn], None]
Received = Fact[ScanReceived]


QueueTurn = Callable[[str], int]  # by a file's hash, how many files are read before one of each person


def _at_once(_: str) -> int:
    """No file waits for others of the same person."""
    return 0


class Follower(Struct, frozen=True):
    """Callbacks that follow the reading of files."""

    waits: Callable[[], None] = lambda: None  # called while another program is reading
    counts: Callable[[int], None] | None = None  # called with the number of pages before the first is read
    turn: QueueTurn = _at_once


class Portion(Struct, frozen=True):
    pages: int
    seconds: float  # after which no further page of it is begun
    otherwise: str = "save it in parts, or let the director scan it"  # what to do with a larger file


SCAN = "scan"  # who hands a file in: the director's commands and his watched folder, or else the role of a browser
GUEST = "upload"  # the role that hands in and does nothing else: files of all other roles are read first
PORTIONS = {GUEST: Portion(60, 180.0), "assistant": Portion(300, 900.0)}  # a telephone sends one page at a time
LARGEST_PORTION = Portion(1000, 3600.0, "save it in parts")  # a round of 40 boards has 560 pages
NOBODY = Follower()
CAME_AGAIN = ("this sheet came in before; both pictures of it are compared",)
READING = "reading.lock"  # an empty lock file in the event's folder


def take_in(
    event: Event,
    files: Iterable[Path],
    engine: recogniser.Recogniser,
    tell: Tell,
    helpers: Helpers | None = None,
    follower: Follower = NOBODY,
) -> tuple[Problem, ...]:
    """Store every file under its SHA-256, then read them all.

    A bad file is a problem, a known one a note, and the others go on.
    ``helpers`` read beside this process, with the engine of `best_recogniser`. On a full disk every file that could
    not be kept is named before the work is `Stopped`.
    """
    problems: list[Problem] = []
    is_full = False
    finished = _finished_scans(event)
    for file in files:
        try:
            kept = receive(event, file)
            problems += _same_bytes(event, file, kept, is_read=kept.sha256 in finished)
        except Stopped as stopped:
            problems += stopped.problems
            is_full |= stopped.code is ExitCode.MACHINE_LACKS
    try:
        _read_waiting(event, engine, tell, helpers, follower)
    except Stopped as stopped:
        raise Stopped([*problems, *stopped.problems], stopped.code) from stopped
    if is_full:
        raise Stopped(problems, ExitCode.MACHINE_LACKS)
    return tuple(problems)


def portion_of(by: str) -> Portion:
    """How much is read of a file that somebody handed in."""
    return PORTIONS.get(by, LARGEST_PORTION)


def receive(event: Event, file: Path, by: str = SCAN) -> KeptScan:
    """Keep one file and write down that it came; nothing else happens to it before that."""
    if file.is_dir():
        text = "this is a folder; name the files in it, such as FOLDER/*, or watch it with --watch"
        raise stop(text, str(file))
    if not file.is_file():
        raise stop("no such file; check the name", str(file))
    event.facts.check_file()
    kept = keep_file(event, file)
    note_received(event, kept, file.name, by)
    return kept


def keep_file(event: Event, file: Path) -> KeptScan:
    """Keep a file under its hash, and beside the event's copies."""
    kept = keep_scan(file, event.scans)
    with suppress(OSError, Stopped):  # the next copy tells why
        keep_scan_beside(kept.path, event.folder)
    return kept


def note_received(event: Event, kept: KeptScan, name: str, by: str) -> None:
    """Write down that a file came, which is kept, unless it came before."""
    with event.facts.transaction():
        if kept.sha256 not in {fact.said.sha256 for fact in event.facts.select(ScanReceived)}:
            said = ScanReceived(sha256=kept.sha256, name=printable_name(name), path=kept.path.name)
            event.facts.write(said, by)


def _same_bytes(event: Event, file: Path, kept: KeptScan, *, is_read: bool) -> Iterator[Problem]:
    """Note that the same file came before, under another name, or was already read."""
    if not kept.is_new:
        names = (f.said.name for f in event.facts.select(ScanReceived) if f.said.sha256 == kept.sha256)
        before = next(names)
        if before != printable_name(file.name) or is_read:
            which = "this file came in before" if before == printable_name(file.name) else f"the same file as {before}"
            text = f"{which}, byte for byte; it counts once{', and was not read again' if is_read else ''}"
            yield Problem(Weight.NOTES, text, str(file))


def _read_waiting(
    event: Event,
    engine: recogniser.Recogniser,
    tell: Tell,
    helpers: Helpers | None,
    follower: Follower,
) -> None:
    """Read every scan that is not yet read to its end, as `waiting_scans` orders them; one program at a time does."""
    if not waiting_scans(event):
        return
    with hold_lock(event.folder / READING, follower.waits):
        waiting = waiting_scans(event, follower.turn)  # the program that held the lock may have read them
        if waiting and follower.counts is not None:
            follower.counts(_pages_waiting(event, waiting))
        here = {fact.number for fact in waiting}
        while here.intersection(fact.number for fact in waiting):
            for page in _read_in_turn(event, engine, waiting, helpers, follower.turn):
                tell(page)
            waiting = waiting_scans(event, follower.turn)  # others may have come before them


def _read_in_turn(
    event: Event,
    engine: recogniser.Recogniser,
    waiting: Sequence[Received],
    helpers: Helpers | None,
    turn: QueueTurn,
) -> Iterator[PageIn]:
    """Read scans: first the pages that may show a writing sample, so that it teaches the sheets it came with."""
    if awaits_samples(event) and isinstance(engine, recogniser.Compares):
        yield from ScanReader.of(event, engine, turn).read_samples(waiting)
    yield from ScanReader.of(event, engine, turn).read(waiting, helpers)


def _finished_scans(event: Event) -> frozenset[str]:
    """The scans that were read to their end, by their hashes."""
    return frozenset(fact.said.sha256 for fact in event.facts.select(ScanRead))


def _place_of(fact: Received, turn: QueueTurn) -> tuple[bool, int]:
    """Where a file stands in the queue: those of guests behind all others."""
    return fact.by == GUEST, turn(fact.said.sha256)


def waiting_scans(event: Event, turn: QueueTurn = _at_once) -> list[Received]:
    """List the scans that were kept and not yet read to their end, oldest first; those of guests behind all others.

    Of those, files with a lower ``turn`` come first.
    """
    return sorted(unread_files(event).values(), key=lambda fact: _place_of(fact, turn))


def pass_over(event: Event, name: str, by: str) -> list[PageRead]:
    """Skip the waiting files of a name; their unread pages are reported."""
    waiting = [fact.said for fact in waiting_scans(event) if fact.said.name == name]
    if not waiting:
        raise stop("no file of this name waits to be read; 'ordersheets status' lists those that do", name)
    text = "skipped: only its pages that were read before count; scan the others again in another file"
    unreadable = [PageRead(sha256=scan.sha256, page=0, tray=recogniser.Tray.UNREADABLE, text=text) for scan in waiting]
    count = Counter(sha256 for sha256, _ in _pages_read(event))
    with event.facts.transaction():
        event.facts.write_all(unreadable, by)
        event.facts.write_all([ScanRead(sha256=scan.sha256, pages=count[scan.sha256]) for scan in waiting], by)
    return unreadable


def _pages_waiting(event: Event, received: Sequence[Received]) -> int:
    """Count the pages of kept scans that were not read yet."""
    done = Counter(sha256 for sha256, _ in _pages_read(event))
    waiting = 0
    with Opener() as opener:
        for fact in received:
            most = portion_of(fact.by).pages
            pages_in = page_count(event.find_scan(fact.said.path), opener, most)
            waiting += max(0, pages_in - done[fact.said.sha256]) if pages_in <= most else 0
    return waiting


def _pages_read(event: Event) -> set[tuple[str, int]]:
    """The pages that were read: the file's hash, and the page in it."""
    return {(fact.said.sha256, fact.said.page % PARTS) for fact in event.facts.select(PageRead)}


class ScanReader(Struct, frozen=True):
    """Reads the pages of kept scans."""

    event: Event
    engine: recogniser.Recogniser
    sheets: dict[str, PrintedSheet]
    forms: dict[str, PrintedForm]
    games: dict[str, Game]
    others: OtherForms
    as_of: int  # the newest fact that was used
    hands: Hands | None  # of the players, where the engine learns them
    blanks: Blanks  # for pages without a mark
    turn: QueueTurn = _at_once

    @classmethod
    def of(cls, event: Event, engine: recogniser.Recogniser, turn: QueueTurn = _at_once) -> "ScanReader":
        """Make a reader of an event's scans, as its facts are now, with the event's own thresholds."""
        as_of = event.facts.last_number()
        engine = reader_for(event, engine)
        sheets, forms, others = printed_sheets(event), printed_forms(event), others_of(event.tournament)
        hands, blanks = hands_of(event, engine), Blanks(partial(_draw_blank, event), partial(_draw_heading, event))
        return cls(event, engine, sheets, forms, games(event), others, as_of, hands, blanks, turn)

    def read(self, received: Sequence[Received], helpers: Helpers | None = None) -> Iterator[PageIn]:
        """Read files; every page is written down as soon as it and those before it are read."""
        done = _pages_read(self.event)
        names = {fact.said.sha256: fact.said.name for fact in received}
        count = Counter(sha256 for sha256, _ in done)
        for sha256, outcome in read_pages(self.coming(received, done), self.sheet_reader, helpers, self.as_of):
            if sha256 in _finished_scans(self.event):  # passed over meanwhile
                continue
            if outcome is None:
                self.event.facts.write(ScanRead(sha256=sha256, pages=count[sha256]), self.engine.name)
                continue
            count[sha256] += 1
            yield from self.record_page(outcome, sha256, names[sha256])

    def read_samples(self, received: Sequence[Received]) -> Iterator[PageIn]:
        """Read the pages that may show a writing sample, and write them down; the others wait for `read`."""
        done = _pages_read(self.event)
        names = {fact.said.sha256: fact.said.name for fact in received}
        for sha256, page in self.coming(received, done):
            if isinstance(page, PageImage) and may_show(page.grey, FormKind.SAMPLE.slot):
                yield from self.record_page(read_here(page, self.sheet_reader(sha256)), sha256, names[sha256])

    def record_page(self, page_outcome: recogniser.PageOutcome, sha256: str, name: str) -> Iterator[PageIn]:
        for written in self.event.facts.write_all(self.sheets_on(page_outcome, sha256), self.engine.name):
            counting = OldSeats.of(self.event).now(written, self.sheets) or written
            read, is_clean = counting.said, written.said.is_clean and counting is written
            yield PageIn(name, read.page, read.tray, read.text, read.timing, is_clean)

    def coming(self, received: Sequence[Received], done: Set[tuple[str, int]]) -> PageStream:
        """Decode the pages of files one by one, without those that were read before.

        A file is interrupted as soon as one comes that is to be read before it.
        """
        before, numbers = _finished_scans(self.event), {fact.number for fact in received}
        with Opener() as opener:
            for fact in received:
                sha256, known = fact.said.sha256, {page for scan, page in done if scan == fact.said.sha256}
                for page in self.pages_of(fact, opener, known):
                    if sha256 in _finished_scans(self.event) - before:  # somebody passed it over
                        break
                    if (page.number or 0) not in known:
                        yield sha256, page
                    if any(
                        _place_of(each, self.turn) < _place_of(fact, self.turn)
                        for each in waiting_scans(self.event)
                        if each.number not in numbers
                    ):
                        return
                yield sha256, None

    def pages_of(self, fact: Received, opener: Opener, known: Set[int]) -> Iterator[PageImage | BadPage]:
        """Decode the pages of one file until its time is up; of a file with too many pages none. Either is reported."""
        path, portion, began = self.event.find_scan(fact.said.path), portion_of(fact.by), time.monotonic()
        if page_count(path, opener, portion.pages) > portion.pages:
            yield bad(path.name, None, too_many_pages(portion))
            return
        for page in pages(path, opener, known):
            yield page
            if time.monotonic() - began > portion.seconds:
                last = f"the pages after page {page.number} were not read"
                text = (
                    f"{last}: the file takes longer than {write_count(round(portion.seconds / 60), 'minute')}; "
                    f"{portion.otherwise}"
                )
                yield bad(path.name, None, text)
                return

    def sheet_reader(self, sha256: str) -> SheetReader:
        by_hand = self.hands.reader_of if self.hands else None
        code = self.event.details.code
        return SheetReader(self.layouts, self.engine, self.vocabulary, code, sha256, by_hand, self.blanks)

    def read_as(self, page: Fact[PageRead], sheet_id: str) -> PageRead | None:
        """Read a page again as the sheet that a person says it is; None where its rows cannot be found."""
        (sha256, number), part = page.said.place, page.said.corners
        received = next(f.said for f in self.event.facts.select(ScanReceived) if f.said.sha256 == sha256)
        file = self.event.find_scan(received.path)
        outcome = transcribe_as(file, number, self.sheet_reader(sha256), sheet_id, part)
        filed = outcome.filed if isinstance(outcome, recogniser.Doubtful) else outcome
        return self.read_of(filed, sha256, part) if isinstance(filed, recogniser.Filed) else None

    @property
    def layouts(self) -> dict[str, PageLayout]:
        """Where everything is on every sheet and form that was printed."""
        sheets = {name: sheet.page for name, sheet in self.sheets.items()}
        return sheets | {name: form.page for name, form in self.forms.items()}

    def vocabulary(self, sheet_id: str) -> recogniser.Vocabulary:
        """The vocabulary of a sheet or form: the texts that may be written there (orders, or players' names).

        A sheet of a published phase is read as it would have been in time; of one to come nobody knows the units.
        """
        if sheet_id in self.forms:
            return names_on(self.forms[sheet_id])
        request = self.sheets[sheet_id].request
        game = self.games.get(board_name(request.round, request.board))
        if game is None:
            return recogniser.Vocabulary()
        wanted = due_phase(game.position.phase, request.phase.step) if request.is_pad else request.phase
        if wanted not in (game.position.phase, *(played.phase for played in game.played)):
            return recogniser.Vocabulary()
        return vocabulary_of(self.event, at_phase(game, str(wanted)), request.power, self.others)

    def sheets_on(self, page_outcome: recogniser.PageOutcome, sha256: str) -> list[PageRead]:
        """The facts of a page: one, or one for each of several sheets on it."""
        if isinstance(page_outcome, recogniser.SeveralSheets):
            return [self.read_of(part.outcome, sha256, part.corners) for part in page_outcome.parts]
        return [self.read_of(page_outcome, sha256)]

    def read_of(
        self, outcome: recogniser.ReadOutcome, sha256: str, corners: recogniser.Corners | None = None
    ) -> PageRead:
        """Make the fact of a page's outcome, and store its pictures."""
        filed = outcome.filed if isinstance(outcome, recogniser.Doubtful) else outcome
        read = PageRead(
            sha256=sha256,
            page=outcome.page,
            tray=outcome.tray,
            corners=corners,
            offers=_possible_sheets(outcome),
            text=outcome.text,
        )
        if isinstance(outcome, recogniser.Unidentified | recogniser.Foreign) and outcome.picture:
            self.keep(page_path(sha256, outcome.page), outcome.picture)
        if not isinstance(filed, recogniser.Filed):
            return read
        for row, png in {**filed.crops, **filed.free}.items():
            self.keep(crop_path(sha256, filed.page, row), png)
        self.keep(page_path(sha256, filed.page), filed.picture)
        if self.hands is not None and filed.seen:
            self.hands.keep(sha256, filed)
        is_form = filed.transcription.sheet_id in self.forms
        timing = self.timing(filed.transcription)
        words = [self.in_words(filed.transcription), *(CAME_AGAIN if timing is Timing.AGAIN else ())]
        words += map(sentence, filed.warnings)
        return replace(
            read,
            transcription=None if is_form else filed.transcription,
            form=filed.transcription if is_form else None,
            warnings=filed.warnings,
            timing=timing if outcome is filed else None,
            text="; ".join(words) if outcome is filed else outcome.text,
        )

    def timing(self, read: Transcription) -> Timing | None:
        """Why a sheet is not expected now; None if it is expected, or a new form."""
        came = (f.said for f in self.event.facts.select(PageRead) if f.said.tray is recogniser.Tray.FILED)
        filed_pages = (page for page in came if page.sheet is not None and page.sheet.sheet_id == read.sheet_id)
        if any(
            page.place != (read.scan_sha256, read.page) and not any(each.code in RETAKE for each in page.warnings or ())
            for page in filed_pages
        ):
            return Timing.AGAIN
        if read.sheet_id in self.forms:
            return None
        request = self.sheets[read.sheet_id].request
        game = self.games.get(board_name(request.round, request.board))
        if game is None:
            return None
        opened = game.position.phase
        phase = due_phase(opened, request.phase.step) if request.is_pad else request.phase
        return timing_of(self.event, game, phase, request.power)

    def in_words(self, read: Transcription) -> str:
        if read.sheet_id in self.forms:
            form = self.forms[read.sheet_id].request
            return f"{form.kind} form, {form.about}"
        request = self.sheets[read.sheet_id].request
        return f"board {board_name(request.round, request.board)} {request.power} {self.occasion(request, read)}"

    def occasion(self, request: SheetRequest, read: Transcription) -> str:
        """What a sheet is for, and what is wrong with its season or its ticks, reported while the sheet is at hand."""
        game = self.games.get(board_name(request.round, request.board))
        if game is None:
            return request.occasion
        if not request.is_pad:
            if text := _out_of_season(self.event, game, request.phase, request.power):
                return request.occasion + text
            is_old = is_of_other_position(self.event, game, self.sheets[read.sheet_id])
            return request.occasion + ("; the position has changed since it was printed" if is_old else "")
        opened, step = game.position.phase, request.phase.step
        pad = PadIn(read.sheet_id, Ticked.of(read.ticks, step), due_phase(opened, step))
        if not pad.is_clean:
            return f"{request.occasion}: {sentence(pad.doubt)}"
        return pad.due.in_words + _out_of_season(self.event, game, pad.due, request.power)

    def keep(self, path: str, picture: bytes) -> None:
        """Keep a picture. On a full disk the reading stops; it goes on with the next 'scan', and nothing is lost."""
        make_again(self.event.folder / path, picture, "'ordersheets scan' again: the scans are kept")


def too_many_pages(portion: Portion) -> str:
    return f"the file has more than {write_count(f'{portion.pages:,}', 'page')}, and none was read; {portion.otherwise}"


def timing_of(event: Event, game: Game, phase: Phase, power: Power) -> Timing | None:
    """Why a power's sheet for a phase is not expected now; None if its phase is open and something is due."""
    opened = game.position.phase
    if not is_going_on(event, game):
        return Timing.ENDED
    if phase == opened:
        return None if lines_due(game.map, game.position, power) else Timing.NOTHING
    if phase.sort_key > opened.sort_key:
        return Timing.WAITS
    return Timing.PUBLISHED if any(played.phase == phase for played in game.played) else Timing.EARLIER


def _out_of_season(event: Event, game: Game, phase: Phase, power: Power) -> str:
    """Say that a sheet is not for the open phase, or that nothing is due on it; empty if it is expected."""
    opened = game.position.phase.in_words
    match timing_of(event, game, phase, power):
        case Timing.ENDED:
            return "; the game is over"
        case Timing.WAITS:
            return f", for which it waits while {opened} is open"
        case Timing.PUBLISHED:
            return f"; when it came, {phase.in_words} was published and {opened} open"
        case Timing.EARLIER:
            return f"; when it came, {phase.in_words} was over and {opened} open"
        case Timing.NOTHING:
            return f"; {power} has nothing to write in {phase.in_words}"
    return ""


def _possible_sheets(outcome: recogniser.ReadOutcome) -> tuple[str, ...] | None:
    """The sheets that a page may be, where that is asked."""
    match outcome:
        case recogniser.Doubtful():
            return outcome.filed.transcription.sheet_id, *outcome.offers
        case recogniser.Unidentified():
            return outcome.offers
    return None


# A person says which sheet a doubtful page is, or puts a page aside.


def find_page(event: Event, scan: str, page: int) -> Fact[PageRead]:
    """Find a page that was read, by the beginning of its scan's SHA-256."""
    facts = [f for f in standing(event.facts, PageRead) if f.said.sha256.startswith(scan) and f.said.page == page]
    if not facts:
        raise stop("no such page was read; 'ordersheets status' lists them", f"{scan} {page_in_words(page)}")
    if len({fact.said.sha256 for fact in facts}) > 1:
        raise stop("several scans begin like this; give more of the hash", scan)
    return OldSeats.of(event).now(facts[-1], printed_sheets(event)) or facts[-1]


def identify_page(
    event: Event, page: Fact[PageRead], sheet: str, engine: recogniser.Recogniser, by: str
) -> Fact[OnPage]:
    """Write down which sheet a page is; it is read again where it was not read as that sheet before.

    A page that a person named can be named anew: the newest word counts.
    """
    sha256, number = page.said.place
    where = f"{sha256[:8]} {page_in_words(number)}"
    known = (*printed_sheets(event), *printed_forms(event))
    if sheet not in known:
        raise stop(f"no sheet {sheet!r} was printed{did_you_mean(sheet, known)}", where)
    was_named = any(fact.said.place == page.said.place for fact in standing(event.facts, PageIdentified))
    if page.said.tray not in (recogniser.Tray.DOUBTFUL, recogniser.Tray.UNIDENTIFIED) and not was_named:
        raise stop(f"the page is {page.said.tray}; only a doubtful or unidentified one can be named", where)
    identified = PageIdentified(sha256=sha256, page=number, sheet=sheet)
    later = event.facts.select(PageRead, after=page.number)
    is_pictured = not any(fact.said.place == page.said.place for fact in later)  # it shows no other sheet since
    if page.said.sheet is not None and page.said.sheet.sheet_id == sheet and is_pictured:
        return event.facts.write(identified, by)
    read = ScanReader.of(event, engine).read_as(page, sheet)
    if read is None:
        raise stop(
            "its rows cannot be found on the picture; type its lines with 'rule --type', and put it aside", where
        )
    return event.facts.write_all((identified, read), by)[0]


def set_page_aside(event: Event, page: Fact[OnPage], by: str, why: str) -> Fact[PageSetAside]:
    """Write down that a page needs nothing more: another event's sheet, a cover letter, a test.

    A page of a sheet that counts for what is being played cannot be put aside: the sheet can be refused.
    """
    return set_pages_aside(event, (page,), by, why)[0]


def set_pages_aside(
    event: Event, together: Iterable[Fact[OnPage]], by: str, why: str
) -> tuple[Fact[PageSetAside], ...]:
    """Put several pages aside in one act, or none of them."""
    return event.facts.write_all([_aside(event, page, why) for page in together], by)


def _aside(event: Event, page: Fact[OnPage], why: str) -> PageSetAside:
    """The fact that puts a page aside, or stop if its sheet counts."""
    shown = page.said.place
    boards = games(event)
    for turn, sheets in sheets_in(event).items():
        game = boards.get(turn.board)
        if game is None or not is_going_on(event, game) or turn.phase != game.position.phase:
            continue
        if turn.power not in expected_units(game.map, game.position):
            continue
        for sheet in sheets:
            if any(page_of(scan) == shown for scan in sheet.scans):
                text = f"the page counts as {sheet.printed.id}; if it must not, refuse that sheet ('rule --sheet')"
                raise stop(text, f"{shown[0][:8]} {page_in_words(shown[1])}")
    return PageSetAside(sha256=shown[0], page=shown[1], why=why)
