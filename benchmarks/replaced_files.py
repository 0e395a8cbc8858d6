"""Replace a file under an open desk at random moments; no decision that was answered may be lost.

    python benchmarks/replaced_files.py [--tries 40] [--seed 1] [--only NAME]

A real desk is open, and a browser decides one thing after the other. Another program then renames, deletes or truncates
``event.db``, or puts an older copy in its place (by rename, or written over it), flips bits in it, removes its log, or
moves the event's folder; or it does so with scans, log-ins, ``event.toml`` or the event's rules. After that the desk is
ended. Decisions and scans that were answered with success and are neither in the event nor in a copy that can be
restored are lost. A try in which no answer said what had happened is silent. Who must log in again after log-ins were
replaced is thrown out. All are faults; exit code 1 where there is one.
"""

import argparse
import hashlib
import io
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct, field
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from desk.cup import clock, seated

from benchmarks.at_desk import ROOT, Browser, RunningDesk
from benchmarks.whole_sheets.count import markdown
from pipeline.desk.event.event import open_event
from pipeline.ledger.events import PageRead
from pipeline.ledger.verification import verify
from pipeline.reading.recogniser import Tray

WORDS = ("another program", "replaced", "moved", "is not here", "deleted", "changed")  # any of them tells it
BEFORE_S, AFTER_S = (0.3, 2.0), 3.0
PAGES = 150
CHECKPOINTS = 0.5  # share of the tries in which the file itself holds what was decided first


def rename(event: Path, old: Path) -> None:
    """A program moves the file away."""
    (event / "event.db").rename(event / "event.db.moved")


def delete(event: Path, old: Path) -> None:
    """A program deletes the file."""
    (event / "event.db").unlink()


def truncate(event: Path, old: Path) -> None:
    """A program cuts the file."""
    with (event / "event.db").open("rb+") as file:
        file.truncate(4096)


def put_older(event: Path, old: Path) -> None:
    """A sync program puts an older state in its place, as they do: by a rename."""
    shutil.copyfile(old, event / ".sync")
    (event / ".sync").replace(event / "event.db")


def write_older(event: Path, old: Path) -> None:
    """The command cp writes an older state over the file."""
    shutil.copyfile(old, event / "event.db")


def flip_bits(event: Path, old: Path) -> None:
    """Bits turn over in place."""
    dice = random.Random(7)
    with (event / "event.db").open("rb+") as file:
        size = file.seek(0, 2)
        for _ in range(30):
            file.seek(place := dice.randrange(size))
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 1 << dice.randrange(8)]))


def delete_log(event: Path, old: Path) -> None:
    """A program deletes SQLite's log."""
    (event / "event.db-wal").unlink(missing_ok=True)


def move_folder(event: Path, old: Path) -> None:
    """Somebody renames the event's folder."""
    event.rename(event.with_name("moved"))


def delete_folder(event: Path, old: Path) -> None:
    """The stick on which the event lies is pulled."""
    event.rename(event.with_name("pulled"))
    shutil.rmtree(event.with_name("pulled"))


def delete_scans(event: Path, old: Path) -> None:
    """A program deletes the folder of scans."""
    shutil.rmtree(event / "scans")


def move_scans(event: Path, old: Path) -> None:
    """A program renames the folder of scans."""
    (event / "scans").rename(event / "scans (1)")


def empty_scans(event: Path, old: Path) -> None:
    """A program cuts every scan."""
    for file in (event / "scans").iterdir():
        file.write_bytes(b"")


def delete_log_ins(event: Path, old: Path) -> None:
    """A program deletes the log-ins."""
    for file in event.glob("claims.db*"):
        file.unlink()


def replace_log_ins(event: Path, old: Path) -> None:
    """A sync program puts others in the place of the log-ins."""
    with closing(sqlite3.connect(event / ".sync")) as connection:
        connection.execute("CREATE TABLE t (x)")
    (event / ".sync").replace(event / "claims.db")


def cut_log_ins(event: Path, old: Path) -> None:
    """A program cuts the file of log-ins."""
    with (event / "claims.db").open("rb+") as file:
        file.truncate(100)


def delete_settings(event: Path, old: Path) -> None:
    """A program deletes the event's own file."""
    (event / "event.toml").unlink()


def cut_settings(event: Path, old: Path) -> None:
    """A program cuts the event's own file."""
    data = (event / "event.toml").read_bytes()
    (event / "event.toml").write_bytes(data[: len(data) // 2] + b"[")


def replace_settings(event: Path, old: Path) -> None:
    """A sync program puts another event's file in its place."""
    text = (event / "event.toml").read_text("utf-8").replace('"TEST"', '"WEST"')
    (event / ".sync").write_text(text, "utf-8")
    (event / ".sync").replace(event / "event.toml")


def delete_rules(event: Path, old: Path) -> None:
    """A program deletes the event's own rules."""
    shutil.rmtree(event / "rules")


def edit_rules(event: Path, old: Path) -> None:
    """Somebody edits the event's own rules."""
    with (event / "rules/own.toml").open("a", encoding="utf-8") as file:
        file.write("# ours\n")


WAYS: tuple[Callable[[Path, Path], None], ...] = (
    rename, delete, truncate, put_older, write_older, flip_bits, delete_log, move_folder, delete_folder,
    delete_scans, move_scans, empty_scans, delete_log_ins, replace_log_ins, cut_log_ins, delete_settings, cut_settings,
    replace_settings, delete_rules, edit_rules,
)  # fmt: skip
MUST_TELL = (delete_settings, cut_settings, replace_settings, delete_rules, edit_rules)  # though event.db is whole
GOES_ON = (delete_scans, move_scans, empty_scans, delete_log_ins, replace_log_ins, cut_log_ins)


class Try(Struct):
    """What came of one try."""

    answered: list[str] = field(default_factory=list)  # decisions that the desk said are written down
    after: list[str] = field(default_factory=list)  # what it said after the file was replaced, of refusals
    wall: str = ""  # what the public screen said at the end
    is_whole: bool = (
        False  # the file has every decision after all: SQLite's log held them, and there is nothing to tell
    )
    lost: list[str] = field(default_factory=list)
    faults: str = ""
    is_told: bool = False
    is_restored: bool = True  # by the command that the desk named
    scans: list[str] = field(default_factory=list)  # the hashes of what the desk took
    is_stopped: bool = False  # decisions are refused though there is no need


def carry_over(event: Path) -> None:
    """Let SQLite carry its log over into the file, as it does by itself after a thousand pages."""
    with closing(sqlite3.connect(event / "event.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def decide(browser: Browser, found: Try, is_over: threading.Event) -> None:
    """Enter one penalty after the other, each with a reason of its own."""
    number = 0
    while not is_over.is_set():
        number += 1
        why = f"decision {number}"
        body = {"what": "penalty", "values": {"player": "Ada", "kind": "late", "points": "1"}, "why": why}
        browser.get("/api/notes")
        status, answer = browser.post("/api/notes/enter", body)
        if status == 200:
            found.answered.append(why)
        elif status:
            found.after.append(str(answer.get("said", status)))
        time.sleep(0.01)


def reasons_in(file: Path) -> set[str]:
    """The reasons in a file of facts that is whole; nothing of one that is not."""
    if not file.is_file():
        return set()
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        if verify(connection, file.with_name("none"), ""):
            return set()
        rows = connection.execute("SELECT json_extract(body, '$.why') FROM facts WHERE kind = 'penalty entered'")
        return {str(why) for (why,) in rows}
    return set()


def kept_in(room: Path) -> set[str]:
    """The reasons that are kept anywhere: in the event, wherever it is now, and in its copies."""
    found: set[str] = set()
    for file in (*room.glob("cup/event.db"), *room.glob("moved/event.db"), *room.rglob("*-backups/*/event.db")):
        found |= reasons_in(file)
    return found


def hand_in(browser: Browser, found: Try, number: int, dice: random.Random) -> None:
    """Hand a scan in, as a telephone does."""
    picture, data = Image.effect_noise((400, 300), dice.randrange(20, 90)), io.BytesIO()
    picture.save(data, "PNG")
    if browser.upload(f"{number}.png", data.getvalue())[0] == 200:
        found.scans.append(hashlib.sha256(data.getvalue()).hexdigest())


def scans_in(room: Path) -> set[str]:
    """The hashes of all scans that are anywhere."""
    return {hashlib.sha256(file.read_bytes()).hexdigest() for file in room.rglob("*.png")}


def restore_as_told(found: Try) -> bool:
    """Run the command that the desk named, once it is ended."""
    told = next((said for said in found.after if "'ordersheets restore" in said), "")
    words = told.partition("'ordersheets ")[2].partition("'")[0].split()
    command = [sys.executable, "-m", "pipeline", *words, "--by", "Tess"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    found.faults += "" if done.returncode == 0 else done.stdout + done.stderr
    return bool(words) and done.returncode == 0


def fill(event: Path, dice: random.Random) -> None:
    """Let the facts be some megabytes, as after a round, so that not all of them fit into SQLite's log."""
    (event / "rules").mkdir()
    shutil.copyfile(ROOT / "templates/rules/weaselmoot.toml", event / "rules/own.toml")
    text = (event / "event.toml").read_text("utf-8").replace('"weaselmoot"', '"rules/own.toml"')
    (event / "event.toml").write_text(text, "utf-8")
    with open_event(event, clock) as opened:
        for _ in range(PAGES):
            sha256, text = dice.randbytes(32).hex(), dice.randbytes(7000).hex()
            opened.facts.write(PageRead(sha256=sha256, page=1, tray=Tray.BLANK, text=text), "benchmark")


def try_once(base: Path, room: Path, way: Callable[[Path, Path], None], dice: random.Random) -> Try:
    """One desk, one replacement."""
    event = Path(shutil.copytree(base, room / "cup"))
    found, is_over = Try(), threading.Event()
    desk = RunningDesk(event)
    try:
        browser = desk.browser()
        working = threading.Thread(target=decide, args=(browser, found, is_over))
        working.start()
        hand_in(browser, found, 1, dice)
        time.sleep(dice.uniform(*BEFORE_S))
        if dice.random() < CHECKPOINTS:
            carry_over(event)
            time.sleep(dice.uniform(0.0, 0.5))
        with suppress(FileNotFoundError):
            way(event, base / "event.db")
        found.after.clear()
        hand_in(browser, found, 2, dice)
        time.sleep(AFTER_S)
        is_over.set()
        working.join()
        found.wall = str(browser.get("/api/clock")[1].get("trouble", ""))
        found.is_stopped = way in GOES_ON and any(found.after)
        alive = browser.post("/api/alive", {})[1]
        found.after += [str(alive.get("trouble", "")), str(alive.get("backup", ""))]
    finally:
        is_over.set()
        desk.end()
    found.faults = desk.told_faults()
    found.lost = [why for why in found.answered if why not in kept_in(room)]
    found.is_whole = set(found.answered) <= reasons_in(event / "event.db")
    if not found.is_whole:
        found.is_restored = restore_as_told(found) and set(found.answered) <= reasons_in(event / "event.db")
    found.lost += [f"scan {sha256[:8]}" for sha256 in found.scans if sha256 not in scans_in(room)]
    is_told = any(word in said for said in found.after for word in WORDS)
    found.is_told = is_told or (found.is_whole and way not in MUST_TELL)
    return found


def main() -> int:
    """Try, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one way alone, by its name")
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    ways = [way for way in WAYS if asked.only in (None, way.__name__)]
    counts: dict[str, Counter[str]] = {way.__name__: Counter() for way in ways}
    for number in range(asked.tries):
        way = ways[number % len(ways)]
        with tempfile.TemporaryDirectory() as folder:
            base = seated(Path(folder) / "base")
            fill(base, dice)
            (Path(folder) / "room").mkdir()
            found = try_once(base, Path(folder) / "room", way, dice)
        count = counts[way.__name__]
        count["tries"] += 1
        count["answered"] += len(found.answered)
        count["lost"] += len(found.lost)
        count["not restored"] += not found.is_restored
        count["silent"] += not found.is_told
        count["not on the wall"] += not (found.is_whole or found.wall)
        count["stopped"] += found.is_stopped
        count["tracebacks"] += found.faults.count("Traceback")
        is_well = found.is_told and found.is_restored and not found.is_stopped
        if found.lost or not is_well or "Traceback" in found.faults:
            print(
                way.__name__, f"lost {len(found.lost)} of {len(found.answered)}", found.after[:1], found.faults[-300:]
            )
    columns = ("tries", "answered", "lost", "not restored", "silent", "not on the wall", "stopped", "tracebacks")
    rows = [(name, *(str(count[each]) for each in columns)) for name, count in counts.items()]
    print(markdown(("way", *columns), rows))
    return int(
        any(
            count["lost"] or count["not restored"] or count["silent"] or count["stopped"] or count["tracebacks"]
            for count in counts.values()
        )
    )


if __name__ == "__main__":
    sys.exit(main())
