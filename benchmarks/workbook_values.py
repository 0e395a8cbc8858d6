"""Whether workbooks compute what the engine does: every scoring system, on boards at random and on boards that tell.

    python benchmarks/workbook_values.py [--boards 200] [--seed 1] [--system tribute ...]
    python benchmarks/workbook_values.py --rules samples/tournaments/wdc2025.toml ... [--events 200] [--seed 1]
    python benchmarks/workbook_values.py --leagues 200 [--seed 1]
    python benchmarks/workbook_values.py --language de ...

One workbook for each system, for each random event under a rules file, or for each random league; its formulas are
computed anew by LibreOffice, some workbooks at once. A cell that differs from the engine's exact value by more than a
billionth is printed; exit code 1 if there is one.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from msgspec.structs import replace
from workbook.events import invent, leave_unfinished
from workbook.leagues import invent_league
from workbook.office import LOCALES, differences, formulas, recalculate
from workbook.telling import SYSTEMS, TELLING, book_of, shared_out, telling_event
from workbook.tournaments import wishes_under

from pipeline.rules.load import load_tournament
from pipeline.scoring.score import score
from pipeline.words.speech import ENGLISH, Speech, languages, speech_of
from pipeline.workbook.league_book import write_league
from pipeline.workbook.write import write_workbook

A_RUN = 7  # workbooks given to the program at once


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--system", choices=SYSTEMS, action="append")
    asked.add_argument("--rules", type=Path, action="append", default=[])
    asked.add_argument("--events", type=int, default=200)
    asked.add_argument("--leagues", type=int, default=0)
    asked.add_argument("--language", choices=languages(), default=ENGLISH)
    options = asked.parse_args()
    speech = speech_of(options.language)
    makers: dict[str, Callable[[], bytes]] = {
        name: partial(_book, name, options.seed, options.boards, speech) for name in options.system or SYSTEMS
    }
    what = f"{len(makers)} systems, {options.boards} boards each"
    if options.rules:
        seeds = range(options.seed, options.seed + options.events)
        makers = {
            f"{path.stem}-{seed}": partial(_event_book, path, seed, speech) for path in options.rules for seed in seeds
        }
        what = f"{len(makers)} events under {len(options.rules)} rules files"
    if options.leagues:
        leagues = range(options.seed, options.seed + options.leagues)
        makers = {f"league-{seed}": partial(_league_book, seed, options.language) for seed in leagues}
        what = f"{len(makers)} leagues"
    names = list(makers)
    cells, wrong, begun = 0, list[str](), time.monotonic()
    for start in range(0, len(names), A_RUN):
        books = {name: makers[name]() for name in names[start : start + A_RUN]}
        with tempfile.TemporaryDirectory() as folder:
            computed = recalculate(books, Path(folder), LOCALES[start // A_RUN % len(LOCALES)])
        for name, data in books.items():
            cells += len(formulas(data))
            wrong += [f"{name}: {found}" for found in differences(data, computed[name])]
    print(f"{what}, {cells:,} cells with formulas, {len(wrong)} differ")
    print(f"{time.monotonic() - begun:.0f} s", *wrong[:20], sep="\n")
    return 1 if wrong else 0


def _book(name: str, seed: int, boards: int, speech: Speech) -> bytes:
    """The workbook of one round of boards: those that tell, then others at random."""
    dice = Random(f"{seed} {name}")
    counts = [*TELLING, *(shared_out(dice) for _ in range(boards - len(TELLING)))]
    return book_of(name, telling_event(dice.randrange(10**6), counts[:boards]), speech)


def _event_book(path: Path, seed: int, speech: Speech) -> bytes:
    """The workbook of a random event under a rules file; some of its boards are not over."""
    rules = load_tournament(path).scoring
    event, waiting = leave_unfinished(seed, invent(seed, wishes_under(rules, seed)), 0.3)
    scored = score(event, rules)
    return write_workbook(scored, title=f"Event {seed}", sealed=False, to_come=waiting, speech=speech).data


def _league_book(seed: int, language: str) -> bytes:
    return write_league(replace(invent_league(seed), language=language)).data


if __name__ == "__main__":
    sys.exit(main())
