"""What each kind of fact says, as a code with its data: every class of fact has its place in `TELLERS`."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from pipeline.desk.event.turn import Turn
from pipeline.desk.results.notes import in_words
from pipeline.ink import page_in_words
from pipeline.journal.codes import Happened
from pipeline.journal.past import Chronicle
from pipeline.journal.setting_words import setting_now
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Who
from pipeline.words import Told

Teller = Callable[[Any, Chronicle], Told]


def happened(fact: Fact[LedgerEvent], past: Chronicle) -> Told:
    """What a fact says."""
    return TELLERS[type(fact.said)](fact.said, past)


def names(who: Iterable[Who], past: Chronicle) -> tuple[str, ...]:
    """Players by their names of today."""
    return tuple(past.event.people.name_of(each) for each in who)


def in_row(values: Iterable[object]) -> str:
    """Several values in a row, each once."""
    return ", ".join(dict.fromkeys(map(str, values)))


def roll_called(said: events.RollCalled, past: Chronicle) -> Told:
    """A roll call."""
    told = {"here": said.here, "later": said.later, "away": said.away}
    return Told.of(Happened.ROLL_CALLED, round=said.round, **{key: names(who, past) for key, who in told.items()})


def seated(said: events.Seated, past: Chronicle) -> Told:
    """A draw, or seats by hand."""
    boards = in_row(f"{said.round}.{board.board}" for board in said.boards)
    if said.draw is None:
        return Told.of(Happened.SEATED, round=said.round, boards=boards)
    return Told.of(Happened.DRAWN, round=said.round, boards=boards, seed=said.draw.seed)


def lot(code: Happened, said: events.LotSealed | events.LotDrawn, past: Chronicle) -> Told:
    """A lot, sealed or drawn; of one that is sealed nothing secret is in its fact."""
    drawn = {"word": said.word, "order": in_row(names(said.order, past))} if code is Happened.LOT_DRAWN else {}
    return Told.of(code, number=said.number, round=said.round, among=in_row(names(said.among, past)), **drawn)


def team_entered(said: events.TeamEntered, past: Chronicle) -> Told:
    """A team, or that it does not count."""
    if not said.team:
        return Told.of(Happened.TEAM_WITHDRAWN, form=said.form)
    return Told.of(Happened.TEAM_ENTERED, team=said.team, members=in_row(names(said.members, past)), form=said.form)


def sheets_printed(said: events.SheetsPrinted, past: Chronicle) -> Told:
    """Sheets or pads."""
    boards = in_row(f"{sheet.round}.{sheet.board}" for sheet in said.sheets)
    if said.pads:
        return Told.of(Happened.PADS_PRINTED, count=len(said.sheets), boards=boards)
    phases = in_row(sheet.phase.in_words for sheet in said.sheets)
    return Told.of(Happened.SHEETS_PRINTED, count=len(said.sheets), boards=boards, phases=phases)


def forms_printed(said: events.FormsPrinted, past: Chronicle) -> Told:
    """Forms."""
    return Told.of(Happened.FORMS_PRINTED, count=len(said.forms), kinds=in_row(form.kind for form in said.forms))


def page_read(said: events.PageRead, past: Chronicle) -> Told:
    """A page; what was read on it is on its row."""
    sheet = (said.sheet.sheet_id,) if said.sheet else ()
    name = past.files.get(said.sha256, "")
    return Told.of(Happened.PAGE_READ, name=name, page=page_in_words(said.page), tray=str(said.tray), sheet=sheet)


def page_told(code: Happened, said: events.PageIdentified | events.PageSetAside, past: Chronicle) -> Told:
    """What a person says of a page."""
    sheet = {"sheet": said.sheet} if isinstance(said, events.PageIdentified) else {}
    return Told.of(code, name=past.files.get(said.sha256, ""), page=page_in_words(said.page), **sheet)


def row_ruled(said: events.RowRuled, past: Chronicle) -> Told:
    """A ruling on a row."""
    turn = str(Turn.of(said))
    if said.line == 0:
        return Told.of(Happened.UNIT_RULED, turn=turn, order=said.order or "")
    if said.order is None:
        return Told.of(Happened.ROW_READ, turn=turn, line=said.line, text=said.text or "")
    return Told.of(Happened.ROW_RULED, turn=turn, line=said.line, order=said.order)


def spot_checked(said: events.SpotChecked, past: Chronicle) -> Told:
    """A spot check."""
    code = Happened.SPOT_RIGHT if said.right else Happened.SPOT_WRONG
    return Told.of(code, turn=str(Turn.of(said)), line=said.line, ink=said.ink)


def published(said: events.PhasePublished, past: Chronicle) -> Told:
    """A publication, or a correction."""
    code = Happened.PUBLISHED if said.why is None else Happened.CORRECTED
    return Told.of(code, board=said.board, phase=said.phase.in_words)


def result_entered(said: events.ResultEntered, past: Chronicle) -> Told:
    """A result, or that it was taken back."""
    if said.ended is None or not said.years:
        return Told.of(Happened.RESULT_WITHDRAWN, board=said.board)
    return Told.of(Happened.RESULT_ENTERED, board=said.board, how=str(said.ended), year=max(said.years))


def vote_held(said: events.VoteHeld, past: Chronicle) -> Told:
    """A vote; who voted how is told nowhere here."""
    if said.vetoed:
        return Told.of(Happened.VETOED, board=said.board)
    if said.carried:
        return Told.of(Happened.VOTE_CARRIED, board=said.board, yes=said.yes or 0)
    return Told.of(Happened.VOTE_HELD, board=said.board, yes=said.yes or 0, no=said.no or 0)


def on_form(code: Happened, said: events.OnForm, past: Chronicle) -> Told:
    """What was decided about a form."""
    more = {"field": said.field, "value": said.value} if isinstance(said, events.FieldRuled) else {}
    return Told.of(code, form=said.form, **more)


def noted(said: events.NoteEntered, past: Chronicle) -> Told:
    """A note, as the list of notes has it."""
    return Told.of(Happened.NOTED, words=in_words(past.event, said))


def taken_back(said: events.TakesBack | events.EndUndone, past: Chronicle) -> Told:
    """What took something back says what that was."""
    about = past.facts.get(said.fact)
    what = (happened(about, past),) if about else ()
    return Told.of(Happened.TAKEN_BACK, fact=said.fact, what=what)


def standings_opened(said: events.StandingsOpened, past: Chronicle) -> Told:
    """Whether everybody may see the places."""
    return Told.of(Happened.STANDINGS_OPENED if said.open else Happened.STANDINGS_SEALED)


def of(code: Happened, *keys: str) -> Teller:
    """A fact whose fields are what is told of it."""

    def tell(said: Any, past: Chronicle) -> Told:
        return Told.of(code, **{key: plain(getattr(said, key)) for key in keys})

    return tell


def plain(value: object) -> object:
    """A field as it is said."""
    return value if isinstance(value, int | tuple) else str(value)


def settings_changed(said: events.SettingsChanged, past: Chronicle) -> Told:
    """What the event's file says otherwise."""
    if said.begins is not None:
        return Told.of(Happened.SETTINGS_FIRST_NOTED, count=len(said.begins))
    return Told.of(Happened.SETTINGS_CHANGED, changes=tuple(map(setting_now, said.changes)), saved=said.saved)


TELLERS: Mapping[type[LedgerEvent], Teller] = {
    events.OfNewerEdition: of(Happened.UNKNOWN, "kind"),
    events.PlayersNumbered: lambda said, past: Told.of(Happened.PLAYERS_NUMBERED, count=len(said.names)),
    events.SettingsChanged: settings_changed,
    events.PlayerAdded: lambda said, past: Told.of(
        Happened.PLAYER_ADDED, name=said.player.name, number=said.player.number
    ),
    events.PlayerRenamed: of(Happened.PLAYER_RENAMED, "was", "name"),
    events.RollCalled: roll_called,
    events.Seated: seated,
    events.LotSealed: partial(lot, Happened.LOT_SEALED),
    events.LotDrawn: partial(lot, Happened.LOT_DRAWN),
    events.TeamEntered: team_entered,
    events.SheetsPrinted: sheets_printed,
    events.FormsPrinted: forms_printed,
    events.ScanReceived: of(Happened.SCAN_RECEIVED, "name"),
    events.ScanRead: lambda said, past: Told.of(
        Happened.SCAN_READ, name=past.files.get(said.sha256, ""), pages=said.pages
    ),
    events.PageRead: page_read,
    events.PageIdentified: partial(page_told, Happened.PAGE_IDENTIFIED),
    events.PageSetAside: partial(page_told, Happened.PAGE_SET_ASIDE),
    events.RowRuled: row_ruled,
    events.SheetRuled: lambda said, past: Told.of(
        Happened.SHEET_RULED, turn=str(Turn.of(said)), decision=str(said.decision)
    ),
    events.LinesTyped: lambda said, past: Told.of(Happened.LINES_TYPED, turn=str(Turn.of(said)), lines=said.lines),
    events.SpotChecked: spot_checked,
    events.DecisionUndone: taken_back,
    events.PositionSet: lambda said, past: Told.of(
        Happened.POSITION_SET, board=said.board, phase=said.position["phase"]
    ),
    events.PhasePublished: published,
    events.GameEnded: of(Happened.GAME_ENDED, "board", "how"),
    events.EndUndone: taken_back,
    events.ResultEntered: result_entered,
    events.VoteHeld: vote_held,
    events.VoteUndone: taken_back,
    events.FieldRuled: partial(on_form, Happened.FIELD_RULED),
    events.FormAccepted: partial(on_form, Happened.FORM_ACCEPTED),
    events.FormSetAside: partial(on_form, Happened.FORM_SET_ASIDE),
    events.PlayerNoted: noted,
    events.PenaltyEntered: noted,
    events.BonusEntered: noted,
    events.ScoreRuled: noted,
    events.LateStartEntered: noted,
    events.PlayerReplaced: noted,
    events.SeatsChanged: noted,
    events.DrawEntered: noted,
    events.BoardChosen: noted,
    events.LotsDrawn: noted,
    events.PlayerExcluded: noted,
    events.AwardGiven: noted,
    events.PreregistrationEntered: noted,
    events.ActTakenBack: taken_back,
    events.HandBrought: lambda said, past: Told.of(
        Happened.HAND_BROUGHT, name=past.event.people.name_of(said.player), rows=said.rows, event=said.event
    ),
    events.EventRestored: of(Happened.RESTORED, "copy", "at"),
    events.DiceCommitted: of(Happened.DICE_COMMITTED, "round", "number"),
    events.DiceRolled: of(Happened.DICE_ROLLED, "round", "number", "die", "word"),
    events.ClockStarted: of(Happened.CLOCK_STARTED, "label"),
    events.ClockStopped: of(Happened.CLOCK_STOPPED),
    events.StandingsOpened: standings_opened,
    events.SeatsTold: of(Happened.SEATS_TOLD, "round"),
}
