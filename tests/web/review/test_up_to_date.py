"""What is kept of each board while nothing touches it is what a desk that begins anew finds, after whatever happens."""

from collections.abc import Callable
from typing import Any

import pytest
from desk.cup import hand_in, inked, sheets_of, spring

from pipeline.board import Power
from pipeline.desk.event.ending import end_game, undo_end
from pipeline.desk.event.games import find_game
from pipeline.desk.results.notes import enter_note
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.queue import _fingerprint_of, agenda, item_fingerprint
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, type_lines, undo_ruling
from pipeline.ink import Tier
from pipeline.ledger.events import (
    DiceCommitted,
    DiceRolled,
    LinesTyped,
    PageRead,
    PageSetAside,
    PositionSet,
    RowRuled,
    ScanRead,
    ScanReceived,
)
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.reading.recogniser import Tray
from pipeline.scoring.results import Ending
from pipeline.web.office import Office
from pipeline.web.server import Opened
from pipeline.web.views import _board_anew, board_view

AUSTRIA, ITALY = spring(Power.AUSTRIA), spring(Power.ITALY)


def rule(office: Office) -> None:
    rule_row(office.event, AUSTRIA, 1, RowDecision(order="A VIE - GAL"), "Tess")


def undo_rule(office: Office) -> None:
    undo_ruling(office.event, list(office.event.facts.select(RowRuled))[-1], "Tess")


def late(office: Office) -> None:
    rule_sheet(office.event, ITALY, SheetDecision.LATE, by="Tess")


def type_(office: Office) -> None:
    type_lines(office.event, ITALY, ["A VEN - TYR"], by="Tess")


def undo_type(office: Office) -> None:
    undo_ruling(office.event, list(office.event.facts.select(LinesTyped))[-1], "Tess")


def scan(office: Office) -> None:
    hand_in(office.event, ITALY, [inked(1, "A VEN - PIE", Tier.ASKED)], sha256="d" * 64)


def stray(office: Office) -> None:
    offers = tuple(sheets_of(office.event, AUSTRIA))
    page = PageRead(sha256="e" * 64, page=1, tray=Tray.UNIDENTIFIED, text="no codes", offers=offers)
    office.event.facts.write(page, "test")


def comes(office: Office) -> None:
    office.event.facts.write(ScanReceived(sha256="f" * 64, name="late.pdf", path="late.pdf"), "scan")


def nothing(office: Office) -> None:
    rule_sheet(office.event, spring(Power.FRANCE), SheetDecision.NO_ORDERS, by="Tess")


def is_read(office: Office) -> None:
    office.event.facts.write(ScanRead(sha256="f" * 64, pages=1), "scan")


def aside(office: Office) -> None:
    office.event.facts.write(PageSetAside(sha256="e" * 64, page=1, why=""), "Tess")


def end(office: Office) -> None:
    end_game(office.event, find_game(office.event, "1"), Ending.TIME, by="Tess", why="late")


def goes_on(office: Office) -> None:
    undo_end(office.event, find_game(office.event, "1"), by="Tess", why="not so late")


def replaced(office: Office) -> None:
    typed = {"board": "1.1", "power": "ITALY", "player": "nobody", "phase": "S1901"}
    enter_note(office.event, "substitute", typed, by="Tess", why="ill")


def position(office: Office) -> None:
    now = write_position(find_game(office.event, "1").position)
    late_year = {**now, "phase": "S1905M", "units": {**now["units"], "TURKEY": []}}
    office.event.facts.write(PositionSet(board="1.1", position=late_year), "Tess")


def dice(office: Office) -> None:
    said: dict[str, Any] = {"round": 1, "number": 1, "hash": "h", "year": 1904}
    office.event.facts.write(DiceCommitted(**said), "Tess")
    office.event.facts.write(DiceRolled(**said, seed="s", word="w", die=6, ends=True), "Tess")


FILE = (comes, nothing, is_read)
ALL = (rule, undo_rule, late, type_, undo_type, scan, stray, aside, *FILE, end, goes_on, replaced, position, dice)


def seen(office: Office, live: LiveDesk) -> list[Any]:
    """What waits on a desk, as its tokens say it."""
    return [_fingerprint_of(item) for item in agenda(live)]


@pytest.mark.parametrize("acts", [ALL, ALL[6:] + ALL[:6], (stray, rule, aside), (dice, rule)], ids=len)
def test_what_is_kept_of_a_board_is_what_is_found_anew(
    opened: Opened, acts: tuple[Callable[[Office], None], ...]
) -> None:
    office = opened.office
    for act in acts:
        act(office)
        with office.inside() as live:
            items = list(agenda(live))
            assert [item_fingerprint(live, item) for item in items] == [
                _fingerprint_of(item) for item in agenda(LiveDesk(live.event))
            ]
            assert [item_fingerprint(live, item) for item in items] == [_fingerprint_of(item) for item in items]
            for game in live.games.values():
                found = board_view(office, game, is_own=False)
                assert found == _board_anew(office, game) | {"own": False}, act
            assert live.spot_checks == LiveDesk(live.event).spot_checks
