"""Whole sheets in real people's hands, from paper to order: what is right, what is asked, and what is wrong unasked.

``python benchmarks/reading.py --sheets 2000 --processes 2``. Sheets are printed by the project for positions of real
games, filled with the strokes of people nothing was trained on, with 5 % misorders, scanned by the simulator, and go
through everything that ``ordersheets scan`` does. ``--seasons 10`` lets the same hands write season after season. A
run that was cut off goes on where it stopped; what it has found lies under build/reading, one row a line.
"""

import argparse
import hashlib
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2

from benchmarks.whole_sheets.count import report
from benchmarks.whole_sheets.damaged import KINDS, TOOLS, table
from benchmarks.whole_sheets.eye import contact_sheets
from benchmarks.whole_sheets.found import Found, load, save
from benchmarks.whole_sheets.peer import SIMILAR, by_tesseract
from benchmarks.whole_sheets.people import bank, own_letters
from benchmarks.whole_sheets.real_ink import has_real_ink
from benchmarks.whole_sheets.table import CODE, Plan, Powers, Seasons, Table
from pipeline.board import Step
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.gate import load_gates
from pipeline.reading.network import shipped_weights
from pipeline.rules.load import load_tournament, tournament_ids
from training.orders import Seat, seats
from training.rows import halves

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # in each process: BLAS threads wait for one another
LEAST_LETTERS = 0.7  # of the alphabet, in one case or the other: with fewer hardly an order can be written
BOARDS = 4  # of one event: about 24 sheets
DAMAGED_BOARDS = 2  # of them with each kind of damage, unless more are asked for
SHEETS_A_BOARD = 6.1  # powers with units in a position of the games
FIRST_YEAR, SEASONS_A_YEAR = 1901, 2
MOST_UNITS = 15  # of one power: more need a second sheet
KEPT_CROPS = 4  # of each sort for the eye, of one event


class Task(Struct, frozen=True):
    """One event to run, and where its rows are kept."""

    plan: Plan
    rows: Path
    weights: Path | None
    gate: Path | None
    peer: int  # rows that the peer reads too


def plans(found: argparse.Namespace, tournaments: Sequence[str]) -> Iterator[Plan]:
    """Draw the events: the same for the same seed, whatever the number of processes."""
    rng = random.Random(found.seed)
    games = played(Step(found.step))
    writers = writers_of(found.half)
    phases = [powers for game in games for powers in game]
    a_board = SHEETS_A_BOARD if found.step == Step.MOVEMENT else sum(map(len, phases)) / len(phases)
    for number in range(max(1, round(found.sheets / (BOARDS * a_board * found.seasons)))):
        tournament = tournaments[number % len(tournaments)]
        boards = [seasons_of(tournament, games, found.seasons, rng) for _ in range(max(BOARDS, found.boards))]
        rng.shuffle(writers)
        yield Plan(
            number,
            tournament,
            boards,
            tuple(writers),
            rng.randrange(2**31),
            Design(found.design),
            damage=found.by,
        )


@lru_cache(maxsize=1)
def played(step: Step = Step.MOVEMENT) -> tuple[Seasons, ...]:
    """The games, each with the powers of every phase of a step in which nobody needs a second sheet."""
    games: dict[str, dict[str, list[Seat]]] = {}
    for seat in seats(step):
        games.setdefault(seat.game, {}).setdefault(str(seat.position.phase), []).append(seat)
    fit = (tuple(powers for powers in phases.values() if fits(powers)) for phases in games.values())
    return tuple(phases for phases in fit if phases)


def fits(powers: Powers) -> bool:
    """Whether everybody's orders go on one sheet."""
    return all(len(seat.position.units.get(seat.power, ())) <= MOST_UNITS for seat in powers)


def seasons_of(tournament: str, games: Sequence[Seasons], count: int, rng: random.Random) -> Seasons:
    """Take some seasons that a tournament plays: after its last year no sheet is printed."""
    last_year = load_tournament(tournament).ending.last_year.value
    if last_year is not None and count > SEASONS_A_YEAR * (last_year - FIRST_YEAR + 1):
        raise SystemExit(f"{tournament} is played to the end of {last_year}: wanted fewer than {count} seasons")
    while True:
        seasons = some_seasons(games, count, rng)
        last = seasons[-1][0].position.phase
        if last_year is None or last.year < last_year + (last.step is Step.MOVEMENT):  # its winter is not played
            return seasons


def some_seasons(games: Sequence[Seasons], count: int, rng: random.Random) -> Seasons:
    """Take some seasons in a row of one game."""
    long = [game for game in games if len(game) >= count]
    game = sorted(rng.choice(long), key=lambda powers: powers[0].position.phase.sort_key)
    start = rng.randrange(len(game) - count + 1) if count == 1 else 0
    return game[start : start + count]


def writers_of(half: str) -> list[str]:
    """The writers of one half, or all, that have letters enough."""
    fit, test = halves()
    chosen = {"fit": fit, "test": test, "all": fit | test}[half]
    return [name for name in bank().writers if name in chosen and own_letters(name) >= LEAST_LETTERS]


def run(task: Task) -> tuple[int, float]:
    """Run one event in this process: how many rows, and how long it took."""
    begun = time.perf_counter()
    cv2.setNumThreads(1)
    engine = NetRecogniser(task.weights, load_gates(task.gate) if task.gate else None)
    rows: list[Found] = []
    peer: list[Found] = []
    tournament = load_tournament(task.plan.tournament)
    with tempfile.TemporaryDirectory(dir=task.rows.parent) as folder:
        for kept, found in Table(task.plan, Path(folder) / "event", engine, bool(task.peer)).play():
            named = [replace(row, sheet=f"{task.plan.number}-{row.sheet}") for row in found]
            rows += named
            if len(peer) < task.peer:
                peer += by_tesseract(kept, named, tournament, CODE)
        rows = with_crops(rows, task.rows.parent / "crops")
    if peer:
        save(peer, task.rows.with_name(task.rows.name.replace("rows", "peer")))
    save(rows, task.rows)
    return len(rows), time.perf_counter() - begun


def with_crops(rows: Sequence[Found], folder: Path) -> list[Found]:
    """Keep the pictures of the rows that went worst, and forget the others."""
    plain = [row for row in rows if not row.is_accident]
    wrong = [row for row in plain if row.wrong_unasked or row.misread_unasked]
    taken = sorted((row for row in plain if not row.asked), key=lambda row: row.confidence)
    asked = sorted((row for row in plain if row.asked and row.is_legal), key=lambda row: -row.confidence)
    right, misread = ([row for row in asked if row.best is best] for best in (True, False))
    keep = {id(row) for row in (*wrong, *(row for some in (taken, right, misread) for row in some[:KEPT_CROPS]))}
    folder.mkdir(exist_ok=True)
    found = []
    for row in rows:
        crop = ""
        if id(row) in keep and row.crop:
            crop = str(shutil.copyfile(row.crop, folder / f"{row.sheet}-{row.line}.png"))
        found.append(replace(row, crop=crop))
    return found


def run_folder(found: argparse.Namespace) -> Path:
    """Where the rows of this run lie: what is asked for, the weights and the gate make its name."""
    weights = (found.weights or shipped_weights()).read_bytes()
    gate = found.gate.read_bytes() if found.gate else repr(load_gates()).encode()
    digests = "-".join(hashlib.sha256(part).hexdigest()[:8] for part in (weights, gate))
    design = found.design if found.step == Step.MOVEMENT else f"{found.design}-{found.step}"
    asked = f"{found.half}-{design}-{found.seasons}-{'_'.join(found.tournament) or 'all'}-seed{found.seed}"
    by = f"-by {found.by}".replace(" ", "-") if found.by else ""
    folder = ROOT / "build" / "reading" / f"{digests}-{asked}-{found.sheets}{by}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def damage_table(found: argparse.Namespace, folder: Path) -> str:
    """Read some sheets of each kind of damage in both designs: the kinds one after the other, in this process."""
    kinds = list(KINDS) if found.damage == "all" else found.damage.split(",")
    parts = []
    for kind in kinds:
        for design in (Design.LINE, Design.TARGETS):
            asked = argparse.Namespace(**{**vars(found), "design": str(design), "sheets": 1})
            plan = next(plans(asked, ["weaselmoot"]))
            plan = replace(plan, boards=plan.boards[: found.boards], damage=kind)
            file = folder / f"{kind.replace(' ', '-')}-{design}-{found.boards}.jsonl"
            if not file.exists():
                run(Task(plan, file, found.weights, found.gate, 0))
            parts.append((kind, str(design), list(load([file]))))
    return table(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    found = options().parse_args(arguments)
    if not has_real_ink():
        return
    begun = time.perf_counter()
    os.environ.update(ONE_THREAD)
    folder = run_folder(found)
    if found.damage:
        print(damage_table(found, folder))
        return
    tasks = [
        Task(plan, folder / f"rows-{plan.number:05}.jsonl", found.weights, found.gate, 0)
        for plan in plans(found, found.tournament or tournament_ids())
    ]
    events_for_peer = max(1, min(len(tasks), 10))
    tasks = [
        replace(task, peer=-(-found.peer // events_for_peer)) if task.plan.number < events_for_peer else task
        for task in tasks
    ]
    waiting = [task for task in tasks if not task.rows.exists()]
    with ProcessPoolExecutor(found.processes, get_context("spawn")) as pool:
        for number, done in enumerate(as_completed([pool.submit(run, task) for task in waiting]), start=1):
            count, seconds = done.result()
            print(f"event {number} of {len(waiting)}: {count} rows in {seconds:.0f} s", file=sys.stderr, flush=True)
    rows = list(load(task.rows for task in tasks))
    print(report(rows, f"{NetRecogniser(found.weights).name}, writers: {found.half}"), end="\n\n")
    peer = list(load(sorted(folder.glob("peer-*.jsonl"))))
    if peer:
        print(report(peer, f"tesseract + rapidfuzz, asked below {SIMILAR}"), end="\n\n")
    for path in contact_sheets([row for row in rows if not row.is_accident], folder):
        print(path)
    print(f"{time.perf_counter() - begun:.0f} s with {found.processes} processes; rows in {folder}")


def options() -> argparse.ArgumentParser:
    """What may be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=2000, help="2,000 have about 10,000 rows")
    parser.add_argument("--seasons", type=int, default=1, help="of the same hands")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="a net; those of the package if left out")
    parser.add_argument("--gate", type=Path, help="a gate; that of the package if left out")
    parser.add_argument("--half", choices=("all", "fit", "test"), default="all", help="of the dev writers")
    parser.add_argument("--tournament", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--design", choices=[str(design) for design in Design], default=str(Design.LINE))
    parser.add_argument("--step", choices=[str(step) for step in Step], default="M", help="of the phases")
    parser.add_argument("--damage", default="", help=f"'all', or some of: {', '.join(KINDS)}")
    parser.add_argument("--by", choices=TOOLS, default="", help="what every sheet is written and scanned with")
    parser.add_argument("--boards", type=int, default=DAMAGED_BOARDS, help="of each kind of damage, six sheets each")
    parser.add_argument("--peer", type=int, default=300, help="rows that tesseract reads too")
    return parser


if __name__ == "__main__":
    main()
