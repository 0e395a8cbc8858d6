"""A large event: rounds drawn, sheets printed, pages filed as the scanner files them, ruled on, published, ended."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import cv2
import numpy as np

from pipeline.board import Power
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.intake.ingest import receive
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.desk import Desk, asked_of
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import crop_path, page_path
from pipeline.draw.roster import Player
from pipeline.ink import Box, InkLine, InkReading, Tier, Transcription
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.events import PageRead, ScanRead
from pipeline.ledger.files import now
from pipeline.orders import Order, write
from pipeline.reading.recogniser import Tray
from pipeline.scoring.results import Ending
from pipeline.small_files import data_folder

READER = "row nets 00000000 and 11111111, gates 22222222"
ASKED = 0.08  # of the rows, about as many as a director is asked
LAST_ROUND_OPEN = 0.5  # of the rows of the round that is open wait for a person: what ten desks work on


def make(folder: Path, *, boards: int, rounds: int, scans: int) -> None:
    """Make the event: all rounds but the last are over, and the sheets of the last one are in."""
    names = [f"Player {number:03}" for number in range(1, 7 * boards + 1)]
    rules = folder.with_name("large.toml")
    rules.write_text(five_rounds(), "utf-8")
    details = Details(name="Large", code="LARG", tournament=str(rules))
    make_event_folder(folder, details, [Player(name=name) for name in names], now)
    lot = Random(1)
    left = scans - 7 * boards  # kept for the last round
    with open_event(folder, now) as event:
        event.facts.connection.execute("PRAGMA synchronous = OFF")  # a benchmark may be lost with the power
        for number in range(1, rounds):
            play_round(event, number, lot, left // (rounds - number))
            left -= left // (rounds - number)
        seat_round(event, rounds)
        print_round(event, rounds)
        hand_in(event, games_of(event, rounds), lot, LAST_ROUND_OPEN)


def five_rounds() -> str:
    """The rules of a tournament that plays every round with everybody, with more rounds than it has."""
    text = (data_folder("templates/rules") / "weaselmoot.toml").read_text("utf-8")
    return text.replace("rounds = { value = 3", "rounds = { value = 5").replace("[1, 1, 1]", "[1, 1, 1, 1, 1]")


def seat_round(event: Event, number: int) -> None:
    """Draw a round."""
    seat_drawn(event, draw_round(event, Request(round=number, seed=number)), by="benchmark")


def games_of(event: Event, number: int) -> list[Game]:
    """The games of a round that go on."""
    return [game for game in games(event).values() if game.seating.round == number and not game.ending]


def play_round(event: Event, number: int, lot: Random, scans: int) -> None:
    """Play a round, phase after phase on as many boards as there are scans for, then call time."""
    seat_round(event, number)
    while scans > 0:
        print_round(event, number)
        found = games_of(event, number)[: -(-scans // 7)]
        scans -= hand_in(event, found, lot, ASKED)
        rule_all(event, found)
        for game in found:
            publish(event, game.name, "benchmark")
    for game in games_of(event, number):
        end_game(event, game, Ending.TIME, by="benchmark", why="the round is over")


def hand_in(event: Event, found: list[Game], lot: Random, asked: float) -> int:
    """Take in a scan of the newest sheet of every power on some boards; how many there were."""
    newest = {sheet.turn: (sheet_id, sheet) for sheet_id, sheet in printed_sheets(event).items()}
    count = 0
    for game in found:
        for power in game.seating.players:
            if (turn := Turn(game.name, game.position.phase, power)) in newest:
                scan(event, *newest[turn], orders(game, power, lot), lot, asked)
                count += 1
    return count


def orders(game: Game, power: Power, lot: Random) -> list[Order]:
    """An order for every unit, any that is legal; a move rather than anything else."""
    legal = legal_orders(game.map, game.position, power)
    found = []
    for unit in game.position.units.get(power, ()):
        mine = [order for order in legal if str(unit) == " ".join(write(order).split()[:2])]
        moves = [order for order in mine if " - " in write(order) and " S " not in write(order)]
        found.append(lot.choice(moves or mine))
    return found


def scan(event: Event, sheet_id: str, sheet: PrintedSheet, given: list[Order], lot: Random, asked: float) -> None:
    """Take a picture in, and write down what was read of it, as the scanner does; its pictures are small ones."""
    file = event.folder.parent / f"{sheet_id}.png"
    file.write_bytes(picture(sheet_id))
    kept = receive(event, file)
    file.unlink()
    lines = tuple(row(number, write(order), lot, asked) for number, order in enumerate(given, start=1))
    found = Transcription(
        sheet_id=sheet_id, scan_sha256=kept.sha256, page=1, reader=READER, lines=lines, residual_mm=0.05
    )
    text = f"board {sheet.request.round}.{sheet.request.board} {sheet.request.power} {sheet.request.occasion}"
    page = PageRead(sha256=kept.sha256, page=1, tray=Tray.FILED, transcription=found, warnings=(), text=text)
    event.facts.write(page, READER)
    event.facts.write(ScanRead(sha256=kept.sha256, pages=1), READER)
    for path in [page_path(kept.sha256, 1), *(crop_path(kept.sha256, 1, line.number) for line in lines)]:
        (event.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (event.folder / path).write_bytes(picture(path))


def picture(text: str) -> bytes:
    """A picture of a row, with something written on it."""
    grey = np.full((177, 1402), 240, np.uint8)
    cv2.putText(grey, text[-60:], (60, 110), cv2.FONT_HERSHEY_SIMPLEX, 1, 40, 2)
    return cv2.imencode(".png", grey)[1].tobytes()


def row(number: int, text: str, lot: Random, asked: float) -> InkLine:
    """A row as a reader gives it, with what else it may say."""
    tier = Tier.ASKED if lot.random() < asked else Tier.ACCEPTED
    others = [InkReading(f"{text[:-3]}{other}", 0.1) for other in ("BOH", "GAL", "TYR")]
    chance = 0.5 if tier is Tier.ASKED else 0.999
    readings = (InkReading(text, chance), *others)
    return InkLine(number=number, box=Box(22, 54 + 10 * number, 160, 10), readings=readings, tier=tier)


def rule_all(event: Event, found: list[Game]) -> None:
    """Settle every row that waits: it says what was read first."""
    desk = Desk.of(event)
    for game in found:
        for turn, powers in rows_that_wait(desk, game):
            for each in powers:
                decision = RowDecision(order=each.readings[0].text)
                rule_row(event, turn, each.line, decision, "benchmark", on=each.ground, asked=asked_of(each))


def rows_that_wait(desk: Desk, game: Game) -> Iterator[tuple[Turn, list[Row]]]:
    """The rows of a board that wait, by turn."""
    for power in desk.board(game):
        waiting = [each for each in power.rows if each.needs_director and each.line]
        yield Turn(game.name, game.position.phase, power.power), waiting
