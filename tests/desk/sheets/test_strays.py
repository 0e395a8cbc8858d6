"""Pages whose sheet is not known, and sheets that came for another phase than the one that is open."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from facts_as_kept import append_fact

from desk.cup import OPENINGS, hand_in, hand_in_all, hand_in_sheet, inked, sheets_of, spring
from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.intake.ingest import find_page, identify_page, set_page_aside
from pipeline.desk.publish.publish import apply_correction, propose_correction, publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.orders_shown import status
from pipeline.desk.review.queue import Ready, ReviewItem, agenda
from pipeline.desk.ruling.desk import rule_without_order
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, undo_ruling
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Transcription
from pipeline.ledger.events import ScanRead, ScanReceived
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.problems import Problem, Stopped
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.rehearse import InventedScript
from pipeline.rehearsal.simulation import Listener, Simulation

AUSTRIA = spring(Power.AUSTRIA)
SCAN = "e" * 64
PAD = PrintWish(pads=1)
LATER = PrintWish(phase=Phase.read("F1901M"))


def waits(event: Event, offers: Iterable[str], tray: str = "unidentified") -> None:
    """A page that could not be filed comes in."""
    sheets = list(offers)
    body: dict[str, object] = {"sha256": SCAN, "page": 1, "tray": tray, "text": "both codes are gone", "offers": sheets}
    if tray == "doubtful":
        read = Transcription(sheet_id=sheets[0], scan_sha256=SCAN, page=1, reader="test", lines=(), residual_mm=0)
        body["transcription"] = body_of(read)
    with event.facts.transaction():  # an office that is open reads a file as soon as it is there and not read
        append_fact(event.facts, "scan received", {"sha256": SCAN, "name": "torn.png", "path": "torn.png"}, "scan")
        append_fact(event.facts, "page read", body, "test")
        append_fact(event.facts, "scan read", {"sha256": SCAN, "pages": 1}, "test")


def is_ready(event: Event) -> bool:
    """Whether the board can be published, as everybody is told who looks."""
    (board,) = status(event)["boards"]
    assert board["ready"] == any(isinstance(item, Ready) for item in agenda(LiveDesk(event)))
    return bool(board["ready"])


@pytest.mark.parametrize("tray", ["unidentified", "doubtful"])
def test_nothing_is_published_while_a_page_waits_that_may_be_a_sheet_of_the_phase(event: Event, tray: str) -> None:
    hand_in_all(event)
    assert is_ready(event)
    sheet = sheets_of(event, AUSTRIA)[0]
    waits(event, [sheet], tray)

    assert not is_ready(event)
    with pytest.raises(Stopped) as stopped:
        publish(event, "1", "Tess")

    assert stopped.value.code == 3
    assert [str(problem) for problem in stopped.value.problems] == [
        f"asks   1.1 S1901M torn.png page 1 (eeeeeeee): {tray}, and may be AUSTRIA's {sheet}; "
        "say which sheet it is ('page --is'), or put it aside"
    ]
    assert find_game(event, "1").played == ()


def test_a_page_that_was_put_aside_holds_nothing_up(event: Event) -> None:
    hand_in_all(event)
    waits(event, sheets_of(event, AUSTRIA))

    set_page_aside(event, find_page(event, SCAN, 1), "Tess", "a test print")

    assert is_ready(event)
    publish(event, "1", "Tess")


def test_a_page_that_was_named_holds_nothing_up(event: Event) -> None:
    hand_in_all(event, but=Power.AUSTRIA)
    sheet = sheets_of(event, AUSTRIA)[0]
    waits(event, [sheet], "doubtful")
    rows = [inked(row, line) for row, line in enumerate(OPENINGS[Power.AUSTRIA], start=1)]
    hand_in_sheet(event, sheet, rows, "a" * 64)

    identify_page(event, find_page(event, SCAN, 1), sheet, NoRecogniser(), "Tess")

    assert is_ready(event)


def test_nobody_is_asked_for_a_sheet_that_a_file_may_bring_and_no_orders_given_before_hold_the_board_up(
    event: Event,
) -> None:
    hand_in_all(event, but=Power.AUSTRIA)
    assert [item.turn for item in agenda(LiveDesk(event)) if isinstance(item, ReviewItem)] == [AUSTRIA]
    event.facts.write(ScanReceived(sha256=SCAN, name="queue.pdf", path="queue.pdf"), "scan")
    assert not [item for item in agenda(LiveDesk(event)) if isinstance(item, ReviewItem)]

    rule_sheet(event, AUSTRIA, SheetDecision.NO_ORDERS, by="Tess", why="he is ill")

    assert not is_ready(event)
    with pytest.raises(Stopped, match=r"Tess ruled 'no orders' of AUSTRIA before queue\.pdf was read"):
        publish(event, "1", "Tess")
    event.facts.write(ScanReceived(sha256="f" * 64, name="after.pdf", path="after.pdf"), "scan")
    event.facts.write(ScanRead(sha256=SCAN, pages=1), "scan")
    assert is_ready(event), "what came after the ruling does not hold it up"
    hand_in(event, AUSTRIA, [inked(1, "A VIE - GAL")], sha256="f" * 64)
    asked, *_ = (item for item in agenda(LiveDesk(event)) if isinstance(item, ReviewItem))
    assert asked.problem is not None
    assert "came in after Tess ruled 'no orders'" in asked.problem.text


def test_a_page_of_another_phase_or_of_no_sheet_holds_nothing_up(event: Event) -> None:
    hand_in_all(event)
    print_round(event, 1, wish=LATER)
    later = sheets_of(event, Turn("1.1", Phase.read("F1901M"), Power.AUSTRIA))
    assert len(later) == 1

    waits(event, [*later, "TEST-B001-X"])

    assert is_ready(event)
    publish(event, "1", "Tess")
    assert "torn.png" in status(event)["problems"][0]["where"]


def test_a_pad_of_the_kind_that_is_open_holds_the_board_up_and_one_of_another_kind_does_not(event: Event) -> None:
    hand_in_all(event)
    print_round(event, 1, wish=PAD)
    pads = {
        str(sheet.request.phase.step): name
        for name, sheet in printed_sheets(event).items()
        if sheet.request.is_pad and sheet.request.power is Power.AUSTRIA
    }
    waits(event, [pads["R"], pads["A"]])
    assert is_ready(event)

    waits(event, list(pads.values()))

    assert not is_ready(event)
    with pytest.raises(Stopped, match=f"may be AUSTRIA's {pads['M']};"):
        publish(event, "1", "Tess")


def test_of_many_sheets_the_first_are_named_and_the_others_counted(event: Event) -> None:
    hand_in_all(event)
    print_round(event, 1, wish=PrintWish(spare=4))
    sheets = sheets_of(event, AUSTRIA)
    waits(event, sheets)

    with pytest.raises(Stopped, match=f"AUSTRIA's {sheets[3]} or {len(sheets) - 4} more; say which"):
        publish(event, "1", "Tess")


def test_the_director_of_a_rehearsal_puts_such_a_page_aside_and_goes_on(event: Event, tmp_path: Path) -> None:
    hand_in_all(event)
    waits(event, sheets_of(event, AUSTRIA))
    script = InventedScript(event, 1, 1)

    Simulation(event, script, tmp_path, NoRecogniser(), Listener()).rule(find_game(event, "1"), {})

    assert is_ready(event)


def test_a_published_phase_is_not_corrected_while_a_page_of_it_waits(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    waits(event, sheets_of(event, AUSTRIA))

    assert [problem.where for problem in caught(event)] == ["1.1 S1901M torn.png page 1 (eeeeeeee)"]


def caught(event: Event) -> tuple[Problem, ...]:
    """What a correction of the Spring is refused for."""
    with pytest.raises(Stopped) as stopped:
        propose_correction(event, find_game(event, "1"), "S1901M", deadline_passed=False)
    return stopped.value.problems


def late(event: Event, sheet: str, lines: Iterable[str]) -> None:
    """One of Austria's sheets comes in after the others."""
    hand_in_sheet(event, sheet, [inked(row, line) for row, line in enumerate(lines, start=1)], SCAN)


def problems(event: Event) -> list[tuple[str, str]]:
    return [(problem["where"], problem["text"]) for problem in status(event)["problems"]]


def test_a_sheet_of_a_phase_that_is_published_is_told_until_it_is_put_aside(event: Event) -> None:
    hand_in_all(event)
    print_round(event, 1)
    spare = sheets_of(event, AUSTRIA)[1]
    publish(event, "1", "Tess")
    assert problems(event) == []

    late(event, spare, ["A VIE H", "A BUD H", "F TRI H"])

    told = "Spring 1901 is published, Fall 1901 is open; see what 'correct' would change, then put the sheet aside"
    assert problems(event) == [(f"{spare} 1.1 AUSTRIA", told)]
    set_page_aside(event, find_page(event, SCAN, 1), "Tess", "his Fall orders, typed")
    assert problems(event) == []


def test_a_late_sheet_that_is_ruled_on_waits_no_more_until_the_ruling_is_taken_back(event: Event) -> None:
    hand_in_all(event)
    print_round(event, 1)
    publish(event, "1", "Tess")
    late(event, sheets_of(event, AUSTRIA)[1], ["A VIE H", "A BUD H", "F TRI H"])
    live = LiveDesk(event)
    assert live.late_sheets()
    ruling = rule_sheet(event, AUSTRIA, SheetDecision.ACCEPTED, by="Tess")
    live.refresh()
    assert not live.late_sheets()
    assert [("ruled on since" in text) for _, text in problems(event)] == [True], "until it is corrected"
    undo_ruling(event, ruling, "Tess")
    live.refresh()
    assert live.late_sheets()
    set_page_aside(event, find_page(event, SCAN, 1), "Tess", "too late")
    assert problems(event) == [], "it is as it was published"


def test_a_sheet_that_was_in_before_its_phase_was_published_and_comes_again_is_nothing_new(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")

    late(event, sheets_of(event, AUSTRIA)[0], OPENINGS[Power.AUSTRIA])

    assert problems(event) == []


def test_a_correction_of_an_earlier_phase_does_not_settle_a_late_sheet_and_a_position_set_anew_does(
    event: Event,
) -> None:
    hand_in_all(event)
    print_round(event, 1)
    spare = sheets_of(event, AUSTRIA)[1]
    start = write_position(find_game(event, "1").position)
    publish(event, "1", "Tess")
    late(event, spare, [])
    rule_row(event, spring(Power.ENGLAND), 1, RowDecision(order="F LON - ENG"), "Tess")
    apply_correction(
        event,
        propose_correction(event, find_game(event, "1"), "S1901M", deadline_passed=False),
        by="Tess",
        why="misread",
    )
    assert [where for where, _ in problems(event)] == [f"{spare} 1.1 AUSTRIA"]

    append_fact(event.facts, "position set", {"board": "1.1", "position": start}, "Tess")
    publish(event, "1", "Tess")

    assert problems(event) == []


def test_sheets_that_were_in_when_a_position_was_set_by_hand_need_nothing_more(event: Event) -> None:
    hand_in_all(event)
    publish(event, "1", "Tess")
    now = write_position(find_game(event, "1").position)
    append_fact(event.facts, "position set", {"board": "1.1", "position": now}, "Tess")

    assert problems(event) == []
    late(event, sheets_of(event, AUSTRIA)[0], [])
    assert problems(event) == []

    print_round(event, 1, wish=PrintWish(phase=AUSTRIA.phase))
    spare = sheets_of(event, AUSTRIA)[1]
    hand_in_sheet(event, spare, [], "f" * 64)
    told = "is published, and the position was set by hand since: it changes nothing; put the sheet aside"
    assert problems(event) == [(f"{spare} 1.1 AUSTRIA", f"Spring 1901 {told}")]


def test_a_sheet_of_a_phase_to_come_is_told(event: Event) -> None:
    print_round(event, 1, wish=LATER)
    (sheet,) = sheets_of(event, Turn("1.1", Phase.read("F1901M"), Power.AUSTRIA))

    late(event, sheet, ["A VIE H"])

    assert problems(event) == [(f"{sheet} 1.1 AUSTRIA", "it waits for Fall 1901; Spring 1901 is open")]


def test_a_page_that_is_named_once_more_after_its_phase_was_published_is_not_late(event: Event) -> None:
    hand_in_all(event, but=AUSTRIA.power)
    sheet = sheets_of(event, AUSTRIA)[0]
    waits(event, [sheet], "doubtful")
    identify_page(event, find_page(event, SCAN, 1), sheet, NoRecogniser(), "Tess")
    rule_without_order(event, AUSTRIA, "the sheet is empty", "Tess")
    publish(event, "1", "Tess")

    identify_page(event, find_page(event, SCAN, 1), sheet, NoRecogniser(), "Tess")

    assert problems(event) == []
