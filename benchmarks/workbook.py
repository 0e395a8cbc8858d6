"""How long the workbook of a large event takes: 140 players, 5 rounds of 20 boards, every tournament's rules.

Prints the time to score and to write (best of three), the size of the file, and, where LibreOffice is installed, the
time it takes to open it, compute every formula anew and save it. The goal is one second to score and write.

    python benchmarks/workbook.py [--quick]
"""

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pipeline.board.map import Power
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.scoring.results import Board, Entrant, EventResults, Seat
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook

PLAYERS, ROUNDS, RUNS = 140, 5, 3
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""


def event(dice: random.Random, *, has_final: bool) -> EventResults:
    """Invent a large event without anything unusual."""
    names = [f"Player {number:03d}" for number in range(1, PLAYERS + 1)]
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
    quick = "--quick" in sys.argv
    print(f"{PLAYERS} players, {ROUNDS} rounds, {PLAYERS // 7} boards a round; seconds, best of {RUNS}")
    print(f"{'tournament':12} {'score':>7} {'write':>7} {'both':>7} {'kB':>6} {'LibreOffice':>12}")
    for name in tournament_ids():
        rules = load_tournament(name).scoring
        if rules is None:
            continue
        made = event(random.Random(1), has_final=rules.final is not None)
        scoring, writing = [], []
        for _ in range(RUNS):
            begun = time.perf_counter()
            scored = score(made, rules)
            between = time.perf_counter()
            data = write_workbook(scored, title="A large event", sealed=False).data
            scoring.append(between - begun)
            writing.append(time.perf_counter() - between)
        both = min(a + b for a, b in zip(scoring, writing, strict=True))
        computed = None if quick else recalculation(data)
        shown = "not measured" if computed is None else f"{computed:.1f}"
        print(f"{name:12} {min(scoring):7.2f} {min(writing):7.2f} {both:7.2f} {len(data) // 1024:6} {shown:>12}")


if __name__ == "__main__":
    main()
