"""Take scans in: kept under their hash first, then read page by page; each page ends in exactly one tray.

A kill at any moment loses nothing: what was kept and not read to its end is read again the next time, and a page that
was read twice is the same page, so it counts once. Of several programs that take scans in, one reads at a time.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pipeline.board.position import Phase
from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.forms.numbered_players import names_on
from pipeline.desk.forms.printed_forms import PrintedForm, printed_forms
from pipeline.desk.hands.reader import reader_for
from pipeline.desk.hands.writer_adaptation import Hands, hands_of
from pipeline.desk.hands.writing_samples import awaits_samples
from pipeline.desk.intake.albums import Albums
from pipeline.desk.intake.blanks import draw_blank, draw_heading
from pipeline.desk.intake.reading_pool import Coming, EndOfFile, Helpers, read_here, read_pages
from pipeline.desk.sheets.crops import crop_path, page_path
from pipeline.desk.sheets.pads import PadIn, Ticked, due
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.vocabulary import others_of, vocabulary_of
from pipeline.ink import PARTS, Transcription
from pipeline.ledger.events import PageRead, ScanRead, ScanReceived
from pipeline.ledger.files.disk import make_again
from pipeline.ledger.files.lock import alone
from pipeline.ledger.files.scans import KeptScan, keep_scan, shown
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Timing
from pipeline.paper.form.form import FormKind
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.sheet.sheet import SheetRequest
from pipeline.problems import ExitCode, Problem, Stopped, Weight
from pipeline.reading.files.pages import PageImage, page_count, pages
from pipeline.reading.files.pdf_pages import Opener
from pipeline.reading.identity.blank import Blanks
from pipeline.reading.identity.identify import may_show
from pipeline.reading.registration.picture_faults import RETAKE
from pipeline.reading.rows.recogniser import Compares, Recogniser, Vocabulary, VocabularyLine
from pipeline.reading.transcription.outcome import (
    Corners,
    Doubtful,
    Filed,
    Foreign,
    Outcome,
    PageOutcome,
    SeveralSheets,
    Tray,
    Unidentified,
)
from pipeline.reading.transcription.stages import unwatched
from pipeline.reading.transcription.transcribe import SheetReader, transcribe_as
from pipeline.words import sentence


@dataclass(frozen=True, slots=True)
class PageIn:
    """What became of one page."""

    name: str  # the file as it came
    page: int  # see `ink.page_in_words`
    tray: Tray
    text: str  # "Board 1.2 FRANCE Spring 1901", or what is wrong
    timing: Timing | None = None  # of a sheet that was not expected now

    @property
    def state(self) -> str:
        """What became of it in a word: its tray, or of a sheet that was not expected what it is instead."""
        return self.timing or self.tray


Tell = Callable[[PageIn], None]


@dataclass(frozen=True, slots=True)
class Follower:
    """Whoever wants to know how the reading goes on."""

    waits: Callable[[], None] = lambda: None  # another program is reading
    counts: Callable[[int], None] | None = None  # so many pages are to be read, before the first of them is


NOBODY = Follower()
CAME_AGAIN = ("this sheet came in before; both pictures of it are compared",)
READING = "reading.lock"  # in the event's folder, there is nothing in it


def take_in(
    event: Event,
    files: Iterable[Path],
    engine: Recogniser,
    tell: Tell,
    helpers: Helpers | None = None,
    follower: Follower = NOBODY,
    albums: Albums | None = None,
) -> tuple[Problem, ...]:
    """Keep every file, then read them all; a bad file is a problem, a known one a note, and the others go on.

    ``helpers`` read beside this process, with the engine of `best_recogniser`. On a full disk every file that could
    not be kept is named before the work is `Stopped`. Of every page that is read, and of those of the named files that
    were read before, ``albums`` keep pictures; what is written down is the same with and without.
    """
    problems: list[Problem] = []
    is_full = False
    finished, named = finished_scans(event), []
    for file in files:
        try:
            named.append(kept := receive(event, file))
            problems += same_bytes(event, file, kept, is_read=kept.sha256 in finished)
        except Stopped as stopped:
            problems += stopped.problems
            is_full |= stopped.code is ExitCode.MACHINE_LACKS
    try:
        read_waiting(event, engine, tell, helpers, follower, albums)
        if albums is not None:
            again = finished.intersection(kept.sha256 for kept in named)
            draw_again(event, engine, again, albums)
            problems += albums.problems()
    except Stopped as stopped:
        raise Stopped([*problems, *stopped.problems], stopped.code) from stopped
    if is_full:
        raise Stopped(problems, ExitCode.MACHINE_LACKS)
    return tuple(problems)


def receive(event: Event, file: Path) -> KeptScan:
    """Keep one file and write down that it came; nothing else happens to it before that."""
    if file.is_dir():
        text = "this is a folder; name the files in it, such as FOLDER/*, or watch it with --watch"
        raise Stopped([Problem(Weight.STOPS, text, str(file))])
    if not file.is_file():
        raise Stopped([Problem(Weight.STOPS, "no such file; check the name", str(file))])
    kept = keep_scan(file, event.scans)
    with event.facts.transaction():
        if kept.sha256 not in {fact.said.sha256 for fact in event.facts.told(ScanReceived)}:
            said = ScanReceived(sha256=kept.sha256, name=shown(file.name), path=kept.path.name)
            event.facts.write(said, "scan")
    return kept


def same_bytes(event: Event, file: Path, kept: KeptScan, *, is_read: bool) -> Iterator[Problem]:
    """Note that a file is one that came before: under another name, or to its end."""
    if not kept.is_new:
        names = (f.said.name for f in event.facts.told(ScanReceived) if f.said.sha256 == kept.sha256)
        before = next(names)
        if before != shown(file.name) or is_read:
            which = "this file came in before" if before == shown(file.name) else f"the same file as {before}"
            text = f"{which}, byte for byte; it counts once{', and was not read again' if is_read else ''}"
            yield Problem(Weight.NOTES, text, str(file))


def read_waiting(
    event: Event,
    engine: Recogniser,
    tell: Tell,
    helpers: Helpers | None,
    follower: Follower,
    albums: Albums | None,
) -> None:
    """Read every scan that was kept and not yet read to its end, oldest first; one program at a time does."""
    if not waiting_scans(event):
        return
    with alone(event.folder / READING, follower.waits):
        if waiting := waiting_scans(event):  # the other may have read them
            if follower.counts is not None:
                follower.counts(pages_waiting(event, waiting))
            for page in read_in_turn(event, engine, waiting, helpers, albums):
                tell(page)


def read_in_turn(
    event: Event, engine: Recogniser, waiting: Sequence[ScanReceived], helpers: Helpers | None, albums: Albums | None
) -> Iterator[PageIn]:
    """Read scans: first the pages that may show a writing sample, so that it teaches the sheets it came with."""
    if awaits_samples(event) and isinstance(engine, Compares):
        yield from ScanReader.of(event, engine, albums).read_samples(waiting)
    yield from ScanReader.of(event, engine, albums).read(waiting, helpers)


def draw_again(event: Event, engine: Recogniser, scans: Set[str], albums: Albums) -> None:
    """Make the pictures of scans that were read before; they are looked at again, and nothing is written down."""
    received = [fact.said for fact in event.facts.told(ScanReceived) if fact.said.sha256 in scans]
    if not received:
        return
    read: dict[tuple[str, int], list[PageRead]] = {}
    for fact in event.facts.told(PageRead):
        read.setdefault((fact.said.sha256, fact.said.page % PARTS), []).append(fact.said)
    reader = ScanReader.of(event, engine, albums)
    for sha256, page in reader.coming(received, ()):
        if isinstance(page, EndOfFile):
            continue
        if isinstance(page, PageImage):
            reader.sheet_reader(sha256).every_sheet(page)
        number = page.number or 0
        albums.write(event, sha256, number, read.get((sha256, number), []), is_again=True)


def finished_scans(event: Event) -> frozenset[str]:
    """The scans that were read to their end, by their hashes."""
    return frozenset(fact.said.sha256 for fact in event.facts.told(ScanRead))


def waiting_scans(event: Event) -> list[ScanReceived]:
    """List the scans that were kept and not yet read to their end."""
    finished = finished_scans(event)
    return [fact.said for fact in event.facts.told(ScanReceived) if fact.said.sha256 not in finished]


def pages_waiting(event: Event, received: Sequence[ScanReceived]) -> int:
    """Count the pages of kept scans that were not read yet."""
    done = Counter(sha256 for sha256, _ in pages_read(event))
    with Opener() as opener:
        counts = [page_count(event.scans / scan.path, opener) - done[scan.sha256] for scan in received]
    return sum(max(0, count) for count in counts)


def pages_read(event: Event) -> set[tuple[str, int]]:
    """The pages that were read: the file's hash, and the page in it."""
    return {(fact.said.sha256, fact.said.page % PARTS) for fact in event.facts.told(PageRead)}


@dataclass(frozen=True, slots=True)
class ScanReader:
    """Reads the pages of kept scans."""

    event: Event
    engine: Recogniser
    sheets: dict[str, PrintedSheet]
    forms: dict[str, PrintedForm]
    games: dict[str, Game]
    others: tuple[VocabularyLine, ...]
    as_of: int  # the newest fact that all this rests on
    hands: Hands | None  # of the players, where the engine learns them
    blanks: Blanks  # for pages without a mark
    albums: Albums | None = None  # where pictures of the stages are kept

    @classmethod
    def of(cls, event: Event, engine: Recogniser, albums: Albums | None = None) -> "ScanReader":
        """Make a reader of an event's scans, as its facts are now, with the event's own thresholds."""
        as_of = event.facts.last_number()
        engine = reader_for(event, engine)
        sheets, forms, others = printed_sheets(event), printed_forms(event), others_of(event.tournament)
        hands, blanks = hands_of(event, engine), Blanks(partial(draw_blank, event), partial(draw_heading, event))
        return cls(event, engine, sheets, forms, games(event), others, as_of, hands, blanks, albums)

    def read(self, received: Sequence[ScanReceived], helpers: Helpers | None = None) -> Iterator[PageIn]:
        """Read files; every page is written down as soon as it and those before it are read."""
        done = pages_read(self.event)
        names = {scan.sha256: scan.name for scan in received}
        count = Counter(sha256 for sha256, _ in done)
        for sha256, found in read_pages(self.coming(received, done), self.sheet_reader, helpers, self.as_of):
            if isinstance(found, EndOfFile):
                self.event.facts.write(ScanRead(sha256=sha256, pages=count[sha256]), self.engine.name)
                continue
            count[sha256] += 1
            yield from self.written_down(found, sha256, names[sha256])

    def read_samples(self, received: Sequence[ScanReceived]) -> Iterator[PageIn]:
        """Read the pages that may show a writing sample, and write them down; the others wait for `read`."""
        done = pages_read(self.event)
        names = {scan.sha256: scan.name for scan in received}
        for sha256, page in self.coming(received, done):
            if isinstance(page, PageImage) and may_show(page.grey, FormKind.SAMPLE.slot):
                yield from self.written_down(read_here(page, self.sheet_reader(sha256)), sha256, names[sha256])

    def written_down(self, found: PageOutcome, sha256: str, name: str) -> Iterator[PageIn]:
        """Write down what became of a page."""
        sheets = self.sheets_on(found, sha256)
        self.event.facts.write_all(sheets, self.engine.name)
        if self.albums is not None:
            self.albums.write(self.event, sha256, found.page, sheets)
        for read in sheets:
            yield PageIn(name, read.page, read.tray, read.text, read.timing)

    def coming(self, received: Sequence[ScanReceived], done: Container[tuple[str, int]]) -> Coming:
        """Decode the pages of files one by one, without those that were read before."""
        with Opener() as opener:
            for scan in received:
                sha256 = scan.sha256
                for page in pages(self.event.scans / scan.path, opener):
                    if (sha256, page.number or 0) not in done:
                        yield sha256, page
                yield sha256, EndOfFile()

    def sheet_reader(self, sha256: str) -> SheetReader:
        """Make the reader of one file's pages."""
        by_hand = self.hands.reader_of if self.hands else None
        code = self.event.details.code
        watch = unwatched if self.albums is None else self.albums.of(self.event, sha256)
        return SheetReader(self.layouts, self.engine, self.vocabulary, code, sha256, by_hand, self.blanks, watch)

    def read_as(self, page: Fact[PageRead], sheet_id: str) -> PageRead | None:
        """Read a page again as the sheet that a person says it is; None where its rows cannot be found."""
        (sha256, number), part = page.said.place, page.said.corners
        received = next(f.said for f in self.event.facts.told(ScanReceived) if f.said.sha256 == sha256)
        file = self.event.scans / received.path
        outcome = transcribe_as(file, number, self.sheet_reader(sha256), sheet_id, part)
        filed = outcome.filed if isinstance(outcome, Doubtful) else outcome
        return self.read_of(filed, sha256, part) if isinstance(filed, Filed) else None

    @property
    def layouts(self) -> dict[str, PageLayout]:
        """Where everything is on every sheet and form that was printed."""
        sheets = {name: sheet.page for name, sheet in self.sheets.items()}
        return sheets | {name: form.page for name, form in self.forms.items()}

    def vocabulary(self, sheet_id: str) -> Vocabulary:
        """What may be written on a sheet or form: words to the reader; to us orders, or the names of players."""
        if sheet_id in self.forms:
            return names_on(self.forms[sheet_id])
        request = self.sheets[sheet_id].request
        game = self.games.get(f"{request.round}.{request.board}")
        if game is None:
            return Vocabulary()
        wanted = due(game.position.phase, request.phase.step) if request.is_pad else request.phase
        here = game.position.phase == wanted
        return vocabulary_of(self.event, game, request.power, self.others) if here else Vocabulary()

    def sheets_on(self, found: PageOutcome, sha256: str) -> list[PageRead]:
        """What became of a page as it is written down: once, or once for each of several sheets on it."""
        if isinstance(found, SeveralSheets):
            return [self.read_of(part.outcome, sha256, part.corners) for part in found.parts]
        return [self.read_of(found, sha256)]

    def read_of(self, outcome: Outcome, sha256: str, corners: Corners | None = None) -> PageRead:
        """Write an outcome as a fact says it, in words as well, and keep its pictures."""
        filed = outcome.filed if isinstance(outcome, Doubtful) else outcome
        read = PageRead(
            sha256=sha256,
            page=outcome.page,
            tray=outcome.tray,
            corners=corners,
            offers=offered(outcome),
            text=outcome.text,
        )
        if isinstance(outcome, Unidentified | Foreign) and outcome.picture:
            self.keep(page_path(sha256, outcome.page), outcome.picture)
        if not isinstance(filed, Filed):
            return read
        for row, png in {**filed.crops, **filed.free}.items():
            self.keep(crop_path(sha256, filed.page, row), png)
        self.keep(page_path(sha256, filed.page), filed.picture)
        if self.hands is not None and filed.seen:
            self.hands.keep(sha256, filed)
        is_form = filed.transcription.sheet_id in self.forms
        timing = self.timing(filed.transcription)
        told = [self.in_words(filed.transcription), *(CAME_AGAIN if timing is Timing.AGAIN else ())]
        told += map(sentence, filed.warnings)
        return replace(
            read,
            transcription=None if is_form else filed.transcription,
            form=filed.transcription if is_form else None,
            warnings=filed.warnings,
            timing=timing if outcome is filed else None,
            text="; ".join(told) if outcome is filed else outcome.text,
        )

    def timing(self, read: Transcription) -> Timing | None:
        """What a sheet is that is not expected now; None of one that is, and of a form that is new."""
        came = (f.said for f in self.event.facts.told(PageRead) if f.said.tray is Tray.FILED)
        pages = (page for page in came if page.sheet is not None and page.sheet.sheet_id == read.sheet_id)
        if any(page.place != (read.scan_sha256, read.page) and not is_spoilt(page) for page in pages):
            return Timing.AGAIN
        if read.sheet_id in self.forms:
            return None
        request = self.sheets[read.sheet_id].request
        game = self.games.get(f"{request.round}.{request.board}")
        if game is None:
            return None
        opened = game.position.phase
        return timing_of(self.event, game, due(opened, request.phase.step) if request.is_pad else request.phase)

    def in_words(self, read: Transcription) -> str:
        """Say which sheet or form it is."""
        if read.sheet_id in self.forms:
            form = self.forms[read.sheet_id].request
            return f"{form.kind} form, {form.about}"
        request = self.sheets[read.sheet_id].request
        return f"board {request.round}.{request.board} {request.power} {self.occasion(request, read)}"

    def occasion(self, request: SheetRequest, read: Transcription) -> str:
        """What a sheet is for, and what is wrong with its season or its ticks, while the paper is still in the hand."""
        game = self.games.get(f"{request.round}.{request.board}")
        if game is None:
            return request.occasion
        if not request.is_pad:
            return request.occasion + out_of_season(self.event, game, request.phase)
        opened, step = game.position.phase, request.phase.step
        pad = PadIn(read.sheet_id, Ticked.of(read.ticks, step), due(opened, step))
        if not pad.is_clean:
            return f"{request.occasion}: {sentence(pad.doubt)}"
        waits = "" if pad.due == opened else f", for which it waits while {opened.in_words} is open"
        return pad.due.in_words + waits

    def keep(self, path: str, picture: bytes) -> None:
        """Keep a picture. On a full disk the reading stops; it goes on with the next 'scan', and nothing is lost."""
        make_again(self.event.folder / path, picture, "'ordersheets scan' again: the scans are kept")


def timing_of(event: Event, game: Game, phase: Phase) -> Timing | None:
    """What a sheet for a phase is while another one is open; None where it is that one."""
    opened = game.position.phase
    if not goes_on(event, game):
        return Timing.ENDED
    if phase == opened:
        return None
    if phase.sort_key > opened.sort_key:
        return Timing.WAITS
    return Timing.PUBLISHED if any(played.phase == phase for played in game.played) else Timing.EARLIER


def out_of_season(event: Event, game: Game, phase: Phase) -> str:
    """Say that the phase a sheet was printed for is not the one that is open; nothing where it is."""
    opened = game.position.phase.in_words
    match timing_of(event, game, phase):
        case Timing.ENDED:
            return "; the game is over"
        case Timing.WAITS:
            return f", for which it waits while {opened} is open"
        case Timing.PUBLISHED:
            return f"; {phase.in_words} is published, {opened} is open"
        case Timing.EARLIER:
            return f"; {phase.in_words} is over, {opened} is open"
    return ""


def is_spoilt(page: PageRead) -> bool:
    """Whether a better picture of the same paper was to be taken."""
    return any(told.code in RETAKE for told in page.warnings or ())


def offered(outcome: Outcome) -> tuple[str, ...] | None:
    """The sheets that a page may be, where that is asked."""
    match outcome:
        case Doubtful():
            return outcome.filed.transcription.sheet_id, *outcome.offers
        case Unidentified():
            return outcome.offers
    return None
