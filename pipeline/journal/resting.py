"""What rests on a fact: what was made of it since, or with it, and would be wrong if it counted no more."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.board.position import Phase
from pipeline.desk.event.ending import drawn_since, game_now
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.journal.codes import Resting, Stays
from pipeline.journal.later import by_fact, by_newest
from pipeline.journal.pages import rests_on_page
from pipeline.journal.past import Chronicle
from pipeline.journal.resting_people import rests_on_added, rests_on_call, rests_on_note, rests_on_rename
from pipeline.journal.resting_seats import rests_on_seats, rests_on_telling
from pipeline.journal.settings import rests_on_settings
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.paper.form.form import FormKind
from pipeline.rules.game_end import soloist
from pipeline.scoring.results.results import Ending
from pipeline.words import Told

Rests = Callable[[Any, Chronicle], Iterator[Told]]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a fact on a board opened: every phase from one on, or after one."""

    board: str
    first: Phase
    is_open: bool  # whether the first phase is one of them

    def has(self, phase: Phase) -> bool:
        """Whether a phase came, or comes, with it."""
        return phase.sort_key > self.first.sort_key or (self.is_open and phase == self.first)


def rests(fact: Fact[LedgerEvent], past: Chronicle) -> tuple[Told, ...]:
    """What rests on a fact of a kind that can be taken back."""
    return tuple(RESTS[type(fact.said)](fact, past))


def nothing(fact: Fact[LedgerEvent], past: Chronicle) -> Iterator[Told]:
    """Nothing can rest on it."""
    return iter(())


def rests_on_decision(fact: Fact[events.Decision], past: Chronicle) -> Iterator[Told]:
    """The phase that was adjudicated with it."""
    for published in past.counting(events.PhasePublished, after=fact.number):
        if (published.said.board, published.said.phase) == (fact.said.board, fact.said.phase):
            yield Told.of(Resting.ADJUDICATED, phase=published.said.phase.in_words, fact=published.number)


def rests_on_published(fact: Fact[events.PhasePublished], past: Chronicle) -> Iterator[Told]:
    """Whatever came after a publication on its board, but for the end of a game that the counts called with it.

    Everybody could read the orders of the others: it opens rows whose answers are known, and wants a reason.
    """
    ended = called_with(fact, past)
    yield from rests_on_span(Stretch(fact.said.board, fact.said.phase, is_open=False), fact, past, ended)
    if ended is not None and (game := past.games.get(fact.said.board)):
        yield from used_standings(past, game)
    for die in past.counting(events.DiceCommitted, events.DiceRolled, after=fact.number):
        match die.said:
            case events.DiceCommitted(round=number, year=year) | events.DiceRolled(round=number, year=year):
                if year in (None, fact.said.phase.year) and fact.said.board.startswith(f"{number}."):
                    yield by_fact(Resting.USED, die, past)
    yield Told.of(Resting.SEEN)


def rests_on_position(fact: Fact[events.PositionSet], past: Chronicle) -> Iterator[Told]:
    """Whatever came since on a board that was set by hand."""
    opened = Phase.read(fact.said.position["phase"])
    yield from rests_on_span(Stretch(fact.said.board, opened, is_open=True), fact, past, None)


def called_with(fact: Fact[events.PhasePublished], past: Chronicle) -> Fact[events.GameEnded] | None:
    """The end of a game that the counts called when a phase was published."""
    since = [each for each in past.counting(events.OnGame, after=fact.number) if each.said.board == fact.said.board]
    ended = since[0].of(events.GameEnded) if since else None
    return ended if ended is not None and ended.said.how is Ending.SOLO else None


def rests_on_span(
    span: Stretch, fact: Fact[events.OnGame], past: Chronicle, but: Fact[events.GameEnded] | None
) -> Iterator[Told]:
    """What came on a board since a fact opened its phases."""
    later = [
        other
        for other in past.counting(events.OnGame, after=fact.number)
        if other.said.board == span.board and not isinstance(other.said, events.EndUndone) and other != but
    ]
    if later:
        yield from by_newest(Resting.LATER_ON_BOARD, later, past, board=span.board)
        return  # what rests on that is told when it is taken back
    yield from paper_since(span, fact.number, past)
    decided = [each for each in past.counting(events.Decision, after=fact.number) if each.said.board == span.board]
    newest = {str(Turn.of(each.said)): each.number for each in decided if span.has(each.said.phase)}
    for turn, number in newest.items():
        yield Told.of(Resting.DECIDED, turn=turn, fact=number)
    votes = (each for each in past.counting(events.VoteHeld, after=fact.number) if each.said.board == span.board)
    yield from by_newest(Resting.USED, votes, past)
    yield from sheets_since(span, fact.number, past)


def paper_since(span: Stretch, number: int, past: Chronicle) -> Iterator[Told]:
    """The sheets that were printed since for phases that would not be open, and slips for a vote."""
    for printed in past.counting(events.SheetsPrinted, after=number):
        phases = [s.phase for s in printed.said.sheets if f"{s.round}.{s.board}" == span.board and not s.pad]
        for phase in dict.fromkeys(phase for phase in phases if span.has(phase)):
            yield Told.of(Resting.SHEETS_PRINTED, board=span.board, phase=phase.in_words, fact=printed.number)
    for forms in past.counting(events.FormsPrinted, after=number):
        if any(form.kind is FormKind.VOTE and form.board == span.board for form in forms.said.forms):
            yield by_fact(Resting.USED, forms, past)


def sheets_since(span: Stretch, number: int, past: Chronicle) -> Iterator[Told]:
    """The sheets that came in since for phases that would not be open."""
    if next(past.counting(events.PageRead, events.PageIdentified, after=number), None) is None:
        return
    for turn, sheets in past.sheets.items():
        if turn.board == span.board and span.has(turn.phase) and any(max(sheet.since) > number for sheet in sheets):
            yield Told.of(Resting.SHEET_IN, turn=str(turn))


def rests_on_end(fact: Fact[events.GameEnded], past: Chronicle) -> Iterator[Told]:
    """Draws from standings with its result; what the centres say is so while they say it."""
    game = past.games.get(fact.said.board)
    if game is None or not is_end_of(game, fact):
        yield Told.of(Resting.COUNTS_NO_MORE)
        return
    ending = past.event.tournament.ending
    if fact.said.how is Ending.SOLO and soloist(game_now(past.event, game), ending) is not None:
        yield Told.of(Resting.CALLED_BY_COUNTS)
    yield from used_standings(past, game)


def is_end_of(game: Game, fact: Fact[LedgerEvent]) -> bool:
    """Whether a fact is how a game ended, as it stands now."""
    return game.ended is not None and game.end is not None and game.end.fact.number == fact.number


def used_standings(past: Chronicle, game: Game) -> Iterator[Told]:
    """The draws that were made from standings with a game's result."""
    for drawn in drawn_since(past.event, game):
        yield Told.of(Resting.STANDINGS_USED, round=drawn.said.round, fact=drawn.number)


def rests_on_result(fact: Fact[events.ResultEntered], past: Chronicle) -> Iterator[Told]:
    """Draws from standings with it, and who is in its draw."""
    game = past.games.get(fact.said.board)
    if game is None or not is_end_of(game, fact):
        yield Told.of(Resting.COUNTS_NO_MORE)
        return
    for drawn in past.counting(events.DrawEntered, after=fact.number):
        if drawn.said.board == fact.said.board:
            yield by_fact(Resting.USED, drawn, past)
    yield from used_standings(past, game)


def rests_on_vote(fact: Fact[events.VoteHeld], past: Chronicle) -> Iterator[Told]:
    """A newer vote, and what rests on the end that it made."""
    votes = (each for each in past.counting(events.VoteHeld, after=fact.number) if each.said.board == fact.said.board)
    yield from by_newest(Resting.LATER, votes, past)
    game = past.games.get(fact.said.board)
    if fact.said.carried and game and game.ended and game.end and game.end.how is Ending.VOTE:
        yield from used_standings(past, game)


def rests_on_form(fact: Fact[events.OnForm], past: Chronicle) -> Iterator[Told]:
    """What was written down together with it, and what was decided on the same form since."""
    beside = past.facts.get(fact.number + 1)
    if beside is not None and not isinstance(fact.said, events.FieldRuled):
        match beside.said:
            case events.ResultEntered(form=form) | events.TeamEntered(form=form) if form == fact.said.form:
                yield by_fact(Resting.TOGETHER, beside, past)
    since = (each for each in past.counting(events.OnForm, after=fact.number) if each.said.form == fact.said.form)
    yield from by_newest(Resting.LATER, (each for each in since if on_the_same(fact.said, each.said)), past)


def on_the_same(said: events.OnForm, other: events.OnForm) -> bool:
    """Whether one decision on a form rests on another one: two fields of a form do not."""
    both = isinstance(said, events.FieldRuled) and isinstance(other, events.FieldRuled)
    return not both or getattr(said, "field", "") == getattr(other, "field", "")


def rests_on_opening(fact: Fact[events.StandingsOpened], past: Chronicle) -> Iterator[Told]:
    """A newer word on it, and that everybody could see the places."""
    yield from by_newest(Resting.LATER, past.counting(events.StandingsOpened, after=fact.number), past)
    if fact.said.open:
        yield Told.of(Resting.SEEN)


def rests_on_clock(fact: Fact[LedgerEvent], past: Chronicle) -> Iterator[Told]:
    """What the clock was told since."""
    since = past.counting(events.ClockStarted, events.ClockStopped, after=fact.number)
    yield from by_newest(Resting.LATER, since, past)


RESTS: Mapping[type[LedgerEvent], Rests] = {
    events.PlayerAdded: rests_on_added,
    events.PlayerRenamed: rests_on_rename,
    events.RollCalled: rests_on_call,
    events.SettingsChanged: rests_on_settings,
    events.Seated: rests_on_seats,
    events.SeatsTold: rests_on_telling,
    events.RowRuled: rests_on_decision,
    events.SheetRuled: rests_on_decision,
    events.LinesTyped: rests_on_decision,
    events.SpotChecked: nothing,
    events.PageIdentified: rests_on_page,
    events.PageSetAside: rests_on_page,
    events.PositionSet: rests_on_position,
    events.PhasePublished: rests_on_published,
    events.GameEnded: rests_on_end,
    events.ResultEntered: rests_on_result,
    events.VoteHeld: rests_on_vote,
    events.FieldRuled: rests_on_form,
    events.FormAccepted: rests_on_form,
    events.FormSetAside: rests_on_form,
    events.StandingsOpened: rests_on_opening,
    events.ClockStarted: rests_on_clock,
    events.ClockStopped: rests_on_clock,
    **dict.fromkeys((each for each in events.KINDS.values() if issubclass(each, events.NoteEntered)), rests_on_note),
}
STAYS: Mapping[type[LedgerEvent], Stays] = {
    events.OfNewerEdition: Stays.NEWER,
    events.PlayersNumbered: Stays.BEGINNING,
    events.EventRestored: Stays.BEGINNING,
    events.LotSealed: Stays.DRAWN_OPENLY,
    events.LotDrawn: Stays.DRAWN_OPENLY,
    events.DiceCommitted: Stays.DRAWN_OPENLY,
    events.DiceRolled: Stays.DRAWN_OPENLY,
    events.TeamEntered: Stays.FORM,
    events.SheetsPrinted: Stays.PAPER,
    events.FormsPrinted: Stays.PAPER,
    events.ScanReceived: Stays.PAPER,
    events.ScanRead: Stays.PAPER,
    events.PageRead: Stays.PAPER,
    events.HandBrought: Stays.HAND,
    events.DecisionUndone: Stays.TAKES_BACK,
    events.VoteUndone: Stays.TAKES_BACK,
    events.EndUndone: Stays.TAKES_BACK,
    events.ActTakenBack: Stays.TAKES_BACK,
}


def stays(said: LedgerEvent) -> Stays | None:
    """Why a fact is never taken back; None where it can be."""
    if isinstance(said, events.ResultEntered) and (said.ended is None or not said.years):
        return Stays.TAKES_BACK
    if isinstance(said, events.SettingsChanged) and said.begins is not None:
        return Stays.FIRST_NOTED
    return STAYS.get(type(said))
