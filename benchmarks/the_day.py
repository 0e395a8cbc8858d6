"""Clicks, keys and seconds for each step of a round: on the desk's page, and by the commands of before there was one.

    python benchmarks/the_day.py [--write benchmarks/results/the-day.md]

Chromium is driven through two rounds of seventeen players, from an empty folder to the standings, with the mistakes of
a tired director, and every click and key is counted; then the first round is done in a second folder by the commands as
they were typed on 5aaa0dc, where there was a page for doubts, votes and ends, and none for the day. Seconds are the
program's alone, on this machine; the hand is reckoned by the keystroke-level model (Card, Moran and Newell 1980: 0.28 s
a key, 1.5 s a click).
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.browsed import OPENINGS, SETTLED_MS, chromium
from benchmarks.whole_sheets.count import markdown
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ledger.files import now
from pipeline.paper.sheet_rows import Design
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

KEY_S, CLICK_S = 0.28, 1.5  # Card, Moran and Newell 1980: a key; to point at something and press
FIRST = "Ada Bo Cem Dag Eva Fay Gil Hal Ivy Jon Kai Lea Mia Ned Oda Pat Quinn"
NAMES = [f"{first} {'ABCDEFGHJKLMNOPQR'[at]}ey" for at, first in enumerate(FIRST.split())]
WHY = "hall closes"
SECOND, MISTAKES = "round 2, all of it", "mistakes, and back"
STEPS = ("roster", "roll call", "draw", "seats", "print", "scan", "doubts", "publish", "end", "standings")
BEGIN = "<!-- counted: python benchmarks/the_day.py --write benchmarks/results/the-day.md -->"
END = "<!-- end of the count -->"


class Effort(Struct):
    """What one step takes."""

    clicks: int = 0
    keys: int = 0
    seconds: float = 0.0  # of the program

    @property
    def hand(self) -> float:
        """What a practised hand takes, in seconds."""
        return self.clicks * CLICK_S + self.keys * KEY_S


class Hand(Struct):
    """A director's hand at a page, counted."""

    page: Any
    efforts: dict[str, Effort] = field(default_factory=dict)
    now: Effort = field(default_factory=Effort)

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        """One step; all that is done in it is counted to it."""
        self.now = self.efforts.setdefault(step, Effort())
        begun = time.monotonic()
        yield
        self.now.seconds += time.monotonic() - begun

    def click(self, what: Any) -> None:
        """Press something."""
        (self.page.locator(what).first if isinstance(what, str) else what.first).click()
        self.now.clicks += 1

    def button(self, name: str) -> None:
        """Press a button by what stands on it."""
        self.click(self.page.get_by_role("button", name=name))

    def type(self, what: Any, text: str) -> None:
        """Click into a field and type."""
        what.fill(text)
        self.now.clicks, self.now.keys = self.now.clicks + 1, self.now.keys + len(text)

    def paste(self, what: Any, text: str) -> None:
        """Click into a field and paste."""
        what.fill(text)
        self.now.clicks, self.now.keys = self.now.clicks + 1, self.now.keys + 2

    def key(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.now.keys += 1


def desk(page: Any, number: int = 1) -> None:
    """Back to the desk's page, which a director has in a tab of its own."""
    page.goto("/".join(page.url.split("/")[:3]) + f"/desk?round={number}")
    page.wait_for_selector("#steps li")


def on_the_page(folder: Path) -> dict[str, Effort]:
    """A round on the desk's page."""
    command = [sys.executable, "-u", "-m", "pipeline", "desk", "--no-browser", "--port", "0", "--by", "Tess Day"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=folder)
    assert server.stdout is not None
    said = ""
    try:
        while "Ctrl-C" not in said:
            said += server.stdout.readline()
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(next(word for word in said.split() if word.startswith("http")))
            hand = Hand(page)
            play_event(hand, folder)
            return hand.efforts
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def play_event(hand: Hand, folder: Path) -> None:
    """Two rounds with every mistake that a tired director makes."""
    make_the_event(hand)
    call_and_draw(hand)
    watch_the_wrong_folder(hand, holiday(folder / "beach"))
    scan(hand, written(folder / "owl-cup", folder, 1))
    settle(hand, "doubts", 1)
    type_half_a_sheet(hand)
    publish_and_end(hand, 1)
    standings(hand, 1)
    draw_the_next(hand)
    scan(hand, written(folder / "owl-cup", folder, 2), SECOND)
    settle(hand, SECOND, 2)
    publish_and_end(hand, 2)
    standings(hand, 2)


def make_the_event(hand: Hand) -> None:
    """The roster, at first with somebody who stands on it twice."""
    page = hand.page
    with hand.at(MISTAKES):
        hand.type(page.get_by_label("name of the event"), "Owl Cup")
        hand.click("[data-tournament=weaselmoot]")
        hand.paste(page.get_by_label("the players"), "\n".join([*NAMES, "ada aey"]))
        hand.button("make the event")
        page.wait_for_selector(".faults li")
    with hand.at("roster"):
        hand.type(page.get_by_label("name of the event"), "Owl Cup")
        hand.click("[data-tournament=weaselmoot]")
        hand.paste(page.get_by_label("the players"), "\n".join(NAMES))
        hand.button("make the event")
        page.wait_for_selector("#steps li")


def call_and_draw(hand: Hand) -> None:
    """The roll call, the draw and its mistakes, the seats and the sheets of round 1."""
    page = hand.page
    with hand.at("roll call"):
        hand.click(page.get_by_label("Quinn Rey: comes later"))
        page.wait_for_selector("[aria-label='Quinn Rey: comes later'][aria-pressed=true]")
        hand.click(page.get_by_label("Pat Qey: away"))
        page.wait_for_selector("[aria-label='Pat Qey: away'][aria-pressed=true]")
        hand.click(page.locator("#roll .row").get_by_role("button", name="✓ here"))
        page.wait_for_selector("#steps [data-step=roll] >> text=15 here, 1 later")
    with hand.at(MISTAKES):  # nobody is ticked, two are, the page is loaded anew, and somebody comes meanwhile
        hand.button("draw round 1")
        these = page.locator("[data-way=volunteers]").get_by_role("button", name="these")
        hand.click(these)
        page.wait_for_timeout(SETTLED_MS)
        for name in ("Ned Oey", "Oda Pey"):
            hand.click(page.locator("[data-way=volunteers]").get_by_label(name))
        hand.click(these)
        page.wait_for_timeout(SETTLED_MS)
        page.reload()
        page.wait_for_selector("#steps li")
        hand.now.keys += 1
        hand.click(page.locator("#drawing button:has-text('begin'), #drawing button.main"))
        page.wait_for_timeout(SETTLED_MS)
        hand.click("#roll > details > summary")
        hand.click(page.get_by_label("Quinn Rey: here"))
        page.wait_for_selector("#asked >> text=these offers are from before that")
        hand.click(page.get_by_label("Quinn Rey: comes later"))
        page.wait_for_selector("#steps [data-step=roll] >> text=15 here, 1 later")
        hand.button("begin the draw again")
        page.wait_for_selector("[data-way=volunteers]")
    with hand.at("draw"):
        hand.now.clicks += 1  # the button of the draw, which was pressed above
        hand.click(page.locator("[data-way=volunteers]").get_by_label("Oda Pey"))
        hand.click(page.locator("[data-way=volunteers]").get_by_role("button", name="these"))
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    tell_and_print(hand, "seats", "print")


def tell_and_print(hand: Hand, seats: str, sheets: str) -> None:
    """The seats are told, and what is needed now is printed."""
    page = hand.page
    with hand.at(seats):
        hand.button("tell everybody")
        page.wait_for_selector("#steps [data-step=seats] small >> text=/^public$/")
    with hand.at(sheets), page.context.expect_page() as opened:
        hand.button("print what 2 boards need now")
        page.wait_for_selector("#steps [data-step=print] >> text=printed")
    opened.value.close()


def holiday(folder: Path) -> Path:
    """Twelve pictures that are no sheets."""
    folder.mkdir()
    for number in range(12):
        noise = np.random.default_rng(number).integers(0, 255, (60, 80), np.uint8)
        (folder / f"beach{number}.jpg").write_bytes(bytes(cv2.imencode(".jpg", cv2.resize(noise, (640, 480)))[1]))
    return folder


def watch_the_wrong_folder(hand: Hand, folder: Path) -> None:
    """A folder of holiday pictures is watched, taken in, stopped, and put aside as one."""
    page = hand.page
    with hand.at(MISTAKES):
        hand.type(page.get_by_label("folder to watch"), str(folder))
        hand.button("watch this folder")
        hand.button("take in these 12 too")
        page.wait_for_selector("#watching >> text=all are read", timeout=60_000)
        hand.button("stop")
        hand.click(page.get_by_role("link", name="look at them"))
        page.wait_for_selector("body[data-kind=page]:not(.busy)")
        page.wait_for_timeout(SETTLED_MS)
        hand.key("a")
        page.wait_for_selector("body:not([data-kind=page])")
        desk(page)


def scan(hand: Hand, files: list[str], step: str = "scan") -> None:
    """All sheets of the round are handed in at once."""
    page = hand.page
    with hand.at(step):
        before = page.inner_text("#watching")
        page.locator("#files").set_input_files(files)
        hand.now.clicks += 3  # into the field, all files, open
        page.wait_for_function("before => document.querySelector('#watching').innerText !== before", arg=before)
        page.wait_for_selector("#watching >> text=all are read", timeout=300_000)


def type_half_a_sheet(hand: Hand) -> None:
    """Somebody begins to type a sheet that came on other paper, goes back, and finds it again; then leaves it."""
    page = hand.page
    with hand.at(MISTAKES):
        desk(page)
        page.goto("/".join(page.url.split("/")[:3]) + "/?key=" + page.evaluate(TURN))
        page.wait_for_selector(".keying input")
        page.locator(".keying input").first.fill("A VIE TYR")
        hand.now.keys += 9
        page.go_back()
        page.wait_for_selector("#steps li")
        page.go_forward()
        page.wait_for_selector(".keying input")
        assert page.locator(".keying input").first.input_value() == "A VIE TYR"
        hand.now.clicks += 2
        for _ in range(2):
            hand.key("Escape")
            page.wait_for_timeout(SETTLED_MS)
        desk(page)


TURN = "async () => (await (await fetch('/api/day')).json()).boards[0].powers[0].turn"


def publish_and_end(hand: Hand, number: int) -> None:
    """Both boards are published and ended; the first of them is ended too early, and that is taken back."""
    page = hand.page
    steps = ("publish", "end") if number == 1 else (SECOND, SECOND)
    for board in (f"{number}.1", f"{number}.2"):
        with hand.at(steps[0]):
            desk(page, number)
            hand.click(page.locator(f"[data-board='{board}']").get_by_role("link", name="publish"))
            page.wait_for_selector(".gate")
            page.wait_for_timeout(SETTLED_MS)
            hand.key("g")
            page.wait_for_selector("#published:not([hidden])")
    for board in (f"{number}.1", f"{number}.2"):
        with hand.at(steps[1]):
            end(hand, number, board)
        if board == "1.1":
            with hand.at(MISTAKES):
                hand.button("it goes on after all…")
                hand.type(page.get_by_label("why", exact=True).first, WHY)
                hand.button("take it back")
                page.wait_for_timeout(SETTLED_MS)
                end(hand, number, board)


def end(hand: Hand, number: int, board: str) -> None:
    """Time is called at a board."""
    page = hand.page
    desk(page, number)
    hand.click(page.locator(f"[data-board='{board}']").get_by_role("link", name="vote, end"))
    game = page.locator("#games section", has=page.locator(f"h2:has-text('Board {board}')"))
    game.get_by_label("how it ended").select_option("time")
    hand.now.clicks += 2
    hand.click(game.get_by_role("button", name="end it…"))
    page.wait_for_selector("#asked button.main")
    if page.locator("#asked input[required]").count():
        hand.type(page.locator("#asked input"), WHY)
    hand.click(page.locator("#asked button.main"))
    page.wait_for_selector(f"h2:has-text('Board {board}') >> text=over: time")


def standings(hand: Hand, number: int) -> None:
    """The workbook, and what decides a place and is still to be said."""
    page = hand.page
    with hand.at("standings" if number == 1 else SECOND):
        desk(page, number)
        link = page.get_attribute("#standings a[href$=xlsx]", "href")
        hand.now.clicks += 1
        assert page.context.request.get(f"{'/'.join(page.url.split('/')[:3])}{link}").ok
        page.goto("/".join(page.url.split("/")[:3]) + "/tables#standings")
        hand.now.clicks += 1
        page.wait_for_selector("#doubts h2")


def draw_the_next(hand: Hand) -> None:
    """Round 2: somebody came, somebody has gone; from the roll call to the printed sheets."""
    page = hand.page
    with hand.at(SECOND):
        desk(page, 2)
        hand.click(page.get_by_label("Ada Aey: more"))
        hand.button("has gone home")
        page.wait_for_selector("[data-name='Ada Aey'] >> text=has gone home")
        hand.click(page.get_by_label("Pat Qey: away"))
        page.wait_for_selector("[aria-label='Pat Qey: away'][aria-pressed=true]")
        hand.click(page.get_by_label("Oda Pey: away"))
        page.wait_for_selector("[aria-label='Oda Pey: away'][aria-pressed=true]")
        hand.click(page.locator("#roll .row").get_by_role("button", name="✓ here"))
        page.wait_for_selector("#steps [data-step=roll] >> text=14 here")
        hand.button("draw round 2")
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    tell_and_print(hand, SECOND, SECOND)


def settle(hand: Hand, step: str, number: int) -> None:
    """Every doubt is settled by the key that a director presses: the first choice, or what the rule says."""
    page = hand.page
    with hand.at(step):
        while True:
            desk(page, number)
            boards = page.locator("#games a.button", has_text="settle")
            if not boards.count():
                return
            hand.click(boards)
            settle_a_board(hand)


def settle_a_board(hand: Hand) -> None:
    """All that comes up until a board is ready, or nothing waits."""
    page = hand.page
    for _ in range(60):
        page.wait_for_selector("body[data-kind]:not(.busy)")
        page.wait_for_timeout(350)
        kind = page.get_attribute("body", "data-kind")
        if kind not in ("row", "check", "sheet", "page"):
            return
        before = page.get_attribute("body", "data-token")
        hand.key({"check": "Enter", "page": "x"}.get(kind, "1"))
        page.wait_for_selector(f"body:not([data-token='{before}'])")


def written(event_folder: Path, folder: Path, number: int) -> list[str]:
    """All sheets of the round that was printed last, written in simulated hands and scanned."""
    with open_event(event_folder, now) as event:
        printed = print_round(event, number, wish=PrintWish(design=Design.LINE))
        sheets, players = printed_sheets(event), games(event)

        def writer(sheet: str) -> Writer:
            asked = sheets[sheet].request
            lines = dict(enumerate(OPENINGS[asked.power], start=1))
            player = players[f"{asked.round}.{asked.board}"].seating.players[asked.power]
            return Writer(hand=len(player) + asked.board.count("2"), player=player, lines=lines, slips={})

        return [str(path) for path in write_and_scan(printed, writer, folder / f"scans{number}", seed=26)]


def by_commands(folder: Path, doubts: Effort) -> dict[str, Effort]:
    """The same round, by what was typed; the page for doubts was there, and is counted as it is today."""
    (folder / "players.csv").write_text("name\n" + "\n".join(NAMES), "utf-8")
    efforts = {step: Effort() for step in STEPS if step not in ("roll call", "seats")}
    type_into = typist(folder, efforts)
    type_into("roster", "new owl --tournament weaselmoot --roster players.csv")
    type_into(
        "draw",
        'draw owl --round 1 --aside "Oda Pey" --absent "Pat Qey" --absent "Quinn Rey"',
        today=("--absent", "--aside"),
    )
    type_into("print", "sheets owl --round 1 -o round1.pdf")
    files = written(folder / "owl", folder, 1)
    short = [str(Path(name).relative_to(folder)) for name in files]
    type_into("scan", f"scan owl {' '.join(short)}", typed="scan owl scans/*")
    efforts["doubts"] = Effort(doubts.clicks, doubts.keys + len("ordersheets review owl") + 1, doubts.seconds)
    for board in ("1", "2"):
        type_into("publish", f"adjudicate owl --board {board}", may_fail=True)
    for board in ("1", "2"):
        type_into("end", f'end owl --board {board} --how time --why "{WHY}"')
    type_into("standings", "standings owl -o standings.xlsx")
    return efforts


def typist(folder: Path, efforts: dict[str, Effort]) -> Callable[..., None]:
    """Who types commands; a word that is called otherwise today is run as it is called today."""

    def type_into(
        step: str, command: str, *, typed: str = "", today: tuple[str, str] | None = None, may_fail: bool = False
    ) -> None:
        effort = efforts[step]
        effort.keys += len(f"ordersheets {typed or command}") + 1
        words = split(command.replace(*today) if today else command)
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", *words], cwd=folder, capture_output=True, text=True, check=False
        )
        effort.seconds += time.monotonic() - begun
        if done.returncode and not may_fail:
            sys.exit(f"{command}: {done.stderr}")

    return type_into


def split(command: str) -> list[str]:
    """The words of a command; what stands between quotation marks is one."""
    parts = command.split('"')
    return [word for at, part in enumerate(parts) for word in ([part] if at % 2 else part.split())]


def table(page: dict[str, Effort], commands: dict[str, Effort]) -> str:
    """All steps beside one another: round 1 by itself, then what commands were not timed at."""
    rows = [(step, *_told(commands.get(step)), *_told(page[step])) for step in STEPS]
    first = [page[step] for step in STEPS]
    rows.append(("round 1, all of it", *_told(_sum_of(commands.values())), *_told(_sum_of(first))))
    rows += [(step, *_told(None), *_told(page[step])) for step in (SECOND, MISTAKES)]
    head = ("step", "clicks before", "keys", "program s", "hand s", "clicks now", "keys", "program s", "hand s")
    return markdown(head, rows)


def _told(effort: Effort | None) -> tuple[str, ...]:
    """An effort as the table has it."""
    if effort is None:
        return ("none",) * 4
    return str(effort.clicks), str(effort.keys), f"{effort.seconds:.1f}", f"{effort.hand:.0f}"


def _sum_of(efforts: Iterable[Effort]) -> Effort:
    """Several together."""
    found = list(efforts)
    return Effort(sum(e.clicks for e in found), sum(e.keys for e in found), sum(e.seconds for e in found))


def main() -> None:
    """Count, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="put the table into a document, between its marks")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        page = on_the_page(Path(one))
        commands = by_commands(Path(other), page["doubts"])
    found = table(page, commands)
    print(found)
    if asked.write:
        before, _, rest = asked.write.read_text("utf-8").partition(BEGIN)
        asked.write.write_text(f"{before}{BEGIN}\n{found}\n{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    main()
