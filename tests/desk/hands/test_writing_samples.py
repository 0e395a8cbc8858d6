"""A writing sample that was filled in teaches its player's hand, from the first row on, and nobody else's."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reading.stand_ins import Crashing

from desk.forms.table import DPI, HAND, NAMES, Table, event_of, hand
from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import NOTHING, find_form, rule_field
from pipeline.desk.hands.known_rows import KnownBy, awaits_samples, sample_rows
from pipeline.desk.hands.reader import Hands
from pipeline.desk.review.orders_shown import _status_anew, set_aside
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.ink import Tier
from pipeline.ledger.events import PageRead
from pipeline.paper.form import FormKind
from pipeline.paper.places_to_write import CONFUSED, LETTERS, PLACES, places_to_write
from pipeline.paper.sheet_layout import TextAnswer
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import FieldMark, Strike, fill
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rules.load import load_tournament

ADA, BO = NAMES[:2]


@pytest.fixture(scope="module")
def engine() -> NetRecogniser:
    return NetRecogniser()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with event_of(tmp_path, "weaselmoot") as event:
        yield Table(event, tmp_path)


def written(table: Table, player: str, **instead: FieldMark | None) -> tuple[str, Grey]:
    """Print a player's sample and fill it, with something else on some lines; its id, and the paper."""
    printed = print_wanted(table.event, Wanted(kind=FormKind.SAMPLE, players=(player,)))
    (page,) = printed.pages
    texts = {a.name: a.copies.upper() for a in page.answers if isinstance(a, TextAnswer)}
    wanted: dict[str, FieldMark | None] = {**texts, **instead}
    return page.sheet, table.filled(printed, 0, {(name, None): mark for name, mark in wanted.items() if mark})


def lines_taught(event: Event, player: str) -> dict[str, KnownBy]:
    return {row.text: row.how for row in sample_rows(event).get(player, ())}


def test_every_player_has_a_form_with_all_letters_and_ten_places_of_the_table(table: Table) -> None:
    printed = table.printed(FormKind.SAMPLE)
    assert len(printed.pages) == len(NAMES)
    copies = [answer.copies for answer in printed.pages[0].answers if isinstance(answer, TextAnswer)]
    assert tuple(copies[:3]) == LETTERS
    assert sorted("".join(LETTERS).replace(" ", "")) == sorted("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert tuple(copies[3:]) == places_to_write(table.event.tournament.abbreviations)
    assert len(copies[3:]) == PLACES


@pytest.mark.parametrize("tournament", ["weaselmoot", "edc1996", "edc2023", "nzdc1999", "wdc2008"])
def test_each_confused_letter_stands_in_the_places_of_every_table_twice(tournament: str) -> None:
    places = "".join(places_to_write(load_tournament(tournament).abbreviations)).lower()
    assert {letter: places.count(letter) >= 2 for pair in CONFUSED for letter in pair} == dict.fromkeys(
        "".join(CONFUSED), True
    )


def test_a_filled_sample_teaches_every_line_to_its_player_alone(table: Table, engine: NetRecogniser) -> None:
    _, paper = written(table, ADA)
    assert awaits_samples(table.event)
    table.scanned([paper], engine)
    assert not awaits_samples(table.event)
    hands = Hands(table.event, engine)
    rows = hands.rows_of(ADA)
    assert len(rows) == len(LETTERS) + PLACES
    assert {row.how for row in rows} == {KnownBy.COPIED}
    assert hands.rows_of(BO) == ()
    assert len(hands.lessons(rows)) == len(rows)
    taught = engine.taught_by(hands.lessons(rows))
    assert len(taught.heads) == len(engine.heads) > 1
    for learnt, before in zip(taught.heads, engine.heads, strict=True):
        assert not np.array_equal(learnt.kernel, before.kernel)  # all readers have learnt it


@pytest.mark.slow
def test_what_is_empty_struck_out_or_something_else_teaches_nothing_and_is_told(
    table: Table, engine: NetRecogniser
) -> None:
    form, paper = written(table, ADA, Vienna="PARIS", Munich=None, Livonia="LIVONA", Finland=Strike())
    table.scanned([paper], engine)
    assert not {"Vienna", "Munich", "Livonia", "Finland"} & lines_taught(table.event, ADA).keys()
    assert len(lines_taught(table.event, ADA)) == len(LETTERS) + PLACES - 4
    (told,) = _status_anew(table.event)["forms"]
    assert told["form"] == form
    assert told["doubts"] == []  # nobody need say anything
    for said in ("9 of 13", "Vienna", "Munich", "Livonia", "Finland"):
        assert said in told["state"]


@pytest.mark.slow
def test_what_a_person_says_of_a_line_counts(table: Table, engine: NetRecogniser) -> None:
    form, paper = written(table, ADA, Vienna="WIEN")
    table.scanned([paper], engine)
    printed = find_form(table.event, form)
    rule_field(table.event, printed, "Vienna", "Wien", by="Tess")
    rule_field(table.event, printed, "Munich", NOTHING, by="Tess")
    found = lines_taught(table.event, ADA)
    assert found["Wien"] is KnownBy.TYPED
    assert "Vienna" not in found
    assert "Munich" not in found


def test_a_sample_that_is_set_aside_teaches_nothing(table: Table, engine: NetRecogniser) -> None:
    form, paper = written(table, ADA)
    table.scanned([paper], engine)
    set_aside(table.event, find_form(table.event, form), by="Tess", why="his neighbour wrote it")
    assert lines_taught(table.event, ADA) == {}
    assert Hands(table.event, engine).rows_of(ADA) == ()


@pytest.mark.parametrize("reader", [NoRecogniser(), Crashing()])
def test_without_a_reader_a_sample_is_kept_and_teaches_nothing(table: Table, reader: NoRecogniser | Crashing) -> None:
    _, paper = written(table, ADA, Vienna=None)
    (page,) = table.scanned([paper], reader)
    assert page.tray == "filed"
    assert lines_taught(table.event, ADA) == {}
    (told,) = _status_anew(table.event)["forms"]
    first, *others = told["state"].split("; ")
    assert (first, told["doubts"]) == ("lines that teach the hand: 0 of 13", [])
    assert sum(each.endswith(" is empty") for each in others) == 1, others
    assert "Munich cannot be read" in others


@pytest.mark.slow
def test_a_sample_teaches_the_sheet_that_lies_above_it_in_the_same_pile(table: Table, engine: NetRecogniser) -> None:
    ada = filled_sheet(table, {("order", 1): "A VIE - GAL", ("order", 2): "A BUD - SER"})
    _, later = written(table, BO)
    _, sample = written(table, ADA)
    table.scanned([ada, later, sample], engine)
    pages = [fact.said for fact in table.event.facts.select(PageRead)]
    (sheet,) = [page.transcription for page in pages if page.transcription is not None]
    assert f"{len(LETTERS) + PLACES} rows of this hand" in sheet.reader
    assert [line.text for line in sheet.lines if line.tier is not Tier.BLANK] == ["A VIE - GAL", "A BUD - SER"]
    assert {(page.page, page.tray) for page in pages} == {(1, "filed"), (2, "filed"), (3, "filed")}
    assert len(pages) == 3  # each page once, in whatever order


def filled_sheet(table: Table, marks: Mapping[tuple[str, int | None], str]) -> Grey:
    """Print Austria's sheet, the first, and write on it."""
    printed = print_round(table.event, 1, wish=PrintWish(design=Design.LINE))
    with pypdfium2.PdfDocument(printed.pdf) as document:
        page = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    grey = np.ascontiguousarray(np.asarray(page.reshape(page.shape[:2]), np.uint8))
    return fill(grey, printed.layout.pages[0].as_json(), marks, hand(HAND), np.random.default_rng(HAND))


def test_samples_are_printed_for_players_of_the_roster_only(table: Table) -> None:
    with pytest.raises(Stopped) as stopped:
        print_wanted(table.event, Wanted(kind=FormKind.SAMPLE, players=("Nobody", "99")))
    assert [problem.where for problem in stopped.value.problems] == ["Nobody", "99"]
