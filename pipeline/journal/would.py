"""What would follow if a fact counted no more: told before anything is taken back."""

from pipeline.desk.event.turn import Turn
from pipeline.journal.codes import Would
from pipeline.journal.pages import after_page
from pipeline.journal.past import Chronicle
from pipeline.journal.resting import called_with
from pipeline.journal.setting_words import setting_now, turned_back
from pipeline.ledger.events import (
    GameEnded,
    LedgerEvent,
    OnPage,
    OnTurn,
    PhasePublished,
    ResultEntered,
    Seated,
    SettingsChanged,
    VoteHeld,
)
from pipeline.ledger.ledger import Fact
from pipeline.words import Told


def would(fact: Fact[LedgerEvent], past: Chronicle) -> Told:
    """What would follow."""
    match fact.said:
        case Seated(round=number):
            return after_draw(fact.number, number, past)
        case PhasePublished() as said:
            return after_publication(fact.number, said, past)
        case GameEnded(board=board):
            return goes_on(board, past)
        case VoteHeld(board=board, carried=True):
            return goes_on(board, past)
        case OnTurn() as said:
            return Told.of(Would.READ_AGAIN, turn=str(Turn.of(said)))
        case SettingsChanged(changes=changes):
            return Told.of(Would.FILE_AGAIN, changes=tuple(setting_now(back) for back in turned_back(changes)))
        case OnPage() as said:
            return after_page(fact, said, past)
        case ResultEntered(form=form) if form:
            return Told.of(Would.FORM_ASIDE, form=form)
    return Told.of(Would.COUNTS_NO_MORE)


def goes_on(board: str, past: Chronicle) -> Told:
    """A game goes on."""
    game = past.games.get(board)
    if game is None or not game.ended:
        return Told.of(Would.COUNTS_NO_MORE)
    return Told.of(Would.GOES_ON, board=board, phase=game.position.phase.in_words)


def after_draw(fact: int, number: int, past: Chronicle) -> Told:
    """An earlier draw stands again, where there is one."""
    earlier = [each.number for each in past.counting(Seated) if each.said.round == number and each.number < fact]
    if earlier:
        return Told.of(Would.EARLIER_SEATS, round=number, fact=earlier[-1])
    return Told.of(Would.NOT_SEATED, round=number)


def after_publication(fact: int, said: PhasePublished, past: Chronicle) -> Told:
    """What was published before stands again, or the phase is open."""
    about = {"board": said.board, "phase": said.phase.in_words}
    for each in reversed(list(past.counting(PhasePublished))):
        if each.number < fact and (each.said.board, each.said.phase) == (said.board, said.phase):
            return Told.of(Would.EARLIER_RESULT, fact=each.number, **about)
    found = past.facts[fact].of(PhasePublished)
    is_solo = found is not None and called_with(found, past) is not None
    return Told.of(Would.OPEN_AGAIN_NO_SOLO if is_solo else Would.OPEN_AGAIN, **about)
