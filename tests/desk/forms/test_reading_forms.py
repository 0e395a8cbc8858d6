"""Forms on paper come back as what was written, or as a question; never as something else."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from facts_as_kept import read_facts
from msgspec.structs import replace
from sampled import slow_after

from desk.forms.table import NAMES, Places, Table, digits, event_of, px, signed, ticked
from pipeline.board import Power
from pipeline.desk.forms.forms_in import FormIn, forms_in
from pipeline.desk.intake.ingest import identify_page, take_in
from pipeline.ink import Tier
from pipeline.ledger.events import PageRead
from pipeline.paper.form import FormKind
from pipeline.pen.filling import FieldMark
from pipeline.pen.scanner import write_scans
from pipeline.pen.writing import Slip, Writing, WrittenWords
from pipeline.reading.recogniser import NoRecogniser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with event_of(tmp_path, "nzdc1999") as event:
        yield Table(event, tmp_path)


def only_form(table: Table) -> FormIn:
    (form,) = forms_in(table.event).values()
    return form


def read(table: Table, marks: Places, kind: FormKind = FormKind.VOTE, damage: str = "office") -> FormIn:
    board = "1.1" if kind in (FormKind.BOARD, FormKind.VOTE) else ""
    printed = table.printed(kind, board=board)
    (page,) = table.scanned([table.filled(printed, 0, marks)], damage=damage)
    assert page.tray == "filed"
    return only_form(table)


@pytest.mark.parametrize(
    "damage", slow_after(1, ["office", "upside-down:1", "rotation:0.6+noise:0.5+jpeg:0.5", "phone"])
)
def test_a_tick_is_read_however_the_slip_was_scanned(table: Table, damage: str) -> None:
    form = read(table, ticked("vote: no"), damage=damage)
    assert form.by_name["vote"].value == "no"


def test_two_ticks_are_asked_and_none_is_none(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    both = table.filled(printed, 0, ticked("vote: yes", "vote: no"))
    table.scanned([both, table.blank(printed, 1)])
    first, second = forms_in(table.event).values()
    assert first.by_name["vote"].value is None
    assert [doubt.text for doubt in first.unread()] == ["more than one box is ticked (yes or no); say which counts"]
    assert second.by_name["vote"].value == ""


@pytest.mark.parametrize("tick", ["vote: yes", "vote: no"])
def test_a_box_that_cannot_be_seen_is_not_taken_for_an_empty_one(table: Table, tick: str) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    page = table.filled(printed, 0, ticked(tick))
    fields = printed.pages[0].as_json()["fields"]
    left, top, width, height = next(field["box_mm"] for field in fields if field["name"] == "vote: yes")
    page[px(top - 2) : px(top + height + 2), px(left - 2) : px(left + width + 2)] = 250
    table.scanned([page])
    (doubt,) = only_form(table).unread()
    assert doubt.text.startswith("a box to tick cannot be seen: cut off, covered or painted over")
    assert doubt.text.endswith(" (no); say which counts" if tick == "vote: no" else "over; say which counts")


@pytest.mark.parametrize("damage", slow_after(1, ["low-contrast:0.8", "fax:0.5", "blur:0.6", "glare:0.8"]))
def test_the_boxes_of_a_whole_slip_are_seen_however_bad_its_picture(table: Table, damage: str) -> None:
    assert read(table, {}, damage=damage).by_name["vote"].value == ""


def test_a_number_is_read_or_asked_and_never_another(table: Table) -> None:
    numbers = {f"{year} {power}": 3 * n + year % 10 for year in range(1901, 1904) for n, power in enumerate(Power)}
    marks: dict[tuple[str, int | None], FieldMark] = {}
    for name, number in numbers.items():
        marks |= digits(name, number, 2)
    form = read(table, marks, FormKind.BOARD)
    values = {name: form.by_name[name].value for name in numbers}
    assert all(value in (None, str(numbers[name])) for name, value in values.items())
    assert sum(value is None for value in values.values()) <= len(values) / 3
    assert all(form.by_name[f"1909 {power}"].is_empty for power in Power)


def test_a_number_in_the_left_box_is_the_same_number(table: Table) -> None:
    form = read(table, {("1901 FRANCE", 1): "7", ("1901 ITALY", 2): "7"}, FormKind.BOARD)
    assert {form.by_name[f"1901 {power}"].value for power in (Power.FRANCE, Power.ITALY)} <= {"7", None}


def test_what_cannot_be_a_number_is_asked(table: Table) -> None:
    marks: Places = {
        ("1901 AUSTRIA", 1): "9",
        ("1901 AUSTRIA", 2): "9",
        ("1901 ENGLAND", 2): WrittenWords("8", Slip.STRUCK_OUT),
        ("1901 FRANCE", 2): WrittenWords("6", Slip.SCRIBBLE),
        ("1901 GERMANY", 2): "X",
        ("1901 ITALY", 2): slash(),
    }
    form = read(table, marks, FormKind.BOARD)
    for power in (Power.AUSTRIA, Power.ENGLAND, Power.FRANCE, Power.GERMANY, Power.ITALY):
        assert form.by_name[f"1901 {power}"].value is None, power


def slash() -> Writing:
    """A stroke that begins far outside the box it ends in."""
    line = np.linspace([-9.0, 4.0], [4.0, -4.0], 40)
    return Writing((line,), 4.0, ((0.0, 4.0),))


def test_signatures_and_words_are_kept_as_pictures(table: Table) -> None:
    marks = signed("1 signature") | {("team", None): "OWLS", ("1 name", None): NAMES[0]} | digits("1 number", 1, 3)
    form = read(table, marks, FormKind.TEAM)
    assert form.by_name["1 signature"].value == "signed"
    assert form.by_name["2 signature"].value == ""
    assert form.by_name["team"].value is None
    for name in ("team", "1 name", "1 signature"):
        assert (table.event.folder / form.by_name[name].picture).is_file()
    assert form.by_name["2 name"].line.tier is Tier.BLANK


def test_a_form_scanned_twice_is_one_form(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    page = table.filled(printed, 0, ticked("vote: yes"))
    table.scanned([page, page])
    form = only_form(table)
    assert (len(form.scans), form.by_name["vote"].value) == (2, "yes")


def test_slips_that_were_not_cut_apart_are_read_one_by_one(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    votes = ("yes", "no", "no", "yes")
    slips = [table.filled(printed, number, ticked(f"vote: {vote}")) for number, vote in enumerate(votes)]
    paper = np.vstack([np.hstack(slips[:2]), np.hstack(slips[2:])])
    assert [page.tray for page in table.scanned([paper])] == ["filed"] * 4
    read = {form.id: form.by_name["vote"].value for form in forms_in(table.event).values()}
    assert read == {page.sheet: vote for page, vote in zip(printed.pages, votes, strict=False)}


def test_two_scans_that_differ_are_asked(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    table.scanned([table.filled(printed, 0, ticked("vote: yes"))])
    table.scanned([table.filled(printed, 0, ticked("vote: no"))])
    assert only_form(table).by_name["vote"].value is None


def test_a_form_of_another_event_is_foreign(table: Table, tmp_path: Path) -> None:
    with event_of(tmp_path / "other", "nzdc1999") as other:
        strange = Table(other, tmp_path)
        page = strange.filled(strange.printed(FormKind.VOTE, board="1.1"), 0, ticked("vote: yes"))
        other_code = other.details.code
    assert other_code == table.event.details.code  # the same code: then the serial is not among the printed ones
    assert [found.tray for found in table.scanned([page])] == ["unidentified"]


def test_a_slip_whose_codes_are_covered_is_not_taken_for_another(table: Table) -> None:
    printed = table.printed(FormKind.VOTE, board="1.1")
    page = table.filled(printed, 0, ticked("vote: yes"))
    for box in (*printed.pages[0].form.codes, printed.pages[0].form.printed_id):
        rows = slice(round((box.top - 1) * 7.87), round((box.top + box.height + 1) * 7.87))
        page[rows, round((box.left - 1) * 7.87) : round((box.left + box.width + 1) * 7.87)] = 255
    assert [found.tray for found in table.scanned([page])] == ["unidentified"]
    assert forms_in(table.event) == {}
    (fact,) = table.event.facts.select(PageRead)
    identify_page(table.event, fact, printed.pages[0].sheet, NoRecogniser(), "Tess")
    assert only_form(table).by_name["vote"].value == "yes"


def test_a_sample_without_codes_is_not_taken_for_the_team_entry_whose_markers_it_has(table: Table) -> None:
    table.printed(FormKind.TEAM)
    printed = table.printed(FormKind.SAMPLE)
    page = table.blank(printed, 0)
    for box in printed.pages[0].form.codes:
        page[px(box.top - 1) : px(box.top + box.height + 1), px(box.left - 1) : px(box.left + box.width + 1)] = 255
    (found,) = table.scanned([page])
    assert found.tray in ("doubtful", "unidentified")
    (fact,) = read_facts(table.event.facts, "page read")
    assert printed.pages[0].sheet in fact.body["offers"]
    if found.tray == "doubtful":
        assert fact.body["offers"][0] == printed.pages[0].sheet


@pytest.mark.parametrize(
    ("tournament", "kind"), [(("edc1996" if kind is FormKind.RATINGS else "nzdc1999"), kind) for kind in FormKind]
)
def test_an_empty_form_has_nothing_in_it(tmp_path: Path, tournament: str, kind: FormKind) -> None:
    with event_of(tmp_path, tournament) as event:
        bench = Table(event, tmp_path)
        printed = bench.printed(kind, board="" if kind in (FormKind.TEAM, FormKind.GAME) else "1.1")
        bench.scanned([bench.blank(printed, 0)])
        assert all(answered.is_empty for answered in only_form(bench).answers)


def test_a_number_that_a_line_of_the_scanner_runs_through_is_asked(table: Table) -> None:
    printed = table.printed(FormKind.BOARD, board="1.1")
    marks: dict[tuple[str, int | None], FieldMark] = {}
    for power in Power:
        marks |= digits(f"1901 {power}", 11, 2)
    one = table.one_scan(table.filled(printed, 0, marks), "")
    fields = printed.pages[0].as_json()["fields"]
    left, _, width, _ = next(f["box_mm"] for f in fields if (f["name"], f["row"]) == ("1901 FRANCE", 1))
    dirty = one.image.copy()
    dirty[:, px(left + width / 2) : px(left + width / 2 + 0.5)] = 60
    file = table.folder / "dirty.pdf"
    write_scans([replace(one, image=dirty)], file)
    take_in(table.event, [file], NoRecogniser(), lambda _: None)
    form = only_form(table)
    assert form.by_name["1901 FRANCE"].value is None
    assert sum(form.by_name[f"1901 {power}"].value == "11" for power in Power) >= 4
    assert all(form.by_name[f"1909 {power}"].is_empty for power in Power)
