"""What each kind of fact says, as a code with its data: every class of fact has its place in `TELLERS`."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from pipeline.desk.event.event_file import OF_EVENT, as_toml
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import added_by_hand
from pipeline.desk.event.settings import is_in_event_toml
from pipeline.desk.results.notes import note_in_words
from pipeline.draw.roster import Who
from pipeline.ink import page_in_words
from pipeline.journal.chronicle import Chronicle
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SettingChange, board_name
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.words.speech import Message, SentenceCode

# What a line of the journal says, as codes. The comments name what their sentences mention.


class Happened(SentenceCode):
    """What a fact says."""

    PLAYERS_NUMBERED = "PLAYERS_NUMBERED"  # of count
    PLAYER_ADDED = "PLAYER_ADDED"  # of name, number
    PLAYER_RENAMED = "PLAYER_RENAMED"  # of was, name
    ROLL_CALLED = "ROLL_CALLED"  # of round, here, later, away
    SEATED = "SEATED"  # of round, boards
    BOARD_ADDED = "BOARD_ADDED"  # of round, boards, notes
    DRAWN = "DRAWN"  # of round, boards, seed
    LOT_SEALED = "LOT_SEALED"  # of number, round, among
    LOT_DRAWN = "LOT_DRAWN"  # of number, round, word, order
    TEAM_ENTERED = "TEAM_ENTERED"  # of team, members, form
    TEAM_WITHDRAWN = "TEAM_WITHDRAWN"  # of form
    SHEETS_PRINTED = "SHEETS_PRINTED"  # of count, boards, phases
    PADS_PRINTED = "PADS_PRINTED"  # of count, boards
    FORMS_PRINTED = "FORMS_PRINTED"  # of count, kinds
    SCAN_RECEIVED = "SCAN_RECEIVED"  # of name
    SCAN_READ = "SCAN_READ"  # of name, pages
    PAGE_READ = "PAGE_READ"  # of name, page, tray, sheet
    PAGE_IDENTIFIED = "PAGE_IDENTIFIED"  # of name, page, sheet
    PAGE_SET_ASIDE = "PAGE_SET_ASIDE"  # of name, page
    ROW_RULED = "ROW_RULED"  # of turn, line, order
    ROW_READ = "ROW_READ"  # of turn, line, text
    UNIT_RULED = "UNIT_RULED"  # of turn, order: it has no row
    SHEET_RULED = "SHEET_RULED"  # of turn, decision
    LINES_TYPED = "LINES_TYPED"  # of turn, lines
    SPOT_RIGHT = "SPOT_RIGHT"  # of turn, line, ink
    SPOT_WRONG = "SPOT_WRONG"  # of turn, line, ink
    POSITION_SET = "POSITION_SET"  # of board, phase
    PUBLISHED = "PUBLISHED"  # of board, phase
    CORRECTED = "CORRECTED"  # of board, phase
    GAME_ENDED = "GAME_ENDED"  # of board, how
    RESULT_ENTERED = "RESULT_ENTERED"  # of board, how, year
    VOTE_HELD = "VOTE_HELD"  # of board, yes, no
    VOTE_CARRIED = "VOTE_CARRIED"  # of board, yes
    VETOED = "VETOED"  # of board
    FIELD_RULED = "FIELD_RULED"  # of form, field, value
    FORM_ACCEPTED = "FORM_ACCEPTED"  # of form
    FORM_SET_ASIDE = "FORM_SET_ASIDE"  # of form
    NOTED = "NOTED"  # of words
    TAKEN_BACK = "TAKEN_BACK"  # of fact, what: the fact that counts no more, and what it says
    HAND_BROUGHT = "HAND_BROUGHT"  # of name, rows, event
    RESTORED = "RESTORED"  # of copy, made
    DICE_COMMITTED = "DICE_COMMITTED"  # of round, number
    DICE_ROLLED = "DICE_ROLLED"  # of round, number, die, word
    CLOCK_STARTED = "CLOCK_STARTED"  # of label
    CLOCK_STOPPED = "CLOCK_STOPPED"
    STANDINGS_OPENED = "STANDINGS_OPENED"
    STANDINGS_SEALED = "STANDINGS_SEALED"
    RESULTS_PUBLISHED = "RESULTS_PUBLISHED"
    SEATS_TOLD = "SEATS_TOLD"  # of round
    SETTINGS_CHANGED = "SETTINGS_CHANGED"  # of changes, saved
    RULES_EDITED = "RULES_EDITED"  # of changes, saved: rules files of the event's own


class SettingNow(SentenceCode):
    """What became of a setting."""

    ADDED = "ADDED"  # of setting, now
    CHANGED = "CHANGED"  # of setting, was, now
    GONE = "GONE"  # of setting, was
    FILE_ADDED = "FILE_ADDED"  # of setting: a rules file
    FILE_EDITED = "FILE_EDITED"  # of setting
    FILE_GONE = "FILE_GONE"  # of setting


# Changes of an event's file as the journal tells them.


SETTINGS_IN_WORDS = {
    "name": "the event's name",
    "code": "the code on the sheets",
    "tournament": "the tournament",
    "paper": "the paper",
    "map": "the map",
    "gate": "the file of the reader's thresholds",
    "live_address": "the address of the public pages",
    "language": "the language of what players see",
    "learns_hands": "whether hands are learnt",
    "backup": "the second place for copies",
    "backup_minutes": "how many minutes may pass without a copy",
    "notice": "the text on the screen",
    "schedule": "the times of the rounds",
    "practice": "whether it is a practice event",
}


def _value_in_words(setting: str, value: str | None) -> str | None:
    """A setting's value as TOML has it; a tournament by its name."""
    if setting != f"{OF_EVENT}tournament" or value is None or (named := json.loads(value)) not in tournament_ids():
        return value
    return as_toml(load_tournament(named).name)


def setting_now(change: SettingChange) -> Message:
    """One changed setting of ``event.toml``, or one rules file that was edited; of that only the name is told."""
    if not is_in_event_toml(change.setting):
        return _rules_file_now(change)
    setting = SETTINGS_IN_WORDS.get(change.setting.removeprefix(OF_EVENT), change.setting)
    was, now = (_value_in_words(change.setting, value) for value in (change.was, change.now))
    if now is None:
        return Message.of(SettingNow.GONE, setting=setting, was=was)
    if was is None:
        return Message.of(SettingNow.ADDED, setting=setting, now=now)
    return Message.of(SettingNow.CHANGED, setting=setting, was=was, now=now)


def _rules_file_now(change: SettingChange) -> Message:
    """A rules file that was added, edited or removed."""
    if change.was is None:
        return Message.of(SettingNow.FILE_ADDED, setting=change.setting)
    code = SettingNow.FILE_GONE if change.now is None else SettingNow.FILE_EDITED
    return Message.of(code, setting=change.setting)


Teller = Callable[[Any, Chronicle], Message]


def describe_fact(fact: Fact[LedgerEvent], past: Chronicle) -> Message:
    return TELLERS[type(fact.said)](fact.said, past)


def _names_of(who: Iterable[Who], past: Chronicle) -> tuple[str, ...]:
    """Players by their names of today."""
    return tuple(past.event.people.name_of(each) for each in who)


def _in_row(values: Iterable[object]) -> str:
    """Several values in a row, each once."""
    return ", ".join(dict.fromkeys(map(str, values)))


def _roll_called(said: events.RollCalled, past: Chronicle) -> Message:
    lists = {"here": said.here, "later": said.later, "away": said.away}
    return Message.of(
        Happened.ROLL_CALLED, round=said.round, **{key: _names_of(who, past) for key, who in lists.items()}
    )


def _describe_seating(said: events.Seated, past: Chronicle) -> Message:
    """A draw, seats by hand, or one more board that was set by hand, with its reason."""
    boards = _in_row(board_name(said.round, board.board) for board in said.boards)
    added, notes = added_by_hand(said, _seats_before(said, past))
    if added and notes:
        names = _in_row(board_name(said.round, name) for name in added)
        return Message.of(Happened.BOARD_ADDED, round=said.round, boards=names, notes=notes)
    if said.draw is None:
        return Message.of(Happened.SEATED, round=said.round, boards=boards)
    return Message.of(Happened.DRAWN, round=said.round, boards=boards, seed=said.draw.seed)


def _seats_before(said: events.Seated, past: Chronicle) -> events.Seated | None:
    """The seats that the round had before a draw; None if it had none."""
    before = None
    for fact in past.by_class.get(events.Seated, ()):
        if fact.said is said:
            break
        if (seated := fact.of(events.Seated)) and seated.said.round == said.round and fact.number not in past.undone:
            before = seated.said
    return before


def _lot_sealed(said: events.LotSealed, past: Chronicle) -> Message:
    """A lot that is to be drawn; its fact contains no secret."""
    among = _in_row(_names_of(said.among, past))
    return Message.of(Happened.LOT_SEALED, number=said.number, round=said.round, among=among)


def _lot_drawn(said: events.LotDrawn, past: Chronicle) -> Message:
    order = _in_row(_names_of(said.order, past))
    return Message.of(Happened.LOT_DRAWN, number=said.number, round=said.round, word=said.word, order=order)


def _team_entered(said: events.TeamEntered, past: Chronicle) -> Message:
    if not said.team:
        return Message.of(Happened.TEAM_WITHDRAWN, form=said.form)
    return Message.of(
        Happened.TEAM_ENTERED, team=said.team, members=_in_row(_names_of(said.members, past)), form=said.form
    )


def _sheets_printed(said: events.SheetsPrinted, past: Chronicle) -> Message:
    boards = _in_row(board_name(sheet.round, sheet.board) for sheet in said.sheets)
    if said.pads:
        return Message.of(Happened.PADS_PRINTED, count=len(said.sheets), boards=boards)
    phases = _in_row(sheet.phase.in_words for sheet in said.sheets)
    return Message.of(Happened.SHEETS_PRINTED, count=len(said.sheets), boards=boards, phases=phases)


def _page_read(said: events.PageRead, past: Chronicle) -> Message:
    """A page that was read: its tray and its sheet, without the text."""
    sheet = (said.sheet.sheet_id,) if said.sheet else ()
    name = past.files.get(said.sha256, "")
    return Message.of(Happened.PAGE_READ, name=name, page=page_in_words(said.page), tray=str(said.tray), sheet=sheet)


def _page_told(code: Happened, said: events.PageIdentified | events.PageSetAside, past: Chronicle) -> Message:
    sheet = {"sheet": said.sheet} if isinstance(said, events.PageIdentified) else {}
    return Message.of(code, name=past.files.get(said.sha256, ""), page=page_in_words(said.page), **sheet)


def _row_ruled(said: events.RowRuled, past: Chronicle) -> Message:
    turn = str(Turn.of(said))
    if said.line == 0:
        return Message.of(Happened.UNIT_RULED, turn=turn, order=said.order or "")
    if said.order is None:
        return Message.of(Happened.ROW_READ, turn=turn, line=said.line, text=said.text or "")
    return Message.of(Happened.ROW_RULED, turn=turn, line=said.line, order=said.order)


def _result_entered(said: events.ResultEntered, past: Chronicle) -> Message:
    return Message.of(Happened.RESULT_ENTERED, board=said.board, how=said.ended, year=max(said.years))


def _vote_held(said: events.VoteHeld, past: Chronicle) -> Message:
    """Describe a vote, without who voted how."""
    if said.vetoed:
        return Message.of(Happened.VETOED, board=said.board)
    if said.carried:
        return Message.of(Happened.VOTE_CARRIED, board=said.board, yes=said.yes or 0)
    return Message.of(Happened.VOTE_HELD, board=said.board, yes=said.yes or 0, no=said.no or 0)


def _on_form(code: Happened, said: events.OnForm, past: Chronicle) -> Message:
    """What was decided about a form."""
    more = {"field": said.field, "value": said.value} if isinstance(said, events.FieldRuled) else {}
    return Message.of(code, form=said.form, **more)


def _describe_note(said: events.NoteEntered, past: Chronicle) -> Message:
    return Message.of(Happened.NOTED, words=note_in_words(past.event, said))


def _describe_undoing(said: events.TakesBack, past: Chronicle) -> Message:
    """An undoing, with the description of what it undid."""
    about = past.facts.get(said.fact)
    what = (describe_fact(about, past),) if about else ()
    return Message.of(Happened.TAKEN_BACK, fact=said.fact, what=what)


def _of(code: Happened, *keys: str) -> Teller:
    """Make the teller of a fact that is described by some of its fields."""

    def tell(said: Any, past: Chronicle) -> Message:
        return Message.of(code, **{key: _plain_value(getattr(said, key)) for key in keys})

    return tell


def _plain_value(value: object) -> object:
    """A field's value for a sentence."""
    return value if isinstance(value, int | tuple) else str(value)


def _settings_changed(said: events.SettingsChanged, past: Chronicle) -> Message:
    """Changed settings of the event's file, or edited rules files."""
    is_of_event = any(is_in_event_toml(change.setting) for change in said.changes)
    code = Happened.SETTINGS_CHANGED if is_of_event else Happened.RULES_EDITED
    return Message.of(code, changes=tuple(map(setting_now, said.changes)), saved=said.saved)


TELLERS: Mapping[type[LedgerEvent], Teller] = {
    events.PlayersNumbered: lambda said, past: Message.of(Happened.PLAYERS_NUMBERED, count=len(said.names)),
    events.SettingsChanged: _settings_changed,
    events.PlayerAdded: lambda said, past: Message.of(
        Happened.PLAYER_ADDED, name=said.player.name, number=said.player.number
    ),
    events.PlayerRenamed: _of(Happened.PLAYER_RENAMED, "was", "name"),
    events.RollCalled: _roll_called,
    events.Seated: _describe_seating,
    events.LotSealed: _lot_sealed,
    events.LotDrawn: _lot_drawn,
    events.TeamEntered: _team_entered,
    events.SheetsPrinted: _sheets_printed,
    events.FormsPrinted: lambda said, past: Message.of(
        Happened.FORMS_PRINTED, count=len(said.forms), kinds=_in_row(form.kind for form in said.forms)
    ),
    events.ScanReceived: _of(Happened.SCAN_RECEIVED, "name"),
    events.ScanRead: lambda said, past: Message.of(
        Happened.SCAN_READ, name=past.files.get(said.sha256, ""), pages=said.pages
    ),
    events.PageRead: _page_read,
    events.PageIdentified: partial(_page_told, Happened.PAGE_IDENTIFIED),
    events.PageSetAside: partial(_page_told, Happened.PAGE_SET_ASIDE),
    events.RowRuled: _row_ruled,
    events.SheetRuled: lambda said, past: Message.of(
        Happened.SHEET_RULED, turn=str(Turn.of(said)), decision=str(said.decision)
    ),
    events.LinesTyped: lambda said, past: Message.of(Happened.LINES_TYPED, turn=str(Turn.of(said)), lines=said.lines),
    events.SpotChecked: lambda said, past: Message.of(
        Happened.SPOT_RIGHT if said.right else Happened.SPOT_WRONG,
        turn=str(Turn.of(said)),
        line=said.line,
        ink=said.ink,
    ),
    events.DecisionUndone: _describe_undoing,
    events.PositionSet: lambda said, past: Message.of(
        Happened.POSITION_SET, board=said.board, phase=said.position["phase"]
    ),
    events.PhasePublished: lambda said, past: Message.of(
        Happened.PUBLISHED if said.why is None else Happened.CORRECTED, board=said.board, phase=said.phase.in_words
    ),
    events.GameEnded: _of(Happened.GAME_ENDED, "board", "how"),
    events.EndUndone: _describe_undoing,
    events.ResultEntered: _result_entered,
    events.VoteHeld: _vote_held,
    events.VoteUndone: _describe_undoing,
    events.FieldRuled: partial(_on_form, Happened.FIELD_RULED),
    events.FormAccepted: partial(_on_form, Happened.FORM_ACCEPTED),
    events.FormSetAside: partial(_on_form, Happened.FORM_SET_ASIDE),
    **dict.fromkeys(events.kinds_of(events.NoteEntered).values(), _describe_note),
    events.ActTakenBack: _describe_undoing,
    events.HandBrought: lambda said, past: Message.of(
        Happened.HAND_BROUGHT, name=past.event.people.name_of(said.player), rows=said.rows, event=said.event
    ),
    events.EventRestored: lambda said, past: Message.of(Happened.RESTORED, copy=said.copy, made=local_time(said.at)),
    events.DiceCommitted: _of(Happened.DICE_COMMITTED, "round", "number"),
    events.DiceRolled: _of(Happened.DICE_ROLLED, "round", "number", "die", "word"),
    events.ClockStarted: _of(Happened.CLOCK_STARTED, "label"),
    events.ClockStopped: _of(Happened.CLOCK_STOPPED),
    events.StandingsOpened: lambda said, past: Message.of(
        Happened.STANDINGS_OPENED if said.open else Happened.STANDINGS_SEALED
    ),
    events.ResultsPublished: _of(Happened.RESULTS_PUBLISHED),
    events.SeatsTold: _of(Happened.SEATS_TOLD, "round"),
}
