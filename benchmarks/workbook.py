"""How long the workbook of a large event takes: 140 players, 5 rounds of 20 boards, every tournament's rules.

Prints the seconds of processor to score and to write (best of seven: other work on the machine doubles it), the size of
the file, and, where LibreOffice is installed, the time it takes to open it, compute every formula anew and save it. The
goals are one second to score and write for 140 players, and six for 700.

    python benchmarks/workbook.py [--players 700] [--quick]
"""

import argparse
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from msgspec.structs import replace

from pipeline.board import Power
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.scoring.results import Board, Entrant, EventResults, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook

ROUNDS, YEARS, RUNS = 5, 7, 7
NEUTRAL, MOST = 12, 17  # centres nobody has in Spring 1901, and that one power has without a solo
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""


def event(dice: random.Random, rules: ScoringRules, players: int) -> EventResults:
    """Invent an event without anything unusual: seven at a board, the best at a final table."""
    names = [f"Player {number:03d}" for number in range(1, players + 1)]
    limit = rules.totals.most_games
    boards: list[Board] = []
    for number in range(1, ROUNDS + 1):
        some = [name for place, name in enumerate(names) if not (limit and place % len(limit.rounds) == number - 1)]
        boards += boards_of(dice, dice.sample(some, len(some)), number)
    made = EventResults(boards=tuple(boards), players={name: Entrant(name=name) for name in names})
    if rules.final is None:
        return made
    others = tuple(board for board in boards if board.round < ROUNDS)
    found = score(replace(made, boards=others), rules).qualification
    assert found is not None  # the rules have a final table
    rest = [name for name in names if name not in found.finalists]
    final, *further = boards_of(dice, [*found.finalists, *rest], ROUNDS)
    return replace(made, boards=(*others, replace(final, is_final=True), *further))


def boards_of(dice: random.Random, names: Sequence[str], number: int) -> Iterator[Board]:
    """One round: every seven players a board; nobody has more than 17 centres."""
    for index in range(len(names) // 7):
        years = invent_years(dice)
        while max(years[-1].values()) > MOST:
            years = invent_years(dice)
        yield Board(
            round=number,
            name=f"{index + 1}",
            seats={power: Seat(player=names[index * 7 + place]) for place, power in enumerate(Power)},
            centres=years[-1],
            years=dict(enumerate(years, start=1901)),
        )


def invent_years(dice: random.Random) -> list[dict[Power, int]]:
    """Counts after each year: first the neutral centres are taken, then one power wins what another loses."""
    counts = {power: 4 if power is Power.RUSSIA else 3 for power in Power}
    cuts = sorted(dice.randrange(35) for _ in range(6))
    wanted = dict(zip(Power, (b - a for a, b in zip([0, *cuts], [*cuts, 34], strict=True)), strict=True))
    gains = [power for power, count in wanted.items() for _ in range(count - counts[power])]
    losses = [power for power, count in wanted.items() for _ in range(counts[power] - count)]
    dice.shuffle(gains)
    dice.shuffle(losses)
    years = []
    for year in range(1, YEARS + 1):
        upto, before = len(gains) * year // YEARS, len(gains) * (year - 1) // YEARS
        for place in range(before, upto):
            counts[gains[place]] += 1
            if place >= NEUTRAL:
                counts[losses[place - NEUTRAL]] -= 1
        years.append(dict(counts))
    return years


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


def loop() -> float:
    """Seconds of processor for the sum of five million numbers in a plain loop, which says how fast this machine is."""
    begun, total = time.process_time(), 0
    for number in range(5_000_000):
        total += number
    return time.process_time() - begun


def main() -> None:
    """Measure every tournament."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=140)
    parser.add_argument("--quick", action="store_true", help="without LibreOffice")
    asked = parser.parse_args()
    print(f"{asked.players} players, {ROUNDS} rounds; seconds of processor, best of {RUNS}; plain loop {loop():.2f}")
    print(
        f"{'tournament':12} {'doubts':>7} {'cells':>8} {'score':>7} {'write':>7} {'both':>7} {'kB':>6} "
        f"{'LibreOffice':>12}"
    )
    for name in tournament_ids():
        given = load_tournament(name).scoring
        if given is None:
            continue
        rules = replace(given, totals=replace(given.totals, rounds=given.totals.rounds and ROUNDS))
        if given.final:
            rules = replace(rules, final=replace(given.final, round=ROUNDS))
        made = event(random.Random(1), rules, asked.players)
        scoring, writing = [], []
        for _ in range(RUNS):
            begun = time.process_time()
            scored = score(made, rules)
            between = time.process_time()
            data = write_workbook(scored, title="A large event", sealed=False).data
            scoring.append(between - begun)
            writing.append(time.process_time() - between)
        both = min(a + b for a, b in zip(scoring, writing, strict=True))
        computed = None if asked.quick else recalculation(data)
        shown = "not measured" if computed is None else f"{computed:.1f}"
        with ZipFile(BytesIO(data)) as book:
            cells = sum(book.read(part).count(b"<c ") for part in book.namelist() if part.startswith("xl/worksheets/"))
        print(
            f"{name:12} {len(scored.doubts):7} {cells:8,} {min(scoring):7.2f} {min(writing):7.2f} {both:7.2f} "
            f"{len(data) // 1024:6} {shown:>12}"
        )


if __name__ == "__main__":
    main()
