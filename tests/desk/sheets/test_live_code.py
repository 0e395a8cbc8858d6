"""The code for telephones on a sheet: there only where the event has an address, and no reading is another for it."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
import zxingcpp
from facts_as_kept import read_facts
from sampled import slow_after

from desk.cup import NAMES, OPENINGS, clock, openings_in, seated
from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import Printed, PrintWish, print_round
from pipeline.ink import Box
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.identify import identify
from pipeline.rehearsal.simulated_scans import write_and_scan

ADDRESS = "http://192.168.178.200:8040"
HANDS = {Power.AUSTRIA: 11, Power.TURKEY: 12}
DPI = 200


def cup(folder: Path, address: str = "", paper: str = "A4") -> Path:
    file = seated(folder) / "event.toml"
    more = f'live_address = "{address}"\n' if address else ""
    text = file.read_text("utf-8").replace('paper = "A4"', f'paper = "{paper}"')
    file.write_text(text.replace("[event]\n", f"[event]\n{more}", 1), "utf-8")
    return folder


def drawn(pdf: bytes) -> Any:
    picture = pypdfium2.PdfDocument(pdf)[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(picture.reshape(picture.shape[:2]), np.uint8)


def patched(picture: Any, *boxes: Box) -> Any:
    """Cover some boxes, as a thumb or a coffee cup does."""
    picture = picture.copy()
    for box in boxes:
        left, top, right, low = (
            round(mm / 25.4 * DPI)
            for mm in (box.left - 1, box.top - 1, box.left + box.width + 1, box.top + box.height + 1)
        )
        cv2.rectangle(picture, (left, top), (right, low), 190, -1)
    return picture


@pytest.mark.parametrize("paper", slow_after(1, ["A4", "A5", "LETTER"]))
@pytest.mark.parametrize("design", list(Design))
def test_every_sheet_of_an_event_with_an_address_has_a_code_that_opens_its_own_seat(
    paper: str, design: Design, tmp_path: Path
) -> None:
    with open_event(cup(tmp_path / "cup", ADDRESS, paper), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=design))
        sheet = printed.layout.pages[0].sheet
        found = [code.text for code in zxingcpp.read_barcodes(drawn(printed.pdf))]
        assert sorted(found) == sorted([sheet, sheet, f"{ADDRESS.upper()}/LIVE/{sheet}"])
        again = printed_sheets(event)[sheet]
        assert again.page.form == printed.layout.pages[0].form


def test_a_sheet_of_an_event_without_one_is_as_it_was(tmp_path: Path) -> None:
    with open_event(cup(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1)
        assert printed.layout.pages[0].form.live is None
        assert "live" not in next(iter(read_facts(event.facts, "sheets printed"))).body["sheets"][0]
        codes = zxingcpp.read_barcodes(drawn(printed.pdf))
        assert [code.text for code in codes] == [printed.layout.pages[0].sheet] * 2


@pytest.mark.parametrize("paper", slow_after(1, ["A4", "A5", "LETTER"]))
@pytest.mark.parametrize("design", [Design.LINE, Design.TARGETS])
def test_the_code_lies_on_nothing_that_is_printed_or_written_on(paper: str, design: Design, tmp_path: Path) -> None:
    with open_event(cup(tmp_path / "with", ADDRESS, paper), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=design))
    form, page = printed.layout.pages[0].form, drawn(printed.pdf)
    assert form.live is not None
    marker = form.markers[2]
    assert form.live.left + form.live.width + 4 < marker.left  # the marker's own white
    assert all(not meets(form.live, each.box) for each in form.to_fill)
    code, around = (square(form.live, by) for by in (0.2, 0.7))
    page[code] = 255
    assert page[around].min() > 200, "what is explained at the foot makes room for it, and a free line is shorter"


def square(box: Box, by: float) -> tuple[slice, slice]:
    """The dots of a box that is ``by`` mm larger on every side."""
    sides = ((box.top - by, box.top + box.height + by), (box.left - by, box.left + box.width + by))
    rows, columns = (slice(*(round(mm / 25.4 * DPI) for mm in side)) for side in sides)
    return rows, columns


def meets(a: Box, b: Box) -> bool:
    return (
        a.left < b.left + b.width
        and b.left < a.left + a.width
        and a.top < b.top + b.height
        and b.top < a.top + a.height
    )


@pytest.mark.parametrize("hidden", slow_after(1, ["one code", "both codes and two markers", "nothing", "both codes"]))
def test_who_a_page_is_does_not_depend_on_it(hidden: str, both: Sequence[tuple[Printed, Any]]) -> None:
    found = []
    for printed, page in both:
        form = printed.layout.pages[0].form
        covered = {
            "nothing": (),
            "one code": form.codes[:1],
            "both codes": form.codes,
            "both codes and two markers": (*form.codes, *form.markers[:3]),
        }[hidden]
        layouts = {page.sheet: page for page in printed.layout.pages}
        picture = patched(page, *covered)
        for turned in (picture, np.ascontiguousarray(np.rot90(picture, 2))):
            said = identify(turned, layouts, "TEST")
            of = getattr(said, "layout", None)
            found.append((type(said), getattr(said, "text", ""), of.sheet if of else ""))
    assert found[:2] == found[2:]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Sequence[tuple[Printed, Any]]:
    """The round, printed with the code and without it, and its first page."""
    found = []
    for address in (ADDRESS, ""):
        with open_event(cup(tmp_path_factory.mktemp("both") / "cup", address), clock, Random(1)) as event:
            printed = print_round(event, 1, wish=PrintWish(design=Design.TARGETS))
            found.append((printed, drawn(printed.pdf)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("design", [Design.LINE, Design.TARGETS])
def test_sheets_are_read_the_same_with_it_and_without(design: Design, tmp_path: Path) -> None:
    found = []
    for name, address in (("with", ADDRESS), ("without", "")):
        with open_event(cup(tmp_path / name / "cup", address), clock, Random(1)) as event:
            printed = print_round(event, 1, wish=PrintWish(design=design))
            write_and_scan(printed, openings_in(printed, HANDS), tmp_path / name / "scans", seed=1)
            assert take_in(event, sorted((tmp_path / name / "scans").iterdir()), NetRecogniser(), lambda _: None) == ()
            found.append(sorted(read(event)))
    assert found[0] == found[1]
    assert {sheet[1] for sheet in found[0]} == {"filed"}
    assert len(found[0]) == len(HANDS) <= len(OPENINGS) == len(NAMES)


def read(event: Event) -> list[tuple[str, str, str]]:
    """What was read of every page: its sheet, its tray, the best readings of its rows and what is outside of them."""
    return [
        (
            fact.body["transcription"]["sheet_id"],
            fact.body["tray"],
            str(
                [
                    [line["tier"], [each["text"] for each in line["readings"][:1]]]
                    for line in fact.body["transcription"]["lines"]
                ]
            )
            + str(fact.body["transcription"].get("outside", [])),
        )
        for fact in read_facts(event.facts, "page read")
    ]


@pytest.mark.parametrize("address", ["192.168.1.20:8040", "http://a b", "http://x/live", "http://" + "a" * 60])
def test_what_is_no_address_is_a_fault_of_the_events_file(address: str, tmp_path: Path) -> None:
    with pytest.raises(Stopped) as stopped, open_event(cup(tmp_path / "cup", address), clock):
        pass
    assert [problem.where for problem in stopped.value.problems] == ["event.toml.event.live_address"]
