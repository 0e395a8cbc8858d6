"""How long the workbook of a large event takes: 140 players, 5 rounds of 20 boards, every tournament's rules.

Prints the processor's seconds to score and to write (best of three), how many times those of a plain loop that writes
as many cells, the size of the file, and, where LibreOffice is installed, the time it takes to open it, compute every
formula anew and save it. The goal is one second to score and write, and six with ``--large``: 700 players.

    python benchmarks/workbook.py [--quick] [--large]
"""

import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from pipeline.board.map import Power
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.scoring.results import Board, Entrant, EventResults, Seat
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook

PLAYERS, LARGE, ROUNDS, RUNS = 140, 700, 5, 3
CELL = re.compile(rb"<c r=")
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""


def event(dice: random.Random, players: int, *, has_final: bool) -> EventResults:
    """Invent a large event without anything unusual."""
    names = [f"Player {number:03d}" for number in range(1, players + 1)]
    boards = [board for number in range(1, ROUNDS + 1) for board in boards_of(dice, names, number, has_final=has_final)]
    return EventResults(boards=tuple(boards), players={name: Entrant(name=name) for name in names})


def boards_of(dice: random.Random, names: list[str], number: int, *, has_final: bool) -> Iterator[Board]:
    """One round of twenty boards."""
    order = dice.sample(names, len(names))
    for index in range(len(names) // 7):
        seated = dict(zip(Power, order[index * 7 : index * 7 + 7], strict=True))
        cuts = sorted(dice.randrange(35) for _ in range(6))
        counts = [b - a for a, b in zip([0, *cuts], [*cuts, 34], strict=True)]
        centres = dict(zip(Power, counts, strict=True))
        yield Board(
            round=number,
            name=f"{index + 1}",
            seats={power: Seat(player=name) for power, name in seated.items()},
            centres=centres,
            years=dict.fromkeys(range(1901, 1908), centres),
            is_final=has_final and number == ROUNDS and index == 0,
        )


def plain_loop(cells: int) -> float:
    """Seconds of the processor to write so many cells of one short formula with its value, and to pack them."""
    begun = time.process_time()
    text = "".join(f'<c r="A{row}" s="1"><f>SUM(B{row}:F{row})*{row}</f><v>{row}</v></c>' for row in range(cells))
    with ZipFile(BytesIO(), "w", ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("sheet.xml", text)
    return time.process_time() - begun


def cells_in(data: bytes) -> int:
    """Count the cells of all sheets."""
    with ZipFile(BytesIO(data)) as file:
        sheets = (name for name in file.namelist() if name.startswith("xl/worksheets/sheet"))
        return sum(sum(1 for _ in CELL.finditer(file.read(name))) for name in sheets)


def recalculation(data: bytes) -> float | None:
    """Seconds that LibreOffice takes to open, compute and save; None where it is not installed."""
    office = shutil.which("soffice")
    if not office:
        return None
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "profile/user").mkdir(parents=True)
        (place / "profile/user/registrymodifications.xcu").write_text(PROFILE, "utf-8")
        (place / "event.xlsx").write_bytes(data)
        begun = time.perf_counter()
        subprocess.run(
            [office, "--headless", f"-env:UserInstallation={(place / 'profile').as_uri()}", "--convert-to", "ods",
             "--outdir", folder, str(place / "event.xlsx")],
            check=True, capture_output=True, timeout=3600,
        )  # fmt: skip
        return time.perf_counter() - begun


def main() -> None:
    """Measure every tournament."""
    quick, players = "--quick" in sys.argv, LARGE if "--large" in sys.argv else PLAYERS
    print(f"{players} players, {ROUNDS} rounds, {players // 7} boards a round; processor seconds, best of {RUNS}")
    print(f"{'tournament':12} {'score':>7} {'write':>7} {'both':>7} {'/ loop':>7} {'kB':>6} {'LibreOffice':>12}")
    for name in tournament_ids():
        rules = load_tournament(name).scoring
        if rules is None:
            continue
        made = event(random.Random(1), players, has_final=rules.final is not None)
        scoring, writing = [], []
        for _ in range(RUNS):
            begun = time.process_time()
            scored = score(made, rules)
            between = time.process_time()
            data = write_workbook(scored, title="A large event", sealed=False).data
            scoring.append(between - begun)
            writing.append(time.process_time() - between)
        both, cells = min(a + b for a, b in zip(scoring, writing, strict=True)), cells_in(data)
        times = both / min(plain_loop(cells) for _ in range(RUNS))
        computed = None if quick else recalculation(data)
        shown = "not measured" if computed is None else f"{computed:.1f}"
        size = len(data) // 1024
        print(f"{name:12} {min(scoring):7.2f} {min(writing):7.2f} {both:7.2f} {times:7.1f} {size:6} {shown:>12}")


if __name__ == "__main__":
    main()
