"""The facts of an event (the event log): one class for each kind.

A class says what the fact says and who writes it (modules of this program; people act through them). A field is a key
of the fact's body; a class with `omit_defaults` leaves a field out if it has its default value. No body is ever
rewritten, so a new field has a default, and whatever is added raises `VERSION` (`fact_file`). Nothing but this package
looks into a body.
The table in ``docs/house.md`` is made from here (``python docs/generate.py``).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from pipeline.board import Phase, Power
from pipeline.draw.roster import Player, Who
from pipeline.ink import PictureMessage, Transcription
from pipeline.interpret.doubts import LineDoubt
from pipeline.ledger import parts
from pipeline.paper.form import FormRequest
from pipeline.paper.sheet import SheetRequest
from pipeline.reading.recogniser import Tray
from pipeline.scoring.results import Ending

Names = Mapping[str, str]  # player number in a fact -> name of that day


class LedgerEvent:
    """One thing that happened, as it is written down."""

    __slots__ = ()
    KIND: ClassVar[str] = ""  # what the column `kind` of `event.db` says
    WRITERS: ClassVar[tuple[str, ...]] = ()  # the modules that write it


class TakesBack(Struct, LedgerEvent, frozen=True, kw_only=True):
    """An earlier fact is undone."""

    fact: int  # its number


class SettingsChanged(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Changes of `event.toml` or of the event's own rules files, whoever made them.

    Noticed when the event is opened.
    """

    KIND, WRITERS = "settings changed", ("desk/event/settings.py",)
    changes: tuple[parts.SettingChange, ...]
    saved: str  # when the file was written, by the clock of the machine


# ---- people and seats -----------------------------------------------------------------------------------------------


class PlayersNumbered(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The roster as it was when the event was made, each with his number."""

    KIND, WRITERS = "players numbered", ("desk/event/make_event.py",)
    names: Names
    settings: Mapping[str, str]  # what `event.toml` said


class PlayerAdded(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Somebody came later."""

    KIND, WRITERS = "player added", ("desk/players.py",)
    player: Player  # with a number
    names: Names
    why: str


class PlayerRenamed(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A player was renamed; the new name counts until his line of `event.toml` is edited."""

    KIND, WRITERS = "player renamed", ("desk/players.py",)
    player: int
    name: str
    was: str  # what the file said
    why: str


class RollCalled(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """Who is here for a round, who comes later and who is away; of each player the newest counts."""

    KIND, WRITERS = "roll called", ("desk/players.py",)
    round: int
    here: tuple[Who, ...] = ()
    later: tuple[Who, ...] = ()
    away: tuple[Who, ...] = ()
    names: Names | None = None


class Seated(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """Who plays which power at which board of a round, and how it was drawn."""

    KIND, WRITERS = "seated", ("desk/event/seating.py",)
    round: int
    boards: tuple[parts.BoardSeated, ...]
    notes: tuple[str, ...]
    draw: parts.DrawRecord | None = None  # None: seated by hand
    names: Names | None = None  # None: not numbered yet


class LotSealed(parts.LotRecord, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """A lot is to be drawn: among whom, for what, and the hash of its secret seed."""

    KIND, WRITERS = "lot sealed", ("desk/event/lots.py",)
    names: Names | None = None


class LotDrawn(parts.LotRecord, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """A lot was drawn: the seed, the word that was called, and the order that both make."""

    KIND, WRITERS = "lot drawn", ("desk/event/lots.py",)
    names: Names | None = None


class TeamEntered(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """A team entered on paper; of each form the newest counts."""

    KIND, WRITERS = "team entered", ("desk/forms/player_forms.py", "desk/review/orders_shown.py")
    team: str | None
    members: tuple[Who, ...]
    form: str
    names: Names | None = None


# ---- paper that was printed, and paper that came in -----------------------------------------------------------------


class SheetsPrinted(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """Order sheets or pads, written down before the PDF is made."""

    KIND, WRITERS = "sheets printed", ("desk/sheets/printing.py",)
    template: str  # its whole text: sheets are read by it
    pads: int  # how many of each kind a player gets; 0: sheets for a phase
    token: str = ""  # in the id of each sheet that has none of its own, as until version 0.1.0
    sheets: tuple[SheetRequest, ...]


class FormsPrinted(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """Forms, written down before the PDF is made; a ballot of a secret vote names no power."""

    KIND, WRITERS = "forms printed", ("desk/forms/form_printing.py",)
    template: str
    token: str = ""  # in the id of each form that has none of its own
    forms: tuple[FormRequest, ...]


class ScanReceived(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A file came in and is kept; nothing of it was read yet."""

    KIND, WRITERS = "scan received", ("desk/intake/ingest.py",)
    sha256: str
    name: str  # as it came
    path: str  # in the folder of scans


class ScanRead(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A file was read to its end."""

    KIND, WRITERS = "scan read", ("desk/intake/ingest.py",)
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


class PageRead(OnPage, frozen=True, omit_defaults=True, kw_only=True):
    """What was read on a page, and its tray: filed, doubtful, unidentified, foreign, blank or unreadable."""

    KIND, WRITERS = "page read", ("desk/intake/ingest.py",)
    tray: Tray
    corners: tuple[tuple[float, float], ...] | None = None  # of one of several sheets on a page
    offers: tuple[str, ...] | None = None  # the sheets that it may be
    transcription: Transcription | None = None  # of an order sheet
    form: Transcription | None = None  # of a form
    warnings: tuple[PictureMessage, ...] | None = None  # what is wrong with the picture: of `PictureFault`
    timing: parts.Timing | None = None  # of a sheet that was not expected then
    text: str  # the same in words, for people only

    @property
    def sheet(self) -> Transcription | None:
        """What was read, of a sheet or of a form."""
        return self.transcription or self.form

    @property
    def is_clean(self) -> bool:
        """Whether a sheet that was expected came in, and nothing is wrong with its picture."""
        return self.tray is Tray.FILED and not self.timing and not self.warnings


class PageIdentified(OnPage, frozen=True, kw_only=True):
    """A person says which sheet or form a page is."""

    KIND, WRITERS = "page identified", ("desk/intake/ingest.py",)
    sheet: str  # its id


class PageSetAside(OnPage, frozen=True, kw_only=True):
    """A person says that a page needs nothing more."""

    KIND, WRITERS = "page set aside", ("desk/intake/ingest.py",)
    why: str


# ---- decisions on a turn --------------------------------------------------------------------------------------------


class OnTurn(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """Something about what one power writes in one phase."""

    board: str  # full name: round and board
    phase: Phase
    power: Power
    again: int = 0  # of a decision that was redone after undo: the fact it repeats
    first: int = 0  # of a decision that was redone: the fact that first made it


class Decision(OnTurn, frozen=True, kw_only=True):
    """A decision of the director that orders depend on."""


class RowRuled(Decision, frozen=True, omit_defaults=True, kw_only=True):
    """A ruling on a row: its orders, or the written text, which the rules then interpret."""

    KIND, WRITERS = "ruling", ("desk/ruling/rulings.py",)
    line: int  # 0: a unit that has no row
    why: str
    without: tuple[LineDoubt, ...]  # on line 0: the missing orders that this ruling accepts
    order: str | None = None  # canonical, several separated by ";", or "nothing"
    text: str | None = None  # instead of an order: what the ink says
    left: parts.LeftOpen | None = None  # what else on the row is still asked
    asked: parts.Question | None = None  # None: it was made unasked
    on: parts.RulingBasis | None = None  # sheet, row and scans it was made on; None: it counts by its row's number


class SheetRuled(Decision, frozen=True, omit_defaults=True, kw_only=True):
    """A ruling on a whole sheet."""

    KIND, WRITERS = "sheet ruling", ("desk/ruling/rulings.py",)
    decision: parts.SheetDecision
    serial: int | None  # the sheet that counts, where one of two was chosen
    why: str
    asked: parts.Question | None = None


class LinesTyped(Decision, frozen=True, kw_only=True):
    """Lines that were typed instead of a sheet."""

    KIND, WRITERS = "lines typed", ("desk/ruling/rulings.py",)
    lines: tuple[str, ...]


class SpotChecked(OnTurn, frozen=True, kw_only=True):
    """Whether a row that was read unasked is right."""

    KIND, WRITERS = "spot check", ("desk/ruling/rows.py",)
    line: int
    ink: str
    order: str | None
    right: bool


class DecisionUndone(TakesBack, frozen=True, omit_defaults=True, kw_only=True):
    """A decision or a spot check is taken back."""

    KIND, WRITERS = "ruling undone", ("desk/ruling/rulings.py",)
    why: str = ""


# ---- games ----------------------------------------------------------------------------------------------------------


class OnGame(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something that advances a game."""

    board: str


class PositionSet(OnGame, frozen=True, omit_defaults=True, kw_only=True):
    """The position of a board, set by hand."""

    KIND, WRITERS = "position set", ("desk/publish/dutchmen.py", "rehearsal/simulation.py")
    position: parts.PositionJson
    why: str = ""  # of phases that are left out with it


class PhasePublished(OnGame, frozen=True, omit_defaults=True, kw_only=True):
    """A phase was adjudicated and read out; published again, it is a correction."""

    KIND, WRITERS = "published", ("desk/publish/explain.py",)
    phase: Phase
    orders: Mapping[Power, tuple[str, ...]]  # canonical
    results: tuple[parts.OutcomePublished, ...]
    rows: Mapping[Power, tuple[parts.RowPublished, ...]]
    after: parts.PositionJson
    why: str | None = None  # of a correction


class GameEnded(OnGame, frozen=True, kw_only=True):
    """A game is over, and what the director overruled to end it."""

    KIND, WRITERS = "game ended", ("desk/event/ending.py",)
    phase: Phase  # that was open
    how: Ending
    why: str
    overruled: tuple[parts.OverruledObjection, ...] = ()


class EndUndone(TakesBack, frozen=True, kw_only=True):
    """A game goes on after all."""

    KIND, WRITERS = "end undone", ("desk/event/ending.py", "desk/forms/votes.py")
    board: str
    why: str


class ResultEntered(OnGame, frozen=True, omit_defaults=True, kw_only=True):
    """The centre counts of a game played without the program."""

    KIND, WRITERS = "result entered", ("desk/forms/results_in.py",)
    form: str  # the sheet that says it; nothing: typed in
    ended: str  # an `Ending`
    years: Mapping[int, Mapping[Power, int]]
    why: str | None = None
    overruled: tuple[parts.OverruledObjection, ...] | None = None

    def __post_init__(self) -> None:
        Ending(self.ended)  # checked here: msgspec reads no union of an enum and a text


class VoteHeld(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """A vote on ending a game, or that somebody objected to it openly; never who voted how where that is secret."""

    KIND, WRITERS = "vote held", ("desk/forms/votes.py",)
    board: str
    phase: Phase
    season: str
    asked_by: Power
    vetoed: bool = False
    yes: int | None = None
    no: int | None = None
    carried: bool
    why: str
    absent: int | None = None  # who were not there, where there are any
    gone: int | None = None  # who have abandoned the game
    for_absent: bool | UnsetType | None = UNSET  # how those count, by the director's word
    ballots: Mapping[Power, parts.Ballot] | None = None  # where it was not secret


class VoteUndone(TakesBack, frozen=True, kw_only=True):
    """A vote is void."""

    KIND, WRITERS = "vote undone", ("desk/event/ending.py", "desk/forms/votes.py")
    board: str
    why: str


# ---- forms ----------------------------------------------------------------------------------------------------------


class OnForm(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something about a form."""

    form: str  # its id
    why: str


class FieldRuled(OnForm, frozen=True, kw_only=True):
    """What stands in a field of a form."""

    KIND, WRITERS = "form ruling", ("desk/forms/forms_in.py",)
    field: str
    value: str  # nothing: the field is empty


class FormAccepted(OnForm, frozen=True, kw_only=True):
    """A form is good as it is."""

    KIND, WRITERS = "form accepted", ("desk/review/orders_shown.py",)


class FormSetAside(OnForm, frozen=True, kw_only=True):
    """A form does not count."""

    KIND, WRITERS = "form set aside", ("desk/review/orders_shown.py",)


# ---- notes beside the results ---------------------------------------------------------------------------------------


class NoteEntered(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Something that the director noted, with his reason."""

    why: str = ""


class PlayerNoted(NoteEntered, frozen=True, omit_defaults=True, kw_only=True):
    """A changed field of a player; it counts until his line of `event.toml` is edited."""

    KIND, WRITERS = "player noted", ("desk/results/note_kinds.py", "desk/players.py")
    why: str
    player: int
    name: str | None = None
    field: parts.Column
    value: Any
    was: Any  # what the file said


class PenaltyEntered(NoteEntered, frozen=True, kw_only=True):
    """A deduction."""

    KIND, WRITERS = "penalty entered", ("desk/results/note_kinds.py",)
    player: int
    kind: str
    points: str | None  # exact; None: what the rules say
    times: int
    round: int | None


class BonusEntered(NoteEntered, frozen=True, kw_only=True):
    """Points that no board gives."""

    KIND, WRITERS = "bonus entered", ("desk/results/note_kinds.py",)
    player: int
    kind: str
    points: str | None
    round: int | None


class ScoreRuled(NoteEntered, frozen=True, kw_only=True):
    """The director's own score for one seat."""

    KIND, WRITERS = "score ruled", ("desk/results/note_kinds.py",)
    board: str
    power: Power
    player: int  # who sits there; 0: nobody
    score: str  # exact


class LateStartEntered(NoteEntered, frozen=True, kw_only=True):
    """Somebody arrived late."""

    KIND, WRITERS = "late start entered", ("desk/results/note_kinds.py",)
    board: str
    power: Power
    player: int
    season: int  # see `Phase.season_number`


class PlayerReplaced(NoteEntered, frozen=True, omit_defaults=True, kw_only=True):
    """Somebody takes a seat over during a game."""

    KIND, WRITERS = "player replaced", ("desk/results/note_kinds.py",)
    why: str
    board: str
    power: Power
    phase: Phase  # his first
    player: int  # 0: nobody
    before: Who
    ruled: tuple[parts.SeatRuling, ...] = ()

    @property
    def seats(self) -> tuple[tuple[str, Power], ...]:
        """The seat that changes hands: a board and a power."""
        return ((self.board, self.power),)


class SeatsChanged(NoteEntered, frozen=True, omit_defaults=True, kw_only=True):
    """Seats have other players from the first order on: a stand-by for a no-show, or two who change places."""

    KIND, WRITERS = "seats changed", ("desk/results/note_kinds.py",)
    why: str
    changes: tuple[parts.SeatChange, ...]
    ruled: tuple[parts.SeatRuling, ...] = ()

    @property
    def seats(self) -> tuple[tuple[str, Power], ...]:
        """The seats that have other players: a board and a power each."""
        return tuple((change.board, change.power) for change in self.changes)


class DrawEntered(NoteEntered, frozen=True, kw_only=True):
    """Who is in the draw that ended a game."""

    KIND, WRITERS = "draw entered", ("desk/event/ending.py",)
    board: str
    phase: Phase  # in which it ended
    powers: tuple[Power, ...]


class BoardChosen(NoteEntered, frozen=True, omit_defaults=True, kw_only=True):
    """Which of two boards in a round counts, or that both do."""

    KIND, WRITERS = "board chosen", ("desk/results/note_kinds.py",)
    why: str
    player: int
    round: int
    board: str
    both: bool = False


class LotsDrawn(NoteEntered, frozen=True, kw_only=True):
    """Paper lots, in the order in which they were drawn."""

    KIND, WRITERS = "lots drawn", ("desk/results/note_kinds.py",)
    players: tuple[int, ...]


class PlayerExcluded(NoteEntered, frozen=True, kw_only=True):
    """Somebody is excluded from the tournament."""

    KIND, WRITERS = "player excluded", ("desk/results/note_kinds.py", "desk/players.py")
    player: int


class EventEndedEarly(NoteEntered, frozen=True, kw_only=True):
    """The event is over before the last round that its rules have."""

    KIND, WRITERS = "event ended early", ("desk/results/note_kinds.py",)
    after: int  # the last round that is played


class AwardGiven(NoteEntered, frozen=True, kw_only=True):
    """A special award."""

    KIND, WRITERS = "award given", ("desk/results/note_kinds.py",)
    award: str
    player: int


class PreregistrationEntered(NoteEntered, frozen=True, kw_only=True):
    """The rounds that somebody had announced beforehand."""

    KIND, WRITERS = "preregistration entered", ("desk/results/note_kinds.py",)
    player: int
    rounds: tuple[int, ...]


class ActTakenBack(TakesBack, frozen=True, kw_only=True):
    """A fact is undone: a note, a draw, a publication, or anything else that the journal can undo."""

    KIND, WRITERS = (
        "taken back",
        (
            "desk/event/ending.py",
            "desk/forms/results_in.py",
            "desk/results/leaving.py",
            "desk/results/notes.py",
            "journal/acts.py",
            "journal/dependencies.py",
        ),
    )
    why: str


class HandBrought(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Handwriting samples of a player were brought from another event."""

    KIND, WRITERS = "hand brought", ("desk/hands/kept_hands.py",)
    player: int
    sha256: str  # of the file in the event's folder
    rows: int
    event: str  # where it was written, for people
    names: Names


class EventRestored(Struct, LedgerEvent, frozen=True, omit_defaults=True, kw_only=True):
    """The event was restored from a copy; what came after that copy is not in it."""

    KIND, WRITERS = "restored", ("desk/backups.py",)
    copy: str  # its name
    facts: int  # how many it has
    at: str  # when it was made
    first_serial: int = 0  # of the range drawn for what is printed from now on; 0 before there were such ranges


# ---- the room -------------------------------------------------------------------------------------------------------


class DiceCommitted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A die is to be rolled: the hash of its secret seed."""

    KIND, WRITERS = "dice committed", ("desk/event/ending.py",)
    seed: ClassVar[None] = None  # not rolled yet: this field and those below have no value
    word: ClassVar[str] = ""
    die: ClassVar[int] = 0
    ends: ClassVar[bool] = False
    round: int
    number: int  # 1.. in the round
    hash: str
    year: int  # after whose Fall


class DiceRolled(Struct, LedgerEvent, frozen=True, kw_only=True):
    """A die was rolled: the seed, the word that was called, and what both make."""

    KIND, WRITERS = "dice rolled", ("desk/event/ending.py",)
    round: int
    number: int
    hash: str
    seed: str
    word: str
    die: int
    year: int  # after whose Fall
    ends: bool  # whether it ends the round


class ClockStarted(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The clock was started."""

    KIND, WRITERS = "clock started", ("desk/publish/public_record.py",)
    label: str  # "Spring 1901"
    parts: tuple[tuple[str, int], ...]  # "negotiation", seconds
    elapsed: float  # seconds


class ClockStopped(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The clock was stopped."""

    KIND, WRITERS = "clock stopped", ("desk/publish/public_record.py",)
    elapsed: float


class StandingsOpened(Struct, LedgerEvent, frozen=True, kw_only=True):
    """Whether the standings are public."""

    KIND, WRITERS = "standings opened", ("web/tables.py",)
    open: bool


class ResultsPublished(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The results are published as final: what is found later amends them no more."""

    KIND, WRITERS = "results published", ("desk/results/final_results.py",)
    places: tuple[tuple[str, int, str], ...]  # place, player, total, as they are shown
    why: str


class SeatsTold(Struct, LedgerEvent, frozen=True, kw_only=True):
    """The seats of a round were made public."""

    KIND, WRITERS = "seats told", ("desk/players.py",)
    round: int


@cache
def kinds_of(*classes: type[LedgerEvent]) -> dict[str, type[LedgerEvent]]:
    """The kinds of facts that are of some classes, or of classes below them, in the order in which they stand here."""
    known = (each for each in globals().values() if isinstance(each, type) and issubclass(each, LedgerEvent))
    return {each.KIND: each for each in known if each.KIND and issubclass(each, classes)}


KINDS = kinds_of(LedgerEvent)
