"""Nobody is shown the inside of the program: what is told is words, at every door, under every tournament.

An event of many kinds of facts (sheets late, unsigned, refused, typed, joint; rows ruled, voted, noted, corrected) is
told through the journal, ``status``, ``orders``, ``explain``, the cards, the workbook and the pages.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from click.testing import CliRunner
from commands import run
from ledger.test_events import full
from openpyxl import load_workbook
from web.conftest import SEATS, Browser, Time, stranger

from desk.cup import NAMES, OPENINGS, clock, hand_in_sheet, inked, seated, sheets_of, spring
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import at_phase, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.explain import explain_question
from pipeline.desk.publish.public_record import start_clock, stop_clock
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.results.results import explain_standing
from pipeline.desk.review.orders_shown import board_orders
from pipeline.desk.review.queue import queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_sheet, type_lines, undo_ruling
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Box, Tier
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.happened import describe_fact
from pipeline.journal.lines import journal
from pipeline.ledger.events import KINDS, LedgerEvent, PositionSet, StandingsOpened
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write_position
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.rules.game_end import Moment
from pipeline.rules.load import tournament_ids
from pipeline.scoring.results import Ending
from pipeline.web.server import open_office
from pipeline.words.speech import Message, sentence

INSIDE = re.compile(r"<|Message\(|code=|\b[A-Z][A-Za-z]+\(\w+=|[{]\w+[}]| object at 0x|\bNone\b|Fraction\(")
LATE = [decision for decision in SheetDecision if decision.is_late]
OFFENCES = ("absence", "contesting", "late", "conduct", "season suspension", "verbal warning")


def inside(text: str) -> list[str]:
    """What of the inside of the program stands in a text, with what stands around it."""
    return [text[max(0, found.start() - 60) : found.end() + 60] for found in INSIDE.finditer(text)]


def texts_in(value: Any) -> Iterator[str]:
    """Every text in what a page is given."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from texts_in(each)
        case list() | tuple():
            for each in value:
                yield from texts_in(each)


def rule_on_everybody(event: Event, phase: str) -> None:
    """Settle a board, whoever waits for what: every way to say something of a sheet, one for each power."""
    game = find_game(event, "1.1")
    said = [*LATE, SheetDecision.REFUSED, SheetDecision.JOINT, SheetDecision.PROXY, SheetDecision.FOREIGN]
    for (power, units), decision in zip(game.position.units.items(), said, strict=False):
        turn = Turn("1.1", game.position.phase, power)
        type_lines(event, turn, [*(f"{unit} H" for unit in units[1:]), "A Nowhere - Atlantis"], by="Tess")
        rule_sheet(event, turn, decision, by="Tess", why="so it was")
    settle_all(event)
    publish(event, "1.1", "Tess")


def settle_all(event: Event) -> None:
    """Answer everything that waits on the first board: by the rule, else accepted, or no order."""
    for _ in range(80):
        doubt = next(iter(queue(event, "1.1")), None)
        if doubt is None:
            return
        if doubt.row is not None:
            by_rule = take_the_rule(doubt) or RowDecision(order=NOTHING, without=doubt.row.without)
            settle_doubt(event, doubt, by_rule, "Tess")
            continue
        state = Desk.of(event).power(find_game(event, "1.1"), doubt.turn.power).state
        missing = state is SheetState.MISSING
        settle_doubt(event, doubt, SheetDecision.NO_ORDERS if missing else SheetDecision.ACCEPTED, "Tess")
    raise AssertionError("there is no end of questions")


def eventful(folder: Path, tournament: str) -> Path:
    """An event in which much has happened."""
    cup = seated(folder / "cup", tournament=tournament)
    with open_event(cup, clock) as event:
        tell_seats(event, 1, "Tess")
        print_round(event, 1, wish=PrintWish(design=Design.LINE))
        for number, (power, texts) in enumerate(OPENINGS.items()):
            rows = [inked(row, text) for row, text in enumerate(texts, start=1)]
            rows[0] = inked(1, f"{texts[0]} xyz", Tier.ASKED if power is Power.ITALY else Tier.ACCEPTED)
            outside = (Box(10, 10, 20, 5),) if power is Power.RUSSIA else ()
            sheet = sheets_of(event, spring(power))[0]
            hand_in_sheet(event, sheet, rows, f"{number:064d}", signed=power is not Power.FRANCE, outside=outside)
        yielded = type_lines(event, spring(Power.GERMANY), ["F KIE H"], by="Ann")
        undo_ruling(event, yielded, "Ann", "mistyped")
        rule_sheet(event, spring(Power.ENGLAND), SheetDecision.LATE, by="Tess", why="ten minutes")
        settle_all(event)
        publish(event, "1.1", "Tess")
        rule_on_everybody(event, "F1901M")
        start_clock(event, "Spring 1902", (("negotiation", 900),), 0, "Tess")
        stop_clock(event, 10, "Tess")
        for kind in OFFENCES:
            enter_if(event, "penalty", player="Bo", kind=kind, points="1")
        enter_if(event, "bonus", player="Ada", kind="gift", points="1")
        enter_if(event, "score", board="1.1", power="ITALY", score="3")
        enter_if(event, "substitute", board="1.1", power="ITALY", player="nobody", phase="W1901")
        enter_if(event, "late-start", board="1.1", power="FRANCE", phase="F1901")
        enter_if(event, "lot", players="Ada\nBo")
        enter_if(event, "excluded", player="Gil")
        enter_if(event, "award", award="best stab", player="Dag")
        game = find_game(event, "1.1")
        asking = Asking(power=Power.FRANCE, moment=Moment.of(game.position.phase.step), all_agree=True, stalemate=True)
        with suppress(Stopped):
            hold_counted(event, game, asking, Count(1, 6), Says(ruled=True), by="Tess")
        end_game(event, game, Ending.TIME, by="Tess", why="called")
        event.facts.write(StandingsOpened(open=True), "Tess")
    return cup


def enter_if(event: Event, word: str, **values: str) -> None:
    """Enter a note where the tournament knows it."""
    with suppress(Stopped):
        enter_note(event, word, values, by="Tess", why="so ruled")


@pytest.fixture(scope="module", params=tournament_ids())
def cup(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event in which much has happened, under each tournament."""
    return eventful(tmp_path_factory.mktemp(request.param), request.param)


def test_the_journal_status_orders_and_explanations_are_words(cup: Path) -> None:
    with open_event(cup, clock) as event:
        told = [*texts_in([line.as_json() | {"why": ""} for line in journal(event)])]
        game = find_game(event, "1.1")
        assert len(game.played) >= 2
        for played in game.played:
            told += texts_in(board_orders(event, at_phase(game, str(played.phase))))
            for result in played.resolution.results:
                with suppress(Stopped):
                    told += explain_question(event, f"1.1 {played.phase} {getattr(result.order, 'unit', '')}")
        for name in NAMES.values():
            with suppress(Stopped):
                told += explain_standing(event, name)
    for words in (["status"], ["status", "--json"], ["journal"], ["rulings"], ["check"]):
        told.append(run(words[0], str(cup), *words[1:]))
    told.append(run("enter", str(cup), "list"))
    assert [found for text in told for found in inside(text)] == []
    assert len(told) > 200


def test_cards_and_the_workbook_are_words(cup: Path, tmp_path: Path) -> None:
    told = []
    for card in sorted((cup / "out").glob("*-card.pdf")):
        document = pypdfium2.PdfDocument(card)
        told += [page.get_textpage().get_text_range() for page in document]
    file = tmp_path / "standings.xlsx"
    CliRunner().invoke(group, ["standings", str(cup), "-o", str(file)])
    for sheet in load_workbook(file):
        told += [str(cell.value) for row in sheet.iter_rows() for cell in row if is_text(cell.value)]
    assert [found for text in told for found in inside(text)] == []
    assert len(told) > 100


def is_text(value: object) -> bool:
    """Whether a cell has words, and no formula, in which ``<`` compares."""
    return isinstance(value, str) and not value.startswith("=")


def test_the_pages_are_words(cup: Path) -> None:
    told: list[str] = []
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess, nobody = Browser(opened, "Tess"), stranger(opened)
        for page in ("/api/day", "/api/tables", "/api/notes", "/api/journal", "/api/clock", "/api/boards"):
            answer = tess.client.get(page)
            if answer.status_code == 200:
                told += texts_in(answer.json() | {"words": {}})  # sentences with their places, for the page to fill
        for page in ("/live", "/live/board/1.1", "/live/board/1.1/S1901M", "/live/board/1.1/F1901M", "/live/standings"):
            told.append(re.sub(r"<[^>]*>", " ", nobody.get(page).text))
    assert [found for text in told for found in inside(text) if "<svg" not in found] == []
    assert len(told) > 100


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.__name__)
def test_a_fact_of_every_kind_is_told_in_words(tmp_path: Path, kind: type[LedgerEvent]) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        said = full(kind)
        if isinstance(said, PositionSet):
            said = PositionSet(board="1.1", position=write_position(find_game(event, "1.1").position))
        fact: Fact[LedgerEvent] = Fact(999, "2026-01-02T09:00:00+00:00", "Tess", said)
        assert inside(sentence(describe_fact(fact, Chronicle.of(event)))) == []


def test_what_is_told_says_itself_wherever_it_stands() -> None:
    """A code with its data that is put into a text is its sentence, never its inside."""
    from pipeline.desk.sheets.pads import SheetReason  # noqa: PLC0415 - for this one

    told = Message.of(SheetReason.LINES, by="Tess", at="noon")
    assert f"{told}" == str(told) == "Tess typed lines on noon"
