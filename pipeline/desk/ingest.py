"""Take scans in: kept under their hash first, then read page by page; each page ends in exactly one tray.

A kill at any moment loses nothing: what was kept and not read to its end is read again the next time, and a page that
was read twice is the same page, so it counts once. Of several programs that take scans in, one reads at a time.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.board.position import Phase
from pipeline.desk.blanks import draw_blank
from pipeline.desk.crops import crop_path, page_path
from pipeline.desk.ending import goes_on
from pipeline.desk.event import Event
from pipeline.desk.form_printing import PrintedForm, printed_forms
from pipeline.desk.games import Game, games
from pipeline.desk.hands import Hands, hands_of
from pipeline.desk.numbered_players import names_on
from pipeline.desk.pads import PadIn, Ticked, due
from pipeline.desk.printing import PrintedSheet, printed_sheets
from pipeline.desk.reader import reader_for
from pipeline.desk.reading_pool import Coming, EndOfFile, Helpers, read_pages
from pipeline.desk.transcripts import write_transcription
from pipeline.desk.words import others_of, vocabulary_of
from pipeline.ink import PARTS, Transcription
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading.blank import Blanks
from pipeline.reading.outcome import Corners, Doubtful, Filed, Outcome, PageOutcome, Several, Unidentified
from pipeline.reading.page import pages
from pipeline.reading.pdf_pages import Opener
from pipeline.reading.recogniser import Line, Recogniser, Vocabulary
from pipeline.reading.transcribe import SheetReader, transcribe_as
from pipeline.store.alone import alone
from pipeline.store.facts import Fact
from pipeline.store.scans import KeptScan, keep_scan, shown
from pipeline.tournament.sheet import SheetRequest
from pipeline.tournament.sheet_layout import PageLayout
from pipeline.words import sentence


@dataclass(frozen=True, slots=True)
class PageIn:
    """What became of one page."""

    name: str  # the file as it came
    page: int  # see `ink.page_in_words`
    tray: str  # filed, doubtful, unidentified, foreign, blank, unreadable
    text: str  # "Board 1.2 FRANCE Spring 1901", or what is wrong


Tell = Callable[[PageIn], None]
READING = "reading.lock"  # in the event's folder, there is nothing in it
DISK_FULL = 4  # the exit code of a file that could not be kept


def take_in(
    event: Event,
    files: Iterable[Path],
    engine: Recogniser,
    tell: Tell,
    helpers: Helpers | None = None,
    on_wait: Callable[[], None] = lambda: None,
) -> tuple[Problem, ...]:
    """Keep every file, then read them all; a bad file is a problem, a known one a note, and the others go on.

    ``helpers`` read beside this process, with the engine of `best_recogniser`. On a full disk every file that could
    not be kept is named before the work is `Stopped`. ``on_wait`` is called where another program is reading.
    """
    problems: list[Problem] = []
    is_full = False
    for file in files:
        try:
            problems += same_bytes(event, file, receive(event, file))
        except Stopped as stopped:
            problems += stopped.problems
            is_full |= stopped.code == DISK_FULL
    try:
        read_waiting(event, engine, tell, helpers, on_wait)
    except Stopped as stopped:
        raise Stopped([*problems, *stopped.problems], stopped.code) from stopped
    if is_full:
        raise Stopped(problems, DISK_FULL)
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
        if kept.sha256 not in {fact.body["sha256"] for fact in event.facts.read("scan received")}:
            body = {"sha256": kept.sha256, "name": shown(file.name), "path": kept.path.name}
            event.facts.add("scan received", body, "scan")
    return kept


def same_bytes(event: Event, file: Path, kept: KeptScan) -> Iterator[Problem]:
    """Note that a file is one that came before under another name."""
    if not kept.is_new:
        names = (f.body["name"] for f in event.facts.read("scan received") if f.body["sha256"] == kept.sha256)
        if (before := next(names)) != shown(file.name):
            yield Problem(Weight.NOTES, f"the same file as {before}, byte for byte; it counts once", str(file))


def read_waiting(
    event: Event, engine: Recogniser, tell: Tell, helpers: Helpers | None, on_wait: Callable[[], None]
) -> None:
    """Read every scan that was kept and not yet read to its end, oldest first; one program at a time does."""
    if not waiting_scans(event):
        return
    with alone(event.folder / READING, on_wait):
        if waiting := waiting_scans(event):  # the other may have read them
            for page in ScanReader.of(event, engine).read(waiting, helpers):
                tell(page)


def waiting_scans(event: Event) -> list[Fact]:
    """List the scans that were kept and not yet read to their end."""
    finished = {fact.body["sha256"] for fact in event.facts.read("scan read")}
    return [fact for fact in event.facts.read("scan received") if fact.body["sha256"] not in finished]


@dataclass(frozen=True, slots=True)
class ScanReader:
    """Reads the pages of kept scans."""

    event: Event
    engine: Recogniser
    sheets: dict[str, PrintedSheet]
    forms: dict[str, PrintedForm]
    games: dict[str, Game]
    others: tuple[Line, ...]
    as_of: int  # the newest fact that all this rests on
    hands: Hands | None  # of the players, where the engine learns them
    blanks: Blanks  # for pages without a mark

    @classmethod
    def of(cls, event: Event, engine: Recogniser) -> "ScanReader":
        """Make a reader of an event's scans, as its facts are now, with the event's own thresholds."""
        as_of = event.facts.last_number()
        engine = reader_for(event, engine)
        sheets, forms, others = printed_sheets(event), printed_forms(event), others_of(event.tournament)
        hands, blanks = hands_of(event, engine), Blanks(partial(draw_blank, event))
        return cls(event, engine, sheets, forms, games(event), others, as_of, hands, blanks)

    def read(self, received: Sequence[Fact], helpers: Helpers | None = None) -> Iterator[PageIn]:
        """Read files; every page is written down as soon as it and those before it are read."""
        done = {(fact.body["sha256"], fact.body["page"] % PARTS) for fact in self.event.facts.read("page read")}
        names = {fact.body["sha256"]: fact.body["name"] for fact in received}
        count = Counter(sha256 for sha256, _ in done)
        for sha256, found in read_pages(self.coming(received, done), self.sheet_reader, helpers, self.as_of):
            if isinstance(found, EndOfFile):
                self.event.facts.append("scan read", {"sha256": sha256, "pages": count[sha256]}, self.engine.name)
                continue
            count[sha256] += 1
            bodies = self.bodies_of(found, sha256)
            self.event.facts.append_all(tuple(("page read", body) for body in bodies), self.engine.name)
            for body in bodies:
                yield PageIn(names[sha256], body["page"], body["tray"], body["text"])

    def coming(self, received: Sequence[Fact], done: Container[tuple[str, int]]) -> Coming:
        """Decode the pages of files one by one, without those that were read before."""
        with Opener() as opener:
            for fact in received:
                sha256 = fact.body["sha256"]
                for page in pages(self.event.scans / fact.body["path"], opener):
                    if (sha256, page.number or 0) not in done:
                        yield sha256, page
                yield sha256, EndOfFile()

    def sheet_reader(self, sha256: str) -> SheetReader:
        """Make the reader of one file's pages."""
        by_hand = self.hands.reader_of if self.hands else None
        code = self.event.details.code
        return SheetReader(self.layouts, self.engine, self.vocabulary, code, sha256, by_hand, self.blanks)

    def read_as(self, page: Fact, sheet_id: str) -> dict[str, Any] | None:
        """Read a page again as the sheet that a person says it is; None where its rows cannot be found."""
        sha256, number = page.body["sha256"], page.body["page"]
        received = next(f for f in self.event.facts.read("scan received") if f.body["sha256"] == sha256)
        part = page.body.get("corners")
        file = self.event.scans / received.body["path"]
        outcome = transcribe_as(file, number, self.sheet_reader(sha256), sheet_id, part)
        filed = outcome.filed if isinstance(outcome, Doubtful) else outcome
        return self.body_of(filed, sha256, part) if isinstance(filed, Filed) else None

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

    def bodies_of(self, found: PageOutcome, sha256: str) -> list[dict[str, Any]]:
        """Write what became of a page as the bodies of facts: one, or one for each of several sheets on it."""
        if isinstance(found, Several):
            return [self.body_of(part.outcome, sha256, part.corners) for part in found.parts]
        return [self.body_of(found, sha256)]

    def body_of(self, outcome: Outcome, sha256: str, corners: Corners | None = None) -> dict[str, Any]:
        """Write an outcome as the body of a fact, in words as well, and keep its pictures."""
        body: dict[str, Any] = {"sha256": sha256, "page": outcome.page, "tray": outcome.tray}
        if corners is not None:
            body["corners"] = [list(corner) for corner in corners]
        filed = outcome.filed if isinstance(outcome, Doubtful) else outcome
        if isinstance(outcome, Doubtful):
            body["offers"] = [outcome.filed.transcription.sheet_id, *outcome.offers]
        elif isinstance(outcome, Unidentified):
            body["offers"] = list(outcome.offers)
            if outcome.picture:
                self.keep(page_path(sha256, outcome.page), outcome.picture)
        if not isinstance(filed, Filed):
            return body | {"text": outcome.text}
        for row, png in filed.crops.items():
            self.keep(crop_path(sha256, filed.page, row), png)
        self.keep(page_path(sha256, filed.page), filed.picture)
        if self.hands is not None and filed.seen:
            self.hands.keep(sha256, filed)
        sheet_id = filed.transcription.sheet_id
        key = "form" if sheet_id in self.forms else "transcription"
        body |= {key: write_transcription(filed.transcription)}
        body |= {"warnings": [told.as_body() for told in filed.warnings]}
        told = [self.in_words(filed.transcription), *map(sentence, filed.warnings)]
        return body | {"text": "; ".join(told) if outcome is filed else outcome.text}

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
        whole = self.event.folder / path
        try:
            whole.parent.mkdir(parents=True, exist_ok=True)
            whole.write_bytes(picture)
        except OSError as error:
            text = f"no room for pictures: {error.strerror or error}; the scans are kept; make room, then 'scan'"
            raise stop(text, path, 4) from error


def out_of_season(event: Event, game: Game, phase: Phase) -> str:
    """Say that the phase a sheet was printed for is not the one that is open; nothing where it is."""
    opened = game.position.phase
    if not goes_on(event, game):
        return "; the game is over"
    if phase == opened:
        return ""
    if phase.sort_key > opened.sort_key:
        return f", for which it waits while {opened.in_words} is open"
    is_published = any(played.phase == phase for played in game.played)
    return f"; {phase.in_words} is {'published' if is_published else 'over'}, {opened.in_words} is open"
