"""The doors that need no event: streams of JSON, rules files, rosters and positions.

A door takes bytes and says whether they were accepted. It raises `Nonsense` where they were accepted and must not have
been; every other exception is a fault by itself.
"""

import atexit
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from msgspec import Struct
from openpyxl import Workbook

from benchmarks.fuzzing.mutate import Mutation, json_bytes, text_bytes
from benchmarks.fuzzing.workbooks import workbook_bytes
from pipeline.board import Position, Power, standard_map
from pipeline.cli.judge import interpret_sheet as interpret
from pipeline.cli.judge import judge
from pipeline.cli.rules import show_check
from pipeline.cli.score import score_document as score
from pipeline.cli.streams import answer_each
from pipeline.cli.tables import position_in
from pipeline.desk.event.event_file import Details, read_event_file, write_event_file
from pipeline.desk.roster_file import read_roster_file
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import EDITIONS
from pipeline.orders import read_order, read_position, write_position
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament
from pipeline.small_files import data_folder
from pipeline.workbook.page import FORBIDDEN

Answer = Callable[[dict[str, Any]], dict[str, Any]]


class Nonsense(AssertionError):
    """What was accepted and means nothing."""


class Logins(Struct, frozen=True):
    """One way into the program."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    mutation: Mutation
    accepts: Callable[[bytes], bool]


UNITS = {
    "AUSTRIA": ["A VIE", "A BUD", "F TRI"],
    "ITALY": ["A VEN", "A ROM", "F NAP"],
    "RUSSIA": ["F STP/SC", "A MOS", "A WAR", "F SEV"],
    "TURKEY": ["A CON", "A SMY", "F ANK"],
}
CENTERS = {"AUSTRIA": ["VIE", "BUD", "TRI"], "ITALY": ["VEN", "ROM", "NAP"], "TURKEY": ["CON", "SMY", "ANK"]}
AFTER = {**UNITS, "AUSTRIA": ["A BUD", "F TRI"], "ITALY": ["A VIE", "A ROM", "F NAP"]}
BEATEN = [{"power": "AUSTRIA", "unit": "A GAL", "from": "VIE", "retreats": ["BOH", "SIL"]}]


def phases() -> Iterator[dict[str, Any]]:
    """One object for each kind of phase, without orders."""
    yield {"phase": "S1901M", "units": UNITS}
    yield {"phase": "F1902M", "units": UNITS, "centers": CENTERS}
    yield {"phase": "F1903R", "units": AFTER, "centers": CENTERS, "dislodged": BEATEN}
    yield {"phase": "W1903A", "units": AFTER, "centers": CENTERS}


def to_judge() -> list[bytes]:
    """Phases to judge."""
    orders = ({"AUSTRIA": ["A VIE - GAL", "A BUD S A VIE - GAL", "F TRI - ALB"], "ITALY": ["A VEN - TYR"]},
              {"RUSSIA": ["A WAR - GAL", "F STP/SC - BOT"], "TURKEY": ["F ANK C A CON - SEV", "A CON - SEV VIA"]},
              {"AUSTRIA": ["A GAL R BOH"]}, {"AUSTRIA": ["A VIE B"], "ITALY": ["A VEN D", "WAIVE"]})  # fmt: skip
    rules: tuple[Any, ...] = ("datc", "edc2023", "nzdc1999", {"base": "datc", "4.A.2": "d"})
    return [
        json.dumps({"id": n, "rules": rule, **phase, "orders": order}).encode()
        for n, (rule, phase, order) in enumerate(zip(rules, phases(), orders, strict=True))
    ]


def to_interpret() -> list[bytes]:
    """Sheets to interpret, one for each kind of phase."""
    lines = (["A Vie-Gal", "Bud s. Vie", "F Tri H", "A Mun S Ruh - Kie via con"],
             ["vienne galicie", "BUL S", "F Tri ?"], ["A Gal R Boh"], ["build army Vienna", "waive"])  # fmt: skip
    return [
        json.dumps({"id": n, "tournament": t, "power": "AUSTRIA", **phase, "lines": text}).encode()
        for t in ("edc1996", "wdc2008", "edc2023")
        for n, (phase, text) in enumerate(zip(phases(), lines, strict=True))
    ]


def to_score() -> list[bytes]:
    """Results to score, under several tournaments."""
    years = {str(y): dict(zip(Power, c, strict=True)) for y, c in {
        1901: (5, 5, 5, 5, 5, 4, 4), 1902: (7, 8, 5, 5, 5, 4, 0), 1903: (9, 10, 6, 5, 4, 0, 0)}.items()}  # fmt: skip
    names = dict(zip(Power, ["Ana", "Bo", "Cem", "Dag", "Eva", "Fox", "Gil"], strict=True))
    board = {"board": "A", "result": {"centers": years["1903"], "years": years, "ended": "time"}, "players": names}
    rounds = [{"number": n, "boards": [board]} for n in (1, 2)]
    more = {"penalties": [{"player": "Bo", "kind": "late", "points": "1/2", "round": 1}],
            "bonuses": [{"player": "Ana", "kind": "host", "points": 3}],
            "players": [{"name": n, "country": "N", "distance_km": 3} for n in names.values()],
            "teams": [{"name": "Owls", "members": ["Ana", "Bo", "Cem"]}]}  # fmt: skip
    own = {"scoring": {"system": "tribute"}, "totals": {"rounds": 2}}
    tournaments: tuple[Any, ...] = ("wdc2008", "edc2023", "nzdc1999", "weaselmoot", "edc1996", own)
    return [json.dumps({"tournament": t, "rounds": rounds, **more}).encode() for t in tournaments]


def streamed(answer: Answer, check: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bool]:
    """Answer an object and a good one behind it; whatever the first was, the second is answered as ever."""

    def accepts(data: bytes) -> bool:
        good = b'\n{"id": "good", "rules": "datc", "phase": "S1901M", "units": {}, "orders": {}}\n'
        found = io.StringIO()
        text = io.TextIOWrapper(io.BytesIO(data + good), "utf-8", "surrogateescape")
        answer_each(text, answer, found)
        replies = [json.loads(line, parse_constant=not_a_number) for line in found.getvalue().split("\n")[:-1]]
        if not replies or replies[-1].get("id") != "good":
            raise Nonsense("the object that follows was not answered")
        for reply in replies[:-1]:
            if "error" not in reply:
                check(reply)
        return len(replies) > 1 and all("error" not in reply for reply in replies[:-1])

    return accepts


def not_a_number(name: str) -> Any:
    """No answer holds what is not JSON."""
    raise Nonsense(f"{name} in an answer")


def sound_judgement(reply: dict[str, Any]) -> None:
    """What comes out, given new orders, goes in."""
    if reply["next_phase"] and reply["next_phase"][-1] == "A" and "centers" not in reply:
        return  # adjustments are counted from the centres, and nobody said them
    if "error" in (again := next(iter(replies_to(judge, {**reply, "orders": {}})))):
        raise Nonsense(f"the answer is no question: {again['error']} {again['where']}")


def replies_to(answer: Answer, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Answer one object as a command does."""
    found = io.StringIO()
    answer_each(io.StringIO(json.dumps(value)), answer, found)
    yield from map(json.loads, found.getvalue().split("\n")[:-1])


def sound_interpretation(reply: dict[str, Any]) -> None:
    """Every order that counts is an order, no unit has two, and nothing is clear without one."""
    orders = [read_order(text) for text in reply["orders"]]
    units = [order.unit for order in orders if hasattr(order, "unit")]
    if len(set(units)) < len(units):
        raise Nonsense("a unit has two orders")
    for entry in reply["entries"]:
        if entry["status"] == "clear" and entry["order"] is None:
            raise Nonsense(f"{entry['text']!r} is clear, and no order")


def sound_scores(reply: dict[str, Any]) -> None:
    """Every score is a number of a size that people write, and every place is one."""
    scores = [float(score) for board in reply["boards"] for score in board["scores"].values()]
    scores += [float(row["total"]) for row in reply["standings"]]
    if not all(math.isfinite(score) for score in scores):
        raise Nonsense("a score without an end")
    if any(not 1 <= row["place"] <= len(reply["standings"]) for row in reply["standings"]):
        raise Nonsense("a place that there is not")


@cache
def workshop() -> Path:
    """A folder for files that are tried; it goes when the program ends."""
    folder = Path(mkdtemp(prefix="fuzz"))
    atexit.register(rmtree, folder, ignore_errors=True)
    return folder


def rules_files() -> list[bytes]:
    """The rules files of the five tournaments, and one of points alone."""
    files = [path.read_bytes() for path in sorted(data_folder("templates/rules").glob("*.toml"))]
    short = b'[scoring]\nsystem = "tribute"\n[totals]\nrounds = 3\n'
    part = b'[[scoring.parts]]\ngive = "centres"\neach = 1\n[scoring.solo]\nwinner = 100\n[totals]\nrounds = 4\n'
    return [*files, short, part, part]


def rules_are_taken(data: bytes) -> bool:
    """Check a rules file as ``rules FILE --check`` does, and load it as an event does: both say the same of it."""
    path = workshop() / "own.toml"
    path.write_bytes(data)
    try:
        with redirect_stdout(io.StringIO()):
            faults = show_check(path, as_json=True)
    except Stopped:
        faults = 2
    try:
        tournament = load_tournament(path)
    except Stopped:
        return False
    if not faults and not 1 <= tournament.rounds <= MOST_ROUNDS:
        raise Nonsense(f"{tournament.rounds} rounds")
    return not faults


MOST_ROUNDS = 30
SPOILS = "\t\n\r\x7f\x85\u2028\u2029\u202e\u2066\u200b\ufeff"
ROSTER = """Name;Club;Country;Team;Distance km;Keep apart;Ranking;Director;Number
Ana Silva;Owls;Portugal;Red;120;Bo Ek;1;yes;1
Bo Ek;;Sweden;Red;0;;2;;2
"O'Neil, Pat";"The ""Old"" Club";Ireland;;33;;;no;
Zoë Łuk;Eagles;Poland;Blue;;Bo Ek/Ana Silva;;;7
"""


def rosters() -> list[bytes]:
    """Rosters as people save them."""
    plain = "name,team\nAna,Owls\nBo,Owls\nCy,\n"
    return [ROSTER.encode(), ROSTER.replace("Ł", "L").encode("cp1252"), plain.encode("utf-8-sig"), plain.encode()]


def roster_books() -> list[bytes]:
    """The same as a workbook."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for line in ROSTER.replace("Distance km", "Distance (km)").splitlines()[:3]:
        sheet.append(line.split(";"))
    out = io.BytesIO()
    book.save(out)
    return [out.getvalue()]


def roster_is_taken(name: str) -> Callable[[bytes], bool]:
    """Read a roster, and write the event's file of it: what is read back is the same."""

    def accepts(data: bytes) -> bool:
        path = workshop() / name
        path.write_bytes(data)
        try:
            players = read_roster_file(path).players
        except Stopped:
            return False
        for player in players:
            for text in (player.name, player.club, player.country, player.team, player.standing):
                if FORBIDDEN.search(text) or any(sign in text for sign in SPOILS) or text != text.strip():
                    raise Nonsense("a text that cannot be printed is taken")
        whole = workshop() / "event.toml"
        whole.write_text(write_event_file(Details(name="E", code="TEST", tournament="weaselmoot"), players), "utf-8")
        if read_event_file(whole)[1] != players:
            raise Nonsense("the event's file says something else")
        return True

    return accepts


def positions() -> list[bytes]:
    """Positions as they are set by hand."""
    return [json.dumps(phase).encode() for phase in phases()]


def position_is_taken(data: bytes) -> bool:
    """Read a position as ``position --set`` does, write it, read it again, and play a phase from it."""
    path = workshop() / "position.json"
    path.write_bytes(data)
    board = standard_map()
    try:
        position = position_in(path, board)
    except Stopped:
        return False
    again: Position = read_position(write_position(position), board)
    if write_position(again) != write_position(position):
        raise Nonsense("it is not what was written")
    adjudicate(board, position, {}, EDITIONS["datc"])
    return True


CHEAP = (
    Logins("interpret", to_interpret, json_bytes, streamed(interpret, sound_interpretation)),
    Logins("judge", to_judge, json_bytes, streamed(judge, sound_judgement)),
    Logins("score", to_score, json_bytes, streamed(score, sound_scores)),
    Logins("rules", rules_files, text_bytes, rules_are_taken),
    Logins("roster.csv", rosters, text_bytes, roster_is_taken("roster.csv")),
    Logins("roster.xlsx", roster_books, workbook_bytes, roster_is_taken("roster.xlsx")),
    Logins("position", positions, json_bytes, position_is_taken),
)
