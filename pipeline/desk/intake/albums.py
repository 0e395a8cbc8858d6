"""Albums of scans: a folder of labelled pictures that shows, page by page, how a scan becomes orders.

The pictures of the stages are drawn where a page is read (`reading.album`), which may be another process. Here the HTML
pages around them are made, after the reading was written down. The folder can be deleted at any time.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from msgspec import Struct, field, to_builtins

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import at_phase, games
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import RowStatus
from pipeline.desk.sheets.sheets_in import crop_path
from pipeline.ink import InkLine, InkReading, Tier, Transcription, page_in_words
from pipeline.ledger.events import PageRead, ScanReceived
from pipeline.orders import write
from pipeline.problems import Problem, Weight, stop
from pipeline.reading.album import LEAF, Album, folder_of_page, read_leaf
from pipeline.reading.recogniser import AFTER_FIRST
from pipeline.words.speech import sentences

# The meaning of one page: its orders by the rules, and what is asked.


class Meant(Struct, frozen=True):
    """The meaning of one order on a row."""

    order: str  # canonical; nothing where there is none
    status: RowStatus
    why: str  # the reason, and the rule
    is_asked: bool


class PageMeaning(Struct, frozen=True):
    lines: tuple[InkLine, ...] = ()  # all that is on it, rows without ink too
    rows: Mapping[int, tuple[Meant, ...]] = field(default_factory=dict)  # by the printed number of the row
    names: Mapping[int, str] = field(default_factory=dict)  # of a form: what each of its fields is called
    asked: tuple[str, ...] = ()  # about the sheet as a whole
    why_none: str = ""  # why it was not interpreted yet


def _meaning_of(event: Event, page: PageRead) -> PageMeaning:
    """The meaning of a page, by the present rulings."""
    if page.form is not None:
        return _meaning_of_form(event, page.form)
    read = page.transcription
    if read is None:
        return PageMeaning()
    desk, boards = Desk.of(event), games(event)
    shown = (
        (turn, (scan.scan_sha256, scan.page)) for turn in desk.sheets for s in desk.sheets[turn] for scan in s.scans
    )
    turn = next((turn for turn, place in shown if place == page.place), None)
    if turn is None:
        return PageMeaning(read.lines, why_none="a person must say which sheet this is; then the rules are asked")
    game, phase = boards[turn.board], str(turn.phase)
    if phase not in (str(game.position.phase), *(str(played.phase) for played in game.played)):
        return PageMeaning(read.lines, why_none=f"it waits for {turn.phase.in_words}, which is not open yet")
    power = desk.power(at_phase(game, phase), turn.power)
    places = {crop_path(*page.place, line.number): line.number for line in read.lines}
    rows: dict[int, list[Meant]] = {}
    for row in power.rows:
        if row.crop in places:
            why = "; ".join(filter(None, (row.reason, row.rule)))
            meant = Meant("" if row.order is None else write(row.order), row.status, why, row.needs_director)
            rows.setdefault(places[row.crop], []).append(meant)
    asked = tuple(problem.text for problem in power.problems if problem.weight is Weight.ASKS)
    none = "" if rows or not power.problems else "; ".join(problem.text for problem in power.problems)
    return PageMeaning(read.lines, {number: tuple(each) for number, each in rows.items()}, {}, asked, none)


def _meaning_of_form(event: Event, read: Transcription) -> PageMeaning:
    """The values of a form's fields."""
    form = forms_in(event).get(read.sheet_id)
    if form is None:
        return PageMeaning(read.lines, why_none="a person must say which form this is")
    names = {answered.answer.number: answered.answer.name for answered in form.answers}
    rows: dict[int, tuple[Meant, ...]] = {}
    for answered in form.answers:
        doubt = answered.doubt
        if doubt is not None:
            rows[answered.answer.number] = (Meant("", RowStatus.ASK, doubt.text, is_asked=True),)
        elif not answered.is_empty:
            rows[answered.answer.number] = (Meant(answered.value or "", RowStatus.CLEAR, "", is_asked=False),)
    return PageMeaning(read.lines, rows, names)


# The pages of an album, in HTML: what each stage does, in plain words, beside the picture of it. No script, no network.

STAGES: Mapping[str, str] = {  # by how the pictures are called
    "01-marks": """Pages come in any order, any side up, from scanners and telephones. Two square codes say which sheet
this is; the marker in each corner says where that corner is, and whose sheet it must be. Both must agree. If neither
can be seen, the page is compared with what was printed, and a person confirms it; it is never guessed.""",
    "02-sheets": """Where the marks fill only part of the picture, there may be several sheets on it. Each is cut out
and goes through the stages by itself.""",
    "02-registered": """From the marks the program works out where each millimetre of the printed sheet lies on the
picture, and takes the sheet out, straight and upright. Blue frames show where marks and bars were printed: the print
must lie in them. The bars beside the rows and the dots of the lines tell how the paper is bent in between. If too few
are where they should be (vermilion), the page goes to a person: laid one row off, every order would be
another unit's.""",
    "03-rows": """Each row is cut out at the place where it was printed, and a little more than its box (thin grey),
because tails of letters hang down. Here the program only sees whether a row has ink. A line through a row, or writing
that leaves it, is noted, and a person is asked.""",
    "04-ink": """The paper is made white, so that shadows and stains go. Printed dots, letters and frames are taken out
at the places where they were printed (orange), and so is what hangs in from the rows above and below. What is left is
a person's ink (blue). Only that is shown to the readers.""",
    "05-readers": """Each row is made as high as the reader wants it: this, and nothing else of the page, is what it
sees. Ticked boxes need no reader: their words are taken as certain. The first reader looks at every row; where it is
not sure a second and a third, which learnt elsewhere and on other writing, look as well, and all are weighed
together. A reading is accepted only if it passes an absolute test: weighed against whatever letters are there,
against its own misspellings and against orders that would not be legal. To be the likeliest legal order is not
enough.""",
    "03-fields": """Fields are cut out at the places where they were printed: boxes for digits and ticks, lines for
words and signatures.""",
    "05-answers": """A digit is read by a net of its own, box by box, and a number is taken only if it is likely enough
by itself. A tick is measured. Words are kept as pictures for a person. The reader of rows compares a name beside a
number with the names of the roster.""",
}
MEANING = """Up to here no stage knew provinces. Now the tournament's rules say what each line means: which
place is meant, and whether the order is one. A row is adjudicated without a question only if its ink was accepted, its
meaning is clear, and its sheet is in order. Everything else waits for the director, with its picture."""
SCALE = """For each reader alone: <i>letters</i> are what it sees where nothing is expected, with the mean certainty
of its letters; the <i>best line</i> is the likeliest of what may be written here, with its share of all texts that
could be. <i>Together</i> is what was written down, with the confidence that decides."""
ASKED = '<span class="asked">yes, the director is asked</span>'
NOT_ASKED = '<span class="alone">no, it stands as it was read</span>'
AGAIN = (
    "<p>This page was read before, and was looked at once more for these pictures. What was read then "
    "stands; a reader that has learnt a player's hand since may be surer here.</p>"
)
TIERS: Mapping[Tier, str] = {
    Tier.ACCEPTED: "accepted",
    Tier.MARKED: "accepted, and marked as worth a glance",
    Tier.ASKED: "not sure enough: a person reads it",
    Tier.BLANK: "no ink",
}
STYLE = """
body { font: 16px/1.5 sans-serif; color: #1e1e1e; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem }
img { max-width: 100%; border: 1px solid #bbb } h2 { margin-top: 2.5rem } .page img { max-height: 15rem }
table { border-collapse: collapse; width: 100% } th, td { border-top: 1px solid #ccc; padding: .3rem .6rem;
text-align: left; vertical-align: top } th { width: 9rem; font-weight: normal; color: #555 }
.asked { color: #a84300; font-weight: bold } .alone { color: #00518a; font-weight: bold }
.page { display: flex; gap: 1rem; margin: 1.5rem 0 } .row { margin: 2rem 0 } code { font-size: 1.05em }
"""


class PageReport(Struct, frozen=True):
    scan: str  # the file as it came
    page: str  # "page 3 part 2"
    tray: str
    text: str
    is_again: bool = False  # it was read before, and looked at once more for these pictures

    def as_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = to_builtins(self)
        return fields


def _page_of_album(leaf: Mapping[str, Any], report: PageReport, meaning: PageMeaning) -> str:
    """The HTML page of one scanned page, from the picture to its orders."""
    return _document(f"{report.scan}, {report.page}", [
        f"<p>What became of this page: <b>{escape(report.tray)}</b>. {escape(report.text)}</p>",
        *([AGAIN] if report.is_again else []),
        *_show_stages(leaf),
        *_show_rows(leaf, meaning),
        '<p><a href="../../index.html">All pages</a></p>',
    ])  # fmt: skip


def _show_stages(leaf: Mapping[str, Any]) -> Iterator[str]:
    for stage in leaf.get("stages", ()):
        name = stage["picture"]
        yield f"<h2>{escape(stage['title'])}</h2><p>{STAGES.get(name.removesuffix('.png'), '')}</p>"
        yield f'<p><img src="{escape(name)}" alt="{escape("; ".join(stage["told"]))}"></p>'
    if not leaf.get("stages"):
        yield "<p>There are no pictures: no page could be opened.</p>"
    for fault in leaf.get("faults", ()):
        yield f'<p class="asked">A picture could not be drawn ({escape(fault)}). The page was read all the same.</p>'


def _show_rows(leaf: Mapping[str, Any], meaning: PageMeaning) -> Iterator[str]:
    if not meaning.lines:
        return
    yield f"<h2>6. What it means</h2><p>{MEANING}</p>"
    if any(each is not None for row in leaf.get("rows", ()) for each in row["readers"]):
        yield f"<p>{SCALE}</p>"
    for asked in meaning.asked:
        yield f'<p class="asked">The director is asked about the sheet: {escape(asked)}</p>'
    if meaning.why_none:
        yield f"<p>{escape(meaning.why_none)}</p>"
    seen = {row["number"]: row for row in leaf.get("rows", ())}
    blank = [line.number for line in meaning.lines if line.tier is Tier.BLANK]
    for line in meaning.lines:
        if line.tier is not Tier.BLANK:
            yield _show_row(line, seen.get(line.number), meaning)
    if blank:
        yield f"<p>Nothing is written in {len(blank)} of {len(meaning.lines)} rows: {', '.join(map(str, blank))}.</p>"


def _show_row(line: InkLine, seen: Mapping[str, Any] | None, meaning: PageMeaning) -> str:
    name = meaning.names.get(line.number, "")
    parts = [f'<div class="row" id="row-{line.number}"><h3>Row {line.number}{": " if name else ""}{escape(name)}</h3>']
    if seen is not None:
        parts += [f'<p><img src="{seen["crop"]}" alt="as it was scanned"></p>']
        parts += [f'<p><img src="{seen["ink"]}" alt="its ink"></p>']
    offered = line.readings[: 3 if line.tier is Tier.ASKED else 1]
    best = " or ".join(_quote_confidence(reading) for reading in offered) or "nothing legible"
    cells = [*_show_readers(seen), ("together", f"{best}: {TIERS[line.tier]}")]
    cells += [("seen on the paper", escape(sentences(line.notes)))] if line.notes else []
    for meant in meaning.rows.get(line.number, ()):
        order = f"<code>{escape(meant.order)}</code>" if meant.order else "no order"
        cells += [("the rules", f"{order}, {escape(meant.status)}{': ' if meant.why else ''}{escape(meant.why)}")]
        cells += [("asked?", ASKED if meant.is_asked else NOT_ASKED)]
    table = "".join(f"<tr><th>{head}</th><td>{cell}</td></tr>" for head, cell in cells)
    return "".join([*parts, f"<table>{table}</table></div>"])


def _show_readers(seen: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """The result of each reader by itself, if it gives one."""
    first, *further = seen["readers"] if seen is not None else (None,)
    if first is None:
        return
    yield "first reader", _describe_reader(first)
    for name, reader in zip_longest(AFTER_FIRST, further):
        yield f"{name} reader", _describe_reader(reader) if reader is not None else "did not look"


def _describe_reader(reader: Mapping[str, Any]) -> str:
    best = "" if reader["line"] is None else f"; best line {_quote_confidence(InkReading(**reader['line']))}"
    return f"letters {_quote_confidence(InkReading(**reader['letters']))}{best}"


def _quote_confidence(reading: InkReading) -> str:
    return f"<code>{escape(reading.text) or '(nothing)'}</code> {reading.confidence:.1%}".replace("%", "&nbsp;%")


def _front_page(pages: Sequence[tuple[Path, Mapping[str, Any]]]) -> str:
    """The index page, with a link to every page."""
    return _document("How these pages were read", [
        "<p>Each page went through the same stages: the marks were found, the sheet was laid straight, its rows were "
        "cut out, the ink was separated from the print, the readers looked, and the rules said what it means. Click on "
        "a page to go through them.</p>",
        *(_index_entry(folder, leaf) for folder, leaf in pages if "told" in leaf),
    ])  # fmt: skip


def _index_entry(folder: Path, leaf: Mapping[str, Any]) -> str:
    report = PageReport(**leaf["told"])
    here = f"{folder.parent.name}/{folder.name}"
    names = [stage["picture"] for stage in leaf.get("stages", ())]
    small = f'<img src="{here}/{names[min(1, len(names) - 1)]}" alt="">' if names else ""
    title = f'<a href="{here}/index.html">{escape(report.scan)}, {escape(report.page)}</a>'
    return f'<div class="page">{small}<p>{title}<br><b>{escape(report.tray)}</b><br>{escape(report.text)}</p></div>'


def _document(title: str, parts: Sequence[str]) -> str:
    """A page that is complete in itself."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    body = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


INDEX = "index.html"
TOLD = "told"  # key in `leaf.json`: the result of the page
ODD = re.compile(r"[^A-Za-z0-9._-]+")
MOST_LETTERS = 40  # of a file's name, in the name of its folder


class Albums(Struct):
    """The folder with the albums of all scans that are read."""

    folder: Path
    faults: dict[str, str] = field(default_factory=dict)  # path that could not be written -> why

    @classmethod
    def create(cls, folder: Path) -> "Albums":
        """Make the folder and see that something can be written there, before anything is read."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder) as file:
                file.write(b"can it be written?")
        except FileExistsError as error:
            raise stop("this is a file; name a folder for the pictures", str(folder)) from error
        except OSError as error:
            text = f"no pictures can be written there: {error.strerror or error}; name another folder"
            raise stop(text, str(folder)) from error
        return cls(folder)

    @property
    def index(self) -> Path:
        return self.folder / INDEX

    def of(self, event: Event, sha256: str) -> Album:
        return Album(self.folder / _folder_name(_scan_name(event, sha256), sha256))

    def write(
        self, event: Event, sha256: str, page: int, sheets: Sequence[PageRead], *, is_again: bool = False
    ) -> None:
        """Write the HTML page of one scanned page, or one for each sheet on it."""
        album = self.of(event, sha256)
        try:
            if sheets and all(read.page != page for read in sheets):
                text = f"several sheets on one picture: {', '.join(page_in_words(read.page) for read in sheets)}"
                whole = PageReport(_scan_name(event, sha256), page_in_words(page), "several", text, is_again)
                self.write_page(event, album, page, whole, None)
            for read in sheets:
                file, number = _scan_name(event, sha256), page_in_words(read.page)
                report = PageReport(file, number, read.tray, read.text, is_again)
                self.write_page(event, album, read.page, report, read)
            leaves = sorted(  # page 2 before page 10
                self.folder.glob(f"*/*/{LEAF}"),
                key=lambda leaf: (leaf.parent.parent.name, [int(n) for n in re.findall(r"\d+", leaf.parent.name)]),
            )
            self.index.write_text(_front_page([(leaf.parent, read_leaf(leaf.parent)) for leaf in leaves]), "utf-8")
        except OSError as error:
            self.faults[str(album.folder)] = error.strerror or str(error)

    def write_page(self, event: Event, album: Album, number: int, report: PageReport, read: PageRead | None) -> None:
        """Write the HTML page of one page of a scan; ``read`` is None where several sheets are on it."""
        folder = folder_of_page(album.folder, number)
        folder.mkdir(parents=True, exist_ok=True)
        leaf = read_leaf(folder) | {TOLD: report.as_json()}
        (folder / LEAF).write_text(json.dumps(leaf, indent=1), "utf-8")
        meaning = PageMeaning() if read is None else _meaning_of(event, read)
        (folder / INDEX).write_text(_page_of_album(leaf, report, meaning), "utf-8")

    def problems(self) -> tuple[Problem, ...]:
        """What could not be written; the scans were read all the same."""
        trouble = "pictures of the stages could not be written"
        found = tuple(Problem(Weight.NOTES, f"{trouble}: {why}", where) for where, why in self.faults.items())
        self.faults.clear()
        return found


def _scan_name(event: Event, sha256: str) -> str:
    return next(f.said.name for f in event.facts.select(ScanReceived) if f.said.sha256 == sha256)


def _folder_name(name: str, sha256: str) -> str:
    """Name the folder of a scan by its file and the beginning of its hash, since two files may have one name.

    >>> _folder_name("Müller: page 1.jpg", "ab" * 32)
    'M-ller-page-1.jpg-abababab'
    """
    return f"{ODD.sub('-', name)[:MOST_LETTERS].strip('-.') or 'scan'}-{sha256[:8]}"
