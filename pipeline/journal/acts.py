"""Undo a fact: by the undo action of its kind, or else by a fact that marks it as undone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.desk.event.ending import undo_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.forms.votes import undo_vote
from pipeline.desk.publish.publish import remove_stale, write_card_and_map
from pipeline.desk.results.notes import take_note_back
from pipeline.desk.review.orders_shown import set_aside
from pipeline.desk.ruling.rulings import undo_ruling
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.dependencies import mend_file, mend_pictures, rests, solo_called_with, why_final, without_page
from pipeline.journal.undo_codes import OVERRULABLE
from pipeline.ledger import events
from pipeline.ledger.events import ActTakenBack, LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.words.speech import Message, sentence

Act = Callable[[Any, Chronicle, str, str], Fact[LedgerEvent]]  # a fact, all facts, who takes it back and why
WHY_FIRST = "to take it back all the same, say why"


def undo_fact(event: Event, number: int, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """Undo a fact, or stop with everything that depends on it (exit code 3), in one transaction.

    Some dependencies can be overruled by a reason. For a fact that is undone already nothing is written; only outdated
    cards and maps are mended.
    """
    (done,) = undo_all(event, (number,), by=by, why=why)
    return done


def undo_all(event: Event, numbers: Iterable[int], *, by: str, why: str = "") -> tuple[Fact[LedgerEvent], ...]:
    """Undo several facts, the newest first, all or none.

    Stops with all reasons against any of them (exit code 3 if something depends on one).
    """
    wanted = sorted(set(numbers), reverse=True)
    try:
        with event.facts.transaction():
            done = tuple(_undo_in_turn(event, wanted, by, why))
            _mend_files(event, wanted)  # in it: else who writes meanwhile would take the file for an edit of today
            return done
    finally:
        _mend(event, wanted)


def _undo_in_turn(event: Event, numbers: Sequence[int], by: str, why: str) -> Iterator[Fact[LedgerEvent]]:
    """Undo facts one after another, inside a transaction, and collect all reasons against any of them.

    A fact that is blocked is tried again after the others; some go together, such as a publication and the end of the
    game it called.
    """
    begun, left = event.facts.last_number(), list(numbers)
    while left:
        against: dict[int, Stopped] = {}
        for number in left:
            try:
                yield _undo_one(Chronicle.of(event), number, by, why)
            except Stopped as stopped:
                against[number] = stopped
        if len(against) == len(left):
            raise _all_against(against.values())
        undone = Chronicle.of(event).undone
        left = [number for number in against if undone.get(number, begun) <= begun]  # others went with these


def _all_against(against: Iterable[Stopped]) -> Stopped:
    """All reasons against undoing several facts."""
    refusals = tuple(against)
    codes = {stopped.code for stopped in refusals}
    code = ExitCode.RULE_FIRST if ExitCode.RULE_FIRST in codes else refusals[0].code
    return Stopped(dict.fromkeys(problem for stopped in refusals for problem in stopped.problems), code)


def _undo_one(past: Chronicle, number: int, by: str, why: str) -> Fact[LedgerEvent]:
    """Undo one fact, inside a transaction."""
    fact = past.facts.get(number)
    if fact is None:
        raise stop("nothing has this number; see 'ordersheets journal'", _number_in_words(number))
    if number in past.undone:
        back = past.facts[past.undone[number]]
        raise stop(f"it was taken back already, by {back.by} (number {back.number})", _number_in_words(number))
    _check_may_go(fact, past, why)
    if isinstance(fact.said, events.NoteEntered):
        return take_note_back(past.event, fact.number, by=by, why=why)
    return ACTS.get(type(fact.said), _mark_undone)(fact, past, by, why)


def _mend(event: Event, numbers: Iterable[int]) -> None:
    """Rebuild cards, maps and pictures after some facts were undone."""
    past = Chronicle.of(event)
    for fact in (past.facts[number] for number in numbers if number in past.undone):
        if isinstance(fact.said, events.OnGame):
            _mend_cards(event, fact.said)
        if isinstance(fact.said, events.PageIdentified):
            mend_pictures(event, fact.said)


def _mend_files(event: Event, numbers: Iterable[int]) -> None:
    """Put back into ``event.toml`` what was there before changes that are undone."""
    facts = Chronicle.of(event).facts
    for number in numbers:
        if changed := facts[number].of(events.SettingsChanged):
            mend_file(event, changed.said)


def _number_in_words(number: int) -> str:
    """A line of the journal, as a problem names it."""
    return f"number {number}"


def _check_may_go(fact: Fact[LedgerEvent], past: Chronicle, why: str) -> None:
    """Stop if a fact can never be undone, or something depends on it."""
    if (reason := why_final(fact.said)) is not None:
        raise stop(sentence(reason), _number_in_words(fact.number))
    resting = rests(fact, past)
    holding = [each for each in resting if each.code not in OVERRULABLE]  # a reason does not help while there are any
    if holding or (resting and not why.strip()):
        told = (_say_dependency(each, _number_in_words(fact.number)) for each in holding or resting)
        raise Stopped(told, ExitCode.RULE_FIRST)


def _mend_cards(event: Event, said: events.OnGame) -> None:
    """Delete cards and maps of phases that are no longer published.

    After a correction that is undone, those of the earlier publication are made.
    """
    game = games(event).get(said.board)
    if game is None:
        return
    remove_stale(event, game)
    if isinstance(said, events.PhasePublished):
        for played in game.played:
            if played.phase.sort_key >= said.phase.sort_key:
                write_card_and_map(event, game, played)


def _say_dependency(resting: Message, at: str) -> Problem:
    """Say what depends on a fact, and what the director can do."""
    if resting.code in OVERRULABLE:
        return Problem(Weight.ASKS, f"{sentence(resting)}; {WHY_FIRST}", at)
    return Problem(Weight.STOPS, sentence(resting), at)


def _mark_undone(fact: Fact[LedgerEvent], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """Write down that a fact is undone; what it had replaced counts again."""
    return past.event.facts.write(ActTakenBack(fact=fact.number, why=why), by)


def _unpublish(fact: Fact[events.PhasePublished], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """Undo a publication, and with it the solo that it called; one that an earlier publication called stands again."""
    ended = solo_called_with(fact, past)
    undone = [fact.number, *([ended.number] if ended else [])]
    return past.event.facts.write_all([ActTakenBack(fact=number, why=why) for number in undone], by)[0]


def _undo_decision(fact: Fact[events.OnTurn], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    return undo_ruling(past.event, fact, by, why)


def _resume_game(fact: Fact[events.GameEnded], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    return undo_end(past.event, find_game(past.event, fact.said.board), by=by, why=why)


def _undo_vote_and_end(fact: Fact[events.VoteHeld], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """Undo a vote, and the end of the game that it made."""
    return undo_vote(past.event, find_game(past.event, fact.said.board), by=by, why=why)


def _undo_result(fact: Fact[events.ResultEntered], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """Undo a result that was typed in, or that stands on a form; the form is then set aside."""
    if not fact.said.form:
        return take_note_back(past.event, fact.number, by=by, why=why)
    form = past.printed_forms.get(fact.said.form)
    if form is None or form.request.board != fact.said.board:  # only possible in a file that was edited by hand
        return _mark_undone(fact, past, by, why)
    return set_aside(past.event, form, by=by, why=why)


ACTS: Mapping[type[LedgerEvent], Act] = {
    events.RowRuled: _undo_decision,
    events.SheetRuled: _undo_decision,
    events.LinesTyped: _undo_decision,
    events.SpotChecked: _undo_decision,
    events.PhasePublished: _unpublish,
    events.GameEnded: _resume_game,
    events.ResultEntered: _undo_result,
    events.VoteHeld: _undo_vote_and_end,
    events.PageIdentified: without_page,
    events.PageSetAside: without_page,
}
