"""One text at every door: what is typed, ruled, filled in or printed gets the answer that `interpret` gives.

``python benchmarks/same_answer.py [--paper | --scans]``. In each tournament and kind of phase, each text stands
on a sheet whose row is asked. It is given by command (``--type``, ``--text``, ``--order``), on
the page (text, order, typed lines) and in the spreadsheet (Text, Order). With ``--paper`` it is written in neat
capitals instead, scanned and read; with ``--scans`` it is what the first of two scans shows, which is taken as a whole.
A door may follow the text as `interpret` does, or not follow it: refuse it or leave it asked. Printed for each door,
with every text that differs:

* *unasked*: the door follows what `interpret` does not follow, or as another order;
* *asked*: the door does not follow what `interpret` follows.
"""

import argparse
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import replace
from openpyxl import load_workbook

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from desk.cup import clock, hand_in, inked, seated

from pipeline.board import Power, standard_map
from pipeline.cli import group
from pipeline.cli.judge import interpret_sheet
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.review.review_sheet import take_sheet_back, write_review_sheet
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import undo_ruling
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ink import Tier
from pipeline.ledger.events import Decision, DecisionUndone, OnTurn
from pipeline.ledger.ledger import still_counting
from pipeline.orders import NotAnOrder, read_order, read_position, write
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan
from pipeline.rules.load import tournament_ids
from pipeline.web.logins import SESSION_S, Guest, Role
from pipeline.web.server import Opened, open_office

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Starlettes ask for a successor of httpx that older ones do not know
    from starlette.testclient import TestClient

Followed = frozenset[str] | None  # the orders by a text; None: it is refused or asked
PIN = "000000"
RECOGNISER = NetRecogniser()
UNREAD = "Ga?"


class Table(Struct, frozen=True):
    """One power's turn, and what is written in it."""

    power: Power
    position: dict[str, Any]
    written: str  # texts, with "|" between them
    first: str = ""  # what the sheet shows when it comes in; nothing: its row is not read

    @property
    def texts(self) -> list[str]:
        return [" ".join(text.split()) for text in self.written.split("|")]


SPRING = Table(
    Power.AUSTRIA,
    {
        "phase": "S1901M",
        "units": {"AUSTRIA": ["A VIE", "A BUD", "F TRI"], "ITALY": ["A VEN", "A ROM"], "RUSSIA": ["A WAR", "F SEV"]},
    },
    """
    A VIE - GAL | F VIE - GAL | A TRI - VEN | A TRI - ALB | F TRI - ALB | A VIE H | F VIE H | A BUD S A VIE
    | A BUD S F VIE - GAL | A BUD S A VIE - GAL | A VIE - LON | A LON - VIE | A VEN H | F TRI S A VEN - TYR
    | F TRI S F VEN - TYR | A VIE - VIE | A BUD S A GAL - VIE | F TRI - ALB VIA | A VIE R GAL | A VIE B | A
    VIE D | A GAL - VIE | F TRI C A VEN - ALB | A VIE - TYR | Vie-Gal | A Vie Gal | vienna to galicia | A
    Vie - Gal? | A Vie -/- Gal | A Vie (S A Bud) - Gal | F Tri - Adr, Alb | A Vie - Gla | A Vie | don't move
    A Vie - Gal | A Vie S Bud | A Vie - Gal = Galicia
    """,
)
COASTS = Table(
    Power.FRANCE,
    {
        "phase": "F1903M",
        "units": {
            "FRANCE": ["A MAR", "A BRE", "A SPA", "F MAO", "F ENG", "F LYO", "F POR"],
            "ENGLAND": ["F NTH", "A WAL"],
            "ITALY": ["F TYS", "A TUN"],
        },
    },
    """
    A MAR - GAS | F MAO - SPA | F MAO - SPA/NC | F MAO - SPA/SC | A GAS S F MAO - SPA | A SPA - MAR | F POR
    - SPA | A SPA H | A BRE - WAL | A BRE - WAL VIA | A BRE - ENG - WAL | F ENG C A BRE - WAL | F ENG C F
    BRE - WAL | F ENG C A WAL - BRE | A ENG - IRI | F BRE - WAL | A SPA - NAF | A SPA - MAO - NAF | F LYO -
    SPA | F LYO - SPA/NC | F LYO S A SPA - MAR | F LYO S F TYS | F LYO S A TYS | A MAR - BUR VIA | F MAR -
    SPA/SC | F MAO S F POR - SPA/SC | F MAO S F POR - SPA | F POR - SPA/SC | A TUN - NAF | F MAO - NAF | Mao
    - Spa sc | A Mar - Nor
    """,
)
RETREAT = Table(
    Power.AUSTRIA,
    {
        "phase": "F1903R",
        "units": {"AUSTRIA": ["A BUD"], "ITALY": ["A VIE", "A VEN"], "RUSSIA": ["A WAR"]},
        "dislodged": [{"power": "AUSTRIA", "unit": "A GAL", "from": "VIE", "retreats": ["BOH", "SIL", "RUM"]}],
    },
    """
    A GAL R BOH | F GAL R BOH | A GAL D | F GAL D | A GAL - BOH | A GAL R UKR | A GAL R VIE | A BUD R RUM |
    A BUD D | A GAL H | A VEN D | A GAL S A BUD | DISBAND A GAL | DISBAND F GAL | Gal - Boh | Gal | A Gal R
    Sil?
    """,
)
BUILDS = Table(
    Power.RUSSIA,
    {
        "phase": "W1903A",
        "units": {"RUSSIA": ["A UKR", "F BLA", "A GAL"], "TURKEY": ["A CON", "A SMY", "F ANK"]},
        "centers": {"RUSSIA": ["MOS", "SEV", "STP", "WAR", "RUM"], "TURKEY": ["CON", "SMY", "ANK"]},
    },
    """
    A MOS B | F MOS B | A SEV B | F SEV B | F STP B | F STP/NC B | F STP/SC B | A STP B | A STP/NC B | A RUM
    B | A UKR D | F UKR D | WAIVE | A CON B | BUILD A MOS | BUILD F STP | A MOS - LVN | A MOS | Mos | StP nc
    """,
)
DISBANDS = Table(
    Power.RUSSIA,
    {
        "phase": "W1903A",
        "units": {"RUSSIA": ["A UKR", "F BLA", "A GAL"], "TURKEY": ["A CON", "A SMY", "F ANK"]},
        "centers": {"RUSSIA": ["MOS", "SEV"], "TURKEY": ["CON", "SMY", "ANK"]},
    },
    """
    A UKR D | F UKR D | F BLA D | A BLA D | DISBAND A UKR | REMOVE F GAL | A CON D | A MOS D | A MOS B |
    WAIVE | F BUR D | A UKR R MOS | A UKR H | A UKR | Ukr | disband Ukr
    """,
)
TABLES = (SPRING, COASTS, RETREAT, BUILDS, DISBANDS)


def answer(tournament: str, table: Table, text: str) -> Followed:
    """What `interpret` follows of one text; None if it follows nothing, or not all of it."""
    found = interpret_sheet({"tournament": tournament, "power": table.power, **table.position, "lines": [text]})[
        "entries"
    ]
    own = [entry for entry in found if f"line 1, '{text}'" not in entry["reason"]]  # without what it implies for others
    if not own or any(entry["status"] != "clear" for entry in own):
        return None
    return frozenset(entry["order"] for entry in own)


def in_notation(text: str) -> str | None:
    """The text in capitals, where that is an order in the notation of commands."""
    try:
        read_order(text.upper())
    except NotAnOrder:
        return None
    return text.upper()


class Doors(Struct, frozen=True):
    """All doors of one event, in which one row of one turn waits."""

    event: Event
    turn: Turn
    opened: Opened
    client: TestClient
    csrf: str

    @property
    def game(self) -> Game:
        return find_game(self.event, self.turn.board)

    # each door takes a text, and says whether it took it

    def by_command(self, *arguments: str) -> bool:
        where = ["rule", str(self.event.folder), "--board", "1", "--power", self.turn.power, "--by", "Tess"]
        return CliRunner().invoke(group, [*where, *arguments]).exit_code == 0

    def by_page(self, do: str, text: str) -> bool:
        item = self.client.get("/api/next", params={"first": str(self.turn)}).json()
        body = {"board": self.turn.board, "do": do, "number": item["number"], "token": item["item"]["token"]}
        body |= {"token": str(self.turn), "values": [text]} if do == "type" else {"value": text}
        page = self.client.get("/api/legal", params={"turn": str(self.turn)}).json() if do == "type" else item
        body["shown"] = page["shown"]  # as a page brings it: what the act rests on
        return bool(self.client.post("/api/act", json=body, headers={"X-Token": self.csrf}).status_code == 200)

    def by_spreadsheet(self, column: str, text: str) -> bool:
        book = load_workbook(BytesIO(write_review_sheet(self.event, None, "")[0]))
        sheet = book["Review"]
        at = {str(sheet.cell(5, number).value): number for number in range(1, 17)}
        rows = range(6, sheet.max_row + 1)
        row = next(n for n in rows if f"{self.turn}|1|" in str(sheet.cell(n, at["Mark"]).value))
        sheet.cell(row, at[column]).value = text
        saved = BytesIO()
        book.save(saved)
        return bool(take_sheet_back(self.event, saved.getvalue(), "review.xlsx", "Tess").facts)

    def answers(self, text: str) -> Iterator[tuple[str, str, Followed]]:
        """Each door with the text that it was given, and what it follows."""
        for door, take in TEXT_DOORS.items():
            yield door, text, self.outcome(take, text)
        if (order := in_notation(text)) is not None:
            for door, take in ORDER_DOORS.items():
                yield door, order, self.outcome(take, order)

    def outcome(self, take: "Door", text: str) -> Followed:
        """Go through a door, read what row 1 gives then, and take everything back."""
        before = self.event.facts.last_number()
        followed: Followed = None
        try:
            if take(self, text):
                rows = Desk.of(self.event).power(self.game, self.turn.power).rows
                mine = [row for row in rows if row.line == 1 and not row.is_supplied]
                if mine and not any(row.needs_director or row.order is None for row in mine):
                    followed = frozenset(write(row.order) for row in mine if row.order is not None)
        except Stopped:
            pass
        for fact in reversed(still_counting(self.event.facts.select(Decision, DecisionUndone))):
            if fact.number > before and (decided := fact.of(OnTurn)):
                undo_ruling(self.event, decided, "Tess")
        return followed


Door = Callable[[Doors, str], bool]
TEXT_DOORS: dict[str, Door] = {
    "rule --type": lambda doors, text: doors.by_command("--type", text),
    "rule --text": lambda doors, text: doors.by_command("--line", "1", "--text", text),
    "page, text": lambda doors, text: doors.by_page("text", text),
    "page, typed lines": lambda doors, text: doors.by_page("type", text),
    "spreadsheet, Text": lambda doors, text: doors.by_spreadsheet("Text", text),
}
ORDER_DOORS: dict[str, Door] = {
    "rule --order": lambda doors, text: doors.by_command("--line", "1", "--order", text),
    "page, order": lambda doors, text: doors.by_page("order", text),
    "spreadsheet, Order": lambda doors, text: doors.by_spreadsheet("Order", text),
}


@contextmanager
def open_doors(folder: Path, tournament: str, table: Table) -> Iterator[Doors]:
    """An event in which the first row of a turn is unread."""
    seated(folder, tournament=tournament)
    with open_event(folder, clock) as event:
        position = read_position(table.position, standard_map())
        set_position(event, find_game(event, "1"), position, "Tess", "taken over")
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        turn = Turn("1.1", position.phase, table.power)
        hand_in(event, turn, [inked(1, table.first) if table.first else inked(1, UNREAD, Tier.ASKED)])
        with open_office(folder, (Guest("Tess", Role.DIRECTOR, PIN),), engine=NoRecogniser) as opened:
            client = TestClient(opened.app, base_url="http://127.0.0.1:8040", follow_redirects=False)
            client.post("/door", data={"name": "Tess", "pin": PIN})
            logins = opened.logins
            login = logins.claims.login(client.cookies["ordersheets"], now=logins.clock(), seconds=SESSION_S)
            assert login is not None
            yield Doors(event, turn, opened, client, login.csrf)


class Difference(Struct, frozen=True):
    """A door that does not answer as `interpret` does."""

    door: str
    tournament: str
    text: str
    followed: Followed
    expected: Followed

    @property
    def kind(self) -> str:
        """Asked though clear, or else followed unasked."""
        return "asked" if self.followed is None else "unasked"

    def __str__(self) -> str:
        found, wanted = (", ".join(sorted(each)) if each else "not followed" for each in (self.followed, self.expected))
        return f"{self.kind:8}{self.door:20}{self.tournament:12}{self.text!r}: {found}; interpret: {wanted}"


def compare(tournament: str, table: Table, folder: Path, count: Counter[str]) -> Iterator[Difference]:
    """Every text of a table at every door; ``count`` counts the probes of each door."""
    with open_doors(folder, tournament, table) as doors:
        for text in table.texts:
            for door, given, followed in doors.answers(text):
                expected = answer(tournament, table, given)
                count[door] += 1
                count[f"{door} followed"] += expected is not None
                if followed != expected:
                    yield Difference(door, tournament, given, followed, expected)


def compare_scans(tournament: str, table: Table, folder: Path, count: Counter[str]) -> Iterator[Difference]:
    """Every text as what the first of two scans of a sheet shows; the whole first scan is taken."""
    for number, text in enumerate(table.texts):
        with open_doors(folder / str(number), tournament, replace(table, first=text)) as doors:
            hand_in(doors.event, doors.turn, [inked(1, "", Tier.BLANK)], "cd" * 32)
            doors.by_page("scan", "1")
            rows = [row for row in Desk.of(doors.event).power(doors.game, table.power).rows if row.line == 1]
            mine = [row for row in rows if not row.is_supplied]
            waits = not mine or any(row.needs_director or row.order is None for row in mine)
            followed = None if waits else frozenset(write(row.order) for row in mine if row.order is not None)
            expected = answer(tournament, table, text)
            count["two scans"] += 1
            count["two scans followed"] += expected is not None
            if followed != expected:
                yield Difference("two scans", tournament, text, followed, expected)


def compare_paper(tournament: str, table: Table, folder: Path, count: Counter[str]) -> Iterator[Difference]:
    """Every text in neat capitals on the free lines of sheets, scanned and read, each row by itself."""
    seated(folder, tournament=tournament)
    with open_event(folder, clock) as event:
        position, waiting = read_position(table.position, standard_map()), [text.upper() for text in table.texts]
        turn = Turn("1.1", position.phase, table.power)
        set_position(event, find_game(event, "1"), position, "Tess", "taken over")
        while waiting:
            printed = print_round(event, 1, wish=PrintWish(design=Design.LINE))
            mine = [sheet for sheet, each in printed_sheets(event).items() if each.request.power == table.power][-1]
            rows = [field.row for page in printed.layout.pages if page.sheet == mine for field in page.form.rows]
            written = dict(zip(sorted(row for row in rows if row), waiting, strict=False))
            waiting = waiting[len(written) :]
            writer = Writer(hand=len(waiting), player="Ada", lines=written, slips={})
            writers = {mine: writer}
            scans = write_and_scan(printed, writers.get, folder.with_name(f"scans-{len(waiting)}"), len(waiting))
            take_in(event, scans, RECOGNISER, lambda _: None)
            for line in max(sheets_in(event)[turn], key=lambda each: each.serial).lines:
                if text := written.get(line.number):
                    expected = answer(tournament, table, text)
                    count["paper"] += 1
                    count["paper followed"] += expected is not None
                    followed = answer(tournament, table, line.text) if line.tier is Tier.ACCEPTED else None
                    if followed != expected:
                        yield Difference("paper", tournament, f"{text} read {line.text}", followed, expected)


def main() -> None:
    """Print every difference, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paper", action="store_true", help="on paper, instead of the doors that take text")
    parser.add_argument("--scans", action="store_true", help="in two scans, instead of the doors that take text")
    parser.add_argument("--tournament", choices=tournament_ids())
    told = parser.parse_args()
    count: Counter[str] = Counter()
    found: list[Difference] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, table in enumerate(TABLES):
            for tournament in tournament_ids() if told.tournament is None else (told.tournament,):
                look = compare_paper if told.paper else compare_scans if told.scans else compare
                for each in look(tournament, table, Path(folder) / f"{tournament}-{number}" / "cup", count):
                    found.append(each)
                    print(each)
    print(f"\n{'':20}{'probes':>8}{'to follow':>11}{'unasked':>9}{'asked':>7}")
    for door in (name for name in count if f"{name} followed" in count):
        kinds = Counter(each.kind for each in found if each.door == door)
        print(f"{door:20}{count[door]:8}{count[f'{door} followed']:11}{kinds['unasked']:9}{kinds['asked']:7}")


if __name__ == "__main__":
    main()
