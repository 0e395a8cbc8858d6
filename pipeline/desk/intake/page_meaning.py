"""What one page that was read came to mean: its rows as the rules take them, and what is asked about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row, RowStatus
from pipeline.desk.sheets.crops import crop_path
from pipeline.ink import InkLine, Transcription
from pipeline.ledger.events import PageRead
from pipeline.orders.notation import write
from pipeline.problems import Weight


@dataclass(frozen=True, slots=True)
class Meant:
    """What one order on a row came to."""

    order: str  # canonical; nothing where there is none
    status: RowStatus
    why: str  # the reason, and the rule
    is_asked: bool


@dataclass(frozen=True, slots=True)
class PageMeaning:
    """What a page came to mean."""

    lines: tuple[InkLine, ...] = ()  # all that is on it, rows without ink too
    rows: Mapping[int, tuple[Meant, ...]] = field(default_factory=dict)  # by the printed number of the row
    names: Mapping[int, str] = field(default_factory=dict)  # of a form: what each of its fields is called
    asked: tuple[str, ...] = ()  # about the sheet as a whole
    why_none: str = ""  # why the rules made nothing of it yet


def meaning_of(event: Event, page: PageRead) -> PageMeaning:
    """Ask the desk what it makes of a page now."""
    if page.form is not None:
        return meaning_of_form(event, page.form)
    read = page.transcription
    if read is None:
        return PageMeaning()
    desk, boards = Desk.of(event), games(event)
    turn = next((turn for turn in desk.sheets if is_on(desk, turn, *page.place)), None)
    if turn is None:
        return PageMeaning(read.lines, why_none="a person must say which sheet this is; then the rules are asked")
    game = game_at(boards[turn.board], turn)
    if game is None:
        return PageMeaning(read.lines, why_none=f"it waits for {turn.phase.in_words}, which is not open yet")
    power = desk.power(game, turn.power)
    places = {crop_path(*page.place, line.number): line.number for line in read.lines}
    rows: dict[int, list[Meant]] = {}
    for row in power.rows:
        if row.crop in places:
            rows.setdefault(places[row.crop], []).append(meant(row))
    asked = tuple(problem.text for problem in power.problems if problem.weight is Weight.ASKS)
    none = "" if rows or not power.problems else "; ".join(problem.text for problem in power.problems)
    return PageMeaning(read.lines, {number: tuple(each) for number, each in rows.items()}, {}, asked, none)


def is_on(desk: Desk, turn: Turn, sha256: str, page: int) -> bool:
    """Whether a page is one of the scans of a turn's sheets."""
    scans = (scan for sheet in desk.sheets[turn] for scan in sheet.scans)
    return any((scan.scan_sha256, scan.page) == (sha256, page) for scan in scans)


def game_at(game: Game, turn: Turn) -> Game | None:
    """The game when a turn was to be played; None where that is still to come."""
    known = {str(game.position.phase), *(str(played.phase) for played in game.played)}
    return at_phase(game, str(turn.phase)) if str(turn.phase) in known else None


def meant(row: Row) -> Meant:
    """Say in words what a row came to."""
    why = "; ".join(filter(None, (row.reason, row.rule)))
    return Meant("" if row.order is None else write(row.order), row.status, why, row.needs_director)


def meaning_of_form(event: Event, read: Transcription) -> PageMeaning:
    """What the fields of a form came to."""
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
