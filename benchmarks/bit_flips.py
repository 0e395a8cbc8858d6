"""Turn single bits over in the facts of an event and in SQLite's log: each is noticed, or nothing is another for it.

    python benchmarks/bit_flips.py [--flips 1500] [--others 300] [--seed 1] [--keep FOLDER]

The event has two boards with published phases, penalties and rulings: once closed, all of it in ``event.db``, once as
a kill leaves it, the newer half in ``event.db-wal`` still. Every flip is made in a copy of the folder, which is then
opened, read and scored. *Noticed* is a message in words, from whoever reads or from `FactStore.verify`, as ``check``
asks it; *equal* is every fact and every score as it was. All else is a fault: another answer, unheard, or an
exception. ``--keep`` keeps the folders of faults. Exit code 1 where there is one.

``--others`` bits are turned over in every other file of an event and of its copies: its settings, rules and thresholds,
scans, pictures of rows, claims, the tip, manifests. There *noticed* is that a command says or writes down something
that it does not say of the whole event; *equal* is that every command answers as before.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from click.testing import CliRunner
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from desk.cup import clock
from desk.moot import PEOPLE, drawn, play_on

from benchmarks.damaged_files import files_of
from benchmarks.damaged_files import make as make_all
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.people import Turn
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import scored_event
from pipeline.desk.ruling.rulings import rule_sheet
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import Stopped
from pipeline.scoring.results import Ending

FILES = ("closed/event.db", "killed/event.db", "killed/event.db-wal")
NOTICED, EQUAL = "noticed", "equal"


class Flip(Struct, frozen=True):
    """One bit of one file."""

    file: str
    byte: int
    bit: int

    def of(self, event: Path, folder: Path) -> Path:
        """Turn it over in a copy of the event, which is given back."""
        state, name = self.file.split("/")
        path = Path(shutil.copytree(event / state, folder)) / name
        data = bytearray(path.read_bytes())
        data[self.byte] ^= 1 << self.bit
        path.write_bytes(data)
        return folder


def make(folder: Path) -> Path:
    """Make the event in both states, each in a folder of its own in this one."""
    with tempfile.TemporaryDirectory() as made:
        cup = drawn(Path(made) / "cup", tournament="edc2023")
        fill(cup, "1.1", "F1904M", PEOPLE[:7])
        with open_event(cup, clock) as event:  # while it is open, what is written stays in the log
            event.facts.connection.execute("PRAGMA wal_autocheckpoint = 0")
            fill(cup, "1.2", "F1902M", PEOPLE[7:])
            shutil.copytree(cup, folder / "killed", ignore=shutil.ignore_patterns("*-shm"))
        shutil.copytree(cup, folder / "closed")
    return folder


def fill(cup: Path, board: str, until: str, people: tuple[str, ...]) -> None:
    """Play one board, rule and punish, and end the game."""
    with open_event(cup, clock) as event:
        game = play_on(event, board, until)
        for power in (Power.FRANCE, Power.TURKEY):
            rule_sheet(event, Turn(board, game.position.phase, power), SheetDecision.LATE, by="Tess", why="ran late")
        for player in people:
            for kind in ("late", "contesting"):
                enter_note(event, "penalty", {"player": player, "kind": kind}, by="Tess", why=f"so said {player}")
        end_game(event, game, Ending.TIME, by="Tess", why="time")


def answers(folder: Path) -> str:
    """Every fact of an event, and every score."""
    with open_event(folder, clock) as event:
        told = [repr(fact) for fact in event.facts.select(LedgerEvent)]
        scored = scored_event(event)
        return "\n".join([*told, repr(scored.games), repr(scored.standings), repr(scored.teams), repr(scored.powers)])


def outcome(folder: Path, whole: str) -> str:
    """What becomes of a flip."""
    try:
        if answers(folder) == whole:
            return EQUAL
        with open_event(folder, clock) as event:
            return NOTICED if event.facts.verify() else "another answer, and nothing is told"
    except Stopped:
        return NOTICED
    except Exception as error:  # whatever it is, it is counted
        return f"{type(error).__name__}: {error}"[:90]


def flips(event: Path, count: int, seed: int) -> Iterator[Flip]:
    """So many bits, the files in turn, each bit of a file as likely as any other."""
    dice = Random(seed)
    for number in range(count):
        file = FILES[number % len(FILES)]
        yield Flip(file, dice.randrange((event / file).stat().st_size), dice.randrange(8))


def tried(event: Path, room: Path, count: int, seed: int, keep: Path | None = None) -> Counter[tuple[str, str]]:
    """Try flips one after the other; how many came out how, by file."""
    found: Counter[tuple[str, str]] = Counter()
    whole = answers(shutil.copytree(event / "closed", room / "whole"))
    for number, flip in enumerate(flips(event, count, seed)):
        folder = flip.of(event, room / "hurt")
        became = outcome(folder, whole)
        found[flip.file, became] += 1
        if keep is not None and became not in (NOTICED, EQUAL):
            print(number, flip, became, flush=True)
            flip.of(event, keep / str(number))
        shutil.rmtree(folder)
    return found


COMMANDS = (
    "restore {cup}", "restore {out}/again --from {cup}-backups --copy newest --by Tess", "players {out}/again --json",
    "check {cup}", "players {cup} --json", "standings {cup} --running -o {out}/places.csv",
    "orders {cup} --board 1 --json", "draw {cup} --round 2 --seed 7 --dry-run", "journal {cup}",
)  # fmt: skip
TELLS = ("check", "journal", "restore")  # what these say more than of the whole event is told to somebody


class Said(Struct, frozen=True):
    """What the commands say of an event."""

    answers: tuple[str, ...]
    told: tuple[frozenset[str], ...]  # the lines of those that tell what is wrong, with how the others ended


def said_of(folder: Path) -> Said:
    """Ask every command about an event, which lies where the whole one lay."""
    (folder / "out").mkdir()
    answers, told = [], []
    for command in COMMANDS:
        found = CliRunner().invoke(
            group, [word.format(cup=folder / "cup", out=folder / "out") for word in command.split()]
        )
        if not isinstance(found.exception, Stopped | SystemExit | None):
            raise found.exception
        problems = found.exception.problems if isinstance(found.exception, Stopped) else ()
        text = found.output + "\n".join(map(str, problems))
        answers.append(re.sub(r"\d{4}-\d\d-\d\d.\d\d:\d\d(:\d\d)?|(numbered from|sheets up to) \d+", "", text))
        is_telling = command.startswith(TELLS) or found.exit_code
        told.append(frozenset(answers[-1].splitlines() if is_telling else ()) | {str(found.exit_code)})
    places = folder / "out/places.csv"
    return Said((*answers, places.read_text("utf-8") if places.exists() else ""), tuple(told))


def others_tried(room: Path, count: int, seed: int) -> Counter[tuple[str, str]]:
    """Turn bits over in all other files, each file as likely as any other; how many came out how, by kind of file."""
    made, here, dice = make_all(room / "all"), room / "here", Random(seed)

    def fresh() -> Path:
        shutil.rmtree(here, ignore_errors=True)
        return Path(shutil.copytree(made, here))

    whole = said_of(fresh())
    assert said_of(fresh()) == whole, "the same event is told in two ways"
    found: Counter[tuple[str, str]] = Counter()
    files = [path for path in files_of(made) if path.name not in ("event.db", "event.db-wal", "event.db-shm")]
    files = [path for path in files if (made / path).stat().st_size]
    for number in range(count):
        file = files[number % len(files)]
        data = bytearray((fresh() / file).read_bytes())
        at, bit = dice.randrange(len(data)), dice.randrange(8)
        data[at] ^= 1 << bit
        (here / file).write_bytes(data)
        kind = re.sub(r"[0-9a-f]{16,}|\w+-\d{4}", "…", str(file))
        try:
            said = said_of(here)
        except Exception as error:  # whatever it is, it is counted
            found[kind, f"{type(error).__name__}: {error}"[:90]] += 1
            continue
        more = any(now - before for now, before in zip(said.told, whole.told, strict=True))
        found[kind, EQUAL if said == whole else NOTICED if more else f"unheard: byte {at}, bit {bit}"] += 1
    return found


def main() -> int:
    """Try, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--flips", type=int, default=1500)
    parser.add_argument("--others", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        found = tried(make(Path(room) / "event"), Path(room), asked.flips, asked.seed, asked.keep)
    with tempfile.TemporaryDirectory() as room:
        found += others_tried(Path(room), asked.others, asked.seed)
    print("| file | tries | noticed | equal | faults |\n|---|---|---|---|---|")
    for name in sorted({name for name, _ in found}):
        mine = {became: count for (file, became), count in found.items() if file == name}
        tries, noticed, equal = sum(mine.values()), mine.get(NOTICED, 0), mine.get(EQUAL, 0)
        print(f"| {name} | {tries:,} | {noticed:,} | {equal:,} | {tries - noticed - equal:,} |")
    faults = {each: count for each, count in found.items() if each[1] not in (NOTICED, EQUAL)}
    for (file, became), count in faults.items():
        print(f"{count} x {file}: {became}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
