"""Names, check-ins, ids, spreadsheets, clocks, copies, failures and addresses, tried from outside by random kinds.

    python benchmarks/hard_desk.py [--only NAME] [--tries 40] [--seed 1] [--program FOLDER]

It uses the program's commands and pages alone, so that ``--program`` may name any other copy of the source code, an
older one, too. For each attack it prints how often it was tried and how often it succeeded; exit code 1 where one did.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZipFile, is_zipfile

import cv2
import numpy as np
import pypdfium2
import segno
from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.at_desk import ROOT, Browser, RunningDesk
from benchmarks.whole_sheets.count import markdown

RULES = "weaselmoot"
PLAYERS = ("Björn O’Neill", "Ada Lund", "Cem Ray Ek", "Łukasz Żółw-Berg", "Zoë  Åker", "Işıl D'Arcy", "Jürgen Groß")


class Desk(Struct):
    """What an attack works with."""

    program: Path  # the folder of the program's source code
    room: Path  # an empty folder
    dice: random.Random
    tries: int
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def count(self, what: str, *, fell: bool, example: object = "") -> None:
        """Count one try."""
        self.counts[what] += 1
        self.counts[f"{what}, fell"] += fell
        if fell:
            self.examples.setdefault(what, str(example)[:300])

    def run(self, *words: object, code: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the program; ``code`` is run before it, in the same process."""
        start = ["-m", "pipeline"] if not code else ["-c", f"{code}\nfrom pipeline.cli import main\nmain()"]
        settings = os.environ | {"PYTHONPATH": str(self.program), "XDG_CONFIG_HOME": str(self.room / "settings")}
        command = [sys.executable, *start, *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=self.room, env=settings, stdin=subprocess.DEVNULL, check=False
        )

    def event(self, name: str, rows: list[list[str]], *, is_drawn: bool = True) -> Path:
        """A new event of a list of players, whose first round may be drawn."""
        roster = self.room / f"{name}.csv"
        with roster.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["name", "club", "country"], *rows])
        made = self.run("new", self.room / name, "--tournament", RULES, "--roster", roster)
        if made.returncode == 0 and is_drawn:
            done = self.run("draw", self.room / name, "--round", 1, "--by", "Tess")
            assert done.returncode == 0, done.stdout + done.stderr
        return self.room / name

    def cup(self, name: str = "cup", *, is_drawn: bool = True) -> Path:
        return self.event(name, [[player, "Owls", "SE"] for player in PLAYERS], is_drawn=is_drawn)

    @contextmanager
    def opened(
        self, event: Path, desks: list[str] | None = None, options: tuple[str, ...] = ()
    ) -> Iterator[RunningDesk]:
        desk = RunningDesk(event, desks or [], options, root=self.program)
        try:
            yield desk
        finally:
            desk.end()


# 4. Who plays on a board


def _write_out(name: str) -> str:
    for sign, letters in {"ö": "oe", "ü": "ue", "ß": "ss", "Å": "Aa", "å": "aa"}.items():
        name = name.replace(sign, letters)
    return name


def _without_marks(name: str) -> str:
    plain = name.translate(str.maketrans("łŁıßøØ", "lLisoO"))
    return "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))


WRITTEN: dict[str, Callable[[str], str]] = {
    "composed": lambda name: unicodedata.normalize("NFC", name),
    "decomposed": lambda name: unicodedata.normalize("NFD", name),
    "no accents": _without_marks,
    "accents written out": _write_out,
    "capitals": str.upper,
    "small": str.lower,
    "straight apostrophe": lambda name: re.sub("[’']", "'", name),
    "curly apostrophe": lambda name: re.sub("[’']", "’", name),
    "no apostrophe": lambda name: re.sub("[’']", "", name),
    "acute as apostrophe": lambda name: re.sub("[’']", "´", name),
    "two spaces": lambda name: re.sub(" +", "  ", name),
    "hard space": lambda name: re.sub(" +", "\u00a0", name),
    "hyphen as space": lambda name: name.replace("-", " "),
    "long hyphen": lambda name: name.replace("-", "\u2013"),
    "wide letters": lambda name: "".join(chr(ord(sign) + 0xFEE0) if "!" < sign <= "~" else sign for sign in name),
    "family name first": lambda name: f"{name.split()[-1]}, {' '.join(name.split()[:-1])}",
    "first name alone": lambda name: name.split()[0],
    "family name alone": lambda name: name.split()[-1],
    "an initial": lambda name: f"{name[0]}. {name.split()[-1]}",
    "a title": lambda name: f"Dr. {name}",
}
PARTS = ["family name first", "first name alone", "family name alone", "an initial", "a title"]


def try_names(desk: Desk) -> None:
    """Assistants whose names are a player's, written otherwise, log in: they must be kept from his board."""
    cup = desk.cup()
    ways: dict[str, str] = {}
    while len(ways) < desk.tries:
        spelt = desk.dice.sample(sorted({*WRITTEN} - {*PARTS}), 2)
        kinds = [*spelt[: desk.dice.randrange(3)], *desk.dice.sample(PARTS, desk.dice.randrange(2))] or spelt
        name = desk.dice.choice(PLAYERS)
        for kind in kinds:
            name = WRITTEN[kind](name)
        if name not in ways and ":" not in name:
            ways[name] = " and ".join(kinds)
    for names in (list(ways)[start : start + 10] for start in range(0, len(ways), 10)):
        with desk.opened(cup, [f"{name}:assistant" for name in names]) as opened:
            for name in names:
                found = re.findall(rf"(?m)^\W*{re.escape(' '.join(name.split()))} .*PIN (\d+)", opened.said)
                found = found or re.findall(rf"(?m)^\W*{re.escape(name)} .*PIN (\d+)", opened.said)
                if not found:
                    continue  # the program does not let such a name in
                status, shown = Browser(opened.port, name, found[0]).get("/api/next")
                if status != 200:
                    continue  # it is the name of somebody else who is expected here
                boards = shown.get("boards", [])
                is_kept = bool(boards) and all(board["own"] for board in boards)
                desk.count(
                    "4 a player's name written otherwise", fell=not is_kept, example=(name, ways[name], boards[:1])
                )


# 5. Check-ins


def _check_in(port: int, who: str, source: str, head: dict[str, str], cookie: str = "") -> tuple[int, str]:
    line = HTTPConnection("127.0.0.1", port, source_address=(source, 0))
    kind = {"Content-Type": "application/x-www-form-urlencoded", **({"Cookie": cookie} if cookie else {})}
    line.request("POST", "/live/here", urlencode({"who": who}).encode(), kind | head)
    answer = line.getresponse()
    return answer.status, answer.read().decode()


def _look(port: int) -> tuple[str, str]:
    """The check-in page, and its cookie."""
    line = HTTPConnection("127.0.0.1", port)
    line.request("GET", "/live/here")
    answer = line.getresponse()
    return answer.read().decode(), (answer.getheader("Set-Cookie") or "").partition(";")[0]


def try_check_ins(desk: Desk) -> None:
    """One telephone checks everybody in; other web pages do; the page tells that a round is drawn."""
    cup = desk.cup(is_drawn=False)
    with desk.opened(cup, options=("--lan",)) as opened:
        foreign = [
            {"Origin": "https://elsewhere.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1.elsewhere.example"},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"},
        ]
        for number in range(desk.tries):
            head, who = desk.dice.choice(foreign), desk.dice.choice(PLAYERS)
            _, cookie = _look(opened.port)
            _, page = _check_in(opened.port, who, f"127.0.2.{number % 250 + 1}", head, cookie)
            desk.count("5 another web page checks in", fell="✓" in page, example=head)
        _, cookie = _look(opened.port)
        taken = 0
        for who in desk.dice.sample(PLAYERS, len(PLAYERS)):
            _, page = _check_in(opened.port, who, "127.0.0.9", {}, cookie)
            taken += "✓" in page
        desk.count("5 one telephone checks in all", fell=taken == len(PLAYERS), example=f"{taken} of {len(PLAYERS)}")
        tess = opened.browser()
        before = re.findall(r"round \d", _look(opened.port)[0])
        assert desk.run("draw", cup, "--round", 1, "--by", "Tess").returncode == 0
        tess.get("/api/day")
        after = re.findall(r"round \d", _look(opened.port)[0])
        desk.count("5 the page tells of a draw", fell=before != after, example=(before, after))


# 6. Ids of sheets

CODES_MM = ((167.0, 7.0, 187.5, 27.0), (23.0, 274.0, 39.0, 290.0))  # the two QR codes of an A4 sheet, with their margin
DOTS_PER_MM = 200 / 25.4
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _with_check(name: str) -> str:
    """An id with its check character, which is a public standard: ISO 7064 MOD 37,36."""
    total = 36
    for sign in name.replace("-", ""):
        total = (total + ALPHABET.index(sign)) % 36 or 36
        total = total * 2 % 37
    return f"{name}-{ALPHABET[(37 - total) % 36]}"


def _guesses(own: str) -> set[str]:
    """The ids that somebody can work out from his own sheet's: other serials, with his token, none, or a near one."""
    code, serial, token, _ = own.split("-")
    near = {token[:place] + sign + token[place + 1 :] for place in range(len(token)) for sign in ALPHABET}
    tokens = {token, token[::-1], "22222", *near}
    serials = range(max(1, int(serial) - 60), int(serial) + 60)
    found = {_with_check(f"{code}-{each:04d}-{word}") for each in serials for word in tokens}
    return (found | {_with_check(f"{code}-{each:04d}") for each in serials}) - {own}


def _print_round(desk: Desk, cup: Path, name: str) -> tuple[Path, list[str]]:
    pdf, layout = desk.room / f"{name}.pdf", desk.room / f"{name}.json"
    done = desk.run("sheets", cup, "--round", 1, "-o", pdf, "--layout", layout)
    assert done.returncode == 0, done.stderr
    return pdf, [page["sheet"] for page in json.loads(layout.read_text("utf-8"))["pages"]]


def _forge(pdf: Path, page: int, text: str) -> bytes:
    """A scan of a sheet on which somebody has pasted codes of his own."""
    picture = np.array(pypdfium2.PdfDocument(pdf)[page].render(scale=200 / 72).to_pil().convert("L"))
    matrix = np.array([list(row) for row in segno.make(text, error="q", micro=False).matrix], np.uint8)
    for box in CODES_MM:
        left, top, right, bottom = (round(each * DOTS_PER_MM) for each in box)
        picture[top:bottom, left:right] = 255
        side, edge = round(min(right - left, bottom - top) * 0.9), round(1.0 * DOTS_PER_MM)
        drawn = cv2.resize(255 - 255 * matrix, (side, side), interpolation=cv2.INTER_NEAREST)
        picture[top + edge : top + edge + side, left + edge : left + edge + side] = drawn[
            : bottom - top - edge, : right - left - edge
        ]
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


def _sheets_in(desk: Desk, cup: Path) -> int:
    board = json.loads(desk.run("status", cup, "--json").stdout)["boards"][0]
    return sum(power["sheet"] != "missing" for power in board["powers"].values())


def try_ids(desk: Desk) -> None:
    """Ids are worked out from one's own, and sheets with such ids come in; two who go on from a copy print."""
    cup = desk.cup()
    pdf, ids = _print_round(desk, cup, "first")
    for own in ids:
        hits = _guesses(own) & {*ids}
        desk.count("6 rivals' ids worked out", fell=bool(hits), example=(own, sorted(hits)[:2]))
    for number in range(max(2, desk.tries // 10)):
        mine, rival = desk.dice.sample(range(len(ids)), 2)
        code, _, token, _ = ids[mine].split("-")
        forged = _with_check(f"{code}-{int(ids[rival].split('-')[1]):04d}-{token}")
        file = desk.room / f"forged{number}.png"
        file.write_bytes(_forge(pdf, rival, forged))
        before = _sheets_in(desk, cup)
        said = desk.run("scan", cup, file)
        desk.count(
            "6 a forged sheet counts", fell=_sheets_in(desk, cup) > before, example=(ids[mine], forged, said.stdout)
        )
    assert desk.run("backup", cup).returncode == 0
    copy = max(each.name for each in (desk.room / "cup-backups").iterdir() if (each / "copy.json").is_file())
    drawn: list[tuple[str, set[str]]] = []
    for number in range(max(2, desk.tries // 8)):
        (desk.room / f"m{number}").mkdir()
        other = desk.room / f"m{number}" / "cup"
        done = desk.run("restore", other, "--from", desk.room / "cup-backups", "--copy", copy, "--by", "Tess")
        assert done.returncode == 0, done.stderr
        _, printed = _print_round(desk, other, f"m{number}s")
        serials = {each.split("-")[1] for each in printed}
        for name, others in drawn:
            desk.count(
                "6 serials of two restorations", fell=bool(serials & others), example=(name, sorted(serials)[:2])
            )
        drawn.append((other.parent.name, serials))


# 7. Spreadsheets

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\u2212\ufe63\ufe62\ufe66\ufe6b"
SHAPES = ("{}cmd|'/C calc'!A1", " {}1+1", "Bob;{}cmd|'/C calc'!A1", "Bob; {}1+1", "Bob,{}1+1", "Bob\t{}1+1",
          "Bob|{}1+1", 'Bob;"{}1+1"', "Bob{}1+1", "\u00a0{}1+1", "Bob;\u00a0{}1+1", "O'Bob;{}1+1")  # fmt: skip
SEPARATORS = (",", ";", "\t", "|")


def _formulas_in(text: str) -> list[str]:
    """The cells that a program may take for formulas, whichever separator and quotes it expects."""
    found: list[str] = []
    for separator in SEPARATORS:
        quoted = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
        bare = [cell for line in re.split("[\r\n]", text) for cell in line.split(separator)]
        for cell in (*quoted, *bare):
            begins = cell.strip(' \t\r\n"\u00a0\u200b')
            is_number = re.fullmatch(r"[-+]?[\d., ]*%?", begins)
            if len(begins) > 1 and begins[0] in SIGNS and not is_number:
                found.append(cell)
    return found


def try_spreadsheets(desk: Desk) -> None:
    """Names and clubs that are formulas stand in every CSV that the program writes."""
    for number in range(max(2, desk.tries // 8)):
        cup = desk.cup(f"cup{number}", is_drawn=False)
        text = (cup / "event.toml").read_text("utf-8")
        for player in map(" ".join, map(str.split, PLAYERS)):
            nasty = desk.dice.choice(SHAPES).format(desk.dice.choice(SIGNS))
            name = desk.dice.choice((nasty, f"{player} {nasty}", f"{nasty} {player}"))
            text = text.replace(json.dumps(player, ensure_ascii=False), json.dumps(name, ensure_ascii=False))
            text = text.replace('"Owls"', json.dumps(desk.dice.choice((nasty, "Bears")), ensure_ascii=False), 1)
        (cup / "event.toml").write_text(text, "utf-8")
        if desk.run("draw", cup, "--round", 1, "--by", "Tess").returncode:
            continue  # such a name is refused
        desk.run("end", cup, "--board", "1.1", "--how", "abandoned", "--why", "=so;=so", "--by", "Tess")
        for ending in ((), ("--semicolons",)):
            out = desk.room / f"out{number}{len(ending)}"
            if desk.run("export", cup, "--open", "-o", out, *ending).returncode:
                continue  # an older program without semicolons
            desk.run("standings", cup, "-o", out / "places.csv", *ending)
            for file in out.rglob("*.csv"):
                text = file.read_bytes().decode("utf-8-sig")
                cells = _formulas_in(text)
                fell = bool(cells) or (bool(ending) and ";" not in text)
                desk.count("7 a cell begins a formula", fell=fell, example=(file.name, cells[:2]))


# 8. Clocks

SET_CLOCK = """
import datetime, time
shift = {shift}
seconds, local, universal, write = time.time, time.localtime, time.gmtime, time.strftime
time.time = lambda: seconds() + shift
time.time_ns = lambda: int(time.time() * 1e9)
time.localtime = lambda at=None: local(time.time() if at is None else at)
time.gmtime = lambda at=None: universal(time.time() if at is None else at)
time.strftime = lambda shape, at=None: write(shape, time.localtime() if at is None else at)
class Shifted(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)
    @classmethod
    def today(cls):
        return cls.now()
datetime.datetime = Shifted
datetime.date = type("Day", (datetime.date,), {{"today": classmethod(lambda cls: Shifted.now().date())}})
"""
YEARS = (1904, 1969, 1970, 1979, 1980, 2038, 2099, 2107, 2108, 2500)
WRITES: dict[str, tuple[str, ...]] = {
    "standings.xlsx": ("standings", "{cup}", "-o", "{out}"),
    "standings.pdf": ("standings", "{cup}", "-o", "{out}"),
    "standings.csv": ("standings", "{cup}", "-o", "{out}"),
    "wall.xlsx": ("standings", "{cup}", "--wall", "-o", "{out}"),
    "sheets.pdf": ("sheets", "{cup}", "--round", "1", "-o", "{out}"),
    "forms.pdf": ("forms", "{cup}", "vote", "--board", "1.1", "-o", "{out}"),
    "exported": ("export", "{cup}", "-o", "{out}"),
    "review.xlsx": ("review", "{cup}", "--xlsx", "{out}"),
    "testdeck.pdf": ("testdeck", "-o", "{out}"),
    "report.zip": ("doctor", "{cup}", "--report", "{out}"),
    "backup": ("backup", "{cup}"),
    "restored": ("restore", "{out}", "--from", "{place}", "--copy", "newest", "--by", "Tess"),
}


def try_clocks(desk: Desk) -> None:
    """Every kind of file is written while the clock of the computer is far off."""
    cup = desk.cup()
    now = 2026
    drawn = [(name, desk.dice.choice(YEARS)) for name in WRITES for _ in range(max(1, desk.tries // len(WRITES)))]
    for number, (name, year) in enumerate([*(("standings.xlsx", year) for year in YEARS), *drawn]):
        out = desk.room / f"{number}-{name}"
        words = [word.format(cup=cup, out=out, place=desk.room / "cup-backups") for word in WRITES[name]]
        code = SET_CLOCK.format(shift=(year - now) * 365.25 * 86400)
        good = desk.run(*(word.replace(str(out), f"{out.with_stem(f'as-it-is-{number}')}") for word in words))
        if good.returncode:
            continue  # an older program without it
        done = desk.run(*words, code=code)
        years = {each.date_time[0] for each in ZipFile(out).infolist()} if is_zipfile(out) else {now}
        wrong = "Traceback" in done.stderr or done.returncode != 0 or not years <= {*range(1980, 2108)}
        desk.count("8 a file at another year", fell=wrong, example=(name, year, done.stderr[-150:], years))


# 9. Copies

FOREIGN = (
    "office.pem",
    "claims.db",
    "event.db-wal",
    "event.db-shm",
    "event.db-tip",
    ".bashrc",
    ".git/hooks/pre-commit",
    "desk.lock",
    "ordersheets.log",
    "x.toml",
    "scans/a.pdf",
    "out/a.html",
    "kept/a",
    "rules/a.py",
    "rules/.a.toml",
    "rules/../a.toml",
    "rules/.git/hooks/pre-commit",
    "rules/desktop.ini",
    "gate.py",
    "EVENT.DB-WAL",
    "Office.pem",
    "claims.db ",
    ".ssh/authorized_keys",
    "autorun.inf",
    "sitecustomize.py",
)


def _with_part(place: Path, copy: Path, name: str) -> Path:
    """A copy in a place of its own whose description names a file more, as somebody writes it who knows how."""
    there = place / copy.name
    for file in (each for each in copy.rglob("*") if each.is_file()):
        (there / file.relative_to(copy)).parent.mkdir(parents=True, exist_ok=True)
        (there / file.relative_to(copy)).write_bytes(file.read_bytes())
    path = there / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"evil")
    told = json.loads((there / "copy.json").read_text("utf-8"))
    told["files"][name] = hashlib.sha256(b"evil").hexdigest()
    rest = {key: value for key, value in told.items() if key != "checksum"}
    told["checksum"] = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
    (there / "copy.json").write_text(json.dumps(told), "utf-8")
    return there


def try_copies(desk: Desk) -> None:
    """Copies name files that are no part of an event; places of copies are of no use."""
    cup = desk.cup()
    assert desk.run("backup", cup).returncode == 0
    copy = next(each for each in (desk.room / "cup-backups").iterdir() if (each / "copy.json").is_file())
    for number in range(desk.tries):
        name = FOREIGN[number] if number < len(FOREIGN) else desk.dice.choice(FOREIGN)
        if number >= len(FOREIGN):
            name = f"{desk.dice.choice(('', 'rules/', 'a/', 'scans/'))}{desk.dice.randrange(99)}{name}"
        there = _with_part(desk.room / f"place{number}" / "cup-backups", copy, name)
        out = desk.room / f"restored{number}"
        done = desk.run("restore", out, "--from", there.parent, "--copy", there.name, "--by", "Tess")
        written = [each for each in (out, desk.room, out.parent) for each in each.glob(name) if each.is_file()]
        evil = [each for each in written if each.read_bytes() == b"evil"]
        is_taken = done.returncode == 0 and not name.startswith("rules/")  # what lay beside rules is left there
        is_bad = is_taken or bool(evil) or "Traceback" in done.stderr
        desk.count("9 a copy with a foreign part", fell=is_bad, example=(name, done.returncode, evil))
    with desk.opened(cup) as opened:
        browser = opened.browser()
        (desk.room / "a file").write_text("x")
        for place in ("gone", "a file", "cup", "cup/scans", "/proc", "/dev/null", "a file/b"):
            browser.get("/api/day")
            path = place if place.startswith("/") else str(desk.room / place)
            status, answer = browser.post("/api/day/setting", {"setting": "backup", "value": path})
            is_taken = status == 200 and not answer.get("problems")
            desk.count("9 a second place of no use", fell=is_taken, example=(place, status, answer))
    broken = desk.cup("broken", is_drawn=False)
    shutil.rmtree(desk.room / "broken-backups", ignore_errors=True)
    (desk.room / "broken-backups").write_text("a file")
    text = (broken / "event.toml").read_text("utf-8")
    (broken / "event.toml").write_text(f'backup = "{desk.room / "not there"}"\n{text}', "utf-8")
    if desk.run("status", broken).returncode:  # it stands in the table of the event
        (broken / "event.toml").write_text(
            text.replace("[event]", f'[event]\nbackup = "{desk.room / "not there"}"'), "utf-8"
        )
    said = desk.run("backup", broken)
    is_wrong = "another program" in said.stdout + said.stderr or said.returncode == 0 or "Traceback" in said.stderr
    desk.count("9 both places of no use", fell=is_wrong, example=(said.stdout + said.stderr)[:200])


# 10. Failures of the program

FAIL_IN = """
import sys
calls, wanted = 0, {wanted}
def look(frame, event, _):
    global calls
    if event == "call" and frame.f_code.co_flags & 1 and not frame.f_code.co_name.startswith("<"):  # a function
        if "pipeline/desk/" not in frame.f_code.co_filename and "pipeline/ledger/" not in frame.f_code.co_filename:
            return
        calls += 1
        if calls == wanted:
            sys.setprofile(None)
            print("failed in", frame.f_code.co_name, file=sys.stderr)
            raise AssertionError("A MUN - BER, as {name} wrote")
import pipeline.cli.status, pipeline.cli.standings, pipeline.cli.event, pipeline.cli.rulings
sys.setprofile(look)
"""
FAILING = (("status",), ("orders", "--board", "1.1"), ("journal",), ("check",), ("players",), ("seats",))


def try_failures(desk: Desk) -> None:
    """A command fails somewhere within: the event's folder has its trace, without names and orders."""
    cup = desk.cup()
    for number in range(desk.tries):
        command, *options = FAILING[number % len(FAILING)]
        name = desk.dice.choice(PLAYERS)
        log = cup / "ordersheets.log"
        log.unlink(missing_ok=True)
        code = FAIL_IN.format(wanted=desk.dice.randrange(1, 900), name=name)
        done = desk.run(command, cup, *options, code=code)
        where = re.findall(r"failed in (\w+)", done.stderr)
        if not where:
            continue  # the command is over before
        text = log.read_text("utf-8") if log.is_file() else ""
        has_trace = "AssertionError" in text
        desk.count("10 a failure without a trace", fell=not has_trace, example=(command, where, done.stderr[-200:]))
        told = [word for word in (name, "A MUN - BER") if word in text]
        desk.count("10 a name or an order in the log", fell=bool(told), example=(command, where, told))


# 11. Addresses


def _address(dice: random.Random) -> str:
    kind = dice.randrange(8)
    four = ".".join(str(dice.randrange(1, 255)) for _ in range(4))
    return (
        four,
        f"{four}:8040",
        f"[{':'.join(f'{dice.randrange(65536):x}' for _ in range(8))}]",
        f"{dice.choice(('localhost', '127.0.0.1'))}.{dice.choice(('evil', 'nip'))}.example",
        f"192.168.{dice.randrange(256)}.{dice.randrange(1, 255)}",
        str(dice.randrange(2**24, 2**31)),
        f"0x{dice.randrange(2**31):x}",
        f"[::ffff:{four}]",
    )[kind]


def try_addresses(desk: Desk) -> None:
    """Pages are asked for by addresses and names that are not this machine's."""
    cup = desk.cup()
    with desk.opened(cup, options=("--lan",)) as opened:
        for _ in range(desk.tries * 4):
            host = _address(desk.dice)
            if host.startswith("127."):
                continue
            line = HTTPConnection("127.0.0.1", opened.port)
            line.putrequest("GET", desk.dice.choice(("/", "/live", "/door", "/api/next")), skip_host=True)
            line.putheader("Host", host)
            line.endheaders()
            status = line.getresponse().status
            desk.count("11 an address that is not ours", fell=status < 400, example=(host, status))


ATTACKS = {
    "names": try_names,
    "check-ins": try_check_ins,
    "ids": try_ids,
    "spreadsheets": try_spreadsheets,
    "clocks": try_clocks,
    "copies": try_copies,
    "failures": try_failures,
    "addresses": try_addresses,
}


def main() -> int:
    """Try, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=ATTACKS)
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=ROOT, help="the folder of another copy of the source code")
    asked = parser.parse_args()
    rows, fell = [], 0
    for name, attack in ATTACKS.items():
        if asked.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(asked.program.resolve(), Path(folder), random.Random(asked.seed), asked.tries)
            attack(desk)
        for what in (each for each in desk.counts if not each.endswith(", fell")):
            rows.append((what, str(desk.counts[what]), str(desk.counts[f"{what}, fell"])))
            fell += desk.counts[f"{what}, fell"]
        for what, example in desk.examples.items():
            print(f"{what}: {example}")
    print(markdown(("attack", "tries", "fell"), rows))
    return int(fell > 0)


if __name__ == "__main__":
    sys.exit(main())
