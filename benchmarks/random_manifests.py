"""Write random manifests: what a copy, an event's file and the names in them say, wrong in every way. Nothing leaks.

    python benchmarks/random_manifests.py [--tries 500] [--seed 1]

A try spoils ``copy.json`` of a copy or ``event.toml``, or puts links in the place of files and folders, and runs a
command that reads them. Names lead up and out, are absolute, endless, empty or no names; values are of wrong types,
huge or missing. A fault is a traceback, or a file that is written, changed or removed outside the event and what lies
beside it. Links that are in an event are its owner's, and followed; ``restore`` follows none out of its folder. Exit
code 1 where there is a fault; each is printed.
"""

import argparse
import json
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import tomlkit
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.damaged_files import make
from pipeline.cli import group
from pipeline.ledger.copies import PLACE_ENDS, _checksum_of
from pipeline.problems import Stopped

COMMANDS = (
    "restore {cup} --copy newest --replace --by Tess",
    "restore {room}/in/new --from {cup}-backups --copy newest --by Tess",
    "restore {cup}", "backup {cup}", "status {cup}", "check {cup}", "players {cup}",
    "standings {cup} -o {room}/in/p.csv",
    "sheets {cup} --round 1 -o {room}/in/s.pdf", "cards {cup}", "adjudicate {cup} --board 1 --by Tess",
)  # fmt: skip
NAMES = (
    "../evil", "../../evil.sh", "../out/there.txt", "/tmp/ordersheets-evil", "", ".", "..", "a" * 300, "a/" * 600 + "b",
    "x\0y", "con", "nul.txt", "a\nb", "~root/x",
    "event.db", "scans", "rules/../../evil", "\\\\server\\share", "C:\\evil",
    "link/evil", "\ud800", "%2e%2e/evil", "event.db/x", "-rf", "rules", "rules/mine.toml", "💾",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**30, 1e308, -0.5, [], {}, [[]], [None] * 50, {"a": {"b": []}}, "9" * 5000,
    "x" * 100_000, "2026-13-45T99:99:99+00:00", list(range(2000)),
)  # fmt: skip


def spots_in(tree: Any) -> list[tuple[Any, Any]]:
    """Every place in a tree of lists and objects, as what holds it and its key."""
    pairs = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    return [spot for key, value in pairs for spot in ((tree, key), *spots_in(value))]


def spoil(tree: Any, dice: Random) -> None:
    """Make one thing in a tree another, or its name."""
    holder, key = dice.choice(spots_in(tree))
    way = dice.random()
    if way < 0.15:
        del holder[key]
    elif way < 0.45 and isinstance(holder, dict):
        holder[dice.choice(NAMES)] = holder.pop(key)
    elif way < 0.75:
        holder[key] = dice.choice(NAMES)
    else:
        holder[key] = deepcopy(dice.choice(VALUES))  # what is spoilt again is not the list above


def spoil_copy(cup: Path, dice: Random) -> str:
    """Spoil what a copy says of itself."""
    manifest = dice.choice(sorted(cup.parent.glob("*/*/copy.json")))
    told = json.loads(manifest.read_text("utf-8"))
    for _ in range(dice.choice((1, 1, 2, 4))):
        spoil(told, dice)
        if not spots_in(told):
            break
    if isinstance(told, dict) and dice.random() < 0.7:  # who spoils it knows how checksums are made
        told["checksum"] = _checksum_of(told)
    manifest.write_text(json.dumps(told), "utf-8")
    return json.dumps(told)[:300]


def spoil_event(cup: Path, dice: Random) -> str:
    """Spoil what the event's file says, or add what it might say."""
    told = tomlkit.parse((cup / "event.toml").read_text("utf-8")).unwrap()
    key = dice.choice(("backup", "gate", "tournament", "map", "code", "language", "live_address", "paper", "name", ""))
    if key:
        told["event"][key] = dice.choice(NAMES) if dice.random() < 0.6 else deepcopy(dice.choice(VALUES))
    else:
        spoil(told, dice)
    try:
        text = tomlkit.dumps(told)
        (cup / "event.toml").write_text(text, "utf-8")
    except (ValueError, TypeError, UnicodeError):  # TOML has no nothing, and no half characters
        (cup / "event.toml").write_bytes(
            b"[event]\n" + key.encode() + b' = "' + dice.choice((b"\xff", b"\0", b"")) + b'"'
        )
    return f"{key}: {str(told.get('event'))[:300]}"


def lay_link(cup: Path, dice: Random) -> str:
    """Put a link that leads out in the place of a file or a folder."""
    places = (f"{cup.name}{PLACE_ENDS}", "stick")  # a whole place may be on another disk: its owner says where
    found = [path for path in sorted(cup.parent.rglob("*")) if path.name not in places and not path.is_symlink()]
    path = dice.choice(found)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    goal = cup.parent.parent / dice.choice(("out", "out/there.txt", "out/nothing"))
    path.symlink_to(goal)
    return f"{path.relative_to(cup.parent)} -> {goal.name}"


WAYS: tuple[Callable[[Path, Random], str], ...] = (spoil_copy, spoil_copy, spoil_event, lay_link)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))}


def faults(made: Path, room: Path, count: int, seed: int) -> list[str]:
    """What ended in a traceback, or left its folder."""
    dice, found = Random(seed), []
    here = room / "try"
    for number in range(count):
        (here / "out").mkdir(parents=True)
        (here / "out/there.txt").write_text("somebody's own")
        inside = Path(shutil.copytree(made, here / "in", symlinks=True))
        way = WAYS[number % len(WAYS)]
        told, before = way(inside / "cup", dice), snapshot(here / "out")
        command = dice.choice(COMMANDS)
        result = CliRunner().invoke(group, [word.format(cup=inside / "cup", room=here) for word in command.split()])
        if not isinstance(result.exception, Stopped | SystemExit | None):
            trace = "".join(traceback.format_exception(result.exception)[-3:])
            found.append(f"{number} {way.__name__} {told}: {command}\n{trace}")
        follows = way is lay_link and not command.startswith("restore")  # the owner may keep a folder on another disk
        beside = sorted(path.name for path in (*here.iterdir(), *room.iterdir()))
        after = before if follows else snapshot(here / "out")
        if (after, beside) != (before, ["in", "made", "out", "try"]):
            found.append(f"{number} {way.__name__} {told}: {command}\nleft its folder: {beside}")
        shutil.rmtree(here)
    if Path("/tmp/ordersheets-evil").exists():
        found.append("an absolute name was written")
    return found


def main() -> int:
    """Try, and print what is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        found = faults(make(Path(room) / "made"), Path(room), asked.tries, asked.seed)
    print("\n".join(found))
    print(f"{asked.tries} tries, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
