"""What is known to be written on a player's sheets changes how that player's next sheets are read, and nothing else."""

import json
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from facts_as_kept import read_facts
from msgspec.structs import replace

from desk.cup import NAMES, OPENINGS, clock, hand_in, hand_in_all, inked, spring, written_twice
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.seating import seat_round
from pipeline.desk.hands.known_rows import KnownBy, known_rows
from pipeline.desk.hands.reader import ROOM_TO_SPARE, Hands
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import check_row
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.ink import InkReading, Note, Tier, Transcription
from pipeline.ledger.ledger import _read_text
from pipeline.ledger.parts import SheetDecision
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser

ENGLAND, FRANCE = Power.ENGLAND, Power.FRANCE
TURN = spring(ENGLAND)


def known(event: Event) -> list[tuple[int, str, KnownBy]]:
    """What is known of England's rows."""
    return [(row.row, row.text, row.how) for row in known_rows(event).get(TURN, ())]


def test_what_a_person_read_is_known_letter_by_letter(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH", Tier.ASKED), inked(2, "F EDI - NWG", Tier.ASKED)])
    rule_row(event, TURN, 1, RowDecision(text="F London-NTH"), "Tess")
    assert known(event) == [(1, "F London-NTH", KnownBy.TYPED)]


def test_an_order_that_was_chosen_is_known_as_the_reader_had_read_it(event: Event) -> None:
    line = replace(
        inked(1, "F LON - NWY", Tier.ASKED), readings=(InkReading("F LON - NWY", 0.4), InkReading("F LON-NTH", 0.3))
    )
    hand_in(event, TURN, [line])
    rule_row(event, TURN, 1, RowDecision(order="F LON - NTH"), "Tess")
    assert known(event) == [(1, "F LON-NTH", KnownBy.CHOSEN)]


def test_a_ruling_that_changes_the_order_says_nothing_about_the_ink(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH"), inked(2, "F EDI - NWG"), inked(3, "A LVP - YOR")])
    rule_row(event, TURN, 1, RowDecision(order="F LON H", why="by the rule"), "Tess")
    rule_row(event, TURN, 2, RowDecision(order="nothing"), "Tess")
    rule_row(event, TURN, 3, RowDecision(order="A LVP H"), "Tess")
    assert known(event) == []


def test_a_ruling_that_was_taken_back_says_nothing(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH", Tier.ASKED)])
    undo_ruling(event, rule_row(event, TURN, 1, RowDecision(text="F LON - NTH"), "Tess"), "Tess")
    assert known(event) == []


def test_a_row_that_was_struck_out_or_left_is_no_lesson(event: Event) -> None:
    notes = (*(Note.STRUCK_OUT, Note.LEAVES_ROW, Note.PARTLY_STRUCK), Note.MORE)
    lines = [replace(inked(n, "F LON - NTH", Tier.ASKED), notes=(note,)) for n, note in enumerate(notes, start=1)]
    hand_in(event, TURN, lines)
    for line in lines:
        rule_row(event, TURN, line.number, RowDecision(text="F LON - NTH"), "Tess")
    assert known(event) == []


def test_a_row_that_was_read_alone_is_known_once_it_was_published_or_checked(event: Event) -> None:
    hand_in_all(event)
    assert known(event) == []
    rows = Desk.of(event).power(find_game(event, "1"), ENGLAND).rows
    check_row(event, TURN, rows[0], right=True, by="Tess")
    check_row(event, TURN, rows[1], right=False, by="Tess")
    assert known(event) == [(1, "F LON - NTH", KnownBy.CHECKED)]

    publish(event, "1", "Tess")

    assert known(event) == [(1, "F LON - NTH", KnownBy.CHECKED), (3, "A LVP - YOR", KnownBy.STOOD)]


def test_a_row_that_nobody_looked_at_teaches_only_with_room_to_spare(event: Event) -> None:
    hand_in_all(event, but=ENGLAND)
    barely, amply = ROOM_TO_SPARE - 0.001, ROOM_TO_SPARE + 0.001
    lines = [
        replace(inked(row, text), readings=(InkReading(text, sure),))
        for row, (text, sure) in enumerate(zip(OPENINGS[ENGLAND], (barely, amply, barely), strict=True), start=1)
    ]
    hand_in(event, TURN, lines)
    rows = Desk.of(event).power(find_game(event, "1"), ENGLAND).rows
    check_row(event, TURN, rows[2], right=True, by="Tess")
    publish(event, "1", "Tess")

    assert [row for row, *_ in known(event)] == [1, 2, 3]
    taught = Hands(event, net()).rows_of(NAMES[ENGLAND])
    assert {(row.row, row.how) for row in taught} == {(2, KnownBy.STOOD), (3, KnownBy.CHECKED)}


def test_a_sheet_that_does_not_count_teaches_nothing(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH", Tier.ASKED)])
    rule_row(event, TURN, 1, RowDecision(text="F LON - NTH"), "Tess")
    rule_sheet(event, TURN, SheetDecision.REFUSED, by="Tess")
    assert known(event) == []


def test_lines_typed_instead_of_a_sheet_say_nothing_about_its_ink(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH", Tier.ASKED)])
    type_lines(event, TURN, ["F LON - ENG"], by="Tess")
    assert known(event) == []


def test_a_hand_is_its_players_whatever_the_power(event: Event) -> None:
    hand_in(event, TURN, [inked(1, "F LON - NTH", Tier.ASKED)])
    fact = rule_row(event, TURN, 1, RowDecision(text="F LON - NTH"), "Tess")
    turned = dict(zip(Power, [*list(NAMES.values())[1:], NAMES[Power.AUSTRIA]], strict=True))
    seat_round(event, 2, {"1": turned}, by="Tess")
    print_round(event, 2)
    hands = Hands(event, net())
    mine = [sheet_id for sheet_id in printed_sheets(event) if hands.player_of(sheet_id) == NAMES[ENGLAND]]
    assert [printed_sheets(event)[sheet_id].request.power for sheet_id in mine] == [ENGLAND, Power.AUSTRIA]
    assert [row.text for row in hands.rows_of(NAMES[ENGLAND])] == ["F LON - NTH"]
    assert hands.rows_of(NAMES[ENGLAND], before=fact.number) == ()
    assert hands.rows_of(NAMES[FRANCE]) == ()
    assert hands.rows_of(None) == ()


@cache
def net() -> NetRecogniser:
    """The net; nothing changes it."""
    return NetRecogniser()


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event whose England and France wrote two sheets each: the first ones scanned, the second ones waiting."""
    return written_twice(tmp_path_factory.mktemp("hands"), {ENGLAND: 11, FRANCE: 3})


@pytest.fixture
def cup(papers: Path, tmp_path: Path) -> Path:
    """A copy of that event, for one test."""
    shutil.copytree(papers / "cup", tmp_path / "cup")
    return tmp_path / "cup"


def rule(folder: Path, power: Power, texts: list[str]) -> None:
    """The director reads a sheet."""
    with open_event(folder, clock) as event:
        for line, text in enumerate(texts, start=1):
            rule_row(event, spring(power), line, RowDecision(text=text), "Tess")


def second_sheets(folder: Path, papers: Path) -> dict[Power, Transcription]:
    """Take the second sheets in and give back how they were read."""
    with open_event(folder, clock) as event:
        assert take_in(event, sorted((papers / "scans2").iterdir()), net(), lambda _: None) == ()
        sheets = printed_sheets(event)
        found = [
            _read_text(Transcription, json.dumps(fact.body["transcription"]))
            for fact in read_facts(event.facts, "page read")
        ]
        return {sheets[one.sheet_id].request.power: one for one in found}  # of two sheets the second


@pytest.fixture(scope="module")
def before(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Power, Transcription]:
    """How the second sheets are read while nobody has ruled on anything."""
    return second_sheets(Path(shutil.copytree(papers / "cup", tmp_path_factory.mktemp("plain") / "cup")), papers)


def test_a_ruling_changes_how_the_players_next_sheet_is_read_and_nobody_elses(
    cup: Path, papers: Path, before: dict[Power, Transcription]
) -> None:
    rule(cup, ENGLAND, OPENINGS[ENGLAND])

    after = second_sheets(cup, papers)

    plain = net().name
    assert before[ENGLAND].reader == plain
    assert after[ENGLAND].reader.startswith(f"{plain}, 3 rows of this hand")
    assert after[ENGLAND].lines != before[ENGLAND].lines
    assert after[FRANCE] == before[FRANCE]


def test_rows_of_boxes_teach_their_hand_too(tmp_path: Path) -> None:
    papers = written_twice(tmp_path, {ENGLAND: 11}, Design.TARGETS)
    rule(papers / "cup", ENGLAND, OPENINGS[ENGLAND])
    plain = net().name
    assert second_sheets(papers / "cup", papers)[ENGLAND].reader.startswith(f"{plain}, 3 rows of this hand")


def test_a_text_that_is_not_what_stands_there_teaches_nothing(
    cup: Path, papers: Path, before: dict[Power, Transcription]
) -> None:
    rule(cup, ENGLAND, ["A LVP - YOR", "F LON - NTH", "F EDI - NWG"])  # each on another's row

    after = second_sheets(cup, papers)

    assert after[ENGLAND].lines == before[ENGLAND].lines


def test_an_event_may_leave_the_hands_alone(cup: Path, papers: Path) -> None:
    rule(cup, ENGLAND, OPENINGS[ENGLAND])
    text = (cup / "event.toml").read_text("utf-8")
    (cup / "event.toml").write_text(text.replace("[event]", "[event]\nlearns_hands = false"), "utf-8")
    assert second_sheets(cup, papers)[ENGLAND].reader == net().name


def taught_by(folder: Path) -> NetRecogniser | None:
    """Who would read England's second sheet."""
    with open_event(folder, clock) as event:
        sheet = next(s for s, p in reversed(printed_sheets(event).items()) if p.request.power is ENGLAND)
        return Hands(event, net()).reader_of(sheet).taught


@pytest.mark.parametrize("loss", ["gone", "broken"])
def test_what_was_seen_is_seen_again_in_the_scan(cup: Path, loss: str) -> None:
    rule(cup, ENGLAND, OPENINGS[ENGLAND])
    first = taught_by(cup)
    files = list((cup / "out" / "hands").iterdir())
    assert len(files) == 2
    for file in files:
        if loss == "gone":
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[:100])

    second = taught_by(cup)

    assert first is not None
    assert second is not None
    assert np.array_equal(first.head.kernel, second.head.kernel)
    assert not np.array_equal(first.head.kernel, net().head.kernel)


def test_without_the_scan_nothing_is_learnt_and_nothing_breaks(cup: Path) -> None:
    rule(cup, ENGLAND, OPENINGS[ENGLAND])
    shutil.rmtree(cup / "out")
    shutil.rmtree(cup / "scans")
    assert taught_by(cup) is None
