"""A small event for tests of the desk: one board, seven players, Weasel Moot rules, openings as people write them."""

from pipeline.board.map import Power
from pipeline.board.position import FIRST_PHASE
from pipeline.desk.event import Event
from pipeline.desk.printing import printed_sheets
from pipeline.desk.transcripts import write_transcription
from pipeline.desk.turn import Turn
from pipeline.ink import Box, InkLine, Reading, Tier, Transcription

NAMES = {
    Power.AUSTRIA: "Ada",
    Power.ENGLAND: "Bo",
    Power.FRANCE: "Cem",
    Power.GERMANY: "Dag",
    Power.ITALY: "Eva",
    Power.RUSSIA: "=Fox()",
    Power.TURKEY: "Gil",
}


def clock() -> str:
    """Time stands still in tests."""
    return "2026-01-02T09:00:00+00:00"


def inked(number: int, text: str, tier: Tier = Tier.ACCEPTED) -> InkLine:
    """One row as a reader gives it."""
    readings = (Reading(text, 0.99),) if text else ()
    return InkLine(number=number, box=Box(22, 54, 160, 10), readings=readings, tier=tier)


def sheets_of(event: Event, turn: Turn) -> list[str]:
    """The ids of the sheets printed for a turn, oldest first."""
    return [
        sheet_id
        for sheet_id, sheet in printed_sheets(event).items()
        if (sheet.request.power, sheet.request.phase) == (turn.power, turn.phase)
    ]


def hand_in(
    event: Event, turn: Turn, lines: list[InkLine], sha256: str = "ab" * 32, *, signed: bool | None = None
) -> None:
    """File a power's sheet as if it had been scanned and read."""
    hand_in_sheet(event, sheets_of(event, turn)[0], lines, sha256, signed=signed)


def hand_in_sheet(
    event: Event, sheet: str, lines: list[InkLine], sha256: str, *, signed: bool | None = None, ticks: str = ""
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
    )
    body = {
        "sha256": sha256,
        "page": 1,
        "tray": "filed",
        "text": "",
        "transcription": write_transcription(transcription),
    }
    event.facts.append("page read", body, "test")


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
