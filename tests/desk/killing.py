"""Kills a command at a chosen write, commit, rename or file, and says what is left: run by itself, for it forks.

``python -m desk.killing FOLDER MOST`` prints a line of JSON for each command: its points, and what was wrong after
which of them. ``MOST`` points of each are tried, spread evenly; 0 tries all.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import signal
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import reportlab.rl_config
from facts_as_kept import append_fact, read_facts
from msgspec import Struct, field

import pipeline.cli.common
import pipeline.cli.event
from desk.cup import NAMES, OPENINGS, clock, hand_in_all, printed, seated, spring
from pipeline.board import Phase, Power, Season, Step
from pipeline.cli import group
from pipeline.desk import backups
from pipeline.desk.backups import back_up
from pipeline.desk.event import event
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.hands.calibrating import write_to
from pipeline.desk.intake.ingest import receive
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.ledger.copies import MANIFEST, copies_in, faults_of
from pipeline.ledger.facts import FactStore
from pipeline.ledger.files import make_again, write_whole
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan
from pipeline.rehearsal.simulation import MIDDLE, _play_solo, _start_at, _take_over

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
TOUCHES = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "shutil.copyfile")
READS = ("SELECT", "PRAGMA", "--")  # statements that change nothing
Work = Callable[[Path], None]  # what is done, in a folder with the event in ``cup``


KILLED = -9  # how a process ends that is killed


def kill_this() -> None:
    """End this process at once, as a power cut would."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows has no such signal")
    os.kill(os.getpid(), signal.SIGKILL)


class Trap(Struct):
    """Counts the points at which something is about to be written, and kills this process at one of them."""

    at: int = 0  # 1..; 0: at none
    points: list[str] = field(default_factory=list)

    def point(self, what: str) -> None:
        """Something is about to happen."""
        self.points.append(what)
        if len(self.points) == self.at:
            kill_this()

    def arm(self) -> None:
        """Watch everything from now on; there is no way back, so this is for a child."""
        sys.dont_write_bytecode = True  # what the first child compiles the second one would find
        sys.addaudithook(self.heard)
        connect = sqlite3.connect

        def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **named)
            connection.set_trace_callback(self.told)
            return connection

        def synced(fd: int) -> None:
            size = os.fstat(fd).st_size
            self.points.append("half of a file")
            if len(self.points) == self.at:
                os.ftruncate(fd, size // 2)
                kill_this()
            self.point("a whole file")  # and no fsync: the machine goes on

        sqlite3.connect = connected  # type: ignore[assignment]  # the child's own
        os.fsync = synced  # type: ignore[assignment]

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """An audit event of Python."""
        if event in TOUCHES:
            self.point(event)
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES and is_file(arguments[0]):
            self.point("open")

    def told(self, statement: str) -> None:
        """A statement that SQLite begins."""
        if not statement.lstrip().upper().startswith(READS):
            self.point(statement.split("(", maxsplit=1)[0].strip())


def is_file(name: object) -> bool:
    """Whether what is opened is a file of somebody's."""
    return not str(name).startswith(("/dev/null", "/dev/tty", "/proc/"))


class Attack(Struct, frozen=True):
    """A command, where it begins, and what a director does when the machine is up again."""

    name: str
    begins: Work  # makes the event
    work: Work
    again: Work | None = None  # none: the same
    prints_anew: bool = False  # said again it prints further sheets, with serials of their own
    in_steps: bool = False  # several acts, each whole: a scan is kept, its pages are read, it is read to its end


def command(*words: str) -> Work:
    """A command; {cup} and {here} are the event and the folder around it."""

    def work(here: Path) -> None:
        arguments = [word.format(cup=here / "cup", here=here) for word in words]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            group.main(arguments, prog_name="ordersheets", standalone_mode=False)

    return work


def in_turn(*works: Work) -> Work:
    """One after the other; what is refused the second time is done already."""

    def work(here: Path) -> None:
        for each in works:
            with contextlib.suppress(Stopped):
                each(here)

    return work


def nothing_yet(here: Path) -> None:
    """A roster."""
    (here / "players.csv").write_text("name\n" + "\n".join(NAMES.values()), "utf-8")


def unseated(here: Path) -> None:
    """A new event."""
    nothing_yet(here)
    command(
        "new", "{cup}", "--tournament", "weaselmoot", "--roster", "{here}/players.csv", "--row", "7", "--code", "TEST"
    )(here)


def at_table(here: Path) -> None:
    """A round that is seated."""
    seated(here / "cup")


def orders_in(here: Path) -> None:
    """Everybody's orders are in."""
    with open_event(printed(here / "cup"), clock) as event:
        hand_in_all(event)


def late_in_game(here: Path) -> None:
    """A game in the middle of its years, when votes are held."""
    with open_event(seated(here / "cup"), clock) as event:
        _take_over(event, "1.1", _start_at(event, Phase(MIDDLE, Season.SPRING, Step.MOVEMENT)))


def published(here: Path) -> None:
    """A phase is published, and a row of it is ruled otherwise since."""
    orders_in(here)
    with open_event(here / "cup", clock) as event:
        publish(event, "1", "Tess")
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")


def before_solo(here: Path) -> None:
    """A game that the next publication wins; it is published once and taken back to before, by its facts."""
    with open_event(seated(here / "whole"), clock) as event:
        _play_solo(event, "1.1")
        facts = [fact for fact in read_facts(event.facts) if fact.kind not in ("published", "game ended")]
    shutil.rmtree(here / "whole")
    seated(here / "cup")
    for left in (here / "cup").glob("event.db*"):
        left.unlink()
    with FactStore(here / "cup" / "event.db", clock) as store:
        for fact in facts:
            append_fact(store, fact.kind, fact.body, fact.by)


def before_correction(here: Path) -> None:
    """A solo that was published, and a ruling by which it was none."""
    before_solo(here)
    command("adjudicate", "{cup}", "--board", "1", "--by", "Tess")(here)
    with open_event(here / "cup", clock) as event:
        turn = next(iter(find_game(event, "1").played))
        words = ["rule", "{cup}", "--board", "1", "--phase", str(turn.phase), "--power", "ITALY", "--by", "Tess"]
    command(*words, "--type", "A APU H")(here)


def a_scan(here: Path) -> None:
    """A sheet that is written and scanned."""
    with open_event(seated(here / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=Design.LINE))
    sheet = next(page.sheet for page in printed.layout.pages if page.power == "AUSTRIA")
    lines = dict(enumerate(OPENINGS[Power.AUSTRIA], start=1))
    writer = Writer(hand=2, player="Ada", lines=lines, slips={})
    files = write_and_scan(printed, lambda each: writer if each == sheet else None, here / "scans", seed=3)
    files[0].rename(here / f"scan{files[0].suffix}")


def scan(here: Path) -> None:
    """Take it in."""
    command("scan", "{cup}", str(next(here.glob("scan.*"))), "--processes", "1")(here)


def correct(here: Path) -> None:
    """Correct the game, whatever the rules say to it."""
    with open_event(here / "cup", clock) as event:
        game = find_game(event, "1")
        first = str(game.played[0].phase)
        apply_correction(
            event, propose_correction(event, game, first, deadline_passed=False), by="Tess", why="it was misread"
        )


def calibrate(here: Path) -> None:
    """Write thresholds of the event's own."""
    with open_event(here / "cup", clock) as event:
        write_to(event, NetRecogniser().gates)


def with_a_scan(here: Path) -> None:
    """Everybody's orders are in, and a scan with pictures of its rows."""
    orders_in(here)
    (here / "came.pdf").write_bytes(b"%PDF a scan %%EOF")
    with open_event(here / "cup", clock) as event:
        sha256 = receive(event, here / "came.pdf").sha256
        make_again(event.folder / crop_path(sha256, 1, 1), b"a picture")


def backed_up_before(here: Path) -> None:
    """There is a copy, and a scan came since."""
    orders_in(here)
    with open_event(here / "cup", clock) as event:
        back_up(event)
    (here / "came.pdf").write_bytes(b"%PDF a scan %%EOF")
    with open_event(here / "cup", clock) as event:
        receive(event, here / "came.pdf")


def gone(here: Path) -> None:
    """An event with a scan and a published phase is gone, and its copy is there."""
    with_a_scan(here)
    command("adjudicate", "{cup}", "--board", "1", "--by", "Tess")(here)
    shutil.rmtree(here / "cup")


def ruled_since(here: Path) -> None:
    """There is a copy, and a row was ruled since."""
    with_a_scan(here)
    with open_event(here / "cup", clock) as event:
        back_up(event)
        rule_row(event, spring(Power.FRANCE), 1, RowDecision(order="A PAR - GAS"), "Tess")
        write_whole(here / "cup" / "event.toml", (here / "cup" / "event.toml").read_bytes() + b"# edited since\n")


SIGNED, WHY = ("--by", "Tess"), ("--why", "it was so")
CARDS = command("cards", "{cup}")
ATTACKS = (
    Attack(
        "new",
        nothing_yet,
        command(
            "new",
            "{cup}",
            "--tournament",
            "weaselmoot",
            "--roster",
            "{here}/players.csv",
            "--row",
            "7",
            "--code",
            "TEST",
        ),
    ),
    Attack("players", unseated, command("players", "{cup}", "--add", "Hal")),
    Attack("draw", unseated, command("draw", "{cup}", "--round", "1", "--seed", "7", *SIGNED)),
    Attack("sheets", at_table, command("sheets", "{cup}", "--round", "1", "-o", "{here}/s.pdf"), prints_anew=True),
    Attack("forms", at_table, command("forms", "{cup}", "board", "-o", "{here}/f.pdf"), prints_anew=True),
    Attack("scan", a_scan, scan, in_steps=True),
    Attack(
        "rule",
        orders_in,
        command("rule", "{cup}", "--board", "1", "--power", "FRANCE", "--line", "1", "--order", "A PAR H", *SIGNED),
    ),
    Attack("adjudicate", orders_in, adjudicate := command("adjudicate", "{cup}", "--board", "1", *SIGNED)),
    Attack("solo", before_solo, adjudicate),
    Attack("correct", published, correct),
    Attack("correct a solo", before_correction, correct),
    Attack("undo", published, undone := command("undo", "{cup}", "11", "--why", "misread", *SIGNED), in_turn(undone)),
    Attack("end", orders_in, command("end", "{cup}", "--board", "1", "--how", "time", "--why", "late", *SIGNED)),
    Attack(
        "vote",
        late_in_game,
        command(
            "vote",
            "{cup}",
            "--board",
            "1",
            "--asked-by",
            "FRANCE",
            "--yes",
            "7",
            "--all-agree",
            "--stalemate",
            "--ruled",
            "--moment",
            "negotiation",
            "--why",
            "all agree",
            *SIGNED,
        ),
    ),
    Attack("enter", at_table, command("enter", "{cup}", "penalty", "Ada", "late", "--points", "3", *SIGNED, *WHY)),
    Attack("calibrate", at_table, calibrate),
    Attack("publish with a backup", with_a_scan, adjudicate),
    Attack("backup", backed_up_before, command("backup", "{cup}")),
    Attack("restore", gone, command("restore", "{cup}", "--copy", "newest", *SIGNED)),
    Attack("restore over", ruled_since, command("restore", "{cup}", "--copy", "newest", "--replace", *SIGNED)),
    Attack("standings", orders_in, command("standings", "{cup}", "--running", "-o", "{here}/s.xlsx")),
)


ADDING = ("rule", "enter")  # said again they add a fact: who sees it done, killed while it was copied, does not


class State(Struct, frozen=True):
    """What a folder holds."""

    facts: tuple[str, ...]
    files: dict[str, str]  # by name, their hashes; of those that differ with every writing, whether they are whole

    @classmethod
    def of(cls, here: Path, *, prints_anew: bool) -> "State":
        """Look into a folder."""
        facts: list[str] = []
        if (here / "cup" / "event.toml").exists():
            with FactStore(here / "cup" / "event.db", clock) as store:
                assert store.verify() == ()
                for fact in read_facts(store):
                    body = {key: said for key, said in fact.body.items() if key != "saved"}  # when: the clock's
                    for key in ("sheets", "forms") if prints_anew else ():
                        body[key] = [each | {"serial": 0} for each in body.get(key, ())]
                    facts.append(json.dumps([fact.kind, fact.by, body], sort_keys=True))
        if prints_anew:
            facts = list(dict.fromkeys(facts))
        for copy in copies_in(here / "cup-backups"):
            assert faults_of(copy) == ()
        visible = [path for path in sorted(here.rglob("*")) if path.is_file() and is_visible(path.relative_to(here))]
        return cls(tuple(facts), {str(path.relative_to(here)): seen(path, prints_anew) for path in visible})


def is_visible(path: Path) -> bool:
    """Whether people see a file: not what a killed program left, nor SQLite's own, nor what may be lost."""
    hidden = any(part.startswith(".") or part == "kept" for part in path.parts)
    return not hidden and not path.name.startswith(
        ("event.db", "claims.db", "reading.lock", "desk.lock", "copying.lock")
    )


def seen(path: Path, prints_anew: bool) -> str:
    """What is in a file, as far as it is the same at every writing."""
    data = path.read_bytes()
    if path.name == MANIFEST:  # two files with the same facts may lie differently on the disk
        told = json.loads(data) | ({"tip": "", "number": 0} if prints_anew else {})
        return json.dumps([told["number"], told["tip"], sorted(told["files"])])
    if path.suffix == ".xlsx":
        return str(zipfile.is_zipfile(path) and zipfile.ZipFile(path).testzip() is None)
    if path.suffix == ".pdf" and prints_anew:
        return str(data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF"))
    return hashlib.sha256(data).hexdigest()


def in_child(work: Work, here: Path, at: int | None = None) -> tuple[int, list[str]]:
    """Do something in a child, killed at a point, or told which points there are; gives its signal or code."""
    if sys.platform == "win32":
        raise NotImplementedError("Windows has no fork")
    reader, writer = os.pipe()
    event.SECURE_RANDOM = Random(1)  # the tokens and serials of what is printed: two runs of one command are compared
    vars(backups)["SECURE_RANDOM"] = event.SECURE_RANDOM
    child = os.fork()
    if not child:
        os.close(reader)
        trap, code = Trap(at or 0), 0
        if at is not None:
            trap.arm()
        try:
            work(here)
        except Stopped as stopped:
            code = stopped.code
        except SystemExit as done:
            code = int(done.code or 0)
        except BaseException as error:
            trap.points.append(f"failed: {error!r}")
            code = 99
        os.write(writer, json.dumps(trap.points).encode()[:60_000])
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        told = answers.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), json.loads(told) if told else []


def tried(attack: Attack, folder: Path, most: int) -> dict[str, Any]:
    """Kill one command at its points; gives what was wrong after which."""
    base, here = folder / "base", folder / "here"
    base.mkdir()
    attack.begins(base)

    def fresh() -> Path:
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(base, here)
        return here

    anew = attack.prints_anew
    before = State.of(fresh(), prints_anew=anew)
    code, points = in_child(attack.work, fresh(), at=0)
    after = State.of(here, prints_anew=anew)
    wrong = [f"not done: {code} {points[-1:]}"] if code else []
    for at in chosen(len(points), most):
        killed, _ = in_child(attack.work, fresh(), at=at)
        where = f"{at} {points[at - 1]}"
        if killed != KILLED:
            wrong.append(f"{where}: not reached")
            continue
        wrong += [f"{where}: {text}" for text in faults(attack, State.of(here, prints_anew=anew), before, after)]
        is_seen_done = attack.name in ADDING and State.of(here, prints_anew=anew).facts == after.facts
        in_child(CARDS if is_seen_done else attack.again or in_turn(attack.work, CARDS), here)
        last = State.of(here, prints_anew=anew)
        wrong += [f"{where}, again: {text}" for text in differences(last, after)]
    shutil.rmtree(base)
    return {"command": attack.name, "points": len(points), "tried": len(chosen(len(points), most)), "wrong": wrong}


def chosen(points: int, most: int) -> list[int]:
    """The points that are tried: the first, the last, and others between them."""
    if not most or points <= most:
        return list(range(1, points + 1))
    return sorted({1 + round(number * (points - 1) / (most - 1)) for number in range(most)})


def faults(attack: Attack, now: State, before: State, after: State) -> Iterator[str]:
    """What is neither as it was nor as it should become."""
    is_begun = attack.in_steps and now.facts == after.facts[: max(len(now.facts), len(before.facts))]
    if now.facts not in (before.facts, after.facts) and not is_begun:
        yield f"{len(now.facts)} facts, neither the {len(before.facts)} before nor the {len(after.facts)} after"
    for name, content in now.files.items():
        if content not in (before.files.get(name), after.files.get(name)):
            yield f"{name} is neither as it was nor as it becomes"
    for name in before.files.keys() & after.files.keys() - now.files.keys():
        yield f"{name} is gone"


def differences(now: State, after: State) -> Iterator[str]:
    """What did not end as it should."""
    if now.facts != after.facts:
        yield f"{len(now.facts)} facts, not the {len(after.facts)} as without a kill"
    more = {name for name in now.files.keys() - after.files.keys() if name.startswith("cup-backups/")}
    for name in sorted((now.files.keys() | after.files.keys()) - more):  # a whole copy more is as good
        if now.files.get(name) != after.files.get(name):
            yield f"{name} is another"


def main(arguments: Sequence[str]) -> None:
    """Try every command, or those that are named."""
    folder, most, *names = arguments
    reportlab.rl_config.invariant = 1
    for module in (pipeline.cli.common, pipeline.cli.event, pipeline.cli.event):
        module.__dict__["now"] = clock
    for attack in ATTACKS:
        if not names or attack.name in names:
            print(json.dumps(tried(attack, Path(folder), int(most))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
