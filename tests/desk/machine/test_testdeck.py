"""The test deck tells each defect of printer and scanner in one line of its own, and says nothing where all is well."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from reading.stand_ins import Recorded
from sampled import slow_after

from benchmarks.damaged.kinds import read_damages
from benchmarks.damaged.scans import DamagedScan, scan
from pipeline.cli.rehearse import testdeck_command as deck_command
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.testdeck import CheckedPage, DeckFinding, _deck_template, check_deck, write_deck
from pipeline.ink import InkLine, InkReading, Tier
from pipeline.paper.deck_layout import PAPERS, TO_COPY, measure_page, written_page
from pipeline.pen.filling import FieldMark, FieldPlace, Tick, fill
from pipeline.pen.hand import Hand
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import write_scans
from pipeline.reading.pages import PageImage, stated_mm
from pipeline.reading.recogniser import NoRecogniser, Recogniser

DPI = 200
WELL = {
    "codes": "both are read",
    "markers": "all four are seen",
    "print scale": r"100\.[01]% across, 100\.0% down",
    "resolution": "about 200 dpi",
    "grey": "shades of grey are kept",
    "glass": "no lines down the page",
    "askew": r"0\.\d°",
    "focus": "sharp",
    "contrast": r"2\d\d levels from paper to black",
    "pencil": r"a grey of 20% is \d\d levels below paper",
    "edges": r"printed and scanned up to \d mm from every edge",
}


@cache
def drawn(paper: str, page: int) -> Picture:
    with pypdfium2.PdfDocument(write_deck(paper)) as document:
        found = document[page].render(scale=DPI / 72, grayscale=True).to_numpy()
    return np.ascontiguousarray(found.reshape(found.shape[:2]))


def scanned(page: Picture, damages: str, *, paper: str = "a4", seed: int = 3, dpi: int = DPI) -> DamagedScan:
    sheet = _deck_template(paper)
    rng = np.random.default_rng(seed)
    return scan(page, read_damages(damages), rng, page_dpi=DPI, dpi=dpi, size_mm=(sheet.width, sheet.height))


def check(scan: DamagedScan, folder: Path, suffix: str = ".jpg", engine: Recogniser | None = None) -> CheckedPage:
    file = folder / f"scan{suffix}"
    write_scans([scan], file)
    (page,) = check_deck([file], engine or NoRecogniser())
    return page


def to_mend(page: CheckedPage) -> dict[str, str]:
    return {finding.what: finding.text for finding in page.findings if not finding.is_well}


def filled(marks: dict[FieldPlace, FieldMark], seed: int = 3) -> Picture:
    layout = written_page(_deck_template("a4")).as_json()
    return fill(drawn("a4", 1), layout, marks, Hand.from_seed(seed, neatness=0.9), np.random.default_rng(1))


def copied(lines: Sequence[str] = TO_COPY) -> dict[FieldPlace, FieldMark]:
    found: dict[FieldPlace, FieldMark] = {("order", row): line for row, line in enumerate(lines, start=1)}
    return found | {("fall", None): Tick(), ("1904", None): Tick(), ("signature", None): "Ann Lee"}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("suffix", slow_after(1, [".pdf", ".jpg", ".png", ".tif"]))
def test_a_good_scan_has_nothing_to_mend_and_says_what_was_measured(paper: str, suffix: str, tmp_path: Path) -> None:
    page = check(scanned(drawn(paper, 0), "clean", paper=paper), tmp_path, suffix)

    assert all(finding.is_well for finding in page.findings)
    told = {finding.what: finding.text for finding in page.findings}
    assert [what for what, text in WELL.items() if not re.fullmatch(text, told.pop(what))] == []
    assert told == {}


@pytest.mark.parametrize(
    "damages", slow_after(3, ["upside-down", "noise:0.5", "shift:0.4", "sideways", "rotation:0.1", "jpeg:0.4"])
)
@pytest.mark.parametrize("page", [0, 1])
def test_what_a_reader_copes_with_is_no_defect(damages: str, page: int, tmp_path: Path) -> None:
    assert to_mend(check(scanned(drawn("a4", page), damages), tmp_path)) == {}


@pytest.mark.parametrize(
    ("damages", "what", "text"),
    [
        ("print-scale:0.8", "print scale", "97.3% across, 97.3% down: your printer shrank it to 97%: print at 100 %"),
        ("stretch:0.6", "print scale", "100.0% across, 101.3% down: the scanner's rollers slip"),
        ("fax:0.3", "grey", "black and white only: set the scanner to grey"),
        ("blur:0.7", "focus", "blurred: press the paper flat on the glass"),
        ("low-contrast:0.7", "contrast", "only 86 of 255 levels from paper to black: raise the scanner's contrast"),
        ("rotation:0.5", "askew", "askew: push the feeder's guides"),
        ("skew:0.7", "askew", "its sides are 1.2° off the right angle: the paper turns while it is fed"),
    ],
)
def test_each_defect_has_a_line_of_its_own(damages: str, what: str, text: str, tmp_path: Path) -> None:
    found = to_mend(check(scanned(drawn("a4", 0), damages), tmp_path))
    assert text in found.pop(what)
    assert found == {}


def test_a_coarse_scan_is_told_with_its_resolution(tmp_path: Path) -> None:
    found = to_mend(check(scanned(drawn("a4", 0), "clean", dpi=110), tmp_path))
    assert found["resolution"] == "about 110 dpi: set the scanner to 200 or 300 dpi"
    assert "focus" not in found, "a coarse picture is not a blurred one"


@pytest.mark.parametrize(("shade", "kind"), slow_after(1, [(0, "dark"), (60, "dark"), (150, "dark"), (255, "white")]))
@pytest.mark.parametrize("wide", [1, 4])
def test_dirt_on_the_glass_is_told_with_its_place(shade: int, kind: str, wide: int, tmp_path: Path) -> None:
    """A line as `benchmarks.damaged.kinds._dust_streaks` draws it, 61 mm from the edge."""
    found = scanned(drawn("a4", 0), "rotation:0.1+noise:0.2")
    left = round(61 * DPI / 25.4)
    found.image[:, left : left + wide] = shade

    lines = [f.text for f in check(found, tmp_path).findings if f.what == "glass"]

    assert len(lines) == 1
    assert lines[0].startswith(f"a {kind} line down the page, 61 mm from the left edge of the scan, ")
    assert "clean the glass there" in lines[0]


def test_the_scanners_own_streaks_are_found(tmp_path: Path) -> None:
    found = [f for f in check(scanned(drawn("a4", 0), "streaks:0.4"), tmp_path).findings if f.what == "glass"]
    assert len(found) == 3
    assert not any(finding.is_well for finding in found)


def test_writing_and_print_are_no_streaks(tmp_path: Path) -> None:
    page = check(scanned(filled(copied()), "clean"), tmp_path)
    assert "glass" not in to_mend(page)


def test_pale_grey_that_a_scanner_whitens_is_pencil_lost(tmp_path: Path) -> None:
    found = scanned(drawn("a4", 0), "clean")
    whitened = np.where(found.image > 180, 255, found.image).astype(np.uint8)
    told = to_mend(check(DamagedScan(whitened, found.dpi, found.path, ()), tmp_path))
    assert told == {
        "pencil": "a grey of 20% comes out as white, and pencil with it: "
        "switch off 'remove background' and 'text', or scan darker"
    }


@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
def test_a_cut_edge_is_told_with_how_much_is_gone(edge: str, tmp_path: Path) -> None:
    """A printer leaves 7 mm of an edge white, or a scanner looks past it: the markers begin at 8."""
    page, gone = drawn("a4", 0).copy(), round(7.0 * DPI / 25.4)
    parts = {"left": page[:, :gone], "right": page[:, -gone:], "top": page[:gone], "bottom": page[-gone:]}
    parts[edge][:] = 255
    told = to_mend(check(scanned(page, "noise:0.2"), tmp_path))
    assert told.pop("edges").startswith(f"7 mm of the {edge} edge are not printed or not scanned: the markers stand")
    assert told == {}


def test_a_printer_with_common_margins_is_good_enough(tmp_path: Path) -> None:
    for paper in PAPERS:
        page, gone = drawn(paper, 0).copy(), round(4.3 * DPI / 25.4)
        page[:gone] = page[-gone:] = page[:, :gone] = page[:, -gone:] = 255
        assert to_mend(check(scanned(page, "noise:0.2", paper=paper), tmp_path)) == {}


def test_a_marker_and_a_code_that_cannot_be_seen_are_named(tmp_path: Path) -> None:
    page = drawn("a4", 0).copy()
    form = measure_page(_deck_template("a4")).page.form
    for box in (form.markers[2], form.codes[0]):
        left, top = (int(side * DPI / 25.4) for side in (box.left, box.top))
        cv2.rectangle(page, (left, top), (left + 140, top + 140), 255, -1)
    told = to_mend(check(scanned(page, "noise:0.2"), tmp_path))
    assert told["markers"].startswith("not seen: bottom right; is the corner cut off, covered or smeared?")
    assert told["codes"].startswith("one of the two cannot be read")


def test_without_a_stated_resolution_nobody_claims_to_know_the_size(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "plain.png"), scanned(drawn("a4", 0), "print-scale:0.8").image)
    (page,) = check_deck([tmp_path / "plain.png"], NoRecogniser())
    (scale,) = (finding for finding in page.findings if finding.what == "print scale")
    assert scale.is_well
    assert "lay a ruler on the two lines" in scale.text
    assert (
        stated_mm(tmp_path / "nowhere.png", PageImage("nowhere.png", 1, np.zeros((10, 10), np.uint8)), (10, 10)) is None
    )


def test_a_photograph_is_not_blamed_on_printer_or_feeder(tmp_path: Path) -> None:
    page = check(scanned(drawn("a4", 0), "perspective:0.6+noise:0.2"), tmp_path)
    told = {finding.what: finding.text for finding in page.findings}
    assert told["print scale"].startswith("a photograph, so nobody can tell; lay a ruler")
    assert told["askew"].startswith("a photograph, ")
    assert not {"print scale", "askew"} & set(to_mend(page))


def test_what_is_no_page_of_the_deck_is_told(tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"Dear TD")
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((1200, 900), 250, np.uint8))
    bad, blank = check_deck([tmp_path / "letter.jpg", tmp_path / "blank.png"], NoRecogniser())
    assert "not a picture that can be opened" in to_mend(bad)["file"]
    assert to_mend(blank) == {"page": "nothing is on it; is it the other side?"}


def test_what_was_copied_is_read_and_shown_line_by_line(tmp_path: Path) -> None:
    page = check(scanned(filled(copied()), "clean"), tmp_path, engine=best_recogniser())
    told = {finding.what: finding.text for finding in page.findings}
    assert to_mend(page) == {}
    assert [told[f"line {n}"].split(":")[0] for n in range(1, 7)] == list(TO_COPY)
    assert sum(told[f"line {n}"].endswith(": read") for n in range(1, 7)) >= 4
    assert (told["ticks"], told["signature"]) == ("seen: Fall and 1904", "seen")


def test_a_line_misread_unasked_a_wrong_tick_and_ink_in_an_empty_row_are_told(tmp_path: Path) -> None:
    marks = copied() | {("1905", None): Tick(), ("order", 8): "A LVP H"}
    texts = ("F LON - ENG", *TO_COPY[1:], "A LVP H")
    wrong = [InkLine.without_place((InkReading(text, 1.0),), Tier.ACCEPTED) for text in texts]
    told = to_mend(check(scanned(filled(marks), "clean"), tmp_path, engine=Recorded(wrong)))
    assert told["line 1"].startswith("F LON - NTH: read 'F LON - ENG', and nobody would be asked: was that written?")
    assert told["line 8"].startswith("should be empty, and has ink: if nothing is written there, the print is too dark")
    assert told["ticks"].startswith("Fall and 1904 were to be ticked, seen: Fall and 1905 and 1904: tick with a dark")
    assert set(told) == {"line 1", "line 8", "ticks"}


def test_an_unread_line_and_an_empty_page_are_shown_as_such(tmp_path: Path) -> None:
    unsigned = {place: mark for place, mark in copied().items() if place[0] != "signature"}
    asked = check(scanned(filled(unsigned), "clean"), tmp_path)
    assert DeckFinding("signature", True, "none is seen") in asked.findings
    assert DeckFinding("line 1", True, "F LON - NTH: not read: a person would be asked") in asked.findings
    empty = check(scanned(drawn("a4", 1), "clean"), tmp_path)
    assert [f.text for f in empty.findings if f.what == "lines"] == [
        "nothing is written on the lines; write on them to see what is read"
    ]


def test_the_command_prints_the_deck_and_checks_its_scans(tmp_path: Path) -> None:
    run = CliRunner().invoke
    deck, good, bad = tmp_path / "deck.pdf", tmp_path / "good.pdf", tmp_path / "bad.pdf"
    assert run(deck_command, ["-o", str(deck), "--paper", "A5"]).exit_code == 0
    assert deck.read_bytes() == write_deck("a5")
    write_scans([scanned(drawn("a4", 0), "clean")], good)
    write_scans([scanned(drawn("a4", 0), "fax:0.3")], bad)

    assert run(deck_command, ["--check", str(good)]).exit_code == 0
    told = run(deck_command, ["--check", str(good), str(bad)])

    assert told.exit_code == 1
    assert "  MEND  grey         black and white only" in told.output
    assert '"is_well": false' in run(deck_command, ["--check", str(bad), "--json"]).output
    assert run(deck_command, ["--check"]).exit_code != 0
