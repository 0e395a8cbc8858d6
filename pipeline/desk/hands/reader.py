"""The reader of an event's handwriting: its engine and thresholds, and what is known of each player's hand.

A hand belongs to a player, whatever power and board he has this round. Earlier readings do not change: a newly
known row affects later sheets only. The net's features of a row are stored beside the pictures, and are computed again
from the scan if missing.
"""

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import GATE_KEY, gate_name
from pipeline.desk.event.games import seatings
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.hands.kept_hands import BROKEN, PAGE, KeptHand, arrays_of, as_file, read_brought, row_in_file
from pipeline.desk.hands.known_rows import KnownBy, KnownRow, known_rows, sample_rows
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.sheets_in import hand_path
from pipeline.ink import PARTS
from pipeline.ledger.copies import OWN_GATES
from pipeline.ledger.events import HandBrought, ScanReceived
from pipeline.ledger.files import write_whole
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading import recogniser
from pipeline.reading.engine import MOST_KNOWN, NetRecogniser
from pipeline.reading.further import Known
from pipeline.reading.gate import load_gates
from pipeline.reading.hand_reader import HandReader
from pipeline.reading.transcribe import SheetReader, transcribe_as, transcribe_pages
from pipeline.small_files import read_small

TAKE_OUT = f"take the line '{GATE_KEY}' out of event.toml, and calibrate again"


def best_recogniser() -> recogniser.Recogniser:
    """The handwriting net that ships with the program."""
    return NetRecogniser()


def net_for(event: Event) -> NetRecogniser:
    """The net, with an event's own thresholds."""
    return with_event_gate(event, NetRecogniser())


def reader_for(event: Event, engine: recogniser.Recogniser) -> recogniser.Recogniser:
    """An engine with an event's own thresholds, where it is one that has thresholds."""
    return with_event_gate(event, engine) if isinstance(engine, NetRecogniser) else engine


def with_event_gate(event: Event, net: NetRecogniser) -> NetRecogniser:
    """Give a net the thresholds that 'calibrate' wrote for an event; without any it keeps those of the package."""
    if not event.details.gate:
        return net
    path = event.folder / event.details.gate
    if not path.is_file():
        raise stop(f"the thresholds that event.toml names are not there; copy them back; or {TAKE_OUT}", str(path))
    try:
        data = read_small(path)
    except OSError as error:
        raise stop(f"the thresholds cannot be read: {error.strerror or error}; {TAKE_OUT}", str(path)) from error
    if path.match(OWN_GATES) and path.name != gate_name(data):
        raise stop(f"these thresholds are not what 'calibrate' wrote; copy the file back; or {TAKE_OUT}", str(path))
    try:
        gates = load_gates(path)
    except Stopped as stopped:
        raise Stopped((*stopped.problems, Problem(Weight.STOPS, TAKE_OUT, str(path)))) from stopped
    if not all(digest in gates.measured for digest in net.digests):
        nets = " and ".join(net.digests)
        raise stop(f"these thresholds were not measured with the readers in use, {nets}; {TAKE_OUT}", str(path))
    return net.with_gates(gates, f"thresholds {hashlib.sha256(data).hexdigest()[:8]}")


def _brought_rows(event: Event) -> Iterator[tuple[str, list[KnownRow]]]:
    """The rows of the hands that were brought, by player."""
    for fact in event.facts.select(HandBrought):
        hand = read_brought(event, fact.said.sha256)
        if hand is not None:
            rows = [
                KnownRow("", fact.said.sha256, PAGE, number, text, KnownBy.BROUGHT, fact.number)
                for number, text in enumerate(hand.texts)
            ]
            yield event.people.name_of(fact.said.player), rows


ScanPage = tuple[str, int]  # of a scan, by its hash

# A row that nobody checked teaches only from this confidence (log odds 5): none of 458 such rows was wrong.
ROOM_TO_SPARE = 0.9933


class Hands:
    """The hands of an event's players, as far as its facts show them now. One thread at a time."""

    def __init__(self, event: Event, engine: NetRecogniser) -> None:
        self.event = event
        self.engine = engine
        self.sheets: Mapping[str, PrintedSheet] = printed_sheets(event)
        self.forms = printed_forms(event)
        self.seats = seatings(event)
        self.known: dict[str, tuple[KnownRow, ...]] = _by_player(event) if event.details.learns_hands else {}
        self.taught: dict[tuple[KnownRow, ...], NetRecogniser] = {}

    @property
    def nets(self) -> str:
        """The readers in use; features of other readers are useless to them."""
        return "-".join(self.engine.digests)

    def to_keep(self, player: str) -> KeptHand | None:
        """The data of a hand to keep for another event; None if nothing is known of it."""
        rows = [row for row in self.rows_of(player) if row.how is not KnownBy.CHOSEN]
        pages = self.pages_of(rows)
        seen = [(row.text, pages.get((row.sha256, row.page), {}).get(row.row)) for row in rows]
        samples = [(text, saw) for text, saw in seen if saw is not None]
        if not samples:
            return None
        texts, kept = zip(*samples, strict=True)
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
        """Choose the reader of a sheet: one adapted to its player's hand, or the general one."""
        rows = self.rows_of(self.player_of(sheet_id), before)
        stranger = HandReader(self.engine, learns=self.event.details.learns_hands)
        if not rows:
            return stranger
        if rows not in self.taught:
            try:
                self.taught[rows] = self.engine.taught_by(self.lessons(rows))
            except recogniser.EngineFailed:
                return stranger
        taught = self.taught[rows]
        return replace(stranger, taught=taught if taught.rows_known else None)

    def lessons(self, rows: Sequence[KnownRow]) -> list[Known]:
        """The features of known rows with their texts; rows whose scan is missing are skipped."""
        pages = self.pages_of(rows)
        seen = [(row, pages.get((row.sha256, row.page), {}).get(row.row)) for row in rows]
        return [
            Known(self.engine.seen_before(saw), row.text, row.how is not KnownBy.CHOSEN)
            for row, saw in seen
            if saw is not None
        ]

    def pages_of(self, rows: Sequence[KnownRow]) -> dict[ScanPage, Mapping[int, recogniser.KeptRow]]:
        """The features of the rows' pages: the stored ones, or computed again from the scans."""
        wanted = {(row.sha256, row.page): row.sheet for row in rows}
        by_page = {page: kept for page in wanted if (kept := self.rows_of_page(page)) is not None}
        missing = sorted(page for page in wanted if page not in by_page)
        for sha256, pages in groupby(missing, key=lambda page: page[0]):
            by_page |= dict(self.recompute_features(sha256, {number: wanted[sha256, number] for _, number in pages}))
        return by_page

    def recompute_features(
        self, sha256: str, sheets: Mapping[int, str]
    ) -> Iterator[tuple[ScanPage, Mapping[int, recogniser.KeptRow]]]:
        """Compute the features of pages of one scan again; ``sheets``: which sheet each page is."""
        received = [f.said for f in self.event.facts.select(ScanReceived) if f.said.sha256 == sha256]
        path = self.event.find_scan(received[0].path) if received else None
        if path is None or not path.is_file():
            return
        layouts = {sheet_id: sheet.page for sheet_id, sheet in self.sheets.items()}
        layouts |= {form_id: form.page for form_id, form in self.forms.items()}
        eyes = HandReader(self.engine)
        reader = SheetReader(layouts, eyes, lambda _: recogniser.Vocabulary(), self.event.details.code, sha256)
        for outcome in transcribe_pages(path, reader, frozenset(number % PARTS for number in sheets)):
            if outcome.page not in sheets:
                continue
            sheet = sheets[outcome.page]
            filed = _filed_as(outcome, sheet)
            if filed is None and outcome.page < PARTS:  # a person said which sheet it is
                filed = _filed_as(transcribe_as(path, outcome.page, reader, sheet), sheet)
            if filed is not None:
                self.keep(sha256, filed)
                yield (sha256, outcome.page), filed.seen

    def rows_of_page(self, page: ScanPage) -> Mapping[int, recogniser.KeptRow] | None:
        """The stored features of a page, None if missing or damaged; of a brought hand, {} then or if of other nets."""
        if page[1] == PAGE:
            hand = read_brought(self.event, page[0])  # useless where other readers made its features
            return dict(enumerate(hand.seen)) if hand is not None and hand.nets == self.nets else {}
        path = self.event.folder / hand_path(*page, self.nets)
        try:
            with np.load(io.BytesIO(read_small(path)), allow_pickle=False) as rows:
                return {int(row): row_in_file(row, rows) for row in rows.files if row.isdigit()}
        except BROKEN:
            return None

    def keep(self, sha256: str, filed: recogniser.Filed) -> None:
        """Store the features of a page; if the disk is full, they are computed again when needed."""
        path = self.event.folder / hand_path(sha256, filed.page, self.nets)
        seen = {name: view for row, saw in filed.seen.items() for name, view in arrays_of(str(row), saw).items()}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, as_file(seen))
        except OSError:
            return


def _by_player(event: Event) -> dict[str, tuple[KnownRow, ...]]:
    """The known rows of every player, in the order in which they became known."""
    seats = seatings(event)
    by_player: dict[str, list[KnownRow]] = {}
    for turn, rows in known_rows(event).items():
        player = seats[turn.board].player_at(turn.power, turn.phase) if turn.board in seats else ""
        if player:
            known = (row for row in rows if row.how is not KnownBy.STOOD or row.confidence >= ROOM_TO_SPARE)
            by_player.setdefault(player, []).extend(known)
    for player, others in (*sample_rows(event).items(), *_brought_rows(event)):
        by_player.setdefault(player, []).extend(others)
    return {player: tuple(sorted(rows, key=lambda row: row.since)) for player, rows in by_player.items()}


def _filed_as(outcome: recogniser.ReadOutcome, sheet_id: str) -> recogniser.Filed | None:
    """The filed page, if it is the expected sheet."""
    filed = outcome.filed if isinstance(outcome, recogniser.Doubtful) else outcome
    return filed if isinstance(filed, recogniser.Filed) and filed.transcription.sheet_id == sheet_id else None


def hands_of(event: Event, engine: recogniser.Recogniser) -> Hands | None:
    """The players' hands; None if the engine cannot learn them."""
    return Hands(event, engine) if isinstance(engine, NetRecogniser) else None
