"""The hands in the room: a player's sheet is read with what is known of that player's earlier ones.

A hand is its player's, whatever power and board the player has this round. What was read is a fact and stays as it
is: a row that becomes known changes how later sheets are read, and no other. What the net saw in a row is kept beside
the pictures, and is made again from the scan where it is gone.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import seatings
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.desk.hands.kept_hands import (
    BROKEN,
    PAGE,
    KeptHand,
    arrays_of,
    as_file,
    brought_rows,
    row_of,
    seen_before,
)
from pipeline.desk.hands.known_rows import KnownBy, KnownRow, known_rows
from pipeline.desk.hands.writing_samples import sample_rows
from pipeline.desk.sheets.crops import hand_path
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.ink import PARTS
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.files.disk import write_whole
from pipeline.reading.handwriting.engine import MOST_KNOWN, NetRecogniser
from pipeline.reading.handwriting.hand_reader import HandReader
from pipeline.reading.net.hand import Known
from pipeline.reading.rows.recogniser import EngineFailed, KeptRow, Recogniser, Vocabulary
from pipeline.reading.transcription.outcome import Doubtful, Filed, Outcome
from pipeline.reading.transcription.transcribe import SheetReader, transcribe_as, transcribe_pages

Page = tuple[str, int]  # of a scan, by its hash
# Of a row that was let stand: log odds 5, about 2 above what is enough for one reader. With the gate before none was
# wrong of 458 such rows by people that the gate is fitted on; the 194 that have so much to spare teach as much as all
ROOM_TO_SPARE = 0.9933


class Hands:
    """The hands of an event's players, as far as its facts show them now. One thread at a time."""

    def __init__(self, event: Event, engine: NetRecogniser) -> None:
        self.event = event
        self.engine = engine
        self.sheets: Mapping[str, PrintedSheet] = printed_sheets(event)
        self.forms = printed_forms(event)
        self.seats = seatings(event)
        self.known: dict[str, tuple[KnownRow, ...]] = by_player(event) if event.details.learns_hands else {}
        self.taught: dict[tuple[KnownRow, ...], NetRecogniser] = {}

    @property
    def nets(self) -> str:
        """The readers that see here: what others saw says nothing to them."""
        return "-".join(self.engine.digests)

    def to_keep(self, player: str) -> KeptHand | None:
        """What there is to keep of a hand for another event; None where nothing is known of it."""
        rows = [row for row in self.rows_of(player) if row.how is not KnownBy.CHOSEN]
        pages = self.pages_of(rows)
        seen = [(row.text, pages.get((row.sha256, row.page), {}).get(row.row)) for row in rows]
        found = [(text, saw) for text, saw in seen if saw is not None]
        if not found:
            return None
        texts, kept = zip(*found, strict=True)
        return KeptHand(player, self.event.details.name, self.nets, texts, kept)

    def player_of(self, sheet_id: str) -> str | None:
        """Who sits where a sheet was printed for; None for a sheet of no seat."""
        sheet = self.sheets.get(sheet_id)
        seating = self.seats.get(sheet.turn.board) if sheet else None
        return seating.players.get(sheet.turn.power) if sheet and seating else None

    def rows_of(self, player: str | None, before: int | None = None) -> tuple[KnownRow, ...]:
        """The rows of a player that are known before some fact: his samples, and the latest others, oldest first."""
        rows = [row for row in self.known.get(player or "", ()) if before is None or row.since < before]
        samples = [row for row in rows if row.sheet in self.forms][-MOST_KNOWN:]
        others = [row for row in rows if row.sheet not in self.forms]
        return (*samples, *others[max(0, len(others) + len(samples) - MOST_KNOWN) :])

    def reader_of(self, sheet_id: str, before: int | None = None) -> HandReader:
        """Who reads a sheet: a reader that knows its player's hand, or the one that knows nobody."""
        rows = self.rows_of(self.player_of(sheet_id), before)
        stranger = HandReader(self.engine, learns=self.event.details.learns_hands)
        if not rows:
            return stranger
        if rows not in self.taught:
            try:
                self.taught[rows] = self.engine.taught_by(self.lessons(rows))
            except EngineFailed:
                return stranger
        taught = self.taught[rows]
        return replace(stranger, taught=taught if taught.rows_known else None)

    def lessons(self, rows: Sequence[KnownRow]) -> list[Known]:
        """What the net saw in rows, with what is written there; a row whose scan is gone teaches nothing."""
        pages = self.pages_of(rows)
        seen = [(row, pages.get((row.sha256, row.page), {}).get(row.row)) for row in rows]
        return [
            Known(self.engine.seen_before(saw), row.text, row.how is not KnownBy.CHOSEN)
            for row, saw in seen
            if saw is not None
        ]

    def pages_of(self, rows: Sequence[KnownRow]) -> dict[Page, Mapping[int, KeptRow]]:
        """What the net saw on the pages of rows: what was kept, or else the scans once more."""
        wanted = {(row.sha256, row.page): row.sheet for row in rows}
        found = {page: kept for page in wanted if (kept := self.kept(page)) is not None}
        missing = sorted(page for page in wanted if page not in found)
        for sha256, pages in groupby(missing, key=lambda page: page[0]):
            found |= dict(self.seen_again(sha256, {number: wanted[sha256, number] for _, number in pages}))
        return found

    def seen_again(self, sha256: str, sheets: Mapping[int, str]) -> Iterator[tuple[Page, Mapping[int, KeptRow]]]:
        """Look at pages of one scan again, each as the sheet that it is."""
        received = [f.said for f in self.event.facts.told(ScanReceived) if f.said.sha256 == sha256]
        path = self.event.scans / received[0].path if received else None
        if path is None or not path.is_file():
            return
        layouts = {sheet_id: sheet.page for sheet_id, sheet in self.sheets.items()}
        layouts |= {form_id: form.page for form_id, form in self.forms.items()}
        eyes = HandReader(self.engine)
        reader = SheetReader(layouts, eyes, lambda _: Vocabulary(), self.event.details.code, sha256)
        for outcome in transcribe_pages(path, reader, frozenset(number % PARTS for number in sheets)):
            if outcome.page not in sheets:
                continue
            sheet = sheets[outcome.page]
            filed = filed_as(outcome, sheet)
            if filed is None and outcome.page < PARTS:  # a person named it
                filed = filed_as(transcribe_as(path, outcome.page, reader, sheet), sheet)
            if filed is not None:
                self.keep(sha256, filed)
                yield (sha256, outcome.page), filed.seen

    def kept(self, page: Page) -> Mapping[int, KeptRow] | None:
        """What was kept of a page; None where that is gone or broken."""
        if page[1] == PAGE:
            return seen_before(self.event, page[0], self.nets)
        path = self.event.folder / hand_path(*page, self.nets)
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as rows:
                return {int(row): row_of(row, rows) for row in rows.files if row.isdigit()}
        except BROKEN:
            return None

    def keep(self, sha256: str, filed: Filed) -> None:
        """Keep what was seen on a page. It can be made again: where the disk is full, it is."""
        path = self.event.folder / hand_path(sha256, filed.page, self.nets)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, packed(filed.seen))
        except OSError:
            return


def by_player(event: Event) -> dict[str, tuple[KnownRow, ...]]:
    """The known rows of every player, in the order in which they became known."""
    seats = seatings(event)
    found: dict[str, list[KnownRow]] = {}
    for turn, rows in known_rows(event).items():
        player = seats[turn.board].player_at(turn.power, turn.phase) if turn.board in seats else ""
        if player:
            found.setdefault(player, []).extend(filter(may_teach, rows))
    for player, others in (*sample_rows(event).items(), *brought_rows(event)):
        found.setdefault(player, []).extend(others)
    return {player: tuple(sorted(rows, key=lambda row: row.since)) for player, rows in found.items()}


def may_teach(row: KnownRow) -> bool:
    """Whether a row may teach its hand; what nobody looked at only with room to spare: no misreading teaches itself."""
    return row.how is not KnownBy.STOOD or row.confidence >= ROOM_TO_SPARE


def filed_as(outcome: Outcome, sheet_id: str) -> Filed | None:
    """A page as it was filed, if it is the sheet that it is known to be."""
    filed = outcome.filed if isinstance(outcome, Doubtful) else outcome
    return filed if isinstance(filed, Filed) and filed.transcription.sheet_id == sheet_id else None


def packed(seen: Mapping[int, KeptRow]) -> bytes:
    """Pack what was seen on a page into one file."""
    return as_file({name: view for row, saw in seen.items() for name, view in arrays_of(str(row), saw).items()})


def hands_of(event: Event, engine: Recogniser) -> Hands | None:
    """The hands in the room; None where the engine is none that learns."""
    return Hands(event, engine) if isinstance(engine, NetRecogniser) else None
