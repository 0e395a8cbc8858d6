"""Damage each file of an event in several ways and run every command on it: what is said is said in words.

    python benchmarks/damaged_files.py [--tries 600] [--seed 1]

The event has a published phase, scans, a player's hand, a sealed lot, rules and thresholds of its own, and copies in
two places. A try damages one file in a copy of all that and runs one command. A fault is a traceback. Exit code 1
where there is one; each is printed.
"""

import argparse
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from click.testing import CliRunner
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from desk.cup import clock, hand_in_all, printed

from pipeline.cli import group
from pipeline.desk.backups import back_up
from pipeline.desk.event.event import open_event
from pipeline.desk.hands.calibrating import write_to
from pipeline.desk.intake.ingest import receive
from pipeline.desk.publish.publish import publish
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.ledger.claims import Claims
from pipeline.ledger.files import make_again
from pipeline.problems import Stopped
from pipeline.reading.gate import load_gates
from pipeline.small_files import data_folder

COMMANDS = (
    "status {cup}", "status {cup} --json", "players {cup}", "roll {cup} --round 1", "seats {cup} --round 1",
    "draw {cup} --round 2 --dry-run", "sheets {cup} --round 1 -o {out}/s.pdf", "forms {cup} board -o {out}/f.pdf",
    "scan {cup} {out}/late.png", "journal {cup}", "undo {cup} 1", "orders {cup} --board 1", "position {cup} 1",
    "review {cup} --xlsx {out}/w.xlsx", "rule {cup} --board 1 --power ITALY --sheet late --by Tess", "hands {cup}",
    "rulings {cup}", "adjudicate {cup} --board 1 --by Tess", "correct {cup} --board 1 --phase S1901M --by Tess",
    "cards {cup}", "vote {cup} --board 1", "end {cup} --board 1 --how time --by Tess", "check {cup}",
    "enter {cup} penalty Ada late --why late --by Tess", "standings {cup} -o {out}/p.csv", "export {cup} -o {out}/x",
    "calibrate {cup}", "explain {cup} Ada", "backup {cup}", "restore {cup}", "restore {cup} --copy newest --replace",
    "restore {out}/new --from {cup}-backups --copy newest", "draw {cup} --round 2 --word plum --by Tess",
)  # fmt: skip


def emptied(path: Path) -> None:
    """Nothing is in it."""
    path.write_bytes(b"")


def halved(path: Path) -> None:
    """Its second half is gone."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribbled(path: Path) -> None:
    """Something else is in it."""
    path.write_bytes(b"\xff\xfe\x00[{\xd8" * 400)


def as_list(path: Path) -> None:
    """It is JSON, and not what it should be."""
    path.write_bytes(b"[]")


def pierced(path: Path) -> None:
    """Some bytes in the middle are others."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 60] = b"\xa5" * len(data[len(data) // 3 : len(data) // 3 + 60])
    path.write_bytes(data)


def made_a_folder(path: Path) -> None:
    """A folder is in its place."""
    path.unlink()
    path.mkdir()


def linked_to_itself(path: Path) -> None:
    """A link that leads nowhere is in its place."""
    path.unlink()
    path.symlink_to(path)


def gone(path: Path) -> None:
    """It is not there."""
    path.unlink()


DAMAGES: tuple[Callable[[Path], None], ...] = (
    emptied, halved, scribbled, as_list, pierced, made_a_folder, linked_to_itself, gone,
)  # fmt: skip


def make(folder: Path) -> Path:
    """Make the event and all that lies around it in a new folder, which is given back."""
    folder.mkdir(parents=True)
    (folder / "stick").mkdir()
    cup = printed(folder / "cup")
    (cup / "rules/abbreviations").mkdir(parents=True)
    shutil.copyfile(data_folder("templates/rules") / "weaselmoot.toml", cup / "rules/mine.toml")
    shutil.copyfile(data_folder("abbreviations") / "english.toml", cup / "rules/abbreviations/english.toml")
    file = (cup / "event.toml").read_text("utf-8").replace('"weaselmoot"', '"rules/mine.toml"')
    (cup / "event.toml").write_text(file.replace("[event]", '[event]\nbackup = "../stick"'), "utf-8")
    (cup / "kept/trouble.json").write_text('{"at": "2026-01-02", "in": {"copying": "disk I/O error"}}')
    with closing(Claims(cup / "claims.db")) as claims:
        claims.keep_secret("lot 1 x", "seed")
    Image.new("L", (240, 320), 250).save(cup / "came.png")
    with open_event(cup, clock) as event:
        write_to(event, load_gates())
        sha256 = receive(event, cup / "came.png").sha256
        make_again(cup / crop_path(sha256, 1, 1), (cup / "came.png").read_bytes())
        (cup / "came.png").unlink()
        hand_in_all(event)
        publish(event, "1", by="Tess")
        back_up(event, 60)
    return folder


def files_of(folder: Path) -> list[Path]:
    """Every file that may be damaged, by its name in the folder; of many alike a few."""
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    alike: Counter[tuple[Path, str]] = Counter()
    found = []
    for path in files:
        alike[path.parent, path.suffix] += 1
        if alike[path.parent, path.suffix] <= 3:
            found.append(path)
    return found


def tries(folder: Path, count: int, seed: int) -> Iterator[tuple[Path, Callable[[Path], None], str]]:
    """A file, a damage and a command; each pair of file and damage before any of them again."""
    dice = Random(seed)
    pairs = [(path, damage) for path in files_of(folder) for damage in DAMAGES]
    for number in range(count):
        if number % len(pairs) == 0:
            dice.shuffle(pairs)
        yield *pairs[number % len(pairs)], dice.choice(COMMANDS)


def faults(event: Path, room: Path, count: int, seed: int) -> list[str]:
    """What ended in a traceback."""
    found = []
    for path, damage, command in tries(event, count, seed):
        hurt = Path(shutil.copytree(event, room / "hurt", symlinks=True))
        (hurt / "out").mkdir()
        (hurt / "out/late.png").write_bytes(b"no picture")
        damage(hurt / path)
        words = [word.format(cup=hurt / "cup", out=hurt / "out") for word in command.split()]
        result = CliRunner().invoke(group, words)
        if not isinstance(result.exception, Stopped | SystemExit | None):
            trace = "".join(traceback.format_exception(result.exception)[-3:])
            found.append(f"{path} {damage.__name__}: {command}\n{trace}")
        shutil.rmtree(hurt)
    return found


def main() -> int:
    """Try, and print what is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        found = faults(make(Path(room) / "all"), Path(room), asked.tries, asked.seed)
    for each in found:
        print(each)
    print(f"{asked.tries} tries, {len(found)} tracebacks")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
