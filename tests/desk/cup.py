"""A small event for tests of the desk: one board, seven players, Weasel Moot rules, openings as people write them."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from facts_as_kept import append_fact

from desk.beginnings import copied
from pipeline.board import FIRST_PHASE, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.reader_name import reader_name
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.draw.roster import Player
from pipeline.ink import Box, InkLine, InkReading, Tier, Transcription
from pipeline.ledger.ledger import body_of
from pipeline.ledger.verification import LastWritten, file_beside
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

NAMES = {
    Power.AUSTRIA: "Ada",
    Power.ENGLAND: "Bo",
    Power.FRANCE: "Cem",
    Power.GERMANY: "Dag",
    Power.ITALY: "Eva",
    Power.RUSSIA: "=Fox()",
    Power.TURKEY: "Gil",
}
CENTRES = [
    "ANK",
    "BEL",
    "BER",
    "BRE",
    "BUD",
    "BUL",
    "CON",
    "DEN",
    "EDI",
    "GRE",
    "HOL",
    "KIE",
    "LON",
    "LVP",
    "MAR",
    "MUN",
    "NAP",
]  # seventeen, one short of a solo


def clock() -> str:
    """Time stands still in tests."""
    return "2026-01-02T09:00:00+00:00"


def seated(folder: Path, *, code: str = "TEST", tournament: str = "weaselmoot") -> Path:
    """Lay the event into a new folder, its first round seated; the folder is given back."""
    return copied(seat_anew, folder, code, tournament)


def printed(folder: Path, tournament: str = "weaselmoot", design: Design = Design.LINE) -> Path:
    """Lay the event into a new folder, its first round seated and printed; the folder is given back."""
    return copied(print_anew, folder, tournament, design)


def print_anew(folder: Path, tournament: str, design: Design) -> None:
    """Make the event in a new folder, and print its first round."""
    with open_event(seated(folder, tournament=tournament), clock) as event:
        print_round(event, 1, wish=PrintWish(design=design))


def seat_anew(folder: Path, code: str, tournament: str) -> None:
    """Make the event in a new folder and seat its first round."""
    details = Details(name="Test Cup", code=code, tournament=tournament)
    make_event_folder(folder, details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
        reader_name(event)  # it is kept with the event: nobody who asks loads the nets to know it


def with_facts(folder: Path, facts: bytes) -> Path:
    """Make the event in a new folder with the facts of another, its ``event.db``; the folder is given back."""
    seated(folder)
    for stale in folder.glob("event.db*"):
        stale.unlink()
    file = folder / "event.db"
    file.write_bytes(facts)
    with closing(sqlite3.connect(file)) as connection:
        newest = connection.execute("SELECT fact, chain FROM checksums ORDER BY fact DESC LIMIT 1").fetchone()
    file_beside(file).write_text(LastWritten(*newest).as_text(), "ascii")
    return folder


def inked(number: int, text: str, tier: Tier = Tier.ACCEPTED) -> InkLine:
    """One row as a reader gives it."""
    readings = (InkReading(text, 0.99),) if text else ()
    return InkLine(number=number, box=Box(22, 54, 160, 10), readings=readings, tier=tier)


def sheets_of(event: Event, turn: Turn) -> list[str]:
    """The ids of the sheets printed for a turn, oldest first."""
    return [
        sheet_id
        for sheet_id, sheet in printed_sheets(event).items()
        if (sheet.request.power, sheet.request.phase) == (turn.power, turn.phase)
    ]


def hand_in(
    event: Event,
    turn: Turn,
    lines: list[InkLine],
    sha256: str = "ab" * 32,
    *,
    signed: bool | None = None,
    outside: tuple[Box, ...] = (),
) -> None:
    """File a power's sheet as if it had been scanned and read."""
    hand_in_sheet(event, sheets_of(event, turn)[0], lines, sha256, signed=signed, outside=outside)


def hand_in_sheet(
    event: Event,
    sheet: str,
    lines: list[InkLine],
    sha256: str,
    *,
    signed: bool | None = None,
    ticks: str = "",
    outside: tuple[Box, ...] = (),
) -> None:
    """File one sheet; ``ticks`` are the names of the boxes that are ticked, with blanks between them."""
    transcription = Transcription(
        sheet_id=sheet,
        scan_sha256=sha256,
        page=1,
        reader="test",
        lines=tuple(lines),
        residual_mm=0.05,
        ticks=frozenset(ticks.split()),
        signed=signed,
        outside=outside,
    )
    body = {"sha256": sha256, "page": 1, "tray": "filed", "text": "", "transcription": body_of(transcription)}
    append_fact(event.facts, "page read", body, "test")


OPENINGS = {
    Power.AUSTRIA: ["A VIE - GAL", "A BUD - SER", "F TRI - ALB"],
    Power.ENGLAND: ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
    Power.FRANCE: ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    Power.GERMANY: ["F KIE - DEN", "A BER - KIE", "A MUN - RUH"],
    Power.ITALY: ["A VEN - TYR", "A ROM - VEN", "F NAP - ION"],
    Power.RUSSIA: ["A WAR - GAL", "A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT"],
    Power.TURKEY: ["A CON - BUL", "A SMY - CON", "F ANK - BLA"],
}


def hand_in_all(event: Event, *, but: Power | None = None) -> None:
    """Hand in everybody's opening."""
    for number, (power, lines) in enumerate(OPENINGS.items()):
        if power is not but:
            rows = [inked(row, line) for row, line in enumerate(lines, start=1)]
            hand_in(event, spring(power), rows, sha256=f"{number:064d}")


def spring(power: Power) -> Turn:
    """A power's first turn."""
    return Turn("1.1", FIRST_PHASE, power)


def openings_in(printed: Printed, hands: Mapping[Power, int]) -> Callable[[str], Writer | None]:
    """Who writes what on which sheet: these powers their openings, each in its hand; all others nothing."""
    return {
        page.sheet: Writer(hand=hands[power], player=NAMES[power], lines=dict(enumerate(OPENINGS[power], 1)), slips={})
        for page in printed.layout.pages
        if (power := Power(page.power)) in hands
    }.get


def written_twice(folder: Path, hands: Mapping[Power, int], design: Design = Design.LINE) -> Path:
    """Make an event, ``cup``, in which each of these hands filled two sheets: ``scans1`` is read, ``scans2`` waits."""
    with open_event(seated(folder / "cup"), clock) as event:
        for number in (1, 2):
            printed = print_round(event, 1, wish=PrintWish(design=design))
            write_and_scan(printed, openings_in(printed, hands), folder / f"scans{number}", seed=number)
        assert take_in(event, sorted((folder / "scans1").iterdir()), NetRecogniser(), lambda _: None) == ()
    return folder
