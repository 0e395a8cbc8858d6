"""The Doubts sheet: what the director must still say, what decides a title first."""

from collections.abc import Sequence

from pipeline.scoring.places.stakes import Stake, WeighedDoubt
from pipeline.scoring.results.doubt_words import text, where
from pipeline.workbook.xlsx.address import at
from pipeline.workbook.xlsx.page import Page
from pipeline.workbook.xlsx.styles import AMBER, CENTRED, HEAD, HEAD_LEFT, RED, SUBTITLE, TITLE, WRAPPED

SHEET = "Doubts"
HEAD_ROW = 4
ON_FRONT = 5  # doubts that stand on the front, too
A_LINE = 70  # characters


def doubts_sheet(page: Page, doubts: Sequence[WeighedDoubt]) -> None:
    """List all doubts."""
    page.put(1, 1, "Doubts", TITLE)
    none = "Nothing is in doubt." if not doubts else "Until the director says otherwise, the numbers beside them hold."
    page.put(2, 1, f"What the director must still say, as the program found it. {none}", SUBTITLE)
    page.row(HEAD_ROW, 1, ("Decides", "Titles", "Where", "What"), HEAD_LEFT)
    page.put(HEAD_ROW, 1, "Decides", HEAD)
    for row, one in enumerate(doubts, start=HEAD_ROW + 1):
        page.put(row, 1, str(one.stake), CENTRED.but(bold=True, upright="top"))
        page.row(row, 2, (", ".join(one.titles), where(one.doubt), text(one.doubt)), WRAPPED)
        lines = max(len(", ".join(one.titles)) // 36, len(where(one.doubt)) // 26, len(text(one.doubt)) // A_LINE)
        page.heights[row] = 16.0 * (1 + lines)
    last = HEAD_ROW + max(len(doubts), 1)
    cells, own = f"A{HEAD_ROW + 1}:A{last}", f"$A{HEAD_ROW + 1}"
    page.mark(cells, f'{own}="{Stake.TITLE}"', fill=RED)
    page.mark(cells, f'{own}="{Stake.PLACE}"', fill=AMBER)
    page.widths |= {1: 11, 2: 38, 3: 28, 4: A_LINE}
    page.freeze, page.repeat, page.landscape = f"A{HEAD_ROW + 1}", f"{HEAD_ROW}:{HEAD_ROW}", True
    page.area = f"A1:{at(last, 4)}"


def in_short(doubts: Sequence[WeighedDoubt]) -> str:
    """Say how many doubts there are, and what the worst of them decide; empty without any."""
    if not doubts:
        return ""
    many = f"{len(doubts)} doubt{'s' if len(doubts) > 1 else ''}"
    for stake in (Stake.TITLE, Stake.PLACE):
        if count := sum(one.stake is stake for one in doubts):
            return f"{many}, {count} decide{'s' if count == 1 else ''} {stake}: see {SHEET}"
    return f"{many}: see {SHEET}"


def foremost(doubts: Sequence[WeighedDoubt]) -> list[str]:
    """The doubts that decide something, in words; the first few."""
    deciding = [one for one in doubts if one.stake is not Stake.NOTHING]
    lines = [in_words(one) for one in deciding[:ON_FRONT]]
    if len(deciding) > ON_FRONT:
        lines.append(f"... and {len(deciding) - ON_FRONT} more doubts that decide something: see {SHEET}")
    return lines


def in_words(one: WeighedDoubt) -> str:
    """Say one doubt in a line: what hangs on it, where to look, what was found."""
    return f"In doubt, decides {', '.join(one.titles) or one.stake}: {where(one.doubt)}: {text(one.doubt)}"
