"""Clicks, keys and seconds for each step of a round: on the desk's page, and by the commands of before there was one.

    python benchmarks/the_day.py [--write benchmarks/results/the-day.md]

Chromium is driven through a round of seventeen players, from an empty folder to the standings, and every click and key
is counted; then the same is done in a second folder by the commands as they were typed on 5aaa0dc, where there was a
page for doubts, votes and ends, and none for the day. Seconds are the program's alone, on this machine; the hand is
reckoned by the keystroke-level model (Card, Moran and Newell 1980: 0.28 s a key, 1.5 s a click).
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.browsed import OPENINGS, SETTLED_MS, chromium
from benchmarks.whole_sheets.count import markdown
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.files import now
from pipeline.paper.sheet_rows import Design
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

KEY_S, CLICK_S = 0.28, 1.5  # Card, Moran and Newell 1980: a key; to point at something and press
FIRST = "Ada Bo Cem Dag Eva Fay Gil Hal Ivy Jon Kai Lea Mia Ned Oda Pat Quinn"
NAMES = [f"{first} {'ABCDEFGHJKLMNOPQR'[at]}ey" for at, first in enumerate(FIRST.split())]
WHY = "hall closes"
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


def desk(page: Any) -> None:
    """Back to the desk's page, which a director has in a tab of its own."""
    page.goto("/".join(page.url.split("/")[:3]) + "/desk?round=1")
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
            play_round(hand, folder)
            return hand.efforts
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def play_round(hand: Hand, folder: Path) -> None:
    """All steps, one after another."""
    before_the_round(hand)
    files = written(folder / "owl-cup", folder)
    at_the_boards(hand, files)


def before_the_round(hand: Hand) -> None:
    """From the roster to the printed sheets."""
    page = hand.page
    with hand.at("roster"):
        hand.type(page.get_by_label("name of the event"), "Owl Cup")
        hand.click("[data-tournament=weaselmoot]")
        hand.paste(page.get_by_label("the players"), "\n".join(NAMES))
        hand.button("make the event")
        page.wait_for_selector("#steps li")
    with hand.at("roll call"):
        hand.click(page.get_by_label("Quinn Rey: comes later"))
        page.wait_for_selector("[aria-label='Quinn Rey: comes later'][aria-pressed=true]")
        hand.click(page.get_by_label("Pat Qey: away"))
        page.wait_for_selector("[aria-label='Pat Qey: away'][aria-pressed=true]")
        hand.click(page.locator("#roll .row").get_by_role("button", name="✓ here"))
        page.wait_for_selector("#steps [data-step=roll] >> text=15 here, 1 later")
    with hand.at("draw"):
        hand.button("draw round 1")
        hand.click(page.locator("[data-way=volunteers]").get_by_label("Oda Pey"))
        hand.click(page.locator("[data-way=volunteers]").get_by_role("button", name="these"))
        page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    with hand.at("seats"):
        hand.button("tell everybody")
        page.wait_for_selector("#seats .word >> text=/^told$/")
    with hand.at("print"), page.context.expect_page() as opened:
        hand.button("print what 2 boards need now")
        page.wait_for_selector("#steps [data-step=print] >> text=printed")
    opened.value.close()


def at_the_boards(hand: Hand, files: list[str]) -> None:
    """From the scans to the standings."""
    page = hand.page
    with hand.at("scan"):
        page.locator("#files").set_input_files(files)
        hand.now.clicks += 3  # into the field, all files, open
        page.wait_for_selector("#watching >> text=all are read", timeout=300_000)
    with hand.at("doubts"):
        settle(hand)
    for board in ("1.1", "1.2"):
        with hand.at("publish"):
            desk(page)
            hand.click(page.locator(f"[data-board='{board}']").get_by_role("link", name="publish"))
            page.wait_for_selector(".gate")
            page.wait_for_timeout(SETTLED_MS)
            hand.key("g")
            page.wait_for_selector("#published:not([hidden])")
    for _ in range(2):
        with hand.at("end"):
            desk(page)
            hand.click(page.locator("#games").get_by_role("link", name="vote, end"))
            game = page.locator("#games section", has=page.locator("fieldset")).first
            game.get_by_label("how it ended").select_option("time")
            hand.now.clicks += 2
            hand.click(game.get_by_role("button", name="end it…"))
            if game.locator(".asked button.main").is_disabled():
                hand.type(game.locator(".asked input"), WHY)
            hand.click(game.locator(".asked button.main"))
            page.wait_for_timeout(SETTLED_MS)
    with hand.at("standings"):
        desk(page)
        link = page.get_attribute("#standings a[href$=xlsx]", "href")
        hand.now.clicks += 1
        assert page.context.request.get(f"{'/'.join(page.url.split('/')[:3])}{link}").ok


def settle(hand: Hand) -> None:
    """Every doubt is settled by the key that a director presses: the first choice, or what the rule says."""
    page = hand.page
    page.goto("/".join(page.url.split("/")[:3]) + "/")
    for _ in range(60):
        page.wait_for_selector("body[data-kind]:not(.busy)")
        page.wait_for_timeout(350)
        kind = page.get_attribute("body", "data-kind")
        if kind not in ("row", "check", "sheet", "page"):
            return
        before = page.get_attribute("body", "data-token")
        hand.key({"check": "Enter", "page": "x"}.get(kind, "1"))
        page.wait_for_selector(f"body:not([data-token='{before}'])")


def written(event_folder: Path, folder: Path) -> list[str]:
    """All sheets of the round, written in simulated hands and scanned."""
    with open_event(event_folder, now) as event:
        printed = print_round(event, 1, None, None, 0, Design.LINE)
        sheets, players = printed_sheets(event), games(event)

        def writer(sheet: str) -> Writer:
            asked = sheets[sheet].request
            lines = dict(enumerate(OPENINGS[asked.power], start=1))
            player = players[f"{asked.round}.{asked.board}"].seating.players[asked.power]
            return Writer(hand=len(player) + asked.board.count("2"), player=player, lines=lines, slips={})

        return [str(path) for path in write_and_scan(printed, writer, folder / "scans", seed=26)]


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
    files = written(folder / "owl", folder)
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
    """All steps beside one another."""
    rows = []
    for step in STEPS:
        old, new = commands.get(step), page[step]
        before = [str(old.clicks), str(old.keys), f"{old.seconds:.1f}", f"{old.hand:.0f}"] if old else ["none"] * 4
        rows.append((step, *before, str(new.clicks), str(new.keys), f"{new.seconds:.1f}", f"{new.hand:.0f}"))
    sums = [
        (
            sum(e.clicks for e in all_of),
            sum(e.keys for e in all_of),
            sum(e.seconds for e in all_of),
            sum(e.hand for e in all_of),
        )
        for all_of in (commands.values(), page.values())
    ]
    told = [f"{value:.0f}" for each in sums for value in each]
    rows.append(("all", *told))
    head = ("step", "clicks before", "keys", "program s", "hand s", "clicks now", "keys", "program s", "hand s")
    return markdown(head, rows)


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
