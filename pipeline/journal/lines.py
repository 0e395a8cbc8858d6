"""The journal of an event: every fact is one line, when, who, what, what followed, and whether it can be taken back."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Any

from msgspec import Struct

from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.hands.reader_name import writer_in_words
from pipeline.draw.same_names import name_key
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.consequences import FOLLOWED
from pipeline.journal.dependencies import after_page, rests, solo_called_with, why_final
from pipeline.journal.happened import describe_fact, setting_now
from pipeline.journal.undo_codes import OVERRULABLE, UndoEffect, UndoState
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SettingChange, board_name
from pipeline.scoring.results import Ending
from pipeline.words.speech import Message, sentence

# What would follow if a fact were undone, shown before it is.


def _describe_undo_effect(fact: Fact[events.LedgerEvent], past: Chronicle) -> Message:
    """What would follow if a fact were undone."""
    match fact.said:
        case events.Seated(round=number):
            drawn = [each.number for each in past.counting(events.Seated) if each.said.round == number]
            if earlier := [each for each in drawn if each < fact.number]:
                return Message.of(UndoEffect.EARLIER_SEATS, round=number, fact=earlier[-1])
            return Message.of(UndoEffect.NOT_SEATED, round=number)
        case events.PhasePublished() as said:
            return _after_publication(fact.number, said, past)
        case events.GameEnded(board=board):
            return _game_goes_on(board, past)
        case events.VoteHeld(board=board, carried=True) if _is_ended_by_vote(board, past):
            return _game_goes_on(board, past)
        case events.OnTurn() as said:
            return Message.of(UndoEffect.READ_AGAIN, turn=str(Turn.of(said)))
        case events.SettingsChanged(changes=changes):
            back = (SettingChange(setting=change.setting, was=change.now, now=change.was) for change in changes)
            return Message.of(UndoEffect.FILE_AGAIN, changes=tuple(map(setting_now, back)))
        case events.OnPage() as said:
            return after_page(fact, said, past)
        case events.ResultEntered(form=form) if form:
            return Message.of(UndoEffect.FORM_ASIDE, form=form)
    return Message.of(UndoEffect.COUNTS_NO_MORE)


def _is_ended_by_vote(board: str, past: Chronicle) -> bool:
    game = past.games.get(board)
    return game is not None and game.end is not None and game.end.how is Ending.VOTE


def _game_goes_on(board: str, past: Chronicle) -> Message:
    """Say that the game would go on."""
    game = past.games.get(board)
    if game is None or not game.ending:
        return Message.of(UndoEffect.COUNTS_NO_MORE)
    return Message.of(UndoEffect.GOES_ON, board=board, phase=game.position.phase.in_words)


def _after_publication(fact: int, said: events.PhasePublished, past: Chronicle) -> Message:
    """The earlier publication would count again, or the phase would be open."""
    about = {"board": said.board, "phase": said.phase.in_words}
    for each in reversed(list(past.counting(events.PhasePublished))):
        if each.number < fact and (each.said.board, each.said.phase) == (said.board, said.phase):
            return Message.of(UndoEffect.EARLIER_RESULT, fact=each.number, **about)
    publication = past.facts[fact].of(events.PhasePublished)
    is_solo = publication is not None and solo_called_with(publication, past) is not None
    return Message.of(UndoEffect.OPEN_AGAIN_NO_SOLO if is_solo else UndoEffect.OPEN_AGAIN, **about)


# A correction entered on the page: the rulings that changed the sheets, and what was published again because of them.

AT_ONCE = timedelta(seconds=10)  # most between two facts of one transaction; typed lines keep no reason to compare


def find_whole_correction(past: Chronicle, number: int) -> tuple[int, ...]:
    """The numbers of the correction that a fact is part of, oldest first; empty if it is part of none."""
    facts = past.facts
    after = takewhile(lambda each: _is_one_act(facts, each - 1, each), range(number + 1, len(facts) + 1))
    before = takewhile(lambda each: _is_one_act(facts, each, each + 1), range(number - 1, 0, -1))
    whole = sorted({number, *before, *after} - past.undone.keys())
    is_correction = any((said := facts[each].of(events.PhasePublished)) and said.said.why for each in whole)
    return tuple(whole) if is_correction else ()


def _is_one_act(facts: Mapping[int, Fact[events.LedgerEvent]], number: int, then: int) -> bool:
    """Whether two facts, one right after the other, were written by one correction."""
    one, other = facts.get(number), facts.get(then)
    if one is None or other is None or one.by != other.by:
        return False
    match one.said, other.said:
        case events.Decision(), events.Decision() | events.PhasePublished():
            is_in_turn = one.said.phase == other.said.phase
        case events.PhasePublished(), events.PhasePublished():
            is_in_turn = one.said.phase.sort_key < other.said.phase.sort_key
        case _:
            return False
    reasons = {getattr(said, "why", None) for said in (one.said, other.said) if not isinstance(said, events.LinesTyped)}
    apart = datetime.fromisoformat(other.at) - datetime.fromisoformat(one.at)
    is_reason_same = len(reasons) <= 1 and not reasons & {None, ""}
    return is_in_turn and is_reason_same and one.said.board == other.said.board and apart <= AT_ONCE


class JournalLine(Struct, frozen=True, kw_only=True):
    """One fact, as the journal shows it."""

    fact: Fact[events.LedgerEvent]
    what: Message
    followed: tuple[Message, ...]
    standing: UndoState
    rests: tuple[Message, ...]  # what depends on it
    back: int  # the fact that undid it; 0: none
    would: Message | None = None  # what would follow if it were undone
    why_not: str = ""  # why facts of this kind cannot be undone, in words
    boards: tuple[str, ...] = ()  # that it is about
    whole: tuple[int, ...] = ()  # the correction that it is part of: the numbers that count, oldest first

    @property
    def who(self) -> str:
        """Who wrote it, in words."""
        return writer_in_words(self.fact.by)

    @property
    def why(self) -> str:
        """The reason that was kept with it; empty if there is none."""
        return str(getattr(self.fact.said, "why", None) or "")

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts and for the page."""
        return {
            "number": self.fact.number,
            "at": self.fact.at,
            "by": self.fact.by,
            "who": self.who,
            "kind": self.fact.said.KIND,
            "code": str(self.what.code),
            "what": sentence(self.what),
            "why": self.why,
            "boards": list(self.boards),
            "followed": [_message_as_json(each) for each in self.followed],
            "standing": str(self.standing),
            "rests": [_message_as_json(each) for each in self.rests],
            "would": sentence(self.would) if self.would else "",
            "back": self.back,
            "why_not": self.why_not,
        }


def phase_to_correct(boards: Mapping[str, Game], line: JournalLine) -> tuple[str, Phase, Power | None] | None:
    """The phase that a line is about and that can be corrected: board, phase, and the power if it is about one."""
    said = line.fact.said
    if not isinstance(said, events.OnTurn | events.PhasePublished) or said.board not in boards:
        return None
    is_published = any(played.phase == said.phase for played in boards[said.board].played_since_set)
    power = said.power if isinstance(said, events.OnTurn) else None
    return (said.board, said.phase, power) if is_published else None


def _message_as_json(message: Message) -> dict[str, Any]:
    """A consequence or a dependency of a fact as JSON: code, number of the related fact, and words."""
    data = dict(message.data)
    return {"code": str(message.code), "number": data.get("fact", 0), "words": sentence(message)}


def journal(
    event: Event, *, since: int = 0, before: int | None = None, board: str = "", by: str = "", most: int | None = None
) -> tuple[JournalLine, ...]:
    """The facts between two numbers, oldest first; only those about a board or by a person, if that is asked for.

    If there are more than ``most``, only the newest ones.
    """
    past = Chronicle.of(event)
    wanted = (
        fact
        for fact in reversed(past.facts.values())
        if fact.number > since
        and (before is None or fact.number < before)
        and (not board or board in _boards_of(fact.said, past))
        and (not by or name_key(by) in (name_key(fact.by), name_key(writer_in_words(fact.by))))
    )
    return tuple(_make_journal_line(fact, past) for fact in islice(wanted, most))[::-1]


def _make_journal_line(fact: Fact[events.LedgerEvent], past: Chronicle) -> JournalLine:
    back, never = past.undone.get(fact.number, 0), why_final(fact.said)
    resting = () if back or never else rests(fact, past)
    tell = FOLLOWED.get(type(fact.said))
    return JournalLine(
        fact=fact,
        what=describe_fact(fact, past),
        followed=tuple(tell(fact, past)) if tell is not None and fact.number not in past.undone else (),
        standing=UndoState.STAYS if never and not back else _undo_standing(back, resting),
        rests=resting,
        back=back,
        would=None if back or never else _describe_undo_effect(fact, past),
        why_not=sentence(never) if never and not back else "",
        boards=tuple(dict.fromkeys(_boards_of(fact.said, past))),
        whole=() if back else find_whole_correction(past, fact.number),
    )


def _undo_standing(back: int, resting: tuple[Message, ...]) -> UndoState:
    """Whether a fact can be undone, by what undid it and by what depends on it."""
    if back:
        return UndoState.TAKEN_BACK
    if any(each.code not in OVERRULABLE for each in resting):
        return UndoState.HELD
    return UndoState.ASKS if resting else UndoState.OPEN


def _boards_of(said: events.LedgerEvent, past: Chronicle) -> Iterator[str]:
    """The boards that a fact is about, by full name; an undoing is about the boards of what it undoes."""
    if isinstance(said, events.TakesBack):
        if said.fact in past.facts:
            yield from _boards_of(past.facts[said.fact].said, past)
        return
    match said:
        case events.Seated(round=round_number, boards=boards):
            yield from (board_name(round_number, each.board) for each in boards)
        case events.SheetsPrinted(sheets=sheets):
            yield from (board_name(sheet.round, sheet.board) for sheet in sheets)
        case events.FormsPrinted(forms=forms):
            yield from (form.board for form in forms if form.board)
        case events.PageRead() | events.PageIdentified() | events.OnForm():
            yield from _boards_of_paper(said, past)
        case events.SeatsChanged(seats=seats):
            yield from (board for board, _ in seats)
        case _ if board := getattr(said, "board", ""):
            yield board


def _boards_of_paper(said: events.PageRead | events.PageIdentified | events.OnForm, past: Chronicle) -> Iterator[str]:
    """The board of the sheet or form that a fact is about; none if that is unknown, or of no board."""
    match said:
        case events.PageRead():
            paper = said.sheet.sheet_id if said.sheet else ""
        case events.PageIdentified():
            paper = said.sheet
        case _:
            paper = said.form
    if sheet := past.printed_sheets.get(paper):
        yield board_name(sheet.request.round, sheet.request.board)
    elif (form := past.printed_forms.get(paper)) and form.request.board:
        yield form.request.board
