"""A sentence may be reworded at any time: nothing that is settled opens again, and no decision changes.

In ``kept_events`` is an event with what the program said of it when it was played: rulings on units without an order,
rows left open, notes on ink, spoilt pictures, forms, a correction.
"""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace

from desk.cup import OPENINGS, hand_in, inked, seated, spring
from desk.cup import clock as ticking
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.orders_shown import board_orders
from pipeline.desk.review.queue import ReviewItem, queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk, rulings_book
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, all_rulings, type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.ink import Note, NoteMessage, PictureFault, Tier
from pipeline.interpret.doubts import Doubt as LineCode
from pipeline.interpret.doubts import LineDoubt
from pipeline.judge.outcome import Result
from pipeline.ledger.events import PageRead
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write, write_position
from pipeline.problems import Problem
from pipeline.words import speech
from pipeline.words.speech import Message, SentenceCode

KEPT = Path(__file__).parent / "kept_events"
TOURNAMENTS = ("weaselmoot",)
ENDED_BY_HAND = "2.1"  # ends were not checked then
IN_WORDS = ("reason", "problems", "told", "quotes")  # of a row or a power: sentences, or quoted from the rules


def nonsense(code: SentenceCode) -> str:
    """A sentence that says nothing, another for every code."""
    return f"zq{crc32(code.encode())} ; {type(code).__name__}"


def without_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reword every sentence: those of codes, of problems, of doubts about sheets and pads, and the judge's."""
    monkeypatch.setattr(speech, "_pattern", nonsense)
    monkeypatch.setattr(Problem, "text", nonsense_in(vars(Problem)["text"]))
    monkeypatch.setattr(Result, "reason", property(lambda result: f"zq {crc32(write(result.order).encode())}"))


def nonsense_in(text: Any) -> property:
    """Make problems whose text says nothing."""

    def reworded(problem: Problem) -> str:
        said = str(text.__get__(problem))
        return said if said.startswith("zq") else f"zq{crc32(said.encode())}"

    return property(reworded)


def kept_event(tournament: str, folder: Path) -> Path:
    """Lay a kept event out as it was, without its scans."""
    folder.mkdir()
    (folder / "event.toml").write_bytes((KEPT / f"{tournament}.toml").read_bytes())
    with sqlite3.connect(folder / "event.db") as made:
        made.executescript(gzip.decompress((KEPT / f"{tournament}.sql.gz").read_bytes()).decode())
    made.close()
    return folder


def said_then(tournament: str) -> Any:
    """What the program of that day said."""
    return json.loads(gzip.decompress((KEPT / f"{tournament}.json.gz").read_bytes()))


def later() -> Iterator[str]:
    return (f"2026-11-23T09:{n // 60:02d}:{n % 60:02d}+00:00" for n in count())


@pytest.fixture(params=TOURNAMENTS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Event]]:
    with open_event(kept_event(request.param, tmp_path / "event"), later().__next__) as event:
        yield request.param, event


def said_now(event: Event) -> dict[str, Any]:
    """The same of an event as it is read now."""
    return {
        "orders": {name: board_orders(event, game)["powers"] for name, game in games(event).items()},
        "positions": {name: write_position(game.position) for name, game in games(event).items()},
        "check": [{"where": problem.where, "text": problem.text} for problem in checked(event)],
    }


def checked(event: Event) -> list[Problem]:
    """What does not follow from the facts any more; the scans of these events are not kept."""
    return [problem for problem in check_event(event) if "(" not in problem.where]


def decisions(event: Event) -> Any:
    """All that is decided of an event, and nothing that is only said."""
    found = said_now(event)
    for powers in found["orders"].values():
        for power in powers.values():
            power["asks"] = [each["asks"] for each in power["told"]]
            for each in (power, *power["rows"]):
                for key in IN_WORDS:
                    each.pop(key, None)
    found["check"] = [each["where"] for each in found["check"]]
    found["book"] = [
        (each.situation, each.decision, each.by) for each in rulings_book(event.facts.everything()).rulings
    ]
    found["retaken"] = [
        any(told.code is PictureFault.MARKERS_LOST for told in fact.said.warnings or ())
        for fact in event.facts.select(PageRead)
    ]
    return found


def test_a_kept_event_says_what_it_said(kept: tuple[str, Event]) -> None:
    tournament, event = kept
    then, now = said_then(tournament), said_now(event)
    for board, position in now["positions"].items():
        assert position == {key: then["positions"][board][key] for key in position}
    assert [problem for problem in now["check"] if problem["where"] != ENDED_BY_HAND] == then["check"]
    for board, powers in now["orders"].items():
        for power, found in powers.items():
            before = then["orders"][board][power]
            assert (found["sheet"], found["problems"]) == (before["sheet"], before["problems"]), power
            assert [{key: row[key] for key in was} for was, row in zip(before["rows"], found["rows"], strict=True)] == (
                before["rows"]
            ), (board, power)


def test_a_kept_event_has_notes_and_faults_of_many_kinds(kept: tuple[str, Event]) -> None:
    _, event = kept
    lines = [line for sheets in sheets_in(event).values() for each in sheets for line in each.lines]
    notes = {note.code if isinstance(note, Message) else note for line in lines for note in line.notes}
    assert {*Note} > notes > {Note.TORN}
    faults = [told for fact in event.facts.select(PageRead) for told in fact.said.warnings or ()]
    assert PictureFault.ONE_BIT in {told.code for told in faults}
    without = [each for of in all_rulings(event).values() for row in of.rows for each in row.decision.without]
    assert {each.code for each in without} == {LineCode.NO_ORDER}
    assert all(len(str(each["unit"])) == len("F EDI") for each in without)


def test_with_every_sentence_reworded_a_kept_event_decides_as_before(
    kept: tuple[str, Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, event = kept
    before = decisions(event)
    without_sense(monkeypatch)
    rows = [row for power in Desk.of(event).board(find_game(event, "1.1")) for row in power.rows]
    assert all(row.reason.startswith("zq") for row in rows), "the sentences are indeed others"
    assert decisions(event) == before


def settled(event: Event, board: str) -> None:
    """Settle all that waits on a board: by the rule where one says what stands, else a row gives no order."""
    for _ in range(200):
        doubt = next(iter(queue(event, board)), None)
        if doubt is None:
            return
        settle_doubt(event, doubt, decision_on(doubt), "Tess")
    raise AssertionError("something that was settled is open again")


def decision_on(doubt: ReviewItem) -> RowDecision | SheetDecision:
    if doubt.row is None:
        return SheetDecision.NO_ORDERS if "conduct.missing_sheet" in doubt.settings else SheetDecision.ACCEPTED
    return take_the_rule(doubt) or RowDecision(order=NOTHING, without=doubt.row.without)


def test_what_was_settled_in_one_language_is_settled_in_every_other(
    kept: tuple[str, Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, event = kept
    with monkeypatch.context() as reworded:
        without_sense(reworded)
        for board in ("1.1", "1.2"):
            settled(event, board)
        then = decisions(event)
        assert not list(queue(event, "1.1")) + list(queue(event, "1.2"))
    assert decisions(event) == then
    assert not list(queue(event, "1.1")) + list(queue(event, "1.2"))


@pytest.mark.parametrize("tournament", ["edc2023", "nzdc1999", "wdc2008"])
def test_a_new_event_decides_the_same_whatever_the_sentences_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tournament: str
) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), ticking) as event:
        print_round(event, 1)
        board = next(iter(games(event)))
        for power in Power:
            orders = OPENINGS[power]
            lines = [inked(row, order) for row, order in enumerate(orders[:-1], start=1)]
            if power is Power.FRANCE:
                lines = [inked(1, "A Par - Xyzq, A Mar - Spq"), inked(2, "F Bre - Mao", Tier.ASKED)]
                lines[1] = replace(
                    lines[1], notes=(Note.LEAVES_ROW, NoteMessage.of(Note.ENGINE_FAILED, engine="e", why="w"))
                )
            if power is Power.ITALY:
                type_lines(event, spring(power), ["A ROM - Xyzq", "A VEN H"], by="Tess")
            else:
                hand_in(event, spring(power), lines, sha256=str(power) * 9, signed=power is not Power.TURKEY)
        waiting = list(queue(event, board))
        assert {doubt.row.line for doubt in waiting if doubt.row} >= {1, 2}
        for doubt in waiting[::2]:
            settle_doubt(event, doubt, decision_on(doubt), "Tess")
        half = decisions(event)
        with monkeypatch.context() as reworded:
            without_sense(reworded)
            assert decisions(event) == half
            settled(event, board)
            whole = decisions(event)
        assert decisions(event) == whole
        lacking = [each for of in all_rulings(event).values() for row in of.rows for each in row.decision.without]
        assert lacking and {each.code for each in lacking} == {LineCode.NO_ORDER}
        publish(event, board, "Tess")
        published = decisions(event)
        without_sense(monkeypatch)
        assert decisions(event) == published
        assert checked(event) == []


def test_what_no_row_orders_is_written_down_as_a_code(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), ticking) as event:
        type_lines(event, spring(Power.FRANCE), ["A PAR - BUR", "A MAR H"], by="Tess")
        board = next(iter(games(event)))
        doubt = next(each for each in queue(event, board) if each.row is not None and each.turn.power is Power.FRANCE)
        fact = settle_doubt(event, doubt, decision_on(doubt), "Tess")
        body = body_of(fact.said)
        assert body["without"] == [{"code": "NO_ORDER", "unit": "F BRE"}]
        assert body["asked"]["lacks"] == {"code": "NO_ORDER", "unit": "F BRE"}
        assert LineDoubt.of(LineCode.NO_ORDER, unit="F BRE").as_body() == body["without"][0]
