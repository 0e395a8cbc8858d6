"""Taking a fact back: by the act that exists for it, or else by a fact of its own that says that it counts no more."""

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.desk.event.ending import undo_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.desk.forms.votes import undo_vote
from pipeline.desk.publish.read_out import remove_stale, write_both
from pipeline.desk.results.notes import take_back
from pipeline.desk.review.form_status import set_aside
from pipeline.desk.ruling.rulings import undo_ruling
from pipeline.journal.codes import LIFTED
from pipeline.journal.past import Chronicle
from pipeline.journal.resting import called_with, rests, stays
from pipeline.ledger import events
from pipeline.ledger.events import ActTakenBack, EndUndone, LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.words import Told, sentence

Act = Callable[[Any, Chronicle, str, str], Fact[LedgerEvent]]  # a fact, all facts, who takes it back and why
WHY_FIRST = "to take it back all the same, say why"


def undo(event: Event, number: int, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """Take a fact back, or stop with everything that rests on it (exit code 3): decided and written in one.

    A reason lifts what may be lifted. What was taken back already is told, and nothing is written; only cards and maps
    that a killed program left are mended.
    """
    done = None
    with event.facts.transaction():
        past = Chronicle.of(event)
        fact = past.facts.get(number)
        if fact is None:
            raise stop("nothing has this number; see 'ordersheets journal'", where(number))
        if number not in past.undone:
            check_may_go(fact, past, why)
            done = act_for(fact.said)(fact, past, by, why)
    if isinstance(fact.said, events.OnGame):
        mend_cards(event, fact.said)
    if done is None:
        back = past.facts[past.undone[number]]
        raise stop(f"it was taken back already, by {back.by} (number {back.number})", where(number))
    return done


def where(number: int) -> str:
    """A line of the journal, as a problem names it."""
    return f"number {number}"


def check_may_go(fact: Fact[LedgerEvent], past: Chronicle, why: str) -> None:
    """Stop where a fact stays whatever comes, or carries what rests on it."""
    if (reason := stays(fact.said)) is not None:
        raise stop(sentence(reason), where(fact.number))
    resting = rests(fact, past)
    if any(each.code not in LIFTED for each in resting) or (resting and not why.strip()):
        raise Stopped((problem(each, where(fact.number)) for each in resting), ExitCode.RULE_FIRST)


def mend_cards(event: Event, said: events.OnGame) -> None:
    """Take away what is not played any more; of a correction that was taken back, what was published before is made."""
    game = games(event).get(said.board)
    if game is None:
        return
    remove_stale(event, game)
    if isinstance(said, events.PhasePublished):
        for played in game.played:
            if played.phase.sort_key >= said.phase.sort_key:
                write_both(event, game, played)


def problem(resting: Told, at: str) -> Problem:
    """Say what rests on a fact, and how to go on."""
    if resting.code in LIFTED:
        return Problem(Weight.ASKS, f"{sentence(resting)}; {WHY_FIRST}", at)
    return Problem(Weight.STOPS, sentence(resting), at)


def count_no_more(fact: Fact[LedgerEvent], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """Write down that a fact counts no more; what it had replaced counts again."""
    return past.event.facts.write(ActTakenBack(fact=fact.number, why=why), by)


def unpublish(fact: Fact[events.PhasePublished], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """A publication counts no more, and with it the end of the game that the counts called."""
    ended = called_with(fact, past)
    also = [EndUndone(board=fact.said.board, fact=ended.number, why=why)] if ended else []
    return past.event.facts.write_all([ActTakenBack(fact=fact.number, why=why), *also], by)[0]


def undecide(fact: Fact[events.OnTurn], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """A decision on a turn."""
    return undo_ruling(past.event, fact, by, why)


def go_on(fact: Fact[events.GameEnded], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """The end of a game."""
    return undo_end(past.event, find_game(past.event, fact.said.board), by=by, why=why)


def unvote(fact: Fact[events.VoteHeld], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """A vote, and the end that it made."""
    return undo_vote(past.event, find_game(past.event, fact.said.board), by=by, why=why)


def unnote(fact: Fact[events.NoteEntered], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """A note."""
    return take_back(past.event, fact.number, by=by, why=why)


def without_result(fact: Fact[events.ResultEntered], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """A result that was typed in, or that stands on a form, which is set aside then."""
    if not fact.said.form:
        return take_back(past.event, fact.number, by=by, why=why)
    form = printed_forms(past.event).get(fact.said.form)
    if form is None or form.request.board != fact.said.board:  # as nothing but a file that was mended by hand has it
        return count_no_more(fact, past, by, why)
    return set_aside(past.event, form, by=by, why=why)


ACTS: Mapping[type[LedgerEvent], Act] = {
    events.RowRuled: undecide,
    events.SheetRuled: undecide,
    events.LinesTyped: undecide,
    events.SpotChecked: undecide,
    events.PhasePublished: unpublish,
    events.GameEnded: go_on,
    events.ResultEntered: without_result,
    events.VoteHeld: unvote,
}


def act_for(said: LedgerEvent) -> Act:
    """The act that takes a fact back: its own, where there is one."""
    if isinstance(said, events.NoteEntered):
        return unnote
    return ACTS.get(type(said), count_no_more)
