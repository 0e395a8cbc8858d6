"""Everything that is ever written down about an event: one class for each kind of fact.

A class says what the fact says, who writes it (modules of this program; people act through them), and since when there
have been such facts. A field is a key of the fact's body; what `may_say` is left out where there is nothing to say.
Bodies that older editions wrote are brought up to this on reading (`old`), and nothing but this room looks into one.
The table in ``docs/house.md`` is made from here (``python -m pipeline.ledger.table``).
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar

from msgspec import Struct

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.ink import Transcription
from pipeline.interpret.doubts import Found
from pipeline.ledger.codec import SILENT, says_with
from pipeline.ledger.parts import (
    Ballot,
    BoardSeated,
    Column,
    DrawTold,
    FormPrinted,
    LeftOpen,
    Lifted,
    LotTold,
    Newcomer,
    OutcomePublished,
    PositionTold,
    Question,
    RowPublished,
    RulingBasis,
    SeatChange,
    SeatRuling,
    SettingChange,
    SheetDecision,
    SheetPrinted,
    Timing,
    Who,
)
from pipeline.reading.page_outcome import Tray
from pipeline.scoring.results import Ending
from pipeline.words.speech import Told

FIRST_DAY, SECOND_DAY, THIRD_DAY, SEVENTH_DAY = "2026-11-20", "2026-11-22", "2026-11-23", "2026-11-26"
Names = Mapping[str, str]  # the numbers of players that stand in a fact, each with the name of that day


class LedgerEvent:
    """One thing that happened, as it is written down."""

    __slots__ = ()
    KIND: ClassVar[str] = ""  # as the fact has it
    WRITERS: ClassVar[tuple[str, ...]] = ()  # modules
    SINCE: ClassVar[str] = ""  # the day of the first edition that wrote it


class OfNewerEdition(Struct, LedgerEvent, frozen=True):
    """Something that this edition does not know; it is kept and passed over."""

    kind: str


class TakesBack(Struct, LedgerEvent, frozen=True, kw_only=True):
    """An earlier fact counts no more."""

    fact: int  # its number


class SettingsChanged(Struct, LedgerEvent, frozen=True, kw_only=True):
    """What `event.toml` says otherwise than before, whoever changed it; it is found when the event is opened."""

    KIND, WRITERS, SINCE = "settings changed", ("desk/event/settings.py",), THIRD_DAY
    changes: tuple[SettingChange, ...]
    saved: str  # when the file was written, by the clock of the machine
    begins: Annotated[Mapping[str, str] | None, SILENT] = None  # all of it, of an event that had noted nothing


# ---- people and seats -----------------------------------------------------------------------------------------------


class PlayersNumbered(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The roster as it was when the event was made, each with his number."""

    KIND, WRITERS, SINCE = "players numbered", ("desk/event/event.py",), SECOND_DAY
    names: Names
    settings: Annotated[Mapping[str, str] | None, SILENT] = None  # what `event.toml` said; None: of before 2026-11-23


class PlayerAdded(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Somebody came later."""

    KIND, WRITERS, SINCE = "player added", ("desk/players.py",), SECOND_DAY
    player: Newcomer
    names: Names
    why: str


class PlayerRenamed(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Somebody is called otherwise; it holds while the file says what it said then."""

    KIND, WRITERS, SINCE = "player renamed", ("desk/players.py",), SECOND_DAY
    player: int
    name: str
    was: str  # what the file said
    why: str


class RollCalled(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Who is here for a round, who comes later and who is away; of each player the newest counts."""

    KIND, WRITERS, SINCE = "roll called", ("desk/players.py",), SECOND_DAY
    round: int
    here: Annotated[tuple[Who, ...], SILENT] = ()
    later: Annotated[tuple[Who, ...], SILENT] = ()
    away: Annotated[tuple[Who, ...], SILENT] = ()
    names: Annotated[Names | None, SILENT] = None


class Seated(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Who plays which power at which board of a round, and how that came about."""

    KIND, WRITERS, SINCE = "seated", ("desk/event/seating.py",), FIRST_DAY
    round: int
    boards: tuple[BoardSeated, ...]
    notes: tuple[str, ...]
    draw: Annotated[DrawTold | None, SILENT] = None  # None: seated by hand
    names: Annotated[Names | None, SILENT] = None  # None: of before there were numbers, it says names


class LotSealed(LotTold, LedgerEvent, frozen=True, kw_only=True):
    """A lot is to be drawn: among whom, for what, and the hash of its secret seed."""

    KIND, WRITERS, SINCE = "lot sealed", ("desk/event/seating.py",), SECOND_DAY
    names: Annotated[Names | None, SILENT] = None


class LotDrawn(LotTold, LedgerEvent, frozen=True, kw_only=True):
    """A lot was drawn: the seed, the word that was called, and the order that both make."""

    KIND, WRITERS, SINCE = "lot drawn", ("desk/event/seating.py",), SECOND_DAY
    names: Annotated[Names | None, SILENT] = None


class TeamEntered(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A team entered on paper; of each form the newest counts."""

    KIND, WRITERS, SINCE = "team entered", ("desk/forms/player_forms.py", "desk/review/orders_shown.py"), FIRST_DAY
    team: str | None
    members: tuple[Who, ...]
    form: str
    names: Annotated[Names | None, SILENT] = None


# ---- paper that was printed, and paper that came in -----------------------------------------------------------------


class SheetsPrinted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Order sheets or pads, before there is any paper."""

    KIND, WRITERS, SINCE = "sheets printed", ("desk/sheets/printing.py",), FIRST_DAY
    template: str  # its whole text: sheets are read by it
    pads: int = 0  # how many of each kind a player gets; 0: sheets for a phase
    token: Annotated[str, SILENT] = ""  # in the id of each sheet; print-outs of earlier editions have none
    sheets: tuple[SheetPrinted, ...]


class FormsPrinted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Forms, before there is any paper; of a secret vote they say no power."""

    KIND, WRITERS, SINCE = "forms printed", ("desk/forms/form_printing.py",), FIRST_DAY
    template: str
    token: Annotated[str, SILENT] = ""  # in the id of each form; print-outs of earlier editions have none
    forms: tuple[FormPrinted, ...]


class ScanReceived(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A file came in and is kept; nothing of it was read yet."""

    KIND, WRITERS, SINCE = "scan received", ("desk/intake/ingest.py",), FIRST_DAY
    sha256: str
    name: str  # as it came
    path: str  # in the folder of scans


class ScanRead(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A file was read to its end."""

    KIND, WRITERS, SINCE = "scan read", ("desk/intake/ingest.py",), FIRST_DAY
    sha256: str
    pages: int


class OnPage(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something about one page of a scan."""

    sha256: str
    page: int  # see `ink.part_number`

    @property
    def place(self) -> tuple[str, int]:
        """Which page of which scan."""
        return self.sha256, self.page


class PageRead(OnPage, frozen=True, kw_only=True):
    """What was read on a page, and in which tray it lies."""

    KIND, WRITERS, SINCE = "page read", ("desk/intake/ingest.py",), FIRST_DAY
    tray: Tray
    corners: Annotated[tuple[tuple[float, float], ...] | None, SILENT] = None  # of one of several sheets on a page
    offers: Annotated[tuple[str, ...] | None, SILENT] = None  # the sheets that it may be
    transcription: Annotated[Transcription | None, SILENT] = None  # of an order sheet
    form: Annotated[Transcription | None, SILENT] = None  # of a form
    warnings: Annotated[tuple[Told, ...] | None, SILENT] = None  # what is wrong with the picture: of `PictureFault`
    timing: Annotated[Timing | None, SILENT] = None  # of a sheet that was not expected then
    text: str  # all that in words, as it was said that day; nothing but people reads it

    @property
    def sheet(self) -> Transcription | None:
        """What was read, of a sheet or of a form."""
        return self.transcription or self.form


class PageIdentified(OnPage, frozen=True, kw_only=True):
    """A person says which sheet or form a page is."""

    KIND, WRITERS, SINCE = "page identified", ("desk/intake/ingest.py",), FIRST_DAY
    sheet: str  # its id


class PageSetAside(OnPage, frozen=True, kw_only=True):
    """A person says that a page needs nothing more."""

    KIND, WRITERS, SINCE = "page set aside", ("desk/intake/ingest.py",), FIRST_DAY
    why: str


# ---- decisions on a turn --------------------------------------------------------------------------------------------


class OnTurn(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something about what one power writes in one phase."""

    board: str  # full name: round and board
    phase: Phase
    power: Power
    again: Annotated[int, SILENT] = 0  # made again after it was taken back: the fact that it repeats
    first: Annotated[int, SILENT] = 0  # and the fact with which it was made at first


class Decision(OnTurn, frozen=True, kw_only=True):
    """The director's word, which orders rest on."""


class RowRuled(Decision, frozen=True, kw_only=True):
    """What stands on a row: orders, or the text that is written, whose meaning is the rules'."""

    KIND, WRITERS, SINCE = "ruling", ("desk/ruling/rulings.py",), FIRST_DAY
    line: int  # 0: a unit that has no row
    why: str
    without: tuple[Found, ...]  # what is known to have no order
    order: Annotated[str | None, SILENT] = None  # canonical, several parted by ";", or "nothing"
    text: Annotated[str | None, SILENT] = None  # instead of an order: what the ink says
    left: Annotated[LeftOpen | None, SILENT] = None  # what else on the row is still asked
    asked: Annotated[Question | None, SILENT] = None  # None: it was made unasked
    on: Annotated[RulingBasis | None, SILENT] = None  # what it was made on; None: it counts by the number of its row


class SheetRuled(Decision, frozen=True, kw_only=True):
    """What becomes of a whole sheet."""

    KIND, WRITERS, SINCE = "sheet ruling", ("desk/ruling/rulings.py",), FIRST_DAY
    decision: SheetDecision
    serial: int | None  # the sheet that counts, where one of two was chosen
    why: str
    asked: Annotated[Question | None, SILENT] = None


class LinesTyped(Decision, frozen=True, kw_only=True):
    """Lines that were typed instead of a sheet."""

    KIND, WRITERS, SINCE = "lines typed", ("desk/ruling/rulings.py",), FIRST_DAY
    lines: tuple[str, ...]


class SpotChecked(OnTurn, frozen=True, kw_only=True):
    """Whether a row that was read unasked is right."""

    KIND, WRITERS, SINCE = "spot check", ("desk/ruling/rows.py",), FIRST_DAY
    line: int
    ink: str
    order: str | None
    right: bool


class DecisionUndone(TakesBack, frozen=True, kw_only=True):
    """A decision or a spot check is taken back."""

    KIND, WRITERS, SINCE = "ruling undone", ("desk/ruling/rulings.py",), FIRST_DAY
    why: Annotated[str, SILENT] = ""


# ---- games ----------------------------------------------------------------------------------------------------------


class OnGame(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something that carries a game on."""

    board: str


class PositionSet(OnGame, frozen=True, kw_only=True):
    """Where a board stands, set by hand."""

    KIND, WRITERS, SINCE = "position set", ("cli/tables.py", "rehearsal/simulation.py", "web/tables.py"), FIRST_DAY
    position: PositionTold


class PhasePublished(OnGame, frozen=True, kw_only=True):
    """A phase was adjudicated and read out; published again, it is a correction."""

    KIND, WRITERS, SINCE = "published", ("desk/publish/explain.py",), FIRST_DAY
    phase: Phase
    orders: Mapping[Power, tuple[str, ...]]  # canonical
    results: tuple[OutcomePublished, ...]
    rows: Mapping[Power, tuple[RowPublished, ...]]
    after: PositionTold
    why: Annotated[str | None, SILENT] = None  # of a correction


class GameEnded(OnGame, frozen=True, kw_only=True):
    """A game is over, and what the director overruled to end it."""

    KIND, WRITERS, SINCE = "game ended", ("desk/event/ending.py",), FIRST_DAY
    phase: Annotated[Phase | None, SILENT] = None  # that was open; the first edition did not say
    how: Ending
    why: str
    overruled: tuple[Lifted, ...] = ()


class EndUndone(OnGame, frozen=True, kw_only=True):
    """A game goes on after all."""

    KIND, WRITERS, SINCE = "end undone", ("desk/event/ending.py", "journal/acts.py"), SECOND_DAY
    fact: int  # that ended it
    why: str


class ResultEntered(OnGame, frozen=True, kw_only=True):
    """The counts of a game that was played without the program; none: they are taken back."""

    KIND, WRITERS, SINCE = (
        "result entered",
        ("desk/forms/results_in.py", "desk/results/notes.py", "desk/forms/results_in.py"),
        FIRST_DAY,
    )
    form: str  # the sheet that says it; nothing: typed in
    ended: Ending | None  # None, in the body nothing: they are taken back
    years: Mapping[int, Mapping[Power, int]]
    why: Annotated[str | None, SILENT] = None
    overruled: Annotated[tuple[Lifted, ...] | None, SILENT] = None


class VoteHeld(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A vote on ending a game, or that somebody objected to it openly; never who voted how where that is secret."""

    KIND, WRITERS, SINCE = "vote held", ("desk/forms/votes.py",), FIRST_DAY
    board: str
    phase: Phase
    season: str
    asked_by: Power
    vetoed: Annotated[bool, SILENT] = False
    yes: Annotated[int | None, SILENT] = None
    no: Annotated[int | None, SILENT] = None
    carried: bool
    why: str = ""
    absent: Annotated[int | None, SILENT] = None  # who were not there, where there are any
    gone: Annotated[int | None, says_with("absent")] = None  # who have abandoned the game
    for_absent: Annotated[bool | None, says_with("absent")] = None  # how those count, by the director's word
    ballots: Annotated[Mapping[Power, Ballot] | None, SILENT] = None  # where it was not secret


class VoteUndone(TakesBack, frozen=True, kw_only=True):
    """A vote is void."""

    KIND, WRITERS, SINCE = "vote undone", ("desk/event/ending.py", "desk/forms/votes.py"), SECOND_DAY
    board: str
    why: str


# ---- forms ----------------------------------------------------------------------------------------------------------


class OnForm(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something about a form."""

    form: str  # its id
    why: str


class FieldRuled(OnForm, frozen=True, kw_only=True):
    """What stands in a field of a form."""

    KIND, WRITERS, SINCE = "form ruling", ("desk/forms/forms_in.py",), FIRST_DAY
    field: str
    value: str  # nothing: the field is empty


class FormAccepted(OnForm, frozen=True, kw_only=True):
    """A form is good as it is."""

    KIND, WRITERS, SINCE = "form accepted", ("desk/forms/forms_in.py",), FIRST_DAY


class FormSetAside(OnForm, frozen=True, kw_only=True):
    """A form does not count."""

    KIND, WRITERS, SINCE = "form set aside", ("desk/forms/forms_in.py",), FIRST_DAY


# ---- notes beside the results ---------------------------------------------------------------------------------------


class NoteEntered(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something that the director noted, with his reason."""

    why: str = ""


class PlayerNoted(NoteEntered, frozen=True, kw_only=True):
    """A line of the roster as it is now; it holds while the file says what it said then."""

    KIND, WRITERS, SINCE = "player noted", ("desk/results/note_kinds.py", "desk/players.py"), SECOND_DAY
    player: int
    name: Annotated[str | None, SILENT] = None
    field: Column
    value: Any
    was: Any  # what the file said


class PenaltyEntered(NoteEntered, frozen=True, kw_only=True):
    """A deduction."""

    KIND, WRITERS, SINCE = "penalty entered", ("desk/results/note_kinds.py",), SECOND_DAY
    player: int
    kind: str
    points: str | None  # exact; None: what the rules say
    times: int
    round: int | None


class BonusEntered(NoteEntered, frozen=True, kw_only=True):
    """Points that no board gives."""

    KIND, WRITERS, SINCE = "bonus entered", ("desk/results/note_kinds.py",), SECOND_DAY
    player: int
    kind: str
    points: str | None
    round: int | None


class ScoreRuled(NoteEntered, frozen=True, kw_only=True):
    """The director's own score for one seat."""

    KIND, WRITERS, SINCE = "score ruled", ("desk/results/note_kinds.py",), SECOND_DAY
    board: str
    power: Power
    player: int  # who sits there; 0: nobody
    score: str  # exact


class LateStartEntered(NoteEntered, frozen=True, kw_only=True):
    """Somebody arrived late."""

    KIND, WRITERS, SINCE = "late start entered", ("desk/results/note_kinds.py",), SECOND_DAY
    board: str
    power: Power
    player: int
    season: int  # see `Phase.season_number`


class PlayerReplaced(NoteEntered, frozen=True, kw_only=True):
    """Somebody takes a seat over during a game."""

    KIND, WRITERS, SINCE = "player replaced", ("desk/results/note_kinds.py",), SECOND_DAY
    board: str
    power: Power
    phase: Phase  # his first
    player: int  # 0: nobody
    before: Who
    ruled: Annotated[tuple[SeatRuling, ...], SILENT] = ()

    @property
    def seats(self) -> tuple[tuple[str, Power], ...]:
        """The seat that changes hands: a board and a power."""
        return ((self.board, self.power),)


class SeatsChanged(NoteEntered, frozen=True, kw_only=True):
    """Seats have other players from the first order on: a stand-by for a no-show, or two who change places."""

    KIND, WRITERS, SINCE = "seats changed", ("desk/results/note_kinds.py",), SEVENTH_DAY
    changes: tuple[SeatChange, ...]
    ruled: Annotated[tuple[SeatRuling, ...], SILENT] = ()

    @property
    def seats(self) -> tuple[tuple[str, Power], ...]:
        """The seats that have other players: a board and a power each."""
        return tuple((change.board, change.power) for change in self.changes)


class DrawEntered(NoteEntered, frozen=True, kw_only=True):
    """Who is in the draw that ended a game."""

    KIND, WRITERS, SINCE = "draw entered", ("desk/event/ending.py",), SECOND_DAY
    board: str
    phase: Phase  # in which it ended
    powers: tuple[Power, ...]


class BoardChosen(NoteEntered, frozen=True, kw_only=True):
    """Which of two boards in a round counts, or that both do."""

    KIND, WRITERS, SINCE = "board chosen", ("desk/results/note_kinds.py",), SECOND_DAY
    player: int
    round: int
    board: str
    both: Annotated[bool, SILENT] = False


class LotsDrawn(NoteEntered, frozen=True, kw_only=True):
    """Paper lots, in the order in which they were drawn."""

    KIND, WRITERS, SINCE = "lots drawn", ("desk/results/note_kinds.py",), SECOND_DAY
    players: tuple[int, ...]


class PlayerExcluded(NoteEntered, frozen=True, kw_only=True):
    """Somebody is excluded from the tournament."""

    KIND, WRITERS, SINCE = "player excluded", ("desk/results/note_kinds.py",), SECOND_DAY
    player: int


class AwardGiven(NoteEntered, frozen=True, kw_only=True):
    """A special award."""

    KIND, WRITERS, SINCE = "award given", ("desk/results/note_kinds.py",), SECOND_DAY
    award: str
    player: int


class PreregistrationEntered(NoteEntered, frozen=True, kw_only=True):
    """The rounds that somebody had announced beforehand."""

    KIND, WRITERS, SINCE = "preregistration entered", ("desk/results/note_kinds.py",), SECOND_DAY
    player: int
    rounds: tuple[int, ...]


class ActTakenBack(TakesBack, frozen=True, kw_only=True):
    """A note counts no more; since 2026-11-23 also a draw, a publication, or whatever else the journal takes back."""

    KIND, WRITERS, SINCE = (
        "taken back",
        ("desk/event/ending.py", "desk/results/notes.py", "journal/acts.py", "journal/resting.py"),
        SECOND_DAY,
    )
    why: str


class HandBrought(Struct, LedgerEvent, frozen=True, kw_only=True):
    """What the readers know of a player's hand was brought from another event."""

    KIND, WRITERS, SINCE = "hand brought", ("desk/hands/writer_adaptation.py",), SECOND_DAY
    player: int
    sha256: str  # of the file in the event's folder
    rows: int
    event: str  # where it was written, for people
    names: Names


class EventRestored(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The event goes on from a copy; what came after that is not in it."""

    KIND, WRITERS, SINCE = "restored", ("desk/backups.py",), SECOND_DAY
    copy: str  # its name
    facts: int  # how many it has
    at: str  # when it was made


# ---- the room -------------------------------------------------------------------------------------------------------


class DiceCommitted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A die is to be rolled: the hash of its secret seed."""

    KIND, WRITERS, SINCE = "dice committed", ("desk/event/ending.py",), FIRST_DAY
    round: int
    number: int  # 1.. in the round
    hash: str
    year: int | None = None  # after whose Fall; the first edition did not say


class DiceRolled(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A die was rolled: the seed, the word that was called, and what both make."""

    KIND, WRITERS, SINCE = "dice rolled", ("desk/event/ending.py",), FIRST_DAY
    round: int
    number: int
    hash: str
    seed: str
    word: str
    die: int
    year: int | None = None
    ends: bool  # whether it ends the round


class ClockStarted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The clock runs."""

    KIND, WRITERS, SINCE = "clock started", ("desk/publish/public_record.py",), FIRST_DAY
    label: str  # "Spring 1901"
    parts: tuple[tuple[str, int], ...]  # "negotiation", seconds
    elapsed: float  # seconds


class ClockStopped(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The clock stands still."""

    KIND, WRITERS, SINCE = "clock stopped", ("desk/publish/public_record.py",), FIRST_DAY
    elapsed: float


class StandingsOpened(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Whether everybody may see the places."""

    KIND, WRITERS, SINCE = "standings opened", ("web/tables.py",), FIRST_DAY
    open: bool


class SeatsTold(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Everybody may see who sits where in a round, as it was drawn then."""

    KIND, WRITERS, SINCE = "seats told", ("desk/players.py",), THIRD_DAY
    round: int


@cache
def kinds_of(*classes: type[LedgerEvent]) -> dict[str, type[LedgerEvent]]:
    """The kinds of facts that are of some classes, or of classes below them, in the order in which they stand here."""
    known = (each for each in globals().values() if isinstance(each, type) and issubclass(each, LedgerEvent))
    return {each.KIND: each for each in known if each.KIND and issubclass(each, classes)}


KINDS = kinds_of(LedgerEvent)
